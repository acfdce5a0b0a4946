"""Signs that stand for pieces, towns and marks: each is drawn around a point, about 24 units wide."""

from __future__ import annotations

import math

from gm.games.kit import svg
from gm.games.kit.colour import lightness
from gm.games.kit.plane import Point

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
