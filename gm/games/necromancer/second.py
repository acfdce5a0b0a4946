"""Second moves of cavalry and Nazgûl: after all first moves, before retreats (12.2, 18.7).

The same core decides them, with everybody else holding: strength one for cavalry, none for the Nazgûl, no supports and
no cuts.
"""

from __future__ import annotations

from dataclasses import dataclass

from gm.games.necromancer.plan import Plan
from gm.games.necromancer.pools import Part
from gm.games.necromancer.problem import Problem
from gm.games.necromancer.resolve import Solver


@dataclass(slots=True)
class Second:
    """The second moves and how they ended."""

    movers: list[Part]
    """Indexed as in the solver."""
    solver: Solver


def start_of(part: Part) -> int:
    """Where a second move starts; a unit that was driven out while it held may start too, by house rule."""
    return part.origin if part.at_first < 0 else part.at_first


def run_second(plan: Plan, movers: list[Part]) -> Second:
    """Decide the second moves; `movers` are the parts that make one, in the order of the plan."""
    problem = Problem(len(plan.board.provinces))
    problem.open_mask = plan.board.open_mask
    problem.repels = plan.problem.repels
    problem.single_strength_only = plan.problem.single_strength_only
    for index, part in enumerate(movers):
        part.second = index
    lone_bonus = plan.game.options.lone_wizard_or_nazgul_has_fortress
    concerned = {start_of(part) for part in movers} | {part.then for part in movers}
    for part in plan.parts:
        place = part.at_first
        if place not in concerned or part.second >= 0:
            continue
        for piece in (part, *part.riders):
            problem.stay_owner[place] = plan.powers[part.owner]
            problem.stay_strength[place] = max(problem.stay_strength[place], 0) + piece.strength
            problem.stay_army[place] |= not piece.zero
        stood = part.kind == "stay" and part.ordered and (not part.zero or lone_bonus)
        if stood and plan.board.fortress_mask >> place & 1:
            problem.fortress[place] = 1
    for index, part in enumerate(movers):
        origin, target = start_of(part), part.then
        problem.origin.append(origin)
        problem.target.append(target)
        problem.strength.append(part.strength)
        problem.group.append(index)
        problem.supports.append(())
        problem.zero.append(part.zero)
        problem.parts.append([index])
        problem.owner.append(plan.powers[part.owner])
        problem.goal.append(target)
        problem.held.append(False)
        problem.engine.append(False)
        problem.into[target] = (*problem.into[target], index)
        problem.leaving[origin] = (*problem.leaving[origin], index)
    solver = Solver(problem)
    solver.solve()
    for part in movers:
        part.second_success = solver.moved(part.second) == 1
    return Second(movers, solver)
