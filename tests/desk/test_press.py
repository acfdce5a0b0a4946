"""Press: who gets what, who may read it later, and what is not let through. Votes, which are silent."""

from __future__ import annotations

import pytest

from tests.world import GM


def got(mails, kind="press"):
    return sorted(m.to for m in mails if m.kind == kind)


@pytest.mark.case(18)
@pytest.mark.parametrize(
    ("head", "powers"),
    [
        ("PRESS TO Turkey", ("turkey",)),
        ("PRESS TO T", ("turkey",)),
        ("PRESS TO France, Germany", ("france", "germany")),
        ("PRESS TO FG", ()),
        ("PRESS TO ALL BUT England, Turkey", ("france", "germany", "italy", "russia")),
    ],
)
def test_press_goes_to_those_named_and_to_nobody_else(played, seats, head, powers):
    mails = played.reply(seats["austria"], f"{head}\nShall we talk?\nENDPRESS")
    assert got(mails) == sorted(seats[p] for p in powers)


def test_press_to_all_reaches_players_and_gm_and_stands_in_the_next_report(played, seats):
    mails = played.reply(seats["austria"], "PRESS TO ALL: Peace in our time")
    assert got(mails) == sorted([GM, *(who for power, who in seats.items() if power != "austria")])
    played.reply(GM, "BROADCAST\nNo turn over Christmas.\nENDBROADCAST")
    for who in seats.values():
        played.reply(who, "NO ORDERS")
    report = next(m for m in played.tick(minutes=1) if m.kind == "report" and m.to == seats["italy"])
    assert "Peace in our time" in report.flat
    assert "No turn over Christmas." in report.flat


@pytest.mark.case(25)
def test_same_mail_delivered_twice_is_one_press(played, seats):
    to = played.newest[seats["austria"]].reply_to
    first = played.write(seats["austria"], to, "PRESS TO Italy: once", message_id="<same@x>")
    again = played.write(seats["austria"], to, "PRESS TO Italy: once", message_id="<same@x>")
    assert (got(first), again) == ([seats["italy"]], [])


def test_same_words_twice_in_one_mail_are_two_letters(played, seats):
    mails = played.reply(seats["austria"], "PRESS TO Italy: hello\nPRESS TO Italy: hello")
    assert got(mails) == [seats["italy"], seats["italy"]]


def test_unsigned_press_bears_no_trace_of_its_sender_nor_of_his_other_letters(played, seats):
    mails = played.reply(
        seats["austria"],
        "PRESS TO Italy: signed\nPRESS UNSIGNED TO Italy: a rumour\nPRESS TO Turkey: other",
    )
    signed, rumour = [m for m in mails if m.to == seats["italy"]]
    assert "Austria" in signed.text
    for word in ("Austria", "austria", seats["austria"]):
        assert word.encode() not in rumour.raw
    key = signed.mail["Message-ID"].split(".")[2]
    assert key not in rumour.mail["Message-ID"]


@pytest.mark.case(1)
def test_nothing_of_the_senders_mail_goes_along_but_his_words(played, seats):
    token = played.newest[seats["austria"]].reply_to
    mails = played.write(
        seats["austria"],
        token,
        f"PRESS TO Italy\nwrite to me at {token}\nENDPRESS\n-- \nAnn Example, 1 Secret Street",
        headers="X-Mailer: Mutt\r\nOrganization: Secret Ltd\r\n",
    )
    assert got(mails) == [], "a message with a reply address is held and asked about"
    mails = played.reply(seats["austria"], "SEND IT")
    raw = next(m for m in mails if m.kind == "press").raw
    for word in (token, token.partition("@")[0], "Secret", "Mutt", seats["austria"]):
        assert word.encode() not in raw


def test_press_to_a_power_without_a_player_says_so(played, seats):
    played.reply(seats["turkey"], "RESIGN spring99")
    mails = played.reply(seats["austria"], "PRESS TO Turkey: hello")
    assert got(mails) == []
    assert "nobody plays Turkey at present" in mails[-1].flat


