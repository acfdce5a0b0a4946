"""An anonymous game: no mail of any kind tells a reader who plays what, in its header, body or files."""

from __future__ import annotations

import base64
from collections.abc import Collection

import pytest

from tests.clubworld import found
from tests.world import DESK, GM, Sent, World

OLGA = "olga@club.example"
BEN = "ben@club.example"
SAM, TESS = "sam@far.example", "tess@far.example"
"""On the list of standby players."""
ROSA = "rosa@far.example"
"""Reads the zine."""
DORA = "dora@far.example"
"""Stands in for the player of France, who has told her so himself."""
PEOPLE = {SAM: "sam standby", TESS: "tess standby", ROSA: "rosa reader", DORA: "dora deputy"}


@pytest.fixture
def one(one_store) -> World:
    return World(one_store)


def everything_readable(raw: bytes) -> bytes:
    """The bytes of a mail, and each of its parts decoded, in lower case."""
    from email import message_from_bytes

    parts = [raw]
    for part in message_from_bytes(raw).walk():
        data = part.get_payload(decode=True)
        if isinstance(data, bytes):
            parts += [data, base64.b64encode(data)]
    return b"\n".join(parts).lower()


def play_everything(world: World, seats: dict[str, str]) -> list:
    """A game in which every kind of mail goes out."""
    world.write(OLGA, DESK, "OBSERVE spring99\nNAME Olga Observer")
    mails = world.reply(OLGA, "yes")
    austria, italy = seats["austria"], seats["italy"]
    mails += world.reply(
        austria, "PRESS TO Italy: between us\nPRESS UNSIGNED TO ALL: a rumour\nPRESS TO GM: hi"
    )
    mails += world.reply(austria, "PRESS TO Italy\nA VIE - TYR\nA BUD - SER\nENDPRESS")
    mails += world.reply(austria, "SEND IT\nEXTEND 2h\nSTATUS\nHISTORY\nRULES\nWHY DEADLINE\nHELP\nGAMES")
    mails += world.reply(italy, "PROCESS\nPROCESS\nPROCESS\nAUDIT")
    mails += world.reply(GM, "SET press = moderated")
    mails += world.reply(italy, "PRESS TO Austria: one\nPRESS TO ALL: two")
    mails += world.reply(
        GM, "RELEASE 1\nREFUSE 2 BECAUSE rude\nHOLD BECAUSE I look\nRELEASE\nSET press = all"
    )
    mails += world.reply(GM, "AS Austria\nA VIE - GAL")
    mails += world.reply(GM, 'EDIT BECAUSE of a slip\nunits.austria = ["A VIE", "A BUD", "F ALB"]\nENDEDIT')
    mails += world.reply(GM, "BROADCAST: hello\nPAUSE Christmas\nRESUME")
    mails += world.tick(days=4)
    for who in seats.values():
        mails += world.reply(who, "NO ORDERS\nVOTE DRAW Austria")
    mails += world.reply(GM, "PROCESS")
    mails += world.reply(GM, "ROLLBACK TO S1901M BECAUSE of me\nPROCESS S1901M\nRESEND TO Italy")
    mails += world.reply(GM, f"REPLACE Turkey WITH {BEN} AS Ben Newcomer")
    mails += world.reply(seats["russia"], "RESIGN spring99")
    mails += world.reply(austria, "STATUS\nHISTORY\nRESULTS 1")
    return mails + world.tick(days=9)


@pytest.mark.case(46)
@pytest.mark.case(51)
@pytest.mark.slow
def test_nobody_learns_from_any_mail_who_plays_what(one):
    seats = one.start_diplomacy("anonymous = on", "extend_hours_max = 24", "audit = players", "nmr_out = 0")
    mails = play_everything(one, seats)
    assert {"receipt", "report", "press", "notice", "reminder"} <= {m.kind for m in mails}
    names = {who: f"player {who[1]}" for who in seats.values()}
    names |= {BEN: "ben newcomer", OLGA: "olga observer"}
    for mail in mails:
        if mail.to == GM:
            continue
        names_nobody(mail, names)


def names_nobody(mail: Sent, names: dict[str, str], known: Collection[str] = ()) -> None:
    """A mail holds no address and no name but its reader's, and those of people that he knows of by himself."""
    text = everything_readable(mail.raw)
    for who, name in names.items():
        if who != mail.to and who not in known:
            assert who.encode() not in text, (who, mail.to, mail.subject)
            assert name.encode() not in text, (who, mail.to, mail.subject)


# --- the club around the game ------------------------------------------------------------------------------------


@pytest.fixture
def club(one: World) -> tuple[World, dict[str, str]]:
    """An anonymous game of a campaign under way. Turkey's player is a GM of the campaign, but not of this game."""
    found(one)
    rules = ("anonymous = on", "nmr_out = 0", "standby = auto", "absence = wait", "early = off")
    lines = [
        "CAMPAIGN danube",
        "CREATE diplomacy AS spring99 TITLE Spring of 99",
        *(f"SET {rule}" for rule in rules),
    ]
    one.reply(GM, "\n".join(lines))
    for n in range(7):
        mails = one.join(f"p{n}@club.example", f"JOIN spring99 AS Player {n}")
    seats = {m.power: m.to for m in mails if m.kind == "report" and m.power}
    for mail in mails:
        one.newest[mail.to] = mail
    one.reply(GM, f"CAMPAIGN danube\nCREATE menes AS autumn\nCAMPAIGN danube\nADD GM {seats['turkey']}")
    return one, seats


