"""One mail, one answer: whatever it holds, each line of it is answered once, and machines get none."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.world import GM, copy_of, started

LINES = (
    "A VIE - GAL", "a bud-ser", "F TRI - Albenia", "A MUN - BUR", "SHOW", "STATUS", "STAUTS", "CLEAR", "NO ORDERS",
    "WAIT", "no wait", "READY", "Clear skies", "ZONE Europe/Berlin", "ZONE Nowhere/Land", "VOTE DRAW", "VOTE maybe",
    "PRESS TO Italy: hello", "PRESS TO Atlantis: hello", "HISTORY", "RESULTS 7", "RULES", "HELP WAIT", "EXTEND 24h",
    "PREFER Italy", "LEAVE nothing", "RESIGN", "PROCESS", "SET press = none", "WHY DEADLINE", "GAMES", "blah blah",
    "Hello there,", "# a comment", "", "  ", "A VIE S A BUD - GAL", "A BUD - VIE, A VIE - BUD", "\u2028", "NAME Ann",
    "AS I said before, all this", "PASSWORD swordfish", "x" * 300,
)  # fmt: skip


@pytest.mark.case(12)
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(st.lists(st.one_of(st.sampled_from(LINES), st.text(max_size=40)), min_size=1, max_size=9))
def test_any_mixture_of_lines_gets_one_receipt_that_answers_each_line_once(lines):
    with TemporaryDirectory() as folder:
        world = copy_of(started(), Path(folder))
        try:
            austria = started().seats["austria"]
            text = "\n".join(line.replace("\r", " ").replace("\n", " ") for line in lines)
            mails = world.reply(austria, "STATUS\n" + text)
            receipts = [m for m in mails if m.kind == "receipt"]
            assert [m.to for m in receipts] == [austria]
            numbers = [
                int(n) for n in re.findall(r"^ *(\d+) \| ", receipts[0].text.partition("YOUR MAIL")[2], re.M)
            ]
            assert len(numbers) == len(set(numbers))
            assert numbers == sorted(numbers)
            assert 1 in numbers
        finally:
            world.store.close()


def test_every_line_is_answered_once_and_in_order(played, seats):
    text = "Hello there,\nA VIE - GAL\nblah\n\n# nothing\nSTATUS\nF TRI - Albenia\nZONE Nowhere\nThanks\nA BUD - SER"
    (receipt,) = played.reply(seats["austria"], text)
    transcript = receipt.text.partition("YOUR MAIL")[2]
    numbers = [int(n) for n in re.findall(r"^ *(\d+) \| ", transcript, re.M)]
    named = receipt.text.count("A BUD - SER")
    assert numbers == [1, 2, 5, 6, 7], "counted from the first line below the greeting"
    assert named == 1, "the order below the thanks is named, not taken"
    assert "1 order on file" in receipt.flat


def test_thanks_and_greetings_below_a_signature_are_not_called_orders(played, seats):
    (receipt,) = played.reply(
        seats["austria"], "A VIE - GAL\n\n-- \nAnn Example\nA BUD - SER\nPlay fair, have fun\nSTATUS"
    )
    below = receipt.text.partition("NOT TAKEN")[2]
    assert "A BUD - SER" in below
    assert "STATUS" in below
    assert "Ann Example" not in below
    assert "have fun" not in below


def test_thanks_before_the_orders_do_not_end_the_reading(played, seats):
    (receipt,) = played.reply(seats["austria"], "Thanks for the quick turn!\nA VIE - GAL")
    assert "1 order on file" in receipt.flat


@pytest.mark.case(39)
@pytest.mark.case(40)
@pytest.mark.parametrize(
    "headers",
    [
        "Auto-Submitted: auto-replied\r\n",
        "Precedence: bulk\r\n",
        "X-Autoreply: yes\r\n",
        "List-Id: <x.example>\r\n",
    ],
)
def test_mail_of_machines_is_neither_answered_nor_carried_out(played, seats, headers):
    to = played.newest[seats["austria"]].reply_to
    assert played.write(seats["austria"], to, "RESIGN spring99\nA VIE - GAL", headers=headers) == []
    assert played.write(seats["austria"], to, "A VIE - GAL", envelope="") == []
    assert "no orders on file" in played.reply(seats["austria"], "SHOW")[0].flat


@pytest.mark.case(40)
def test_machine_without_any_mark_is_answered_once_a_day(played, seats):
    away = "I am out of the office until 14 December and will answer your mail when I am back."
    answers = [played.reply(seats["austria"], f"{away} ({n})") for n in range(6)]
    assert [len(found) for found in answers] == [1, 0, 0, 0, 0, 0]


@pytest.mark.case(40)
def test_two_machines_that_answer_each_other_stop_after_ten_mails(played, seats):
    answers = [played.reply(seats["austria"], f"Your message was received, ticket {n}.") for n in range(15)]
    assert sum(len(found) for found in answers) == 10
    (receipt,) = played.reply(seats["austria"], "A VIE - GAL")
    assert "1 order on file" in receipt.flat, "what can be done is done all the same"


@pytest.mark.case(22)
def test_date_of_the_sender_decides_nothing(played, seats):
    to = played.newest[seats["austria"]].reply_to
    for number, (date, order) in enumerate(
        [
            ("Fri, 01 Jan 2038 00:00:00 +0000", "A VIE - TYR"),
            ("Tue, 01 Dec 2026 12:00:00 +0000", "A VIE - GAL"),
        ]
    ):
        raw = (
            f"From: {seats['austria']}\r\nMessage-ID: <d{number}@x>\r\nDate: {date}\r\nSubject: x\r\n\r\n{order}\r\n"
        ).encode()
        played.deliver(raw, seats["austria"], to)
    sheet = played.reply(seats["austria"], "SHOW")[-1].text.partition("YOUR MAIL")[0]
    assert "A VIE - GAL" in sheet
    assert "A VIE - TYR" not in sheet


@pytest.mark.case(21)
@pytest.mark.case(26)
def test_mail_written_before_the_last_one_but_come_after_it_is_pointed_out(played, seats):
    to = played.newest[seats["austria"]].reply_to
    played.now += timedelta(hours=3)
    for number, (date, order) in enumerate([("14:00:00", "A VIE - TYR"), ("13:00:00", "A VIE - GAL")]):
        raw = (
            f"From: {seats['austria']}\r\nMessage-ID: <s{number}@x>\r\nDate: Tue, 01 Dec 2026 {date} +0000\r\n"
            f"Subject: x\r\n\r\n{order}\r\n"
        ).encode()
        played.deliver(raw, seats["austria"], to)
    mails = [m for m in played.reply(GM, "STATUS") if m.to == seats["austria"]]
    assert "version 2, 1 order on file" in mails[1].flat
    assert "before the one that made version 1, but came after it. What came last counts." in mails[1].flat
    assert "came after it" not in mails[0].flat
