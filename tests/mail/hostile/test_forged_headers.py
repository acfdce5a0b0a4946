"""Inputs 12 to 16, 29, 30, 34 to 36: headers that lie, names that bite, addresses that are none."""

from __future__ import annotations

import pytest

from gm.mail.addresses import canonical_address, read_mailboxes, read_recipient
from gm.mail.authres import NOTHING, proof_from_pairs
from gm.mail.automatic import Reason, why_not_answer
from gm.mail.message import read_message
from tests.mail.samples import HEAD, raw

KEY = b"k" * 32
OURS = frozenset(("gm.example",))


def test_12_message_id_as_microsoft_sends_it_is_no_key_and_no_error() -> None:
    mail = read_message(b"Message-ID: <[x]>\nFrom: a@b.example\n\nA Vie H")
    assert (mail.message_id, mail.text) == (None, "A Vie H")


def test_13_encoded_line_end_in_subject_stays_in_the_subject() -> None:
    mail = read_message(b"Subject: =?utf-8?q?a=0D=0ABcc:_x@evil.example?=\n\n")
    assert mail.subject == "a Bcc: x@evil.example"
    assert "bcc" not in mail.fields


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("=?utf-8?q?a=0Ab?=", "a b"),
        ('"a\\"b"', 'a"b'),
        ("=?utf-8?q?=3Cx=40evil=2Eexample=3E?=", "<x@evil.example>"),
        ("=?utf-8?b?4oCuZXZpbA==?=", "evil"),
    ],
)
def test_14_display_names_are_one_clean_line(name: str, clean: str) -> None:
    mail = read_message(f"From: {name} <a@b.example>\n\n".encode())
    assert [(box.address, box.name) for box in mail.senders] == [("a@b.example", clean)]


def test_16_reply_to_and_sender_never_stand_for_from() -> None:
    mail = read_message(b"From: a@b.example\nReply-To: c@d.example\nSender: e@f.example\n\nA Vie H")
    assert mail.sender == "a@b.example"
    assert [box.address for box in mail.reply_to] == ["c@d.example"]


def test_28_vacation_reply_that_quotes_a_report_is_not_answered() -> None:
    head = HEAD + "Auto-Submitted: auto-replied (vacation)\n"
    assert (
        why_not_answer(read_message(raw("> A Vie H", head=head)), "a@b.example", OURS)
        is Reason.AUTO_SUBMITTED
    )


def test_29_own_receipt_come_back_and_endless_forwarding_are_not_answered() -> None:
    own = read_message(raw("A Vie H", head=HEAD + "X-GM-Loop: gm.example\n"))
    assert why_not_answer(own, "a@b.example", OURS) is Reason.OUR_OWN
    circling = read_message(raw("A Vie H", head="Received: from x\n" * 60 + HEAD))
    assert why_not_answer(circling, "a@b.example", OURS) is Reason.LOOP


@pytest.mark.parametrize(
    ("address", "canonical"),
    [
        ("a%b@x.example", "a%b@x.example"),
        ("x.example!a@y.example", "x.example!a@y.example"),
        ('"a b"@x.example', '"a b"@x.example'),
        ('"a@b"@x.example', '"a@b"@x.example'),
        ("l" * 64 + "@x.example", "l" * 64 + "@x.example"),
        ("l" * 65 + "@x.example", None),
        ("a@" + "x" * 63 + ".example", "a@" + "x" * 63 + ".example"),
        ("a@" + "x" * 64 + ".example", None),
        ("a@" + "x." * 130 + "example", None),
        ("a@b\u00fccher.example", "a@xn--bcher-kva.example"),
        ("\u0430@x.example", "\u0430@x.example"),
        ("", None),
        ("<>", None),
    ],
)
def test_30_odd_addresses(address: str, canonical: str | None) -> None:
    assert canonical_address(address) == canonical


def test_32_ten_thousand_wrong_tokens_are_refused_without_a_store() -> None:
    kinds = {
        recipient.kind
        for n in range(10_000)
        if (recipient := read_recipient(f"play+{n:024}@gm.example", OURS, KEY)) is not None
    }
    assert kinds == {"unknown"}


def test_34_forged_results_with_our_name_below_the_hop_prove_nothing() -> None:
    pairs = [
        ("Received", "from evil.example by mx.gm.example"),
        ("Received", "from x by evil.example"),
        (
            "Authentication-Results",
            "mx.gm.example; dkim=pass header.d=player.example; dmarc=pass header.from=player.example",
        ),
        ("DKIM-Signature", "d=player.example; b=x"),
    ]
    assert proof_from_pairs(pairs, "mx.gm.example") == NOTHING


def test_35_press_with_forged_header_lines_template_code_and_escapes_stays_text() -> None:
    press = (
        "PRESS TO ALL\nBcc: x@evil.example\n\n{{ 7*7 }} {% include 'x' %} <img src=x> \x1b[2Jgone\nENDPRESS"
    )
    mail = read_message(raw(press))
    assert (
        mail.text
        == "PRESS TO ALL\nBcc: x@evil.example\n\n{{ 7*7 }} {% include 'x' %} <img src=x> gone\nENDPRESS"
    )
    assert "bcc" not in mail.fields


@pytest.mark.parametrize(
    "local", ["../../x", "con", "'; drop table", "%s", "\U0001f600" * 20, "an\u0434uin", "=cmd", "-x", ".x"]
)
def test_36_names_that_bite_are_no_game_addresses(local: str) -> None:
    recipient = read_recipient(f"{local}@gm.example", OURS, KEY)
    assert recipient is None or recipient.kind == "unknown" or recipient.game == "con"


def test_36_composed_and_decomposed_names_are_one() -> None:
    nfc, nfd = "J\u00fcrgen <j\u00fcrgen@x.example>", "Ju\u0308rgen <ju\u0308rgen@x.example>"
    assert read_mailboxes(nfc)[0].address == read_mailboxes(nfd)[0].address


@pytest.mark.parametrize("line", ["=A Vie H", "-A Vie H", ".A Vie H", "..", "@SUM(A1)"])
def test_36_lines_that_start_oddly_are_kept_as_they_are(line: str) -> None:
    assert read_message(raw(f"A Bud H\n{line}\nF Tri H")).text == f"A Bud H\n{line}\nF Tri H"
