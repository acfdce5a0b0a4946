"""Geometry of the drawing kit."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.games.kit import plane
from gm.games.kit.globe import Globe
from gm.games.kit.mesh import Mesh, read_arcs

SQUARE = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))
coordinate = st.floats(min_value=-500, max_value=500).map(lambda x: round(x, 1))
point = st.tuples(coordinate, coordinate)


def test_area_is_positive_clockwise_to_the_eye() -> None:
    assert plane.area(SQUARE) == 100
    assert plane.area(SQUARE[::-1]) == -100


def test_the_centroid_of_a_triangle_is_the_mean_of_its_corners() -> None:
    assert plane.centroid(((0, 0), (9, 0), (0, 3))) == pytest.approx((3, 1))


def test_inside_and_clearance_of_a_square() -> None:
    assert plane.inside((5, 5), SQUARE)
    assert not plane.inside((11, 5), SQUARE)
    assert plane.clearance((5, 3), [(*SQUARE, SQUARE[0])]) == 3


@given(st.lists(point, min_size=2, max_size=12))
def test_rough_smooth_and_thin_lines_keep_their_ends_and_are_always_the_same(line: list[plane.Point]) -> None:
    for make in (
        lambda points: plane.wiggle(points, 0.2),
        lambda points: plane.chaikin(points, 2),
        lambda points: plane.thinned(points, 0.3),
    ):
        made = make(line)
        assert (made[0], made[-1]) == (line[0], line[-1])
        assert make(line) == made


@given(point, point, st.floats(min_value=0, max_value=60), st.floats(min_value=0, max_value=60))
def test_a_trimmed_line_loses_what_was_asked_but_never_its_middle(
    a: plane.Point, b: plane.Point, start: float, end: float
) -> None:
    whole = plane.distance(a, b)
    left = plane.length(plane.trimmed((a, b), start, end))
    if whole * 0.4 >= max(start, end):
        assert left == pytest.approx(whole - start - end, abs=1e-6)
    assert left >= whole * 0.2 - 1e-6


def test_thinning_drops_points_on_a_straight_way_only() -> None:
    assert plane.thinned([(0, 0), (5, 0.1), (10, 0), (10, 10)], 0.3) == ((0, 0), (10, 0), (10, 10))


def test_a_bowed_line_swings_to_the_left_of_its_way() -> None:
    middle = plane.along(plane.bowed((0, 0), (100, 0), 0.1), 0.5)
    assert middle[0] == pytest.approx(50, abs=0.5)
    assert middle[1] == pytest.approx(-10, abs=0.5)


def test_crossing_segments_cross_and_touching_ones_do_not() -> None:
    assert plane.cross((0, 0), (10, 10), (0, 10), (10, 0))
    assert not plane.cross((0, 0), (10, 10), (10, 10), (20, 0))


def test_crossings_are_found_by_number() -> None:
    lines = [
        ((0, 0), (100, 100)),
        ((0, 100), (100, 0)),
        ((0, 50), (20, 50)),
        ((200, 0), (210, 9), (210, 0), (200, 9)),
    ]
    assert plane.crossings(lines) == [(0, 1), (3, 3)]


def test_the_globe_is_upright_and_its_centre_at_the_origin() -> None:
    globe = Globe(centre=(10.0, 50.0), bend=2.0, scale=1000.0, origin=(300.0, 200.0))
    assert globe.at(10, 50) == (300, 200)
    assert globe.at(11, 50)[0] > 300 > globe.at(9, 50)[0]
    assert globe.at(10, 51)[1] < 200 < globe.at(10, 49)[1]
    one_degree = 1000 * math.pi / 180
    assert 200 - globe.at(10, 51)[1] == pytest.approx(one_degree, abs=0.1)


def test_a_lens_enlarges_what_is_near_it() -> None:
    plain = Globe(centre=(10.0, 50.0), bend=2.0, scale=1000.0, origin=(0.0, 0.0))
    lens = Globe(
        centre=(10.0, 50.0), bend=2.0, scale=1000.0, origin=(0.0, 0.0), lenses=((10.0, 50.0, 0.5, 80.0),)
    )
    assert lens.at(10.5, 50)[0] > plain.at(10.5, 50)[0] * 1.4
    assert lens.at(30, 50)[0] == pytest.approx(plain.at(30, 50)[0], abs=0.5)


NODES = {"n": (0.0, 0.0), "s": (0.0, 10.0)}


def straight(_first: str, _second: str, line: plane.Line) -> plane.Line:
    return line


def test_regions_are_the_rings_of_their_arcs() -> None:
    texts = {"WST-EST": "n, s", "WST-OUT": "n, @-10 5, s", "EST-OUT": "s, @10 5, n"}
    mesh = Mesh(read_arcs(texts, NODES, lambda x, y: (x, y), straight))
    assert mesh.regions == ("EST", "OUT", "WST")
    assert {region: abs(plane.area(rings[0])) for region, rings in mesh.rings.items()} == {
        "EST": 50,
        "WST": 50,
        "OUT": 100,
    }


def test_an_open_outline_and_an_arc_without_a_node_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="EST is open at"):
        _ = Mesh(read_arcs({"WST-EST": "n, s"}, NODES, lambda x, y: (x, y), straight)).rings
    with pytest.raises(ValueError, match="WST-EST must run from node to node, not from 'n' to 'q'"):
        read_arcs({"WST-EST": "n, q"}, NODES, lambda x, y: (x, y), straight)
