"""The archive of a campaign's zine as web pages: a front page of back issues and a page for each.

Pages need nothing from outside and link to each other by relative names, so that a folder of them may be copied to any
web server or opened from a disk:

    index.html              all issues, newest first
    012.html                an issue
    012-spring99.svg        a map in it
    012.txt, 012.pdf        the issue to take home
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gm.reports.issue import Issue, IssueMasthead, cleaned
from gm.reports.scrub import scrubbed
from gm.reports.templating import fill_html


@dataclass(frozen=True, kw_only=True)
class BackIssue:
    """An issue as the front page lists it."""

    number: int
    date: str
    headlines: tuple[tuple[str, str], ...] = ()
    """(game, headline), as many as shall be shown."""
    svg_file: str = ""
    """Name of the map to show; empty for none."""
    pdf: bool = False
    """Whether it may be had in print."""

    @property
    def stem(self) -> str:
        """What the names of its files begin with."""
        return f"{self.number:03}"


def back_issue(issue: Issue, *, pdf: bool = False) -> BackIssue:
    """An issue as the front page lists it."""
    drawn = next((game.slug for game in issue.games if game.svg), "")
    return BackIssue(
        number=issue.masthead.number,
        date=issue.masthead.date,
        headlines=tuple((game.title, game.headline) for game in issue.games if game.stories),
        svg_file=map_file(issue.masthead.number, drawn) if drawn else "",
        pdf=pdf,
    )


def map_file(number: int, slug: str) -> str:
    """Name of a game's map in an issue."""
    return f"{number:03}-{slug}.svg"


def back_issues_page(
    masthead: IssueMasthead, issues: Sequence[BackIssue], *, templates: Path | None = None
) -> str:
    """The front page of the archive.

    Args:
        masthead: of the newest issue.
        issues: in any order; the newest comes first on the page.
    """
    values = {
        "zine": scrubbed(masthead),
        "issues": [scrubbed(issue) for issue in sorted(issues, key=lambda issue: -issue.number)],
    }
    return fill_html(templates, "issue/back.html", values)


def issue_page(
    issue: Issue,
    *,
    before: int | None = None,
    after: int | None = None,
    pdf: bool = False,
    templates: Path | None = None,
) -> str:
    """An issue as a page; its maps are files beside it (`map_file`).

    Args:
        before, after: numbers of the issues to link to.
        pdf: whether to link to the issue in print.

    Raises:
        BadIssue: as `gm.reports.issue.cleaned`.
        gm.reports.templating.TemplateFault: a template is broken.
    """
    shown = cleaned(issue)
    values = {
        "zine": shown.masthead,
        "issue": shown,
        "maps": {g.slug: map_file(shown.masthead.number, g.slug) for g in issue.games if g.svg},
        "before": f"{before:03}" if before else "",
        "after": f"{after:03}" if after else "",
        "stem": f"{shown.masthead.number:03}",
        "pdf": pdf,
    }
    return fill_html(templates, "issue/issue.html", values)
