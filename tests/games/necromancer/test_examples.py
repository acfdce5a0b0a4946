"""The worked examples of the rulebook, word for word in orders and result."""

from __future__ import annotations

import pytest

from gm.games.dice import FixedDice
from gm.games.necromancer.board import the_board
from gm.games.necromancer.engine import adjudicate
from gm.games.necromancer.orders import Order, UnitRef
from tests.games.necromancer.shorthand import game, order, play

GONDOR, OTHER, SAURON = "gondor", "haradrim", "sauron"


@pytest.mark.rule("necromancer", "12.2")
def test_cavalry_gallops_from_hel_over_gap_to_agr() -> None:
    done = play(game({"rohan": ["C(Hel)"]}), {"rohan": ["C(Hel) -> Gap -> Agr"]})
    outcome = done.result("rohan", "C(Hel) -> Gap -> Agr")
    assert (outcome.result, outcome.steps, outcome.rule) == ("ok", ("ok", "ok"), "12.2")
    assert done.units("rohan") == ["C(Agr)"]


@pytest.mark.rule("necromancer", "13.2")
def test_three_armies_merge_in_a_third_province() -> None:
    done = play(
        game({GONDOR: ["A(NIt)", "A(Pel)", "A(SIt)"]}),
        {GONDOR: ["A(NIt) -> 3A(Los)", "A(Pel) -> 3A(Los)", "A(SIt) -> 3A(Los)"]},
    )
    assert done.results(GONDOR) == ["ok", "ok", "ok"]
    assert done.units(GONDOR) == ["3A(Los)"]


@pytest.mark.rule("necromancer", "13.2")
def test_one_army_holds_and_is_joined() -> None:
    done = play(game({GONDOR: ["A(NIt)", "A(SIt)"]}), {GONDOR: ["A(NIt) -> 2A(NIt)", "A(SIt) -> 2A(NIt)"]})
    assert done.results(GONDOR) == ["ok", "ok"]
    assert done.units(GONDOR) == ["2A(NIt)"]


@pytest.mark.rule("necromancer", "13.3")
def test_a_triple_army_splits_in_two_directions() -> None:
    done = play(game({GONDOR: ["3A(Los)"]}), {GONDOR: ["A(Los) -> Pel", "2A(Los) -> SIt"]})
    assert done.results(GONDOR) == ["ok", "ok"]
    assert done.units(GONDOR) == ["A(Pel)", "2A(SIt)"]


@pytest.mark.rule("necromancer", "13.3")
def test_half_of_a_double_army_holds_while_the_other_goes() -> None:
    done = play(game({GONDOR: ["2A(NIt)"]}), {GONDOR: ["A(NIt) H", "A(NIt) -> SIt"]})
    assert done.results(GONDOR) == ["ok", "ok"]
    assert done.units(GONDOR) == ["A(NIt)", "A(SIt)"]


@pytest.mark.rule("necromancer", "13.4")
def test_a_component_that_stays_supports_the_others() -> None:
    # 2 + 1 against an ordered army in a fortress (1 + 1): dislodged
    done = play(
        game({GONDOR: ["3A(NIt)"], SAURON: ["A(MMo)"]}),
        {GONDOR: ["2A(NIt) -> MMo", "A(NIt) S 2A(NIt) -> MMo"], SAURON: ["A(MMo) H"]},
    )
    assert done.results(GONDOR) == ["ok", "ok"]
    assert done.units(GONDOR) == ["2A(MMo)", "A(NIt)"]
    assert done.dislodged() == {"A(MMo)": ("NIt",)}


@pytest.mark.rule("necromancer", "13.9")
def test_a_joined_attack_dislodges_a_single_unsupported_unit() -> None:
    done = play(
        game({GONDOR: ["A(Pel)", "A(Los)"], OTHER: ["A(SIt)"]}),
        {GONDOR: ["A(Pel) -> 2A(SIt)", "A(Los) -> 2A(SIt)"], OTHER: ["A(SIt) H"]},
    )
    assert done.results(GONDOR) == ["ok", "ok"]
    assert done.units(GONDOR) == ["2A(SIt)"]
    assert set(done.dislodged()["A(SIt)"]) == {"Los", "Pel"}


