"""Which unit goes first when nobody says which: the one farthest from the power's centres (standard Diplomacy)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gm.games.necromancer.board import Board
from gm.games.necromancer.centres import ERIADOR_HOMES
from gm.games.necromancer.ids import ERIADOR, Place, PowerId
from gm.games.necromancer.model import Unit


def first_to_go(
    board: Board, centres: Mapping[Place, PowerId], units: Sequence[Unit], power: PowerId, eriador: bool
) -> Unit | None:
    """The unit to lose an army: farthest from a centre that the power owns, fleets first, then by province name.

    Distance is counted in borders of any terrain; mountains are no borders. None if the power has no unit that needs
    a centre.
    """
    mine = [u for u in units if u.owner == power and u.kind in "AC"]
    if not mine:
        return None
    start = [p.index for p in board.provinces if centres.get(p.id) == power]
    if eriador and power in ERIADOR_HOMES:
        start.append(board.index[ERIADOR])
    distance = distances(board, start)
    far = len(board.provinces)
    return min(
        mine,
        key=lambda u: (
            -distance.get(board.index[u.place], far),
            u.fleets == 0,
            board[u.place].name,
            u.kind,
        ),
    )


def distances(board: Board, start: Sequence[int]) -> dict[int, int]:
    """Borders between each province and the nearest of `start`; provinces out of reach are left out."""
    distance = dict.fromkeys(start, 0)
    queue = list(start)
    for here in queue:
        for neighbour in board.provinces[here].borders:
            there = board.index[neighbour]
            if there not in distance:
                distance[there] = distance[here] + 1
                queue.append(there)
    return distance
