"""Second moves of cavalry and Nazgûl: after all first moves, before retreats (12.2, 18.7).

The same core decides them, with everybody else holding: strength one for cavalry, none for the Nazgûl, no supports and
no cuts.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from gm.games.necromancer.compile import Plan
from gm.games.necromancer.pools import Part
from gm.games.necromancer.resolve import Problem, Solver


@dataclass(slots=True)
class Second:
    """The second moves and how they ended."""

    movers: list[Part]
    solver: Solver
    indices: dict[int, int] = field(default_factory=dict)
    """id of a part -> its move in the solver."""

    def attempted(self, part: Part) -> bool:
        """Whether a part tried a second move."""
        return id(part) in self.indices

    def moved(self, part: Part) -> bool:
        """Whether its second move succeeded."""
        return id(part) in self.indices and self.solver.moved(self.indices[id(part)]) == 1


def run_second(plan: Plan, places: dict[int, int], movers: list[Part]) -> Second:
    """Decide the second moves.

    Args:
        plan: the movement phase.
        places: id of each part still on the board -> province index after first moves.
        movers: parts with a second step to make, in sheet order.
    """
    problem = Problem(len(plan.board.provinces))
    problem.open_mask = plan.board.open_mask
    problem.repels = plan.problem.repels
    problem.single_strength_only = plan.problem.single_strength_only
    second = Second(movers, Solver(problem))
    moving = {id(part) for part in movers}
    lone_bonus = plan.game.options.lone_wizard_or_nazgul_has_fortress
    concerned = {places[id(part)] for part in movers} | {part.then for part in movers}
    for part in plan.parts:
        place = places.get(id(part), -1)
        if place not in concerned or id(part) in moving:
            continue
        for piece in (part, *part.riders):
            problem.stay_owner[place] = plan.powers[part.owner]
            problem.stay_strength[place] = max(problem.stay_strength[place], 0) + piece.strength
            problem.stay_army[place] |= not piece.zero
        stood = part.kind == "stay" and part.ordered and (not part.zero or lone_bonus)
        if stood and plan.board.fortress_mask >> place & 1:
            problem.fortress[place] = 1
    for index, part in enumerate(movers):
        origin, target = places[id(part)], part.then
        second.indices[id(part)] = index
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
    second.solver = Solver(problem)
    second.solver.solve()
    return second
