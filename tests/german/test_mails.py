"""What is put into a finished mail, and who wrote to whom, in German."""

from __future__ import annotations

from email import policy
from email.message import EmailMessage
from email.parser import BytesParser

import pytest

from gm.mail.slim import without_pictures
from gm.reports.issue import Call, Issue, IssueMasthead, PrivatePage
from gm.reports.issuetongue import issue_in, pages_in
from gm.reports.mails import PressItem
from gm.reports.tongue import note_in, press_in


@pytest.mark.parametrize(
    ("sender", "german"),
    [
        ("Unsigned to France, the GM", "Ohne Unterschrift an France, die Spielleitung"),
        ("GM to all", "Spielleitung an alle"),
        ("Austria to Turkey", "Austria an Turkey"),
    ],
)
def test_who_wrote_to_whom_is_german_and_what_he_wrote_is_not(sender, german):
    item = PressItem(sender=sender, body="The game is paused.")
    assert press_in(item, "de") == PressItem(sender=german, body="The game is paused.")
    assert press_in(item, "en") == item


def test_a_note_is_german_if_the_program_made_it():
    assert note_in("The position before Fall 1901 was edited: so.", "de") == (
        "Die Stellung vor Fall 1901 wurde geändert: so."
    )
    assert note_in("The game is paused.", "de") == "The game is paused."


def test_an_issue_keeps_its_writers_words_and_says_its_own_in_german():
    issue = Issue(
        masthead=IssueMasthead(
            title="Zine", number=3, date="Friday 4 December 2026", schedule="published daily"
        ),
        errata=("To No. 2: The game is paused.",),
        corrected=("No. 4: The game is paused.",),
        forming=(Call(game="spring99", text="Diplomacy, wants 3 more", how="JOIN spring99 AS your name"),),
    )
    german = issue_in(issue, "de")
    assert german.masthead.date == "Freitag, 4. Dezember 2026"
    assert german.masthead.schedule == "erscheint daily"
    assert german.errata == ("Zu Nr. 2: The game is paused.",)
    assert german.corrected == ("Nr. 4: The game is paused.",)
    assert german.forming == (
        Call(game="spring99", text="Diplomacy, 3 fehlen noch", how="JOIN spring99 AS dein Name"),
    )
    assert issue_in(issue, "en") is issue


def test_a_readers_own_page_is_german():
    page = PrivatePage(game="spring99", title="Austria", due=("A VIE", "On file: version 2, 3 orders."))
    (german,) = pages_in((page,), "de")
    assert german.due == ("A VIE", "Es liegen vor: Version 2, 3 Befehle.")


@pytest.mark.parametrize(
    ("language", "note"),
    [
        ("de", "(Die Karte war zu groß für dein Postfach und wurde weggelassen.)"),
        ("en", "(The map was too big for your mailbox and was left out.)"),
    ],
)
def test_a_map_that_was_left_out_is_named_in_the_language_of_the_mail(language, note):
    mail = EmailMessage(policy=policy.SMTP)
    mail["Message-ID"] = "<1@play.example>"
    mail.set_content("Text")
    page = f'<html lang="{language}"><body><img src="cid:map@x"></body></html>'
    mail.add_alternative(page, subtype="html")
    related = list(mail.iter_parts())[1]
    related.add_related(b"png", "image", "png", cid="<map@x>")
    smaller = without_pictures(mail.as_bytes(), "<2@play.example>")
    assert smaller is not None
    body = BytesParser(_class=EmailMessage, policy=policy.SMTP).parsebytes(smaller).get_body(("html",))
    assert body is not None
    assert f"<p>{note}</p>" in body.get_content()
