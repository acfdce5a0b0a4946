"""Deadline rules as GMs write them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gm.clock.calendar import CalendarError, parse_calendar
from gm.clock.words import for_reader, in_zone, parse_span, parse_when

NOTICE = timedelta(hours=12)


def deadlines(
    text: str, start: datetime, kinds: list[str], *, late: timedelta, **more: object
) -> list[datetime]:
    """The deadlines of phases that each run `late` after the last one was due."""
    calendar = parse_calendar(text, **more)  # type: ignore[arg-type]  # fields by name
    found: list[datetime] = []
    opened, due = start, None
    for kind in kinds:
        due = calendar.next_deadline(kind, opened_at=opened, last_due=due, notice=NOTICE)
        assert due is not None
        found.append(due)
        opened = due + late
    return found


@pytest.mark.case(53)
@pytest.mark.parametrize(
    "zone", ["Europe/Berlin", "Europe/London", "America/Los_Angeles", "Australia/Lord_Howe"]
)
def test_weekly_deadline_keeps_its_wall_clock_time_over_sixty_late_turns_and_both_dst_switches(zone):
    late = timedelta(hours=7, minutes=13)
    found = deadlines(
        f"every Friday 20:00 {zone}", datetime(2026, 1, 5, 9, tzinfo=UTC), ["movement"] * 60, late=late
    )
    local = [due.astimezone(ZoneInfo(zone)) for due in found]
    assert {(d.weekday(), d.hour, d.minute) for d in local} == {(4, 20, 0)}
    assert {(b.date() - a.date()).days for a, b in pairwise(local)} == {7}
    assert len({d.utcoffset() for d in local}) == 2, "the year has both a summer and a winter time"


def test_deadline_in_the_spring_gap_comes_after_it_and_in_the_autumn_overlap_is_the_earlier():
    spring, autumn = datetime(2026, 3, 28, 12, tzinfo=UTC), datetime(2026, 10, 24, 12, tzinfo=UTC)
    rule = "daily 02:30 Europe/Berlin"
    assert deadlines(rule, spring, ["movement"], late=NOTICE) == [datetime(2026, 3, 29, 1, 30, tzinfo=UTC)]
    assert deadlines(rule, autumn, ["movement"], late=NOTICE) == [datetime(2026, 10, 25, 0, 30, tzinfo=UTC)]


def test_length_per_kind_of_phase():
    found = deadlines(
        "moves 7 days, retreats 2 days, builds 3 days at 20:00 UTC",
        datetime(2026, 12, 1, 20, tzinfo=UTC),
        ["movement", "retreats", "movement", "adjustments"],
        late=timedelta(minutes=1),
    )
    assert [d.day for d in found] == [8, 10, 17, 20]


def test_every_two_weeks_counts_from_the_last_deadline():
    found = deadlines(
        "every 2 weeks on Sunday 18:00 UTC",
        datetime(2026, 12, 1, tzinfo=UTC),
        ["movement"] * 4,
        late=timedelta(days=2),
    )
    assert [d.date() for d in found] == [
        date(2026, 12, 6),
        date(2026, 12, 20),
        date(2027, 1, 3),
        date(2027, 1, 17),
    ]


def test_two_weekdays_alternate():
    found = deadlines(
        "every Tue, Fri 20:00 UTC",
        datetime(2026, 12, 1, 12, tzinfo=UTC),
        ["movement"] * 3,
        late=timedelta(hours=1),
    )
    assert [d.date() for d in found] == [date(2026, 12, 4), date(2026, 12, 8), date(2026, 12, 11)]


def test_skipped_weekdays_and_holidays():
    found = deadlines(
        "daily 16:30 UTC",
        datetime(2026, 12, 23, 17, tzinfo=UTC),
        ["movement"] * 2,
        late=timedelta(0),
        skip_weekdays=frozenset({5, 6}),
        skip_dates=frozenset({date(2026, 12, 24), date(2026, 12, 25)}),
    )
    assert [d.date() for d in found] == [date(2026, 12, 28), date(2026, 12, 29)]


def test_calendar_that_skips_every_day_is_an_error():
    calendar = parse_calendar("daily 16:30 UTC", skip_weekdays=frozenset(range(7)))
    with pytest.raises(CalendarError, match="gives no deadline"):
        calendar.next_deadline(
            "movement", opened_at=datetime(2026, 12, 1, tzinfo=UTC), last_due=None, notice=NOTICE
        )


def test_turn_that_ran_early_counts_from_when_it_ran():
    calendar = parse_calendar("every 3 days 18:00 UTC")
    due = calendar.next_deadline(
        "movement",
        opened_at=datetime(2026, 12, 2, 9, tzinfo=UTC),
        last_due=datetime(2026, 12, 4, 18, tzinfo=UTC),
        notice=NOTICE,
    )
    assert due == datetime(2026, 12, 5, 18, tzinfo=UTC)


def test_notice_is_kept_when_a_turn_ran_very_late():
    calendar = parse_calendar("every 3 days 18:00 UTC")
    due = calendar.next_deadline(
        "movement",
        opened_at=datetime(2026, 12, 10, 9, tzinfo=UTC),
        last_due=datetime(2026, 12, 4, 18, tzinfo=UTC),
        notice=NOTICE,
    )
    assert due == datetime(2026, 12, 11, 18, tzinfo=UTC)


@pytest.mark.case(60)
def test_four_hundred_day_phase():
    found = deadlines(
        "moves 400 days at 20:00 UTC", datetime(2026, 12, 1, tzinfo=UTC), ["movement"], late=NOTICE
    )
    assert found == [datetime(2028, 1, 5, 20, tzinfo=UTC)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("every Fraday 20:00", "did you mean Friday?"),
        ("every Friday", "is not a calendar; for example"),
        ("every Friday 25:00", "25:00 in 'every Friday 25:00' is no time of day"),
        ("every Friday 20:00 Europe/Lundon", "Europe/London"),
        ("every 0 days 20:00", "leaves no time"),
        ("moves 0 days at 20:00", "from 1 to 400 days"),
        ("raids 3 days at 20:00", "'raids 3 days' is not a length"),
        ("moves 7 days", "has no time of day"),
        ("every Friday 20:00 and then some", "is not a calendar"),
    ],
)
def test_wrong_calendar_is_refused_with_the_right_form(text, words):
    with pytest.raises(CalendarError, match=words.replace("?", r"\?").replace("(", r"\(")):
        parse_calendar(text)


@given(st.text(max_size=60))
def test_any_text_is_a_calendar_or_an_error_that_says_why(text):
    try:
        parse_calendar(text)
    except CalendarError as wrong:
        assert str(wrong)


NOW = datetime(2026, 12, 29, 12, tzinfo=UTC)


@pytest.mark.case(54)
@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2027-01-08 20:00", datetime(2027, 1, 8, 19, tzinfo=UTC)),
        ("8 Jan 20:30", datetime(2027, 1, 8, 19, 30, tzinfo=UTC)),
        ("Fri 8 January 2027, 18:00", datetime(2027, 1, 8, 17, tzinfo=UTC)),
        ("31 Dec", datetime(2026, 12, 31, 19, tzinfo=UTC)),
    ],
)
def test_dates_as_gms_write_them_with_new_year_understood(text, at):
    assert parse_when(text, zone="Europe/Berlin", now=NOW) == at


@pytest.mark.case(54)
@pytest.mark.parametrize(
    "text", ["10 Jan foo", "2027-02-30 20:00", "2026-12-28 20:00", "soon", "", "04/05/2027"]
)
def test_impossible_past_or_trailing_junk_is_refused(text):
    with pytest.raises(CalendarError):
        parse_when(text, zone="Europe/Berlin", now=NOW)


@pytest.mark.parametrize(
    ("text", "hours"), [("48h", 48), ("+2 days", 48), ("1 week", 168), ("90 minutes", 1.5)]
)
def test_spans(text, hours):
    assert parse_span(text) == timedelta(hours=hours)


@pytest.mark.parametrize("text", ["", "0h", "-2 days", "2 fortnights", "48h please"])
def test_wrong_spans(text):
    with pytest.raises(CalendarError, match="is no length of time"):
        parse_span(text)


@pytest.mark.case(58)
def test_reader_sees_his_own_zone_and_the_games_where_they_differ():
    at = datetime(2026, 12, 4, 20, tzinfo=UTC)
    assert in_zone(at, "Europe/Berlin") == "Friday 4 December 2026, 21:00 (Europe/Berlin)"
    assert for_reader(at, "Europe/London", "UTC") == "Friday 4 December 2026, 20:00 (Europe/London)"
    assert for_reader(at, "Asia/Tokyo", "UTC") == (
        "Saturday 5 December 2026, 05:00 (Asia/Tokyo), that is Friday 4 December 2026, 20:00 (UTC)"
    )
