"""Small signs for kinds of troops, on square counters."""

from __future__ import annotations

from gm.games.kit import svg
from gm.games.kit.plane import Point
from gm.games.kit.signs import INK, PAPER, at, contrast

SIZE = 17.0
"""Side of a counter."""

# Each is drawn in a square from -8 to 8; what is stroked and not filled comes second.
_SHAPES = {
    "army": ("M-5-5.5H5V0Q5 4.5 0 6.5Q-5 4.5-5 0Z", ""),
    "fleet": ("M-6.5 2H6.5Q5.5 6 2.5 6H-3Q-5.5 6-6.5 2ZM-0.6-6.5V1H-5.5ZM0.8-5V1H5.2Q4-3 0.8-5Z", ""),
    "axemen": ("M0.5-6.5Q6.5-5.5 6 1L1.5-2.5Z", "M-5 6.5L3-4"),
    "dragon": (
        "M0 6L-1-1Q-3-5-7.5-4Q-5-1.5-5.5 2.5Q-3 0-1 2.5ZM0 6L1-1Q3-5 7.5-4Q5-1.5 5.5 2.5Q3 0 1 2.5Z",
        "",
    ),
    "elvenship": (
        "M-7 1H2.5Q5.5-1 3-5.5Q5-7.5 7.5-4.5L5.6-4.6Q8.5 1 4.5 5.5H-4Q-6.5 4.5-7 1Z",
        "M-2.5 0V-6.5",
    ),
    "horsemen": ("M-3 6.5Q-3 1.5-4.5 0.5L-6.5-1.5L-2-4.8L-1-7L1-5.4Q6.5-3 5.5 6.5Z", ""),
    "ent": ("M-1.2 6.5V2.5Q-6.5 2.5-5.8-2Q-4.5-6.5 0-6.5Q4.5-6.5 5.8-2Q6.5 2.5 1.2 2.5V6.5Z", ""),
}
KINDS = tuple(_SHAPES)


def counter(point: Point, kind: str, colour: str, number: int | None = None, scale: float = 1.0) -> str:
    """A square counter in its owner's colour with the sign of a kind of troops, and how many they are if known."""
    filled, lines = _SHAPES[kind]
    mark, half = contrast(colour), SIZE / 2
    parts = [
        svg.el("rect", x=-half - 1.4, y=-half - 1.4, width=SIZE + 2.8, height=SIZE + 2.8, rx=3.5, fill=PAPER),
        svg.el(
            "rect",
            x=-half,
            y=-half,
            width=SIZE,
            height=SIZE,
            rx=2.5,
            fill=colour,
            stroke=INK,
            stroke_width=1.1,
        ),
        svg.el("path", d=filled, fill=mark),
    ]
    if lines:
        parts.append(svg.el("path", d=lines, stroke=mark, stroke_width=1.8, fill="none"))
    if number is not None:
        words = str(number)
        wide = 5.6 * len(words) + 3.4
        parts += [
            svg.el(
                "rect",
                x=half - wide + 3,
                y=half - 6,
                width=wide,
                height=10,
                rx=3,
                fill=PAPER,
                stroke=INK,
                stroke_width=0.7,
            ),
            svg.text(
                words,
                (half - wide / 2 + 3, half + 2.2),
                9,
                fill=INK,
                font_weight="bold",
                text_anchor="middle",
            ),
        ]
    return at(point, *parts, scale=scale)
