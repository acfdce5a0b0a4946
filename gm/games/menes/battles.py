"""Battles on the board: who meets whom, under what terms, and who is told what of it."""

from __future__ import annotations

from gm.games.api import PowerId
from gm.games.menes.board import POWERS, SPACES, label
from gm.games.menes.combat import Course, Stack, Terms, exchange, fight
from gm.games.menes.model import (
    UNITS,
    Group,
    Place,
    Ship,
    counts_words,
    is_sea,
    join_words,
    place_key,
)
from gm.games.menes.retreats import flee_by_land, flee_by_sea
from gm.games.menes.telling import begin, name, row_words, tell_battle, tell_numbers
from gm.games.menes.world import World


def _terms(world: World, name: str, defender: PowerId | None, bonus: int, sea: bool) -> Terms:
    options = world.options
    return Terms(
        name=name,
        defender=defender,
        bonus=bonus,
        hostile=world.hostile_at_sea if sea else world.hostile_on_land,
        die_sides=options["die_sides"],
        flee_on=options["flee_on"],
        max_rounds=options["max_rounds"],
        later_defence=options["later_target"] == "defence",
        in_turn=options["spread_hits"] == "in_turn",
    )


def _hostile_pair(world: World, place: Place) -> bool:
    powers = world.powers_at(place)
    hostile = world.hostile_at_sea if is_sea(place) else world.hostile_on_land
    return any(hostile(a, b) for i, a in enumerate(powers) for b in powers[i + 1 :])


# --- on land -----------------------------------------------------------------------------------------------


def land_battles(world: World, step: int) -> None:
    """Fight in every province where land units of enemies stand, lowest number first."""
    for place in world.occupied(g.at for g in world.groups if g.at is not None and g.count):
        if _hostile_pair(world, place):
            _land_battle(world, place, step)


def _land_battle(world: World, place: Place, step: int) -> None:
    groups = world.groups_at(place)
    groups.sort(key=lambda g: place_key(g.came or g.at or g.start))
    present = world.powers_at(place)
    owner = world.owners.get(place)
    defender = owner if owner in present and world.options["defender"] == "owner" else None
    bonus = {
        "free_city": world.options["free_city_bonus"],
        "player_city": world.options["player_city_bonus"],
    }.get(SPACES[place].kind, 0)
    for group in groups:
        group.fought_at = place
    stacks = [Stack(g.power, g.unit, g.count, i) for i, g in enumerate(groups)]

    def flee(stack: Stack, number: int, _round: int) -> str | None:
        group = groups[stack.key]
        where = flee_by_land(world, group, place, number, defender)
        fate = f"beaten back to {label(where)}" if where else "lost"
        world.spoil(group.power, group.order, "partial", f"some were {fate} at {label(place)}", "8.6")
        return where

    terms = _terms(world, f"land battle {place}, step {step}", defender, bonus, sea=False)
    course = fight(stacks, terms, world.dice, flee)
    for stack in stacks:
        groups[stack.key].count = stack.count
    if course.endless:
        _break_off_land(world, place, groups, course, defender)
    _lost_orders(world, groups, place)
    if step == 9:
        world.fled_from[place] = [(p, u, n, where) for _, p, u, n, where in course.fled]
        for power in present:
            world.beaten_by[place, power] = frozenset(
                u for foe in course.beaten_by.get(power, set()) for u in course.started[foe]
            )
    left = world.powers_at(place)
    tell_battle(world, place, course, left, step, defender)
    if len(left) == 1 and world.options["winner_owns_at_once"]:
        take(world, place, left[0], "8.7")


def _break_off_land(
    world: World, place: Place, groups: list[Group], course: Course, defender: PowerId | None
) -> None:
    for group in groups:
        if group.count and group.came is not None:
            where = flee_by_land(world, group, place, group.count, defender)
            course.fled.append((course.rounds, group.power, group.unit, group.count, where))
            group.count = 0


def _lost_orders(world: World, groups: list[Group], place: Place) -> None:
    for group in groups:
        if not group.count:
            _, reason, _ = world.trouble.get(
                (group.power, group.order), ("", f"all fell at {label(place)}", "")
            )
            world.spoil(group.power, group.order, "bounce", reason, "8.5")
        elif group.count and group.todo:
            world.spoil(
                group.power, group.order, "blocked", f"the enemy stopped them at {label(place)}", "6.5"
            )
            group.todo = ()


def take(world: World, place: Place, power: PowerId, rule: str) -> None:
    """Give a space to a power, and tell everybody if that is a change."""
    before = world.owners.get(place)
    if before != power:
        world.owners[place] = power
        loser = f" from {name(before)}" if before else ""
        text = f"{begin(name(power))} take {label(place)}{loser}."
        world.tell("captured", text, rule, place=place, power=power, before=before)


# --- at sea --------------------------------------------------------------------------------------------------


def sea_battles(world: World, step: int) -> None:
    """Fight in every sea where ships of enemies lie, by letter."""
    for sea in world.occupied(s.at for s in world.ships):
        if _hostile_pair(world, sea):
            _sea_battle(world, sea, step)


