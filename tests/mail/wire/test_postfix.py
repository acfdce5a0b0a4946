"""The whole way with a real Postfix and a real Dovecot."""

from __future__ import annotations

import smtplib

import pytest
from imapclient import IMAPClient
from sqlalchemy import select

from gm.mail import bounces, outbox
from gm.mail.relay import SmtpRelay
from gm.mail.sender import Sender
from gm.settings import Relay
from gm.store.mailtables import Inbound, Outbound
from gm.store.tables import Address, Player
from tests.mail.wire.sink import sinking
from tests.mail.wire.wire import NOW, inbox, listening, mail
from tests.peers import wait_for

pytestmark = [pytest.mark.peer("postfix"), pytest.mark.peer("dovecot"), pytest.mark.timeout(90)]
KEY = b"k" * 32


def enqueue(store, name: str, recipient: str) -> None:
    with store.write() as session:
        raw = mail(
            f"report for {name}\n", message_id=f"<{name}@play.test>", To=recipient, From="gm@play.test"
        )
        outbox.enqueue(
            session, message_id=f"<{name}@play.test>", kind="report", recipient=recipient, raw=raw, now=NOW,
            key=KEY,
        )  # fmt: skip


def drain(store, postfix) -> int:
    relay = SmtpRelay(Relay(host="127.0.0.1", port=postfix.port), "play.test")
    return Sender(store, relay, lambda: NOW, domain="play.test").drain()


def test_a_players_mail_is_kept_by_postfix_through_a_451_and_then_taken_once(store, postfix):
    with listening(store, smtp_port=postfix.us) as doors:
        doors.listener.spool._store = None  # every try to store fails
        with smtplib.SMTP("127.0.0.1", postfix.port) as client:
            client.sendmail("ann@player.test", ["play+x@play.test"], mail())
        wait_for(lambda: "451 4.3.0 Temporary failure" in postfix.log(), what="a deferred mail")
        doors.listener.spool._store = store
        wait_for(lambda: (postfix.flush(), inbox(store))[1], seconds=40, what="the second try")
    (row,) = inbox(store)
    assert (row.recipient, row.envelope_from, row.via) == ("play+x@play.test", "ann@player.test", "smtp")
    assert row.raw.endswith(b"\r\n\r\nA Vie - Gal\r\n\r\n") or row.raw.endswith(b"\r\n\r\nA Vie - Gal\r\n")


def test_an_unknown_recipient_is_told_to_the_sender_by_his_own_mta(one_store, postfix):
    with (
        listening(one_store, smtp_port=postfix.us, known=lambda _: False),
        smtplib.SMTP("127.0.0.1", postfix.port) as client,
    ):
        client.sendmail("lost@player.test", ["guess@play.test"], mail())
        wait_for(lambda: "status=bounced" in postfix.log() and "550 5.1.1 No such" in postfix.log())
    assert inbox(one_store) == []


def test_a_report_reaches_the_players_mailbox_with_its_message_id(store, postfix, dovecot):
    player = f"reader-{store.url.get_backend_name()}"
    enqueue(store, "report1", f"{player}@player.test")
    assert drain(store, postfix) == 1

    def fetched():
        with IMAPClient("127.0.0.1", dovecot.imap_port, ssl=False) as client:
            client.login(player, "secret")
            client.select_folder("INBOX")
            return client.fetch(client.search(), ["BODY[]"])

    (got,) = wait_for(fetched, what="delivery").values()
    raw = got[b"BODY[]"]
    assert b"Message-ID: <report1@play.test>\r\n" in raw
    assert raw.startswith(b"Return-Path: <bounce+")
    assert b"\r\n\r\nreport for report1\r\n" in raw


@pytest.mark.case(37)
def test_postfix_own_bounce_finds_the_mail_and_suspends_the_address(store, postfix):
    with store.write() as session:
        player = Player(name="Ann", created_at=NOW)
        session.add(player)
        session.flush()
        session.add(Address(player_id=player.id, email="ann@bounce.test", created_at=NOW))
    enqueue(store, "lost", "ann@bounce.test")
    with (
        sinking(port=postfix.sink, answers={"END": lambda _: "550 5.1.1 no such user"}),
        listening(store, smtp_port=postfix.us),
    ):
        assert drain(store, postfix) == 1
        (row,) = wait_for(lambda: inbox(store), seconds=40, what="the bounce")
    assert row.envelope_from == ""
    with store.write() as session:
        bounce = bounces.read_bounce(session, session.get_one(Inbound, row.id), KEY, NOW)
        assert (bounce.email, bounce.kind, bounce.suspended) == ("ann@bounce.test", "hard", True)
    with store.read() as session:
        assert session.scalars(select(Outbound.status)).one() == "bounced"
        assert session.scalars(select(Address.state)).one() == "suspended"


@pytest.mark.case(34)
def test_one_recipient_that_postfix_refuses_stops_no_other(one_store, postfix):
    for name in ("one", "two", "three"):
        enqueue(one_store, name, f"{name}@player.test" if name != "two" else "two@[bad")
    assert drain(one_store, postfix) == 2
    with one_store.read() as session:
        assert session.scalars(select(Outbound.status).order_by(Outbound.id)).all() == [
            "sent",
            "failed",
            "sent",
        ]
