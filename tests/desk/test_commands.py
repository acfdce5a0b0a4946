"""Every command of the table: its example is understood, its rights hold, and none works on a guess."""

from __future__ import annotations

import pytest

from gm.desk.clubcommands import CLUB_COMMANDS
from gm.desk.commands import BY_NAME, COMMANDS, WORDS
from gm.desk.handlers.deputising import FOR_DEPUTIES
from gm.desk.language import command_of
from tests.world import DESK, GM, World

NOT_NOW = {
    "JOIN": "You are in spring99 already",
    "PREFER": "You are not waiting for spring99 to start",
    "OBSERVE": "You play in spring99",
    "LEAVE": "You are on no list of spring99",
    "RESULTS": "No phase was run yet",
    "DROP ADDRESS": "old@example.org is no address of yours",
    "EXTEND": "only the GM moves deadlines",
    "CREATE": "not on this server's list",
    "START": "it cannot be started",
    "RESUME": "it cannot be resumed",
    "ROLLBACK": "is no phase that was run",
    "READY": "You have no orders on file yet",
    "CANCEL ABSENCE": "You have no absence on file",
    "BE DEPUTY": "Nobody has asked you for that",
    "CONFIRM DEPUTY": "Nobody has agreed to be your deputy there",
    "STANDBY": "You play Austria in spring99",
    "ACCEPT": "No seat is offered to you at present",
    "NO STANDBY": "You are not on the standby list of spring99",
    "DECLINE": "No seat is offered to you at present",
    "OFFER": "Nobody is on the standby list of spring99",
    "SIGNON": "You have set no password",
    "PROCESS": "Nobody has ordered yet in Spring 1901",
    "SEND IT": "No press of yours waits for your word",
    "DROP IT": "No press of yours waits for your word",
    "RESEND TO": "No phase was run yet",
    "AUDIT": "only GMs read the record",
    "RELEASE": "No press no. 3 is held",
    "REFUSE": "No press no. 3 is held",
}
"""Examples that cannot be carried out in a game that has just begun, and what is answered."""


ORDER_WORDS = ("HOLD",)
"""What a player writes as an order: his ruleset reads it, and it is no command of his."""


def example_mail(world: World, seats: dict[str, str], name: str) -> str:
    """The receipt for a command's example, from whoever may use it, in one line."""
    command = BY_NAME[name]
    text = command.example + ("\nENDPRESS" if name == "PRESS" else "")
    who = GM if command.who == "gm" else seats["austria"]
    mails = world.reply(who, text)
    receipts = [m for m in mails if m.kind == "receipt"]
    assert len(receipts) == 1
    return receipts[0].flat


@pytest.mark.parametrize("name", [c.name for c in COMMANDS if c not in CLUB_COMMANDS])
def test_example_of_every_command_is_understood_and_carried_out(played, seats, name):
    assert command_of(BY_NAME[name].example, WORDS, frozenset())[0] == name
    answer = example_mail(played, seats, name)
    assert "I don't understand" not in answer
    if name in NOT_NOW:
        assert NOT_NOW[name] in answer
    else:
        assert "with a problem" not in answer


@pytest.mark.parametrize("name", [c.name for c in COMMANDS if c not in CLUB_COMMANDS])
def test_every_command_has_a_help_page(played, seats, name):
    (receipt,) = played.reply(seats["france"], f"HELP {name}")
    for line in (BY_NAME[name].form, BY_NAME[name].help, BY_NAME[name].example):
        assert " ".join(line.split()) in receipt.flat


@pytest.mark.parametrize("name", [c.name for c in COMMANDS if c.who == "gm" and c.name not in ORDER_WORDS])
def test_gm_command_by_a_player_is_refused_and_changes_nothing(played, seats, name):
    before = (played.game().status, played.game().settings, played.phase().id, played.phase().due_at)
    mails = played.reply(seats["austria"], BY_NAME[name].example)
    assert [m.kind for m in mails] == ["receipt"]
    assert "Only a GM of spring99 can do this" in mails[0].flat
    assert (played.game().status, played.game().settings, played.phase().id, played.phase().due_at) == before


@pytest.mark.parametrize("name", sorted(FOR_DEPUTIES))
def test_seat_command_by_the_gm_is_refused_with_the_way_to_do_it(played, name):
    (receipt,) = played.reply(GM, BY_NAME[name].example)
    assert "You hold no power in spring99" in receipt.flat
    assert "AS power, on a line before it" in receipt.flat


@pytest.mark.parametrize(
    "name", [c.name for c in COMMANDS if c.who == "seat" and c.name not in {"PRESS", *FOR_DEPUTIES}]
)
def test_what_is_a_players_own_is_refused_to_the_gm_without_showing_him_a_way_that_is_none(played, name):
    (receipt,) = played.reply(GM, BY_NAME[name].example)
    assert "You hold no power in spring99, and that is for a player alone." in receipt.flat
    assert "AS power" not in receipt.flat


@pytest.mark.case(17)
@pytest.mark.parametrize(
    "line", ["Clear skies ahead", "Wait for me, please", "Ready or not", "Done with this"]
)
def test_prose_that_begins_with_a_command_word_is_no_command(played, seats, line):
    played.reply(seats["austria"], "A VIE - GAL")
    (receipt,) = played.reply(seats["austria"], line)
    assert "stands alone on its line" in receipt.flat
    assert "version 1, 1 order on file" in played.reply(seats["austria"], "SHOW")[0].flat


