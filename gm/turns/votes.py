"""Votes counted: draws and concessions, which take all players, and more time. A ballot is secret until it passes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement, delete, select
from sqlalchemy.orm import Session

from gm.games import ruleset
from gm.games.api import PowerId
from gm.store.tables import Game, PhaseRow, Vote
from gm.turns.ending import end_game
from gm.turns.office import Office
from gm.turns.people import current_seats, power_name
from gm.turns.settings import settings_of
from gm.turns.sheets import open_phase

DRAW_OF_ALL: Final = "draw:"
"""A draw of all who are still in the game when it is counted. Every other motion names its powers."""


def surviving_voters(session: Session, game: Game) -> list[PowerId]:
    """Powers that have a player and something left to play with: all of them must agree."""
    phase = open_phase(session, game)
    if phase is None:
        return []
    rules = ruleset(game.ruleset)
    alive = {power for power, score in rules.standings(rules.view(phase.state, None)) if score > 0}
    alive |= {due.power for due in rules.dues(phase.state)}
    return [power for power in current_seats(session, game) if power in alive]


def _winners(motion: str, voters: Sequence[PowerId]) -> tuple[PowerId, ...]:
    return tuple(voters) if motion == DRAW_OF_ALL else tuple(motion.partition(":")[2].split(","))


def words(game: Game, motion: str, voters: Sequence[PowerId]) -> str:
    """A motion on the end of the game as its players read it."""
    names = ", ".join(power_name(game, power) for power in _winners(motion, voters))
    return f"a draw between {names}" if motion.startswith("draw:") else f"the game is conceded to {names}"


def end_if_agreed(session: Session, office: Office, game: Game, motion: str = "") -> bool:
    """End the game if all who may vote have voted for the same. Returns whether they have.

    Args:
        motion: the one just voted for. Empty: the votes are counted again, since there are fewer voters. Then a motion
            passes only if all powers that it names are still in the game: it was made when they were.
    """
    voters = surviving_voters(session, game)
    rows = session.execute(
        select(Vote.power, Vote.motion)
        .where(Vote.game_id == game.id, Vote.motion.not_like("extend:%"))
        .order_by(Vote.id)
    ).all()
    for found in [motion] if motion else list(dict.fromkeys(row.motion for row in rows)):
        kind, winners = found.partition(":")[0], _winners(found, voters)
        agreed = {
            row.power
            for row in rows
            if row.motion.partition(":")[0] == kind and _winners(row.motion, voters) == winners
        }
        if not voters or not agreed.issuperset(voters) or not (motion or set(winners) <= set(voters)):
            continue
        end_game(
            session,
            office,
            game,
            winners=winners,
            text=f"By the vote of all players: {words(game, found, voters)}.",
            how="draw" if kind == "draw" else "concession",
        )
        return True
    return False


# --- more time -----------------------------------------------------------------------------------------------------


def extended_key(phase: PhaseRow) -> str:
    """The key of `Once` that says that a phase was extended by vote."""
    return f"extended-by-vote.{phase.id}"


def _head(phase: PhaseRow) -> str:
    return f"extend:{phase.id}:"


def _extensions(game: Game, phase: PhaseRow) -> tuple[ColumnElement[bool], ...]:
    return Vote.game_id == game.id, Vote.motion.startswith(_head(phase), autoescape=True)


def cast_extension(
    session: Session, game: Game, phase: PhaseRow, power: PowerId, minutes: int, now: datetime
) -> None:
    """Note that a power votes for so much more time, and no longer for any other."""
    session.execute(delete(Vote).where(*_extensions(game, phase), Vote.power == power))
    session.add(Vote(game_id=game.id, power=power, motion=f"{_head(phase)}{minutes}", cast_at=now))
    session.flush()


def agreed_extension(session: Session, game: Game, phase: PhaseRow) -> timedelta | None:
    """The longest time that enough voters agree to; None if there is none. Who votes for a longer time agrees to every
    shorter one."""
    rule = settings_of(game.settings).extend_vote
    voters = surviving_voters(session, game)
    if rule == "none" or not voters:
        return None
    need = len(voters) if rule == "all" else len(voters) // 2 + 1
    rows = session.execute(select(Vote.power, Vote.motion).where(*_extensions(game, phase)))
    lengths = sorted(
        (int(row.motion.removeprefix(_head(phase))) for row in rows if row.power in voters), reverse=True
    )
    return timedelta(minutes=lengths[need - 1]) if len(lengths) >= need else None


def spend_extension(session: Session, game: Game, phase: PhaseRow) -> None:
    """Forget the votes on more time for a phase."""
    session.execute(delete(Vote).where(*_extensions(game, phase)))
