"""The printed sheet beneath the pieces: sea, land in the colours of its owners, borders, names, key."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from gm.games.diplomacy.chart import HEIGHT, WIDTH, Chart, chart
from gm.games.diplomacy.meta import BY_ID, POWERS
from gm.games.kit import arrows, hatch, signs, svg
from gm.games.kit.colour import lightness, mix
from gm.games.kit.plane import Point, bowed
from gm.games.kit.signs import INK
from gm.games.kit.words import fitted

PAPER = "#f3ead3"
WATER = "#cfe0e6"
RIPPLES = (("#bdd5df", 15.0), ("#cfe0e6", 11.5), ("#b4cfdb", 8.0), ("#cfe0e6", 5.0), ("#a9c8d6", 2.6))
SHUT = "#d8cdb4"
BORDER = "#7a6a55"
SEA_INK = "#3f6c86"
KEY_HEIGHT = 66
"""Height of the strip below the map."""


def tint(power: str) -> str:
    """The colour of a power's land."""
    colour = BY_ID[power].colour
    return mix(colour, PAPER, 0.42 if lightness(colour) > 0.55 else 0.45)


def pale(power: str) -> str:
    """The colour of land that a power only stands on."""
    return mix(BY_ID[power].colour, PAPER, 0.7)


def ground(owner: Mapping[str, str], holder: Mapping[str, str]) -> str:
    """The map without names and pieces.

    Args:
        owner: centre to the power that owns it.
        holder: province to the power whose unit stands in it.
    """
    here = chart()
    parts = [_water()]
    hatched = []
    for region in here.mesh.regions:
        if here.ground[region] == "land":
            power = owner.get(region)
            stands = holder.get(region) if here.spots[region].centre is None else None
            fill = tint(power) if power else pale(stands) if stands else PAPER
            parts.append(svg.el("use", href=f"#{region}", fill=fill))
            if power:
                hatched.append(svg.el("use", href=f"#{region}", fill=f"url(#hatch-{power})"))
    return "".join([*parts, *hatched, _lines()])


@cache
def _water() -> str:
    """Sea with ripples along the coasts, and the lands that belong to nobody."""
    here = chart()
    parts = [svg.el("rect", width=WIDTH, height=HEIGHT, fill=WATER)]
    parts += [
        svg.el("use", href="#shores", fill="none", stroke=colour, stroke_width=width, stroke_linejoin="round")
        for colour, width in RIPPLES
    ]
    dots = svg.el("path", d=_run(here, "sea"), stroke_dasharray="1.5 4", stroke_linecap="round")
    parts.append(svg.el("g", dots, fill="none", stroke=SEA_INK, stroke_width=1.1))
    shut = svg.ring_path(ring for region in ("SWI", "OFF") for ring in here.mesh.rings[region])
    parts.append(svg.el("path", d=shut, fill=SHUT))
    return "".join(parts)


def _run(here: Chart, kind: str) -> str:
    return "".join(svg.line_path(arc.line) for arc in here.mesh.arcs if here.kind(arc) == kind)


@cache
def _lines() -> str:
    """Lakes, straits, islands, borders and coasts."""
    here = chart()
    thin = {"fill": "none", "stroke_linejoin": "round", "stroke_linecap": "round"}
    straits = "".join(svg.line_path(line) for line in here.straits)
    islands = svg.ring_path(here.islands)
    return "".join(
        [
            svg.el("path", d=_run(here, "border"), stroke=BORDER, stroke_width=1.1, **thin),
            svg.el("path", d=svg.ring_path(here.lakes), fill=WATER, stroke=SEA_INK, stroke_width=0.7),
            svg.el("path", d=straits, stroke=INK, stroke_width=4.2, **thin),
            svg.el("path", d=islands, fill=SHUT),
            svg.el("use", href="#shores", stroke=INK, stroke_width=1.2, **thin),
            svg.el("path", d=straits, stroke=WATER, stroke_width=2.6, **thin),
            _alps(here),
        ]
    )


