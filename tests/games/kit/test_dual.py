"""Regions from a graph of neighbours."""

from __future__ import annotations

import math

import pytest

from gm.games.kit import dual
from gm.games.kit.mesh import Mesh
from gm.games.kit.plane import Line, area

WHEEL = {"hub": (50.0, 50.0)} | {
    f"r{i}": (50 + 40 * math.cos(i * math.tau / 6), 50 + 40 * math.sin(i * math.tau / 6)) for i in range(6)
}
SPOKES = [("hub", f"r{i}") for i in range(6)] + [(f"r{i}", f"r{(i + 1) % 6}") for i in range(6)]


def straight(_first: str, _second: str, line: Line) -> Line:
    return line


def test_a_wheel_has_six_triangles_and_its_rim_as_faces() -> None:
    found = dual.faces(WHEEL, SPOKES)
    assert sorted(map(len, found)) == [3, 3, 3, 3, 3, 3, 6]
    assert len(found[0]) == 6


def test_crossing_or_cut_off_places_are_refused() -> None:
    square = {"a": (0.0, 0.0), "b": (10.0, 0.0), "c": (10.0, 10.0), "d": (0.0, 10.0)}
    with pytest.raises(ValueError, match="cross"):
        dual.faces(square, [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("a", "c"), ("b", "d")])
    with pytest.raises(ValueError, match="cut off"):
        dual.faces(square, [("a", "b"), ("c", "d")])


def test_regions_touch_exactly_where_places_are_joined_and_fill_the_sheet() -> None:
    mesh = Mesh(dual.arcs(WHEEL, dual.faces(WHEEL, SPOKES), (300.0, 200.0), straight))
    touching = {frozenset(arc.sides) for arc in mesh.arcs if "OUT" not in arc.sides}
    assert touching == {frozenset(pair) for pair in SPOKES}
    sizes = {name: abs(area(rings[0])) for name, rings in mesh.rings.items()}
    assert sum(size for name, size in sizes.items() if name != "OUT") == pytest.approx(60_000, abs=1)


def test_a_region_that_wants_more_room_gets_more() -> None:
    faces = dual.faces(WHEEL, SPOKES)

    def hub(want: float) -> float:
        mesh = Mesh(dual.arcs(WHEEL, faces, (300.0, 200.0), straight, room={"hub": want}))
        return abs(area(mesh.rings["hub"][0]))

    assert hub(0.6) < hub(1.0) < hub(2.0)
