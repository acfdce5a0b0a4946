"""Days on which no deadline falls: skipped weekdays and holidays, as a GM writes them."""

from __future__ import annotations

import re
from calendar import isleap
from datetime import UTC, date, datetime, timedelta

from rapidfuzz import process

from gm.clock.calendar import WEEKDAYS, Calendar, CalendarError

YEARS = range(2020, 2121)
"""The years in which a holiday of every year is kept."""
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
LEAP = 2024

_ISO = re.compile(r"(\d{4})-(\d\d?)-(\d\d?)$")
_DAY_MONTH = re.compile(r"(\d{1,2})\.?\s+([a-z]+)\.?(?:\s+(\d{4}))?$", re.I)


def parse_skip(text: str) -> frozenset[int]:
    """``"Sat, Sun"`` to numbers of weekdays (0: Monday). ``"none"``: none. Raises CalendarError."""
    return frozenset(_weekday(word) for word in _parts(text))


def parse_holidays(text: str) -> frozenset[date]:
    """``"24 Dec, 25 Dec, 2027-01-01"`` to days; without a year: that day of every year of `YEARS`.

    Raises:
        CalendarError: a part is no day, or no possible one.
    """
    found: set[date] = set()
    for part in _parts(text):
        found |= _days(part)
    return frozenset(found)


def gives_deadlines(calendar: Calendar) -> None:
    """Raises CalendarError if some kind of phase would find no deadline within ten years."""
    start = datetime(2026, 1, 1, tzinfo=UTC)
    for kind in ("movement", *calendar.by_kind):
        calendar.next_deadline(kind, opened_at=start, last_due=None, notice=timedelta(0))


def month_named(word: str) -> int | None:
    """The number of a month by its English name, or at least three letters of it; None if it is none."""
    return next(
        (n for n, name in enumerate(MONTHS, 1) if len(word) >= 3 and name.startswith(word.lower())), None
    )


def _parts(text: str) -> list[str]:
    if text.strip().lower() in ("", "none", "no"):
        return []
    return [part.strip() for part in re.split(r"[,;]", text) if part.strip()]


def _weekday(word: str) -> int:
    folded = word.lower().rstrip(".")
    for number, name in enumerate(WEEKDAYS):
        if len(folded) >= 2 and name.startswith(
            folded.removesuffix("s") if folded.endswith("days") else folded
        ):
            return number
    near = process.extractOne(folded, WEEKDAYS)[0].capitalize()
    raise CalendarError(
        f"{word!r} is no weekday (did you mean {near}?); write for example `Sat, Sun`, or `none`"
    )


def _days(part: str) -> set[date]:
    words = " ".join(part.split())
    try:
        if match := _ISO.match(words):
            return {date(int(match[1]), int(match[2]), int(match[3]))}
        if (match := _DAY_MONTH.match(words)) and (month := month_named(match[2])):
            if match[3]:
                return {date(int(match[3]), month, int(match[1]))}
            day = date(LEAP, month, int(match[1])).day
            return {date(y, month, day) for y in YEARS if (month, day) != (2, 29) or isleap(y)}
    except ValueError as wrong:
        raise CalendarError(f"{words!r} is no possible date: {wrong}") from None
    raise CalendarError(f"{words!r} is no day; write for example `24 Dec, 25 Dec, 2027-01-01`, or `none`")
