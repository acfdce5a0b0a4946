"""Which bounces are believed, and what they do to an address."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from gm.mail import bounces, outbox
from gm.store.mailtables import Inbound, Outbound
from gm.store.tables import Address, Audit, Game, Player, Seat
from tests.mail.wire.wire import NOW

KEY = b"k" * 32
ANN = "ann@player.test"


def dsn(
    action: str = "failed",
    status: str = "5.1.1",
    *,
    about: str = ANN,
    message_id: str = "<ann@play.test>",
    words: str = "smtp; 550 it said so",
) -> bytes:
    """A report as Postfix writes it."""
    return f"""\
From: MAILER-DAEMON@mx.test (Mail Delivery System)
To: bounce@play.test
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="B"

--B
Content-Type: text/plain

I'm sorry to have to inform you that your message could not be delivered.

--B
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.test

Final-Recipient: rfc822; {about}
Action: {action}
Status: {status}
Diagnostic-Code: {words}

--B
Content-Type: text/rfc822-headers

From: gm@play.test
Message-ID: {message_id}
Subject: your report

--B--
""".replace("\n", "\r\n").encode()


QMAIL = b"""\
From: MAILER-DAEMON@mx.test\r
Subject: failure notice\r
\r
Hi. This is the qmail-send program at mx.test.\r
I'm afraid I wasn't able to deliver your message to the following addresses.\r
This is a permanent error; I've given up. Sorry it didn't work out.\r
\r
<ann@player.test>:\r
Sorry, no mailbox here by that name. (#5.1.1)\r
\r
--- Below this line is a copy of the message.\r
\r
Subject: hi\r
"""

VACATION = b"""\
From: ann@player.test\r
Subject: Out of office: your report\r
Auto-Submitted: auto-replied\r
\r
I am on vacation until Monday.\r
"""


@pytest.fixture
def sent(store):
    """A mail that went to Ann, who plays in one game and has a second address."""
    with store.write() as session:
        player = Player(name="Ann", created_at=NOW)
        game = Game(
            slug="first", title="First", ruleset="diplomacy", rules_version="1", options={}, settings={},
            seed=b"s" * 32, created_at=NOW,
        )  # fmt: skip
        session.add_all([player, game])
        session.flush()
        session.add(Seat(game_id=game.id, power="france", player_id=player.id, joined_at=NOW))
        session.add(Address(player_id=player.id, email=ANN, created_at=NOW))
        enqueue(session, "ann", ANN)
    return store


def enqueue(session, name: str, recipient: str) -> Outbound:
    assert outbox.enqueue(
        session,
        message_id=f"<{name}@play.test>",
        kind="report",
        recipient=recipient,
        raw=b"",
        now=NOW,
        key=KEY,
    )
    return session.scalars(select(Outbound).where(Outbound.message_id == f"<{name}@play.test>")).one()


def verp(store, name: str = "ann") -> str:
    with store.read() as session:
        word = session.scalars(
            select(Outbound.verp).where(Outbound.message_id == f"<{name}@play.test>")
        ).one()
    return outbox.bounce_address(word, "play.test")


def report(store, raw: bytes, recipient: str):
    with store.write() as session:
        mail = Inbound(
            identity="x", raw=raw, sha256="", envelope_from="", recipient=recipient, peer="", via="smtp",
            received_at=NOW,
        )  # fmt: skip
        return bounces.read_bounce(session, mail, KEY, NOW)


def state(store, email: str = ANN) -> tuple[str, int]:
    with store.read() as session:
        address = session.scalars(select(Address).where(Address.email == email)).one()
        return address.state, address.soft_bounces


@pytest.mark.case(37)
def test_a_hard_bounce_suspends_at_once_and_the_gm_finds_it_on_record(sent):
    bounce = report(sent, dsn(), verp(sent))
    assert (bounce.email, bounce.kind, bounce.suspended) == (ANN, "hard", True)
    assert state(sent)[0] == "suspended"
    with sent.read() as session:
        assert session.scalars(select(Outbound.status)).all() == ["bounced"]
        (audit,) = session.scalars(select(Audit))
    assert (audit.game_id, audit.action, audit.detail["reachable"]) == (1, "address.suspended", False)
    assert "ann" not in str(audit.detail), "a GM's log has no addresses"


def test_four_soft_bounces_are_borne_and_the_fifth_suspends(sent):
    for n in range(5):
        assert state(sent) == ("active", n)
        report(sent, dsn(status="5.2.2"), verp(sent))
    assert state(sent) == ("suspended", 5)


def test_a_good_mail_forgets_the_bounces(sent):
    for _ in range(4):
        report(sent, dsn(status="4.4.1"), verp(sent))
    with sent.write() as session:
        assert bounces.good_mail(session, "Ann@Player.test", NOW) is False
    assert state(sent) == ("active", 0)
    report(sent, dsn(status="4.4.1"), verp(sent))
    assert state(sent) == ("active", 1)


def test_a_good_mail_from_a_suspended_address_lets_its_held_mail_go(sent):
    report(sent, dsn(), verp(sent))
    with sent.write() as session:
        assert enqueue(session, "next", ANN).status == "held"
    with sent.write() as session:
        assert bounces.good_mail(session, ANN, NOW) is True
    with sent.read() as session:
        row = session.scalars(select(Outbound).where(Outbound.message_id == "<next@play.test>")).one()
        assert (row.status, row.held_why) == ("queued", None)
    assert state(sent) == ("active", 0)


@pytest.mark.case(37)
def test_what_waits_goes_to_the_players_second_address(sent):
    with sent.write() as session:
        session.add(Address(player_id=1, email="ann2@player.test", rank=1, created_at=NOW))
        enqueue(session, "waiting", ANN)
    report(sent, dsn(), verp(sent))
    with sent.read() as session:
        row = session.scalars(select(Outbound).where(Outbound.message_id == "<waiting@play.test>")).one()
        assert (row.recipient, row.status) == ("ann2@player.test", "queued")
        assert session.scalars(select(Audit)).one().detail["reachable"] is True


def test_a_forged_bounce_address_changes_nothing(sent):
    good = verp(sent)
    forged = good[:10] + ("b" if good[10] != "b" else "c") + good[11:]
    assert report(sent, dsn(message_id="<other@play.test>"), forged) is None
    assert state(sent) == ("active", 0)


def test_a_report_to_another_address_counts_softly_and_only_if_it_quotes_our_mail(sent):
    assert report(sent, dsn(message_id="<made-up@play.test>"), "first@play.test") is None
    assert report(sent, dsn(about="bob@player.test"), "first@play.test") is None
    assert state(sent) == ("active", 0)
    bounce = report(sent, dsn(), "first@play.test")
    assert (bounce.kind, state(sent)) == ("soft", ("active", 1))


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (dsn("failed", "5.1.1"), "hard"),
        (dsn("failed", "5.1.10"), "hard"),
        (dsn("failed", "5.2.1"), "hard"),
        (dsn("failed", "5.2.2"), "soft"),
        (dsn("failed", "5.7.1"), "soft"),
        (dsn("failed", "4.4.7"), "soft"),
        (dsn("delayed", "4.4.1"), "none"),
        (dsn("delivered", "2.0.0"), "none"),
        (dsn("failed", "5.3.4"), "big"),
        (dsn("failed", "5.2.3"), "big"),
        (dsn("failed", "5.0.0", words="smtp; 552 Message exceeds\n\tmaximum size"), "big"),
        (dsn("failed", "5.2.0", words="smtp;\n\t552-5.3.4 too big\n\t552 for us"), "big"),
        (dsn("failed", "4.4.7", words="smtp; 552 too much mail data"), "big"),
        (dsn("failed", "5.0.0", words="smtp; 552 5.2.2 mailbox full"), "soft"),
        (dsn("failed", "5.1.1", words="smtp; 552 no such user"), "hard"),
        (dsn("failed", "5.0.0").replace(b"your report", b"5.3.4\r\nDiagnostic-Code: smtp; 552"), "soft"),
        (dsn("delayed", "4.3.4"), "none"),
        (QMAIL, "hard"),
        (QMAIL.replace(b"Sorry, no mailbox here by that name. (#5.1.1)", b"Too big. (#5.3.4)"), "big"),
        (QMAIL.replace(b"Sorry, no", b"Remote host said: 552 too big\r\nSorry, no"), "big"),
        (VACATION, "none"),
        (b"", "none"),
        (b"From: x\r\n\r\nthank you", "none"),
        (b"Content-Type: multipart/mixed; boundary=x\r\n\r\n" + b"--x\r\n" * 20_000, "none"),
    ],
)
def test_what_a_report_says(raw, kind):
    assert bounces.said(raw)[0] == kind


def test_a_mail_too_big_says_nothing_of_the_address_and_keeps_the_servers_words(sent):
    for _ in range(6):
        bounce = report(sent, dsn(status="5.3.4", words="smtp; 552 5.3.4 Message\n\ttoo big"), verp(sent))
        assert (bounce.kind, bounce.suspended) == ("big", False)
    assert state(sent) == ("active", 0)
    with sent.read() as session:
        row = session.scalars(select(Outbound)).one()
        assert not session.scalars(select(Audit)).all()
    assert (row.status, row.reply) == (
        "bounced",
        f"bounce of {NOW:%Y-%m-%d}: big, 5.3.4 552 5.3.4 Message too big",
    )


def test_a_vacation_note_to_the_bounce_address_is_no_bounce(sent):
    bounce = report(sent, VACATION, verp(sent))
    assert (bounce.kind, state(sent)) == ("none", ("active", 0))


def test_more_bounces_of_a_suspended_address_are_quiet(sent):
    report(sent, dsn(), verp(sent))
    assert report(sent, dsn(), verp(sent)).suspended is False
    with sent.read() as session:
        assert len(session.scalars(select(Audit)).all()) == 1
