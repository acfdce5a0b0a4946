"""The phase machine: which phase follows which, and who has something to order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from gm.games.api import Dice
from gm.games.necromancer.adjust import owed, resolve_adjustments
from gm.games.necromancer.board import Board, the_board
from gm.games.necromancer.centres import (
    capture,
    holdings,
    leader,
    sauron_falls,
    sauron_is_beaten,
    score,
)
from gm.games.necromancer.compile import ADJUSTMENT_KINDS, RETREAT_KINDS
from gm.games.necromancer.explain import part_ref
from gm.games.necromancer.ids import LAST_YEAR, SARUMAN, SAURON, TURN_YEARS, PowerId
from gm.games.necromancer.model import Game, Unit, is_adjustment_year
from gm.games.necromancer.movement import Movement, move
from gm.games.necromancer.orders import Order
from gm.games.necromancer.outcome import Happening, Outcome, Resolution
from gm.games.necromancer.retreats import offered, resolve_retreats
from gm.games.necromancer.setup import resolve_setup
from gm.games.necromancer.verdicts import movement_outcomes

Sheets = Mapping[PowerId, Sequence[Order] | None]

Stage = Callable[[Game, Board], Resolution]
"""A part of a phase that needs no orders: moves a state on."""


def adjudicate(game: Game, sheets: Sheets, dice: Dice, board: Board | None = None) -> Resolution:
    """One phase. Total and deterministic; the rulebook never asks for chance, so no dice are rolled.

    Args:
        game: the position, in any step; a game that is over stays as it is.
        sheets: orders by power; None or a power left out sent nothing.
        dice: unused, part of the contract of all rulesets.
        board: another map than the packaged one.
    """
    del dice
    board = board or the_board()
    if game.step == "over":
        return Resolution(game, game, (), ())
    late = tuple(p for p in board.powers if sheets.get(p) is None and owes(game, board, p))
    told = tuple(Happening("nmr", "7.4" if game.step == "movement" else "2", p) for p in late)
    if game.step == "setup":
        result = resolve_setup(game, board, sheets)
    elif game.step == "movement":
        result = _movement(game, board, sheets)
    elif game.step == "retreats":
        result = _then(
            resolve_retreats(_with_adjustments(game, sheets), board, sheets), _after_retreats, board
        )
    else:
        game = replace(game, disbanded_at_once=())
        result = _then(resolve_adjustments(game, board, sheets), _after_adjustments, board)
    after = result.after
    if after.nmr != late:
        after = replace(after, nmr=late)
    return Resolution(game, after, result.outcomes, (*told, *result.happenings))


def owes(game: Game, board: Board, power: PowerId) -> bool:
    """Whether a power has anything to order in this phase."""
    if (power == SAURON and game.sauron_out) or (power == SARUMAN and game.saruman_out):
        return False
    if game.step == "setup":
        return power in (SARUMAN, SAURON)
    if game.step == "movement":
        return any(u.owner == power for u in game.units)
    if game.step == "retreats":
        return any(d.unit.owner == power for d in game.dislodged)
    return game.step == "adjustments" and owed(game, board, power).anything


def _then(first: Resolution, stage: Stage, board: Board) -> Resolution:
    """A result followed by a stage that starts from its state."""
    second = stage(first.after, board)
    return Resolution(
        first.before,
        second.after,
        (*first.outcomes, *second.outcomes),
        (*first.happenings, *second.happenings),
    )


def _movement(game: Game, board: Board, sheets: Sheets) -> Resolution:
    run = move(game, board, sheets)
    outcomes = movement_outcomes(run, sheets)
    told = [*_unordered(run, sheets), *run.happenings]
    units, revealed = _reveal_deciders(run, outcomes)
    told += revealed
    shown = {h.place for h in told if h.kind == "revealed"}
    after = replace(
        _with_adjustments(game, sheets),
        step="retreats",
        units=units,
        dislodged=run.dislodged,
        contested=run.contested,
        disbanded_at_once=tuple(run.lost),
        retreat_lists=_lists(sheets, RETREAT_KINDS),
        public_owners={place: owner for place, owner in game.public_owners.items() if place not in shown},
    )
    if game.options.retreats_with_orders or not any(offered(after, board, d) for d in after.dislodged):
        second = _retreat_now(after, board)
        used = {(o.power, o.order) for o in second.outcomes}
        still = tuple(o for o in outcomes if o.code != "kept" or (o.power, o.order) not in used)
        gone = replace(second.after, disbanded_at_once=(*run.lost, *run.dislodged))
        return Resolution(game, gone, (*still, *second.outcomes), (*told, *second.happenings))
    return Resolution(game, after, outcomes, tuple(told))


def _lists(sheets: Sheets, kinds: frozenset[str]) -> dict[PowerId, tuple[Order, ...]]:
    found = {p: tuple(o for o in orders or () if o.kind in kinds) for p, orders in sorted(sheets.items())}
    return {power: orders for power, orders in found.items() if orders}


def _with_adjustments(game: Game, sheets: Sheets) -> Game:
    """The state with the adjustments that were mailed early; a later list replaces an earlier one (17.6)."""
    if not is_adjustment_year(game.year):
        return game
    return replace(game, adjustment_lists={**game.adjustment_lists, **_lists(sheets, ADJUSTMENT_KINDS)})


def _unordered(run: Movement, sheets: Sheets) -> list[Happening]:
    """Units of players who did order that lose their fortress for want of a legal order (7.4)."""
    board = run.plan.board
    return [
        Happening("unordered", "7.4", part.owner, part_ref(part), part.place)
        for part in run.plan.parts
        if not part.ordered
        and part.owner in board.powers
        and sheets.get(part.owner) is not None
        and board.fortress_mask >> part.origin & 1
    ]


def _reveal_deciders(run: Movement, outcomes: Sequence[Outcome]) -> tuple[tuple[Unit, ...], list[Happening]]:
    """Dragons and Spiders that decided another's result are seen from now on (house rule)."""
    unseen = any(u.secret and u.kind in "DS" for u in run.units)
    if not unseen or not run.plan.game.options.reveal_dragons_and_spiders:
        return run.units, []
    deciders = {(a.unit.kind, a.unit.place) for o in outcomes for a in o.stopped_by if o.power != SAURON}
    units: list[Unit] = []
    told: list[Happening] = []
    for unit in run.units:
        if unit.secret and unit.kind in "DS" and (unit.kind, unit.place) in deciders:
            told.append(Happening("revealed", "17.4", SAURON, unit.ref, unit.place))
            unit = replace(unit, secret=False)
        units.append(unit)
    return tuple(units), told


