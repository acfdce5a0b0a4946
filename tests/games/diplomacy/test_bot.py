"""The scripted player: legal, purposeful, and able to finish a game."""

from __future__ import annotations

import pytest

from gm.games.dice import SeededDice
from gm.games.diplomacy import RULESET
from tests.games.diplomacy.cases import game


def play(seed: bytes, end_year: int):
    """A whole game of seven bots; every sheet must be read back as it is, complete and without a complaint."""
    state = RULESET.new_game({"end_year": end_year, "win_centres": 18}, SeededDice(seed, "start"))
    verbs = set()
    while RULESET.over(state) is None:
        dice = SeededDice(seed, RULESET.phase(state).name)
        sheets = {}
        for due in RULESET.dues(state):
            sheet = RULESET.bot(RULESET.view(state, due.power), dice)
            parsed = RULESET.parse(state, due.power, "\n".join(sheet))
            assert (parsed.orders, parsed.problems) == (sheet, ())
            checked = RULESET.review(state, due.power, sheet)
            assert (checked.missing, checked.problems) == ((), ())
            sheets[due.power] = sheet
            verbs |= {text[6:8].strip() if text[1] == " " else text.split()[0] for text in sheet}
        result = RULESET.adjudicate(state, sheets, dice)
        assert not [one for one in result.orders if one.result == "illegal"]
        state = result.state
    return state, verbs


@pytest.mark.parametrize("seed", range(2))
def test_games_are_legal_and_use_every_order(seed):
    _, verbs = play(f"bot {seed}".encode(), 1912)
    assert {"-", "S", "C", "H", "Build", "Remove"} <= verbs


@pytest.mark.slow
def test_most_games_end_by_a_solo_within_forty_years():
    ends = [RULESET.over(play(f"long {seed}".encode(), 1941)[0]) for seed in range(20)]
    solos = [end for end in ends if len(end.winners) == 1]
    assert len(solos) >= 12
    assert len({end.winners for end in solos}) >= 3


def test_a_neutral_centre_in_reach_is_taken():
    state = game("F1901M", france=["A GAS"])
    sheet = RULESET.bot(RULESET.view(state, "france"), SeededDice(b"x", "F1901M"))
    assert sheet == ("A GAS - SPA",)


def test_a_unit_in_a_centre_not_yet_owned_stays_for_the_fall_count():
    state = game("F1901M", france=["A SPA"])
    assert RULESET.bot(RULESET.view(state, "france"), SeededDice(b"x", "F1901M")) == ("A SPA H",)


def test_nothing_is_ordered_where_nothing_is_due():
    state = game(france=["A PAR"])
    assert RULESET.bot(RULESET.view(state, "turkey"), SeededDice(b"x", "S1901M")) == ()
    assert RULESET.bot(RULESET.view(state, None), SeededDice(b"x", "S1901M")) == ()
