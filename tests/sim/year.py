"""A campaign played by mail for a year of simulated time by scripted people, who do what real ones do.

The script keeps a ledger of its own of what it sent and when; `tests.sim.checks` holds the server's books against it.
"""

from __future__ import annotations

import heapq
import random
import time as wall
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from sqlalchemy import select

from gm.desk.authority import credential_in
from gm.desk.commands import BY_NAME
from gm.games import ruleset
from gm.games.dice import SeededDice
from gm.mail.transport import Parcel
from gm.store.tables import Game, PhaseRow, Player, Seat
from gm.turns.people import current_seats
from tests.sim.letters import STYLES, addressed, away_note, bounce, plain
from tests.sim.people import GMS, Mail, Person, Watch, people, read
from tests.sim.plan import Plan
from tests.sim.server import DESK, Server

CAMPAIGN = "danube"
NONSENSE = (
    "Hello, is this thing on?",
    "blah blah blah",
    "A XXX - YYY\nF Atlantis - Moon",
    "I think my army should go north, or maybe not. What do you think?",
    "¿Qué? ¡Órdenes! ✉✉✉",
)
BEAT = timedelta(minutes=10)


@dataclass(frozen=True)
class Entry:
    """One mail of the ledger that may bring orders."""

    phase: int
    power: str
    at: datetime
    valid: bool
    """Whether it holds orders that the server must take."""
    orders: tuple[str, ...] | None
    """The whole sheet that it gives, where the script knows it."""
    why: str = ""
    """Why it can't be taken, as the script sees it."""


@dataclass
class Ledger:
    """What the script did."""

    entries: list[Entry] = field(default_factory=list)
    deserves: dict[str, bool] = field(default_factory=dict)
    """Message-ID to whether the mail deserves an answer."""
    did: Counter[str] = field(default_factory=Counter)
    """What kinds of things were done, how often."""


