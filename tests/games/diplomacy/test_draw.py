"""The map: shapes agree with the adjacency table, names and pieces find room, orders are drawn."""

from __future__ import annotations

import itertools
import tomllib
from importlib import resources
from typing import Any
from xml.etree import ElementTree

import pytest

from gm.games.api import Event, Phase, Reading, ResultWord, SeenOrder, View
from gm.games.diplomacy.chart import HEIGHT, WIDTH, Chart, chart
from gm.games.diplomacy.draw import draw
from gm.games.diplomacy.meta import BY_ID, POWERS
from gm.games.kit.colour import VISIONS, apart
from gm.games.kit.paper import PAPER, tint
from gm.games.kit.plane import area, clearance, crossings, inside
from gm.games.kit.signs import ALARM
from gm.games.kit.words import Box, width

FACTS: dict[str, Any] = tomllib.loads(
    resources.files("gm.games.diplomacy").joinpath("map.toml").read_text("utf-8")
)["province"]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def here() -> Chart:
    return chart()


def fleet_lists() -> dict[str, set[str]]:
    """Every place of a fleet to the places it can step to, as the map file says."""
    lists: dict[str, set[str]] = {}
    for name, entry in FACTS.items():
        for coast, part in entry.get("coast", {}).items():
            lists[f"{name}/{coast}"] = set(part["fleet"])
        if "coast" not in entry and "fleet" in entry:
            lists[name] = set(entry["fleet"])
    return lists


# --- topology -------------------------------------------------------------------------------------------


@pytest.mark.rule("diplomacy", "2.1")
def test_two_land_provinces_share_a_border_exactly_if_an_army_can_step_between_them(here: Chart) -> None:
    drawn = {
        frozenset(arc.regions) for arc in here.mesh.arcs if {here.ground[r] for r in arc.regions} == {"land"}
    }
    table = {frozenset((a, b)) for a, entry in FACTS.items() for b in entry.get("army", ())}
    assert drawn == table


@pytest.mark.rule("diplomacy", "2.1")
def test_water_borders_a_coast_exactly_if_a_fleet_can_step_between_them(here: Chart) -> None:
    drawn = {
        frozenset(arc.sides)
        for arc in here.mesh.arcs
        if "sea" in {here.ground[r] for r in arc.regions} <= {"sea", "land"}
    }
    table = {
        frozenset((a, b))
        for a, places in fleet_lists().items()
        for b in places
        if "sea" in (here.ground[a[:3]], here.ground[b[:3]])
    }
    assert drawn == table


@pytest.mark.rule("diplomacy", "2.2")
def test_two_coasts_meet_at_a_sea_exactly_if_a_fleet_can_step_along_them(here: Chart) -> None:
    # A fleet steps along the coast where a border of two provinces runs into a sea that washes both.
    shores: dict[str, set[tuple[str, str]]] = {}
    for arc in here.mesh.arcs:
        if here.kind(arc) == "coast":
            side, sea = sorted(arc.sides, key=lambda s: here.ground[s[:3]] == "sea")
            for end in arc.ends:
                shores.setdefault(side, set()).add((end, sea))
    borders = {
        frozenset(arc.regions): {
            e for a in here.mesh.arcs if set(a.regions) == set(arc.regions) for e in a.ends
        }
        for arc in here.mesh.arcs
        if here.kind(arc) == "border"
    }
    drawn = {
        frozenset((a, b))
        for a, b in itertools.combinations(sorted(shores), 2)
        if any(end in borders.get(frozenset((a[:3], b[:3])), ()) for end, _ in shores[a] & shores[b])
        and "shut" not in (here.ground[a[:3]], here.ground[b[:3]])
    }
    table = {
        frozenset((a, b))
        for a, places in fleet_lists().items()
        for b in places
        if here.ground[a[:3]] == here.ground[b[:3]] == "land"
    }
    assert drawn == table


def test_every_province_is_one_outline_and_the_outlines_fill_the_sheet(here: Chart) -> None:
    assert {r for r, ground in here.ground.items() if ground in ("land", "sea")} == set(FACTS)
    assert len(FACTS) == 75
    assert all(len(rings) == 1 for rings in here.mesh.rings.values())
    whole = abs(area(here.mesh.rings["OUT"][0]))
    parts = sum(abs(area(rings[0])) for region, rings in here.mesh.rings.items() if region != "OUT")
    assert parts == pytest.approx(whole, abs=1.0)


def test_no_two_border_lines_cross(here: Chart) -> None:
    assert crossings([arc.line for arc in here.mesh.arcs]) == []


# --- room -----------------------------------------------------------------------------------------------


