"""Regions made of shared arcs: each border is stored once, so neighbours fit without gap or overlap."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from gm.games.kit.plane import Line, Point, Ring, area


@dataclass(frozen=True, kw_only=True)
class Arc:
    """The line that runs between two regions from node to node."""

    sides: tuple[str, str]
    """Names of the places on both sides; a coast of a split region is named after a slash: ``SPA/NC``."""
    ends: tuple[str, str]
    line: Line

    @property
    def regions(self) -> tuple[str, str]:
        """Names of the regions on both sides."""
        return (self.sides[0].partition("/")[0], self.sides[1].partition("/")[0])


@dataclass(frozen=True)
class Mesh:
    """All arcs of a map."""

    arcs: tuple[Arc, ...]

    @cached_property
    def regions(self) -> tuple[str, ...]:
        """Names of all regions, sorted."""
        return tuple(sorted({region for arc in self.arcs for region in arc.regions}))

    @cached_property
    def rings(self) -> Mapping[str, tuple[Ring, ...]]:
        """The outline of each region, its largest ring first.

        Raises:
            ValueError: the arcs of a region do not close.
        """
        return {region: self._rings(region) for region in self.regions}

    def _rings(self, region: str) -> tuple[Ring, ...]:
        left = [arc for arc in self.arcs if region in arc.regions]
        rings: list[Ring] = []
        while left:
            arc = left.pop(0)
            start, end = arc.ends
            points = list(arc.line)
            while end != start:
                onward = next((a for a in left if end in a.ends), None)
                if onward is None:
                    raise ValueError(f"the outline of {region} is open at {end}")
                left.remove(onward)
                line = onward.line if onward.ends[0] == end else onward.line[::-1]
                end = onward.ends[1] if onward.ends[0] == end else onward.ends[0]
                points += line[1:]
            rings.append(tuple(points[:-1]))
        return tuple(sorted(rings, key=lambda ring: -abs(area(ring))))


def read_arcs(
    texts: Mapping[str, str],
    nodes: Mapping[str, Point],
    place: Callable[[float, float], Point],
    shape: Callable[[str, str, Line], Line],
) -> tuple[Arc, ...]:
    """Arcs from their texts: ``"POR-SPA" = "minho, -8.1 41.8, guadiana"``.

    A point is the name of a node, two numbers that `place` puts on the sheet, or ``@x y`` in sheet units.
    `shape` makes the line of two regions rough or smooth.

    Raises:
        ValueError: an arc that does not run from node to node.
    """
    arcs = []
    for key, text in texts.items():
        first, _, second = key.partition("-")
        words = [word.strip() for word in text.split(",")]
        if words[0] not in nodes or words[-1] not in nodes:
            raise ValueError(f"arc {key} must run from node to node, not from {words[0]!r} to {words[-1]!r}")
        line = tuple(_point(word, nodes, place) for word in words)
        arcs.append(Arc(sides=(first, second), ends=(words[0], words[-1]), line=shape(first, second, line)))
    return tuple(arcs)


def _point(word: str, nodes: Mapping[str, Point], place: Callable[[float, float], Point]) -> Point:
    if word in nodes:
        return nodes[word]
    x, y = (float(part) for part in word.lstrip("@").split())
    return (x, y) if word.startswith("@") else place(x, y)
