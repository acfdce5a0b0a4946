"""What a unit may be ordered to do at all, whatever the others do."""

from __future__ import annotations

from gm.games.necromancer.board import Board
from gm.games.necromancer.ids import Place
from gm.games.necromancer.model import Game
from gm.games.necromancer.orders import Order
from gm.games.necromancer.pools import Part

Wrong = tuple[str, str, str]
"""(result word, code, rule)"""


def reach(board: Board, part: Part) -> int:
    """Mask of the provinces where a part may move or give support."""
    kind = part.atoms[0].kind
    if kind == "N":
        return board.nazgul[part.origin]
    if kind == "W":
        return board.fleet[part.origin]
    return (board.fleet if part.seaworthy else board.army)[part.origin]


def why_out_of_reach(board: Board, part: Part, target: int) -> Wrong:
    """The clause that bars a part from a province outside its `reach`."""
    province = board.provinces[target]
    here = board.provinces[part.origin]
    kind = part.atoms[0].kind
    if province.id in here.walls:
        return ("illegal", "not_adjacent", "8")
    if province.kind == "sea" and province.id in here.borders:
        rule = "18.6" if kind == "N" else "14.14" if len(part.atoms) > 1 else "14.6"
        return ("illegal", "sea", rule)
    return ("illegal", "not_adjacent", "2")


def check_path(board: Board, game: Game, part: Part, order: Order) -> Wrong | None:
    """What is wrong with a move order, or None."""
    kind = part.atoms[0].kind
    indices = [board.index.get(place, -1) for place in order.path]
    if not indices or len(indices) > 2 or -1 in indices:
        return ("illegal", "not_adjacent", "2")
    if len(indices) == 2 and (kind not in ("C", "N") or indices[0] == indices[1]):
        return ("illegal", "two_steps", "12.2")
    first = indices[0]
    coexists = game.options.wizard_and_nazgul_coexist_in_eriador
    if first != part.origin and not reach(board, part) >> first & 1:
        return why_out_of_reach(board, part, first)
    if first == part.origin and len(indices) == 1 and not order.total:
        return ("illegal", "not_adjacent", "2")
    if part.zero and not coexists and any(board.open_mask >> i & 1 for i in indices):
        return ("illegal", "eriador", "18.2" if kind == "N" else "16.2")
    if len(indices) == 2:
        steps = board.nazgul if kind == "N" else board.army
        if not steps[first] >> indices[1] & 1:
            walled = board.provinces[indices[1]].id in board.provinces[first].walls
            wet = (board.sea_mask >> first | board.sea_mask >> indices[1]) & 1
            rule = "8" if walled else ("18.6" if kind == "N" else "14.12") if wet else "2"
            return ("illegal", "sea" if wet else "not_adjacent", rule)
    return None


def check_stay(board: Board, part: Part, order: Order) -> Wrong | None:
    """What is wrong with an order that keeps its unit in place, or None."""
    if order.kind == "support":
        return _check_support(board, part, order)
    if order.kind == "build_fleet":
        return _check_build(board, part, fleet=True)
    if order.kind == "build_engine":
        return _check_build(board, part, fleet=False)
    if order.kind == "lead" and (part.atoms[0].kind != "N" or order.inner is None):
        return ("illegal", "kind", "18.10")
    return None


def acts_in(order: Order) -> Place | None:
    """The province that a supported order acts in: its first target, or where it stands."""
    if order.unit is None:
        return None
    return order.path[0] if order.kind == "move" and order.path else order.unit.place


def _check_support(board: Board, part: Part, order: Order) -> Wrong | None:
    inner = order.inner
    if part.zero:
        return ("illegal", "kind", "16.8" if part.atoms[0].kind == "W" else "18.9")
    if part.place in board.offboard:
        return ("illegal", "eriador", "6.4")
    place = acts_in(inner) if inner else None
    if inner is None or inner.unit is None or place is None or place not in board.index:
        return ("illegal", "no_unit", "2")
    target = board.index[place]
    if not reach(board, part) >> target & 1:
        return why_out_of_reach(board, part, target)
    return None


def _check_build(board: Board, part: Part, fleet: bool) -> Wrong | None:
    here = board.provinces[part.origin]
    if part.zero:
        return ("illegal", "kind", "15.6" if not fleet else "16.10" if part.atoms[0].kind == "W" else "18.6")
    if fleet:
        if here.kind != "coast":
            return ("illegal", "sea", "14.2")
        return ("illegal", "attachment", "14.13") if all(a.fleets for a in part.atoms) else None
    if here.kind not in ("land", "coast"):
        return ("illegal", "eriador" if here.kind == "offboard" else "sea", "15.10")
    return ("illegal", "attachment", "15.5") if any(a.engines for a in part.atoms) else None
