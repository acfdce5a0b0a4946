"""How many order mails a second go from raw bytes to a stored sheet and a queued receipt, on one core.

Beside it, in turns, the floor under that work: the same mail read, its orders parsed, a receipt of the same size
laid out and composed, two rows inserted and committed, with no desk around it. The last line is the ratio of the two
rates (1.00: the desk, its proofs and its bookkeeping would cost nothing).
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
import time
from datetime import UTC, datetime
from email import policy
from email.parser import BytesParser
from pathlib import Path

from sqlalchemy import select

sys.path.insert(0, str(Path(__file__).parents[1]))

from gm.app.work import read_mail
from gm.games import ruleset
from gm.log import set_up_logging
from gm.mail.compose import OutgoingMail, Party, compose
from gm.mail.message import read_message
from gm.reports.render import render
from gm.reports.samples import RECEIPT
from gm.store.db import open_store
from gm.store.mailtables import Outbound
from tests.world import World

MAILS, ROUNDS = 210, 4
TARGET = 150

ORDERS = {
    "austria": ("A VIE - GAL", "A BUD - SER", "F TRI - ALB", "A VIE - TYR"),
    "england": ("F LON - NTH", "F EDI - NWG", "A LVP - YOR", "F LON - ENG"),
    "france": ("A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO", "A PAR - PIC"),
    "germany": ("F KIE - DEN", "A BER - KIE", "A MUN - RUH", "A MUN - BUR"),
    "italy": ("A VEN H", "A ROM - APU", "F NAP - ION", "A VEN - TYR"),
    "russia": ("A MOS - UKR", "A WAR - GAL", "F SEV - BLA", "A WAR - UKR"),
    "turkey": ("A CON - BUL", "A SMY - CON", "F ANK - BLA", "A SMY - ARM"),
}


def mail(power: str, sender: str, to: str, number: int) -> bytes:
    """An order mail as most are: three orders above a quoted report; every second one changes the sheet."""
    first, second, third, other = ORDERS[power]
    text = "\n".join([first if number % 2 else other, second, third, "", "On Friday the server wrote:"])
    quoted = "\n".join("> and a line of the report that the reply quotes, as they all do" for _ in range(20))
    return (
        f"From: {sender}\r\nTo: {to}\r\nSubject: Re: Spring 1901\r\nMessage-ID: <{number}.{power}@example.org>\r\n"
        f"Content-Type: text/plain; charset=utf-8\r\n\r\n{text}\n{quoted}\n"
    ).encode()


def desk_rate(world: World, seats: dict[str, str], start: int) -> float:
    """Mails a second of CPU through the desk."""
    for n in range(start, start + MAILS):
        power = list(seats)[n % len(seats)]
        to = world.newest[seats[power]].reply_to
        world.deliver(mail(power, seats[power], to, n // len(seats)), seats[power], to)
    began = time.process_time()
    while read_mail(world.office):
        pass
    return MAILS / (time.process_time() - began)


def floor_rate(world: World, seats: dict[str, str], folder: Path) -> float:
    """Mails a second of CPU through the parts that no desk can do without."""
    rules = ruleset("diplomacy")
    phase = world.phase()
    assert phase is not None
    database = sqlite3.connect(folder / "floor.db", isolation_level=None)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=FULL")
    database.execute("CREATE TABLE IF NOT EXISTS row (id INTEGER PRIMARY KEY, data BLOB)")
    power = "austria"
    raws = [mail(power, seats[power], "play@play.example", n) for n in range(MAILS)]
    began = time.process_time()
    for raw in raws:
        read = read_message(raw)
        parsed = rules.parse(phase.state, power, read.text)
        rules.review(phase.state, power, parsed.orders)
        laid = render(RECEIPT)
        out = compose(
            OutgoingMail(
                message_id="<x@play.example>",
                date=datetime(2026, 12, 1, tzinfo=UTC),
                sender=Party(address="gm@play.example"),
                to=Party(address=seats[power]),
                subject=laid.subject,
                text=laid.text,
                html=laid.html,
                reply_above=True,
            )
        )
        database.execute("BEGIN IMMEDIATE")
        database.execute("INSERT INTO row (data) VALUES (?)", (out,))
        database.execute("INSERT INTO row (data) VALUES (?)", ("\n".join(parsed.orders),))
        database.execute("COMMIT")
    rate = MAILS / (time.process_time() - began)
    database.close()
    return rate


def main() -> None:
    """Print both rates and their ratio."""
    set_up_logging(level="error")
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(f"sqlite:///{folder}/gm.db")
        store.migrate()
        world = World(store)
        seats = world.start_diplomacy("early = off")
        best, floor = 0.0, 0.0
        for n in range(ROUNDS):
            best = max(best, desk_rate(world, seats, n * MAILS))
            floor = max(floor, floor_rate(world, seats, Path(folder)))
        with store.read() as session:
            raw = session.scalars(select(Outbound.raw).order_by(Outbound.id.desc()).limit(1)).one()
        subject = BytesParser(policy=policy.default).parsebytes(raw)["Subject"]
        store.close()
    print(f"the last receipt: {subject}")
    print(f"parse + orders + store + receipt: {best:.0f} mails a second of CPU (bar: {TARGET})")
    print(f"floor, without a desk around it:  {floor:.0f} mails a second of CPU")
    print(f"ratio {best / floor:.2f}")


if __name__ == "__main__":
    main()
