"""Mail of a game on its way out, as its GM sees it; mails that were too big; threads and lists."""

from __future__ import annotations

import pytest
from sqlalchemy import select, update

from gm.app.work import read_mail
from gm.mail.sender import Sender
from gm.mail.slim import send_smaller
from gm.mail.transport import Memory, Verdict
from gm.store.mailtables import Outbound
from gm.store.tables import Address
from tests.world import GM, copy_of, started


def run_first(world, seats):
    for who in seats.values():
        world.reply(who, "NO ORDERS")
    return [m for m in world.tick(minutes=1) if m.kind == "report"]


def sender(world, answer):
    return Sender(world.store, Memory(answer), lambda: world.now, domain="play.example")


@pytest.mark.case(33)
def test_gm_sees_what_became_of_each_readers_mail(played, seats):
    def answer(parcel):
        bad = parcel.recipient == seats["italy"]
        return Verdict("never", "550 5.7.1 spam") if bad else Verdict("sent", "250 taken")

    sender(played, answer).drain()
    receipt = next(m for m in played.reply(GM, "DELIVERY") if m.kind == "receipt")
    assert f"to {seats['austria']}: 250 taken" in receipt.flat
    assert f"to {seats['italy']}: 550 5.7.1 spam" in receipt.flat
    assert "Only a GM" in played.reply(seats["italy"], "DELIVERY")[0].flat


@pytest.mark.case(46)
def test_addresses_are_masked_for_the_gm_of_an_anonymous_game(played, seats):
    played.reply(GM, "SET anonymous = on")
    sender(played, lambda p: Verdict("never", f"550 no such user {p.recipient}")).drain()
    receipt = next(m for m in played.reply(GM, "DELIVERY") if m.kind == "receipt")
    assert "550 no such user p***@c***" in receipt.flat
    for who in seats.values():
        assert who not in receipt.text
    assert "Player " not in receipt.text


@pytest.mark.case(33)
def test_gm_sends_a_player_his_report_again(played, seats):
    first = next(m for m in run_first(played, seats) if m.to == seats["italy"])
    mails = played.reply(GM, "RESEND TO Italy")
    (again,) = [m for m in mails if m.kind == "report"]
    assert again.to == seats["italy"]
    assert again.mail["Message-ID"] != first.mail["Message-ID"]


@pytest.mark.case(32)
def test_mail_that_the_breaker_holds_goes_when_the_gm_says_so(played):
    with played.store.write() as session:
        mine = update(Outbound).where(Outbound.game_id.is_not(None))
        session.execute(mine.values(status="held", held_why="breaker"))
    mails = played.reply(GM, "RELEASE MAIL")
    assert "mails are let go" in mails[-1].flat
    with played.store.read() as session:
        assert not session.scalars(select(Outbound).where(Outbound.status == "held")).all()
    assert "No mail of spring99 is held" in played.reply(GM, "RELEASE MAIL")[-1].flat


def test_report_that_was_too_big_comes_once_more_without_its_map(played, seats):
    played.with_office(pictures=True)
    reports = run_first(played, seats)
    assert all(b"image/png" in m.raw for m in reports)

    def answer(parcel):
        big = parcel.recipient == seats["italy"] and b"image/png" in parcel.raw
        return Verdict("never", "552 5.3.4 message too big") if big else Verdict("sent", "250 taken")

    out = sender(played, answer)
    out.drain()
    (smaller,) = played.tick(minutes=1)
    assert (smaller.to, smaller.kind) == (seats["italy"], "report")
    assert b"image/png" not in smaller.raw
    assert b"cid:" not in smaller.raw
    whole = next(m for m in reports if m.to == seats["italy"])
    assert smaller.text == whole.text
    assert smaller.reply_to == whole.reply_to
    assert smaller.mail["Message-ID"] != whole.mail["Message-ID"]
    out.drain()
    assert played.tick(hours=1) == [], "once only"


