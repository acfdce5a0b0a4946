"""The standby list of a campaign: who is on it, who asks whom, in what order."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select

from gm.store.clubtables import Roster, SeatOffer
from gm.store.tables import Player
from tests.clubworld import ANN, BEN, found, play, process, receipt
from tests.world import DESK, GM, Sent, World

CAT, DAN, EVE = "cat@club.example", "dan@club.example", "eve@club.example"


@pytest.fixture
def club(one: World) -> World:
    found(one)
    play(one)
    return one


def to(mails: list[Sent], who: str) -> list[Sent]:
    return [m for m in mails if m.to == who]


def on_list(world: World) -> list[str]:
    with world.store.read() as session:
        rows = session.scalars(select(Roster).where(Roster.role == "standby").order_by(Roster.id)).all()
        return [session.get_one(Player, row.player_id).name for row in rows]


def joins(world: World, who: str, line: str) -> list[Sent]:
    """A stranger asks for something and confirms it."""
    world.write(who, DESK, line)
    return world.reply(who, "yes, me")


def test_players_and_strangers_put_themselves_on_the_list_and_off_again(club: World) -> None:
    assert "you are on the standby list of the campaign danube" in receipt(
        club.reply(ANN, "STANDBY IN danube")
    )
    said = receipt(joins(club, CAT, "STANDBY IN danube"))
    assert "NO STANDBY IN danube takes you off" in said
    assert on_list(club) == ["Ann Adler", "cat"]
    assert "already" in receipt(club.reply(CAT, "STANDBY danube"))
    assert on_list(club) == ["Ann Adler", "cat"]
    assert "you are off the standby list of the campaign danube" in receipt(club.reply(CAT, "NO STANDBY"))
    assert "You are not on the standby list" in receipt(club.reply(CAT, "NO STANDBY IN danube"))
    assert on_list(club) == ["Ann Adler"]
    receipt(joins(club, DAN, "STANDBY IN danube"))
    joins(club, DAN, "NO STANDBY IN danube")
    assert on_list(club) == ["Ann Adler"]


def test_a_stranger_who_does_not_confirm_is_on_no_list(club: World) -> None:
    (asked,) = club.write(CAT, DESK, "STANDBY IN danube")
    assert "asked to be offered seats that need a player" in asked.flat
    club.reply(CAT, "no")
    assert on_list(club) == []


def test_word_is_read_as_game_or_campaign_whichever_there_is(club: World) -> None:
    joins(club, CAT, "STANDBY spring99")
    assert on_list(club) == []
    assert "you are off the standby list of spring99" in receipt(club.reply(CAT, "NO STANDBY IN spring99"))
    assert "You are not on the standby list of spring99" in receipt(club.reply(CAT, "NO STANDBY spring99"))
    assert "There is no campaign 'danub'" in receipt(club.reply(CAT, "STANDBY IN danub"))
    assert "There is no game 'nosuch'" in receipt(club.reply(CAT, "STANDBY nosuch"))


def test_gm_adds_and_removes_and_who_is_added_is_told_and_may_leave(club: World) -> None:
    mails = club.reply(GM, f"CAMPAIGN danube\nADD STANDBY {CAT} AS Cat\nADD STANDBY {CAT}\nROSTER")
    said = receipt(mails)
    assert "Cat is on the standby list of danube and is told so (no phase yet)" in said
    assert "Cat is on the standby list of danube already." in said
    assert f"standby: Cat <{CAT}>: no phase yet" in said
    (told,) = to(mails, CAT)
    assert "A GM of The Danube Courier (danube) has put you on the list" in told.flat
    receipt(club.write(CAT, told.reply_to, "NO STANDBY IN danube"))
    assert on_list(club) == []
    club.reply(GM, f"CAMPAIGN danube\nADD STANDBY {DAN}")
    said = receipt(
        club.reply(GM, f"CAMPAIGN danube\nDROP STANDBY {DAN}\nDROP STANDBY {DAN}\nDROP STANDBY x@y.example")
    )
    assert "dan is off the standby list of danube" in said
    assert "dan is not on the standby list of danube." in said
    assert "DROP STANDBY needs the address of one." in said
    assert on_list(club) == []


def test_nobody_else_adds_or_removes(club: World) -> None:
    assert "Only a GM of the campaign danube can do this" in receipt(club.reply(ANN, f"ADD STANDBY {CAT}"))
    joins(club, CAT, "STANDBY IN danube")
    assert "Only a GM of the campaign danube can do this" in receipt(club.reply(ANN, f"DROP STANDBY {CAT}"))
    assert on_list(club) == ["cat"]


def test_seat_goes_to_the_games_own_list_first_then_to_the_campaigns_in_order(club: World) -> None:
    club.reply(GM, "GAME spring99\nSET standby = gm\nSET vacant = civil_disorder")
    joins(club, CAT, "STANDBY IN danube")
    joins(club, DAN, "STANDBY IN danube")
    joins(club, EVE, "STANDBY spring99")
    (told,) = to(club.reply(ANN, "RESIGN spring99"), GM)
    assert (
        "in the order of the list: eve (no phase yet); cat (no phase yet); dan (no phase yet)." in told.flat
    )
    mails = club.reply(GM, "GAME spring99\nOFFER Austria")
    assert (
        "You are a standby player of Spring of 99 (spring99), a game of Diplomacy." in to(mails, EVE)[0].flat
    )
    mails = club.reply(EVE, "DECLINE spring99")
    (asked,) = to(mails, CAT)
    assert (
        "You are a standby player of The Danube Courier, to which Spring of 99 (spring99) belongs, a game of Diplomacy."
        in asked.flat
    )
    assert "eve has declined. Austria is offered to cat (no phase yet)" in to(mails, GM)[0].flat
    assert to(club.reply(CAT, "DECLINE"), DAN)
    said = receipt(club.reply(DAN, "ACCEPT spring99"))
    assert "you play Austria in spring99" in said
    with club.store.read() as session:
        states = session.scalars(select(SeatOffer.state).order_by(SeatOffer.id)).all()
    assert states == ["declined", "declined", "taken"]
    assert on_list(club) == ["cat", "dan"], (
        "who takes a seat stays on the campaign's list, for its other games"
    )


def test_reliability_in_other_games_of_the_campaign_is_shown(club: World) -> None:
    club.reply(GM, "GAME spring99\nSET vacant = civil_disorder")
    club.now += timedelta(hours=1)
    club.reply(BEN, "NO ORDERS\nSTANDBY IN danube")
    process(club)
    club.newest[GM] = club.reply(GM, "CAMPAIGN danube\nCREATE diplomacy AS autumn2\nSET calendar = none")[-1]
    club.join(CAT, "JOIN autumn2 AS Cat")
    club.reply(GM, "GAME autumn2\nSTART")
    said = receipt(club.reply(GM, "GAME autumn2\nOFFER Turkey\nRELIABILITY"))
    assert "is offered to Ben Marsh (1 phase: 1 on time, 0 late, 0 missed)" in said


def test_no_seat_is_offered_to_who_plays_or_runs_the_game(club: World) -> None:
    club.reply(GM, "GAME spring99\nSET vacant = civil_disorder")
    for who in (BEN, GM):
        club.reply(who, "STANDBY IN danube" if who == BEN else "CAMPAIGN danube\nSTANDBY IN danube")
    club.reply(ANN, "RESIGN spring99")
    assert "Nobody is on the standby list" in receipt(club.reply(GM, "GAME spring99\nOFFER Austria"))
