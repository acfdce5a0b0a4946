"""Battles on the board: who meets whom, under what terms, and who is told what of it."""

from __future__ import annotations

from collections.abc import Mapping

from gm.games.api import PowerId
from gm.games.menes.board import POWERS, SPACES, label
from gm.games.menes.combat import Course, Stack, Terms, Volley, exchange, fight
from gm.games.menes.model import (
    UNITS,
    Group,
    Place,
    Ship,
    counts_words,
    is_sea,
    join_words,
    place_key,
    types_words,
)
from gm.games.menes.retreats import flee_by_land, flee_by_sea
from gm.games.menes.world import World, shown


def name(power: PowerId) -> str:
    """``"the Dwarves"``."""
    return f"the {power.capitalize()}"


def forces(power: PowerId, units: list[str]) -> str:
    """``"Armies and fleets of the Men"``, ``"Dragons"``: the head of a sentence."""
    kinds = _begin(types_words(units))
    return kinds if units in (["dragon"], ["ent"]) else f"{kinds} of {name(power)}"


def _begin(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


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
    _tell(world, place, course, left, step, defender)
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
        text = f"{_begin(name(power))} take {label(place)}{loser}."
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
    _tell(world, sea, course, left, step, None)


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
    _tell_numbers(world, place, course, "over")
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
    text = f"The natives of {label(place)} roll {_row(shots)}; of your {count} dragons overhead {lost or 'none'} fall."
    world.tell("natives", text, "C3", (dragons,), place=place, shots=shots, dragons=own, lost=lost)
    _tell_lost_flyers(world, place, above)


def _tell_lost_flyers(world: World, place: Place, above: list[Group]) -> None:
    for group in above:
        if not group.count:
            world.spoil(group.power, group.order, "bounce", f"all were shot down over {label(place)}", "5.7b")


# --- telling -------------------------------------------------------------------------------------------------


def _tell(
    world: World, place: Place, course: Course, left: list[PowerId], step: int, defender: PowerId | None
) -> None:
    """Everybody: who fought, who won, who fled where. The fighters: numbers. Each owner: his dice."""
    fighters = list(course.started)
    others = [p for p in fighters if p != defender]
    where = f"{'In' if is_sea(place) else 'At'} {label(place)}"
    if defender is not None:
        clash = f"{join_words([name(p) for p in others])} attack {name(defender)}"
    else:
        clash = f"{join_words([name(p) for p in others])} meet in battle"
    winner = left[0] if len(left) == 1 else None
    if winner is not None:
        end = f"{name(winner)} {'hold' if winner == defender else 'win'} the day"
    elif left:
        end = "neither side gives way"
    else:
        end = "nobody is left on the field"
    # Not the kinds: an army bought this turn that fell in the battle was seen by nobody else.
    text = f"{where} {clash}: {end}."
    world.tell("battle", text, "8.1", place=place, powers=fighters, winner=winner, step=step)
    _tell_flight(world, place, course)
    _tell_numbers(world, place, course, "at")


def _tell_flight(world: World, place: Place, course: Course) -> None:
    """Flights that everybody sees: kinds of units, and provinces or seas. Who goes aboard is not seen."""
    seen: dict[tuple[PowerId, Place], list[str]] = {}
    for _, power, unit, _, where in course.fled:
        if where is not None and is_sea(where) == is_sea(place):
            seen.setdefault((power, where), []).append(unit)
    for power, where in sorted(seen, key=lambda k: (POWERS.index(k[0]), place_key(k[1]))):
        units = shown(seen[power, where])
        text = f"{forces(power, units)} flee from {label(place)} to {label(where)}."
        world.tell("flight", text, "8.6", power=power, units=units, place=place, to=where)


def _tell_numbers(world: World, place: Place, course: Course, where: str) -> None:
    fighters = tuple(course.started)
    rows = []
    for power in fighters:
        killed: dict[str, int] = {}
        fled: dict[str, int] = {}
        perished: dict[str, int] = {}
        for _, p, unit, number in course.killed:
            if p == power:
                killed[unit] = killed.get(unit, 0) + number
        for _, p, unit, number, to in course.fled:
            if p == power:
                target = fled if to is not None else perished
                target[unit] = target.get(unit, 0) + number
        rows.append(
            {"power": power, "had": course.started[power], "hit": killed, "fled": fled, "died": perished}
        )
    sentences = [_numbers(row) for row in rows]
    place_words = f"{'In' if is_sea(place) else 'Over' if where == 'over' else 'At'} {label(place)}"
    text = f"{place_words}, {course.rounds} round{'' if course.rounds == 1 else 's'}. {' '.join(sentences)}"
    losses = [[r, p, u, n] for r, p, u, n in course.killed]
    flights = [[r, p, u, n, to] for r, p, u, n, to in course.fled]
    world.tell(
        "numbers",
        text,
        "10.1",
        fighters,
        place=place,
        forces=rows,
        hits=losses,
        flights=flights,
        rounds=course.rounds,
    )
    for power in fighters:
        own = [v for v in course.volleys if v.power == power]
        volleys = [[v.round, v.roll, v.unit, v.need, list(v.values)] for v in own]
        text = f"Your dice {where} {label(place)}: {_hits(own)}."
        world.tell("rolls", text, "8.3", (power,), place=place, volleys=volleys)


def _hits(volleys: list[Volley]) -> str:
    hits = sum(v.hits for v in volleys if v.roll != "flight")
    return f"{hits} hit{'' if hits == 1 else 's'}"


def _numbers(row: Mapping[str, object]) -> str:
    parts = [f"{_begin(name(str(row['power'])))} came with {_words(row['had'])}"]
    if row["hit"]:
        parts.append(f"lost {_words(row['hit'])}")
    if row["fled"]:
        parts.append(f"saw {_words(row['fled'])} flee")
    if row["died"]:
        parts.append(f"had {_words(row['died'])} cut down in flight")
    return ", ".join(parts) + "."


def _words(counts: object) -> str:
    assert isinstance(counts, dict)
    return counts_words(counts)


def _row(values: list[int]) -> str:
    return " ".join(str(v) for v in values)