@pytest.mark.case(19)
@pytest.mark.parametrize(
    ("typo", "meant"),
    [("STAUTS", "STATUS"), ("HISTROY", "HISTORY"), ("NO WIAT", "NO WAIT"), ("READDY", "READY")],
)
def test_misspelt_command_gets_the_nearest_one_and_is_not_carried_out(played, seats, typo, meant):
    (receipt,) = played.reply(seats["austria"], typo)
    assert f"Did you mean: {meant}" in receipt.flat
    assert "no orders on file" in receipt.flat


@pytest.mark.case(68)
@pytest.mark.parametrize(
    "line", ["AS Ruritania", "GAME nowhere", "JOIN nowhere AS X", "CREATE chess AS club"]
)
def test_failed_switch_stops_all_that_follows(played, line):
    answer = played.reply(GM, f"{line}\nSET press = none\nEXTEND 24h")[0]
    assert answer.flat.count("Not done: it stands after a line that failed") == 2
    assert played.game().settings["press"] == "all"


@pytest.mark.case(68)
def test_player_who_writes_as_another_power_orders_for_nobody(played, seats):
    (receipt,) = played.reply(seats["austria"], "AS Germany\nA MUN - BUR\nA VIE - GAL")
    assert "Only a GM of spring99 can do this" in receipt.flat
    assert receipt.flat.count("Not done: it stands after a line that failed") == 2


def test_prose_that_begins_with_as_stops_nothing(played, seats):
    (receipt,) = played.reply(seats["austria"], "As I promised you last week\nA VIE - GAL")
    assert "version 1, 1 order on file" in receipt.flat


@pytest.mark.case(68)
def test_joining_a_second_game_takes_no_right_of_the_first_along(played, seats):
    played.create("autumn99")
    for n in range(7):
        played.join(f"q{n}@club.example", f"JOIN autumn99 AS Q{n}")
    text = "JOIN autumn99 AS Me\nA VIE - GAL\nSET press = none"
    answer = next(m for m in played.reply(seats["austria"], text) if m.kind == "receipt")
    assert "list of standby players" in answer.flat
    assert answer.flat.count("with a problem") == 1
    assert played.game("autumn99").settings["press"] == "all"
    mails = played.write(GM, played.newest[GM].reply_to, "JOIN autumn99 AS Boss\nSET press = none")
    assert played.game("autumn99").settings["press"] == "none", "he runs that game too"
    assert [m.kind for m in mails if m.to == GM][-1] == "receipt"


@pytest.mark.case(54)
@pytest.mark.parametrize(
    "line", ["DEADLINE 10 Jan foo", "DEADLINE 31 Feb", "DEADLINE 1999-01-01", "EXTEND soon"]
)
def test_date_that_is_none_moves_nothing_and_shows_a_right_one(played, line):
    due = played.phase().due_at
    (receipt,) = played.reply(GM, line)
    assert "with a problem" in receipt.flat
    assert "Did you mean" in receipt.flat
    assert played.phase().due_at == due


def test_deadline_without_a_year_is_the_next_such_date(played):
    played.reply(GM, "DEADLINE 3 Jan 19:00")
    assert played.phase().due_at.isoformat() == "2027-01-03T19:00:00+00:00"


@pytest.mark.case(60)
def test_deadline_in_four_hundred_days_holds_and_one_in_a_century_is_refused(played):
    played.reply(GM, "DEADLINE 2028-01-05 20:00")
    assert played.phase().due_at.year == 2028
    played.reply(GM, "EXTEND 5200 weeks")
    assert played.phase().due_at.year == 2028


def test_stranger_may_have_help_and_the_list_of_games(played):
    (games,) = played.write("ann@new.example", DESK, "GAMES")
    assert "spring99: Diplomacy, Spring 1901, movement" in games.flat
    (helped,) = played.write("ann@new.example", DESK, "HELP JOIN")
    assert "JOIN spring99 AS Ann Example" in helped.flat


def test_gm_ends_the_game_by_his_word(played, seats):
    mails = played.reply(GM, "END DRAW Austria, France")
    assert {m.to for m in mails if m.kind == "notice"} >= set(seats.values())
    assert played.game().result["winners"] == ["austria", "france"]
    assert "came from the seed" in mails[0].flat


def test_process_sent_twice_runs_one_phase(played, seats):
    for who in seats.values():
        played.reply(who, "NO ORDERS")
    played.reply(GM, "PROCESS")
    assert played.phase().name == "F1901M"
    (again,) = played.reply(GM, "PROCESS")
    assert "Nobody has ordered yet in Fall 1901" in again.flat
    assert played.phase().name == "F1901M"
    played.reply(GM, "PROCESS F1901M")
    assert played.phase().name != "F1901M"


def test_record_names_the_gm_and_gives_no_numbers_of_rows(played):
    played.reply(GM, "EXTEND 24h")
    (receipt,) = played.reply(GM, "AUDIT")
    assert "GM gm: extended the deadline by 24h" in receipt.flat
