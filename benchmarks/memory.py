"""Memory of the server: at rest, with 1,000 games in its store, and at its peak while hostile mails come in.

The last line is the tightest limit divided by what was used of it (1.00 and above: within all limits).
"""

from __future__ import annotations

import base64
import contextlib
import os
import smtplib
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from sqlalchemy import func, select

from gm.app.service import open_office, utc_now
from gm.settings import Settings
from gm.store.mailtables import Inbound
from gm.store.tables import Game, PhaseRow, Player, Seat
from gm.turns.office import Office
from gm.turns.people import current_seats
from gm.turns.sheets import open_phase
from gm.turns.tokens import reply_address

GAMES = 1_000
LIMITS = {"at rest": 150, "1,000 games": 150, "hostile mail": 300}
"""MB."""
HALF_MAILS = 95
SETTLE_SECONDS = 12
"""Two rounds of the scheduler and some."""


def free_port() -> int:
    """A TCP port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def server(folder: Path) -> Iterator[tuple[int, int]]:
    """Run ``gm run`` over a data folder. Gives its process id and SMTP port."""
    port = free_port()
    environ = {
        **os.environ,
        "GM_CONFIG": "",
        "GM_DATA_DIR": str(folder),
        "GM_SMTP_PORT": str(port),
        "GM_WEB_PORT": str(free_port()),
    }
    log = (folder / "log").open("ab")
    process = subprocess.Popen([sys.executable, "-m", "gm", "run"], env=environ, stdout=log, stderr=log)
    try:
        end = time.monotonic() + 60
        while True:
            with contextlib.suppress(OSError), smtplib.SMTP("127.0.0.1", port):
                break
            if time.monotonic() > end or process.poll() is not None:
                raise SystemExit((folder / "log").read_text()[-2000:])
            time.sleep(0.1)
        yield process.pid, port
    finally:
        process.terminate()
        process.wait(30)
        log.close()


def megabytes(pid: int, what: str) -> float:
    """``VmRSS`` (now) or ``VmHWM`` (the most so far) of a process."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(what):
            return int(line.split()[1]) / 1024
    raise SystemExit(f"no {what} in /proc/{pid}/status")


def fill(office: Office) -> None:
    """Copy the practice game of the server until there are a thousand running games."""
    with office.store.write() as session:
        game = session.scalars(select(Game).order_by(Game.id).limit(1)).one()
        phase = open_phase(session, game)
        assert phase is not None
        seats = current_seats(session, game)
        for n in range(GAMES):
            copy = Game(
                slug=f"copy{n}", title=f"Copy {n}", ruleset=game.ruleset, rules_version=game.rules_version,
                options=game.options, settings={**game.settings, "vacant": "none"}, status="running",
                seed=game.seed, created_at=utc_now(), started_at=utc_now(),
            )  # fmt: skip
            session.add(copy)
            session.flush()
            session.add(
                PhaseRow(
                    game_id=copy.id, ordinal=1, name=phase.name, title=phase.title, kind=phase.kind,
                    state=phase.state, opened_at=utc_now(), due_at=utc_now() + timedelta(days=7),
                )
            )  # fmt: skip
            for power, player in seats.items():
                session.add(Seat(game_id=copy.id, power=power, player_id=player.id, joined_at=utc_now()))


def practice_address(office: Office) -> str:
    """A reply address that takes orders."""
    with office.store.write() as session:
        game = session.scalars(select(Game).order_by(Game.id).limit(1)).one()
        power, player = next(iter(current_seats(session, game).items()))
        assert isinstance(player, Player)
        return reply_address(
            session, office, "seat", player, game=game, power=power, phase=open_phase(session, game)
        )


def head(n: int, kind: str = "text/plain") -> bytes:
    """The header of a hostile mail."""
    return (
        f"From: you@example.org\r\nMessage-ID: <hostile{n}@example.org>\r\nMIME-Version: 1.0\r\n"
        f"Content-Type: {kind}\r\n"
    ).encode()


def nested(depth: int) -> bytes:
    """Multiparts in multiparts."""
    parts = [f'Content-Type: multipart/mixed; boundary="{n}"\r\n\r\n--{n}\r\n'.encode() for n in range(depth)]
    return b"".join(parts) + b"\r\nA Par H\r\n"


