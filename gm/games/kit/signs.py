"""Signs that stand for pieces, towns and marks: each is drawn around a point, about 24 units wide."""

from __future__ import annotations

import math
from typing import Literal

from gm.games.kit import svg
from gm.games.kit.colour import lightness
from gm.games.kit.plane import Point
from gm.games.kit.words import width

INK = "#2a2420"
PAPER = "#fffdf5"
ALARM = "#d0021b"


def contrast(colour: str) -> str:
    """Ink or paper, whichever reads better on a colour."""
    return INK if lightness(colour) > 0.62 else PAPER


def at(point: Point, *parts: str, scale: float = 1.0, **attributes: str | float | None) -> str:
    """Parts drawn around the origin, moved to a point."""
    move = f"translate({svg.number(point[0])} {svg.number(point[1])})"
    if scale != 1.0:
        move += f" scale({scale:g})"
    return svg.el("g", *parts, transform=move, **attributes)


def army(point: Point, colour: str, scale: float = 1.0) -> str:
    """A round counter with a gun on it."""
    mark = contrast(colour)
    return at(
        point,
        svg.el("circle", r=12.4, fill=PAPER),
        svg.el("circle", r=11, fill=colour, stroke=INK, stroke_width=1.4),
        svg.el("path", d="M-2.5 1L6.6-4.4", stroke=mark, stroke_width=4, fill="none"),
        svg.el("path", d="M-1 2L-7.4 6", stroke=mark, stroke_width=2, fill="none"),
        svg.el("circle", cx=-0.6, cy=3, r=3.9, fill=colour, stroke=mark, stroke_width=1.7),
        svg.el("circle", cx=-0.6, cy=3, r=1.1, fill=mark),
        scale=scale,
    )


def fleet(point: Point, colour: str, scale: float = 1.0) -> str:
    """A ship under sail."""
    hull = "M-15 3.5L15 3.5Q12.5 11 6.5 11L-7.5 11Q-12.5 11-15 3.5Z"
    sails = "M-1.2-12.5L-1.2 2L-12 2ZM1.2-10L1.2 2L11.5 2Q9-6 1.2-10Z"
    ship = hull + sails
    return at(
        point,
        svg.el("path", d=ship, fill=PAPER, stroke=PAPER, stroke_width=4.4, stroke_linejoin="round"),
        svg.el("path", d=ship, fill=colour, stroke=INK, stroke_width=1.3, stroke_linejoin="round"),
        scale=scale,
    )


def supply_centre(point: Point, colour: str | None) -> str:
    """A ringed dot, filled with its owner's colour."""
    return at(
        point,
        svg.el("circle", r=4.6, fill=PAPER, stroke=INK, stroke_width=1.2),
        svg.el("circle", r=2.5, fill=colour or INK),
    )


def cross_mark(point: Point, colour: str = ALARM, size: float = 5.0) -> str:
    """An X: it failed, or it is gone."""
    d = f"M{-size:g} {-size:g}L{size:g} {size:g}M{-size:g} {size:g}L{size:g} {-size:g}"
    return at(
        point,
        svg.el("path", d=d, stroke=PAPER, stroke_width=5.4, stroke_linecap="round"),
        svg.el("path", d=d, stroke=colour, stroke_width=2.8, stroke_linecap="round"),
    )


def burst(point: Point, colour: str = ALARM, size: float = 8.0) -> str:
    """A star of eight points: a clash."""
    points = []
    for step in range(16):
        radius = size if step % 2 == 0 else size * 0.45
        turn = math.pi * step / 8
        points.append(f"{svg.number(radius * math.sin(turn))},{svg.number(-radius * math.cos(turn))}")
    return at(point, svg.el("polygon", points=" ".join(points), fill=colour, stroke=PAPER, stroke_width=1.4))


def ring(point: Point, colour: str, radius: float = 15.0, *, dashed: bool = False) -> str:
    """A ring around a piece."""
    dash = "4 2.6" if dashed else None
    return at(
        point,
        svg.el("circle", r=radius, fill="none", stroke=PAPER, stroke_width=4.6),
        svg.el("circle", r=radius, fill="none", stroke=colour, stroke_width=2.4, stroke_dasharray=dash),
    )


