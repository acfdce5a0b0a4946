"""Regions from a graph: each place becomes a region that borders exactly the places it is joined to.

The places lie in the plane with straight, uncrossed lines between neighbours. The lines cut the plane into faces;
in each face there is a corner where the regions of its places meet, and each line is crossed by the border between
its two ends. Corners then move, as in a foam, until every region has the room it wants.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gm.games.kit.mesh import Arc
from gm.games.kit.plane import Line, Point, area, between, crossings, distance, nearest_on, rounded

Face = tuple[str, ...]

TENSION = 0.15
"""How much of the way to the middle of its neighbours a corner goes in a round."""
PRESSURE = 0.12
"""How hard a region that is too small pushes its corners."""
SHORT = 26.0
"""A border shorter than this stretches."""
GAP = 24.0
"""Least distance of corners on the edge of the sheet, and of others from that edge."""

FLATTENINGS = 4
"""How often a line that crosses another is made less rough before it is made straight."""


def faces(places: Mapping[str, Point], joined: Iterable[tuple[str, str]]) -> tuple[Face, ...]:
    """The faces of a plane graph, each a ring of places, the outermost first.

    Raises:
        ValueError: two lines cross, or the places do not all hang together.
    """
    edges = sorted({(min(a, b), max(a, b)) for a, b in joined})
    near: dict[str, list[tuple[float, str]]] = {name: [] for name in sorted(places)}
    for a, b in edges:
        near[a].append((_bearing(places[a], places[b]), b))
        near[b].append((_bearing(places[b], places[a]), a))
    turn = {name: [other for _, other in sorted(others)] for name, others in near.items()}
    found: list[Face] = []
    seen: set[tuple[str, str]] = set()
    for start, others in turn.items():
        for first in others:
            ring: list[str] = []
            here, onward = start, first
            while (here, onward) not in seen:
                seen.add((here, onward))
                ring.append(here)
                here, onward = onward, turn[onward][turn[onward].index(here) - 1]
            if ring:
                found.append(tuple(ring))
    if len(places) - len(edges) + len(found) != 2:
        raise ValueError("the lines between neighbours cross, or some places are cut off from the others")
    found.sort(key=lambda face: area([places[name] for name in face]))
    return (found[0], *sorted(found[1:]))


def _bearing(at: Point, to: Point) -> float:
    return math.atan2(to[1] - at[1], to[0] - at[0])


@dataclass(frozen=True)
class _Link:
    """The border of two regions, or of one and the edge of the sheet, as a way from corner to corner."""

    sides: tuple[str, str]
    way: tuple[str, ...]


def arcs(
    places: Mapping[str, Point],
    rings: Sequence[Face],
    sheet: tuple[float, float],
    shape: Callable[[str, str, Line], Line],
    *,
    room: Mapping[str, float] | None = None,
    rounds: int = 150,
) -> tuple[Arc, ...]:
    """The borders of the regions on a sheet of the given width and height; what lies beyond it is ``OUT``.

    Args:
        rings: all faces, the outermost first.
        shape: makes the line between two regions rough or smooth.
        room: how much of the sheet a region wants, 1 if it is not named.
        rounds: how often the corners move. Should borders come to cross, it is tried again with less pressure.
    """
    links, at = _links(_spread(places, sheet), rings, sheet)
    for pressure in (PRESSURE, PRESSURE * 0.75, PRESSURE * 0.5, PRESSURE * 0.25, 0.0):
        moved = _pressed(at, links, sheet, room or {}, rounds, pressure)
        if not _tangled(moved, links):
            break
    straight = [tuple(rounded(moved[corner]) for corner in link.way) for link in links]
    lines = _uncrossed(
        straight, [shape(*link.sides, line) for link, line in zip(links, straight, strict=True)]
    )
    return tuple(
        Arc(sides=link.sides, ends=(link.way[0], link.way[-1]), line=line)
        for link, line in zip(links, lines, strict=True)
    )


def _uncrossed(straight: Sequence[Line], shaped: Sequence[Line]) -> list[Line]:
    """Shaped lines, with those flattened that got into others' way, at last to the straight line."""
    lines = list(shaped)
    for turn in range(FLATTENINGS + len(lines)):
        tangled = sorted(
            {number for pair in crossings(lines) for number in pair if lines[number] != straight[number]}
        )
        if not tangled:
            break
        for number in tangled:
            a, b = straight[number][0], straight[number][-1]
            flat = tuple(rounded(between(point, nearest_on(point, a, b), 0.4)) for point in lines[number])
            lines[number] = flat if turn < FLATTENINGS else straight[number]
    return lines


