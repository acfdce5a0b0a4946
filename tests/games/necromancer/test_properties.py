"""What holds for every position and every sheet, however mad."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from gm.games.api import canonical
from gm.games.dice import FixedDice
from gm.games.necromancer.activate import candidates
from gm.games.necromancer.adjust import owed
from gm.games.necromancer.board import the_board
from gm.games.necromancer.centres import supported, upkeep
from gm.games.necromancer.engine import adjudicate
from gm.games.necromancer.ids import ZERO
from gm.games.necromancer.model import Game, Options
from gm.games.necromancer.orders import Order, UnitRef
from gm.games.necromancer.outcome import CODES, KINDS
from gm.games.necromancer.saved import from_json, to_json
from gm.games.necromancer.setup import new_game
from tests.games.necromancer.chance import position, sheets

SEEDS = range(150)


def armies(game: Game) -> Counter[tuple[str, str]]:
    """Armies by owner and kind, dislodged and disbanded ones included."""
    found: Counter[tuple[str, str]] = Counter()
    for unit in [
        *game.units,
        *(d.unit for d in game.dislodged),
        *(d.unit for d in game.disbanded_at_once),
    ]:
        found[unit.owner, unit.kind] += unit.strength
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_a_movement_phase_is_total_and_accounts_for_every_unit(seed: int) -> None:
    rng = Random(seed)
    before = position(rng, rng.choice((8, 20, 40)), rng.choice((12, 25)))
    orders = sheets(rng, before)
    result = adjudicate(before, orders, FixedDice(()))
    assert armies(result.after) == armies(before)
    assert len(result.outcomes) == sum(len(o or ()) for o in orders.values())
    assert all(o.code in CODES and (o.code == "done") == (o.result == "ok") for o in result.outcomes)
    assert all(h.kind in KINDS for h in result.happenings)
    for d in result.after.dislodged:
        assert d.unit.strength >= 1


@pytest.mark.parametrize("seed", SEEDS)
def test_no_two_powers_share_a_province_except_in_eriador(seed: int) -> None:
    rng = Random(seed)
    before = position(rng, 40, 20)
    after = adjudicate(before, sheets(rng, before), FixedDice(())).after
    board = the_board()
    owners: dict[str, str] = {}
    for unit in after.units:
        if unit.place not in board.offboard:
            assert owners.setdefault(unit.place, unit.owner) == unit.owner
    crowd = Counter(
        (u.owner, u.place) for u in after.units if u.kind not in ZERO and u.place not in board.offboard
    )
    nazgul = {u.place for u in after.units if u.kind == "N"}
    for (owner, place), number in crowd.items():
        assert number == 1 or (owner == "sauron" and place in nazgul)
    for unit in after.units:
        if board[unit.place].kind == "sea" and unit.kind not in ZERO:
            assert unit.fleets == unit.strength
        assert unit.fleets <= unit.strength
        assert unit.engines <= 1


@pytest.mark.parametrize("seed", range(40))
def test_the_result_depends_neither_on_the_order_of_sheets_nor_on_chance(seed: int) -> None:
    rng = Random(seed)
    before = position(rng, 40, 20)
    orders = sheets(rng, before)
    first = adjudicate(before, orders, FixedDice(()))
    turned = dict(reversed(orders.items()))
    second = adjudicate(from_json(to_json(before)), turned, FixedDice(()))
    assert canonical(to_json(first.after)) == canonical(to_json(second.after))
    assert first.outcomes == second.outcomes
    assert first.happenings == second.happenings


@pytest.mark.parametrize("seed", range(40))
def test_lines_of_a_sheet_may_be_shuffled(seed: int) -> None:
    """The position comes out the same; only which of two equal parts carries which order may differ by line."""
    rng = Random(seed)
    before = position(rng, 40, 20)
    orders = sheets(rng, before)
    shuffled = {p: None if o is None else tuple(rng.sample(o, len(o))) for p, o in orders.items()}
    first = adjudicate(before, orders, FixedDice(())).after
    second = adjudicate(before, shuffled, FixedDice(())).after
    assert [(str(u), u.owner) for u in first.units] == [(str(u), u.owner) for u in second.units]
    assert {str(d.unit) for d in first.dislodged} == {str(d.unit) for d in second.dislodged}


def anything(rng: Random, before: Game) -> dict[str, tuple[Order, ...] | None]:
    """Orders for any phase, sensible ones and others."""
    if before.step == "movement":
        return sheets(rng, before)
    places = [p.id for p in the_board().provinces]
    found: dict[str, tuple[Order, ...] | None] = {}
    for power in the_board().powers:
        orders: list[Order] = []
        for d in before.dislodged:
            if d.unit.owner == power and rng.random() < 0.8:
                around = the_board()[d.unit.place].borders
                orders.append(
                    Order("retreat", d.unit.ref, choices=tuple(rng.sample(around, min(3, len(around)))))
                )
        if before.step in ("adjustments", "setup"):
            site = rng.choice(owed(before, the_board(), power).sites or places)
            orders.append(Order("build", UnitRef("A", site, rng.choice((1, 1, 2)))))
            wishes = candidates(before, the_board()) or (UnitRef("A", rng.choice(places)),)
            orders.append(Order("activate", rng.choice(wishes), alternatives=wishes[:2]))
            orders.append(Order("raise", UnitRef("N", rng.choice(("MMo", "DGu", "Gun")))))
            mine = [u.ref for u in before.units if u.owner == power]
            orders.append(Order("remove", rng.choice(mine)) if mine else Order("waive"))
            orders.append(Order("place", UnitRef("A", rng.choice(("Gap", "Fan", "Hel")))))
        found[power] = None if rng.random() < 0.1 else tuple(orders)
    return found


@pytest.mark.parametrize("seed", range(12))
def test_whole_games_of_mad_orders_keep_to_the_rules(seed: int) -> None:
    rng = Random(seed)
    options = Options(alignment=bool(seed % 2), retreats_with_orders=bool(seed % 3 == 0))
    state = new_game(options, the_board())
    steps = Counter[str]()
    for _ in range(60):
        if state.step == "over":
            break
        steps[state.step] += 1
        result = adjudicate(state, anything(rng, state), FixedDice(()))
        assert result.after == from_json(to_json(result.after))
        assert all(o.code in CODES for o in result.outcomes)
        if state.step == "adjustments":
            for power in the_board().powers:
                kept = [u for u in result.after.units if u.owner == power and u.kind in "AC"]
                assert not kept or upkeep(result.after, power) <= max(
                    supported(state, power), supported(result.after, power)
                )
        assert sum(u.kind == "N" for u in result.after.units) <= 1
        assert sum(u.kind in "DS" for u in result.after.units) <= 2
        state = result.after
    assert steps["movement"] > 10
