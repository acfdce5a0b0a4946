"""Adjustments: builds, removals, Saruman's army at the Wizard, activation, a new Nazgûl (13.14, 16-18)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gm.games.necromancer.activate import activate, candidates, raise_nazgul, raising_places
from gm.games.necromancer.board import Board
from gm.games.necromancer.centres import (
    ERIADOR_HOMES,
    eriador_open,
    homes,
    is_build_centre,
    supported,
    upkeep,
)
from gm.games.necromancer.ids import ERIADOR, GONDOR, ROHAN, SARUMAN, SAURON, ZERO, Place, PowerId
from gm.games.necromancer.ledger import DONE, Ledger, Step, Verdict
from gm.games.necromancer.model import Game, Unit, normalise
from gm.games.necromancer.orders import Order, UnitRef
from gm.games.necromancer.outcome import Actor, Happening, Outcome, Resolution
from gm.games.necromancer.removal import first_to_go


@dataclass(frozen=True, slots=True)
class Owed:
    """What one power may or must do in an adjustment phase, as far as it can know itself."""

    power: PowerId
    balance: int
    """Builds if positive, removals if negative."""
    sites: tuple[Place, ...]
    """Where it may build."""
    activate: tuple[UnitRef, ...] = ()
    """What Sauron may activate."""
    raise_at: tuple[Place, ...] = ()
    """Where a new Nazgûl may appear."""

    @property
    def builds(self) -> int:
        """Builds that can be carried out; Saruman has room for one army at the Wizard."""
        if self.balance <= 0 or not self.sites:
            return 0
        return self.balance if self.power != SARUMAN else min(self.balance, len(self.sites))

    @property
    def anything(self) -> bool:
        """Whether there is anything to order."""
        return bool(self.builds or self.balance < 0 or self.activate or self.raise_at)


def owed(game: Game, board: Board, power: PowerId) -> Owed:
    """What a power has to order now; hidden units of others make no difference to it."""
    balance = supported(game, power) - upkeep(game, power)
    if power == SAURON and game.sauron_out:
        return Owed(power, 0, ())
    sites = tuple(place for place in _sites(game, board, power))
    if power != SAURON:
        return Owed(power, balance, sites)
    return Owed(power, balance, sites, candidates(game, board), raising_places(game, board))


def _sites(game: Game, board: Board, power: PowerId) -> list[Place]:
    if power == SARUMAN and game.saruman_out:
        return []
    found = [
        place
        for place in homes(game, board, power)
        if game.centres.get(place) == power and _room(game.units, place, power)
    ]
    if power in ERIADOR_HOMES and eriador_open(game):
        found.append(ERIADOR)
    if power == SARUMAN:
        wizard = next((u.place for u in game.units if u.kind == "W"), None)
        if wizard and wizard not in found and _may_raise(game, board, wizard):
            found.append(wizard)
    return found


def _room(units: Sequence[Unit], place: Place, power: PowerId) -> bool:
    """No army in the way, unless it may be made a stack (13.14, 18.11)."""
    armies = [u for u in units if u.place == place and u.kind not in ZERO]
    if not armies:
        return True
    if power == GONDOR:
        return True
    return power == SAURON and any(u.kind == "N" and u.place == place for u in units)


def _may_raise(game: Game, board: Board, place: Place) -> bool:
    """The three restrictions of 16.3."""
    if board[place].kind == "sea" or is_build_centre(game, board, place, SARUMAN):
        return False
    return not any(u.owner == SARUMAN and u.place == place and u.kind not in ZERO for u in game.units)


def resolve_adjustments(
    game: Game, board: Board, sheets: Mapping[PowerId, Sequence[Order] | None]
) -> Resolution:
    """Carry out the adjustments: builds and removals of all, then Sauron's activation, his builds, a new Nazgûl.

    The state that comes out is still in its adjustments step; `engine` moves it on.
    """
    ledger = Ledger(
        game,
        board,
        list(game.units),
        dict(game.centres),
        {power: supported(game, power) - upkeep(game, power) for power in board.powers},
        activated=list(game.activated),
        public=dict(game.public_owners),
        dragons_spent=game.dragons_spent,
        spiders_spent=game.spiders_spent,
    )
    outcomes: list[Outcome] = []
    for power in sorted(board.powers, key=lambda p: (p == SAURON, p)):
        if power == SAURON and game.sauron_out:
            continue
        orders = sheets.get(power)
        used = game.adjustment_lists.get(power, ()) if orders is None else tuple(orders)
        outcomes += _carry_out(ledger, power, used)
        _force_removals(ledger, power)
    outcomes.sort(key=lambda o: o.power)
    after = replace(
        game,
        units=normalise(ledger.units),
        centres=ledger.centres,
        public_owners=ledger.public,
        activated=tuple(ledger.activated),
        dragons_spent=ledger.dragons_spent,
        spiders_spent=ledger.spiders_spent,
        nazgul_due=False,
        adjustment_lists={},
    )
    return Resolution(game, after, tuple(outcomes), tuple(ledger.told))


def _carry_out(ledger: Ledger, power: PowerId, orders: Sequence[Order]) -> list[Outcome]:
    """The orders of one power: the activation first, so that nothing is built on top of it; told in sheet order."""
    verdicts: dict[int, Verdict] = {}
    ranks = {"activate": 0, "remove": 1, "build": 2, "raise": 3}
    for number in sorted(range(len(orders)), key=lambda i: (ranks.get(orders[i].kind, 4), i)):
        verdicts[number] = _carry_out_one(ledger, power, orders[number])
    found: list[Outcome] = []
    for number, order in enumerate(orders):
        result, code, rule, by = verdicts[number]
        found.append(Outcome(power, order, result, code, rule, stopped_by=by))  # type: ignore[arg-type]  # a word
    return found


def _carry_out_one(ledger: Ledger, power: PowerId, order: Order) -> Verdict:
    if power == SARUMAN and ledger.game.saruman_out:
        return ("illegal", "out", "16.11", ())
    match order.kind:
        case "waive":
            return DONE
        case "build":
            return _first_possible(ledger, power, order, _build)
        case "remove":
            return _first_possible(ledger, power, order, _remove)
        case "activate" if power == SAURON:
            return activate(ledger, order)
        case "raise" if power == SAURON:
            return raise_nazgul(ledger, order)
        case _:
            return ("illegal", "phase" if order.kind not in ("activate", "raise") else "kind", "2", ())


def _first_possible(ledger: Ledger, power: PowerId, order: Order, carry_out: Step) -> Verdict:
    """An order with alternatives: the first that is not illegal counts. A blocked build is not illegal (16.5)."""
    failure: Verdict | None = None
    for ref in (order.unit, *order.alternatives):
        if ref is not None and ref.place in ledger.board.index:
            verdict = carry_out(ledger, power, ref)
            if verdict[0] != "illegal":
                return verdict
            failure = failure or verdict
    return failure or ("illegal", "no_unit", "2", ())


def _build(ledger: Ledger, power: PowerId, ref: UnitRef) -> Verdict:
    """One build; what a hidden Wizard or Nazgûl spoils is lost, not moved elsewhere (16.5, 18.3)."""
    game, board = ledger.game, ledger.board
    place = ref.place
    wrong = _wrong_site(ledger, power, ref)
    if wrong:
        return wrong
    mine = sum(u.strength for u in ledger.here(place) if u.owner == power and u.kind in "ADS")
    stack = place not in board.offboard
    cost = ref.strength - (mine if stack else 0)
    if cost < 1 or (ref.strength > 1 and not _may_stack(ledger, power, place)):
        return ("illegal", "miscount" if cost < 1 else "stack", "13.14" if cost < 1 else "13.13", ())
    if ledger.left[power] < cost:
        return ("illegal", "no_builds", "2", ())
    if place in board.offboard:
        ledger.eriador[power] = ledger.eriador.get(power, 0) + cost
    ledger.left[power] -= cost
    blockers = [u for u in ledger.here(place) if u.owner != power and place not in board.offboard]
    if blockers:
        rule = {"W": "16.5", "N": "18.3"}.get(blockers[0].kind, "2")
        by = tuple(Actor(u.owner, u.ref, "present") for u in blockers)
        ledger.told.append(Happening("build_blocked", rule, power, ref, place, by))
        return ("blocked", "blocked_by_hidden", rule, by)
    at_wizard = (power == SARUMAN and board[place].home != SARUMAN) or (
        power == SARUMAN and not game.options.saruman_builds_at_home
    )
    ledger.units += [Unit(power, ref.kind, place)] * cost
    ledger.public.pop(place, None)
    if at_wizard:
        ledger.told.append(Happening("raised", "16.3", power, ref, place))
        return ("ok", "done", "16.3", ())
    rule = (
        "13.14"
        if ref.strength > 1
        else "6.5"
        if place in board.offboard
        else "12.9"
        if ref.kind == "C"
        else "2"
    )
    ledger.told.append(
        Happening("built", rule, power, ref, place, data={"strength": ref.strength, "number": cost})
    )
    return ("ok", "done", rule, ())


def _may_stack(ledger: Ledger, power: PowerId, place: Place) -> bool:
    if place in ledger.board.offboard:
        return False
    return power == GONDOR or (
        power == SAURON and any(u.kind == "N" and u.place == place for u in ledger.units)
    )


def _wrong_site(ledger: Ledger, power: PowerId, ref: UnitRef) -> Verdict | None:
    """Why a unit can't be built there, whatever is hidden."""
    game, board, place = ledger.game, ledger.board, ref.place
    if ref.fleets:
        return ("illegal", "attachment", "14.2", ())
    if ref.engines:
        return ("illegal", "attachment", "15.1", ())
    if ref.kind == "C" and power == ROHAN:
        if place not in board.cavalry_builds:
            return ("illegal", "not_home", "12.9", ())
    elif ref.kind != "A":
        rule = {"C": "12.1", "W": "16.12", "N": "18.13"}.get(ref.kind, "17.3")
        return ("illegal", "kind", rule, ())
    if place in board.offboard and power == SARUMAN and not eriador_open(game):
        # nobody's home any more, so the Wizard may raise an army there, if none of his stands there (16.3)
        wizard = any(u.kind == "W" and u.place == place for u in ledger.units)
        return None if wizard and _may_raise(game, board, place) else ("illegal", "not_home", "16.3", ())
    if place in board.offboard:
        if power not in ERIADOR_HOMES or not eriador_open(game):
            return ("illegal", "not_home", "6.5", ())
        if ledger.eriador.get(power, 0) + ref.strength > game.options.eriador_builds_per_adjustment:
            return ("illegal", "eriador_full", "6.5", ())
        return None
    if place in ledger.fresh:
        return ("illegal", "vacated", "17.5", ())
    at_home = place in homes(game, board, power) and ledger.centres.get(place) == power
    if power == SARUMAN and not at_home:
        wizard = any(u.kind == "W" and u.place == place for u in ledger.units)
        if not wizard or is_build_centre(game, board, place, SARUMAN) or board[place].kind == "sea":
            return ("illegal", "not_home", "16.3", ())
    elif not at_home:
        owned = ledger.centres.get(place) == power
        return ("illegal", "not_home" if owned else "not_owned", "2", ())
    if not _room(ledger.units, place, power):
        return ("illegal", "closed", "16.3" if power == SARUMAN else "2", ())
    return None


