"""Whether an order is possible at all in a position, and if not, why (datc 4.E.1). Used by receipts and results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gm.games.diplomacy.board import Board, Piece, bits, province_of
from gm.games.diplomacy.orders import Order, landing


@dataclass(frozen=True, slots=True)
class Fault:
    """Why an order cannot be carried out."""

    message: str
    rule: str
    suggestion: str = ""


def fault(board: Board, units: Mapping[str, str], order: Order) -> Fault | None:
    """What makes a movement order impossible, or None.

    Args:
        units: province to the unit in it, whosever it is.
        order: of a unit that is in `units`.
    """
    for named in (order.of, order.to):
        if named and province_of(named) not in board.index:
            return Fault(f"there is no place called {named}", "diplomacy 10.1")
    piece = board.pieces[units[province_of(order.place)]]
    seas = sum(1 << board.index[at] for at, unit in units.items() if board.sea >> board.index[at] & 1)
    match order.verb:
        case "hold":
            return None
        case "move":
            return _move_fault(board, piece, order, seas)
        case "support":
            return _support_fault(board, units, piece, order, seas)
        case "convoy":
            return _convoy_fault(board, units, piece, order, seas)
        case _:
            return Fault("not an order for this phase", "diplomacy 10.1")


def reachable(board: Board, piece: Piece, seas: int) -> list[str]:
    """Every place that a unit can move to, convoys by the fleets in `seas` included."""
    places = [place for province in sorted(piece.steps) for place in piece.steps[province]]
    if piece.army:
        places += [
            board.ids[to]
            for to in bits(board.coastal)
            if to not in piece.steps and can_ferry(board, piece.province, to, seas)
        ]
    return sorted(places)


def can_ferry(board: Board, start: int, end: int, seas: int) -> bool:
    """Whether fleets in `seas` could carry an army between two coasts."""
    return start != end and any(route & seas == route for route in board.routes(start, end))


def _move_fault(board: Board, piece: Piece, order: Order, seas: int) -> Fault | None:
    to = board.index[province_of(order.to)]
    name = board.spoken.get(order.to, order.to)
    if to == piece.province:
        return Fault("a unit cannot move to the province it is in", "datc 4.E.1", f"{piece.name} H")
    place = landing(board, piece, order.to)
    ferry = piece.army and can_ferry(board, piece.province, to, seas)
    if place is not None and not order.via:
        return None
    if ferry:
        return None
    if order.via and place is not None:
        if not board.routes(piece.province, to):
            return None
        message = f"no fleet is placed to carry {piece.name} to {name}"
        return Fault(message, "diplomacy 5.1", f"{piece.name} - {place}")
    places = piece.steps.get(to, ())
    if len(places) > 1 and len(order.to) == 3:
        message = f"the coast of {name} is missing: {' or '.join(places)}"
        return Fault(message, "datc 4.B.1", f"{piece.name} - {places[0]}")
    if places:
        message = f"{piece.name} cannot reach that coast of {board.names[to]}, only {places[0]}"
        return Fault(message, "datc 4.B.3", f"{piece.name} - {places[0]}")
    message = f"{piece.name} cannot reach {name}; it can go to {', '.join(reachable(board, piece, seas))}"
    twin = _MISTAKEN.get(province_of(order.to))
    suggestion = f"{piece.name} - {twin}" if twin and piece.reach >> board.index[twin] & 1 else ""
    return Fault(message, "diplomacy 2.1" if not piece.army or place else "diplomacy 5.1", suggestion)


_MISTAKEN = {"TYR": "TYS", "TYS": "TYR", "LVN": "LVP", "LVP": "LVN", "NWY": "NWG", "NWG": "NWY"}
"""Names that share their beginning: what a player who names the one may have meant."""


def _support_fault(
    board: Board, units: Mapping[str, str], piece: Piece, order: Order, seas: int
) -> Fault | None:
    of = province_of(order.of)
    directed = province_of(order.to) if order.to else of
    into = board.index[directed]
    if of == province_of(piece.place):
        return Fault("a unit cannot support itself", "datc 4.E.1")
    if of not in units:
        return Fault(f"there is no unit in {board.spoken[of]} to support", "datc 4.E.1")
    if directed == of and order.to:
        return Fault("a unit cannot move to the province it is in", "datc 4.E.1")
    if into == piece.province:
        return Fault(f"{piece.name} cannot give support into the province it is in", "datc 4.E.1")
    if not piece.reach >> into & 1:
        where = ", ".join(board.ids[to] for to in bits(piece.reach))
        message = (
            f"{piece.name} cannot move to {board.spoken[directed]}, so not support there, only into {where}"
        )
        return Fault(message, "diplomacy 4.1")
    if not order.to:
        return None
    other = board.pieces[units[of]]
    coast = order.to if "/" in order.to else None
    if other.reach >> into & 1 and (coast is None or other.army or coast in other.steps[into]):
        return None
    if other.army and can_ferry(board, other.province, into, seas & ~(1 << piece.province)):
        return None
    return Fault(f"{other.name} cannot reach {board.spoken.get(order.to, order.to)}", "datc 4.E.1")


def _convoy_fault(
    board: Board, units: Mapping[str, str], piece: Piece, order: Order, seas: int
) -> Fault | None:
    if piece.army or not board.sea >> piece.province & 1:
        return Fault("only a fleet at sea convoys", "diplomacy 5.1")
    of = province_of(order.of)
    if of not in units:
        return Fault(f"there is no army in {board.spoken[of]} to convoy", "datc 4.E.1")
    if units[of][0] == "F":
        return Fault(f"{units[of]} is a fleet: only armies are convoyed", "diplomacy 5.1")
    start, end = board.index[of], board.index[province_of(order.to)]
    bit = 1 << piece.province
    if start == end or not any(route & bit and route & seas == route for route in board.routes(start, end)):
        message = f"{piece.name} is on no route of fleets from {board.names[start]} to {board.names[end]}"
        return Fault(message, "diplomacy 5.1")
    return None
