"""The outbox under any order of events: mails queued, relays in any mood, senders that die, time that passes."""

from __future__ import annotations

import tempfile
from collections import Counter
from datetime import timedelta
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from sqlalchemy import select

from gm.mail import outbox
from gm.mail.sender import GIVE_UP, LEASE, Sender
from gm.mail.transport import Parcel, Verdict
from gm.store.db import open_store
from gm.store.mailtables import Outbound
from tests.mail.wire.wire import NOW

KEY = b"k" * 32
VERDICTS = {
    "sent": Verdict("sent", "250 ok"),
    "later": Verdict("later", "450 busy"),
    "never": Verdict("never", "550 5.7.1 no"),
    "unavailable": Verdict("unavailable", "421 closing"),
}


class Dies(BaseException):
    """The sender's process ends here."""


class Outbox(RuleBasedStateMachine):
    """What the relay took is noted by the machine itself, and compared with the store."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.store = open_store(f"sqlite:///{Path(self.folder.name) / 'gm.db'}")
        self.store.migrate()
        self.now = NOW
        self.taken: Counter[str] = Counter()
        self.deaths: Counter[str] = Counter()
        self.count = 0
        self.moods: list[str] = []
        self.sender = self._new_sender()

    def _new_sender(self) -> Sender:
        return Sender(self.store, self, lambda: self.now, domain="play.test", chance=lambda: 0.5)

    def send(self, parcel: Parcel) -> Verdict:
        """The relay's side."""
        mood = self.moods.pop() if self.moods else "sent"
        if mood == "sent":
            self.taken[parcel.message_id] += 1
        if mood == "dies after 250":
            self.taken[parcel.message_id] += 1
            self.deaths[parcel.message_id] += 1
            raise Dies
        if mood == "dies before":
            raise Dies
        return VERDICTS[mood]

    def close(self) -> None:
        """Part of a transport."""

    @rule(again=st.booleans())
    def queue(self, again: bool) -> None:
        """A new mail, or one that was queued before."""
        self.count += not again or self.count == 0
        with self.store.write() as session:
            outbox.enqueue(
                session, message_id=f"<{self.count}@play.test>", kind="report", raw=b"x", now=self.now, key=KEY,
                recipient=f"p{self.count % 3}@player.test",
            )  # fmt: skip

    @rule(moods=st.lists(st.sampled_from([*VERDICTS, "dies after 250", "dies before"]), max_size=4))
    def drain(self, moods: list[str]) -> None:
        """The sender wakes; if it dies, another one takes its place without asking."""
        self.moods = moods
        try:
            self.sender.drain()
        except Dies:
            self.sender = self._new_sender()

    @rule(minutes=st.sampled_from([1, 15, 300, 3000]))
    def wait(self, minutes: int) -> None:
        """Time passes."""
        self.now += timedelta(minutes=minutes)

    @invariant()
    def no_mail_goes_out_twice_but_for_a_death_after_250(self) -> None:
        for name, times in self.taken.items():
            assert times <= 1 + self.deaths[name]

    @invariant()
    def what_the_store_calls_sent_was_taken(self) -> None:
        with self.store.read() as session:
            rows = session.execute(select(Outbound.message_id, Outbound.status)).all()
        assert len(rows) == self.count
        for name, status in rows:
            if status == "sent":
                assert self.taken[name] >= 1

    def teardown(self) -> None:
        """In the end every mail was sent, or was refused, or grew too old."""
        self.moods = []
        self.now += LEASE + timedelta(hours=5)
        self._new_sender().drain()
        with self.store.read() as session:
            rows = session.scalars(select(Outbound)).all()
        for row in rows:
            assert row.status == "sent" or (row.status == "failed" and row.reply), row.status
            if row.status == "failed" and row.reply == VERDICTS["later"].reply:
                assert self.now - row.queued_at >= GIVE_UP
        self.store.close()
        self.folder.cleanup()


TestOutbox = Outbox.TestCase
TestOutbox.settings = settings(
    max_examples=15, stateful_step_count=15, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
