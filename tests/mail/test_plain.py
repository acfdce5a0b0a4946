"""Charsets, line ends, typography; format=flowed; wrappings in a plain text."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.mail.armour import unwrap
from gm.mail.flowed import unflow
from gm.mail.message import read_message
from gm.mail.plain import decode_text, one_line, plain
from tests.mail.samples import HEAD, raw, words

# --- typography ---------------------------------------------------------------------------------------------


@pytest.mark.case(3)
def test_byte_order_mark_before_the_first_command_is_dropped() -> None:
    assert words(raw("\ufeffORDERS FALL\nA Vie H")) == ["ORDERS FALL", "A Vie H"]


@pytest.mark.case(5)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028", "\u2029", "\x85", "\x0b", "\x0c"])
def test_every_line_end_gives_the_same_lines(end: str) -> None:
    assert plain(end.join(["A Vie - Bud", "F Tri H", "A Bud H"])) == "A Vie - Bud\nF Tri H\nA Bud H"


@pytest.mark.case(5)
def test_last_line_without_line_end_is_read() -> None:
    assert words(HEAD.encode() + b"\nA Vie - Bud\nF Tri H") == ["A Vie - Bud", "F Tri H"]


@pytest.mark.parametrize("dash", list("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d"))
def test_dashes_of_all_kinds_are_a_hyphen(dash: str) -> None:
    assert plain(f"A Vie {dash} Bud") == "A Vie - Bud"


@pytest.mark.parametrize("arrow", list("\u2192\u21d2\u2794\u279c\u27a1\u27f6"))
def test_arrows_are_a_hyphen_and_a_greater_sign(arrow: str) -> None:
    assert plain(f"A Vie {arrow} Bud") == "A Vie -> Bud"


@pytest.mark.parametrize(
    ("odd", "same"),
    [
        ("A\u00a0Vie\u2009-\u3000Bud\t!", "A Vie - Bud !"),
        ("Buda\u00adpest \u200bVien\u200dna\u2060\ufeff", "Budapest Vienna"),
        ("\u202eA Vie\u202c H\u200f", "A Vie H"),
        ("\u201cyes\u201d \u2018no\u2019 \u201eja\u201c", '"yes" \'no\' "ja"'),
        ("\uff21 \uff36\uff49\uff45", "A Vie"),
        ("A\x00 Vi\x08e\x7f", "A Vie"),
        ("\x1b[31mA Vie\x1b[0m H\x1b]0;title\x07", "A Vie H"),
        ("Mu\u0308nchen", "M\u00fcnchen"),
        ("wait\u2026", "wait..."),
        ("\u0417\u0434\u0440\u0430\u0432\u0441\u0442\u0432\u0443\u0439 \U0001f600 \u00abA\u00bb", None),
    ],
)
def test_mischief_goes_and_letters_stay(odd: str, same: str | None) -> None:
    assert plain(odd) == (odd if same is None else same)


@given(st.text(max_size=300))
def test_plain_is_idempotent_and_leaves_no_control_character(text: str) -> None:
    once = plain(text)
    assert plain(once) == once
    assert not any(c != "\n" and (ord(c) < 32 or 0x7F <= ord(c) < 0xA0) for c in once)


@given(st.text(max_size=300), st.integers(4, 50))
def test_one_line_is_one_line_within_its_limit(text: str, limit: int) -> None:
    assert "\n" not in one_line(text, limit)
    assert len(one_line(text, limit)) <= limit


# --- charsets -----------------------------------------------------------------------------------------------


@pytest.mark.case(4)
@pytest.mark.parametrize(
    "label", ["bogus", "undefined", "idna", "unicode_escape", "utf-7", "cp65001", "", "x" * 500]
)
@pytest.mark.parametrize("body", ["M\u00fcnchen", "\u041c\u043e\u0441\u043a\u0432\u0430"])
def test_unknown_or_dangerous_label_falls_back_to_utf8(label: str, body: str) -> None:
    data = (HEAD + f'Content-Type: text/plain; charset="{label}"\n\n').encode() + body.encode()
    assert words(data) == [body]


@pytest.mark.case(4)
def test_one_bad_label_among_four_mails_harms_none() -> None:
    good = raw("A Vie H")
    bad = raw("A Vie H", "text/plain; charset=bogus")
    assert [words(data) for data in (good, bad, good, good)] == [["A Vie H"]] * 4


@pytest.mark.case(8)
@pytest.mark.parametrize("charset", ["koi8-r", "windows-1251", "iso-8859-5", "utf-8", "utf-16"])
def test_russian_in_its_charsets(charset: str) -> None:
    text = "\u041c\u043e\u0441\u043a\u0432\u0430 \u0436\u0434\u0451\u0442"
    head = HEAD + f"Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: base64\n\n"
    assert words(head.encode() + base64.encodebytes(text.encode(charset))) == [text]


@pytest.mark.parametrize(
    ("data", "label", "text", "guessed"),
    [
        (b"M\xfcnchen", "us-ascii", "M\u00fcnchen", True),
        (b"M\xfcnchen", "utf-8", "M\u00fcnchen", True),
        (b"M\xfcnchen", "iso-8859-1", "M\u00fcnchen", False),
        (b"\x93A\x94 \x96", "iso-8859-1", "\u201cA\u201d \u2013", False),
        (b"M\xc3\xbcnchen", "iso-8859-1", "M\u00fcnchen", True),
        (b"M\xc3\xbcnchen", None, "M\u00fcnchen", True),
        (b"\x81\xfc", "utf-8", "\x81\u00fc", True),
        (b"\xff\xfeA\x00", None, "A", True),
        (b"A Vie", None, "A Vie", False),
        (b"A Vie", "bogus", "A Vie", True),
        (b"\x1b$B%Q%j\x1b(B", "iso-2022-jp", "\u30d1\u30ea", False),
    ],
)
def test_decoding_overrules_labels_that_are_wrong(
    data: bytes, label: str | None, text: str, guessed: bool
) -> None:
    assert decode_text(data, label) == (text, guessed)


@given(
    st.binary(max_size=200),
    st.one_of(st.none(), st.text(max_size=20), st.sampled_from(["big5", "gbk", "euc-kr"])),
)
def test_decoding_is_total(data: bytes, label: str | None) -> None:
    assert isinstance(decode_text(data, label)[0], str)


@pytest.mark.case(7)
def test_quoted_printable_press_arrives_intact_over_soft_breaks() -> None:
    body = "PRESS TO ALL\r\nA=3DB =C3=A9 and a line that is broken by the mailer =\r\nin its middle=20\r\nENDPRESS\r\n"
    data = (
        HEAD
        + "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
        + body
    ).encode()
    assert words(data) == [
        "PRESS TO ALL",
        "A=B \u00e9 and a line that is broken by the mailer in its middle",
        "ENDPRESS",
    ]


# --- format=flowed ------------------------------------------------------------------------------------------

LONG = "In the spring of that year the armies of the west were gathered at "


def test_flowed_paragraph_is_joined() -> None:
    assert (
        unflow(f"{LONG}\nthe ford of the river \nand waited.") == f"{LONG}the ford of the river \nand waited."
    )


def test_short_lines_ending_in_a_space_stay_orders_of_their_own() -> None:
    assert (
        unflow("A Vie - Bud \nF Tri S A Vie - Bud \nA Bud - Ser")
        == "A Vie - Bud \nF Tri S A Vie - Bud \nA Bud - Ser"
    )


def test_delsp_takes_the_space_of_the_break_away() -> None:
    assert unflow(f"{LONG.rstrip()}x \nyz", delsp=True) == f"{LONG.rstrip()}xyz"


def test_one_long_order_wrapped_by_a_flowing_mailer_is_one_line() -> None:
    data = raw(
        "A Vienna supports F Trieste in its move to the Adriatic Sea, by way of \nVenice\nA Bud H",
        "text/plain; charset=utf-8; format=flowed",
    )
    assert words(data) == [
        "A Vienna supports F Trieste in its move to the Adriatic Sea, by way of Venice",
        "A Bud H",
    ]


def test_space_stuffed_lines_lose_the_stuffing_and_are_no_quotation() -> None:
    data = raw("A Vie H\n From here on\n >> no quote\n> a quote\n", "text/plain; format=flowed")
    assert words(data) == ["A Vie H", "From here on", " >> no quote"]


def test_quoted_paragraph_flows_within_its_depth_only() -> None:
    assert unflow(f"> {LONG}\n> the ford\nA Vie H") == f"> {LONG}the ford\nA Vie H"
    assert unflow(f"> {LONG}\nA Vie H") == f"> {LONG}\nA Vie H"


def test_signature_delimiter_is_never_joined() -> None:
    assert unflow(f"{LONG}\n-- \nHans") == f"{LONG}\n-- \nHans"


def test_indented_quote_marks_of_unflowed_mail_are_quotation() -> None:
    assert words(raw("A Vie H\n > A Ven H\n")) == ["A Vie H"]


# --- wrappings ----------------------------------------------------------------------------------------------


@pytest.mark.case(11)
@pytest.mark.parametrize("br", ["<br>", "<BR>", "<br />", " <br/>", "<br><br>"])
def test_br_at_line_ends_is_taken_off(br: str) -> None:
    mail = read_message(raw(f"A Vie - Bud{br}\nF Tri H{br}\n"))
    assert mail.text == "A Vie - Bud\nF Tri H"
    assert [note.code for note in mail.notes] == ["br"]


@pytest.mark.case(2)
def test_html_that_calls_itself_plain_is_read_as_html() -> None:
    mail = read_message(raw("<html><body><p>A Vie - Bud</p><p>F Tri H</p></body></html>"))
    assert mail.text.split("\n\n") == ["A Vie - Bud", "F Tri H"]
    assert [note.code for note in mail.notes] == ["html"]


def test_pgp_signed_text_is_read_without_its_armour() -> None:
    text = (
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nA Vie - Bud\n- -- \nHans\n"
        "-----BEGIN PGP SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----\n"
    )
    mail = read_message(raw(text))
    assert mail.text == "A Vie - Bud"
    assert [note.code for note in mail.notes] == ["signed"]


def test_pgp_encrypted_text_is_named() -> None:
    mail = read_message(raw("-----BEGIN PGP MESSAGE-----\n\nhQEM\n-----END PGP MESSAGE-----\n"))
    assert "encrypted" in [note.code for note in mail.notes]


def test_uuencoded_orders_are_an_attachment_and_read() -> None:
    # "A Vie - Bud\nF Tri H\n" by uuencode(1).
    text = 'begin 644 orders.txt\n402!6:64@+2!"=60*1B!4<FD@2`H`\n`\nend\n'
    mail = read_message(raw(text))
    assert [(a.name, a.text) for a in mail.attachments] == [("orders.txt", "A Vie - Bud\nF Tri H")]
    assert mail.text == "A Vie - Bud\nF Tri H"


def test_begin_without_end_is_text() -> None:
    assert unwrap(["begin 644 a.txt", "A Vie H"]).lines == ["begin 644 a.txt", "A Vie H"]
