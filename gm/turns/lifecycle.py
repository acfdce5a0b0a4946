"""Games paused, resumed, moved and handed over. Each function works inside the caller's transaction and
queues the mails that tell of it."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from gm.games.api import PowerId
from gm.store.tables import Game, PhaseRow, Player, Seat, SignUp
from gm.turns import reportmail, votes
from gm.turns.absence import settle
from gm.turns.deadlines import set_deadline, told_cause
from gm.turns.early import note_early
from gm.turns.handover import orders_on_file, predecessors_press, recent_results, withdraw_orders
from gm.turns.notices import because, once, serial, tell_all, tell_person
from gm.turns.office import Office
from gm.turns.people import last_seat, power_name, seat_of
from gm.turns.run import leave_seat
from gm.turns.settings import settings_of
from gm.turns.sheets import open_phase
from gm.turns.starting import GameError, send_start

FURTHEST = timedelta(days=3660)
"""No deadline is further away: ten years."""


def pause(session: Session, office: Office, game: Game, *, actor: str, why: str) -> None:
    """Stop the clock: no deadline runs until the game is resumed. Raises GameError."""
    phase = open_phase(session, game)
    if game.status != "running" or phase is None:
        raise GameError(f"{game.slug} is {game.status}, it cannot be paused")
    set_deadline(session, game, phase, None, cause=f"paused{because(why)}", actor=actor, now=office.now())
    game.status = "paused"
    note_early(session, game, phase, office.now())
    tell_all(
        session,
        office,
        game,
        subject=f"{game.title} is paused",
        paragraphs=(
            f"The game is paused{because(why)}. No deadline runs. Orders that you have sent stay on file.",
        ),
        key=f"pause.{serial(session, office, game, 'pause')}",
        calendar=True,
    )


def resume(session: Session, office: Office, game: Game, *, actor: str) -> PhaseRow:
    """Start the clock again with a new deadline by the calendar, counted from now.

    Raises:
        GameError: the game is neither paused nor parked.
    """
    phase = open_phase(session, game)
    if game.status not in ("paused", "parked") or phase is None:
        raise GameError(f"{game.slug} is {game.status}, it cannot be resumed")
    now = office.now()
    rules = settings_of(game.settings)
    due = rules.parsed_calendar().next_deadline(
        phase.kind, opened_at=now, last_due=None, notice=rules.notice()
    )
    game.status = "running"
    game.trace = None
    set_deadline(session, game, phase, due, cause="resumed by the GM", actor=actor, now=now)
    settle(session, game, phase, now)
    note_early(session, game, phase, now)
    tell_all(
        session,
        office,
        game,
        subject=f"{game.title} goes on",
        paragraphs=(
            "The game goes on. Orders that were on file still are.",
            *told_cause(session, game, phase),
        ),
        key=f"resume.{serial(session, office, game, 'resume')}",
        calendar=True,
    )
    return phase


def move_deadline(
    session: Session, office: Office, game: Game, due_at: datetime, *, actor: str, cause: str
) -> PhaseRow:
    """Set the deadline of the open phase and tell everybody why. Raises GameError."""
    phase = open_phase(session, game)
    if game.status != "running" or phase is None:
        raise GameError(f"{game.slug} is {game.status}: it has no deadline to move")
    if not office.now() < due_at <= office.now() + FURTHEST:
        raise GameError("a deadline lies in the future, and not more than ten years away")
    set_deadline(session, game, phase, due_at, cause=cause, actor=actor, now=office.now())
    tell_all(
        session,
        office,
        game,
        subject=f"{game.title}: new deadline for {phase.title}",
        paragraphs=(f"The deadline of {phase.title} was moved: {cause}.",),
        key=f"deadline.{serial(session, office, game, 'deadline')}",
        calendar=True,
    )
    return phase


def replace_player(
    session: Session,
    office: Office,
    game: Game,
    power: PowerId,
    newcomer: Player,
    *,
    why: str,
    told: str = "The GM has given it to another player.",
) -> None:
    """Give a power to another player; the old holder's reply addresses stop working at once.

    Args:
        told: why, as the old holder is told.

    Raises:
        GameError: the game is not under way, or the newcomer already holds a power in it.
    """
    phase = open_phase(session, game)
    if phase is None:
        raise GameError(f"{game.slug} is {game.status}: nobody can be replaced")
    if session.scalar(
        select(Seat.id).where(Seat.game_id == game.id, Seat.player_id == newcomer.id, Seat.left_at.is_(None))
    ):
        raise GameError(f"{newcomer.name} already holds a power in {game.slug}")
    before = vacate(session, office, game, power, why=why)
    past = before or last_seat(session, game, power)
    withdraw_orders(session, game, phase, power)
    session.add(Seat(game_id=game.id, power=power, player_id=newcomer.id, joined_at=office.now()))
    session.execute(delete(SignUp).where(SignUp.game_id == game.id, SignUp.player_id == newcomer.id))
    session.flush()
    note_early(session, game, phase, office.now())
    nth = serial(session, office, game, f"handover.{power}")
    if before is not None:
        name = power_name(game, power)
        tell_person(
            session,
            office,
            session.get_one(Player, before.player_id),
            subject=f"{game.title}: {name} was given to another player",
            paragraphs=(
                f"You no longer play {name} in {game.slug}. {told} Reply addresses of yours for {name} "
                "no longer work. Thank you for having played.",
            ),
            key=f"{game.slug}.handover.{power}.{nth}",
        )
    reader = next(r for r in reportmail.readers(session, game) if r.power == power)
    send_start(
        session,
        office,
        game,
        phase,
        reader,
        intro=(
            f"Welcome. You take over {reader.title} in {phase.title}. "
            "Orders already on file for it stay until you change them.",
        ),
        sections=(*orders_on_file(session, phase, power), *recent_results(session, game, power)),
        press=predecessors_press(session, game, power, past),
        again=f".handover{nth}",
    )


def vacate(session: Session, office: Office, game: Game, power: PowerId, *, why: str) -> Seat | None:
    """End the present seat of a power; returns it, or None if the power had no player."""
    seat = seat_of(session, game, power)
    if seat is not None:
        leave_seat(session, game, seat, why=why, now=office.now())
        phase = open_phase(session, game)
        if phase is not None:
            note_early(session, game, phase, office.now())
    return seat


def recount(session: Session, office: Office, game: Game) -> bool:
    """Count the votes again after a power has lost its player: one of them may have passed by it.

    Returns whether the game has ended by it.
    """
    if votes.end_if_agreed(session, office, game):
        return True
    phase = open_phase(session, game)
    if phase is not None and phase.due_at is not None and game.status == "running":
        extend_by_vote(session, office, game, phase)
    return False


def extend_by_vote(session: Session, office: Office, game: Game, phase: PhaseRow) -> bool:
    """Move the deadline of the open phase if enough of its players agree on it, once a phase; then the votes are spent.

    Returns whether it was moved. Raises GameError: it lies too far away, or the game does not run.
    """
    span = votes.agreed_extension(session, game, phase)
    if span is None or phase.due_at is None or not once(session, office, votes.extended_key(phase)):
        return False
    votes.spend_extension(session, game, phase)
    hours, minutes = divmod(int(span.total_seconds()) // 60, 60)
    length = f"{hours} hours" if not minutes else f"{hours * 60 + minutes} minutes"
    cause = f"extended by {length} by vote of the players"
    move_deadline(session, office, game, phase.due_at + span, actor="vote", cause=cause)
    return True
