"""What the public may know of a game: its phases, its maps, where it stands. For pages and the zine."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from gm.clock.words import in_zone
from gm.games import ruleset
from gm.games.api import State
from gm.store.tables import Game, PhaseRow
from gm.turns.record import seen
from gm.turns.settings import settings_of
from gm.turns.sheets import open_phase


def done_phases(session: Session, game: Game) -> list[PhaseRow]:
    """The phases that were run, stand and may be shown to all, oldest first.

    Those rolled back are left out; so are the last ones of a game under way whose house rule `observer_delay` says so.
    """
    rows = list(
        session.scalars(
            select(PhaseRow)
            .where(PhaseRow.game_id == game.id, PhaseRow.status == "done")
            .order_by(PhaseRow.ordinal)
        )
    )
    late = 0 if game.status == "finished" else settings_of(game.settings).observer_delay
    return rows[: max(len(rows) - late, 0)]


def public_state(session: Session, game: Game) -> State | None:
    """The newest position of a game that may be shown to all, as a state to make a view of; None before the start."""
    rows = done_phases(session, game)
    if rows:
        return rows[-1].after
    return session.scalar(
        select(PhaseRow.state)
        .where(PhaseRow.game_id == game.id, PhaseRow.ordinal == 1)
        .order_by(PhaseRow.attempt.desc())
        .limit(1)
    )


def public_map(game: Game, phase: PhaseRow) -> str:
    """The map after a phase with its orders drawn on it, as the public may know them: SVG."""
    _, after, reading = seen(game, phase, None)
    return ruleset(game.ruleset).draw(after, reading)


def state_text(session: Session, game: Game) -> str:
    """One line on where a game stands."""
    if game.status == "finished":
        return str((game.result or {}).get("text") or "Finished")
    if game.status == "forming":
        return "Waiting for players"
    phase = open_phase(session, game)
    title = phase.title if phase else "Between phases"
    words = {"paused": f"{title}: paused", "parked": f"{title}: stopped, the GM has been told"}
    return words.get(game.status, title)


def deadline_text(session: Session, game: Game) -> str:
    """The deadline that runs, in the game's zone; empty if none does."""
    phase = open_phase(session, game)
    if phase is None or phase.due_at is None or game.status != "running":
        return ""
    return in_zone(phase.due_at, settings_of(game.settings).zone)
