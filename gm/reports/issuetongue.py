"""An issue in its reader's language: what the program says in it. The words of editors, writers and rulesets stay.

Only the mails of an issue are put into a language. Its pages and its print are the same for everybody, in English.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from gm.reports.issue import Appointment, Call, Colophon, Issue, IssueGame, PrivatePage
from gm.reports.tongue import note_in, press_in, say

_NUMBER: Final = re.compile(r"\A(?:To )?No\. \d+:")


def issue_in(issue: Issue, language: str) -> Issue:
    """An issue with all that the program itself says in it in a language."""
    if language == "en":
        return issue
    head = issue.masthead
    return replace(
        issue,
        masthead=replace(head, date=say(head.date, language), schedule=say(head.schedule, language)),
        errata=_numbered(issue.errata, language),
        corrected=_numbered(issue.corrected, language),
        games=tuple(_game(game, language) for game in issue.games),
        letters=tuple(replace(letter, name=say(letter.name, language)) for letter in issue.letters),
        forming=_calls(issue.forming, language),
        standbys=_calls(issue.standbys, language),
        calendar=tuple(
            Appointment(when=say(at.when, language), game=at.game, what=say(at.what, language))
            for at in issue.calendar
        ),
        colophon=Colophon(
            about=tuple(say(text, language) for text in issue.colophon.about),
            credits=issue.colophon.credits,
            how=tuple((say(what, language), say(how, language)) for what, how in issue.colophon.how),
        ),
    )


def pages_in(pages: Iterable[PrivatePage], language: str) -> tuple[PrivatePage, ...]:
    """A reader's own pages in his language."""
    return tuple(
        replace(
            page,
            due=tuple(say(line, language) for line in page.due),
            deadline=say(page.deadline, language),
        )
        for page in pages
    )


def _game(game: IssueGame, language: str) -> IssueGame:
    return replace(
        game,
        state=say(game.state, language),
        standings_title=say(game.standings_title, language),
        standings=tuple((power, say(who, language), score) for power, who, score in game.standings),
        deadline=say(game.deadline, language),
        press=tuple(press_in(item, language) for item in game.press),
        notes=tuple(note_in(note, language) for note in game.notes),
        errata=_numbered(game.errata, language),
        corrected=_numbered(game.corrected, language),
    )


def _numbered(texts: Iterable[str], language: str) -> tuple[str, ...]:
    """Editors' texts, with the number of the issue that the program puts before them in a language."""
    return tuple(_NUMBER.sub(lambda match: say(match[0], language), text) for text in texts)


def _calls(calls: Iterable[Call], language: str) -> tuple[Call, ...]:
    return tuple(
        Call(game=call.game, text=say(call.text, language), how=say(call.how, language)) for call in calls
    )
