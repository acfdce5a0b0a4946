"""From phase to phase: retreats, centres, adjustments, civil disorder, the end."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gm.games.api import GameOver, canonical
from gm.games.dice import FixedDice
from gm.games.diplomacy import RULESET
from gm.games.diplomacy.board import standard
from gm.games.diplomacy.state import make_state
from tests.games.diplomacy.cases import OPTIONS, game, run

NO_DICE = FixedDice([])


def events(result, kind):
    return [event.data for event in result.events if event.kind == kind]


@pytest.mark.rule("diplomacy", "1.1")
def test_the_start():
    state = RULESET.new_game(OPTIONS, NO_DICE)
    board = standard()
    assert len(board.ids) == 75
    assert len(board.centres) == 34
    assert RULESET.phase(state).title == "Spring 1901, movement"
    assert {power: len(units) for power, units in state["units"].items()} == {
        "austria": 3, "england": 3, "france": 3, "germany": 3, "italy": 3, "russia": 4, "turkey": 3,
    }  # fmt: skip
    for power, units in state["units"].items():
        assert {unit[2:5] for unit in units} == set(state["centres"][power])
    assert "F STP/SC" in state["units"]["russia"]


@pytest.mark.rule("diplomacy", "1.2")
def test_a_year_passes_over_phases_in_which_nobody_owes_anything():
    state = RULESET.new_game(OPTIONS, NO_DICE)
    names = []
    for _ in range(4):
        names.append(RULESET.phase(state).name)
        state = run(state).state
    assert names == ["S1901M", "F1901M", "S1902M", "F1902M"]


@pytest.mark.rule("diplomacy", "2.4")
@pytest.mark.rule("diplomacy", "9.1")
def test_units_without_orders_hold_and_the_missing_sheet_is_told():
    state = RULESET.new_game(OPTIONS, NO_DICE)
    result = run(state, austria=None)
    assert events(result, "nmr") == [{"power": "austria"}]
    assert result.state["units"] == state["units"]


@pytest.mark.rule("diplomacy", "2.1")
@pytest.mark.rule("diplomacy", "2.2")
@pytest.mark.rule("diplomacy", "3.1")
@pytest.mark.rule("diplomacy", "4.1")
@pytest.mark.rule("diplomacy", "7.1")
@pytest.mark.rule("diplomacy", "8.1")
def test_an_opening_year():
    state = RULESET.new_game(OPTIONS, NO_DICE)
    spring = run(
        state,
        france=["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"],
        germany=["A MUN - BUR", "F KIE - DEN", "A BER - KIE"],
        russia=["F STP/SC - BOT"],
    )
    assert {(one.order, one.result) for one in spring.orders} >= {
        ("A PAR - BUR", "ok"), ("A MUN - BUR", "bounce"), ("A BER - KIE", "ok"), ("F STP/SC - BOT", "ok"),
    }  # fmt: skip
    fall = run(
        spring.state,
        france=["F MAO - POR", "A MAR - SPA"],
        germany=["A KIE - HOL"],
        russia=["F BOT - SWE"],
    )
    taken = {(one["power"], one["centre"]) for one in events(fall, "captured")}
    assert taken == {
        ("france", "POR"), ("france", "SPA"), ("germany", "DEN"), ("germany", "HOL"), ("russia", "SWE"),
    }  # fmt: skip
    assert fall.state["phase"] == "W1901A"
    assert [(due.power, due.items) for due in RULESET.dues(fall.state)] == [
        ("france", ("1 build", "1 build")),
        ("germany", ("1 build", "1 build")),
        ("russia", ("1 build",)),
    ]
    winter = run(
        fall.state,
        france=["Build F BRE", "Build A PAR"],
        germany=["Build A BER", "Waive"],
        russia=["Build F STP/NC"],
    )
    assert winter.state["phase"] == "S1902M"
    assert winter.state["units"]["france"] == ["F BRE", "A BUR", "A PAR", "F POR", "A SPA"]
    assert winter.state["units"]["russia"] == ["A MOS", "F SEV", "F STP/NC", "F SWE", "A WAR"]
    assert len(winter.state["units"]["germany"]) == 4


@pytest.mark.rule("diplomacy", "7.1")
def test_centres_change_hands_in_fall_only():
    spring = run(game(germany=["A BUR"]), germany=["A BUR - PAR"])
    assert spring.state["centres"]["france"] == ["BRE", "MAR", "PAR"]
    left = run(spring.state, germany=["A PAR - GAS"])
    assert left.state["centres"]["france"] == ["BRE", "MAR", "PAR"]
    stayed = run(spring.state, germany=["A PAR H"])
    assert stayed.state["centres"]["germany"] == ["BER", "KIE", "MUN", "PAR"]


@pytest.mark.rule("diplomacy", "7.1")
def test_a_centre_stays_with_its_owner_when_his_unit_leaves_and_a_fall_retreat_may_take_one():
    state = game(
        "F1901M",
        centres={"austria": ["VIE", "SER"], "turkey": ["CON", "BUL"], "russia": ["RUM"]},
        austria=["A SER"],
        turkey=["A BUL"],
        russia=["A RUM"],
    )
    battle = run(state, austria=["A SER - BUL"], turkey=["A BUL H"], russia=["A RUM S A SER - BUL"])
    assert battle.state["phase"] == "F1901R"
    assert battle.state["dislodged"] == [
        {"power": "turkey", "unit": "A BUL", "attacker_from": "SER", "retreats": ["CON", "GRE"]}
    ]
    done = run(battle.state, turkey=["A BUL - GRE"])
    assert done.state["centres"] == {
        "austria": ["BUL", "SER", "VIE"], "england": [], "france": [], "germany": [], "italy": [],
        "russia": ["RUM"], "turkey": ["CON", "GRE"],
    }  # fmt: skip


def dislodging(season="S"):
    """Munich attacks Burgundy with support; a second French army stands in Paris."""
    return game(f"{season}1901M", france=["A BUR", "A PAR"], germany=["A MUN", "A RUH"])


@pytest.mark.rule("diplomacy", "6.1")
@pytest.mark.rule("diplomacy", "3.2")
def test_a_retreat():
    battle = run(dislodging(), germany=["A MUN - BUR", "A RUH S A MUN - BUR"])
    assert battle.state["phase"] == "S1901R"
    assert [(due.power, due.items) for due in RULESET.dues(battle.state)] == [("france", ("A BUR",))]
    assert battle.state["dislodged"][0]["retreats"] == ["BEL", "GAS", "MAR", "PIC"]
    done = run(battle.state, france=["A BUR - GAS"])
    assert done.state["phase"] == "F1901M"
    assert done.state["units"]["france"] == ["A GAS", "A PAR"]
    assert done.state["dislodged"] == []


@pytest.mark.rule("diplomacy", "6.3")
@pytest.mark.rule("diplomacy", "9.1")
@pytest.mark.parametrize("sheet", [None, [], ["Disband A BUR"], ["A BUR - MUN"]])
def test_a_retreat_that_is_not_made_disbands(sheet):
    battle = run(dislodging(), germany=["A MUN - BUR", "A RUH S A MUN - BUR"])
    done = run(battle.state, france=sheet)
    assert done.state["units"]["france"] == ["A PAR"]
    assert events(done, "disbanded") == [{"power": "france", "unit": "A BUR"}]


@pytest.mark.rule("diplomacy", "6.3")
def test_a_unit_without_a_retreat_is_disbanded_at_once_and_shown():
    state = game(
        turkey=["F CLY"],
        england=["F EDI", "A LVP", "F NWG"],
        france=["F NAO"],
    )
    battle = run(state, england=["F EDI - CLY", "A LVP S F EDI - CLY"], turkey=["F CLY H"])
    # Edinburgh is where the attack came from, all else that Clyde touches is occupied
    assert battle.state["phase"] == "F1901M"
    assert [event.kind for event in battle.events] == ["destroyed"]
    assert RULESET.position(battle.state)["dislodged"] == [
        {"power": "turkey", "unit": "F CLY", "attacker_from": "EDI", "retreats": []}
    ]
    assert battle.state["units"]["turkey"] == []
    assert run(battle.state).state["dislodged"] == []


@pytest.mark.rule("diplomacy", "6.2")
def test_two_retreats_to_one_place_disband_both():
    state = make_state("S1901R", OPTIONS, {}, {}, [
        {"power": "italy", "unit": "A VIE", "attacker_from": "TRI", "retreats": ["GAL", "TYR"]},
        {"power": "france", "unit": "A BOH", "attacker_from": "SIL", "retreats": ["GAL", "TYR"]},
    ])  # fmt: skip
    done = run(state, italy=["A VIE - TYR"], france=["A BOH - TYR"])
    assert [one.result for one in done.orders] == ["bounce", "bounce"]
    assert all(not units for units in done.state["units"].values())


@pytest.mark.rule("diplomacy", "8.2")
@pytest.mark.rule("diplomacy", "9.2")
@pytest.mark.rule("diplomacy", "4.D.8")
@pytest.mark.case(72)
@pytest.mark.parametrize(
    ("sheet", "left"),
    [(["Remove A VIE"], ["A BOH"]), ([], ["A VIE"]), (None, ["A VIE"]), (["Remove A MUN"], ["A VIE"])],
)
def test_removals_by_order_or_by_rule(sheet, left):
    """Vienna is owned, Bohemia next to it: unordered, the army in Bohemia goes."""
    state = game("W1901A", centres={"austria": ["VIE"]}, austria=["A VIE", "A BOH"])
    assert run(state, austria=sheet).state["units"]["austria"] == left


@pytest.mark.rule("diplomacy", "8.1")
@pytest.mark.rule("diplomacy", "4.D.4")
def test_no_due_for_builds_without_an_open_home_centre():
    state = game("W1901A", centres={"italy": ["ROM", "NAP", "TUN"]}, italy=["A ROM", "F NAP"])
    assert RULESET.dues(state) == ()


@pytest.mark.rule("diplomacy", "11.2")
def test_a_power_that_loses_its_last_centre_loses_its_units_without_being_asked():
    state = game(
        "F1905M",
        centres={"austria": ["VIE"], "italy": ["ROM", "VEN"]},
        austria=["A GAL"],
        italy=["A TYR", "A ROM"],
    )
    result = run(state, italy=["A TYR - VIE"])
    assert [event.kind for event in result.events] == ["captured", "eliminated"]
    assert result.state["phase"] == "W1905A"
    assert [due.power for due in RULESET.dues(result.state)] == ["italy"]
    after = run(result.state, italy=["Waive"])
    assert after.state["units"]["austria"] == []
    assert after.state["phase"] == "S1906M"


def test_forced_removals_happen_even_when_the_winter_is_passed_over():
    state = game(
        "F1905M", centres={"austria": ["VIE"], "italy": ["ROM"]}, austria=["A GAL"], italy=["A TYR", "A PIE"]
    )
    result = run(state, italy=["A TYR - VIE"])
    assert result.state["phase"] == "S1906M"
    assert result.state["units"]["austria"] == []
    assert [event.kind for event in result.events] == ["captured", "eliminated", "disorder"]


MOST = [
    "BEL",
    "BER",
    "BRE",
    "DEN",
    "EDI",
    "HOL",
    "KIE",
    "LON",
    "LVP",
    "MAR",
    "MUN",
    "NWY",
    "PAR",
    "POR",
    "SPA",
    "SWE",
    "TUN",
]


@pytest.mark.rule("diplomacy", "11.1")
def test_eighteen_centres_win():
    state = game("F1910M", centres={"france": MOST, "italy": ["ROM"]}, france=["A APU"], italy=["A PIE"])
    assert len(MOST) == 17
    assert RULESET.over(run(state).state) is None
    won = run(state, france=["A APU - ROM"])
    assert RULESET.over(won.state) == GameOver(
        winners=("france",), text="France wins with 18 supply centres.", rule="diplomacy 11.1"
    )
    assert won.state["phase"] == "F1910M"
    assert RULESET.dues(won.state) == ()
    assert run(won.state, italy=["A PIE - TUS"]).state == won.state


@pytest.mark.rule("diplomacy", "11.1")
def test_as_many_centres_as_another_do_not_win():
    options = {**OPTIONS, "win_centres": 8}
    centres = {"france": MOST[:8], "italy": MOST[8:16]}
    state = make_state("F1910M", options, {"france": ["A APU"], "italy": ["A PIE"]}, centres)
    assert RULESET.over(run(state).state) is None


@pytest.mark.rule("diplomacy", "11.3")
def test_the_last_year_ends_in_a_draw_of_the_survivors():
    options = {**OPTIONS, "end_year": 1903}
    start = RULESET.new_game(options, NO_DICE)
    centres = {**start["centres"], "turkey": []}
    units = {**start["units"], "turkey": []}
    spring = run(make_state("S1903M", options, units, centres))
    assert RULESET.over(spring.state) is None
    end = RULESET.over(run(spring.state).state)
    assert end is not None
    assert end.winners == ("austria", "england", "france", "germany", "italy", "russia")


@pytest.mark.rule("diplomacy", "10.2")
def test_orders_without_a_unit_have_no_effect():
    result = run(game(france=["A PAR"], germany=["A MUN"]), france=["A MUN - BUR", "A GAS - SPA", "A PAR H"])
    assert [(one.order, one.result) for one in result.orders] == [
        ("A MUN - BUR", "illegal"), ("A GAS - SPA", "illegal"), ("A PAR H", "ok"),
    ]  # fmt: skip
    assert result.state["units"]["germany"] == ["A MUN"]


@pytest.mark.parametrize(
    ("units", "sheets", "order", "reason", "rule"),
    [
        ({"france": ["A PAR"], "germany": ["A MUN"]}, {"france": ["A PAR - BUR"], "germany": ["A MUN - BUR"]},
         "A PAR - BUR", "stood off in Burgundy by the German army from Munich", "diplomacy 3.1"),
        ({"france": ["A PAR", "A BUR"]}, {"france": ["A PAR - BUR"]},
         "A PAR - BUR", "the French army in Burgundy did not leave", "diplomacy 3.5"),
        ({"france": ["A PAR"], "germany": ["A BUR"]}, {"france": ["A PAR - BUR"]},
         "A PAR - BUR", "not strong enough against the German army in Burgundy", "diplomacy 3.2"),
        ({"france": ["A PAR"], "germany": ["A BUR"]}, {"france": ["A PAR - BUR"], "germany": ["A BUR - PAR"]},
         "A PAR - BUR", "stood off head to head by the German army from Burgundy", "diplomacy 3.3"),
        ({"france": ["A PAR", "A MAR"], "germany": ["A BUR"]},
         {"france": ["A PAR - BUR", "A MAR S A PAR - BUR"], "germany": ["A BUR - PAR"]},
         "A BUR - PAR", "beaten head to head by the French army from Paris", "diplomacy 3.6"),
        ({"france": ["A PAR", "A MAR"], "germany": ["A MUN", "A RUH"]},
         {"france": ["A PAR - BUR", "A MAR S A PAR - BUR"], "germany": ["A MUN - BUR"]},
         "A MUN - BUR", "the French army from Paris was stronger", "diplomacy 3.2"),
        ({"france": ["A PAR", "A MAR"], "italy": ["A PIE"]},
         {"france": ["A MAR S A PAR - BUR", "A PAR - BUR"], "italy": ["A PIE - MAR"]},
         "A MAR S A PAR - BUR", "cut by the attack of the Italian army from Piedmont", "diplomacy 4.2"),
        ({"france": ["A PAR", "A MAR"]}, {"france": ["A MAR S A PAR - BUR", "A PAR - PIC"]},
         "A MAR S A PAR - BUR", "A PAR was ordered to Picardy", "diplomacy 4.4"),
        ({"england": ["A LON", "F ENG"]}, {"england": ["A LON - BRE", "F ENG H"]},
         "A LON - BRE", "no fleets were ordered to convoy it to Brest", "diplomacy 5.1"),
    ],
)  # fmt: skip
@pytest.mark.rule("diplomacy", "3.3")
@pytest.mark.rule("diplomacy", "3.6")
@pytest.mark.rule("diplomacy", "4.2")
@pytest.mark.rule("diplomacy", "4.4")
def test_why(units, sheets, order, reason, rule):
    result = run(game(**units), **sheets)
    found = next(one for one in result.orders if one.order == order)
    assert (found.reason, found.rule) == (reason, rule)


@pytest.mark.rule("diplomacy", "5.2")
@pytest.mark.rule("diplomacy", "5.3")
@pytest.mark.rule("diplomacy", "4.3")
def test_why_a_convoy_failed():
    state = game(england=["A LON", "F ENG"], france=["F BRE", "F MAO"])
    result = run(
        state, england=["A LON - BEL", "F ENG C A LON - BEL"], france=["F BRE - ENG", "F MAO S F BRE - ENG"]
    )
    assert [(one.order, one.result, one.reason) for one in result.orders][:2] == [
        (
            "A LON - BEL",
            "noconvoy",
            "its convoy was disrupted: the fleet in the English Channel was dislodged",
        ),
        ("F ENG C A LON - BEL", "disrupted", "dislodged by the French fleet from Brest"),
    ]


@pytest.mark.rule("diplomacy", "3.4")
def test_three_units_move_in_a_circle():
    result = run(
        game(turkey=["A CON", "A SMY", "F ANK"]), turkey=["F ANK - CON", "A CON - SMY", "A SMY - ANK"]
    )
    assert [one.result for one in result.orders] == ["ok", "ok", "ok"]


@pytest.mark.rule("diplomacy", "1.3")
def test_equal_inputs_give_equal_bytes_and_inputs_are_left_alone():
    state = game(france=["A BUR", "A PAR"], germany=["A MUN", "A RUH"])
    before = canonical(state)
    sheets = {"germany": ["A MUN - BUR", "A RUH S A MUN - BUR"]}
    first, second = run(state, **sheets), run(state, **sheets)
    assert canonical(first.state) == canonical(second.state)
    assert first.events == second.events
    assert canonical(state) == before


PLACES = st.sampled_from(["PAR", "BUR", "SPA", "SPA/NC", "SPA/WC", "XXX", "ENG", "MAO", "STP", "BRE/NC"])
UNITS = st.builds("{} {}".format, st.sampled_from("AF"), PLACES)
TEXTS = st.one_of(
    st.text(max_size=20),
    st.builds("{} - {}".format, UNITS, PLACES),
    st.builds("{} - {} VIA".format, UNITS, PLACES),
    st.builds("{} S {}".format, UNITS, UNITS),
    st.builds("{} S {} - {}".format, UNITS, UNITS, PLACES),
    st.builds("{} C {} - {}".format, UNITS, UNITS, PLACES),
    st.builds("{} {}".format, st.sampled_from(["Build", "Remove", "Disband", "Waive"]), UNITS),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(TEXTS, max_size=8))
def test_any_sheet_has_a_defined_result(texts):
    entry = {"power": "france", "unit": "F ENG", "attacker_from": "LON", "retreats": ["BRE", "MAO"]}
    movement = game(france=["A PAR", "F SPA/NC", "F ENG", "F MAO", "A BUR"], russia=["F STP/SC"])
    retreats = {**game("S1901R", france=["A PAR"]), "dislodged": [entry]}
    winter = game("W1901A", france=["A PAR"])
    for state in (movement, retreats, winter):
        result = run(state, france=texts, russia=texts)
        for one in result.orders:
            assert one.rule
            assert bool(one.reason) >= (one.result != "ok")
