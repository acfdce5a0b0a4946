"""What waits for the next issue: shown to the GMs, answered and struck by them, taken back by its writer."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from sqlalchemy import select

from gm.desk.desk import Desk, Refusal
from gm.desk.handlers.clubbing import need_campaign, need_editor, note
from gm.desk.handlers.editing import keep
from gm.desk.language import Statement
from gm.games.api import Section
from gm.mail.scrub import scrub
from gm.store.clubtables import Contribution
from gm.store.tables import Campaign, Player
from gm.turns.notices import tell_person

_ANSWER = re.compile(r"(?:no\.?\s*|number\s+|#)?(?P<number>\d{1,4})\b[.,:]?\s*(?P<text>.*)$", re.I | re.S)
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
    numbers = {row.id: number for number, row in enumerate(rows, 1)}
    for number, row in enumerate(rows, 1):
        lines = tuple(f"> {line}" for line in row.body.splitlines())
        kind = f"answer to {numbers[row.answers_id]}" if row.answers_id in numbers else row.kind
        desk.answers.append(Section(title=f"{number}. {kind}, {row.byline}", lines=lines))
    return (
        f"{len(rows)} texts wait for the next issue; DROP LETTER and a number strikes one"
        if rows
        else "none waits"
    )


def answer(desk: Desk, statement: Statement) -> str:
    """ANSWER LETTER number, the text, ENDANSWER: printed below the letter; it takes the place of an earlier one."""
    found = need_editor(desk)
    match = _ANSWER.match(statement.argument)
    rows = _waiting(desk, found)
    letters = {number: row for number, row in enumerate(rows, 1) if row.kind == "letter"}
    if match is None or int(match["number"]) not in letters:
        known = ", ".join(map(str, letters))
        raise Refusal(
            f"ANSWER LETTER needs the number of a letter that waits: {known}."
            if known
            else "No letter waits.",
            "LETTERS",
            stops=True,
        )
    letter = letters[int(match["number"])]
    before = next((row for row in rows if row.answers_id == letter.id), None)
    me = desk.need_person()
    if before is not None and before.player_id != me.id:
        raise Refusal(
            f"{before.byline} has answered this letter already. DROP LETTER strikes that answer, then yours is "
            "taken.",
            f"DROP LETTER {rows.index(before) + 1}",
        )
    block = "\n".join(filter(None, (match["text"], statement.block)))
    row = keep(desk, found, replace(statement, block=block), "answer", me.name)
    row.answers_id = letter.id
    if before is not None:
        desk.session.delete(before)
    desk.session.flush()
    instead = ", in place of your earlier one" if before is not None else ""
    return f"printed below the letter of {letter.byline}, signed Ed.{instead}"


def _strike(desk: Desk, rows: Iterable[Contribution]) -> list[Contribution]:
    """Take texts out of the next issue, with the answers to them. Returns those answers."""
    struck = {row.id: row for row in rows}
    answers = list(
        desk.session.scalars(select(Contribution).where(Contribution.answers_id.in_(struck)))
        if struck
        else ()
    )
    for row in (*answers, *struck.values()):
        desk.session.delete(row)
        desk.session.flush()
    return answers


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
    answers = _strike(desk, [row])
    note(desk, found, "drop letter", player=writer.id, kind=row.kind)
    if writer.id != desk.need_person().id:
        tell_person(
            desk.session,
            desk.office,
            writer,
            subject=f"{found.title}: your {row.kind} is not printed",
            paragraphs=(f"A GM of {found.slug} has struck your {row.kind} from the next issue.{why}",),
            sections=(Section(title="Your text", lines=tuple(row.body.splitlines())),),
            key=f"struck.{found.slug}.{desk.inbound.identity[:12]}.{statement.line}",
        )
    return f"the {row.kind} of {row.byline} is struck" + (", and the answer to it" if answers else "")


def withdraw(desk: Desk, statement: Statement) -> str:
    """WITHDRAW LETTER [OF campaign]: the writer takes back what is not printed yet."""
    name = re.sub(r"^(?:of|in|from)\s+", "", statement.argument.strip(), flags=re.I)
    found, person = need_campaign(desk, name), desk.need_person()
    mine = [row for row in _waiting(desk, found) if row.player_id == person.id and row.kind == "letter"]
    if not mine:
        raise Refusal(f"No letter of yours waits for the next issue of {found.title}.")
    for reply in _strike(desk, mine):
        tell_person(
            desk.session,
            desk.office,
            desk.session.get_one(Player, reply.player_id),
            subject=f"{found.title}: your answer is not printed",
            paragraphs=(
                "The letter that you answered was taken back by its writer. With it, your answer is not printed.",
            ),
            sections=(Section(title="Your text", lines=tuple(reply.body.splitlines())),),
            key=f"withdrawn.{found.slug}.{desk.inbound.identity[:12]}.{reply.id}",
        )
    return f"{len(mine)} of your letters to {found.title} taken back"
