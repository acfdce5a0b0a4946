"""How many mails a second are taken: committed to disk before the 250, beside an aiosmtpd that throws them away.

Both servers run in a process of their own and are fed by the same client, in turns; the best round of each counts,
as the worse ones tell of the machine's other work. The last line is the ratio (1.00: durability costs nothing).
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path

from aiosmtpd.smtp import SMTP

from gm.app.known import known_recipient
from gm.log import set_up_logging
from gm.mail.listener import Listener
from gm.mail.spool import Spool
from gm.mail.vault import Vault
from gm.settings import Limits
from gm.store.db import open_store
from gm.store.tables import Player
from gm.turns.office import Office
from gm.turns.tokens import reply_address

MAILS, CONNECTIONS, ROUNDS = 2_000, 50, 6
TARGET = 0.6

MAIL = "\r\n".join(
    [
        "Received: from mail.example.org by mx.play.test with ESMTPS id 12345; Fri, 4 Dec 2026 20:00:00 +0000",
        "From: Ann <ann@example.org>",
        "To: play@play.test",
        "Subject: Re: Spring 1901",
        "Date: Fri, 4 Dec 2026 20:00:00 +0000",
        "Message-ID: <{n}.{round}@example.org>",
        "MIME-Version: 1.0",
        'Content-Type: multipart/alternative; boundary="b"',
        "",
        "--b",
        "Content-Type: text/plain; charset=utf-8",
        "",
        "A Par - Bur",
        "A Mar S A Par - Bur",
        "F Bre - MAO",
        "",
        *["> and a line of the report that the reply quotes, as they all do" for _ in range(12)],
        "--b",
        "Content-Type: text/html; charset=utf-8",
        "",
        *["<div>A Par - Bur and the same once more for those who like it coloured</div>" for _ in range(8)],
        "--b--",
        "",
    ]
)


class Discard:
    """The handler of the other server: it does nothing at all."""

    async def handle_DATA(self, _server: object, _session: object, _envelope: object) -> str:
        return "250 OK"


def serve_discard(pipe: Connection, _folder: str) -> None:
    """A stock aiosmtpd that throws mail away."""

    async def start() -> int:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: SMTP(Discard(), hostname="sink", loop=loop), "127.0.0.1", 0)
        return int(server.sockets[0].getsockname()[1])

    _serve(pipe, start, "gm@play.test")


def serve_gm(pipe: Connection, folder: str) -> None:
    """Our listener over SQLite, every commit flushed."""
    store = open_store(f"sqlite:///{folder}/gm.db")
    store.migrate()
    office = Office(
        store=store,
        now=lambda: datetime.now(UTC),
        vault=Vault(b"s" * 32),
        domain="play.test",
        server_name="gm",
    )
    with store.write() as session:
        player = Player(name="Ann", created_at=office.now())
        session.add(player)
        session.flush()
        address = reply_address(session, office, "person", player)

    async def start() -> int:
        limits = Limits(connections_per_peer=100)
        listener = Listener(Spool(store, office.now), known_recipient(office), limits, "play.test")
        return await listener.listen("smtp", "127.0.0.1", 0)

    _serve(pipe, start, address)


def _serve(pipe: Connection, start: Callable[[], Awaitable[int]], address: str) -> None:
    set_up_logging(level="error")

    async def run() -> None:
        pipe.send((await start(), address))
        await asyncio.Event().wait()

    asyncio.run(run())


async def feed(port: int, address: str, round_: int) -> float:
    """Send all mails over some connections. Returns mails a second."""
    numbers = iter(range(MAILS))
    begun = time.perf_counter()
    await asyncio.gather(*(_client(port, address, round_, numbers) for _ in range(CONNECTIONS)))
    return MAILS / (time.perf_counter() - begun)


async def _client(port: int, address: str, round_: int, numbers: object) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)

    async def say(line: bytes, code: bytes) -> None:
        writer.write(line)
        while True:
            reply = await reader.readline()
            if reply[3:4] != b"-":
                break
        if not reply.startswith(code):
            raise SystemExit(f"{line[:40]!r} was answered by {reply!r}")

    await reader.readline()
    await say(b"EHLO bench\r\n", b"250")
    for n in numbers:  # type: ignore[attr-defined]  # one iterator shared by all clients
        await say(b"MAIL FROM:<ann@example.org>\r\n", b"250")
        await say(b"RCPT TO:<" + address.encode() + b">\r\n", b"250")
        await say(b"DATA\r\n", b"354")
        await say(MAIL.format(n=n, round=round_).encode() + b"\r\n.\r\n", b"250")
    await say(b"QUIT\r\n", b"221")
    writer.close()
    await writer.wait_closed()


def cpu_seconds(pid: int | None) -> float:
    """What a process has used so far, user and system."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Run both servers, feed them in turns, print the table and the ratio."""
    spawn = multiprocessing.get_context("spawn")
    rates: dict[str, list[float]] = {"discarded": [], "committed": []}
    cpu: dict[str, list[float]] = {"discarded": [], "committed": []}
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        servers = {}
        for name, target in (("discarded", serve_discard), ("committed", serve_gm)):
            ours, theirs = spawn.Pipe()
            process = spawn.Process(target=target, args=(theirs, folder), daemon=True)
            process.start()
            servers[name] = process, *ours.recv()
        for round_ in range(ROUNDS):
            for name, (process, port, address) in servers.items():
                before = cpu_seconds(process.pid)
                rates[name].append(asyncio.run(feed(port, address, round_)))
                cpu[name].append((cpu_seconds(process.pid) - before) / MAILS * 1e6)
        for process, _, _ in servers.values():
            process.kill()
            process.join()
    size = len(MAIL)
    for name, found in rates.items():
        rounds = ", ".join(f"{rate:.0f}" for rate in found)
        print(
            f"{name:10} {max(found):5.0f} mails/s of {size} bytes, {min(cpu[name]):.0f} µs of CPU each ({rounds})"
        )
    print(f"target {TARGET:.2f}")
    print(f"ratio {max(rates['committed']) / max(rates['discarded']):.2f}")


if __name__ == "__main__":
    main()
