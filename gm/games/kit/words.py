"""How much room text takes in the map font (DejaVu Sans Condensed), and where labels find it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gm.games.kit.plane import Point, Ring, inside, pairs, rounded

# Hundredths of the font size for the characters from space to tilde, regular and bold.
_REGULAR = (
    29, 36, 41, 75, 57, 85, 70, 25, 35, 35, 45, 75, 29, 32, 29, 30, 57, 57, 57, 57, 57, 57, 57, 57, 57, 57,
    30, 30, 75, 75, 75, 48, 90, 62, 62, 63, 69, 57, 52, 70, 68, 27, 27, 59, 50, 78, 67, 71, 54, 71, 62, 57,
    55, 66, 62, 89, 62, 55, 62, 35, 30, 35, 75, 45, 45, 55, 57, 49, 57, 55, 32, 57, 57, 25, 25, 52, 25, 88,
    57, 55, 57, 57, 37, 47, 35, 57, 53, 74, 53, 53, 47, 57, 30, 57, 75,
)  # fmt: skip
_BOLD = (
    31, 41, 47, 75, 63, 90, 78, 28, 41, 41, 47, 75, 34, 37, 34, 33, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63,
    36, 36, 75, 75, 75, 52, 90, 70, 69, 66, 75, 61, 61, 74, 75, 33, 33, 70, 57, 90, 75, 76, 66, 76, 69, 65,
    61, 73, 70, 99, 69, 65, 65, 41, 33, 41, 75, 45, 45, 61, 64, 53, 64, 61, 39, 64, 64, 31, 31, 60, 31, 94,
    64, 62, 64, 64, 44, 54, 43, 64, 59, 83, 58, 59, 52, 64, 33, 64, 75,
)  # fmt: skip


def width(words: str, size: float, *, bold: bool = False) -> float:
    """Width of a line of text, in the unit of `size`; letters beyond ASCII count as wide ones."""
    table = _BOLD if bold else _REGULAR
    return sum(table[ord(c) - 32] if 32 <= ord(c) < 127 else 70 for c in words) * size / 100


def fitted(words: str, room: float, size: float, *, bold: bool = False) -> float:
    """The font size at which a line fits into `room`, at most `size`."""
    return min(size, size * room / max(1.0, width(words, size, bold=bold)))


@dataclass(frozen=True)
class Box:
    """A rectangle by its middle and its half sizes."""

    middle: Point
    half_width: float
    half_height: float

    @property
    def corners(self) -> Ring:
        """Clockwise from the upper left."""
        (x, y), w, h = self.middle, self.half_width, self.half_height
        return ((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h))

    def meets(self, other: Box, gap: float = 0.0) -> bool:
        """Whether two boxes come nearer to each other than `gap`."""
        return (
            abs(self.middle[0] - other.middle[0]) < self.half_width + other.half_width + gap
            and abs(self.middle[1] - other.middle[1]) < self.half_height + other.half_height + gap
        )

    def within(self, ring: Ring) -> bool:
        """Whether the whole box lies in a ring."""
        (x, y), w, h = self.middle, self.half_width, self.half_height
        return all(inside(corner, ring) for corner in self.corners) and not any(
            _cuts(a, b, x - w, y - h, x + w, y + h) for a, b in pairs(ring, closed=True)
        )


def _cuts(a: Point, b: Point, left: float, top: float, right: float, bottom: float) -> bool:
    """Whether a segment passes through a rectangle (Liang and Barsky)."""
    low, high = 0.0, 1.0
    dx, dy = b[0] - a[0], b[1] - a[1]
    for p, q in ((-dx, a[0] - left), (dx, right - a[0]), (-dy, a[1] - top), (dy, bottom - a[1])):
        if p == 0:
            if q < 0:
                return False
            continue
        if p < 0:
            low = max(low, q / p)
        else:
            high = min(high, q / p)
        if low > high:
            return False
    return True


def place(
    ring: Ring, half: tuple[float, float], taken: Sequence[Box], near: Point, step: float = 3.0
) -> Box | None:
    """The free spot for a box in a ring, clear of the boxes in `taken`, that is nearest to a point.

    None: there is no room.
    """
    xs, ys = [p[0] for p in ring], [p[1] for p in ring]
    low_x, low_y = min(xs) + half[0], min(ys) + half[1]
    spots = [
        (abs(x - near[0]) + abs(y - near[1]), rounded((x, y)))
        for x in (low_x + column * step for column in range(int((max(xs) - half[0] - low_x) / step) + 1))
        for y in (low_y + row * step for row in range(int((max(ys) - half[1] - low_y) / step) + 1))
    ]
    for _, middle in sorted(spots):
        box = Box(middle, half[0], half[1])
        if not any(box.meets(other, 1.0) for other in taken) and box.within(ring):
            return box
    return None
