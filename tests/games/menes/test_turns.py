"""Years, absences, ownership, claims, victory."""

import pytest

from gm.games.api import check_options
from gm.games.dice import SeededDice
from gm.games.menes import RULESET
from tests.games.menes.helpers import POWERS, events, order, owner, turn, units

PLAYER_CITIES = [3, 4, 5, 12, 13, 15, 22, 23, 24]


def new_game(**options):
    return RULESET.new_game(check_options(RULESET.meta, options), None)


def play(state, sheets):
    return RULESET.adjudicate(state, sheets, SeededDice(b"menes", RULESET.phase(state).name))


@pytest.mark.rule("menes", "2.2")
def test_the_game_starts_in_1200_and_each_turn_is_a_year():
    state = new_game()
    names = []
    for _ in range(3):
        phase = RULESET.phase(state)
        names.append((phase.name, phase.title, phase.kind, phase.turn))
        state = play(state, dict.fromkeys(POWERS, ())).state
    assert names == [
        ("IV1200 orders", "Fourth Age 1200", "movement", "IV1200"),
        ("IV1201 orders", "Fourth Age 1201", "movement", "IV1201"),
        ("IV1202 orders", "Fourth Age 1202", "movement", "IV1202"),
    ]


@pytest.mark.rule("menes", "2.4")
def test_three_missed_turns_in_a_row_put_a_power_out():
    state = new_game()
    for year in range(3):
        assert "ents" not in state["out"]
        result = play(state, {p: None if p == "ents" else () for p in POWERS})
        state = result.state
        assert state["missed"]["ents"] == year + 1
    assert state["out"] == ["ents"]
    assert [e.text for e in events(result, "out")] == [
        "The Ents have sent no orders 3 times in a row and are out of the game."
    ]
    assert [d.power for d in RULESET.dues(state)] == ["dwarves", "dragons", "elves", "men"]


@pytest.mark.rule("menes", "2.4")
def test_orders_in_between_start_the_count_anew():
    state = new_game()
    for sent in (None, None, (), None, None):
        state = play(state, {**dict.fromkeys(POWERS, ()), "ents": sent}).state
    assert (state["missed"]["ents"], state["out"]) == (2, [])


@pytest.mark.rule("menes", "2.5")
def test_a_vacation_stops_the_count_for_the_turns_announced():
    state = play(new_game(), {**dict.fromkeys(POWERS, ()), "ents": ("VACATION 2 TURNS",)}).state
    counts = []
    for _ in range(4):
        state = play(state, {p: () for p in POWERS if p != "ents"}).state
        counts.append((state["vacation"]["ents"], state["missed"]["ents"]))
    assert counts == [(1, 0), (0, 0), (0, 1), (0, 2)]


@pytest.mark.rule("menes", "R out")
def test_a_power_that_is_out_defends_but_has_no_income_or_purchases():
    out = {"out": ["dragons"]}
    position = {"dwarves": ["1 ARMY 39"], "dragons": ["1 ARMY 42"]}
    result = turn(
        position,
        {"dwarves": ["MOVE ALL 39 > 42"], "dragons": ["BUY 5 ARMY AT 50"]},
        rolls=[6, 1],
        centres={"dragons": [42, 50], "dwarves": [39]},
        state=out,
    )
    assert units(result) == {"dragons": ["1 ARMY 42"]}
    assert result.state["treasury"]["dragons"] == 300
    assert order(result, "dragons", "BUY 5 ARMY AT 50") == ("illegal", "this power is out of the game")
    taken = turn({"dwarves": ["1 ARMY 52"]}, {"dwarves": ["MOVE ALL 52 > 50"]}, rolls=[], state=out)
    assert owner(taken, 50) == "dwarves"


@pytest.mark.rule("menes", "R out")
def test_a_power_that_is_out_does_not_win():
    held = [3, 4, 5, 12, 13, 15, 22, 23, 24, 50]
    result = turn(centres={"dragons": held, "dwarves": [39]}, state={"out": ["dragons"]})
    assert RULESET.over(result.state) is None


