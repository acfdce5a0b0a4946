"""The board as shapes on a sheet of paper: regions made from the borders of map.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from gm.games.kit import dual
from gm.games.kit.mesh import Mesh
from gm.games.kit.paper import Ground, Terrain
from gm.games.kit.plane import Line, Point, Ring, centroid, chaikin, rounded, thinned, wiggle
from gm.games.kit.words import place
from gm.games.necromancer.board import Board, the_board

LAYOUTS = (
    ((34.0, 34.0), (0.0, -26.0), (0.0, 13.0)),
    ((34.0, 29.0), (0.0, -22.0), (0.0, 15.0)),
    ((47.0, 15.0), (-13.0, -8.0), (33.0, 2.0)),
    ((30.0, 26.0), (0.0, -20.0), (0.0, 14.0)),
    ((40.0, 13.0), (-12.0, -6.0), (29.0, 2.0)),
    ((26.0, 24.0), (0.0, -18.0), (0.0, 13.0)),
)
"""Half the size of a block of names and counters, and where in it the two go; the roomiest that fits is taken."""


@dataclass(frozen=True, kw_only=True)
class Chart(Terrain):
    """All shapes, and where names and counters go in each region."""

    labels: Mapping[str, Point]
    """The middle of the abbreviation; the full name stands below it."""
    units: Mapping[str, Point]
    """The middle of the counters."""
    walls: tuple[Line, ...]
    """Borders that are mountains (18.4)."""


@cache
def chart() -> Chart:
    """The shapes of the packaged board."""
    return build(the_board())


def build(board: Board) -> Chart:
    """The shapes of any board whose borders can be drawn without crossing.

    Raises:
        ValueError: they cannot.
    """
    shapes = tomllib.loads(resources.files(__package__).joinpath("shapes.toml").read_text("utf-8"))
    size = (float(shapes["size"][0]), float(shapes["size"][1]))
    ground: dict[str, Ground] = {p.id: "sea" if p.kind == "sea" else "land" for p in board.provinces}
    ground["OUT"] = "edge"
    walls = {frozenset((p.id, other)) for p in board.provinces for other in p.walls}
    places = {p.id: (float(p.x), float(p.y)) for p in board.provinces}
    joined = [(p.id, other) for p in board.provinces for other in (*p.borders, *p.walls)]

    def shape(first: str, second: str, line: Line) -> Line:
        if "OUT" in (first, second):
            return line
        coast = {ground[first], ground[second]} == {"land", "sea"}
        rough = wiggle(line, 0.2, 7.0) if coast else wiggle(line, 0.13, 14.0)
        return thinned(tuple(rounded(point) for point in chaikin(rough, 1)), 0.2)

    arcs = dual.arcs(places, dual.faces(places, joined), size, shape, room=shapes["room"])
    mesh = Mesh(arcs)
    spots = {p.id: _spots(mesh.rings[p.id][0]) for p in board.provinces}
    return Chart(
        size=size,
        mesh=mesh,
        ground=ground,
        labels={place: label for place, (label, _) in spots.items()},
        units={place: unit for place, (_, unit) in spots.items()},
        walls=tuple(arc.line for arc in arcs if frozenset(arc.regions) in walls),
    )


def _spots(ring: Ring) -> tuple[Point, Point]:
    """Where the label and the counters of a region go: counters below the names, or beside them in a low region."""
    near = rounded(centroid(ring))
    outline = thinned((*ring, ring[0]), 2.0)[:-1]
    for half, label, unit in LAYOUTS:
        box = place(outline, half, (), near, 6.0)
        if box is not None:
            x, y = box.middle
            return (x + label[0], y + label[1]), (x + unit[0], y + unit[1])
    return (near[0], near[1] - 16), (near[0], near[1] + 14)
