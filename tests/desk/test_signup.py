"""Getting into a game and out of it, by mail."""

from __future__ import annotations

from sqlalchemy import select

from gm.store.mailtables import Outbound
from gm.store.tables import Address, Player
from tests.world import DESK, GM


def test_stranger_who_asks_to_join_is_asked_to_confirm_and_nothing_else_happens(world):
    world.create()
    (question,) = world.write("ann@club.example", DESK, "JOIN spring99 AS Ann")
    assert question.to == "ann@club.example"
    assert "JOIN spring99 AS Ann" in question.flat
    assert world.reply(GM, "STATUS")[0].flat.count("0 of 7 players") == 1


def test_confirmed_join_counts_and_names_the_player(world):
    world.create()
    world.write("ann@club.example", DESK, "JOIN spring99 AS Ann PREFER Turkey")
    (receipt,) = world.reply("ann@club.example", "yes please")
    assert "you are in spring99 as Ann, wishing Turkey. 1 of 7 players so far" in receipt.flat


def test_zone_and_language_come_with_the_sign_up(world):
    world.create()
    world.write("ann@club.example", DESK, "JOIN spring99 AS Ann\nZEITZONE Europe/Berlin\nSPRACHE Deutsch")
    (receipt,) = world.reply("ann@club.example", "ja")
    assert receipt.subject == "[spring99] 3 Zeilen ausgeführt"
    with world.store.read() as session:
        ann = session.scalars(select(Player).where(Player.name == "Ann")).one()
    assert (ann.zone, ann.language) == ("Europe/Berlin", "de")


def test_confirmation_works_once(world):
    world.create()
    world.write("ann@club.example", DESK, "JOIN spring99 AS Ann")
    question = world.newest["ann@club.example"]
    world.reply("ann@club.example", "yes")
    again = world.write("ann@club.example", question.reply_to, "yes")
    assert [m.subject for m in again] == ["[The Courier] That reply address no longer works"]
    assert world.write("ann@club.example", question.reply_to, "yes") == [], "and it is said once"


def test_game_starts_when_the_last_seat_is_taken_and_every_player_gets_his_start(world):
    seats = world.start_diplomacy()
    assert sorted(seats) == ["austria", "england", "france", "germany", "italy", "russia", "turkey"]
    assert sorted(seats.values()) == [f"p{n}@club.example" for n in range(7)]
    assert world.game().status == "running"
    start = world.newest[seats["austria"]]
    assert "You play Austria." in start.flat
    assert "Deadline: Friday 4 December 2026, 20:00 (UTC)" in start.text


def test_wishes_are_respected_by_lot(world):
    world.create()
    for n, power in enumerate(("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")):
        mails = world.join(f"p{n}@club.example", f"JOIN spring99 AS P{n} PREFER {power}")
    drawn = {m.power: m.to for m in mails if m.kind == "report" and m.power}
    assert [drawn[p] for p in sorted(drawn)] == [f"p{n}@club.example" for n in range(7)]


def test_unknown_game_gets_the_nearest_name(world):
    world.create()
    (answer,) = world.write("ann@club.example", DESK, "JOIN sprung99 AS Ann")
    assert "There is no game 'sprung99'." in answer.flat
    assert "GAME spring99" in answer.flat


def test_late_comer_becomes_standby(world):
    world.start_diplomacy()
    receipt = world.join("late@club.example", "JOIN spring99 AS Late")[-1]
    assert "you are on its list of standby players" in receipt.flat


def test_resigning_needs_the_games_name_and_tells_the_gm(world):
    seats = world.start_diplomacy()
    austria = seats["austria"]
    (refused,) = world.reply(austria, "RESIGN")
    assert "RESIGN spring99" in refused.flat
    mails = world.reply(austria, "RESIGN spring99")
    assert {m.to for m in mails} == {austria, GM}
    assert "Austria has resigned" in next(m for m in mails if m.to == GM).subject


def test_only_listed_addresses_create_games(world):
    world.write("ann@club.example", DESK, "CREATE diplomacy AS mine")
    (answer,) = world.reply("ann@club.example", "yes")
    assert "not on this server's list" in answer.flat


def test_stranger_with_anything_else_gets_no_answer(world):
    assert world.write("spam@bulk.example", DESK, "Dear friend, I have 10 million dollars for you") == []
    assert world.outcome() == {"answered": False, "why_not": "a stranger"}
    with world.store.read() as session:
        assert session.scalars(select(Player)).all() == []


def test_stranger_gets_a_bounded_number_of_answers_a_day(world):
    world.create()
    for _ in range(12):
        world.write("ann@club.example", DESK, "JOIN spring99 AS Ann")
    with world.store.read() as session:
        rows = session.scalars(select(Outbound).where(Outbound.recipient == "ann@club.example")).all()
    assert len(rows) == 6


def test_unconfirmed_address_gets_no_game_mail(world):
    world.create()
    world.write("ann@club.example", DESK, "JOIN spring99 AS Ann")
    with world.store.read() as session:
        assert (
            session.scalars(select(Address).where(Address.email == "ann@club.example")).one().state
            == "unconfirmed"
        )


def test_names_are_cleaned(one):
    one.create()
    one.write("ann@club.example", DESK, "JOIN spring99 AS An\u202en\x07 <b>x</b>")
    (receipt,) = one.reply("ann@club.example", "yes")
    assert "\u202e" not in receipt.text
    assert "\x07" not in receipt.text
