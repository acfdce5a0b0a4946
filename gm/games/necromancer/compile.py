"""Orders of a movement phase to numbers: static legality, multiple armies, Lead, supports and what cuts them.

Everything here is decided before anybody moves. What is wrong with an order becomes a verdict, and its armies stay
without an order; all the rest goes into a `resolve.Problem`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gm.games.necromancer.board import Board
from gm.games.necromancer.ids import SARUMAN, SAURON, STANDING, Place, PowerId
from gm.games.necromancer.model import Game, Unit, is_adjustment_year
from gm.games.necromancer.orders import Order, UnitRef
from gm.games.necromancer.plan import Plan
from gm.games.necromancer.pools import Part, Slot, atoms_of, can_stack, share_out, single
from gm.games.necromancer.problem import Problem
from gm.games.necromancer.static import check_path, check_stay
from gm.games.necromancer.supports import attach_supports

MOVEMENT_KINDS = frozenset({"hold", "move", "support", "build_fleet", "build_engine", "lead"})
RETREAT_KINDS = frozenset({"retreat", "disband"})
ADJUSTMENT_KINDS = frozenset({"build", "remove", "waive", "activate", "raise"})


def compile_orders(game: Game, board: Board, sheets: Mapping[PowerId, Sequence[Order] | None]) -> Plan:
    """The plan of a movement phase. Total: whatever the sheets hold gets a part or a verdict."""
    owners = sorted({u.owner for u in game.units})
    plan = Plan(game, board, {o: i for i, o in enumerate(owners)}, Problem(len(board.provinces)))
    _make_parts(plan, sheets)
    for part in plan.parts:
        _check(plan, part)
    _lead(plan)
    _passengers(plan)
    if plan.stacks:
        _check_nazgul_stacks(plan)
        _join(plan)
    _number(plan)
    attach_supports(plan)
    return plan


def _make_parts(plan: Plan, sheets: Mapping[PowerId, Sequence[Order] | None]) -> None:
    pools: dict[tuple[PowerId, Place, str], list[Unit]] = {}
    key: tuple[PowerId, Place, str]
    nazgul: Place | None = None
    for unit in plan.game.units:
        kind = "A" if unit.kind in "ADS" else unit.kind
        if kind == "N":
            nazgul = unit.place
        atoms = [unit] if unit.strength == 1 else atoms_of(unit)
        key = (unit.owner, unit.place, kind)
        if key in pools:
            pools[key] += atoms
        else:
            pools[key] = atoms
    slots: dict[tuple[PowerId, Place, str], list[Slot]] = {}
    later = RETREAT_KINDS | (ADJUSTMENT_KINDS if is_adjustment_year(plan.game.year) else frozenset())
    out = {SAURON} if plan.game.sauron_out else set()
    if plan.game.saruman_out:
        out.add(SARUMAN)
    for power in sorted(sheets):
        for number, order in enumerate(sheets[power] or ()):
            ref = order.unit
            if order.kind in later:
                continue
            if power in out:
                plan.verdicts[power, number] = ("illegal", "out", "16.11")
            elif ref is None or order.kind not in MOVEMENT_KINDS:
                plan.verdicts[power, number] = ("illegal", "phase", "2")
            else:
                key = (power, ref.place, "A" if ref.kind in "ADS" else ref.kind)
                if _is_there(ref, pools.get(key)):
                    slots.setdefault(key, []).append((number, order))
                else:
                    plan.verdicts[power, number] = ("illegal", "no_unit", "2")
    for key, atoms in pools.items():
        owner, place, _ = key
        mine = slots.get(key, ())
        if len(atoms) == 1 and len(mine) < 2:
            only = single(plan.board, owner, place, atoms, mine)
            if only:
                plan.add(only)
                continue
        for part in share_out(plan.board, owner, place, atoms, mine, nazgul, plan.verdicts):
            plan.add(part)


def _is_there(ref: UnitRef, atoms: list[Unit] | None) -> bool:
    if not atoms or ref.strength < 1:
        return False
    return ref.kind not in "DS" or any(a.kind == ref.kind for a in atoms)


def _check(plan: Plan, part: Part) -> None:
    """Static legality of the orders of one part."""
    if part.owner == STANDING:
        part.ordered = not plan.game.sauron_out
        return
    if not part.slots:
        return
    order = part.slots[0][1]
    if order.kind == "hold":
        part.ordered = True
        return
    if part.kind == "move" and len(order.path) == 1 and not part.zero:
        # the plain case: armies, with or without fleets, across an ordinary border
        target = plan.board.index.get(order.path[0], part.origin)
        if plan.board.army[part.origin] >> target & 1:
            part.ordered, part.target = True, target
            plan.stacks |= part.total > 0 or len(part.atoms) > 1
            return
    if order.kind == "move":
        wrong = check_path(plan.board, plan.game, part, order)
    else:
        wrong = check_stay(plan.board, part, order)
    if wrong:
        plan.fail(part, *wrong)
        return
    part.ordered = True
    if order.kind == "move":
        plan.stacks |= part.total > 0 or len(part.atoms) > 1
        part.then = plan.board.index[order.path[1]] if len(order.path) == 2 else -1
        part.target = plan.board.index[order.path[0]]
        part.joins = part.kind == "stay" and part.total > 0
    elif order.kind in ("build_fleet", "build_engine"):
        part.builds = order.kind.removeprefix("build_")
    elif order.kind in ("support", "lead"):
        part.inner = order.inner


def same_order(a: Order, b: Order) -> bool:
    """Whether two orders say the same, apart from attachments and nationality left unsaid."""
    if a.kind != b.kind or a.path != b.path or a.total != b.total:
        return False
    if (a.unit is None) != (b.unit is None) or (a.inner is None) != (b.inner is None):
        return False
    if (
        a.unit
        and b.unit
        and (a.unit.kind, a.unit.place, a.unit.strength)
        != (
            b.unit.kind,
            b.unit.place,
            b.unit.strength,
        )
    ):
        return False
    return not (a.inner and b.inner) or same_order(a.inner, b.inner)


def _lead(plan: Plan) -> None:
    """Tie the Nazgûl to the unit that it leads (18.10)."""
    nazgul = plan.nazgul
    if nazgul is None or nazgul.inner is None or not nazgul.slots or nazgul.slots[0][1].kind != "lead":
        return
    inner = nazgul.inner
    candidates = [p for p in plan.by_place[nazgul.origin] if p.owner == nazgul.owner and not p.zero]
    led = next(
        (p for p in candidates if p.ordered and any(same_order(inner, order) for _, order in p.slots)), None
    )
    if led is None and not plan.game.options.void_lead_holds and inner.unit is not None:
        strength = inner.unit.strength
        plain = next((p for p in candidates if p.slots and strength in p.strengths), None)
        if plain is not None:
            _ride(plan, nazgul, plain)
            for number, _ in nazgul.slots:
                plan.verdicts[nazgul.owner, number] = ("void", "no_match", "18.10")
            return
    if led is None:
        plan.fail(nazgul, "void", "no_match", "18.10")
        return
    if led.kind == "move" and plan.board.sea_mask >> led.target & 1:
        plan.fail(nazgul, "illegal", "sea", "18.6")
        return
    led.led = 1
    _ride(plan, nazgul, led)


def _ride(plan: Plan, rider: Part, carrier: Part) -> None:
    carrier.riders = (*carrier.riders, rider)
    plan.parts.remove(rider)
    plan.by_place[rider.origin].remove(rider)


def _passengers(plan: Plan) -> None:
    """The Wizard aboard an army/fleet (16.10)."""
    wizard = plan.wizard
    if wizard is None:
        return
    here = [p for p in plan.by_place[wizard.origin] if p.owner == wizard.owner and not p.zero]
    sea = plan.board.sea_mask
    if wizard.kind == "move" and sea >> wizard.target & 1:
        carrier = next((p for p in here if p.kind == "move" and p.target == wizard.target), None)
        waiting = any(
            p.owner == wizard.owner and p.kind == "stay" and not p.zero
            for p in plan.by_place.get(wizard.target, ())
        )
        if carrier:
            _ride(plan, wizard, carrier)
        elif not waiting:
            plan.fail(wizard, "illegal", "sea", "16.10")
    if wizard.kind == "stay" and sea >> wizard.origin & 1 and here and all(p.kind == "move" for p in here):
        _ride(plan, wizard, here[0])


def _check_nazgul_stacks(plan: Plan) -> None:
    """Sauron's multiple armies move to where the Nazgûl will be, or not at all (18.11)."""
    rider = plan.nazgul
    carrier = next((p for p in plan.parts if rider in p.riders), None)
    for part in plan.parts:
        if part.owner != SAURON or part.zero or (part.kind == "stay" and not part.joins):
            continue
        if len(part.atoms) < 2 and part.total < 2:
            continue
        if rider is None:
            end = -1
        elif carrier is not None:
            end = carrier.target
        else:
            end = rider.then if rider.then >= 0 else rider.target
        if end != part.target:
            plan.fail(part, "misorder", "stack", "18.11")


