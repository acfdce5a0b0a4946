"""A deadline rule in one line, and the deadlines that it gives.

::

    every Friday 20:00 Europe/London
    every Tue, Fri 20:00 Europe/Berlin; retreats 2 days; builds 2 days
    daily 16:30 America/Los_Angeles
    every 2 weeks on Sunday 18:00 UTC
    every 3 days 18:00 UTC
    moves 7 days, retreats 2 days, builds 2 days at 20:00 Europe/London
    every 15 minutes
    none

A rule counts from the deadline that was, not from the moment when the turn was run, so late processing never makes
it creep. Times are local wall-clock times: a time that a DST change skips moves to the first instant after the gap,
one that occurs twice is the earlier.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, available_timezones

from rapidfuzz import process

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

KINDS = {
    "move": "movement", "moves": "movement", "movement": "movement", "orders": "movement",
    "retreat": "retreats", "retreats": "retreats",
    "build": "adjustments", "builds": "adjustments", "adjustment": "adjustments", "adjustments": "adjustments",
    "setup": "setup",
}  # fmt: skip
"""Words for a kind of phase, as GMs write them."""

SEARCH_DAYS = 3700
"""How far a rule is searched for its next day that is not skipped: ten years."""


class CalendarError(ValueError):
    """A calendar that cannot be read, or that gives no future deadline. The message says what would be right."""


@dataclass(frozen=True)
class Slots:
    """Deadlines on given weekdays at one local time, every `weeks` weeks."""

    weekdays: tuple[int, ...]
    """0 is Monday."""
    at: time
    weeks: int = 1


@dataclass(frozen=True)
class Days:
    """A deadline so many days after the last one, at one local time."""

    days: int
    at: time


@dataclass(frozen=True)
class Span:
    """A deadline so much time after the phase opened; for quick games and tests."""

    length: timedelta


Rule = Slots | Days | Span


@dataclass(frozen=True)
class Calendar:
    """A deadline rule with its zone and exceptions."""

    text: str
    """As written."""
    zone: str
    default: Rule | None
    """None: the GM sets each deadline by hand."""
    by_kind: Mapping[str, Rule] = field(default_factory=dict)
    skip_weekdays: frozenset[int] = frozenset()
    skip_dates: frozenset[date] = frozenset()

    def next_deadline(
        self, kind: str, *, opened_at: datetime, last_due: datetime | None, notice: timedelta
    ) -> datetime | None:
        """When a phase that opens now is due, in UTC; None if the calendar is ``none``.

        Args:
            kind: of the phase: ``"movement"``, ``"retreats"``, ...
            opened_at: now.
            last_due: the deadline of the phase before, as it finally stood; None if there was none.
            notice: the deadline is never nearer than this.

        Raises:
            CalendarError: every day within ten years is skipped.
        """
        rule = self.by_kind.get(kind, self.default)
        if rule is None:
            return None
        earliest = opened_at + notice
        if isinstance(rule, Span):
            return max(opened_at + rule.length, earliest)
        anchor = opened_at if last_due is None else last_due
        zone = ZoneInfo(self.zone)
        if isinstance(rule, Days):
            # A turn that ran early counts from when it ran; one that ran late counts from when it was due.
            first = min(anchor, opened_at).astimezone(zone).date() + timedelta(days=rule.days)
            return self._search(first, earliest, rule.at, lambda _day: True)
        after = max(earliest, anchor + timedelta(seconds=1)) if last_due is not None else earliest
        monday = _monday(anchor.astimezone(zone).date())

        def fits(day: date) -> bool:
            return day.weekday() in rule.weekdays and (_monday(day) - monday).days // 7 % rule.weeks == 0

        if rule.weeks > 1 and last_due is None:
            return self._search(
                earliest.astimezone(zone).date(), earliest, rule.at, lambda d: d.weekday() in rule.weekdays
            )
        return self._search(after.astimezone(zone).date(), after, rule.at, fits)

    def _search(self, first: date, earliest: datetime, at: time, fits: object) -> datetime:
        assert callable(fits)
        for n in range(SEARCH_DAYS):
            day = first + timedelta(days=n)
            if not fits(day) or day in self.skip_dates or day.weekday() in self.skip_weekdays:
                continue
            due = local_to_utc(day, at, self.zone)
            if due >= earliest:
                return due
        raise CalendarError(f"the calendar {self.text!r} skips every day: it gives no deadline")


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def local_to_utc(day: date, at: time, zone: str) -> datetime:
    """A local wall-clock time as UTC: the earlier of two; in a gap, moved forward by the gap's length."""
    return datetime.combine(day, at, ZoneInfo(zone)).astimezone(UTC)


