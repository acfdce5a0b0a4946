"""Section 8 and changes 4½ and 5: factors, hits, flight, several powers, ships, horsemen after a battle.

The field is Cedarshore (42), a province without a city, unless a test is about cities. Rolls are given in the order
in which they are asked for: attackers by power and unit, then the defender, then those who may flee.
"""

import pytest

from tests.games.menes.helpers import events, order, owner, turn, units

ATTACK = {"dwarves": ["MOVE ALL 39 > 42"]}
FIELD = {"dragons": [42, 50], "dwarves": [39]}


def battle(attackers, defenders, rolls, centres=FIELD, **tables):
    return turn({"dwarves": attackers, "dragons": defenders}, ATTACK, rolls=rolls, centres=centres, **tables)


@pytest.mark.rule("menes", "8.2")
@pytest.mark.rule("menes", "8.5")
def test_an_attacker_hits_on_his_factor_or_less_and_each_hit_removes_a_unit():
    result = battle(["2 ARMY 39"], ["2 ARMY 42"], [2, 1, 3, 6])
    assert units(result) == {"dwarves": ["2 ARMY 42"]}
    missed = battle(["1 ARMY 39"], ["1 ARMY 42"], [3, 2])
    assert units(missed) == {"dragons": ["1 ARMY 42"]}


@pytest.mark.rule("menes", "8.3")
def test_a_defender_hits_on_his_defence_factor_or_less():
    # Ents defend at 2 although they attack at 4.
    result = turn(
        {"dwarves": ["1 ARMY 39"], "ents": ["1 ENT 42"]},
        ATTACK,
        rolls=[6, 3, 2, 6],
        centres={"ents": [42, 22]},
    )
    assert units(result) == {"dwarves": ["1 ARMY 42"]}
    hit = turn(
        {"dwarves": ["1 ARMY 39"], "ents": ["1 ENT 42"]}, ATTACK, rolls=[6, 2], centres={"ents": [42, 22]}
    )
    assert units(hit) == {"ents": ["1 ENT 42"]}


@pytest.mark.rule("menes", "R dealing hits")
def test_both_sides_roll_at_once_so_both_can_fall():
    assert units(battle(["1 ARMY 39"], ["1 ARMY 42"], [1, 1])) == {}


@pytest.mark.rule("menes", "C4½")
@pytest.mark.rule("menes", "R who defends")
def test_without_an_owner_present_everybody_uses_attack_factors():
    # Axemen attack at 2 and defend at 4; ents attack at 4. Nobody owns 42. Equal and weakest alike, so the dwarves,
    # first in the order of the map, have less attack and are the target: ents roll first.
    position = {"dwarves": ["1 AXEMEN 39"], "ents": ["1 ENT 38"]}
    orders = {"dwarves": ["MOVE ALL 39 > 42"], "ents": ["MOVE ALL 38 > 42"]}
    result = turn(position, orders, rolls=[5, 3, 4, 6], centres={"dwarves": [39], "ents": [22]})
    assert units(result) == {"ents": ["1 ENT 42"]}


@pytest.mark.rule("menes", "R who defends")
def test_the_owner_defends_even_if_he_only_just_arrives():
    # Ents stand in the dwarves' 42; the axemen march in and defend with 4.
    result = turn(
        {"dwarves": ["1 AXEMEN 39"], "ents": ["1 ENT 42"]},
        ATTACK,
        rolls=[5, 4],
        centres={"dwarves": [39, 42], "ents": [22]},
    )
    assert units(result) == {"dwarves": ["1 AXEMEN 42"]}


@pytest.mark.rule("menes", "R who defends")
def test_house_rule_nobody_defends():
    result = turn(
        {"dwarves": ["1 AXEMEN 39"], "ents": ["1 ENT 42"]},
        ATTACK,
        rolls=[5, 4, 4, 6],
        centres={"dwarves": [39, 42], "ents": [22]},
        options={"defender": "nobody"},
    )
    assert units(result) == {"ents": ["1 ENT 42"]}


