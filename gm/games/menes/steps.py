"""The steps of a turn in which units move: riding to the shore, boarding, sailing, landing, marching, flying."""

from __future__ import annotations

from collections.abc import Iterable

from gm.games.api import PowerId
from gm.games.menes.battles import sea_battles
from gm.games.menes.board import POWERS, SPACES, label, touches
from gm.games.menes.hold import fill
from gm.games.menes.model import UNIT_ORDER, Cargo, Group, Place, Ship, is_sea, place_key
from gm.games.menes.movement import DISEMBARK, EMBARK, STEP
from gm.games.menes.retreats import free_of_enemies
from gm.games.menes.telling import forces
from gm.games.menes.world import World, shown


def ride_to_ships(world: World) -> None:
    """Step 3: the land step of horsemen that then embark."""
    riders = [
        g
        for g in world.groups
        if g.unit != "dragon" and len(g.todo) > 1 and not is_sea(g.todo[0]) and any(map(is_sea, g.todo))
    ]
    march(world, riders)
    for group in riders:
        if not free_of_enemies(world, group.power, group.at or group.start):
            stop(world, group)


def stop(world: World, group: Group) -> None:
    """The rest of a path is given up because the enemy is there."""
    where = label(group.at or group.start)
    world.spoil(group.power, group.order, "blocked", f"the enemy stopped them at {where}", "6.5")
    group.todo = ()


def march(world: World, groups: Iterable[Group]) -> None:
    """One land step of each group, all at once; everybody sees kinds of units on the move."""
    seen: set[tuple[PowerId, str, Place, Place]] = set()
    for group in groups:
        start, goal = group.at or group.start, group.todo[0]
        group.came, group.at, group.todo = start, goal, group.todo[1:]
        group.used += STEP
        enter(world, group)
        seen.add((group.power, group.unit, start, goal))
    tell_moves(world, seen)


def enter(world: World, group: Group) -> None:
    """Note that a group has entered a free city that was not its own when the turn began (change 3)."""
    place = group.at
    if (
        place is not None
        and SPACES[place].kind == "free_city"
        and world.start_owners.get(place) != group.power
    ):
        group.entered_city = place


def tell_moves(world: World, seen: set[tuple[PowerId, str, Place, Place]]) -> None:
    """Tell everybody of moves, kinds without numbers, those on one way in one sentence."""
    ways = {(power, start, goal) for power, _, start, goal in seen}
    for power, start, goal in sorted(
        ways, key=lambda w: (POWERS.index(w[0]), place_key(w[1]), place_key(w[2]))
    ):
        units = shown(u for p, u, a, b in seen if (p, a, b) == (power, start, goal))
        text = f"{forces(power, units)} move from {label(start)} to {label(goal)}."
        world.tell("move", text, "10.1", power=power, units=units, place=start, to=goal)


def embark(world: World) -> None:
    """Step 4: units whose path goes to sea board the ships that will take their route."""
    boarding: dict[tuple[PowerId, tuple[Place, ...]], list[Cargo]] = {}
    for group in world.groups:
        if group.count and group.todo and group.unit != "dragon" and is_sea(group.todo[0]):
            seas = tuple(p for p in group.todo if is_sea(p))
            cargo = Cargo(
                group.unit,
                group.count,
                group.start,
                group.todo[len(seas) :],
                group.used + EMBARK,
                group.order,
            )
            boarding.setdefault((group.power, seas), []).append(cargo)
            group.count = 0
    for (power, seas), waiting in boarding.items():
        ships = [s for s in world.ships if s.power == power and (s.at, *s.todo) == seas]
        aboard = [c for ship in ships for c in ship.cargo]
        for ship in ships:
            ship.cargo = []
        fill(ships, [*aboard, *waiting])


def first_sea_step(world: World) -> None:
    """Step 5: every ship with a path sails one sea; then sea battles."""
    _sail(world, world.ships)
    sea_battles(world, 5)


def second_sea_step(world: World) -> None:
    """Step 6: elven ships sail on, unless an enemy still lies where they are; then sea battles."""
    able = []
    for ship in world.ships:
        if not ship.todo:
            continue
        held = not free_of_enemies(world, ship.power, ship.at)
        if held or (ship.fought and not world.options["elven_sail_on"]):
            world.spoil(
                ship.power,
                ship.order,
                "blocked",
                f"the enemy stopped them in {label(ship.at)}",
                "R elven ships",
            )
            ship.todo = ()
            _keep_aboard(world, ship)
        else:
            able.append(ship)
    _sail(world, able)
    sea_battles(world, 6)


def _sail(world: World, ships: Iterable[Ship]) -> None:
    seen: set[tuple[PowerId, str, Place, Place]] = set()
    for ship in ships:
        if ship.todo:
            seen.add((ship.power, ship.unit, ship.at, ship.todo[0]))
            ship.came, ship.at, ship.todo = ship.at, ship.todo[0], ship.todo[1:]
    tell_moves(world, seen)


def _keep_aboard(world: World, ship: Ship) -> None:
    for cargo in ship.cargo:
        if cargo.todo:
            told = f"their ship got only as far as {label(ship.at)}"
            world.spoil(ship.power, cargo.order, "blocked", told, "R fleet losing")
            cargo.todo = ()


