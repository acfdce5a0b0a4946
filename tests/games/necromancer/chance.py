"""Random positions and orders, legal and not, for property tests. The same seed gives the same game."""

from __future__ import annotations

from random import Random

from gm.games.necromancer.board import Board, the_board
from gm.games.necromancer.model import Game, Options, Unit, normalise
from gm.games.necromancer.orders import Order, UnitRef

POWERS = ("dwarves", "easterlings", "elves", "gondor", "haradrim", "rohan", "saruman", "sauron")


def position(rng: Random, count: int, crowd: int = 30) -> Game:
    """`count` units within `crowd` neighbouring provinces, stacks, fleets and engines among them."""
    board = the_board()
    places = _region(rng, board, crowd)
    units: list[Unit] = []
    used: set[str] = set()
    nazgul = False
    for _ in range(count):
        power = rng.choice((*POWERS, "gondor", "sauron", "standing"))
        place = rng.choice(places)
        province = board[place]
        if place in used and place != "Eri":
            continue
        used.add(place)
        strength = rng.choice((1, 1, 2, 3)) if power == "gondor" else 1
        coast = province.kind in ("coast", "sea")
        fleets = strength if province.kind == "sea" else rng.randint(0, strength) if coast else 0
        engines = int(province.kind in ("land", "coast") and fleets < strength and rng.random() < 0.2)
        kind = "C" if power == "rohan" and rng.random() < 0.6 else "A"
        units.append(Unit(power, kind, place, strength, fleets, engines))
        if power == "sauron" and not nazgul and province.kind != "sea":
            nazgul = True
            units.append(Unit(power, "N", place))
            if rng.random() < 0.5:
                units.append(Unit(power, rng.choice("AD"), place))
        if power == "saruman" and not any(u.kind == "W" for u in units):
            units.append(Unit(power, "W", place))
            if rng.random() < 0.3 and province.kind != "sea":
                units = [u for u in units if u.place != place or u.kind == "W"]
    options = Options(alignment=rng.random() < 0.4)
    return Game(options, 2780, "movement", normalise(units), {})


def _region(rng: Random, board: Board, crowd: int) -> list[str]:
    found = [rng.choice([p.id for p in board.provinces])]
    while len(found) < crowd:
        more = [q for p in found for q in board[p].borders if q not in found]
        if not more:
            break
        found.append(rng.choice(more))
    return found


def sheets(rng: Random, game: Game) -> dict[str, tuple[Order, ...] | None]:
    """Orders for every power: mostly sensible, some nonsense, some missing."""
    found: dict[str, tuple[Order, ...] | None] = {}
    moves: list[Order] = []
    for power in POWERS:
        if rng.random() < 0.05:
            found[power] = None
            continue
        orders: list[Order] = []
        for unit in game.units:
            if unit.owner == power and rng.random() < 0.95:
                orders += _orders(rng, game, unit)
        moves += [o for o in orders if o.kind == "move"]
        found[power] = tuple(orders)
    for power, orders in found.items():
        if orders:
            found[power] = tuple(_supporting(rng, game, order, moves) for order in orders)
    return found


def _neighbours(game: Game, unit: Unit) -> list[str]:
    province = the_board()[unit.place]
    return [*province.borders, *(province.walls if unit.kind == "N" else ())]


def _orders(rng: Random, game: Game, unit: Unit) -> list[Order]:
    ref = unit.ref
    around = _neighbours(game, unit)
    roll = rng.random()
    if unit.kind in "CN" and roll < 0.5:
        first = rng.choice((unit.place, *around))
        second = rng.choice(the_board()[first].borders)
        return [Order("move", ref, path=(first, second))]
    if unit.kind == "N" and roll < 0.8:
        mates = [u for u in game.units if u.owner == unit.owner and u.place == unit.place and u.kind != "N"]
        if mates:
            mate = rng.choice(mates)
            return [Order("lead", ref, inner=Order("move", mate.ref, path=(rng.choice(around),)))]
    if unit.strength > 1 and roll < 0.5:
        one = UnitRef("A", unit.place)
        rest = UnitRef("A", unit.place, unit.strength - 1)
        return [
            Order("move", one, path=(rng.choice(around),)),
            rng.choice((Order("hold", rest), _go(rng, rest, around))),
        ]
    if roll < 0.6:
        return [_go(rng, ref, around)]
    if roll < 0.65:
        return [Order("build_fleet", ref)]
    if roll < 0.7:
        return [Order("build_engine", ref)]
    if roll < 0.75:
        return [Order("move", ref, path=(unit.place,), total=unit.strength + 1)]
    return [Order("support" if unit.kind in "ACDS" else "hold", ref)]


def _go(rng: Random, ref: UnitRef, around: list[str]) -> Order:
    total = rng.choice((0, 0, 0, ref.strength, ref.strength + 1))
    return Order("move", ref, path=(rng.choice(around),), total=total)


def _supporting(rng: Random, game: Game, order: Order, moves: list[Order]) -> Order:
    """A support gets something to support, near if there is anything near."""
    if order.kind != "support" or order.unit is None:
        return order
    around = set(the_board()[order.unit.place].borders)
    near = [m for m in moves if m.path[0] in around and m.unit != order.unit]
    if near and rng.random() < 0.8:
        return Order("support", order.unit, inner=rng.choice(near))
    stays = [u for u in game.units if u.place in around]
    if stays:
        return Order("support", order.unit, inner=Order("hold", rng.choice(stays).ref))
    return Order("hold", order.unit)
