"""Orders are missing at a deadline: it moves once a phase, where the house rule `nmr_extend_hours` says so."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from gm.store.tables import Game, PhaseRow
from gm.turns.deadlines import FOR_LATE, set_deadline
from gm.turns.due import extended_key, held, may_extend, unread_before
from gm.turns.notices import once, serial, tell_all
from gm.turns.office import Office
from gm.turns.settings import settings_of
from gm.turns.sheets import owing


def phases_to_extend(session: Session, now: datetime) -> list[int]:
    """Ids of open phases whose time is over and that the house rules may give more of."""
    rows = session.execute(
        select(PhaseRow, Game)
        .join(Game, Game.id == PhaseRow.game_id)
        .where(PhaseRow.status == "open", Game.status == "running", PhaseRow.due_at <= now)
        .order_by(PhaseRow.id)
    )
    return [phase.id for phase, game in rows if _over(phase) <= now and may_extend(session, game, phase)]


def _over(phase: PhaseRow) -> datetime:
    assert phase.due_at is not None
    return phase.grace_until or phase.due_at


def extend_for_late(session: Session, office: Office, game: Game, phase: PhaseRow, now: datetime) -> bool:
    """Move the deadline of a phase that somebody owes orders for, and tell all. Returns whether it was moved.

    Nobody is named: who is late is told with the results.
    """
    if phase.status != "open" or game.status != "running" or phase.due_at is None or _over(phase) > now:
        return False
    if held(session, phase) or unread_before(session, _over(phase)) or not owing(session, game, phase):
        return False
    if not may_extend(session, game, phase) or not once(session, office, extended_key(phase)):
        return False
    hours = settings_of(game.settings).nmr_extend_hours
    cause = f"not all orders were in at the deadline; it moves once by {hours} hours by the house rule nmr_extend_hours"
    set_deadline(
        session, game, phase, phase.due_at + timedelta(hours=hours), cause=cause, actor=FOR_LATE, now=now
    )
    if phase.due_at - now <= timedelta(hours=settings_of(game.settings).reminder_hours):
        phase.reminded_at = now  # this very notice reminds them
    tell_all(
        session,
        office,
        game,
        subject=f"{game.title}: new deadline for {phase.title}",
        paragraphs=(f"The deadline of {phase.title} was moved: {cause}. Orders on file stay there.",),
        key=f"deadline.{serial(session, office, game, 'deadline')}",
        calendar=True,
    )
    return True
