"""Orders by reply: sheets, versions, receipts."""

from __future__ import annotations

from datetime import timedelta

import pytest


def test_receipt_gives_version_orders_in_normal_form_and_what_is_missing(world):
    austria = world.start_diplomacy()["austria"]
    (receipt,) = world.reply(austria, "a vienna to galicia\nBUD-SER")
    assert receipt.to == austria
    assert "version 1, 2 orders on file, 1 without" in receipt.flat
    assert "A VIE - GAL" in receipt.text
    assert "A BUD - SER" in receipt.text
    assert "Without an order: F TRI" in receipt.flat
    assert "Friday 4 December 2026, 20:00 (UTC)" in receipt.text


def test_later_order_for_a_unit_replaces_the_earlier_and_others_stay(world):
    austria = world.start_diplomacy()["austria"]
    world.reply(austria, "A VIE - GAL\nA BUD - SER\nF TRI - ALB")
    (receipt,) = world.reply(austria, "A VIE - TYR")
    assert "version 2, 3 orders" in receipt.flat
    sheet = receipt.text.partition("YOUR MAIL")[0]
    assert "A VIE - TYR" in sheet
    assert "A VIE - GAL" not in sheet
    assert "F TRI - ALB" in sheet


@pytest.mark.case(73)
def test_unreadable_line_is_named_and_the_good_lines_stand(world):
    austria = world.start_diplomacy()["austria"]
    (receipt,) = world.reply(austria, "A VIE - GAL\nF TRI - Albenia\nblah blah")
    assert "version 1, 1 order on file" in receipt.flat
    assert "2 | F TRI - Albenia" in receipt.text
    assert "Did you mean: F TRI - ALB" in receipt.flat
    assert "3 | blah blah" in receipt.text


def test_ambiguous_abbreviation_is_refused_with_the_candidates(world):
    england = world.start_diplomacy()["england"]
    (receipt,) = world.reply(england, "F EDI - Nor")
    assert "0 orders" in receipt.flat or "no orders on file" in receipt.flat
    for candidate in ("NTH", "NWG", "NWY"):
        assert candidate in receipt.text


def test_order_for_another_powers_unit_is_refused(world):
    austria = world.start_diplomacy()["austria"]
    (receipt,) = world.reply(austria, "A MUN - BUR")
    assert "no orders on file" in receipt.flat
    assert "Germany" in receipt.flat


def test_clear_and_no_orders(world):
    austria = world.start_diplomacy()["austria"]
    world.reply(austria, "A VIE - GAL")
    (cleared,) = world.reply(austria, "CLEAR")
    assert "version 2, 0 orders on file, 3 without" in cleared.flat
    (none,) = world.reply(austria, "NO ORDERS")
    assert "that counts as orders received" in none.flat


def test_show_repeats_the_sheet_without_a_new_version(world):
    austria = world.start_diplomacy()["austria"]
    world.reply(austria, "A VIE - GAL")
    (shown,) = world.reply(austria, "SHOW")
    assert "version 1" in shown.flat
    assert "A VIE - GAL" in shown.text


def test_same_orders_again_make_no_new_version(world):
    austria = world.start_diplomacy()["austria"]
    world.reply(austria, "A VIE - GAL")
    (again,) = world.reply(austria, "A VIE - GAL")
    assert "version 1" in again.flat


@pytest.mark.case(16)
@pytest.mark.case(14)
def test_quoted_report_below_the_orders_is_not_read(world):
    austria = world.start_diplomacy()["austria"]
    report = world.newest[austria]
    quoted = "\n".join(f"> {line}" for line in report.text.splitlines())
    (receipt,) = world.write(
        austria, report.reply_to, f"A VIE - GAL\n\nOn Tue, 1 Dec 2026, The Courier wrote:\n{quoted}"
    )
    assert "version 1, 1 order on file" in receipt.flat
    assert "1 | A VIE - GAL" in receipt.text
    assert "2 |" not in receipt.text


@pytest.mark.case(9)
def test_lines_below_a_farewell_are_named_and_not_taken(world):
    austria = world.start_diplomacy()["austria"]
    (receipt,) = world.reply(austria, "A VIE - GAL\nBest regards\nA BUD - SER")
    assert "1 order on file" in receipt.flat
    assert "A BUD - SER" in receipt.text


@pytest.mark.case(5)
@pytest.mark.parametrize("ending", ["\r\n", "\n", "\r"])
def test_line_ends_and_a_missing_last_one(world, ending):
    austria = world.start_diplomacy()["austria"]
    raw = (
        f"From: {austria}\nTo: x\nMessage-ID: <le@x.example>\nSubject: o\n\n"
        + ending.join(["A VIE - GAL", "A BUD - SER", "F TRI - ALB"])
    ).encode()
    world.deliver(raw, austria, world.newest[austria].reply_to)
    from gm.app.work import read_mail

    read_mail(world.office)
    (receipt,) = world.outgoing()
    assert "version 1, 3 orders on file" in receipt.flat