@pytest.mark.rule("menes", "8.4")
@pytest.mark.rule("menes", "R city bonus")
@pytest.mark.parametrize(
    ("place", "way", "hit", "miss"), [(38, "39 > 38", 3, 4), (40, "39 > 40", 4, 5), (42, "39 > 42", 2, 3)]
)
def test_the_owner_defends_a_free_city_at_plus_1_and_a_player_city_at_plus_2(place, way, hit, miss):
    def fight(rolls):
        return turn(
            {"dwarves": ["1 ARMY 39"], "dragons": [f"1 ARMY {place}"]},
            {"dwarves": [f"MOVE ALL {way}"]},
            rolls=rolls,
            centres={"dragons": [place, 50], "dwarves": [39]},
        )

    assert units(fight([6, hit])) == {"dragons": [f"1 ARMY {place}"]}
    assert units(fight([6, miss, 1, 6])) == {"dwarves": [f"1 ARMY {place}"]}


@pytest.mark.rule("menes", "R city bonus")
def test_axemen_in_a_player_city_always_hit():
    result = turn(
        {"dragons": ["1 ARMY 37"], "dwarves": ["1 AXEMEN 39"]},
        {"dragons": ["MOVE ALL 37 > 39"]},
        rolls=[6, 6],
        centres={"dwarves": [39], "dragons": [50]},
    )
    assert units(result) == {"dwarves": ["1 AXEMEN 39"]}


@pytest.mark.rule("menes", "R city bonus")
def test_an_unclaimed_city_gives_no_bonus():
    position = {"dwarves": ["1 ARMY 39"], "dragons": ["1 ARMY 36"]}
    orders = {"dwarves": ["MOVE ALL 39 > 38"], "dragons": ["MOVE ALL 36 > 38"]}
    # Dwarves are the target of equals; dragons roll first. 3 would hit with a bonus.
    result = turn(position, orders, rolls=[2, 3])
    assert (units(result), owner(result, 38)) == ({"dragons": ["1 ARMY 38"]}, "dragons")


# --- the outnumbered ---------------------------------------------------------------------------------------


@pytest.mark.rule("menes", "8.6")
@pytest.mark.rule("menes", "R outnumbered")
def test_each_outnumbered_unit_flees_on_1_or_2_and_the_rest_fight_on():
    # Three against two, nobody hits; of the two, one rolls 2 and flees to the unowned 38, one rolls 3 and stays.
    result = battle(["3 ARMY 39"], ["2 ARMY 42"], [6, 6, 6, 6, 6, 2, 3, 1, 6, 6, 6])
    assert units(result) == {"dwarves": ["3 ARMY 42"], "dragons": ["1 ARMY 38"]}
    assert owner(result, 38) == "dragons"


@pytest.mark.rule("menes", "R outnumbered")
def test_equal_sides_do_not_roll_to_flee():
    assert units(battle(["1 ARMY 39"], ["1 ARMY 42"], [6, 6, 6, 6, 1, 6])) == {"dwarves": ["1 ARMY 42"]}


@pytest.mark.rule("menes", "R outnumbered")
def test_numbers_are_compared_after_casualties():
    # Two against three; two hits bring the three to one: he is the one outnumbered, and he flees.
    result = battle(["2 ARMY 39"], ["3 ARMY 42"], [1, 1, 6, 6, 6, 1])
    assert units(result) == {"dwarves": ["2 ARMY 42"], "dragons": ["1 ARMY 38"]}


@pytest.mark.rule("menes", "R where to flee")
def test_defenders_take_their_retreat_list_then_their_own_then_unowned_land():
    lists = {"dragons": ["RETREAT 42 TO 39, 38"]}
    rolls = [6, 6, 6, 1]
    to_list = turn(
        {"dwarves": ["2 ARMY 40"], "dragons": ["1 ARMY 42"]},
        {"dwarves": ["MOVE ALL 40 > 42"], **lists},
        rolls=rolls,
        centres={"dragons": [42, 38], "dwarves": [40]},
    )
    assert units(to_list)["dragons"] == ["1 ARMY 39"]
    own = battle(["2 ARMY 39"], ["1 ARMY 42"], rolls, centres={"dragons": [42, 40], "dwarves": [39]})
    assert units(own)["dragons"] == ["1 ARMY 40"]
    unowned = battle(["2 ARMY 39"], ["1 ARMY 42"], rolls, centres={"dragons": [42], "dwarves": [39]})
    assert units(unowned)["dragons"] == ["1 ARMY 38"]


