"""What a movement phase decided, and the words and retreats that follow from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gm.games.diplomacy.board import Board

Slots = list[Any]
"""One entry for each province, None where there is nothing."""


@dataclass(slots=True)
class Outcome:
    """All that a movement phase decided. Lists are indexed by province number, None where there is nothing."""

    board: Board
    owner: Slots
    """Power whose unit stood here when the phase began."""
    unit: Slots
    """That unit: ``"A PAR"``."""
    order: Slots
    """Compiled order of that unit; impossible ones are holds."""
    word: Slots
    """Result word of that unit's order; None for a unit without an order."""
    target: Slots
    """Where the unit tried to go; None if it stayed."""
    into: Slots
    """Origins of the moves into this province, but for those whose convoy had no route from the first."""
    settled: Slots
    """For a move, whether it succeeded; for a support that matches an order, whether it counted."""
    sea: Slots
    """None for a move by land; for one by convoy, whether it had an open route."""
    units: dict[str, list[str]]
    """Units in place after the phase, without the dislodged, in the order of the unit table."""
    dislodged: dict[int, int]
    """Province of each dislodged unit to the province that its attacker came from."""
    contested: list[int]
    """Empty provinces closed by a stand-off."""
    retreats: dict[int, list[str]]
    """Places open to each dislodged unit."""
    paradox: list[int]
    """Armies whose convoy failed by the Szykman rule."""
    strays: list[tuple[str, str]]
    """Orders for a unit that is not there, is another power's, or has an order already: without effect."""


def fleets_at_sea(board: Board, unit: Slots) -> int:
    """Mask of the seas with a fleet."""
    return sum(1 << at for at in board.seas if unit[at] is not None)


def unmatched_support(board: Board, unit: Slots, order: tuple[Any, ...], at: int, fleets: int) -> str:
    """``"illegal"`` for a support of what cannot be done (or only by the supporter's own convoy), else ``"void"``."""
    _, of, to, _, coast = order
    if unit[of] is None:
        return "illegal"
    if to is None:
        return "void"
    other = board.pieces[unit[of]]
    if other.reach >> to & 1 and (coast is None or other.army or coast in other.steps[to]):
        return "void"
    without = fleets & ~(1 << at)
    if other.army and any(route & without == route for route in board.routes(of, to)):
        return "void"
    return "illegal"


def may_carry(board: Board, unit: Slots, order: tuple[Any, ...], at: int, fleets: int) -> bool:
    """Whether a fleet's convoy order is possible: an army is there, and a route of present fleets needs this one."""
    _, of, to, _, _ = order
    if unit[of] is None or unit[of][0] == "F":
        return False
    bit = 1 << at
    return any(route & bit and route & fleets == route for route in board.routes(of, to))


def open_retreats(outcome: Outcome, came: Slots) -> dict[int, list[str]]:
    """Places open to each dislodged unit: not occupied, not contested, not where a land attack came from (4.A.5 b)."""
    found = {}
    unit, target, settled = outcome.unit, outcome.target, outcome.settled
    for at, origin in outcome.dislodged.items():
        barred = origin if outcome.sea[origin] is None else -1
        places: list[str] = []
        for to, there in outcome.board.pieces[unit[at]].steps.items():
            if to == barred or came[to] is not None or to in outcome.contested:
                continue
            if unit[to] is None or (target[to] is not None and settled[to]):
                places += there
        found[at] = sorted(places)
    return found
