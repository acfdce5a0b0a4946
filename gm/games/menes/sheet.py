"""The printed sheet: provinces in the colours of their owners, seas with letters, cities, bridges, canals, key."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from gm.games.kit import arrows, glyphs, paper, signs, svg
from gm.games.kit.plane import Line, Point, bowed
from gm.games.kit.signs import INK
from gm.games.kit.words import fitted, width
from gm.games.menes.board import CITIES, SPACES
from gm.games.menes.chart import chart
from gm.games.menes.model import is_sea
from gm.games.menes.powers import COLOURS, POWER_LIST

BANNER = 46.0
"""Height of the title strip."""
KEY = 92.0
"""Height of the strip below the map."""
NUMBER_SIZE = 13.0
KIND_NAMES = {
    "army": "army",
    "fleet": "fleet",
    "axemen": "axemen",
    "dragon": "dragon",
    "elvenship": "elven ship",
    "horsemen": "horsemen",
    "ent": "ent",
}


def page(title: str, subtitle: str, data: Mapping[str, Any], above: str) -> str:
    """The whole picture: the position in the data of a view, with counters and arrows in `above`."""
    here = chart()
    wide, high = here.size
    owner = {place: power for place, power in data["owners"].items() if power}
    return svg.document(
        wide,
        BANNER + high + KEY,
        f"{title}. {subtitle}",
        here.definitions([power.id for power in POWER_LIST]),
        svg.el(
            "g",
            here.painted({place: paper.tint(COLOURS[power]) for place, power in owner.items()}, owner),
            _crossings(),
            _claims(data["claims"]),
            _names(),
            _cities(owner),
            above,
            transform=f"translate(0 {svg.number(BANNER)})",
        ),
        paper.banner(wide, BANNER, title, subtitle),
        _key(BANNER + high, wide, data),
        paper.frame(wide, BANNER + high + KEY),
    )


@cache
def _crossings() -> str:
    return "".join([*map(_canal, chart().canals), *map(_bridge, chart().bridges)])


def _canal(line: Line) -> str:
    d = svg.line_path(line)
    return svg.el("path", d=d, stroke=INK, stroke_width=6.4) + svg.el(
        "path", d=d, stroke=paper.WATER, stroke_width=4
    )


def _bridge(line: Line) -> str:
    d = svg.line_path(line)
    return "".join(
        [
            svg.el("path", d=d, stroke=INK, stroke_width=8.4),
            svg.el("path", d=d, stroke=paper.PAPER, stroke_width=5.8),
            svg.el("path", d=d, stroke=paper.ROCK, stroke_width=5.8, stroke_dasharray="1.4 2.4"),
        ]
    )


def _claims(claims: Mapping[str, str]) -> str:
    """A ring in its owner's colour around the letter of a sea that one power alone holds."""
    parts = []
    for sea, power in claims.items():
        x, y = chart().blocks[sea].label
        parts.append(
            svg.el("circle", cx=x, cy=y, r=10.5, fill=paper.tint(COLOURS[power]), stroke=INK, stroke_width=1)
        )
    return "".join(parts)


@cache
def _names() -> str:
    parts = []
    for place, space in SPACES.items():
        x, y = chart().blocks[place].label
        sea = is_sea(place)
        parts.append(paper.name(place, (x, y), NUMBER_SIZE, sea=sea))
        fill = paper.SEA_INK if sea else INK
        size = fitted(space.name, chart().blocks[place].room, 8.5)
        parts.append(svg.text(space.name, (x, y + 14), size, fill=fill, stroke_width=2.0))
    return paper.names(parts)


def city(at: Point, kind: str, colour: str | None, scale: float = 1.0) -> str:
    """A square for a power's city, a circle for a free one."""
    fill = colour or signs.PAPER
    dot = svg.el("circle", r=1.6, fill=signs.contrast(fill))
    edge = {"fill": fill, "stroke": INK}
    if kind == "player_city":
        return signs.at(
            at, svg.el("rect", x=-5, y=-5, width=10, height=10, stroke_width=1.4, **edge), dot, scale=scale
        )
    return signs.at(at, svg.el("circle", r=5, stroke_width=1.4, **edge), dot, scale=scale)


def _cities(owner: Mapping[str, str]) -> str:
    """Cities stand left of the number."""
    parts = []
    for place in CITIES:
        x, y = chart().blocks[place].label
        left = x - width(place, NUMBER_SIZE, bold=True) / 2 - 9
        parts.append(city((left, y), SPACES[place].kind, COLOURS[owner[place]] if place in owner else None))
    return "".join(parts)


# --- key ------------------------------------------------------------------------------------------------


def _key(top: float, wide: float, data: Mapping[str, Any]) -> str:
    step = (wide - 20) / len(POWER_LIST)
    entries = []
    for number, power in enumerate(POWER_LIST):
        cities, lands = data["cities"][power.id], data["provinces"][power.id]
        words = f"{paper.many(data['points'][power.id], 'point')}: {cities} cities, {lands} lands"
        at = (14 + number * step, top + 10)
        entries.append(paper.swatch(at, power.id, power.colour, (power.name, words)))
    return "".join([paper.strip(top, wide, KEY), *entries, _signs(top + KEY - 44), _lines(top + KEY - 18)])


@cache
def _signs(y: float) -> str:
    grey = "#e4dccb"
    parts = []
    x = 24.0
    for kind in glyphs.KINDS:
        words = KIND_NAMES[kind]
        parts += [glyphs.counter((x, y), kind, grey), svg.text(words, (x + 14, y + 4), 11, fill=INK)]
        x += 36 + width(words, 11)
    parts += [
        glyphs.counter((x, y), "army", grey, 3),
        svg.text("your own, with their number", (x + 14, y + 4), 11, fill=INK),
    ]
    return "".join(parts)


@cache
def _lines(y: float) -> str:
    grey = "#d8d0c0"
    way = bowed((400, y), (432, y), 0.0, 4)
    samples = (
        (city((24, y), "player_city", None), 35, "home city"),
        (city((112, y), "free_city", None), 123, "free city"),
        (_bridge(((196, y), (218, y))), 225, "bridge"),
        (_canal(((282, y), (304, y))), 311, "canal"),
        (arrows.arrow(way, grey), 440, "moved"),
        (signs.burst((506, y), size=7), 518, "battle"),
        (
            svg.el("circle", cx=580, cy=y, r=8, fill=grey, stroke=INK, stroke_width=1),
            594,
            "sea held by one power",
        ),
    )
    return "".join(sign + svg.text(words, (x, y + 4), 11, fill=INK) for sign, x, words in samples)
