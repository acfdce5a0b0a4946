"""Everything in one process: listeners, IMAP, desk and clock, sender, pages."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime

from gm.app.known import known_recipient
from gm.app.ports import bound, opening
from gm.app.work import work_until
from gm.log import logger
from gm.mail.listener import Listener
from gm.mail.sender import Sender
from gm.mail.spool import Spool
from gm.mail.transport import Maildir, Transport
from gm.mail.vault import open_vault
from gm.reports.issuecheck import check_issue_templates
from gm.reports.render import check_templates
from gm.settings import Settings
from gm.store.db import Store, open_store
from gm.turns.office import Office

log = logger("service")

TICK_SECONDS = 5
"""How often the scheduler wakes the work that asks the database what is due."""


def utc_now() -> datetime:
    """The wall clock."""
    return datetime.now(UTC)


def open_office(settings: Settings, *, now: Callable[[], datetime] = utc_now) -> Office:
    """Open the store, bring it up to date, check the templates, and put the collaborators together.

    Raises:
        gm.store.engines.StoreError, gm.mail.vault.VaultError, gm.reports.render.TemplateFault: with file and fix.
    """
    store = open_store(settings.database_url())
    store.migrate()
    templates = settings.templates if settings.templates and settings.templates.is_dir() else None
    check_templates(templates)
    if templates is not None:  # our own are tried by our tests
        check_issue_templates(templates)
    return Office(
        store=store,
        now=now,
        vault=open_vault(settings.data_dir, settings.secret.get_secret_value()),
        domain=settings.domain,
        server_name=settings.server_name,
        templates=templates,
        creators=settings.creators,
        our_domains=frozenset({settings.domain}),
        web_url=settings.web.url,
        authserv_id=settings.authserv_id,
        proof=settings.sender_proof,
    )


def transport_for(settings: Settings) -> Transport:
    """The relay of the settings, or a Maildir if there is none."""
    if not settings.relay.host:
        return Maildir(settings.mail_folder())
    from gm.mail.relay import SmtpRelay  # loads ssl and smtplib

    return SmtpRelay(settings.relay, settings.domain)


@dataclass(frozen=True)
class Workers:
    """The threads beside the event loop, and how to wake them."""

    stop: threading.Event = field(default_factory=threading.Event)
    wake_work: threading.Event = field(default_factory=threading.Event)
    wake_sender: threading.Event = field(default_factory=threading.Event)


@contextmanager
def workers(office: Office, settings: Settings, running: Workers) -> Iterator[None]:
    """Run desk, clock, sender and IMAP threads inside the block; ended and joined at its end."""
    stop, wake_work, wake_sender = running.stop, running.wake_work, running.wake_sender
    sender = Sender(
        office.store,
        transport_for(settings),
        office.now,
        domain=settings.domain,
        mails_per_game_hour=settings.limits.mails_per_game_hour,
    )

    def work() -> None:
        work_until(office, stop, wake_work, done=wake_sender.set)

    threads = [
        threading.Thread(target=work, name="work"),
        threading.Thread(target=sender.run, args=(stop, wake_sender), name="sender"),
    ]
    if settings.imap.host:
        from gm.mail.imap import ImapPoller  # loads imapclient

        poller = ImapPoller(
            office.store,
            settings.imap,
            office.now,
            known=known_recipient(office),
            fallback=office.desk_address,
            message_bytes=settings.limits.message_bytes,
            stored=wake_work.set,
        )
        threads.append(threading.Thread(target=poller.run, args=(stop,), name="imap"))
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        wake_work.set()
        wake_sender.set()
        for thread in threads:
            thread.join(timeout=30)


async def serve(office: Office, settings: Settings, *, ready: Callable[[dict[str, int]], None]) -> None:
    """Run the server until SIGTERM or SIGINT. `ready` is told the ports once everything is open.

    Raises:
        gm.app.ports.PortError: a port can't be opened. Nothing was done.
    """
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        # Outside the main thread, as in the demo, there are no signals: the caller stops us.
        with contextlib.suppress(NotImplementedError, RuntimeError):
            loop.add_signal_handler(number, stopping.set)
    running = Workers()
    spool = Spool(office.store, office.now, stored=running.wake_work.set)
    listener = Listener(spool, known_recipient(office), settings.limits, settings.domain)
    try:
        # Every port is open before any work is done: a second server that was started by mistake does nothing.
        ports = await _open(listener, settings)
        async with web(office, settings, ports):
            with workers(office, settings, running), scheduler(running.wake_work):
                if not stopping.is_set():
                    log.info("ready", **ports)
                    ready(ports)
                await stopping.wait()
                await listener.close()
    finally:
        await listener.close()
        spool.close()
        office.store.close()


async def _open(listener: Listener, settings: Settings) -> dict[str, int]:
    """Open the ports for mail. Returns them by their sections; raises PortError."""
    ports: dict[str, int] = {}
    smtp, lmtp = settings.smtp, settings.lmtp
    if smtp.port or not lmtp.port:
        with opening("smtp", smtp.host, smtp.port):
            ports["smtp"] = await listener.listen("smtp", smtp.host, smtp.port)
    if lmtp.port:
        with opening("lmtp", lmtp.host, lmtp.port):
            ports["lmtp"] = await listener.listen("lmtp", lmtp.host, lmtp.port)
    return ports


@contextmanager
def scheduler(wake: threading.Event) -> Iterator[None]:
    """APScheduler as a ticker: it wakes the work, which asks the database. It holds no deadline itself."""
    from apscheduler.schedulers.background import BackgroundScheduler

    ticker = BackgroundScheduler(timezone=UTC)
    ticker.add_job(
        wake.set, "interval", seconds=TICK_SECONDS, coalesce=True, max_instances=1, misfire_grace_time=None
    )
    ticker.start()
    try:
        yield
    finally:
        ticker.shutdown(wait=False)


@contextlib.asynccontextmanager
async def web(office: Office, settings: Settings, ports: dict[str, int]) -> AsyncIterator[None]:
    """The pages, on the same loop; nothing if the settings turn them off. Raises PortError."""
    if not settings.web.port:
        yield
        return
    with opening("web", settings.web.host, settings.web.port):
        sockets = bound(settings.web.host, settings.web.port)
    import uvicorn

    from gm.web.app import create_app

    server = uvicorn.Server(
        uvicorn.Config(
            create_app(office.store, office.now, server_name=office.server_name, templates=office.templates),
            log_config=None,
            lifespan="off",
            access_log=False,
        )
    )
    # Not serve(): that takes the signals, and ours stop everything.
    task = asyncio.create_task(server._serve(sockets))
    while not server.started and not task.done():
        await asyncio.sleep(0.01)
    ports["web"] = settings.web.port
    try:
        yield
    finally:
        server.should_exit = True
        await task


@contextmanager
def store_of(settings: Settings) -> Iterator[Store]:
    """The store alone, for commands that need no more; closed at the end of the block."""
    store = open_store(settings.database_url())
    with contextlib.closing(store):
        store.migrate()
        yield store
