"""Whole games under a calendar, each turn run late: deadlines stay on the calendar across both changes of clocks."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select

from gm.store.tables import DeadlineChange
from tests.world import GM, World

LONDON = ZoneInfo("Europe/London")


def deadlines_run_late(world: World, turns: int) -> list[datetime]:
    """The deadlines of so many turns, each of which is run up to seven hours late."""
    found = []
    for n in range(turns):
        phase = world.phase()
        assert phase is not None
        assert phase.ordinal == n + 1
        found.append(phase.due_at)
        late = timedelta(minutes=(n * 97) % 420 + 1)
        world.skip(seconds=(phase.due_at + late - world.now).total_seconds())
        world.tick()
    return found


def local(days: list[date], at: time, zone: ZoneInfo) -> list[datetime]:
    return [datetime.combine(day, at, zone).astimezone(UTC) for day in days]


@pytest.mark.case(53)
@pytest.mark.case(55)
def test_ten_turns_six_weeks_apart_across_both_changes(one_world):
    world = one_world(
        "calendar = every 6 weeks on Sunday 20:00 Europe/London", "nmr_out = 0", "reminder_hours = 0"
    )
    days = [date(2026, 12, 6) + timedelta(weeks=6 * n) for n in range(10)]
    assert deadlines_run_late(world, 10) == local(days, time(20), LONDON)
    offsets = {due.astimezone(LONDON).utcoffset() for due in local(days, time(20), LONDON)}
    assert offsets == {timedelta(0), timedelta(hours=1)}, "winter and summer time are both among them"


@pytest.mark.slow
@pytest.mark.case(53)
@pytest.mark.case(55)
def test_sixty_weekly_turns_across_both_changes(one_world):
    world = one_world("calendar = every Sunday 20:00 Europe/London", "nmr_out = 0")
    days = [date(2026, 12, 6) + timedelta(weeks=n) for n in range(60)]
    assert deadlines_run_late(world, 60) == local(days, time(20), LONDON)
    with world.store.read() as session:
        actors = list(session.scalars(select(DeadlineChange.actor)))
    assert actors.count("calendar") == 61, "one logged cause a phase"
    assert set(actors) - {"gm"} == {"calendar"}


@pytest.mark.slow
@pytest.mark.case(53)
def test_sixty_turns_with_skipped_days_holidays_and_an_extension_for_the_late_each_time(one_world):
    world = one_world(
        "calendar = every Mon, Thu 18:30 America/New_York",
        "skip = Mon",
        "holidays = 24 Dec, 31 Dec",
        "nmr_out = 0",
        "nmr_extend_hours = 24",
    )
    thursdays = [date(2026, 12, 3) + timedelta(weeks=n) for n in range(64)]
    days = [day for day in thursdays if (day.month, day.day) not in ((12, 24), (12, 31))][:60]
    expected = local(days, time(18, 30), ZoneInfo("America/New_York"))
    found = []
    for n in range(60):
        phase = world.phase()
        assert phase.ordinal == n + 1
        found.append(phase.due_at)
        world.skip(seconds=(phase.due_at + timedelta(minutes=10) - world.now).total_seconds())
        world.tick()
        assert world.phase().due_at == found[-1] + timedelta(hours=24)
        world.skip(hours=24)
        world.tick()
    assert found == expected


@pytest.fixture
def one_world(one_store):
    """A game of seven with these house rules, in which nobody sends orders."""

    def start(*rules: str) -> World:
        world = World(one_store)
        world.start_diplomacy()
        world.reply(GM, "\n".join(f"SET {rule}" for rule in rules))
        return world

    return start
