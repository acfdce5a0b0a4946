"""The board as shapes on a sheet of paper: regions made from the borders of map.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from gm.games.kit import dual
from gm.games.kit.blocks import Block, block
from gm.games.kit.mesh import Mesh
from gm.games.kit.paper import Ground, Terrain
from gm.games.kit.plane import Line, chaikin, rounded, thinned, wiggle
from gm.games.necromancer.board import Board, the_board


@dataclass(frozen=True, kw_only=True)
class Chart(Terrain):
    """All shapes, and where names and counters go in each region."""

    blocks: Mapping[str, Block]
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
    return Chart(
        size=size,
        mesh=mesh,
        ground=ground,
        blocks={p.id: block(mesh.rings[p.id][0]) for p in board.provinces},
        walls=tuple(arc.line for arc in arcs if frozenset(arc.regions) in walls),
    )
