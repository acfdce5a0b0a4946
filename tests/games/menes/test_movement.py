"""Sections 5 and 6: points, ships and cargo, horsemen, dragons, the free-city stop."""

import pytest

from tests.games.menes.helpers import events, order, owner, turn, units


@pytest.mark.rule("menes", "6.1")
def test_all_units_without_orders_stand():
    assert units(turn({"men": ["3 ARMY 12", "1 FLEET R", "2 ARMY R"]})) == {
        "men": ["3 ARMY 12", "1 FLEET R", "2 ARMY R"]
    }


@pytest.mark.rule("menes", "6.3")
@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("MOVE 1 ARMY 12 > 13 > 15", "that takes 2 points, armies have 1 point a turn"),
        ("MOVE 1 ARMY 12 > 14 > R", "that takes 1½ points, armies have 1 point a turn"),
        ("MOVE 1 ARMY 12 > R > 14 > 12", "that takes 2 points, armies have 1 point a turn"),
        ("MOVE 1 ARMY 12 > 15", "Heelgarth (12) does not touch Aldermoor (15)"),
        ("MOVE 1 ARMY 12 > R > 14 > L", "a unit boards ships once a turn"),
    ],
)
def test_paths_beyond_an_armys_points_are_refused_with_the_reason(line, why):
    result = turn({"men": ["1 ARMY 12", "1 FLEET R"]}, {"men": [line]})
    assert order(result, "men", line) == ("illegal", why)
    assert units(result)["men"] == ["1 ARMY 12", "1 FLEET R"]


@pytest.mark.rule("menes", "6.3")
def test_an_army_embarks_sails_and_lands_in_one_turn():
    result = turn(
        {"men": ["5 ARMY 12", "1 FLEET R"]}, {"men": ["MOVE 1 FLEET R > S", "MOVE 5 ARMY 12 > R > S > 34"]}
    )
    assert units(result) == {"men": ["5 ARMY 34", "1 FLEET S"]}


@pytest.mark.rule("menes", "6.3")
def test_an_army_embarks_and_stays_aboard_then_lands_next_turn():
    result = turn({"men": ["6 ARMY 12", "2 FLEET R"]}, {"men": ["MOVE 6 ARMY 12 > R"]})
    assert units(result) == {"men": ["2 FLEET R", "6 ARMY R"]}
    landed = turn({"men": ["2 FLEET R", "6 ARMY R"]}, {"men": ["MOVE 6 ARMY R > 14"]})
    assert units(landed) == {"men": ["6 ARMY 14", "2 FLEET R"]}


@pytest.mark.rule("menes", "6.3")
def test_a_ship_that_stays_ferries_between_two_coasts_of_its_sea():
    result = turn({"men": ["5 ARMY 12", "1 FLEET R"]}, {"men": ["MOVE 5 ARMY 12 > R > 32"]})
    assert (units(result), owner(result, 32)) == ({"men": ["5 ARMY 32", "1 FLEET R"]}, "men")


@pytest.mark.rule("menes", "6.3")
def test_cargo_without_orders_sails_along():
    result = turn({"men": ["2 FLEET R", "6 ARMY R"]}, {"men": ["MOVE 2 FLEET R > L"]})
    assert units(result) == {"men": ["2 FLEET L", "6 ARMY L"]}


@pytest.mark.rule("menes", "6.3")
def test_cargo_without_orders_stays_while_there_is_room_with_those_who_stay():
    result = turn({"men": ["2 FLEET R", "6 ARMY R"]}, {"men": ["MOVE 1 FLEET R > L"]})
    assert units(result) == {"men": ["1 FLEET L", "1 FLEET R", "1 ARMY L", "5 ARMY R"]}


@pytest.mark.rule("menes", "5.5")
def test_a_fleet_carries_five_and_the_rest_stays_ashore():
    line = "MOVE 7 ARMY 12 > R > S > 34"
    result = turn({"men": ["7 ARMY 12", "1 FLEET R"]}, {"men": ["MOVE 1 FLEET R > S", line]})
    assert order(result, "men", line) == ("partial", "the ships in R > S have room for 5 more")
    assert units(result) == {"men": ["2 ARMY 12", "5 ARMY 34", "1 FLEET S"]}


