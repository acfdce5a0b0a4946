"""Positions made at random: the resolver against the plain oracle, and what must hold in every position."""

from __future__ import annotations

from random import Random

import pytest

from gm.games.diplomacy.board import standard
from gm.games.diplomacy.orders import SUPPORT
from gm.games.diplomacy.outcome import Outcome
from gm.games.diplomacy.resolve import resolve
from tests.games.diplomacy.oracle import Oracle
from tests.games.diplomacy.positions import Position, position

BOARD = standard()
BATCH = 1000


def made(seed: int) -> Position:
    """The position of a seed: small and large, few convoys and many."""
    rng = Random(seed)
    return position(
        rng,
        units=rng.choice([6, 10, 16, 22, 34, 34]),
        convoys=rng.choice([0, 0.2, 0.5, 0.8, 1]),
        powers=rng.choice([2, 3, 5, 7]),
    )


def placed(outcome: Outcome) -> dict[str, str]:
    return {unit[2:5]: f"{power} {unit}" for power, names in outcome.units.items() for unit in names}


def check_against_oracle(seed: int) -> bool:
    """Compare one position; gives whether it held a convoy paradox."""
    units, orders = made(seed)
    outcome = resolve(BOARD, units, orders)
    oracle = Oracle(units, orders)
    assert placed(outcome) == oracle.after(), seed
    assert {BOARD.ids[at]: BOARD.ids[by] for at, by in outcome.dislodged.items()} == oracle.dislodged(), seed
    counted = {
        BOARD.ids[at]: outcome.settled[at]
        for at, order in enumerate(outcome.order)
        if order is not None and order[0] == SUPPORT and outcome.settled[at] is not None
    }
    assert counted == oracle.supports(), seed
    return bool(outcome.paradox)


def test_three_hundred_positions_as_the_oracle_judges_them():
    paradoxes = sum(check_against_oracle(seed) for seed in range(300))
    assert paradoxes > 0


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(20))
def test_twenty_thousand_positions_as_the_oracle_judges_them(batch):
    for seed in range(300 + batch * BATCH, 300 + (batch + 1) * BATCH):
        check_against_oracle(seed)


@pytest.mark.rule("diplomacy", "2.3")
@pytest.mark.parametrize("seed", range(0, 400, 4))
def test_every_unit_is_once_in_place_or_dislodged(seed):
    units, orders = made(seed)
    outcome = resolve(BOARD, units, orders)
    for power, names in units.items():
        lost = sum(outcome.owner[at] == power for at in outcome.dislodged)
        assert len(outcome.units[power]) + lost == len(names)
    provinces = [unit[2:5] for names in outcome.units.values() for unit in names]
    assert len(provinces) == len(set(provinces))
    for at, places in outcome.retreats.items():
        assert at in outcome.dislodged
        assert not {place[:3] for place in places} & set(provinces)


@pytest.mark.rule("diplomacy", "1.3")
@pytest.mark.parametrize("seed", range(1, 400, 4))
def test_the_order_of_lists_does_not_matter(seed):
    units, orders = made(seed)
    rng = Random(seed)
    outcome = resolve(BOARD, units, orders)
    mixed = resolve(BOARD, shuffled(rng, units), shuffled(rng, orders))
    assert placed(mixed) == placed(outcome)
    assert mixed.dislodged == outcome.dislodged
    assert mixed.word == outcome.word
    assert mixed.retreats == outcome.retreats
    assert mixed.contested == outcome.contested


def shuffled(rng: Random, table: dict[str, list[str]]) -> dict[str, list[str]]:
    powers = rng.sample(sorted(table), len(table))
    return {power: rng.sample(table[power], len(table[power])) for power in powers}


@pytest.mark.parametrize("seed", range(2, 400, 4))
def test_powers_renamed_give_the_same_results_renamed(seed):
    units, orders = made(seed)
    names = sorted(units)
    other = dict(zip(names, Random(seed).sample(names, len(names)), strict=True))
    outcome = resolve(BOARD, units, orders)
    renamed = resolve(
        BOARD,
        {other[power]: names for power, names in units.items()},
        {other[power]: texts for power, texts in orders.items()},
    )
    assert renamed.word == outcome.word
    assert renamed.dislodged == outcome.dislodged
    assert renamed.units == {other[power]: names for power, names in outcome.units.items()}


@pytest.mark.rule("diplomacy", "3.5")
@pytest.mark.parametrize("seed", range(3, 400, 4))
def test_nobody_dislodges_his_own_unit(seed):
    units, orders = made(seed)
    outcome = resolve(BOARD, units, orders)
    for at, origin in outcome.dislodged.items():
        assert outcome.owner[at] != outcome.owner[origin]
