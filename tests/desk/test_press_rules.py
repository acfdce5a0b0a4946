"""Press that is held, kept or refused: the guards, moderated games, postal and scheduled press, phases, observers."""

from __future__ import annotations

import pytest

from tests.turns.test_rollback import SHEETS
from tests.world import GM, World


def press(mails, to=""):
    return [m for m in mails if m.kind == "press" and (not to or m.to == to)]


def everybody_orders(world: World, seats: dict[str, str]) -> list:
    mails = []
    for power, who in seats.items():
        mails += world.reply(who, SHEETS[power])
    return mails + world.tick(minutes=1)


# --- guards ------------------------------------------------------------------------------------------------------


def quoted_report(world: World, who: str) -> str:
    """A report pasted into press with its head, as some mailers forward mails."""
    newest = world.newest[who]
    head = (
        f"From: Spring of 99 <spring99@play.example>\nReply-To: {newest.reply_to}\nSubject: {newest.subject}"
    )
    return f"{head}\n\nSpring of 99 begins"


@pytest.mark.case(1)
@pytest.mark.case(44)
@pytest.mark.parametrize("audience", ["Italy", "ALL", "GM", "ALL BUT Turkey"])
def test_press_with_the_reply_address_of_its_writer_is_held_and_asked_about(played, seats, audience):
    austria = seats["austria"]
    token = played.newest[austria].reply_to
    text = f"PRESS TO {audience}\nHave you seen this?\n{quoted_report(played, austria)}\nENDPRESS"
    mails = played.write(austria, token, text)
    assert [m.kind for m in mails] == ["receipt"]
    assert "press held, NOT sent" in mails[0].flat
    assert "it holds a reply address of yours or a password" in mails[0].flat
    assert "Reply SEND IT 1 to send it as it stands below, or DROP IT 1." in mails[0].flat
    assert "Have you seen this?" in mails[0].flat, "the writer gets his text back"
    mails = played.reply(austria, "SEND IT")
    assert press(mails)
    for mail in press(mails):
        assert token.partition("@")[0].encode() not in mail.raw
        assert "Reply-To: [removed]" in mail.text


@pytest.mark.case(44)
@pytest.mark.parametrize(
    "line",
    ["PASSWORD correct horse", "> password: correct horse", "my secret: correct horse", "correct horse"],
)
def test_press_with_the_password_of_its_writer_is_held_and_the_password_never_goes(played, seats, line):
    played.reply(seats["austria"], "SET PASSWORD correct horse")
    mails = played.reply(seats["austria"], f"PRESS TO Italy\nLog in for me\n{line}\nENDPRESS")
    assert press(mails) == []
    assert "press held, NOT sent" in mails[-1].flat
    assert b"correct horse" not in mails[-1].raw
    (letter,) = press(played.reply(seats["austria"], "SEND IT 1"))
    assert b"correct horse" not in letter.raw
    assert "Log in for me" in letter.text


@pytest.mark.parametrize(
    "block",
    [
        "A VIE - GAL\nA BUD - SER",
        "> A VIE - GAL\n> F TRI H",
        "1. A VIE - GAL\n2. A BUD - SER\n3. F TRI - ALB",
        "Here is what I do:\n  A Vie-Gal\n  F Tri-Alb\nGood luck!",
    ],
)
def test_press_that_holds_an_order_block_of_its_writer_is_held(played, seats, block):
    mails = played.reply(seats["austria"], f"PRESS TO Russia\n{block}\nENDPRESS")
    assert press(mails) == []
    assert "it holds orders of your own for Spring 1901, movement" in mails[-1].flat
    played.reply(seats["austria"], "DROP IT")
    assert press(played.reply(seats["austria"], "SEND IT")) == []
    assert "press held" not in played.reply(seats["russia"], "HISTORY")[0].flat


def test_orders_of_others_and_single_moves_in_prose_are_talk_and_go_at_once(played, seats):
    for body in (
        "A WAR - GAL\nA MOS - UKR\nF SEV - RUM",
        "I move A VIE - GAL, promised",
        "Let us bounce in GAL",
    ):
        assert press(played.reply(seats["austria"], f"PRESS TO Russia\n{body}\nENDPRESS"))


def test_a_sheet_of_one_order_is_a_sheet_all_the_same(played, seats):
    played.reply(seats["austria"], "A VIE - GAL")
    assert press(played.reply(seats["austria"], "PRESS TO Russia\nA VIE - GAL\nENDPRESS")) == []
    assert press(played.reply(seats["austria"], "PRESS TO Russia\nA BUD - SER\nENDPRESS"))


