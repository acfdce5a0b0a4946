"""What a mailbox does with a mail, and what its owner answers to questions, offers, deputies; notes and bounces."""

from __future__ import annotations

import re
from datetime import timedelta

from gm.desk.authority import credential_in
from gm.mail.transport import Parcel
from gm.store.tables import PhaseRow
from tests.sim.letters import away_note, bounce
from tests.sim.loop import BEAT, Loop
from tests.sim.people import Mail, Person, read

HELD = 4
"""Phases of a game whose mails a player keeps."""
TAKES_OVER = ("You take over", "Du übernimmst")


class Mailboxes(Loop):
    """Mails arrive."""

    def arrive(self, parcel: Parcel) -> None:
        person = self.everybody.get(parcel.recipient)
        if person is None:
            self.errors.append(f"a mail to {parcel.recipient}, who is nobody")
            return
        mail = read(parcel)
        anonymous = [slug for slug, plan in self.plans.items() if plan.anonymous and slug not in self.over]
        self.watch.look(person, mail, anonymous)
        status = person.bounces(self.server.now)
        if status:
            self.ledger.did[f"bounce {status[0]}"] += 1
            identity = self.identity(person, "dsn")
            raw = bounce(parcel.sender, person.email, parcel.raw, status, identity)
            self.ledger.deserves[identity] = False
            self.at(self.server.now + BEAT, lambda: self.server.mail(raw, "", parcel.sender))
            return
        person.mails += 1
        known = person.newest.get(mail.slug)
        if known is None or known.date <= mail.date:
            person.newest[mail.slug] = mail
        self._keep(person, mail)
        self._answer_questions(person, mail)
        if (
            person.is_away(self.server.now)
            and person.dice.random() < 0.2
            and str(mail.message["Auto-Submitted"]) != "no"
        ):
            self._note_away(person, mail)

    def _keep(self, person: Person, mail: Mail) -> None:
        """File a mail under the phase that its answers bring orders for, as its words say, and make plans."""
        if mail.slug not in self.plans:
            return
        if mail.due is not None and mail.told and mail.due[0] != mail.told:
            person.results[mail.slug] = mail
        if person.email not in self.people:
            return
        phase = mail.due[0] if mail.due is not None else mail.told
        if mail.due is None and ((mail.slug, phase) not in person.held or mail.ends_it):
            return
        if mail.reader == person.name:
            return  # not a seat's: he waits, or looks on
        self._check_reading(person, mail, phase)
        key = (mail.slug, phase)
        person.held.pop(key, None)
        person.held[key] = mail
        for old in [k for k in person.held if k[0] == mail.slug][:-HELD]:
            del person.held[old]
        if mail.due is not None:
            heir = any(words in mail.text for words in TAKES_OVER)
            self.ledger.did["heir"] += heir
            self.plan(mail.slug, phase, person, mail)

    def plan(self, slug: str, title: str, person: Person, mail: Mail) -> None:
        """A mail tells a player of a phase and its deadline."""
        raise NotImplementedError

    def _check_reading(self, person: Person, mail: Mail, phase: str) -> None:
        """Hold what a mail says of its reply address against the server's rows."""
        with self.server.office.store.read() as session:
            credential = credential_in(session, self.server.office, mail.reply_to)
            real = credential.phase_id if credential is not None and credential.kind == "seat" else None
            title = session.get_one(PhaseRow, real).title if real is not None else ""
        self.ledger.phases_read += 1
        if title != phase:
            self.ledger.misread.append(f"{mail.subject} to {person.email}: says {phase!r}, is for {title!r}")

    def _note_away(self, person: Person, mail: Mail) -> None:
        identity = self.identity(person, "ooo")
        self.ledger.deserves[identity] = False
        self.ledger.did["out-of-office note"] += 1
        raw = away_note(person.email, mail.reply_to, identity)
        self.at(self.server.now, lambda: self.server.mail(raw, person.email, mail.reply_to))

    # --- questions -------------------------------------------------------------------------------------------

    def _answer_questions(self, person: Person, mail: Mail) -> None:
        if mail.is_about("confirm"):
            self.at(self.server.now, lambda: self.answer(person, mail, "yes, that was me"))
        elif mail.is_about("seat"):
            self._offered(person, mail)
        elif mail.is_about("deputy"):
            self._asked_to_stand_in(person, mail)
        elif mail.is_about("agreed"):
            self._agreed(person, mail)
        elif mail.is_about("approve"):
            self.moderate(person, mail)

    def moderate(self, gm: Person, mail: Mail) -> None:
        """A GM is asked whether press may go."""
        raise NotImplementedError

    def game_in(self, mail: Mail) -> str:
        """The game that a mail speaks of, by the name that it gives in brackets."""
        return next((slug for slug in re.findall(r"\(([a-z0-9-]+)\)", mail.text) if slug in self.plans), "")

    def _offered(self, person: Person, mail: Mail) -> None:
        slug = self.game_in(mail)
        word = "ACCEPT" if person.dice.random() < 0.75 else "DECLINE"
        self.ledger.did[f"standby: {word.lower()}"] += 1
        later = self.server.now + timedelta(hours=person.dice.randint(1, 30))
        self.at(later, lambda: self.answer(person, mail, f"{word} {slug}"))

    def _asked_to_stand_in(self, person: Person, mail: Mail) -> None:
        slug = self.game_in(mail)
        asked = [d for d in self.ledger.deputies if d.deputy is person and d.slug == slug and not d.confirmed]
        willing = asked and person.dice.random() < 0.85 and not person.is_away(self.server.now)
        self.ledger.did["deputy: yes" if willing else "deputy: no"] += 1
        later = self.server.now + timedelta(hours=person.dice.randint(1, 20))
        text = "Yes, with pleasure." if willing else "NO, I can't."
        self.at(later, lambda: self.answer(person, mail, text))

    def _agreed(self, person: Person, mail: Mail) -> None:
        """His deputy has said yes; he says it too."""

        def confirm() -> None:
            now = self.server.now
            if person.is_away(now):
                return
            for ship in self.ledger.deputies:
                if ship.owner is person and f"{ship.deputy.name} " in mail.subject and now < ship.until:
                    ship.confirmed = True
            self.ledger.did["deputy confirmed"] += 1
            self.answer(person, mail, "yes please")

        self.at(self.server.now + timedelta(hours=person.dice.randint(1, 10)), confirm)