@pytest.mark.rule("necromancer", "13.9")
def test_each_border_is_crossed_with_its_own_part_only() -> None:
    done = play(
        game({GONDOR: ["A(Pel)", "A(Los)"], OTHER: ["A(Por)", "A(SIt)"]}),
        {
            GONDOR: ["A(Pel) -> 2A(SIt)", "A(Los) -> 2A(SIt)"],
            OTHER: ["A(Por) S A(SIt) -> Pel", "A(SIt) -> Pel"],
        },
    )
    assert done.results(GONDOR) == ["bounce", "ok"]
    assert done.results(OTHER) == ["ok", "ok"]
    assert done.units(GONDOR) == ["A(SIt)"]
    assert done.units(OTHER) == ["A(Pel)", "A(Por)"]
    assert done.dislodged() == {"A(Pel)": ("SIt",)}
    stopped = done.result(GONDOR, "A(Pel) -> 2A(SIt)")
    assert (stopped.code, stopped.rule) == ("head_to_head", "13.9")
    assert [(a.power, str(a.unit), a.doing) for a in stopped.stopped_by] == [
        (OTHER, "A(SIt)", "moved"),
        (OTHER, "A(Por)", "supported"),
    ]
    from gm.games.necromancer.retreats import offered

    (dislodged,) = done.after.dislodged
    assert set(offered(done.after, the_board(), dislodged)) == {"Los", "Leb"}


@pytest.mark.rule("necromancer", "13.10")
def test_an_army_that_holds_is_joined_in_spite_of_an_equal_attack() -> None:
    done = play(
        game({GONDOR: ["A(Pel)", "A(SIt)"], OTHER: ["A(MMo)", "A(NIt)"]}),
        {
            GONDOR: ["A(Pel) -> 2A(SIt)", "A(SIt) -> 2A(SIt)"],
            OTHER: ["A(MMo) S A(NIt) -> SIt", "A(NIt) -> SIt"],
        },
    )
    assert done.results(GONDOR) == ["ok", "ok"]
    assert done.results(OTHER) == ["ok", "bounce"]
    assert done.units(GONDOR) == ["2A(SIt)"]


@pytest.mark.rule("necromancer", "13.10")
def test_one_more_support_prevents_the_join_and_dislodges() -> None:
    done = play(
        game({GONDOR: ["A(Pel)", "A(SIt)"], OTHER: ["A(MMo)", "A(NIt)", "A(Por)"]}),
        {
            GONDOR: ["A(Pel) -> 2A(SIt)", "A(SIt) -> 2A(SIt)"],
            OTHER: ["A(MMo) S A(NIt) -> SIt", "A(NIt) -> SIt", "A(Por) S A(NIt) -> SIt"],
        },
    )
    assert done.results(GONDOR) == ["bounce", "bounce"]
    assert done.units(GONDOR) == ["A(Pel)"]
    assert done.units(OTHER) == ["A(MMo)", "A(Por)", "A(SIt)"]
    assert done.dislodged() == {"A(SIt)": ("NIt",)}


@pytest.mark.rule("necromancer", "13.11")
def test_a_component_that_fails_to_move_holds_with_the_rest() -> None:
    done = play(
        game({GONDOR: ["2A(NIt)"], OTHER: ["A(MMo)", "A(CGo)", "A(Ano)"]}),
        {
            GONDOR: ["A(NIt) -> MMo", "A(NIt) S A(NIt) -> MMo"],
            OTHER: ["A(MMo) H", "A(CGo) S A(Ano) -> NIt", "A(Ano) -> NIt"],
        },
    )
    assert done.results(GONDOR) == ["bounce", "cut"]
    assert done.results(OTHER) == ["ok", "ok", "bounce"]
    assert done.units(GONDOR) == ["2A(NIt)"]
    assert done.units(OTHER) == ["A(Ano)", "A(CGo)", "A(MMo)"]
    assert done.after.dislodged == ()


@pytest.mark.rule("necromancer", "13.12")
def test_support_for_the_component_that_stays_is_a_complete_bounce_too() -> None:
    done = play(
        game({GONDOR: ["2A(NIt)", "A(Los)"], OTHER: ["A(MMo)", "A(CGo)", "A(Ano)", "A(Dag)"]}),
        {
            GONDOR: ["A(NIt) -> MMo", "A(NIt) S A(NIt) -> MMo", "A(Los) S A(NIt)"],
            OTHER: ["A(MMo) H", "A(CGo) S A(Ano) -> NIt", "A(Dag) S A(Ano) -> NIt", "A(Ano) -> NIt"],
        },
    )
    assert done.results(GONDOR) == ["bounce", "cut", "ok"]
    assert done.results(OTHER) == ["ok", "ok", "ok", "bounce"]
    assert done.units(GONDOR) == ["A(Los)", "2A(NIt)"]
    assert done.after.dislodged == ()


