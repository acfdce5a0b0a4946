"""The weekly mail on a GM's games: when it comes, what it tells, and what it does not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select, update

from gm.store.mailtables import Inbound, Outbound
from gm.store.tables import Address, Game, Player
from tests.clubworld import ANN, found, play, process, receipt, wait
from tests.world import GM, World

OTHER = "other@club.example"
MONDAY = datetime(2026, 12, 7, 9, 0, tzinfo=UTC)


@pytest.fixture
def club(one: World) -> World:
    found(one)
    play(one)
    return one


def weekly(mails: list) -> list:
    return [m for m in mails if "Your games this week" in m.subject]


def delivered(world: World) -> None:
    """As if the relay had taken all mails."""
    with world.store.write() as session:
        session.execute(update(Outbound).values(status="sent"))


def test_every_gm_gets_it_once_a_week_on_monday_at_nine_where_he_lives(world: World) -> None:
    world.with_office(creators=(GM, OTHER))
    found(world)
    found(world, "rhine", OTHER, "The Rhine Herald")
    play(world)
    play(world, "rheingold", "rhine", OTHER)
    world.reply(OTHER, "ZONE America/New_York")
    delivered(world)
    assert weekly(wait(world, seconds=(MONDAY - world.now).total_seconds() - 60)) == []
    (mine,) = weekly(wait(world, minutes=1))
    assert mine.to == GM
    assert mine.subject == "[The Courier] Your games this week: all is well"
    assert "spring99: Spring 1901, movement" in mine.flat
    assert "rheingold" not in mine.flat
    assert weekly(wait(world, hours=4, minutes=59)) == []
    (theirs,) = weekly(wait(world, minutes=1))  # nine o'clock in New York
    assert theirs.to == OTHER
    assert "spring99" not in theirs.flat
    assert weekly(wait(world, days=3)) == []
    assert [m.to for m in weekly(wait(world, days=3, hours=19))] == [GM]


def to_monday(world: World) -> list:
    return weekly(wait(world, seconds=(MONDAY - world.now).total_seconds()))


def test_gm_of_one_game_answers_the_weekly_mail_with_commands(club: World) -> None:
    (mail,) = to_monday(club)
    assert "Reply with commands of a GM" in mail.flat
    said = receipt(club.reply(GM, "DEADLINE 2026-12-20 20:00\nEXTEND 24h\nSTATUS\nSET tagline = Weekly"))
    assert "the deadline is Monday 21 December 2026, 20:00 (UTC)" in said
    assert "tagline is Weekly" in said
    assert "with a problem" not in said
    phase = club.phase()
    assert phase is not None
    assert phase.due_at == datetime(2026, 12, 21, 20, 0, tzinfo=UTC)


def test_gm_of_several_games_is_told_how_to_name_one_and_then_it_is_done(club: World) -> None:
    club.reply(GM, "CREATE diplomacy AS autumn2 IN danube")
    (mail,) = to_monday(club)
    said = receipt(club.reply(GM, "EXTEND 24h\nNOSUCH 3\nHEALTH\nSET tagline = Weekly"))
    assert "This needs a game. Yours: spring99, autumn2." in said
    assert "GAME spring99, on a line before it" in said
    assert "how your games do: below" in said
    receipt(club.reply(GM, "GAME spring99\nDEADLINE 2026-12-20 20:00"))
    phase = club.phase()
    assert phase is not None
    assert phase.due_at == datetime(2026, 12, 20, 20, 0, tzinfo=UTC)
    said = receipt(club.write(GM, mail.reply_to, "CAMPAIGN danube\nSET tagline = Weekly\nROSTER"))
    assert "tagline is Weekly" in said
    assert "with a problem" not in said


def test_answer_to_the_weekly_mail_is_never_about_a_game_in_which_the_gm_plays(one: World) -> None:
    one.with_office(creators=(GM, OTHER))
    found(one)
    found(one, "rhine", OTHER, "The Rhine Herald")
    play(one)
    play(one, "rheingold", "rhine", OTHER)
    one.reply(ANN, "RESIGN spring99")
    one.newest[GM] = one.write(GM, one.newest[GM].reply_to, "GAME spring99\nSTATUS")[0]
    one.reply(GM, f"GAME spring99\nREPLACE Austria WITH {OTHER}")
    mine = next(m for m in to_monday(one) if m.to == OTHER)
    said = receipt(one.write(OTHER, mine.reply_to, "DEADLINE 2026-12-20 20:00\nNO ORDERS"))
    assert "read as Sunday 20 December 2026" in said
    other, own = one.phase("spring99"), one.phase("rheingold")
    assert other is not None and own is not None
    assert (other.due_at, own.due_at) == (None, datetime(2026, 12, 20, 20, 0, tzinfo=UTC))
    assert "spring99" not in said, "the game in which he plays"


def test_who_runs_no_game_any_more_is_told_so(club: World) -> None:
    club.reply(GM, f"CAMPAIGN danube\nADD GM {OTHER} AS Otto")
    mine = next(m for m in to_monday(club) if m.to == OTHER)
    club.reply(GM, f"CAMPAIGN danube\nDROP GM {OTHER}")
    said = receipt(club.write(OTHER, mine.reply_to, "EXTEND 24h\nHEALTH\nGAME spring99\nPROCESS"))
    assert "This needs a game." in said
    assert "You run no game" in said
    assert "Only a GM of spring99 can do this" in said


def test_server_that_was_down_on_monday_sends_it_late_and_after_two_days_not_at_all(club: World) -> None:
    assert len(weekly(wait(club, seconds=(MONDAY - club.now).total_seconds() + 86_400))) == 1
    club.now = MONDAY + timedelta(days=5)
    wait(club, seconds=0)
    assert weekly(wait(club, days=4, hours=1)) == []


def test_it_tells_all_that_needs_a_person(club: World) -> None:
    club.reply(GM, "GAME spring99\nSET vacant = civil_disorder\nSET nmr = wait\nDEADLINE 2026-12-02 20:00")
    wait(club, days=1, hours=9)
    with club.store.write() as session:
        ann = session.scalars(select(Player).where(Player.name == "Ann Adler")).one()
        session.execute(update(Address).where(Address.player_id == ann.id).values(state="suspended"))
        game = session.scalars(select(Game).where(Game.slug == "spring99")).one()
        session.execute(
            update(Outbound).where(Outbound.game_id == game.id).values(status="held", held_why="breaker")
        )
        mail = session.scalars(select(Inbound).order_by(Inbound.id.desc()).limit(1)).one()
        mail.status, mail.received_at = "quarantined", club.now
    club.now += timedelta(days=6)
    answer = receipt(club.reply(GM, "HEALTH"))
    assert "LATE ---- spring99: Austria spring99: France" in answer
    assert "VACANT ------ spring99: England, Germany, Italy, Russia, Turkey" in answer
    assert f"spring99: Austria (Ann Adler), {ANN}: suspended" in answer
    assert "held (breaker)" in answer
    assert "SILENT ------ none" in answer
    club.now += timedelta(days=8)
    assert "spring99: Austria (Ann Adler), 15 days" in receipt(club.reply(GM, "HEALTH"))


def test_game_stopped_by_a_fault_is_told_with_its_trace(club: World) -> None:
    with club.store.write() as session:
        game = session.scalars(select(Game).where(Game.slug == "spring99")).one()
        game.status, game.trace = "parked", "spring99-1-KeyError"
    assert "spring99: stopped by a fault, trace spring99-1-KeyError" in receipt(club.reply(GM, "HEALTH"))


def test_players_reply_address_gets_no_health_even_if_he_runs_another_game(club: World) -> None:
    club.with_office(creators=(GM, ANN))
    club.reply(ANN, "CREATE diplomacy AS hers")
    seat = next(m for m in process(club) if m.to == ANN and m.kind == "report")
    assert "You run no game" in receipt(club.write(ANN, seat.reply_to, "HEALTH"))
