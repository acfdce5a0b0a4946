"""The start: the opening position (5), and the nominal turn 2750 with its two secret choices (16.14, 17.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gm.games.necromancer.adjust import resolve_adjustments
from gm.games.necromancer.board import Board
from gm.games.necromancer.ids import FIRST_YEAR, SARUMAN, SAURON, STANDING, PowerId
from gm.games.necromancer.model import Game, Options, Unit, normalise
from gm.games.necromancer.orders import Order
from gm.games.necromancer.outcome import Happening, Outcome, Resolution

SETUP_YEAR = 2750


def opening_units(board: Board) -> tuple[Unit, ...]:
    """All units of section 5 and 17.1, without the two secret ones."""
    found = [
        Unit(power, r.kind, r.place, r.strength, r.fleets)
        for power, s in board.powers.items()
        for r in s.units
    ]
    found += [Unit(STANDING, "A", place) for place in board.standing]
    return normalise(found)


def opening_centres(board: Board) -> dict[str, PowerId]:
    """Home centres by owner; standing armies own none."""
    return {p.id: p.home for p in board.provinces if p.centre and p.home}


def new_game(options: Options, board: Board) -> Game:
    """The first state: the set-up phase, in which Sauron and Saruman choose in secret."""
    return Game(options, SETUP_YEAR, "setup", opening_units(board), opening_centres(board))


def resolve_setup(game: Game, board: Board, sheets: Mapping[PowerId, Sequence[Order] | None]) -> Resolution:
    """The two secret choices. Without one of his, Saruman's army starts in the first province of 16.14's list."""
    sauron = tuple(sheets.get(SAURON) or ())
    chosen = resolve_adjustments(
        replace(game, step="adjustments"), board, {SAURON: tuple(o for o in sauron if o.kind == "activate")}
    )
    outcomes = {(o.power, o.order): o for o in chosen.outcomes}
    found: list[Outcome] = []
    placed: str | None = None
    for power in sorted(sheets):
        for order in sheets[power] or ():
            known = outcomes.pop((power, order), None)
            if known is None and power == SARUMAN and order.kind == "place" and order.unit:
                if order.unit.place not in board.saruman_third_army or order.unit.kind != "A":
                    known = _refused(power, order, "not_home", "16.14")
                elif placed is not None:
                    known = _refused(power, order, "conflict", "16.14")
                else:
                    placed = order.unit.place
                    known = Outcome(power, order, "ok", "done", "16.14")
            found.append(known or _refused(power, order, "phase", "3.2"))
    place = placed or board.saruman_third_army[0]
    unit = Unit(SARUMAN, "A", place)
    told = (
        *chosen.happenings,
        Happening("placed", "16.14", SARUMAN, unit.ref, place, data={"chosen": placed is not None}),
    )
    after = replace(
        chosen.after, year=FIRST_YEAR, step="movement", units=normalise([*chosen.after.units, unit])
    )
    return Resolution(game, after, tuple(found), told)


def _refused(power: PowerId, order: Order, code: str, rule: str) -> Outcome:
    return Outcome(power, order, "illegal", code, rule)