@pytest.mark.rule("menes", "6.3")
def test_no_transport_no_voyage():
    line = "MOVE 1 ARMY 12 > R > S > 34"
    result = turn({"men": ["1 ARMY 12", "1 FLEET R"]}, {"men": [line]})
    assert order(result, "men", line) == ("illegal", "no ships of yours sail R > S this turn")
    stay = turn({"men": ["1 ARMY 12", "1 FLEET R"]}, {"men": ["MOVE 1 FLEET R > S", "MOVE 1 ARMY 12 > R"]})
    assert order(stay, "men", "MOVE 1 ARMY 12 > R") == (
        "illegal",
        "no ships of yours stay in the Heel Sea (R) this turn",
    )


@pytest.mark.rule("menes", "5.6a")
@pytest.mark.rule("menes", "6.2")
def test_elven_ships_sail_two_seas_with_ten_aboard():
    result = turn(
        {"elves": ["10 ARMY 5", "1 ELVENSHIP I"]},
        {"elves": ["MOVE 1 ELVENSHIP I > G > H", "MOVE 10 ARMY 5 > I > G > H > 52"]},
    )
    assert units(result) == {"elves": ["10 ARMY 52", "1 ELVENSHIP H"]}


@pytest.mark.rule("menes", "6.2")
@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("MOVE 1 FLEET I > G > H", "fleets move one sea a turn, this path has 2"),
        ("MOVE 1 ELVENSHIP I > G > H > K", "elven ships move 2 seas a turn, this path has 3"),
        ("MOVE 1 FLEET I > 56", "fleets can't go ashore at Kestrel Isle (56)"),
        ("MOVE 1 FLEET I > H", "the Laurel Sea (I) does not touch the Wyrm Strait (H)"),
    ],
)
def test_paths_that_ships_cannot_sail(line, why):
    assert order(turn({"elves": ["1 FLEET I", "1 ELVENSHIP I"]}, {"elves": [line]}), "elves", line) == (
        "illegal",
        why,
    )


@pytest.mark.rule("menes", "6.2")
def test_elven_ships_may_sail_one_sea_or_hold():
    result = turn({"elves": ["2 ELVENSHIP I"]}, {"elves": ["MOVE 1 ELVENSHIP I > G"]})
    assert units(result) == {"elves": ["1 ELVENSHIP G", "1 ELVENSHIP I"]}


# --- horsemen ----------------------------------------------------------------------------------------------


@pytest.mark.rule("menes", "6.6")
def test_worked_example_horsemen_ride_embark_and_land():
    result = turn(
        {"men": ["3 HORSEMEN 13", "1 FLEET R"]},
        {"men": ["MOVE 1 FLEET R > S", "MOVE 3 HORSEMEN 13 > 12 > R > S > 34"]},
    )
    assert units(result) == {"men": ["3 HORSEMEN 34", "1 FLEET S"]}


@pytest.mark.rule("menes", "6.6")
def test_worked_example_horsemen_embark_land_and_ride():
    # The example rides on from 34 to 35. There 35 is a free city; a free city last entered stops nobody.
    result = turn(
        {"men": ["3 HORSEMEN 12", "1 FLEET R"]},
        {"men": ["MOVE 1 FLEET R > S", "MOVE 3 HORSEMEN 12 > R > S > 34 > 35"]},
    )
    assert units(result) == {"men": ["3 HORSEMEN 35", "1 FLEET S"]}


@pytest.mark.rule("menes", "6.5")
def test_horsemen_ride_two_spaces_but_not_three():
    result = turn({"men": ["4 HORSEMEN 15"]}, {"men": ["MOVE 2 HORSEMEN 15 > 16 > 20"]})
    assert units(result) == {"men": ["2 HORSEMEN 15", "2 HORSEMEN 20"]}
    line = "MOVE 2 HORSEMEN 15 > 16 > 20 > 19"
    assert order(turn({"men": ["2 HORSEMEN 15"]}, {"men": [line]}), "men", line)[0] == "illegal"


