"""Why a move failed: the comparison that it lost, the clause, and the actions that stopped it."""

from __future__ import annotations

from typing import NamedTuple

from gm.games.necromancer.orders import UnitRef, known_ref
from gm.games.necromancer.outcome import Actor
from gm.games.necromancer.plan import Plan
from gm.games.necromancer.pools import Part
from gm.games.necromancer.resolve import Solver
from gm.games.necromancer.second import Second


class Why(NamedTuple):
    """A failed comparison."""

    code: str
    rule: str
    actors: tuple[Actor, ...] = ()


def part_ref(part: Part) -> UnitRef:
    """A part as a unit at the place where it started."""
    atoms = part.atoms
    if len(atoms) == 1:
        only = atoms[0]
        return known_ref(only.kind, part.place, 1, only.fleets, only.engines)
    kinds = {atom.kind for atom in atoms}
    return UnitRef(
        atoms[0].kind if len(kinds) == 1 else "A",
        part.place,
        len(atoms),
        sum(atom.fleets for atom in atoms),
        max(atom.engines for atom in atoms),
    )


def actor(part: Part, doing: str) -> Actor:
    """A part as one of those who decided something."""
    if part.actors is None:
        part.actors = {}
    found = part.actors.get(doing)
    if found is None:
        found = part.actors[doing] = Actor(part.owner, part_ref(part), doing)
    return found


def why_failed(plan: Plan, solver: Solver, part: Part) -> Why:
    """The comparison that a failed first move lost."""
    problem = solver.p
    g, t = part.group, part.target
    stack = len(part.atoms) > 1 or len(problem.parts[g]) > 1
    if solver.border(part.move) == 0:
        others = [plan.moves[n] for n in solver.opposing[part.move]]
        own = any(o.owner == part.owner for o in others)
        rule = "13.9" if len(problem.parts[g]) > 1 else "2"
        actors = [actor(o, "moved") for o in others]
        actors += [a for o in others for a in _supporters(o)]
        return Why("own_unit" if own else "head_to_head", rule, tuple(actors))
    power = plan.powers[part.owner]
    occupant = solver.occupant(t)
    actors = []
    code, rule = "standoff", "13.6" if stack else "2"
    if g in solver.flagged:
        return Why(code, rule)
    if problem.held[g] or (part.zero and occupant == power):
        rule = "13.10" if problem.held[g] else "16.2" if part.atoms[0].kind == "W" else "18.2"
        return Why(code, rule, _attackers(plan, solver, t, power))
    attack = solver.attack_range(g, occupant if solver.hold_range(t)[0] >= 0 else -1)[0]
    remaining = _remaining(plan, t) if occupant >= 0 else []
    repelled = bool(problem.repels.get((t, power))) and attack <= 1
    if remaining and all(_hidden(p) for p in remaining):
        # hidden units are named only if nothing else explains the failure (16.9, 18.8)
        whole = solver.attack_range(g, -1)[0]
        if repelled or any(solver.prevent_range(h)[0] >= whole for h in solver.rivals(g)):
            remaining, attack = [], whole
    if occupant == power and not part.zero:
        blocking = [p for p in remaining if not p.zero]
        if blocking:
            code, rule = "own_unit", "13.11" if len(blocking[0].atoms) > 1 else "2"
            actors += [actor(p, "held" if p.kind == "stay" else "moved") for p in blocking]
    elif remaining and (hold := solver.hold_range(t, problem.engine[g])[0]) >= attack:
        armies = [p for p in remaining if not p.zero] or remaining
        actors += [actor(p, "held" if p.kind == "stay" else "moved") for p in armies]
        actors += [a for p in remaining if p.kind == "stay" for a in _supporters(p)]
        fort = 0 if problem.engine[g] else problem.fortress[t]
        if solver.attack_range(g, -1)[0] > hold:
            code, rule = "own_unit", "2"
        elif fort and attack > hold - fort:
            code, rule = "fortress", "7.2"
        else:
            code = "held"
    elif repelled:
        code, rule = "expelled", "21.6"
    for h in solver.rivals(g):
        if solver.prevent_range(h)[0] >= attack:
            parts = [plan.moves[m] for m in problem.parts[h]]
            actors += [actor(p, "moved") for p in parts]
            actors += [a for p in parts for a in _supporters(p)]
    return Why(code, rule, tuple({id(a): a for a in actors}.values()))


def _hidden(part: Part) -> bool:
    """Whether the others do not see a unit where it is (16.9, 17.4, 18.8)."""
    return part.zero or any(atom.secret and atom.kind in "DS" for atom in part.atoms)


def _supporters(part: Part) -> list[Actor]:
    return [actor(p, "supported") for p in part.helpers]


def _remaining(plan: Plan, t: int) -> list[Part]:
    """Parts that were in a province and did not leave it."""
    return [p for p in plan.by_place.get(t, ()) if not p.success]


def _attackers(plan: Plan, solver: Solver, t: int, own: int) -> tuple[Actor, ...]:
    """The moves of other powers that got into a province."""
    problem = solver.p
    return tuple(
        actor(plan.moves[m], "moved")
        for g in problem.into[t]
        if problem.owner[g] != own and solver.entered[g] == 1
        for m in problem.parts[g]
        if plan.moves[m].success
    )


def attackers_of(plan: Plan, solver: Solver, part: Part) -> list[Part]:
    """The moves of other powers that got into the province of a part that did not leave."""
    problem = solver.p
    own = plan.powers[part.owner]
    return [
        plan.moves[m]
        for g in problem.into[part.origin]
        if problem.owner[g] != own and solver.entered[g] == 1
        for m in problem.parts[g]
        if plan.moves[m].success
    ]


def why_second_failed(plan: Plan, second: Second, part: Part) -> Why:
    """The comparison that a failed second move lost."""
    solver = second.solver
    problem = solver.p
    index, t = part.second, part.then
    rule = "18.7" if part.zero else "12.2"
    if solver.border(index) == 0:
        return Why(
            "head_to_head", rule, tuple(actor(second.movers[n], "moved") for n in solver.opposing[index])
        )
    here = [p for p in plan.parts if p.at_first == t and not p.second_success and p is not part]
    armies = [p for p in here if not p.zero] or here
    rivals = [second.movers[h] for h in solver.rivals(index) if solver.prevent_range(h)[0] >= part.strength]
    needless = bool(rivals) and all(_hidden(p) for p in armies)
    if armies and not needless and solver.hold_range(t)[0] >= part.strength:
        return Why("occupied", rule, tuple(actor(p, "held") for p in armies))
    if problem.repels.get((t, plan.powers[part.owner])):
        return Why("expelled", "21.6")
    return Why("standoff", rule, tuple(actor(p, "moved") for p in rivals))