def test_each_held_message_has_its_number_and_none_goes_twice(played, seats):
    austria = seats["austria"]
    played.reply(austria, "PRESS TO Italy\nA VIE - TYR\nA BUD - SER\nENDPRESS")
    played.reply(austria, "PRESS TO Turkey\nA VIE - TYR\nA BUD - SER\nENDPRESS")
    (receipt,) = played.reply(austria, "SEND IT")
    assert "Which? Press of yours that waits for your word: 1, 2." in receipt.flat
    assert [m.to for m in press(played.reply(austria, "SEND IT 2\nSEND IT 2"))] == [seats["turkey"]]
    assert press(played.reply(seats["russia"], "SEND IT 1")) == [], "it is his word alone"
    assert press(played.reply(austria, "DROP IT 1\nSEND IT 1")) == []


def test_gm_who_pastes_his_own_mail_into_a_broadcast_is_asked_too(played, seats):
    token = played.newest[GM].reply_to
    mails = played.reply(GM, f"BROADCAST\nReply-To: {token}\nNo turn.\nENDBROADCAST")
    assert press(mails) == []
    assert "press held, NOT sent" in mails[-1].flat
    mails = played.reply(GM, "SEND IT")
    assert {m.to for m in press(mails)} == set(seats.values())
    assert all(token.partition("@")[0].encode() not in m.raw for m in press(mails))


# --- moderated ---------------------------------------------------------------------------------------------------


def test_in_a_moderated_game_press_waits_for_the_gms_word(played, seats):
    played.reply(GM, "SET press = moderated")
    mails = played.reply(seats["austria"], "PRESS TO Italy: the plan\nPRESS UNSIGNED TO ALL: a rumour")
    assert press(mails) == []
    asked = [m for m in mails if m.to == GM]
    assert [m.subject.partition("press to")[2] for m in asked] == [" approve, no. 1", " approve, no. 2"]
    assert "AUSTRIA TO ITALY" in asked[0].flat
    assert "the plan" in asked[0].flat
    assert "Austria" not in asked[1].flat.partition("Unsigned to all")[2], (
        "unsigned is unsigned to the GM too"
    )
    for power in ("italy", "germany"):
        text = played.reply(seats[power], "HISTORY\nSTATUS")[0].flat
        assert "the plan" not in text
        assert "a rumour" not in text
    played.newest[GM] = asked[0]
    assert "the plan" in played.reply(GM, "HELD")[0].flat
    mails = played.reply(GM, "RELEASE 1\nREFUSE 2 BECAUSE it is rude")
    assert [m.to for m in press(mails)] == [seats["italy"]]
    told = next(m for m in mails if m.to == seats["austria"])
    assert "The GM did not let your press to all pass: it is rude. Nobody else has seen it." in told.flat
    assert press(played.reply(GM, "RELEASE 1\nRELEASE 2")) == []
    mails = everybody_orders(played, seats)
    assert not any("a rumour" in m.text for m in mails if m.kind == "report")
    assert "a rumour" not in played.reply(seats["italy"], "HISTORY")[0].flat


def test_press_to_the_gm_is_never_moderated(played, seats):
    played.reply(GM, "SET press = moderated")
    assert [m.to for m in press(played.reply(seats["austria"], "PRESS TO GM: help"))] == [GM]


# --- postal and scheduled ----------------------------------------------------------------------------------------


def test_postal_press_is_delivered_with_the_results_and_not_before(played, seats):
    played.reply(GM, "SET press_delivery = postal")
    mails = played.reply(seats["austria"], "PRESS TO Italy: by post\nPRESS TO ALL: to the world")
    assert press(mails) == []
    assert "press kept, to go with the results of the phase, to Italy" in mails[-1].flat
    assert "by post" not in played.reply(seats["italy"], "HISTORY")[0].flat
    mails = everybody_orders(played, seats)
    assert [m.to for m in press(mails)] == [seats["italy"]]
    assert "by post" in press(mails)[0].text
    reports = [m for m in mails if m.kind == "report"]
    assert len(reports) == 8
    assert all("to the world" in m.text for m in reports)
    assert press(played.tick(hours=1)) == []
    assert "by post" in played.reply(seats["italy"], "HISTORY")[0].flat
    assert "by post" not in played.reply(seats["germany"], "HISTORY")[0].flat


def test_postal_press_goes_to_whoever_holds_the_power_when_the_post_comes(played, seats):
    played.reply(GM, "SET press_delivery = postal")
    played.reply(seats["austria"], "PRESS TO Italy: by post")
    played.tick(minutes=10)
    played.reply(GM, "REPLACE Italy WITH ben@club.example AS Ben")
    played.tick(minutes=10)
    for power, who in {**seats, "italy": "ben@club.example"}.items():
        played.reply(who, SHEETS[power])
    assert [m.to for m in press(played.tick(minutes=1))] == ["ben@club.example"]
    assert "by post" in played.reply("ben@club.example", "HISTORY")[0].flat


