"""The one builder of outgoing mail: what it writes reads back as meant, everywhere and every time."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes
from email.policy import default

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.mail.compose import (
    END_MARKER,
    REPLY_MARKER,
    ComposeError,
    File,
    OutgoingMail,
    Party,
    compose,
    header,
)
from gm.mail.message import read_message
from gm.mail.wrap import wrap

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
MAIL = OutgoingMail(
    message_id="<anduin.f1901.austria@gm.example>",
    date=datetime(2026, 11, 29, 20, 0, tzinfo=UTC),
    sender=Party(address="anduin@gm.example", name="Anduin"),
    to=Party(address="hans@player.example", name="Hans Meier"),
    subject="Anduin: Fall 1901",
    text="Hello Hans,\n\n  A Vie - Bud\n",
)
FULL = replace(
    MAIL,
    html='<html><body><p>Hello</p><img src="cid:map@gm.example" alt="map"></body></html>',
    reply_to=Party(address="play+token@gm.example"),
    in_reply_to="<abc.1@player.example>",
    references=tuple(f"<{n}.{'x' * 40}@player.example>" for n in range(8)),
    auto_submitted="auto-replied",
    list_id="Anduin <anduin.gm.example>",
    files=(
        File(name="map.png", content_type="image/png", data=PNG, cid="map@gm.example"),
        File(name="deadline.ics", content_type="text/calendar; method=PUBLISH", data=b"BEGIN:VCALENDAR\r\n"),
    ),
    reply_above=True,
)


def test_plain_mail_to_the_byte() -> None:
    assert compose(MAIL) == (
        b"Date: Sun, 29 Nov 2026 20:00:00 +0000\r\n"
        b"From: Anduin <anduin@gm.example>\r\n"
        b"To: Hans Meier <hans@player.example>\r\n"
        b"Subject: Anduin: Fall 1901\r\n"
        b"Message-ID: <anduin.f1901.austria@gm.example>\r\n"
        b"Auto-Submitted: auto-generated\r\n"
        b"X-Auto-Response-Suppress: All\r\n"
        b"X-GM-Loop: gm.example\r\n"
        b"MIME-Version: 1.0\r\n"
        b"Content-Type: text/plain; charset=us-ascii\r\n"
        b"Content-Transfer-Encoding: 7bit\r\n"
        b"\r\n"
        b"Hello Hans,\r\n\r\n  A Vie - Bud\r\n"
    )


@pytest.mark.case(38)
def test_full_mail_parses_strictly_into_the_tree_that_was_meant() -> None:
    read = message_from_bytes(compose(FULL), policy=default)
    tree = [part.get_content_type() for part in read.walk()]
    assert tree == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
        "text/calendar",
    ]
    assert [part.defects for part in read.walk()] == [[]] * 7
    picture = next(part for part in read.walk() if part.get_content_type() == "image/png")
    assert picture.get_content() == PNG
    assert picture["Content-ID"] == "<map@gm.example>"


@pytest.mark.case(38)
def test_threading_headers_keep_the_last_five_ids_whole() -> None:
    data = compose(FULL)
    head = data[: data.index(b"\r\n\r\n")].decode()
    assert "=?" not in head
    read = read_message(data)
    assert read.references == FULL.references[-5:]
    assert read.in_reply_to == (FULL.in_reply_to,)
    assert all(len(line) <= 78 for line in head.split("\r\n"))


def test_same_input_gives_the_same_bytes_and_other_input_other_boundaries() -> None:
    assert compose(FULL) == compose(replace(FULL))
    boundaries = {re.findall(rb'boundary="([^"]+)"', compose(replace(FULL, text=t)))[0] for t in ("a", "b")}
    assert len(boundaries) == 2


def test_automatic_mail_is_marked_so() -> None:
    fields = read_message(compose(FULL)).fields
    assert fields.first("Auto-Submitted") == "auto-replied"
    assert fields.first("X-Auto-Response-Suppress") == "All"
    assert fields.first("List-Id") == "Anduin <anduin.gm.example>"
    assert fields.first("Reply-To") == "play+token@gm.example"


def test_lines_are_ascii_crlf_and_short_enough_for_old_mailers() -> None:
    data = compose(replace(FULL, text="Gr\u00fc\u00dfe " * 40 + "\n" + "x" * 500 + "\n"))
    assert data.isascii()
    assert max(len(line) for line in data.split(b"\r\n")) <= 78


@pytest.mark.parametrize("text", ["From here on\n", ".\n", "..\nA\n", "trailing \n", "\u00e9\n.\nFrom x\n"])
def test_lines_that_relays_and_mailboxes_damage_are_encoded(text: str) -> None:
    data = compose(replace(MAIL, text=text))
    body = data.split(b"\r\n\r\n", 1)[1]
    assert not re.search(rb"^(?:From |\.)|[ \t]\r?$", body, re.MULTILINE)
    assert message_from_bytes(data, policy=default).get_content().split() == text.split()


# --- headers ------------------------------------------------------------------------------------------------

EVIL = [
    "=?utf-8?q?a=0ABcc:_x@evil.example?=",
    "=?utf-8?b?YQpCY2M6IHg=?=",
    "a\u2028Bcc: x@evil.example",
    "a\x85Bcc: x@evil.example",
    "a\x0bBcc: x\x00\x1b[31m",
    '" <x@evil.example>, "',
    "a <b@evil.example>",
    "back\\slash\\",
    "\u202eelpmaxe",
    "\ud800",
    "J\u00fcrgen, the \u0413\u041c \U0001f600",
    "x" * 500,
    "\U0001f600" * 300,
]


@pytest.mark.parametrize("evil", EVIL)
def test_no_name_or_subject_becomes_a_header_or_a_second_address(evil: str) -> None:
    data = compose(replace(MAIL, subject=evil, to=Party(address="hans@player.example", name=evil)))
    read = message_from_bytes(data)
    assert read.keys() == message_from_bytes(compose(MAIL)).keys()
    mail = read_message(data)
    assert [box.address for box in mail.to] == ["hans@player.example"]
    assert "\n" not in mail.subject


@pytest.mark.parametrize(
    "text",
    [
        "Fall 1901",
        "Gr\u00fc\u00dfe aus K\u00f6ln",
        "=?utf-8?q?x?=",
        "\u041c\u043e\u0441\u043a\u0432\u0430 " * 20,
    ],
)
def test_subject_reads_back_as_given(text: str) -> None:
    assert read_message(compose(replace(MAIL, subject=text))).subject == text.strip()[:200].strip()


@pytest.mark.parametrize("value", ["a\nBcc: x", "a\rb", "a\r\n b"])
def test_header_setter_refuses_line_ends(value: str) -> None:
    with pytest.raises(ComposeError, match="one line"):
        header("X-Test", value)


@pytest.mark.parametrize("name", ["", "Bcc: x", "A\nB", "a b", "\u00e9"])
def test_header_setter_refuses_names_that_are_none(name: str) -> None:
    with pytest.raises(ComposeError, match="not a header name"):
        header(name, "x")


def test_header_setter_refuses_what_it_cannot_fold() -> None:
    with pytest.raises(ComposeError, match="longer than 900"):
        header("X-Test", "x" * 901)


@given(st.text(max_size=120).filter(lambda t: "\n" not in t and "\r" not in t))
def test_header_setter_gives_one_field_whatever_it_is_given(value: str) -> None:
    data = header("X-Test", value)
    read = message_from_bytes(data + b"\r\n")
    assert read.keys() == ["X-Test"]
    assert all(len(line) <= 900 for line in data.split(b"\r\n"))


@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=400))
def test_any_text_composes_into_the_same_shape(subject: str, name: str, text: str) -> None:
    data = compose(replace(MAIL, subject=subject, sender=Party(address="a@gm.example", name=name), text=text))
    read = message_from_bytes(data)
    assert len(read.keys()) == 11
    assert [box.address for box in read_message(data).senders] == ["a@gm.example"]


@pytest.mark.parametrize(
    "change",
    [
        {"message_id": "<x>"},
        {"message_id": "<a@b>\r\nBcc: x"},
        {"in_reply_to": "nonsense"},
        {"references": ("<a@b>", "<[x]>")},
        {"to": Party(address="not an address")},
        {"to": Party(address="a@b.example, c@d.example")},
        {"to": Party(address="j\u00fcrgen@b.example")},
        {"reply_to": Party(address="a@b.example\nBcc: x")},
        {"date": datetime(2026, 11, 29)},  # noqa: DTZ001 - the fault under test
        {"list_id": "x <y\nz>"},
        {"files": (File(name="x", content_type="image/png\nX: y", data=b""),)},
        {"files": (File(name="x", content_type="image/png", data=b"", cid="x\n@y"),), "html": "<p>"},
        {"files": (File(name="x", content_type="image/png", data=b"", cid="x@y"),)},
    ],
)
def test_what_cannot_be_sent_safely_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(ComposeError):
        compose(replace(MAIL, **change))  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize(
    ("name", "safe"),
    [("../../x.png", "x.png"), ('a"b\r\n.png', "a-b-.png"), ("\u0444", "file"), ("CON", "CON")],
)
def test_file_names_are_plain_labels(name: str, safe: str) -> None:
    data = compose(replace(MAIL, files=(File(name=name, content_type="image/png", data=b"x"),)))
    assert [a.name for a in read_message(data).attachments] == [safe]


# --- markers and wrapping -----------------------------------------------------------------------------------


def test_markers_stand_around_text_and_html() -> None:
    read = message_from_bytes(compose(FULL), policy=default)
    text = read.get_body(("plain",)).get_content().replace("\r\n", "\n")
    html = read.get_body(("html",)).get_content().replace("\r\n", "\n")
    assert text.startswith(REPLY_MARKER + "\n\nHello Hans,")
    assert text.endswith(END_MARKER + "\n")
    assert html.index("<body>") < html.index(REPLY_MARKER) < html.index("Hello") < html.index(END_MARKER)
    assert html.rstrip().endswith("</body></html>")


def test_prose_is_wrapped_at_72_columns_and_orders_never() -> None:
    prose = "word " * 40
    order = "  A Vienna supports F Trieste in its move to the Adriatic Sea, and a very long remark"
    table = "Vienna      Budapest      Trieste      Rome      Naples      Venice     12345"
    wrapped = wrap(f"{prose}\n{order}\n{table}\n> {prose.strip()}\nhttps://{'x' * 90}").split("\n")
    assert [len(line) for line in wrapped[:3]] == [69, 69, 59]
    assert wrapped[3:5] == [order, table]
    assert wrapped[5].startswith("> word")
    assert wrapped[6] == "https://" + "x" * 90


@given(st.text(alphabet="ab -\n>", max_size=300))
def test_wrapping_loses_no_word_and_is_idempotent(text: str) -> None:
    assert wrap(text).split() == text.split()
    assert wrap(wrap(text)) == wrap(text)
