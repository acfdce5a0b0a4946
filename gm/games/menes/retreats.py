"""Where beaten units go (section 8, and the rulings on fleeing)."""

from __future__ import annotations

from gm.games.api import PowerId
from gm.games.menes.board import SPACES, touches
from gm.games.menes.hold import fill
from gm.games.menes.model import Cargo, Group, Place, Ship, is_sea, place_key
from gm.games.menes.world import World


def free_of_enemies(world: World, power: PowerId, place: Place) -> bool:
    """Whether no enemy of a power stands on the ground of a province, or sails a sea."""
    hostile = world.hostile_at_sea if is_sea(place) else world.hostile_on_land
    return not any(hostile(power, other) for other in world.powers_at(place))


def land_refuge(world: World, group: Group, here: Place, defender: PowerId | None) -> Place | None:
    """The province that units flee to from `here`; None: there is none by land.

    Attackers go back where they came from; everybody else, and attackers who can't, take the RETREAT list, then
    a space of their own, then an unowned one.
    """
    power = group.power
    choices: list[Place] = []
    flew = group.unit == "dragon" and group.came is not None and not touches(here, group.came)
    came = group.came if world.options["flight_retreat"] == "take_off" or not flew else None
    if power != defender and came is not None and not is_sea(came):
        choices.append(came)
    choices += world.standing(power)["retreat"].get(here, [])
    near = sorted(SPACES[here].land, key=place_key)
    choices += [p for p in near if world.owners.get(p) == power]
    choices += [p for p in near if p not in world.owners]
    return next((p for p in choices if p != here and free_of_enemies(world, power, p)), None)


def flee_by_land(
    world: World, group: Group, here: Place, number: int, defender: PowerId | None
) -> Place | None:
    """Move `number` units of a group away from a battle; where to, or None if they find no way and die."""
    aboard = group.came is not None and is_sea(group.came) and world.options["flee_aboard"]
    if aboard and group.power != defender and _board_again(world, group, number):
        return group.came
    refuge = land_refuge(world, group, here, defender)
    if refuge is not None:
        world.groups.append(
            Group(
                group.power,
                group.unit,
                number,
                refuge,
                group.start,
                used=group.used,
                entered_city=group.entered_city,
                fought_at=group.fought_at,
                fled=True,
                order=group.order,
            )
        )
        return refuge
    return group.came if aboard and group.power == defender and _board_again(world, group, number) else None


def _board_again(world: World, group: Group, number: int) -> bool:
    ships = [s for s in world.ships_at(group.came or "") if s.power == group.power and not s.fled]
    if sum(s.room for s in ships) < number:
        return False
    fill(ships, [Cargo(group.unit, number, group.start, order=group.order)])
    return True


def flee_by_sea(world: World, ship: Ship) -> Place | None:
    """Move a beaten ship with its cargo; where to, or None if it has no way and sinks."""
    here = ship.at
    near = sorted(SPACES[here].seas, key=place_key)
    choices = [ship.came, *near] if ship.came is not None else near
    refuge = next((p for p in choices if free_of_enemies(world, ship.power, p)), None)
    if refuge is not None:
        ship.at, ship.came, ship.todo, ship.fled = refuge, None, (), True
    return refuge
