"""Deputies: asked, confirmed by both, for a time, with no more than their scope."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from gm.store.tables import Sheet
from tests.world import GM, Sent, World

BEN = "ben@club.example"
FRIDAY = datetime(2026, 12, 4, 20, 0, tzinfo=UTC)


def to(mails: list[Sent], who: str) -> list[Sent]:
    return [m for m in mails if m.to == who]


def agree(world: World, seats: dict[str, str], span: str = "2 Dec TO 8 Dec", more: str = "") -> None:
    """Austria asks Ben, and both say yes."""
    world.reply(seats["austria"], f"DEPUTY {BEN} FROM {span}{more}")
    world.reply(BEN, "gladly")
    world.reply(seats["austria"], "yes")


def begin(world: World, seats: dict[str, str], more: str = "") -> list[Sent]:
    """As `agree`, up to the first day."""
    agree(world, seats, more=more)
    world.skip(hours=12, minutes=1)
    return world.tick()


def test_both_are_asked_by_mail_and_the_gm_is_told(played, seats):
    mails = played.reply(seats["austria"], f"DEPUTY {BEN} FROM 2 Dec TO 8 Dec")
    (question,) = to(mails, BEN)
    assert "asks you to send orders, but no press for him" in question.flat
    assert "Wednesday 2 December 2026, 00:00 (UTC) to Wednesday 9 December 2026, 00:00 (UTC)" in question.flat
    mails = played.reply(BEN, "yes")
    assert "the player is asked to confirm it" in next(m for m in to(mails, BEN)).flat
    (asked,) = to(mails, seats["austria"])
    assert "ben agrees to stand in for you as Austria" in asked.flat
    mails = played.reply(seats["austria"], "yes")
    (told,) = to(mails, GM)
    assert "ben stands in for the player of Austria" in told.flat
    assert {m.to for m in mails} == {seats["austria"], GM}, "nobody else is told"
    (list_,) = played.reply(seats["austria"], "ABSENCES")
    assert "deputy ben (orders): confirmed" in list_.flat


@pytest.mark.parametrize("who", ["deputy", "player"])
def test_without_both_answers_nobody_stands_in(played, seats, who):
    played.reply(seats["austria"], f"DEPUTY {BEN} FROM 2 Dec TO 8 Dec")
    if who == "player":
        played.reply(BEN, "yes")
        played.reply(seats["austria"], "no, thank you")
    else:
        played.reply(BEN, "NO")
    played.skip(days=1)
    assert to(played.tick(), BEN) == []


def test_player_is_told_that_the_deputy_said_no(played, seats):
    played.reply(seats["austria"], f"DEPUTY {BEN} FROM 2 Dec TO 8 Dec")
    mails = played.reply(BEN, "No, sorry")
    (told,) = to(mails, seats["austria"])
    assert (
        "ben does not stand in for you in Spring of 99 (spring99): the answer was no. It was about Wednesday "
        "2 December 2026, 00:00 (UTC) to Wednesday 9 December 2026, 00:00 (UTC). "
        "DEPUTY and another address asks somebody else."
    ) in told.flat
    assert {m.to for m in mails} == {BEN, seats["austria"]}
    (list_,) = played.reply(seats["austria"], "ABSENCES")
    assert "deputy ben" not in list_.flat


def test_deputy_is_told_that_the_player_did_not_confirm_him(played, seats):
    played.reply(seats["austria"], f"DEPUTY {BEN} FROM 2 Dec TO 8 Dec")
    played.reply(BEN, "yes")
    mails = played.reply(seats["austria"], "no, thank you")
    (told,) = to(mails, BEN)
    assert "has not confirmed that you stand in for him in Spring of 99 (spring99)" in told.flat
    assert "There is nothing for you to do." in told.flat


def test_no_to_a_question_that_was_taken_back_tells_nobody_anything(played, seats):
    played.reply(seats["austria"], f"DEPUTY {BEN} FROM 2 Dec TO 8 Dec")
    played.reply(seats["austria"], "CANCEL ABSENCE")
    assert [m.to for m in played.write(BEN, played.newest[BEN].reply_to, "NO")] == [BEN]


def test_deputy_gets_the_seats_mails_and_orders_by_reply_marked_as_his(played, seats):
    mails = begin(played, seats)
    (welcome,) = to(mails, BEN)
    assert "You stand in for the player of Austria until Wednesday 9 December 2026" in welcome.flat
    assert welcome.reply_to != played.newest[seats["austria"]].reply_to
    (receipt,) = played.reply(BEN, "A VIE - GAL")
    assert "Austria: version 1, 1 order on file" in receipt.flat
    with played.store.read() as session:
        assert session.scalars(select(Sheet.source)).one() == "deputy"
    (receipt,) = played.reply(seats["austria"], "A BUD - SER")
    assert "version 2, 2 orders on file" in receipt.flat, "the player himself may still order"
    for power, who in seats.items():
        if power != "austria":
            played.reply(who, "NO ORDERS")
    played.reply(BEN, "READY")
    reports = played.tick(minutes=1)
    mine, his = to(reports, BEN), to(reports, seats["austria"])
    assert [m.subject for m in mine] == [m.subject for m in his]
    assert mine[0].text.count("A VIE - GAL") == his[0].text.count("A VIE - GAL")


def test_scope_orders_has_no_press_and_no_votes(played, seats):
    begin(played, seats)
    mails = played.reply(seats["france"], "PRESS TO Austria: for your eyes only")
    assert not to(mails, BEN)
    mails = played.reply(
        BEN, "PRESS TO France: hello\nVOTE DRAW\nRESIGN spring99\nEXTEND 24h\nNO ORDERS\nHISTORY"
    )
    receipt = next(m for m in mails if m.to == BEN)
    assert receipt.flat.count("You stand in for another player; this is for himself alone.") == 4
    assert "counts as orders received" in receipt.flat
    assert "for your eyes only" not in receipt.flat
    assert not to(mails, seats["france"])


def test_scope_press_reads_and_writes_press_of_that_time(played, seats):
    played.reply(seats["france"], "PRESS TO Austria: before his time")
    begin(played, seats, " PRESS")
    mails = played.reply(seats["france"], "PRESS TO Austria: to both of you")
    assert "to both of you" in to(mails, BEN)[0].flat
    assert to(mails, seats["austria"])
    mails = played.reply(BEN, "PRESS TO France: from the deputy\nHISTORY")
    assert "from the deputy" in to(mails, seats["france"])[0].flat
    assert "before his time" not in next(m for m in mails if m.to == BEN and m.kind == "receipt").flat


def test_press_of_a_deputy_is_in_the_players_own_history(played, seats):
    begin(played, seats, " PRESS")
    played.reply(BEN, "PRESS TO France: from the deputy\nPRESS UNSIGNED TO Italy: psst")
    (receipt,) = played.reply(seats["austria"], "HISTORY")
    assert "Austria: from the deputy" in receipt.flat
    assert "Unsigned: psst" in receipt.flat
    for other in ("germany", "turkey"):
        assert "from the deputy" not in played.reply(seats[other], "HISTORY")[0].flat
    mails = played.reply(GM, "REPLACE Austria WITH dan@club.example AS Dan")
    assert "from the deputy" not in to(mails, "dan@club.example")[0].flat
    (receipt,) = played.reply("dan@club.example", "HISTORY")
    assert "from the deputy" not in receipt.flat, "a successor inherits nothing"


def test_history_of_a_deputy_has_private_press_of_his_time_only_if_he_may_read_press(played, seats):
    played.reply(seats["france"], "PRESS TO Austria: before his time")
    agree(played, seats, more=" PRESS")
    played.skip(hours=12, minutes=1)
    played.tick()
    played.reply(seats["france"], "PRESS TO Austria: in his time")
    played.reply(seats["austria"], "PRESS TO France: an answer of the player's")
    receipt = next(m for m in played.reply(BEN, "HISTORY") if m.kind == "receipt")
    assert "in his time" in receipt.flat
    assert "an answer of the player's" in receipt.flat
    assert "before his time" not in receipt.flat


def test_deputy_for_orders_reads_nothing_of_private_press(played, seats):
    played.reply(seats["france"], "PRESS TO Austria: before his time")
    begin(played, seats)
    mails = played.reply(seats["france"], "PRESS TO Austria: in his time\nPRESS TO ALL: hear, hear")
    mails += played.reply(seats["austria"], "PRESS TO France: an answer of the player's")
    mails += played.reply(BEN, "HISTORY\nSTATUS\nRESULTS\nNO ORDERS")
    for who in seats.values():
        mails += played.reply(who, "NO ORDERS")
    mails += played.tick(minutes=1)
    mails += played.reply(BEN, "HISTORY\nRESULTS")
    text = " ".join(m.flat for m in to(mails, BEN))
    assert "hear, hear" in text, "what is for all he reads as all do"
    for secret in ("before his time", "in his time", "an answer"):
        assert secret not in text


def test_time_ends_by_itself_and_the_reply_address_with_it(played, seats):
    begin(played, seats)
    old = played.newest[BEN].reply_to
    played.reply(GM, "DEADLINE 2026-12-20 20:00")
    played.now = datetime(2026, 12, 9, 0, 1, tzinfo=UTC) - timedelta(minutes=1)
    played.skip(minutes=1)
    mails = played.tick()
    assert "Your time as a deputy in Spring of 99 (spring99) is over" in to(mails, BEN)[0].flat
    assert (
        "only you order from now on"
        in next(m for m in to(mails, seats["austria"]) if "deputy" in m.flat).flat
    )
    mails = played.write(BEN, old, "A VIE - GAL")
    assert all("1 order on file" not in m.flat for m in mails)
    mails = played.reply(seats["italy"], "PRESS TO ALL: anybody there?")
    assert not to(mails, BEN)


def test_taken_back_it_ends_at_once(played, seats):
    begin(played, seats)
    old = played.newest[BEN].reply_to
    mails = played.reply(seats["austria"], "CANCEL ABSENCE")
    assert "taken back" in next(m for m in mails if m.kind == "receipt").flat
    assert to(mails, BEN)
    assert all("order on file" not in m.flat for m in played.write(BEN, old, "A VIE - GAL"))


def test_no_deadline_waits_for_a_player_who_has_a_deputy(played, seats):
    played.reply(seats["austria"], "ABSENT 3 Dec TO 8 Dec")
    assert played.phase().due_at == FRIDAY.replace(day=11)
    played.reply(seats["austria"], "CANCEL ABSENCE")
    agree(played, seats, "3 Dec TO 8 Dec")
    played.reply(seats["austria"], "ABSENT 3 Dec TO 8 Dec")
    assert played.phase().due_at == FRIDAY


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("DEPUTY ben", "DEPUTY needs an address"),
        (f"DEPUTY {BEN} FROM 31 Feb TO 3 Mar", "'31 Feb' is no possible date"),
        (
            "DEPUTY {italy} FROM 2 Dec TO 8 Dec",
            "Whoever plays in the game or runs it can't be a deputy in it.",
        ),
        ("CONFIRM DEPUTY IN spring99", "Nobody has agreed to be your deputy there"),
        ("BE DEPUTY FOR Italy IN spring99", "Nobody has asked you for that"),
    ],
)
def test_what_cannot_be_is_refused(played, seats, line, said):
    (receipt,) = played.reply(seats["austria"], line.format(**seats))
    assert said in receipt.flat


def test_game_without_deputies_says_so(played, seats):
    played.reply(GM, "SET absence = none")
    mails = played.reply(seats["austria"], f"DEPUTY {BEN} FROM 2 Dec TO 8 Dec")
    assert "By its house rules nobody has a deputy in spring99." in to(mails, seats["austria"])[0].flat
    assert not to(mails, BEN)


def test_anonymous_game_gives_no_answer_from_which_a_player_could_be_told(played, seats):
    played.reply(GM, "SET anonymous = on")
    known = played.reply(seats["austria"], f"DEPUTY {seats['italy']} FROM 2 Dec TO 8 Dec")
    stranger = played.reply(seats["austria"], f"DEPUTY {BEN} FROM 2 Dec TO 8 Dec")
    told = [
        m.flat.replace(seats["italy"], "X").replace(BEN, "X")
        for m in (known[0], to(stranger, seats["austria"])[0])
    ]
    assert told[0] == told[1]
    assert len(known) == 1


def test_gm_who_acts_for_a_power_names_no_deputy(played):
    (receipt,) = played.reply(GM, f"AS Austria\nDEPUTY {BEN} FROM 2 Dec TO 8 Dec")
    assert "That is for the player of Austria alone" in receipt.flat
