"""A sheet weighed against the position: what its owner buys, disbands and sets out to do, and what he can't.

The same plan makes the receipt and starts the turn, so a receipt never promises what the turn refuses.
Nothing of another power is looked at but the owners of spaces.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gm.games.api import OrderResult, PowerId, ResultWord, State
from gm.games.menes import text as form
from gm.games.menes.board import label, touches
from gm.games.menes.hold import fill, first_hit, ships_at
from gm.games.menes.model import (
    UNITS,
    Cargo,
    Counts,
    Group,
    Place,
    Placed,
    Ship,
    add,
    count_words,
    is_sea,
    option,
    place_key,
    put,
    rank,
)
from gm.games.menes.movement import Impossible, check, foreign_cities, stop_at_city
from gm.games.menes.parse import read
from gm.games.menes.purchases import birthplace, price

Route = tuple[Place, ...]
"""Seas that ships pass through, the one they start in first; of one sea: they stay."""


@dataclass
class Plan:
    """What one power does this turn as far as its own forces go."""

    power: PowerId
    treasury_before: int
    treasury: int
    standing: dict[str, Any]
    results: list[OrderResult] = field(default_factory=list)
    bought: list[tuple[str, int, Place, int]] = field(default_factory=list)
    """(unit, number, where it appears, gold)."""
    disbanded: list[tuple[str, int, Place]] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    """Land units ashore, with the whole path still to go in `todo`."""
    ships: dict[Route, list[Ship]] = field(default_factory=dict)
    """Ships with the cargo they start with."""
    room: dict[Route, int] = field(default_factory=dict)
    """Places aboard left once everybody who is to board has boarded."""
    after: dict[Place, form.After] = field(default_factory=dict)
    vacation: int | None = None


def plan(state: State, power: PowerId, lines: Sequence[str]) -> Plan:
    """Weigh a sheet in normal form. Total: what can't be done gets a result that says why."""
    gold = state["treasury"][power]
    work = _Work(state, Plan(power, gold, gold, copy.deepcopy(state["standing"][power])))
    orders = [read(power, line) for line in lines]
    work.results = [OrderResult(power=power, order=line, result="ok", seen_by=(power,)) for line in lines]
    for i, order in enumerate(orders):
        if order is None:
            work.say(i, "illegal", "this is no order of MENES", "menes 6.1")
        elif not _for_units(order):
            _standing(work, i, order)
    for kind in (_buy_all, _disband_all, _move_ships, _move_cargo, _move_land):
        kind(work, [(i, o) for i, o in enumerate(orders) if o is not None])
    _holds(work, orders)
    _rest(work)
    work.plan.results = [
        OrderResult(
            power=r.power,
            order=r.order,
            result=r.result,
            reason=r.reason,
            rule=r.rule,
            seen_by=(power,),
            verdict_to=(power,),
        )
        for r in work.results
    ]
    return work.plan


class _Work:
    """The pools that a sheet draws upon while it is weighed."""

    def __init__(self, state: State, plan: Plan) -> None:
        self.state, self.plan, self.power = state, plan, plan.power
        self.pool: Placed = {place: dict(counts) for place, counts in state["units"][plan.power].items()}
        self.cargo: Placed = {place: dict(counts) for place, counts in state["cargo"][plan.power].items()}
        self.results: list[OrderResult] = []

    def say(self, i: int, word: ResultWord, reason: str, rule: str) -> None:
        """Set the result of order i."""
        old = self.results[i]
        reason = f"{old.reason}; {reason}" if old.reason else reason
        self.results[i] = OrderResult(power=old.power, order=old.order, result=word, reason=reason, rule=rule)

    def take(self, i: int, placed: Placed, count: int, unit: str, at: Place) -> int:
        """How many of the units asked for an order gets; 0 if it is refused. Says so where it is fewer."""
        here = placed.get(at, {}).get(unit, 0)
        if count == form.ALL or count <= here:
            number = here if count == form.ALL else count
        else:
            cut = option(self.state, "excess_moves") == "cut" and here > 0
            number = here if cut else 0
        if number == 0:
            told = (
                f"no {UNITS[unit].plural} are left"
                if here == 0
                else f"only {count_words(unit, here)} are left"
            )
            if count != 0:
                self.say(i, "illegal", f"{told} for it at {label(at)}", "menes R more than he has")
        elif count != form.ALL and number < count:
            self.say(
                i, "partial", f"only {number} of {count} are left at {label(at)}", "menes R more than he has"
            )
        return number


