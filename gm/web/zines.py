"""The archive of campaigns' zines: published issues as they were frozen, in all their forms. Public values only.

/zine/<campaign>/index.html        back issues           (also /zine/<campaign> and /zine/<campaign>/)
/zine/<campaign>/012.html          an issue              (also /zine/<campaign>/12)
/zine/<campaign>/012-spring99.svg  a map in it
/zine/<campaign>/012.txt, 012.pdf  to take home
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from gm.club.campaigns import campaign_gms, campaign_settings
from gm.club.issuemaking import stored_issue, stored_map
from gm.reports.issue import Issue as IssueValues
from gm.reports.issue import IssueMasthead
from gm.reports.issuemail import issue_text
from gm.reports.issuepages import BackIssue, back_issues_page, issue_page, map_file
from gm.store.clubtables import Issue
from gm.store.db import Store
from gm.store.tables import Campaign

MAPS_KEPT = 16
"""Maps kept ready: some 100 KB each."""
HEADLINES = 4
"""Headlines of an issue in the list of back issues."""
ELSEWHERE = "<svg/>"
"""Stands for a map that its own address serves."""

_PAGE = re.compile(r"(?P<number>\d{1,5})(?:-(?P<game>[a-z0-9_-]+)\.svg|\.(?P<kind>html|txt|pdf))?\Z")

Answer = Callable[[Request, str | bytes, str], Response]


class ZinePages:
    """The endpoints of the archive."""

    def __init__(
        self, store: Store, *, templates: Path | None, answer: Answer, headers: Mapping[str, str]
    ) -> None:
        """`answer` makes a response of a page's request, body and media type; `headers` go with every redirection."""
        self.store, self.templates, self.answer, self.headers = store, templates, answer, headers
        # An issue never changes, and neither does the phase that its map shows.
        self._map = lru_cache(maxsize=MAPS_KEPT)(self._draw_map)

    def routes(self) -> list[Route]:
        """Its addresses."""
        return [
            Route("/zine/{campaign}", self.to_front),
            Route("/zine/{campaign}/", self.to_front),
            Route("/zine/{campaign}/index.html", self.front),
            Route("/zine/{campaign}/{page}", self.page),
        ]

    def to_front(self, request: Request) -> Response:
        """From a zine's short address to its list of back issues."""
        with self.store.read() as session:
            slug = _campaign(session, request).slug
        target = "index.html" if request.url.path.endswith("/") else f"{slug}/index.html"
        return RedirectResponse(target, status_code=302, headers=self.headers)

    def front(self, request: Request) -> Response:
        """All issues, newest first."""
        with self.store.read() as session:
            campaign = _campaign(session, request)
            rows = session.execute(
                select(Issue, func.length(Issue.pdf))
                .where(Issue.campaign_id == campaign.id)
                .order_by(Issue.number)
            ).all()
            issues = [_back_issue(session, campaign, row, bool(size)) for row, size in rows]
            masthead = _masthead(session, campaign)
        return self.answer(request, back_issues_page(masthead, issues, templates=self.templates), "text/html")

    def page(self, request: Request) -> Response:
        """An issue as a page, text or PDF, or one of its maps."""
        match = _PAGE.match(request.path_params["page"])
        if match is None:
            raise HTTPException(404)
        with self.store.read() as session:
            campaign = _campaign(session, request)
            row = session.scalar(
                select(Issue).where(Issue.campaign_id == campaign.id, Issue.number == int(match["number"]))
            )
            if row is None:
                raise HTTPException(404)
            stem = f"{row.number:03}"
            if match["number"] != stem or not (match["game"] or match["kind"]):
                kind = f"-{match['game']}.svg" if match["game"] else f".{match['kind'] or 'html'}"
                return RedirectResponse(f"{stem}{kind}", status_code=302, headers=self.headers)
            if match["game"]:
                svg = self._map(row.id, match["game"])
                if not svg:
                    raise HTTPException(404)
                return self.answer(request, svg, "image/svg+xml")
            if match["kind"] == "pdf":
                if not row.pdf:
                    raise HTTPException(404)
                return self.answer(request, row.pdf, "application/pdf")
            issue = stored_issue(session, campaign, row, maps=False)
            if match["kind"] == "txt":
                return self.answer(request, issue_text(issue, templates=self.templates), "text/plain")
            last = session.scalar(select(func.max(Issue.number)).where(Issue.campaign_id == campaign.id))
            body = issue_page(
                _with_maps_elsewhere(issue, row),
                before=row.number - 1 or None,
                after=row.number + 1 if last and last > row.number else None,
                pdf=bool(row.pdf),
                templates=self.templates,
            )
        return self.answer(request, body, "text/html")

    def _draw_map(self, issue_id: int, slug: str) -> str:
        with self.store.read() as session:
            row = session.get_one(Issue, issue_id)
            return stored_map(session, session.get_one(Campaign, row.campaign_id), row, slug)


def zines(session: Session) -> tuple[tuple[str, str], ...]:
    """Title and address, below the front page, of each zine that has an issue."""
    rows = session.execute(
        select(Campaign.title, Campaign.slug)
        .where(Campaign.id.in_(select(Issue.campaign_id)))
        .order_by(Campaign.title, Campaign.id)
    )
    return tuple((title, f"zine/{slug}/index.html") for title, slug in rows)


def _campaign(session: Session, request: Request) -> Campaign:
    slug = request.path_params["campaign"]
    campaign = session.scalar(select(Campaign).where(Campaign.slug == slug))
    if campaign is None:
        raise HTTPException(404)
    return campaign


def _masthead(session: Session, campaign: Campaign) -> IssueMasthead:
    """The head of the list as it is today; the number and date of an issue are not shown there."""
    rules = campaign_settings(campaign)
    return IssueMasthead(
        title=campaign.title,
        tagline=rules.tagline,
        editors=tuple(gm.name for gm in campaign_gms(session, campaign)),
        number=1,
        date="",
        schedule=f"published {rules.zine}" if rules.calendar().default is not None else "",
    )


def _back_issue(session: Session, campaign: Campaign, row: Issue, pdf: bool) -> BackIssue:
    issue = stored_issue(session, campaign, row, maps=False)
    told = [(game.title, game.headline) for game in issue.games if game.stories]
    drawn = next((game.slug for game in issue.games if game.slug in row.content["maps"]), "")
    return BackIssue(
        number=row.number,
        date=issue.masthead.date,
        headlines=tuple(told[:HEADLINES]),
        svg_file=map_file(row.number, drawn) if drawn else "",
        pdf=pdf,
    )


def _with_maps_elsewhere(issue: IssueValues, row: Issue) -> IssueValues:
    drawn = row.content["maps"]
    return replace(
        issue, games=tuple(replace(g, svg=ELSEWHERE if g.slug in drawn else "") for g in issue.games)
    )
