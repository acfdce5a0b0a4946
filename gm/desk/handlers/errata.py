"""The command ERRATUM: a correction for the zine, beside a game's report and noted in the issue that was wrong."""

from __future__ import annotations

import re
from dataclasses import replace

from sqlalchemy import select

from gm.club.campaigns import campaign_games
from gm.club.issuetexts import issue_that_told
from gm.desk.desk import Desk, Refusal
from gm.desk.handlers.clubbing import need_editor
from gm.desk.handlers.editing import keep
from gm.desk.language import Statement, nearest
from gm.store.clubtables import Issue
from gm.store.tables import Campaign, Game

_HEAD = re.compile(
    r"(?P<name>[a-z0-9][a-z0-9_-]*)??\s*"
    r"(?:\b(?:in|of|to)\s+(?:(?:issue|number)\s+|no\.?\s*|#)?(?P<number>\d{1,5}))?\s*(?::\s*(?P<text>.*))?$",
    re.I,
)
"""``spring99``, ``spring99 IN 12``, ``IN No. 12``, each at the end of its line or before a colon and the text."""
_ALMOST = 85
"""A word so like a game's name (of 100) is taken for a slip and asked about."""


def erratum(desk: Desk, statement: Statement) -> str:
    """ERRATUM [game] [IN number], the text, END."""
    found = need_editor(desk)
    game, number, text = _about(desk, found, statement.block)
    if statement.closed and game is not None and not text.strip():
        raise Refusal(
            f"There is no text. A text of more lines than one needs END below it; else it stands behind {game.slug} "
            "and a colon.",
            f"ERRATUM {game.slug}: the text",
            stops=True,
        )
    if number is not None:
        _check_number(desk, found, number, game)
    row = keep(desk, found, replace(statement, block=text), "erratum", desk.need_person().name)
    row.game_id = game.id if game is not None else None
    row.corrects = number
    if game is not None and number is None:
        row.corrects = issue_that_told(desk.session, found, game.slug)
    desk.session.flush()
    where = "under the errata of" if game is None else f"beside the report of {game.slug} in"
    read = [f"printed {where} the next issue of {found.title}"]
    if row.corrects is not None:
        read.append(f"then noted on the page of No. {row.corrects}")
    if game is None and desk.game is not None and desk.game.campaign_id == found.id:
        read.append(f"ERRATUM {desk.game.slug} and a colon puts it beside the report of that game")
    return "; ".join(read)


def _about(desk: Desk, found: Campaign, block: str) -> tuple[Game | None, int | None, str]:
    """The game and the number that a text begins with, and the rest of it. Raises Refusal for a name that is a slip."""
    first, newline, rest = block.partition("\n")
    match = _HEAD.match(first.strip())
    if match is None or not (match["name"] or match["number"]):
        return None, None, block
    games = {game.slug: game for game in campaign_games(desk.session, found)}
    name = (match["name"] or "").lower()
    if name and name not in games:
        near = nearest(name, games, _ALMOST)
        if not near:
            return None, None, block
        raise Refusal(
            f"There is no game {match['name']!r} in {found.slug}. Nothing was kept.",
            f"ERRATUM {near}: the text",
        )
    number = int(match["number"]) if match["number"] else None
    text = match["text"] or ""
    return games.get(name), number, f"{text}{newline if text else ''}{rest}"


def _check_number(desk: Desk, found: Campaign, number: int, game: Game | None) -> None:
    """Raises Refusal if there is no such issue, or nothing of the game in it."""
    row = desk.session.scalar(select(Issue).where(Issue.campaign_id == found.id, Issue.number == number))
    if row is None:
        last = desk.session.scalars(
            select(Issue.number).where(Issue.campaign_id == found.id).order_by(Issue.number.desc())
        ).first()
        there = f"there are 1 to {last}" if last else "none was published yet"
        raise Refusal(f"{found.title} has no issue {number}; {there}. Nothing was kept.")
    if game is not None and game.slug not in {g["slug"] for g in row.content["issue"]["games"]}:
        raise Refusal(
            f"No. {number} of {found.title} says nothing of {game.slug}. Nothing was kept.",
            f"ERRATUM {game.slug}: the text",
        )
