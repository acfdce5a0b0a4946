"""Raw bytes to an `InboundMail`: header facts, attachments, notes, and the limits a player is told of."""

from __future__ import annotations

import base64
from datetime import UTC, datetime
from hashlib import sha256

import pytest

from gm.mail import limits
from gm.mail.addresses import Mailbox
from gm.mail.message import read_message
from tests.mail.samples import HEAD, multi, part, raw, words

# --- header facts -------------------------------------------------------------------------------------------


def test_facts_of_an_ordinary_reply() -> None:
    data = raw(
        "A Vie H",
        head=HEAD + "In-Reply-To: <r.1@gm.example>\nReferences: <r.0@gm.example>\n <r.1@gm.example>\n",
    )
    mail = read_message(data)
    assert mail.message_id == "<abc.1@player.example>"
    assert mail.senders == (Mailbox(address="hans@player.example", name="Hans Meier"),)
    assert mail.sender == "hans@player.example"
    assert mail.to == (Mailbox(address="play+token@gm.example"),)
    assert mail.subject == "Re: Fall 1901"
    assert mail.date == datetime(2026, 11, 29, 9, 0, tzinfo=UTC)
    assert mail.in_reply_to == ("<r.1@gm.example>",)
    assert mail.references == ("<r.0@gm.example>", "<r.1@gm.example>")
    assert mail.content_type == "text/plain"
    assert mail.sha256 == sha256(data).hexdigest()
    assert (mail.hits, mail.notes, mail.attachments, mail.refused) == ((), (), (), False)


def test_envelope_line_of_a_pipe_or_mailbox_file_is_no_header() -> None:
    mail = read_message(b"From hans@player.example Sun Nov 29 10:00:00 2026\n" + raw("A Vie H"))
    assert (mail.sender, mail.text) == ("hans@player.example", "A Vie H")


def test_same_mail_by_two_ways_has_one_body_hash() -> None:
    one = read_message(raw("A Vie H"))
    two = read_message(b"Received: by other\r\n" + raw("A Vie H"))
    assert one.sha256 != two.sha256
    assert one.body_sha256 == two.body_sha256
    assert one.body_sha256 != read_message(raw("A Vie - Bud")).body_sha256


def field(name: str, value: bytes) -> bytes:
    return name.encode() + b": " + value + b"\n\nA Vie H\n"


@pytest.mark.parametrize(
    "value",
    [
        b"",
        b"<[x]>",
        b"<x>",
        b"abc",
        b"<a b@c>",
        b"<a@b> <c@d>",
        b"<" + b"a" * 10_000 + b"@b>",
        b"<a@\xff>",
        b"<a@b",
        b"<a@b>x",
    ],
)
def test_message_id_that_cannot_be_a_key_is_none(value: bytes) -> None:
    assert read_message(field("Message-ID", value)).message_id is None


def test_message_id_in_any_header_case_and_with_literal_domain_is_sane() -> None:
    assert read_message(field("MESSAGE-id", b" <A.b+c=d@[127.0.0.1]> ")).message_id == "<A.b+c=d@[127.0.0.1]>"


def test_first_of_two_message_ids_counts() -> None:
    assert read_message(b"Message-ID: <a@b>\nMessage-ID: <c@d>\n\n").message_id == "<a@b>"


@pytest.mark.case(12)
@pytest.mark.parametrize(
    ("value", "subject"),
    [
        (b"=?utf-8?q?Gr=C3=BC=C3=9Fe?= aus =?iso-8859-1?b?S/ZsbiE=?=", "Gr\u00fc\u00dfe aus K\u00f6ln!"),
        (b"=?utf-8?q?a=0ABcc:_x@evil.example?=", "a Bcc: x@evil.example"),
        (b"=?bogus?q?Fall=201901?=", "Fall 1901"),
        (b"=?utf-8?b?!!!?=", ""),
        (b"=?utf-8?b?QQ?=", "A"),
        (b"Gr\xfc\xdfe", "Gr\u00fc\u00dfe"),
        (b"Gr\xc3\xbc\xc3\x9fe", "Gr\u00fc\u00dfe"),
        (b"folded\n over\n\tlines", "folded over lines"),
        (b"", ""),
        (b"x" * 900, "x" * 197 + "..."),
        (b"\x1b[31mred", "red"),
    ],
)
def test_subject_is_one_clean_line(value: bytes, subject: str) -> None:
    assert read_message(field("Subject", value)).subject == subject


