"""Votes are counted again when there is one voter less: a power is out of the game or has lost its player."""

from __future__ import annotations

import pytest

from tests.world import GM

REST = ("austria", "england", "france", "germany", "italy", "russia")
SIX = "Austria, England, France, Germany, Italy, Russia"


def all_but_turkey(world, seats, line):
    for power in REST:
        world.reply(seats[power], line)
    assert world.game().status == "running"


def ending(world):
    return world.game().status, (world.game().result or {}).get("text")


def test_draw_passes_when_the_one_who_did_not_vote_for_it_resigns(played, seats):
    all_but_turkey(played, seats, "VOTE DRAW")
    mails = played.reply(seats["turkey"], "RESIGN spring99")
    assert ending(played) == ("finished", f"By the vote of all players: a draw between {SIX}.")
    assert played.game().result["winners"] == list(REST), "who resigned shares nothing"
    receipt = next(m for m in mails if m.kind == "receipt")
    assert "by the votes of the others the game is over" in receipt.flat
    assert {m.to for m in mails if "is over" in m.subject} == {GM, *(seats[power] for power in REST)}
    assert not [m for m in mails if "has resigned" in m.subject], "nobody is looked for"


@pytest.mark.parametrize(
    "line", [f"VOTE DRAW {SIX}, Turkey", "VOTE DRAW Austria, Turkey", "VOTE CONCEDE TO Turkey", "VOTE NONE"]
)
def test_what_names_the_power_that_resigned_does_not_pass_by_it(played, seats, line):
    all_but_turkey(played, seats, line)
    mails = played.reply(seats["turkey"], "RESIGN spring99")
    assert ending(played) == ("running", None)
    assert [m.to for m in mails if "has resigned" in m.subject] == [GM]


@pytest.mark.parametrize("line", [f"VOTE DRAW {SIX}", "VOTE DRAW Austria, Italy", "VOTE CONCEDE TO France"])
def test_what_names_others_does(played, seats, line):
    all_but_turkey(played, seats, line)
    played.reply(seats["turkey"], "RESIGN spring99")
    assert played.game().status == "finished"


def test_draw_without_names_is_the_same_as_one_that_names_all(played, seats):
    for power in REST:
        played.reply(seats[power], "VOTE DRAW" if power < "g" else f"VOTE DRAW {SIX}, Turkey")
    played.reply(seats["turkey"], "VOTE DRAW")
    assert ending(played) == ("finished", f"By the vote of all players: a draw between {SIX}, Turkey.")


def test_draw_passes_when_the_one_who_did_not_vote_for_it_is_eliminated(played, seats):
    all_but_turkey(played, seats, "VOTE DRAW")
    played.reply(GM, "EDIT BECAUSE Turkey was never there\nunits.turkey = []\ncentres.turkey = []\nENDEDIT")
    assert played.game().status == "running"
    mails = played.reply(GM, "PROCESS S1901M")
    assert ending(played) == ("finished", f"By the vote of all players: a draw between {SIX}.")
    assert [m.kind for m in mails if m.to == seats["italy"]] == ["report", "notice"]
    assert played.phase() is None


def test_draw_passes_when_the_one_who_did_not_vote_for_it_is_out_for_missed_orders(played, seats):
    played.reply(GM, "SET nmr_out = 1")
    all_but_turkey(played, seats, "VOTE DRAW\nNO ORDERS")
    played.tick(days=4)
    assert ending(played) == ("finished", f"By the vote of all players: a draw between {SIX}.")


def test_another_player_on_the_seat_has_a_vote_of_his_own(played, seats):
    all_but_turkey(played, seats, "VOTE DRAW")
    played.reply(GM, "REPLACE Turkey WITH ben@club.example AS Ben")
    assert played.game().status == "running"


def test_more_time_is_given_when_there_are_fewer_to_ask(played, seats):
    played.reply(GM, "SET extend_vote = majority")
    due = played.phase().due_at
    for power in ("austria", "england", "france"):
        played.reply(seats[power], "VOTE EXTEND 24h")
    played.reply(seats["turkey"], "RESIGN spring99")
    assert played.phase().due_at == due, "four of six"
    mails = played.reply(seats["russia"], "RESIGN spring99")
    assert (played.phase().due_at - due).total_seconds() == 24 * 3600, "three of five"
    moved = [m for m in mails if "new deadline" in m.subject]
    assert {m.to for m in moved} == {
        GM,
        *(seats[p] for p in ("austria", "england", "france", "germany", "italy")),
    }
    assert "extended by 24 hours by vote of the players" in moved[0].flat
    played.reply(seats["italy"], "RESIGN spring99")
    assert (played.phase().due_at - due).total_seconds() == 24 * 3600, "once a phase"
