"""Which mail is never answered."""

from __future__ import annotations

import pytest

from gm.mail.automatic import Reason, looks_out_of_office, why_not_answer
from gm.mail.message import read_message
from tests.mail.samples import HEAD, multi, part, raw

OURS = ("gm.example",)


def reason(head: str = "", *, envelope: str = "hans@player.example", base: str = HEAD) -> Reason | None:
    return why_not_answer(read_message(raw("A Vie H", head=head + base)), envelope, OURS)


def test_mail_of_a_person_is_answered() -> None:
    assert reason() is None
    assert reason("Auto-Submitted: no\n") is None
    assert reason("Precedence: first-class\nX-Auto-Response-Suppress: DR, RN\n") is None


@pytest.mark.case(39)
@pytest.mark.parametrize("envelope", ["", "<>", " "])
def test_null_sender_is_not_answered(envelope: str) -> None:
    assert reason(envelope=envelope) is Reason.NULL_SENDER


@pytest.mark.case(39)
@pytest.mark.parametrize(
    ("head", "why"),
    [
        ("Auto-Submitted: auto-replied\n", Reason.AUTO_SUBMITTED),
        ("Auto-Submitted: auto-generated; type=x\n", Reason.AUTO_SUBMITTED),
        ("AUTO-SUBMITTED: Auto-Notified\n", Reason.AUTO_SUBMITTED),
        ("Precedence: bulk\n", Reason.BULK),
        ("Precedence: junk\n", Reason.BULK),
        ("precedence: List\n", Reason.BULK),
        ("Precedence: auto_reply\n", Reason.AUTO_REPLY),
        ("X-Autoreply: yes\n", Reason.AUTO_REPLY),
        ("X-Autorespond: x\n", Reason.AUTO_REPLY),
        ("X-Auto-Response-Suppress: All\n", Reason.AUTO_REPLY),
        ("X-Failed-Recipients: a@x.example\n", Reason.AUTO_REPLY),
        ("List-Id: <a.b>\n", Reason.LIST),
        ("List-Unsubscribe: <mailto:a@b.example>\n", Reason.LIST),
        ("Mailing-List: x\n", Reason.LIST),
        ("X-GM-Loop: gm.example\n", Reason.OUR_OWN),
        ("Received: x\n" * 51, Reason.LOOP),
    ],
)
def test_header_marks_mail_as_automatic(head: str, why: Reason) -> None:
    assert reason(head) is why


def test_fifty_hops_are_no_loop() -> None:
    assert reason("Received: x\n" * 50) is None


def test_loop_header_of_another_server_is_not_ours() -> None:
    assert reason("X-GM-Loop: other.example\n") is None


def test_our_own_message_id_come_back_is_ours() -> None:
    assert reason(base=HEAD.replace("<abc.1@player.example>", "<g.2@gm.example>")) is Reason.OUR_OWN
    assert reason(base=HEAD.replace("hans@player.example", "anduin@GM.example")) is Reason.OUR_OWN
    assert reason(envelope="bounce+1-abcdefgh@gm.example") is Reason.OUR_OWN


@pytest.mark.case(40)
@pytest.mark.parametrize(
    "envelope",
    [
        "MAILER-DAEMON@x.example",
        "postmaster@x.example",
        "no-reply@x.example",
        "noreply+1@x.example",
        "anduin-bounces@lists.example",
        "anduin-bounces+hans=x.example@lists.example",
        "owner-anduin@lists.example",
        "anduin-request@lists.example",
        "do-not-reply@x.example",
    ],
)
def test_robots_are_not_answered(envelope: str) -> None:
    assert reason(envelope=envelope) is Reason.ROBOT_SENDER
    assert reason(base=HEAD.replace("hans@player.example", envelope)) is Reason.ROBOT_SENDER


@pytest.mark.parametrize("name", ["daemona", "nobodyknows", "hans.owner", "requests"])
def test_people_with_names_like_robots_are_answered(name: str) -> None:
    assert reason(envelope=f"{name}@x.example") is None


def test_delivery_report_quoting_an_order_is_no_order_mail() -> None:
    human = part("The following message could not be delivered.\nA Vie - Bud\n")
    report = part("Reporting-MTA: dns; mx.example\n", "message/delivery-status")
    mail = read_message(multi(human, report, kind="report", params="; report-type=delivery-status"))
    assert why_not_answer(mail, "x@y.example", OURS) is Reason.REPORT


def test_read_receipt_is_a_report() -> None:
    mail = read_message(multi(part("read"), kind="report", params="; report-type=disposition-notification"))
    assert why_not_answer(mail, "x@y.example", OURS) is Reason.REPORT


def test_calendar_invitation_alone_is_not_answered() -> None:
    mail = read_message(raw("BEGIN:VCALENDAR\n", "text/calendar; method=REQUEST"))
    assert why_not_answer(mail, "x@y.example", OURS) is Reason.CALENDAR
    assert mail.text == ""


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("Automatic reply: Fall 1901", ""),
        ("Out of Office: Fall", ""),
        ("Automatische Antwort: Fall", ""),
        ("Abwesenheitsnotiz", ""),
        ("R\u00e9ponse automatique : Fall", ""),
        ("Re: Fall", "Thank you for your mail. I am currently out of the office until Monday."),
        ("Re: Fall", "I am on vacation and will answer when I am back."),
        ("Re: Fall", "Ich bin derzeit nicht im B\u00fcro. In dringenden F\u00e4llen rufen Sie an."),
        ("Re: Fall", "Ich bin bis 3. Dezember im Urlaub."),
        ("Re: Fall", "Je suis actuellement en cong\u00e9s."),
    ],
)
def test_out_of_office_notes_are_recognised_in_three_languages(subject: str, text: str) -> None:
    head = HEAD.replace("Subject: Re: Fall 1901", f"Subject: {subject}")
    assert looks_out_of_office(read_message(raw(text, head=head)))


@pytest.mark.parametrize("text", ["A Vie - Bud", "I will be late.", "F Tri S A Vie - Bud\nA away"])
def test_orders_are_no_out_of_office_note(text: str) -> None:
    assert not looks_out_of_office(read_message(raw(text)))
