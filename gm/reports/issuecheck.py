"""A GM's own templates of issues, tried before a real issue needs them."""

from __future__ import annotations

from pathlib import Path

from gm.reports import samples
from gm.reports.issue import (
    Appointment,
    Call,
    Colophon,
    Editorial,
    Issue,
    IssueGame,
    IssueMasthead,
    Letter,
    PhaseStory,
    PrivatePage,
    StandingsRow,
)
from gm.reports.issuemail import issue_mail, issue_text
from gm.reports.issuepages import back_issue, back_issues_page, issue_page
from gm.reports.tongue import LANGUAGES

SAMPLE = Issue(
    masthead=IssueMasthead(
        title=samples.MASTHEAD.server,
        tagline="By the Thursday club",
        editors=("Henrik Vass",),
        number=12,
        date="Friday 4 December 2026",
        schedule="published every Friday",
    ),
    editorial=Editorial(body="Snow has come to the Danube.\n\nWho builds?", signed="HV"),
    errata=("The table in No. 11 was wrong.",),
    games=(
        IssueGame(
            slug=samples.MASTHEAD.game,
            title=samples.MASTHEAD.title,
            ruleset=samples.MASTHEAD.ruleset,
            stories=(
                PhaseStory(
                    title=samples.MASTHEAD.phase,
                    headline=samples.REPORT.headline,
                    sections=samples.REPORT.sections,
                ),
            ),
            svg='<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 2"><path d="M0 0h3v2z"/></svg>',
            caption="After the first turn.",
            standings=samples.REPORT.standings,
            colours=(("Austria", "#c8102e"),),
            deadline=samples.FOOTER.deadline,
            press=samples.REPORT.press,
            notes=samples.REPORT.notes,
            errata=("The fleet was in Trieste.",),
            link="https://gm.example/spring99/",
        ),
        IssueGame(slug="quiet", title="Quiet", ruleset="Diplomacy", state="Waiting for players"),
    ),
    letters=(Letter(name="Oskar", body="A prize?", answer=Editorial(body="Perhaps.", signed="HV")),),
    standings=(StandingsRow(player="Anna Adler", games=2, points=11),),
    forming=(Call(game="spring00", text="Diplomacy, wants 3 more", how="Mail SIGNON ?spring00."),),
    standbys=(Call(game="spring99", text="Italy, 4 centres"),),
    calendar=(Appointment(when="Fri 4 Dec, 20:00", game="Spring Ninety-Nine", what="Autumn 1901"),),
    zone="Europe/London",
    colophon=Colophon(
        about=("Laid out by gm.",),
        credits=(("Diplomacy", "Designed by Allan B. Calhamer."),),
        how=(("Back issues", "Mail GET ZINE 11."),),
    ),
)
"""An invented issue with every part in it."""


def check_issue_templates(templates: Path | None = None) -> None:
    """Fill every Jinja template of an issue once. The one for print is typst's: it is tried when an issue is printed.

    Raises:
        gm.reports.templating.TemplateFault: a template is broken.
    """
    private = (
        PrivatePage(game="spring99", title="Austria", sections=samples.REPORT.sections, due=("A Ser",)),
    )
    for language in LANGUAGES:
        issue_mail(
            SAMPLE,
            domain="gm.example",
            private=private,
            how_to_reply="Reply.",
            templates=templates,
            language=language,
        )
    issue_text(SAMPLE, templates=templates)
    issue_page(SAMPLE, before=11, after=13, pdf=True, templates=templates)
    back_issues_page(SAMPLE.masthead, [back_issue(SAMPLE, pdf=True)], templates=templates)
