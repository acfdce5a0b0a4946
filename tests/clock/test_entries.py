"""The entry for people's calendars: it moves with every change of the deadline, and is taken out when none runs."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from icalendar import Calendar
from sqlalchemy import select

from gm.app.work import look_at_clock
from gm.store.tables import Game
from gm.turns.faults import park
from tests.clock.test_lateness import FIRST, everybody
from tests.world import GM, Sent


def entry(mail: Sent) -> tuple[str, str, int, str, datetime]:
    """``(method, uid, sequence, status, end)`` of the calendar entry that a mail brings."""
    (file,) = [part for part in mail.mail.iter_attachments() if part.get_content_type() == "text/calendar"]
    calendar = Calendar.from_ical(file.get_content())
    (event,) = calendar.walk("VEVENT")
    return (
        str(calendar["method"]),
        str(event["uid"]),
        int(event["sequence"]),
        str(event["status"]),
        event["dtend"].dt,
    )


def test_entry_for_the_calendar_moves_with_every_change_of_the_deadline(played, seats):
    italy = seats["italy"]
    start = entry(played.newest[italy])
    assert start[0] == "PUBLISH"
    assert start[3:] == ("CONFIRMED", FIRST)

    def told(text: str) -> tuple[str, str, int, str, datetime]:
        return entry(next(m for m in played.reply(GM, text) if m.to == italy))

    moved = told("EXTEND 24h")
    paused = told("PAUSE")
    resumed = told("RESUME")
    set_anew = told("SET holidays = 4 Dec")
    assert (moved[3], moved[4]) == ("CONFIRMED", FIRST + timedelta(days=1))
    assert (paused[0], paused[3]) == ("CANCEL", "CANCELLED")
    assert (resumed[3], resumed[4]) == ("CONFIRMED", FIRST)
    assert set_anew[4] == FIRST + timedelta(weeks=1)
    steps = [start, moved, paused, resumed, set_anew]
    assert len({step[1] for step in steps}) == 1, "one entry, that updates"
    assert sorted({step[2] for step in steps}) == [step[2] for step in steps], "each newer than the last"


def test_entry_says_the_same_to_every_player_and_the_next_phase_takes_it_over(played, seats):
    start = entry(played.newest[seats["italy"]])
    everybody(played, seats)
    mails = [m for m in played.tick(minutes=1) if m.kind == "report" and m.power]
    files = {
        part.get_content()
        for m in mails
        for part in m.mail.iter_attachments()
        if part.get_content_type() == "text/calendar"
    }
    assert len(mails) == 7
    assert len(files) == 1
    after = entry(mails[0])
    assert after[1] == start[1]
    assert after[2] > start[2]


def test_entry_is_taken_out_when_the_game_ends(played, seats):
    mails = played.reply(GM, "END ABANDONED")
    ended = entry(next(m for m in mails if m.to == seats["italy"]))
    assert (ended[0], ended[3]) == ("CANCEL", "CANCELLED")


def _by_vote(world, seats):
    world.reply(GM, "SET extend_vote = majority")
    for power in ("austria", "england", "france"):
        world.reply(seats[power], "VOTE EXTEND 24h")
    return world.reply(seats["germany"], "VOTE EXTEND 24h")


def _by_player(world, seats):
    world.reply(GM, "SET extend_hours_max = 48")
    return world.reply(seats["italy"], "EXTEND 24h")


def _by_resignation(world, seats):
    world.reply(GM, "SET extend_vote = all")
    for power in ("austria", "england", "france", "germany", "italy", "russia"):
        world.reply(seats[power], "VOTE EXTEND 24h")
    return world.reply(seats["turkey"], "RESIGN spring99")


def _by_outage(world, seats):
    world.now += timedelta(days=4)
    look_at_clock(world.office)
    return world.outgoing()


def _for_late(world, seats):
    world.reply(GM, "SET nmr_extend_hours = 24")
    world.outgoing()
    return world.tick(days=3, hours=9)


def _for_absence(world, seats):
    return world.reply(seats["italy"], "ABSENT 3 Dec TO 8 Dec")


def _absence_taken_back(world, seats):
    world.reply(seats["italy"], "ABSENT 3 Dec TO 8 Dec")
    return world.reply(seats["italy"], "CANCEL ABSENCE")


def _rolled_back(world, seats):
    world.reply(GM, "PROCESS S1901M")
    return world.reply(GM, "ROLLBACK TO S1901M BECAUSE of a misread order")


def _processed(world, seats):
    return [m for m in world.reply(GM, "PROCESS S1901M") if m.kind == "report"]


def _resumed(world, seats):
    world.reply(GM, "PAUSE")
    return world.reply(GM, "RESUME")


@pytest.mark.parametrize(
    "move",
    [
        lambda world, seats: world.reply(GM, "EXTEND 24h"),
        lambda world, seats: world.reply(GM, "DEADLINE 2026-12-06 20:00"),
        lambda world, seats: world.reply(GM, "SET DEADLINE 2026-12-06 20:00"),
        lambda world, seats: world.reply(GM, "SET calendar = daily 20:00 UTC"),
        lambda world, seats: world.reply(GM, "SET zone = Europe/Berlin\nSET calendar = daily 20:00"),
        _by_vote, _by_player, _by_resignation, _by_outage, _for_late, _for_absence, _absence_taken_back, _rolled_back,
        _processed, _resumed,
    ],
)  # fmt: skip
def test_whoever_moves_a_deadline_all_have_the_new_entry(played, seats, move):
    old = entry(played.newest[seats["italy"]])
    mails = move(played, seats)
    brought = {m.to: entry(m) for m in mails if list(m.mail.iter_attachments())}
    gone = {seats["turkey"]} if move is _by_resignation else set()
    assert set(brought) == {GM, *seats.values()} - gone
    (new,) = set(brought.values())
    assert new == ("PUBLISH", old[1], new[2], "CONFIRMED", played.phase().due_at)
    assert new[2] > old[2]


def test_edit_of_a_position_brings_the_entry_too(played, seats):
    old = entry(played.newest[seats["italy"]])
    mails = played.reply(GM, 'EDIT BECAUSE of a slip\nunits.austria = ["A VIE", "A BUD", "F ALB"]\nENDEDIT')
    assert {entry(m) for m in mails if m.kind == "report"} == {old}, "the same deadline, the same entry"
    assert {m.to for m in mails if m.kind == "report"} == {GM, *seats.values()}


def _by_draw(world, seats):
    for who in seats.values():
        mails = world.reply(who, "VOTE DRAW")
    return mails


@pytest.mark.parametrize(
    "stop",
    [
        lambda world, seats: world.reply(GM, "PAUSE Christmas"),
        lambda world, seats: world.reply(GM, "END ABANDONED"),
        _by_draw,
    ],
)
def test_whoever_stops_the_clock_all_have_the_entry_taken_out(played, seats, stop):
    old = entry(played.newest[seats["italy"]])
    mails = stop(played, seats)
    brought = {m.to: entry(m) for m in mails if list(m.mail.iter_attachments())}
    assert set(brought) == {GM, *seats.values()}
    (new,) = set(brought.values())
    assert new == ("CANCEL", old[1], new[2], "CANCELLED", FIRST)
    assert new[2] > old[2]


def test_fault_stops_the_clock_and_the_players_are_told_no_more_than_that(played, seats):
    old = entry(played.newest[seats["italy"]])
    with played.store.write() as session:
        game = session.scalars(select(Game)).one()
        trace = park(session, played.office, game, ValueError("a secret"), doing="The phase that was due")
    mails = played.outgoing()
    told = {m.to: m for m in mails if "stands still for a while" in m.subject}
    assert set(told) == set(seats.values())
    new = entry(told[seats["italy"]])
    assert (new[0], new[3]) == ("CANCEL", "CANCELLED")
    assert new[2] > old[2]
    for mail in told.values():
        assert "A fault of mine has stopped the game in Spring 1901, movement." in mail.flat
        assert "secret" not in mail.flat and trace not in mail.flat and "ValueError" not in mail.flat
    resumed = [m for m in played.reply(GM, "RESUME") if m.kind == "notice"]
    assert {entry(m)[3] for m in resumed} == {"CONFIRMED"}
    assert {m.to for m in resumed} == {GM, *seats.values()}