@pytest.mark.rule("menes", "8.6")
@pytest.mark.rule("menes", "R where to flee")
def test_who_cannot_flee_dies():
    # 38, 39 and 40 are the dwarves'.
    result = battle(
        ["2 ARMY 39"], ["1 ARMY 42"], [6, 6, 6, 1], centres={"dragons": [42], "dwarves": [38, 39, 40]}
    )
    assert units(result) == {"dwarves": ["2 ARMY 42"]}


@pytest.mark.rule("menes", "R where to flee")
def test_attackers_flee_to_where_they_came_from():
    result = battle(["1 ARMY 39"], ["2 ARMY 42"], [6, 6, 6, 2])
    assert units(result) == {"dwarves": ["1 ARMY 39"], "dragons": ["2 ARMY 42"]}
    assert order(result, "dwarves", "MOVE ALL 39 > 42") == (
        "bounce",
        "some were beaten back to Deepforge (39) at Cedarshore (42)",
    )


@pytest.mark.rule("menes", "R where to flee")
def test_attackers_whose_way_back_is_taken_flee_like_defenders():
    result = turn(
        {"dwarves": ["1 ARMY 39"], "dragons": ["2 ARMY 42"], "ents": ["1 ARMY 37"]},
        {**ATTACK, "ents": ["MOVE 1 ARMY 37 > 39"]},
        rolls=[6, 6, 6, 1],
        centres={"dragons": [42], "dwarves": [40], "ents": [22]},
    )
    assert units(result) == {"dwarves": ["1 ARMY 40"], "dragons": ["2 ARMY 42"], "ents": ["1 ARMY 39"]}


@pytest.mark.rule("menes", "R where to flee")
def test_landed_troops_flee_back_aboard_the_ships_that_landed_them():
    result = turn(
        {"men": ["1 FLEET T", "1 ARMY T"], "dragons": ["2 ARMY 42"]},
        {"men": ["MOVE 1 ARMY T > 42"]},
        rolls=[6, 6, 6, 1],
        centres={"dragons": [42]},
    )
    assert units(result)["men"] == ["1 FLEET T", "1 ARMY T"]


@pytest.mark.rule("menes", "R flight by air")
def test_dragons_beaten_after_a_flight_go_back_to_where_they_took_off():
    result = turn(
        {"dragons": ["1 DRAGON 51"], "elves": ["2 ARMY 55"]},
        {"dragons": ["FLY 1 DRAGON 51 > G > 55"]},
        rolls=[6, 6, 6, 1],
        centres={"elves": [55], "dragons": [51]},
    )
    assert units(result)["dragons"] == ["1 DRAGON 51"]
    nearest = turn(
        {"dragons": ["1 DRAGON 51"], "elves": ["2 ARMY 55"]},
        {"dragons": ["FLY 1 DRAGON 51 > G > 55"]},
        rolls=[6, 6, 6, 1],
        centres={"elves": [55], "dragons": [51]},
        options={"flight_retreat": "nearest"},
    )
    assert units(nearest)["dragons"] == ["1 DRAGON 56"]


@pytest.mark.rule("menes", "R endless battle")
def test_after_50_rounds_those_who_moved_fall_back():
    result = battle(["1 ARMY 39"], ["1 ARMY 42"], [6] * 100)
    assert units(result) == {"dwarves": ["1 ARMY 39"], "dragons": ["1 ARMY 42"]}
    assert events(result, "numbers")[0].data["rounds"] == 50


@pytest.mark.rule("menes", "R endless battle")
def test_after_50_rounds_everybody_stays_if_nobody_moved():
    result = turn(
        {"dwarves": ["1 ARMY 42"], "dragons": ["1 ARMY 42"]}, rolls=[6] * 200, centres={"dragons": [42]}
    )
    assert units(result) == {"dwarves": ["1 ARMY 42"], "dragons": ["1 ARMY 42"]}
    assert owner(result, 42) == "dragons"


@pytest.mark.rule("menes", "R endless battle")
def test_after_50_rounds_at_sea_those_who_sailed_in_fall_back():
    result = turn(
        {"elves": ["1 FLEET G"], "men": ["1 FLEET I"]}, {"men": ["MOVE 1 FLEET I > G"]}, rolls=[6] * 100
    )
    assert units(result) == {"elves": ["1 FLEET G"], "men": ["1 FLEET I"]}


