"""A sheet explained to its owner: money, what each place will hold, places aboard, and what can't be done."""

from __future__ import annotations

from collections.abc import Sequence

from gm.games.api import PowerId, Problem, Review, State
from gm.games.menes.board import label
from gm.games.menes.engine import dues
from gm.games.menes.hold import capacity
from gm.games.menes.income import lines
from gm.games.menes.model import Counts, Place, Placed, counts_words, place_key, put, total
from gm.games.menes.parse import read
from gm.games.menes.plan import Plan, plan
from gm.games.menes.report import standing
from gm.games.menes.text import Hold


def review(state: State, power: PowerId, orders: Sequence[str]) -> Review:
    """See `gm.games.api.Ruleset.review`. Looks at nothing of other powers but who owns what."""
    if state["over"] is not None or power in state["out"]:
        return Review(missing=(), problems=(), notes=())
    work = plan(state, power, orders)
    owed = next(d.items for d in dues(state) if d.power == power)
    return Review(
        missing=() if orders else owed,
        problems=(*_problems(work), *_repeats(power, orders)),
        notes=(
            _money(work),
            *_holdings(work),
            *_aboard(work),
            _forecast(state, work),
            *_standing(state, work),
        ),
    )


def _problems(work: Plan) -> tuple[Problem, ...]:
    return tuple(
        Problem(
            line=0,
            text=r.order,
            kind="illegal" if r.result == "illegal" else "warning",
            message=f"{r.order}: {r.reason}.",
            rule=r.rule,
        )
        for r in work.results
        if r.reason
    )


def _repeats(power: PowerId, orders: Sequence[str]) -> tuple[Problem, ...]:
    twice = [
        o for o in dict.fromkeys(orders) if list(orders).count(o) > 1 and not isinstance(read(power, o), Hold)
    ]
    return tuple(
        Problem(line=0, text=o, kind="warning", message=f"{o}: given more than once, and each counts.")
        for o in twice
    )


def _money(work: Plan) -> str:
    spent = work.treasury_before - work.treasury
    return f"Treasury: {work.treasury_before} gold, {spent} for purchases, {work.treasury} left."


def final_places(work: Plan) -> tuple[Placed, Placed]:
    """(units, cargo) after the turn if nothing opposes."""
    units: Placed = {}
    cargo: Placed = {}
    boarding: list[tuple[Place, str, int]] = []
    for group in work.groups:
        end = group.todo[-1] if group.todo else group.start
        if end.isdigit():
            put(units, end, group.unit, group.count)
        else:
            boarding.append((end, group.unit, group.count))
    for route, ships in work.ships.items():
        for ship in ships:
            put(units, route[-1], ship.unit, 1)
            for load in ship.cargo:
                if load.todo:
                    put(units, load.todo[-1], load.unit, load.count)
                else:
                    put(cargo, route[-1], load.unit, load.count)
    for sea, unit, number in boarding:
        put(cargo, sea, unit, number)
    return units, cargo


def _holdings(work: Plan) -> tuple[str, ...]:
    units, cargo = final_places(work)
    told = []
    for place in sorted(units, key=place_key):
        aboard: Counts = cargo.get(place, {})
        tail = f", {counts_words(aboard)} aboard" if aboard else ""
        told.append(f"If nothing opposes, {label(place)} will hold {counts_words(units[place])}{tail}.")
    return tuple(told)


def _aboard(work: Plan) -> tuple[str, ...]:
    told = []
    for route in sorted(work.ships, key=lambda r: [place_key(p) for p in r]):
        places = capacity(work.ships[route])
        taken = places - work.room[route]
        way = " > ".join(route) if len(route) > 1 else f"in {route[0]}"
        told.append(f"Ships {way}: {taken} of {places} places aboard taken.")
    return tuple(told)


def _forecast(state: State, work: Plan) -> str:
    units, cargo = final_places(work)
    owners = {**state["owners"], **dict.fromkeys((p for p in units if p.isdigit()), work.power)}
    owned = [p for p in owners if owners[p] == work.power]
    seas = sum(not p.isdigit() for p in units)
    account = lines(state["options"], owned, seas, total(units) + total(cargo), work.treasury)
    gold = sum(line[1] for line in account)
    tail = "" if gold >= 0 else " That does not cover upkeep: units will be disbanded."
    return f"If nothing opposes, next year's treasury is {gold} gold.{tail}"


def _standing(state: State, work: Plan) -> tuple[str, ...]:
    away = work.vacation if work.vacation is not None else state["vacation"][work.power]
    return tuple(f"Standing: {line}." for line in standing({"standing": work.standing, "vacation": away}))