@pytest.mark.rule("menes", "6.5")
@pytest.mark.rule("menes", "R horsemen stop")
def test_horsemen_stop_where_an_enemy_stands():
    line = "MOVE 4 HORSEMEN 15 > 16 > 20"
    # Four dice at 4 against one die at 2: the ent army falls, the riders stay at 16 under AFTER STAY.
    result = turn(
        {"men": ["4 HORSEMEN 15"], "ents": ["1 ARMY 16"]},
        {"men": [line, "AFTER 16 STAY"]},
        centres={"ents": [16], "men": [15]},
        rolls=[4, 6, 6, 6, 6],
    )
    assert units(result) == {"men": ["4 HORSEMEN 16"]}
    assert order(result, "men", line) == ("blocked", "the enemy stopped them at Fenmark (16)")


@pytest.mark.rule("menes", "6.5")
def test_horsemen_do_not_stop_where_the_enemy_has_left():
    result = turn(
        {"men": ["4 HORSEMEN 15"], "ents": ["1 ARMY 16"]},
        {"men": ["MOVE 4 HORSEMEN 15 > 16 > 20"], "ents": ["MOVE 1 ARMY 16 > 17"]},
        rolls=[],
    )
    assert units(result) == {"men": ["4 HORSEMEN 20"], "ents": ["1 ARMY 17"]}


@pytest.mark.rule("menes", "6.5")
def test_horsemen_stopped_on_their_way_to_the_ships_do_not_embark():
    result = turn(
        {"men": ["3 HORSEMEN 13", "1 FLEET R"], "ents": ["1 ARMY 12"]},
        {"men": ["MOVE 3 HORSEMEN 13 > 12 > R", "AFTER ALL STAY"]},
        rolls=[6, 1, 1, 1],
    )
    assert units(result) == {"men": ["3 HORSEMEN 12", "1 FLEET R"]}


# --- free cities -------------------------------------------------------------------------------------------


@pytest.mark.rule("menes", "C3")
@pytest.mark.rule("menes", "R free-city stop")
def test_horsemen_must_stop_in_a_free_city_on_their_way():
    line = "MOVE 2 HORSEMEN 16 > 17 > 18"
    assert units(turn({"men": ["2 HORSEMEN 16"]}, {"men": [line]})) == {"men": ["2 HORSEMEN 18"]}
    through = "MOVE 2 HORSEMEN 17 > 18 > 30"
    result = turn({"men": ["2 HORSEMEN 17"]}, {"men": [through]})
    assert units(result) == {"men": ["2 HORSEMEN 18"]}
    assert order(result, "men", through) == ("partial", "they must stop in the free city Karstholm (18)")


@pytest.mark.rule("menes", "C3")
def test_the_stop_holds_even_if_another_unit_claims_the_city_this_turn():
    result = turn(
        {"men": ["2 HORSEMEN 17", "1 ARMY 30"]},
        {"men": ["MOVE 1 ARMY 30 > 18", "MOVE 2 HORSEMEN 17 > 18 > 30"]},
    )
    assert units(result) == {"men": ["1 ARMY 18", "2 HORSEMEN 18"]}


@pytest.mark.rule("menes", "R free-city stop")
def test_a_free_city_of_ones_own_stops_nobody():
    result = turn(
        {"men": ["2 HORSEMEN 17"]}, {"men": ["MOVE 2 HORSEMEN 17 > 18 > 30"]}, centres={"men": [18]}
    )
    assert units(result) == {"men": ["2 HORSEMEN 30"]}
    off = turn(
        {"men": ["2 HORSEMEN 17"]},
        {"men": ["MOVE 2 HORSEMEN 17 > 18 > 30"]},
        options={"free_city_stop": "off"},
    )
    assert units(off) == {"men": ["2 HORSEMEN 30"]}


@pytest.mark.rule("menes", "C3")
def test_horsemen_that_land_in_a_free_city_stop_there():
    result = turn({"men": ["1 FLEET S", "2 HORSEMEN S"]}, {"men": ["MOVE 2 HORSEMEN S > 35 > 34"]})
    assert units(result) == {"men": ["2 HORSEMEN 35", "1 FLEET S"]}


# --- dragons -----------------------------------------------------------------------------------------------


@pytest.mark.rule("menes", "5.7c")
def test_worked_example_dragons_fly_over_the_sea_from_51_to_55():
    result = turn({"dragons": ["3 DRAGON 51"]}, {"dragons": ["FLY 3 DRAGON 51 > G > 55"]})
    assert (units(result), owner(result, 55)) == ({"dragons": ["3 DRAGON 55"]}, "dragons")