def badge(point: Point, words: str, colour: str, size: float = 9.0) -> str:
    """A small round plate with a letter or number."""
    return at(
        point,
        svg.el("circle", r=size * 0.78, fill=colour, stroke=PAPER, stroke_width=1.4),
        svg.text(
            words, (0, size * 0.36), size, fill=contrast(colour), font_weight="bold", text_anchor="middle"
        ),
    )


def peak(point: Point, size: float = 6.0) -> str:
    """A little mountain with a shaded side."""
    x, y = point
    left, right = (x - size, y + size * 0.7), (x + size, y + size * 0.7)
    top = (x, y - size * 0.8)
    return svg.el(
        "path", d=svg.ring_path([(left, top, right)]), fill=PAPER, stroke=INK, stroke_width=0.9
    ) + svg.el("path", d=svg.ring_path([(top, right, (x + size * 0.15, y + size * 0.7))]), fill="#6b5f52")


PlateShape = Literal["square", "pennant", "lozenge", "round"]


def plate(
    point: Point,
    words: str,
    colour: str,
    shape: PlateShape = "square",
    *,
    size: float = 11.5,
    dash: str | None = None,
    secret: bool = False,
) -> str:
    """A counter that says what it is in letters; `plate_width` tells how wide it is.

    Args:
        dash: for pieces that nobody moves.
        secret: ringed, for pieces that only the reader knows.
    """
    half, high = plate_width(words, size) / 2, size * 0.78
    outline = {
        "square": f"M{-half:.1f} {-high:.1f}H{half:.1f}V{high:.1f}H{-half:.1f}Z",
        "pennant": f"M{-half:.1f} {-high:.1f}H{half + 4:.1f}L{half:.1f} 0L{half + 4:.1f} {high:.1f}H{-half:.1f}Z",
        "lozenge": f"M{-half - 4:.1f} 0L{-half + 2:.1f} {-high - 1:.1f}H{half - 2:.1f}L{half + 4:.1f} 0L{half - 2:.1f} "
        f"{high + 1:.1f}H{-half + 2:.1f}Z",
        "round": f"M{-half:.1f} {high:.1f}A{high:.1f} {high:.1f} 0 0 1 {-half:.1f} {-high:.1f}H{half:.1f}"
        f"A{high:.1f} {high:.1f} 0 0 1 {half:.1f} {high:.1f}Z",
    }[shape]
    mark = contrast(colour)
    parts = [svg.el("path", d=outline, fill=PAPER, stroke=PAPER, stroke_width=4.2, stroke_linejoin="round")]
    if secret:
        parts.append(
            svg.el("path", d=outline, fill="none", stroke=ALARM, stroke_width=5.4, stroke_dasharray="3 2")
        )
    parts += [
        svg.el("path", d=outline, fill=colour, stroke=INK, stroke_width=1.3, stroke_dasharray=dash),
        svg.text(words, (0, size * 0.36), size, fill=mark, font_weight="bold", text_anchor="middle"),
    ]
    return at(point, *parts)


def plate_width(words: str, size: float = 11.5) -> float:
    """Width of a `plate`, its points left out."""
    return max(size * 1.5, width(words, size, bold=True) + size * 0.7)


def tower(point: Point, colour: str | None = None) -> str:
    """A fortress."""
    walls = "M-5 6V-2.5H-6.2V-7H-3.6V-5H-1.3V-7H1.3V-5H3.6V-7H6.2V-2.5H5V6Z"
    gate = "M-1.7 6V2.6A1.7 1.7 0 0 1 1.7 2.6V6Z"
    return at(
        point,
        svg.el("path", d=walls, fill=PAPER, stroke=PAPER, stroke_width=3.2, stroke_linejoin="round"),
        svg.el("path", d=walls, fill=colour or PAPER, stroke=INK, stroke_width=1.1, stroke_linejoin="round"),
        svg.el("path", d=gate, fill=INK),
    )
