"""What waits for the next issue: shown to the GMs, struck by them, taken back by its writer."""

from __future__ import annotations

import re

from sqlalchemy import select

from gm.desk.clubbing import need_campaign, need_editor, note
from gm.desk.desk import Desk, Refusal
from gm.desk.language import Statement
from gm.games.api import Section
from gm.mail.scrub import scrub
from gm.store.clubtables import Contribution
from gm.store.tables import Campaign, Player
from gm.turns.notices import tell_person

_DROP = re.compile(r"(?:no\.?\s*|#)?(?P<number>\d{1,4})(?:\s+because\s+(?P<why>.+))?$", re.I)


def _waiting(desk: Desk, found: Campaign) -> list[Contribution]:
    """Everything that the next issue prints, in the order in which it came; its places are its numbers."""
    return list(
        desk.session.scalars(
            select(Contribution)
            .where(Contribution.campaign_id == found.id, Contribution.issue_id.is_(None))
            .order_by(Contribution.id)
        )
    )


def listing(desk: Desk, _statement: Statement) -> str:
    """LETTERS: all that the next issue prints, numbered."""
    found = need_editor(desk)
    rows = _waiting(desk, found)
    for number, row in enumerate(rows, 1):
        lines = tuple(f"> {line}" for line in row.body.splitlines())
        desk.answers.append(Section(title=f"{number}. {row.kind}, {row.byline}", lines=lines))
    return (
        f"{len(rows)} texts wait for the next issue; DROP LETTER and a number strikes one"
        if rows
        else "none waits"
    )


def drop(desk: Desk, statement: Statement) -> str:
    """DROP LETTER number [BECAUSE why]: strike a text before it is printed; its writer is told."""
    found = need_editor(desk)
    match = _DROP.match(statement.argument.strip())
    rows = _waiting(desk, found)
    if match is None or not 1 <= int(match["number"]) <= len(rows):
        raise Refusal(
            f"DROP LETTER needs a number from 1 to {len(rows)}." if rows else "None waits.", "LETTERS"
        )
    row = rows[int(match["number"]) - 1]
    writer = desk.session.get_one(Player, row.player_id)
    why = f" The reason given: {scrub(match['why']).strip()}" if match["why"] else ""
    desk.session.delete(row)
    desk.session.flush()
    note(desk, found, "drop letter", player=writer.id, kind=row.kind)
    if writer.id != desk.need_person().id:
        tell_person(
            desk.session,
            desk.office,
            writer,
            subject=f"{found.title}: your {row.kind} is not printed",
            paragraphs=(
                f"A GM of {found.slug} has struck your {row.kind} from the next issue.{why}",
                row.body,
            ),
            key=f"struck.{found.slug}.{desk.inbound.identity[:12]}.{statement.line}",
        )
    return f"the {row.kind} of {row.byline} is struck"


def withdraw(desk: Desk, statement: Statement) -> str:
    """WITHDRAW LETTER [OF campaign]: the writer takes back what is not printed yet."""
    name = re.sub(r"^(?:of|in|from)\s+", "", statement.argument.strip(), flags=re.I)
    found, person = need_campaign(desk, name), desk.need_person()
    mine = [row for row in _waiting(desk, found) if row.player_id == person.id and row.kind == "letter"]
    if not mine:
        raise Refusal(f"No letter of yours waits for the next issue of {found.title}.")
    for row in mine:
        desk.session.delete(row)
    desk.session.flush()
    return f"{len(mine)} of your letters to {found.title} taken back"
