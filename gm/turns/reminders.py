"""Reminders before a deadline, and calls after it, a phase each: a fault stops one game only."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from gm.clock.words import in_zone
from gm.store.tables import Game, PhaseRow
from gm.turns.due import end_of_waiting, may_extend, unread_before
from gm.turns.notices import tell_gms, tell_reader
from gm.turns.office import Office
from gm.turns.people import power_name
from gm.turns.reportmail import readers
from gm.turns.settings import settings_of
from gm.turns.sheets import owing

LONGEST_REMINDER = timedelta(hours=1000)
"""The largest value of the house rule `reminder_hours`."""


def phases_to_call(session: Session, now: datetime) -> list[int]:
    """Ids of open phases whose deadline has passed and whose late powers were not told yet."""
    rows = session.execute(
        select(PhaseRow.id, PhaseRow.due_at, PhaseRow.grace_until, Game.settings)
        .join(Game, Game.id == PhaseRow.game_id)
        .where(
            PhaseRow.status == "open",
            Game.status == "running",
            PhaseRow.due_at <= now,
            PhaseRow.late_told_at.is_(None),
        )
        .order_by(PhaseRow.id)
    )
    return [
        row.id
        for row in rows
        if settings_of(row.settings).nmr == "wait" or (row.grace_until is not None and row.grace_until > now)
    ]


def call_late(session: Session, office: Office, game: Game, phase: PhaseRow, now: datetime) -> bool:
    """Where the turn waits (grace, or until the GM runs it): tell the late and the GM, once. Returns whether it did."""
    late = owing(session, game, phase)
    if not late or phase.due_at is None or unread_before(session, phase.due_at):
        return False
    phase.late_told_at = now
    names = {due.power for due in late}
    until = "for your orders or the GM's word"
    end = phase.grace_until if may_extend(session, game, phase) else end_of_waiting(game, phase)
    if end is not None and end > now:
        until = f"until {in_zone(end, settings_of(game.settings).zone)}"
    deadline = f"{phase.ordinal}.{phase.attempt}.{phase.due_at.timestamp():.0f}"
    for reader in readers(session, game):
        if reader.power in names:
            tell_reader(
                session,
                office,
                game,
                reader,
                kind="reminder",
                subject=f"{game.title}: your orders for {phase.title} are late",
                paragraphs=(f"The deadline has passed without orders from you. The turn waits {until}.",),
                key=f"late.{deadline}",
            )
    tell_gms(
        session,
        office,
        game,
        subject=f"{game.title}: late in {phase.title}",
        paragraphs=(
            f"No orders yet from: {', '.join(power_name(game, d.power) for d in late)}.",
            "PROCESS runs the turn without them; EXTEND gives more time; REPLACE gives a seat to another player.",
        ),
        key=f"late-gm.{deadline}",
    )
    return True


def phases_to_remind(session: Session, now: datetime) -> list[int]:
    """Ids of open phases whose reminder is due. Reads few columns: it looks at every game at every tick."""
    rows = session.execute(
        select(PhaseRow.id, PhaseRow.due_at, PhaseRow.opened_at, Game.settings)
        .join(Game, Game.id == PhaseRow.game_id)
        .where(
            PhaseRow.status == "open",
            Game.status == "running",
            PhaseRow.reminded_at.is_(None),
            PhaseRow.due_at > now,
            PhaseRow.due_at <= now + LONGEST_REMINDER,
        )
        .order_by(PhaseRow.id)
    )
    found = []
    for row in rows:
        ahead = timedelta(hours=settings_of(row.settings).reminder_hours)
        # A phase that opened within the reminder's reach was told its deadline just now.
        if ahead and row.due_at - now <= ahead < row.due_at - row.opened_at:
            found.append(row.id)
    return found


def remind(session: Session, office: Office, game: Game, phase: PhaseRow, now: datetime) -> None:
    """Remind those who owe orders in a phase, once a deadline."""
    if phase.due_at is None:
        return
    phase.reminded_at = now
    owes = {due.power: due for due in owing(session, game, phase)}
    for reader in readers(session, game):
        if reader.power in owes:
            tell_reader(
                session,
                office,
                game,
                reader,
                kind="reminder",
                subject=f"{game.title}: orders due for {phase.title}",
                paragraphs=(
                    "I have no orders from you yet. This wants an order:",
                    ", ".join(owes[reader.power].items),
                ),
                key=f"remind.{phase.ordinal}.{phase.attempt}.{phase.due_at.timestamp():.0f}",
            )
