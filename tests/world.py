"""A small world for tests of desk, turns and clock: a store, a clock that is set by hand, mails in and mails out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import select

from gm.app.work import look_at_clock, read_mail
from gm.mail.spool import Arrival, accept
from gm.mail.vault import Vault
from gm.store.db import Store
from gm.store.mailtables import Inbound, Outbound
from gm.store.tables import Game, PhaseRow, ServerFact
from gm.turns.office import Office
from gm.turns.sheets import open_phase
from tests.databases import Kept, copy, empty, keep

START = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)  # a Tuesday
GM = "gm@club.example"
DOMAIN = "play.example"
DESK = f"gm@{DOMAIN}"


@dataclass(frozen=True)
class Sent:
    """A mail that went out."""

    kind: str
    to: str
    power: str | None
    mail: EmailMessage
    raw: bytes

    @property
    def subject(self) -> str:
        return str(self.mail["Subject"])

    @property
    def reply_to(self) -> str:
        return str(self.mail["Reply-To"])

    @property
    def text(self) -> str:
        body = self.mail.get_body(("plain",))
        assert body is not None
        return str(body.get_content())

    @property
    def flat(self) -> str:
        """The text with all white space made single blanks, to look for sentences that were wrapped."""
        return " ".join(self.text.split())


@dataclass
class World:
    """One server under test."""

    store: Store
    now: datetime = START
    office: Office = field(init=False)
    _seen: int = 0
    _count: Counter[str] = field(default_factory=Counter)
    """Sender to the mails that he wrote: nobody's Message-ID tells how many others wrote."""
    newest: dict[str, Sent] = field(default_factory=dict)
    """Address to the last mail that it got."""

    def __post_init__(self) -> None:
        self.office = Office(
            store=self.store,
            now=lambda: self.now,
            vault=Vault(b"k" * 32),
            domain=DOMAIN,
            server_name="The Courier",
            pictures=False,
            creators=(GM,),
            our_domains=frozenset({DOMAIN}),
        )

    def with_office(self, **fields: object) -> None:
        """Change what the server was set up with."""
        self.office = replace(self.office, **fields)

    def write(
        self,
        sender: str,
        to: str,
        text: str,
        *,
        headers: str = "",
        message_id: str | None = None,
        envelope: str | None = None,
    ) -> list[Sent]:
        """Deliver a mail, have it read, and return what went out because of it."""
        self._count[sender] += 1
        identity = message_id or f"<m{self._count[sender]}.{sender}>"
        raw = (
            f"From: {sender}\r\nTo: {to}\r\nSubject: orders\r\nMessage-ID: {identity}\r\n"
            f"Date: Tue, 01 Dec 2026 12:00:00 +0000\r\n{headers}"
            f"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n{text}\r\n"
        ).encode()
        self.deliver(raw, sender if envelope is None else envelope, to)
        read_mail(self.office)
        return self.outgoing()

    def deliver(self, raw: bytes, envelope_from: str, to: str) -> int:
        """Have a mail accepted without reading it. Returns its id."""
        arrival = Arrival(
            raw=raw, envelope_from=envelope_from, recipients=(to,), peer="192.0.2.1", via="smtp"
        )
        return accept(self.store, [arrival], lambda: self.now)[0].ids[0]

    def reply(self, who: str, text: str) -> list[Sent]:
        """Answer the newest mail that an address got."""
        return self.write(who, self.newest[who].reply_to, text)

    def outgoing(self) -> list[Sent]:
        """Mails queued since the last call."""
        found = []
        with self.store.read() as session:
            rows = session.scalars(
                select(Outbound).where(Outbound.id > self._seen).order_by(Outbound.id)
            ).all()
        for row in rows:
            self._seen = row.id
            mail = BytesParser(_class=EmailMessage, policy=policy.default).parsebytes(row.raw)
            sent = Sent(row.kind, row.recipient, row.power, mail, row.raw)
            self.newest[row.recipient] = sent
            found.append(sent)
        return found

    def tick(self, **ahead: float) -> list[Sent]:
        """Let time pass; returns the mails. The clock is looked at every hour and right after every deadline, and in
        between the heartbeat goes on, as it does in a server that finds nothing to do."""
        end = self.now + timedelta(**ahead)
        while self.now < end:
            self.skip(
                seconds=min(timedelta(hours=1), end - self.now, self._until_next_deadline()).total_seconds()
            )
            look_at_clock(self.office)
        if not ahead:
            look_at_clock(self.office)
        return self.outgoing()

    def _until_next_deadline(self) -> timedelta:
        with self.store.read() as session:
            dues = session.scalars(select(PhaseRow.due_at).where(PhaseRow.status == "open")).all()
            ends = session.scalars(select(PhaseRow.grace_until).where(PhaseRow.status == "open")).all()
        coming = [at - self.now for at in (*dues, *ends) if at is not None and at > self.now]
        return min(coming, default=timedelta(hours=1))

    def skip(self, **ahead: float) -> None:
        """Let time pass as if somebody had looked at the clock all the while, and found nothing to do."""
        self.now += timedelta(**ahead)
        with self.store.write() as session:
            beat = {"at": (self.now - timedelta(minutes=1)).isoformat()}
            session.merge(ServerFact(name="heartbeat", value=beat))

    def outcome(self) -> dict[str, object]:
        """What was made of the last mail."""
        with self.store.read() as session:
            return dict(
                session.scalars(select(Inbound.outcome).order_by(Inbound.id.desc()).limit(1)).one() or {}
            )

    def game(self, slug: str = "spring99") -> Game:
        with self.store.read() as session:
            return session.scalars(select(Game).where(Game.slug == slug)).one()

    def phase(self, slug: str = "spring99") -> PhaseRow | None:
        with self.store.read() as session:
            return open_phase(session, session.scalars(select(Game).where(Game.slug == slug)).one())

    # --- whole steps of a game ---------------------------------------------------------------------------

    def create(self, slug: str = "spring99", ruleset: str = "diplomacy") -> None:
        """The GM opens a game by mail."""
        self.write(GM, DESK, f"CREATE {ruleset} AS {slug} TITLE Spring of 99")
        self.reply(GM, "yes")

    def join(self, sender: str, line: str) -> list[Sent]:
        """Somebody joins by mail and confirms."""
        self.write(sender, DESK, line)
        return self.reply(sender, "yes, me")

    def start_diplomacy(self, *settings: str, slug: str = "spring99") -> dict[str, str]:
        """A running game of seven; power to the address of its player."""
        self.create(slug)
        if settings:
            self.reply(GM, "\n".join(f"SET {line}" for line in settings))
        for n in range(7):
            mails = self.join(f"p{n}@club.example", f"JOIN {slug} AS Player {n}")
        seats = {m.power: m.to for m in mails if m.kind == "report" and m.power}
        assert len(seats) == 7
        for mail in mails:
            if mail.kind == "report":
                self.newest[mail.to] = mail
        return seats


# --- a started game, made once and copied --------------------------------------------------------------------


@dataclass(frozen=True)
class Started:
    """A game of seven in its first phase, as a file to copy."""

    store: Kept
    folder: TemporaryDirectory[str]
    seats: dict[str, str]
    newest: dict[str, Sent]
    count: Counter[str]
    seen: int


@cache
def started(*settings: str) -> Started:
    """A started game with these house rules, played up to there once in this process."""
    folder = TemporaryDirectory()
    world = World(empty(Path(folder.name)))
    seats = world.start_diplomacy(*settings)
    return Started(keep(world.store), folder, seats, dict(world.newest), world._count, world._seen)


def copy_of(game: Started, folder: Path, name: str = "copy") -> World:
    """A world of its own that begins where a started game stands. Close its store when done."""
    world = World(copy(game.store, folder, name))
    world.newest = dict(game.newest)
    world._count, world._seen = Counter(game.count), game.seen
    return world
