"""The engine against a second, plain adjudicator on random crowded positions."""

from __future__ import annotations

from random import Random

import pytest

from gm.games.necromancer.board import the_board
from gm.games.necromancer.compile import compile_orders
from gm.games.necromancer.model import Game, Options, Unit, normalise
from gm.games.necromancer.orders import Order, UnitRef
from gm.games.necromancer.resolve import Solver
from tests.games.necromancer.oracle import Oracle, Part

POWERS = ("gondor", "haradrim", "sauron", "gondor", "easterlings")


def crowd(rng: Random) -> list[Part]:
    """Parts in a few provinces that touch one another, at most eight of them moving."""
    board = the_board()
    land = [p.id for p in board.provinces if p.kind in ("land", "coast")]
    places = [rng.choice(land)]
    while len(places) < 7:
        around = [q for p in places for q in board[p].borders if q in land and q not in places]
        places.append(rng.choice(around))
    parts: list[Part] = []
    for place in places:
        if rng.random() < 0.1:
            continue
        owner = rng.choice(POWERS)
        goals = [q for q in board[place].borders if q in places]
        engine = rng.random() < 0.15
        if owner == "gondor" and rng.random() < 0.5:
            parts += stack(rng, place, goals)
        elif goals and rng.random() < 0.6 and sum(bool(p.target) for p in parts) < 8:
            parts.append(Part(owner, place, 1, rng.choice(goals), engine=engine))
        else:
            parts.append(Part(owner, place, 1, engine=engine))
    parts = join(rng, parts)
    return [support(rng, parts, i, places) for i in range(len(parts))]


def stack(rng: Random, place: str, goals: list[str]) -> list[Part]:
    strength = rng.choice((2, 3))
    leaving = rng.randint(0, strength)
    parts = [Part("gondor", place, leaving, rng.choice(goals))] if leaving and goals else []
    stays = strength - sum(p.strength for p in parts)
    return [*parts, Part("gondor", place, stays)] if stays else parts


def join(rng: Random, parts: list[Part]) -> list[Part]:
    """Moves of Gondor that meet become joined ones, with those who stay there or without."""
    found = list(parts)
    for goal in sorted({p.target for p in parts if p.target and p.owner == "gondor"}):
        meeting = [i for i, p in enumerate(found) if p.owner == "gondor" and p.target == goal]
        stay = [i for i, p in enumerate(found) if p.owner == "gondor" and p.origin == goal and not p.target]
        if stay and rng.random() < 0.6:
            meeting += stay
        if len(meeting) < 2 or rng.random() < 0.2:
            continue
        total = sum(found[i].strength for i in meeting)
        for i in meeting:
            p = found[i]
            found[i] = Part(p.owner, p.origin, p.strength, p.target, total, joins=not p.target)
    return found


def support(rng: Random, parts: list[Part], i: int, places: list[str]) -> Part:
    board = the_board()
    mine = parts[i]
    if mine.target or mine.joins or rng.random() < 0.15:
        return mine
    near = [
        j
        for j, p in enumerate(parts)
        if (p.target or p.origin) in board[mine.origin].borders and (p.target or p.origin) != mine.origin
    ]
    if not near:
        return mine
    return Part(mine.owner, mine.origin, mine.strength, helps=rng.choice(near), engine=mine.engine)


def as_order(part: Part, parts: list[Part]) -> Order:
    ref = UnitRef("A", part.origin, part.strength)
    if part.target:
        return Order("move", ref, path=(part.target,), total=part.total)
    if part.joins:
        return Order("move", ref, path=(part.origin,), total=part.total)
    if part.helps >= 0:
        helped = parts[part.helps]
        inner = UnitRef("A", helped.origin, helped.strength)
        if helped.target:
            return Order("support", ref, inner=Order("move", inner, path=(helped.target,)))
        return Order("support", ref, inner=Order("hold", inner))
    return Order("hold", ref)


@pytest.mark.parametrize("block", range(20))
def test_the_engine_agrees_with_the_plain_adjudicator(block: int) -> None:
    board = the_board()
    fortresses = frozenset(p.id for p in board.provinces if p.fortress)
    for seed in range(block * 30, block * 30 + 30):
        rng = Random(seed)
        parts = crowd(rng)
        units = [Unit(p.owner, "A", p.origin, p.strength, engines=int(p.engine)) for p in parts]
        orders: dict[str, list[Order]] = {}
        for part in parts:
            orders.setdefault(part.owner, []).append(as_order(part, parts))
        plan = compile_orders(Game(Options(), 2765, "movement", normalise(units), {}), board, orders)
        assert plan.verdicts == {}, seed
        solver = Solver(plan.problem)
        solver.solve()
        got = sorted((m.origin, m.target) for m in plan.moves if solver.moved(m.move) == 1)
        solutions = list(Oracle(parts, fortresses).solutions())
        assert solutions, seed
        index = board.index
        wanted = sorted((index[parts[i].origin], index[parts[i].target]) for i in solutions[0])
        assert got == wanted, (seed, parts)
