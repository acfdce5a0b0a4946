"""The board as shapes on a sheet of paper: regions made from the borders of map.toml, with bridges and canals."""

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
from gm.games.kit.plane import Line, along, centroid, chaikin, distance, rounded, thinned, wiggle
from gm.games.kit.words import Box
from gm.games.menes.board import SPACES, raw
from gm.games.menes.model import is_sea


@dataclass(frozen=True, kw_only=True)
class Chart(Terrain):
    """All shapes, and where names and counters go in each region."""

    blocks: Mapping[str, Block]
    bridges: tuple[Line, ...]
    canals: tuple[Line, ...]


@cache
def chart() -> Chart:
    """The shapes of the packaged board."""
    here = resources.files(__package__)
    shapes = tomllib.loads(here.joinpath("shapes.toml").read_text("utf-8"))
    size = (float(shapes["size"][0]), float(shapes["size"][1]))
    ground: dict[str, Ground] = {name: "sea" if is_sea(name) else "land" for name in SPACES}
    ground["OUT"] = "edge"

    def shape(first: str, second: str, line: Line) -> Line:
        if "OUT" in (first, second):
            return line
        kinds = {ground[first], ground[second]}
        if kinds == {"sea"}:
            return chaikin(line, 2)
        rough = wiggle(line, 0.2 if "sea" in kinds else 0.13, 7.0 if "sea" in kinds else 14.0)
        return thinned(tuple(rounded(point) for point in chaikin(rough, 1)), 0.2)

    places = {name: (float(space.x), float(space.y)) for name, space in SPACES.items()}
    arcs = dual.arcs(places, dual.faces(places, borders()), size, shape, room=shapes["room"])
    mesh = Mesh(arcs)
    bridges = tuple(_nearest(mesh, *map(str, row["provinces"])) for row in raw()["land_bridge"])
    canals = tuple(_nearest(mesh, *row["seas"]) for row in raw()["canal"])
    taken = [Box(along(line, share / 12), 5.0, 5.0) for line in (*bridges, *canals) for share in range(13)]
    return Chart(
        size=size,
        mesh=mesh,
        ground=ground,
        blocks={name: block(mesh.rings[name][0], taken) for name in SPACES},
        bridges=bridges,
        canals=canals,
    )


def borders() -> list[tuple[str, str]]:
    """Pairs of spaces that share a border: all neighbours but those by bridge, by canal and across a corner."""
    shapes = tomllib.loads(resources.files(__package__).joinpath("shapes.toml").read_text("utf-8"))
    apart = {frozenset(map(str, row["provinces"])) for row in raw()["land_bridge"]}
    apart |= {frozenset(row["seas"]) for row in raw()["canal"]}
    apart |= {frozenset(pair) for pair in shapes["corners"]}
    pairs = ((name, other) for name, space in SPACES.items() for other in (*space.land, *space.seas))
    return [(name, other) for name, other in pairs if name < other and frozenset((name, other)) not in apart]


def _nearest(mesh: Mesh, first: str, second: str) -> Line:
    """The shortest way between two regions, and a little further into both."""
    one, other = mesh.rings[first][0], mesh.rings[second][0]
    far, a, b = min((distance(a, b), a, b) for a in one for b in other)
    run = (a, b) if far > 1 else (centroid(one), centroid(other))
    share = 8.0 / distance(*run)
    dx, dy = (run[1][0] - run[0][0]) * share, (run[1][1] - run[0][1]) * share
    return (rounded((a[0] - dx, a[1] - dy)), rounded((b[0] + dx, b[1] + dy)))