@pytest.mark.case(27)
def test_orders_in_answer_to_an_older_phase_are_refused(world):
    seats = world.start_diplomacy()
    old = world.newest[seats["austria"]]
    for who in seats.values():
        world.reply(who, "NO ORDERS")
    world.tick(minutes=1)
    assert world.phase().name == "F1901M"
    (receipt,) = world.write(seats["austria"], old.reply_to, "A VIE - GAL")
    assert "This answers a mail about Spring 1901, movement, which is over" in receipt.flat
    assert "no orders on file" in receipt.flat or "Nothing was done" in receipt.flat


def test_orders_after_the_deadline_are_refused_with_both_times(world):
    austria = world.start_diplomacy()["austria"]
    world.reply(austria, "A VIE - GAL")
    world.now = world.phase().due_at + timedelta(seconds=1)
    (receipt,) = world.reply(austria, "A VIE - TYR")
    assert "Too late: your mail came Friday 4 December 2026, 20:00 (UTC)" in receipt.flat
    assert "The sheet on file runs." in receipt.flat


def test_orders_before_the_start_say_so(world):
    world.create()
    world.join("ann@club.example", "JOIN spring99 AS Ann")
    (receipt,) = world.reply("ann@club.example", "A VIE - GAL")
    assert "1 line with a problem" in receipt.flat


@pytest.mark.case(55)
@pytest.mark.case(59)
def test_phase_runs_early_once_all_orders_are_in_and_nobody_waits(world):
    seats = world.start_diplomacy()
    for power, who in seats.items():
        if power != "turkey":
            world.reply(who, "NO ORDERS")
    world.reply(seats["austria"], "WAIT")
    world.tick(minutes=1)
    assert world.phase().name == "S1901M", "Turkey owes orders"
    world.reply(seats["turkey"], "NO ORDERS")
    world.tick(minutes=1)
    assert world.phase().name == "S1901M", "Austria waits"
    world.reply(seats["austria"], "NO WAIT")
    world.tick(minutes=1)
    assert world.phase().name == "F1901M"


def test_partial_sheet_is_not_run_early_without_ready(world):
    seats = world.start_diplomacy()
    for power, who in seats.items():
        world.reply(who, "A VIE - GAL" if power == "austria" else "NO ORDERS")
    world.tick(minutes=1)
    assert world.phase().name == "S1901M"
    world.reply(seats["austria"], "READY")
    world.tick(minutes=1)
    assert world.phase().name == "F1901M"


def test_two_commands_and_orders_in_one_mail_are_each_answered(world):
    austria = world.start_diplomacy()["austria"]
    (receipt,) = world.reply(austria, "ZONE Europe/Berlin\nA VIE - GAL\nSTATUS\nFLURB\nA BUD - SER")
    assert "1 | ZONE Europe/Berlin" in receipt.text
    assert "times are shown to you in Europe/Berlin" in receipt.flat
    assert "version 1, 1 order" in receipt.flat or "version 2, 2 orders" in receipt.flat
    assert "Open: Spring 1901, movement" in receipt.flat
    assert "21:00 (Europe/Berlin)" in receipt.flat


@pytest.mark.case(68)
def test_failed_switch_of_game_stops_the_rest(world):
    austria = world.start_diplomacy()["austria"]
    (receipt,) = world.reply(austria, "A VIE - GAL\nGAME autumn98\nA BUD - SER\nRESIGN spring99")
    assert "version 1, 1 order on file" in receipt.flat
    assert "There is no game 'autumn98'." in receipt.flat
    assert receipt.flat.count("Not done: it stands after a line that failed") == 2
    assert "Austria: Player" in world.reply(austria, "STATUS")[0].text


def test_two_positions_in_one_mail_give_two_sheets(world):
    """Case 15: one person, two games, one mail."""
    seats = world.start_diplomacy()
    ann = seats["austria"]
    world.create("autumn99")
    world.join(ann, "JOIN autumn99 AS Ann PREFER Turkey")
    for n in range(1, 8):
        other = f"q{n}@club.example"
        if world.game("autumn99").status == "forming":
            world.join(other, f"JOIN autumn99 AS Q{n}")
    (receipt,) = world.reply(ann, "GAME spring99\nA VIE - GAL\nGAME autumn99\nA CON - BUL")
    assert "AUSTRIA: ORDERS, VERSION 1" in receipt.text
    assert "TURKEY: ORDERS, VERSION 1" in receipt.text