def test_an_order_of_which_some_came_through_is_partial_and_else_bounces():
    # Two hits clear the field at once.
    won = battle(["3 ARMY 39"], ["2 ARMY 42"], [1, 1, 6, 6, 6])
    assert order(won, "dwarves", "MOVE ALL 39 > 42") == ("ok", "")
    split = battle(["2 ARMY 39"], ["3 ARMY 42"], [6, 6, 6, 6, 6, 1, 6, 6, 6, 6, 6, 1])
    assert order(split, "dwarves", "MOVE ALL 39 > 42")[0] == "bounce"
    # One of two flees; the other hits once a round and outlasts all three.
    through = battle(["2 ARMY 39"], ["3 ARMY 42"], [6, 6, 6, 6, 6, 1, 6, 1, 6, 6, 6, 6, 1, 6, 6, 1, 6])
    assert order(through, "dwarves", "MOVE ALL 39 > 42")[0] == "partial"


@pytest.mark.rule("menes", "8.7")
@pytest.mark.rule("menes", "R won space")
def test_the_winner_owns_the_province():
    result = battle(["1 ARMY 39"], ["1 ARMY 42"], [1, 6])
    assert owner(result, 42) == "dwarves"


@pytest.mark.rule("menes", "R won space")
def test_the_winner_owns_the_space_even_if_he_moves_out_again():
    result = turn(
        {"men": ["2 HORSEMEN 16"], "ents": ["1 ARMY 17"]},
        {"men": ["MOVE ALL 16 > 17", "AFTER 17 WITHDRAW 16"]},
        rolls=[1, 6, 6],
        centres={"ents": [17, 22], "men": [16]},
    )
    assert (units(result), owner(result, 17)) == ({"men": ["2 HORSEMEN 16"]}, "men")


# --- several powers -----------------------------------------------------------------------------------------


@pytest.mark.rule("menes", "8.1")
def test_all_attackers_fight_the_defender_first_and_then_the_weakest_of_them():
    # Dwarves 2, ents 1, dragons 1 defending. Stage 1: dwarves 6 6, ent 4 hits; dragon 6 misses. Stage 2: the ents have
    # fewer units; the dwarves roll 2 6 against them, the ent rolls 6.
    result = turn(
        {"dwarves": ["2 ARMY 39"], "ents": ["1 ENT 38"], "dragons": ["1 ARMY 42"]},
        {**ATTACK, "ents": ["MOVE ALL 38 > 42"]},
        rolls=[6, 6, 4, 6, 2, 6, 6],
        centres=FIELD,
    )
    assert units(result) == {"dwarves": ["2 ARMY 42"]}


@pytest.mark.rule("menes", "R several powers")
def test_the_target_of_a_later_stage_uses_attack_factors():
    # The ent, now the target, hits on 4.
    result = turn(
        {"dwarves": ["2 ARMY 39"], "ents": ["1 ENT 38"], "dragons": ["1 ARMY 42"]},
        {**ATTACK, "ents": ["MOVE ALL 38 > 42"]},
        rolls=[6, 6, 4, 6, 6, 6, 4, 1, 6],
        centres=FIELD,
    )
    assert units(result) == {"dwarves": ["1 ARMY 42"]}


@pytest.mark.rule("menes", "R dealing hits")
def test_hits_on_allies_go_round_starting_with_the_largest_force():
    # The dragons' three armies hit three times: dwarves (2) lose one, ents (1) lose one, dwarves lose the other.
    result = turn(
        {"dwarves": ["2 ARMY 39"], "ents": ["1 ENT 38"], "dragons": ["3 ARMY 42"]},
        {**ATTACK, "ents": ["MOVE ALL 38 > 42"]},
        rolls=[6, 6, 6, 1, 1, 1],
        centres=FIELD,
    )
    assert units(result) == {"dragons": ["3 ARMY 42"]}
    two = turn(
        {"dwarves": ["2 ARMY 39"], "ents": ["1 ENT 38"], "dragons": ["2 ARMY 42"]},
        {**ATTACK, "ents": ["MOVE ALL 38 > 42"]},
        # Two hits: one each. The dwarf left is outnumbered and flees home.
        rolls=[6, 6, 6, 1, 1, 1],
        centres=FIELD,
    )
    assert units(two) == {"dwarves": ["1 ARMY 39"], "dragons": ["2 ARMY 42"]}
    largest = turn(
        {"dwarves": ["2 ARMY 39"], "ents": ["1 ENT 38"], "dragons": ["2 ARMY 42"]},
        {**ATTACK, "ents": ["MOVE ALL 38 > 42"]},
        rolls=[6, 6, 6, 1, 1, 1],
        centres=FIELD,
        options={"spread_hits": "largest"},
    )
    assert units(largest) == {"dragons": ["2 ARMY 42"], "ents": ["1 ENT 38"]}