def _join(plan: Plan) -> None:
    """Multiple armies that form must state their strength, and state it rightly (13.2)."""
    by_goal: dict[tuple[PowerId, int], list[Part]] = {}
    for part in plan.parts:
        if part.kind == "move" or part.joins:
            by_goal.setdefault((part.owner, part.target), []).append(part)
    for (owner, target), parts in by_goal.items():
        if all(part.total == 0 for part in parts):
            continue
        armies = [part for part in parts if not part.zero and not any(a.kind == "C" for a in part.atoms)]
        total = sum(len(part.atoms) for part in armies)
        stack = can_stack(owner, plan.board.provinces[target].id, plan.board.provinces[target].id)
        if not stack:
            for part in parts:
                if part.total > 1:
                    plan.fail(part, "illegal", "stack", "13.13")
                else:
                    part.total = 0
        elif any(part.total != total for part in armies):
            for part in armies:
                if plan.game.options.miscounted_stack_voids_orders:
                    plan.fail(part, "misorder", "miscount", "13.2")
                else:
                    part.total, part.joins = 0, False


def _number(plan: Plan) -> None:
    """Fill the problem with moves, groups and those who stay."""
    problem, board = plan.problem, plan.board
    problem.open_mask = board.open_mask
    groups: dict[tuple[PowerId, int], int] = {}
    joined_by_stay = {(part.owner, part.origin) for part in plan.parts if part.joins}
    lone_bonus = plan.game.options.lone_wizard_or_nazgul_has_fortress
    for part in plan.parts:
        power, origin = plan.powers[part.owner], part.origin
        if part.kind == "move":
            _add_move(plan, part, groups, joined_by_stay)
            continue
        problem.stay_owner[origin] = power
        problem.stay_strength[origin] = max(problem.stay_strength[origin], 0) + part.strength
        if not part.zero:
            if not problem.stay_army[origin]:
                problem.fortress[origin] = 0
            problem.stay_army[origin] = True
        counts = not part.zero or (lone_bonus and not problem.stay_army[origin])
        if part.ordered and counts and board.fortress_mask >> origin & 1:
            problem.fortress[origin] = 1
    if plan.game.options.alignment:
        problem.repels = _repelled(plan)
        problem.single_strength_only = not plan.game.options.stack_overcomes_alignment


