"""Commands of the zine: letters and editorials mailed in; publishing; back issues."""

from __future__ import annotations

import re

from sqlalchemy import func, select

from gm.clock.words import in_zone
from gm.club import campaigns, zine
from gm.club.issuemaking import draft, stored_issue
from gm.desk.desk import Desk, Refusal
from gm.desk.handlers.clubbing import need_campaign, need_editor, note
from gm.desk.language import BLOCKS, MAX_BLOCK_CHARS, Statement
from gm.desk.pressguard import leaks, without_secrets
from gm.store.clubtables import Contribution, Issue
from gm.store.tables import Campaign
from gm.turns.notices import at_most

LETTERS_PER_ISSUE = 5
"""Letters of one writer that wait for one issue."""
COPIES_PER_DAY = 6
"""Back issues that one reader gets in a day: each is a large mail."""

_TO = re.compile(r"to\b\s*(?P<whom>.*)$", re.I)
_EDITOR = re.compile(r"(?:the\s+)?(?:editors?|zine)\b\s*(?:(?:of|in)\s+)?(?P<campaign>\S*)$", re.I)
_GET = re.compile(
    r"(?:no\.?\s*|number\s+|#)?(?P<number>\d{1,5}|last|newest|)\s*(?:(?:of|from)\s+)?(?P<campaign>\S*)$", re.I
)


def letter(desk: Desk, statement: Statement) -> str:
    """LETTER [UNSIGNED] [TO THE EDITOR] [OF campaign], the text, ENDLETTER."""
    words = statement.argument.strip()
    unsigned = words.lower().startswith("unsigned")
    words = words[len("unsigned") :].strip() if unsigned else words
    if match := _TO.match(words):
        editor = _EDITOR.match(match["whom"])
        if editor is None:
            raise Refusal(
                "A letter is printed in the zine for all to read, so nothing was done with this one. To write to "
                "a player, use PRESS; to have it printed, LETTER without TO.",
                f"PRESS TO {match['whom']}",
            )
        words = editor["campaign"]
    found = need_campaign(desk, re.sub(r"^(?:of|in|for)\s+", "", words, flags=re.I))
    person = desk.need_person()
    if found not in campaigns.campaigns_of(desk.session, person) and not desk.operator:
        raise Refusal(
            f"Letters are printed from players and subscribers of {found.slug}.", f"SUBSCRIBE {found.slug}"
        )
    waiting = desk.session.scalar(
        select(func.count())
        .select_from(Contribution)
        .where(
            Contribution.campaign_id == found.id,
            Contribution.player_id == person.id,
            Contribution.kind == "letter",
            Contribution.issue_id.is_(None),
        )
    )
    if (waiting or 0) >= LETTERS_PER_ISSUE:
        raise Refusal(f"{LETTERS_PER_ISSUE} letters of yours wait for the next issue already.")
    keep(desk, found, statement, "letter", "Name withheld" if unsigned else person.name)
    return f"your letter is printed in the next issue of {found.title}" + (
        ", without your name" if unsigned else f", signed {person.name}"
    )


def editorial(desk: Desk, statement: Statement) -> str:
    """EDITORIAL, the text, ENDEDITORIAL."""
    found = need_editor(desk)
    keep(desk, found, statement, "editorial", desk.need_person().name)
    return f"printed at the head of the next issue of {found.title}; PREVIEW ISSUE shows it"


def keep(desk: Desk, found: Campaign, statement: Statement, kind: str, byline: str) -> Contribution:
    """Keep a text for the next issue, without anything in it that nobody else may see. Raises Refusal."""
    end = BLOCKS[statement.command][0]
    if not statement.closed:
        raise Refusal(
            f"There is no line {end} after the text, so I can't tell where it stops. Nothing was kept.",
            end,
            stops=True,
        )
    if not statement.block.strip():
        raise Refusal("There is no text.")
    if len(statement.block) > MAX_BLOCK_CHARS:
        raise Refusal(
            f"The text has {len(statement.block):,} characters; at most {MAX_BLOCK_CHARS:,} are printed."
        )
    body = without_secrets(desk, statement.block)
    if kind == "letter" and desk.game is not None and desk.power is not None:
        held = leaks(desk, desk.game, ["all"], body, body)
        if held:
            raise Refusal(
                f"This letter holds {' and '.join(held)}, and would be printed for all. Nothing was kept."
            )
    row = Contribution(
        campaign_id=found.id,
        kind=kind,
        player_id=desk.need_person().id,
        byline=byline,
        body=body,
        sent_at=desk.office.now(),
        inbound_id=desk.inbound.id,
    )
    desk.session.add(row)
    desk.session.flush()
    return row


def publish(desk: Desk, _statement: Statement) -> str:
    """PUBLISH: the issue goes to press now; the regular one after it stays when it was due."""
    found = need_editor(desk)
    zine.publish_now(desk.session, found, desk.office.now())
    note(desk, found, "publish")
    return f"the next issue of {found.title} goes to press now, and to its readers as soon as it is laid out"


def preview_issue(desk: Desk, _statement: Statement) -> str:
    """PREVIEW ISSUE: the next issue as it stands, to the GM alone."""
    found = need_editor(desk)
    made = draft(desk.session, desk.office, found, desk.office.now())
    key = f"preview.{made.number}.{desk.inbound.identity[:12]}"
    copy = zine.Copy(issue=made.issue, key=key, prefix="Preview: ")
    due = f" It is due {in_zone(found.issue_due_at, desk.need_person().zone)}." if found.issue_due_at else ""
    if not zine.send_copy(desk.session, desk.office, found, desk.need_person(), copy, desk.inbound):
        desk.answer(f"No. {made.number}", [entry.title for entry in made.issue.contents])
    return f"No. {made.number} as it stands goes to you alone, without its maps; nothing is published.{due}"


def get_zine(desk: Desk, statement: Statement) -> str:
    """GET ZINE [number] [OF campaign]: a back issue by mail."""
    match = _GET.match(statement.argument.strip())
    if match is None:
        raise Refusal("GET ZINE needs the number of an issue.", "GET ZINE 12")
    found = need_campaign(desk, match["campaign"])
    numbers = desk.session.scalars(
        select(Issue.number).where(Issue.campaign_id == found.id).order_by(Issue.number)
    ).all()
    if not numbers:
        raise Refusal(f"No issue of {found.title} was published yet.")
    number = int(match["number"]) if match["number"].isdigit() else numbers[-1]
    if number not in numbers:
        raise Refusal(
            f"{found.title} has no issue {number}; there are {numbers[0]} to {numbers[-1]}.",
            f"GET ZINE {numbers[-1]} OF {found.slug}",
        )
    person = desk.need_person()
    if not at_most(
        desk.session,
        desk.office,
        f"copies.{person.id}.{desk.received_at:%Y%m%d}",
        COPIES_PER_DAY,
    ):
        raise Refusal(f"You had {COPIES_PER_DAY} back issues today; ask again tomorrow.")
    row = desk.session.scalars(
        select(Issue).where(Issue.campaign_id == found.id, Issue.number == number)
    ).one()
    copy = zine.Copy(
        issue=stored_issue(desk.session, found, row, maps=False),
        key=f"again.{number}.{desk.inbound.identity[:12]}.{statement.line}",
        pdf=row.pdf or b"",
    )
    zine.send_copy(desk.session, desk.office, found, person, copy, desk.inbound)
    return f"No. {number} of {found.title} is on its way to you" + (" as text and as PDF" if copy.pdf else "")
