"""One movement phase: first moves, second moves, who is driven out, what the units carry afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from gm.games.necromancer.board import Board
from gm.games.necromancer.compile import compile_orders
from gm.games.necromancer.explain import actor, attackers_of, part_ref
from gm.games.necromancer.ids import GONDOR, SARUMAN, SAURON, STANDING, ZERO, Place, PowerId
from gm.games.necromancer.model import Dislodged, Game, Unit, known_unit, normalise
from gm.games.necromancer.orders import Order
from gm.games.necromancer.outcome import Actor, Happening
from gm.games.necromancer.plan import Plan
from gm.games.necromancer.pools import Part
from gm.games.necromancer.resolve import Solver
from gm.games.necromancer.second import Second, run_second, start_of


@dataclass(slots=True)
class Exit:
    """A part that is driven out of a province."""

    part: Part
    place: int
    by: list[Part]
    origins: tuple[int, ...]
    """Where the attack came from."""
    kind: str
    """``"dislodged"``, ``"expelled"``, ``"broken"`` or ``"adrift"``."""


@dataclass(slots=True)
class Movement:
    """A movement phase after it was decided."""

    plan: Plan
    solver: Solver
    second: Second | None = None
    exits: dict[int, Exit] = field(default_factory=dict)
    """id of a part -> how it was driven out."""
    happenings: list[Happening] = field(default_factory=list)
    units: tuple[Unit, ...] = ()
    dislodged: tuple[Dislodged, ...] = ()
    lost: list[Dislodged] = field(default_factory=list)
    """Units in civil disorder that were driven out: they never retreat."""
    contested: tuple[Place, ...] = ()


def move(game: Game, board: Board, sheets: Mapping[PowerId, Sequence[Order] | None]) -> Movement:
    """Decide a movement phase. Total and deterministic; the order of `sheets` does not matter."""
    plan = compile_orders(game, board, sheets)
    solver = Solver(plan.problem)
    solver.solve()
    for part in plan.moves:
        part.success = solver.moved(part.move) == 1
    run = Movement(plan, solver)
    _first(run)
    _expel(run)
    _second(run)
    _break_stacks(run)
    _adrift(run)
    _settle(run)
    run.contested = _contested(run)
    return run


def _first(run: Movement) -> None:
    plan = run.plan
    into, open_mask = plan.problem.into, plan.board.open_mask
    for part in plan.parts:
        if part.success:
            part.at_first = part.at = part.target
            continue
        attackers: list[Part] = []
        if into[part.origin] and not open_mask >> part.origin & 1:
            attackers = attackers_of(plan, run.solver, part)
            # a Wizard or Nazgûl that only came along drives nobody out, and where it came from is its secret (18.8)
            attackers = [p for p in attackers if not p.zero] or attackers
        if attackers:
            origins = tuple(dict.fromkeys(p.origin for p in attackers))
            if not plan.game.options.all_joint_origins_closed:
                origins = (max(attackers, key=lambda p: p.strength).origin,)
            run.exits[id(part)] = Exit(part, part.origin, attackers, origins, "dislodged")
        else:
            part.at_first = part.at = part.origin


def _expel(run: Movement) -> None:
    """Units that the land drives out, because they could not hold against strength 1 (21.6, 21.7)."""
    problem = run.plan.problem
    for part in run.plan.parts if problem.repels else ():
        if part.at_first < 0 or part.success:
            continue
        if not problem.repels.get((part.origin, run.plan.powers[part.owner])):
            continue
        strength = run.solver.hold_range(part.origin, engine=True)[0]
        if problem.single_strength_only:
            here = [p for p in run.plan.by_place[part.origin] if not p.success]
            strength -= max(sum(p.strength for p in here) - 1, 0)
        if strength <= 1:
            part.at_first = part.at = -1
            run.exits[id(part)] = Exit(part, part.origin, [], (), "expelled")


def _second(run: Movement) -> None:
    plan = run.plan
    bold = not plan.game.options.dislodged_lose_second_move
    movers: list[Part] = []
    for part in plan.parts:
        if part.then < 0 or (part.kind == "move" and not part.success):
            continue
        if part.at_first >= 0 or (bold and run.exits[id(part)].kind == "dislodged"):
            movers.append(part)
    if not movers:
        return
    run.second = run_second(plan, movers)
    for part in movers:
        if part.second_success:
            part.at = part.then
            run.exits.pop(id(part), None)
    winners = [part for part in movers if part.second_success and not plan.board.open_mask >> part.then & 1]
    for part in plan.parts if winners else ():
        if part.at < 0 or part.second_success:
            continue
        by = [m for m in winners if m.then == part.at and m.owner != part.owner]
        if by:
            run.exits[id(part)] = Exit(part, part.at, by, tuple(start_of(m) for m in by), "dislodged")
            part.at = -1


def _nazgul_path(run: Movement) -> list[int]:
    """Where the Nazgûl was at the start, after first moves and after second moves."""
    nazgul = run.plan.nazgul
    if nazgul is None:
        return []
    carrier = next((p for p in run.plan.parts if nazgul in p.riders), nazgul)
    return [nazgul.origin, carrier.at_first, carrier.at if carrier.at >= 0 else carrier.at_first]


def _break_stacks(run: Movement) -> None:
    """Sauron's armies that share a province which the Nazgûl left, or never reached, must all retreat (18.11)."""
    path = _nazgul_path(run)
    here: dict[int, list[Part]] = {}
    for part in run.plan.parts:
        if part.owner == SAURON and not part.zero and part.at >= 0:
            here.setdefault(part.at, []).append(part)
    for place, parts in here.items():
        if sum(len(p.atoms) for p in parts) < 2 or run.plan.board.open_mask >> place & 1:
            continue
        left = any(a == place != b for a, b in pairwise(path))
        if path and path[-1] == place and not left:
            continue
        for part in parts:
            part.at = -1
            run.exits[id(part)] = Exit(part, place, [], (), "broken")


