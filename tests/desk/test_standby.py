"""Seats that change hands: offers to standby players, hand-over, records."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from gm.store.clubtables import SeatOffer
from tests.world import GM, Sent, World

BEN, CAT = "ben@club.example", "cat@club.example"


def lists(world: World, *who: str) -> None:
    for address in who:
        world.write(address, "gm@play.example", f"JOIN spring99 AS {address.partition('@')[0].title()}")
        world.reply(address, "yes")


def everybody(world: World, seats: dict[str, str], *but: str) -> None:
    for power, who in seats.items():
        if power not in but:
            world.reply(who, "NO ORDERS")


def offers(world: World) -> list[str]:
    with world.store.read() as session:
        return list(session.scalars(select(SeatOffer.state).order_by(SeatOffer.id)))


def to(mails: list[Sent], who: str) -> list[Sent]:
    return [m for m in mails if m.to == who]


def test_resignation_tells_the_gm_the_list_in_order_with_records(played, seats):
    lists(played, BEN, CAT)
    mails = played.reply(seats["austria"], "RESIGN spring99")
    (told,) = to(mails, GM)
    assert "Standby players, in the order of the list: Ben (no phase yet); Cat (no phase yet)." in told.flat
    assert "OFFER Austria asks them in that order, each for 72 hours." in told.flat
    assert not to(mails, BEN), "the GM offers, not the server"


def test_offer_goes_down_the_list_as_it_is_declined_and_ends_with_who_accepts(played, seats):
    lists(played, BEN, CAT)
    played.reply(seats["austria"], "RESIGN spring99")
    mails = played.reply(GM, "OFFER Austria")
    (asked,) = to(mails, BEN)
    assert "will you take over Austria?" in asked.subject
    assert "until Friday 4 December 2026, 12:00 (UTC)" in asked.flat
    assert "is offered to Ben (no phase yet) until Friday 4 December 2026, 12:00" in to(mails, GM)[0].flat
    mails = played.reply(BEN, "DECLINE spring99")
    assert "you have declined Austria in spring99" in to(mails, BEN)[0].flat
    assert "Ben has declined. Austria is offered to Cat" in to(mails, GM)[0].flat
    mails = played.reply(CAT, "ACCEPT")
    assert "you play Austria in spring99" in next(m for m in mails if m.kind == "receipt").flat
    assert "Cat has accepted the offer and plays Austria" in to(mails, GM)[0].flat
    assert offers(played) == ["declined", "taken"]
    (status,) = played.reply(CAT, "A VIE - GAL\nSTATUS")
    assert "Austria: Cat" in status.flat
    assert "Austria: version 1, 1 order on file" in status.flat


def test_offer_that_nobody_answers_passes_on_when_its_time_is_over(played, seats):
    played.reply(GM, "SET standby = auto\nSET standby_hours = 24\nDEADLINE 2026-12-30 20:00")
    lists(played, BEN, CAT)
    mails = played.reply(seats["austria"], "RESIGN spring99")
    assert to(mails, BEN), "the server asks the first of the list at once"
    assert "Austria is offered to Ben" in to(mails, GM)[0].flat
    played.skip(hours=23, minutes=59)
    assert played.tick() == []
    played.skip(minutes=2)
    mails = played.tick()
    assert "No answer of yours came in time" in to(mails, BEN)[0].flat
    assert to(mails, CAT)
    played.skip(days=1, minutes=1)
    mails = played.tick()
    assert "Nobody is left on the standby list" in to(mails, GM)[0].flat
    assert offers(played) == ["lapsed", "lapsed"]
    (receipt,) = played.reply(BEN, "ACCEPT spring99")
    assert "No seat is offered to you at present" in receipt.flat


def test_first_missed_phase_offers_the_seat_and_its_player_keeps_it_by_coming_back(played, seats):
    played.reply(GM, "SET standby = auto")
    lists(played, BEN)
    everybody(played, seats, "austria")
    played.skip(days=3, hours=8, minutes=1)
    mails = played.tick()
    assert "No orders came for Austria in the last phase." in to(mails, BEN)[0].flat
    assert any("no orders from Austria" in m.subject for m in to(mails, GM))
    played.skip(hours=1)
    played.reply(seats["austria"], "NO ORDERS")
    mails = played.tick(minutes=1)
    assert "needs no new player any more" in to(mails, BEN)[0].flat
    assert offers(played) == ["withdrawn"]
    (receipt,) = played.reply(BEN, "ACCEPT spring99")
    assert "No seat is offered to you" in receipt.flat


def test_whoever_takes_over_ends_the_rights_of_his_predecessor_at_once(played, seats):
    played.reply(GM, "SET standby = auto")
    lists(played, BEN)
    everybody(played, seats, "austria")
    played.skip(days=3, hours=8, minutes=1)
    played.tick()
    old = played.newest[seats["austria"]].reply_to
    mails = played.reply(BEN, "ACCEPT spring99")
    (told,) = to(mails, seats["austria"])
    assert "No orders came from you, so a standby player has taken over." in told.flat
    (receipt,) = played.write(seats["austria"], old, "A VIE - GAL")
    assert "no longer hold the power" in receipt.flat
    assert "no orders on file" in played.reply(BEN, "SHOW")[0].flat


@pytest.mark.case(49)
def test_packet_brings_up_to_date_with_what_the_seat_may_know(played, seats):
    everybody(played, seats, "austria")
    played.reply(seats["austria"], "A VIE - GAL\nREADY\nPRESS TO Italy: the old secret")
    played.tick(minutes=1)
    played.reply(seats["austria"], "A BUD - SER")
    played.reply(seats["italy"], "PRESS TO Austria: the old answer")
    mails = played.reply(GM, f"REPLACE Austria WITH {BEN} AS Ben")
    (packet,) = to(mails, BEN)
    assert "You take over Austria in Fall 1901, movement" in packet.flat
    assert "SPRING 1901, MOVEMENT" in packet.text.upper()
    assert "ORDERS ON FILE" in packet.text.upper()
    assert "A BUD - SER" in packet.flat
    assert "Deadline:" in packet.flat
    assert "old secret" not in packet.flat
    assert "old answer" not in packet.flat
    (history,) = played.reply(BEN, "HISTORY")
    assert "the old" not in history.flat


def test_predecessors_press_is_handed_over_where_the_house_rules_say_so(played, seats):
    played.reply(GM, "SET standby_press = on")
    played.reply(seats["austria"], "PRESS TO Italy: from the old one")
    played.reply(seats["italy"], "PRESS TO Austria: to the old one")
    played.reply(seats["italy"], "PRESS TO France: none of his business")
    (packet,) = to(played.reply(GM, f"REPLACE Austria WITH {BEN} AS Ben"), BEN)
    assert "from the old one" in packet.flat
    assert "to the old one" in packet.flat
    assert "none of his business" not in packet.flat


@pytest.mark.case(65)
def test_predecessors_orders_are_not_handed_over_where_the_house_rules_say_so(played, seats):
    played.reply(GM, "SET standby_orders = off")
    played.reply(seats["austria"], "A VIE - GAL")
    (packet,) = to(played.reply(GM, f"REPLACE Austria WITH {BEN} AS Ben"), BEN)
    assert "A VIE - GAL" not in packet.flat
    (receipt,) = played.reply(BEN, "A BUD - SER")
    assert "A VIE - GAL" not in receipt.flat
    assert "version 2, 1 order on file" in receipt.flat
    assert "owes" not in receipt.flat


@pytest.mark.case(55)
def test_replacement_never_makes_the_phase_run_before_he_has_said_a_word(played, seats):
    everybody(played, seats, "italy")
    played.reply(GM, f"REPLACE Austria WITH {BEN} AS Ben")
    played.reply(seats["italy"], "NO ORDERS")
    played.tick(minutes=20)
    assert played.phase().name == "S1901M"
    played.reply(BEN, "READY")
    played.tick(minutes=1)
    assert played.phase().name == "F1901M"


def test_standby_lists_refuse_who_plays_and_are_joined_once(played, seats):
    (receipt,) = played.reply(seats["italy"], "STANDBY spring99")
    assert "You play Italy in spring99." in receipt.flat
    lists(played, BEN)
    (receipt,) = played.reply(BEN, "STANDBY spring99\nLEAVE spring99\nSTANDBY spring99")
    assert receipt.flat.count("you are on the standby list of spring99") == 2


def test_offer_needs_a_list_and_is_made_once(played, seats):
    (receipt,) = played.reply(GM, "OFFER Austria")
    assert "Nobody is on the standby list of spring99" in receipt.flat
    lists(played, BEN, CAT)
    played.reply(GM, "OFFER Austria")
    mails = played.reply(GM, "OFFER Austria")
    assert "Nothing new: Austria is offered to Ben" in to(mails, GM)[0].flat
    assert not to(mails, CAT)
    (receipt,) = played.reply(seats["italy"], "OFFER Austria")
    assert "Only a GM of spring99 can do this" in receipt.flat


# --- records ---------------------------------------------------------------------------------------------------


def test_record_counts_on_time_late_missed_and_resigned(played, seats):
    played.reply(GM, "SET nmr = wait")
    everybody(played, seats, "austria", "italy", "france")
    played.skip(days=3, hours=8, minutes=1)
    played.tick()
    played.reply(seats["austria"], "NO ORDERS")
    played.reply(seats["france"], "RESIGN spring99")
    played.reply(GM, "PROCESS S1901M")
    assert played.phase().name == "F1901M"

    def record(power: str) -> str:
        (receipt,) = played.reply(seats[power], "RELIABILITY")
        return receipt.flat

    assert "1 phase: 1 on time, 0 late, 0 missed" in record("england")
    assert "1 phase: 0 on time, 1 late, 0 missed" in record("austria")
    assert "1 phase: 0 on time, 0 late, 1 missed" in record("italy")
    assert "no phase yet; resigned 1 seat" in record("france")
    assert "Player" not in record("england").split("Your record")[-1]
    (gms,) = played.reply(GM, "RELIABILITY")
    assert "1 phase: 0 on time, 1 late, 0 missed" in gms.flat


def test_record_shown_to_another_gm_leaves_anonymous_games_under_way_out(played, seats):
    played.reply(GM, "SET anonymous = on")
    everybody(played, seats, "austria")
    played.skip(days=3, hours=8, minutes=1)
    played.tick()
    other = "boss@club.example"
    played.with_office(creators=(GM, other))
    played.write(other, "gm@play.example", "CREATE diplomacy AS second")
    played.reply(other, "yes")
    played.reply(seats["austria"], "JOIN second\nSTANDBY second\nLEAVE second\nSTANDBY second")
    (receipt,) = played.reply(other, "GAME second\nRELIABILITY")
    assert "no phase yet" in receipt.flat
    assert "missed" not in receipt.flat
    played.reply(GM, "END ABANDONED")
    (receipt,) = played.reply(other, "GAME second\nRELIABILITY")
    assert "1 phase: 0 on time, 0 late, 1 missed" in receipt.flat
