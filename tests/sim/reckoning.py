"""The script's own reckoning of calendars, by walking through local days."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from tests.sim.plan import Slot

ZINE = Slot("Europe/London", (4,), time(21))


def slot_after(
    slot: Slot, kind: str, after: datetime, earliest: datetime, opened: datetime, last: datetime | None
) -> datetime:
    """The deadline that a calendar gives, found by walking through the local days: the script's own reckoning."""
    zone = ZoneInfo(slot.zone)
    days = dict(slot.days).get(kind)
    if days is not None:
        anchor = opened if last is None else min(last, opened)
        day = anchor.astimezone(zone).date() + timedelta(days=days)
        while (found := _instant(day, slot)) < earliest:
            day += timedelta(days=1)
        return found
    day = after.astimezone(zone).date()
    first = last.astimezone(zone).date() if last is not None else None
    while True:
        fits = day.weekday() in slot.weekdays
        if fits and slot.weeks > 1 and first is not None:
            fits = (
                (day - timedelta(days=day.weekday())) - (first - timedelta(days=first.weekday()))
            ).days % (7 * slot.weeks) == 0
        if fits and (found := _instant(day, slot)) >= after:
            return found
        day += timedelta(days=1)


def _instant(day: date, slot: Slot) -> datetime:
    """The first instant of a local day at which its clocks show the time or, if they skip it, one hour more."""
    zone = ZoneInfo(slot.zone)
    instant = datetime(day.year, day.month, day.day, tzinfo=UTC) - timedelta(hours=15)
    for minutes in (0, 60):
        wanted = datetime.combine(day, slot.at) + timedelta(minutes=minutes)
        for step in range(60 * 60):
            at = instant + timedelta(minutes=step)
            if at.astimezone(zone).replace(tzinfo=None) == wanted:
                return at
    raise AssertionError(f"{day} {slot}")
