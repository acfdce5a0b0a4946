"""The deadline as a calendar entry (RFC 5545) that updates itself when the deadline moves."""

from __future__ import annotations

from datetime import datetime, timedelta

from gm.store.tables import Game, PhaseRow

ALARM = timedelta(hours=-24)
"""When a reader's calendar reminds him, before the deadline."""
LENGTH = timedelta(minutes=15)


def deadline_entry(
    game: Game, phase: PhaseRow, *, domain: str, sequence: int, now: datetime, cancelled: bool = False
) -> bytes:
    """An .ics file for the deadline of a phase. The same inputs give the same bytes.

    Args:
        sequence: how often the deadline was set; a higher one replaces the entry that a reader's calendar has.
        cancelled: the phase was run or no deadline runs: the entry is taken out again.
    """
    from icalendar import Alarm, Calendar, Event  # only servers that mail deadlines need it

    due = phase.due_at or now
    event = Event()
    event.add("uid", f"{game.slug}.{phase.ordinal}.{phase.attempt}@{domain}")
    event.add("dtstamp", now)
    event.add("dtstart", due - LENGTH)
    event.add("dtend", due)
    event.add("summary", f"{game.title}: {phase.title} is due")
    event.add("sequence", sequence)
    event.add("status", "CANCELLED" if cancelled else "CONFIRMED")
    event.add("transp", "TRANSPARENT")
    if not cancelled:
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", f"Orders for {game.title} are due tomorrow")
        alarm.add("trigger", ALARM)
        event.add_component(alarm)
    calendar = Calendar()
    calendar.add("prodid", "-//gm//play by mail//EN")
    calendar.add("version", "2.0")
    calendar.add("method", "CANCEL" if cancelled else "PUBLISH")
    calendar.add_component(event)
    return bytes(calendar.to_ical())
