"""A time away, as players write it: ``20 Dec TO 3 Jan``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from gm.clock.calendar import CalendarError, local_to_utc
from gm.clock.holidays import month_named
from gm.clock.words import in_zone

BEGUN = timedelta(days=60)
"""A first day without a year that lies no further back is one of this year: who writes is away already."""
LONGEST = timedelta(days=183)
"""A longer absence is a slip of the pen, or a seat to give up."""

EXAMPLE = "20 Dec TO 3 Jan"

_TO = re.compile(r"\s+(?:to|until|till|bis|through|thru|[-–])\s+", re.I)
_TIME = re.compile(r"(?:,|\s)\s*(?:at\s+)?(\d{1,2})[:.](\d\d)$", re.I)
_ISO = re.compile(r"(\d{4})-(\d\d?)-(\d\d?)$")
_WORDY = re.compile(
    r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+)?(\d{1,2})\.?\s+([a-z]+)\.?(?:\s+(\d{4}))?$", re.I
)


@dataclass(frozen=True)
class Away:
    """A time away, in UTC; `until` is the first instant at which he is back."""

    since: datetime
    until: datetime


def parse_away(text: str, *, zone: str, now: datetime) -> Away:
    """Read ``first day TO last day``. Days are whole days of the zone, the last one included, unless a time is given.

    A first day without a year is the next such day, or one of the last `BEGUN` if the end is still to come: then he
    is away from now on. A last day without a year is the first such day after it, so New Year is understood.

    Raises:
        CalendarError: unreadable, impossible, past, turned round or longer than half a year; says how it was read.
    """
    words = " ".join(text.split())
    parts = _TO.split(re.sub(r"^from\s+", "", words, flags=re.I))
    if len(parts) != 2:
        raise CalendarError(f"{words!r} is no first and last day; write for example `{EXAMPLE}`")
    today = now.astimezone(ZoneInfo(zone)).date()
    first, first_time, open_first = _day(parts[0], today)
    last, last_time, open_last = _day(parts[1], first)
    if open_first and first > today + timedelta(days=365) - BEGUN:
        earlier = _with_year(first, first.year - 1)
        ends = _with_year(last, last.year - 1) if open_last else last
        if today - earlier <= BEGUN and ends >= today and ends >= earlier:
            first, last = earlier, ends
    since = local_to_utc(first, first_time or time(0), zone)
    until = (
        local_to_utc(last, last_time, zone)
        if last_time
        else local_to_utc(last + timedelta(days=1), time(0), zone)
    )
    reading = f"{words!r} reads as {in_zone(since, zone)} to {in_zone(until, zone)}"
    if until <= since:
        raise CalendarError(f"{reading}, which ends before it begins")
    if until <= now or (since < now - timedelta(days=1) and not open_first):
        raise CalendarError(f"{reading}, which is past")
    since = max(since, now)
    if until - since > LONGEST:
        raise CalendarError(f"{reading}, which is longer than half a year")
    return Away(since, until)


def _day(text: str, after: date) -> tuple[date, time | None, bool]:
    """``(day, time or None, whether the year was left open)``; an open year is the next one from `after` on."""
    words, at = text.strip(), None
    try:
        if match := _TIME.search(words):
            at, words = time(int(match[1]), int(match[2])), words[: match.start()].strip()
        if words.lower() in ("today", "now", "heute"):
            return after, at, False
        if words.lower() in ("tomorrow", "morgen"):
            return after + timedelta(days=1), at, False
        if match := _ISO.match(words):
            return date(int(match[1]), int(match[2]), int(match[3])), at, False
        if (match := _WORDY.match(words)) and (month := month_named(match[2])):
            if match[3]:
                return date(int(match[3]), month, int(match[1])), at, False
            return _next(int(match[1]), month, after), at, True
    except ValueError as wrong:
        raise CalendarError(f"{text.strip()!r} is no possible date: {wrong}") from None
    raise CalendarError(f"{text.strip()!r} is no date; write for example `20 Dec` or `2027-01-03`")


def _next(day: int, month: int, after: date) -> date:
    """The first such day from `after` on. Raises ValueError if there is none within eight years."""
    for year in range(after.year, after.year + 9):
        try:
            found = date(year, month, day)
        except ValueError:
            if (month, day) != (2, 29):
                raise
            continue
        if found >= after:
            return found
    raise ValueError("day is out of range for month")


def _with_year(day: date, year: int) -> date:
    return date(year, day.month, 28 if (day.month, day.day) == (2, 29) else day.day)