def _alps(here: Chart) -> str:
    middle = here.mesh.rings["SWI"][0]
    x = sum(p[0] for p in middle) / len(middle)
    y = sum(p[1] for p in middle) / len(middle)
    return "".join(
        signs.peak((x + dx, y + dy), 6.5) for dx, dy in ((-13, 4), (1, 0), (13, -4), (-5, 8), (9, 7))
    )


@cache
def names() -> str:
    """Names of provinces and seas."""
    here = chart()
    parts = []
    for region, spots in here.spots.items():
        sea = here.ground[region] == "sea"
        parts.append(
            svg.text(
                region,
                (spots.label[0], spots.label[1] + 4.4),
                12.5,
                fill=SEA_INK if sea else INK,
                font_weight=None if sea else "bold",
            )
        )
    return svg.el(
        "g",
        *parts,
        text_anchor="middle",
        stroke=PAPER,
        stroke_width=2.4,
        stroke_opacity="0.55",
        paint_order="stroke",
        stroke_linejoin="round",
    )


def centres(owner: Mapping[str, str]) -> str:
    """The supply centres."""
    return "".join(
        signs.supply_centre(spots.centre, BY_ID[owner[region]].colour if region in owner else None)
        for region, spots in chart().spots.items()
        if spots.centre
    )


def cartouche(title: str, subtitle: str) -> str:
    """The title plate in the upper left corner."""
    middle = {"text_anchor": "middle"}
    return "".join(
        [
            svg.el("rect", x=12, y=12, width=226, height=62, rx=3, fill=PAPER, stroke=INK, stroke_width=1.6),
            svg.el("rect", x=16, y=16, width=218, height=54, rx=2, fill="none", stroke=INK, stroke_width=0.6),
            svg.text(
                title, (125, 41), fitted(title, 208, 20, bold=True), fill=INK, font_weight="bold", **middle
            ),
            svg.text(subtitle, (125, 60), fitted(subtitle, 208, 12.5), fill=INK, **middle),
        ]
    )


def key(units: Mapping[str, int], owned: Mapping[str, int]) -> str:
    """The strip below the map: powers with their strength, and what the lines mean."""
    parts = [
        svg.el("rect", y=HEIGHT, width=WIDTH, height=KEY_HEIGHT, fill=PAPER),
        svg.el("path", d=f"M0 {HEIGHT}H{WIDTH}", stroke=INK, stroke_width=1.6),
    ]
    step = (WIDTH - 24) / len(POWERS)
    for number, power in enumerate(POWERS):
        x, y = 14 + number * step, HEIGHT + 10.0
        parts += [
            svg.el("rect", x=x, y=y, width=30, height=22, fill=tint(power.id), stroke=INK, stroke_width=1),
            svg.el("rect", x=x, y=y, width=30, height=22, fill=f"url(#hatch-{power.id})"),
            svg.el("rect", x=x, y=y, width=9, height=22, fill=power.colour, stroke=INK, stroke_width=1),
            svg.text(power.name, (x + 36, y + 9.5), 12.5, fill=INK, font_weight="bold"),
            svg.text(
                f"{_many(owned.get(power.id, 0), 'centre')}, {_many(units.get(power.id, 0), 'unit')}",
                (x + 36, y + 21.5),
                10.5,
                fill=INK,
            ),
        ]
    return "".join([*parts, _line_key(HEIGHT + 51.0)])


def _many(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


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


@cache
def definitions() -> str:
    """Shapes and patterns that `ground` and `key` refer to."""
    here = chart()
    outlines = [
        svg.el("path", id=region, d=svg.ring_path(here.mesh.rings[region]))
        for region in here.mesh.regions
        if here.ground[region] == "land"
    ]
    shores = svg.el("path", id="shores", d=_run(here, "coast") + svg.ring_path(here.islands))
    return svg.el("defs", hatch.patterns(tuple(power.id for power in POWERS), 0.15), shores, *outlines)
