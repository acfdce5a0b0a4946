"""The printed sheet: land in the colours of its owners, mountains, fortresses, names, key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from gm.games.kit import arrows, paper, signs, svg
from gm.games.kit.plane import Point, bowed
from gm.games.kit.signs import INK
from gm.games.kit.words import fitted, width
from gm.games.necromancer.board import the_board
from gm.games.necromancer.chart import chart
from gm.games.necromancer.powers import BY_ID, POWERS

BANNER = 46.0
"""Height of the title strip."""
KEY = 108.0
"""Height of the strip below the map."""
NAME_SIZE = 12.5


def page(
    title: str,
    subtitle: str,
    *,
    owner: Mapping[str, str],
    holder: Mapping[str, str],
    alignment: Mapping[str, str],
    scores: Sequence[Mapping[str, Any]],
    victory: int,
    above: str,
) -> str:
    """The whole picture.

    Args:
        owner: centre to the power that owns it.
        holder: place to the power whose units stand in it.
        alignment: province to ``"good"`` or ``"evil"``, where that counts.
        scores: rows of power, count, centres and armies.
        above: counters and arrows, in the coordinates of the map.
    """
    here = chart()
    wide, high = here.size
    land = {place for place, ground in here.ground.items() if ground == "land"}
    fills = {
        place: paper.pale(BY_ID[power].colour)
        for place, power in holder.items()
        if place in land and power in BY_ID and not the_board()[place].centre
    }
    fills |= {place: paper.tint(BY_ID[power].colour) for place, power in owner.items()}
    fills |= dict.fromkeys(the_board().offboard, paper.SHUT)
    hatched = {place: power for place, power in owner.items() if place in land}
    return svg.document(
        wide,
        BANNER + high + KEY,
        f"{title}. {subtitle}",
        here.definitions([power.id for power in POWERS]),
        svg.el(
            "g",
            here.painted(fills, hatched),
            _walls(),
            _names(),
            _sites(owner),
            _alignments(alignment),
            above,
            transform=f"translate(0 {svg.number(BANNER)})",
        ),
        paper.banner(wide, BANNER, title, subtitle),
        _key(BANNER + high, wide, scores, victory),
        paper.frame(wide, BANNER + high + KEY),
    )


@cache
def _walls() -> str:
    lines = sorted(chart().walls, key=lambda line: min(point[1] for point in line))
    return "".join(paper.mountains(line) for line in lines)


@cache
def _names() -> str:
    parts = []
    for province in the_board().provinces:
        x, y = chart().blocks[province.id].label
        sea = province.kind == "sea"
        parts.append(paper.name(province.id, (x, y), NAME_SIZE, sea=sea))
        parts.append(
            svg.text(
                province.name,
                (x, y + 14),
                fitted(province.name, chart().blocks[province.id].room, 8.5),
                fill=paper.SEA_INK if sea else INK,
                stroke_width=2.0,
            )
        )
    return paper.names(parts)


def _sites(owner: Mapping[str, str]) -> str:
    """Fortresses left of the abbreviation, supply centres right of it."""
    parts = []
    for province in the_board().provinces:
        x, y = chart().blocks[province.id].label
        half = width(province.id, NAME_SIZE, bold=True) / 2 + 10
        colour = BY_ID[owner[province.id]].colour if province.id in owner else None
        if province.fortress:
            parts.append(signs.tower((x - half, y), paper.tint(colour) if colour else None))
        if province.centre:
            parts.append(signs.supply_centre((x + half - 1, y), colour))
    return "".join(parts)


def _alignments(alignment: Mapping[str, str]) -> str:
    """A light or dark disc where the land takes sides (21)."""
    colours = {"good": "#ffffff", "evil": INK, "neutral": paper.SHUT}
    parts = []
    for place, side in alignment.items():
        x, y = chart().blocks[place].label
        parts.append(
            svg.el("circle", cx=x + 30, cy=y, r=3.6, fill=colours[side], stroke=INK, stroke_width=1.2)
        )
    return "".join(parts)


# --- key ------------------------------------------------------------------------------------------------


def _key(top: float, wide: float, scores: Sequence[Mapping[str, Any]], victory: int) -> str:
    step = (wide - 20) / 4
    entries = []
    for number, row in enumerate(scores):
        power = BY_ID[row["power"]]
        holds = paper.many(row["centres"], "centre")
        armies = f"{row['armies']} {'army' if row['armies'] == 1 else 'armies'}"
        words = f"{row['count']} of {victory}: {holds}, {armies}"
        at = (14 + number % 4 * step, top + 10 + number // 4 * 31)
        entries.append(paper.swatch(at, power.id, power.colour, (power.name, words)))
    return "".join([paper.strip(top, wide, KEY), *entries, _line_key(top + KEY - 18)])


@cache
def _line_key(y: float) -> str:
    grey = "#d8d0c0"

    def way(x: float) -> tuple[Point, ...]:
        return bowed((x, y), (x + 30, y), 0.0, 4)

    samples = (
        (signs.tower((20, y)), 32, "fortress"),
        (signs.supply_centre((92, y), None), 102, "centre"),
        (signs.plate((164, y), "3A/E", grey, size=10), 184, "3 armies, engine"),
        (signs.plate((290, y), "A", "#a8a59c", size=10, dash="2.4 1.6"), 302, "standing"),
        (arrows.arrow(way(358), grey), 394, "moved"),
        (arrows.arrow(way(442), grey, dash="6 3.5"), 478, "failed"),
        (signs.burst((528, y), size=7), 540, "bounced"),
        (arrows.support(way(598), grey) + arrows.dot((628, y), grey), 636, "support"),
        (arrows.support(way(690), grey, cut=True) + arrows.dot((720, y), grey), 728, "cut"),
        (signs.ring((765, y), signs.ALARM, 8, dashed=True), 778, "driven out"),
        (signs.cross_mark((848, y), size=4), 857, "gone"),
        (signs.peak((902, y - 1), 6.5), 914, "mountains"),
    )
    return "".join(sign + svg.text(words, (x, y + 4), 11, fill=INK) for sign, x, words in samples)