@pytest.mark.rule("menes", "R several powers")
def test_a_die_decides_between_three_equally_weak_attackers():
    position = {"dwarves": ["1 ARMY 39"], "elves": ["1 ARMY 38"], "men": ["1 ARMY 40"]}
    orders = {"dwarves": ["MOVE ALL 39 > 42"], "elves": ["MOVE ALL 38 > 42"], "men": ["MOVE ALL 40 > 42"]}
    # The die says 2: the elves. Dwarves 1, men 6, elves 6: the elves fall. Then dwarves against men without a die: the
    # dwarves are first in order and so the target, men roll first: 1 and 6.
    result = turn(position, orders, rolls=[2, 1, 6, 6, 1, 6], centres={"dwarves": [39]})
    assert units(result) == {"men": ["1 ARMY 42"]}


@pytest.mark.rule("menes", "R dice order")
def test_dice_are_rolled_by_attackers_in_map_order_then_by_the_defender():
    names = []

    class Recorder:
        def roll(self, purpose, sides=6):
            names.append((purpose.split(", ")[-1], sides))
            return 1

    turn(
        {
            "dwarves": ["1 ARMY 39", "1 AXEMEN 39"],
            "ents": ["1 ENT 38", "1 ARMY 38"],
            "dragons": ["1 DRAGON 42"],
        },
        {**ATTACK, "ents": ["MOVE ALL 38 > 42"]},
        dice=Recorder(),
        centres=FIELD,
        options={"die_sides": 10},
    )
    assert names[:5] == [
        ("dwarves army attack", 10),
        ("dwarves axemen attack", 10),
        ("ents army attack", 10),
        ("ents ent attack", 10),
        ("dragons dragon defence", 10),
    ]


@pytest.mark.rule("menes", "R die")
def test_the_die_has_six_sides_unless_the_house_rule_says_otherwise():
    sides = set()

    class Recorder:
        def roll(self, purpose, sides_asked=6):
            sides.add(sides_asked)
            return 1

    turn({"dwarves": ["1 ARMY 39"], "dragons": ["1 ARMY 42"]}, ATTACK, dice=Recorder(), centres=FIELD)
    assert sides == {6}


@pytest.mark.rule("menes", "8.8")
def test_armies_are_hit_before_unique_units():
    result = battle(["1 ARMY 39", "1 AXEMEN 39"], ["1 ARMY 42"], [6, 1, 1])
    assert units(result) == {"dwarves": ["1 AXEMEN 42"]}


@pytest.mark.rule("menes", "10.2")
def test_there_is_no_limit_to_armies_in_a_province():
    result = turn({"dragons": ["100 DRAGON 51"]}, {"dragons": ["MOVE ALL DRAGON 51 > 53"]})
    assert units(result) == {"dragons": ["100 DRAGON 53"]}


# --- at sea --------------------------------------------------------------------------------------------------


@pytest.mark.rule("menes", "R peace")
def test_fleets_of_two_powers_in_one_sea_fight():
    # Nobody owns a sea: both at their attack factor 2. The elves, first in the map's order, are the target.
    result = turn(
        {"elves": ["1 FLEET G"], "men": ["1 FLEET I"]}, {"men": ["MOVE 1 FLEET I > G"]}, rolls=[2, 3]
    )
    assert units(result) == {"men": ["1 FLEET G"]}


@pytest.mark.rule("menes", "R peace")
def test_peace_holds_at_sea_only_if_both_declared_it():
    position = {"elves": ["1 FLEET G"], "men": ["1 FLEET I"]}
    both = {"men": ["MOVE 1 FLEET I > G", "PEACE ELVES"], "elves": ["PEACE MEN"]}
    assert units(turn(position, both, rolls=[])) == {"elves": ["1 FLEET G"], "men": ["1 FLEET G"]}
    one = {"men": ["MOVE 1 FLEET I > G", "PEACE ELVES"]}
    assert units(turn(position, one, rolls=[2, 3])) == {"men": ["1 FLEET G"]}
    ended = {"men": ["MOVE 1 FLEET I > G", "PEACE ELVES"], "elves": ["PEACE MEN", "WAR MEN"]}
    assert units(turn(position, ended, rolls=[2, 3])) == {"men": ["1 FLEET G"]}


