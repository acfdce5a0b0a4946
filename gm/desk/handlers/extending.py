"""VOTE EXTEND: players push a deadline back together, where the house rules allow it. The ballot is secret."""

from __future__ import annotations

from datetime import timedelta

from gm.clock.calendar import CalendarError
from gm.clock.words import in_zone, parse_span
from gm.desk.desk import Desk, Refusal
from gm.desk.handlers.ordering import not_stale
from gm.games.api import PowerId
from gm.store.tables import Game, Once
from gm.turns import votes
from gm.turns.lifecycle import extend_by_vote
from gm.turns.settings import settings_of
from gm.turns.starting import GameError

LONGEST = timedelta(days=14)
"""The most that a vote may ask for."""


def vote_extend(desk: Desk, game: Game, power: PowerId, length: str) -> str:
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
    if desk.session.get(Once, votes.extended_key(phase)) is not None:
        raise Refusal("The players have extended this phase once already.")
    minutes = int(span.total_seconds()) // 60
    votes.cast_extension(desk.session, game, phase, power, minutes, desk.office.now())
    try:
        moved = extend_by_vote(desk.session, desk.office, game, phase)
    except GameError as wrong:
        raise Refusal(str(wrong)) from None
    if moved:
        assert phase.due_at is not None
        return f"enough agree: the deadline is {in_zone(phase.due_at, desk.need_person().zone)}"
    need = "all players" if rule == "all" else "more than half of the players"
    return f"you vote for {length.strip()} more; it takes {need}, and until then nobody learns of your vote"
