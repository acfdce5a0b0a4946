"""How reliable a player has been, from facts: orders on time, late, missed; seats given up or lost.

Nothing is stored for it: it is counted from the phases that were run. Whoever looks at somebody else does not see what
happened in an anonymous game that is under way and not his own to run, or he could tell who plays there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from gm.games import ruleset
from gm.store.tables import DeadlineChange, Game, GameGM, PhaseRow, Player, Seat, Sheet
from gm.turns.deadlines import FOR_LATE
from gm.turns.settings import settings_of


@dataclass(frozen=True, kw_only=True)
class Record:
    """Counts over all phases that waited for a player, and over his seats."""

    on_time: int = 0
    late: int = 0
    """His first orders came after the deadline, in the time that the house rules gave."""
    missed: int = 0
    resigned: int = 0
    out: int = 0
    """Seats that fell vacant because no orders came."""

    @property
    def text(self) -> str:
        """``"12 phases: 10 on time, 1 late, 1 missed; resigned 1 seat"``."""
        total = self.on_time + self.late + self.missed
        parts = ["no phase yet"]
        if total:
            phases = "1 phase" if total == 1 else f"{total} phases"
            parts = [f"{phases}: {self.on_time} on time, {self.late} late, {self.missed} missed"]
        for count, verb in ((self.resigned, "resigned"), (self.out, "lost for missed orders")):
            if count:
                parts.append(f"{verb} 1 seat" if count == 1 else f"{verb} {count} seats")
        return "; ".join(parts)


def record_of(session: Session, player: Player, *, viewers: Sequence[Player] = ()) -> Record:
    """A player's record.

    Args:
        viewers: the GMs who look at it, each of whom must be allowed what is shown; empty: he himself, who sees all.
    """
    run_by = [
        set(session.scalars(select(GameGM.game_id).where(GameGM.player_id == viewer.id)))
        for viewer in viewers
    ]
    on_time = late = missed = resigned = out = 0
    rows = session.execute(
        select(Seat, Game).join(Game, Game.id == Seat.game_id).where(Seat.player_id == player.id)
    )
    for seat, game in rows:
        hidden = settings_of(game.settings).anonymous and game.status != "finished"
        if hidden and any(game.id not in runs for runs in run_by):
            continue
        resigned += seat.left_why == "resigned"
        out += seat.left_why == "out"
        for first, due in _waited_for(session, game, seat):
            missed += first is None
            late += first is not None and first > due
            on_time += first is not None and first <= due
    return Record(on_time=on_time, late=late, missed=missed, resigned=resigned, out=out)


def _waited_for(session: Session, game: Game, seat: Seat) -> list[tuple[datetime | None, datetime]]:
    """``(when his first orders came or None, when they were due)`` for each phase run that waited for a seat."""
    columns = (PhaseRow.id, PhaseRow.state, PhaseRow.sheets, PhaseRow.due_at, PhaseRow.done_at)
    held: tuple[ColumnElement[bool], ...] = ()
    if seat.left_at is not None:  # a seat that is lost for missed orders ends with the phase that was missed
        missed_it = seat.left_why == "out"
        held = (PhaseRow.done_at <= seat.left_at if missed_it else PhaseRow.done_at < seat.left_at,)
    rows = session.execute(
        select(*columns).where(
            PhaseRow.game_id == game.id,
            PhaseRow.status == "done",
            PhaseRow.done_at > seat.joined_at,
            *held,
        )
    ).all()
    found: list[tuple[datetime | None, datetime]] = []
    for row in rows:
        dues = ruleset(game.ruleset).dues(row.state)
        if not any(due.power == seat.power and due.required for due in dues):
            continue
        first = session.scalar(
            select(func.min(Sheet.received_at)).where(
                Sheet.phase_id == row.id, Sheet.power == seat.power, Sheet.player_id == seat.player_id
            )
        )
        extended = session.scalar(
            select(func.min(DeadlineChange.old_due_at)).where(
                DeadlineChange.phase_id == row.id, DeadlineChange.actor == FOR_LATE
            )
        )
        given = (row.sheets or {}).get(seat.power) is not None
        due = extended or row.due_at or row.done_at
        # Orders that a GM or a deputy gave for him are no lateness of his.
        found.append((first or due if given else None, due))
    return found
