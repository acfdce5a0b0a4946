"""Mails of an invented Diplomacy game, long enough to look at."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gm.games.api import Section
from gm.reports import samples
from gm.reports.mails import PressItem, ReportMail

CENTRES = (
    ("Austria", "Anna Adler", 5),
    ("England", "Edwin Marsh", 4),
    ("France", "Florence Okafor", 6),
    ("Germany", "Greta Lind", 5),
    ("Italy", "Ivo Rossi", 4),
    ("Russia", "Rosa Quist", 6),
    ("Turkey", "Tom Yilmaz", 4),
)


@pytest.fixture
def grand_report() -> ReportMail:
    """A report of a whole movement phase with press, notes and a private page."""
    return replace(
        samples.REPORT,
        masthead=replace(samples.MASTHEAD, phase="Autumn 1901, movement"),
        headline="Austria takes Serbia; France and Italy clash at sea off Tunis",
        intro=("The leaves fall, and with them the first of last spring's promises.",),
        sections=(
            Section(
                title="Austria",
                lines=(
                    "A Ser S A Bud - Rum",
                    "A Bud - Rum",
                    "! A Vie - Gal",
                    "> Bounced with A War - Gal (datc 6.A.1).",
                    "F Tri - Alb",
                ),
            ),
            Section(
                title="England",
                lines=(
                    "F Nth C A Yor - Nwy",
                    "A Yor - Nwy",
                    "! F Nwg S F Nth - Nwy",
                    "> No such move was ordered.",
                ),
            ),
            Section(
                title="Centres",
                header=("Power", "Owner of", "Now", "Change"),
                rows=(
                    ("Austria", "Vienna, Budapest, Trieste, Serbia, Rumania", "5", "+2"),
                    ("England", "London, Edinburgh, Liverpool, Norway", "4", "+1"),
                    ("France", "Paris, Brest, Marseilles, Spain, Portugal, Belgium", "6", "+3"),
                ),
            ),
            Section(title="Your units", lines=("A Ser", "A Rum", "A Vie", "F Alb"), private=True),
        ),
        standings=CENTRES,
        press=(
            PressItem(
                sender="France to all", body="Italy, that was our sea.\n\nYours in sorrow,\nthe Republic"
            ),
            PressItem(
                sender="Unsigned to all",
                body="A certain Emperor counts his winter builds already, and looks at Venice while he counts; "
                "let him who has eyes to see put a fleet where it will be of use before the snow comes.",
            ),
        ),
        notes=("Builds are due in a week. I am away from Tuesday; deadlines run without me.",),
        due=("2 builds",),
    )
