"""Deadlines in a running game: moved, paused, missed, jumped over."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import event, select

from gm.app.work import look_at_clock, read_mail, run_one
from gm.store.tables import DeadlineChange, PhaseRow
from gm.turns.heartbeat import clock_in_doubt, confirm_clock, postpone_missed
from gm.turns.reminders import phases_to_remind
from tests.world import GM, START, World

FIRST = datetime(2026, 12, 4, 20, 0, tzinfo=UTC)
"""When the first phase of a started game is due: Friday evening."""


def everybody(world: World, seats: dict[str, str], text: str = "NO ORDERS") -> None:
    for who in seats.values():
        world.reply(who, text)


@pytest.mark.case(57)
def test_extended_twice_paused_and_resumed_gives_exact_times(played):
    played.reply(GM, "EXTEND 24h")
    assert played.phase().due_at == FIRST + timedelta(hours=24)
    played.reply(GM, "EXTEND 2 days")
    assert played.phase().due_at == FIRST + timedelta(days=3)
    played.reply(GM, "PAUSE Christmas")
    assert (played.game().status, played.phase().due_at) == ("paused", None)
    played.tick(days=6)
    assert played.phase().name == "S1901M"
    played.reply(GM, "GAME spring99\nRESUME")
    assert played.phase().due_at == datetime(2026, 12, 11, 20, 0, tzinfo=UTC), (
        "the next Friday, more than 12 h away"
    )


@pytest.mark.case(57)
@pytest.mark.case(66)
def test_two_of_the_same_in_one_mail_are_two_events_and_each_is_told(played, seats):
    mails = played.reply(GM, "EXTEND 24h\nEXTEND 24h\nPAUSE\nRESUME\nPAUSE")
    told = [m.subject for m in mails if m.to == seats["italy"]]
    assert len(told) == 5
    assert len({m.mail["Message-ID"] for m in mails}) == len(mails)
    assert played.game().status == "paused"


@pytest.mark.case(55)
@pytest.mark.case(58)
def test_every_change_has_one_cause_which_is_mailed_to_all_with_time_and_zone(played, seats):
    mails = played.reply(GM, "EXTEND 24h")
    for who in seats.values():
        (notice,) = [m for m in mails if m.to == who]
        assert "was moved: extended by the GM by 24h." in notice.flat
        assert "Deadline: Saturday 5 December 2026, 20:00 (UTC)" in notice.flat
    (receipt,) = played.reply(seats["turkey"], "WHY DEADLINE")
    assert "the calendar of the game: every Friday 20:00 UTC" in receipt.flat
    assert "extended by the GM by 24h" in receipt.flat
    with played.store.read() as session:
        assert len(session.scalars(select(DeadlineChange)).all()) == 2


@pytest.mark.case(63)
def test_player_extends_once_a_phase_as_far_as_the_house_rules_let_him(played, seats):
    played.reply(GM, "SET extend_hours_max = 48")
    (refused,) = played.reply(seats["turkey"], "EXTEND 3 days")
    assert "A player may extend by 48 hours at most" in refused.flat
    played.reply(seats["turkey"], "EXTEND 24h")
    assert played.phase().due_at == FIRST + timedelta(hours=24)
    (refused,) = played.reply(seats["turkey"], "EXTEND 24h")
    assert "You have extended this phase once already" in refused.flat
    assert played.phase().due_at == FIRST + timedelta(hours=24)


@pytest.mark.case(66)
def test_reminder_goes_once_and_only_to_those_who_owe(played, seats):
    played.reply(seats["austria"], "NO ORDERS")
    mails = played.tick(days=3, hours=7)
    reminded = [m.to for m in mails if m.kind == "reminder"]
    assert sorted(reminded) == sorted(set(seats.values()) - {seats["austria"]})
    assert "F ANK" in next(m for m in mails if m.to == seats["turkey"]).flat
    assert "A VIE" not in next(m for m in mails if m.to == seats["turkey"]).flat


@pytest.mark.case(66)
@pytest.mark.case(64)
def test_with_nmr_wait_the_late_and_the_gm_are_called_once_and_the_turn_waits(played, seats):
    played.reply(GM, "SET nmr = wait")
    for power, who in seats.items():
        if power != "italy":
            played.reply(who, "NO ORDERS")
    mails = played.tick(days=4, hours=9)
    calls = [m for m in mails if "late" in m.subject]
    assert sorted(m.to for m in calls) == sorted([seats["italy"], GM])
    assert "No orders yet from: Italy." in next(m for m in calls if m.to == GM).flat
    assert played.phase().name == "S1901M"
    press = played.reply(seats["france"], "PRESS TO Germany: still here?")
    assert [m.to for m in press if m.kind == "press"] == [seats["germany"]], (
        "honest players may talk meanwhile"
    )
    (receipt,) = played.reply(seats["italy"], "A VEN H\nA ROM H\nF NAP H")
    assert "3 orders on file" in receipt.flat, "late orders are taken while the turn waits"
    played.tick(minutes=1)
    assert played.phase().name == "F1901M"


def test_grace_takes_late_orders_and_no_longer(played, seats):
    played.reply(GM, "SET grace_hours = 6")
    for power, who in seats.items():
        if power != "italy":
            played.reply(who, "NO ORDERS")
    played.tick(days=3, hours=13)
    assert played.phase().name == "S1901M"
    (receipt,) = played.reply(seats["italy"], "A VEN - TYR")
    assert "1 order on file" in receipt.flat
    played.tick(minutes=10)
    assert played.phase().name == "F1901M", "his orders were all that it waited for"


@pytest.mark.case(64)
def test_at_the_deadline_the_phase_runs_and_the_report_says_who_was_late(played, seats):
    for power, who in seats.items():
        if power != "italy":
            played.reply(who, "NO ORDERS")
    report = next(
        m for m in played.tick(days=3, hours=8, minutes=1) if m.kind == "report" and m.to == seats["france"]
    )
    assert "No moves received from: Italy." in report.flat


@pytest.mark.case(65)
def test_seat_lost_for_missing_twice_is_told_to_player_gm_and_all(played, seats):
    for _ in range(2):
        for power, who in seats.items():
            if power != "italy":
                played.reply(who, "NO ORDERS")
        mails = played.tick(days=7, hours=9)
    assert played.phase().name not in ("S1901M", "F1901M")
    to_italy = [m for m in mails if m.to == seats["italy"] and "no longer play" in m.subject]
    assert len(to_italy) == 1
    assert "nmr_out" in to_italy[0].flat
    assert any("Italy is vacant" in m.subject for m in mails if m.to == GM)
    report = [m for m in mails if m.kind == "report" and m.to == seats["france"]][-1]
    assert "Seats that fall vacant because no moves came again: Italy." in report.flat


@pytest.mark.case(65)
@pytest.mark.case(67)
def test_what_a_resigned_power_had_ordered_does_not_run_and_nobody_waits_for_it(played, seats):
    played.reply(seats["italy"], "A VEN - TYR\nA ROM H\nF NAP H")
    played.reply(seats["italy"], "RESIGN spring99")
    for power, who in seats.items():
        if power != "italy":
            played.reply(who, "NO ORDERS")
    mails = played.tick(minutes=1)
    assert played.phase().name == "F1901M"
    report = next(m for m in mails if m.kind == "report" and m.to == seats["france"])
    assert "Without a player, so in civil disorder: Italy." in report.flat
    with played.store.read() as session:
        row = session.scalars(select(PhaseRow).where(PhaseRow.name == "S1901M")).one()
    assert row.sheets["italy"] is None


@pytest.mark.case(65)
def test_what_the_gm_orders_for_a_vacant_power_runs(played, seats):
    played.reply(seats["italy"], "RESIGN spring99")
    played.reply(GM, "AS Italy\nA VEN - TYR")
    played.reply(GM, "PROCESS")
    with played.store.read() as session:
        row = session.scalars(select(PhaseRow).where(PhaseRow.name == "S1901M")).one()
    assert row.sheets["italy"] == ["A VEN - TYR"]


@pytest.mark.case(56)
def test_empty_sheet_given_on_purpose_counts_as_orders(played, seats):
    everybody(played, seats)
    played.tick(minutes=1)
    with played.store.read() as session:
        row = session.scalars(select(PhaseRow).where(PhaseRow.name == "S1901M")).one()
    assert set(map(tuple, row.sheets.values())) == {()}


def test_mail_accepted_before_the_deadline_counts_though_it_is_read_after(played, seats):
    for power, who in seats.items():
        if power != "italy":
            played.reply(who, "NO ORDERS")
    played.tick(days=3, hours=7, minutes=59)
    raw = f"From: {seats['italy']}\r\nMessage-ID: <last@minute>\r\nSubject: x\r\n\r\nA VEN - TYR\r\n".encode()
    played.deliver(raw, seats["italy"], played.newest[seats["italy"]].reply_to)
    played.now = FIRST + timedelta(seconds=30)
    look_at_clock(played.office)
    assert played.phase().name == "S1901M", "it waits for the mail that is still unread"
    read_mail(played.office)
    look_at_clock(played.office)
    assert played.phase().name == "F1901M"
    with played.store.read() as session:
        row = session.scalars(select(PhaseRow).where(PhaseRow.name == "S1901M")).one()
    assert row.sheets["italy"] == ["A VEN - TYR"]


# --- outages and jumps ---------------------------------------------------------------------------------------


@pytest.mark.case(61)
def test_server_down_over_a_deadline_makes_nobody_late_and_all_are_told_the_new_time(played, seats):
    played.tick(days=3)
    played.now = FIRST + timedelta(hours=4)
    look_at_clock(played.office)
    mails = played.outgoing()
    due = played.phase().due_at
    assert played.phase().name == "S1901M"
    assert due == played.now + timedelta(hours=12)
    assert {m.to for m in mails} == {*seats.values(), GM}
    assert "nobody counts as late" in next(m for m in mails if m.to == seats["italy"]).flat
    assert any("is the new deadline right?" in m.subject for m in mails if m.to == GM)
    look_at_clock(played.office)
    assert played.outgoing() == [], "it is said once"


def test_orders_that_come_right_after_an_outage_are_taken(played, seats):
    played.tick(days=3)
    played.now = FIRST + timedelta(hours=4)
    (receipt,) = played.reply(seats["italy"], "A VEN - TYR")
    assert "1 order on file" in receipt.flat
    look_at_clock(played.office)
    assert played.phase().name == "S1901M"


def test_outage_over_a_deadline_with_all_orders_in_just_runs_the_phase(played, seats):
    played.tick(days=3)
    everybody(played, seats, "NO ORDERS\nWAIT")
    played.now = FIRST + timedelta(hours=4)
    look_at_clock(played.office)
    assert played.phase().name == "F1901M"


def test_outage_over_the_end_of_the_grace_makes_nobody_late(played, seats):
    played.reply(GM, "SET grace_hours = 6")
    played.tick(days=3, hours=9)
    played.now = FIRST + timedelta(hours=8)
    look_at_clock(played.office)
    assert played.phase().name == "S1901M"
    assert played.phase().due_at > played.now


@pytest.mark.case(61)
def test_clock_a_year_ahead_runs_nothing_asks_the_gm_and_takes_orders(played, seats):
    played.tick(hours=1)
    right = played.now
    played.now = right + timedelta(days=365)
    for _ in range(3):
        look_at_clock(played.office)
    mails = played.outgoing()
    assert [(m.to, m.subject) for m in mails] == [(GM, "[The Courier] No turn runs: is the clock right?")]
    assert played.phase().name == "S1901M"
    (receipt,) = played.reply(seats["italy"], "A VEN - TYR")
    assert "1 order on file" in receipt.flat
    played.now = right + timedelta(minutes=40)
    look_at_clock(played.office)
    with played.store.read() as session:
        assert clock_in_doubt(session) is None, "set right again, it is believed again"
    assert played.phase().due_at == FIRST


@pytest.mark.case(61)
def test_real_outage_of_a_month_needs_the_operators_word_and_then_moves_the_deadline(played):
    played.tick(hours=1)
    played.now += timedelta(days=30)
    look_at_clock(played.office)
    assert played.phase().name == "S1901M"
    with played.store.write() as session:
        gap = confirm_clock(session, played.office)
        assert postpone_missed(session, played.office, gap) == 1
    assert played.phase().due_at == played.now + timedelta(days=2)
    look_at_clock(played.office)
    assert played.phase().name == "S1901M"


@pytest.mark.case(61)
def test_clock_that_goes_back_runs_nothing_until_it_has_caught_up(played, seats):
    played.tick(hours=3)
    everybody(played, seats)
    late = played.now
    played.now = late - timedelta(hours=1)
    look_at_clock(played.office)
    assert played.phase().name == "S1901M"
    played.now = late + timedelta(minutes=1)
    look_at_clock(played.office)
    assert played.phase().name == "F1901M"


@pytest.mark.case(53)
def test_weekly_deadline_keeps_its_hour_across_the_change_of_the_clocks(world):
    world.now = datetime(2027, 3, 20, 12, 0, tzinfo=UTC)
    seats = world.start_diplomacy("calendar = every Sunday 20:00 Europe/Berlin", "zone = Europe/Berlin")
    assert world.phase().due_at == datetime(2027, 3, 21, 19, 0, tzinfo=UTC)
    everybody(world, seats)
    world.tick(minutes=1)
    assert world.phase().due_at == datetime(2027, 3, 28, 18, 0, tzinfo=UTC), "summer time began that morning"
    (receipt,) = world.reply(seats["italy"], "SHOW")
    assert "20:00 (Europe/Berlin)" in receipt.flat


# --- who runs it -----------------------------------------------------------------------------------------------


@pytest.mark.case(25)
def test_phase_is_run_once_by_two_workers_at_the_same_time(world):
    seats = world.start_diplomacy()
    everybody(world, seats)
    phase = world.phase()
    world.now += timedelta(minutes=1)
    start = threading.Barrier(2)
    done: list[bool] = []

    def work() -> None:
        start.wait()
        done.append(run_one(world.office, phase.id))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done) == [False, True]
    reports = [m for m in world.outgoing() if m.kind == "report"]
    assert len(reports) == len({m.mail["Message-ID"] for m in reports}) == 8


def test_phase_that_is_due_no_longer_is_not_run(played, seats):
    everybody(played, seats)
    phase = played.phase()
    played.reply(seats["italy"], "WAIT")
    assert not run_one(played.office, phase.id)
    played.reply(seats["italy"], "NO WAIT")
    played.reply(GM, "PAUSE")
    assert not run_one(played.office, phase.id)


def test_orders_that_came_while_paused_run_early_after_the_pause(played, seats):
    played.reply(GM, "PAUSE")
    everybody(played, seats)
    played.tick(hours=1)
    assert played.phase().name == "S1901M"
    played.reply(GM, "RESUME")
    played.tick(minutes=1)
    assert played.phase().name == "F1901M"


def test_looking_for_reminders_reads_no_position(played):
    statements: list[str] = []
    event.listen(played.store.reader, "before_cursor_execute", lambda *a: statements.append(a[2]))
    with played.store.read() as session:
        phases_to_remind(session, START)
    (query,) = [s for s in statements if "phase" in s]
    assert "phase.state" not in query