class Year:
    """The script: people, their plans as a queue of events, and the loop."""

    def __init__(
        self, server: Server, plans: Sequence[Plan], *, seed: str, players: int, mischief: float = 1.0
    ) -> None:
        self.server, self.plans, self.seed = server, {p.slug: p for p in plans}, seed
        self.mischief = mischief
        self.people = {p.email: p for p in people(players, seed)}
        self.gms = {e: Person(e, e.partition("@")[0].capitalize(), "UTC", random.Random(e)) for e in GMS}
        self.everybody = {**self.people, **self.gms}
        self.ledger, self.watch = Ledger(), Watch()
        self.dice = random.Random(seed)
        self.events: list[tuple[datetime, int, Callable[[], None]]] = []
        self.count = 0
        self.phases: set[int] = set()
        self.secrets = 0
        self.week_over = False
        self.over: set[str] = set()
        self.inbox: list[Parcel] = []
        self.errors: list[str] = []
        self.wall = 0.0
        self.why = ""
        self.kinds: Counter[str] = Counter()

    # --- the loop --------------------------------------------------------------------------------------------

    def at(self, when: datetime, act: Callable[[], None]) -> None:
        """Do something at an instant, or at once if it is past; within ten minutes, so that mails come in bunches."""
        self.count += 1
        step = BEAT.total_seconds()
        rounded = datetime.fromtimestamp(-(-when.timestamp() // step) * step, when.tzinfo)
        heapq.heappush(self.events, (max(rounded, self.server.now), self.count, act))

    def run(self, end: datetime, *, most: float = 0.0) -> None:
        """Let simulated time pass until `end`, or until `most` seconds of real time are over."""
        begun = wall.monotonic()
        while self.server.now < end:
            self.server.go_on(self.events[0][0] if self.events else None, end)
            self.settle()
            if self.week_over:
                self.week_over = False
                self._follow_up()
            if most and wall.monotonic() - begun > most:
                break
        self.wall += wall.monotonic() - begun

    def settle(self) -> None:
        """Do everything that is due at this instant, and what follows from it at once."""
        while True:
            while self.events and self.events[0][0] <= self.server.now:
                heapq.heappop(self.events)[2]()
            self.server.work()
            self._see_phases()
            arrived, self.inbox = self.inbox, []
            for parcel in arrived:
                self._arrive(parcel)
            if not self.server.waiting() and not (self.events and self.events[0][0] <= self.server.now):
                return

    def deliver(self, parcel: Parcel) -> None:
        """The relay's end: a mail on its way to a mailbox."""
        self.inbox.append(parcel)

    def _arrive(self, parcel: Parcel) -> None:
        person = self.everybody.get(parcel.recipient)
        if person is None:
            self.errors.append(f"a mail to {parcel.recipient}, who is nobody")
            return
        mail = read(parcel)
        anonymous = [slug for slug, plan in self.plans.items() if plan.anonymous and slug not in self.over]
        self.watch.look(person.email, mail, person.name, anonymous)
        status = person.bounces(self.server.now)
        if status:
            self.ledger.did[f"bounce {status[0]}"] += 1
            identity = self._identity(person, "dsn")
            raw = bounce(parcel.sender, person.email, parcel.raw, status, identity)
            self.ledger.deserves[identity] = False
            self.at(self.server.now + BEAT, lambda: self.server.mail(raw, "", parcel.sender))
            return
        person.mails += 1
        known = person.newest.get(mail.slug)
        if known is None or known.date <= mail.date:
            person.newest[mail.slug] = mail
        phase = self._phase_of(mail)
        if phase is not None:
            person.held[phase] = mail
        subject = str(mail.message["Subject"])
        if "confirm" in subject:
            self.at(
                self.server.now, lambda: self.write(person, mail.reply_to, "yes, that was me", answers=mail)
            )
        if "will you take over" in subject:
            self._offered(person, mail)
        if (
            person.is_away(self.server.now)
            and person.dice.random() < 0.2
            and str(mail.message["Auto-Submitted"]) != "no"
        ):
            self._note_away(person, mail)

    def _phase_of(self, mail: Mail) -> int | None:
        """The phase that a reply to a mail brings orders for; a reader knows it by the mail's words."""
        with self.server.office.store.read() as session:
            credential = credential_in(session, self.server.office, mail.reply_to)
            return credential.phase_id if credential is not None and credential.kind == "seat" else None

    def _note_away(self, person: Person, mail: Mail) -> None:
        identity = self._identity(person, "ooo")
        self.ledger.deserves[identity] = False
        self.ledger.did["out-of-office note"] += 1
        raw = away_note(person.email, mail.reply_to, identity)
        self.at(self.server.now, lambda: self.server.mail(raw, person.email, mail.reply_to))

    def _offered(self, person: Person, mail: Mail) -> None:
        slug = next((s for s in self.plans if f"({s})" in mail.text), "")
        word = "ACCEPT" if person.dice.random() < 0.75 else "DECLINE"
        self.ledger.did[f"standby: {word.lower()}"] += 1
        later = self.server.now + timedelta(hours=person.dice.randint(1, 30))
        self.at(later, lambda: self.write(person, mail.reply_to, f"{word} {slug}", answers=mail))
        if word == "ACCEPT":
            self.at(later + timedelta(hours=4), lambda: self._orders_as_heir(slug, person))

    def _orders_as_heir(self, slug: str, person: Person) -> None:
        """Whoever took over a seat orders in the phase that is open."""
        with self.server.office.store.read() as session:
            game = session.scalars(select(Game).where(Game.slug == slug)).one()
            phase = session.scalar(
                select(PhaseRow.id).where(PhaseRow.game_id == game.id, PhaseRow.status == "open")
            )
            mine = [
                power for power, player in current_seats(session, game).items() if player.name == person.name
            ]
        if mine and phase is not None:
            self.ledger.did["heir orders"] += 1
            self._if_there(self._order, slug, phase, mine[0], person)

    # --- writing ---------------------------------------------------------------------------------------------

    def _identity(self, person: Person, kind: str = "m") -> str:
        person.written += 1
        return f"<{kind}{person.written}.{person.email.replace('@', '.at.')}@mailer.example>"

    def write(
        self, person: Person, to: str, text: str, *, answers: Mail | None = None, style: int | None = None,
        twice: bool = False, deserves: bool = True,
    ) -> None:  # fmt: skip
        """Send one mail by SMTP; `twice`: the same mail again, as a mailer that heard no 250 does."""
        identity = self._identity(person)
        write = plain if style is None else STYLES[style]
        mail = write(text, answers.message if answers else None)
        subject = f"Re: {answers.message['Subject']}" if answers else "hello"
        raw = addressed(
            mail, sender=f'"{person.name}" <{person.email}>', to=to, subject=subject, identity=identity,
            answers=str(answers.message["Message-ID"]) if answers else "",
        )  # fmt: skip
        self.ledger.deserves[identity] = deserves
        self.kinds[write.__name__] += 1
        for _ in range(2 if twice else 1):
            self.server.mail(raw, person.email, to)

    def reply(
        self,
        person: Person,
        slug: str,
        text: str,
        *,
        style: int | None = None,
        twice: bool = False,
        phase: int = 0,
    ) -> bool:
        """Answer the newest mail of a game, or that of a phase. Returns False if there is none to answer."""
        mail = person.held.get(phase) or person.newest.get(slug)
        if mail is not None and phase and (self._phase_of(mail) or 0) > phase:
            return False
        if mail is None:
            return False
        self.write(person, mail.reply_to, text, answers=mail, style=style, twice=twice)
        return True

    # --- set-up ----------------------------------------------------------------------------------------------

    def found(self) -> None:
        """The campaign, its GMs, its games and their players, all by mail."""
        chief = self.gms[GMS[0]]
        self.write(chief, DESK, f"CREATE CAMPAIGN {CAMPAIGN} TITLE The Danube Courier")
        self.settle()
        lines = [f"CAMPAIGN {CAMPAIGN}", "SET zine = every Friday 21:00 Europe/London", "SET press = all"]
        lines += ["SET standby = auto"] if "ACCEPT" in BY_NAME else []
        lines += [f"ADD GM {email} AS {self.gms[email].name}" for email in GMS[1:]]
        self.reply(chief, "desk", "\n".join(lines))
        self.settle()
        for n, plan in enumerate(self.plans.values()):
            self.open_game(plan, self.gms[GMS[n % len(GMS)]])
        for email in list(self.people)[:4]:
            self.write(self.people[email], DESK, f"SUBSCRIBE {CAMPAIGN}")
            self.settle()

    def open_game(self, plan: Plan, gm: Person) -> None:
        """A GM opens a game; people with fewest games join it."""
        lines = [
            f"CAMPAIGN {CAMPAIGN}",
            f"CREATE {plan.ruleset} AS {plan.slug} TITLE The {plan.slug.title()} Game",
        ]
        lines += [f"SET {rule}" for rule in (*plan.rules, f"calendar = {plan.calendar}")]
        self.write(gm, DESK if "desk" not in gm.newest else gm.newest["desk"].reply_to, "\n".join(lines))
        self.settle()
        powers = ruleset(plan.ruleset).meta.powers
        fewest = self._by_seats()
        joining = fewest[: len(powers)]
        if plan.anonymous:
            self.watch.hidden_names[plan.slug] = {p.name for p in joining}
            self.watch.powers[plan.slug] = "|".join(p.name for p in powers)
        for person in joining:
            self.write(person, DESK, f"JOIN {plan.slug} AS {person.name}\nZONE {person.zone}")
            self.settle()
        if "ACCEPT" in BY_NAME:
            for person in fewest[len(powers) : len(powers) + 3]:
                self.write(person, DESK, f"JOIN {plan.slug} AS {person.name}")
                self.settle()
                if plan.anonymous:
                    self.watch.hidden_names[plan.slug].add(person.name)

    # --- a phase ---------------------------------------------------------------------------------------------

    def _see_phases(self) -> None:
        """Plan what everybody does about each phase that was opened."""
        with self.server.office.store.read() as session:
            rows = session.execute(
                select(PhaseRow.id, PhaseRow.due_at, Game.slug)
                .join(Game, Game.id == PhaseRow.game_id)
                .where(PhaseRow.status == "open")
                .order_by(PhaseRow.id)
            ).all()
            over = session.scalars(select(Game.slug).where(Game.status == "finished"))
            self.over = set(over)  # an anonymous game tells its players' names at its end
            fresh = [row for row in rows if row.id not in self.phases]
            for phase_id, due_at, slug in fresh:
                self.phases.add(phase_id)
                game = session.scalars(select(Game).where(Game.slug == slug)).one()
                phase = session.get_one(PhaseRow, phase_id)
                held = {power: player.name for power, player in current_seats(session, game).items()}
                for due in ruleset(game.ruleset).dues(phase.state):
                    if due.power in held:
                        self._plan(slug, phase_id, due.power, self._named(held[due.power]), due_at)

    def _named(self, name: str) -> Person:
        return next(p for p in self.people.values() if p.name == name)

    def _plan(self, slug: str, phase: int, power: str, person: Person, due: datetime | None) -> None:
        """What one player will do in one phase."""
        dice, now = person.dice, self.server.now
        due = due or now + timedelta(days=7)
        length = due - now
        when = now + length * dice.triangular(0.05, 0.97, 0.6)
        fate = dice.random() / self.mischief if self.mischief else 1.0
        act = self._order
        if fate < 0.03:
            self.ledger.did["sends nothing"] += 1
            return
        if fate < 0.06:
            self.ledger.did["late"] += 1
            when = due + timedelta(hours=dice.choice((1, 3, 8, 30)))
        elif fate < 0.09:
            act = self._nonsense
        elif fate < 0.12:
            act = self._typos
        elif fate < 0.16:
            act = self._revises
        elif fate < 0.18:
            act = self._no_orders
        self.at(when, lambda: self._if_there(act, slug, phase, power, person))
        if dice.random() < 0.05:
            self.at(now + length * dice.random(), lambda: self._talk(slug, power, person))

    def _if_there(
        self, act: Callable[[str, int, str, Person], None], slug: str, phase: int, power: str, person: Person
    ) -> None:
        back = person.is_away(self.server.now)
        if back is not None:
            self.at(back + timedelta(hours=2), lambda: self._if_there(act, slug, phase, power, person))
            return
        act(slug, phase, power, person)

    def _position(self, slug: str, phase: int, power: str, person: Person) -> tuple[list[str], bool]:
        """Orders that a player thinks up, and whether the seat is his and his newest mail of the open phase."""
        with self.server.office.store.read() as session:
            game = session.scalars(select(Game).where(Game.slug == slug)).one()
            row = session.get_one(PhaseRow, phase)
            state = row.state
            is_open = row.status == "open"
            holder = current_seats(session, game).get(power)
            his = holder is not None and holder.name == person.name
        rules = ruleset(self.plans[slug].ruleset)
        dice = SeededDice(f"{self.seed} {power} {person.written}".encode(), str(phase))
        orders = list(rules.bot(rules.view(state, power), dice))
        whys = (
            ("not his seat", not his),
            ("the phase is over", not is_open),
            ("no mail of that phase", phase not in person.held),
        )
        self.why = ", ".join(why for why, holds in whys if holds)
        return orders, not self.why

    def _note(self, slug: str, phase: int, power: str, text: str, valid: bool, *, sure: bool = True) -> None:
        orders: tuple[str, ...] | None = None
        if valid and sure:
            rules = ruleset(self.plans[slug].ruleset)
            with self.server.office.store.read() as session:
                state = session.get_one(PhaseRow, phase).state
            orders = tuple(rules.parse(state, power, text).orders)
        self.ledger.entries.append(
            Entry(phase, power, self.server.now, valid, orders, "" if valid else self.why)
        )

    def _order(self, slug: str, phase: int, power: str, person: Person) -> None:
        orders, valid = self._position(slug, phase, power, person)
        dice = person.dice
        text = "\n".join(orders) or "NO ORDERS"
        extra = "\nREADY" if dice.random() < 0.4 else "\nWAIT" if dice.random() < 0.05 else ""
        if dice.random() < 0.02:
            extra += "\nVOTE DRAW"
        twice = dice.random() < 0.05
        if twice:
            self.ledger.did["same mail twice"] += 1
        if self.reply(
            person, slug, text + extra, style=dice.randrange(len(STYLES)), twice=twice, phase=phase
        ):
            self.ledger.did["orders"] += 1
            self.ledger.did["orders out of time"] += not valid
            self._note(slug, phase, power, text, valid, sure=bool(orders))

    def _no_orders(self, slug: str, phase: int, power: str, person: Person) -> None:
        _orders, valid = self._position(slug, phase, power, person)
        if self.reply(person, slug, "NO ORDERS", style=person.dice.randrange(len(STYLES)), phase=phase):
            self.ledger.did["NO ORDERS"] += 1
            self._note(slug, phase, power, "", valid, sure=False)

    def _nonsense(self, slug: str, phase: int, power: str, person: Person) -> None:
        if self.reply(
            person, slug, person.dice.choice(NONSENSE), style=person.dice.randrange(len(STYLES)), phase=phase
        ):
            self.ledger.did["nonsense"] += 1
            self._note(slug, phase, power, "", False)
        if person.dice.random() < 0.5:
            self.at(
                self.server.now + timedelta(hours=3),
                lambda: self._if_there(self._order, slug, phase, power, person),
            )

    def _typos(self, slug: str, phase: int, power: str, person: Person) -> None:
        """One line is misspelt, all others are right."""
        orders, valid = self._position(slug, phase, power, person)
        if not orders:
            return self._no_orders(slug, phase, power, person)
        lines = [*orders, "A Vienxq - Bohemmia!!", f"{orders[0]} pleaze"]
        if self.reply(person, slug, "\n".join(lines), style=person.dice.randrange(len(STYLES)), phase=phase):
            self.ledger.did["typos"] += 1
            self._note(slug, phase, power, "", valid, sure=False)
        return None

    def _revises(self, slug: str, phase: int, power: str, person: Person) -> None:
        self._order(slug, phase, power, person)
        self.ledger.did["revision"] += 1

        def again() -> None:
            orders, valid = self._position(slug, phase, power, person)
            text = "\n".join(["CLEAR", *(orders or ["NO ORDERS"])])
            if self.reply(person, slug, text, style=person.dice.randrange(len(STYLES)), phase=phase):
                self._note(slug, phase, power, "\n".join(orders), valid, sure=bool(orders))

        self.at(
            self.server.now + timedelta(hours=5),
            lambda: self._if_there(lambda *_: again(), slug, phase, power, person),
        )

    # --- all else that people write ------------------------------------------------------------------------------

    def _talk(self, slug: str, power: str, person: Person) -> None:
        """Press, letters, questions."""
        if person.is_away(self.server.now) or slug not in person.newest:
            return
        dice = person.dice
        with self.server.office.store.read() as session:
            game = session.scalars(select(Game).where(Game.slug == slug)).one()
            held = {p: pl.name for p, pl in current_seats(session, game).items()}
        if held.get(power) != person.name:
            return
        others = [p for p in held if p != power]
        choice = dice.randrange(8)
        names = {p.id: p.name for p in ruleset(self.plans[slug].ruleset).meta.powers}
        if choice <= 2 and others:
            to = dice.choice(others)
            self.secrets += 1
            marker = f"secret-{self.secrets:05}"
            self.watch.addressee[marker] = self._named(held[to]).email
            self.watch.readers[marker] = {person.email, self.watch.addressee[marker]}
            unsigned = "UNSIGNED " if choice == 2 else ""
            text = f"PRESS {unsigned}TO {names[to]}\nShall we? The word is {marker}.\nENDPRESS"
            self.ledger.did["private press"] += 1
        elif choice == 3:
            text = "PRESS TO ALL: We come in peace."
            self.ledger.did["public press"] += 1
        elif choice == 4:
            text = f"LETTER {CAMPAIGN}\nDear editor, your maps grow finer every week.\nENDLETTER"
            self.ledger.did["letter"] += 1
        elif choice == 5:
            text = dice.choice(
                ("STATUS", "HISTORY", "RULES", "WHY DEADLINE", "RESULTS", f"GET ZINE 1 OF {CAMPAIGN}")
            )
            self.ledger.did["question"] += 1
        elif choice == 6:
            text = dice.choice(("EXTEND 24h", "VOTE NONE", "HELP", "STANDINGS"))
            self.ledger.did["extension, vote, help"] += 1
        else:
            text = "PRESS TO GM: Thank you for running this."
            self.ledger.did["press to GM"] += 1
        self.reply(person, slug, text, style=dice.randrange(len(STYLES)))

    def fates(self, start: datetime, end: datetime) -> None:
        """Absences, resignations, dead and full mailboxes, editorials: what happens beside the turns."""
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
        for week in range(1, days // 7):
            self.at(start + timedelta(days=7 * week), self._week_ends)
        for week in range(0, days // 7, 3):
            gm = self.gms[GMS[week % len(GMS)]]
            self.at(start + timedelta(days=7 * week + 3), lambda g=gm, w=week: self._editorial(g, w))

    def _stands_by(self, first: Plan) -> None:
        """Two people with few games put themselves on the list of one more."""
        plan = self.latest(first)
        slug = plan.slug
        for person in [p for p in self._by_seats() if slug not in p.newest][:2]:
            self.ledger.did["standby"] += 1
            if plan.anonymous:
                self.watch.hidden_names[slug].add(person.name)
            self.write(person, DESK, f"JOIN {slug} AS {person.name}")

    def latest(self, plan: Plan) -> Plan:
        """The game that is played in the place of one that has ended."""
        base = plan.slug.partition("-")[0]
        return [p for slug, p in self.plans.items() if slug.partition("-")[0] == base][-1]

    def _week_ends(self) -> None:
        self.week_over = True

    def _by_seats(self) -> list[Person]:
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

    def _follow_up(self) -> None:
        """Where a game has ended, its GM opens another one with the same house rules."""
        with self.server.office.store.read() as session:
            over = session.scalars(select(Game.slug).where(Game.status == "finished").order_by(Game.id)).all()
        for slug in over:
            plan = self.plans[slug]
            if self.latest(plan) is plan:
                base, _, number = slug.partition("-")
                again = replace(plan, slug=f"{base}-{int(number or 1) + 1}")
                self.plans[again.slug] = again
                self.ledger.did["game opened in place of one that ended"] += 1
                self.open_game(again, self.gms[GMS[len(self.plans) % len(GMS)]])

    def _leave(self, person: Person, first: datetime) -> None:
        mail = person.newest.get("desk") or next(iter(person.newest.values()), None)
        if mail is None or person.is_away(self.server.now):
            return
        last = first + timedelta(days=person.dice.randint(3, 12))
        announced = person.dice.random() < 0.7
        person.away.append((first, last))
        if announced and "ABSENT" in BY_NAME:
            self.ledger.did["absence announced"] += 1
            text = f"ABSENT {first:%-d %b %Y} TO {last:%-d %b %Y}"
            self.write(person, mail.reply_to, text, answers=mail)
        else:
            self.ledger.did["absence unannounced"] += 1

    def _is_back(self, person: Person) -> None:
        """His mailbox works again: he writes a mail to the newest address that he has."""
        mail = next(iter(person.newest.values()), None)
        if mail is not None:
            self.ledger.did["mailbox back"] += 1
            self.write(person, mail.reply_to, "STATUS", answers=mail)

    def _resign(self, person: Person) -> None:
        slug = next((s for s in person.newest if s in self.plans), "")
        if slug and not person.is_away(self.server.now):
            self.ledger.did["resignation"] += 1
            self.reply(person, slug, f"RESIGN {slug}")

    def _editorial(self, gm: Person, week: int) -> None:
        if "desk" in gm.newest:
            self.ledger.did["editorial"] += 1
            self.reply(
                gm, "desk", f"CAMPAIGN {CAMPAIGN}\nEDITORIAL: Week {week}. The editors wish you good hunting."
            )