def _adrift(run: Movement) -> None:
    """A Wizard left at sea without an army/fleet must retreat (16.10)."""
    for part in run.plan.parts:
        place = part.at
        if place < 0 or not part.zero or not run.plan.board.sea_mask >> place & 1:
            continue
        company = any(p.owner == part.owner and not p.zero and p.at == place for p in run.plan.parts)
        if not company:
            part.at = -1
            run.exits[id(part)] = Exit(part, place, [], (), "adrift")


def _settle(run: Movement) -> None:
    """The units after the phase, in place and driven out."""
    board = run.plan.board
    standing_out = {SARUMAN} if run.plan.game.saruman_out else set()
    units: list[Unit] = []
    gone: dict[tuple[PowerId, Place, tuple[Place, ...]], list[Unit]] = {}
    for part in run.plan.parts:
        driven = None if part.at >= 0 else run.exits[id(part)]
        if driven is None and not part.riders and len(part.atoms) == 1 and not part.builds:
            only = part.atoms[0]
            if not (only.secret or only.fleets or only.engines):
                units.append(only if part.at == part.origin else only.at(board.provinces[part.at].id))
                continue
        for piece in (part, *part.riders):
            if driven is None:
                place = board.provinces[part.at].id
                units += [a if a.place == place else a.at(place) for a in _carry(run, piece)]
                continue
            place = board.provinces[driven.place].id
            origins = tuple(board.provinces[i].id for i in driven.origins)
            _tell_exit(run, piece, driven, place, origins)
            if part.owner == STANDING or part.owner in standing_out:
                run.lost += [Dislodged(atom, origins) for atom in piece.atoms]
                continue
            lost = [known_unit(a.owner, a.kind, place, a.strength, a.fleets) for a in piece.atoms]
            gone.setdefault((part.owner, place, origins), []).extend(lost)
    run.units = normalise(units)
    dislodged: list[Dislodged] = []
    for (owner, _, origins), driven_out in sorted(gone.items()):
        whole = normalise(driven_out) if owner == GONDOR else driven_out
        dislodged += [Dislodged(unit, origins) for unit in whole]
    run.dislodged = tuple(dislodged)
    _tell_joined(run)


def _tell_exit(run: Movement, piece: Part, driven: Exit, place: Place, origins: tuple[Place, ...]) -> None:
    ref = replace(part_ref(piece), place=place)
    kind, rule = {
        "dislodged": ("dislodged", "18.2" if piece.zero and piece.owner == SAURON else "2"),
        "expelled": ("expelled", "21.6"),
        "broken": ("broken", "18.11"),
        "adrift": ("dislodged", "16.10"),
    }[driven.kind]
    if piece.zero and piece.owner == SARUMAN and driven.kind == "dislodged":
        rule = "16.6"
    if piece.owner == STANDING:
        kind, rule = "standing_disbanded", "17.5"
    by = tuple(actor(p, "moved") for p in driven.by)
    run.happenings.append(
        Happening(kind, rule, piece.owner, ref, place, by, {"attacker_from": list(origins)})
    )
    if ref.engines:
        run.happenings.append(Happening("engine_lost", "15.7", piece.owner, ref, place))
    if any(a.secret for a in piece.atoms):
        run.happenings.append(Happening("revealed", "17.4", piece.owner, ref, place))