@pytest.mark.rule("necromancer", "13.12")
def test_support_to_hold_is_void_if_the_whole_multiple_army_was_ordered_away() -> None:
    done = play(
        game({GONDOR: ["2A(NIt)", "A(Los)"], OTHER: ["A(MMo)", "A(CGo)", "A(Ano)", "A(Dag)"]}),
        {
            GONDOR: ["2A(NIt) -> MMo", "A(Los) S A(NIt)"],
            OTHER: ["A(MMo) H", "A(CGo) S A(Ano) -> NIt", "A(Dag) S A(Ano) -> NIt", "A(Ano) -> NIt"],
        },
    )
    assert done.results(GONDOR) == ["bounce", "void"]
    assert done.result(GONDOR, "A(Los) S A(NIt)").rule == "13.12"
    assert done.dislodged() == {"2A(NIt)": ("Ano",)}
    assert done.units(OTHER) == ["A(CGo)", "A(Dag)", "A(MMo)", "A(NIt)"]


@pytest.mark.rule("necromancer", "13.14")
def test_three_builds_make_a_single_and_a_double_army() -> None:
    position = game(
        {GONDOR: ["A(Lam)"]},
        2780,
        "adjustments",
        centres={"DAm": GONDOR, "MTi": GONDOR, "Pel": GONDOR, "Lam": GONDOR},
    )
    done = play(position, {GONDOR: ["Build A(DAm)", "Build 2A(MTi)"]})
    assert done.results(GONDOR) == ["ok", "ok"]
    assert done.units(GONDOR) == ["A(DAm)", "A(Lam)", "2A(MTi)"]


@pytest.mark.rule("necromancer", "13.14")
def test_one_build_makes_an_army_a_double_one() -> None:
    position = game({GONDOR: ["A(MTi)"]}, 2780, "adjustments", centres={"MTi": GONDOR, "Pel": GONDOR})
    done = play(position, {GONDOR: ["Build 2A(MTi)"]})
    assert done.results(GONDOR) == ["ok"]
    assert done.units(GONDOR) == ["2A(MTi)"]


@pytest.mark.rule("necromancer", "15.8")
def test_a_siege_engine_takes_minas_tirith() -> None:
    done = play(
        game({SAURON: ["A(Ano)", "A/E(Los)"], GONDOR: ["A(MTi)"]}),
        {SAURON: ["A(Ano) S A/E(Los) -> MTi", "A/E(Los) -> MTi"], GONDOR: ["A(MTi) H"]},
    )
    assert done.results(SAURON) == ["ok", "ok"]
    assert done.units(SAURON) == ["A(Ano)", "A(MTi)"]
    assert done.dislodged() == {"A(MTi)": ("Los",)}


@pytest.mark.rule("necromancer", "18.10")
def test_the_nazgul_leads_a_move_with_the_strength_of_two() -> None:
    done = play(
        game({SAURON: ["A(MMo)", "N(MMo)"], GONDOR: ["A(SIt)"]}),
        {SAURON: ["N(MMo) L A(MMo) -> SIt", "A(MMo) -> SIt"], GONDOR: ["A(SIt) H"]},
    )
    assert done.results(SAURON) == ["ok", "ok"]
    assert done.units(SAURON) == ["A(SIt)", "N(SIt)"]
    assert done.dislodged() == {"A(SIt)": ("MMo",)}


@pytest.mark.rule("necromancer", "18.10")
def test_the_nazgul_leads_a_support_with_the_strength_of_two() -> None:
    done = play(
        game({SAURON: ["A(MMo)", "N(MMo)", "A(CGo)"], GONDOR: ["2A(NIt)"]}),
        {
            SAURON: [
                "N(MMo) L A(MMo) S A(CGo) -> NIt",
                "A(MMo) S A(CGo) -> NIt",
                "A(CGo) -> NIt",
            ],
            GONDOR: ["2A(NIt) H"],
        },
    )
    # 1 + 2 against 2
    assert done.results(SAURON) == ["ok", "ok", "ok"]
    assert done.dislodged() == {"2A(NIt)": ("CGo",)}


@pytest.mark.rule("necromancer", "18.10")
def test_the_nazgul_leads_a_hold_with_the_strength_of_two() -> None:
    done = play(
        game({SAURON: ["A(SIt)", "N(SIt)"], GONDOR: ["A(Los)", "A(Pel)"]}),
        {SAURON: ["N(SIt) L A(SIt) H", "A(SIt) H"], GONDOR: ["A(Los) -> SIt", "A(Pel) S A(Los) -> SIt"]},
    )
    assert done.results(SAURON) == ["ok", "ok"]
    assert done.results(GONDOR) == ["bounce", "ok"]
    assert done.units(SAURON) == ["A(SIt)", "N(SIt)"]


def test_the_notation_of_these_tests_reads_what_it_means() -> None:
    assert order("A(Los) S 2A(NIt) -> MMo") == Order(
        "support",
        UnitRef("A", "Los"),
        inner=Order("move", UnitRef("A", "NIt", 2), path=("MMo",)),
    )
    assert adjudicate(game({}), {}, FixedDice(())).outcomes == ()
