"""Who is told what of a battle: everybody who fought and won, the fighters numbers, each owner his dice."""

from __future__ import annotations

from collections.abc import Mapping

from gm.games.api import PowerId
from gm.games.menes.board import POWERS, label
from gm.games.menes.combat import Course, Volley
from gm.games.menes.model import Place, counts_words, is_sea, join_words, place_key, types_words
from gm.games.menes.world import World, shown


def name(power: PowerId) -> str:
    """``"the Dwarves"``."""
    return f"the {power.capitalize()}"


def forces(power: PowerId, units: list[str]) -> str:
    """``"Armies and fleets of the Men"``, ``"Dragons"``: the head of a sentence."""
    kinds = begin(types_words(units))
    return kinds if units in (["dragon"], ["ent"]) else f"{kinds} of {name(power)}"


def begin(sentence: str) -> str:
    """The sentence with a capital at its head."""
    return sentence[:1].upper() + sentence[1:]


def tell_battle(
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
    tell_numbers(world, place, course, "at")


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


def tell_numbers(world: World, place: Place, course: Course, where: str) -> None:
    """Numbers and losses to all who fought, and to each the dice he rolled; `where` is ``"at"`` or ``"over"``."""
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
    parts = [f"{begin(name(str(row['power'])))} came with {_words(row['had'])}"]
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


def row_words(values: list[int]) -> str:
    """``"2 6 1"``."""
    return " ".join(str(v) for v in values)
