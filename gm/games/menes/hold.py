"""Who is in which ship: units that sail together fill as few ships as possible."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gm.games.api import PowerId
from gm.games.menes.model import UNIT_ORDER, UNITS, Cargo, Place, Ship, rank


def fill(ships: list[Ship], cargo: Iterable[Cargo]) -> list[Cargo]:
    """Load ships, the roomiest first, unique units first; gives back what found no room.

    Armies so come to lie in the last ship, the one that is hit first: armies are lost before unique units.
    """
    order = sorted(ships, key=lambda s: (-UNITS[s.unit].carries, s.unit))
    left = []
    for entry in sorted(cargo, key=lambda c: (rank(c.unit) == "army", UNIT_ORDER[c.unit], c.order)):
        waiting = entry.count
        for ship in order:
            take = min(waiting, ship.room)
            if take:
                ship.cargo.append(Cargo(entry.unit, take, entry.start, entry.todo, entry.used, entry.order))
                waiting -= take
        if waiting:
            left.append(Cargo(entry.unit, waiting, entry.start, entry.todo, entry.used, entry.order))
    return left


def ships_at(power: PowerId, sea: Place, ships: Mapping[str, int], cargo: Mapping[str, int]) -> list[Ship]:
    """The ships of one power in one sea, with the units aboard stowed."""
    fleet = [Ship(power, unit, sea) for unit in UNITS if UNITS[unit].ship for _ in range(ships.get(unit, 0))]
    fill(fleet, [Cargo(unit, number, sea) for unit, number in cargo.items()])
    return fleet


def first_hit(ship: Ship) -> tuple[bool, int, int]:
    """Sort key of ships in the order in which they are lost: empty before laden, fleets before elven ships."""
    return (ship.load > 0, ship.load, UNIT_ORDER[ship.unit])


def capacity(ships: Iterable[Ship]) -> int:
    """Places aboard, free or taken."""
    return sum(UNITS[s.unit].carries for s in ships)
