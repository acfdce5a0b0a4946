"""The picture of a position as its reader knows it: owners, cities, kinds of troops, and the moves that were seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gm.games.api import Event, Reading, View
from gm.games.kit import arrows, glyphs, signs
from gm.games.kit.plane import Point, bowed, trimmed
from gm.games.menes import sheet
from gm.games.menes.chart import chart
from gm.games.menes.powers import COLOURS

STEP = 20.5
"""From one counter to the next."""
ROOM = 13.0
"""How far from the middle of a region's counters a move starts or stops."""
FIGHTS = ("battle", "flyover", "natives")


def draw(view: View, reading: Reading | None) -> str:
    """See `gm.games.api.Ruleset.draw`."""
    data = view.data
    events = reading.events if reading else ()
    title, subtitle = view.phase.title, "Middle-Earth Never Ending Story"
    if reading is not None and reading.phase.name != view.phase.name:
        title, subtitle = reading.phase.title, f"Next: {view.phase.title}"
    own = data["own"]["units"] if data["own"] else {}
    above = [*_moves(events), *_counters(data["units"], view.power, own), *_fights(events)]
    return sheet.page(title, subtitle, data, "".join(above))


def _moves(events: Sequence[Event]) -> list[str]:
    """An arrow for each power's steps between two places, once for all its troops."""
    steps: dict[tuple[str, str, str], None] = {}
    for event in events:
        if event.kind in ("move", "takeoff"):
            step = (str(event.data["power"]), str(event.data["place"]), str(event.data["to"]))
            if step[1] != step[2] and {step[1], step[2]} <= chart().blocks.keys():
                steps[step] = None
    beside: dict[frozenset[str], int] = {}
    parts = []
    for power, start, goal in steps:
        pair = frozenset((start, goal))
        beside[pair] = beside.get(pair, 0) + 1
        line = trimmed(
            bowed(chart().blocks[start].units, chart().blocks[goal].units, 0.07 * beside[pair]), 5, ROOM
        )
        parts += [
            arrows.dot(chart().blocks[start].units, COLOURS[power], 3.0),
            arrows.arrow(line, COLOURS[power], 2.8),
        ]
    return parts


def _counters(
    units: Mapping[str, Mapping[str, Sequence[str]]], reader: str | None, own: Mapping[str, Mapping[str, int]]
) -> list[str]:
    """A row of counters for each power in a place; three at most side by side."""
    parts = []
    for place, powers in units.items():
        x, y = chart().blocks[place].units
        rows = [
            [(power, kind) for kind in kinds[start : start + 3]]
            for power, kinds in powers.items()
            for start in range(0, len(kinds), 3)
        ]
        for depth, row in enumerate(rows):
            for column, (power, kind) in enumerate(row):
                at: Point = (x + (column - (len(row) - 1) / 2) * STEP, y + depth * STEP)
                number = own.get(place, {}).get(kind) if power == reader else None
                parts.append(glyphs.counter(at, kind, COLOURS[power], number))
    return parts


def _fights(events: Sequence[Event]) -> list[str]:
    places = dict.fromkeys(str(event.data["place"]) for event in events if event.kind in FIGHTS)
    spots = [chart().blocks[place].units for place in places if place in chart().blocks]
    return [signs.burst((x + 17, y - 11), size=9) for x, y in spots]
