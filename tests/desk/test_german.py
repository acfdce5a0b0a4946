"""A player who chose German is told everything in German; what players and rulesets say stays as it is."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from gm.reports.mails import ReportMail
from gm.reports.samples import REPORT
from gm.reports.tongue import in_language, read_words, say
from tests.world import GM

PLACES = re.compile(r"\{(\w+)\}")
FRAME = re.compile(
    r"\b(Deadline|Reply to|orders|on file|Did you mean|line by line|Without an order|To look at|Not taken|Standings|"
    r"You owe|From the GM|Your|carried out|with a problem|is below|are below|the phase|Friday \d|December \d)\b"
)
"""Words of the English frame; the marks for quoting programs and the ruleset's own text are taken out before."""


def frame_of(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.startswith("####"))


def english_in(text: str) -> list[str]:
    return FRAME.findall(frame_of(text))


def test_places_of_a_sentence_have_names_of_their_own():
    for english in read_words("de"):
        places = PLACES.findall(english)
        assert len(places) == len(set(places)), english


@pytest.mark.parametrize(
    ("line", "language"),
    [("LANGUAGE de", "de"), ("SPRACHE Deutsch", "de"), ("LANGUE allemand", "de"), ("SPRACHE Englisch", "en")],
)
def test_language_is_chosen_by_mail(played, seats, line, language):
    (receipt,) = played.reply(seats["austria"], line)
    assert ("Frist: Freitag, 4. Dezember 2026, 20:00 (UTC)" in receipt.flat) == (language == "de")


def test_language_that_there_is_not_is_refused_with_those_there_are(played, seats):
    (receipt,) = played.reply(seats["austria"], "LANGUE français")
    assert "Mails are written in English or German" in receipt.flat


def test_receipt_report_reminder_and_press_are_german_and_the_other_players_english(played, seats):
    austria = seats["austria"]
    played.reply(austria, "LANGUAGE de")
    mails = played.reply(
        austria,
        "A VIE - GAL\nSTAND\nVERLAUF\nSTIMME REMIS\nWARTEN\nWHY DEADLINE\nJOIN nowhere\nDEADLINE 4 Jan",
    )
    mails += [m for m in played.reply(seats["france"], "PRESS TO A\nBonjour.\nENDPRESS") if m.to == austria]
    played.reply(austria, "CLEAR")
    played.skip(days=2, hours=10)
    mails += [m for m in played.tick(hours=1) if m.to == austria]
    assert [m.kind for m in mails] == ["receipt", "press"]
    reports = played.tick(days=1)
    (report,) = [m for m in reports if m.to == austria and m.kind == "report"]
    for mail in mails:
        assert english_in(mail.text) == [], mail.text
        assert "Frist: Freitag, 4. Dezember 2026, 20:00 (UTC)" in mail.flat
    for words in (
        "für Austria",
        "STAND",
        "Nur für Austria",
        "DEINE NÄCHSTEN BEFEHLE",
        "Frist: Freitag, 11. Dezember",
    ):
        assert words in report.flat
    page = report.mail.get_body(("html",))
    assert page is not None
    assert '<html lang="de">' in page.get_content()
    (other,) = [m for m in reports if m.to == seats["france"] and m.kind == "report"]
    assert "Deadline: Friday 11 December 2026" in other.flat


def test_reminder_is_german(played, seats):
    played.reply(seats["austria"], "LANGUAGE de")
    played.skip(days=2, hours=7)
    (reminder,) = [m for m in played.tick(hours=2) if m.to == seats["austria"]]
    assert reminder.kind == "reminder"
    assert "Befehle für Spring 1901, movement stehen aus" in reminder.subject
    assert english_in(reminder.text) == []


@pytest.mark.parametrize(
    ("gms", "said"),
    [
        ("PAUSE Weihnachten", "Die Partie ist angehalten: Weihnachten. Keine Frist läuft."),
        ("EXTEND 24h", "wurde verschoben: von der Spielleitung verlängert um 24h."),
        ("SET press = none", "Die Spielleitung hat press auf none gesetzt."),
        (
            "END DRAW Austria, France",
            "Die Partie ist vorbei. Die Spielleitung hat ein Remis zwischen Austria, France",
        ),
    ],
)
def test_notices_are_german(played, seats, gms, said):
    played.reply(seats["austria"], "LANGUAGE de")
    (notice,) = [m for m in played.reply(GM, gms) if m.to == seats["austria"]]
    assert said in notice.flat
    assert english_in(notice.text) == []


def test_words_of_a_player_are_never_translated(played, seats):
    played.reply(seats["austria"], "LANGUAGE de")
    words = "No phase was run yet.\nThe game is paused. Friday 4 December 2026"
    mails = played.reply(seats["france"], f"PRESS TO A\n{words}\nENDPRESS")
    (press,) = [m for m in mails if m.to == seats["austria"]]
    assert "No phase was run yet." in press.text
    assert "Friday 4 December 2026" in press.text
    (history,) = played.reply(seats["austria"], "VERLAUF")
    assert "The game is paused. Friday 4 December 2026" in history.text


def test_a_text_that_the_catalogue_does_not_have_stays_as_it_is():
    assert say("Quite another thing; and more.", "de") == "Quite another thing; and more."
    assert say("No phase was run yet.", "en") == "No phase was run yet."


def test_long_text_made_to_be_slow_is_left_alone():
    text = "The deadline of x was moved: " * 2000
    assert say(text, "de") == text


@pytest.mark.parametrize(
    ("headline", "own", "shown"),
    [
        ("The Dragons hold 21 points: the war is over", False, "The Dragons hold 21 points: the war is over"),
        ("The Nile Game begins", True, "The Nile Game beginnt"),
    ],
)
def test_headline_of_a_ruleset_stays_and_one_of_the_program_is_german(headline, own, shown):
    told = in_language(replace(REPORT, headline=headline, own_headline=own), "de")
    assert isinstance(told, ReportMail)
    assert told.headline == shown