def boxes(here: Chart, region: str) -> list[tuple[str, Box]]:
    spots = here.spots[region]
    sea = here.ground[region] == "sea"
    found = [(f"name {region}", Box(spots.label, width(region, 12.5, bold=not sea) / 2, 5.0))]
    if spots.centre:
        found.append((f"centre {region}", Box(spots.centre, 5.0, 5.0)))
    split = [place for place in here.coasts if place.startswith(region)]
    kind = "A" if here.ground[region] == "land" and (split or FACTS[region]["kind"] == "inland") else "F"
    half = (11.5, 11.5) if kind == "A" else (14.0, 11.5)
    found.append((f"{kind} {region}", Box(spots.unit, *half)))
    return found + [(f"F {place}", Box(here.coasts[place], 14.0, 11.5)) for place in split]


def test_names_centres_and_units_have_spots_inside_their_province_and_on_the_sheet(here: Chart) -> None:
    assert set(here.spots) == set(FACTS)
    for region in FACTS:
        ring = here.mesh.rings[region][0]
        assert (here.spots[region].centre is not None) == FACTS[region].get("centre", False), region
        for what, box in boxes(here, region):
            assert inside(box.middle, ring), what
            assert box.within(((0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT))), what


def test_no_name_centre_or_unit_covers_another_anywhere_on_the_map(here: Chart) -> None:
    everything = [entry for region in sorted(FACTS) for entry in boxes(here, region)]
    clashes = [
        (a, b)
        for (a, one), (b, other) in itertools.combinations(everything, 2)
        if one.meets(other) and not (a[2:5] == b[2:5] and a[0] in "AF" and b[0] in "AF")
    ]
    assert clashes == []


def test_a_fleet_on_a_split_coast_lies_at_that_coast(here: Chart) -> None:
    split = {f"{name}/{coast}" for name, entry in FACTS.items() for coast in entry.get("coast", ())}
    assert set(here.coasts) == split == {"BUL/EC", "BUL/SC", "SPA/NC", "SPA/SC", "STP/NC", "STP/SC"}
    for place, at in here.coasts.items():
        own = [arc.line for arc in here.mesh.arcs if place in arc.sides]
        other = [a.line for a in here.mesh.arcs if any(s[:4] == place[:4] and s != place for s in a.sides)]
        assert clearance(at, own) < 16, place
        assert clearance(at, own) < clearance(at, other), place


# --- colours --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("vision", VISIONS)
def test_power_colours_stay_apart_for_every_kind_of_colour_vision(vision: Any) -> None:
    least = min(apart(a.colour, b.colour, vision) for a, b in itertools.combinations(POWERS, 2))
    assert least > 0.12  # six times what eyes just notice


@pytest.mark.parametrize("vision", VISIONS)
def test_land_of_all_powers_and_of_none_stays_apart_for_every_kind_of_colour_vision(vision: Any) -> None:
    lands = [tint(power.colour) for power in POWERS] + [PAPER]
    assert min(apart(a, b, vision) for a, b in itertools.combinations(lands, 2)) > 0.05


# --- pictures -------------------------------------------------------------------------------------------


def phase(name: str = "S1901M", title: str = "Spring 1901, movement") -> Phase:
    return Phase(name=name, title=title, kind="movement", turn=name[:5])


def view(
    units: dict[str, list[str]],
    centres: dict[str, list[str]] | None = None,
    dislodged: Any = (),
    title: str = "Next",
) -> View:
    data = {
        "units": units,
        "centres": centres or {},
        "dislodged": list(dislodged),
        "contested": [],
        "over": None,
    }
    return View(ruleset="diplomacy", power=None, phase=phase("F1901M", title), data=data)


def reading(*orders: tuple[str, str, ResultWord | None]) -> Reading:
    seen = tuple(SeenOrder(power=power, order=order, result=result) for power, order, result in orders)
    return Reading(power=None, phase=phase(), orders=seen, events=())


def test_a_position_is_a_sized_svg_with_every_name_and_the_same_bytes_each_time() -> None:
    position = view({"france": ["A PAR", "F BRE"], "russia": ["F STP/SC"]}, {"france": ["PAR", "BRE"]})
    first = draw(position, None)
    assert draw(position, None) == first
    root = ElementTree.fromstring(first)
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("1000", "906", "0 0 1000 906")
    words = [text.text for text in root.iter(f"{SVG}text")]
    assert set(FACTS) <= set(words)
    assert "2 centres, 2 units" in words
    assert "0 centres, 1 unit" in words


def test_titles_are_escaped() -> None:
    svg = draw(view({}, title='<b>"Ides" & Co</b>'), None)
    words = [text.text for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]
    assert '<b>"Ides" & Co</b>' in words


