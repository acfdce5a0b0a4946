"""The envelope of a mail that came without one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gm.mail.envelope import Envelope, read_envelope

OURS = {"play@play.test", "first@play.test"}


def read(*fields: str) -> Envelope:
    return read_envelope(
        "\r\n".join([*fields, "", "Delivered-To: first@play.test", ""]).encode(), OURS.__contains__
    )


@pytest.mark.parametrize(
    ("fields", "sender", "recipients"),
    [
        (["From: Ann <ann@x.test>", "To: play@play.test"], "ann@x.test", ("play@play.test",)),
        (["Return-Path: <bounce@x.test>", "From: ann@x.test"], "bounce@x.test", ()),
        (["Return-Path: <>", "From: mailer-daemon@x.test"], "", ()),
        (["From: not an address"], "", ()),
        (
            ["To: First <first@play.test>, other@x.test", "Cc: play@play.test, first@play.test"],
            "",
            ("first@play.test", "play@play.test"),
        ),
        (["Delivered-To: play@play.test", "To: first@play.test"], "", ("play@play.test",)),
        (
            ["Delivered-To: account@provider.test", "X-Original-To: play@play.test", "To: first@play.test"],
            "",
            ("play@play.test",),
        ),
        (["Envelope-To: <play@play.test>"], "", ("play@play.test",)),
        (["To: a@x )first@play.test"], "", ()),
    ],
)
def test_who_sent_it_and_to_whom(fields, sender, recipients):
    assert read(*fields) == Envelope(sender=sender, recipients=recipients)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300) | st.lists(st.sampled_from(
    [b"To: ", b"From: ", b"Return-Path: ", b"<", b">", b"@", b"\r\n", b" ", b"=?utf-8?q?=00?=", b"\xff", b",", b":"]
), max_size=40).map(b"".join))  # fmt: skip
def test_any_bytes_have_an_envelope(raw):
    assert isinstance(read_envelope(raw, lambda _: False), Envelope)
