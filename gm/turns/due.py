"""What the clock finds to do: remind, call late, run. The database says what is due; nothing is remembered here.

A server that was down over a deadline, or a clock that jumps, never makes anybody late. `heartbeat` tells how long
nobody looked; deadlines that fell into such a gap are moved, and a gap too long to be a plain outage stops all turns
until the operator has confirmed the clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from gm.clock.words import in_zone
from gm.store.mailtables import Inbound
from gm.store.tables import Game, PhaseRow, ServerFact
from gm.turns.deadlines import set_deadline
from gm.turns.notices import tell_all, tell_gms, tell_reader
from gm.turns.office import Office
from gm.turns.people import power_name
from gm.turns.reportmail import readers
from gm.turns.settings import settings_of
from gm.turns.sheets import all_latest, complete, flagged, owing

OUTAGE = timedelta(minutes=15)
"""A longer time without a heartbeat is an outage: deadlines in it are moved."""
DOUBT = timedelta(days=7)
"""A longer one, or a clock that goes back by more than an outage, is doubted: nothing runs until confirmed."""
BEAT = timedelta(seconds=30)
"""How often the heartbeat is written."""


@dataclass(frozen=True)
class Gap:
    """A time in which nobody looked at the clock."""

    since: datetime
    until: datetime


def heartbeat(session: Session, now: datetime) -> Gap | None:
    """Note that the clock was looked at; returns the gap since the last time if it was an outage."""
    fact = session.get(ServerFact, "heartbeat")
    if fact is None:
        session.add(ServerFact(name="heartbeat", value={"at": now.isoformat()}))
        return None
    last = datetime.fromisoformat(fact.value["at"])
    if fact.value.get("doubt"):
        if abs(now - last) <= OUTAGE:  # the clock is right again
            fact.value = {"at": now.isoformat()}
        return None
    gap = now - last
    if gap > DOUBT or gap < -OUTAGE:
        fact.value = {"at": fact.value["at"], "doubt": now.isoformat()}
        return None
    if gap >= BEAT or gap < timedelta(0):
        fact.value = {"at": now.isoformat()}
    return Gap(last, now) if gap > OUTAGE else None


def clock_in_doubt(session: Session) -> tuple[datetime, datetime] | None:
    """``(last trusted time, doubted time)`` while nothing runs because the clock jumped, else None."""
    fact = session.get(ServerFact, "heartbeat")
    if fact is None or not fact.value.get("doubt"):
        return None
    return datetime.fromisoformat(fact.value["at"]), datetime.fromisoformat(fact.value["doubt"])


def confirm_clock(session: Session, office: Office) -> Gap | None:
    """The operator says that the clock is right: the jump counts as an outage. None if there was no doubt."""
    doubt = clock_in_doubt(session)
    if doubt is None:
        return None
    fact = session.get_one(ServerFact, "heartbeat")
    now = office.now()
    fact.value = {"at": now.isoformat()}
    return Gap(doubt[0], now) if now > doubt[0] else None


def postpone_missed(session: Session, office: Office, gap: Gap) -> int:
    """Move every deadline that fell into a gap to a fair time after it. Returns how many were moved."""
    rows = session.scalars(
        select(PhaseRow)
        .join(Game, Game.id == PhaseRow.game_id)
        .where(
            PhaseRow.status == "open",
            Game.status == "running",
            PhaseRow.due_at.is_not(None),
            PhaseRow.due_at > gap.since,
            PhaseRow.due_at <= gap.until,
        )
        .order_by(PhaseRow.id)
    ).all()
    moved = 0
    for phase in rows:
        game = session.get_one(Game, phase.game_id)
        if not owing(session, game, phase):
            continue  # everybody's orders are in: running it now makes nobody late
        rules = settings_of(game.settings)
        due = gap.until + max(rules.notice(), min(gap.until - gap.since, timedelta(days=2)))
        assert phase.due_at is not None
        cause = (
            f"the server did not run from {in_zone(gap.since, rules.zone)} to {in_zone(gap.until, rules.zone)}, "
            f"over the deadline {in_zone(phase.due_at, rules.zone)}; nobody counts as late"
        )
        set_deadline(session, game, phase, due, cause=cause, actor="server", now=gap.until)
        session.flush()
        tell_all(
            session,
            office,
            game,
            subject=f"{game.title}: new deadline for {phase.title}",
            paragraphs=(f"The deadline was moved: {cause}.",),
            key=f"outage.{phase.ordinal}.{phase.attempt}.{due.timestamp():.0f}",
        )
        tell_gms(
            session,
            office,
            game,
            subject=f"{game.title}: is the new deadline right?",
            paragraphs=(
                f"I moved the deadline of {phase.title} because {cause}.",
                "If another time suits your players better, reply with DEADLINE and the time; "
                "PROCESS runs the turn at once.",
            ),
            key=f"outage-gm.{phase.ordinal}.{phase.attempt}.{due.timestamp():.0f}",
        )
        moved += 1
    return moved


def unread_before(session: Session, instant: datetime) -> bool:
    """Whether mail accepted at or before an instant still waits to be read; a turn must wait for it."""
    return (
        session.scalar(
            select(func.count())
            .select_from(Inbound)
            .where(Inbound.status == "new", Inbound.received_at <= instant)
        )
        or 0
    ) > 0


def due_phases(session: Session, now: datetime) -> list[tuple[int, str]]:
    """``(phase id, cause)`` of every phase that should run now, longest overdue first."""
    rows = session.execute(
        select(PhaseRow, Game)
        .join(Game, Game.id == PhaseRow.game_id)
        .where(
            PhaseRow.status == "open",
            Game.status == "running",
            or_(PhaseRow.due_at <= now, PhaseRow.early_at <= now),
        )
        .order_by(PhaseRow.due_at, PhaseRow.id)
    )
    found: list[tuple[int, str]] = []
    for phase, game in rows:
        if phase.early_at is not None and phase.early_at <= now:
            if not unread_before(session, phase.early_at):
                found.append((phase.id, "all orders are in"))
            continue
        if phase.due_at is None or unread_before(session, phase.due_at):
            continue
        late = owing(session, game, phase)
        if not late:
            found.append((phase.id, "the deadline"))
        elif settings_of(game.settings).nmr == "run" and (
            phase.grace_until is None or phase.grace_until <= now
        ):
            found.append((phase.id, "the deadline; not all orders are in"))
    return found


def call_late(session: Session, office: Office, now: datetime) -> int:
    """Where a deadline passed and the turn waits (grace, or until the GM runs it): tell the late and the GM, once."""
    rows = session.execute(
        select(PhaseRow, Game)
        .join(Game, Game.id == PhaseRow.game_id)
        .where(
            PhaseRow.status == "open",
            Game.status == "running",
            PhaseRow.due_at <= now,
            PhaseRow.late_told_at.is_(None),
        )
        .order_by(PhaseRow.id)
    ).all()
    told = 0
    for phase, game in rows:
        late = owing(session, game, phase)
        waits = settings_of(game.settings).nmr == "wait" or (
            phase.grace_until is not None and phase.grace_until > now
        )
        if not late or not waits or phase.due_at is None or unread_before(session, phase.due_at):
            continue
        phase.late_told_at = now
        names = {due.power for due in late}
        until = (
            f"until {in_zone(phase.grace_until, settings_of(game.settings).zone)}"
            if phase.grace_until is not None and phase.grace_until > now
            else "for your orders or the GM's word"
        )
        for reader in readers(session, game):
            if reader.power in names:
                tell_reader(
                    session,
                    office,
                    game,
                    reader,
                    kind="reminder",
                    subject=f"{game.title}: your orders for {phase.title} are late",
                    paragraphs=(f"The deadline has passed without orders from you. The turn waits {until}.",),
                    key=f"late.{phase.ordinal}.{phase.attempt}",
                )
        tell_gms(
            session,
            office,
            game,
            subject=f"{game.title}: late in {phase.title}",
            paragraphs=(
                f"No orders yet from: {', '.join(power_name(game, d.power) for d in late)}.",
                "PROCESS runs the turn without them; EXTEND gives more time; REPLACE gives a seat to another player.",
            ),
            key=f"late-gm.{phase.ordinal}.{phase.attempt}",
        )
        told += 1
    return told


def remind(session: Session, office: Office, now: datetime) -> int:
    """Remind those who owe orders, once a deadline. Returns the number of phases reminded."""
    rows = session.execute(
        select(PhaseRow, Game)
        .join(Game, Game.id == PhaseRow.game_id)
        .where(
            PhaseRow.status == "open",
            Game.status == "running",
            PhaseRow.reminded_at.is_(None),
            PhaseRow.due_at > now,
            PhaseRow.due_at <= now + timedelta(days=42),
        )
        .order_by(PhaseRow.id)
    ).all()
    count = 0
    for phase, game in rows:
        hours = settings_of(game.settings).reminder_hours
        ahead = timedelta(hours=hours)
        # A phase that opened within the reminder's reach was told its deadline just now.
        if (
            not hours
            or phase.due_at is None
            or phase.due_at - now > ahead
            or phase.due_at - phase.opened_at <= ahead
        ):
            continue
        phase.reminded_at = now
        owes = {due.power: due for due in owing(session, game, phase)}
        for reader in readers(session, game):
            if reader.power in owes:
                due = owes[reader.power]
                tell_reader(
                    session,
                    office,
                    game,
                    reader,
                    kind="reminder",
                    subject=f"{game.title}: orders due for {phase.title}",
                    paragraphs=(
                        "I have no orders from you yet. This wants an order:",
                        ", ".join(due.items),
                    ),
                    key=f"remind.{phase.ordinal}.{phase.attempt}.{phase.due_at.timestamp():.0f}",
                )
        count += 1
    return count


def note_early(session: Session, game: Game, phase: PhaseRow, now: datetime) -> None:
    """Set or clear the early run of a phase after its sheets or flags changed."""
    rules = settings_of(game.settings)
    phase.early_at = (
        now if rules.early and game.status == "running" and _all_in(session, game, phase) else None
    )
    session.flush()


def _all_in(session: Session, game: Game, phase: PhaseRow) -> bool:
    """Every power that owes has a full sheet or says READY, at least one does, and none says WAIT."""
    if flagged(session, phase, "wait") or owing(session, game, phase):
        return False
    ready = flagged(session, phase, "ready")
    sheets = all_latest(session, phase)
    return bool(sheets) and all(
        sheet.power in ready or complete(sheet, game, phase) for sheet in sheets.values()
    )
