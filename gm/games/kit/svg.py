"""SVG text: elements, paths and numbers, escaped and always the same for the same values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape, quoteattr

from gm.games.kit.plane import Point

FONTS = "DejaVu Sans, Verdana, sans-serif"


def number(value: float) -> str:
    """A number to a tenth, as short as it gets."""
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")


def el(name: str, *children: str, **attributes: str | float | None) -> str:
    """An element. ``stroke_width`` becomes ``stroke-width``; attributes that are None are left out.

    Children are SVG already: text must come from `text`.
    """
    words = "".join(
        f" {key.rstrip('_').replace('_', '-')}={quoteattr(value if isinstance(value, str) else number(value))}"
        for key, value in attributes.items()
        if value is not None
    )
    inner = "".join(children)
    return f"<{name}{words}>{inner}</{name}>" if inner else f"<{name}{words}/>"


def text(words: str, at: Point, size: float, **attributes: str | float | None) -> str:
    """A line of text, its baseline at `at`; control characters are left out."""
    clean = "".join(c for c in words if c.isprintable())
    return el("text", escape(clean), x=at[0], y=at[1], font_size=size, **attributes)


def line_path(line: Sequence[Point]) -> str:
    """Path data of an open line, in relative steps."""
    x, y = _tenths(line[0])
    steps = ""
    for point in line[1:]:
        next_x, next_y = _tenths(point)
        if (next_x, next_y) != (x, y):
            steps += _joined(next_x - x) + _joined(next_y - y)
        x, y = next_x, next_y
    x, y = _tenths(line[0])
    return f"M{number(x / 10)}{_joined(y)}l{steps.strip()}" if steps else ""


def ring_path(rings: Iterable[Sequence[Point]]) -> str:
    """Path data of closed rings."""
    return "".join(line_path(ring) + "z" for ring in rings)


def _tenths(point: Point) -> tuple[int, int]:
    return round(point[0] * 10), round(point[1] * 10)


def _joined(tenths: int) -> str:
    """A number behind another one: its sign parts them, or else a space."""
    return f"{'' if tenths < 0 else ' '}{number(tenths / 10)}"


def document(width: float, height: float, title: str, *children: str) -> str:
    """A whole picture: `title` is what a screen reader says of it."""
    return el(
        "svg",
        el("title", escape("".join(c for c in title if c.isprintable()))),
        *children,
        xmlns="http://www.w3.org/2000/svg",
        width=width,
        height=height,
        viewBox=f"0 0 {number(width)} {number(height)}",
        font_family=FONTS,
        font_stretch="condensed",
        role="img",
    )
