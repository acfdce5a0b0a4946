"""What people wrote for an issue of the zine: editorials, letters with their answers, errata and where they go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import select
from sqlalchemy.orm import Session

from gm.reports.issue import Editorial, IssueGame, Letter
from gm.reports.issue import Issue as IssueValues
from gm.store.clubtables import Contribution, Issue
from gm.store.tables import Campaign, Game

EDITOR = "Ed."
"""Signs an answer to a letter, whichever editor wrote it."""


def editorial_of(printed: Sequence[Contribution]) -> Editorial | None:
    """All editorials that wait, as one: each signed where more than one editor wrote."""
    found = [c for c in printed if c.kind == "editorial"]
    if not found:
        return None
    writers = list(dict.fromkeys(c.byline for c in found))
    if len(writers) == 1:
        return Editorial(body="\n\n".join(c.body for c in found), signed=writers[0])
    return Editorial(body="\n\n".join(f"{c.body}\n\n({c.byline})" for c in found))


def letters_of(printed: Sequence[Contribution]) -> tuple[Letter, ...]:
    """The letters, each with the editor's answer."""
    answers = {
        c.answers_id: Editorial(body=c.body, signed=EDITOR) for c in printed if c.answers_id is not None
    }
    return tuple(
        Letter(name=c.byline, body=c.body, answer=answers.get(c.id)) for c in printed if c.kind == "letter"
    )


def put_right(
    session: Session, printed: Sequence[Contribution], games: Sequence[IssueGame]
) -> tuple[tuple[str, ...], tuple[IssueGame, ...]]:
    """The errata of an issue as a whole, and its games, each with its own.

    What puts right a game that the issue does not tell of stands among those of the whole, with the game's title.
    """
    told = {game.slug for game in games}
    whole: list[str] = []
    own: dict[str, list[str]] = {}
    for row in (c for c in printed if c.kind == "erratum"):
        game = session.get(Game, row.game_id) if row.game_id is not None else None
        text = f"To No. {row.corrects}: {row.body}" if row.corrects is not None else row.body
        if game is not None and game.slug in told:
            own.setdefault(game.slug, []).append(text)
        else:
            whole.append(f"{game.title}. {text}" if game is not None else text)
    return tuple(whole), tuple(replace(game, errata=tuple(own.get(game.slug, ()))) for game in games)


def noted(session: Session, campaign: Campaign, row: Issue, issue: IssueValues) -> IssueValues:
    """A published issue with what later ones put right of it."""
    later = session.execute(
        select(Contribution.body, Game.slug, Game.title, Issue.number)
        .join(Issue, Issue.id == Contribution.issue_id)
        .outerjoin(Game, Game.id == Contribution.game_id)
        .where(
            Contribution.campaign_id == campaign.id,
            Contribution.kind == "erratum",
            Contribution.corrects == row.number,
        )
        .order_by(Contribution.id)
    ).all()
    if not later:
        return issue
    told = {game.slug for game in issue.games}
    own = {
        slug: tuple(f"No. {at.number}: {at.body}" for at in later if at.slug == slug)
        for slug in {at.slug for at in later}
    }
    whole = tuple(
        f"No. {at.number}: {f'{at.title}. ' if at.slug else ''}{at.body}"
        for at in later
        if at.slug not in told
    )
    games = tuple(replace(game, corrected=own.get(game.slug, ())) for game in issue.games)
    return replace(issue, corrected=whole, games=games)


def issue_that_told(session: Session, campaign: Campaign, slug: str) -> int | None:
    """Number of the last issue that told something new of a game, a phase or its end; None if none did."""
    rows = session.scalars(select(Issue).where(Issue.campaign_id == campaign.id).order_by(Issue.number))
    found, before = None, None
    for row in rows:
        told = row.content["told"].get(slug)
        if told and told != before:
            found, before = row.number, told
    return found
