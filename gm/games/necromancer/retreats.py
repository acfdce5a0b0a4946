"""Retreats: strength zero for all, so two that meet are disbanded (4); a Wizard or Nazgûl blocks (16.7, 18.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from gm.games.api import ResultWord
from gm.games.necromancer.board import Board, mask_places
from gm.games.necromancer.centres import saruman_falls
from gm.games.necromancer.compile import ADJUSTMENT_KINDS, RETREAT_KINDS, wrong_side
from gm.games.necromancer.ids import SARUMAN, SAURON, ZERO, Place, PowerId
from gm.games.necromancer.model import Dislodged, Game, Unit, is_adjustment_year, normalise
from gm.games.necromancer.orders import Order
from gm.games.necromancer.outcome import Actor, Happening, Outcome, Resolution


def offered(
    game: Game, board: Board, dislodged: Dislodged, units: Iterable[Unit] | None = None
) -> tuple[Place, ...]:
    """Where a unit may retreat as far as its owner can know, in map order; or, with `units`, as far as somebody can
    who knows of these units only.

    Nothing is left out because of a foreign Wizard or Nazgûl, or of Dragons and Spiders that nobody has seen: that
    would tell where they are. Such a retreat is blocked when it is made.
    """
    unit = dislodged.unit
    here = board.index[unit.place]
    if unit.kind == "N":
        mask = board.nazgul[here]
    elif unit.kind == "W" or unit.fleets >= unit.strength:
        mask = board.fleet[here]
    else:
        mask = board.army[here]
    near = mask_places(board, mask)
    around = set(near)
    taken = {
        u.place
        for u in (game.units if units is None else units)
        if u.place in around and not _may_share(u, unit) and not _unseen(u, unit.owner)
    }
    open_places = board.offboard if game.options.retreat_to_eriador else ()
    if unit.kind in ZERO and not game.options.wizard_and_nazgul_coexist_in_eriador:
        open_places = ()
    found: list[Place] = []
    for place in near:
        if place in board.offboard:
            if place in open_places:
                found.append(place)
            continue
        if place in taken or place in game.contested or place in dislodged.attacker_from:
            continue
        if unit.kind == "W" and board[place].kind == "sea" and not _ship(game, unit, place):
            continue
        natural = game.options.alignment and place not in game.natural_lost
        if natural and wrong_side(board, board[place].alignment, unit.owner):
            continue
        found.append(place)
    return tuple(found)


def _may_share(there: Unit, unit: Unit) -> bool:
    """Whether a unit in place leaves room: one side of the pair is a Wizard or Nazgûl of the same power."""
    return there.owner == unit.owner and (there.kind in ZERO) != (unit.kind in ZERO)


def _unseen(there: Unit, owner: PowerId) -> bool:
    return there.owner != owner and (there.kind in ZERO or (there.secret and there.kind in "DS"))


def _ship(game: Game, wizard: Unit, place: Place) -> bool:
    """Whether an army/fleet may carry the Wizard at sea: one in place, or one driven out together with him (16.10)."""
    if any(u.owner == wizard.owner and u.place == place for u in game.units):
        return True
    return any(
        d.unit.owner == wizard.owner and d.unit.place == wizard.place and d.unit.fleets
        for d in game.dislodged
    )


@dataclass(slots=True)
class _Flight:
    """A dislodged unit and what it tries."""

    dislodged: Dislodged
    order: Order | None
    number: int
    early: bool
    goal: Place | None = None
    result: ResultWord = "ok"
    code: str = "done"
    rule: str = "4"
    stopped_by: tuple[Actor, ...] = ()


def resolve_retreats(
    game: Game, board: Board, sheets: Mapping[PowerId, Sequence[Order] | None]
) -> Resolution:
    """Carry out the retreats. The state that comes out is still in its retreat step; `engine` moves it on."""
    used: set[tuple[PowerId, int]] = set()
    flights = [_flight(game, sheets, d, used) for d in game.dislodged]
    for flight in flights:
        _choose(game, board, flight)
    _clash(game, board, flights)
    _board_ships(game, board, flights)
    return _finish(game, board, sheets, flights)


def _flight(
    game: Game,
    sheets: Mapping[PowerId, Sequence[Order] | None],
    dislodged: Dislodged,
    used: set[tuple[PowerId, int]],
) -> _Flight:
    owner = dislodged.unit.owner
    fresh = [(number, order, False) for number, order in enumerate(sheets.get(owner) or ())]
    listed = [(number, order, True) for number, order in enumerate(game.retreat_lists.get(owner, ()))]
    for orders in (fresh, listed):
        open_to = [o for o in orders if _key(owner, o) not in used and _names(o[1], dislodged.unit)]
        exact = [o for o in open_to if o[1].unit and o[1].unit.strength == dislodged.unit.strength]
        # a stack retreats as one (13.15): a single order that names a part of it is for the whole, two would split it
        for number, order, early in exact or (open_to if len(open_to) == 1 else ()):
            used.add(_key(owner, (number, order, early)))
            return _Flight(dislodged, order, number, early)
    return _Flight(dislodged, None, -1, early=False)


def _key(owner: PowerId, numbered: tuple[int, Order, bool]) -> tuple[PowerId, int]:
    number, _, early = numbered
    return (owner, -1 - number if early else number)


def _names(order: Order, unit: Unit) -> bool:
    ref = order.unit
    return (
        order.kind in RETREAT_KINDS and ref is not None and (ref.place, ref.kind) == (unit.place, unit.kind)
    )


def _choose(game: Game, board: Board, flight: _Flight) -> None:
    order = flight.order
    if order is None:
        flight.code = "no_order"
    elif order.kind == "retreat":
        possible = offered(game, board, flight.dislodged)
        flight.goal = next((place for place in order.choices if place in possible), None)
        if flight.goal is None:
            flight.result, flight.code, flight.rule = "illegal", "closed", "2"
            return
        owner = flight.dislodged.unit.owner
        blockers = [
            u
            for u in game.units
            if u.place == flight.goal and _unseen(u, owner) and flight.goal not in board.offboard
        ]
        if blockers:
            flight.result, flight.code = "blocked", "blocked_by_hidden"
            flight.rule = {"W": "16.7", "N": "18.2"}.get(blockers[0].kind, "17.3")
            flight.stopped_by = tuple(Actor(u.owner, u.ref, "present") for u in blockers)
            flight.goal = None


def _clash(game: Game, board: Board, flights: list[_Flight]) -> None:
    meeting: dict[Place, list[_Flight]] = {}
    for flight in flights:
        if flight.goal is not None and flight.goal not in board.offboard:
            meeting.setdefault(flight.goal, []).append(flight)
    for together in meeting.values():
        if len(together) < 2 or _sail_together(game, board, together):
            continue
        for flight in together:
            flight.goal = None
            flight.result, flight.code, flight.rule = "bounce", "clash", "4"
            flight.stopped_by = tuple(
                Actor(f.dislodged.unit.owner, f.dislodged.unit.ref, "moved")
                for f in together
                if f is not flight
            )


def _sail_together(game: Game, board: Board, flights: list[_Flight]) -> bool:
    """A Wizard and the army/fleet that carries him (16.10); any army with its Wizard or Nazgûl by house rule."""
    if len(flights) != 2:
        return False
    a, b = (f.dislodged.unit for f in flights)
    if a.owner != b.owner or (a.kind in ZERO) == (b.kind in ZERO):
        return False
    at_sea = a.place == b.place and board[a.place].kind == "sea"
    return at_sea or not game.options.joint_retreats_bounce


def _board_ships(game: Game, board: Board, flights: list[_Flight]) -> None:
    """A Wizard whose ship did not come where he went has no retreat (16.10)."""
    for flight in flights:
        unit = flight.dislodged.unit
        if unit.kind != "W" or flight.goal is None or board[flight.goal].kind != "sea":
            continue
        ships = [u for u in game.units if u.owner == unit.owner and u.place == flight.goal]
        if not ships and not any(f.goal == flight.goal for f in flights if f is not flight):
            flight.goal = None
            flight.result, flight.code, flight.rule = "illegal", "sea", "16.10"


def _finish(
    game: Game,
    board: Board,
    sheets: Mapping[PowerId, Sequence[Order] | None],
    flights: list[_Flight],
) -> Resolution:
    units = list(game.units)
    told: list[Happening] = []
    outcomes: dict[tuple[PowerId, int], Outcome] = {}
    early: list[Outcome] = []
    nazgul_due, wizard_lost = game.nazgul_due, False
    for flight in flights:
        unit = flight.dislodged.unit
        if flight.order is not None:
            outcome = Outcome(
                unit.owner,
                flight.order,
                flight.result,
                flight.code,
                flight.rule,
                stopped_by=flight.stopped_by,
                went_to=flight.goal or "",
            )
            if flight.early:
                early.append(outcome)
            else:
                outcomes[unit.owner, flight.number] = outcome
        if flight.goal is not None:
            units.append(_arrive(board, unit, flight.goal, told))
            continue
        why = "disband" if flight.order is not None and flight.order.kind == "disband" else flight.code
        told.append(
            Happening(
                "disbanded", flight.rule, unit.owner, unit.ref, unit.place, flight.stopped_by, {"why": why}
            )
        )
        if unit.kind == "N":
            nazgul_due = True
            told.append(Happening("destroyed", "18.13", SAURON, unit.ref, unit.place))
        elif unit.kind == "W":
            wizard_lost = True
            told.append(Happening("destroyed", "16.11", SARUMAN, unit.ref, unit.place))
    after = replace(
        game, units=normalise(units), dislodged=(), contested=(), retreat_lists={}, nazgul_due=nazgul_due
    )
    if wizard_lost:
        after, more = saruman_falls(after)
        told += more
    listed = _other_outcomes(game, sheets, outcomes)
    return Resolution(game, after, (*listed, *early), tuple(told))


def _arrive(board: Board, unit: Unit, goal: Place, told: list[Happening]) -> Unit:
    told.append(Happening("retreated", "4", unit.owner, unit.ref, goal))
    if unit.fleets and board[goal].kind not in ("coast", "sea"):
        told.append(Happening("fleet_lost", "14.7", unit.owner, unit.ref, goal, data={"fleets": unit.fleets}))
        return replace(unit, place=goal, fleets=0)
    return replace(unit, place=goal)


def _other_outcomes(
    game: Game,
    sheets: Mapping[PowerId, Sequence[Order] | None],
    outcomes: dict[tuple[PowerId, int], Outcome],
) -> list[Outcome]:
    """All outcomes in order, with those orders that no dislodged unit could use."""
    found: list[Outcome] = []
    for power in sorted(sheets):
        for number, order in enumerate(sheets[power] or ()):
            known = outcomes.get((power, number))
            if known is None:
                if order.kind in ADJUSTMENT_KINDS and is_adjustment_year(game.year):
                    known = Outcome(power, order, "ok", "kept", "17.6")
                else:
                    code = "no_unit" if order.kind in RETREAT_KINDS else "phase"
                    known = Outcome(power, order, "illegal", code, "2")
            found.append(known)
    return found