@pytest.mark.rule("menes", "7.4")
@pytest.mark.rule("menes", "R peace")
def test_on_land_powers_always_fight_peace_or_not():
    position = {"elves": ["1 ARMY 6"], "men": ["1 ARMY 2"]}
    orders = {"men": ["MOVE 1 ARMY 2 > 6", "PEACE ELVES"], "elves": ["PEACE MEN"]}
    assert units(turn(position, orders, rolls=[1, 6])) != units(turn(position, orders, rolls=[6, 1]))
    calm = turn(position, orders, rolls=[], options={"peace_on_land": True})
    assert units(calm) == {"elves": ["1 ARMY 6"], "men": ["1 ARMY 6"]}


@pytest.mark.rule("menes", "R mixed peace")
def test_of_three_fleets_those_at_peace_never_target_each_other():
    # Elves and men are at peace; the ents fight both. One ship each, equal: the die says 3, the ents.
    position = {"elves": ["1 FLEET G"], "men": ["1 FLEET G"], "ents": ["1 FLEET G"]}
    orders = {"elves": ["PEACE MEN"], "men": ["PEACE ELVES"]}
    result = turn(position, orders, rolls=[3, 1, 6, 6])
    assert units(result) == {"elves": ["1 FLEET G"], "men": ["1 FLEET G"]}


@pytest.mark.rule("menes", "8.8")
def test_empty_ships_are_hit_before_laden_ones_and_cargo_sinks_with_its_ship():
    # Men: two fleets, five armies in one of them. One hit takes the empty one.
    result = turn(
        {"men": ["2 FLEET G", "5 ARMY G"], "elves": ["1 FLEET I"]},
        {"elves": ["MOVE 1 FLEET I > G"]},
        # The elves have fewer ships, so they are the target: men roll first (6 6), elves 1. Then 1 against 1.
        rolls=[6, 6, 1, 1, 6],
    )
    assert units(result) == {"men": ["1 FLEET G", "5 ARMY G"]}
    sunk = turn(
        {"men": ["1 FLEET G", "5 ARMY G"], "elves": ["2 FLEET I"]},
        {"elves": ["MOVE 2 FLEET I > G"]},
        rolls=[1, 6, 6],
    )
    assert units(sunk) == {"elves": ["2 FLEET G"]}
    assert events(sunk, "drowned")[0].data["units"] == {"army": 5}


@pytest.mark.rule("menes", "8.8")
def test_armies_aboard_do_not_fight():
    result = turn(
        {"men": ["1 FLEET G", "5 ARMY G"], "elves": ["1 FLEET I"]},
        {"elves": ["MOVE 1 FLEET I > G"]},
        rolls=[2, 3],
    )
    # One die each: the men's at 2 hits, the elves, first in order, are the target.
    assert units(result) == {"men": ["1 FLEET G", "5 ARMY G"]}


@pytest.mark.rule("menes", "R fleet losing")
@pytest.mark.rule("menes", "R fleets flee")
def test_cargo_of_a_fleet_that_fled_does_not_land():
    line = "MOVE 5 ARMY I > G > 55"
    position = {"men": ["1 FLEET I", "5 ARMY I"], "elves": ["2 FLEET G"]}
    orders = {"men": ["MOVE 1 FLEET I > G", line]}
    # The men have fewer ships: the elves roll 6 6, the men 6; outnumbered, the men roll 1 and flee back to I.
    result = turn(position, orders, rolls=[6, 6, 6, 1])
    assert units(result)["men"] == ["1 FLEET I", "5 ARMY I"]
    assert order(result, "men", line) == (
        "bounce",
        "their ship fled to the Laurel Sea (I) from the Cinder Sea (G)",
    )


@pytest.mark.rule("menes", "R fleets flee")
def test_a_fleet_that_did_not_move_flees_to_the_lowest_letter_without_enemies():
    # G touches F, H, I and O; an elven ship lies in F.
    result = turn(
        {"men": ["1 FLEET G"], "elves": ["2 FLEET I", "1 FLEET F"]},
        {"elves": ["MOVE 2 FLEET I > G"]},
        rolls=[6, 6, 6, 2],
    )
    assert units(result) == {"men": ["1 FLEET H"], "elves": ["1 FLEET F", "2 FLEET G"]}


