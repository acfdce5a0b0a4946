"""A mail is stored before it is acknowledged, and once."""

from __future__ import annotations

import asyncio
import hashlib
import time
from contextlib import contextmanager
from datetime import timedelta

import pytest
from sqlalchemy.exc import OperationalError

from gm.mail.spool import Accepted, Arrival, Spool, accept
from tests.mail.wire.wire import NOW, inbox, mail


def arrival(raw: bytes, *recipients: str, via="smtp", sender="ann@player.test") -> Arrival:
    return Arrival(
        raw=raw,
        envelope_from=sender,
        recipients=recipients or ("play+abc@play.test",),
        peer="192.0.2.7",
        via=via,
    )


def take(store, *arrivals: Arrival, at=NOW) -> list[Accepted]:
    return accept(store, arrivals, lambda: at)


def test_a_mail_is_kept_byte_for_byte_with_all_that_is_known_of_it(store):
    raw = mail() + b"\x00\xff\x80 not text"
    assert take(store, arrival(raw)) == [Accepted(ids=(1,), fresh=(True,))]
    (row,) = inbox(store)
    assert row.raw == raw
    assert row.sha256 == hashlib.sha256(raw).hexdigest()
    assert (row.envelope_from, row.recipient, row.peer, row.via) == (
        "ann@player.test",
        "play+abc@play.test",
        "192.0.2.7",
        "smtp",
    )
    assert (row.message_id, row.clash_id, row.received_at, row.status, row.attempts) == (
        "<1@player.test>",
        None,
        NOW,
        "new",
        0,
    )


@pytest.mark.case(23)
def test_the_same_mail_again_changes_nothing_whatever_way_it_comes(store):
    take(store, arrival(mail()))
    again = b"Received: by mx.test; a second time\r\n" + mail()
    later = NOW + timedelta(hours=1)
    assert take(store, arrival(again, via="imap"), at=later) == [Accepted(ids=(1,), fresh=(False,))]
    assert take(store, arrival(mail().replace(b"\r\n", b"\n"), via="pipe"), at=later)[0].fresh == (False,)
    (row,) = inbox(store)
    assert (row.received_at, row.via) == (NOW, "smtp")


def test_the_same_mail_twice_in_one_batch_is_one(store):
    assert [a.fresh for a in take(store, arrival(mail()), arrival(mail()))] == [(True,), (False,)]
    assert len(inbox(store)) == 1


@pytest.mark.case(24)
def test_the_same_message_id_with_another_body_is_a_new_mail_that_names_the_first(store):
    take(store, arrival(mail("A Vie - Gal\n")))
    take(store, arrival(mail("A Vie - Boh\n")), arrival(mail("A Vie H\n")))
    assert [row.clash_id for row in inbox(store)] == [None, 1, 1]


def test_one_mail_to_two_of_our_addresses_is_two_rows_and_a_repeated_address_one(store):
    (accepted,) = take(store, arrival(mail(), "a@play.test", "b@play.test", "A@PLAY.test"))
    assert accepted == Accepted(ids=(1, 2), fresh=(True, True))
    assert [(row.recipient, row.clash_id) for row in inbox(store)] == [
        ("a@play.test", None),
        ("b@play.test", None),
    ]


def test_without_a_message_id_equal_words_on_two_days_are_two_mails(store):
    monday = mail("READY\n", message_id=None, Date="Mon, 30 Nov 2026 10:00:00 +0000")
    tuesday = mail("READY\n", message_id=None, Date="Tue, 1 Dec 2026 10:00:00 +0000")
    accepted = take(store, arrival(monday), arrival(tuesday), arrival(monday))
    assert [a.fresh for a in accepted] == [(True,), (True,), (False,)]


@pytest.mark.parametrize("value", ["<[x]>", "", "<" + "a" * 5000 + "@b>", "no brackets"])
def test_a_message_id_that_is_none_is_not_used_as_one(store, value):
    take(store, arrival(mail("one\n", message_id=value)), arrival(mail("two\n", message_id=value)))
    assert [(row.message_id, row.clash_id) for row in inbox(store)] == [(None, None), (None, None)]


@pytest.mark.parametrize(
    "raw", [b"", b"\r\n", b"\n\n", b"no header at all", b"A" * 100_000, b"\xef\xbb\xbf\r\n"]
)
def test_any_bytes_are_a_mail(store, raw):
    take(store, arrival(raw))
    assert inbox(store)[0].raw == raw


def test_addresses_that_no_database_takes_are_cleaned(store):
    take(store, arrival(mail(), "p\x00lay@play.test", sender="\udcff\x00@x.test"))
    (row,) = inbox(store)
    assert (row.recipient, row.envelope_from) == ("play@play.test", "?@x.test")


class SlowStore:
    """A store whose commits take as long as on a disk with honest flushes, and which can fail."""

    def __init__(self, store, seconds: float = 0.0) -> None:
        self.store, self.seconds, self.commits = store, seconds, 0
        self.failing = False

    @contextmanager
    def write(self):
        with self.store.write() as session:
            if self.failing:
                raise OperationalError("COMMIT", {}, Exception("disk I/O error"))
            yield session
            time.sleep(self.seconds)  # stands for the disk
            self.commits += 1


def test_concurrent_mails_share_a_slow_commit(one_store):
    slow = SlowStore(one_store, 0.02)

    async def fifty() -> list[Accepted]:
        spool = Spool(slow, lambda: NOW)
        try:
            mails = [arrival(mail(f"{n}\n", message_id=f"<{n}@x.test>")) for n in range(50)]
            return await asyncio.gather(*(spool.accept(m) for m in mails))
        finally:
            await asyncio.to_thread(spool.close)

    accepted = asyncio.run(fifty())
    assert sorted(a.ids[0] for a in accepted) == list(range(1, 51))
    assert slow.commits <= 5


def test_a_commit_that_fails_is_told_to_every_sender_and_the_next_mail_is_taken(one_store):
    slow = SlowStore(one_store)
    slow.failing = True

    async def run() -> list[object]:
        spool = Spool(slow, lambda: NOW)
        mails = [arrival(mail(f"{n}\n", message_id=f"<{n}@x.test>")) for n in range(3)]
        failed = await asyncio.gather(*(spool.accept(m) for m in mails), return_exceptions=True)
        slow.failing = False
        taken = await spool.accept(mails[0])
        await asyncio.to_thread(spool.close)
        return [*failed, taken]

    *failed, taken = asyncio.run(run())
    assert [type(f) for f in failed] == [OperationalError] * 3
    assert taken == Accepted(ids=(1,), fresh=(True,))


def test_one_mail_that_cannot_be_stored_does_not_turn_the_others_away(one_store, monkeypatch):
    from gm.mail import spool as module

    real = module._row

    def row(letter, now):
        if b"poison" in letter.arrival.raw:
            raise OperationalError("INSERT", {}, Exception("bad value"))
        return real(letter, now)

    monkeypatch.setattr(module, "_row", row)
    woken: list[int] = []

    async def run() -> list[object]:
        spool = Spool(SlowStore(one_store, 0.01), lambda: NOW, stored=lambda: woken.append(1))
        bodies = ["first", "good", "poison", "good too"]
        mails = [arrival(mail(body, message_id=f"<{n}@x.test>")) for n, body in enumerate(bodies)]
        results = await asyncio.gather(*(spool.accept(m) for m in mails), return_exceptions=True)
        await asyncio.to_thread(spool.close)
        return results

    results = asyncio.run(run())
    assert [isinstance(r, Accepted) for r in results] == [True, True, False, True]
    assert len(inbox(one_store)) == 3
    assert woken
