"""Reading is total: any bytes, and every damaged real mail, give a result whose parts keep their promises."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.mail.addresses import canonical_address
from gm.mail.authres import sender_proof
from gm.mail.automatic import looks_out_of_office, why_not_answer
from gm.mail.message import InboundMail, read_message
from gm.mail.plain import plain
from tests.mail.samples import HEAD, multi, part, raw
from tests.mail.test_clients import HTML, PLAIN

SEEDS = [
    *(raw(text) for text in PLAIN.values()),
    *(raw(page, "text/html; charset=utf-8", encoding="quoted-printable") for page in HTML.values()),
    raw(PLAIN["german letter"], "text/plain; charset=utf-8; format=flowed; delsp=yes", encoding="base64"),
    multi(
        multi(part("A Vie H"), part("<p>A Vie H", "text/html"), kind="alternative", boundary="in", head=""),
        part(
            "A",
            'text/plain; name="=?utf-8?q?o?="',
            "Content-Disposition: attachment; filename*=utf-8''a%20b.txt\n",
        ),
        part("From: x\n\nA", "message/rfc822"),
        head=HEAD
        + "References: <a@b> <c@d>\nAuthentication-Results: mx; dkim=pass header.d=x\nList-Id: <x>\n",
    ),
]
TOKENS = [
    *(
        b"\n",
        b"\r",
        b"\n\n",
        b"\0",
        b"=",
        b"--=_b1",
        b"--=_b1--",
        b"\xff\xfe",
        b"\xc3",
        b";",
        b'"',
        b"<",
        b">",
    ),
    *(b"=?utf-8?q?", b"?=", b"Content-Type: ", b"multipart/mixed; boundary=", b"message/rfc822", b"charset="),
    *(
        b"-- \n",
        b"> ",
        b"begin 644 x\n",
        b"\nend\n",
        b"PRESS TO ALL\n",
        b"\nENDPRESS\n",
        b"[gm-reply-mark] ##",
    ),
    *(
        b"<!--",
        b"</",
        b"&#",
        b"<br>",
        b"-----BEGIN PGP SIGNED MESSAGE-----\n",
        b" wrote:\n",
        b"From: ",
        b"\x1b[",
    ),
    *(b"base64", b"\xe2\x80\xae", b"\xcc\x81" * 9),
]


def texts(value: object) -> Iterator[str]:
    """All strings in a value made of dataclasses and sequences."""
    if isinstance(value, str):
        yield value
    elif is_dataclass(value):
        for f in fields(value):
            yield from texts(getattr(value, f.name))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from texts(item)


def check(mail: InboundMail) -> None:
    """The promises of `InboundMail`, and that all who read one are as total."""
    assert plain(mail.text) == mail.text
    assert not mail.refused or mail.text == ""
    assert "\n" not in mail.subject
    assert len(mail.subject) <= 200
    assert mail.message_id is None or (mail.message_id.isascii() and len(mail.message_id) <= 250)
    for box in (*mail.senders, *mail.reply_to, *mail.to):
        assert canonical_address(box.address) == box.address
        assert "\n" not in box.name
    for attachment in mail.attachments:
        assert attachment.name
        assert "/" not in attachment.name or attachment.name == attachment.content_type
        assert attachment.text is None or plain(attachment.text) == attachment.text
    assert all(len(line) <= 5_000 for line in mail.text.split("\n")) or mail.notes
    for text in texts([getattr(mail, f.name) for f in fields(mail) if f.name != "fields"]):
        text.encode("utf-8")
    why_not_answer(mail, "a@b.example", ("gm.example",))
    looks_out_of_office(mail)


@given(st.binary(max_size=600))
def test_any_bytes_are_read(data: bytes) -> None:
    check(read_message(data))
    sender_proof(data, "mx")


@given(st.binary(max_size=300))
def test_any_body_below_a_good_header_is_read(data: bytes) -> None:
    check(read_message(HEAD.encode() + b"Content-Type: text/html\n\n" + data))
    check(read_message(HEAD.encode() + b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" + data))


def mutate(data: bytes, dice: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(dice.randint(1, 8)):
        at = dice.randrange(len(changed) + 1)
        match dice.randrange(5):
            case 0:
                changed[at : at + 1] = bytes([dice.randrange(256)])
            case 1:
                changed[at:at] = dice.choice(TOKENS)
            case 2:
                del changed[at : at + dice.randint(1, 60)]
            case 3:
                end = at + dice.randint(1, 200)
                changed[at:at] = changed[at:end]
            case _:
                other = dice.choice(SEEDS)
                start = dice.randrange(len(other))
                changed[at : at + 100] = other[start : start + dice.randint(1, 300)]
    return bytes(changed)


def run(seed: int, count: int) -> None:
    dice = random.Random(seed)
    for _ in range(count):
        data = mutate(dice.choice(SEEDS), dice)
        mail = read_message(data)
        check(mail)
        assert read_message(data) == mail


def test_damaged_real_mails_are_read() -> None:
    run(1, 400)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 8))
def test_many_damaged_real_mails_are_read(seed: int) -> None:
    run(seed, 4_000)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["Received", "Authentication-Results", "DKIM-Signature"]), st.text(max_size=80)
        )
    )
)
def test_results_of_any_shape_are_read(pairs: list[tuple[str, str]]) -> None:
    data = "".join(f"{name}: mx; {' '.join(value.split())}\n" for name, value in pairs).encode(
        "utf-8", "replace"
    )
    sender_proof(data + b"\n", "mx")
