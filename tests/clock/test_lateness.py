"""What follows when orders are missing at a deadline, calendars that leave days out."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import select

from gm.clock.holidays import parse_holidays, parse_skip
from gm.store.tables import DeadlineChange
from gm.turns.settings import GameSettings, SettingError, settings_for
from tests.world import GM, World

FIRST = datetime(2026, 12, 4, 20, 0, tzinfo=UTC)
"""When the first phase of a started game is due: Friday evening."""
DUE = {"days": 3, "hours": 8, "minutes": 1}
"""From the start of a game to just after that."""


def everybody(world: World, seats: dict[str, str], *but: str) -> None:
    for power, who in seats.items():
        if power not in but:
            world.reply(who, "NO ORDERS")


# --- orders missing at the deadline ----------------------------------------------------------------------------


@pytest.mark.case(56)
@pytest.mark.case(66)
def test_deadline_is_extended_once_a_phase_for_the_late_and_told_once_to_all_without_names(played, seats):
    played.reply(GM, "SET nmr_extend_hours = 24")
    everybody(played, seats, "austria", "italy")
    played.skip(**DUE)
    mails = [*played.tick(), *played.tick(minutes=5)]
    assert played.phase().name == "S1901M"
    assert played.phase().due_at == FIRST + timedelta(hours=24)
    assert sorted(m.to for m in mails) == sorted([*seats.values(), GM])
    for mail in mails:
        assert "it moves once by 24 hours by the house rule nmr_extend_hours" in mail.flat
        assert mail.subject.endswith("new deadline for Spring 1901, movement")
        assert all(name not in mail.flat for name in ("Italy", "Austria")) or mail.power in (
            "italy",
            "austria",
        )
    played.skip(days=1)
    played.tick()
    assert played.phase().name == "F1901M", "the second time it runs"


@pytest.mark.case(56)
def test_extension_is_not_spent_when_orders_are_in_explicit_empty_ones_count(played, seats):
    played.reply(GM, "SET nmr_extend_hours = 24")
    played.reply(seats["austria"], "A VIE - GAL")
    everybody(played, seats, "austria")
    played.skip(**DUE)
    played.tick()
    assert played.phase().name == "F1901M"
    with played.store.read() as session:
        actors = list(session.scalars(select(DeadlineChange.actor)))
    assert set(actors) == {"calendar"}


def test_every_phase_has_an_extension_of_its_own_and_the_calendar_does_not_creep(played, seats):
    played.reply(GM, "SET nmr_extend_hours = 24\nSET nmr_out = 0")
    for n in range(3):
        assert played.phase().due_at == FIRST + timedelta(weeks=n)
        everybody(played, seats, "austria")
        played.now = FIRST + timedelta(weeks=n, minutes=1) - timedelta(hours=1)
        played.skip(hours=1)
        played.tick()
        assert played.phase().due_at == FIRST + timedelta(weeks=n, days=1)
        played.skip(days=1)
        played.tick()
        assert played.phase().ordinal == n + 2


@pytest.mark.case(63)
def test_phase_waits_so_many_days_for_the_late_and_then_runs(played, seats):
    played.reply(GM, "SET nmr = wait\nSET nmr_wait_days = 2")
    everybody(played, seats, "austria")
    played.skip(**DUE)
    mails = played.tick()
    assert {m.to for m in mails} == {seats["austria"], GM}
    late = next(m for m in mails if m.to == seats["austria"])
    assert "The turn waits until Sunday 6 December 2026, 20:00 (UTC)." in late.flat
    played.skip(days=1, hours=23, minutes=58)
    assert played.tick() == []
    assert played.phase().name == "S1901M"
    played.skip(minutes=2)
    mails = played.tick()
    assert played.phase().name == "F1901M"
    assert "No moves received from: Austria." in next(m for m in mails if m.to == seats["italy"]).flat


@pytest.mark.case(64)
def test_late_orders_that_come_while_the_phase_waits_run_it_at_once(played, seats):
    played.reply(GM, "SET nmr = wait\nSET nmr_wait_days = 2")
    everybody(played, seats, "austria")
    played.skip(**DUE)
    played.tick()
    mails = played.reply(seats["france"], "PRESS TO Italy: we wait")
    assert any(m.kind == "press" for m in mails), "press stays open for those who wait"
    played.reply(seats["austria"], "NO ORDERS")
    mails = played.tick(minutes=1)
    assert played.phase().name == "F1901M"
    assert "No moves received" not in next(m for m in mails if m.to == seats["italy"]).flat


def test_menes_puts_out_after_three_and_other_games_after_two():
    assert settings_for("menes").nmr_out == 3
    assert settings_for("diplomacy") == GameSettings()
    assert GameSettings().nmr_out == 2


@pytest.mark.case(59)
def test_strict_game_runs_at_its_deadline_exactly(played, seats):
    played.reply(GM, "SET strict = on\nSET grace_hours = 24")
    everybody(played, seats)
    played.tick(minutes=30)
    assert played.phase().name == "S1901M", "not early"
    assert played.phase().grace_until is None


@pytest.mark.case(59)
def test_early_run_waits_for_the_delay_after_the_last_change(played, seats):
    played.reply(GM, "SET early_delay_minutes = 60")
    everybody(played, seats)
    played.tick(minutes=50)
    assert played.phase().name == "S1901M"
    played.reply(seats["austria"], "A VIE - GAL")
    played.reply(seats["austria"], "READY")
    played.tick(minutes=50)
    assert played.phase().name == "S1901M", "the hour begins anew"
    played.tick(minutes=20)
    assert played.phase().name == "F1901M"


# --- days left out ---------------------------------------------------------------------------------------------


def test_days_are_read_as_gms_write_them():
    assert parse_skip("Sat, Sundays") == {5, 6}
    assert parse_skip("none") == frozenset()
    days = parse_holidays("24 Dec, 2027-01-01, 29 Feb")
    assert {date(2026, 12, 24), date(2030, 12, 24), date(2027, 1, 1), date(2028, 2, 29)} <= days
    assert date(2028, 1, 1) not in days


@pytest.mark.parametrize(
    ("rule", "value", "said"),
    [
        ("skip", "Fryday", "'Fryday' is no weekday (did you mean Friday?)"),
        ("skip", "Fri", "skips every day: it gives no deadline"),
        ("holidays", "31 Feb", "'31 Feb' is no possible date"),
        ("holidays", "Xmas", "'Xmas' is no day; write for example `24 Dec, 25 Dec, 2027-01-01`"),
        ("holidays", "25 Dec foo", "'25 Dec foo' is no day"),
        ("absence", "maybe", "absence must be one of wait, deputy, none"),
        ("standby", "maybe", "standby must be one of gm, auto, none"),
    ],
)
def test_house_rules_that_cannot_be_are_refused_with_what_would_be_right(rule, value, said):
    with pytest.raises(SettingError) as wrong:
        GameSettings().changed(rule, value)
    assert said in str(wrong.value)


def test_holiday_moves_the_deadline_to_the_next_day_of_the_calendar_and_says_why(played, seats):
    played.reply(GM, "SET holidays = 4 Dec, 2026-12-11")
    assert played.phase().due_at == FIRST + timedelta(weeks=2)
    (answer,) = played.reply(seats["italy"], "WHY DEADLINE")
    assert "new calendar: every Friday 20:00 UTC, never on 4 Dec, 2026-12-11" in answer.flat
    played.reply(GM, "SET calendar = daily 20:00 UTC\nSET skip = Wed, Thu")
    assert played.phase().due_at == datetime(2026, 12, 5, 20, 0, tzinfo=UTC), (
        "Tuesday is too near by a day's length, Wednesday and Thursday are skipped, Friday the 4th is a holiday"
    )