def test_postal_press_of_a_game_that_ends_without_a_result_comes_at_its_end(played, seats):
    played.reply(GM, "SET press_delivery = postal")
    played.reply(seats["austria"], "PRESS TO Italy: farewell")
    played.reply(GM, "END ABANDONED")
    assert [m.to for m in press(played.tick(minutes=1))] == [seats["italy"]]
    assert press(played.tick(minutes=10)) == []


@pytest.mark.parametrize(
    "text",
    ["PRESS TO France AT 2 Dec 20:00: at eight", "PRESS TO France AT 2026-12-02 20:00\nat eight\nENDPRESS"],
)
def test_scheduled_press_goes_once_at_the_hour_its_writer_named(played, seats, text):
    mails = played.reply(seats["austria"], text)
    assert press(mails) == []
    assert "kept until Wednesday 2 December 2026, 20:00 (UTC), then sent to France" in mails[0].flat
    played.skip(hours=31)
    assert press(played.tick(minutes=30)) == []
    (letter,) = press(played.tick(minutes=45))
    assert (letter.to, "at eight" in letter.text) == (seats["france"], True)
    assert press(played.tick(hours=1)) == []


@pytest.mark.case(54)
@pytest.mark.parametrize("when", ["30 Feb 20:00", "2026-11-01 20:00", "2 Dec 20:00 foo", "2030-01-01 20:00"])
def test_scheduled_press_with_a_date_that_is_none_is_not_sent(played, seats, when):
    mails = played.reply(seats["austria"], f"PRESS TO France AT {when}\nx\nENDPRESS")
    assert press(mails) == []
    assert "1 line with a problem" in mails[0].flat


def test_times_in_the_text_of_press_are_text(played, seats):
    (letter,) = press(played.reply(seats["austria"], "PRESS TO France: meet me at 20:00: alone"))
    assert "meet me at 20:00: alone" in letter.text


# --- when players may write --------------------------------------------------------------------------------------


def test_press_by_phase(played, seats):
    played.reply(GM, "SET press_phases = builds, retreats")
    mails = played.reply(seats["austria"], "PRESS TO Italy: hello\nPRESS TO GM: help")
    assert [m.to for m in press(mails)] == [GM]
    assert "press in phases of adjustments, retreats only, not in Spring 1901, movement" in mails[-1].flat
    played.reply(GM, "SET press_phases = movement")
    assert press(played.reply(seats["austria"], "PRESS TO Italy: hello"))
    (receipt,) = played.reply(GM, "SET press_phases = teatime")
    assert "takes kinds of phases" in receipt.flat


@pytest.mark.case(64)
def test_whoever_has_ordered_may_write_while_the_turn_waits_for_the_late(played, seats):
    played.reply(GM, "SET press_needs_orders = on\nSET nmr = wait")
    assert press(played.reply(seats["austria"], "PRESS TO Italy: hello")) == []
    mails = played.reply(seats["austria"], "PRESS TO GM: help")
    assert press(mails)
    (receipt,) = played.reply(seats["austria"], "PRESS TO Italy: hello")
    assert "you order first and write then" in receipt.flat
    played.reply(seats["austria"], "NO ORDERS")
    played.tick(days=5)
    assert played.phase().name == "S1901M"
    assert press(played.reply(seats["austria"], "PRESS TO Italy: hello"))
    assert press(played.reply(seats["italy"], "PRESS TO Austria: hello")) == []


# --- the archive of press ----------------------------------------------------------------------------------------


@pytest.mark.case(47)
@pytest.mark.case(49)
def test_press_is_for_its_readers_for_ever(played, seats):
    played.write("olga@club.example", "gm@play.example", "OBSERVE spring99\nNAME Olga")
    played.reply("olga@club.example", "yes")
    played.reply(seats["austria"], "PRESS TO ALL BUT Germany: the secret plan")
    everybody_orders(played, seats)
    played.reply(GM, "REPLACE Italy WITH ben@club.example AS Ben")
    for who in (seats["germany"], "olga@club.example", "ben@club.example"):
        (receipt,) = [m for m in played.reply(who, "HISTORY\nSTATUS") if m.kind == "receipt"]
        assert "secret plan" not in receipt.text
        assert "Press you could read" not in receipt.text, "nor that there was any"
        mails = played.reply(who, "RESULTS 1")
        assert not any("secret plan" in m.text for m in mails)
    played.reply(GM, "END ABANDONED")
    for who in (seats["germany"], "olga@club.example", "ben@club.example"):
        assert "secret plan" not in played.reply(who, "HISTORY")[0].text
    assert "secret plan" in played.reply(seats["france"], "HISTORY")[0].text
