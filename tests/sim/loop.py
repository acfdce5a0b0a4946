"""The year's loop: events in a queue, simulated time, mails written and delivered."""

from __future__ import annotations

import heapq
import random
import time as wall
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from gm.mail.transport import Parcel
from tests.sim.ledger import Ledger
from tests.sim.letters import STYLES, addressed, plain
from tests.sim.people import GMS, Mail, Person, people
from tests.sim.plan import Plan
from tests.sim.server import Server
from tests.sim.watch import Watch

CAMPAIGN = "danube"
BEAT = timedelta(minutes=10)


class Loop:
    """People with their mailboxes, the queue of what they will do, and time."""

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
        self.week_over = False
        self.over: set[str] = set()
        self.inbox: list[Parcel] = []
        self.errors: list[str] = []
        self.wall = self.processor = 0.0
        self.kinds: Counter[str] = Counter()

    def at(self, when: datetime, act: Callable[[], None]) -> None:
        """Do something at an instant, or at once if it is past; within ten minutes, so that mails come in bunches."""
        self.count += 1
        step = BEAT.total_seconds()
        rounded = datetime.fromtimestamp(-(-when.timestamp() // step) * step, when.tzinfo)
        heapq.heappush(self.events, (max(rounded, self.server.now), self.count, act))

    def run(self, end: datetime, *, most: float = 0.0) -> None:
        """Let simulated time pass until `end`, or until `most` seconds of real time are over."""
        begun, worked = wall.monotonic(), wall.process_time()
        while self.server.now < end:
            self.server.go_on(self.events[0][0] if self.events else None, end)
            self.settle()
            if self.week_over:
                self.week_over = False
                self.follow_up()
            if most and wall.monotonic() - begun > most:
                break
        self.wall += wall.monotonic() - begun
        self.processor += wall.process_time() - worked

    def settle(self) -> None:
        """Do everything that is due at this instant, and what follows from it at once."""
        while True:
            while self.events and self.events[0][0] <= self.server.now:
                heapq.heappop(self.events)[2]()
            self.before_work()
            self.server.work()
            self.after_work()
            arrived, self.inbox = self.inbox, []
            for parcel in arrived:
                self.arrive(parcel)
            if not self.server.waiting() and not (self.events and self.events[0][0] <= self.server.now):
                return

    def deliver(self, parcel: Parcel) -> None:
        """The relay's end: a mail on its way to a mailbox."""
        self.inbox.append(parcel)

    # --- what the parts of the script do -------------------------------------------------------------------------

    def arrive(self, parcel: Parcel) -> None:
        """A mail lies in a mailbox."""
        raise NotImplementedError

    def before_work(self) -> None:
        """The server is about to work."""

    def after_work(self) -> None:
        """The server has worked, and what it sent is not delivered yet."""

    def follow_up(self) -> None:
        """A week is over."""

    # --- writing ---------------------------------------------------------------------------------------------

    def identity(self, person: Person, kind: str = "m") -> str:
        """The Message-ID of the next mail that he writes."""
        person.written += 1
        return f"<{kind}{person.written}.{person.email.replace('@', '.at.')}@mailer.example>"

    def write(
        self, person: Person, to: str, text: str, *, answers: Mail | None = None, style: int | None = None,
        twice: bool = False, deserves: bool = True,
    ) -> None:  # fmt: skip
        """Send one mail by SMTP; `twice`: the same mail again, as a mailer that heard no 250 does."""
        identity = self.identity(person)
        write = plain if style is None else STYLES[style]
        mail = write(text, answers.message if answers else None)
        subject = f"Re: {answers.subject}" if answers else "hello"
        raw = addressed(
            mail, sender=f'"{person.name}" <{person.email}>', to=to, subject=subject, identity=identity,
            answers=str(answers.message["Message-ID"]) if answers else "",
        )  # fmt: skip
        self.ledger.deserves[identity] = deserves
        self.kinds[write.__name__] += 1
        for _ in range(2 if twice else 1):
            self.server.mail(raw, person.email, to)

    def answer(
        self, person: Person, mail: Mail, text: str, *, style: int | None = None, twice: bool = False
    ) -> None:
        """Answer a mail."""
        self.write(person, mail.reply_to, text, answers=mail, style=style, twice=twice)

    def reply(self, person: Person, slug: str, text: str, *, style: int | None = None) -> bool:
        """Answer the newest mail of a game. Returns False if there is none to answer."""
        mail = person.newest.get(slug)
        if mail is not None:
            self.answer(person, mail, text, style=style)
        return mail is not None

    def named(self, name: str) -> Person:
        """The player of a name."""
        return next(p for p in self.people.values() if p.name == name)
