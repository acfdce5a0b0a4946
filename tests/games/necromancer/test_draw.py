"""The map of Necromancer: regions as the map file joins them, room for everything, nothing shown that is not known."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest

from gm.games.api import Event, Phase, Reading, ResultWord, SeenOrder, View
from gm.games.kit.colour import VISIONS, apart
from gm.games.kit.paper import PAPER, tint
from gm.games.kit.plane import area, crossings, inside
from gm.games.kit.signs import ALARM
from gm.games.kit.words import Box, width
from gm.games.necromancer.board import the_board
from gm.games.necromancer.chart import Chart, chart
from gm.games.necromancer.draw import GREY, draw
from gm.games.necromancer.model import Options, Unit
from gm.games.necromancer.powers import POWERS
from gm.games.necromancer.setup import new_game
from gm.games.necromancer.view import view_of

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def here() -> Chart:
    return chart()


@pytest.mark.rule("necromancer", "18.4")
def test_regions_border_each_other_exactly_where_the_map_file_says_and_mountains_stand_on_the_walls(
    here: Chart,
) -> None:
    provinces = the_board().provinces
    drawn = {frozenset(arc.regions) for arc in here.mesh.arcs if "OUT" not in arc.regions}
    borders = {frozenset((p.id, other)) for p in provinces for other in p.borders}
    walls = {frozenset((p.id, other)) for p in provinces for other in p.walls}
    assert drawn == borders | walls
    assert (len(borders), len(walls)) == (212, 31)
    assert {arc.line for arc in here.mesh.arcs if frozenset(arc.regions) in walls} == set(here.walls)


def test_the_regions_fill_the_sheet_and_no_two_borders_cross(here: Chart) -> None:
    assert set(here.mesh.regions) == {p.id for p in the_board().provinces} | {"OUT"}
    assert all(len(rings) == 1 for rings in here.mesh.rings.values())
    parts = sum(abs(area(rings[0])) for region, rings in here.mesh.rings.items() if region != "OUT")
    assert parts == pytest.approx(here.size[0] * here.size[1], abs=1.0)
    assert crossings([arc.line for arc in here.mesh.arcs]) == []


def test_every_abbreviation_and_counter_lies_in_its_region_and_covers_no_other(here: Chart) -> None:
    boxes = []
    for province in the_board().provinces:
        ring = here.mesh.rings[province.id][0]
        assert inside(here.blocks[province.id].label, ring), province.id
        assert inside(here.blocks[province.id].units, ring), province.id
        boxes.append(
            (province.id, Box(here.blocks[province.id].label, width(province.id, 12.5, bold=True) / 2, 4.5))
        )
        boxes.append((f"counter {province.id}", Box(here.blocks[province.id].units, 9.0, 9.0)))
    clashes = [(a, b) for (a, one), (b, other) in itertools.combinations(boxes, 2) if one.meets(other)]
    assert clashes == []


@pytest.mark.parametrize("vision", VISIONS)
def test_powers_and_their_land_stay_apart_for_every_kind_of_colour_vision(vision: Any) -> None:
    counters = [power.colour for power in POWERS] + [GREY]
    assert min(apart(a, b, vision) for a, b in itertools.combinations(counters, 2)) > 0.09
    lands = [tint(power.colour) for power in POWERS] + [PAPER]
    assert min(apart(a, b, vision) for a, b in itertools.combinations(lands, 2)) > 0.04


# --- pictures -------------------------------------------------------------------------------------------


def words(svg: str) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def position(*more: Unit, power: str | None = None) -> View:
    game = new_game(Options(), the_board())
    return view_of(replace(game, step="movement", year=2780, units=(*game.units, *more)), power)


def reading(*orders: tuple[str, str, ResultWord | None], steps: tuple[ResultWord, ...] = ()) -> Reading:
    phase = Phase(name="2765 movement", title="2765 TA, movement", kind="movement", turn="2765")
    seen = tuple(SeenOrder(power=p, order=o, result=r, steps=steps) for p, o, r in orders)
    return Reading(power=None, phase=phase, orders=seen, events=())


def test_the_picture_is_a_sized_svg_with_every_place_score_and_stack_and_the_same_bytes_each_time() -> None:
    view = position(Unit("gondor", "A", "Los", strength=3, engines=1))
    svg = draw(view, None)
    assert draw(view, None) == svg
    root = ElementTree.fromstring(svg)
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    said = words(svg)
    assert {p.id for p in the_board().provinces} | {p.name for p in the_board().provinces} <= set(said)
    assert "3A/E" in said
    assert "A/F" in said
    assert "5 of 19: 5 centres, 8 armies" in said


@pytest.mark.rule("necromancer", "16.9")
def test_the_wizard_and_the_nazgul_are_drawn_for_their_owner_alone() -> None:
    assert "W" in words(draw(position(power="saruman"), None))
    assert "N" in words(draw(position(power="sauron"), None))
    for power in (None, "gondor", "rohan"):
        said = words(draw(position(power=power), None))
        assert "W" not in said
        assert "N" not in said


@pytest.mark.rule("necromancer", "21")
def test_a_side_of_the_land_is_marked_only_under_the_house_rule() -> None:
    game = new_game(Options(alignment=True), the_board())
    plain, sided = draw(position(), None), draw(view_of(game, None), None)
    assert sided.count('r="3.6"') > plain.count('r="3.6"')


def test_a_failed_step_of_a_double_move_is_dashed_and_the_first_one_is_not() -> None:
    view = position()
    dashed = 'stroke-dasharray="6 3.5"'
    base = draw(view, reading()).count(dashed)
    both = draw(view, reading(("rohan", "C(Wol) -> Cel -> Nim", "ok"), steps=("ok", "ok")))
    second = draw(view, reading(("rohan", "C(Wol) -> Cel -> Nim", "partial"), steps=("ok", "bounce")))
    none = draw(view, reading(("rohan", "C(Wol) -> Cel -> Nim", "bounce"), steps=("bounce", "bounce")))
    assert [both.count(dashed) - base, second.count(dashed) - base, none.count(dashed) - base] == [0, 2, 4]


@pytest.mark.parametrize(
    "order",
    [
        "A(Pel) -> Los",
        "A(Lam) -> 2A(Leb)",
        "2A(NIt) -> MMo",
        "C(Wol) Hold -> EMu",
        "A(NIt) Support 2A(MTi) -> NIt",
        "A(Los) Support Elvish A(Pel)",
    ],
)
def test_every_public_kind_of_order_leaves_its_mark(order: str) -> None:
    view = position()
    assert len(draw(view, reading(("gondor", order, "ok")))) > len(draw(view, reading()))


@pytest.mark.parametrize(
    ("kind", "sign"),
    [
        ("built", ">+<"),
        ("fleet_built", ">F<"),
        ("engine_built", ">E<"),
        ("removed", ALARM),
        ("destroyed", ALARM),
    ],
)
def test_what_is_new_gets_a_plate_and_what_is_gone_a_cross(kind: str, sign: str) -> None:
    base = draw(position(), reading())
    event = Event(kind=kind, text="", rule="necromancer 14.3", data={"power": "gondor", "unit": "A/F(Pel)"})
    told = draw(position(), replace(reading(), events=(event,)))
    assert told.count(sign) == base.count(sign) + 1


def test_orders_that_name_no_place_of_the_board_are_left_out() -> None:
    view = position()
    odd = reading(("gondor", "A(Xyz) -> Qqq", "illegal"), ("gondor", "gibberish", "illegal"))
    assert draw(view, odd) == draw(view, reading())