def _retreat_now(game: Game, board: Board) -> Resolution:
    """The retreat phase without orders of its own: lists mailed with the moves, or no retreat at all."""
    return _then(resolve_retreats(game, board, {}), _after_retreats, board)


def _after_retreats(game: Game, board: Board) -> Resolution:
    """On to the adjustments in years that end in 0, else to the next year (3.2, 3.3)."""
    if not is_adjustment_year(game.year):
        return _done(game, _next_year(game))
    after, told = capture(replace(game, step="adjustments"), board)
    if game.year >= LAST_YEAR and not game.sauron_out and not game.options.fall_checks_victory_first:
        after, fallen = sauron_falls(after)
        told += fallen
    after, ending = _victory(after, board)
    first = Resolution(game, after, (), (*told, *ending))
    if after.step == "over" or _may_adjust(after, board):
        return first
    return _then(_then(first, _adjust_now, board), _after_adjustments, board)


def _may_adjust(game: Game, board: Board) -> bool:
    """Whether an adjustment phase takes place, as far as everybody can tell.

    Whether Sauron has anything left to activate, and whether the Wizard stands where an army can be raised, are secrets
    that a phase passed over would betray (16.9, 17.4).
    """
    if not game.sauron_out:
        return True
    saruman = not game.saruman_out and owed(game, board, SARUMAN).balance != 0
    return saruman or any(owes(game, board, power) for power in board.powers if power != SARUMAN)


def _adjust_now(game: Game, board: Board) -> Resolution:
    return resolve_adjustments(game, board, {})


def _after_adjustments(game: Game, board: Board) -> Resolution:
    """Sauron's end if it has come (19), then victory (20), else the next year."""
    told: list[Happening] = []
    after = game
    if not game.sauron_out and (game.year >= LAST_YEAR or sauron_is_beaten(game, board)):
        after, told = sauron_falls(game)
    after, ending = _victory(after, board)
    if after.step != "over":
        after = _next_year(after)
    return _done(game, after, (*told, *ending))


def _victory(game: Game, board: Board) -> tuple[Game, list[Happening]]:
    winner = leader(game, board)
    if winner is None:
        return game, []
    scores = {power: score(game, power) for power in board.powers}
    ending = f"{winner} wins with {scores[winner]} centres"
    told = Happening("victory", "20.1", winner, data={"scores": scores, "centres": holdings(game, winner)})
    return replace(game, step="over", winners=(winner,), ending=ending), [told]


def _next_year(game: Game) -> Game:
    return replace(game, year=game.year + TURN_YEARS, step="movement")


def _done(before: Game, after: Game, told: tuple[Happening, ...] = ()) -> Resolution:
    return Resolution(before, after, (), told)
