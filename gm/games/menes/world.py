"""A turn in progress: the groups, ships and owners that the steps of the turn move about, and what they tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gm.games.api import Audience, Dice, Event, Json, OrderResult, PowerId, ResultWord, State
from gm.games.menes.board import POWERS
from gm.games.menes.model import UNITS, Group, Place, Placed, Ship, place_key, put
from gm.games.menes.plan import Plan


@dataclass
class World:
    """Everything that one phase changes. Made from a state, and turned into the next one."""

    state: State
    plans: Mapping[PowerId, Plan]
    dice: Dice
    year: int
    options: Mapping[str, Any]
    start_owners: Mapping[Place, PowerId]
    owners: dict[Place, PowerId]
    treasury: dict[PowerId, int]
    groups: list[Group] = field(default_factory=list)
    ships: list[Ship] = field(default_factory=list)
    claims: dict[Place, PowerId] = field(default_factory=dict)
    ledger: dict[PowerId, list[list[Json]]] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    trouble: dict[tuple[PowerId, int], tuple[ResultWord, str, str]] = field(default_factory=dict)
    """What became of orders that could be done and were spoilt: (power, index) to (result, reason, rule)."""
    fled_from: dict[Place, list[tuple[PowerId, str, int, str | None]]] = field(default_factory=dict)
    """Flights of the first land battles: place to (power, unit, number, where to)."""
    beaten_by: dict[tuple[Place, PowerId], frozenset[str]] = field(default_factory=dict)
    """Unit types that a power had against it in the first land battle of a place."""
    missed: dict[PowerId, int] = field(default_factory=dict)
    vacation: dict[PowerId, int] = field(default_factory=dict)
    out: list[PowerId] = field(default_factory=list)
    over: dict[str, Json] | None = None

    def tell(self, kind: str, text: str, rule: str, seen_by: Audience = "all", **data: Json) -> None:
        """Record an event; rules are cited with the ruleset's name."""
        self.events.append(Event(kind=kind, text=text, rule=f"menes {rule}", seen_by=seen_by, data=data))

    def spoil(self, power: PowerId, order: int, word: ResultWord, reason: str, rule: str) -> None:
        """An order of `power` did not come off; the last word on it counts."""
        if order >= 0:
            self.trouble[power, order] = (word, reason, f"menes {rule}")

    def playing(self) -> list[PowerId]:
        """Powers that are still in the game."""
        return [p for p in POWERS if p not in self.out]

    def standing(self, power: PowerId) -> Mapping[str, Any]:
        """Standing orders in force this turn."""
        return self.plans[power].standing

    def at_peace(self, a: PowerId, b: PowerId) -> bool:
        """Whether both have declared PEACE with the other."""
        return a == b or (b in self.standing(a)["peace"] and a in self.standing(b)["peace"])

    def hostile_at_sea(self, a: PowerId, b: PowerId) -> bool:
        """Whether ships of two powers in one sea fight."""
        return a != b and not (self.options["peace_at_sea"] and self.at_peace(a, b))

    def hostile_on_land(self, a: PowerId, b: PowerId) -> bool:
        """Whether land units of two powers in one province fight."""
        return a != b and not (self.options["peace_on_land"] and self.at_peace(a, b))

    def groups_at(self, place: Place) -> list[Group]:
        """Land units on the ground of a province."""
        return [g for g in self.groups if g.at == place and g.count]

    def ships_at(self, sea: Place) -> list[Ship]:
        """Ships in a sea."""
        return [s for s in self.ships if s.at == sea]

    def powers_at(self, place: Place) -> list[PowerId]:
        """Powers with units on the ground, or with ships in the sea."""
        here: Iterable[Group | Ship] = self.groups_at(place) if place.isdigit() else self.ships_at(place)
        present = {unit.power for unit in here}
        return [p for p in POWERS if p in present]

    def occupied(self, places: Iterable[Place]) -> list[Place]:
        """Those of the places where something stands, in order."""
        return sorted(set(places), key=place_key)

    def units(self) -> tuple[dict[PowerId, Placed], dict[PowerId, Placed]]:
        """(units by place, cargo by sea) of every power."""
        units: dict[PowerId, Placed] = {p: {} for p in POWERS}
        cargo: dict[PowerId, Placed] = {p: {} for p in POWERS}
        for group in self.groups:
            if group.at is not None and group.count:
                put(units[group.power], group.at, group.unit, group.count)
        for ship in self.ships:
            put(units[ship.power], ship.at, ship.unit, 1)
            for load in ship.cargo:
                put(cargo[ship.power], ship.at, load.unit, load.count)
        return units, cargo

    def results(self) -> tuple[OrderResult, ...]:
        """Every order with what became of it."""
        told = []
        for power in POWERS:
            for i, result in enumerate(self.plans[power].results):
                trouble = self.trouble.get((power, i))
                told.append(
                    result if trouble is None or result.result == "illegal" else _spoilt(result, *trouble)
                )
        return tuple(told)


def _spoilt(result: OrderResult, word: ResultWord, reason: str, rule: str) -> OrderResult:
    both = f"{result.reason}; {reason}" if result.reason else reason
    return OrderResult(
        power=result.power,
        order=result.order,
        result=word,
        reason=both,
        rule=rule,
        seen_by=result.seen_by,
        verdict_to=result.verdict_to,
    )


def make(state: State, plans: Mapping[PowerId, Plan], dice: Dice) -> World:
    """The world at the start of a turn, purchases made and disbanded units gone. It uses up the plans' forces."""
    world = World(
        state=state,
        plans=plans,
        dice=dice,
        year=state["year"],
        options=state["options"],
        start_owners=dict(state["owners"]),
        owners=dict(state["owners"]),
        treasury={p: plans[p].treasury for p in POWERS},
        missed=dict(state["missed"]),
        vacation=dict(state["vacation"]),
        out=list(state["out"]),
    )
    for power in POWERS:
        world.groups += plans[power].groups
        world.ships += [s for ships in plans[power].ships.values() for s in ships]
    return world


def shown(units: Iterable[str]) -> list[str]:
    """Unit types in the order of the unit table, each once."""
    present = frozenset(units)
    return [u for u in UNITS if u in present]
