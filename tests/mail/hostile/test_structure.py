"""Inputs 2, 4, 11, 17, 18, 21, 22 and 28: damaged MIME, odd encodings, wrapped mail."""

from __future__ import annotations

import base64

import pytest

from gm.mail.message import read_message
from tests.mail.samples import HEAD, multi, part, raw, words

ORDER = "A Vie - Bud"


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n", "\r\r\n"])
def test_02_bare_line_ends_inside_orders_end_lines(end: str) -> None:
    data = HEAD.encode().replace(b"\n", b"\r\n") + b"\r\n" + end.join([ORDER, "F Tri H"]).encode()
    assert words(data) == [ORDER, "F Tri H"]


def test_04_nul_bytes_vanish_and_hide_nothing() -> None:
    mail = read_message(b"From: a@b.example\x00\nSubject: a\x00b\n\nA Vie\x00 - Bud\x00\n")
    assert mail.text == ORDER
    assert mail.subject == "ab"
    assert mail.sender is None


def mixed(boundary: str, body: str) -> bytes:
    return (HEAD + f"Content-Type: multipart/mixed; boundary={boundary}\n\n" + body).encode()


@pytest.mark.parametrize(
    "data",
    [
        mixed("b", f"--b\n\n{ORDER}\n"),
        mixed("b", f"--b\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n{ORDER}\n--b--\n"),
        mixed('"a.*+?[(b"', f"--a.*+?[(b\n\n{ORDER}\n--a.*+?[(b--\n"),
        mixed('""', f"--\n\n{ORDER}\n----\n"),
        mixed("b", f"preamble\n--b   \n\n{ORDER}\n--b--\nepilogue A Mun - Ber"),
        (HEAD + f"Content-Type: multipart/mixed\n\n{ORDER}\n").encode(),
        mixed("never", f"{ORDER}\n"),
    ],
    ids=["no end", "reused", "regex characters", "empty", "preamble", "no boundary", "boundary unused"],
)
def test_11_damaged_boundaries_still_give_the_order_or_nothing_else(data: bytes) -> None:
    assert words(data) in ([ORDER], [])
    assert "A Mun - Ber" not in read_message(data).text


@pytest.mark.parametrize(
    "kind", ["text", "/", "text/", "/plain", "text/plain/x", "\xff", ";;;", "text plain"]
)
def test_11_malformed_content_type_is_plain_text(kind: str) -> None:
    assert words(HEAD.encode() + f"Content-Type: {kind}\n\n{ORDER}".encode("latin-1")) == [ORDER]


@pytest.mark.parametrize(
    "label",
    [
        "undefined",
        "idna",
        "unicode_escape",
        "raw_unicode_escape",
        "punycode",
        "rot13",
        "hex",
        "zlib",
        "mbcs",
        "../x",
        "utf-8\x00",
    ],
)
def test_17_codecs_that_are_no_charsets_are_never_run(label: str) -> None:
    data = (HEAD + f'Content-Type: text/plain; charset="{label}"\n\n').encode() + b"\\u0041 Vie - Bud"
    assert words(data) == ["\\u0041 Vie - Bud"]


@pytest.mark.parametrize(
    "encoded",
    [
        base64.b64encode(b"A Vie - Bud").decode(),
        "QSB\nWaWUg\nLSBCdWQ",
        "!!QSBW*aWUgLSBCdWQ=##",
        "QSBWaWUgLSBCdWQ===\n",
        "QSBWaWUgLSBCdWQ=\ntrailing footer of a list",
    ],
)
def test_18_base64_with_junk_odd_lengths_and_trailers(encoded: str) -> None:
    data = (HEAD + f"Content-Transfer-Encoding: BASE64\n\n{encoded}").encode()
    assert words(data)[0].startswith(ORDER)


@pytest.mark.parametrize(
    ("encoding", "body", "expected"),
    [
        ("quoted-printable", "A Vie - Bud=", [ORDER]),
        ("quoted-printable", "A Vie =\n- Bud=0A=ZZ", [ORDER, "=ZZ"]),
        ("binary", ORDER, [ORDER]),
        ("x-unknown", ORDER, [ORDER]),
        ("", ORDER, [ORDER]),
        ("uuencode", 'begin 644 x\n+02!6:64@+2!"=60\n`\nend\n', [ORDER]),
        ("x-uuencode", ORDER, [ORDER]),
    ],
)
def test_18_other_transfer_encodings(encoding: str, body: str, expected: list[str]) -> None:
    assert words((HEAD + f"Content-Transfer-Encoding: {encoding}\n\n{body}").encode()) == expected


def test_21_text_wins_over_html_with_other_orders() -> None:
    data = multi(part("A Vie H"), part("<p>A Vie - Tyr", "text/html"), kind="alternative")
    assert words(data) == ["A Vie H"]


def test_21_html_first_does_not_win_by_its_place() -> None:
    data = multi(part("<p>A Vie - Tyr", "text/html"), part("A Vie H"), kind="alternative")
    assert words(data) == ["A Vie H"]


def test_22_orders_only_in_html_beside_a_blank_text() -> None:
    assert words(multi(part("\n \n"), part("<p>A Vie H", "text/html"), kind="alternative")) == ["A Vie H"]


def test_28_winmail_and_archives_are_named_and_never_opened() -> None:
    tnef = part("eJ8+", "application/ms-tnef; name=winmail.dat", "Content-Transfer-Encoding: base64\n")
    zipped = part("UEsDBA==", "application/zip; name=orders.txt.zip", "Content-Transfer-Encoding: base64\n")
    mail = read_message(multi(part(ORDER), tnef, zipped))
    assert mail.text.strip() == ORDER
    assert [(a.name, a.text) for a in mail.attachments] == [("winmail.dat", None), ("orders.txt.zip", None)]


def test_28_calendar_invitation_in_a_mail_is_no_text() -> None:
    invitation = part("BEGIN:VCALENDAR\nSUMMARY:A Mun - Ber\n", "text/calendar; method=REQUEST")
    mail = read_message(multi(part(ORDER), invitation, kind="alternative"))
    assert mail.text.strip() == ORDER


def test_28_orders_inside_smime_and_pgp_signed_mail_are_read() -> None:
    signature = part(
        "MIIB", "application/pkcs7-signature; name=smime.p7s", "Content-Transfer-Encoding: base64\n"
    )
    assert words(multi(part(ORDER), signature, kind="signed")) == [ORDER]


def test_raw_bytes_are_never_changed_by_reading() -> None:
    data = raw(ORDER)
    copy = bytes(bytearray(data))
    read_message(data)
    assert data == copy
