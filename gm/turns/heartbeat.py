"""How long nobody looked at the clock, and what is done about the deadlines of that time.

A server that was down over a deadline, or a clock that jumps, never makes anybody late. Deadlines that fell into an
outage are moved; a gap too long to be one stops all turns until the operator has confirmed the clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import and_, or_, select
from sqlalchemy.orm import Session

from gm.clock.words import in_zone
from gm.store.tables import Game, GameGM, PhaseRow, Player, ServerFact
from gm.turns.deadlines import set_deadline
from gm.turns.notices import once, serial, tell_all, tell_gms, tell_person
from gm.turns.office import Office
from gm.turns.settings import settings_of
from gm.turns.sheets import owing

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
    gap = now - last
    if gap > DOUBT or gap < -OUTAGE:
        if not fact.value.get("doubt"):
            fact.value = {"at": fact.value["at"], "doubt": now.isoformat()}
        return None
    if fact.value.get("doubt") or gap >= BEAT or gap < timedelta(0):
        fact.value = {"at": now.isoformat()}  # and a clock that was set right again is believed again
    return Gap(last, now) if gap > OUTAGE else None


def clock_in_doubt(session: Session) -> tuple[datetime, datetime] | None:
    """``(last trusted time, doubted time)`` while nothing runs because the clock jumped, else None."""
    fact = session.get(ServerFact, "heartbeat")
    if fact is None or not fact.value.get("doubt"):
        return None
    return datetime.fromisoformat(fact.value["at"]), datetime.fromisoformat(fact.value["doubt"])


def watched(session: Session, now: datetime) -> bool:
    """Whether somebody looked at the clock just now. If not, or if it is in doubt, nobody can be called late."""
    fact = session.get(ServerFact, "heartbeat")
    if fact is None:
        return True
    return not fact.value.get("doubt") and now - datetime.fromisoformat(fact.value["at"]) <= OUTAGE


def ask_about_clock(session: Session, office: Office) -> None:
    """Tell every GM of a game under way, once, that nothing runs because the clock jumped."""
    doubt = clock_in_doubt(session)
    if doubt is None or not once(session, office, f"doubt.{doubt[1].isoformat()}"):
        return
    gms = session.scalars(
        select(Player)
        .where(
            Player.id.in_(
                select(GameGM.player_id)
                .join(Game, Game.id == GameGM.game_id)
                .where(Game.status.in_(("running", "paused")))
            )
        )
        .order_by(Player.id)
    )
    for gm in gms:
        tell_person(
            session,
            office,
            gm,
            subject="No turn runs: is the clock right?",
            paragraphs=(
                f"The server's clock went from {in_zone(doubt[0], gm.zone)} to {in_zone(doubt[1], gm.zone)} at once. "
                "I run no turn and call nobody late until that is cleared up.",
                "If the clock is wrong, whoever runs the server sets it right, and all goes on. If the server was down "
                "for so long, `gm clock confirm` says so: then every missed deadline is moved, and everybody is told.",
            ),
            key=f"doubt.{doubt[1].timestamp():.0f}",
        )


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
            or_(
                and_(PhaseRow.due_at > gap.since, PhaseRow.due_at <= gap.until),
                and_(PhaseRow.grace_until > gap.since, PhaseRow.grace_until <= gap.until),
            ),
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
        nth = serial(session, office, game, "outage")
        tell_all(
            session,
            office,
            game,
            subject=f"{game.title}: new deadline for {phase.title}",
            paragraphs=(f"The deadline was moved: {cause}.",),
            key=f"outage.{nth}",
            calendar=True,
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
            key=f"outage-gm.{nth}",
        )
        moved += 1
    return moved
