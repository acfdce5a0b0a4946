"""Whole games of scripted players: no fault, all that the rules offer occurs, every phase replays to the same bytes."""

from __future__ import annotations

from collections import Counter

import pytest

from gm.games.api import Adjudicated, OrderResult, Phase, State, canonical, reading
from gm.games.dice import FixedDice, SeededDice
from gm.games.necromancer import RULESET

LAST = "3200"
"""When a game that nobody wins is called a draw: twelve turns after Sauron's end."""


def play(seed: int, seen: Counter[str], power_reports: bool = False) -> None:
    """One game from the set-up to a victory or the last turn, each phase run twice."""
    state = RULESET.new_game({"alignment": bool(seed % 2)}, FixedDice(()))
    names: list[str] = []
    while RULESET.over(state) is None and RULESET.phase(state).turn < LAST:
        phase = RULESET.phase(state)
        assert phase.name not in names
        names.append(phase.name)
        dice = SeededDice(b"bot%d" % seed, phase.name)
        sheets: dict[str, tuple[str, ...]] = {}
        assert RULESET.dues(state), f"nobody has anything to order in {phase.name}"
        for due in RULESET.dues(state):
            texts = RULESET.bot(RULESET.view(state, due.power), dice)
            parsed = RULESET.parse(state, due.power, "\n".join(texts))
            assert parsed.problems == () and parsed.orders == texts, (phase.name, parsed.problems)
            sheets[due.power] = texts
        found = RULESET.adjudicate(state, sheets, FixedDice(()))
        again = RULESET.adjudicate(state, sheets, FixedDice(()))
        assert canonical(found.state) == canonical(again.state)
        assert (found.orders, found.events) == (again.orders, again.events)
        if power_reports:
            _reports(state, found.state, found, phase)
        seen.update(e.kind for e in found.events)
        seen.update(f"{_verb(o)} {o.result}" for o in found.orders)
        seen["hidden moves"] += sum(o.seen_by != "all" and " -> " in o.order for o in found.orders)
        state = found.state
    over = RULESET.over(state)
    seen["won" if over and over.winners else "drawn"] += 1
    seen["games"] += 1


def _reports(before: State, after: State, found: Adjudicated, phase: Phase) -> None:
    for power in (None, *(p.id for p in RULESET.meta.powers)):
        views = RULESET.view(before, power), RULESET.view(after, power)
        told = RULESET.report(*views, reading(found, phase, power))
        assert told.headline


def _verb(o: OrderResult) -> str:
    words = o.order.split()
    return "Move" if len(words) > 1 and words[1] == "->" else words[0] if words[0].isalpha() else words[1]


def test_a_game_of_scripted_players_runs_from_the_set_up_to_its_end_with_every_report() -> None:
    seen: Counter[str] = Counter()
    play(7, seen, power_reports=True)
    assert seen["games"] == 1
    assert seen["Move ok"] and seen["Support ok"] and seen["captured"] and seen["retreated"] and seen["built"]


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_hundred_games_use_all_that_the_rules_offer() -> None:
    seen: Counter[str] = Counter()
    for seed in range(100):
        play(seed, seen)
    assert seen["won"] + seen["drawn"] == seen["games"] == 100
    for kind in (
        "joined",
        "engine_built",
        "fleet_built",
        "retreated",
        "activated",
        "raised",
        "removed",
        "shown",
    ):
        assert seen[kind], kind
    for kind in (
        "revealed",
        "standing_disbanded",
        "build_blocked",
        "eliminated",
        "sauron_fell",
        "homes",
    ):
        assert seen[kind], kind
    assert seen["hidden moves"] > 1000
    assert seen["Lead ok"] and seen["Raise ok"]
    misread = sum(n for kind, n in seen.items() if kind.endswith((" illegal", " misorder")))
    assert misread == 0, {k: n for k, n in seen.items() if k.endswith((" illegal", " misorder"))}


@pytest.mark.rule("necromancer", "5")
@pytest.mark.parametrize("power", [p.id for p in RULESET.meta.powers])
def test_every_power_orders_all_its_units_in_the_first_turn(power: str) -> None:
    state = RULESET.new_game({}, FixedDice(()))
    state = RULESET.adjudicate(
        state, {"saruman": ["Place A(Gap)"], "sauron": ["Activate Mor"]}, FixedDice(())
    ).state
    orders = RULESET.bot(RULESET.view(state, power), SeededDice(b"first", "2765 movement"))
    assert RULESET.review(state, power, orders).missing == ()
