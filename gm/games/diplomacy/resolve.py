"""The movement phase: which moves succeed, who is dislodged, where retreats are closed.

Kruijswijk's equations ("The Math of Adjudication", DATC chapter 5) in their partial-information form: every decision
(a MOVE, a SUPPORT, a PATH) is judged with the lowest and the highest strength that the decisions it reads still
allow, and is settled as soon as both agree. Judging is on demand and repeated until nothing more can be settled.
Only then are the decisions that read each other in a circle looked for (Tarjan's algorithm with its low-link numbers;
taking a group as soon as an order is met again would catch orders that are merely not settled *yet*: datc 6.F.17,
6.F.18, 6.G.11), and the innermost circle is broken by the backup rule: convoys in it fail (Szykman, 4.A.2), a circle
of moves alone succeeds (a rotation, 6.C.1).

Options: 4.A.1 b, 4.A.2 Szykman, 4.A.3 2023 rule, 4.A.4 a, 4.A.5 b, 4.A.7 b, 4.B.2 a, 4.B.3 b, 4.B.4 (a coast named
in a support must match), 4.B.5 b, 4.B.6 b, 4.E.1 (an impossible order is a hold).

The whole of a phase is one function over lists indexed by province, because a phase of 34 units must take well under
a tenth of a millisecond (benchmarks/adjudicate.py): no order objects, no look-ups by name in the inner loops.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gm.games.diplomacy.board import Board, Piece, bits
from gm.games.diplomacy.orders import ARMY, CONVOY, DIRECT, ILLEGAL, SUPPORT, compile_order

Slots = list[Any]
"""One entry for each province, None where there is nothing."""


@dataclass(slots=True)
class Outcome:
    """All that a movement phase decided. Lists are indexed by province number, None where there is nothing."""

    board: Board
    owner: Slots
    """Power whose unit stood here when the phase began."""
    piece: Slots
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


def resolve(board: Board, units: Mapping[str, Sequence[str]], orders: Mapping[str, Sequence[str]]) -> Outcome:
    """Adjudicate one movement phase.

    Args:
        units: all units by power, at most one in a province: ``{"france": ["A PAR", "F SPA/NC"]}``.
        orders: orders in normal form by power; units without one hold.

    No result depends on the order of either table (lists follow it).
    """
    blank = board.blank
    size = len(blank)
    pieces = board.pieces
    owner: Slots = blank[:]
    piece: Slots = blank[:]
    for power, names in units.items():
        for name in names:
            unit = pieces[name]
            at = unit[0]
            owner[at] = power
            piece[at] = unit

    # --- the sheets: compiled orders, and moves by where they go ------------------------------------------
    order: Slots = blank[:]
    target: Slots = blank[:]
    into: Slots = blank[:]
    sea: Slots = blank[:]
    settled: Slots = blank[:]
    word: Slots = blank[:]
    moves: list[int] = []
    armies: list[int] = []
    supports: list[int] = []
    convoys: list[int] = []
    strays: list[tuple[str, str]] = []
    find = board.index.get
    for power, texts in orders.items():
        for text in texts:
            at = find(text[2:5], -1)
            if at < 0 or owner[at] != power or order[at] is not None:
                strays.append((power, text))
                continue
            unit = piece[at]
            known = unit[4].get(text) or compile_order(board, unit, text)
            order[at] = known
            kind = known[0]
            if kind == DIRECT:
                to = target[at] = known[1]
                moves.append(at)
                if into[to] is None:
                    into[to] = [at]
                else:
                    into[to].append(at)
            elif kind == SUPPORT:
                supports.append(at)
            elif kind == ARMY:
                armies.append(at)
            elif kind == CONVOY:
                convoys.append(at)
            else:
                word[at] = known[1]

    # --- armies that a convoy may carry -------------------------------------------------------------------
    fleets = 0
    carriers: dict[int, int] = {}
    if convoys:
        for at in convoys:
            key = order[at][3]
            carriers[key] = carriers.get(key, 0) | 1 << at
    for at in armies:
        known = order[at]
        to = known[1]
        offered = carriers.get(known[4], 0)
        if known[5]:
            if offered:
                fleets = fleets or _fleets(board, piece)
                routes = board.routes(at, to)
                own = sum(1 << fleet for fleet in bits(offered) if owner[fleet] == owner[at])
                by_land = not any(route & own and route & fleets == route for route in routes)
            else:
                by_land = True
        else:
            by_land = False
        if not by_land:
            open_routes = [route for route in board.routes(at, to) if route & offered == route]
            if open_routes:
                sea[at] = open_routes
            else:
                fleets = fleets or _fleets(board, piece)
                if any(route & fleets == route for route in board.routes(at, to)):
                    target[at] = to
                    sea[at] = settled[at] = False
                    word[at] = "noconvoy"
                else:
                    order[at] = ILLEGAL
                    word[at] = "illegal"
                continue
        target[at] = to
        moves.append(at)
        if into[to] is None:
            into[to] = [at]
        else:
            into[to].append(at)
    undecided: list[int] = []
    for at in armies:
        ways = sea[at]
        if ways:
            sea[at] = True
            for way in ways:
                if not any(into[fleet] for fleet in bits(way)):
                    break
            else:
                sea[at] = [bits(way) for way in ways]
                undecided.append(at)

    # --- supports: matching, and cut where that hangs on nothing ------------------------------------------
    strength = board.ones[:]
    helpers: Slots = blank[:]
    doubtful: dict[int, list[int]] = {}
    for at in supports:
        _, of, to, directed, coast = order[at]
        if target[of] != to or piece[of] is None or (coast and coast != order[of][3]):
            continue
        counts: bool | None = True
        attacks = into[at]
        if attacks is not None:
            me = owner[at]
            for origin in attacks:
                if owner[origin] != me:
                    if origin == directed or (sea[origin] is not None and sea[origin] is not True):
                        counts = None
                    else:
                        counts = False
                        break
        if counts:
            settled[at] = True
            strength[of] += 1
            if helpers[of] is None:
                helpers[of] = [at]
            else:
                helpers[of].append(at)
        elif counts is None:
            if of in doubtful:
                doubtful[of].append(at)
            else:
                doubtful[of] = [at]
        else:
            settled[at] = False

    # --- judging --------------------------------------------------------------------------------------------
    seen: list[int] = board.zeros[:]
    tick = 1
    progress = False
    trace: list[int] | None = None

    def look(node: int) -> bool | None:
        """The value of a decision that is not settled, judged at most once a round. Paths are nodes from `size`."""
        nonlocal progress
        if trace is not None:
            trace.append(node)
            return None
        if seen[node] == tick:
            return None
        seen[node] = tick
        if node >= size:
            value = judge_path(node - size)
            if value is not None:
                sea[node - size] = value
                progress = True
            return value
        value = judge_move(node) if target[node] is not None else judge_support(node)
        if value is not None:
            settled[node] = value
            progress = True
        return value

    def tally(x: int, besides: str | None) -> tuple[int, int]:
        """Lowest and highest strength of a unit; support given by the power `besides` is left out."""
        low = 1
        if helpers[x] is not None:
            for s in helpers[x]:
                if owner[s] != besides:
                    low += 1
        high = low
        if x in doubtful:
            for s in doubtful[x]:
                if owner[s] != besides:
                    value = settled[s]
                    if value is None:
                        value = look(s)
                    if value is not False:
                        high += 1
                        if value:
                            low += 1
        return low, high

    def judge_move(x: int) -> bool | None:
        """Whether ATTACK is above HOLD (or DEFEND, head to head) and above PREVENT of every rival."""
        to = target[x]
        by_land = sea[x] is None
        way: bool | None = True
        if not by_land and sea[x] is not True:
            way = sea[x] and look(size + x)
            if way is False:
                return False
        there = owner[to]
        goes = target[to]
        stands = goes is None or (goes == x and by_land and sea[to] is None)
        leaves: bool | None
        if there is None:
            leaves = True
        elif stands:
            leaves = False
        else:
            leaves = settled[to]
            if leaves is None:
                leaves = look(to)
        hold_low = hold_high = 0
        if leaves:
            low, high = tally(x, None) if x in doubtful else (strength[x], strength[x])
        elif leaves is False:
            if there == owner[x]:
                return False
            low, high = (1, 1) if strength[x] == 1 and x not in doubtful else tally(x, there)
            if not stands:
                hold_low = hold_high = 1
            elif to in doubtful:
                hold_low, hold_high = tally(to, None)
            else:
                hold_low = hold_high = strength[to]
        else:
            high = tally(x, None)[1]
            low = 0 if there == owner[x] else tally(x, there)[0]
            hold_high = 1
        if not way:
            low = 0
        if high <= hold_low:
            return False
        sure = low > hold_high
        if len(into[to]) > 1:
            for rival in into[to]:
                if rival == x:
                    continue
                mark = 0 if trace is None else len(trace)
                open_way: bool | None = True
                if sea[rival] is not None:
                    if sea[rival] is not True:
                        open_way = sea[rival] and look(size + rival)
                        if open_way is False:
                            continue
                elif goes == rival and sea[to] is None:
                    # beaten head to head, a unit has no effect where its opponent came from (datc 6.E.1)
                    beaten = settled[to]
                    if beaten is None:
                        beaten = look(to)
                    if beaten:
                        continue
                    open_way = beaten is not None
                if rival in doubtful:
                    prevent_low, prevent_high = tally(rival, None)
                else:
                    prevent_low = prevent_high = strength[rival]
                if open_way and high <= prevent_low:
                    return False
                if low <= prevent_high:
                    sure = False
                elif trace is not None:
                    del trace[mark:]
        return True if sure else None

    def judge_support(s: int) -> bool | None:
        """Whether no other power attacks the supporter; an attack from where it helps must dislodge it."""
        me = owner[s]
        directed = order[s][3]
        counts: bool | None = True
        for origin in into[s]:
            if owner[origin] != me:
                if origin == directed:
                    hit = settled[origin]
                    if hit is None:
                        hit = look(origin)
                else:
                    hit = sea[origin]
                    if hit is None:
                        hit = True
                    elif hit is not True and hit is not False:
                        hit = look(size + origin)
                if hit:
                    return False
                if hit is None:
                    counts = None
        return counts

    def judge_path(x: int) -> bool | None:
        """Whether some route has no fleet dislodged (4.A.1 b)."""
        best: bool | None = False
        for route in sea[x]:
            open_route: bool | None = True
            for fleet in route:
                for origin in into[fleet] or ():
                    hit = settled[origin]
                    if hit is None:
                        hit = look(origin)
                    if hit:
                        open_route = False
                        break
                    if hit is None:
                        open_route = None
                if open_route is False:
                    break
            if open_route:
                return True
            if open_route is None:
                best = None
        return best

    paradox: list[int] = []
    todo: list[int] = []
    for at in moves:
        to = target[at]
        if owner[to] is None and sea[at] is None and len(into[to]) == 1:
            settled[at] = True
        else:
            todo.append(at)
    for at in doubtful:
        todo += doubtful[at]
    for at in todo:
        if settled[at] is None:
            look(at)
    while True:
        todo = [at for at in todo if settled[at] is None]
        if not todo:
            break
        if not progress:
            trace = []
            nodes = todo + [size + at for at in undecided if sea[at] is not True and sea[at] is not False]
            reads: dict[int, list[int]] = {}
            for node in nodes:
                if node >= size:
                    judge_path(node - size)
                elif target[node] is not None:
                    judge_move(node)
                else:
                    judge_support(node)
                reads[node] = trace
                trace = []
            trace = None
            circle = innermost_circle(reads)
            convoyed = [node - size for node in circle if node >= size]
            if convoyed:
                for at in convoyed:
                    sea[at] = False
                paradox += convoyed
            else:
                rotation = all(target[node] is not None for node in circle)
                for at in circle:
                    settled[at] = rotation
        progress = False
        tick += 1
        for at in todo:
            if settled[at] is None:
                look(at)

    for at in undecided:
        if sea[at] is not True and sea[at] is not False:
            sea[at] = judge_path(at)

    # --- what became of it --------------------------------------------------------------------------------
    came: Slots = blank[:]
    for at in moves:
        if settled[at]:
            came[target[at]] = at
            word[at] = "ok"
        else:
            word[at] = "noconvoy" if sea[at] is False else "bounce"
    after: dict[str, list[str]] = {}
    dislodged: dict[int, int] = {}
    for power, names in units.items():
        after[power] = left = []
        for name in names:
            at = pieces[name][0]
            if settled[at] and target[at] is not None:
                left.append(order[at][2])
            elif came[at] is None:
                left.append(name)
            else:
                dislodged[at] = came[at]
    contested: list[int] = []
    for to, origins in enumerate(into):
        if (
            origins is not None
            and came[to] is None
            and (owner[to] is None or (target[to] is not None and settled[to]))
        ):
            for at in origins:
                if sea[at] is not False and not (target[to] == at and sea[at] is None and sea[to] is None):
                    contested.append(to)
                    break
    for at in supports:
        value = settled[at]
        if value is None or sea[order[at][1]] is False:
            fleets = fleets or _fleets(board, piece)
            word[at] = _support_word(board, piece, order[at], at, fleets, value)
        else:
            word[at] = "ok" if value else "cut"
    for at in convoys:
        _, of, to, _, ferry = order[at]
        army = piece[of]
        if not ferry or army is None or not army[1]:
            fleets = fleets or _fleets(board, piece)
            bit = 1 << at
            if (
                army is None
                or not army[1]
                or not any(route & bit and route & fleets == route for route in board.routes(of, to))
            ):
                word[at] = "illegal"
                continue
        if target[of] != to:
            word[at] = "void"
        elif came[at] is not None:
            word[at] = "disrupted"
        else:
            word[at] = "paradox" if of in paradox else "ok"
    return Outcome(
        board, owner, piece, order, word, target, into, settled, sea,
        after, dislodged, contested, _retreats(board, piece, after, dislodged, contested, sea), paradox, strays,
    )  # fmt: skip


def innermost_circle(reads: Mapping[int, Sequence[int]]) -> list[int]:
    """The first strongly connected group of a graph that leads to no other group (Tarjan's low-link numbers)."""
    number: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []

    def visit(node: int) -> list[int] | None:
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in reads[node]:
            if other not in number:
                found = visit(other)
                if found is not None:
                    return found
            low[node] = min(low[node], low[other])
        return stack[stack.index(node) :] if low[node] == number[node] else None

    found = visit(next(iter(reads)))
    assert found is not None, "the first root closes at least its own group"
    return found


def _fleets(board: Board, piece: Slots) -> int:
    """Mask of the seas with a fleet."""
    return sum(1 << at for at in board.seas if piece[at] is not None)


def _support_word(
    board: Board, piece: Slots, order: tuple[Any, ...], at: int, fleets: int, counts: bool | None
) -> str:
    """``void`` or ``illegal`` for a support that matches no order, or one that only its own convoy could fulfil."""
    _, of, to, _, coast = order
    unit: Piece | None = piece[of]
    if unit is None:
        return "illegal"
    if to is not None:
        reachable = bool(unit.reach >> to & 1) and (coast is None or unit.army or coast in unit.steps[to])
        if not reachable:
            without = fleets & ~(1 << at)
            if not unit.army or not any(route & without == route for route in board.routes(of, to)):
                return "illegal"
    if counts is None:
        return "void"
    return "ok" if counts else "cut"


def _retreats(
    board: Board,
    piece: Slots,
    after: Mapping[str, Sequence[str]],
    dislodged: Mapping[int, int],
    contested: Sequence[int],
    sea: Slots,
) -> dict[int, list[str]]:
    """Places open to each dislodged unit: not occupied, not contested, not where a land attack came from (4.A.5 b)."""
    if not dislodged:
        return {}
    closed = sum(1 << to for to in contested)
    for names in after.values():
        for name in names:
            closed |= 1 << board.index[name[2:5]]
    found = {}
    for at, origin in dislodged.items():
        barred = closed if sea[origin] is not None else closed | 1 << origin
        unit: Piece = piece[at]
        found[at] = sorted(
            place for to, places in unit.steps.items() if not barred >> to & 1 for place in places
        )
    return found