def _steps(ring: Sequence[str]) -> list[tuple[str, str]]:
    """Each name of a ring with the next."""
    return list(zip(ring, (*ring[1:], ring[0]), strict=True))


def _spread(places: Mapping[str, Point], sheet: tuple[float, float]) -> dict[str, Point]:
    """The places stretched over the whole sheet."""
    xs, ys = [p[0] for p in places.values()], [p[1] for p in places.values()]
    wide, high = max(xs) - min(xs) or 1.0, max(ys) - min(ys) or 1.0
    return {
        name: ((x - min(xs)) / wide * sheet[0], (y - min(ys)) / high * sheet[1])
        for name, (x, y) in places.items()
    }


def _links(
    places: Mapping[str, Point], rings: Sequence[Face], sheet: tuple[float, float]
) -> tuple[list[_Link], dict[str, Point]]:
    """All borders, and where their corners lie at first."""
    corner: dict[tuple[str, str], str] = {}
    at: dict[str, Point] = {}
    for number, ring in enumerate(rings):
        for a, b in _steps(ring):
            name = f"{a}|{b}" if number == 0 else str(number)
            corner[a, b] = name
            if number == 0:
                at[name] = _to_rim(between(places[a], places[b], 0.5), sheet)
        if number:
            share = 1 / len(ring)
            at[str(number)] = (
                sum(places[n][0] for n in ring) * share,
                sum(places[n][1] for n in ring) * share,
            )
    links = [_Link((a, b), (corner[a, b], corner[b, a])) for a, b in sorted(corner) if a < b]
    width, height = sheet
    ends = {"nw": (0.0, 0.0), "ne": (width, 0.0), "se": (width, height), "sw": (0.0, height)}
    rim = [corner[step] for step in _steps(rings[0])]
    for name, (before, after) in zip(rings[0][1:] + rings[0][:1], _steps(rim), strict=True):
        passed = _passed(at[before], at[after], ends, (width / 2, height / 2))
        links.append(_Link((name, "OUT"), (before, *passed, after)))
    return links, at | ends


def _to_rim(point: Point, sheet: tuple[float, float]) -> Point:
    """Where the ray from the middle of the sheet through a point leaves the sheet."""
    x, y = sheet[0] / 2, sheet[1] / 2
    dx, dy = point[0] - x, point[1] - y
    reach = min(x / abs(dx) if dx else math.inf, y / abs(dy) if dy else math.inf)
    return rounded((x + dx * reach, y + dy * reach))


def _passed(start: Point, end: Point, ends: Mapping[str, Point], middle: Point) -> list[str]:
    """The corners of the sheet on the shorter way along its edge from one point to another, in order."""
    first = _bearing(middle, start)
    sweep = (_bearing(middle, end) - first) % math.tau
    sign = 1.0
    if sweep > math.pi:
        sweep, sign = math.tau - sweep, -1.0
    offs = {name: sign * (_bearing(middle, point) - first) % math.tau for name, point in ends.items()}
    return sorted((name for name, off in offs.items() if off < sweep), key=offs.__getitem__)


# --- the foam -------------------------------------------------------------------------------------------


