"""Lines that tell what pieces did: arrows, supports, convoys."""

from __future__ import annotations

from collections.abc import Sequence

from gm.games.kit import svg
from gm.games.kit.plane import Line, Point, distance, trimmed, waved
from gm.games.kit.signs import INK


def stroke(line: Sequence[Point], colour: str, width: float, dash: str | None = None) -> str:
    """A coloured line with a thin dark edge, readable on any ground."""
    path = svg.line_path(line)
    edge = {"fill": "none", "stroke_linejoin": "round"}
    cap = "butt" if dash else "round"
    return svg.el(
        "path",
        d=path,
        stroke=INK,
        stroke_width=width + 1.8,
        stroke_dasharray=dash,
        stroke_linecap=cap,
        **edge,
    ) + svg.el(
        "path", d=path, stroke=colour, stroke_width=width, stroke_dasharray=dash, stroke_linecap=cap, **edge
    )


def arrow(line: Line, colour: str, width: float = 3.2, *, dash: str | None = None) -> str:
    """An arrow along a line, its tip at the line's end."""
    size = width * 3.4
    tip = line[-1]
    back = trimmed(line, 0.0, size * 0.85)
    foot = back[-1]
    run = distance(foot, tip) or 1.0
    ux, uy = (tip[0] - foot[0]) / run, (tip[1] - foot[1]) / run
    barb = (tip[0] - ux * size, tip[1] - uy * size)
    half = size * 0.55
    head = (tip, (barb[0] - uy * half, barb[1] + ux * half), foot, (barb[0] + uy * half, barb[1] - ux * half))
    return stroke(back, colour, width, dash) + svg.el(
        "path", d=svg.ring_path([head]), fill=colour, stroke=INK, stroke_width=1.2, stroke_linejoin="round"
    )


def support(line: Line, colour: str, *, cut: bool = False) -> str:
    """A thin line; a gap-toothed one when it was cut. `dot` marks its end, and lies above the arrows."""
    return stroke(line, colour, 1.5, "3.5 3" if cut else None)


def dot(point: Point, colour: str, radius: float = 3.4) -> str:
    """A small disc."""
    return svg.el("circle", cx=point[0], cy=point[1], r=radius, fill=colour, stroke=INK, stroke_width=1.1)


def convoy(line: Line, colour: str, *, failed: bool = False) -> str:
    """A wavy line."""
    return stroke(waved(line, 3.0, 13.0), colour, 1.5, "3.5 3" if failed else None)
