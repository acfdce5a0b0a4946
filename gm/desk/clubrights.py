"""Two GMs of a campaign who do not know of each other: what one of them did to the same thing just before."""

from __future__ import annotations

import re
from datetime import datetime

from sqlalchemy import select

from gm.desk.desk import Desk, Refusal
from gm.desk.handlers.clubbing import need_editor, sets_campaign_rule
from gm.desk.handlers.clubrecord import told
from gm.desk.language import Statement
from gm.store.tables import Audit, Campaign, Game
from gm.turns.people import player_by_email

_ISSUE = ("zine", "zone")
"""Rules of which a change sets a new date for the next issue, which PUBLISH does too."""
_LISTS = {
    "ADD GM": ("add gm", "drop gm"),
    "DROP GM": ("add gm", "drop gm"),
    "ADD STANDBY": ("add standby", "drop standby"),
    "DROP STANDBY": ("add standby", "drop standby"),
}
_EMAIL = re.compile(r"<?(\S+?@[^\s>]+)>?")
_COMMANDS = frozenset({*_LISTS, "SET", "PUBLISH", "CALL", "ADD GAME", "DROP LETTER", "ANSWER LETTER"})


def speaks_of_campaign(desk: Desk, statement: Statement) -> bool:
    """Whether a command is about a campaign, of which two GMs may not know of each other."""
    if statement.command == "SET":
        return sets_campaign_rule(desk, statement)
    if statement.command in ("ADD GM", "DROP GM") and desk.game is not None:
        return True  # of the game, if it is in no campaign
    return statement.command in _COMMANDS


def act_of_another(desk: Desk, statement: Statement, *, since: datetime) -> tuple[Audit | None, str]:
    """What another GM of the campaign did to the same thing since then, and that in words; None if nothing."""
    game = desk.game if statement.command in ("ADD GM", "DROP GM") else None
    alone = game if game is not None and game.campaign_id is None else None
    try:
        found = need_editor(desk) if alone is None else None
    except Refusal:  # the command says why itself
        return None, ""
    rows = desk.session.scalars(
        select(Audit)
        .where(
            Audit.game_id == (alone.id if alone else None),
            Audit.actor.startswith("gm "),
            Audit.actor != f"gm {desk.need_person().id}",
            Audit.at >= since,
        )
        .order_by(Audit.id.desc())
    )
    for row in rows:
        if (found is None or row.detail.get("campaign") == found.slug) and _same(desk, statement, row, found):
            return row, told(desk, row)
    return None, ""


def _same(desk: Desk, statement: Statement, row: Audit, found: Campaign | None) -> bool:
    """Whether an act is about what a command is about."""
    said, detail, command = (
        statement.argument.replace("=", " ").lower().split(),
        row.detail,
        statement.command,
    )
    if command in _LISTS:
        match = _EMAIL.match(statement.argument)
        player = player_by_email(desk.session, match[1]) if match else None
        return row.action in _LISTS[command] and player is not None and detail.get("player") == player.id
    if command == "SET":
        rule = said[0] if said else ""
        dates = rule in _ISSUE and (row.action == "publish" or detail.get("rule") in _ISSUE)
        return (row.action == "set" and detail.get("rule") == rule) or (
            dates and row.action in ("set", "publish")
        )
    if command == "PUBLISH":
        return row.action == "publish" or (row.action == "set" and detail.get("rule") in _ISSUE)
    if command in ("DROP LETTER", "ANSWER LETTER"):
        return row.action == "drop letter"
    if command == "ADD GAME":
        return row.action == "add game" and said[:1] == [detail.get("game")]
    ruleset = desk.session.scalar(select(Game.ruleset).where(Game.slug == str(detail.get("game", ""))))
    return command == "CALL" and row.action == "call" and said[:1] == [ruleset]
