"""Sections 1 to 3: the powers, the board, bridges and canals."""

import pytest

from gm.games.api import check_options
from gm.games.menes import RULESET
from gm.games.menes.board import CITIES, HOMES, PROVINCES, SEAS, SPACES, distances, touches
from tests.games.menes.helpers import order, owner, turn, units


@pytest.mark.rule("menes", "1.2")
def test_five_powers_start_in_the_cities_of_the_rulebook():
    assert HOMES == {
        "dwarves": ("39", "40", "41"),
        "dragons": ("50", "51", "53"),
        "elves": ("3", "4", "5"),
        "men": ("12", "13", "15"),
        "ents": ("22", "23", "24"),
    }
    assert [p.id for p in RULESET.meta.powers] == list(HOMES)


@pytest.mark.rule("menes", "2.1")
def test_provinces_have_numbers_and_seas_letters():
    assert tuple(str(n) for n in range(1, 61)) == PROVINCES
    assert tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == SEAS
    kinds = [SPACES[p].kind for p in PROVINCES]
    assert (kinds.count("player_city"), kinds.count("free_city")) == (15, 19)


def test_every_border_is_the_same_from_both_sides():
    for place, space in SPACES.items():
        for other in (*space.land, *space.seas):
            assert touches(other, place), (place, other)


@pytest.mark.rule("menes", "2.7")
def test_every_power_starts_with_six_points():
    view = RULESET.view(RULESET.new_game(check_options(RULESET.meta, {}), None), None)
    assert RULESET.standings(view) == (("dwarves", 6), ("dragons", 6), ("elves", 6), ("men", 6), ("ents", 6))


@pytest.mark.rule("menes", "3.1")
@pytest.mark.parametrize(("start", "goal"), [(53, 54), (54, 53), (55, 56), (56, 55), (1, 60), (60, 1)])
def test_land_bridges_are_normal_steps(start, goal):
    result = turn({"men": [f"1 ARMY {start}"]}, {"men": [f"MOVE 1 ARMY {start} > {goal}"]})
    assert units(result) == {"men": [f"1 ARMY {goal}"]}


@pytest.mark.rule("menes", "3.2")
def test_a_fleet_below_a_land_bridge_does_not_stop_the_step():
    result = turn(
        {"men": ["1 ARMY 53"], "elves": ["9 ELVENSHIP G", "9 ELVENSHIP H"]},
        {"men": ["MOVE 1 ARMY 53 > 54"]},
        rolls=[],
    )
    assert units(result)["men"] == ["1 ARMY 54"]


@pytest.mark.rule("menes", "3.3")
@pytest.mark.parametrize(("start", "goal"), ["BC", "CB", "XY", "YX", "AZ", "ZA"])
def test_canals_are_normal_steps(start, goal):
    result = turn({"men": [f"1 FLEET {start}"]}, {"men": [f"MOVE 1 FLEET {start} > {goal}"]})
    assert units(result) == {"men": [f"1 FLEET {goal}"]}


@pytest.mark.rule("menes", "3.4")
@pytest.mark.parametrize(("start", "goal", "bank"), [("B", "C", 27), ("X", "Y", 47), ("A", "Z", 36)])
def test_armies_beside_a_canal_do_not_stop_the_step(start, goal, bank):
    result = turn(
        {"men": [f"1 FLEET {start}"], "elves": [f"20 ARMY {bank}"]},
        {"men": [f"MOVE 1 FLEET {start} > {goal}"]},
        rolls=[],
    )
    assert units(result)["men"] == [f"1 FLEET {goal}"]


@pytest.mark.rule("menes", "3.5")
def test_the_corner_of_l_h_k_m_and_the_coasts_of_33():
    assert touches("G", "H")
    assert all(touches(a, b) for a in "LHKM" for b in "LHKM" if a != b)
    assert set(SPACES["33"].seas) == set("LMRSZ")
    assert SPACES["33"].land == ()


@pytest.mark.rule("menes", "C4")
def test_every_free_city_is_in_reach_of_somebody_on_the_first_turn():
    land = {p: distances(HOMES[p], lambda s: SPACES[s].land) for p in HOMES}
    for city in CITIES:
        if SPACES[city].kind != "free_city":
            continue
        near = [p for p in HOMES if land[p].get(city, 99) == 1]
        riders = land["men"].get(city, 99) <= 2
        flight = any(
            city in SPACES[over].land for h in HOMES["dragons"] for over in (*SPACES[h].land, *SPACES[h].seas)
        )
        ships = [
            p
            for p in HOMES
            for home in HOMES[p]
            for sea in SPACES[home].seas
            for route in ({sea, *SPACES[sea].seas},)
            if any(city in SPACES[s].land for s in route)
        ]
        assert near or riders or flight or ships, city


def test_the_first_turn_ferry_takes_a_free_city_overseas():
    result = turn(
        orders={
            "men": [
                "BUY 1 FLEET AT 12 SEA R",
                "BUY 5 ARMY AT 12",
                "MOVE 1 FLEET R > S",
                "MOVE 5 ARMY 12 > R > S > 35",
            ]
        }
    )
    assert owner(result, 35) == "men"
    assert order(result, "men", "MOVE 5 ARMY 12 > R > S > 35") == ("ok", "")