def test_land_takes_the_colour_of_the_owner_of_its_centre_and_a_paler_one_of_a_unit_without_a_centre() -> (
    None
):
    svg = draw(view({"france": ["A BUR"]}, {"germany": ["MUN"]}), None)
    fills = {u.get("href"): u.get("fill") for u in ElementTree.fromstring(svg).iter(f"{SVG}use")}
    assert fills["#MUN"] == "url(#hatch-germany)"
    assert f'href="#MUN" fill="{tint(BY_ID["germany"].colour)}"' in svg
    assert fills["#BUR"] not in (PAPER, tint(BY_ID["france"].colour))
    assert fills["#PAR"] == PAPER


def count(svg: str, colour: str) -> int:
    return svg.count(f'"{colour}"')


def test_a_failed_move_is_dashed_with_a_star_and_a_successful_one_solid() -> None:
    position = view({"france": ["A PAR"]})
    plain = draw(position, None)
    moved = draw(view({"france": ["A BUR"]}), reading(("france", "A PAR - BUR", "ok")))
    bounced = draw(position, reading(("france", "A PAR - BUR", "bounce")))
    void = draw(position, reading(("france", "A PAR - PIC", "noconvoy")))
    dashes = [svg.count('stroke-dasharray="6 3.5"') for svg in (plain, moved, bounced, void)]
    assert [d - dashes[0] for d in dashes] == [0, 0, 2, 2]
    stars = [svg.count("<polygon") for svg in (plain, moved, bounced, void)]
    assert [s - stars[0] for s in stars] == [0, 0, 1, 0]


def test_a_hidden_verdict_is_drawn_like_an_order_not_like_a_failure() -> None:
    position = view({"france": ["A PAR"]})
    svg = draw(position, reading(("france", "A PAR - BUR", None)))
    assert svg.count('stroke-dasharray="6 3.5"') == draw(position, None).count('stroke-dasharray="6 3.5"')


@pytest.mark.parametrize(
    "order",
    [
        ("france", "A MAR S A PAR - BUR", "ok"),
        ("france", "A MAR S A BUR", "cut"),
        ("france", "F ENG C A LON - BEL", "ok"),
        ("england", "A LON - BEL VIA", "ok"),
    ],
)
def test_supports_convoys_and_moves_by_convoy_each_leave_a_mark(order: tuple[str, str, ResultWord]) -> None:
    position = view({"france": ["A BUR", "A MAR", "F ENG"], "england": ["A BEL"]})
    assert len(draw(position, reading(order))) > len(draw(position, reading()))


def event(kind: str, power: str, unit: str) -> Event:
    return Event(kind=kind, text="", rule="diplomacy 8.1", data={"power": power, "unit": unit})


def test_a_dislodged_unit_stands_aside_in_a_ring_and_its_retreat_starts_there() -> None:
    entry = {"power": "germany", "unit": "A BUR", "attacker_from": "PAR", "retreats": ["RUH"]}
    taken = draw(view({"france": ["A BUR"]}, dislodged=[entry]), None)
    x, y = (chart().spots["BUR"].unit[0] + 14, chart().spots["BUR"].unit[1] - 12)
    place = f'transform="translate({x:g} {y:g})"'
    assert taken.count(place) == 2  # the army and its ring
    after = view({"france": ["A BUR"], "germany": ["A RUH"]})
    now = Phase(name="S1901R", title="Spring 1901, retreats", kind="retreats", turn="S1901")
    order = SeenOrder(power="germany", order="A BUR - RUH", result="ok")
    retreated = draw(after, Reading(power=None, phase=now, orders=(order,), events=()))
    assert retreated.count(place) == 0
    assert f'<circle cx="{x:g}" cy="{y:g}"' in retreated


@pytest.mark.rule("diplomacy", "8.2")
def test_new_units_get_a_plate_and_those_that_are_gone_a_cross_by_order_or_not() -> None:
    position = view({"france": ["A MAR"]})
    base = draw(position, reading())
    for kind in ("removed", "disorder", "disbanded", "destroyed"):
        told = Reading(power=None, phase=phase(), orders=(), events=(event(kind, "france", "A PIC"),))
        assert count(draw(position, told), ALARM) == count(base, ALARM) + 1
    built = Reading(power=None, phase=phase(), orders=(), events=(event("built", "france", "A MAR"),))
    assert draw(position, built).count(">+<") == 1


def test_orders_that_name_no_place_of_the_map_are_left_out() -> None:
    position = view({"france": ["A PAR"]})
    plain = draw(position, reading())
    assert (
        draw(position, reading(("france", "A XXX - YYY", "illegal"), ("france", "gibberish", "illegal")))
        == plain
    )
