"""The pieces of MENES: unit types, counts, the standing orders of a power, and what a turn moves about.

The state of a game is a JSON object:

- ``options``: all house rules · ``turn``: from 1 · ``year``: 1200 and on
- ``owners``: ``{"39": "dwarves"}``, unclaimed provinces left out
- ``units``: ``{power: {place: {unit: count}}}``, land units by province, ships by sea
- ``cargo``: ``{power: {sea: {unit: count}}}``, land units aboard that power's ships there
- ``treasury``, ``missed`` (turns in a row without a mail), ``vacation`` (turns left): ``{power: number}``
- ``standing``: ``{power: see new_standing}`` · ``out``: powers out of the game, in the order they left
- ``claims``: ``{sea: power}`` of the last turn · ``ledger``: ``{power: [[line, gold], ...]}`` of the last income
- ``over``: None, or ``{"winners": [...], "text": ..., "rule": ...}``
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gm.games.api import Json, PowerId, State

Place = str
"""A province by number (``"39"``) or a sea by letter (``"B"``)."""

Counts = dict[str, int]
"""Unit type to number; no zeros."""

Placed = dict[Place, Counts]
"""What one power has in each place."""


@dataclass(frozen=True, kw_only=True)
class UnitType:
    """A kind of unit with the numbers in force (changes 2, section 5)."""

    id: str
    singular: str
    plural: str
    attack: int
    defence: int
    move: int
    carries: int = 0
    """Places aboard; above 0 for ships only."""
    race: PowerId | None = None
    """The one power that builds it; None: everybody."""

    @property
    def ship(self) -> bool:
        """Whether it lives at sea."""
        return self.carries > 0


UNITS: Mapping[str, UnitType] = {
    unit.id: unit
    for unit in (
        UnitType(id="army", singular="army", plural="armies", attack=2, defence=2, move=1),
        UnitType(id="fleet", singular="fleet", plural="fleets", attack=2, defence=2, move=1, carries=5),
        UnitType(
            id="axemen", singular="axemen", plural="axemen", attack=2, defence=4, move=1, race="dwarves"
        ),
        UnitType(
            id="dragon", singular="dragon", plural="dragons", attack=2, defence=2, move=2, race="dragons"
        ),
        UnitType(
            id="elvenship",
            singular="elven ship",
            plural="elven ships",
            attack=2,
            defence=2,
            move=2,
            carries=10,
            race="elves",
        ),
        UnitType(
            id="horsemen", singular="horsemen", plural="horsemen", attack=4, defence=1, move=2, race="men"
        ),
        UnitType(id="ent", singular="ent", plural="ents", attack=4, defence=2, move=1, race="ents"),
    )
}
"""In the order of dice and tables: army, fleet, then the unique units in the order of the map file."""

UNIT_ORDER: Mapping[str, int] = {unit: i for i, unit in enumerate(UNITS)}
UNIQUE: Mapping[PowerId, str] = {u.race: u.id for u in UNITS.values() if u.race is not None}


def rank(unit: str) -> str:
    """``"army"``, ``"fleet"`` or ``"unique"``: the words of PRIORITY."""
    return unit if UNITS[unit].race is None else "unique"


def place_key(place: Place) -> tuple[int, int, str]:
    """Sort key: provinces by number, then seas by letter."""
    return (0, int(place), "") if place.isdigit() else (1, 0, place)


def is_sea(place: Place) -> bool:
    """Whether a place is a sea."""
    return not place.isdigit()


def add(counts: Counts, unit: str, number: int) -> None:
    """Put units in (or, with a negative number, take them out of) a count; zeros vanish."""
    left = counts.get(unit, 0) + number
    if left:
        counts[unit] = left
    else:
        counts.pop(unit, None)


def put(placed: Placed, place: Place, unit: str, number: int) -> None:
    """`add` for a place; empty places vanish."""
    counts = placed.setdefault(place, {})
    add(counts, unit, number)
    if not counts:
        del placed[place]


def total(placed: Mapping[Place, Mapping[str, int]]) -> int:
    """How many units stand in all places together."""
    return sum(number for counts in placed.values() for number in counts.values())


def count_words(unit: str, number: int) -> str:
    """``"1 army"``, ``"5 armies"``."""
    return f"{number} {UNITS[unit].singular if number == 1 else UNITS[unit].plural}"


def counts_words(counts: Mapping[str, int]) -> str:
    """``"5 armies and 2 ents"`` in the order of the unit table; ``"nothing"`` for none."""
    return join_words([count_words(u, counts[u]) for u in UNITS if counts.get(u)]) or "nothing"


def types_words(units: Iterable[str]) -> str:
    """``"armies and ents"``: types without numbers, as everybody sees them."""
    seen = frozenset(units)
    return join_words([UNITS[u].plural for u in UNITS if u in seen])


def join_words(words: list[str]) -> str:
    """``"a, b and c"``."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def new_standing() -> dict[str, Any]:
    """Standing orders of a power that has given none.

    ``retreat``: province to list of provinces · ``after``: what horsemen do after a battle · ``priority``: ranks
    in the order of disbanding · ``peace``: powers · ``flyover``: powers whose dragons are not shot at.
    """
    return {
        "retreat": {},
        "after": "default",
        "priority": ["army", "fleet", "unique"],
        "peace": [],
        "flyover": [],
    }


@dataclass(eq=False)
class Group:
    """Land units that act together for one turn. `at` is where they stand, or None while in the air."""

    power: PowerId
    unit: str
    count: int
    at: Place | None
    start: Place
    came: Place | None = None
    """Where their last step began: a province, or the sea of the ships that landed them. None: not moved."""
    todo: tuple[Place, ...] = ()
    """Steps still to make."""
    used: int = 0
    """Half points spent."""
    entered_city: Place | None = None
    """A free city, not theirs at the start of the turn, that they entered (change 3)."""
    fought_at: Place | None = None
    fled: bool = False
    order: int = -1
    """Index of the order in its sheet; -1: none."""


@dataclass(eq=False)
class Cargo:
    """Land units aboard one ship."""

    unit: str
    count: int
    start: Place
    todo: tuple[Place, ...] = ()
    """Where they land, and go on to."""
    used: int = 0
    order: int = -1


@dataclass(eq=False)
class Ship:
    """One ship in a turn."""

    power: PowerId
    unit: str
    at: Place
    came: Place | None = None
    todo: tuple[Place, ...] = ()
    fled: bool = False
    fought: bool = False
    order: int = -1
    cargo: list[Cargo] = field(default_factory=list)

    @property
    def load(self) -> int:
        """Units aboard."""
        return sum(c.count for c in self.cargo)

    @property
    def room(self) -> int:
        """Places left aboard."""
        return UNITS[self.unit].carries - self.load


def option(state: State, name: str) -> Json:
    """The value of a house rule in this game."""
    return state["options"][name]
