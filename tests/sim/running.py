"""One run of the simulation from its first mail to its table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from tests.sim.checks import findings
from tests.sim.finding import Finding
from tests.sim.people import GMS
from tests.sim.plan import Plan
from tests.sim.server import running
from tests.sim.year import Year

LOOKED_AT = (2, 4, 8, 16, 32)
"""Weeks after which the books are looked at in passing."""
DRAWN = 26
"""One week of so many is run with pictures: drawing them takes several times what all else takes."""
START = datetime(2026, 12, 1, 9, tzinfo=UTC)


def play(
    plans: Sequence[Plan],
    days: int,
    *,
    seed: str = "year",
    players: int = 40,
    mischief: float = 1.0,
    told: Callable[[str], None] = lambda _line: None,
    keep: Path | None = None,
) -> tuple[Year, list[Finding]]:
    """Play so many days and check the books. Issues are not set in print: that is tested elsewhere, and slow.

    Args:
        keep: a folder that the store is left in.
    """
    box: list[Year] = []
    with (
        TemporaryDirectory() as folder,
        no_print(),
        running(keep or Path(folder), START, lambda parcel: box[0].deliver(parcel), creators=GMS) as server,
    ):
        year = Year(server, plans, seed=seed, players=players, mischief=mischief)
        box.append(year)
        year.found()
        end = START + timedelta(days=days)
        year.fates(START, end)
        year.acts(START, end)
        for week in range(1, -(-days // 7) + 1):
            server.office = replace(server.office, pictures=week % DRAWN == 2)
            year.run(min(START + timedelta(days=7 * week), end))
            if week in LOOKED_AT and server.now < end:
                told("\n".join(f"  {f.name}: {f.value} {f.why[:4]}" for f in findings(year) if not f.good))
            told(
                f"week {week}: {server.sent_in} mails in, {server.relay.count} out, {year.wall:.0f} s "
                f"({year.processor:.0f} s of processor)"
            )
        return year, findings(year)


@contextmanager
def no_print() -> Iterator[None]:
    """The typesetter is not there."""
    with patch("gm.club.zine.find_spec", lambda _name: None):
        yield
