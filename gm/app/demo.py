"""`gm demo`: a whole game played by real SMTP, with scripted players who read their mail and answer it."""

from __future__ import annotations

import asyncio
import hashlib
import shutil
import smtplib
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path

from pydantic import SecretStr
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from sqlalchemy import func, select

from gm.app.service import open_office, serve
from gm.games import RULESETS, ruleset
from gm.games.dice import SeededDice
from gm.log import set_up_logging
from gm.reports.zine import write_zine
from gm.settings import Limits, Relay, Settings, Smtp, Web
from gm.store.mailtables import Inbound, Outbound
from gm.store.tables import Game, PhaseRow
from gm.turns.office import Office
from gm.turns.people import current_seats
from gm.turns.sheets import open_phase
from gm.web.archive import public_zine

SLUG = "demo"
GM_ADDRESS = "gamemaster@example.org"
NAMES = ("Ann", "Ben", "Chloe", "Dov", "Emma", "Farid", "Greta", "Hugo", "Ines", "Jan")
PATIENCE_SECONDS = 120
"""How long the demo waits for the server before it gives up."""
MAX_PHASES = 400
"""Phases after which a demo ends, should the scripted players never finish."""


class DemoError(Exception):
    """The demo can't go on; the message says why."""


@dataclass
class Mailbox:
    """The Maildir of outgoing mail, read as its recipients' mail programs would."""

    folder: Path
    seen: set[str] = field(default_factory=set)
    newest: dict[str, EmailMessage] = field(default_factory=dict)
    """Recipient to the newest mail he got that can be replied to with orders."""

    def look(self) -> list[EmailMessage]:
        """Mails that came since the last look, in the order of their arrival."""
        fresh = [f for f in (self.folder / "new").glob("*") if f.name not in self.seen]
        mails = []
        for file in sorted(fresh, key=lambda f: f.stat().st_mtime_ns):
            self.seen.add(file.name)
            mail = BytesParser(_class=EmailMessage, policy=policy.default).parsebytes(file.read_bytes())
            mails.append(mail)
            self.newest[mail["To"].addresses[0].addr_spec] = mail
        return mails


@dataclass(frozen=True)
class Letterbox:
    """How the scripted players send mail: by SMTP to the listener's port."""

    port: int

    def send(self, sender: str, to: str, text: str, *, reply: EmailMessage | None = None) -> None:
        """Send a mail; with `reply`, as an answer that quotes that mail below, as most mail programs do."""
        mail = EmailMessage()
        mail["From"], mail["To"] = sender, to
        mail["Subject"] = f"Re: {reply['Subject']}" if reply is not None else "hello"
        digest = hashlib.sha256(f"{sender}{to}{text}{time.monotonic_ns()}".encode()).hexdigest()
        mail["Message-ID"] = f"<{digest[:32]}@example.org>"
        if reply is not None:
            mail["In-Reply-To"] = reply["Message-ID"]
            body = reply.get_body(("plain",))
            quoted = "\n".join(f"> {line}" for line in (body.get_content() if body else "").splitlines()[:30])
            text = f"{text}\n\nOn that day {reply['From']} wrote:\n{quoted}\n"
        mail.set_content(text + "\n")
        with smtplib.SMTP("127.0.0.1", self.port, timeout=30) as smtp:
            smtp.send_message(mail, sender, [to])


def play(folder: Path, game_id: str, seed: str) -> None:
    """Play the demo into a folder: ``mail-out`` (Maildir), ``zine`` (pages), ``gm.db``. Raises DemoError."""
    if game_id not in RULESETS:
        raise DemoError(f"there is no ruleset {game_id!r}; there are: {', '.join(RULESETS)}")
    if folder.exists() and any(folder.iterdir()) and not (folder / "gm.db").exists():
        raise DemoError(f"{folder} is not empty and not from an earlier demo; give another --folder")
    shutil.rmtree(folder, ignore_errors=True)
    settings = Settings(
        domain="play.example",
        server_name="The Demo Courier",
        data_dir=folder,
        secret=SecretStr("demo " + hashlib.sha256(seed.encode()).hexdigest()),
        creators=(GM_ADDRESS,),
        smtp=Smtp(port=0),
        relay=Relay(folder=Path("mail-out")),
        web=Web(port=0),
        limits=Limits(
            mails_per_game_hour=1_000_000
        ),  # a whole game in minutes is what the breaker is there to stop
    )
    console = Console()
    set_up_logging(level="warning")
    office = open_office(settings)
    with running(office, settings) as port:
        mailbox, letters = Mailbox(settings.mail_folder()), Letterbox(port)
        sign_up(office, mailbox, letters, game_id)
        phases = _play_on(office, mailbox, letters, seed, console)
    _leave_zine(office, folder)
    office.store.close()
    console.print(f"{phases} phases were played. The mails are in {folder / 'mail-out'} (a Maildir),")
    console.print(f"the zine is {folder / 'zine' / 'index.html'}.")


@contextmanager
def running(office: Office, settings: Settings) -> Iterator[int]:
    """The server on a free port in a thread of its own; yields the port."""
    loop = asyncio.new_event_loop()
    started = threading.Event()
    ports: dict[str, int] = {}

    def ready(opened: dict[str, int]) -> None:
        ports.update(opened)
        started.set()

    task_box: list[asyncio.Task[None]] = []

    def run() -> None:
        asyncio.set_event_loop(loop)
        task_box.append(loop.create_task(serve(office, settings, ready=ready)))
        try:
            loop.run_until_complete(task_box[0])
        except asyncio.CancelledError:
            pass
        finally:
            loop.close()

    thread = threading.Thread(target=run, name="server")
    thread.start()
    if not started.wait(PATIENCE_SECONDS):
        raise DemoError("the server does not start")
    try:
        yield ports["smtp"]
    finally:
        loop.call_soon_threadsafe(task_box[0].cancel)
        thread.join(PATIENCE_SECONDS)