def play_the_club(world: World, seats: dict[str, str]) -> list[Sent]:
    """Standby offers and a hand-over, absences, a deputy, two issues of the zine, the weekly mail to GMs."""
    mails: list[Sent] = []
    for who in (SAM, TESS):
        mails += world.write(who, DESK, f"JOIN spring99 AS {PEOPLE[who].title()}")
        mails += world.reply(who, "yes")
    mails += world.write(ROSA, DESK, "SUBSCRIBE danube\nNAME Rosa Reader")
    mails += world.reply(ROSA, "yes")
    orders = {power: "NO ORDERS" for power in seats if power != "austria"}
    gm_who_plays = "CAMPAIGN danube\nROSTER\nLETTERS\nHEALTH\nCAMPAIGNS\nSTANDINGS"
    for power, text in orders.items():
        mails += world.reply(seats[power], text)
    mails += world.reply(seats["england"], "LETTER UNSIGNED danube: I shall win this.\nPRESS TO ALL: Peace!")
    mails += world.reply(
        seats["france"], f"DEPUTY {DORA} FROM 9 Dec TO 16 Dec PRESS\nABSENCES\nSTATUS\nSTANDINGS danube"
    )
    mails += world.reply(DORA, "yes, I do")
    mails += world.reply(seats["france"], "yes")
    mails += world.reply(seats["turkey"], gm_who_plays)
    mails += world.reply(
        GM, "CAMPAIGN danube\nANSWER LETTER 1: We shall see.\nERRATUM spring99: Not so.\nPUBLISH"
    )
    mails += world.tick(days=4)
    mails += world.reply(seats["italy"], "ABSENT 10 Dec TO 14 Dec\nABSENCES\nRELIABILITY")
    mails += world.reply(SAM, "STATUS\nDECLINE spring99")
    mails += world.reply(TESS, "STANDINGS danube\nACCEPT spring99")
    mails += world.reply(TESS, "NO ORDERS\nSTATUS\nHISTORY\nABSENCES\nRELIABILITY")
    mails += world.tick(days=6)
    mails += world.reply(DORA, "NO ORDERS\nSTATUS\nPRESS TO Italy: I write for another.")
    mails += world.reply(seats["italy"], "STATUS\nWHY DEADLINE\nCANCEL ABSENCE")
    mails += world.reply(seats["russia"], "RESIGN spring99")
    mails += world.reply(SAM, "ACCEPT spring99")
    mails += world.reply(GM, "CAMPAIGN danube\nPUBLISH")
    mails += world.tick(days=8)
    mails += world.reply(seats["turkey"], gm_who_plays)
    mails += world.reply(ROSA, "GET ZINE 1 OF danube\nSTANDINGS danube\nSTATUS spring99\nGAMES\nCAMPAIGNS")
    return mails


@pytest.mark.case(46)
@pytest.mark.slow
def test_nobody_learns_who_plays_what_from_the_club_around_the_game(
    club: tuple[World, dict[str, str]],
) -> None:
    world, seats = club
    mails = play_the_club(world, seats)
    told = " | ".join(f"{m.to} {m.subject}" for m in mails)
    for kind in (
        f"{SAM} [The Courier] Spring of 99: will you take over Austria?",
        f"{TESS} [spring99] Fall 1901, movement: Spring of 99: Fall 1901, movement",
        f"{SAM} [The Courier] Spring of 99: will you take over Russia?",
        f"{ROSA} The Danube Courier No. 1",
        f"{seats['turkey']} [The Courier] Your games this week",
        f"{DORA} [spring99] Spring of 99: will you stand in for",
        f"{seats['england']} [spring99] Spring of 99: new deadline for Fall 1901, movement",
        "Austria has a new player",
    ):
        assert kind in told, (kind, "\n".join(sorted(set(told.split(" | ")))))
    names = {who: f"player {who[1]}" for who in seats.values()} | PEOPLE
    france, turkey = seats["france"], seats["turkey"]
    for mail in mails:
        if mail.to == GM:
            continue
        # They have told each other: he asked her, and she agreed.
        known = {DORA: {france}, france: {DORA}}.get(mail.to, set())
        if mail.kind == "zine":  # Turkey's player edits the paper, which says nothing of what he plays.
            assert mail.to == turkey or mail.flat.count(names[turkey].title()) == 1
            assert f"Edited by gm, {names[turkey].title()}" in mail.flat
            assert mail.to == turkey or turkey.encode() not in everything_readable(mail.raw)
            known = known | {turkey}
        names_nobody(mail, names, known)


def test_a_mail_that_names_a_player_is_found(one: World) -> None:
    seats = one.start_diplomacy()
    (mail,) = [m for m in one.reply(seats["austria"], "STATUS") if m.kind == "receipt"]
    with pytest.raises(AssertionError):
        names_nobody(mail, {who: f"player {who[1]}" for who in seats.values()})
