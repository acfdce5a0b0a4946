"""Pairs of worlds that differ only in what one player may not know, and the comparison of what he gets in each."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import select

from gm.store.mailtables import Outbound
from tests.world import DESK, GM, World, copy_of, started

READER = "austria"

Step = tuple[str, str]
"""Who writes (a power, ``gm``, ``stranger`` or ``tick``) and what."""

UNITS = {
    "england": ("F LON", "F EDI", "A LVP"),
    "france": ("A PAR", "A MAR", "F BRE"),
    "germany": ("A BER", "A MUN", "F KIE"),
    "italy": ("A ROM", "A VEN", "F NAP"),
    "russia": ("A MOS", "A WAR", "F SEV", "F STP/SC"),
    "turkey": ("A CON", "A SMY", "F ANK"),
}
"""At the start, all but the reader's."""
OTHERS = tuple(UNITS)

FINAL = tuple(
    (power, "\n".join(f"{unit} H" for unit in units) + "\nNO WAIT") for power, units in UNITS.items()
)
"""The sheets that run, the same in both worlds, whatever was sent before."""

ASKS = (
    "STATUS",
    "SHOW",
    "HISTORY",
    "RULES",
    "WHY DEADLINE",
    "A VIE - GAL",
    "GAMES",
    "HELP PRESS",
    "WAIT",
    "NO WAIT",
)
"""What the reader himself writes in between: the same in both worlds."""


def hidden_step(chance: random.Random) -> Step:
    """Something that the reader must learn nothing of."""
    power = chance.choice(OTHERS)
    other = chance.choice([p for p in OTHERS if p != power])
    words = chance.choice(("Attack him now", "He suspects nothing", "x" * chance.randrange(1, 400)))
    unit = chance.choice(UNITS[power])
    return chance.choice(
        (
            (power, f"{unit} H"),
            (power, f"{unit} H\nF NTH - NWY\ngibberish {chance.randrange(99)}"),
            (power, "CLEAR"),
            (power, "NO ORDERS"),
            (power, "WAIT"),
            (power, "READY"),
            (power, "NOT READY\nNO WAIT"),
            (power, f"PRESS TO {other}\n{words}\nENDPRESS"),
            (power, f"PRESS UNSIGNED TO {other}: {words}"),
            (power, f"PRESS TO GM: {words}"),
            (power, f"PRESS TO ALL BUT {READER}: {words}"),
            (power, "VOTE DRAW"),
            (power, f"VOTE CONCEDE TO {other}"),
            (power, "VOTE NONE"),
            (power, "HELP\nSTATUS\nHISTORY"),
            (power, "SET PASSWORD something long"),
            (power, "ZONE Asia/Tokyo"),
            (power, "ADDRESS second@club.example"),
            (power, "NEWADDRESS"),
            ("gm", "PREVIEW"),
            ("gm", "STATUS\nAUDIT"),
            ("gm", f"AS {power}\n{unit} H"),
            ("gm", f"PRESS TO {power}: {words}"),
            ("stranger", "JOIN autumn99 AS Somebody"),
            ("stranger", "HELP"),
        )
    )


@dataclass(frozen=True)
class Script:
    """What happens in two worlds. ``None`` in one of them: nothing happens there."""

    left: tuple[Step | None, ...]
    right: tuple[Step | None, ...]


def script(seed: int) -> Script:
    """A pair of histories that the reader must not be able to tell apart."""
    chance = random.Random(seed)
    left: list[Step | None] = []
    right: list[Step | None] = []
    for _ in range(chance.randrange(4, 9)):
        if chance.random() < 0.3:
            shared = (READER, chance.choice(ASKS))
            left.append(shared)
            right.append(shared)
        elif chance.random() < 0.15:
            shared = (
                chance.choice(OTHERS),
                chance.choice(("PRESS TO ALL: hello", f"PRESS TO {READER}: psst")),
            )
            left.append(shared)
            right.append(shared)
        else:
            left.append(hidden_step(chance) if chance.random() < 0.8 else None)
            right.append(hidden_step(chance) if chance.random() < 0.8 else None)
    return Script(tuple(left), tuple(right))


def play(
    folder: Path, name: str, steps: Sequence[Step | None], *, to_the_end: bool
) -> list[tuple[str, str, datetime, bytes]]:
    """Play a history; returns every mail that the reader got."""
    game = started()
    world = copy_of(game, folder, name)
    try:
        _play(world, game.seats, steps, to_the_end=to_the_end)
        with world.store.read() as session:
            rows = session.scalars(
                select(Outbound).where(Outbound.recipient == game.seats[READER]).order_by(Outbound.id)
            ).all()
            return [(row.message_id, row.verp, row.queued_at, row.raw) for row in rows]
    finally:
        world.store.close()


def _play(world: World, seats: dict[str, str], steps: Sequence[Step | None], *, to_the_end: bool) -> None:
    say: Callable[[str, str], object] = lambda who, text: world.reply(seats.get(who, GM), text)  # noqa: E731  # short
    for number, step in enumerate(steps):
        world.tick(minutes=1)
        if step is None:
            continue
        who, text = step
        if who == "stranger":
            world.write(f"s{number}@far.example", DESK, text)
        else:
            say(who, text)
    if to_the_end:
        world.tick(minutes=1)
        for power, text in ((READER, "A VIE H\nA BUD H\nF TRI H\nNO WAIT"), *FINAL):
            say(power, "CLEAR\n" + text)
        say("gm", "PROCESS")
        say(READER, "STATUS\nHISTORY\nRESULTS 1")


def differences(left: Sequence[tuple[object, ...]], right: Sequence[tuple[object, ...]]) -> list[str]:
    """What tells two lists of mails apart; empty if nothing does."""
    found = [] if len(left) == len(right) else [f"{len(left)} mails and {len(right)}"]
    names = ("Message-ID", "bounce address", "time", "bytes")
    for number, (one, other) in enumerate(zip(left, right, strict=False)):
        found += [
            f"mail {number}: {name}: {a!r} and {b!r}"
            for name, a, b in zip(names, one, other, strict=True)
            if a != b
        ]
    return found
