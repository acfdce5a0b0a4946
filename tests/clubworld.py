"""A campaign with a small game for tests of the club: two players, the other powers ordered by scripts, no deadline."""

from __future__ import annotations

from datetime import timedelta

from gm.app.work import look_at_clock
from tests.world import DESK, GM, Sent, World

ANN, BEN = "ann@club.example", "ben@club.example"


def found(world: World, slug: str = "danube", gm: str = GM, title: str = "The Danube Courier") -> None:
    """A GM founds a campaign by mail."""
    world.write(gm, DESK, f"CREATE CAMPAIGN {slug} TITLE {title}")
    world.reply(gm, "yes")


def play(world: World, slug: str = "spring99", campaign: str = "danube", gm: str = GM, *rules: str) -> None:
    """A game of the campaign under way: Ann plays Austria, Ben France, scripts the rest; turns run by PROCESS."""
    lines = [
        f"SET {line}"
        for line in ("calendar = none", "vacant = robot", "start_when_full = off", "nmr_out = 0", *rules)
    ]
    world.reply(
        gm, "\n".join([f"CAMPAIGN {campaign}", f"CREATE diplomacy AS {slug} TITLE Spring of 99", *lines])
    )
    world.join(ANN, f"JOIN {slug} AS Ann Adler PREFER Austria")
    world.join(BEN, f"JOIN {slug} AS Ben Marsh PREFER France")
    world.reply(gm, f"GAME {slug}\nSTART")


def process(world: World, slug: str = "spring99", gm: str = GM) -> list[Sent]:
    """The GM runs the open phase."""
    phase = world.phase(slug)
    assert phase is not None
    return world.reply(gm, f"GAME {slug}\nPROCESS {phase.name}")


def wait(world: World, **ahead: float) -> list[Sent]:
    """Let time pass at once, look at the clock, and return what went out. For worlds in which no deadline runs."""
    world.now += timedelta(**ahead)
    look_at_clock(world.office)
    return world.outgoing()


def receipt(mails: list[Sent]) -> str:
    """The one receipt among some mails, in one line."""
    (found,) = [m for m in mails if m.kind == "receipt"]
    return found.flat


def zines(mails: list[Sent]) -> dict[str, Sent]:
    """Issues among some mails, by recipient; each gets one only."""
    found = [m for m in mails if m.kind == "zine"]
    assert len({m.to for m in found}) == len(found)
    return {m.to: m for m in found}
