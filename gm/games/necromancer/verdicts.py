"""The result of each movement order, with its clause and who stopped it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from gm.games.api import ResultWord
from gm.games.necromancer.explain import Why, actor, why_failed, why_second_failed
from gm.games.necromancer.ids import PowerId
from gm.games.necromancer.movement import Movement, actors_of_exit
from gm.games.necromancer.orders import Order
from gm.games.necromancer.outcome import Outcome
from gm.games.necromancer.pools import Part


@cache
def done(rule: str) -> Why:
    """A plain success by some clause."""
    return Why("done", rule)


def movement_outcomes(run: Movement, sheets: Mapping[PowerId, Sequence[Order] | None]) -> tuple[Outcome, ...]:
    """An outcome for every movement order, powers in alphabetical order, each one's orders in sheet order."""
    plan = run.plan
    parts: dict[tuple[PowerId, int], tuple[Part, Part]] = {}
    for part in plan.parts:
        for piece in (part, *part.riders):
            for number, _ in piece.slots:
                parts[piece.owner, number] = (piece, part)
    found: list[Outcome] = []
    for power in sorted(sheets):
        for number, order in enumerate(sheets[power] or ()):
            verdict = plan.verdicts.get((power, number))
            if verdict:
                result, code, rule = verdict
                valid = False if order.kind == "support" else None
                found.append(_outcome(power, order, result, Why(code, rule), valid=valid))
            elif (power, number) in parts:
                piece, carrier = parts[power, number]
                found.append(_judge(run, power, order, piece, carrier))
            else:
                found.append(_outcome(power, order, "ok", Why("kept", "17.6")))
    return tuple(found)


def _outcome(
    power: PowerId,
    order: Order,
    result: str,
    why: Why,
    steps: tuple[ResultWord, ...] = (),
    valid: bool | None = None,
) -> Outcome:
    word: ResultWord = result  # type: ignore[assignment]  # the verdicts of compile use the same words
    return Outcome(power, order, word, why.code, why.rule, steps, why.actors, valid)


def _judge(run: Movement, power: PowerId, order: Order, piece: Part, carrier: Part) -> Outcome:
    if piece is not carrier:
        return _rider(run, power, order, piece, carrier)
    if order.kind == "support":
        return _support(run, power, order, piece)
    if order.kind in ("build_fleet", "build_engine"):
        return _build(run, power, order, piece)
    if order.kind == "move":
        if piece.joins:
            return _joined(run, power, order, piece)
        return _move(run, power, order, piece)
    return _outcome(power, order, "ok", done(_rule_of_success(run, piece, order)))


def _rider(run: Movement, power: PowerId, order: Order, piece: Part, carrier: Part) -> Outcome:
    rule = "18.10" if piece.atoms[0].kind == "N" else "16.10"
    if carrier.slots:
        led = _judge(run, carrier.owner, carrier.slots[0][1], carrier, carrier)
        if led.result not in ("ok", "partial"):
            return _outcome(power, order, led.result, Why(led.code, led.rule, led.stopped_by))
    return _outcome(power, order, "ok", done(rule))


def _move(run: Movement, power: PowerId, order: Order, part: Part) -> Outcome:
    if part.kind == "move" and not part.success:
        why = why_failed(run.plan, run.solver, part)
        steps: tuple[ResultWord, ...] = ("bounce", "bounce") if part.then >= 0 else ()
        return _outcome(power, order, "bounce", why, steps)
    rule = _rule_of_success(run, part, order)
    if part.then < 0:
        return _outcome(power, order, "ok", done(rule))
    if run.second is None or part.second < 0:
        driven = run.exits[id(part)]
        why = Why("dislodged_first", "12.2", actors_of_exit(driven))
        return _outcome(power, order, "bounce", why, ("ok", "bounce"))
    if part.second_success:
        return _outcome(power, order, "ok", done(rule), ("ok", "ok"))
    why = why_second_failed(run.plan, run.second, part)
    return _outcome(power, order, "bounce", why, ("ok", "bounce"))


def _joined(run: Movement, power: PowerId, order: Order, part: Part) -> Outcome:
    """A part that stays to be joined: done if anybody joined it."""
    if part.total == len(part.atoms):
        return _outcome(power, order, "ok", done("13.2"))
    problem = run.plan.problem
    joiners = [
        run.plan.moves[m]
        for g in problem.into[part.origin]
        if problem.held[g] and problem.owner[g] == run.plan.powers[power]
        for m in problem.parts[g]
    ]
    if any(p.success for p in joiners) or not joiners:
        return _outcome(power, order, "ok", done("13.10"))
    return _outcome(power, order, "bounce", why_failed(run.plan, run.solver, joiners[0]))


def _support(run: Movement, power: PowerId, order: Order, part: Part) -> Outcome:
    cutters = tuple(actor(p, "moved") for p in sorted(part.cut, key=lambda p: -p.strength))
    driven = run.exits.get(id(part)) if part.at < 0 else None
    if driven and driven.kind == "dislodged" and driven.place == part.origin and part.support:
        return _outcome(power, order, "cut", Why("dislodged", "2", actors_of_exit(driven)), valid=True)
    stack = len(part.atoms) > 1 or part.led
    if part.support == 0:
        rule = "18.12" if part.led else "13.7" if stack else "2"
        why = Why("cut", rule, cutters) if cutters else Why("expelled", "21.8")
        return _outcome(power, order, "cut", why, valid=True)
    if part.support < part.strength:
        rule = "18.12" if part.led else "13.7"
        why = Why("reduced", rule, cutters) if cutters else Why("expelled", "21.8")
        return _outcome(power, order, "partial", why, valid=True)
    return _outcome(power, order, "ok", done(_rule_of_success(run, part, order)), valid=True)


def _build(run: Movement, power: PowerId, order: Order, part: Part) -> Outcome:
    fleet = order.kind == "build_fleet"
    driven = run.exits.get(id(part)) if part.at < 0 else None
    if part.cut:
        cutters = tuple(actor(p, "moved") for p in part.cut)
        return _outcome(power, order, "cut", Why("attacked", "14.3" if fleet else "15.2", cutters))
    if driven:
        return _outcome(
            power, order, "cut", Why("dislodged", "14.4" if fleet else "15.3", actors_of_exit(driven))
        )
    return _outcome(power, order, "ok", done(_rule_of_success(run, part, order)))


def _rule_of_success(run: Movement, part: Part, order: Order) -> str:
    """The clause that a success follows."""
    kind = part.atoms[0].kind
    if order.kind in ("build_fleet", "build_engine"):
        return "14.5" if order.kind == "build_fleet" else "15.4"
    if kind == "N":
        return "18.7" if order.kind == "move" else "18.2"
    if kind == "W":
        return "16.6"
    if kind == "C" and part.then >= 0:
        return "12.2"
    if part.total:
        return "13.9"
    if len(part.atoms) > 1:
        return "13.6"
    here = run.plan.by_place[part.origin]
    if len(here) > 1 and order.kind != "hold" and sum(not p.zero for p in here) > 1:
        return "13.3" if order.kind == "move" else "13.4"
    return "2"
