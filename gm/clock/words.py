"""Times and spans as people read and write them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from gm.clock.calendar import CalendarError, local_to_utc


def in_zone(at: datetime, zone: str) -> str:
    """``"Friday 4 December 2026, 20:00 (Europe/London)"``."""
    local = at.astimezone(ZoneInfo(zone))
    return f"{local:%A} {local.day} {local:%B %Y, %H:%M} ({zone})"


def for_reader(at: datetime, reader_zone: str, game_zone: str) -> str:
    """A time in the reader's zone and, where the clock there shows another time, in the game's too."""
    text = in_zone(at, reader_zone)
    if at.astimezone(ZoneInfo(reader_zone)).utcoffset() == at.astimezone(ZoneInfo(game_zone)).utcoffset():
        return text
    return f"{text}, that is {in_zone(at, game_zone)}"


_SPAN = re.compile(r"\+?\s*(\d{1,4})\s*(m|min|minutes?|h|hours?|d|days?|w|weeks?)$", re.I)
_ISO = re.compile(r"(\d{4})-(\d\d?)-(\d\d?)(?:[ T]+(?:at\s+)?(\d{1,2})[:.](\d\d))?$", re.I)
_WORDY = re.compile(
    r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+)?(\d{1,2})\.?\s+([a-z]{3})[a-z]*\.?(?:\s+(\d{4}))?"
    r"(?:,?\s+(?:at\s+)?(\d{1,2})[:.](\d\d))?$",
    re.I,
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def parse_span(text: str) -> timedelta:
    """``"48h"``, ``"+2 days"``, ``"1 week"``. Raises CalendarError."""
    match = _SPAN.match(text.strip())
    if match is None or not int(match[1]):
        raise CalendarError(f"{text.strip()!r} is no length of time; write for example `48h` or `2 days`")
    return timedelta(minutes=int(match[1]) * {"m": 1, "h": 60, "d": 1440, "w": 10080}[match[2][0].lower()])


def parse_when(text: str, *, zone: str, now: datetime, default_hour: int = 20) -> datetime:
    """An absolute time as a GM writes it, to UTC: ``2026-12-04 20:00``, ``4 Dec 20:00``, ``Fri 4 Dec 2026``.

    A date without a year is the next such date (so New Year is understood). A date without a time means
    `default_hour`. Nothing may follow.

    Raises:
        CalendarError: unreadable, impossible, or not in the future; says how it was read.
    """
    words = " ".join(text.split())
    if match := _ISO.match(words):
        year, month, day = int(match[1]), int(match[2]), int(match[3])
        hour, minute = match[4], match[5]
    elif (match := _WORDY.match(words)) and match[2].lower() in _MONTHS:
        month, day = _MONTHS.index(match[2].lower()) + 1, int(match[1])
        year = int(match[3]) if match[3] else _next_year(now.astimezone(ZoneInfo(zone)), month, day)
        hour, minute = match[4], match[5]
    else:
        raise CalendarError(f"{words!r} is no date; write for example `2026-12-04 20:00` or `4 Dec 20:00`")
    try:
        local = datetime(year, month, day, int(hour or default_hour), int(minute or 0), tzinfo=ZoneInfo(zone))
    except ValueError as wrong:
        raise CalendarError(f"{words!r} is no possible date: {wrong}") from None
    at = local_to_utc(local.date(), local.timetz().replace(tzinfo=None), zone)
    if at <= now.astimezone(UTC):
        raise CalendarError(f"{words!r} reads as {in_zone(at, zone)}, which is past")
    return at


def _next_year(local_now: datetime, month: int, day: int) -> int:
    return local_now.year + ((month, day) < (local_now.month, local_now.day))
