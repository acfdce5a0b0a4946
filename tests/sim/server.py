"""A whole server under a clock set by hand: real SMTP in, the real desk, clock and sender, a relay in memory."""

from __future__ import annotations

import asyncio
import contextlib
import smtplib
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import func, select

from gm.app.known import known_recipient
from gm.app.work import look_at_clock, read_mail
from gm.mail.listener import Listener
from gm.mail.sender import Sender
from gm.mail.spool import Spool
from gm.mail.transport import Parcel, Verdict
from gm.mail.vault import Vault
from gm.settings import Limits
from gm.store.db import open_store
from gm.store.mailtables import Inbound, Outbound
from gm.store.tables import Campaign, PhaseRow
from gm.turns.heartbeat import heartbeat
from gm.turns.office import Office

DOMAIN = "play.example"
DESK = f"gm@{DOMAIN}"
BEAT = timedelta(minutes=14)
"""The longest time without a look at the clock: less than what the server takes for an outage."""
REMINDER, WAIT = timedelta(hours=24), timedelta(days=3)
"""House rules of the games of the year: reminders go out so long before a deadline; one game waits so long after it."""
LOOK = timedelta(hours=6)
"""The longest time without a look for work, where no deadline, no issue and no mail is due."""
RETRY = timedelta(hours=6)
"""How often the sender looks at mails that wait for another try."""


@dataclass
class Relay:
    """A relay in memory: what was handed over, and whose mailbox takes nothing for now."""

    deliver: Callable[[Parcel], None]
    full: set[str] = field(default_factory=set)
    """Addresses to which the relay says 452 for now."""
    count: int = 0

    def send(self, parcel: Parcel) -> Verdict:
        if parcel.recipient in self.full:
            return Verdict("later", "452 4.2.2 mailbox full")
        self.count += 1
        self.deliver(parcel)
        return Verdict("sent", "250 2.0.0 Ok")

    def close(self) -> None:
        """Nothing is held open."""


@dataclass
class Server:
    """One server: its time goes on only by `step`."""

    office: Office
    port: int
    relay: Relay
    sender: Sender
    clock: list[datetime]
    looks: int = 0
    sent_in: int = 0
    beats: int = 0
    _drained: datetime | None = None
    _last_row: int = 0

    @property
    def now(self) -> datetime:
        return self.clock[0]

    def mail(self, raw: bytes, envelope_from: str, to: str) -> None:
        """Hand a mail to the listener by SMTP, on a connection of its own."""
        with smtplib.SMTP("127.0.0.1", self.port, timeout=30) as smtp:
            smtp.sendmail(envelope_from, [to], raw)
        self.sent_in += 1

    def go_on(self, event: datetime | None, end: datetime) -> None:
        """Go to the next event, deadline or look at the clock, whatever comes first, with heartbeats on the way."""
        stop = self._next_stop(event, end)
        while stop - self.now > BEAT:
            self.clock[0] += BEAT
            with self.office.store.write() as session:
                assert heartbeat(session, self.now) is None
            self.beats += 1
        self.clock[0] = stop

    def _next_stop(self, event: datetime | None, end: datetime) -> datetime:
        with self.office.store.read() as session:
            rows = session.execute(
                select(PhaseRow.due_at, PhaseRow.early_at, PhaseRow.grace_until).where(
                    PhaseRow.status == "open"
                )
            ).all()
            issue = session.scalar(select(func.min(Campaign.issue_due_at)))
        due = [row.due_at for row in rows if row.due_at is not None]
        times = [t for row in rows for t in row if t is not None]
        times += [t + after for t in due for after in (-REMINDER, WAIT)]
        times += [t for t in (event, issue) if t is not None]
        return min([t for t in times if t > self.now] + [end, self.now + LOOK])

    def work(self) -> None:
        """What the threads of the server do when woken: read mail, look at the clock, send."""
        while read_mail(self.office):
            pass
        look_at_clock(self.office)
        self.looks += 1
        with self.office.store.read() as session:
            newest = session.scalar(select(func.max(Outbound.id))) or 0
        if newest != self._last_row or self._drained is None or self.now - self._drained >= RETRY:
            self._last_row, self._drained = newest, self.now
            self.sender.drain()

    def waiting(self) -> bool:
        """Whether mail lies there that is not worked through."""
        with self.office.store.read() as session:
            return session.scalar(select(Inbound.id).where(Inbound.status == "new").limit(1)) is not None


@contextmanager
def running(
    folder: Path, start: datetime, deliver: Callable[[Parcel], None], *, creators: tuple[str, ...]
) -> Iterator[Server]:
    """A server with an empty SQLite store in a folder, its listener on a free port in a thread of its own."""
    store = open_store(f"sqlite:///{folder}/gm.db")
    store.migrate()
    clock = [start]
    office = Office(
        store=store,
        now=lambda: clock[0],
        vault=Vault(b"y" * 32),
        domain=DOMAIN,
        server_name="The Year's Courier",
        pictures=False,
        creators=creators,
        our_domains=frozenset({DOMAIN}),
    )
    loop = asyncio.new_event_loop()
    spool = Spool(store, office.now)
    listener = Listener(spool, known_recipient(office), Limits(), DOMAIN)
    thread = threading.Thread(target=loop.run_forever, name="listener")
    thread.start()
    try:
        port = asyncio.run_coroutine_threadsafe(listener.listen("smtp", "127.0.0.1", 0), loop).result(30)
        relay = Relay(deliver)
        sender = Sender(store, relay, office.now, domain=DOMAIN, chance=lambda: 0.5)
        yield Server(office, port, relay, sender, clock)
    finally:
        with contextlib.suppress(Exception):
            asyncio.run_coroutine_threadsafe(listener.close(), loop).result(30)
        spool.close()
        loop.call_soon_threadsafe(loop.stop)
        thread.join(30)
        loop.close()
        store.close()