def bombs() -> list[bytes]:
    """Mails just within the size limit that are made to cost memory, and some far over it."""
    full = 990_000
    return [
        head(0) + b"\r\n" + b"x" * 30_000_000,
        head(1) + b"\r\n" + b"A Par - Bur\r\n" * 80_000,
        head(2) + b"\r\n" + b"\r" * full,
        head(3) + b"Subject: " + b"s" * full + b"\r\n\r\nA Par H\r\n",
        head(4) + b"X: y\r\n" * 100_000 + b"\r\nA Par H\r\n",
        head(5)[: -len("Content-Type: text/plain\r\n")] + nested(2_000),
        head(6, 'multipart/mixed; boundary="b"') + b"\r\n" + b"--b\r\n\r\nA Par H\r\n" * 50_000,
        head(7, "text/html") + b"\r\n" + b"<div>" * 190_000,
        head(8, "text/html") + b"\r\n" + b"<ul><li>" * 120_000,
        head(9, "text/html") + b"\r\n" + b"<td>A Par H</td>" * 60_000,
        head(10, "text/plain; charset=utf-7") + b"\r\n" + b"+AGE-" * 190_000,
        head(11) + b"Content-Transfer-Encoding: base64\r\n\r\n" + base64.encodebytes(b"A Par H\n" * 90_000),
        head(12) + b"To: " + b"a@b.example, " * 70_000 + b"\r\n\r\nA Par H\r\n",
        head(13, 'application/zip; name="orders.zip"') + b"\r\n" + base64.encodebytes(os.urandom(700_000)),
        head(14) + b"\r\n" + b"> quoted\r\n" * 90_000,
        head(15) + b"\r\n" + (b"On " + b"a " * 8_000 + b"wrote:\r\n") * 60,
    ]


def attack(port: int, address: str) -> None:
    """Send each bomb, while connections from many peers, nearly all there may be, hold an unfinished mail each."""
    hold = threading.Barrier(HALF_MAILS + 1)
    threads = [
        threading.Thread(target=_half_a_mail, args=(port, address, hold, f"127.0.1.{n}"))
        for n in range(1, HALF_MAILS + 1)
    ]
    for thread in threads:
        thread.start()
    hold.wait(60)
    for raw in bombs():
        with (
            contextlib.suppress(smtplib.SMTPException),
            smtplib.SMTP("127.0.0.1", port, timeout=60) as client,
        ):
            client.sendmail("you@example.org", [address], raw)
    hold.wait(60)
    for thread in threads:
        thread.join()


def _half_a_mail(port: int, address: str, hold: threading.Barrier, source: str) -> None:
    with (
        socket.create_connection(("127.0.0.1", port), timeout=60, source_address=(source, 0)) as wire,
        wire.makefile("rb") as replies,
    ):
        replies.readline()
        for line in (b"HELO x", b"MAIL FROM:<a@b.example>", f"RCPT TO:<{address}>".encode(), b"DATA"):
            wire.sendall(line + b"\r\n")
            replies.readline()
        wire.sendall(b"x" * 900_000)
        hold.wait(60)
        hold.wait(120)


def wait_until(done: Callable[[], bool], seconds: float) -> None:
    """Poll; ends the benchmark if it takes too long."""
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() > end:
            raise SystemExit(f"the server did not come to an end within {seconds} s")
        time.sleep(0.2)


def main() -> None:
    """Measure and print."""
    used: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with server(folder) as (pid, _):
            time.sleep(SETTLE_SECONDS)
            used["at rest"] = megabytes(pid, "VmRSS")
        office = open_office(Settings(data_dir=folder))
        fill(office)
        with server(folder) as (pid, port):
            time.sleep(SETTLE_SECONDS)
            used["1,000 games"] = megabytes(pid, "VmRSS")
            attack(port, practice_address(office))

            def all_read() -> bool:
                with office.store.read() as session:
                    new = select(func.count()).select_from(Inbound).where(Inbound.status == "new")
                    return session.scalar(new) == 0

            wait_until(all_read, 120)
            used["hostile mail"] = megabytes(pid, "VmHWM")
        with office.store.read() as session:
            taken = session.execute(select(Inbound.status, func.count()).group_by(Inbound.status)).all()
        office.store.close()
    print(f"hostile mails sent {len(bombs())}, stored: {', '.join(f'{status} {n}' for status, n in taken)}")
    for what, limit in LIMITS.items():
        print(f"{what:12} {used[what]:4.0f} MB of {limit}")
    print(f"ratio {min(limit / used[what] for what, limit in LIMITS.items()):.2f}")


if __name__ == "__main__":
    main()
