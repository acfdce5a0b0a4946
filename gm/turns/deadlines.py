"""The deadline of the open phase: every change has one logged cause, and the phase row holds the present value."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from gm.store.tables import DeadlineChange, Game, PhaseRow
from gm.turns.settings import GameSettings, settings_of

FOR_LATE = "late"
"""Actor of the changes that were made because orders were missing."""
FOR_ABSENCE = "absence"
"""Actor of the changes that were made because somebody is announced absent."""


def set_deadline(
    session: Session,
    game: Game,
    phase: PhaseRow,
    due_at: datetime | None,
    *,
    cause: str,
    actor: str,
    now: datetime,
) -> None:
    """Move a phase's deadline (None: no deadline runs) and log why.

    A changed deadline starts its reminders anew.
    """
    if due_at == phase.due_at:
        return
    session.add(
        DeadlineChange(
            game_id=game.id,
            phase_id=phase.id,
            old_due_at=phase.due_at,
            new_due_at=due_at,
            cause=cause,
            actor=actor,
            changed_at=now,
        )
    )
    phase.due_at = due_at
    phase.grace_until = grace_after(game, due_at)
    phase.reminded_at = None
    phase.late_told_at = None


def grace_after(game: Game, due_at: datetime | None) -> datetime | None:
    """Until when orders are still taken after a deadline; None if the house rules give no grace."""
    rules = settings_of(game.settings)
    grace = 0 if rules.strict else rules.grace_hours
    return due_at + timedelta(hours=grace) if due_at is not None and grace else None


def first_deadline(
    session: Session, game: Game, phase: PhaseRow, last_due: datetime | None, now: datetime
) -> None:
    """Give a phase that opens now the deadline of its calendar."""
    rules = settings_of(game.settings)
    due = rules.parsed_calendar().next_deadline(
        phase.kind, opened_at=now, last_due=last_due, notice=rules.notice()
    )
    set_deadline(
        session,
        game,
        phase,
        due,
        cause=f"the calendar of the game: {calendar_text(rules)}",
        actor="calendar",
        now=now,
    )


def calendar_text(rules: GameSettings) -> str:
    """A game's calendar with the days that it leaves out."""
    out = ", ".join(text for text in (rules.skip, rules.holidays) if text.lower() != "none")
    return f"{rules.calendar}, never on {out}" if out else rules.calendar


def changes(session: Session, game: Game, phase: PhaseRow) -> list[DeadlineChange]:
    """Every change of one phase's deadline, oldest first."""
    return list(
        session.scalars(
            select(DeadlineChange)
            .where(DeadlineChange.game_id == game.id, DeadlineChange.phase_id == phase.id)
            .order_by(DeadlineChange.id)
        )
    )


def told_cause(session: Session, game: Game, phase: PhaseRow | None) -> tuple[str, ...]:
    """For the mail that opens a phase: why its deadline is later than the calendar has it."""
    last = changes(session, game, phase)[-1:] if phase is not None else []
    return tuple(f"The deadline was moved: {row.cause}." for row in last if row.actor == FOR_ABSENCE)