def test_a_power_without_units_and_cities_is_out():
    result = turn(centres={"dwarves": [39], "dragons": [42], "elves": [3], "men": [12], "ents": [22]})
    assert result.state["out"] == ["dragons"]


def test_a_game_that_nobody_plays_ends_without_a_winner():
    state = new_game()
    for _ in range(3):
        state = play(state, {}).state
    assert RULESET.over(state).winners == ()
    assert RULESET.dues(state) == ()


@pytest.mark.rule("menes", "R one mail")
def test_a_mail_with_a_standing_order_counts_and_acts_at_once():
    state = play(new_game(), dict.fromkeys(POWERS)).state
    state = play(state, {**dict.fromkeys(POWERS, ()), "ents": ("PEACE ELVES",)}).state
    assert (state["missed"]["ents"], state["standing"]["ents"]["peace"]) == (0, ["elves"])


@pytest.mark.rule("menes", "R one mail")
def test_standing_orders_last_until_changed():
    lines = (
        "RETREAT 12 TO 13, 14",
        "AFTER ALL STAY",
        "PRIORITY UNIQUE, ARMY, FLEET",
        "PEACE ELVES",
        "FLYOVER DRAGONS ALLOW",
    )
    state = play(new_game(), {**dict.fromkeys(POWERS, ()), "men": lines}).state
    state = play(state, dict.fromkeys(POWERS, ())).state
    notes = RULESET.review(state, "men", ()).notes
    assert [n for n in notes if n.startswith("Standing")] == [f"Standing: {line}." for line in lines]
    ended = ("RETREAT 12 TO NONE", "AFTER ALL DEFAULT", "PRIORITY ARMY", "WAR ELVES", "FLYOVER DRAGONS DENY")
    state = play(state, {**dict.fromkeys(POWERS, ()), "men": ended}).state
    assert state["standing"]["men"] == new_game()["standing"]["men"]


# --- who owns what ------------------------------------------------------------------------------------------


@pytest.mark.rule("menes", "7.1")
def test_a_power_alone_in_a_sea_claims_it_for_the_turn():
    result = turn({"men": ["1 FLEET R"], "elves": ["1 FLEET I"]}, {"men": ["MOVE 1 FLEET R > S"]})
    assert result.state["claims"] == {"S": "men", "I": "elves"}


@pytest.mark.rule("menes", "7.2")
def test_a_power_alone_in_a_space_owns_it():
    result = turn({"men": ["1 ARMY 13"]}, {"men": ["MOVE 1 ARMY 13 > 16"]})
    assert owner(result, 16) == "men"


@pytest.mark.rule("menes", "7.3")
def test_an_undefended_city_falls_to_whoever_enters():
    result = turn({"men": ["1 ARMY 19"]}, {"men": ["MOVE 1 ARMY 19 > 22"]}, rolls=[])
    assert owner(result, 22) == "men"
    free = turn({"men": ["1 ARMY 17"]}, {"men": ["MOVE 1 ARMY 17 > 18"]}, rolls=[])
    assert owner(free, 18) == "men"


@pytest.mark.rule("menes", "R ownership")
def test_a_space_stays_owned_when_its_owner_leaves_and_fleets_take_no_land():
    result = turn({"men": ["1 ARMY 12"], "elves": ["5 FLEET R"]}, {"men": ["MOVE 1 ARMY 12 > 14"]})
    assert (owner(result, 12), owner(result, 14), owner(result, 32)) == ("men", "men", None)


@pytest.mark.rule("menes", "R ownership")
def test_riding_through_takes_nothing():
    result = turn({"men": ["1 HORSEMEN 15"]}, {"men": ["MOVE 1 HORSEMEN 15 > 16 > 20"]})
    assert (owner(result, 16), owner(result, 20)) == (None, "men")


# --- victory -------------------------------------------------------------------------------------------------