@pytest.mark.case(12)
def test_odd_or_missing_subject_does_not_stop_the_orders() -> None:
    assert words(HEAD.replace("Subject: Re: Fall 1901", "Subject: viagra").encode() + b"\nA Vie H") == [
        "A Vie H"
    ]
    assert words(b"From: a@b.example\n\nA Vie H") == ["A Vie H"]


@pytest.mark.parametrize(
    ("value", "date"),
    [
        (b"Sun, 29 Nov 2026 10:00:00 -0500", datetime(2026, 11, 29, 15, 0, tzinfo=UTC)),
        (b"29 Nov 26 10:00 GMT", datetime(2026, 11, 29, 10, 0, tzinfo=UTC)),
        (b"Tue, 19 Jan 2038 03:14:08 +0000", datetime(2038, 1, 19, 3, 14, 8, tzinfo=UTC)),
        (b"", None),
        (b"yesterday", None),
        (b"Sun, 99 Nov 2026 10:00:00 +0100", None),
        (b"Fri, 31 Dec 9999 23:59:59 -2359", None),
        (b"Sun, 29 Nov 2026 10:00:00 +9999999", None),
        (b"1 " * 5000, None),
    ],
)
def test_date_is_utc_or_none(value: bytes, date: datetime | None) -> None:
    assert read_message(field("Date", value)).date == date


@pytest.mark.parametrize(
    "head",
    [
        b"From: a@x.example, b@y.example\n",
        b"From: g: a@x.example, b@y.example;\n",
        b"From: a@x.example\nFrom: b@y.example\n",
        b"From: \n",
        b"From: a@x )b@evil.example\n",
        b"From: a@x]<b@evil.example>\n",
        b"",
    ],
)
def test_from_that_names_not_exactly_one_person_names_no_sender(head: bytes) -> None:
    assert read_message(head + b"\nA Vie H").sender is None


def test_encoded_display_name_is_decoded_to_one_line() -> None:
    mail = read_message(b"From: =?utf-8?q?J=C3=BCrgen=0ABcc:_x?= <j@x.example>\n\n")
    assert mail.senders == (Mailbox(address="j@x.example", name="J\u00fcrgen Bcc: x"),)


def test_long_references_keep_their_last_ids() -> None:
    ids = " ".join(f"<{n}.{'x' * 40}@player.example>" for n in range(100)).encode()
    assert read_message(field("References", ids)).references[-1] == f"<99.{'x' * 40}@player.example>"


# --- attachments --------------------------------------------------------------------------------------------

ATTACHED = 'Content-Disposition: attachment; filename="orders.txt"\n'


@pytest.mark.case(13)
@pytest.mark.parametrize(
    "body",
    [
        "",
        "Hi,\n",
        "Hello GM,\n\nmy orders are attached.\n\nRegards,\nHans\n",
        "siehe Anhang\n",
        "Orders in the enclosed file",
    ],
)
def test_attached_orders_are_read_when_the_body_only_greets(body: str) -> None:
    mail = read_message(multi(part(body), part("A Vie - Bud\r\nF Tri H\r\n", more=ATTACHED)))
    assert mail.text == "A Vie - Bud\nF Tri H"
    assert [note.code for note in mail.notes] == ["attachment"]
    assert "orders.txt" in mail.notes[0].message


@pytest.mark.case(13)
def test_orders_in_the_body_win_over_a_file_that_is_still_offered() -> None:
    mail = read_message(multi(part("A Vie H\nF Tri H"), part("A Vie - Bud", more=ATTACHED)))
    assert mail.text == "A Vie H\nF Tri H"
    assert [(a.name, a.text) for a in mail.attachments] == [("orders.txt", "A Vie - Bud")]
    assert mail.notes == ()


