"""The standard map as shapes on a sheet of paper, made from shapes.toml: coasts rough, borders smooth."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from gm.games.kit.globe import Globe
from gm.games.kit.mesh import Mesh, read_arcs
from gm.games.kit.paper import Ground, Terrain
from gm.games.kit.plane import Line, Point, Ring, chaikin, rounded, thinned, wiggle

WIDTH, HEIGHT = 1000, 840
"""Size of the sheet."""


@dataclass(frozen=True, kw_only=True)
class Spots:
    """Where things of one province go."""

    unit: Point
    label: Point
    """Middle of the label."""
    centre: Point | None
    """The supply centre, if it is one."""


@dataclass(frozen=True, kw_only=True)
class Chart(Terrain):
    """All shapes of the map, and where names and pieces go."""

    spots: Mapping[str, Spots]
    coasts: Mapping[str, Point]
    """Where a fleet stands on one of two coasts: ``"STP/SC"``."""

    def spot(self, place: str) -> Point:
        """Where a unit at a place stands; fleets have spots of their own on split coasts."""
        return self.coasts.get(place) or self.spots[place.partition("/")[0]].unit


@cache
def chart() -> Chart:
    """The shapes of shapes.toml."""
    here = resources.files(__package__)
    shapes = tomllib.loads(here.joinpath("shapes.toml").read_text("utf-8"))
    facts = tomllib.loads(here.joinpath("map.toml").read_text("utf-8"))
    return build(shapes, facts)


def build(shapes: Mapping[str, Any], facts: Mapping[str, Any]) -> Chart:
    """Shapes from the tables of a shapes file and a map file."""
    projection = shapes["projection"]
    globe = Globe(
        centre=tuple(projection["centre"]),
        bend=projection["bend"],
        scale=projection["scale"],
        origin=tuple(projection["origin"]),
        lenses=tuple(tuple(lens) for lens in projection["lenses"]),
        north=tuple(projection["north"]),
    )
    ground: dict[str, Ground] = {"SWI": "shut", "OFF": "shut", "OUT": "edge"}
    for province, entry in facts["province"].items():
        ground[province] = "sea" if entry["kind"] == "sea" else "land"

    def shape(first: str, second: str, line: Line) -> Line:
        sides = [ground[side.partition("/")[0]] for side in (first, second)]
        if "edge" in sides:
            return line
        if sides == ["sea", "sea"]:
            return _smooth(chaikin(line, 3))
        if "sea" in sides:
            return _smooth(chaikin(wiggle(line, 0.16, 6.0), 1))
        return _smooth(chaikin(wiggle(line, 0.1, 14.0), 2))

    def lines(table: Mapping[str, str]) -> list[Line]:
        texts = [[point.split() for point in text.split(",")] for text in table.values()]
        return [tuple(globe.at(float(x), float(y)) for x, y in points) for points in texts]

    def ring(line: Line) -> Ring:
        return _smooth(chaikin(wiggle((*line, line[0]), 0.16, 6.0), 1))[:-1]

    nodes = {name: globe.at(*place) for name, place in shapes["nodes"].items()}
    nodes |= {name: (float(x), float(y)) for name, (x, y) in shapes["edge"].items()}
    return Chart(
        size=(WIDTH, HEIGHT),
        mesh=Mesh(read_arcs(shapes["arcs"], nodes, globe.at, shape)),
        ground=ground,
        spots={
            province: Spots(
                unit=tuple(entry["unit"]),
                label=tuple(entry["label"]),
                centre=tuple(entry["centre"]) if "centre" in entry else None,
            )
            for province, entry in shapes.get("spots", {}).items()
        },
        coasts={place: tuple(at) for place, at in shapes.get("coasts", {}).items()},
        islands=tuple(ring(line) for line in lines(shapes["islands"])),
        lakes=tuple(ring(line) for line in lines(shapes["lakes"])),
        straits=tuple(_smooth(chaikin(line, 2)) for line in lines(shapes["straits"])),
    )


def _smooth(line: Line) -> Line:
    return thinned(tuple(rounded(point) for point in line), 0.25)