def sign_up(office: Office, mailbox: Mailbox, letters: Letterbox, game_id: str) -> None:
    """The GM creates the game by mail and every player joins it by mail, each confirming by a reply."""
    desk = office.desk_address
    _ask_and_confirm(
        office, mailbox, letters, GM_ADDRESS, desk, f"CREATE {game_id} AS {SLUG} TITLE The Demo Game"
    )
    gm_mail = mailbox.newest[GM_ADDRESS]
    letters.send(GM_ADDRESS, gm_mail["Reply-To"], "SET calendar = every 7 days 20:00 UTC", reply=gm_mail)
    _settled(office, mailbox)
    powers = ruleset(game_id).meta.powers
    for n, power in enumerate(powers):
        name = NAMES[n % len(NAMES)]
        wish = powers[(n * 3 + 1) % len(powers)].name
        _ask_and_confirm(
            office,
            mailbox,
            letters,
            address_of(name),
            desk,
            f"JOIN {SLUG} AS {name} of {power.name[:1]}street PREFER {wish}",
        )


def address_of(name: str) -> str:
    """A player's mail address."""
    return f"{name.lower()}@example.org"


def _ask_and_confirm(
    office: Office, mailbox: Mailbox, letters: Letterbox, sender: str, to: str, command: str
) -> None:
    letters.send(sender, to, command)
    _settled(office, mailbox)
    question = mailbox.newest[sender]
    letters.send(sender, question["Reply-To"], "Yes, that was me.", reply=question)
    _settled(office, mailbox)


def _settled(office: Office, mailbox: Mailbox) -> None:
    """Wait until all mail that was sent is worked through and all answers lie in the mailbox."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        with office.store.read() as session:
            waiting = session.scalar(select(func.count()).select_from(Inbound).where(Inbound.status == "new"))
            going = session.scalar(
                select(func.count()).select_from(Outbound).where(Outbound.status.in_(("queued", "sending")))
            )
            bad = session.scalar(select(Inbound.outcome).where(Inbound.status == "quarantined").limit(1))
        if bad is not None:
            raise DemoError(f"a mail was set aside: {bad}")
        if not waiting and not going:
            mailbox.look()
            return
        time.sleep(0.01)
    raise DemoError("the server does not answer")


def _play_on(office: Office, mailbox: Mailbox, letters: Letterbox, seed: str, console: Console) -> int:
    """Answer every phase's mails with orders until the game is over. Returns how many phases were run."""
    columns = (
        TextColumn("{task.description:34}"),
        BarColumn(),
        TextColumn("{task.completed} phases"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console) as progress:
        bar = progress.add_task("sign-up", total=None)
        for count in range(MAX_PHASES):
            with office.store.read() as session:
                game = session.scalars(select(Game).where(Game.slug == SLUG)).one()
                phase = open_phase(session, game)
                seats = {
                    power: player.name.split()[0] for power, player in current_seats(session, game).items()
                }
            if game.status == "parked":
                raise DemoError(f"the game was stopped by a fault, trace {game.trace}")
            if phase is None:
                progress.update(
                    bar, completed=count, total=count, description=str((game.result or {}).get("text", ""))
                )
                return count
            progress.update(bar, completed=count, description=phase.title)
            _order_all(game, phase, seats, mailbox, letters, seed)
            _wait_for_next(office, phase)
            _settled(office, mailbox)
    return MAX_PHASES


def _order_all(
    game: Game, phase: PhaseRow, seats: dict[str, str], mailbox: Mailbox, letters: Letterbox, seed: str
) -> None:
    """Every player who has something to order replies to his newest mail."""
    rules = ruleset(game.ruleset)
    for due in rules.dues(phase.state):
        if due.power not in seats:
            continue
        dice = SeededDice(f"{seed} {due.power}".encode(), phase.name)
        orders = rules.bot(rules.view(phase.state, due.power), dice)
        lines = [*orders] or ["NO ORDERS"]
        if orders and dice.roll("writes a letter", 12) == 1:
            lines.append(f"PRESS TO ALL: {_small_talk(seats[due.power], phase.title)}")
        lines.append("READY")
        sender = address_of(seats[due.power])
        mail = mailbox.newest[sender]
        letters.send(sender, mail["Reply-To"], "\n".join(lines), reply=mail)


def _small_talk(name: str, title: str) -> str:
    talk = (
        "The weather at the front is fine, the generals are not.",
        "My cook has been promoted to field marshal; we advance on our stomachs.",
        "Whoever took my umbrella from the peace conference, please return it.",
        "We have no further demands. For this season.",
    )
    return f"{talk[(len(name) * 7 + sum(map(ord, title))) % len(talk)]} ({name})"


def _wait_for_next(office: Office, phase: PhaseRow) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        with office.store.read() as session:
            if session.get_one(PhaseRow, phase.id).status != "open":
                return
            bad = session.scalar(select(Inbound.outcome).where(Inbound.status == "quarantined").limit(1))
        if bad is not None:
            raise DemoError(f"a mail was set aside: {bad}")
        time.sleep(0.01)
    raise DemoError(f"{phase.title} does not run although all orders were sent")


def _leave_zine(office: Office, folder: Path) -> None:
    with office.store.read() as session:
        games = session.scalars(select(Game).where(Game.slug == SLUG)).all()
        zine = public_zine(session, office.server_name, games, tagline="A game played by scripted players")
    write_zine(folder / "zine", zine, templates=office.templates)