def test_a_ship_that_fled_can_be_caught_at_the_second_step():
    result = turn(
        {"men": ["1 FLEET G"], "elves": ["2 ELVENSHIP I", "1 ELVENSHIP D"]},
        {"elves": ["MOVE 2 ELVENSHIP I > G", "MOVE 1 ELVENSHIP D > E > F"]},
        # In G the elves roll 6 6, the men 6 and flee on 1 to F. There the elves are the target of equals: 6 and 1.
        rolls=[6, 6, 6, 1, 6, 1],
    )
    assert units(result) == {"elves": ["1 ELVENSHIP F", "2 ELVENSHIP G"]}


@pytest.mark.rule("menes", "R elven ships")
def test_elven_ships_sail_on_after_a_won_battle_at_their_first_step():
    position = {"elves": ["1 ELVENSHIP I"], "men": ["1 FLEET G"]}
    orders = {"elves": ["MOVE 1 ELVENSHIP I > G > H"]}
    # The elves are the target of equals: the men roll first.
    assert units(turn(position, orders, rolls=[6, 1])) == {"elves": ["1 ELVENSHIP H"]}
    stopped = turn(position, orders, rolls=[6, 1], options={"elven_sail_on": False})
    assert units(stopped) == {"elves": ["1 ELVENSHIP G"]}


def test_fleets_fight_again_where_the_second_step_ends():
    result = turn(
        {"elves": ["1 ELVENSHIP I"], "men": ["1 FLEET H"]},
        {"elves": ["MOVE 1 ELVENSHIP I > G > H"]},
        rolls=[6, 1],
    )
    assert units(result) == {"elves": ["1 ELVENSHIP H"]}


# --- horsemen after a battle --------------------------------------------------------------------------------

RIDERS = {"men": ["2 HORSEMEN 16"], "ents": ["1 ARMY 17"]}
HELD = {"ents": [17, 22], "men": [16]}


@pytest.mark.rule("menes", "C5")
@pytest.mark.rule("menes", "R horsemen and ents")
def test_horsemen_pursue_those_who_fled_and_attack_again():
    # 17 touches 16, 18, 19, 20; the beaten army flees to 18, the lowest unowned. Pursuit: at 18 nobody owns, both
    # attack; the ents' army is the target.
    result = turn(RIDERS, {"men": ["MOVE ALL 16 > 17"]}, rolls=[6, 6, 6, 1, 4, 6, 6], centres=HELD)
    assert units(result) == {"men": ["2 HORSEMEN 18"]}


@pytest.mark.rule("menes", "R horsemen and ents")
def test_by_default_horsemen_withdraw_from_ents():
    result = turn(
        {"men": ["2 HORSEMEN 16"], "ents": ["1 ENT 17"]},
        {"men": ["MOVE ALL 16 > 17"]},
        rolls=[6, 6, 6, 1],
        centres=HELD,
    )
    assert units(result) == {"men": ["2 HORSEMEN 16"], "ents": ["1 ENT 18"]}


@pytest.mark.rule("menes", "C5")
@pytest.mark.parametrize(
    ("after", "place"),
    [("AFTER 17 STAY", 17), ("AFTER 17 WITHDRAW 16", 16), ("AFTER 17 ATTACK 20", 20), ("AFTER ALL STAY", 17)],
)
def test_horsemen_do_after_a_battle_what_they_are_told(after, place):
    result = turn(RIDERS, {"men": ["MOVE ALL 16 > 17", after]}, rolls=[1, 6, 6], centres=HELD)
    assert units(result) == {"men": [f"2 HORSEMEN {place}"]}


@pytest.mark.rule("menes", "C5")
def test_horsemen_that_defended_may_move_one_space():
    # The men hold 17 and defend at 1; the ent attacks and misses; two dice at 1 hit once.
    result = turn(
        {"men": ["2 HORSEMEN 17"], "ents": ["1 ENT 19"]},
        {"ents": ["MOVE ALL 19 > 17"], "men": ["AFTER 17 ATTACK 20"]},
        rolls=[6, 1, 6],
        centres={"men": [17], "ents": [22]},
    )
    assert units(result) == {"men": ["2 HORSEMEN 20"]}