@pytest.mark.rule("menes", "5.7a")
def test_dragons_fly_over_a_province():
    result = turn({"dragons": ["3 DRAGON 51"]}, {"dragons": ["FLY 3 DRAGON 51 > 58 > 60"]}, rolls=[])
    assert units(result) == {"dragons": ["3 DRAGON 60"]}
    assert owner(result, 58) is None


@pytest.mark.rule("menes", "5.7a")
@pytest.mark.rule("menes", "5.7c")
@pytest.mark.rule("menes", "5.7e")
@pytest.mark.rule("menes", "6.4")
@pytest.mark.parametrize(
    ("line", "normal", "rule"),
    [
        ("FLY 1 DRAGON 51 > G", "MOVE 1 DRAGON 51 > G", "menes 5.7c"),
        ("FLY 1 DRAGON 51 > G > H", "FLY 1 DRAGON 51 > G > H", "menes 5.7c"),
        ("FLY 1 DRAGON 51 > 52 > 50 > 48", "FLY 1 DRAGON 51 > 52 > 50 > 48", "menes 5.7a"),
        ("MOVE 1 DRAGON G > 55", "MOVE 1 DRAGON G > 55", "menes 5.7e"),
    ],
)
def test_what_dragons_cannot_do(line, normal, rule):
    result = turn({"dragons": ["1 DRAGON 51", "1 FLEET G"]}, {"dragons": [line]})
    told = next(o for o in result.orders if o.order == normal)
    assert (told.result, told.rule) == ("illegal", rule)
    assert units(result)["dragons"] == ["1 DRAGON 51", "1 FLEET G"]


@pytest.mark.rule("menes", "C3")
def test_dragons_do_not_stop_in_a_free_city():
    result = turn(
        {"dragons": ["1 DRAGON 51"]},
        {"dragons": ["FLY 1 DRAGON 51 > 59 > 60"]},
        options={"native_guns": 0},
        rolls=[],
    )
    assert units(result) == {"dragons": ["1 DRAGON 60"]}


@pytest.mark.rule("menes", "5.7b")
@pytest.mark.rule("menes", "5.7d")
@pytest.mark.rule("menes", "R fly-over")
def test_a_hostile_province_shoots_and_dragons_answer_at_one():
    # Two dragons at 1: 1 hits, 2 misses. Two elven armies at 2: 2 hits, 3 misses. Nobody flees.
    result = turn(
        {"dragons": ["2 DRAGON 51"], "elves": ["2 ARMY 58"]},
        {"dragons": ["FLY 2 DRAGON 51 > 58 > 60"]},
        rolls=[1, 2, 2, 3],
    )
    assert units(result) == {"dragons": ["1 DRAGON 60"], "elves": ["1 ARMY 58"]}


@pytest.mark.rule("menes", "5.7d")
def test_dragons_fight_at_two_once_landed():
    # The flight ends on an enemy: 2 hits for the dragon now, and 2 for the elf.
    result = turn(
        {"dragons": ["1 DRAGON 51"], "elves": ["1 ARMY 55"]},
        {"dragons": ["FLY 1 DRAGON 51 > G > 55"]},
        rolls=[2, 2],
    )
    assert units(result) == {}


@pytest.mark.rule("menes", "R fly-over")
def test_city_bonus_does_not_help_at_dragons_overhead():
    # Dwarven axemen shoot with their factor 4, not 6, from their own city.
    result = turn(
        {"dragons": ["1 DRAGON 42"], "dwarves": ["1 AXEMEN 40"]},
        {"dragons": ["FLY 1 DRAGON 42 > 40 > 45"]},
        rolls=[6, 5],
    )
    assert units(result) == {"dwarves": ["1 AXEMEN 40"], "dragons": ["1 DRAGON 45"]}


@pytest.mark.rule("menes", "R fly-over")
def test_powers_that_allow_the_flight_do_not_shoot_and_are_not_shot_at():
    result = turn(
        {"dragons": ["1 DRAGON 51"], "elves": ["1 ARMY 58"]},
        {"dragons": ["FLY 1 DRAGON 51 > 58 > 60"], "elves": ["FLYOVER DRAGONS ALLOW"]},
        rolls=[],
    )
    assert units(result)["dragons"] == ["1 DRAGON 60"]


