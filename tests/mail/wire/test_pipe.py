"""`gm mail receive`: exit codes that an MTA understands."""

from __future__ import annotations

import io

import pytest

from gm.mail.pipe import Door, receive
from gm.store.db import open_store
from tests.mail.wire.wire import NOW, inbox, mail

KNOWN = {"play@play.test", "first@play.test"}


def run(store, raw: bytes, *, environ=None, url=None, **more) -> int:
    def open_door() -> Door:
        return Door(
            store=open_store(url or store.url),
            known=KNOWN.__contains__,
            clock=lambda: NOW,
            message_bytes=10_000,
        )

    return receive(open_door, io.BytesIO(raw), environ=environ or {}, **more)


def test_a_mail_is_stored_before_0(store):
    assert run(store, mail(), sender="ann@player.test", recipients=["first@play.test"]) == 0
    (row,) = inbox(store)
    assert (row.raw, row.via, row.envelope_from, row.recipient) == (
        mail(),
        "pipe",
        "ann@player.test",
        "first@play.test",
    )


@pytest.mark.parametrize(
    ("environ", "sender", "recipient"),
    [
        ({"SENDER": "env@x.test", "RECIPIENT": "first@play.test"}, "env@x.test", "first@play.test"),
        ({"RECIPIENT": "x@y", "ORIGINAL_RECIPIENT": "first@play.test"}, "ann@player.test", "first@play.test"),
        ({"SENDER": ""}, "", "play@play.test"),
        ({}, "ann@player.test", "play@play.test"),
    ],
)
def test_the_envelope_comes_from_postfix_variables_else_from_the_header(
    one_store, environ, sender, recipient
):
    assert run(one_store, mail(), environ=environ) == 0
    (row,) = inbox(one_store)
    assert (row.envelope_from, row.recipient) == (sender, recipient)


def test_headers_written_on_delivery_win_over_to(one_store):
    assert run(one_store, b"Return-Path: <>\r\nDelivered-To: first@play.test\r\n" + mail()) == 0
    (row,) = inbox(one_store)
    assert (row.envelope_from, row.recipient) == ("", "first@play.test")


def test_a_mailbox_line_before_the_header_is_not_part_of_the_mail(one_store):
    assert run(one_store, b"From ann@player.test Fri Dec  4 20:00:00 2026\n" + mail()) == 0
    assert inbox(one_store)[0].raw == mail()


def test_an_unknown_recipient_is_67(one_store):
    assert run(one_store, mail(To="who@play.test")) == 67
    assert run(one_store, mail(), recipients=["who@play.test"]) == 67
    assert inbox(one_store) == []


def test_a_mail_over_the_limit_is_65(one_store):
    assert run(one_store, mail("x" * 10_000)) == 65


def test_a_store_that_cannot_be_opened_or_written_is_75(one_store, tmp_path):
    assert run(one_store, mail(), url="mysql://nowhere") == 75
    assert run(one_store, mail(), url=f"sqlite:///{tmp_path}/empty.db") == 75


def test_twice_the_same_is_0_and_one_row(one_store):
    assert [run(one_store, mail()), run(one_store, mail())] == [0, 0]
    assert len(inbox(one_store)) == 1
