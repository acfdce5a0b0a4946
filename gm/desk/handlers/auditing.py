"""The record of what GMs and the server did in a game, in words; what of it players may read."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import select

from gm.clock.words import in_zone
from gm.desk.desk import Desk, Refusal
from gm.desk.handlers.clubrecord import SHOWN, actor, campaign_record
from gm.desk.language import Statement
from gm.games.api import Section
from gm.store.tables import Audit, Game
from gm.turns.people import power_name
from gm.turns.settings import settings_of

_WORDS: Mapping[str, str] = {
    "create": "opened the game",
    "start": "began the game",
    "pause": "paused the game{why}",
    "resume": "resumed the game",
    "extend": "extended the deadline by {by}",
    "deadline": "set the deadline to {to}",
    "process": "ran {phase}",
    "preview": "looked at a preview of {phase}",
    "hold": "put {phase} on hold{why}",
    "release": "let {phase} go",
    "roll back": "took the game back to {to}{why}",
    "edit": "edited the position before {phase}{why}",
    "set": "set {rule} to {value}",
    "set option": "set {rule} to {value}",
    "replace": "gave {power} to another player",
    "act as": "wrote as a power",
    "look as": "looked at a sheet",
    "run": "ran {phase}: {cause}",
    "end": "ended the game: {text}",
}
"""Acts that players may know of, where the house rules let them. Everything else is for GMs."""
_FOR_GMS: Mapping[str, str] = {
    **_WORDS,
    "act as": "wrote as {power}: {did}",
    "look as": "looked at the sheet of {power}",
    "add gm": "made somebody a GM of the game",
    "address.suspended": "suspended an address that bounces",
    "drop gm": "took a GM's rights away",
    "away note": "was told by the mailbox of {power} that its player is away",
    "fault": "met with a fault, trace {trace}",
    "import": "took the game in from an archive",
    "mail.held": "held mail of the game, for there was too much of it",
    "offer": "offered {power} to the standby players",
    "park": "stopped the game by a fault, trace {trace}",
    "press refused": "refused press no. {number}{why}",
    "press released": "let press no. {number} go",
    "refused proof": "took a mail for none of his, as it proved nothing",
    "release mail": "let the mail of the game go that was held",
    "resend": "sent {phase} to {power} again",
    "standby": "gave {power} to a standby player",
}


def audit(desk: Desk, _statement: Statement) -> str:
    """AUDIT: the last acts, for a GM all of them, for players what their house rules let them know; of a campaign where
    no game is spoken of."""
    if desk.game is None and desk.campaign is not None:
        desk.answers.append(campaign_record(desk, desk.campaign))
        return "the record is below"
    game = desk.need_game()
    if not desk.gm and settings_of(game.settings).audit != "players":
        raise Refusal(f"In {game.slug} only GMs read the record (house rule audit).", "RULES")
    if not desk.gm and desk.power is None:
        raise Refusal(f"Only those who play or run {game.slug} read its record.")
    asked = select(Audit).where(Audit.game_id == game.id)
    if not desk.gm:
        asked = asked.where(Audit.action.in_(list(_WORDS)))
    rows = desk.session.scalars(asked.order_by(Audit.id.desc()).limit(SHOWN))
    zone = desk.need_person().zone
    shown = [
        f"{in_zone(row.at, zone)}: {actor(desk, row.actor)}: {told(game, row, zone, desk.gm)}" for row in rows
    ]
    desk.answers.append(Section(title="Record, newest first", lines=tuple(shown)))
    return "the record is below"


def told(game: Game, row: Audit, zone: str, gm: bool) -> str:
    """One act as the end of a sentence."""
    words = (_FOR_GMS if gm else _WORDS).get(row.action)
    if words is None:
        return row.action
    detail = {key: _plain(game, key, value, zone) for key, value in row.detail.items()}
    detail["why"] = f": {detail['why']}" if detail.get("why") else ""
    try:
        return words.format_map(detail)
    except KeyError:  # an act recorded by an older version, which knew less of it
        return _WORDS.get(row.action, row.action)


def _plain(game: Game, key: str, value: Any, zone: str) -> str:
    if key == "power":
        return power_name(game, value)
    if key == "to" and isinstance(value, str) and value[:4].isdigit() and "T" in value:
        return in_zone(datetime.fromisoformat(value), zone)
    return str(value)
