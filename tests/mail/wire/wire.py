"""What the tests of the wire share: mails, a clock that stands still, a listener in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from sqlalchemy import select

from gm.mail.listener import Listener
from gm.mail.spool import Spool
from gm.settings import Limits
from gm.store.db import Store
from gm.store.mailtables import Inbound

NOW = datetime(2026, 12, 4, 20, 0, tzinfo=UTC)


def mail(body: str = "A Vie - Gal\n", *, message_id: str | None = "<1@player.test>", **fields: str) -> bytes:
    """A small mail with CRLF line ends."""
    headers = {"From": "ann@player.test", "To": "play@play.test", "Subject": "orders", **fields}
    if message_id is not None:
        headers["Message-ID"] = message_id
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", *body.split("\n")]).encode()


def inbox(store: Store) -> list[Inbound]:
    """All stored mails in the order of their ids."""
    with store.read() as session:
        return list(session.scalars(select(Inbound).order_by(Inbound.id)))


class Doors:
    """A running listener and its ports."""

    def __init__(self, smtp: int, lmtp: int, listener: Listener, loop: asyncio.AbstractEventLoop) -> None:
        self.smtp, self.lmtp, self.listener, self.loop = smtp, lmtp, listener, loop


@contextmanager
def listening(
    store: Store,
    *,
    known: Callable[[str], bool] = lambda address: address.endswith("@play.test"),
    limits: Limits | None = None,
    clock: Callable[[], datetime] = lambda: NOW,
    smtp_port: int = 0,
) -> Iterator[Doors]:
    """Run a listener for SMTP and LMTP on free ports in a thread."""
    started: list[Doors] = []
    ready, stop = threading.Event(), asyncio.Event()
    failures: list[BaseException] = []

    async def serve() -> None:
        spool = Spool(store, clock)
        listener = Listener(spool, known, limits or Limits(), "play.test")
        ports = [
            await listener.listen("smtp", "127.0.0.1", smtp_port),
            await listener.listen("lmtp", "127.0.0.1", 0),
        ]
        started.append(Doors(*ports, listener, asyncio.get_running_loop()))
        ready.set()
        await stop.wait()
        await listener.close()
        await asyncio.to_thread(spool.close)

    def run() -> None:
        try:
            asyncio.run(serve())
        except BaseException as wrong:
            failures.append(wrong)
        finally:
            ready.set()

    thread = threading.Thread(target=run)
    thread.start()
    ready.wait()
    if failures:
        raise failures[0]
    try:
        yield started[0]
    finally:
        started[0].loop.call_soon_threadsafe(stop.set)
        thread.join()
    assert failures == []
