"""Settling the decisions that hang on each other: Kruijswijk's partial-information algorithm.

Every decision (a MOVE, a SUPPORT, a PATH) is judged with the lowest and the highest strength that the decisions it
reads still allow, and is settled as soon as both agree. Judging is on demand and repeated until nothing more can be
settled. Only then are the decisions that read each other in a circle looked for (Tarjan's algorithm with its
low-link numbers; taking a group as soon as an order is met again would catch orders that are merely not settled
*yet*: datc 6.F.17, 6.F.18, 6.G.11), and the innermost circle is broken by the backup rule: convoys in it fail
(Szykman, 4.A.2), a circle of moves alone succeeds (a rotation, 6.C.1), anything else fails.
"""

from __future__ import annotations

from collections.abc import Callable

from gm.games.diplomacy.circles import innermost_circle
from gm.games.diplomacy.outcome import Slots


def settle(
    todo: list[int],
    undecided: list[int],
    owner: Slots,
    order: Slots,
    target: Slots,
    into: Slots,
    sea: Slots,
    settled: Slots,
    strength: list[int],
    helpers: Slots,
    doubtful: dict[int, list[int]],
    seen: list[int],
) -> list[int]:
    """Fill `settled` and `sea` for all decisions still open; gives the armies whose convoys the Szykman rule failed.

    Args:
        todo: provinces of moves and supports not settled yet.
        undecided: armies whose convoy routes (lists of seas, in `sea`) may be broken.
        strength: 1 + supports that count for certain, by supported unit; `helpers` lists these supporters.
        doubtful: supports not settled, by supported unit.
        seen: a 0 for each decision; paths are numbered from the number of provinces.

    For the other lists see `Outcome`.
    """
    size = len(owner)
    tick = 1
    progress = False
    trace: list[int] | None = None

    def visit(node: int) -> bool | None:
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

    look: Callable[[int], bool | None] = visit

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
    for at in todo:
        if settled[at] is None:
            look(at)
    while True:
        todo = [at for at in todo if settled[at] is None]
        if not todo:
            break
        if not progress:
            reads: dict[int, list[int]] = {}
            for node in [*todo, *(size + at for at in undecided if type(sea[at]) is list)]:
                trace = []
                if node >= size:
                    judge_path(node - size)
                elif target[node] is not None:
                    judge_move(node)
                else:
                    judge_support(node)
                reads[node] = trace
            trace = None
            circle = innermost_circle(reads)
            convoyed = [node - size for node in circle if node >= size]
            for at in convoyed:
                sea[at] = False
            paradox += convoyed
            if not convoyed:
                rotation = all(target[node] is not None for node in circle)
                for at in circle:
                    settled[at] = rotation
        progress = False
        tick += 1
        for at in todo:
            if settled[at] is None:
                look(at)
    for at in undecided:
        if type(sea[at]) is list:
            sea[at] = judge_path(at)
    # These functions hold each other: were the ring not cut here, each phase would wait for the garbage collector
    # (8 of 60 microseconds).
    look = _cut
    return paradox


def _cut(_node: int) -> bool | None:
    return None
