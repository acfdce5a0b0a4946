"""Running a phase before its deadline: when everything is in and nobody waits."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from gm.games import ruleset
from gm.store.tables import Game, PhaseRow, Seat, Sheet
from gm.turns.settings import settings_of
from gm.turns.sheets import counting, flagged, owing, set_flag

GM_WAITS = "gm"
"""Stands for the GM in a phase's WAIT flags: a phase that he opened again does not run early by itself."""


def note_early(session: Session, game: Game, phase: PhaseRow, now: datetime) -> None:
    """Set or clear the early run of a phase after its sheets, flags, seats or house rules changed."""
    rules = settings_of(game.settings)
    early = rules.early and not rules.strict
    due = early and game.status == "running" and _all_in(session, game, phase)
    phase.early_at = now + timedelta(minutes=rules.early_delay_minutes) if due else None
    session.flush()


def hold_for_gm(session: Session, phase: PhaseRow, now: datetime) -> None:
    """Keep a phase from running early until its GM says PROCESS, or its deadline comes."""
    set_flag(session, phase, GM_WAITS, "wait", True, now)


def complete(sheet: Sheet, game: Game, phase: PhaseRow) -> bool:
    """Whether a sheet orders all that its power owes."""
    return not ruleset(game.ruleset).review(phase.state, sheet.power, sheet.orders).missing


def _all_in(session: Session, game: Game, phase: PhaseRow) -> bool:
    """Every power that owes has a full sheet or says READY, at least one does, and none says WAIT."""
    if flagged(session, phase, "wait") or owing(session, game, phase):
        return False
    ready = flagged(session, phase, "ready")
    sheets = counting(session, game, phase)
    seats = select(Seat.power, Seat.joined_at).where(Seat.game_id == game.id, Seat.left_at.is_(None))
    joined = {row.power: row.joined_at for row in session.execute(seats)}

    def settled(sheet: Sheet) -> bool:
        """Orders that a predecessor left wait for the deadline, or for a word of him who took over."""
        own = sheet.source == "gm" or sheet.received_at >= joined.get(sheet.power, sheet.received_at)
        return sheet.power in ready or (own and complete(sheet, game, phase))

    return bool(sheets) and all(settled(sheet) for sheet in sheets.values())
