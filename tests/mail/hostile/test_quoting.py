"""Inputs 19 and 23 to 27 on whole mails: our own report, quoted back by every kind of program."""

from __future__ import annotations

import textwrap
from datetime import UTC, datetime
from email import message_from_bytes
from email.policy import default
from html import escape

import pytest

from gm.mail.compose import OutgoingMail, Party, compose
from gm.mail.message import read_message
from tests.mail.samples import multi, part, raw, words

OWN = ["A Vie - Bud", "F Tri H"]
TOP = "\n".join(OWN)
REPORT = OutgoingMail(
    message_id="<f1901@gm.example>",
    date=datetime(2026, 11, 29, tzinfo=UTC),
    sender=Party(address="anduin@gm.example", name="Anduin"),
    to=Party(address="hans@player.example"),
    subject="Fall 1901",
    text=(
        "Your orders as I have them:\n\n  A Ven H\n  A Rom - Apu\n\n"
        "Write: PRESS TO ALL\nyour words\nENDPRESS\n\n-- \nAnduin\n"
    ),
    html=(
        "<html><body><p>Your orders as I have them:</p><table><tr><td>A Ven H</td></tr><tr><td>A Rom - Apu</td></tr>"
        "</table><p>Write: PRESS TO ALL<br>your words<br>ENDPRESS</p></body></html>"
    ),
    reply_above=True,
)
SENT = message_from_bytes(compose(REPORT), policy=default)
TEXT = SENT.get_body(("plain",)).get_content().replace("\r\n", "\n")
PAGE = SENT.get_body(("html",)).get_content()
ATTRIBUTION = "On Sun, 29 Nov 2026 at 10:00, Anduin <anduin@gm.example> wrote:"
OUTLOOK = (
    "From: Anduin <anduin@gm.example>\nSent: Sunday, November 29, 2026 10:00\nTo: hans\nSubject: Fall 1901"
)


def marked(text: str, mark: str = "> ") -> str:
    return "\n".join((mark + line).rstrip() for line in text.split("\n"))


def wrapped(text: str, columns: int) -> str:
    return "\n".join(textwrap.fill(line, columns) for line in text.split("\n"))


@pytest.mark.case(14)
@pytest.mark.case(16)
@pytest.mark.parametrize(
    "reply",
    [
        f"{TOP}\n\n{TEXT}",
        f"{TOP}\n\n{ATTRIBUTION}\n\n{marked(TEXT)}",
        f"{TOP}\n\n{ATTRIBUTION}\n\n{TEXT}",
        f"{TOP}\n\n{OUTLOOK}\n\n{TEXT}",
        f"{TOP}\n\n{wrapped(TEXT, 30)}",
        f"{TOP}\n\n{ATTRIBUTION}\n{marked(wrapped(TEXT, 30))}",
        f"{TOP}\n\n{textwrap.indent(TEXT, '    ')}",
        f"{TOP}\n\n{TEXT.replace('Reply above this line', 'Bitte oberhalb antworten')}",
        f"{TOP}\n\n{TEXT.upper()}",
        f"{TOP}\n\n{TEXT}\n\n{OUTLOOK}\n\n{TEXT}",
        f"{ATTRIBUTION}\n{marked(TEXT)}\n\n{TOP}",
        f"{ATTRIBUTION}\n{marked(TEXT, '>> ')}\n\n{TOP}\n\n-- \nA Mun H",
        f"{OWN[0]}\n{marked(TEXT)}\n{OWN[1]}\n{marked(TEXT)}",
    ],
    ids=[
        "no mark",
        "marked",
        "attribution, no mark",
        "outlook",
        "wrapped at 30",
        "marked and wrapped at 30",
        "indented",
        "translated",
        "upper case",
        "twice",
        "below",
        "below, deeper",
        "around",
    ],
)
def test_24_only_the_players_own_orders_are_taken_from_a_quoted_report(reply: str) -> None:
    mail = read_message(raw(reply))
    assert [line for line in mail.text.split("\n") if line] == OWN
    assert not any("A Ven H" in cut.text or "A Rom" in cut.text for cut in mail.after_cut)


@pytest.mark.parametrize(
    "reply",
    [
        f"<div>{OWN[0]}</div><div>{OWN[1]}</div>{PAGE}",
        f"<div>{OWN[0]}<br>{OWN[1]}</div><div>{escape(ATTRIBUTION)}</div><blockquote type=cite>{PAGE}</blockquote>",
        f"<p>{OWN[0]}</p><p>{OWN[1]}</p><hr><p>{escape(OUTLOOK).replace(chr(10), '<br>')}</p>{PAGE}",
        f"<blockquote type=cite>{PAGE}</blockquote><p>{OWN[0]}</p><p>{OWN[1]}</p>",
    ],
    ids=["no mark", "blockquote", "outlook", "below"],
)
def test_24_only_the_players_own_orders_are_taken_from_a_quoted_page(reply: str) -> None:
    assert words(raw(reply, "text/html; charset=utf-8")) == OWN


def test_24_old_receipt_quoted_without_marks_is_not_entered_again() -> None:
    assert words(raw(f"thanks for this\n{TEXT}")) == ["thanks for this"]


def test_23_order_wrapped_by_a_mailer_that_does_not_say_so_stays_two_lines() -> None:
    text = "A Vienna supports F Trieste in its move to the Adriatic Sea by way of\nVenice"
    assert words(raw(text)) == text.split("\n")


def test_23_delsp_mail_of_long_words() -> None:
    kind = "text/plain; charset=utf-8; format=flowed; delsp=yes"
    long = (
        "PRESS TO ALL\n"
        + "in the spring of that year the armies of the west were gathered at  \nthe ford\nENDPRESS"
    )
    assert (
        words(raw(long, kind))[1]
        == "in the spring of that year the armies of the west were gathered at the ford"
    )


@pytest.mark.parametrize("delimiter", ["-- ", "--", "-- =20", "__"])
def test_25_signature_holding_a_valid_order(delimiter: str) -> None:
    assert words(raw(f"{TOP}\n{delimiter.removesuffix(' =20')}\nA Mun - Ber\n")) == OWN


def test_26_footer_part_that_a_list_adds_is_cut() -> None:
    footer = part(
        "_______________________________________________\nAnduin mailing list\nhttps://lists.example/\n"
    )
    assert words(multi(part(TOP), footer)) == OWN


def test_27_lines_of_marks_alone_are_no_orders() -> None:
    text = f"{OWN[0]}\n{'>' * 2000}\n{'-' * 1000}\n{'On ' + 'a ' * 2000}\n{OWN[1]}"
    assert words(raw(text)) == [OWN[0], ("On " + "a " * 2000).rstrip(), OWN[1]]