def _pressed(
    start: Mapping[str, Point],
    links: Sequence[_Link],
    sheet: tuple[float, float],
    room: Mapping[str, float],
    rounds: int,
    pressure: float,
) -> dict[str, Point]:
    """Corners moved by the tension of the borders and the pressure of the regions.

    The first third of the rounds knows tension only: it untangles the corners, as in Tutte's drawing of a graph.
    """
    cells = _cells(links)
    wants = {name: room.get(name, 1.0) for name in cells}
    unit = sheet[0] * sheet[1] / sum(wants.values())
    wants = {name: want * unit for name, want in wants.items()}
    near: dict[str, list[str]] = {name: [] for name in start}
    for link in links:
        for a, b in pairwise(link.way):
            near[a].append(b)
            near[b].append(a)
    inner = [name for name in start if len(near[name]) > 2]
    at = dict(start)
    for turn in range(rounds):
        pressing = turn * 3 >= rounds
        push = _pushes(at, cells, wants, pressure) if pressing else {}
        for link in links if pressing else ():
            _stretch(at, push, link)
        tension = TENSION if pressing else 1.0
        for name in inner:
            x, y = at[name]
            others = near[name]
            mean_x = sum(at[other][0] for other in others) / len(others)
            mean_y = sum(at[other][1] for other in others) / len(others)
            dx, dy = push.get(name, (0.0, 0.0))
            moved = (x + (mean_x - x) * tension + dx, y + (mean_y - y) * tension + dy)
            at[name] = _slid((x, y), moved, [at[other] for other in others], sheet)
    return at


def _cells(links: Sequence[_Link]) -> dict[str, tuple[str, ...]]:
    """The corners of each region in their order around it."""
    left: dict[str, list[tuple[str, ...]]] = {}
    for link in links:
        for side in link.sides:
            left.setdefault(side, []).append(link.way)
    del left["OUT"]
    cells = {}
    for name, ways in left.items():
        ring = list(ways.pop())
        while ways:
            onward = next(way for way in ways if ring[-1] in (way[0], way[-1]))
            ways.remove(onward)
            ring += onward[1:] if onward[0] == ring[-1] else onward[-2::-1]
        cells[name] = tuple(ring[:-1])
    return cells


def _pushes(
    at: Mapping[str, Point],
    cells: Mapping[str, tuple[str, ...]],
    wanted: Mapping[str, float],
    pressure: float,
) -> dict[str, Point]:
    """How far the regions around each corner push it."""
    push = dict.fromkeys(at, (0.0, 0.0))
    for name, ring in cells.items():
        points = [at[corner] for corner in ring]
        size = area(points)
        force = pressure * max(-1.0, min(1.0, (wanted[name] - abs(size)) / wanted[name]))
        force = force if size > 0 else -force
        for before, corner, after in zip((points[-1], *points), ring, (*points[1:], points[0]), strict=False):
            x, y = push[corner]
            push[corner] = (x + force * (after[1] - before[1]), y + force * (before[0] - after[0]))
    return push


def _stretch(at: Mapping[str, Point], push: dict[str, Point], link: _Link) -> None:
    """Push the ends of a border apart that is too short to be seen."""
    if len(link.way) != 2 or "OUT" in link.sides:
        return
    a, b = link.way
    size = distance(at[a], at[b])
    if 0 < size < SHORT:
        force = (SHORT - size) / size * 0.2
        dx, dy = (at[b][0] - at[a][0]) * force, (at[b][1] - at[a][1]) * force
        push[a] = (push[a][0] - dx, push[a][1] - dy)
        push[b] = (push[b][0] + dx, push[b][1] + dy)


def _tangled(at: Mapping[str, Point], links: Sequence[_Link]) -> bool:
    """Whether any two borders cross."""
    return bool(crossings([tuple(at[corner] for corner in link.way) for link in links]))


def _slid(here: Point, moved: Point, others: Sequence[Point], sheet: tuple[float, float]) -> Point:
    """A corner's new place; one on the edge of the sheet stays on its side, between its neighbours there."""
    x, y = here
    width, height = sheet
    if y in (0.0, height) and 0.0 < x < width:
        return (_between(moved[0], [other[0] for other in others if other[1] == y], x), y)
    if x in (0.0, width):
        return (x, _between(moved[1], [other[1] for other in others if other[0] == x], y))
    margin = min(GAP, width / 4, height / 4)
    return (min(width - margin, max(margin, moved[0])), min(height - margin, max(margin, moved[1])))


def _between(goal: float, others: Sequence[float], now: float) -> float:
    low = max((other for other in others if other < now), default=goal) + GAP
    high = min((other for other in others if other > now), default=goal) - GAP
    return now if low > high else min(high, max(low, goal))
