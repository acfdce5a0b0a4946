"""A server's life from an order mail to the turn's reports, in steps, in one process that may be killed anywhere.

`main` goes on where the last life in that folder stopped. The clock stands still within
a step, so that what is written does not depend on how often the process died.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from gm.app.service import open_office
from gm.app.work import look_at_clock, read_mail
from gm.log import set_up_logging
from gm.mail.sender import Sender
from gm.mail.spool import Arrival, accept
from gm.mail.transport import Maildir, Parcel, Verdict
from gm.settings import Settings
from gm.store.tables import Address, Player, SignUp
from gm.turns.office import Office
from gm.turns.settings import GameSettings
from gm.turns.starting import create_game, start_game

BEGIN = datetime(2026, 12, 4, 9, 0, tzinfo=UTC)
DEADLINE = datetime(2026, 12, 5, 20, 0, tzinfo=UTC)
PLAYERS = {"france": "Ann", "germany": "Ben"}
ORDERS = {
    "ann": ["A Par - Bur\nA Mar S A Par - Bur\nF Bre - MAO\n", "A Par - Pic\n"],
    "ben": ["A Mun - Bur\nPRESS TO ALL\nGood luck.\nENDPRESS\n"],
}


def settings(folder: Path) -> Settings:
    """Of a server that keeps everything in the folder."""
    return Settings(data_dir=folder, domain="play.example", secret="s" * 40)  # type: ignore[arg-type]  # a SecretStr


@dataclass
class Telling:
    """The Maildir, and a line in a file for each mail that was handed over."""

    maildir: Maildir
    file: Path

    def send(self, parcel: Parcel) -> Verdict:
        verdict = self.maildir.send(parcel)
        append(self.file, parcel.message_id)
        return verdict

    def close(self) -> None:
        self.maildir.close()


def append(file: Path, line: str) -> None:
    """Add a line, durably."""
    with file.open("a") as out:
        out.write(line + "\n")
        out.flush()
        os.fsync(out.fileno())


def lines(file: Path) -> list[str]:
    """The lines of a file; none if there is no file."""
    return file.read_text().splitlines() if file.exists() else []


def prepare(folder: Path) -> None:
    """A game of two players that has begun, and their order mails as they will send them."""
    office = open_office(settings(folder), now=lambda: BEGIN)
    with office.store.write() as session:
        game = create_game(
            session, slug="first", title="First", ruleset_id="diplomacy", options={},
            settings=GameSettings(calendar="every day 20:00 UTC", early=False, notice_hours=1, reminder_hours=0),
            gm=None, seed=b"k" * 32, now=BEGIN,
        )  # fmt: skip
        for power, name in PLAYERS.items():
            player = Player(name=name, created_at=BEGIN)
            session.add(player)
            session.flush()
            session.add(Address(player_id=player.id, email=f"{name.lower()}@example.org", created_at=BEGIN))
            session.add(SignUp(game_id=game.id, player_id=player.id, preferences=[power], created_at=BEGIN))
        session.flush()
        start_game(session, office, game)
    look_at_clock(office)
    send(office, folder)
    office.store.close()


def send(office: Office, folder: Path) -> None:
    """Drain the outbox."""
    transport = Telling(Maildir(folder / "mail-out"), folder / "sent")
    sender = Sender(office.store, transport, office.now, domain="play.example", chance=lambda: 0.5)
    sender.recover()
    sender.drain()


def order_mails(folder: Path) -> list[tuple[str, bytes]]:
    """Recipient and bytes of what the players write, as replies to the mails that they got."""
    reply_to = {}
    for file in (folder / "mail-out/new").iterdir():
        fields = dict(
            line.split(": ", 1) for line in file.read_text().split("\n\n")[0].splitlines() if ": " in line
        )
        reply_to.setdefault(fields["Delivered-To"].split("@")[0], fields["Reply-To"])
    mails = []
    for name in sorted(ORDERS):
        for n, body in enumerate(ORDERS[name]):
            head = f"From: {name}@example.org\nMessage-ID: <{name}{n}@example.org>\nSubject: orders\n\n"
            mails.append((reply_to[name], (head + body).replace("\n", "\r\n").encode()))
    return mails


def take_orders(folder: Path, now: Callable[[], datetime]) -> None:
    """Each mail that was not acknowledged comes (again), as an MTA sends it."""
    office = open_office(settings(folder), now=now)
    for recipient, raw in order_mails(folder):
        name = raw.split(b"Message-ID: ")[1].split(b"\r\n")[0].decode()
        if name in lines(folder / "acknowledged"):
            continue
        arrival = Arrival(
            raw=raw, envelope_from="x@example.org", recipients=(recipient,), peer="192.0.2.1", via="smtp"
        )
        accept(office.store, [arrival], office.now)
        append(folder / "acknowledged", name)
    office.store.close()


def work(folder: Path, now: Callable[[], datetime]) -> None:
    """Read mail, run what is due, send what is queued."""
    office = open_office(settings(folder), now=now)
    while read_mail(office):
        pass
    look_at_clock(office)
    send(office, folder)
    office.store.close()


Step = tuple[datetime, Callable[[Path, Callable[[], datetime]], None]]
"""When, and what is done in the folder at that time."""

STEPS: tuple[Step, ...] = (
    (BEGIN + timedelta(hours=1), take_orders),
    (BEGIN + timedelta(hours=1), work),
    (DEADLINE - timedelta(minutes=1), work),
    (DEADLINE, work),
    (DEADLINE + timedelta(minutes=1), work),
)


def main(folder: Path, steps: tuple[Step, ...] = STEPS) -> None:
    """Do the steps that are not done."""
    set_up_logging(level="critical")
    for at, step in steps[len(lines(folder / "steps")) :]:
        step(folder, lambda at=at: at)  # type: ignore[misc]  # mypy cannot infer a lambda's default
        append(folder / "steps", step.__name__)
