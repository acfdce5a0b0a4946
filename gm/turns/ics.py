"""The deadline of a game as a calendar entry (RFC 5545) that updates: one entry a game, always the next deadline.

It says no more than the mail that brings it, and the same to every reader.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from gm.mail.compose import File
from gm.store.tables import DeadlineChange, Game, PhaseRow
from gm.turns.office import Office

ALARM = timedelta(hours=-24)
"""When a reader's calendar reminds him, before the deadline."""
LENGTH = timedelta(minutes=15)


def deadline_entry(
    *,
    slug: str,
    title: str,
    phase: str,
    due: datetime,
    domain: str,
    sequence: int,
    now: datetime,
    cancelled: bool,
) -> bytes:
    """An .ics file for the deadline of a game. The same inputs give the same bytes.

    Args:
        slug, title, phase: name and title of the game, title of the phase.
        sequence: a higher one replaces the entry that a reader's calendar has.
        cancelled: no deadline runs: the entry is taken out again.
    """
    from icalendar import Alarm, Calendar, Event  # only servers that mail deadlines need it

    event = Event()
    event.add("uid", f"{slug}.deadline@{domain}")
    event.add("dtstamp", now)
    event.add("dtstart", due - LENGTH)
    event.add("dtend", due)
    event.add("summary", f"{title}: {phase} is due" if phase else title)
    event.add("sequence", sequence)
    event.add("status", "CANCELLED" if cancelled else "CONFIRMED")
    event.add("transp", "TRANSPARENT")
    if not cancelled:
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", f"Orders for {title} are due tomorrow")
        alarm.add("trigger", ALARM)
        event.add_component(alarm)
    calendar = Calendar()
    calendar.add("prodid", "-//gm//play by mail//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "CANCEL" if cancelled else "PUBLISH")
    calendar.add_component(event)
    return bytes(calendar.to_ical())


def deadline_files(session: Session, office: Office, game: Game, phase: PhaseRow | None) -> tuple[File, ...]:
    """The file for a mail that tells the deadline of a game, or that none runs any more; none before the first.

    Its sequence is made from the number of changes of the game's deadlines, which are all told to everybody.
    """
    session.flush()
    count, last = session.execute(
        select(func.count(), func.max(DeadlineChange.id)).where(DeadlineChange.game_id == game.id)
    ).one()
    if not count:
        return ()
    runs = phase is not None and phase.due_at is not None and game.status == "running"
    change = session.get_one(DeadlineChange, last)
    due = phase.due_at if phase is not None and runs else change.new_due_at or change.old_due_at
    if due is None:
        return ()
    data = deadline_entry(
        slug=game.slug,
        title=game.title,
        phase=phase.title if phase is not None else "",
        due=due,
        domain=office.domain,
        sequence=2 * count + (not runs),
        now=office.now(),
        cancelled=not runs,
    )
    method = "PUBLISH" if runs else "CANCEL"
    return (
        File(
            name=f"{game.slug}.ics", content_type=f"text/calendar; method={method}; charset=utf-8", data=data
        ),
    )