def _remove(ledger: Ledger, power: PowerId, ref: UnitRef) -> Verdict:
    if ledger.left[power] >= 0 or -ledger.left[power] < ref.strength:
        return ("illegal", "no_removal", "2", ())
    if ref.kind not in "AC":
        return ("illegal", "kind", "17.3" if ref.kind in "DS" else "2", ())
    unit = next(
        (
            u
            for u in ledger.here(ref.place)
            if u.owner == power and u.kind == ref.kind and u.strength >= ref.strength
        ),
        None,
    )
    if unit is None:
        return ("illegal", "no_unit", "2", ())
    _take_away(ledger, unit, ref.strength, chosen=True)
    return DONE


def _take_away(ledger: Ledger, unit: Unit, strength: int, chosen: bool) -> None:
    """Remove armies of a stack; its fleets go with them only as far as they must (14.10)."""
    ledger.units.remove(unit)
    rest = unit.strength - strength
    if rest:
        ledger.units.append(replace(unit, strength=rest, fleets=min(unit.fleets, rest)))
    ledger.left[unit.owner] += strength
    gone = replace(unit.ref, strength=strength, fleets=unit.fleets - min(unit.fleets, rest), engines=0)
    ledger.told.append(Happening("removed", "2", unit.owner, gone, unit.place, data={"chosen": chosen}))


def _force_removals(ledger: Ledger, power: PowerId) -> None:
    """Units that go because nobody said which: the standard civil-disorder rule."""
    while ledger.left[power] < 0:
        unit = first_to_go(ledger.board, ledger.centres, ledger.units, power, eriador_open(ledger.game))
        if unit is None:
            return
        _take_away(ledger, unit, 1, chosen=False)
