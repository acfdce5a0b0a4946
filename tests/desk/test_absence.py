"""Absences that players announce, and the deadlines that wait for them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from gm.clock.calendar import CalendarError
from gm.clock.spans import parse_away
from gm.store.clubtables import Absence
from gm.store.tables import DeadlineChange
from tests.world import GM, World

FRIDAY = datetime(2026, 12, 4, 20, 0, tzinfo=UTC)
"""When the first phase of a started game is due; the calendar gives every Friday."""


def on_file(world: World) -> list[tuple[datetime, datetime]]:
    with world.store.read() as session:
        rows = session.scalars(
            select(Absence).where(Absence.cancelled_at.is_(None)).order_by(Absence.from_at)
        )
        return [(row.from_at, row.to_at) for row in rows]


def causes(world: World) -> list[str]:
    phase = world.phase()
    with world.store.read() as session:
        rows = session.scalars(
            select(DeadlineChange).where(DeadlineChange.phase_id == phase.id).order_by(DeadlineChange.id)
        )
        return [row.cause for row in rows]


def day(number: int, month: int = 12, year: int = 2026, hour: int = 0) -> datetime:
    return datetime(year, month, number, hour, tzinfo=UTC)


# --- reading dates ---------------------------------------------------------------------------------------------


@pytest.mark.case(54)
@pytest.mark.parametrize(
    ("now", "text", "since", "until"),
    [
        (day(1), "20 Dec TO 3 Jan", day(20), day(4, 1, 2027)),
        (day(1), "from 20 Dec until 21 Dec 18:00", day(20), day(21, hour=18)),
        (day(22, hour=12), "20 Dec TO 3 Jan", day(22, hour=12), day(4, 1, 2027)),
        (day(2, 1, 2027, 12), "20 Dec TO 3 Jan", day(2, 1, 2027, 12), day(4, 1, 2027)),
        (day(1, hour=12), "today TO 2026-12-05", day(1, hour=12), day(6)),
        (day(1, hour=12), "tomorrow TO 5 Dec", day(2), day(6)),
        (day(30), "1 Jan TO 28 Feb", day(1, 1, 2027), day(1, 3, 2027)),
    ],
)
def test_first_and_last_day_are_read_and_new_year_is_understood(now, text, since, until):
    away = parse_away(text, zone="UTC", now=now)
    assert (away.since, away.until) == (since, until)


@pytest.mark.case(54)
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("20 Dec TO 3 Jan foo", "'3 Jan foo' is no date"),
        ("20 Dec", "is no first and last day"),
        ("31 Feb TO 3 Mar", "'31 Feb' is no possible date"),
        (
            "2026-11-01 TO 2026-11-05",
            "reads as Sunday 1 November 2026, 00:00 (UTC) to Friday 6 November 2026",
        ),
        ("2026-12-10 TO 2026-12-05", "which ends before it begins"),
        ("3 Jan TO 2 Jan", "which is longer than half a year"),
    ],
)
def test_what_is_no_time_away_is_refused_with_the_reading(text, said):
    with pytest.raises(CalendarError) as wrong:
        parse_away(text, zone="UTC", now=day(1, hour=12))
    assert said in str(wrong.value)


def test_days_are_those_of_the_players_zone(played, seats):
    played.reply(seats["austria"], "ZONE America/New_York")
    (receipt,) = played.reply(seats["austria"], "ABSENT 20 Dec TO 3 Jan")
    assert "Sunday 20 December 2026, 00:00 (America/New_York)" in receipt.flat
    assert on_file(played) == [(day(20, hour=5), day(4, 1, 2027, 5))]


# --- overlaps --------------------------------------------------------------------------------------------------


@pytest.mark.case(62)
@pytest.mark.parametrize(
    ("second", "kept"),
    [
        ("12 Dec TO 20 Dec", [(day(10), day(21))]),
        ("1 Dec TO 12 Dec", [(day(1, hour=12), day(16))]),
        ("11 Dec TO 13 Dec", [(day(10), day(16))]),
        ("8 Dec TO 20 Dec", [(day(8), day(21))]),
        ("16 Dec TO 18 Dec", [(day(10), day(19))]),
        ("10 Dec TO 15 Dec", [(day(10), day(16))]),
        ("17 Dec TO 18 Dec", [(day(10), day(16)), (day(17), day(19))]),
    ],
)
def test_absences_that_overlap_or_touch_are_one(played, seats, second, kept):
    played.reply(GM, "SET absence = none")
    played.reply(seats["austria"], "ABSENT 10 Dec TO 15 Dec")
    played.reply(seats["austria"], f"ABSENT {second}")
    assert on_file(played) == kept


# --- what comes of it ------------------------------------------------------------------------------------------


@pytest.mark.case(62)
@pytest.mark.case(55)
def test_deadline_moves_to_the_first_of_the_calendar_after_the_return_and_all_are_told_why(played, seats):
    mails = played.reply(seats["austria"], "ABSENT 3 Dec TO 8 Dec")
    assert played.phase().due_at == FRIDAY.replace(day=11)
    for who in [*seats.values(), GM]:
        assert any(
            m.to == who and "was moved: the player of Austria is announced absent." in m.flat for m in mails
        )
    receipt = next(m for m in mails if m.kind == "receipt")
    assert "the deadline of Spring 1901, movement is Friday 11 December 2026, 20:00 (UTC)" in receipt.flat
    (answer,) = played.reply(seats["italy"], "WHY DEADLINE")
    assert "Friday 11 December 2026, 20:00 (UTC) (the player of Austria is announced absent)" in answer.flat


def test_nobody_is_named_in_an_anonymous_game(played, seats):
    played.reply(GM, "SET anonymous = on")
    mails = played.reply(seats["austria"], "ABSENT 3 Dec TO 8 Dec")
    others = [m for m in mails if m.to != seats["austria"]]
    assert len(others) == 7
    for mail in others:
        assert "a player who owes orders is announced absent" in mail.flat
        assert "the player of Austria" not in mail.flat
    assert causes(played)[-1] == "a player who owes orders is announced absent"


def test_deadline_waits_no_longer_than_the_limit(played, seats):
    played.reply(GM, "SET absence_days_max = 5")
    played.reply(seats["austria"], "ABSENT 3 Dec TO 20 Dec")
    assert played.phase().due_at == FRIDAY.replace(day=9)
    assert causes(played)[-1].endswith("it waits 5 days at most, by the house rule absence_days_max")
    played.reply(seats["italy"], "ABSENT 3 Dec TO 20 Dec")
    assert played.phase().due_at == FRIDAY.replace(day=9), "the limit counts from the calendar's own deadline"


def test_absences_of_two_players_one_after_the_other_are_both_waited_for(played, seats):
    played.reply(seats["austria"], "ABSENT 3 Dec TO 8 Dec")
    played.reply(seats["italy"], "ABSENT 10 Dec TO 12 Dec")
    assert played.phase().due_at == FRIDAY.replace(day=18)


def test_nobody_waits_for_one_whose_orders_are_in_nor_for_one_who_is_back_in_time(played, seats):
    played.reply(seats["austria"], "NO ORDERS")
    played.reply(seats["austria"], "ABSENT 3 Dec TO 8 Dec")
    played.reply(seats["italy"], "ABSENT 2 Dec TO 3 Dec")
    assert played.phase().due_at == FRIDAY


@pytest.mark.parametrize("rule", ["absence = none", "absence = deputy", "absence_days_max = 0"])
def test_house_rules_may_wait_for_nobody(played, seats, rule):
    played.reply(GM, f"SET {rule}")
    (receipt,) = played.reply(seats["austria"], "ABSENT 3 Dec TO 8 Dec")
    assert "spring99: by its house rules no deadline waits" in receipt.flat
    assert played.phase().due_at == FRIDAY


def test_nobody_is_waited_for_beyond_his_days_of_a_year(played, seats):
    played.reply(GM, "SET absence_days_year = 6")
    played.reply(seats["italy"], "ABSENT 3 Dec TO 8 Dec")
    assert played.phase().due_at == FRIDAY.replace(day=11), "six days are within the limit"
    (receipt,) = played.reply(seats["austria"], "ABSENT 10 Dec TO 16 Dec")
    assert "it does not wait, for that makes more than 6 days in a year" in receipt.flat
    assert played.phase().due_at == FRIDAY.replace(day=11)


def test_absence_from_one_game_leaves_the_others_alone(played, seats):
    played.create("autumn99")
    for n in range(7):
        played.join(f"p{n}@club.example", f"JOIN autumn99 AS Player {n}")
    before = played.phase("autumn99").due_at
    played.reply(seats["austria"], "ABSENT 3 Dec TO 8 Dec FROM spring99")
    assert played.phase("spring99").due_at == FRIDAY.replace(day=11)
    assert played.phase("autumn99").due_at == before


def test_phase_that_opens_before_an_absence_gets_its_later_deadline_at_once_and_says_why(played, seats):
    played.reply(seats["austria"], "ABSENT 10 Dec TO 13 Dec")
    for power, who in seats.items():
        played.reply(who, "NO ORDERS")
        if power == "italy":
            played.reply(who, "WAIT")
    played.skip(days=3, hours=8, minutes=1)
    mails = played.tick(minutes=1)
    assert played.phase().name == "F1901M"
    assert played.phase().due_at == FRIDAY.replace(day=18)
    report = next(m for m in mails if m.to == seats["italy"])
    assert "The deadline was moved: the player of Austria is announced absent." in report.flat
    assert "Friday 18 December 2026, 20:00 (UTC)" in report.flat


def test_absence_taken_back_brings_the_old_deadline_back(played, seats):
    played.reply(seats["austria"], "ABSENT 3 Dec TO 8 Dec")
    mails = played.reply(seats["austria"], "CANCEL ABSENCE")
    assert played.phase().due_at == FRIDAY
    assert causes(played)[-1] == "an absence was taken back"
    assert {m.to for m in mails if "an absence was taken back" in m.flat} == {*seats.values(), GM}
    assert on_file(played) == []


def test_absences_are_listed_to_the_player_and_to_the_gm_and_to_nobody_else(played, seats):
    played.reply(seats["austria"], "ABSENT 20 Dec TO 3 Jan")
    (mine,) = played.reply(seats["austria"], "ABSENCES")
    assert "1. all games, Sunday 20 December 2026, 00:00 (UTC) to Monday 4 January 2027, 00:00" in mine.flat
    (gms,) = played.reply(GM, "ABSENCES")
    assert "Austria (Player" in gms.flat
    (others,) = played.reply(seats["italy"], "ABSENCES")
    assert "Austria" not in others.flat
    assert "none" in others.flat


def test_number_that_is_none_of_the_list_is_refused(played, seats):
    (receipt,) = played.reply(seats["austria"], "CANCEL ABSENCE")
    assert "You have no absence on file." in receipt.flat
    played.reply(seats["austria"], "ABSENT 20 Dec TO 3 Jan\nABSENT 10 Jan TO 12 Jan")
    (receipt,) = played.reply(seats["austria"], "CANCEL ABSENCE\nCANCEL ABSENCE 3")
    assert "You have 2 on file; name one by its number." in receipt.flat
    assert "'3' is not a number from 1 to 2." in receipt.flat
