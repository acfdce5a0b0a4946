"""What befalls people beside the turns: absences with and without a deputy, resignations, dead and full mailboxes."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import select

from gm.games import ruleset
from gm.store.tables import Game, Player, Seat
from tests.sim.ledger import Deputyship
from tests.sim.people import Mail, Person
from tests.sim.plan import Plan
from tests.sim.server import DESK
from tests.sim.talking import Talkers


class Fates(Talkers):
    """People have a life."""

    def fates(self, start: datetime, end: datetime) -> None:
        """Plan what happens to each of them."""
        days = (end - start).days
        for n, person in enumerate(self.people.values()):
            dice = person.dice
            for _ in range(max(1, days // 120)):
                first = start + timedelta(days=dice.randint(8, max(9, days - 20)), hours=dice.randint(0, 23))
                self.at(first - timedelta(days=5), lambda p=person, f=first: self._leave(p, f))
            if n % 9 == 4:
                gone = start + timedelta(days=dice.randint(10, max(11, days - 20)))
                person.broken.append((gone, gone + timedelta(days=16), "5.1.1" if n % 2 else "4.2.2"))
                self.at(gone + timedelta(days=16, hours=5), lambda p=person: self._is_back(p))
            if n % 7 == 3:
                leaves = start + timedelta(days=dice.randint(12, max(13, days - 5)))
                self.at(leaves, lambda p=person: self._resign(p))
            if n % 11 == 6:
                full = start + timedelta(days=dice.randint(5, max(6, days - 10)))
                self.at(full, lambda p=person: self.server.relay.full.add(p.email))
                self.at(full + timedelta(days=2), lambda p=person: self.server.relay.full.discard(p.email))
        for day in range(20, days, 24):
            for n, plan in enumerate(tuple(self.plans.values())):
                self.at(start + timedelta(days=day + n), lambda p=plan: self._stands_by(p))

    # --- away ------------------------------------------------------------------------------------------------

    def _leave(self, person: Person, first: datetime) -> None:
        mail = person.newest.get("desk") or next(iter(person.newest.values()), None)
        if mail is None or person.is_away(self.server.now):
            return
        last = first + timedelta(days=person.dice.randint(3, 12))
        announced = person.dice.random() < 0.7
        person.away.append((first, last))
        if not announced:
            self.ledger.did["absence unannounced"] += 1
            return
        self.ledger.did["absence announced"] += 1
        self.answer(person, mail, f"ABSENT {first:%-d %b %Y} TO {last:%-d %b %Y}")
        if person.dice.random() < 0.6:
            self._wants_deputy(person, first, last)

    def _wants_deputy(self, person: Person, first: datetime, last: datetime) -> None:
        """He asks somebody who has no part in the game to stand in, in one of his games where names are known."""
        for slug, mail in sorted(person.newest.items()):
            plan = self.plans.get(slug)
            if plan is None or plan.anonymous or slug in self.over or "absence = none" in plan.rules:
                continue
            power = {p.name: p.id for p in ruleset(plan.ruleset).meta.powers}.get(mail.reader, "")
            others = [
                p for p in self.people.values()
                if slug not in p.newest and not p.is_away(first) and not p.is_away(last) and not p.bounces(first)
            ]  # fmt: skip
            if power and others:
                self._ask(person, mail, power, person.dice.choice(others), first, last)
                return

    def _ask(
        self, person: Person, mail: Mail, power: str, deputy: Person, first: datetime, last: datetime
    ) -> None:
        press = person.dice.random() < 0.5
        zone = ZoneInfo(person.zone)
        since = datetime(first.year, first.month, first.day, tzinfo=zone)
        until = datetime(last.year, last.month, last.day, tzinfo=zone) + timedelta(days=1)
        self.ledger.deputies.append(Deputyship(mail.slug, power, person, deputy, since, until, press))
        self.ledger.did["deputy asked"] += 1
        person.wrote_of.add(deputy.email)
        self.answer(
            person,
            mail,
            f"DEPUTY {deputy.email} FROM {first:%-d %b %Y} TO {last:%-d %b %Y}{' PRESS' if press else ''}",
        )

    # --- coming and going ----------------------------------------------------------------------------------------

    def _stands_by(self, first: Plan) -> None:
        """Two people with few games put themselves on the list of one more."""
        plan = self.latest(first)
        slug = plan.slug
        for person in [p for p in self.by_seats() if slug not in p.newest][:2]:
            self.ledger.did["standby"] += 1
            if plan.anonymous:
                self.watch.hidden_names[slug].add(person.name)
            self.write(person, DESK, f"JOIN {slug} AS {person.name}")

    def latest(self, plan: Plan) -> Plan:
        """The game that is played in the place of one that has ended."""
        base = plan.slug.partition("-")[0]
        return [p for slug, p in self.plans.items() if slug.partition("-")[0] == base][-1]

    def by_seats(self) -> list[Person]:
        """Those who can be reached, with the fewest seats first."""
        with self.server.office.store.read() as session:
            names = session.scalars(
                select(Player.name)
                .join(Seat, Seat.player_id == Player.id)
                .join(Game, Game.id == Seat.game_id)
                .where(Seat.left_at.is_(None), Game.status != "finished")
            )
            seats = Counter(names)
        now = self.server.now
        there = [p for p in self.people.values() if not p.is_away(now) and not p.bounces(now)]
        return sorted(there, key=lambda p: (seats[p.name], self.dice.random()))

    def _is_back(self, person: Person) -> None:
        """His mailbox works again: he writes a mail to the newest address that he has."""
        mail = next(iter(person.newest.values()), None)
        if mail is not None:
            self.ledger.did["mailbox back"] += 1
            self.answer(person, mail, "STATUS")

    def _resign(self, person: Person) -> None:
        slug = next((s for s in person.newest if s in self.plans), "")
        if slug and not person.is_away(self.server.now):
            self.ledger.did["resignation"] += 1
            self.reply(person, slug, f"RESIGN {slug}")
