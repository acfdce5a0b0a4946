"""Out-of-office notes: a player is asked once, the GM learns of it, nothing is assumed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.world import GM, START

FRIDAY = datetime(2026, 12, 4, 20, 0, tzinfo=UTC)
NOTE = "I am currently out of the office until 12 December 2026 and will answer your mail then."
AUTO = "Auto-Submitted: auto-replied\r\n"


@pytest.mark.case(40)
@pytest.mark.parametrize(
    ("headers", "envelope"), [(AUTO, None), ("X-Autoreply: yes\r\n", None), ("", ""), ("", None)]
)
def test_note_asks_its_player_once_and_changes_nothing(played, seats, headers, envelope):
    austria = seats["austria"]
    address = played.newest[austria].reply_to
    (asked,) = played.write(austria, address, NOTE, headers=headers, envelope=envelope)
    assert asked.to == austria
    assert "a note that you are away until 12 December 2026." in asked.flat
    assert "reply with a line ABSENT today TO 12 December 2026" in asked.flat
    assert played.write(austria, address, NOTE + " Second.", headers=AUTO) == []
    assert played.write(austria, asked.reply_to, NOTE + " Third.", headers=AUTO) == []
    assert played.phase().due_at == FRIDAY


def test_note_may_announce_itself_by_the_line_that_was_offered(played, seats):
    austria = seats["austria"]
    (asked,) = played.write(austria, played.newest[austria].reply_to, NOTE, headers=AUTO)
    mails = played.write(austria, asked.reply_to, "ABSENT today TO 12 December 2026")
    receipt = next(m for m in mails if m.kind == "receipt")
    assert "Tuesday 1 December 2026, 12:00 (UTC) to Sunday 13 December 2026, 00:00 (UTC)" in receipt.flat
    assert played.phase().due_at == FRIDAY + timedelta(weeks=2), (
        "the 18th is the first Friday after his return"
    )


def test_gm_finds_it_in_the_mail_on_his_games_and_nobody_else_hears_of_it(played, seats):
    austria = seats["austria"]
    mails = played.write(austria, played.newest[austria].reply_to, NOTE, headers=AUTO)
    assert {m.to for m in mails} == {austria}
    (health,) = played.reply(GM, "HEALTH")
    assert "MAILBOXES THAT SAY THEY ARE AWAY" in health.text.upper()
    assert "spring99: Austria" in health.flat
    assert played.now == START


def test_who_has_announced_it_or_does_not_play_is_not_asked(played, seats):
    austria = seats["austria"]
    played.reply(austria, "ABSENT today TO 12 Dec")
    assert played.write(austria, played.newest[austria].reply_to, NOTE, headers=AUTO) == []
    assert played.write(GM, played.newest[GM].reply_to, NOTE, headers=AUTO) == []
    assert played.write("stranger@club.example", "gm@play.example", NOTE, headers=AUTO) == []


def test_mailing_list_and_delivery_report_are_no_notes(played, seats):
    austria = seats["austria"]
    listed = played.write(austria, played.newest[austria].reply_to, NOTE, headers="List-Id: <x.example>\r\n")
    assert listed == []