def _sea_battle(world: World, sea: Place, step: int) -> None:
    ships = world.ships_at(sea)
    present = world.powers_at(sea)
    for ship in ships:
        ship.fought = True
    stacks = [Stack(s.power, s.unit, 1, i, load=s.load) for i, s in enumerate(ships)]

    away: set[int] = set()

    def flee(stack: Stack, _number: int, _round: int) -> str | None:
        ship = ships[stack.key]
        where = flee_by_sea(world, ship)
        _beaten_ship(world, ship, sea, where)
        if where is not None:
            away.add(stack.key)
        return where

    terms = _terms(world, f"sea battle {sea}, step {step}", None, 0, sea=True)
    course = fight(stacks, terms, world.dice, flee)
    gone = [ships[s.key] for s in stacks if not s.count and s.key not in away]
    if course.endless:
        for stack in stacks:
            ship = ships[stack.key]
            if stack.count and ship.came is not None:
                where = flee_by_sea(world, ship)
                _beaten_ship(world, ship, sea, where)
                course.fled.append((course.rounds, ship.power, ship.unit, 1, where))
                if where is None:
                    gone.append(ship)
    _sink(world, sea, gone)
    _kept_course(world, [s for s in world.ships_at(sea) if s in ships])
    left = [p for p in world.powers_at(sea) if p in present]
    tell_battle(world, sea, course, left, step, None)


def _kept_course(world: World, ships: list[Ship]) -> None:
    """Orders of which some ships are still where they were sent came off in part."""
    for ship in ships:
        word, reason, rule = world.trouble.get((ship.power, ship.order), ("", "", ""))
        if word == "bounce":
            world.spoil(ship.power, ship.order, "partial", reason, rule.removeprefix("menes "))


def _beaten_ship(world: World, ship: Ship, sea: Place, where: Place | None) -> None:
    fate = f"fled to {label(where)}" if where else "sank"
    world.spoil(ship.power, ship.order, "bounce", f"some {fate} from {label(sea)}", "8.6")
    for cargo in ship.cargo:
        if cargo.todo and not world.options["beaten_cargo_lands"]:
            world.spoil(
                ship.power, cargo.order, "bounce", f"their ship {fate} from {label(sea)}", "R fleet losing"
            )
            cargo.todo = ()


def _sink(world: World, sea: Place, gone: list[Ship]) -> None:
    lost = {id(ship) for ship in gone}
    world.ships = [s for s in world.ships if id(s) not in lost]
    for power in POWERS:
        drowned: dict[str, int] = {}
        for ship in (s for s in gone if s.power == power):
            world.spoil(power, ship.order, "bounce", f"some sank in {label(sea)}", "8.5")
            for cargo in ship.cargo:
                drowned[cargo.unit] = drowned.get(cargo.unit, 0) + cargo.count
                world.spoil(power, cargo.order, "bounce", f"some went down in {label(sea)}", "8.8")
        if drowned:
            text = f"With your ships in {label(sea)} {counts_words(drowned)} went down."
            world.tell("drowned", text, "8.8", (power,), place=sea, units=drowned)


# --- overhead ------------------------------------------------------------------------------------------------


def flyover_shots(world: World) -> None:
    """Shots at dragons in the air, by province (section 5.7)."""
    flying = [g for g in world.groups if g.at is None and g.count and g.todo]
    for place in world.occupied(g.todo[0] for g in flying):
        if not is_sea(place):
            above = [g for g in flying if g.todo[0] == place]
            _shots(world, place, above)
            _natives(world, place, [g for g in above if g.count])


def _shots(world: World, place: Place, above: list[Group]) -> None:
    dragons = above[0].power
    below = [
        g
        for g in world.groups_at(place)
        if world.hostile_on_land(g.power, dragons)
        and dragons not in world.standing(g.power)["flyover"]
        and (world.options["flyover_shots"] == "all" or world.owners.get(place) == g.power)
    ]
    if not below:
        return
    everyone = above + below
    stacks = [Stack(g.power, g.unit, g.count, i) for i, g in enumerate(everyone)]
    terms = _terms(world, f"fly-over {place}", None, 0, sea=False)
    course = exchange(
        stacks[: len(above)],
        stacks[len(above) :],
        terms,
        world.dice,
        lambda s: 1 if s.power == dragons else UNITS[s.unit].defence,
    )
    for stack in stacks:
        everyone[stack.key].count = stack.count
    fighters = tuple(course.started)
    gunners = join_words([name(p) for p in fighters if p != dragons])
    text = f"Dragons flying over {label(place)} are shot at by {gunners}."
    world.tell("flyover", text, "5.7b", place=place, powers=list(fighters))
    tell_numbers(world, place, course, "over")
    _tell_lost_flyers(world, place, above)


def _natives(world: World, place: Place, above: list[Group]) -> None:
    guns = world.options["native_guns"]
    empty = not world.groups_at(place) or world.options["natives_shoot"] == "unclaimed"
    if not guns or not above or SPACES[place].kind == "province" or place in world.owners or not empty:
        return
    dragons = above[0].power
    sides = world.options["die_sides"]
    count = sum(g.count for g in above)
    own = [world.dice.roll(f"fly-over {place}, dragons at natives", sides) for _ in range(count)]
    shots = [world.dice.roll(f"fly-over {place}, natives", sides) for _ in range(guns)]
    hits = sum(v <= world.options["native_factor"] for v in shots)
    left = hits
    for group in above:
        loss = min(group.count, left)
        group.count -= loss
        left -= loss
    world.tell(
        "flyover",
        f"The natives of {label(place)} shoot at dragons overhead.",
        "C3",
        place=place,
        powers=[dragons],
    )
    lost = min(hits, count)
    fallen = f"of your {count} dragons overhead {lost or 'none'} fall"
    text = f"The natives of {label(place)} roll {row_words(shots)}; {fallen}."
    world.tell("natives", text, "C3", (dragons,), place=place, shots=shots, dragons=own, lost=lost)
    _tell_lost_flyers(world, place, above)


def _tell_lost_flyers(world: World, place: Place, above: list[Group]) -> None:
    for group in above:
        if not group.count:
            world.spoil(group.power, group.order, "bounce", f"all were shot down over {label(place)}", "5.7b")
