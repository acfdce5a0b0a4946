"""An anonymous game: no mail of any kind tells a reader who plays what, in its header, body or files."""

from __future__ import annotations

import base64

import pytest

from tests.world import DESK, GM, World

OLGA = "olga@club.example"
BEN = "ben@club.example"


@pytest.fixture
def one(sqlite_store) -> World:
    return World(sqlite_store)


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
        text = everything_readable(mail.raw)
        for who, name in names.items():
            if who != mail.to:
                assert who.encode() not in text, (mail.to, mail.subject)
                assert name.encode() not in text, (mail.to, mail.subject)
