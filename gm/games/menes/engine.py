"""One turn: the table below is the order in which things happen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gm.games.api import Adjudicated, Dice, Due, GameOver, Json, OrderResult, Phase, PowerId, Sheets, State
from gm.games.menes import income
from gm.games.menes.battles import flyover_shots, land_battles, take
from gm.games.menes.board import FIRST_YEAR, HOMES, POWERS, label, points
from gm.games.menes.model import Placed, count_words, join_words, new_standing
from gm.games.menes.plan import plan
from gm.games.menes.steps import (
    embark,
    first_sea_step,
    land_and_march,
    ride_to_ships,
    second_land_step,
    second_sea_step,
)
from gm.games.menes.telling import name
from gm.games.menes.world import World, make


def _purchases(world: World) -> None:
    for power in POWERS:
        for unit, number, where, gold in world.plans[power].bought:
            text = f"You buy {count_words(unit, number)} for {gold} gold; they appear at {label(where)}."
            world.tell("bought", text, "5.1", (power,), unit=unit, count=number, place=where, gold=gold)


def _disbanded(world: World) -> None:
    for power in POWERS:
        for unit, number, where in world.plans[power].disbanded:
            text = f"You disband {count_words(unit, number)} at {label(where)}."
            world.tell("disbanded", text, "6.1", (power,), unit=unit, count=number, place=where)


def _ownership(world: World) -> None:
    """A power alone on the ground takes the space; a power alone with ships in a sea has claimed it."""
    for place in world.occupied(g.at for g in world.groups if g.at is not None and g.count):
        present = world.powers_at(place)
        if len(present) == 1:
            take(world, place, present[0], "7.2")
    for sea in world.occupied(s.at for s in world.ships):
        present = world.powers_at(sea)
        if len(present) == 1:
            world.claims[sea] = present[0]


def _absences(world: World) -> None:
    """Count missed turns; three in a row put a power out. A power without units and cities is out as well."""
    limit = world.options["missed_turns_out"]
    gone = [p for p in world.playing() if limit and world.missed[p] >= limit]
    for power in gone:
        world.out.append(power)
        text = f"{_names([power])} have sent no orders {limit} times in a row and are out of the game."
        world.tell("out", text, "2.4", power=power)
    for power in world.playing():
        if not _alive(world, power):
            world.out.append(power)
            text = f"{_names([power])} have neither a unit nor a city left and are out of the game."
            world.tell("out", text, "2.4", power=power)


def _alive(world: World, power: PowerId) -> bool:
    units = any(g.power == power and g.count for g in world.groups) or any(
        s.power == power for s in world.ships
    )
    return units or any(world.owners[p] == power and points(p) for p in world.owners)


def score(owners: Mapping[str, PowerId]) -> dict[PowerId, int]:
    """Victory points of every power."""
    return {power: sum(points(p) for p in owners if owners[p] == power) for power in POWERS}


def _victory(world: World) -> None:
    """20 points win; of several, the most points, then the most gold. The turn limit ends a game as well."""
    scores = {p: s for p, s in score(world.owners).items() if p in world.playing()}
    goal = world.options["victory_points"]
    there = [p for p in scores if scores[p] >= goal]
    limit = world.options["turn_limit"]
    last = bool(limit) and world.state["turn"] >= limit
    if not scores:
        world.over = {
            "winners": [],
            "text": "Nobody is left to play; the game ends without a winner.",
            "rule": "menes 2.4",
        }
    elif there:
        best = _best(world, {p: scores[p] for p in there})
        verb = "hold" if len(best) == 1 else "share victory with"
        text = f"{_names(best)} {verb} {scores[best[0]]} points: the war is over."
        world.over = {"winners": best, "text": text, "rule": "menes 2.6"}
    elif last:
        best = _best(world, scores)
        text = f"The last year has passed. {_names(best)} lead with {scores[best[0]]} points."
        world.over = {"winners": best, "text": text, "rule": "menes R turn limit"}
    if world.over is not None:
        world.tell(
            "over",
            world.over["text"],
            world.over["rule"].removeprefix("menes "),
            winners=world.over["winners"],
        )


def _best(world: World, scores: Mapping[PowerId, int]) -> list[PowerId]:
    top = [p for p in scores if scores[p] == max(scores.values())]
    if world.options["victory_tie"] == "shared":
        return top
    most = max(world.treasury[p] for p in top)
    return [p for p in top if world.treasury[p] == most]


def _names(powers: list[PowerId]) -> str:
    text = join_words([name(p) for p in powers])
    return text[:1].upper() + text[1:]


def _income(world: World) -> None:
    if world.over is None:
        income.collect(world)


Step = Callable[[World], None]

TURN: tuple[tuple[str, Step], ...] = (
    ("1 buy", _purchases),
    ("2 disband", _disbanded),
    ("3 horsemen ride to their ships", ride_to_ships),
    ("4 embark", embark),
    ("5 first sea step, sea battles", first_sea_step),
    ("6 second sea step, sea battles", second_sea_step),
    ("7 land and march", land_and_march),
    ("8 shots at dragons overhead", flyover_shots),
    ("9 land battles", lambda world: land_battles(world, 9)),
    ("10 second step, moves after battle", second_land_step),
    ("11 land battles", lambda world: land_battles(world, 11)),
    ("12a ownership and claims", _ownership),
    ("12b absences", _absences),
    ("12c victory", _victory),
    ("13 income", _income),
)


def new_game(options: Mapping[str, bool | int | str], _dice: Dice) -> State:
    """The first state: three cities each, gold, no units."""
    return {
        "options": dict(options),
        "turn": 1,
        "year": FIRST_YEAR,
        "owners": {home: power for power in POWERS for home in HOMES[power]},
        "units": {power: {} for power in POWERS},
        "cargo": {power: {} for power in POWERS},
        "treasury": dict.fromkeys(POWERS, options["start_gold"]),
        "standing": {power: new_standing() for power in POWERS},
        "missed": dict.fromkeys(POWERS, 0),
        "vacation": dict.fromkeys(POWERS, 0),
        "out": [],
        "claims": {},
        "ledger": {power: [] for power in POWERS},
        "over": None,
    }


def phase(state: State) -> Phase:
    """The year that waits for orders."""
    year = f"IV{state['year']}"
    return Phase(name=f"{year} orders", title=f"Fourth Age {state['year']}", kind="movement", turn=year)


def dues(state: State) -> tuple[Due, ...]:
    """Every power in the game owes one sheet a turn."""
    if state["over"] is not None:
        return ()
    return tuple(
        Due(
            power=p,
            required=True,
            items=(f"orders for IV{state['year']}: {state['treasury'][p]} gold to spend",),
        )
        for p in POWERS
        if p not in state["out"]
    )


def over(state: State) -> GameOver | None:
    """See `gm.games.api.Ruleset.over`."""
    end = state["over"]
    return (
        None if end is None else GameOver(winners=tuple(end["winners"]), text=end["text"], rule=end["rule"])
    )


def adjudicate(state: State, sheets: Sheets, dice: Dice) -> Adjudicated:
    """One turn. Powers that are out, or sent nothing, have their units stand and defend."""
    if state["over"] is not None:
        return Adjudicated(state=state, orders=(), events=())
    given = {p: sheets.get(p) if p not in state["out"] else None for p in POWERS}
    plans = {p: plan(state, p, given[p] or ()) for p in POWERS}
    for power in state["out"]:
        plans[power].results = [_too_late(power, line) for line in sheets.get(power) or ()]
    world = make(state, plans, dice)
    for power in world.playing():
        _attendance(world, power, given[power] is not None)
    for _, step in TURN:
        step(world)
    return Adjudicated(state=_next(world), orders=world.results(), events=tuple(world.events))


def _too_late(power: PowerId, line: str) -> OrderResult:
    reason = "this power is out of the game"
    own = (power,)
    return OrderResult(
        power=power,
        order=line,
        result="illegal",
        reason=reason,
        rule="menes R out",
        seen_by=own,
        verdict_to=own,
    )


def _attendance(world: World, power: PowerId, sent: bool) -> None:
    asked = world.plans[power].vacation
    away = world.vacation[power]
    if sent:
        world.missed[power] = 0
    elif not away:
        world.missed[power] += 1
        text = f"No orders came from you: {world.missed[power]} in a row."
        world.tell("missed", text, "2.4", (power,), count=world.missed[power])
    world.vacation[power] = asked if asked is not None else max(away - 1, 0)


def _next(world: World) -> dict[str, Json]:
    units, cargo = world.units()
    ended = world.over is not None
    state: dict[str, Any] = dict(world.state)
    state |= {
        "turn": world.state["turn"] + (not ended),
        "year": world.year + (not ended),
        "owners": dict(sorted(world.owners.items(), key=lambda item: int(item[0]))),
        "units": _plain(units),
        "cargo": _plain(cargo),
        "treasury": world.treasury,
        "standing": {p: dict(world.standing(p)) for p in POWERS},
        "missed": world.missed,
        "vacation": world.vacation,
        "out": world.out,
        "claims": world.claims,
        "ledger": {p: world.ledger.get(p, []) for p in POWERS},
        "over": world.over,
    }
    return state


def _plain(placed: Mapping[PowerId, Placed]) -> dict[PowerId, Placed]:
    return {p: {place: dict(counts) for place, counts in placed[p].items()} for p in POWERS}
