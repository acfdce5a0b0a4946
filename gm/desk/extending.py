"""VOTE EXTEND: players push a deadline back together, where the house rules allow it. The ballot is secret."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import delete, select

from gm.clock.calendar import CalendarError
from gm.clock.words import in_zone, parse_span
from gm.desk.desk import Desk, Refusal
from gm.desk.ordering import not_stale
from gm.games.api import PowerId
from gm.store.tables import Game, Once, PhaseRow, Vote
from gm.turns.lifecycle import move_deadline
from gm.turns.notices import once
from gm.turns.settings import settings_of
from gm.turns.starting import GameError

LONGEST = timedelta(days=14)
"""The most that a vote may ask for."""


def vote_extend(desk: Desk, game: Game, power: PowerId, length: str, voters: Sequence[PowerId]) -> str:
    """Cast a vote for so much more time, and move the deadline if enough agree. Raises Refusal.

    Who votes for a longer time agrees to every shorter one. The longest time that enough agree to is taken, once a
    phase; then the votes are spent.
    """
    rule = settings_of(game.settings).extend_vote
    if rule == "none":
        raise Refusal("In this game players do not vote on deadlines.", "PRESS TO GM")
    phase = desk.need_phase()
    not_stale(desk, game, phase)
    if game.status != "running" or phase.due_at is None:
        raise Refusal("No deadline runs.")
    try:
        span = parse_span(length)
    except CalendarError as wrong:
        raise Refusal(str(wrong), "VOTE EXTEND 48h") from None
    if span > LONGEST:
        raise Refusal(
            f"A vote may extend by {LONGEST.days} days at most.", f"VOTE EXTEND {LONGEST.days} days"
        )
    key = f"extended-by-vote.{phase.id}"
    if desk.session.get(Once, key) is not None:
        raise Refusal("The players have extended this phase once already.")
    head = f"extend:{phase.id}:"
    desk.session.execute(
        delete(Vote).where(
            Vote.game_id == game.id, Vote.power == power, Vote.motion.startswith(head, autoescape=True)
        )
    )
    minutes = int(span.total_seconds()) // 60
    desk.session.add(Vote(game_id=game.id, power=power, motion=f"{head}{minutes}", cast_at=desk.office.now()))
    desk.session.flush()
    agreed = _agreed(desk, game, head, voters, len(voters) if rule == "all" else len(voters) // 2 + 1)
    if not agreed:
        need = "all players" if rule == "all" else "more than half of the players"
        return (
            f"you vote for {length.strip()} more; it takes {need}, and until then nobody learns of your vote"
        )
    once(desk.session, desk.office, key)
    desk.session.execute(
        delete(Vote).where(Vote.game_id == game.id, Vote.motion.startswith(head, autoescape=True))
    )
    return _extend(desk, game, phase, timedelta(minutes=agreed))


def _agreed(desk: Desk, game: Game, head: str, voters: Sequence[PowerId], need: int) -> int:
    """The longest time, in minutes, that enough voters agree to; 0 if there is none."""
    rows = desk.session.execute(
        select(Vote.power, Vote.motion).where(
            Vote.game_id == game.id, Vote.motion.startswith(head, autoescape=True)
        )
    )
    lengths = sorted(
        (int(row.motion.removeprefix(head)) for row in rows if row.power in voters), reverse=True
    )
    return lengths[need - 1] if len(lengths) >= need else 0


def _extend(desk: Desk, game: Game, phase: PhaseRow, span: timedelta) -> str:
    assert phase.due_at is not None
    hours, minutes = divmod(int(span.total_seconds()) // 60, 60)
    length = f"{hours} hours" if not minutes else f"{hours * 60 + minutes} minutes"
    try:
        move_deadline(
            desk.session,
            desk.office,
            game,
            phase.due_at + span,
            actor="vote",
            cause=f"extended by {length} by vote of the players",
        )
    except GameError as wrong:
        raise Refusal(str(wrong)) from None
    return f"enough agree: the deadline is {in_zone(phase.due_at, desk.need_person().zone)}"