def _for_units(order: form.Order) -> bool:
    return isinstance(order, form.Buy | form.Disband | form.Move | form.Hold)


# --- money and disbanding ------------------------------------------------------------------------------


def _buy_all(work: _Work, orders: list[tuple[int, form.Order]]) -> None:
    for i, order in orders:
        if isinstance(order, form.Buy):
            _buy(work, i, order)


def _buy(work: _Work, i: int, order: form.Buy) -> None:
    plan = work.plan
    each = price(work.state, work.power, order.unit, order.at)
    where = birthplace(order) if not isinstance(each, Impossible) else each
    if isinstance(each, Impossible) or isinstance(where, Impossible):
        fault = each if isinstance(each, Impossible) else where
        assert isinstance(fault, Impossible)
        work.say(i, "illegal", fault.reason, fault.rule)
        return
    number = order.count
    if each * number > plan.treasury:
        have = f"{each * number} gold needed, {plan.treasury} left"
        if option(work.state, "excess_buys") == "refuse" or plan.treasury < each:
            work.say(i, "illegal", f"{have}; not bought", "menes 5.1")
            return
        number = plan.treasury // each
        work.say(i, "partial", f"{have}; {number} bought", "menes 5.1")
    if number:
        plan.treasury -= each * number
        plan.bought.append((order.unit, number, where, each * number))
        put(work.pool, where, order.unit, number)


def _disband_all(work: _Work, orders: list[tuple[int, form.Order]]) -> None:
    for i, order in orders:
        if isinstance(order, form.Disband):
            aboard = is_sea(order.at) and not UNITS[order.unit].ship
            placed = work.cargo if aboard else work.pool
            number = work.take(i, placed, order.count, order.unit, order.at)
            if number and UNITS[order.unit].ship:
                _scuttle(work, i, order.unit, number, order.at)
            elif number:
                put(placed, order.at, order.unit, -number)
            if number:
                work.plan.disbanded.append((order.unit, number, order.at))


def _scuttle(work: _Work, i: int, unit: str, number: int, sea: Place) -> None:
    """Disband ships, the emptiest first; what lies in a laden one goes with it."""
    fleet = ships_at(work.power, sea, work.pool[sea], work.cargo.get(sea, {}))
    gone = sorted((s for s in fleet if s.unit == unit), key=first_hit)[:number]
    put(work.pool, sea, unit, -number)
    lost: Counts = {}
    for cargo in (c for ship in gone for c in ship.cargo):
        put(work.cargo, sea, cargo.unit, -cargo.count)
        add(lost, cargo.unit, cargo.count)
    for kind, lives in lost.items():
        work.plan.disbanded.append((kind, lives, sea))
        work.say(i, "ok", f"{count_words(kind, lives)} aboard go with them", "menes R cargo")


# --- movement ----------------------------------------------------------------------------------------------


def _move_ships(work: _Work, orders: list[tuple[int, form.Order]]) -> None:
    for i, order in orders:
        if not isinstance(order, form.Move) or not _moves_ships(order):
            continue
        for unit, count in _kinds(work, i, order, work.pool):
            legs = check(unit, order.path)
            if isinstance(legs, Impossible):
                work.say(i, "illegal", legs.reason, legs.rule)
                continue
            number = work.take(i, work.pool, count, unit, order.path[0])
            put(work.pool, order.path[0], unit, -number)
            moving = [
                Ship(work.power, unit, order.path[0], todo=order.path[1:], order=i) for _ in range(number)
            ]
            work.plan.ships.setdefault(order.path, []).extend(moving)
    for sea in sorted((p for p in work.pool if is_sea(p)), key=place_key):
        work.plan.ships[(sea,)] = ships_at(work.power, sea, work.pool[sea], {})
    work.plan.ships = {route: ships for route, ships in work.plan.ships.items() if ships}
    work.plan.room = {route: sum(s.room for s in ships) for route, ships in work.plan.ships.items()}