@pytest.mark.rule("menes", "R fly-over")
def test_ships_never_shoot_at_dragons():
    result = turn(
        {"dragons": ["1 DRAGON 51"], "elves": ["9 FLEET G"]},
        {"dragons": ["FLY 1 DRAGON 51 > G > 55"]},
        rolls=[],
    )
    assert units(result)["dragons"] == ["1 DRAGON 55"]


@pytest.mark.rule("menes", "C3")
@pytest.mark.rule("menes", "R natives")
def test_natives_of_an_unclaimed_city_shoot_three_dice_at_two():
    # Two dragons answer (no effect), then the natives: 2 and 1 hit, 3 misses.
    result = turn(
        {"dragons": ["2 DRAGON 51"]}, {"dragons": ["FLY 2 DRAGON 51 > 59 > 60"]}, rolls=[1, 6, 2, 3, 1]
    )
    assert units(result) == {}
    # A city that somebody holds, or that troops stand in, has no natives to shoot.
    held = turn(
        {"dragons": ["2 DRAGON 51"]},
        {"dragons": ["FLY 2 DRAGON 51 > 59 > 60"]},
        centres={"dragons": [59]},
        rolls=[],
    )
    assert units(held) == {"dragons": ["2 DRAGON 60"]}
    entered = turn(
        {"dragons": ["2 DRAGON 51", "1 ARMY 51"]},
        {"dragons": ["FLY 2 DRAGON 51 > 59 > 60", "MOVE 1 ARMY 51 > 59"]},
        rolls=[],
    )
    assert units(entered) == {"dragons": ["1 ARMY 59", "2 DRAGON 60"]}


@pytest.mark.rule("menes", "R syntax")
def test_move_does_for_dragons():
    result = turn({"dragons": ["1 DRAGON 51"]}, {"dragons": ["MOVE 1 DRAGON 51 > G > 55"]})
    assert units(result) == {"dragons": ["1 DRAGON 55"]}


# --- counts --------------------------------------------------------------------------------------------------


@pytest.mark.rule("menes", "R more than he has")
def test_counts_beyond_what_stands_there_are_cut_or_refused_and_told():
    line = "MOVE 9 ARMY 12 > 14"
    cut = turn({"men": ["5 ARMY 12"]}, {"men": [line]})
    assert order(cut, "men", line) == ("partial", "only 5 of 9 are left at Heelgarth (12)")
    assert units(cut) == {"men": ["5 ARMY 14"]}
    refused = turn({"men": ["5 ARMY 12"]}, {"men": [line]}, options={"excess_moves": "refuse"})
    assert order(refused, "men", line) == ("illegal", "only 5 armies are left for it at Heelgarth (12)")
    assert units(refused) == {"men": ["5 ARMY 12"]}


def test_move_all_takes_every_kind_that_the_path_suits():
    result = turn({"men": ["2 ARMY 12", "3 HORSEMEN 12"]}, {"men": ["MOVE ALL 12 > 14"]})
    assert units(result) == {"men": ["2 ARMY 14", "3 HORSEMEN 14"]}


@pytest.mark.rule("menes", "R cargo")
def test_a_ship_disbanded_by_order_takes_its_cargo_along():
    result = turn({"men": ["2 FLEET R", "6 ARMY R"]}, {"men": ["DISBAND 1 FLEET AT R"]})
    # Five lie in the first ship and one in the second, which is the emptier one.
    assert units(result) == {"men": ["1 FLEET R", "5 ARMY R"]}
    assert [e.data["count"] for e in events(result, "disbanded")] == [1, 1]


@pytest.mark.rule("menes", "R swap")
def test_units_that_swap_places_pass_each_other():
    result = turn(
        {"men": ["3 ARMY 16"], "ents": ["3 ARMY 17"]},
        {"men": ["MOVE 3 ARMY 16 > 17"], "ents": ["MOVE 3 ARMY 17 > 16"]},
        rolls=[],
    )
    assert units(result) == {"men": ["3 ARMY 17"], "ents": ["3 ARMY 16"]}
