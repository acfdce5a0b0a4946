"""The state of a game and small questions about it.

A state is the JSON object ``{"phase", "options", "units", "centres", "dislodged", "contested", "over"}``: units and
centres by power in a fixed order; `dislodged` entries are ``{"power", "unit", "attacker_from", "retreats"}``, outside
retreat phases only those that were disbanded at once for want of a retreat; `over` is None or the `GameOver` fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from gm.games.api import Due, GameOver, Json, Phase, PowerId, State
from gm.games.diplomacy.adjustments import balance, open_homes
from gm.games.diplomacy.board import Board, province_of, standard
from gm.games.diplomacy.meta import POWERS, phase_of


class Occupant(NamedTuple):
    """A unit and its power."""

    power: PowerId
    unit: str


def new_game(options: Mapping[str, bool | int | str], _dice: object = None) -> dict[str, Json]:
    """The position of Spring 1901. The set-up asks for no dice."""
    board = standard()
    return make_state(f"S{board.first_year}M", dict(options), board.start, board.home)


def make_state(
    phase: str,
    options: Mapping[str, bool | int | str],
    units: Mapping[str, Iterable[str]],
    centres: Mapping[str, Iterable[str]],
    dislodged: Sequence[Mapping[str, Json]] = (),
    contested: Iterable[str] = (),
) -> dict[str, Json]:
    """A state in its one form: every power present, all lists sorted."""
    return {
        "phase": phase,
        "options": dict(options),
        "units": {power.id: sorted(units.get(power.id, ()), key=lambda unit: unit[2:]) for power in POWERS},
        "centres": {power.id: sorted(centres.get(power.id, ())) for power in POWERS},
        "dislodged": [dict(entry) for entry in sorted(dislodged, key=lambda entry: str(entry["unit"])[2:])],
        "contested": sorted(contested),
        "over": None,
    }


def phase(state: State) -> Phase:
    """The phase that waits for orders; after the end, the last one."""
    return phase_of(state["phase"])


def over(state: State) -> GameOver | None:
    """How the game ended, or None."""
    end = state["over"]
    return (
        None if end is None else GameOver(winners=tuple(end["winners"]), text=end["text"], rule=end["rule"])
    )


def occupants(state: State) -> dict[str, Occupant]:
    """Province to the unit in it, the dislodged left out."""
    return {
        province_of(unit[2:]): Occupant(power, unit)
        for power, units in state["units"].items()
        for unit in units
    }


def retreating(state: State, power: PowerId) -> list[Mapping[str, Json]]:
    """The dislodged units of a power that have somewhere to go."""
    return [entry for entry in state["dislodged"] if entry["power"] == power and entry["retreats"]]


def dues(state: State) -> tuple[Due, ...]:
    """What each power owes in the present phase; nobody owes anything after the end."""
    if state["over"] is not None:
        return ()
    board = standard()
    found = []
    for power in POWERS:
        items = _items(board, state, power.id)
        if items:
            found.append(Due(power=power.id, required=True, items=items))
    return tuple(found)


def _items(board: Board, state: State, power: PowerId) -> tuple[str, ...]:
    kind = state["phase"][-1]
    if kind == "M":
        return tuple(state["units"][power])
    if kind == "R":
        return tuple(entry["unit"] for entry in retreating(state, power))
    builds, removals, _ = adjustments_due(board, state, power)
    return ("1 build",) * builds + ("1 removal",) * removals


def adjustments_due(board: Board, state: State, power: PowerId) -> tuple[int, int, list[str]]:
    """Builds and removals that a power may choose, and its open home centres.

    A power that must remove all its units has no choice, and one without an open home centre no build.
    """
    units, owned = state["units"], state["centres"][power]
    due = balance(units[power], owned)
    free = open_homes(board, power, units, owned)
    if due > 0:
        return min(due, len(free)), 0, free
    return 0, (-due if owned else 0), free
