"""An issue as multipart mail and as a plain text file."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from gm.reports import layout
from gm.reports.issue import Issue, IssueGame, PrivatePage, cleaned
from gm.reports.issuetongue import issue_in, pages_in
from gm.reports.mails import Footer, Masthead, Rendered
from gm.reports.render import one_line
from gm.reports.scrub import scrubbed
from gm.reports.templating import fill_html, fill_text
from gm.reports.tongue import say

MOST_MAPS = 4
"""Maps in one mail, unless told otherwise: some 100 KB each."""


@dataclass(frozen=True, kw_only=True)
class IssuePicture:
    """A map that the HTML of a mail shows: to be attached inline under its Content-ID."""

    cid: str
    file: str
    """``"spring99.png"``."""
    alt: str
    svg: str
    """For `gm.reports.pictures.png`."""


@dataclass(frozen=True, kw_only=True)
class IssueMail:
    """An issue laid out for one reader, or for all who have no private pages."""

    rendered: Rendered
    pictures: tuple[IssuePicture, ...]


def issue_mail(
    issue: Issue,
    *,
    domain: str,
    how_to_reply: str = "",
    page: str = "",
    private: tuple[PrivatePage, ...] = (),
    most_maps: int = MOST_MAPS,
    templates: Path | None = None,
    language: str = "en",
) -> IssueMail:
    """An issue as text, HTML, and the pictures that the HTML shows. Equal arguments give equal bytes.

    Args:
        domain: right side of the pictures' Content-IDs.
        page: address of the issue's public page, if it has one.
        private: the reader's own pages; his games' maps come first when there are more maps than `most_maps`.
            The maps left out are links to the games' pages, where these have addresses.
        language: of the program's own words in it, one of `gm.reports.tongue.LANGUAGES`.

    Raises:
        gm.reports.issue.BadIssue: as `cleaned`.
        gm.reports.templating.TemplateFault: a template is broken.
    """
    t = partial(say, language=language)
    pictures = _pictures(issue, {page.game for page in private}, domain, most_maps, t)
    shown = issue_in(cleaned(issue), language)
    values = _values(shown, tuple(scrubbed(page) for page in pages_in(private, language)), t)
    footer = Footer(deadline="", how_to_reply=t(how_to_reply), page=page)
    head = Masthead(
        server=shown.masthead.title,
        game="",
        title="",
        ruleset="",
        phase=f"{t('No.')} {shown.masthead.number}, {shown.masthead.date}",
        reader="",
    )
    html = values | {
        "mail": scrubbed(_Frame(masthead=head, footer=footer)),
        "cids": {slug: picture.cid for slug, picture in pictures.items()},
        "language": language,
    }
    return IssueMail(
        rendered=Rendered(
            subject=one_line(fill_text(templates, "issue/issue.subject", values)),
            text=layout.tidy(
                fill_text(
                    templates,
                    "issue/issue.txt",
                    values | {"how_to_reply": footer.how_to_reply, "page": footer.page},
                )
            ),
            html=re.sub(r"\n{2,}", "\n", fill_html(templates, "issue/mail.html", html)),
        ),
        pictures=tuple(pictures.values()),
    )


def issue_text(issue: Issue, *, templates: Path | None = None) -> str:
    """An issue as a plain text file of 72 columns. Raises as `issue_mail`."""
    values = _values(cleaned(issue), (), str) | {"how_to_reply": "", "page": ""}
    return layout.tidy(fill_text(templates, "issue/issue.txt", values))


@dataclass(frozen=True, kw_only=True)
class _Frame:
    """What ``base.html`` asks of a mail."""

    masthead: Masthead
    footer: Footer


def _values(issue: Issue, private: tuple[PrivatePage, ...], t: Callable[[str], str]) -> dict[str, object]:
    numbers = {entry.anchor: n for n, entry in enumerate(issue.contents, 1)}
    return {"issue": issue, "numbers": numbers, "private": private, "t": t}


def _pictures(
    issue: Issue, own: set[str], domain: str, most: int, t: Callable[[str], str]
) -> dict[str, IssuePicture]:
    """By slug, in the order of the issue."""
    drawn = [game for game in issue.games if game.svg]
    taken = {game.slug for game in sorted(drawn, key=lambda game: game.slug not in own)[:most]}
    return {game.slug: _picture(issue, game, domain, t) for game in drawn if game.slug in taken}


def _picture(issue: Issue, game: IssueGame, domain: str, t: Callable[[str], str]) -> IssuePicture:
    words = scrubbed(game.stories[-1]).title if game.stories else ""
    return IssuePicture(
        cid=f"{game.slug}.{issue.masthead.number}@{domain}",
        file=f"{game.slug}.png",
        alt=t(f"Map after {words}" if words else "Map"),
        svg=game.svg,
    )
