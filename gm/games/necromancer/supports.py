"""Which supports are valid, how strong they are, and what stops builders: all settled before anybody moves.

A cut depends only on who attacks, never on who gets in, but for one case: a supporter that is driven out gives none.
That is left to `resolve`.
"""

from __future__ import annotations

from gm.games.necromancer.orders import Order
from gm.games.necromancer.plan import Plan
from gm.games.necromancer.pools import Part
from gm.games.necromancer.static import acts_in


def attach_supports(plan: Plan) -> None:
    """Match the supports, cut them, and put what is left into the problem; stop builders that are attacked."""
    for part in plan.parts:
        if part.builds:
            part.cut = tuple(
                m
                for m in _attackers(plan, part)
                if m.strength or plan.game.options.zero_strength_stops_builds
            )
            continue
        if part.inner is None or part.zero or part.kind != "stay":
            continue
        matched = _match(plan, part, part.inner)
        if isinstance(matched, str):
            for number, _ in part.slots:
                plan.verdicts[part.owner, number] = ("void", matched, _void_rule(plan, part.inner))
            continue
        _weigh(plan, part, matched)


def _void_rule(plan: Plan, inner: Order) -> str:
    """13.12 when a hold was supported and the whole stack there moves; else standard Diplomacy."""
    if inner.kind != "move" and inner.unit is not None:
        here = plan.by_place.get(plan.board.index[inner.unit.place], ())
        if here and all(p.kind == "move" or p.zero for p in here):
            return "13.12"
    return "2"


def _match(plan: Plan, part: Part, inner: Order) -> Part | str:
    """The part that a support is for, or the code of what is wrong."""
    assert inner.unit is not None
    ref = inner.unit
    place = plan.board.index.get(ref.place)
    stays = inner.kind != "move" or inner.path[:1] == (ref.place,)
    found: list[Part] = []
    for candidate in plan.by_place.get(-1 if place is None else place, ()):
        if (candidate.kind == "stay") != stays or candidate is part:
            continue
        if ref.owner is not None and ref.owner != candidate.owner:
            continue
        if not stays and not _same_goal(plan, candidate, inner):
            continue
        for someone in (candidate, *candidate.riders):
            if _named(someone, ref.kind, ref.strength):
                found.append(candidate)
                break
    if len(found) > 1:
        own = [candidate for candidate in found if candidate.owner == part.owner]
        found = own or found
        if any(candidate.owner != found[0].owner for candidate in found):
            return "ambiguous"
    if not found or (stays and found[0].origin == part.origin):
        return "no_match"
    return found[0]


def _same_goal(plan: Plan, candidate: Part, inner: Order) -> bool:
    if plan.board.index.get(inner.path[0]) != candidate.target:
        return False
    if inner.total and inner.total != candidate.total:
        return False
    then = plan.board.index.get(inner.path[1], -2) if len(inner.path) == 2 else -1
    if then == -1 and plan.game.options.support_may_name_first_step:
        return True
    return then == candidate.then


def _named(part: Part, kind: str, strength: int) -> bool:
    if strength not in (len(part.atoms), *part.strengths):
        return False
    if strength > 1:
        return kind == "A"
    return any(atom.kind == kind for atom in part.atoms)


def _attackers(plan: Plan, part: Part) -> list[Part]:
    """Moves of other powers into the province of a part."""
    problem = plan.problem
    own = plan.powers[part.owner]
    return [
        plan.moves[m] for g in problem.into[part.origin] if problem.owner[g] != own for m in problem.parts[g]
    ]


def _weigh(plan: Plan, part: Part, matched: Part) -> None:
    """The strength of a support: all components, less the strongest cutting attack (13.7, 18.12)."""
    problem = plan.problem
    assert part.inner is not None
    place = acts_in(part.inner)
    aimed_at = plan.board.index[place] if place else -1
    value = part.strength
    if problem.repels.get((part.origin, plan.powers[part.owner])):
        value -= 1
    strongest = 0
    own = plan.powers[part.owner]
    threatened = False
    for g in problem.into[part.origin]:
        if problem.owner[g] == own:
            continue
        threatened = True
        cutting = [m for m in problem.parts[g] if problem.origin[m] != aimed_at and problem.strength[m]]
        strength = sum(problem.strength[m] for m in cutting)
        part.cut += tuple(plan.moves[m] for m in cutting)
        strongest = max(strongest, strength)
    value -= strongest
    if part.led and value == 1 and strongest:
        value = 0
    part.support = max(value, 0)
    if part.support:
        matched.helpers += (part,)
        entry = (part.support, own, part.origin if threatened else -1)
        if matched.kind == "move":
            problem.supports[matched.move] = (*problem.supports[matched.move], entry)
        else:
            problem.hold_supports[matched.origin] = (*problem.hold_supports[matched.origin], entry)
