"""Points, rings and lines on a sheet of paper: x to the right, y downwards, in sheet units (pixels at full size).

All results are rounded to a tenth of a unit, so that the same data give the same bytes on every machine.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise

Point = tuple[float, float]
Line = tuple[Point, ...]
Ring = tuple[Point, ...]
"""A closed line without its first point repeated at the end."""


def rounded(point: Point) -> Point:
    """A point on the grid of tenths."""
    return (round(point[0], 1) + 0.0, round(point[1], 1) + 0.0)


def distance(a: Point, b: Point) -> float:
    """How far two points are from each other."""
    return math.hypot(b[0] - a[0], b[1] - a[1])


def between(a: Point, b: Point, share: float) -> Point:
    """The point at `share` (0 to 1) of the way from a to b."""
    return (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)


def pairs(points: Sequence[Point], *, closed: bool = False) -> Iterator[tuple[Point, Point]]:
    """The segments of a line, or of a ring if `closed`."""
    yield from pairwise(points)
    if closed and len(points) > 1:
        yield points[-1], points[0]


def area(ring: Sequence[Point]) -> float:
    """Signed area of a ring; positive if it runs clockwise to the eye."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs(ring, closed=True)) / 2


def centroid(ring: Sequence[Point]) -> Point:
    """The centre of gravity of a ring's area."""
    whole = x = y = 0.0
    for a, b in pairs(ring, closed=True):
        share = a[0] * b[1] - b[0] * a[1]
        whole += share
        x += (a[0] + b[0]) * share
        y += (a[1] + b[1]) * share
    return (x / whole / 3, y / whole / 3)


def inside(point: Point, ring: Sequence[Point]) -> bool:
    """Whether a point lies in a ring."""
    x, y = point
    odd = False
    for (ax, ay), (bx, by) in pairs(ring, closed=True):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            odd = not odd
    return odd


def nearest_on(point: Point, a: Point, b: Point) -> Point:
    """The point of the segment a-b that is nearest to `point`."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length2 = dx * dx + dy * dy
    if length2 == 0:
        return a
    share = ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / length2
    return between(a, b, min(1.0, max(0.0, share)))


def clearance(point: Point, lines: Iterable[Sequence[Point]]) -> float:
    """Distance from a point to the nearest of some lines."""
    return min(distance(point, nearest_on(point, a, b)) for line in lines for a, b in pairs(line))


def length(line: Sequence[Point]) -> float:
    """Length of a line."""
    return sum(distance(a, b) for a, b in pairs(line))


def along(line: Sequence[Point], share: float) -> Point:
    """The point at `share` (0 to 1) of a line's length."""
    left = length(line) * share
    for a, b in pairs(line):
        step = distance(a, b)
        if left <= step and step > 0:
            return between(a, b, left / step)
        left -= step
    return line[-1]


def chaikin(line: Sequence[Point], times: int = 2) -> Line:
    """A line with its corners cut, ends kept."""
    points = tuple(line)
    for _ in range(times):
        if len(points) < 3:
            return points
        cut: list[Point] = [points[0]]
        for a, b in pairs(points):
            cut += [between(a, b, 0.25), between(a, b, 0.75)]
        cut[1:2] = []
        cut[-1:] = []
        points = (*cut, points[-1])
    return points


def wiggle(line: Sequence[Point], amount: float, shortest: float = 5.0) -> Line:
    """A line made rough like a coast: midpoints are pushed aside, again and again, until segments are short.

    How far comes from the points themselves, so that a line always gets the same shape.
    `amount` is the largest push as a share of the segment's length.
    """
    out: list[Point] = [line[0]]
    for a, b in pairs(line):
        out += [*_rough(a, b, amount, shortest), b]
    return tuple(out)


def _rough(a: Point, b: Point, amount: float, shortest: float) -> list[Point]:
    size = distance(a, b)
    if size < shortest:
        return []
    seed = zlib.crc32(f"{a[0]:.1f} {a[1]:.1f} {b[0]:.1f} {b[1]:.1f}".encode())
    push = (seed % 2001 / 1000 - 1) * amount
    middle = ((a[0] + b[0]) / 2 - (b[1] - a[1]) * push, (a[1] + b[1]) / 2 + (b[0] - a[0]) * push)
    middle = rounded(middle)
    return [*_rough(a, middle, amount, shortest), middle, *_rough(middle, b, amount, shortest)]


def cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether segments a-b and c-d cross each other at an inner point of both."""

    def side(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def crossings(lines: Sequence[Sequence[Point]], cell: float = 40.0) -> list[tuple[int, int]]:
    """The numbers of all pairs of lines (or of a line with itself) that cross somewhere, sorted."""
    cells: dict[tuple[int, int], list[tuple[int, Point, Point]]] = {}
    for number, line in enumerate(lines):
        for a, b in pairs(line):
            for x in range(int(min(a[0], b[0]) // cell), int(max(a[0], b[0]) // cell) + 1):
                for y in range(int(min(a[1], b[1]) // cell), int(max(a[1], b[1]) // cell) + 1):
                    cells.setdefault((x, y), []).append((number, a, b))
    return sorted(
        {
            (one[0], other[0])
            for segments in cells.values()
            for one, other in combinations(segments, 2)
            if cross(one[1], one[2], other[1], other[2])
        }
    )


def thinned(line: Sequence[Point], tolerance: float) -> Line:
    """A line without the points that it would hardly miss (Douglas and Peucker); ends are kept."""
    if len(line) < 3:
        return tuple(line)
    first, last = line[0], line[-1]
    offs = [distance(p, nearest_on(p, first, last)) for p in line[1:-1]]
    worst = max(range(len(offs)), key=offs.__getitem__)
    if offs[worst] <= tolerance:
        return (first, last)
    cut = worst + 1
    return thinned(line[: cut + 1], tolerance)[:-1] + thinned(line[cut:], tolerance)


def bowed(a: Point, b: Point, bulge: float, steps: int = 14) -> Line:
    """A curve from a to b that swings to the left of its way by `bulge` (a share of its length) at the middle."""
    middle = ((a[0] + b[0]) / 2 + (b[1] - a[1]) * bulge * 2, (a[1] + b[1]) / 2 - (b[0] - a[0]) * bulge * 2)
    out = []
    for step in range(steps + 1):
        t = step / steps
        out.append(between(between(a, middle, t), between(middle, b, t), t))
    return tuple(out)


def trimmed(line: Sequence[Point], start: float, end: float) -> Line:
    """A line shortened by `start` and `end` units at its ends; at least its middle fifth stays."""
    whole = length(line)
    if whole == 0:
        return tuple(line)
    low, high = min(start / whole, 0.4), max(1 - end / whole, 0.6)
    points = [along(line, low)]
    done = 0.0
    for a, b in pairs(line):
        done += distance(a, b)
        if low < done / whole < high:
            points.append(b)
    return (*points, along(line, high))


def waved(line: Sequence[Point], height: float, wavelength: float) -> Line:
    """A wavy line along another."""
    whole = length(line)
    steps = max(4, int(whole / wavelength * 8))
    out = []
    for step in range(steps + 1):
        here = along(line, step / steps)
        before, after = along(line, max(0.0, (step - 1) / steps)), along(line, min(1.0, (step + 1) / steps))
        run = distance(before, after) or 1.0
        fade = min(1.0, step * 4 / steps, (steps - step) * 4 / steps)
        push = math.sin(step / 8 * 2 * math.pi) * height * fade
        out.append(
            (here[0] - (after[1] - before[1]) / run * push, here[1] + (after[0] - before[0]) / run * push)
        )
    return tuple(out)
