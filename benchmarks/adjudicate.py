"""Movement phases a second on crowded boards, beside the PyPI package `diplomacy` on the same positions.

Ours is timed from unit table and order texts to the full result (results of every order, units in place, dislodged,
stand-offs, retreats); theirs from the same tables through set_units, set_orders and process(). The two take turns every
few positions, seconds are those of the processor, and the best round of each counts, so that other work on the machine
weighs on both alike. Positions in which the two differ are moves by "VIA" without a convoy and support for a convoyed
attack on the supporter's own unit (tests/games/diplomacy/data/extra_cases.toml); the oracle of the tests sides with
us. Last line: ``ratio N.NN``.

    python benchmarks/adjudicate.py [--positions 150] [--rounds 5]
"""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from gm.games.diplomacy.board import standard
from gm.games.diplomacy.resolve import resolve
from tests.games.diplomacy.positions import Position, position

KINDS = {"mid": 0.1, "convoys": 0.6}
"""Kinds of position, and the share of coastal armies that try to be convoyed."""
CHUNK = 15
"""Positions after which the two take turns."""
REPEAT = 8
"""Passes of ours over a chunk; one pass is too short to time well."""

BOARD = standard()


def ours(positions: Sequence[Position]) -> None:
    for units, orders in positions:
        resolve(BOARD, units, orders)


def peer() -> tuple[Callable[[Sequence[Position]], None], Callable[[Position], list[str]]]:
    """The package's way through a list of positions, and its units after one."""
    from diplomacy import Game

    game = Game()

    def one(entry: Position) -> None:
        units, orders = entry
        game.clear_units()
        game.clear_orders()
        game.set_current_phase("S1901M")
        for power, names in units.items():
            game.set_units(power.upper(), names)
        for power, texts in orders.items():
            game.set_orders(power.upper(), texts)
        game.process()

    def run(positions: Sequence[Position]) -> None:
        for entry in positions:
            one(entry)

    def after(entry: Position) -> list[str]:
        one(entry)
        return sorted(
            f"{power} {unit}"
            for power in entry[0]
            for unit in game.get_units(power.upper())
            if unit[0] != "*"
        )

    return run, after


def seconds(
    run: Callable[[Sequence[Position]], None], positions: Sequence[Position], repeat: int = 1
) -> float:
    """Processor seconds for one pass."""
    start = time.process_time()
    for _ in range(repeat):
        run(positions)
    return (time.process_time() - start) / repeat


def one_round(
    theirs: Callable[[Sequence[Position]], None], positions: Sequence[Position]
) -> tuple[float, float]:
    """Phases a second of both, a chunk in turn."""
    mine = other = 0.0
    for first in range(0, len(positions), CHUNK):
        chunk = positions[first : first + CHUNK]
        mine += seconds(ours, chunk, REPEAT)
        with contextlib.redirect_stdout(io.StringIO()):
            other += seconds(theirs, chunk)
    return len(positions) / mine, len(positions) / other


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=150, help="positions of each kind")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    with contextlib.redirect_stdout(io.StringIO()):
        theirs, theirs_after = peer()

    ratios = []
    for kind, convoys in KINDS.items():
        positions = [position(Random(f"{kind} {i}"), convoys=convoys, junk=0) for i in range(given.positions)]
        count = sum(len(texts) for _, orders in positions for texts in orders.values())
        cold = len(positions) / seconds(ours, positions)
        rounds = [one_round(theirs, positions) for _ in range(given.rounds)]
        fast = max(mine for mine, _ in rounds)
        slow = max(other for _, other in rounds)
        with contextlib.redirect_stdout(io.StringIO()):
            equal = sum(
                theirs_after(entry)
                == sorted(
                    f"{power} {unit}"
                    for power, names in resolve(BOARD, *entry).units.items()
                    for unit in names
                )
                for entry in positions
            )
        ratios.append(fast / slow)
        print(
            f"{kind}: {len(positions)} positions of 34 units, {count} orders; ours {fast:,.0f} phases/s "
            f"({cold:,.0f} with order texts never seen before), diplomacy {slow:,.0f} phases/s, "
            f"{ratios[-1]:.1f} times; same units afterwards in {equal}"
        )
    product = 1.0
    for ratio in ratios:
        product *= ratio
    print(f"ratio {product ** (1 / len(ratios)):.2f}")


if __name__ == "__main__":
    main()
