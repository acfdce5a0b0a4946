"""What GMs do: found the campaign, open games, and of their own will moderate press, roll back, edit the zine."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import select

from gm.games import ruleset
from gm.store.tables import Game
from tests.sim.fates import Fates
from tests.sim.loop import CAMPAIGN
from tests.sim.people import GMS, Mail, Person
from tests.sim.plan import Plan
from tests.sim.server import DESK
from tests.sim.watch import MARKER
from tests.sim.words import ANSWERS, EDITORIALS, ERRATUM


class Masters(Fates):
    """Four GMs."""

    def found(self) -> None:
        """The campaign, its GMs, its games and their players, all by mail."""
        chief = self.gms[GMS[0]]
        self.write(chief, DESK, f"CREATE CAMPAIGN {CAMPAIGN} TITLE The Danube Courier")
        self.settle()
        lines = [f"CAMPAIGN {CAMPAIGN}", "SET zine = every Friday 21:00 Europe/London", "SET press = all"]
        lines += ["SET standby = auto", *(f"ADD GM {email} AS {self.gms[email].name}" for email in GMS[1:])]
        self.reply(chief, "desk", "\n".join(lines))
        self.settle()
        for n, plan in enumerate(self.plans.values()):
            self.open_game(plan, self.gms[GMS[n % len(GMS)]])
        for email in list(self.people)[:4]:
            self.write(self.people[email], DESK, f"SUBSCRIBE {CAMPAIGN}")
            self.settle()

    def open_game(self, plan: Plan, gm: Person) -> None:
        """A GM opens a game; people with fewest games join it."""
        self.host[plan.slug] = gm
        lines = [
            f"CAMPAIGN {CAMPAIGN}",
            f"CREATE {plan.ruleset} AS {plan.slug} TITLE The {plan.slug.title()} Game",
        ]
        lines += [f"SET {rule}" for rule in (*plan.rules, f"calendar = {plan.calendar}")]
        self.write(gm, DESK if "desk" not in gm.newest else gm.newest["desk"].reply_to, "\n".join(lines))
        self.settle()
        powers = ruleset(plan.ruleset).meta.powers
        fewest = self.by_seats()
        joining = fewest[: len(powers)]
        if plan.anonymous:
            self.watch.hidden_names[plan.slug] = {p.name for p in joining}
            self.watch.powers[plan.slug] = "|".join(p.name for p in powers)
        for person in joining:
            lines = [f"JOIN {plan.slug} AS {person.name}", f"ZONE {person.zone}"]
            lines += ["SPRACHE Deutsch"] if person.language == "de" else []
            self.write(person, DESK, "\n".join(lines))
            self.settle()
        for person in fewest[len(powers) : len(powers) + 3]:
            self.write(person, DESK, f"JOIN {plan.slug} AS {person.name}")
            self.settle()
            if plan.anonymous:
                self.watch.hidden_names[plan.slug].add(person.name)

    host: dict[str, Person]
    """Game to the GM who looks after it."""

    def follow_up(self) -> None:
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

    # --- of their own will -----------------------------------------------------------------------------------------

    def acts(self, start: datetime, end: datetime) -> None:
        """Plan what GMs do without need: editorials, errata, answers to letters, rollbacks."""
        days = (end - start).days
        for week in range(1, days // 7):
            self.at(start + timedelta(days=7 * week), self._week_ends)
        for week in range(0, days // 7, 3):
            gm = self.gms[GMS[week % len(GMS)]]
            self.at(start + timedelta(days=7 * week + 3), lambda g=gm, w=week: self._editorial(g, w))
        for week in range(1, max(2, days // 7)):
            gm = self.gms[GMS[week % len(GMS)]]
            self.at(start + timedelta(days=7 * week + 2), lambda g=gm: self._edits(g))
        for n, day in enumerate(range(min(25, days - 4), days, 30)):
            plan = list(self.plans.values())[(5 * n + len(self.plans) - 1) % len(self.plans)]
            self.at(start + timedelta(days=day), lambda p=plan: self._roll_back(p))

    def _week_ends(self) -> None:
        self.week_over = True

    def _editorial(self, gm: Person, week: int) -> None:
        if "desk" in gm.newest:
            self.ledger.did["editorial"] += 1
            text = EDITORIALS[self.ledger.did["editorial"] % len(EDITORIALS)].format(week=week)
            self.reply(gm, "desk", f"CAMPAIGN {CAMPAIGN}\nEDITORIAL\n{text}\nENDEDITORIAL")

    def _edits(self, gm: Person) -> None:
        """He puts a game's report right, and looks at the letters, of which he answers one when the list is there."""
        told = sorted(slug for slug in gm.results if slug not in self.over)
        if "desk" not in gm.newest or not told:
            return
        slug = told[len(self.ledger.errata) % len(told)]
        marker = f"erratum-{len(self.ledger.errata) + 1:04}"
        self.ledger.errata[marker] = slug
        self.ledger.did["erratum"] += 1
        text = ERRATUM.format(mark=marker)
        self.reply(gm, "desk", f"CAMPAIGN {CAMPAIGN}\nERRATUM {slug}: {text}\nLETTERS")
        self.reads_letters.add(gm.email)

    def _answer_questions(self, person: Person, mail: Mail) -> None:
        super()._answer_questions(person, mail)
        waits = re.search(r"^(\d+)\. LETTER, (.+)$", mail.text, re.MULTILINE)
        if person.email in self.reads_letters and mail.slug == "desk" and waits:
            self.reads_letters.discard(person.email)
            marker = f"answer-{len(self.ledger.answers) + 1:04}"
            self.ledger.answers[marker] = waits[2]
            self.ledger.did["letter answered"] += 1
            words = ANSWERS[len(self.ledger.answers) % len(ANSWERS)].format(mark=marker)
            text = f"CAMPAIGN {CAMPAIGN}\nANSWER LETTER {waits[1]}\n{words}\nENDANSWER"
            self.at(self.server.now + timedelta(hours=2), lambda: self.answer(person, mail, text))

    reads_letters: set[str]

    def moderate(self, gm: Person, mail: Mail) -> None:
        """The GM who looks after the game lets press go, or now and then does not."""
        found, number = MARKER.search(mail.text), re.search(r"no\. (\d+)", mail.subject)
        if found is None or number is None or self.host.get(mail.slug) is not gm:
            return
        later = self.server.now + timedelta(hours=gm.dice.randint(1, 12))
        word = "REFUSE" if gm.dice.random() < 0.15 else "RELEASE"
        self.at(later, lambda: self._lets_go(gm, mail, word, number[1], found[0]))

    def _lets_go(self, gm: Person, mail: Mail, word: str, number: str, marker: str) -> None:
        slug, power = self.held.pop(marker)
        released = word == "RELEASE"
        self.ledger.acts["press released" if released else "press refused"] += 1
        if released:
            self.may_read(marker, slug, power)
        self.answer(gm, mail, f"{word} {number}" + ("" if released else " BECAUSE it is unkind"))

    def _roll_back(self, first: Plan) -> None:
        """A GM undoes the last phase of a game, of which the newest report in his mailbox tells."""
        slug = self.latest(first).slug
        gm = self.host[slug]
        mail = gm.results.get(slug)
        if mail is None or slug in self.over:
            return
        self.ledger.acts["roll back"] += 1
        self.answer(gm, mail, f"ROLLBACK TO {mail.told} BECAUSE of a misread order")