def land_and_march(world: World) -> None:
    """Step 7: cargo lands, everybody takes the first land step, dragons on a long flight take off; all at once."""
    taking_off = [g for g in world.groups if g.unit == "dragon" and len(g.todo) == 2 and g.count]
    marching = [g for g in world.groups if g.count and g.todo and g not in taking_off]
    landed = _land(world)
    for group in taking_off:
        group.came, group.at = group.at, None
    flights = {(g.power, g.came or g.start, g.todo[0]) for g in taking_off}
    for power, start, over in sorted(flights, key=lambda f: (place_key(f[1]), place_key(f[2]))):
        text = f"Dragons take wing from {label(start)} and fly over {label(over)}."
        world.tell("takeoff", text, "5.7a", power=power, units=["dragon"], place=start, to=over)
    march(world, marching)
    world.groups += landed


def _land(world: World) -> list[Group]:
    landed: dict[tuple[int, int, Place, Place, tuple[Place, ...], int, int], Group] = {}
    seen: set[tuple[PowerId, str, Place, Place]] = set()
    for ship in world.ships:
        for cargo in [c for c in ship.cargo if c.todo and touches(ship.at, c.todo[0])]:
            goal, rest = cargo.todo[0], cargo.todo[1:]
            key = (
                POWERS.index(ship.power),
                UNIT_ORDER[cargo.unit],
                ship.at,
                goal,
                rest,
                cargo.order,
                cargo.used,
            )
            group = landed.setdefault(
                key,
                Group(
                    ship.power,
                    cargo.unit,
                    0,
                    goal,
                    cargo.start,
                    came=ship.at,
                    todo=rest,
                    used=cargo.used + DISEMBARK,
                    order=cargo.order,
                ),
            )
            group.count += cargo.count
            enter(world, group)
            seen.add((ship.power, cargo.unit, ship.at, goal))
            ship.cargo.remove(cargo)
        _keep_aboard(world, ship)
    tell_moves(world, seen)
    return [landed[key] for key in sorted(landed)]


def second_land_step(world: World) -> None:
    """Step 10: dragons land, horsemen take their second step or move after their battle; all at once."""
    dragons = [g for g in world.groups if g.at is None and g.count]
    riders = [g for g in world.groups if g.at is not None and g.todo and g.count]
    pursuits = [(g, goal) for g in world.groups if g.unit == "horsemen" and (goal := after_battle(world, g))]
    seen: set[tuple[PowerId, str, Place, Place]] = set()
    for group in dragons:
        over, goal = group.todo
        group.at, group.todo = goal, ()
        group.used += 2 * STEP
        seen.add((group.power, group.unit, over, goal))
    tell_moves(world, seen)
    for group, goal in pursuits:
        group.todo, group.fled = (goal,), False
    march(world, [*riders, *(g for g, _ in pursuits)])


def after_battle(world: World, group: Group) -> Place | None:
    """Where horsemen go after the battle they fought, or None (change 5). The reason is kept with their orders."""
    place = group.fought_at
    if place is None or not group.count or group.at is None:
        return None
    order = world.plans[group.power].after.get(place)
    action = order.action if order is not None else world.standing(group.power)["after"]
    if action == "default":
        action = world.options["after_default"]
    goal = _goal(world, group, place, action, order.to if order is not None else None)
    if goal is None:
        return None
    reason = _held_back(world, group, goal, withdrawing=action == "withdraw")
    if reason:
        text = f"Your horsemen at {label(group.at)} stay where they are: {reason}."
        world.tell("after", text, "C5", (group.power,), place=group.at)
        return None
    return goal


def _goal(world: World, group: Group, place: Place, action: str, named: Place | None) -> Place | None:
    flights = [f for f in world.fled_from.get(place, []) if world.hostile_on_land(group.power, f[0])]
    if action == "common":
        ents = any(unit == "ent" for _, unit, _, _ in flights)
        beaten = group.fled and "ent" in world.beaten_by.get((place, group.power), frozenset())
        action = "withdraw" if ents or beaten else "pursue"
        named = None
    if action == "withdraw":
        return named if named is not None else group.start if group.start not in (group.at, place) else None
    if action == "attack":
        return named
    if action == "stay" or group.fled:
        return None
    toward: dict[Place, int] = {}
    for _, _, number, where in flights:
        if where is not None and not is_sea(where):
            toward[where] = toward.get(where, 0) + number
    return min(toward, key=lambda p: (-toward[p], place_key(p))) if toward else None


def _held_back(world: World, group: Group, goal: Place, *, withdrawing: bool) -> str:
    """Why horsemen can't make their move after a battle; empty if they can."""
    here = group.at or group.start
    if not touches(here, goal) or is_sea(goal):
        return f"{label(goal)} is not next to it"
    if group.used > STEP:
        return "they have no whole point left"
    if group.came is not None and is_sea(group.came) and not world.options["landed_after_move"]:
        return "they landed this turn"
    if here == group.entered_city and not world.options["after_move_from_city"]:
        return "who enters a free city stops there"
    if withdrawing and not free_of_enemies(world, group.power, goal):
        return f"the enemy is at {label(goal)}"
    return ""