_AT = r"(?P<hour>\d{1,2})[:.](?P<minute>\d\d)"
_SLOTS = re.compile(
    rf"every\s+(?:(?P<weeks>\d+)\s+weeks?\s+on\s+)?(?P<days>[a-z, ]+?)\s+(?:at\s+)?{_AT}$", re.I
)
_DAILY = re.compile(rf"(?:daily|every\s+day|every\s+(?P<days>\d+)\s+days?)\s+(?:at\s+)?{_AT}$", re.I)
_SPAN = re.compile(r"every\s+(?P<n>\d+)\s+(?P<unit>seconds?|minutes?|hours?)$", re.I)
_KIND = re.compile(r"(?P<kind>[a-z]+)\s+(?P<days>\d+)(?:\s+days?)?$", re.I)
_KIND_AT = re.compile(rf"\s+at\s+{_AT}$", re.I)
_ZONE = re.compile(r"\s+(?P<zone>UTC|GMT|[A-Za-z_]+/[A-Za-z_/+-]+\d*)$")

EXAMPLES = (
    "for example `every Friday 20:00 Europe/London`, `daily 16:30 UTC`, "
    "or `moves 7 days, retreats 2 days at 20:00 UTC`"
)


def zone_named(name: str) -> str:
    """The IANA zone of this name in any case. Raises CalendarError with the nearest names."""
    folded = {z.lower(): z for z in available_timezones()}
    if found := folded.get(name.strip().lower()):
        return found
    near = [z for z, _score, _i in process.extract(name, sorted(folded.values()), limit=3)]
    raise CalendarError(f"there is no time zone {name!r}; near it: {', '.join(near)}")


def parse_calendar(
    text: str,
    *,
    zone: str = "UTC",
    skip_weekdays: frozenset[int] = frozenset(),
    skip_dates: frozenset[date] = frozenset(),
) -> Calendar:
    """Read a deadline rule. `zone` holds where the text names none.

    Raises:
        CalendarError: with what was read and an example of what would be right.
    """
    rest = " ".join(text.split())
    if rest.lower() in ("none", "by hand", "manual"):
        return Calendar(text=rest, zone=zone, default=None)
    main, *others = [part.strip() for part in rest.split(";")]
    if match := _ZONE.search(main):
        zone = zone_named(match["zone"])
        main = main[: match.start()].strip()
    default: Rule | None = None
    by_kind: dict[str, Rule] = {}
    if not re.match(r"every|daily", main, re.I):
        match = _KIND_AT.search(main)
        if match is None:
            raise CalendarError(f"{text!r} has no time of day; {EXAMPLES}")
        at = _time(match, text)
        by_kind = {kind: Days(days, at) for kind, days in map(_kind_days, main[: match.start()].split(","))}
        default = by_kind.get("movement", next(iter(by_kind.values())))
    else:
        default = _rule(main, text)
        at = default.at if not isinstance(default, Span) else time(20)
    for part in (p.strip() for other in others for p in other.split(",")):
        kind, days = _kind_days(part)
        by_kind[kind] = Days(days, at)
    return Calendar(
        text=rest,
        zone=zone,
        default=default,
        by_kind=by_kind,
        skip_weekdays=skip_weekdays,
        skip_dates=skip_dates,
    )


def _rule(main: str, text: str) -> Rule:
    if match := _SPAN.match(main):
        seconds = int(match["n"]) * {"s": 1, "m": 60, "h": 3600}[match["unit"][0].lower()]
        if not seconds:
            raise CalendarError(f"{text!r} leaves no time to order; {EXAMPLES}")
        return Span(timedelta(seconds=seconds))
    if match := _DAILY.match(main):
        days = int(match["days"] or 1)
        if not days:
            raise CalendarError(f"{text!r} leaves no time to order; {EXAMPLES}")
        return Days(days, _time(match, text))
    if match := _SLOTS.match(main):
        weeks = int(match["weeks"] or 1)
        if not weeks:
            raise CalendarError(f"{text!r} leaves no time to order; {EXAMPLES}")
        words = [w for w in re.split(r"[ ,]+", match["days"].lower()) if w and w != "and"]
        return Slots(tuple(sorted({_weekday(w, text) for w in words})), _time(match, text), weeks)
    raise CalendarError(f"{text!r} is not a calendar; {EXAMPLES}")


def _weekday(word: str, text: str) -> int:
    for number, name in enumerate(WEEKDAYS):
        if len(word) >= 3 and name.startswith(word.rstrip("s") if word.endswith("days") else word):
            return number
    near = process.extractOne(word, WEEKDAYS)[0].capitalize()
    raise CalendarError(f"{word!r} in {text!r} is no weekday (did you mean {near}?)")


def _time(match: re.Match[str], text: str) -> time:
    try:
        return time(int(match["hour"]), int(match["minute"]))
    except ValueError:
        raise CalendarError(f"{match['hour']}:{match['minute']} in {text!r} is no time of day") from None


def _kind_days(part: str) -> tuple[str, int]:
    match = _KIND.match(part.strip())
    if match is None or match["kind"].lower() not in KINDS:
        raise CalendarError(
            f"{part.strip()!r} is not a length for a kind of phase; for example `retreats 2 days`"
        )
    if not 1 <= (days := int(match["days"])) <= 400:
        raise CalendarError(f"{part.strip()!r}: a phase lasts from 1 to 400 days")
    return KINDS[match["kind"].lower()], days
