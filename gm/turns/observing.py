"""What observers get, and when: at once, or so many phases late (house rule ``observer_delay``)."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from gm.store.tables import Game, PhaseRow
from gm.turns.publicly import done_phases
from gm.turns.settings import settings_of


def delay_of(game: Game) -> int:
    """By how many phases outsiders are behind; none once the game is over."""
    return 0 if game.status == "finished" else settings_of(game.settings).observer_delay


def reports_due(session: Session, game: Game, phase: PhaseRow) -> list[PhaseRow]:
    """The phases whose reports go to observers now that `phase` was run: it, an older one, or at the end all that
    they have not had yet."""
    late = settings_of(game.settings).observer_delay
    if not late:
        return [phase]
    shown = done_phases(session, game)
    return shown[-1 - late :] if game.status == "finished" else shown[-1:]


def visible(session: Session, game: Game, rows: Sequence[PhaseRow], *, insider: bool) -> list[PhaseRow]:
    """Of these phases those that a reader may see now; insiders play in the game or run it."""
    if insider or not delay_of(game):
        return list(rows)
    shown = {row.id for row in done_phases(session, game)}
    return [row for row in rows if row.id in shown]


def held_back(session: Session, game: Game) -> list[PhaseRow]:
    """The phases of a game under way that outsiders have not been told of yet."""
    late = delay_of(game)
    if not late:
        return []
    rows = session.scalars(
        select(PhaseRow)
        .where(PhaseRow.game_id == game.id, PhaseRow.status == "done")
        .order_by(PhaseRow.ordinal)
    ).all()
    return list(rows[-late:])
