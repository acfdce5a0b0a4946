"""Taking mail in: committed before anyone hears that it was taken, and taken once however often it is sent.

A mail is told from others by its identity: recipient, Message-ID and body. Headers do not count, as each way here
adds its own. The same mail again changes nothing. The same Message-ID with another body is a new mail, which
points to the one it clashes with. Raw bytes are kept as they came; reading them is done later, by others.
"""

from __future__ import annotations

import asyncio
import hashlib
import queue
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal

from sqlalchemy import Connection, bindparam, func, insert, select, update

from gm.log import logger
from gm.mail.headers import message_id
from gm.store.crash import crash_point
from gm.store.db import METADATA, Store
from gm.store.mailtables import Inbound

Via = Literal["smtp", "lmtp", "imap", "pipe"]

HEADER_BYTES: Final = 64_000
"""How far a Message-ID is looked for."""
BATCH_MAILS: Final = 64
"""Mails of one transaction at most: the writer must not keep a turn waiting."""

_END_OF_HEADERS = re.compile(rb"\r?\n\r?\n")
_FIELD = {
    name: re.compile(
        rb"^" + name.encode() + rb":[ \t]*((?:[^\r\n]|\r?\n[ \t])*)", re.IGNORECASE | re.MULTILINE
    )
    for name in ("message-id", "date", "from", "subject")
}


@dataclass(frozen=True, kw_only=True)
class Arrival:
    """A mail as it came over the wire."""

    raw: bytes
    envelope_from: str
    """Empty for the null sender."""
    recipients: tuple[str, ...]
    """Addresses of ours."""
    peer: str
    via: Via


@dataclass(frozen=True, kw_only=True)
class Accepted:
    """A mail that is safe in the store."""

    ids: tuple[int, ...]
    """`Inbound` ids, one a recipient, in their order (a recipient named twice is one)."""
    fresh: tuple[bool, ...]
    """False: that one was here already."""


@dataclass(frozen=True, kw_only=True)
class _Letter:
    """A mail to one recipient, ready to be stored."""

    identity: str
    sha256: str
    message_id: str | None
    recipient: str
    arrival: Arrival


def accept(store: Store, arrivals: Sequence[Arrival], clock: Callable[[], datetime]) -> list[Accepted]:
    """Store mails in one transaction; when this returns they are committed.

    The clock is read inside the transaction: a turn that ran before it cannot have missed a mail with an earlier
    time. Raises SQLAlchemy's errors, and then nothing is stored.
    """
    letters = [_letters(arrival) for arrival in arrivals]
    crash_point("intake.before-commit")
    with store.write() as session:
        stored = _store(session.connection(), [letter for group in letters for letter in group], clock())
    crash_point("intake.committed")
    accepted = []
    for group in letters:
        found = [stored.pop(0) for _ in group]
        accepted.append(Accepted(ids=tuple(i for i, _ in found), fresh=tuple(new for _, new in found)))
    return accepted


def _letters(arrival: Arrival) -> list[_Letter]:
    clean = replace(
        arrival,
        envelope_from=_storable(arrival.envelope_from),
        recipients=tuple(dict.fromkeys(_storable(r).lower() for r in arrival.recipients)),
        peer=_storable(arrival.peer)[:64],
    )
    end = _END_OF_HEADERS.search(arrival.raw)
    head = arrival.raw[: min(end.start() if end else len(arrival.raw), HEADER_BYTES)]
    body = arrival.raw[end.end() :] if end else arrival.raw
    known = message_id(_field(head, "message-id").decode("ascii", "replace"))
    # Without a Message-ID two mails with the same words are told apart by the sender's clock.
    label = [known.encode()] if known else [_field(head, name) for name in _FIELD]
    content = _digest([b"\n".join(label), body.replace(b"\r\n", b"\n").rstrip(b"\r\n")])
    raw_hash = hashlib.sha256(arrival.raw).hexdigest()
    return [
        _Letter(
            identity=_digest([recipient.encode(), content.encode()]),
            sha256=raw_hash,
            message_id=known,
            recipient=recipient,
            arrival=clean,
        )
        for recipient in clean.recipients
    ]


def _field(head: bytes, name: str) -> bytes:
    """The first field of that name, on one line; empty if there is none."""
    match = _FIELD[name].search(head)
    return b" ".join(match[1].split()) if match else b""


def _digest(parts: list[bytes]) -> str:
    """SHA-256 over parts whose borders count."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def _storable(text: str) -> str:
    """Text that every database takes: no NUL, no half of a surrogate pair (undecodable bytes in an address)."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def _store(connection: Connection, letters: list[_Letter], now: datetime) -> list[tuple[int, bool]]:
    """Insert what is new. Returns the id of each letter and whether it is new.

    Three statements however many letters there are, and no ORM: this is the busiest transaction of the server.
    """
    there = _ids(connection, letters)
    fresh: dict[str, _Letter] = {}
    for letter in letters:
        if letter.identity not in there:
            fresh.setdefault(letter.identity, letter)
    if fresh:
        rows = [_row(letter, now) for letter in fresh.values()]
        connection.execute(_INSERT, rows)
        there |= _ids(connection, list(fresh.values()))
        _mark_clashes(connection, list(fresh.values()), there)
    found = []
    for letter in letters:
        found.append((there[letter.identity], letter is fresh.get(letter.identity)))
    return found


