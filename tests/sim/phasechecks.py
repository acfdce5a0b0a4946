"""Checks of what was run when, with which orders."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import pairwise

from sqlalchemy import select
from sqlalchemy.orm import Session

from gm.games import ruleset
from gm.store.tables import Audit, DeadlineChange, Game, PhaseRow, Seat
from gm.turns.replay import replay
from tests.sim.ledger import Entry
from tests.sim.plan import Plan
from tests.sim.reckoning import slot_after
from tests.sim.year import Year

NOTICE = timedelta(hours=12)


def done(session: Session, game: Game) -> list[PhaseRow]:
    return list(
        session.scalars(
            select(PhaseRow)
            .where(PhaseRow.game_id == game.id, PhaseRow.status == "done")
            .order_by(PhaseRow.ordinal)
        )
    )


def in_time(entries: list[Entry], until: datetime) -> list[Entry]:
    return [entry for entry in entries if entry.valid and entry.at <= until]


def reopened(session: Session, game: Game) -> dict[int, PhaseRow]:
    """Ids of phases that a rollback opened again, each with the run that it undid."""
    runs = session.execute(
        select(Audit.at, Audit.detail).where(Audit.game_id == game.id, Audit.action == "roll back")
    ).all()
    found = {}
    for at, detail in runs:
        rows = session.scalars(
            select(PhaseRow)
            .where(PhaseRow.game_id == game.id, PhaseRow.name == detail["to"])
            .order_by(PhaseRow.id)
        ).all()
        again = next(row for row in rows if row.opened_at == at)
        found[again.id] = next(row for row in reversed(rows) if row.id < again.id and row.results is not None)
    return found


class Book:
    """The ledger's entries by phase and power; a phase that a rollback opened again has those of the undone run too,
    whose orders are on file again."""

    def __init__(self, session: Session, year: Year, games: list[Game]) -> None:
        self.own: dict[tuple[int, str], list[Entry]] = defaultdict(list)
        for entry in year.ledger.entries:
            self.own[entry.phase, entry.power].append(entry)
        self.before: dict[int, tuple[PhaseRow, Plan]] = {}
        for game in games:
            for number, row in reopened(session, game).items():
                self.before[number] = (row, year.plans[game.slug])

    def of(self, phase: int, power: str) -> list[Entry]:
        carried: list[Entry] = []
        if phase in self.before:
            row, plan = self.before[phase]
            carried = in_time(self.of(row.id, power), taken_until(row, plan))
        return carried + self.own[phase, power]


def missed(session: Session, year: Year, games: list[Game]) -> tuple[int, Iterator[str]]:
    """How many NMRs there were, and which of them, or of the sheets that ran, are not as the ledger has it."""
    book = Book(session, year, games)
    nmrs, wrong = 0, []
    for game in games:
        seats = session.scalars(select(Seat).where(Seat.game_id == game.id)).all()
        plan = year.plans[game.slug]
        for phase in done(session, game):
            assert phase.done_at is not None
            until = taken_until(phase, plan)
            for due in ruleset(game.ruleset).dues(phase.state):
                held = [
                    s for s in seats
                    if s.power == due.power and s.joined_at <= phase.done_at
                    and (s.left_at is None or (s.left_at, s.left_why == "out") > (phase.done_at, False))
                ]  # fmt: skip
                if not held:
                    continue
                # An heir may find his predecessor's sheet on file, by the house rule standby_orders.
                sent = in_time(book.of(phase.id, due.power), until)
                got = (phase.sheets or {}).get(due.power)
                if got is None and due.required:
                    nmrs += not sent
                    if sent:
                        wrong.append(
                            f"{game.slug} {phase.name} {due.power}: sent at {sent[0].at}, called NMR"
                        )
                if got is not None and not sent:
                    known = [(str(e.at), e.why) for e in book.of(phase.id, due.power)]
                    wrong.append(
                        f"{game.slug} {phase.name} {due.power}: orders ran, nobody sent any: {known}"
                    )
    return nmrs, iter(wrong)


def taken_until(phase: PhaseRow, plan: Plan) -> datetime:
    """Until when orders of a phase are taken, as its last deadline and the house rules of the script's plan have it."""
    assert phase.done_at is not None
    if phase.due_at is None:
        return phase.done_at
    waits = timedelta(days=3) if "nmr_wait_days = 3" in plan.rules else timedelta(0)
    return min(phase.done_at, phase.due_at + timedelta(hours=plan.grace_hours) + waits)


