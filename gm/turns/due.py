"""What the clock finds to run. The database says what is due; nothing is remembered here."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from gm.log import logger
from gm.store.mailtables import Inbound
from gm.store.tables import Game, Once, PhaseRow
from gm.turns.early import GM_WAITS
from gm.turns.settings import settings_of
from gm.turns.sheets import flagged, owing, set_flag

log = logger("turns")


def unread_before(session: Session, instant: datetime) -> bool:
    """Whether mail accepted at or before an instant still waits to be read; a turn must wait for it."""
    waiting = select(Inbound.id).where(Inbound.status == "new", Inbound.received_at <= instant)
    return session.scalar(waiting.limit(1)) is not None


def held(session: Session, phase: PhaseRow) -> bool:
    """Whether a GM holds a phase: it does not run by itself, whatever the clock says."""
    return GM_WAITS in flagged(session, phase, "hold")


def set_hold(session: Session, phase: PhaseRow, on: bool, now: datetime) -> bool:
    """Hold a phase for its GM, or let it go. Returns whether that changed anything."""
    return set_flag(session, phase, GM_WAITS, "hold", on, now)


def due_phases(session: Session, now: datetime) -> list[int]:
    """Ids of the phases that should run now, longest overdue first.

    A phase of which even that can't be told, because its ruleset fails, is among them: running it will show the fault
    and park the game, and all other games go on.
    """
    rows = session.execute(
        select(PhaseRow, Game)
        .join(Game, Game.id == PhaseRow.game_id)
        .where(
            PhaseRow.status == "open",
            Game.status == "running",
            or_(PhaseRow.due_at <= now, PhaseRow.early_at <= now),
        )
        .order_by(PhaseRow.due_at, PhaseRow.id)
    )
    found: list[int] = []
    for phase, game in rows:
        try:
            if due_cause(session, game, phase, now):
                found.append(phase.id)
        except Exception:
            log.exception("what a phase waits for can't be told", game=game.slug)
            found.append(phase.id)
    return found


def due_cause(session: Session, game: Game, phase: PhaseRow, now: datetime) -> str:
    """Why a phase runs now, in words for the record; empty if it does not."""
    if phase.status != "open" or game.status != "running" or held(session, phase):
        return ""
    if phase.early_at is not None and phase.early_at <= now:
        return "" if unread_before(session, phase.early_at) else "all orders are in"
    if phase.due_at is None or phase.due_at > now or unread_before(session, phase.due_at):
        return ""
    if not owing(session, game, phase):
        return "the deadline"
    over = end_of_waiting(game, phase)
    if over is None or over > now or unread_before(session, over) or may_extend(session, game, phase):
        return ""
    return "the deadline; not all orders are in"


def end_of_waiting(game: Game, phase: PhaseRow) -> datetime | None:
    """When a phase runs whoever is late, by the house rules; None if it waits for the GM or no deadline runs."""
    rules = settings_of(game.settings)
    over = phase.grace_until or phase.due_at
    if over is None or rules.nmr == "run":
        return over
    return over + timedelta(days=rules.nmr_wait_days) if rules.nmr_wait_days else None


def may_extend(session: Session, game: Game, phase: PhaseRow) -> bool:
    """Whether the house rules move the deadline of a phase for those who are late, and did not do so yet."""
    hours = settings_of(game.settings).nmr_extend_hours
    return bool(hours) and session.get(Once, extended_key(phase)) is None


def extended_key(phase: PhaseRow) -> str:
    """Marks a phase whose deadline was moved for those who were late."""
    return f"nmr-extended.{phase.game_id}.{phase.ordinal}"
