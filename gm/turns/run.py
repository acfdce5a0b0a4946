"""Run one phase: freeze sheets, adjudicate, store, open the next phase, tell everybody. One transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import delete, func, select, update
from sqlalchemy.engine import CursorResult
from sqlalchemy.orm import Session

from gm.games import ruleset
from gm.games.api import Adjudicated, PowerId, State
from gm.games.dice import SeededDice
from gm.store.crash import crash_point
from gm.store.tables import Audit, Flag, Game, PhaseRow, Player, Seat, Vote
from gm.turns import reportmail
from gm.turns.absence import settle
from gm.turns.deadlines import first_deadline
from gm.turns.delivery import deliver_with_results
from gm.turns.ending import close_game
from gm.turns.notices import tell_gms, tell_person
from gm.turns.offers import tell_first_missed, vacancy
from gm.turns.office import Office
from gm.turns.people import current_seats, power_name, seat_of
from gm.turns.record import to_json
from gm.turns.settings import settings_of
from gm.turns.sheets import counting
from gm.turns.votes import end_if_agreed

POINTS: Final = ("turn.begin", "turn.adjudicated", "turn.told", "turn.committed")
"""Crash points of a turn, in order: nothing done · results known, not stored · all written, not committed · done."""


class NotOpen(Exception):
    """The phase has been run already, or was rolled back: there is nothing to do."""


def frozen_sheets(session: Session, game: Game, phase: PhaseRow) -> dict[PowerId, Sequence[str] | None]:
    """The sheets that run: the last version of each power that owes or may order; None where none came.

    A power that lost its player has none (see `sheets.counting`); in a practice game the ruleset's scripted player
    orders it.
    """
    rules = ruleset(game.ruleset)
    have = counting(session, game, phase)
    held = current_seats(session, game)
    robots = settings_of(game.settings).vacant == "robot"
    sheets: dict[PowerId, Sequence[str] | None] = {}
    for due in rules.dues(phase.state):
        if due.power in have:
            sheets[due.power] = tuple(have[due.power].orders)
        elif robots and due.power not in held:
            dice = SeededDice(game.seed, f"{phase.name} scripted {due.power}")
            orders = rules.bot(rules.view(phase.state, due.power), dice)
            sheets[due.power] = rules.parse(phase.state, due.power, "\n".join(orders)).orders
        else:
            sheets[due.power] = None
    return sheets


def adjudicate(
    game: Game, phase: PhaseRow, sheets: Mapping[PowerId, Sequence[str] | None]
) -> tuple[Adjudicated, list[list[str | int]]]:
    """The engine's result for these sheets, and the dice as rolled. Touches no row."""
    dice = SeededDice(game.seed, phase.name)
    result = ruleset(game.ruleset).adjudicate(phase.state, sheets, dice)
    return result, [[roll.purpose, roll.sides, roll.value] for roll in dice.rolls]


def run_phase(session: Session, office: Office, game: Game, phase: PhaseRow, *, cause: str) -> None:
    """Run the open phase of a game and mail every reader his view of it.

    Raises:
        NotOpen: somebody else ran it first.
        Exception: a fault of a ruleset or template; the caller rolls back and parks the game.
    """
    now = office.now()
    crash_point("turn.begin")
    _claim(session, phase, now)
    sheets = frozen_sheets(session, game, phase)
    result, rolls = adjudicate(game, phase, sheets)
    crash_point("turn.adjudicated")
    phase.sheets = {power: None if orders is None else list(orders) for power, orders in sheets.items()}
    phase.dice = list(rolls)
    phase.results = to_json(result)
    phase.after = dict(result.state)
    session.add(
        Audit(
            game_id=game.id,
            actor="server",
            action="run",
            detail={"phase": phase.name, "cause": cause},
            at=now,
        )
    )
    missing = [power for power, orders in sheets.items() if orders is None and _required(game, phase, power)]
    held = current_seats(session, game)
    late = [power for power in missing if power in held]
    vacant = [power for power in missing if power not in held]
    over = ruleset(game.ruleset).over(result.state)
    gone: list[Seat] = []
    if over is None:
        gone = _vacate_absent(session, game, phase, late, now)
        following = open_phase(
            session, game, result.state, now=now, last_due=phase.due_at, ordinal=phase.ordinal + 1
        )
    else:
        following = None
        close_game(game, winners=over, how="rules", now=now)
    session.flush()
    deliver_with_results(session, office, game, phase)
    missed = reportmail.Missed(late=tuple(late), gone=tuple(s.power for s in gone), vacant=tuple(vacant))
    reportmail.tell_results(session, office, game, phase, following, missed)
    for seat in gone:
        _tell_gone(session, office, game, phase, seat)
    if following is not None:
        out = {seat.power for seat in gone}
        first = [power for power in late if power not in out and _missed_first(session, game, phase, power)]
        tell_first_missed(session, office, game, first, f"{phase.ordinal}.{phase.attempt}")
        end_if_agreed(session, office, game)  # who is out of the game has no vote any more
    crash_point("turn.told")


