"""Mails, repeats, deadlines and crashes in any order: nothing lost, nothing twice, and the game replays."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from sqlalchemy import func, select

from gm.app.work import look_at_clock, read_mail
from gm.desk import intake
from gm.store.mailtables import Inbound, Outbound
from gm.store.tables import Game, PhaseRow, Sheet
from gm.turns import run
from gm.turns.replay import replay, verify
from tests.world import GM, copy_of, started

POWERS = ("austria", "italy", "turkey")
LINES = {
    "austria": ("A VIE - GAL", "A VIE H", "A BUD - SER", "F TRI - ALB", "NO ORDERS", "CLEAR", "gibberish"),
    "italy": ("A VEN - TYR", "A ROM H", "F NAP - ION", "NO ORDERS", "WAIT", "NO WAIT"),
    "turkey": ("A CON - BUL", "F ANK - BLA", "A SMY H", "NO ORDERS", "READY", "PRESS TO Italy: hello"),
}
POINTS = (*intake.POINTS, *run.POINTS)


class PowerCut(BaseException):
    """The process ends here: no handler of ours may catch it."""


class Machine(RuleBasedStateMachine):
    """One server whose process dies now and then."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.world = copy_of(started(), Path(self.folder.name))
        self.seats = started().seats
        self.sent: list[tuple[bytes, str, str]] = []
        self.cut_at = ""
        self.patch = pytest.MonkeyPatch()
        for module in (intake, run):
            self.patch.setattr(module, "crash_point", self.crash_point)
        self.patch.setattr("gm.app.work.crash_point", self.crash_point)
        self.reports: dict[str, bytes] = {}
        self.first = 0

    def crash_point(self, name: str) -> None:
        if name == self.cut_at:
            self.cut_at = ""
            raise PowerCut(name)

    def work(self) -> None:
        """What the server does when woken; after a power cut it is started again."""
        for _ in range(4):
            try:
                while read_mail(self.world.office):
                    with self.world.store.read() as session:
                        if not session.scalar(select(Inbound.id).where(Inbound.status == "new").limit(1)):
                            break
                look_at_clock(self.world.office)
                return
            except PowerCut:
                continue

    @initialize()
    def begin(self) -> None:
        for power in ("england", "france", "germany", "russia"):
            self.world.reply(self.seats[power], "NO ORDERS")
        with self.world.store.read() as session:
            self.first = session.scalar(select(func.max(Inbound.id))) or 0

    @rule(power=st.sampled_from(POWERS), data=st.data())
    def mail(self, power: str, data: st.DataObject) -> None:
        lines = data.draw(st.lists(st.sampled_from(LINES[power]), min_size=1, max_size=3))
        self.world.outgoing()
        who = self.seats[power]
        raw = (
            f"From: {who}\r\nMessage-ID: <{len(self.sent)}@{power}.example>\r\nSubject: x\r\n\r\n"
            + "\r\n".join(lines)
            + "\r\n"
        ).encode()
        self.sent.append((raw, who, self.world.newest[who].reply_to))
        self.world.deliver(*self.sent[-1])

    @rule()
    def gm_writes(self) -> None:
        self.world.outgoing()
        raw = f"From: {GM}\r\nMessage-ID: <{len(self.sent)}@gm.example>\r\nSubject: x\r\n\r\nEXTEND 1h\r\n".encode()
        self.sent.append((raw, GM, self.world.newest[GM].reply_to))
        self.world.deliver(*self.sent[-1])

    @precondition(lambda self: self.sent)
    @rule(data=st.data())
    def repeat(self, data: st.DataObject) -> None:
        """The same mail is delivered again."""
        self.world.deliver(*data.draw(st.sampled_from(self.sent)))

    @rule(point=st.sampled_from(POINTS))
    def crash(self, point: str) -> None:
        self.cut_at = point
        self.work()
        self.cut_at = ""

    @rule()
    def wake(self) -> None:
        self.work()

    @rule(hours=st.sampled_from((1, 40, 85)))
    def time_passes(self, hours: int) -> None:
        self.work()
        self.world.skip(hours=hours)
        self.work()

    @invariant()
    def nothing_doubled(self) -> None:
        with self.world.store.read() as session:
            inbound = session.scalar(select(func.count()).select_from(Inbound).where(Inbound.via == "smtp"))
            answered = session.execute(
                select(Outbound.inbound_id, func.count())
                .where(Outbound.kind == "receipt", Outbound.inbound_id.is_not(None))
                .group_by(Outbound.inbound_id)
            ).all()
            assert all(count == 1 for _id, count in answered)
            reports = session.execute(
                select(Outbound.message_id, Outbound.raw).where(Outbound.kind == "report")
            )
            for message_id, raw in reports:
                assert self.reports.setdefault(message_id, raw) == raw
            phases = session.scalars(select(PhaseRow).order_by(PhaseRow.ordinal)).all()
            assert [p.ordinal for p in phases] == list(range(1, len(phases) + 1))
            assert [p.status for p in phases] == ["done"] * (len(phases) - 1) + ["open"]
            versions = session.execute(
                select(Sheet.phase_id, Sheet.power, func.count(), func.max(Sheet.version)).group_by(
                    Sheet.phase_id, Sheet.power
                )
            ).all()
            assert all(count == newest for _phase, _power, count, newest in versions)
            assert inbound is not None

    def teardown(self) -> None:
        try:
            self.work()
            with self.world.store.read() as session:
                rows = session.scalars(select(Inbound)).all()
                assert all(row.status == "done" for row in rows)
                answers = set(session.scalars(select(Outbound.inbound_id).where(Outbound.kind == "receipt")))
                for row in rows:
                    if row.id > self.first:
                        idle = (row.outcome or {})["why_not"].startswith("nothing could be done")
                        assert row.id in answers or idle, (row.outcome, row.raw)
                game = session.scalars(select(Game)).one()
                done = session.scalar(
                    select(func.count()).select_from(PhaseRow).where(PhaseRow.status == "done")
                )
                assert replay(session, game) == (done, [])
                assert verify(session, game)[1] == []
                per_reader = session.execute(
                    select(Outbound.recipient, Outbound.phase_id, func.count())
                    .where(Outbound.kind == "report", Outbound.message_id.not_like("%.start.%"))
                    .group_by(Outbound.recipient, Outbound.phase_id)
                ).all()
                assert all(count == 1 for _who, _phase, count in per_reader)
        finally:
            self.patch.undo()
            self.world.store.close()
            self.folder.cleanup()


quick = settings(
    max_examples=5,
    stateful_step_count=10,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
)


@pytest.mark.case(21)
@pytest.mark.case(23)
class TestMachine(Machine.TestCase):  # type: ignore[misc]  # made by Hypothesis
    """The machine, a few runs."""

    settings = quick


@pytest.mark.slow
@pytest.mark.case(23)
class TestMachineForLong(Machine.TestCase):  # type: ignore[misc]  # made by Hypothesis
    """The machine, many runs."""

    settings = settings(
        max_examples=50, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
    )
