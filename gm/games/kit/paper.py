"""A printed map: the terrain of a sheet, tinted land, ripples along the coasts, walls of mountains, title and frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from gm.games.kit import hatch, signs, svg
from gm.games.kit.colour import lightness, mix
from gm.games.kit.mesh import Arc, Mesh
from gm.games.kit.plane import Line, Point, Ring, along, length, thinned
from gm.games.kit.signs import INK
from gm.games.kit.words import fitted

PAPER = "#f3ead3"
WATER = "#cfe0e6"
RIPPLES = (("#bdd5df", 15.0), ("#cfe0e6", 11.5), ("#b4cfdb", 8.0), ("#cfe0e6", 5.0))
SHUT = "#d8cdb4"
BORDER = "#7a6a55"
SEA_INK = "#3f6c86"
ROCK = "#8a7358"

Ground = Literal["land", "sea", "shut", "edge"]
"""shut: land that nobody can enter; edge: not on the sheet."""


def tint(colour: str) -> str:
    """The colour of the land of a power with the given colour."""
    return mix(colour, PAPER, 0.42 if lightness(colour) > 0.55 else 0.45)


def pale(colour: str) -> str:
    """The colour of land on which a power only stands."""
    return mix(colour, PAPER, 0.7)


@dataclass(frozen=True, kw_only=True)
class Terrain:
    """Land and water of one sheet."""

    size: tuple[float, float]
    mesh: Mesh
    ground: Mapping[str, Ground]
    islands: tuple[Ring, ...] = ()
    lakes: tuple[Ring, ...] = ()
    straits: tuple[Line, ...] = ()

    def kind(self, arc: Arc) -> Literal["coast", "sea", "border", "edge"]:
        """What an arc is: land meets sea, sea meets sea, land meets land, or the edge of the sheet."""
        grounds = {self.ground[region] for region in arc.regions}
        if "edge" in grounds:
            return "edge"
        if "sea" not in grounds:
            return "border"
        return "sea" if grounds == {"sea"} else "coast"

    def definitions(self, powers: Sequence[str]) -> str:
        """Shapes and patterns that the other parts refer to; it must come first in a picture."""
        return svg.el("defs", hatch.patterns(tuple(powers)), self._shapes)

    @cached_property
    def _shapes(self) -> str:
        outlines = [
            svg.el("path", id=region, d=svg.ring_path(self.mesh.rings[region]))
            for region in self.mesh.regions
            if self.ground[region] == "land"
        ]
        shores = svg.el("path", id="shores", d=self._run("coast") + svg.ring_path(self.islands))
        # Ripples are drawn of a simpler line: broad strokes along every little bend took half the time of a picture.
        coasts = [thinned(arc.line, 1.2) for arc in self.mesh.arcs if self.kind(arc) == "coast"]
        simple = "".join(map(svg.line_path, coasts)) + svg.ring_path(self.islands)
        return shores + svg.el("path", id="ripples", d=simple) + "".join(outlines)

    def _run(self, kind: str) -> str:
        return "".join(svg.line_path(arc.line) for arc in self.mesh.arcs if self.kind(arc) == kind)

    def painted(self, fills: Mapping[str, str], hatched: Mapping[str, str]) -> str:
        """The map without names and pieces.

        Args:
            fills: region to the colour of its land; others are bare paper.
            hatched: region to the power whose pattern it bears.
        """
        land = [region for region in self.mesh.regions if self.ground[region] == "land"]
        parts = [self._water]
        parts += [svg.el("use", href=f"#{region}", fill=fills.get(region, PAPER)) for region in land]
        parts += [
            svg.el("use", href=f"#{region}", fill=f"url(#hatch-{hatched[region]})")
            for region in land
            if region in hatched
        ]
        return "".join([*parts, self._lines])

    @cached_property
    def _water(self) -> str:
        """Sea with ripples along the coasts, and the lands that belong to nobody."""
        parts = [svg.el("rect", width=self.size[0], height=self.size[1], fill=WATER)]
        parts += [
            svg.el(
                "use", href="#shores", fill="none", stroke=colour, stroke_width=width, stroke_linejoin="round"
            )
            for colour, width in RIPPLES
        ]
        dots = svg.el("path", d=self._run("sea"), stroke_dasharray="1.5 4", stroke_linecap="round")
        parts.append(svg.el("g", dots, fill="none", stroke=SEA_INK, stroke_width=1.1))
        shut = [region for region in self.mesh.regions if self.ground[region] == "shut"]
        rings = [ring for region in shut for ring in self.mesh.rings[region]]
        parts.append(svg.el("path", d=svg.ring_path(rings), fill=SHUT))
        return "".join(parts)

    @cached_property
    def _lines(self) -> str:
        """Lakes, straits, islands, borders and coasts."""
        thin = {"fill": "none", "stroke_linejoin": "round", "stroke_linecap": "round"}
        straits = "".join(svg.line_path(line) for line in self.straits)
        return "".join(
            [
                svg.el("path", d=self._run("border"), stroke=BORDER, stroke_width=1.1, **thin),
                svg.el("path", d=svg.ring_path(self.lakes), fill=WATER, stroke=SEA_INK, stroke_width=0.7),
                svg.el("path", d=straits, stroke=INK, stroke_width=4.2, **thin),
                svg.el("path", d=svg.ring_path(self.islands), fill=SHUT),
                svg.el("use", href="#shores", stroke=INK, stroke_width=1.2, **thin),
                svg.el("path", d=straits, stroke=WATER, stroke_width=2.6, **thin),
            ]
        )


def mountains(line: Line, spacing: float = 15.0) -> str:
    """A border that is a wall of mountains: a broad band with a row of peaks on it."""
    band = svg.el(
        "path",
        d=svg.line_path(line),
        fill="none",
        stroke=ROCK,
        stroke_width=6,
        stroke_opacity="0.75",
        stroke_linecap="round",
        stroke_linejoin="round",
    )
    count = max(2, round(length(line) / spacing))
    tops = [along(line, (number + 0.5) / count) for number in range(count)]
    return band + "".join(signs.peak(top, 6.5) for top in sorted(tops, key=lambda top: top[1]))


def name(words: str, at: Point, size: float = 12.5, *, sea: bool = False) -> str:
    """The name of a region around a point; see `names`."""
    return svg.text(
        words,
        (at[0], at[1] + size * 0.35),
        size,
        fill=SEA_INK if sea else INK,
        font_weight=None if sea else "bold",
    )


def names(parts: Sequence[str]) -> str:
    """A layer of names, with a halo that keeps them readable on lines and patterns."""
    return svg.el(
        "g",
        *parts,
        text_anchor="middle",
        stroke=PAPER,
        stroke_width=2.4,
        stroke_opacity="0.8",
        paint_order="stroke",
        stroke_linejoin="round",
    )


def cartouche(corner: Point, size: tuple[float, float], title: str, subtitle: str) -> str:
    """A title plate; `corner` is its upper left."""
    (x, y), (width, height) = corner, size
    room = width - 18
    lines = [
        svg.text(
            title, (x + width / 2, y + height * 0.47), fitted(title, room, 20, bold=True), font_weight="bold"
        ),
        svg.text(subtitle, (x + width / 2, y + height * 0.78), fitted(subtitle, room, 12.5)),
    ]
    outer: dict[str, str | float] = {"x": x, "y": y, "width": width, "height": height, "stroke": INK}
    inner: dict[str, str | float] = {
        "x": x + 4,
        "y": y + 4,
        "width": width - 8,
        "height": height - 8,
        "stroke": INK,
    }
    return "".join(
        [
            svg.el("rect", **outer, rx=3, fill=PAPER, stroke_width=1.6),
            svg.el("rect", **inner, rx=2, fill="none", stroke_width=0.6),
            svg.el("g", *lines, fill=INK, text_anchor="middle"),
        ]
    )


def banner(width: float, height: float, title: str, subtitle: str) -> str:
    """A title strip above the map."""
    base = height * 0.66
    left = svg.text(
        title, (16, base), fitted(title, width * 0.55, 24, bold=True), fill=INK, font_weight="bold"
    )
    small = fitted(subtitle, width * 0.38, 14)
    right = svg.text(subtitle, (width - 16, base), small, fill=INK, text_anchor="end")
    line = svg.el("path", d=f"M0 {svg.number(height)}H{svg.number(width)}", stroke=INK, stroke_width=1.6)
    return svg.el("rect", width=width, height=height, fill=PAPER) + left + right + line


def swatch(at: Point, power: str, colour: str, words: tuple[str, str]) -> str:
    """An entry of the key: a power's colours and pattern, its name and a line on its strength."""
    x, y = at
    box = {"x": x, "y": y, "height": 22.0}
    return "".join(
        [
            svg.el("rect", **box, width=30, fill=tint(colour), stroke=INK, stroke_width=1),
            svg.el("rect", **box, width=30, fill=f"url(#hatch-{power})"),
            svg.el("rect", **box, width=9, fill=colour, stroke=INK, stroke_width=1),
            svg.text(words[0], (x + 36, y + 9.5), 12.5, fill=INK, font_weight="bold"),
            svg.text(words[1], (x + 36, y + 21.5), 10.5, fill=INK),
        ]
    )


def strip(top: float, width: float, height: float) -> str:
    """A blank strip across the sheet, for the key."""
    return svg.el("rect", y=top, width=width, height=height, fill=PAPER) + svg.el(
        "path", d=f"M0 {svg.number(top)}H{svg.number(width)}", stroke=INK, stroke_width=1.6
    )


def frame(width: float, height: float) -> str:
    """The line around the whole sheet."""
    return svg.el(
        "rect",
        x=0.8,
        y=0.8,
        width=width - 1.6,
        height=height - 1.6,
        fill="none",
        stroke=INK,
        stroke_width=1.6,
    )


def many(count: int, word: str) -> str:
    """``"1 unit"``, ``"3 units"``."""
    return f"{count} {word}{'' if count == 1 else 's'}"
