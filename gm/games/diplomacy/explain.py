"""Why an order of a movement phase came out as it did: one sentence and the clause, for players."""

from __future__ import annotations

from gm.games.diplomacy.board import bits, province_of
from gm.games.diplomacy.legal import fault
from gm.games.diplomacy.meta import BY_ID
from gm.games.diplomacy.orders import CONVOY, SUPPORT, read
from gm.games.diplomacy.outcome import Outcome


def explain(outcome: Outcome, at: int, text: str) -> tuple[str, str]:
    """Reason and rule for the order of the unit in province `at`; the reason of a plain success is empty."""
    word = outcome.word[at]
    match word:
        case "ok":
            return "", _ok_rule(outcome, at)
        case "bounce":
            return _bounce(outcome, at)
        case "cut":
            return _cut(outcome, at)
        case "noconvoy":
            if at in outcome.paradox:
                return "the convoy could only succeed by its own failure: it fails", "datc 4.A.2"
            return _noconvoy(outcome, at)
        case "disrupted":
            origin = outcome.dislodged[at]
            return f"dislodged by {_unit(outcome, origin)} from {_name(outcome, origin)}", "diplomacy 5.2"
        case "paradox":
            return "the convoy could only succeed by its own failure: it fails", "datc 4.A.2"
        case "void":
            return _void(outcome, at)
    order = read(text)
    if order is None:
        return "not an order for this phase; the unit holds", "diplomacy 10.1"
    found = fault(outcome.board, _pieces(outcome), order)
    return (found.message, found.rule) if found else ("it cannot be carried out", "datc 4.E.1")


def _ok_rule(outcome: Outcome, at: int) -> str:
    if outcome.target[at] is not None:
        return "diplomacy 5.1" if outcome.sea[at] else "diplomacy 2.1"
    return {SUPPORT: "diplomacy 4.1", CONVOY: "diplomacy 5.1"}.get(outcome.order[at][0], "diplomacy 2.4")


def _bounce(outcome: Outcome, at: int) -> tuple[str, str]:
    to = outcome.target[at]
    there = outcome.owner[to]
    name = _name(outcome, to)
    if there is not None:
        goes = outcome.target[to]
        head_on = goes == at and outcome.sea[at] is None and outcome.sea[to] is None
        if head_on and outcome.settled[to]:
            return f"beaten head to head by {_unit(outcome, to)} from {name}", "diplomacy 3.6"
        if goes is None or not outcome.settled[to]:
            if there == outcome.owner[at]:
                return f"{_unit(outcome, to)} in {name} did not leave", "diplomacy 3.5"
            if head_on:
                return f"stood off head to head by {_unit(outcome, to)} from {name}", "diplomacy 3.3"
    rivals = [other for other in outcome.into[to] if other != at and outcome.sea[other] is not False]
    winner = next((other for other in rivals if outcome.settled[other]), None)
    if winner is not None:
        return f"{_unit(outcome, winner)} from {_name(outcome, winner)} was stronger", "diplomacy 3.2"
    if there is not None and (outcome.target[to] is None or not outcome.settled[to]):
        return f"not strong enough against {_unit(outcome, to)} in {name}", "diplomacy 3.2"
    others = " and ".join(f"{_unit(outcome, other)} from {_name(outcome, other)}" for other in rivals)
    return f"stood off in {name} by {others}", "diplomacy 3.1"


def _cut(outcome: Outcome, at: int) -> tuple[str, str]:
    if at in outcome.dislodged:
        origin = outcome.dislodged[at]
        return f"dislodged by {_unit(outcome, origin)} from {_name(outcome, origin)}", "diplomacy 4.3"
    directed = outcome.order[at][3]
    cutters = [
        origin
        for origin in outcome.into[at]
        if outcome.owner[origin] != outcome.owner[at]
        and origin != directed
        and outcome.sea[origin] is not False
    ]
    by = " and ".join(f"{_unit(outcome, origin)} from {_name(outcome, origin)}" for origin in cutters)
    return f"cut by the attack of {by}", "diplomacy 4.2"


def _noconvoy(outcome: Outcome, at: int) -> tuple[str, str]:
    board = outcome.board
    to = outcome.target[at]
    fleets = [
        sea
        for sea in sorted({sea for route in board.routes(at, to) for sea in bits(route)})
        if outcome.order[sea] is not None and outcome.order[sea][1:3] == (at, to) and sea in outcome.dislodged
    ]
    if fleets:
        lost = " and ".join(_name(outcome, sea) for sea in fleets)
        return f"its convoy was disrupted: the fleet in {lost} was dislodged", "diplomacy 5.3"
    return f"no fleets were ordered to convoy it to {_name(outcome, to)}", "diplomacy 5.1"


def _void(outcome: Outcome, at: int) -> tuple[str, str]:
    _, of, to, *_ = outcome.order[at]
    unit = outcome.unit[of]
    goes = outcome.target[of]
    if goes is None:
        did = "was not ordered to move"
    else:
        place = outcome.order[of][3]
        did = f"was ordered to {outcome.board.spoken[place]}"
    if outcome.order[at][0] == SUPPORT and to is None and goes is not None:
        did += ", not to stay"
    return f"{unit} {did}", "diplomacy 4.4" if outcome.order[at][0] == SUPPORT else "diplomacy 5.1"


def _unit(outcome: Outcome, at: int) -> str:
    kind = "army" if outcome.unit[at][0] == "A" else "fleet"
    return f"the {BY_ID[outcome.owner[at]].adjective} {kind}"


def _name(outcome: Outcome, at: int) -> str:
    return outcome.board.spoken[outcome.board.ids[at]]


def _pieces(outcome: Outcome) -> dict[str, str]:
    """Province to unit, as `legal.fault` wants it."""
    return {province_of(unit[2:]): unit for unit in outcome.unit if unit is not None}
