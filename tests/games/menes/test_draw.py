"""The map of MENES: regions as the map file joins them, room for everything, numbers for their owner alone."""

from __future__ import annotations

import itertools
from typing import Any
from xml.etree import ElementTree

import pytest

from gm.games.api import Event, Reading, View, check_options
from gm.games.dice import SeededDice
from gm.games.kit.colour import VISIONS, apart
from gm.games.kit.paper import PAPER, tint
from gm.games.kit.plane import area, crossings, distance, inside, pairs
from gm.games.kit.words import Box, width
from gm.games.menes import RULESET
from gm.games.menes.board import SPACES, raw
from gm.games.menes.chart import Chart, chart
from gm.games.menes.draw import draw
from gm.games.menes.powers import POWER_LIST

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def here() -> Chart:
    return chart()


def neighbours() -> set[frozenset[str]]:
    return {frozenset((name, other)) for name, s in SPACES.items() for other in (*s.land, *s.seas)}


def test_spaces_share_a_border_exactly_where_the_map_file_says_but_for_bridges_canals_and_one_corner(
    here: Chart,
) -> None:
    drawn = {frozenset(arc.regions) for arc in here.mesh.arcs if "OUT" not in arc.regions}
    bridges = {frozenset(pair) for pair in (("53", "54"), ("55", "56"), ("1", "60"))}
    canals = {frozenset(pair) for pair in (("B", "C"), ("X", "Y"), ("A", "Z"))}
    corner = {frozenset(pair) for pair in (("H", "M"), ("K", "L"))}
    assert drawn == neighbours() - bridges - canals - corner
    meeting = [ring for name in "HKLM" for ring in here.mesh.rings[name]]
    assert len(set.intersection(*map(set, meeting))) == 1  # L, H, K and M meet in one point


def test_bridges_and_canals_lead_from_one_region_into_the_other(here: Chart) -> None:
    ends = [tuple(map(str, row["provinces"])) for row in raw()["land_bridge"]]
    ends += [tuple(row["seas"]) for row in raw()["canal"]]
    for (first, second), line in zip(ends, (*here.bridges, *here.canals), strict=True):
        for name, end in ((first, line[0]), (second, line[-1])):
            ring = here.mesh.rings[name][0]
            near = min(distance(end, p) for a, b in pairs(ring, closed=True) for p in (a, b))
            assert inside(end, ring) or near < 9, (first, second)


def test_the_regions_fill_the_sheet_and_no_two_borders_cross(here: Chart) -> None:
    assert set(here.mesh.regions) == {*SPACES, "OUT"}
    assert all(len(rings) == 1 for rings in here.mesh.rings.values())
    parts = sum(abs(area(rings[0])) for region, rings in here.mesh.rings.items() if region != "OUT")
    assert parts == pytest.approx(here.size[0] * here.size[1], abs=1.0)
    assert crossings([arc.line for arc in here.mesh.arcs]) == []


def test_every_number_letter_and_counter_lies_in_its_region_and_covers_no_other(here: Chart) -> None:
    boxes = []
    for name in SPACES:
        ring, block = here.mesh.rings[name][0], here.blocks[name]
        assert inside(block.label, ring), name
        assert inside(block.units, ring), name
        boxes.append((name, Box(block.label, width(name, 13, bold=True) / 2, 5.0)))
        boxes.append((f"counter {name}", Box(block.units, 8.5, 8.5)))
    assert [(a, b) for (a, one), (b, other) in itertools.combinations(boxes, 2) if one.meets(other)] == []


@pytest.mark.parametrize("vision", VISIONS)
def test_powers_and_their_land_stay_apart_for_every_kind_of_colour_vision(vision: Any) -> None:
    assert min(apart(a.colour, b.colour, vision) for a, b in itertools.combinations(POWER_LIST, 2)) > 0.1
    lands = [tint(power.colour) for power in POWER_LIST] + [PAPER]
    assert min(apart(a, b, vision) for a, b in itertools.combinations(lands, 2)) > 0.05


# --- pictures -------------------------------------------------------------------------------------------


def position(power: str | None = None) -> View:
    state = RULESET.scenario(
        {
            "game": "menes",
            "phase": "IV1200 orders",
            "units": {
                "men": ["37 ARMY 12", "2 FLEET R"],
                "elves": ["3 ELVENSHIP I"],
                "dragons": ["1 DRAGON 51"],
            },
            "orders": {},
        }
    ).state
    return RULESET.view(state, power)


def words(svg: str) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def told(*events: Event) -> Reading:
    return Reading(power=None, phase=position().phase, orders=(), events=events)


def event(kind: str, **data: Any) -> Event:
    return Event(kind=kind, text="", rule="menes 10.1", data=data)


def test_the_picture_is_a_sized_svg_with_every_space_and_the_same_bytes_each_time() -> None:
    svg = draw(position(), None)
    assert draw(position(), None) == svg
    root = ElementTree.fromstring(svg)
    assert root.get("viewBox") == f"0 0 {root.get('width')} {root.get('height')}"
    assert {*SPACES, *(space.name for space in SPACES.values())} <= set(words(svg))


def test_a_new_game_draws_for_the_public_and_each_power() -> None:
    state = RULESET.new_game(check_options(RULESET.meta, {}), SeededDice(b"menes", "start"))
    for power in (None, *(p.id for p in POWER_LIST)):
        assert draw(RULESET.view(state, power), None).startswith("<svg")


@pytest.mark.rule("menes", "10.1")
def test_numbers_of_troops_are_drawn_for_their_owner_alone() -> None:
    assert words(draw(position("men"), None)).count("37") == 2  # the army in 12, and province 37
    for power in (None, "elves", "dragons"):
        assert words(draw(position(power), None)).count("37") == 1


def test_moves_that_were_seen_are_arrows_and_fights_are_stars() -> None:
    base = draw(position(), told())
    moved = event("move", power="men", units=["army"], place="12", to="13")
    one = draw(position(), told(moved))
    twice = draw(position(), told(moved, event("move", power="men", units=["horsemen"], place="12", to="13")))
    fight = draw(position(), told(event("battle", place="13", powers=["men", "ents"], winner="men", step=1)))
    assert len(one) > len(base)
    assert twice == one
    assert fight.count("<polygon") == base.count("<polygon") + 1