def _claim(session: Session, phase: PhaseRow, now: datetime) -> None:
    """Change open to done; whoever changes the row runs the phase."""
    session.flush()
    changed = session.execute(
        update(PhaseRow)
        .where(PhaseRow.id == phase.id, PhaseRow.status == "open")
        .values(status="done", done_at=now)
        .execution_options(synchronize_session=False)
    )
    assert isinstance(changed, CursorResult)
    if changed.rowcount != 1:
        raise NotOpen(phase.name)
    session.refresh(phase)


def _required(game: Game, phase: PhaseRow, power: PowerId) -> bool:
    return any(d.power == power and d.required for d in ruleset(game.ruleset).dues(phase.state))


def open_phase(
    session: Session,
    game: Game,
    state: State,
    *,
    now: datetime,
    last_due: datetime | None,
    ordinal: int,
) -> PhaseRow:
    """Open the phase that a state waits in and set its deadline by the calendar.

    Args:
        ordinal: its number in the game; phases with that number that were undone keep theirs, with lower attempts.
    """
    phase = ruleset(game.ruleset).phase(state)
    taken = session.scalar(
        select(func.max(PhaseRow.attempt)).where(PhaseRow.game_id == game.id, PhaseRow.ordinal == ordinal)
    )
    row = PhaseRow(
        game_id=game.id,
        ordinal=ordinal,
        attempt=(taken or 0) + 1,
        name=phase.name,
        title=phase.title,
        kind=phase.kind,
        status="open",
        state=dict(state),
        opened_at=now,
    )
    session.add(row)
    session.flush()
    first_deadline(session, game, row, last_due, now)
    settle(session, game, row, now)
    session.flush()
    return row


def _vacate_absent(
    session: Session, game: Game, phase: PhaseRow, late: Sequence[PowerId], now: datetime
) -> list[Seat]:
    """End the seats of those who missed `nmr_out` phases in a row that asked them for orders. Returns those seats."""
    limit = settings_of(game.settings).nmr_out
    gone = []
    for power in late if limit else ():
        seat = seat_of(session, game, power)
        if seat is not None and missed_in_row(session, game, phase, power, seat) >= limit:
            leave_seat(session, game, seat, why="out", now=now)
            gone.append(seat)
    return gone


def leave_seat(session: Session, game: Game, seat: Seat, *, why: str, now: datetime) -> None:
    """End a seat. What its holder had said of the open phase, and his votes, go with him; `why` as in `Seat`."""
    seat.left_at = now
    seat.left_why = why
    session.execute(delete(Vote).where(Vote.game_id == game.id, Vote.power == seat.power))
    phases = select(PhaseRow.id).where(PhaseRow.game_id == game.id, PhaseRow.status == "open")
    session.execute(delete(Flag).where(Flag.power == seat.power, Flag.phase_id.in_(phases)))
    session.flush()


def _tell_gone(session: Session, office: Office, game: Game, phase: PhaseRow, seat: Seat) -> None:
    """Tell a player whose seat fell vacant, and the GMs."""
    name = power_name(game, seat.power)
    key = f"out.{phase.ordinal}.{phase.attempt}.{seat.power}"
    tell_person(
        session,
        office,
        session.get_one(Player, seat.player_id),
        subject=f"{game.title}: you no longer play {name}",
        paragraphs=(
            f"No orders came from you for {phase.title} and before, so your seat in {game.slug} has fallen vacant by "
            f"the game's house rule nmr_out. {name} stands in civil disorder.",
            f"If you want to go on, JOIN {game.slug} puts you on the list of standby players, and its GM can give you "
            "the seat back.",
        ),
        key=f"{game.slug}.{key}",
    )
    tell_gms(
        session,
        office,
        game,
        subject=f"{game.title}: {name} is vacant",
        paragraphs=(
            f"The player of {name} sent no orders again; by the house rule nmr_out the seat has fallen vacant.",
            *vacancy(session, office, game, seat.power),
            "REPLACE power WITH address AS name gives it to somebody else.",
        ),
        key=key,
    )


def _missed_first(session: Session, game: Game, phase: PhaseRow, power: PowerId) -> bool:
    seat = seat_of(session, game, power)
    return seat is not None and missed_in_row(session, game, phase, power, seat) == 1


def missed_in_row(session: Session, game: Game, phase: PhaseRow, power: PowerId, seat: Seat) -> int:
    """How many phases that asked a seat for orders went by without, counted back from `phase`."""
    rows = session.scalars(
        select(PhaseRow)
        .where(
            PhaseRow.game_id == game.id,
            PhaseRow.status == "done",
            PhaseRow.ordinal <= phase.ordinal,
            PhaseRow.opened_at >= seat.joined_at,
        )
        .order_by(PhaseRow.ordinal.desc())
    )
    count = 0
    for row in rows:
        if not _required(game, row, power):
            continue
        if (row.sheets or {}).get(power) is not None:
            break
        count += 1
    return count