def _add_move(
    plan: Plan, part: Part, groups: dict[tuple[PowerId, int], int], joined_by_stay: set[tuple[PowerId, int]]
) -> None:
    problem = plan.problem
    key = (part.owner, part.target)
    if part.total and not part.zero and key in groups:
        group = groups[key]
        problem.parts[group].append(len(plan.moves))
    else:
        group = len(problem.parts)
        if part.total and not part.zero:
            groups[key] = group
        problem.parts.append([len(plan.moves)])
        problem.owner.append(plan.powers[part.owner])
        problem.goal.append(part.target)
        problem.held.append(bool(part.total) and key in joined_by_stay)
        problem.engine.append(False)
        problem.into[part.target] = (*problem.into[part.target], group)
    if any(atom.engines for atom in part.atoms):
        problem.engine[group] = True
    part.move, part.group = len(plan.moves), group
    problem.origin.append(part.origin)
    problem.target.append(part.target)
    problem.strength.append(part.strength)
    problem.group.append(group)
    problem.supports.append(())
    problem.zero.append(part.zero)
    problem.leaving[part.origin] = (*problem.leaving[part.origin], part.move)
    plan.moves.append(part)


def _repelled(plan: Plan) -> dict[tuple[int, int], bool]:
    """Which powers' units the land itself resists (21.4, 21.5)."""
    found: dict[tuple[int, int], bool] = {}
    for province in plan.board.provinces:
        if province.alignment == "none" or province.id in plan.game.natural_lost:
            continue
        for power, number in plan.powers.items():
            if wrong_side(plan.board, province.alignment, power):
                found[province.index, number] = True
    return found


def wrong_side(board: Board, alignment: str, power: PowerId) -> bool:
    """Good land repels Evil units and Evil land Good ones; Neutral units and standing armies of the land go free."""
    own = "evil" if power == STANDING else board.powers[power].alignment
    return {alignment, own} == {"good", "evil"}
