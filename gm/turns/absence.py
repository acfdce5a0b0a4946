"""Absences that players announced: overlapping ones joined, and the deadlines that wait for their return.

A deadline is looked at when its phase opens, when it is resumed, and when an absence is announced or taken back; a
deadline that a GM sets by hand stands until then.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from gm.clock.calendar import local_to_utc
from gm.clock.spans import Away
from gm.clock.words import in_zone
from gm.games.api import PowerId
from gm.store.clubtables import Absence
from gm.store.tables import Game, PhaseRow, Player
from gm.turns.deadlines import FOR_ABSENCE, changes, set_deadline
from gm.turns.notices import serial, tell_all
from gm.turns.office import Office
from gm.turns.people import current_seats, power_name
from gm.turns.settings import GameSettings, settings_of
from gm.turns.sheets import owing

YEAR = timedelta(days=365)
DEPUTISED = ("confirmed", "active")
"""States of a deputy on whom both sides agreed."""


def announce(session: Session, player: Player, game: Game | None, away: Away, now: datetime) -> Absence:
    """Put an absence on file (game None: from all his games), joined with those of the same kind that it meets."""
    since, until = away.since, away.until
    met = session.scalars(
        select(Absence).where(
            Absence.player_id == player.id,
            Absence.game_id == (game.id if game else None),
            Absence.deputy_id.is_(None),
            Absence.cancelled_at.is_(None),
            Absence.from_at <= until,
            Absence.to_at >= since,
        )
    ).all()
    for row in met:
        since, until = min(since, row.from_at), max(until, row.to_at)
        row.cancelled_at = now
    joined = Absence(
        player_id=player.id,
        game_id=game.id if game else None,
        from_at=since,
        to_at=until,
        created_at=now,
    )
    session.add(joined)
    session.flush()
    return joined


def on_file(session: Session, player_id: int, now: datetime) -> list[Absence]:
    """A player's absences and deputies that are not over, in the order of their first days."""
    return list(
        session.scalars(
            select(Absence)
            .where(Absence.player_id == player_id, Absence.cancelled_at.is_(None), Absence.to_at > now)
            .where(Absence.deputy_state != "ended")
            .order_by(Absence.from_at, Absence.id)
        )
    )


def back_at(session: Session, game: Game, player_id: int, at: datetime) -> datetime | None:
    """When a player who is absent at an instant is back; None if he is there, or a deputy stands in for him."""
    rows = session.scalars(
        select(Absence).where(
            Absence.player_id == player_id,
            or_(Absence.game_id.is_(None), Absence.game_id == game.id),
            Absence.cancelled_at.is_(None),
            Absence.from_at <= at,
            Absence.to_at > at,
        )
    ).all()
    if any(row.deputy_state in DEPUTISED for row in rows):
        return None
    return max((row.to_at for row in rows if row.deputy_id is None), default=None)


def days_away(session: Session, game: Game, player_id: int, until: datetime) -> float:
    """For how many days of the year before an instant a player is or was absent from a game."""
    rows = session.scalars(
        select(Absence)
        .where(
            Absence.player_id == player_id,
            or_(Absence.game_id.is_(None), Absence.game_id == game.id),
            Absence.deputy_id.is_(None),
            Absence.cancelled_at.is_(None),
            Absence.from_at < until,
            Absence.to_at > until - YEAR,
        )
        .order_by(Absence.from_at)
    )
    total, reached = timedelta(0), until - YEAR
    for row in rows:
        start, end = max(row.from_at, reached), min(row.to_at, until)
        if end > start:
            total, reached = total + (end - start), end
    return total / timedelta(days=1)


def waits_for(session: Session, game: Game, player_id: int, back: datetime) -> bool:
    """Whether the house rules of a game wait for a player who is absent until an instant."""
    rules = settings_of(game.settings)
    if rules.absence != "wait" or not rules.absence_days_max:
        return False
    return not rules.absence_days_year or days_away(session, game, player_id, back) <= rules.absence_days_year