def test_of_two_attached_texts_none_is_chosen() -> None:
    mail = read_message(
        multi(part("attached"), part("A Vie - Bud", more=ATTACHED), part("A Vie H", more=ATTACHED))
    )
    assert mail.text == "attached"
    assert len(mail.attachments) == 2


def test_whole_mail_as_one_attachment_is_read() -> None:
    assert words(HEAD.encode() + ATTACHED.encode() + b"Content-Type: text/plain\n\nA Vie H\n") == ["A Vie H"]


def test_text_sent_as_octet_stream_is_read_by_its_name() -> None:
    more = 'Content-Disposition: attachment; filename="fall.txt"\nContent-Transfer-Encoding: base64\n'
    mail = read_message(
        multi(part(base64.encodebytes(b"\xef\xbb\xbfA Vie - Bud\r\n"), "application/octet-stream", more))
    )
    assert mail.text == "A Vie - Bud"


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ('filename="../../etc/passwd"', "passwd"),
        ('filename="C:\\\\Users\\\\x.png"', "x.png"),
        ("filename*=utf-8''Z%C3%BCge%0A.png", "Z\u00fcge .png"),
        ("filename*0=abc; filename*1=def.png", "abcdef.png"),
        ('filename="=?utf-8?q?Z=C3=BCge.png?="', "Z\u00fcge.png"),
        ("filename*=utf-8''Z\u00fcge.png", "Z\u00fcge.png"),
        ('filename="Z\u00fcge.png"', "Z\u00fcge.png"),
        ('filename="' + "x" * 500 + '"', "x" * 77 + "..."),
        ('filename=""', "image/png"),
        ('filename=".."', "image/png"),
    ],
)
def test_file_names_are_cut_to_a_harmless_label(header: str, name: str) -> None:
    mail = read_message(
        multi(part("x"), part("x", "image/png", f"Content-Disposition: attachment; {header}\n"))
    )
    assert [a.name for a in mail.attachments] == [name]


def test_mail_inside_mail_is_never_entered() -> None:
    inner = part("From: x@y.example\nContent-Type: text/plain\n\nA Mun - Ber\n", "message/rfc822")
    mail = read_message(multi(part("A Vie H"), inner))
    assert words_of(mail.text) == ["A Vie H"]
    assert [a.content_type for a in mail.attachments] == ["message/rfc822"]


def words_of(text: str) -> list[str]:
    return [line for line in text.split("\n") if line]


def test_first_part_of_a_signed_mail_is_read() -> None:
    signature = part("iQ", "application/pgp-signature", 'Content-Disposition: attachment; filename="s.asc"\n')
    mail = read_message(multi(part("A Vie H"), signature, kind="signed"))
    assert mail.text.strip() == "A Vie H"
    assert [note.code for note in mail.notes] == ["signed"]


@pytest.mark.parametrize(
    "data",
    [
        multi(
            part("Version: 1", "application/pgp-encrypted"),
            part("x", "application/octet-stream"),
            kind="encrypted",
        ),
        raw("MIIB", "application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m", encoding="base64"),
    ],
)
def test_encrypted_mail_is_named_as_such(data: bytes) -> None:
    mail = read_message(data)
    assert mail.text == ""
    assert [note.code for note in mail.notes] == ["encrypted"]


# --- limits -------------------------------------------------------------------------------------------------


@pytest.mark.case(6)
def test_line_of_more_than_5000_characters_is_named_and_left_out() -> None:
    assert words(raw("A Vie H\n" + "x" * 5000)) == ["A Vie H", "x" * 5000]
    mail = read_message(raw("A Vie H\n" + "x" * 5001 + "\nA Bud H"))
    assert mail.text == "A Vie H\nA Bud H"
    assert [(h.name, h.limit, h.found, h.refused) for h in mail.hits] == [("line", 5000, 5001, False)]
    assert mail.hits[0].message.startswith("Line 2 has 5,001 characters, at most 5,000 are read")


