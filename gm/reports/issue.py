"""A published issue of a campaign's zine: all that its four forms are made from.

Mail and plain text: `gm.reports.issuemail`; pages of the archive: `gm.reports.issuepages`; print:
`gm.reports.issuepdf`.

Everything in these values is public: whoever fills them takes public views, public press and letters meant for print.
All of it is ready text: times in the campaign's zone, names as they may be shown. None of it is trusted: each form
cleans and escapes it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from gm.games.api import Section
from gm.reports.mails import PressItem
from gm.reports.scrub import scrubbed


@dataclass(frozen=True, kw_only=True)
class IssueMasthead:
    """The head of the front page."""

    title: str
    tagline: str = ""
    editors: tuple[str, ...] = ()
    number: int
    date: str
    """``"Friday 4 December 2026"``."""
    schedule: str = ""
    """``"published every Friday"``."""


@dataclass(frozen=True, kw_only=True)
class Editorial:
    """What the editor has to say."""

    body: str
    """Plain text as he mailed it; blank lines part paragraphs."""
    signed: str = ""


@dataclass(frozen=True, kw_only=True)
class PhaseStory:
    """One phase of a game that was run in the period of the issue."""

    title: str
    """``"Spring 1901, movement"``."""
    headline: str
    sections: tuple[Section, ...] = ()
    """Of the public report. Private ones are left out of every form, whoever put them here."""


@dataclass(frozen=True, kw_only=True)
class IssueGame:
    """One game of the campaign in one issue."""

    slug: str
    title: str
    ruleset: str
    """Title of the ruleset: ``"Diplomacy"``."""
    stories: tuple[PhaseStory, ...] = ()
    """The phases of the period, oldest first; empty if none was run."""
    state: str = ""
    """One line: ``"Autumn 1903, movement is open"``, ``"Won by Austria"``."""
    svg: str = ""
    """The public map after the last phase, drawn by the ruleset; empty if there is none."""
    caption: str = ""
    standings_title: str = "Standings"
    standings: tuple[tuple[str, str, int], ...] = ()
    """(power name, player name or empty, score), best first."""
    colours: tuple[tuple[str, str], ...] = ()
    """(power name, ``#rrggbb``)."""
    deadline: str = ""
    press: tuple[PressItem, ...] = ()
    notes: tuple[str, ...] = ()
    """GM's notes, a text each."""
    errata: tuple[str, ...] = ()
    """What the GM puts right of earlier results, a text each."""
    corrected: tuple[str, ...] = ()
    """What later issues put right of this report, a text each."""
    link: str = ""
    """Address of the game's page; empty if it has none."""

    @property
    def headline(self) -> str:
        """Of the last phase, without its full stop; without a phase, where the game stands."""
        return (self.stories[-1].headline if self.stories else self.state).rstrip(".")

    @property
    def anchor(self) -> str:
        """Name of its place in a page."""
        return f"game-{self.slug}"


@dataclass(frozen=True, kw_only=True)
class Letter:
    """A letter to the editor."""

    name: str
    body: str
    answer: Editorial | None = None
    """The editor's answer, printed below it."""


@dataclass(frozen=True, kw_only=True)
class StandingsRow:
    """One player in the table of the campaign, best first."""

    player: str
    games: int
    points: int

    @property
    def cells(self) -> tuple[str, str, str]:
        """As a row of a table."""
        return self.player, str(self.games), str(self.points)


@dataclass(frozen=True, kw_only=True)
class Call:
    """A seat or a game that looks for players."""

    game: str
    """Slug or title: ``"spring99"``."""
    text: str
    """``"Diplomacy, wants 3 more"``."""
    how: str = ""
    """What to mail: ``"SIGNON ?spring99"``."""


@dataclass(frozen=True, kw_only=True)
class Appointment:
    """One line of the calendar, soonest first."""

    when: str
    """``"Friday 11 December, 20:00"``."""
    game: str
    what: str = ""
    """``"Autumn 1901, movement"``."""

    @property
    def cells(self) -> tuple[str, str, str]:
        """As a row of a table."""
        return self.when, self.game, self.what


@dataclass(frozen=True, kw_only=True)
class Colophon:
    """The small print."""

    about: tuple[str, ...] = ()
    credits: tuple[tuple[str, str], ...] = ()
    """(title of the ruleset, designers and copyright terms)."""
    how: tuple[tuple[str, str], ...] = ()
    """(what for, how by mail): ``("Back issues", "Mail GET ZINE 12 to zine@example.org.")``."""


@dataclass(frozen=True, kw_only=True)
class Contents:
    """An entry of the contents list."""

    anchor: str
    title: str
    detail: str = ""

    @property
    def own(self) -> bool:
        """Whether the title is the program's own, and not that of a game."""
        return not self.anchor.startswith("game-")


@dataclass(frozen=True, kw_only=True)
class Issue:
    """One number of a campaign's zine."""

    masthead: IssueMasthead
    editorial: Editorial | None = None
    errata: tuple[str, ...] = ()
    """Corrections to earlier issues by the GM, a text each."""
    corrected: tuple[str, ...] = ()
    """What later issues put right of this one, a text each; empty when it is published."""
    games: tuple[IssueGame, ...] = ()
    letters: tuple[Letter, ...] = ()
    standings: tuple[StandingsRow, ...] = ()
    forming: tuple[Call, ...] = ()
    standbys: tuple[Call, ...] = ()
    calendar: tuple[Appointment, ...] = ()
    zone: str = ""
    """Of the calendar's times: ``"Europe/London"``."""
    colophon: Colophon = Colophon()

    @property
    def contents(self) -> tuple[Contents, ...]:
        """What is in it, in the order of every form."""
        parts = [
            (self.editorial is not None, Contents(anchor="editorial", title="Editorial")),
            (bool(self.errata), Contents(anchor="errata", title="Errata")),
            *((True, Contents(anchor=g.anchor, title=g.title, detail=g.headline)) for g in self.games),
            (bool(self.letters), Contents(anchor="letters", title="Letters", detail=self._writers)),
            (bool(self.standings), Contents(anchor="standings", title="Standings")),
            (bool(self.forming), Contents(anchor="forming", title="Games forming")),
            (bool(self.standbys), Contents(anchor="standbys", title="Standbys wanted")),
            (bool(self.calendar), Contents(anchor="calendar", title="Next deadlines")),
            (True, Contents(anchor="colophon", title="Colophon")),
        ]
        return tuple(entry for there, entry in parts if there)

    @property
    def _writers(self) -> str:
        return "; ".join(dict.fromkeys(letter.name for letter in self.letters))

    @property
    def lead(self) -> str:
        """The headline that stands for the issue in a subject or a list of back issues."""
        told = [game for game in self.games if game.stories] or self.games
        return told[0].headline if told else ""


@dataclass(frozen=True, kw_only=True)
class PrivatePage:
    """What one reader alone may know of one game: it goes with his mail and into no other form."""

    game: str
    """Slug."""
    title: str
    """``"Spring Ninety-Nine: Austria"``."""
    sections: tuple[Section, ...] = ()
    due: tuple[str, ...] = ()
    """What he owes next."""
    deadline: str = ""
    """In his own zone."""


class BadIssue(ValueError):
    """An issue that can't be named or linked: its number, or the name of one of its games."""


def cleaned(issue: Issue) -> Issue:
    """An issue as the forms use it: words cleaned of control characters, private sections gone, no maps.

    Maps are taken from the issue as it was given: they are drawn by rulesets, and too long to be cleaned like words.

    Raises:
        BadIssue: the number is not positive, or a slug is no slug or stands twice.
    """
    if issue.masthead.number < 1:
        raise BadIssue(f"an issue's number is 1 or more, not {issue.masthead.number}")
    seen: set[str] = set()
    for game in issue.games:
        if not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,63}", game.slug) or game.slug in seen:
            raise BadIssue(f"{game.slug!r} can't name a game of an issue: a-z, 0-9, - and _ only, each once")
        seen.add(game.slug)
    return scrubbed(replace(issue, games=tuple(_public(game) for game in issue.games)))


def _public(game: IssueGame) -> IssueGame:
    stories = tuple(
        replace(story, sections=tuple(s for s in story.sections if not s.private)) for story in game.stories
    )
    colours = tuple((name, c) for name, c in game.colours if re.fullmatch(r"#[0-9a-fA-F]{6}", c))
    return replace(game, stories=stories, colours=colours, svg="")
