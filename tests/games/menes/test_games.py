"""Whole games by scripted players: they end, nothing breaks, and every phase can be replayed to the byte."""

import dataclasses
import random

import pytest

from gm.games.api import canonical, check_options
from gm.games.dice import SeededDice
from gm.games.menes import RULESET
from gm.games.menes.board import POWERS
from gm.games.menes.model import UNITS
from tests.games.menes.wild import wild_position, wild_sheets


def play_out(number: int, **options):
    """A game to its end; each phase is adjudicated twice."""
    seed = f"game {number}".encode()
    state = RULESET.new_game(check_options(RULESET.meta, options), SeededDice(seed, "setup"))
    refused = 0
    while RULESET.over(state) is None:
        phase = RULESET.phase(state).name
        bots = SeededDice(seed, f"{phase} bots")
        sheets = {d.power: RULESET.bot(RULESET.view(state, d.power), bots) for d in RULESET.dues(state)}
        for power, lines in sheets.items():
            assert RULESET.parse(state, power, "\n".join(lines)).orders == lines
        result = RULESET.adjudicate(state, sheets, SeededDice(seed, phase))
        again = RULESET.adjudicate(state, sheets, SeededDice(seed, phase))
        assert _bytes(result) == _bytes(again), phase
        refused += sum(o.result == "illegal" for o in result.orders)
        _check(result.state)
        state = result.state
    return state, refused


def _bytes(result) -> bytes:
    return canonical([result.state, *(dataclasses.asdict(x) for x in (*result.orders, *result.events))])


def _check(state) -> None:
    for power in POWERS:
        assert state["treasury"][power] >= 0
        for place, counts in state["units"][power].items():
            assert all(n > 0 and UNITS[u].ship != place.isdigit() for u, n in counts.items()), (
                power,
                place,
                counts,
            )
        for sea, aboard in state["cargo"][power].items():
            room = sum(UNITS[u].carries * n for u, n in state["units"][power].get(sea, {}).items())
            assert 0 < sum(aboard.values()) <= room
            assert "dragon" not in aboard
    assert canonical(state)


@pytest.mark.parametrize("number", range(5))
def test_bots_play_games_to_the_end(number):
    state, refused = play_out(number)
    assert RULESET.over(state).winners
    assert refused == 0


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_two_hundred_games_end_by_victory_or_turn_limit_without_a_fault():
    ends = [RULESET.over(play_out(number)[0]).rule for number in range(200)]
    assert set(ends) <= {"menes 2.6", "menes R turn limit"}
    assert ends.count("menes 2.6") >= 150


@pytest.mark.parametrize(
    "options",
    [
        {"turn_limit": 4},
        {"native_guns": 0, "flyover_shots": "owner", "peace_on_land": True, "turn_limit": 8},
        {
            "defender": "nobody",
            "spread_hits": "largest",
            "later_target": "defence",
            "die_sides": 10,
            "turn_limit": 8,
        },
        {"upkeep": 30, "turn_limit": 8},
        {"free_city_stop": "off", "after_move_from_city": True, "flee_aboard": False, "turn_limit": 8},
        {
            "out_powers_upkeep": True,
            "single_price_abroad": True,
            "winner_owns_at_once": False,
            "turn_limit": 8,
        },
    ],
)
def test_games_by_other_house_rules_end_too(options):
    state, _ = play_out(7, **options)
    assert RULESET.over(state) is not None


def test_a_bot_that_may_not_play_orders_nothing():
    state = RULESET.new_game(check_options(RULESET.meta, {}), SeededDice(b"x", "setup"))
    assert RULESET.bot(RULESET.view(state, None), SeededDice(b"x", "x")) == ()


@pytest.mark.parametrize("number", range(12))
def test_wild_orders_break_nothing_and_lose_no_unit(number):
    rng = random.Random(number)
    options = {"turn_limit": 6, "upkeep": rng.choice([0, 3]), "victory_points": 49}
    options["beaten_cargo_lands"] = number % 2 == 0
    state = wild_position(rng, options)
    kinds: set[str] = set()
    while RULESET.over(state) is None:
        sheets = wild_sheets(rng, state)
        for power, lines in sheets.items():
            RULESET.review(state, power, lines)
        result = RULESET.adjudicate(state, sheets, SeededDice(b"wild %d" % number, RULESET.phase(state).name))
        assert len(result.orders) == sum(map(len, sheets.values()))
        assert all(o.result == "ok" or o.reason for o in result.orders)
        _check(result.state)
        _nothing_lost(state, result)
        kinds |= {e.kind for e in result.events}
        state = result.state
    assert {"battle", "flight", "drowned", "captured", "move"} <= kinds


def _nothing_lost(before, result) -> None:
    """Units before and bought = units after, hit, cut down in flight, drowned, shot down, disbanded."""
    for power in POWERS:
        had = _count(before, power) + _sum(result, "bought", power)
        gone = _sum(result, "disbanded", power) + _sum(result, "shortfall", power)
        for event in result.events:
            if event.kind == "numbers":
                own = [f for f in event.data["forces"] if f["power"] == power]
                gone += sum(sum(f["hit"].values()) + sum(f["died"].values()) for f in own)
            if event.seen_by == (power,):
                gone += sum(event.data["units"].values()) if event.kind == "drowned" else 0
                gone += event.data["lost"] if event.kind == "natives" else 0
        assert _count(result.state, power) == had - gone, power


def _count(state, power) -> int:
    return sum(n for key in ("units", "cargo") for c in state[key][power].values() for n in c.values())


def _sum(result, kind, power) -> int:
    return sum(e.data["count"] for e in result.events if e.kind == kind and e.seen_by == (power,))