def _moves_ships(order: form.Move) -> bool:
    if order.unit is None:
        return all(is_sea(p) for p in order.path)
    return UNITS[order.unit].ship


def _kinds(work: _Work, i: int, order: form.Move, placed: Placed) -> list[tuple[str, int]]:
    """(unit, count) of an order; MOVE ALL without a unit takes every kind there that the path suits."""
    if order.unit is not None:
        return [(order.unit, order.count)]
    here = [u for u in UNITS if placed.get(order.path[0], {}).get(u) and UNITS[u].ship == _moves_ships(order)]
    able = [u for u in here if not isinstance(check(u, order.path), Impossible)]
    if not here:
        work.say(i, "illegal", f"nothing of yours is left for it at {label(order.path[0])}", "menes 6.1")
    return [(u, form.ALL) for u in able or here]


def _move_cargo(work: _Work, orders: list[tuple[int, form.Order]]) -> None:
    """Units that begin the turn aboard; those without orders then stay aboard and sail along if they must."""
    loads: dict[Route, list[Cargo]] = {}
    for i, order in orders:
        if isinstance(order, form.Move) and not _moves_ships(order) and is_sea(order.path[0]):
            for unit, count in _kinds(work, i, order, work.cargo):
                path = stop_at_city(order.path, _barred(work))
                legs = check(unit, order.path)
                if isinstance(legs, Impossible):
                    work.say(i, "illegal", legs.reason, legs.rule)
                    continue
                number = work.take(i, work.cargo, count, unit, order.path[0])
                number = _board(work, i, number, legs.seas)
                put(work.cargo, order.path[0], unit, -number)
                if number:
                    _note_stop(work, i, order.path, path)
                    after = path[len(legs.seas) :]
                    loads.setdefault(legs.seas, []).append(Cargo(unit, number, order.path[0], after, order=i))
    for sea in sorted(work.cargo, key=place_key):
        for unit in sorted(work.cargo[sea], key=lambda u: rank(u) == "army"):
            waiting = work.cargo[sea][unit]
            for route in sorted((r for r in work.plan.room if r[0] == sea), key=len):
                take = min(waiting, work.plan.room[route])
                work.plan.room[route] -= take
                waiting -= take
                if take:
                    loads.setdefault(route, []).append(Cargo(unit, take, sea))
    for route, cargo in loads.items():
        fill(work.plan.ships[route], cargo)


def _move_land(work: _Work, orders: list[tuple[int, form.Order]]) -> None:
    for i, order in orders:
        if isinstance(order, form.Move) and not _moves_ships(order) and not is_sea(order.path[0]):
            for unit, count in _kinds(work, i, order, work.pool):
                _march(work, i, unit, count, order.path)


def _march(work: _Work, i: int, unit: str, count: int, ordered: tuple[Place, ...]) -> None:
    legs = check(unit, ordered)
    if isinstance(legs, Impossible):
        work.say(i, "illegal", legs.reason, legs.rule)
        return
    path = ordered if unit == "dragon" else stop_at_city(ordered, _barred(work))
    number = work.take(i, work.pool, count, unit, path[0])
    seas = tuple(p for p in path if is_sea(p)) if unit != "dragon" else ()
    if seas:
        number = _board(work, i, number, seas)
    put(work.pool, path[0], unit, -number)
    if number:
        _note_stop(work, i, ordered, path)
        work.plan.groups.append(Group(work.power, unit, number, path[0], path[0], todo=path[1:], order=i))


