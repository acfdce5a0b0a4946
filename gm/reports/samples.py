"""One mail of each kind, with invented people: what a template is tried on before a real mail needs it."""

from __future__ import annotations

from gm.games.api import Problem, Section
from gm.reports.mails import (
    Footer,
    Masthead,
    NoticeMail,
    PressItem,
    PressMail,
    ReceiptMail,
    ReportMail,
    SheetBox,
    TranscriptLine,
)

MASTHEAD = Masthead(
    server="The Danube Courier",
    game="spring99",
    title="Spring Ninety-Nine",
    ruleset="Diplomacy",
    phase="Spring 1901, movement",
    reader="Austria",
)

FOOTER = Footer(
    deadline="Friday 4 Dec 2026, 20:00 (Europe/London)",
    how_to_reply="Reply to this mail with your orders, one a line. No subject or password is needed.",
)

RECEIPT = ReceiptMail(
    masthead=MASTHEAD,
    summary="Orders received: version 3, 2 orders, 1 unit without.",
    transcript=(
        TranscriptLine(number=1, text="Vie to Gal", reading="order: A Vie - Gal"),
        TranscriptLine(number=2, text="A Bud - Ser", reading="order: A Bud - Ser"),
        TranscriptLine(
            number=3,
            text="F Tri - Albn",
            problem="There is no province 'Albn'; the fleet in Trieste has no order.",
            suggestion="F Tri - Alb",
        ),
    ),
    not_taken=("A Vie H",),
    remarks=("The mail was HTML only and was read as plain text.",),
    sheets=(
        (
            "Austria",
            SheetBox(
                version=3,
                orders=("A Vie - Gal", "A Bud - Ser"),
                missing=("F Tri",),
                problems=(
                    Problem(
                        line=0,
                        text="A Bud - Ser",
                        kind="warning",
                        message="Nothing supports the attack on Serbia.",
                        suggestion="F Tri S A Bud - Ser",
                        rule="datc 6.A.1",
                    ),
                ),
                notes=("Version 2 is replaced.",),
                will_run="If nothing else comes, these 2 orders run at the deadline and F Tri holds.",
            ),
        ),
    ),
    answers=(Section(title="Time left", lines=("2 days and 4 hours.",)),),
    footer=FOOTER,
)

REPORT = ReportMail(
    masthead=MASTHEAD,
    headline="Austria takes Serbia",
    intro=("Results of the first turn.",),
    sections=(
        Section(
            title="Austria",
            lines=("A Bud - Ser", "! A Vie - Gal", "> Bounced with A War - Gal (datc 6.A.1)."),
        ),
        Section(title="Centres", header=("Power", "Now", "Change"), rows=(("Austria", "4", "+1"),)),
        Section(title="Your units", lines=("A Ser", "A Vie", "F Tri"), private=True),
    ),
    standings_title="Supply centres",
    standings=(("Austria", "Anna Adler", 4), ("France", "", 3)),
    press=(PressItem(sender="France to all", body="A good start."),),
    notes=("Welcome to the game.",),
    due=("A Ser", "A Vie", "F Tri"),
    map_cid="map@gm.example",
    map_alt="Map of Europe after Spring 1901",
    footer=FOOTER,
)

NOTICE = NoticeMail(
    masthead=MASTHEAD,
    subject="deadline moved",
    title="The deadline has moved",
    paragraphs=("The GM has moved the deadline by a day.",),
    sections=(Section(title="Deadlines", header=("Was", "Is"), rows=(("Thu 3 Dec", "Fri 4 Dec"),)),),
    footer=FOOTER,
)

PRESS = PressMail(
    masthead=MASTHEAD,
    sender="France",
    recipients="Austria",
    body="Shall we leave Munich alone?",
    footer=FOOTER,
)

MAILS = (RECEIPT, REPORT, NOTICE, PRESS)
