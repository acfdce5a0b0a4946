"""Necromancer phases of 60 units beside standard Diplomacy phases of 34, from state and order texts to full results.

Both run through ``RULESET.adjudicate``, as the server calls it; figures are time per unit, the best of some rounds that
take turns. Last line: ``ratio N.NN``, the speed of Necromancer per unit as a part of Diplomacy's (0.5 is the aim).

    python benchmarks/necromancer.py [--positions 60] [--rounds 7]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from gm.games.api import Ruleset, State
from gm.games.dice import FixedDice, SeededDice
from gm.games.diplomacy import RULESET as DIPLOMACY
from gm.games.necromancer import RULESET as NECROMANCER
from gm.games.necromancer.saved import from_json
from tests.games.diplomacy.positions import position as diplomacy_position

ARMIES = 55
"""Fewest armies of a phase that counts."""
PER_GAME = 6

Phase = tuple[State, Mapping[str, Sequence[str] | None], int]
"""A state, its sheets and the number of units."""


def necromancer(count: int) -> list[Phase]:
    """Movement phases of scripted games, late enough to have about 60 armies on the board."""
    found: list[Phase] = []
    for game in range(count):
        state = NECROMANCER.new_game({}, FixedDice(()))
        mine: list[Phase] = []
        while NECROMANCER.over(state) is None and len(mine) < PER_GAME:
            dice = SeededDice(f"bench {game}".encode(), NECROMANCER.phase(state).name)
            sheets = {
                p.id: NECROMANCER.bot(NECROMANCER.view(state, p.id), dice) for p in NECROMANCER.meta.powers
            }
            units = sum(u.strength for u in from_json(state).units)
            if NECROMANCER.phase(state).kind == "movement" and units >= ARMIES:
                mine.append((state, sheets, units))
            state = NECROMANCER.adjudicate(state, sheets, FixedDice(())).state
        found += mine
        if len(found) >= count:
            break
    return found[:count]


def diplomacy(count: int) -> list[Phase]:
    """Random positions of 34 units."""
    found: list[Phase] = []
    for seed in range(count):
        units, orders = diplomacy_position(Random(f"diplomacy {seed}"), convoys=0.1, junk=0)
        state = DIPLOMACY.scenario({"phase": "S1903M", "units": units}).state
        found.append((state, orders, sum(len(names) for names in units.values())))
    return found


def per_unit(ruleset: Ruleset, phases: Sequence[Phase]) -> float:
    """Microseconds of processor time for each unit."""
    start = time.process_time()
    for state, orders, _ in phases:
        ruleset.adjudicate(state, orders, FixedDice(()))
    return (time.process_time() - start) / sum(units for _, _, units in phases) * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    ours, theirs = necromancer(given.positions), diplomacy(given.positions)
    best = {"necromancer": float("inf"), "diplomacy": float("inf")}
    for _ in range(given.rounds):
        best["necromancer"] = min(best["necromancer"], per_unit(NECROMANCER, ours))
        best["diplomacy"] = min(best["diplomacy"], per_unit(DIPLOMACY, theirs))
    mean = sum(units for _, _, units in ours) / len(ours)
    print(f"necromancer: {len(ours)} phases of {mean:.0f} armies, {best['necromancer']:.1f} µs a unit")
    print(f"diplomacy: {len(theirs)} phases of 34 units, {best['diplomacy']:.1f} µs a unit")
    print(f"ratio {best['diplomacy'] / best['necromancer']:.2f}")


if __name__ == "__main__":
    main()
