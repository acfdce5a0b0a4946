"""The movement phase: which moves succeed, who is dislodged, where retreats are closed.

Options: 4.A.1 b, 4.A.2 Szykman, 4.A.3 2023 rule, 4.A.4 a, 4.A.5 b, 4.A.7 b, 4.B.2 a, 4.B.3 b, 4.B.4 (a coast named
in a support must match), 4.B.5 b, 4.B.6 b, 4.E.1 (an impossible order is a hold).

A phase is worked out over lists indexed by province and without order objects, as it must take well under a tenth of
a millisecond (benchmarks/adjudicate.py). The static half of an order is looked up by its text; one sweep settles what
hangs on nothing; `judge.settle` does the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gm.games.diplomacy.board import Board, Ways, bits
from gm.games.diplomacy.judge import settle
from gm.games.diplomacy.orders import ARMY, CONVOY, DIRECT, ILLEGAL, SUPPORT, compile_order
from gm.games.diplomacy.outcome import (
    Outcome,
    Slots,
    fleets_at_sea,
    may_carry,
    open_retreats,
    unmatched_support,
)

COMPILED_LIMIT = 50_000
"""Order texts kept compiled; the table is emptied when it is full (a game uses a few thousand)."""


def resolve(board: Board, units: Mapping[str, Sequence[str]], orders: Mapping[str, Sequence[str]]) -> Outcome:
    """Adjudicate one movement phase.

    Args:
        units: all units by power, at most one in a province: ``{"france": ["A PAR", "F SPA/NC"]}``.
        orders: orders in normal form by power; units without one hold.

    No result depends on the order of either table (lists follow it).
    """
    blank = board.blank
    owner: Slots = blank[:]
    unit: Slots = blank[:]
    province = board.province
    for power, names in units.items():
        for name in names:
            at = province[name]
            owner[at] = power
            unit[at] = name

    # --- the sheets: compiled orders, and moves by where they go ------------------------------------------
    order: Slots = blank[:]
    target: Slots = blank[:]
    into: Slots = blank[:]
    moves: list[int] = []
    armies: list[int] = []
    supports: list[int] = []
    convoys: list[int] = []
    word: Slots = blank[:]
    strays: list[tuple[str, str]] = []
    compiled = board.compiled
    for power, texts in orders.items():
        for text in texts:
            try:
                at, stands, said = compiled[text]
            except KeyError:
                at, stands, said = _compiled(board, unit, text)
            if unit[at] != stands:
                at, stands, said = _compiled(board, unit, text)
            if owner[at] != power or order[at] is not None:
                strays.append((power, text))
                continue
            order[at] = said
            kind = said[0]
            if kind == DIRECT:
                to = target[at] = said[1]
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
                word[at] = said[1]

    # --- armies that a convoy may carry -------------------------------------------------------------------
    sea: Slots = blank[:]
    settled: Slots = blank[:]
    fleets = 0
    undecided: list[int] = []
    if armies:
        offers: dict[int, int] = {}
        for at in convoys:
            key = order[at][3]
            offers[key] = offers.get(key, 0) | 1 << at
        for at in armies:
            _, to, _, _, key, by_land, ways = order[at]
            offered = offers.get(key, 0)
            if by_land and offered:
                fleets = fleets or fleets_at_sea(board, unit)
                by_land = not _intends(owner, at, offered, ways, fleets)
            if not by_land:
                risky = None
                for way, seas in ways:
                    if way & offered == way:
                        for fleet in seas:
                            if into[fleet] is not None:
                                break
                        else:
                            sea[at] = True
                            break
                        risky = [seas] if risky is None else [*risky, seas]
                else:
                    if risky is not None:
                        sea[at] = risky
                        undecided.append(at)
                    else:
                        fleets = fleets or fleets_at_sea(board, unit)
                        if any(way & fleets == way for way, _ in ways):
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

    # --- supports: matching, and cut where that hangs on nothing ------------------------------------------
    strength = board.ones[:]
    helpers: Slots = blank[:]
    doubtful: dict[int, list[int]] = {}
    todo: list[int] = []
    for at in supports:
        _, of, to, directed, coast = order[at]
        if target[of] != to or unit[of] is None or (coast and coast != order[of][3]):
            continue
        attacks = into[at]
        counts: bool | None = True
        if attacks is not None:
            me = owner[at]
            for origin in attacks:
                if owner[origin] != me:
                    if origin == directed or type(sea[origin]) is list:
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
            todo.append(at)
            if of in doubtful:
                doubtful[of].append(at)
            else:
                doubtful[of] = [at]
        else:
            settled[at] = False

    # --- moves: those that nothing can stop or help, then the rest ----------------------------------------
    for at in moves:
        to = target[at]
        if owner[to] is None:
            if sea[at] is None and len(into[to]) == 1:
                settled[at] = True
                continue
        elif target[to] is None and strength[at] == 1 and at not in doubtful:
            settled[at] = False
            continue
        todo.append(at)
    paradox: list[int] = []
    if todo or undecided:
        paradox = settle(
            todo,
            undecided,
            owner,
            order,
            target,
            into,
            sea,
            settled,
            strength,
            helpers,
            doubtful,
            board.zeros[:],
        )

    # --- what became of it --------------------------------------------------------------------------------
    came: Slots = blank[:]
    failed: list[int] = []
    for at in moves:
        if settled[at]:
            came[target[at]] = at
            word[at] = "ok"
        elif sea[at] is False:
            word[at] = "noconvoy"
        else:
            failed.append(at)
            word[at] = "bounce"
    after: dict[str, list[str]] = {}
    dislodged: dict[int, int] = {}
    for power, names in units.items():
        after[power] = left = []
        for name in names:
            at = province[name]
            if target[at] is not None and settled[at]:
                left.append(order[at][2])
            elif came[at] is None:
                left.append(name)
            else:
                dislodged[at] = came[at]
    contested: list[int] = []
    for at in failed:
        to = target[at]
        # a stand-off closes a province that is left empty; a unit beaten head to head there counts for nothing (6.E.1)
        empty = came[to] is None and (owner[to] is None or (settled[to] and target[to] is not None))
        beaten = target[to] == at and sea[at] is None and sea[to] is None
        if empty and not beaten and to not in contested:
            contested.append(to)
    contested.sort()
    for at in supports:
        value = settled[at]
        if value is None or sea[order[at][1]] is False:
            fleets = fleets or fleets_at_sea(board, unit)
            word[at] = unmatched_support(board, unit, order[at], at, fleets)
            if value is None or word[at] == "illegal":
                continue
        word[at] = "ok" if value else "cut"
    for at in convoys:
        _, of, to, _, ferry = order[at]
        if not ferry or unit[of] is None or unit[of][0] == "F":
            fleets = fleets or fleets_at_sea(board, unit)
            if not may_carry(board, unit, order[at], at, fleets):
                word[at] = "illegal"
                continue
        if target[of] != to:
            word[at] = "void"
        elif came[at] is not None:
            word[at] = "disrupted"
        else:
            word[at] = "paradox" if of in paradox else "ok"
    outcome = Outcome(
        board,
        owner,
        unit,
        order,
        word,
        target,
        into,
        settled,
        sea,
        after,
        dislodged,
        contested,
        {},
        paradox,
        strays,
    )
    if dislodged:
        outcome.retreats = open_retreats(outcome, came)
    return outcome


def _compiled(board: Board, unit: Slots, text: str) -> tuple[int, str | None, tuple[Any, ...]]:
    """Province, unit and compiled order of a text; where no unit stands, a province that no power owns.

    The unit is the one that stands in the named province, whatever kind or coast the text gives it (datc 4.B.5 b).
    """
    at = board.index.get(text[2:5])
    if at is None or unit[at] is None:
        return (board.nowhere, None, ILLEGAL)
    name: str = unit[at]
    entry = (at, name, compile_order(board, board.pieces[name], text))
    if text.startswith(name):
        if len(board.compiled) >= COMPILED_LIMIT:
            board.compiled.clear()
        board.compiled[text] = entry
    return entry


def _intends(owner: Slots, at: int, offered: int, ways: Ways, fleets: int) -> bool:
    """Whether an own fleet's possible convoy order shows that an army means to go by sea (4.A.3, 6.G.1, 6.G.19)."""
    own = sum(1 << fleet for fleet in bits(offered) if owner[fleet] == owner[at])
    return any(way & own and way & fleets == way for way, _ in ways)
