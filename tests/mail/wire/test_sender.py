"""The outbox drained: leases, waiting times, bounces, floods. The relay is played; see test_relay for sockets."""

from __future__ import annotations

import os
import socket
import subprocess
import threading
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from sqlalchemy import select

from gm.mail import outbox
from gm.mail.sender import GIVE_UP, LEASE, Sender
from gm.mail.transport import Maildir, Memory, Parcel, Verdict
from gm.store.mailtables import Outbound
from gm.store.tables import Address, Audit, Game, PhaseRow, Player, ServerFact
from tests.mail.wire.wire import NOW

KEY = b"k" * 32
SENT = Verdict("sent", "250 ok")
LATER = Verdict("later", "450 4.2.0 busy")
NO_SUCH = Verdict("never", "550 5.1.1 no such user", bad_address=True)
FULL = Verdict("never", "552 5.2.2 mailbox full")
AWAY = Verdict("unavailable", "421 4.3.2 closing")


class Clock:
    """A clock that moves when told."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **time: float) -> None:
        self.now += timedelta(**time)


@pytest.fixture
def clock():
    return Clock()


def sender_of(store, transport, clock, **more) -> Sender:
    return Sender(store, transport, clock, domain="play.test", chance=lambda: 0.5, **more)


def queue(store, name: str, *, now=NOW, **more) -> bool:
    with store.write() as session:
        return outbox.enqueue(
            session,
            message_id=f"<{name}@play.test>",
            kind="report",
            recipient=more.pop("recipient", f"{name}@player.test"),
            raw=f"Message-ID: <{name}@play.test>\r\n\r\n{name}\r\n".encode(),
            now=now,
            key=KEY,
            **more,
        )


def rows(store) -> dict[str, Outbound]:
    with store.read() as session:
        return {row.message_id.split("@")[0][1:]: row for row in session.scalars(select(Outbound))}


def facts(store, kind):
    with store.read() as session:
        return list(session.scalars(select(kind)))


def game(store, slug: str = "first") -> tuple[int, int]:
    with store.write() as session:
        row = Game(
            slug=slug, title="First", ruleset="diplomacy", rules_version="1", options={}, settings={},
            seed=b"s" * 32, created_at=NOW,
        )  # fmt: skip
        session.add(row)
        session.flush()
        phase = PhaseRow(
            game_id=row.id, ordinal=1, name="S1901M", title="Spring", kind="movement", state={}, opened_at=NOW
        )
        session.add(phase)
        session.flush()
        return row.id, phase.id


def by_recipient(**verdicts: Verdict) -> Callable[[Parcel], Verdict]:
    return lambda parcel: verdicts.get(parcel.recipient.split("@")[0], SENT)


def test_a_mail_is_sent_once_from_its_own_bounce_address(store, clock):
    queue(store, "ann")
    relay = Memory()
    sender = sender_of(store, relay, clock)
    assert (sender.drain(), sender.drain()) == (1, 0)
    (parcel,) = relay.sent
    assert (parcel.recipient, parcel.message_id) == ("ann@player.test", "<ann@play.test>")
    row = rows(store)["ann"]
    assert (row.status, row.sent_at, row.reply, row.attempts, row.lease_until) == (
        "sent",
        NOW,
        "250 kept",
        1,
        None,
    )
    assert outbox.read_bounce_address(KEY, parcel.sender) == row.verp
    assert outbox.read_bounce_address(KEY, parcel.sender.upper()) == row.verp


def test_bounce_addresses_cannot_be_made_up(store):
    queue(store, "ann")
    verp = rows(store)["ann"].verp
    forged = ("b" if verp[0] != "b" else "c") + verp[1:]
    assert outbox.read_bounce_address(KEY, f"bounce+{forged}@play.test") is None
    assert outbox.read_bounce_address(b"other" * 8, f"bounce+{verp}@play.test") is None
    assert outbox.read_bounce_address(KEY, f"play+{verp}@play.test") is None


def test_the_same_message_id_is_queued_once(store):
    assert (queue(store, "ann"), queue(store, "ann")) == (True, False)
    assert len(rows(store)) == 1


@pytest.mark.case(34)
def test_one_recipients_failure_holds_nobody_else(store, clock):
    names = ["ann", "bob", "cyd", "dan", "eve", "fay", "gus"]
    for name in names:
        queue(store, name)
    relay = Memory(by_recipient(bob=LATER, eve=NO_SUCH))
    assert sender_of(store, relay, clock).drain() == 5
    assert [rows(store)[name].status for name in names] == [
        "sent", "queued", "sent", "sent", "failed", "sent", "sent",
    ]  # fmt: skip


def test_waiting_times_grow_to_four_hours_and_end_after_five_days(store, clock):
    queue(store, "ann")
    sender = sender_of(store, Memory(by_recipient(ann=LATER)), clock)
    waits = []
    while (row := rows(store).get("ann")) and row.status == "queued":
        clock.now = row.next_try_at
        sender.drain()
        waits.append((rows(store)["ann"].next_try_at - clock.now).total_seconds() / 60)
    assert waits[:10] == [1, 2, 4, 8, 16, 32, 64, 128, 240, 240]
    assert (row.status, row.reply) == ("failed", LATER.reply)
    assert GIVE_UP <= clock.now - NOW < GIVE_UP + timedelta(hours=4)


def test_jitter_spreads_the_next_try_by_a_quarter(store, clock):
    for chance, seconds in ((0.0, 45), (1.0, 75)):
        name = f"c{seconds}"
        queue(store, name)
        Sender(store, Memory(lambda _: LATER), clock, domain="play.test", chance=lambda c=chance: c).drain()
        assert rows(store)[name].next_try_at == NOW + timedelta(seconds=seconds)


@pytest.mark.case(35)
def test_a_relay_that_goes_away_mid_batch_costs_no_mail_an_attempt(store, clock):
    for name in ("ann", "bob", "cyd"):
        queue(store, name)
    relay = Memory(by_recipient(bob=AWAY))
    sender = sender_of(store, relay, clock)
    assert sender.drain() == 1
    assert [(r.status, r.attempts) for r in rows(store).values()] == [
        ("sent", 1),
        ("queued", 0),
        ("queued", 0),
    ]
    (fact,) = facts(store, ServerFact)
    assert (fact.name, fact.value["ok"], fact.value["reply"]) == ("relay", False, AWAY.reply)
    queue(store, "new")
    assert sender.drain() == 0, "not even new mail is tried before the wait is over"
    relay.answer = by_recipient()
    clock.forward(seconds=15)
    assert sender.drain() == 3
    assert facts(store, ServerFact)[0].value["ok"] is True


def test_waits_for_the_relay_double_up_to_five_minutes(store, clock):
    queue(store, "ann")
    sender = sender_of(store, Memory(lambda _: AWAY), clock)
    waits = []
    for _ in range(7):
        sender.drain()
        again = rows(store)["ann"].next_try_at
        waits.append((again - clock.now).total_seconds())
        clock.now = again
    assert waits == [15, 30, 60, 120, 240, 300, 300]
    assert rows(store)["ann"].attempts == 0


def test_mail_leased_by_a_sender_that_died_is_sent_when_the_lease_is_over(store, clock):
    queue(store, "ann")
    sender_of(store, Memory(), clock)._claim()
    relay = Memory()
    other = sender_of(store, relay, clock)
    assert other.drain() == 0
    clock.now = NOW + LEASE
    assert other.drain() == 1
    assert rows(store)["ann"].attempts == 2


def test_a_restarted_sender_takes_back_what_its_dead_forerunner_had_leased(store, clock):
    for name in ("dead", "alive", "elsewhere"):
        queue(store, name)
    sender_of(store, Memory(), clock)._claim()
    host = socket.gethostname()[:64]
    gone = subprocess.Popen(["true"])
    gone.wait()
    owners = {
        "dead": f"{host}:{gone.pid}",
        "alive": f"{host}:{os.getppid()}",
        "elsewhere": f"other:{gone.pid}",
    }
    with store.write() as session:
        for name, owner in owners.items():
            row = session.scalars(select(Outbound).where(Outbound.message_id == f"<{name}@play.test>")).one()
            row.leased_by = owner
    relay = Memory()
    restarted = sender_of(store, relay, clock)
    assert restarted.recover() == 1
    restarted.drain()
    assert [parcel.message_id for parcel in relay.sent] == ["<dead@play.test>"]


def test_a_sender_whose_lease_ran_out_does_not_write_over_the_next_one(store, clock):
    queue(store, "ann")
    late = sender_of(store, Memory(), clock)
    (claim,), lease = late._claim()
    clock.now = NOW + LEASE
    sender_of(store, Memory(), clock).drain()
    late._note(claim, LATER, lease)
    assert rows(store)["ann"].status == "sent"


def test_a_slow_relay_does_not_outlive_the_lease(store, clock):
    for name in ("ann", "bob", "cyd"):
        queue(store, name)

    def slow(_: Parcel) -> Verdict:
        clock.forward(minutes=6)
        return SENT

    sent_by_one_claim = sender_of(store, Memory(slow), clock)
    batch, lease = sent_by_one_claim._claim()
    assert sent_by_one_claim._send(batch, lease) == 1
    assert [(r.status, r.attempts) for r in rows(store).values()] == [
        ("sent", 1),
        ("queued", 0),
        ("queued", 0),
    ]


def test_two_senders_at_once_send_each_mail_once(store, clock):
    for n in range(40):
        queue(store, f"p{n}")
    relays = [Memory(), Memory()]
    threads = [threading.Thread(target=sender_of(store, relay, clock).drain) for relay in relays]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sent = [parcel.message_id for relay in relays for parcel in relay.sent]
    assert sorted(sent) == sorted(f"<p{n}@play.test>" for n in range(40))


def test_a_clock_that_was_a_year_ahead_holds_no_mail(store, clock):
    queue(store, "ann", now=NOW + timedelta(days=365))
    clock.now = NOW
    assert sender_of(store, Memory(), clock).drain() == 1


def test_mails_of_one_phase_are_claimed_together_even_over_the_batch_size(store, clock):
    game_id, phase_id = game(store)
    for n in range(45):
        queue(store, f"other{n}")
    for n in range(7):
        queue(store, f"power{n}", game_id=game_id, phase_id=phase_id)
    batch, _ = sender_of(store, Memory(), clock)._claim()
    assert len(batch) == 52


@pytest.mark.case(32)
def test_a_flood_of_one_game_is_held_and_on_record_until_it_is_let_go(store, clock):
    game_id, _ = game(store)
    quiet, _ = game(store, "quiet")
    relay = Memory()
    sender = sender_of(store, relay, clock, mails_per_game_hour=10)
    for n in range(11):
        queue(store, f"flood{n}", game_id=game_id)
    queue(store, "calm", game_id=quiet)
    assert sender.drain() == 1
    queue(store, "flood11", game_id=game_id)
    assert sender.drain() == 0
    (audit,) = facts(store, Audit)
    assert (audit.game_id, audit.action, audit.detail) == (
        game_id, "mail.held", {"made": 11, "held": 11, "limit": 10},
    )  # fmt: skip
    with store.write() as session:
        assert outbox.release_game(session, game_id, NOW) == 12
    assert sender.drain() == 12


def test_an_hour_later_a_game_may_write_again(store, clock):
    game_id, _ = game(store)
    for n in range(11):
        queue(store, f"flood{n}", game_id=game_id)
    sender = sender_of(store, Memory(), clock, mails_per_game_hour=10)
    sender.drain()
    clock.forward(hours=1)
    queue(store, "new", game_id=game_id, now=clock.now)
    assert sender.drain() == 1


def test_a_refused_address_is_suspended_and_its_mail_goes_to_the_next_one(store, clock):
    with store.write() as session:
        player = Player(name="Ann", created_at=NOW)
        session.add(player)
        session.flush()
        for rank, email in enumerate(("ann@player.test", "ann2@player.test")):
            session.add(Address(player_id=player.id, email=email, rank=rank, created_at=NOW))
    queue(store, "first", recipient="ann@player.test")
    queue(store, "second", recipient="ann@player.test")
    relay = Memory(by_recipient(ann=NO_SUCH))
    sender = sender_of(store, relay, clock)
    sender.drain()
    clock.forward(minutes=1)
    sender.drain()
    assert {a.email: a.state for a in facts(store, Address)} == {
        "ann@player.test": "suspended",
        "ann2@player.test": "active",
    }
    assert (rows(store)["first"].status, rows(store)["second"].status) == ("failed", "failed")
    queue(store, "third", recipient="ann@player.test")
    assert (rows(store)["third"].status, rows(store)["third"].held_why) == ("held", "suspended")


def test_a_full_mailbox_counts_softly(store, clock):
    with store.write() as session:
        player = Player(name="Ann", created_at=NOW)
        session.add(player)
        session.flush()
        session.add(Address(player_id=player.id, email="ann@player.test", created_at=NOW))
    queue(store, "ann")
    sender_of(store, Memory(by_recipient(ann=FULL)), clock).drain()
    (address,) = facts(store, Address)
    assert (address.state, address.soft_bounces, address.bounced_at) == ("active", 1, NOW)


def test_a_failure_nobody_foresaw_does_not_end_the_sender(one_store, clock):
    queue(one_store, "ann")
    stop, wake = threading.Event(), threading.Event()
    calls: list[int] = []

    def broken_first(_: Parcel) -> Verdict:
        calls.append(1)
        if len(calls) == 1:
            clock.forward(hours=1)
            wake.set()
            raise RuntimeError("a bug")
        stop.set()
        wake.set()
        return SENT

    relay = Memory(broken_first)
    thread = threading.Thread(target=sender_of(one_store, relay, clock).run, args=(stop, wake))
    thread.start()
    thread.join(20)
    assert rows(one_store)["ann"].status == "sent"


def test_a_maildir_has_each_mail_once_however_often_it_is_sent(tmp_path):
    box = Maildir(tmp_path / "out")
    parcel = Parcel(
        message_id="<1@x>", sender="bounce+1@x", recipient="ann@y", raw=b"Subject: hi\r\n\r\ntext\r\n"
    )
    assert box.send(parcel).outcome == "sent"
    assert box.send(parcel).reply == "was there already"
    (file,) = (tmp_path / "out/new").iterdir()
    assert file.read_bytes() == b"Return-Path: <bounce+1@x>\nDelivered-To: ann@y\nSubject: hi\n\ntext\n"
    file.rename(tmp_path / "out/cur" / f"{file.name}:2,S")
    assert box.send(parcel).reply == "was there already"
    assert list((tmp_path / "out/tmp").iterdir()) == []


def test_a_maildir_that_cannot_be_written_is_an_absent_relay(tmp_path):
    (tmp_path / "out").write_text("a file where the folder should be")
    verdict = Maildir(tmp_path / "out").send(Parcel(message_id="<1@x>", sender="a", recipient="b", raw=b""))
    assert verdict.outcome == "unavailable"