def _barred(work: _Work) -> frozenset[Place]:
    if option(work.state, "free_city_stop") == "off":
        return frozenset()
    return foreign_cities(work.state["owners"], work.power)


def _note_stop(work: _Work, i: int, ordered: tuple[Place, ...], path: tuple[Place, ...]) -> None:
    if len(path) < len(ordered):
        work.say(i, "partial", f"they must stop in the free city {label(path[-1])}", "menes C3")


def _board(work: _Work, i: int, number: int, seas: Route) -> int:
    """Take places aboard the ships that take this route; fewer, or none, if there are not enough."""
    if number == 0:
        return 0
    if seas not in work.plan.room:
        how = f"stay in {label(seas[0])}" if len(seas) == 1 else f"sail {' > '.join(seas)}"
        work.say(i, "illegal", f"no ships of yours {how} this turn", "menes 6.3")
        return 0
    room = work.plan.room[seas]
    taken = number if room >= number else room if option(work.state, "excess_moves") == "cut" else 0
    if taken < number:
        where = " > ".join(seas)
        told = f"the ships in {where} have room for {room} more" if room else f"the ships in {where} are full"
        work.say(i, "partial" if taken else "illegal", told, "menes 5.5")
    work.plan.room[seas] -= taken
    return taken


def _holds(work: _Work, orders: Sequence[form.Order | None]) -> None:
    for i, order in enumerate(orders):
        if isinstance(order, form.Hold) and order.at is not None:
            placed = (
                work.cargo if is_sea(order.at) and order.unit and not UNITS[order.unit].ship else work.pool
            )
            here = placed.get(order.at, {})
            left = sum(here.values()) if order.unit is None else here.get(order.unit, 0)
            if left == 0 or order.count > left:
                what = UNITS[order.unit].plural if order.unit else "units"
                told = f"{left or 'no'} {what} without other orders stand at {label(order.at)}"
                work.say(i, "partial" if left else "illegal", told, "menes R more than he has")


def _rest(work: _Work) -> None:
    """All that has no orders stands where it is."""
    for place in sorted((p for p in work.pool if not is_sea(p)), key=place_key):
        for unit in sorted(work.pool[place], key=list(UNITS).index):
            work.plan.groups.append(Group(work.power, unit, work.pool[place][unit], place, place))


# --- standing orders ------------------------------------------------------------------------------------


def _standing(work: _Work, i: int, order: form.Order) -> None:
    standing = work.plan.standing
    match order:
        case form.Retreat(at, to):
            near = [p for p in to if touches(at, p)]
            far = [p for p in to if p not in near]
            if far:
                told = f"{label(at)} does not touch {', '.join(label(p) for p in far)}"
                work.say(i, "partial" if near else "illegal", told, "menes R where to flee")
            if near:
                standing["retreat"][at] = near
            elif not to:
                standing["retreat"].pop(at, None)
        case form.After():
            _after(work, i, order)
        case form.Priority(ranks):
            standing["priority"] = list(ranks)
        case form.Peace(power, peace):
            if power == work.power:
                work.say(i, "illegal", "that is your own power", "menes R peace")
            else:
                standing["peace"] = sorted(
                    {*standing["peace"], power} if peace else {*standing["peace"]} - {power}
                )
        case form.Flyover(power, allow):
            if power != "dragons" or work.power == "dragons":
                told = "only the Dragons fly" if power != "dragons" else "your own dragons need no leave"
                work.say(i, "illegal", told, "menes R fly-over")
            else:
                standing["flyover"] = ["dragons"] if allow else []
        case form.Vacation(turns):
            work.plan.vacation = turns
        case _:
            raise AssertionError(order)


def _after(work: _Work, i: int, order: form.After) -> None:
    if work.power != "men":
        work.say(i, "illegal", "only horsemen move after a battle", "menes C5")
    elif order.at is None:
        work.plan.standing["after"] = order.action
    else:
        work.plan.after[order.at] = order