def _carry(run: Movement, part: Part) -> list[Unit]:
    """The atoms of a part with the fleets and engines that they have after the phase, and their secret kept or not."""
    atoms = part.atoms
    if any(a.secret for a in atoms) and part.ordered and part.slots:
        order = part.slots[0][1]
        if order.kind != "hold" or part.led:
            atoms = [replace(a, secret=False) for a in atoms]
            run.happenings.append(Happening("revealed", "17.4", part.owner, part_ref(part), part.place))
    if part.builds and not part.cut:
        return _build(run, part, atoms)
    attached = any(a.fleets or a.engines for a in atoms)
    if not attached:
        return atoms
    twice = part.second >= 0
    moved = part.success or part.second_success
    steps = [part.target] if part.success else []
    dry = run.plan.board.coast_mask | run.plan.board.sea_mask
    inland = any(not dry >> step & 1 for step in steps)
    ref = part_ref(part)
    if moved and ref.engines:
        atoms = [replace(a, engines=0) for a in atoms]
        run.happenings.append(Happening("engine_lost", "15.7", part.owner, ref, part.place))
    if ref.fleets and (inland or twice):
        atoms = [replace(a, fleets=0) for a in atoms]
        rule = "14.12" if twice else "14.7"
        run.happenings.append(
            Happening("fleet_lost", rule, part.owner, ref, part.place, data={"fleets": ref.fleets})
        )
    return atoms


def _build(run: Movement, part: Part, atoms: list[Unit]) -> list[Unit]:
    """Fleets for all armies that carry nothing, or one engine; failing those, an attachment is replaced (15.5)."""
    ref = part_ref(part)
    tell = run.happenings.append
    free = [i for i, a in enumerate(atoms) if not a.fleets and not a.engines]
    done = list(atoms)
    if part.builds == "fleet":
        chosen = free or [i for i, a in enumerate(atoms) if a.engines]
        if not free:
            tell(Happening("engine_lost", "15.5", part.owner, ref, part.place))
        for i in chosen:
            done[i] = replace(atoms[i], fleets=1, engines=0)
        rule = "14.5" if len(atoms) == 1 else "14.13"
        tell(Happening("fleet_built", rule, part.owner, ref, part.place, data={"fleets": len(chosen)}))
    else:
        i = free[-1] if free else len(atoms) - 1
        if not free:
            tell(Happening("fleet_lost", "15.5", part.owner, ref, part.place, data={"fleets": 1}))
        done[i] = replace(atoms[i], fleets=0, engines=1)
        tell(Happening("engine_built", "15.4", part.owner, ref, part.place))
    return done


def _tell_joined(run: Movement) -> None:
    if not run.plan.stacks:
        return
    problem = run.plan.problem
    for parts in problem.parts:
        first = run.plan.moves[parts[0]]
        arrived = [run.plan.moves[m] for m in parts if run.plan.moves[m].at >= 0]
        arrived = [p for p in arrived if p.success]
        if not first.total or not arrived:
            continue
        place = run.plan.board.provinces[first.target].id
        strength = sum(
            u.strength for u in run.units if u.place == place and u.owner == first.owner and u.kind in "ADS"
        )
        if strength > 1:
            run.happenings.append(
                Happening("joined", "13.9", first.owner, None, place, data={"strength": strength})
            )


def _contested(run: Movement) -> tuple[Place, ...]:
    """Provinces that look vacant and where a stand-off took place; no unit retreats there."""
    board = run.plan.board
    # a unit that nobody sees leaves the province contested all the same, or its closing would tell of the unit
    occupied = {u.place for u in run.units if u.kind not in ZERO and not (u.secret and u.kind in "DS")}
    solvers = [run.solver]
    if run.second is not None and run.plan.game.options.second_moves_close_retreats:
        solvers.append(run.second.solver)
    closed = {driven.place for driven in run.exits.values() if driven.kind == "broken"}
    for solver in solvers:
        goals = solver.p.goal
        for t in {t for t in goals if not board.open_mask >> t & 1} if len(goals) > 1 else ():
            groups = solver.p.into[t]
            if len(groups) > 1:
                bounced = [g for g in groups if solver.entered[g] == 0 and solver.prevent_range(g)[0] >= 0]
                if len(bounced) > 1:
                    closed.add(t)
    return tuple(p.id for p in board.provinces if p.index in closed and p.id not in occupied)


def actors_of_exit(driven: Exit) -> tuple[Actor, ...]:
    """Who drove a part out."""
    return tuple(actor(p, "moved") for p in driven.by)