@pytest.mark.rule("menes", "2.6")
def test_twenty_points_win():
    short = turn(centres={"men": [*PLAYER_CITIES, 18], "dwarves": [39]})
    assert RULESET.over(short.state) is None
    result = turn(centres={"men": [*PLAYER_CITIES, 18, 21], "dwarves": [39]})
    end = RULESET.over(result.state)
    assert (end.winners, end.rule) == (("men",), "menes 2.6")
    assert end.text == "The Men hold 20 points: the war is over."
    assert dict(RULESET.standings(RULESET.view(result.state, None)))["men"] == 20


@pytest.mark.rule("menes", "2.6")
def test_the_last_city_may_be_taken_in_the_same_turn():
    result = turn(
        {"men": ["1 ARMY 19"]},
        {"men": ["MOVE 1 ARMY 19 > 21"]},
        centres={"men": [*PLAYER_CITIES, 18], "dwarves": [39]},
    )
    assert RULESET.over(result.state).winners == ("men",)


@pytest.mark.rule("menes", "R victory")
@pytest.mark.parametrize(
    ("gold", "winners"),
    [({"men": 10, "elves": 20}, ("elves",)), ({"men": 20, "elves": 20}, ("elves", "men"))],
)
def test_of_several_the_most_points_win_then_the_most_gold_then_it_is_shared(gold, winners):
    options = {"victory_points": 6}
    held = {"men": [12, 13, 15, 18], "elves": [3, 4, 5, 6], "dwarves": [39, 40, 41]}
    result = turn(centres=held, treasury=gold, options=options)
    assert RULESET.over(result.state).winners == winners


@pytest.mark.rule("menes", "R victory")
def test_gold_is_counted_before_income():
    # The men have the larger income, the elves the larger treasury at step 12.
    held = {"men": [12, 13, 15, 16], "elves": [3, 4, 5]}
    result = turn(centres=held, treasury={"men": 10, "elves": 11}, options={"victory_points": 6})
    assert RULESET.over(result.state).winners == ("elves",)


@pytest.mark.rule("menes", "R turn limit")
def test_after_the_last_turn_the_best_score_wins():
    options = {"turn_limit": 3}
    held = {"men": [12, 13, 15, 18], "elves": [3, 4, 5]}
    assert RULESET.over(turn(centres=held, options=options, phase="IV1201 orders").state) is None
    last = turn(centres=held, options=options, phase="IV1202 orders").state
    assert (RULESET.over(last).winners, RULESET.over(last).rule) == (("men",), "menes R turn limit")


def test_nothing_changes_once_the_game_is_over():
    state = turn(centres={"men": [*PLAYER_CITIES, 18, 21]}).state
    again = play(state, {"men": ("BUY 1 ARMY AT 12",)})
    assert (again.state, again.orders, again.events) == (state, (), ())
    assert RULESET.phase(state).name == "IV1200 orders"


# --- the table of the turn ----------------------------------------------------------------------------------


def test_the_turn_is_played_in_the_order_of_the_rulings():
    from gm.games.menes.engine import TURN

    numbers = [int("".join(c for c in name.split()[0] if c.isdigit())) for name, _ in TURN]
    assert numbers == sorted(numbers)
    assert set(numbers) == set(range(1, 14))


def test_the_state_given_is_never_changed():
    from gm.games.api import canonical

    state = new_game()
    before = canonical(state)
    play(
        state,
        {
            "men": ("BUY 5 ARMY AT 12", "MOVE 5 ARMY 12 > 14", "PEACE ELVES"),
            "elves": ("BUY 1 ELVENSHIP AT 5",),
        },
    )
    assert canonical(state) == before


def test_an_order_that_is_not_one_is_told_and_harms_nothing():
    result = play(new_game(), {"men": ("BUY 5 ARMY AT 12", "DANCE AT 12")})
    assert order(result, "men", "DANCE AT 12") == ("illegal", "this is no order of MENES")
    assert units(result)["men"] == ["5 ARMY 12"]
