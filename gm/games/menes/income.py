"""Income and upkeep (section 4), and what is disbanded when upkeep is not covered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.games.api import Json, PowerId
from gm.games.menes.board import SPACES, label
from gm.games.menes.hold import first_hit
from gm.games.menes.model import Group, Place, Ship, count_words, place_key, rank
from gm.games.menes.world import World

Line = list[Json]
"""``[words, gold]``."""


def lines(options: Mapping[str, Any], owned: list[Place], seas: int, units: int, saved: int) -> list[Line]:
    """The account of one turn: savings, each source, upkeep; the sum of the numbers is the next treasury.

    >>> three, two, four = ["39", "40", "41"], ["38", "35"], ["42", "43", "44", "45"]
    >>> rules = {"player_city_income": 100, "free_city_income": 50, "province_income": 10, "sea_income": 5,
    ...          "upkeep": 3, "city_space_income": False}
    >>> sum(gold for _, gold in lines(rules, three + two + four, 1, 20, 0))
    385
    """
    kinds = [SPACES[p].kind for p in owned]
    cities, free, plain = (kinds.count(k) for k in ("player_city", "free_city", "province"))
    if options["city_space_income"]:
        plain = len(owned)
    return [
        ["Saved", saved],
        [_many(cities, "player city", "player cities"), cities * options["player_city_income"]],
        [_many(free, "free city", "free cities"), free * options["free_city_income"]],
        [_many(plain, "province", "provinces"), plain * options["province_income"]],
        [_many(seas, "sea", "seas"), seas * options["sea_income"]],
        [f"Upkeep of {_many(units, 'unit', 'units')}", -units * options["upkeep"]],
    ]


def _many(number: int, one: str, more: str) -> str:
    return f"{number} {one if number == 1 else more}"


def collect(world: World) -> None:
    """Pay every power that is in the game, and disband what it can't keep."""
    for power in world.playing() if not world.options["out_powers_upkeep"] else list(world.treasury):
        owned = [p for p in world.owners if world.owners[p] == power]
        units = len(own_ships(world, power)) + sum(s.load for s in own_ships(world, power))
        units += sum(g.count for g in world.groups if g.power == power)
        account = lines(world.options, owned, paying_seas(world, power), units, world.treasury[power])
        gold = sum(line[1] for line in account)
        if gold < 0:
            saved = _disband(world, power, -gold)
            if saved:
                account.append(["Upkeep of units disbanded", saved])
            gold += saved
            if gold < 0:
                account.append(["Debt forgiven", -gold])
                gold = 0
        world.treasury[power] = gold
        world.ledger[power] = account
        text = f"Income of the year leaves you {gold} gold."
        world.tell("income", text, "4.2", (power,), lines=account, treasury=gold)


def own_ships(world: World, power: PowerId) -> list[Ship]:
    """Every ship of a power."""
    return [s for s in world.ships if s.power == power]


def paying_seas(world: World, power: PowerId) -> int:
    """How many seas pay a power: those it has claimed, and shared ones if the house rule says so."""
    if not world.options["shared_sea_income"]:
        return sum(owner == power for owner in world.claims.values())
    return len({s.at for s in own_ships(world, power)})


def _disband(world: World, power: PowerId, debt: int) -> int:
    """Disband units until `debt` is covered; gives back the upkeep that is saved."""
    upkeep = world.options["upkeep"]
    saved = 0
    gone: dict[tuple[Place, str], int] = {}
    while saved < debt and world.options["upkeep_shortfall"] == "disband":
        lost = _one(world, power)
        if not lost:
            break
        for place, unit, number in lost:
            gone[place, unit] = gone.get((place, unit), 0) + number
            saved += upkeep * number
    for place, unit in sorted(gone, key=lambda k: (place_key(k[0]), k[1])):
        text = f"The treasury can't keep {count_words(unit, gone[place, unit])} at {label(place)}: disbanded."
        world.tell(
            "shortfall",
            text,
            "R upkeep not covered",
            (power,),
            place=place,
            unit=unit,
            count=gone[place, unit],
        )
    return saved


def _one(world: World, power: PowerId) -> list[tuple[Place, str, int]]:
    """Disband one unit by PRIORITY, the largest garrison first; a ship takes its cargo along."""
    for kind in world.standing(power)["priority"]:
        ashore = [g for g in world.groups if g.power == power and g.count and g.at and rank(g.unit) == kind]
        ships = [s for s in own_ships(world, power) if rank(s.unit) == kind]
        afloat = [(s, c) for s in own_ships(world, power) for c in s.cargo if rank(c.unit) == kind]
        places = [g.at for g in ashore if g.at] + [s.at for s in ships] + [s.at for s, _ in afloat]
        if not places:
            continue
        place = min(places, key=lambda p: (-_garrison(world, power, p), place_key(p)))
        for group in ashore:
            if group.at == place:
                return [_drop(group, place)]
        for ship, cargo in afloat:
            if ship.at == place:
                cargo.count -= 1
                ship.cargo = [c for c in ship.cargo if c.count]
                return [(place, cargo.unit, 1)]
        gone = min((s for s in ships if s.at == place), key=first_hit)
        world.ships = [s for s in world.ships if s is not gone]
        return [(place, gone.unit, 1), *((place, c.unit, c.count) for c in gone.cargo)]
    return []


def _drop(group: Group, place: Place) -> tuple[Place, str, int]:
    group.count -= 1
    return (place, group.unit, 1)


def _garrison(world: World, power: PowerId, place: Place) -> int:
    land = sum(g.count for g in world.groups if g.power == power and g.at == place)
    return land + sum(1 + s.load for s in own_ships(world, power) if s.at == place)