def garbled(session: Session, year: Year, games: list[Game]) -> Iterator[str]:
    """The sheet of whoever sent whole sheets only must be the last one that he sent in time."""
    book = Book(session, year, games)
    for game in games:
        plan = year.plans[game.slug]
        for phase in done(session, game):
            for power, orders in (phase.sheets or {}).items():
                entries = book.of(phase.id, power)
                sent = in_time(entries, taken_until(phase, plan))
                if not sent or any(e.orders is None for e in entries) or orders is None:
                    continue
                if len({e.orders for e in sent}) == 1 and sorted(orders) != sorted(sent[-1].orders or ()):
                    yield f"{game.slug} {phase.name} {power}: sent {sent[-1].orders}, ran {orders}"


def stuck(session: Session, year: Year, games: list[Game]) -> Iterator[str]:
    for game in games:
        if game.status == "finished":
            continue
        phase = session.scalar(select(PhaseRow).where(PhaseRow.game_id == game.id, PhaseRow.status == "open"))
        if game.status != "running" or phase is None or phase.due_at is None:
            yield f"{game.slug}: {game.status}, {phase.name if phase else 'no phase'}"
        elif phase.due_at + timedelta(days=4) < year.server.now:
            yield f"{game.slug}: {phase.name} was due {phase.due_at}"


def deadlines(session: Session, year: Year, games: list[Game]) -> Iterator[str]:
    for game in games:
        plan, last = year.plans[game.slug], None
        rows = session.scalars(
            select(PhaseRow)
            .where(PhaseRow.game_id == game.id, PhaseRow.status.in_(("done", "open")))
            .order_by(PhaseRow.ordinal)
        )
        again = reopened(session, game)
        for phase in rows:
            last = None if phase.id in again else last
            log = session.scalars(
                select(DeadlineChange).where(DeadlineChange.phase_id == phase.id).order_by(DeadlineChange.id)
            ).all()
            earliest = phase.opened_at + NOTICE
            after = max(earliest, last + timedelta(seconds=1)) if last is not None else earliest
            wanted = slot_after(plan.slot, phase.kind, after, earliest, phase.opened_at, last)
            if not log or log[0].new_due_at != wanted:
                yield f"{game.slug} {phase.name}: {log[0].new_due_at if log else None}, by the calendar {wanted}"
            for before, change in pairwise(log):
                if (
                    change.old_due_at != before.new_due_at
                    or not change.cause.strip()
                    or change.actor == "calendar"
                ):
                    yield f"{game.slug} {phase.name}: moved to {change.new_due_at} without a cause"
            if log and phase.due_at != log[-1].new_due_at:
                yield f"{game.slug} {phase.name}: due {phase.due_at}, by the log {log[-1].new_due_at}"
            last = phase.due_at


def instants(session: Session, games: list[Game]) -> Iterator[str]:
    """A phase runs early because all orders are in, at its deadline, at the end of its grace or of its wait."""
    runs = session.execute(select(Audit.game_id, Audit.detail, Audit.at).where(Audit.action == "run")).all()
    causes = {(r.game_id, r.detail["phase"], r.at): r.detail["cause"] for r in runs}
    for game in games:
        for phase in done(session, game):
            assert phase.done_at is not None
            cause = causes.get((game.id, phase.name, phase.done_at), "")
            ends = {phase.due_at, phase.grace_until}
            if phase.due_at is not None and game.slug.startswith("dale"):
                ends.add(phase.due_at + timedelta(days=3))
            in_grace = phase.due_at is not None and phase.done_at >= phase.due_at
            if (
                phase.done_at in ends
                or cause == "all orders are in"
                or (in_grace and cause == "the deadline")
            ):
                continue
            yield f"{game.slug} {phase.name}: due {phase.due_at}, run {phase.done_at}: {cause}"


def replays(session: Session, games: list[Game]) -> Iterator[str]:
    for game in games:
        for difference in replay(session, game)[1]:
            yield f"{game.slug} {difference.phase}: {difference.what}"
