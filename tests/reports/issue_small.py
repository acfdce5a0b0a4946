"""A short issue with every part in it, for tests of exact layout; and what hostile writers send."""

from __future__ import annotations

from dataclasses import replace

from gm.games.api import Section
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
    StandingsRow,
)
from gm.reports.mails import PressItem

MAP = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 6"><rect width="9" height="6" fill="#aa3311"/></svg>'

GAME = IssueGame(
    slug="spring99",
    title="Spring Ninety-Nine",
    ruleset="Diplomacy",
    stories=(
        PhaseStory(
            title="Spring 1901, movement",
            headline="Seven smiles.",
            sections=(
                Section(
                    title="Austria",
                    lines=("A Bud - Ser", "! A Vie - Gal (stood off)", "> Bounced with A War - Gal."),
                ),
                Section(title="Centres", header=("Power", "Now"), rows=(("Austria", "3"), ("Italy", "4"))),
                Section(title="Your units", lines=("F Hidden - Spot",), private=True),
            ),
        ),
    ),
    svg=MAP,
    caption="After Spring 1901.",
    standings_title="Supply centres",
    standings=(("Italy", "Ivo Rossi", 4), ("Austria", "Anna Adler", 3)),
    colours=(("Austria", "#c8102e"), ("Italy", "#00843d")),
    deadline="Friday 11 December 2026, 20:00 (UTC)",
    press=(PressItem(sender="France to all", body="That was our sea.\n\nYours in sorrow,\nthe Republic"),),
    notes=("I am away from Tuesday.",),
    errata=("The fleet was in Sevastopol.",),
    link="https://gm.example.org/spring99/",
)

ISSUE = Issue(
    masthead=IssueMasthead(
        title="The Danube Courier",
        tagline="By the Thursday club",
        editors=("Henrik Vass",),
        number=12,
        date="Friday 4 December 2026",
        schedule="published every Friday",
    ),
    editorial=Editorial(
        body="Snow has come to the Danube, and with it the question that every\n"
        "table asks at this time of the year: who builds?\n\nWrite soon.",
        signed="HV",
    ),
    errata=("The table in No. 11 was wrong.",),
    games=(GAME,),
    letters=(
        Letter(
            name="Oskar Brandt", body="May I suggest a prize?", answer=Editorial(body="You may.", signed="HV")
        ),
    ),
    standings=(
        StandingsRow(player="Ivo Rossi", games=2, points=11),
        StandingsRow(player="Anna Adler", games=1, points=3),
    ),
    forming=(Call(game="spring00", text="Diplomacy, wants 3 more", how="Mail SIGNON ?spring00."),),
    standbys=(Call(game="spring99", text="Italy, 4 centres"),),
    calendar=(
        Appointment(when="Fri 11 December, 20:00", game="Spring Ninety-Nine", what="Autumn 1901, movement"),
    ),
    zone="UTC",
    colophon=Colophon(
        about=("Laid out by gm.",),
        credits=(("Diplomacy", "Designed by Allan B. Calhamer."),),
        how=(("Back issues", "Mail GET ZINE 11."),),
    ),
)

HOSTILE = (
    '#eval("1") #{7*7} #sys.inputs $x^2$ *bold* _under_ `raw` @label <tag> = Title \\ \\n \\u{41} // gone /* gone */ '
    '{{ 7*7 }} {% raw %} <script>alert(1)</script> " onload="x\u202egnp\x1b[2J\x00\ud800 &amp; ]] #] ) } '
)


def hostile(text: str = HOSTILE) -> Issue:
    """`ISSUE` with `text` wherever somebody may have written something."""
    game = replace(
        GAME,
        title=text,
        ruleset=text,
        stories=(
            PhaseStory(
                title=text,
                headline=text,
                sections=(
                    Section(
                        title=text,
                        lines=(text, f"! {text}", f"> {text}"),
                        header=(text, text),
                        rows=((text, text),),
                    ),
                ),
            ),
        ),
        state=text,
        caption=text,
        standings_title=text,
        standings=((text, text, 4),),
        colours=((text, 'red;background:url("https://x")'),),
        deadline=text,
        press=(PressItem(sender=text, body=text),),
        notes=(text,),
        errata=(text,),
        link="",
    )
    return Issue(
        masthead=IssueMasthead(
            title=text, tagline=text, editors=(text,), number=12, date=text, schedule=text
        ),
        editorial=Editorial(body=text, signed=text),
        errata=(text,),
        games=(game, replace(game, slug="quiet", stories=(), svg="")),
        letters=(Letter(name=text, body=text, answer=Editorial(body=text, signed=text)),),
        standings=(StandingsRow(player=text, games=1, points=1),),
        forming=(Call(game=text, text=text, how=text),),
        standbys=(Call(game=text, text=text, how=text),),
        calendar=(Appointment(when=text, game=text, what=text),),
        zone=text,
        colophon=Colophon(about=(text,), credits=((text, text),), how=((text, text),)),
    )