@pytest.mark.parametrize(
    ("setting", "line", "refused"),
    [
        ("press = public", "PRESS TO Italy: x", "public press only"),
        ("press = none", "PRESS TO ALL: x", "no press"),
        ("grey = off", "PRESS UNSIGNED TO ALL: x", "no unsigned press"),
        ("press = none", "PRESS TO GM: x", ""),
        ("press = public", "PRESS TO ALL: x", ""),
    ],
)
def test_house_rules_of_press(played, seats, setting, line, refused):
    played.reply(GM, f"SET {setting}")
    mails = played.reply(seats["austria"], line)
    assert (got(mails) == []) is bool(refused)
    assert refused in mails[-1].flat


def test_block_without_its_end_is_not_sent(played, seats):
    mails = played.reply(seats["austria"], "PRESS TO Italy\nA VIE - GAL\nLet us talk")
    assert got(mails) == []
    assert "There is no line ENDPRESS after the text" in mails[-1].flat
    assert "no orders on file" in played.reply(seats["austria"], "SHOW")[0].flat


@pytest.mark.case(47)
@pytest.mark.case(49)
def test_history_shows_each_reader_what_he_was_sent_and_no_more(played, seats):
    played.reply(seats["austria"], "PRESS TO ALL BUT Germany: the plan")
    played.reply(seats["austria"], "PRESS TO GM: for your eyes")
    played.reply(seats["austria"], "PRESS TO ALL: in the open")
    texts = {who: played.reply(who, "HISTORY")[0].flat for who in (*seats.values(), GM)}
    for power, who in seats.items():
        assert ("the plan" in texts[who]) is (power != "germany")
        assert ("for your eyes" in texts[who]) is (power == "austria")
        assert "in the open" in texts[who]
    assert "the plan" not in texts[GM]
    assert "for your eyes" in texts[GM]


def test_newcomer_does_not_inherit_the_letters_of_his_seat(played, seats):
    played.reply(seats["austria"], "PRESS TO Italy: between us")
    played.reply(GM, "REPLACE Italy WITH ben@club.example AS Ben")
    assert "between us" not in played.reply("ben@club.example", "HISTORY")[0].flat


@pytest.mark.case(46)
def test_no_mail_of_an_anonymous_game_names_another_player_or_his_address(one):
    seats = one.start_diplomacy("anonymous = on", "extend_hours_max = 24")
    mails = one.reply(seats["austria"], "PRESS TO ALL: x\nNAME Somebody Else\nEXTEND 2h\nSTATUS")
    for who in seats.values():
        mails += one.reply(who, "NO ORDERS\nSTATUS\nHISTORY")
    mails += one.tick(minutes=1)
    assert any(m.kind == "report" for m in mails)
    for mail in mails:
        for other in set(seats.values()) - {mail.to}:
            assert other.encode() not in mail.raw
            if mail.to != GM:
                assert f"Player {other[1]}".encode() not in mail.raw
    one.reply(GM, "END ABANDONED")
    assert f"England: Player {seats['england'][1]}" in one.reply(seats["austria"], "STATUS")[0].flat


@pytest.mark.case(52)
def test_votes_are_silent_until_all_agree(played, seats):
    voters = list(seats.values())
    for who in voters[:-1]:
        mails = played.reply(who, "VOTE DRAW")
        assert [m.to for m in mails] == [who]
    assert "VOTE" not in played.reply(voters[-1], "STATUS\nHISTORY\nRULES")[0].text.partition("YOUR MAIL")[0]
    mails = played.reply(voters[-1], "VOTE DRAW")
    assert {m.to for m in mails if "is over" in m.subject} == {*voters, GM}
    assert played.game().result["how"] == "draw"


def test_votes_of_a_lost_seat_do_not_count_for_the_next_holder(played, seats):
    for who in seats.values():
        if who != seats["italy"]:
            played.reply(who, "VOTE CONCEDE TO Italy")
    played.reply(GM, "REPLACE Austria WITH ben@club.example AS Ben")
    played.reply(seats["italy"], "VOTE CONCEDE TO Italy")
    assert played.game().status == "running"
    played.reply("ben@club.example", "VOTE CONCEDE TO Italy")
    assert played.game().result == {
        "winners": ["italy"],
        "text": "By the vote of all players: the game is conceded to Italy.",
        "how": "concession",
    }