def test_report_that_comes_back_later_as_too_big_comes_once_more_without_its_map(played, seats):
    played.with_office(pictures=True)
    run_first(played, seats)
    sent = {}
    sender(played, lambda p: sent.setdefault(p.recipient, p.sender) and Verdict("sent", "250 taken")).drain()
    dsn = (
        "From: MAILER-DAEMON@mx.test\r\nSubject: Undelivered\r\nAuto-Submitted: auto-replied\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="B"\r\n\r\n'
        "--B\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.test\r\n\r\n"
        f"Final-Recipient: rfc822; {seats['italy']}\r\nAction: failed\r\nStatus: 5.0.0\r\n"
        "Diagnostic-Code: smtp; 552 5.3.4 Message size exceeds limit\r\n\r\n--B--\r\n"
    )
    with played.store.read() as session:
        row = session.scalars(
            select(Outbound).where(Outbound.recipient == seats["italy"], Outbound.kind == "report")
            .order_by(Outbound.id.desc()).limit(1)
        ).one()  # fmt: skip
    played.deliver(dsn.encode(), "", f"bounce+{row.verp}@play.example")
    mails = played.tick(minutes=1)
    assert mails == [], "the bounce is not read yet"
    read_mail(played.office)
    (smaller,) = played.tick(minutes=1)
    assert (smaller.to, smaller.kind) == (seats["italy"], "report")
    assert b"image/png" not in smaller.raw
    with played.store.read() as session:
        address = session.scalars(select(Address).where(Address.email == seats["italy"])).one()
    assert (address.state, address.soft_bounces) == ("active", 0)
    receipt = next(m for m in played.reply(GM, "DELIVERY") if m.kind == "receipt")
    assert "big, 5.0.0 552 5.3.4 Message size exceeds limit" in receipt.flat
    assert played.tick(hours=1) == [], "once only"


def test_looking_for_mails_too_big_makes_no_writer_wait(played, seats):
    run_first(played, seats)
    full = "552 5.2.2 mailbox full"
    sender(played, lambda p: Verdict("never", full if p.recipient == seats["italy"] else "552 big")).drain()
    key = played.office.vault.key("bounces")
    assert send_smaller(played.store, domain="play.example", key=key, now=played.now) == 0, (
        "no pictures in them"
    )
    with played.store.write():  # who writes inside it is refused
        assert send_smaller(played.store, domain="play.example", key=key, now=played.now) == 0


def test_full_mailbox_is_not_taken_for_a_mail_too_big(played, seats):
    played.with_office(pictures=True)
    run_first(played, seats)
    sender(played, lambda _p: Verdict("never", "552 5.2.2 mailbox full")).drain()
    assert played.tick(minutes=1) == []


@pytest.mark.case(36)
def test_results_of_a_phase_are_due_and_claimed_together(played, seats):
    sender(played, lambda _p: Verdict("sent", "250 ok")).drain()
    run_first(played, seats)
    with played.store.read() as session:
        rows = session.scalars(
            select(Outbound).where(Outbound.kind == "report", Outbound.status == "queued")
        ).all()
        assert len(rows) == 8
        assert len({row.next_try_at for row in rows}) == 1
        assert len({row.phase_id for row in rows}) == 1


@pytest.mark.case(38)
def test_mails_of_a_game_are_one_thread_and_one_list_in_peoples_mailers(tmp_path):
    world = copy_of(started(), tmp_path)
    seats = started().seats
    mails = world.reply(seats["austria"], "PRESS TO ALL: hello\nNO ORDERS") + world.reply(GM, "PAUSE\nRESUME")
    mails += run_first(world, seats)
    assert {m.kind for m in mails} == {"press", "receipt", "notice", "report"}
    for mail in mails:
        assert "<spring99.thread@play.example>" in mail.mail["References"]
        assert mail.mail["List-Id"] == "<spring99.play.example>"
        assert mail.mail["Auto-Submitted"] == ("auto-replied" if mail.kind == "receipt" else "auto-generated")
    world.store.close()
