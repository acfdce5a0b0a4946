"""A GM's powers: hold, act for a power, the record, rights, and two GMs at once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select

from gm.desk.commands import COMMANDS
from gm.store.clubtables import Absence
from gm.store.tables import Address, Audit, GameGM, Player, Seat, SignUp, Vote
from tests.world import GM

BEN = "ben@club.example"


def _refused(command):
    known = {" ".join(line.split(":")[0].split()) for line in (*SEAT_ONLY, *OWN)}
    return any(line.startswith(command.name) for line in known) and command.name not in ("WAIT", "SET")


@pytest.fixture
def two(played):
    """The game with a second GM, who has a mail to reply to."""
    played.reply(GM, f"ADD GM {BEN} AS Ben")
    played.reply(GM, "BROADCAST: hello")
    return played


# --- hold --------------------------------------------------------------------------------------------------------


def test_phase_on_hold_runs_neither_early_nor_at_its_deadline_until_released(played, seats):
    mails = played.reply(GM, "HOLD BECAUSE I want to look first")
    assert {m.to for m in mails if m.kind == "notice"} == {GM, *seats.values()}
    assert all(
        "holds Spring 1901, movement: I want to look first." in m.flat for m in mails if m.kind == "notice"
    )
    due = played.phase().due_at
    for who in seats.values():
        played.reply(who, "NO ORDERS")
    played.tick(minutes=30)
    assert (played.phase().name, played.phase().due_at) == ("S1901M", due)
    played.tick(days=4)
    assert played.phase().name == "S1901M"
    (receipt,) = played.reply(GM, "RELEASE")
    assert "its deadline is past, so it runs now" in receipt.flat
    played.tick(minutes=1)
    assert played.phase().name == "F1901M"
    (receipt,) = played.reply(GM, "RELEASE")
    assert "Fall 1901, movement is not on hold" in receipt.flat


def test_process_runs_a_phase_on_hold_and_the_next_one_is_free(played, seats):
    played.reply(GM, "HOLD")
    played.reply(seats["austria"], "NO ORDERS")
    played.reply(GM, "PROCESS")
    assert played.phase().name == "F1901M"
    for who in seats.values():
        played.reply(who, "NO ORDERS")
    played.tick(minutes=1)
    assert played.phase().name == "S1902M"


# --- acting for a power -------------------------------------------------------------------------------------------


def test_owner_is_told_what_the_gm_ordered_for_him_and_nobody_else_is(played, seats):
    mails = played.reply(GM, "AS Austria\nA VIE - GAL\nA BUD - SER")
    told = [m for m in mails if m.kind == "notice"]
    assert [m.to for m in told] == [seats["austria"]]
    assert (
        "The GM gave orders for Austria in Spring 1901, movement. Your sheet is now version 1."
        in told[0].flat
    )
    assert "A VIE - GAL" in told[0].text
    (receipt,) = played.write(seats["austria"], told[0].reply_to, "A VIE H")
    assert "version 2, 2 orders on file" in receipt.flat
    assert [m.kind for m in played.reply(GM, "AS Austria\nSHOW")] == ["receipt"], "looking is no order"


def test_owner_is_told_of_every_word_that_the_gm_said_for_him_and_the_record_has_it(played, seats):
    mails = played.reply(GM, "AS Austria\nWAIT\nNO ORDERS")
    (told,) = [m for m in mails if m.kind == "notice"]
    assert told.to == seats["austria"]
    assert (
        "The GM gave orders for Austria in Spring 1901, movement. Your sheet is now version 1." in told.flat
    )
    assert "The GM said WAIT, NO ORDERS for Austria in Spring 1901, movement." in told.flat
    mails = played.reply(GM, "AS Austria\nNOT READY\nNO WAIT\nCLEAR")
    (told,) = [m for m in mails if m.kind == "notice"]
    assert "said NOT READY, NO WAIT, CLEAR for Austria" in told.flat
    assert "gave orders" not in told.flat, "the sheet was empty before"
    played.reply(GM, "AS Italy\nSHOW\nAS France\nA PAR - BUR")
    receipt = next(m for m in played.reply(GM, "AUDIT") if m.kind == "receipt")
    for act in (
        "wrote as Austria: WAIT; orders; NO ORDERS",
        "wrote as Austria: NOT READY; NO WAIT; CLEAR",
        "looked at the sheet of Italy",
        "wrote as France: orders",
    ):
        assert act in receipt.flat


def test_deputy_is_told_too_what_the_gm_ordered_for_the_seat(played, seats):
    owner, dan = seats["austria"], "dan@club.example"
    played.reply(owner, f"DEPUTY {dan} FROM 1 Dec TO 8 Dec")
    played.write(dan, played.newest[dan].reply_to, "yes")
    played.write(owner, played.newest[owner].reply_to, "yes")
    played.tick(minutes=1)
    mails = played.reply(GM, "AS Austria\nA VIE - GAL")
    assert sorted(m.to for m in mails if m.kind == "notice") == sorted([owner, dan])


def test_owner_is_told_even_if_the_gm_goes_on_to_a_game_that_he_does_not_run(played, seats):
    played.with_office(creators=(GM, BEN))
    played.write(BEN, f"gm@{played.office.domain}", "CREATE diplomacy AS other TITLE Other")
    played.reply(BEN, "yes")
    mails = played.reply(GM, "AS Austria\nA VIE - GAL\nGAME other")
    assert [m.to for m in mails if m.kind == "notice"] == [seats["austria"]]


SEAT_ONLY = (
    "VOTE DRAW",
    "VOTE EXTEND 24h",
    "VOTE NONE",
    "RESIGN spring99",
    "DEPUTY dan@club.example FROM 2 Dec TO 8 Dec",
)
OWN = (
    "JOIN spring99 AS Ben", "PREFER Italy", "OBSERVE spring99", "LEAVE spring99", "ZONE Europe/Berlin", "LANGUAGE de",
    "NAME Austria", "SET PASSWORD correct horse", "ADDRESS x@club.example", "DROP ADDRESS gm@club.example",
    "NEWADDRESS", "SUBSCRIBE danube", "UNSUBSCRIBE danube", "WAIT FOR diplomacy", "STOP WAITING", "LETTER: hello",
    "WITHDRAW LETTER", "ABSENT 20 Dec TO 3 Jan", "CANCEL ABSENCE", "BE DEPUTY FOR Italy IN spring99",
    "CONFIRM DEPUTY IN spring99", "STANDBY spring99", "NO STANDBY", "ACCEPT spring99", "DECLINE spring99",
)  # fmt: skip


def stands(world):
    """All that those commands could change."""
    with world.store.read() as session:
        rows = [
            session.scalars(select(table).order_by(table.id)).all()
            for table in (Vote, Seat, Absence, Address)
        ]
        people = session.scalars(select(Player).order_by(Player.id)).all()
        signups = len(session.scalars(select(SignUp)).all())
        return (
            signups,
            [(p.name, p.zone, p.language, p.password_hash) for p in people],
            [
                [{c.key: getattr(row, c.key) for c in row.__table__.columns} for row in found]
                for found in rows
            ],
        )


@pytest.mark.parametrize("line", SEAT_ONLY)
def test_no_gm_says_for_a_power_what_is_its_players_own(played, seats, line):
    before = stands(played)
    mails = played.reply(GM, f"AS Austria\n{line}")
    assert "That is for the player of Austria alone" in mails[-1].flat
    assert [m.kind for m in mails] == ["receipt"]
    assert stands(played) == before


@pytest.mark.parametrize("line", OWN)
def test_below_as_a_gm_does_nothing_for_himself_by_mistake(played, seats, line):
    before = stands(played)
    mails = played.reply(GM, f"AS Austria\n{line}")
    assert "That would be for yourself, not for Austria" in mails[-1].flat
    assert "GAME spring99, on a line before it" in mails[-1].flat
    assert [m.kind for m in mails] == ["receipt"]
    assert stands(played) == before


@pytest.mark.parametrize("name", [c.name for c in COMMANDS if not _refused(c)])
def test_every_other_command_is_the_gms_own_below_as_too(played, seats, name):
    command = next(c for c in COMMANDS if c.name == name)
    mails = played.reply(GM, f"AS Austria\n{command.example}")
    receipt = [m for m in mails if m.kind == "receipt"][-1]
    assert "That is for the player of Austria alone" not in receipt.flat
    assert "would be for yourself" not in receipt.flat


def test_press_below_as_is_the_gms(played, seats):
    mails = played.reply(GM, "AS Austria\nPRESS TO France: a word")
    (press,) = [m for m in mails if m.kind == "press"]
    assert press.to == seats["france"]
    assert "Press from: GM" in press.flat


# --- the record ---------------------------------------------------------------------------------------------------


def test_players_read_the_record_where_the_house_rules_let_them_and_no_secret_of_it(played, seats):
    (receipt,) = played.reply(seats["italy"], "AUDIT")
    assert "only GMs read the record" in receipt.flat
    played.reply(GM, "SET audit = players\nPAUSE Christmas\nRESUME\nAS Austria\nA VIE - GAL")
    played.reply(GM, "SET press = moderated")
    played.reply(seats["austria"], "PRESS TO Turkey: hush")
    played.reply(GM, "RELEASE 1")
    (receipt,) = played.reply(seats["italy"], "AUDIT")
    assert "paused the game: Christmas" in receipt.flat
    assert "set audit to players" in receipt.flat
    assert "wrote as a power" in receipt.flat
    for word in ("Austria", "let press no. 1 go", "hush", "Turkey", "drawn"):
        assert word not in receipt.text.partition("RECORD")[2]
    played.newest[GM] = next(m for m in played.reply(GM, "AUDIT") if m.kind == "receipt")
    assert "wrote as Austria" in played.newest[GM].flat
    assert "let press no. 1 go" in played.newest[GM].flat


# --- rights -------------------------------------------------------------------------------------------------------


def test_gm_is_told_once_of_the_third_command_in_a_day_by_somebody_without_the_right(played, seats):
    for n in range(1, 6):
        mails = played.reply(seats["italy"], "PROCESS")
        assert "Only a GM of spring99 can do this" in mails[-1].flat
        assert [m.to for m in mails if m.kind == "notice"] == ([GM] if n == 3 else [])
    played.skip(days=1)
    assert [m.kind for m in played.reply(seats["italy"], "PROCESS")] == ["receipt"], "a new day, a new count"


# --- two GMs ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("PAUSE Christmas", "PROCESS S1901M", "paused the game: Christmas"),
        (
            "DEADLINE 2026-12-09 20:00",
            "DEADLINE 2026-12-10 20:00",
            "set the deadline to Wednesday 9 December 2026",
        ),
        ("EXTEND 24h", "EXTEND 24h", "extended the deadline by 24h"),
        ("PROCESS S1901M", "PROCESS F1901M", "ran S1901M"),
        ("SET press = none", "SET press = public", "set press to none"),
        (
            "REPLACE Italy WITH x@club.example",
            "REPLACE Italy WITH y@club.example",
            "gave Italy to another player",
        ),
        ("HOLD", "RELEASE", "put S1901M on hold"),
    ],
)
def test_second_of_two_gms_learns_what_the_first_did_and_has_to_insist(two, first, second, said):
    two.reply(GM, first)

    def stands():
        game, phase = two.game(), two.phase()
        return game.status, game.settings, phase.name, phase.due_at

    before = stands()
    two.now += timedelta(seconds=20)
    (receipt,) = two.reply(BEN, second)
    assert (
        f"Not done yet: less than a minute before your mail came, GM did this: {said}"
        in receipt.flat.replace(gm_name(two), "GM")
    )
    assert "If you insist, send the line again." in receipt.flat
    assert stands() == before
    receipt = next(m for m in two.reply(BEN, second) if m.kind == "receipt")
    assert "Not done yet" not in receipt.flat
    assert "with a problem" not in receipt.flat


def gm_name(world):
    with world.store.read() as session:
        return session.scalars(
            select(Player.name).join(GameGM, GameGM.player_id == Player.id).order_by(GameGM.id)
        ).first()


def test_after_a_minute_or_about_another_thing_or_by_the_same_gm_nothing_is_asked(two):
    two.reply(GM, "SET press = none")
    assert "Not done yet" not in two.reply(BEN, "SET grey = off")[0].flat
    assert "Not done yet" not in two.reply(GM, "SET press = public")[0].flat
    two.skip(seconds=70)
    assert "Not done yet" not in two.reply(BEN, "SET press = all")[0].flat
    with two.store.read() as session:
        acts = session.scalars(select(Audit.action).where(Audit.action == "set")).all()
    assert len(acts) == 4


# --- observers ----------------------------------------------------------------------------------------------------

OLGA = "olga@club.example"


def phases_told(mails):
    return [
        m.subject.partition("] ")[2].partition(":")[0] for m in mails if m.to == OLGA and m.kind == "report"
    ]


def test_observer_is_so_many_phases_late_in_every_way_and_gets_the_rest_at_the_end(played, seats):
    played.reply(GM, "SET observer_delay = 1")
    played.write(OLGA, "gm@play.example", "OBSERVE spring99\nNAME Olga")
    played.reply(OLGA, "yes")
    told = []
    for n in range(3):
        mails = played.reply(seats["austria"], f"PRESS TO ALL: number {n}")
        assert OLGA not in [m.to for m in mails]
        for who in seats.values():
            played.reply(who, "NO ORDERS")
        mails = played.tick(minutes=1)
        told += phases_told(mails)
        text = "".join(m.text for m in mails if m.to == OLGA)
        assert f"number {n}" not in text
        assert (f"number {n - 1}" in text) is (n > 0)
    assert told == ["Spring 1901, movement", "Fall 1901, movement"]
    (receipt,) = played.reply(OLGA, "GAME spring99\nHISTORY")
    assert "number 1" in receipt.text
    assert "number 2" not in receipt.text
    assert "Spring 1902" not in receipt.text
    assert "There is no phase" in played.reply(OLGA, "GAME spring99\nRESULTS 3")[-1].flat
    mails = played.reply(GM, "END ABANDONED")
    assert phases_told(mails) == ["Spring 1902, movement"]
    assert "number 2" in next(m.text for m in mails if m.to == OLGA)