@pytest.mark.rule("menes", "C5")
def test_horsemen_may_attack_a_second_time_after_retreating():
    # One rider against two armies at 17: misses, misses, outnumbered, flees on 1 back to 16; then attacks 10.
    result = turn(
        {"men": ["1 HORSEMEN 16"], "dwarves": ["2 ARMY 17"]},
        {"men": ["MOVE ALL 16 > 17", "AFTER 17 ATTACK 10"]},
        rolls=[6, 6, 6, 1],
        centres={"dwarves": [17], "men": [16]},
    )
    assert units(result)["men"] == ["1 HORSEMEN 10"]


@pytest.mark.rule("menes", "C5")
def test_horsemen_that_moved_two_spaces_do_not_move_again():
    result = turn(
        {"men": ["2 HORSEMEN 15"], "ents": ["1 ARMY 17"]},
        {"men": ["MOVE ALL 15 > 16 > 17", "AFTER 17 ATTACK 20"]},
        rolls=[1, 6, 6],
        centres={"ents": [17, 22], "men": [15]},
    )
    assert units(result) == {"men": ["2 HORSEMEN 17"]}


@pytest.mark.rule("menes", "R after-battle")
def test_horsemen_do_not_leave_a_free_city_they_entered_this_turn():
    position = {"men": ["2 HORSEMEN 17"], "ents": ["1 ARMY 18"]}
    orders = {"men": ["MOVE ALL 17 > 18", "AFTER 18 WITHDRAW 17"]}
    held = {"ents": [18, 22], "men": [17]}
    result = turn(position, orders, rolls=[1, 6, 6], centres=held)
    assert units(result) == {"men": ["2 HORSEMEN 18"]}
    assert "free city" in events(result, "after")[0].text
    # Being thrown back is no move: 3 armies against 2 riders, both flee to 17, and go on to 20.
    thrown = turn(
        {"men": ["2 HORSEMEN 17"], "dwarves": ["3 ARMY 18"]},
        {"men": ["MOVE ALL 17 > 18", "AFTER 18 ATTACK 20"]},
        rolls=[6, 6, 6, 6, 6, 1, 1],
        centres={"dwarves": [18, 39], "men": [17]},
    )
    assert units(thrown)["men"] == ["2 HORSEMEN 20"]
    allowed = turn(position, orders, rolls=[1, 6, 6], centres=held, options={"after_move_from_city": True})
    assert units(allowed) == {"men": ["2 HORSEMEN 17"]}


@pytest.mark.rule("menes", "R landed")
def test_landed_horsemen_move_after_a_battle_if_a_whole_point_is_left():
    position = {"men": ["1 FLEET S", "2 HORSEMEN S"], "ents": ["1 ARMY 34"]}
    orders = {"men": ["MOVE 2 HORSEMEN S > 34", "AFTER 34 ATTACK 30"]}
    held = {"ents": [34, 22], "men": [12]}
    assert units(turn(position, orders, rolls=[1, 6, 6], centres=held))["men"] == [
        "2 HORSEMEN 30",
        "1 FLEET S",
    ]
    never = turn(position, orders, rolls=[1, 6, 6], centres=held, options={"landed_after_move": False})
    assert units(never)["men"] == ["2 HORSEMEN 34", "1 FLEET S"]
    # 13 > 12 > R > 14 takes both points.
    spent = turn(
        {"men": ["1 FLEET R", "2 HORSEMEN 13"], "ents": ["1 ARMY 31"]},
        {"men": ["MOVE 2 HORSEMEN 13 > 12 > R > 31", "AFTER 31 ATTACK 30"]},
        rolls=[1, 6, 6],
        centres={"ents": [31, 22], "men": [12, 13]},
    )
    assert units(spent)["men"] == ["2 HORSEMEN 31", "1 FLEET R"]


@pytest.mark.rule("menes", "R horsemen and ents")
def test_withdrawing_into_the_enemy_is_not_done():
    result = turn(
        {"men": ["2 HORSEMEN 16"], "ents": ["1 ARMY 17"], "elves": ["1 ARMY 10"]},
        {"men": ["MOVE ALL 16 > 17", "AFTER 17 WITHDRAW 16"], "elves": ["MOVE ALL 10 > 16"]},
        rolls=[1, 6, 6],
        centres=HELD,
    )
    assert units(result)["men"] == ["2 HORSEMEN 17"]
