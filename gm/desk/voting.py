"""Votes: draws and concessions, and more time. A ballot is secret until its motion passes."""

from __future__ import annotations

import re

from sqlalchemy import delete, select

from gm.desk.desk import Desk, Refusal
from gm.desk.extending import vote_extend
from gm.desk.language import Statement
from gm.desk.signup import powers_named
from gm.games import ruleset
from gm.games.api import PowerId
from gm.store.tables import Game, Vote
from gm.turns.lifecycle import end_game
from gm.turns.people import current_seats, power_name
from gm.turns.sheets import open_phase

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
    voters = surviving_voters(desk, game)
    if power not in voters:
        raise Refusal(f"{power_name(game, power)} is out of the game and has no vote.")
    if match["none"]:
        desk.session.execute(delete(Vote).where(Vote.game_id == game.id, Vote.power == power))
        return "you have no votes on file"
    if match["length"]:
        return vote_extend(desk, game, power, match["length"], voters)
    motion, words = _motion(game, match, voters)
    desk.session.execute(
        delete(Vote).where(Vote.game_id == game.id, Vote.power == power, Vote.motion == motion)
    )
    desk.session.add(Vote(game_id=game.id, power=power, motion=motion, cast_at=desk.office.now()))
    desk.session.flush()
    agreed = set(
        desk.session.scalars(select(Vote.power).where(Vote.game_id == game.id, Vote.motion == motion))
    )
    if agreed.issuperset(voters):
        kind, _, names = motion.partition(":")
        end_game(
            desk.session,
            desk.office,
            game,
            winners=names.split(","),
            text=f"By the vote of all players: {words}.",
            how="draw" if kind == "draw" else "concession",
        )
        desk.power = None
        return f"{words}: everybody agrees, the game is over"
    return f"{words}. Your vote stands until you take it back; nobody learns of it unless all agree"


def surviving_voters(desk: Desk, game: Game) -> list[PowerId]:
    """Powers that have a player and something left to play with: all of them must agree."""
    phase = open_phase(desk.session, game)
    if phase is None:
        return []
    rules = ruleset(game.ruleset)
    alive = {power for power, score in rules.standings(rules.view(phase.state, None)) if score > 0}
    alive |= {due.power for due in rules.dues(phase.state)}
    return [power for power in current_seats(desk.session, game) if power in alive]


def _motion(game: Game, match: re.Match[str], voters: list[PowerId]) -> tuple[str, str]:
    if match["winner"]:
        winners = powers_named(game, match["winner"])
        if len(winners) != 1:
            raise Refusal("A concession has one winner.", f"VOTE CONCEDE TO {power_name(game, winners[0])}")
        return f"concede:{winners[0]}", f"the game is conceded to {power_name(game, winners[0])}"
    among = powers_named(game, match["among"]) if match["among"] else voters
    order = [p.id for p in ruleset(game.ruleset).meta.powers]
    sharing = sorted(among, key=order.index)
    return f"draw:{','.join(sharing)}", f"a draw between {', '.join(power_name(game, p) for p in sharing)}"
