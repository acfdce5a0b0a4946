"""A sheet explained to its owner."""

from __future__ import annotations

import pytest

from gm.games.diplomacy import RULESET
from gm.games.diplomacy.state import make_state
from tests.games.diplomacy.cases import OPTIONS, game

STATE = game(france=["A PAR", "A MAR", "F MAO", "A GAS"], italy=["A VEN"])


def told(*sheet):
    return [(one.text, one.kind, one.suggestion) for one in RULESET.review(STATE, "france", sheet).problems]


def test_units_without_orders_are_missing():
    assert RULESET.review(STATE, "france", ["A PAR H"]).missing == ("A GAS", "F MAO", "A MAR")


@pytest.mark.rule("diplomacy", "4.4")
def test_a_support_that_does_not_fit_the_own_move_is_a_warning():
    assert told("A PAR - PIC", "A MAR S A PAR - BUR", "F MAO H", "A GAS H") == [
        ("A MAR S A PAR - BUR", "warning", "A PAR - BUR")
    ]
    assert told("A PAR - BUR", "A MAR S A PAR - BUR", "F MAO H", "A GAS H") == []
    assert told("A MAR S A GAS", "A GAS - BUR") == [("A MAR S A GAS", "warning", "A MAR S A GAS - BUR")]
    assert told("A MAR S A VEN - PIE") == []


@pytest.mark.rule("diplomacy", "5.1")
def test_a_convoy_that_does_not_fit_the_own_move_is_a_warning():
    assert told("F MAO C A GAS - POR", "A GAS H") == [("F MAO C A GAS - POR", "warning", "A GAS - POR")]


@pytest.mark.rule("diplomacy", "3.1")
def test_two_own_moves_to_one_place_are_a_warning():
    assert told("A PAR - BUR", "A MAR - BUR") == [("A MAR - BUR", "warning", "")]


def test_winter_sheets():
    winter = game("W1901A", centres={"france": ["PAR", "MAR", "BRE", "SPA"]}, france=["A SPA", "F POR"])
    found = RULESET.review(winter, "france", ["Build A PAR"])
    assert found.missing == ("1 build",)
    assert found.notes == ("You may build in BRE, MAR, PAR. Builds not ordered are waived.",)
    many = RULESET.review(winter, "france", ["Build A PAR", "Build A MAR", "Waive"])
    assert [one.kind for one in many.problems] == ["misorder"]


def test_retreats_to_one_place_contradict_each_other():
    entries = [
        {"power": "italy", "unit": "A VIE", "attacker_from": "TRI", "retreats": ["GAL", "TYR"]},
        {"power": "italy", "unit": "A BOH", "attacker_from": "SIL", "retreats": ["GAL", "TYR"]},
    ]
    state = make_state("S1901R", OPTIONS, {}, {}, entries)
    found = RULESET.review(state, "italy", ["A VIE - TYR", "A BOH - TYR"])
    assert [one.kind for one in found.problems] == ["misorder"]
    assert RULESET.review(state, "italy", ["A VIE - TYR"]).missing == ("A BOH",)