def settle(session: Session, game: Game, phase: PhaseRow, now: datetime) -> str:
    """Set the deadline of an open phase as the absences of those who owe orders want it.

    It goes to the first deadline of the calendar after the last of them is back, never further from where it stood
    than `absence_days_max`; and back again, unless that is nearer than the notice, once an absence is taken back.

    Returns:
        The logged cause, a sentence that all may read; empty if nothing changed.
    """
    rules = settings_of(game.settings)
    if rules.absence != "wait" or game.status != "running" or phase.due_at is None:
        return ""
    first = due = _without_absences(session, game, phase)
    furthest = _days_later(first, rules.absence_days_max, rules.zone)
    absent: dict[PowerId, None] = {}
    held = current_seats(session, game)
    owes = [power for power in (d.power for d in owing(session, game, phase)) if power in held]
    while due < furthest:
        backs = {p: back_at(session, game, held[p].id, due) for p in owes}
        waited = {
            p: back
            for p, back in backs.items()
            if back is not None and waits_for(session, game, held[p].id, back)
        }
        if not waited:
            break
        absent.update(dict.fromkeys(waited))
        due = min(_slot_after(rules, phase, due, max(waited.values())), furthest)
    if due == phase.due_at or (due < phase.due_at and due < now + rules.notice()):
        return ""
    cause = _cause(game, rules, list(absent), bounded=due == furthest)
    set_deadline(session, game, phase, due, cause=cause, actor=FOR_ABSENCE, now=now)
    session.flush()
    return cause


def settle_and_tell(session: Session, office: Office, game: Game, phase: PhaseRow) -> str:
    """As `settle`; a change is told to everybody."""
    cause = settle(session, game, phase, office.now())
    if cause:
        tell_all(
            session,
            office,
            game,
            subject=f"{game.title}: new deadline for {phase.title}",
            paragraphs=(f"The deadline of {phase.title} was moved: {cause}.",),
            key=f"deadline.{serial(session, office, game, 'deadline')}",
            calendar=True,
        )
    return cause


def _without_absences(session: Session, game: Game, phase: PhaseRow) -> datetime:
    """The deadline of a phase before the last changes made for absences."""
    assert phase.due_at is not None
    due = phase.due_at
    for row in reversed(changes(session, game, phase)):
        if row.actor != FOR_ABSENCE or row.old_due_at is None:
            break
        due = row.old_due_at
    return due


def _slot_after(rules: GameSettings, phase: PhaseRow, due: datetime, back: datetime) -> datetime:
    """The first deadline of the calendar that leaves a player who comes back the game's notice."""
    found = rules.parsed_calendar().next_deadline(
        phase.kind, opened_at=back, last_due=due, notice=rules.notice()
    )
    return found if found is not None else back + max(rules.notice(), timedelta(hours=1))


def _days_later(at: datetime, days: int, zone: str) -> datetime:
    local = at.astimezone(ZoneInfo(zone))
    return max(at, local_to_utc(local.date() + timedelta(days=days), local.time().replace(tzinfo=None), zone))


def _cause(game: Game, rules: GameSettings, absent: Sequence[PowerId], *, bounded: bool) -> str:
    if not absent:
        return "an absence was taken back"
    names = [power_name(game, power) for power in absent]
    who = (
        "a player who owes orders is announced absent"
        if rules.anonymous
        else f"the player of {names[0]} is announced absent"
        if len(names) == 1
        else f"the players of {', '.join(names)} are announced absent"
    )
    if bounded:
        return f"{who}; it waits {rules.absence_days_max} days at most, by the house rule absence_days_max"
    return who


def span_text(row: Absence, zone: str) -> str:
    """``"Sunday 20 December 2026, 00:00 (UTC) to ..."``."""
    return f"{in_zone(row.from_at, zone)} to {in_zone(row.to_at, zone)}"
