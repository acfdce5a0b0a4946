"""The printed sheet beneath the pieces: sea, land in the colours of its owners, borders, names, key."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from gm.games.diplomacy.chart import HEIGHT, WIDTH, chart
from gm.games.diplomacy.meta import BY_ID, POWERS
from gm.games.kit import arrows, paper, signs, svg
from gm.games.kit.plane import Point, bowed
from gm.games.kit.signs import INK

KEY_HEIGHT = 66
"""Height of the strip below the map."""


def ground(owner: Mapping[str, str], holder: Mapping[str, str]) -> str:
    """The map without names and pieces.

    Args:
        owner: centre to the power that owns it.
        holder: province to the power whose unit stands in it.
    """
    here = chart()
    fills = {
        region: paper.pale(BY_ID[holder[region]].colour)
        for region, spots in here.spots.items()
        if region in holder and spots.centre is None
    }
    fills |= {region: paper.tint(BY_ID[power].colour) for region, power in owner.items()}
    powers = [power.id for power in POWERS]
    return here.definitions(powers) + here.painted(fills, owner) + _alps()


@cache
def _alps() -> str:
    ring = chart().mesh.rings["SWI"][0]
    x = sum(p[0] for p in ring) / len(ring)
    y = sum(p[1] for p in ring) / len(ring)
    return "".join(
        signs.peak((x + dx, y + dy), 6.5) for dx, dy in ((-13, 4), (1, 0), (13, -4), (-5, 8), (9, 7))
    )


@cache
def names() -> str:
    """Names of provinces and seas."""
    here = chart()
    return paper.names(
        [
            paper.name(region, spots.label, sea=here.ground[region] == "sea")
            for region, spots in here.spots.items()
        ]
    )


def centres(owner: Mapping[str, str]) -> str:
    """The supply centres."""
    return "".join(
        signs.supply_centre(spots.centre, BY_ID[owner[region]].colour if region in owner else None)
        for region, spots in chart().spots.items()
        if spots.centre
    )


def key(units: Mapping[str, int], owned: Mapping[str, int]) -> str:
    """The strip below the map: powers with their strength, and what the lines mean."""
    step = (WIDTH - 24) / len(POWERS)
    entries = []
    for number, power in enumerate(POWERS):
        strength = (
            f"{paper.many(owned.get(power.id, 0), 'centre')}, {paper.many(units.get(power.id, 0), 'unit')}"
        )
        at = (14 + number * step, HEIGHT + 10.0)
        entries.append(paper.swatch(at, power.id, power.colour, (power.name, strength)))
    return "".join([paper.strip(HEIGHT, WIDTH, KEY_HEIGHT), *entries, _line_key(HEIGHT + 51.0)])


@cache
def _line_key(y: float) -> str:
    grey = "#d8d0c0"

    def way(x: float) -> tuple[Point, ...]:
        return bowed((x, y), (x + 34, y), 0.0, 4)

    samples = (
        (signs.army((24, y), grey, 0.72), "army"),
        (signs.fleet((104, y), grey, 0.72), "fleet"),
        (arrows.arrow(way(172), grey), "moved"),
        (arrows.arrow(way(288), grey, dash="6 3.5"), "failed"),
        (signs.burst((402, y), size=7), "bounced"),
        (arrows.support(way(476), grey) + arrows.dot((510, y), grey), "support"),
        (arrows.support(way(590), grey, cut=True) + arrows.dot((624, y), grey), "cut or void"),
        (arrows.convoy(way(722), grey), "convoy"),
        (signs.ring((838, y), signs.ALARM, 8), "dislodged"),
        (signs.cross_mark((930, y), size=4), "gone"),
    )
    at = (36, 122, 212, 328, 414, 516, 630, 762, 852, 940)
    return "".join(
        sign + svg.text(words, (x, y + 4), 11, fill=INK) for (sign, words), x in zip(samples, at, strict=True)
    )