_INBOX: Final = METADATA.tables[Inbound.__tablename__]
_INSERT: Final = insert(_INBOX)
_BY_IDENTITY: Final = select(_INBOX.c.identity, _INBOX.c.id).where(
    _INBOX.c.identity.in_(bindparam("identities", expanding=True))
)
_BY_MESSAGE_ID: Final = (
    select(_INBOX.c.recipient, _INBOX.c.message_id, func.min(_INBOX.c.id))
    .where(_INBOX.c.message_id.in_(bindparam("message_ids", expanding=True)))
    .group_by(_INBOX.c.recipient, _INBOX.c.message_id)
    .having(func.count() > 1)
)


def _ids(connection: Connection, letters: list[_Letter]) -> dict[str, int]:
    identities = [letter.identity for letter in letters]
    return {row.identity: row.id for row in connection.execute(_BY_IDENTITY, {"identities": identities})}


def _mark_clashes(connection: Connection, fresh: list[_Letter], ids: dict[str, int]) -> None:
    """Point new mails to the first one with the same Message-ID to the same recipient."""
    labels = [letter.message_id for letter in fresh if letter.message_id]
    if not labels:
        return
    firsts = {(r, m): first for r, m, first in connection.execute(_BY_MESSAGE_ID, {"message_ids": labels})}
    for letter in fresh:
        first = firsts.get((letter.recipient, letter.message_id))
        if first is not None and first != ids[letter.identity]:
            mine = _INBOX.c.id == ids[letter.identity]
            connection.execute(update(_INBOX).where(mine).values(clash_id=first))


def _row(letter: _Letter, now: datetime) -> dict[str, object]:
    return {
        "identity": letter.identity,
        "raw": letter.arrival.raw,
        "sha256": letter.sha256,
        "message_id": letter.message_id,
        "envelope_from": letter.arrival.envelope_from,
        "recipient": letter.recipient,
        "peer": letter.arrival.peer,
        "via": letter.arrival.via,
        "received_at": now,
        "status": "new",
        "attempts": 0,
    }


@dataclass(frozen=True)
class _Waiting:
    arrival: Arrival
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Accepted]


class Spool:
    """The writer thread between an event loop and the store: mails that arrive while one transaction commits go
    into the next one together, so that a slow disk costs one flush for all of them.
    """

    def __init__(
        self, store: Store, clock: Callable[[], datetime], *, stored: Callable[[], None] = lambda: None
    ) -> None:
        """`stored` is called in the writer thread after each commit that brought something new."""
        self._store, self._clock, self._stored = store, clock, stored
        self._queue: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="spool", daemon=True)
        self._thread.start()

    async def accept(self, arrival: Arrival) -> Accepted:
        """Store a mail; committed when this returns. Raises what `accept` raises."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Accepted] = loop.create_future()
        self._queue.put(_Waiting(arrival, loop, future))
        return await future

    def close(self) -> None:
        """Store what waits, then end the thread."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        open_ = True
        while open_:
            batch: list[_Waiting] = []
            item = self._queue.get()
            while True:
                if item is None:
                    open_ = False
                    break
                batch.append(item)
                if len(batch) == BATCH_MAILS or self._queue.empty():
                    break
                item = self._queue.get()
            if not batch:
                continue
            try:
                self._write(batch)
            except (
                Exception
            ):  # the loop was closed, or `stored` failed: the next mails still need this thread
                logger("intake").exception("spool")

    def _write(self, batch: list[_Waiting]) -> None:
        try:
            accepted = accept(self._store, [waiting.arrival for waiting in batch], self._clock)
        except Exception as wrong:
            if len(batch) > 1:  # one bad mail must not turn the others away
                for waiting in batch:
                    self._write([waiting])
                return
            logger("intake").error("not stored", error=repr(wrong))
            self._tell(batch, [wrong])
            return
        self._tell(batch, accepted)
        if any(any(a.fresh) for a in accepted):
            self._stored()

    def _tell(self, batch: list[_Waiting], results: Sequence[Accepted | Exception]) -> None:
        def resolve() -> None:
            for waiting, result in zip(batch, results, strict=True):
                if waiting.future.done():  # the connection was lost meanwhile
                    continue
                if isinstance(result, Exception):
                    waiting.future.set_exception(result)
                else:
                    waiting.future.set_result(result)

        batch[0].loop.call_soon_threadsafe(resolve)
