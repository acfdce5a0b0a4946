"""Votes: draws and concessions, and more time. A ballot is secret until its motion passes."""

from __future__ import annotations

import re

from sqlalchemy import delete

from gm.desk.desk import Desk, Refusal
from gm.desk.handlers.extending import vote_extend
from gm.desk.handlers.signup import powers_named
from gm.desk.language import Statement
from gm.games import ruleset
from gm.games.api import PowerId
from gm.store.tables import Game, Vote
from gm.turns import votes
from gm.turns.people import power_name

_VOTE = re.compile(
    r"(?P<draw>(?:for\s+)?(?:a\s+)?draw)(?:\s*(?:between|for|of|:)?\s*(?P<among>.+))?$"
    r"|(?:to\s+)?(?:concede|concession)(?:\s+to)?\s+(?P<winner>.+)$"
    r"|(?:to\s+)?exten(?:d|sion)(?:\s+(?:of|by))?\s+(?P<length>.+)$"
    r"|(?P<none>none|nothing|no)$",
    re.I,
)


def vote(desk: Desk, statement: Statement) -> str:
    """VOTE DRAW [powers] | VOTE CONCEDE TO power | VOTE EXTEND length | VOTE NONE."""
    game, power = desk.need_power()
    if game.status not in ("running", "paused"):
        raise Refusal(f"{game.title} is {game.status}; there is nothing to vote on.")
    match = _VOTE.match(statement.argument.strip())
    if match is None:
        raise Refusal(
            "I can't read that vote.", "VOTE DRAW, VOTE CONCEDE TO France, VOTE EXTEND 48h, or VOTE NONE"
        )
    voters = votes.surviving_voters(desk.session, game)
    if power not in voters:
        raise Refusal(f"{power_name(game, power)} is out of the game and has no vote.")
    if match["none"]:
        desk.session.execute(delete(Vote).where(Vote.game_id == game.id, Vote.power == power))
        return "you have no votes on file"
    if match["length"]:
        return vote_extend(desk, game, power, match["length"])
    motion, words = _motion(game, match, voters)
    desk.session.execute(
        delete(Vote).where(Vote.game_id == game.id, Vote.power == power, Vote.motion == motion)
    )
    desk.session.add(Vote(game_id=game.id, power=power, motion=motion, cast_at=desk.office.now()))
    desk.session.flush()
    if votes.end_if_agreed(desk.session, desk.office, game, motion):
        desk.power = None
        return f"{words}: everybody agrees, the game is over"
    return f"{words}. Your vote stands until you take it back; nobody learns of it unless all agree"


def _motion(game: Game, match: re.Match[str], voters: list[PowerId]) -> tuple[str, str]:
    if match["winner"]:
        winners = powers_named(game, match["winner"])
        if len(winners) != 1:
            raise Refusal("A concession has one winner.", f"VOTE CONCEDE TO {power_name(game, winners[0])}")
        motion = f"concede:{winners[0]}"
        return motion, votes.words(game, motion, voters)
    if not match["among"]:
        return votes.DRAW_OF_ALL, votes.words(game, votes.DRAW_OF_ALL, voters)
    order = [p.id for p in ruleset(game.ruleset).meta.powers]
    motion = f"draw:{','.join(sorted(powers_named(game, match['among']), key=order.index))}"
    return motion, votes.words(game, motion, voters)