@pytest.mark.case(6)
def test_body_of_one_megabyte_is_answered_with_the_limit() -> None:
    mail = read_message(raw("A Vie H\n" * 15_000 + "x" * 900_000))
    assert mail.refused
    assert mail.text == ""
    assert {h.name for h in mail.hits} == {"message", "text"}
    assert mail.sender == "hans@player.example"
    assert mail.message_id == "<abc.1@player.example>"


@pytest.mark.parametrize("extra", [0, 1])
def test_text_limit_is_exact(extra: int) -> None:
    body = ("x" * 999 + "\n") * 256
    assert len(body) == limits.MAX_TEXT
    assert read_message(raw(body + "x" * extra)).refused is bool(extra)


def test_html_over_its_limit_is_refused_alone_but_not_beside_a_text() -> None:
    page = part("<p>" + "x " * 130_000, "text/html")
    assert [h.name for h in read_message(multi(page)).hits] == ["html"]
    both = read_message(multi(part("A Vie H"), page, kind="alternative"))
    assert (both.text, both.hits) == ("A Vie H", ())
    blank = read_message(multi(part("\n"), page, kind="alternative"))
    assert blank.refused


def test_limits_of_text_and_html_hold_for_all_parts_together() -> None:
    assert not read_message(multi(*[part("x" * 80_000)] * 3)).refused
    assert [h.name for h in read_message(multi(*[part("x" * 90_000)] * 3)).hits] == ["text"]
    assert [h.name for h in read_message(multi(*[part("<p>" + "x" * 90_000, "text/html")] * 3)).hits] == [
        "html"
    ]


@pytest.mark.parametrize("extra", [0, 1])
def test_tag_limit_is_exact(extra: int) -> None:
    hits = read_message(raw("<p>" * 10_000 + "<b>\n</b>" * 10_000 + "<br>" * extra, "text/html")).hits
    assert [(h.name, h.limit, h.found) for h in hits] == [("html", 30_000, 30_001)] * extra


def test_big_picture_beyond_the_limit_does_not_hide_the_orders_before_it() -> None:
    picture = part(base64.encodebytes(bytes(900_000)), "image/png", "Content-Transfer-Encoding: base64\n")
    mail = read_message(multi(part("A Vie H"), picture))
    assert mail.text == "A Vie H"
    assert [(h.name, h.refused) for h in mail.hits] == [("message", False)]


def test_text_cut_by_the_limit_is_refused_whole() -> None:
    picture = part(base64.encodebytes(bytes(735_000)), "image/png", "Content-Transfer-Encoding: base64\n")
    mail = read_message(multi(picture, part("A Vie H\n" * 1000)))
    assert mail.text == ""
    assert [(h.name, h.refused) for h in mail.hits] == [("message", True)]


def test_attached_text_over_its_limit_is_named() -> None:
    mail = read_message(multi(part("A Vie H"), part("x\n" * 9_000 + "x" * 240_000, more=ATTACHED)))
    assert mail.text == "A Vie H"
    assert [(h.name, h.refused) for h in mail.hits] == [("attachment", False)]


@pytest.mark.parametrize(("depth", "refused"), [(10, False), (11, True)])
def test_depth_limit_is_exact(depth: int, refused: bool) -> None:
    data = part("A Vie H")
    for level in range(depth):
        data = multi(data, boundary=f"b{level}", head="")
    mail = read_message(HEAD.encode() + data)
    assert mail.refused is refused
    assert mail.text.strip() == ("" if refused else "A Vie H")


@pytest.mark.parametrize(("count", "refused"), [(98, False), (101, True)])
def test_part_limit(count: int, refused: bool) -> None:
    mail = read_message(multi(*[part("A Vie H")] * count))
    assert mail.refused is refused


def test_tables_of_dashes_are_no_parts() -> None:
    mail = read_message(multi(part("A Vie H\n" + "> x\n----------\n" * 400)))
    assert not mail.refused
    assert words_of(mail.text) == ["A Vie H"]


def test_every_limit_names_itself_in_words() -> None:
    for data in (b"X: y\n" * 20_000 + b"\n", raw("\n" * 30_000), raw("x" * 300_000)):
        for hit in read_message(data).hits:
            assert f"{hit.limit:,}" in hit.message
            assert hit.found > hit.limit
