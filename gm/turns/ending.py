"""The end of a game: by its own rules, by agreement of its players, or by its GM."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete
from sqlalchemy.orm import Session

from gm.games.api import GameOver, PowerId
from gm.store.tables import Game, Vote
from gm.turns import reportmail
from gm.turns.notices import serial, tell_all
from gm.turns.observing import held_back
from gm.turns.office import Office
from gm.turns.sheets import open_phase


def close_game(game: Game, *, winners: GameOver, how: str, now: datetime) -> None:
    """Mark a game as ended; its seed may be told from now on."""
    game.status = "finished"
    game.result = {"winners": list(winners.winners), "text": winners.text, "how": how}
    game.ended_at = now


def end_game(
    session: Session, office: Office, game: Game, *, winners: Sequence[PowerId], text: str, how: str
) -> None:
    """End a game that is not over yet, by agreement or by its GM, and tell everybody."""
    phase = open_phase(session, game)
    if phase is not None:
        phase.status = "undone"
        phase.due_at = phase.early_at = None
    session.execute(delete(Vote).where(Vote.game_id == game.id))
    untold = held_back(session, game)
    close_game(game, winners=GameOver(winners=tuple(winners), text=text), how=how, now=office.now())
    session.flush()
    for reader in reportmail.readers(session, game):
        if reader.title == "observer":
            for row in untold:
                reportmail.send_results(session, office, game, row, None, reader)
    tell_all(
        session,
        office,
        game,
        subject=f"{game.title} is over",
        paragraphs=(
            f"The game is over. {text}",
            f"The dice of this game came from the seed {game.seed.hex()}; its SHA-256 was published at the start.",
        ),
        key=f"over.{serial(session, office, game, 'over')}",
        calendar=True,
    )
