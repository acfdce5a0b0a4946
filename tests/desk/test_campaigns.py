"""Campaigns by mail: founding, games and GMs in common, waiting lists, readers, standings; and what keeps two apart."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select

from gm.desk.clubcommands import CLUB_COMMANDS
from gm.desk.commands import WORDS
from gm.desk.handlers import editing
from gm.desk.language import command_of
from gm.store.clubtables import Contribution
from gm.store.tables import Campaign, GameGM, Player
from tests.clubworld import ANN, BEN, found, play, process, receipt, wait, zines
from tests.world import DESK, GM, World

OTHER = "other@club.example"


def campaign(world: World, slug: str = "danube") -> Campaign:
    with world.store.read() as session:
        return session.scalars(select(Campaign).where(Campaign.slug == slug)).one()


def contributions(world: World) -> list[tuple[str, str, str]]:
    with world.store.read() as session:
        return [(c.kind, c.byline, c.body) for c in session.scalars(select(Contribution))]


def test_game_created_in_a_campaign_begins_with_its_calendar_house_rules_and_gms(world: World) -> None:
    found(world)
    world.reply(GM, "CAMPAIGN danube\nADD GM cora@club.example AS Cora")
    answer = receipt(
        world.reply(
            GM,
            "CAMPAIGN danube\nSET calendar = every Sunday 18:00\nSET zone = Europe/Berlin\nSET press = public\n"
            "CREATE diplomacy AS spring99 TITLE Spring of 99",
        )
    )
    assert "with a problem" not in answer
    assert "spring99 is open for sign-up in danube" in answer
    game = world.game()
    assert (game.settings["calendar"], game.settings["zone"], game.settings["press"]) == (
        "every Sunday 18:00",
        "Europe/Berlin",
        "public",
    )
    with world.store.read() as session:
        gms = session.scalars(
            select(Player.name).join(GameGM, GameGM.player_id == Player.id).order_by(Player.name)
        )
        assert list(gms) == ["Cora", "gm"]


def test_campaigns_rules_are_no_longer_spoken_of_once_a_game_was_created(one: World) -> None:
    found(one)
    one.reply(
        GM, "CAMPAIGN danube\nCREATE diplomacy AS spring99\nSET press = none\nCREATE diplomacy AS autumn"
    )
    assert one.game().settings["press"] == "none"
    assert one.game("autumn").settings["press"] == "all"
    assert one.game("autumn").campaign_id == campaign(one).id


@pytest.mark.case(68)
def test_campaign_that_is_not_there_stops_the_mail(one: World) -> None:
    found(one)
    answer = receipt(one.reply(GM, "CAMPAIGN danub\nSET tagline = none of yours\nPUBLISH"))
    assert "There is no campaign 'danub'" in answer
    assert "Did you mean: CAMPAIGN danube" in answer
    assert answer.count("Not done: it stands after a line that failed") == 2
    assert campaign(one).settings["tagline"] == ""


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("SET zine = every Fryday 21:00", "did you mean Friday?"),
        ("SET colour = red", "there are: zine, tagline, maps, calendar"),
        ("SET press = loud", "press must be one of all, public, none"),
        ("SET maps = many", "maps must be a whole number from 0 to 12"),
        ("SET zone = Middle/Earth", "there is no time zone"),
    ],
)
def test_rule_of_a_campaign_that_can_not_be_is_refused_with_what_can(
    one: World, line: str, words: str
) -> None:
    found(one)
    before = campaign(one).settings
    assert words in receipt(one.reply(GM, f"CAMPAIGN danube\n{line}"))
    assert campaign(one).settings == before


def test_campaigns_are_founded_by_creators_only_and_a_name_once(one: World) -> None:
    found(one)
    one.write(OTHER, DESK, "CREATE CAMPAIGN mine")
    assert "not on this server's list" in receipt(one.reply(OTHER, "yes"))
    assert "there is a campaign 'danube' already" in receipt(one.reply(GM, "CREATE CAMPAIGN danube"))
    assert "cannot name a campaign" in receipt(one.reply(GM, "CREATE CAMPAIGN postmaster"))


def test_every_example_of_a_campaign_command_is_understood(one: World) -> None:
    found(one)
    play(one)
    one.reply(GM, "CREATE diplomacy AS stray")  # replies to spring99: created in the campaign
    not_now = {
        "WAIT FOR": "",
        "GET ZINE": "No issue of The Danube Courier was published yet",
        "CREATE CAMPAIGN": "there is a campaign 'danube' already",
        "CALL": "Nobody waits for diplomacy",
        "WITHDRAW LETTER": "",
        "ANSWER LETTER": "No letter waits.",
    }
    for command in CLUB_COMMANDS:
        assert command_of(command.example, WORDS, frozenset())[0] == command.name
        who = GM if command.who == "editor" or command.name == "CREATE CAMPAIGN" else ANN
        mails = one.reply(who, f"CAMPAIGN danube\n{command.example}" if who == GM else command.example)
        answer = receipt(mails)
        if not_now.get(command.name):
            assert not_now[command.name] in answer
        else:
            assert "with a problem" not in answer, (command.name, answer)


# --- GMs -------------------------------------------------------------------------------------------------------


def test_co_gm_acts_on_all_games_until_he_is_dropped(world: World) -> None:
    found(world)
    play(world)
    mails = world.reply(GM, "CAMPAIGN danube\nADD GM cora@club.example AS Cora")
    assert [m.to for m in mails if m.kind == "notice"] == ["cora@club.example"]
    assert "made you a GM of the campaign danube" in world.newest["cora@club.example"].flat
    world.now += timedelta(minutes=5)
    ran = process(world, gm="cora@club.example")
    assert "has been run" in receipt([m for m in ran if m.to == "cora@club.example"])
    world.reply(GM, "CAMPAIGN danube\nDROP GM cora@club.example")
    answer = receipt(world.reply("cora@club.example", "GAME spring99\nPAUSE\nCAMPAIGN danube\nPUBLISH"))
    assert "Only a GM of spring99 can do this" in answer
    assert "Only a GM of the campaign danube can do this" in answer


def test_gm_of_the_campaign_is_no_gm_of_a_game_that_he_plays(one: World) -> None:
    found(one)
    play(one)
    answer = receipt(one.reply(GM, f"CAMPAIGN danube\nADD GM {ANN}"))
    assert "not of spring99, where he plays" in answer
    with one.store.read() as session:
        ann = session.scalars(select(Player).where(Player.name == "Ann Adler")).one()
        assert session.scalar(select(GameGM.id).where(GameGM.player_id == ann.id)) is None
    assert "You run no game" in receipt(one.reply(ANN, "HEALTH"))


def test_gm_who_joins_a_game_of_the_campaign_runs_it_no_longer(one: World) -> None:
    found(one)
    one.reply(GM, "CAMPAIGN danube\nADD GM cora@club.example AS Cora\nCREATE diplomacy AS spring99")
    answer = receipt(one.reply("cora@club.example", "JOIN spring99 AS Cora\nSET press = none"))
    assert "you are no longer one of its GMs" in answer
    assert "Only a GM of spring99 can do this" in answer
    assert one.game().settings["press"] == "all"


def test_last_gm_stays(one: World) -> None:
    found(one)
    assert "is the only GM of danube; add another first" in receipt(
        one.reply(GM, f"CAMPAIGN danube\nDROP GM {GM}")
    )


def test_game_without_a_campaign_gets_a_second_gm_too(one: World) -> None:
    one.create("alone")
    one.reply(GM, "ADD GM cora@club.example AS Cora")
    assert "paused" not in receipt(one.reply("cora@club.example", "GAME alone\nSET press = none"))
    assert one.game("alone").settings["press"] == "none"
    assert "is the only GM" in receipt(one.reply(GM, f"GAME alone\nDROP GM cora@club.example\nDROP GM {GM}"))


def test_seats_reply_address_carries_no_gms_right_over_the_campaign(one: World) -> None:
    found(one)
    play(one)
    seat = next(m for m in process(one) if m.to == ANN and m.kind == "report")
    one.reply(GM, f"CAMPAIGN danube\nADD GM {ANN}")
    mails = one.write(ANN, seat.reply_to, "CAMPAIGN danube\nPUBLISH\nROSTER")
    assert receipt(mails).count("Only a GM of the campaign danube can do this") == 2


def test_gm_of_one_campaign_sees_and_moves_nothing_of_another(world: World) -> None:
    world.with_office(creators=(GM, OTHER))
    found(world)
    found(world, "rhine", OTHER, "The Rhine Herald")
    play(world, "rheingold", "rhine", OTHER)
    world.reply(ANN, "GAME rheingold\nPRESS TO GM: my secret plan\nA VIE - GAL\nPRESS TO France: our pact")
    process(world, "rheingold", OTHER)
    world.reply(OTHER, "CAMPAIGN rhine\nSET zine = every Friday 20:00\nEDITORIAL: Only for the Rhine.")
    before = (
        campaign(world, "rhine").settings,
        world.game("rheingold").settings,
        world.phase("rheingold").id,
    )
    mails = world.reply(
        GM,
        "CAMPAIGN rhine\nSET zine = none\nROSTER\nPUBLISH\nPREVIEW ISSUE\nERRATUM: all wrong\n"
        f"ADD GM {GM}\nDROP GM {OTHER}\nCALL diplomacy AS extra\nADD GAME rheingold\n"
        "GAME rheingold\nPROCESS\nSTATUS\nAUDIT\nSET press = none",
    )
    answer = receipt(mails)
    assert [(m.kind, m.to) for m in mails if m.to != OTHER] == [("receipt", GM)]
    assert {m.kind for m in mails if m.to == OTHER} == {"notice"}, "he is told of the attempt"
    assert answer.count("Only a GM of the campaign rhine can do this") == 9
    for secret in ("my secret plan", "our pact", "Only for the Rhine", ANN, BEN):
        assert secret not in answer
    assert "Only a GM of rheingold can do this" in answer
    assert before == (
        campaign(world, "rhine").settings,
        world.game("rheingold").settings,
        world.phase("rheingold").id,
    )
    assert "rheingold" not in receipt(world.reply(GM, "CAMPAIGN danube\nHEALTH\nROSTER"))
    issues = zines(wait(world, days=4))
    assert GM not in issues
    assert OTHER in issues


def test_gms_are_told_once_of_somebody_who_keeps_giving_their_commands(one: World) -> None:
    found(one)
    play(one)
    told = []
    for line in ("PUBLISH", "ROSTER", "SET tagline = mine", "DROP GM gm@club.example"):
        told += [m for m in one.reply(ANN, f"CAMPAIGN danube\n{line}") if m.to == GM]
    (notice,) = told
    assert "Ann Adler has sent 3 commands of a GM of danube today, the last one SET" in notice.flat


# --- players and readers ---------------------------------------------------------------------------------------


def test_gm_is_told_once_when_enough_wait_and_a_call_invites_them_in_order(world: World) -> None:
    found(world)
    told = []
    for n in range(8):
        who = f"w{n}@club.example"
        world.write(who, DESK, "WAIT FOR diplomacy IN danube")
        told += [m for m in world.reply(who, "yes") if m.to == GM]
    assert len(told) == 1
    assert "7 players wait for a game of Diplomacy in danube: enough to begin." in told[0].flat
    mails = world.reply(GM, "CAMPAIGN danube\nCALL diplomacy AS autumn2 TITLE Autumn Two")
    invited = {m.to: m for m in mails if m.kind == "notice"}
    assert sorted(invited) == [f"w{n}@club.example" for n in range(7)]
    assert "Your place" not in invited["w0@club.example"].flat
    yes = receipt(world.reply("w0@club.example", "I come"))
    assert "you are in autumn2" in yes
    world.reply("w1@club.example", "NO thank you")
    assert "1 of 7 players have signed up" in receipt(world.reply("w0@club.example", "STATUS autumn2"))
    assert "waits for diplomacy" in receipt(world.reply(GM, "CAMPAIGN danube\nROSTER"))


def test_call_without_anybody_who_waits_opens_nothing(one: World) -> None:
    found(one)
    answer = receipt(one.reply(GM, "CAMPAIGN danube\nCALL diplomacy AS autumn2"))
    assert "Nobody waits for diplomacy in danube" in answer
    assert "There is no game 'autumn2'" in receipt(one.reply(GM, "STATUS autumn2"))


def test_prose_that_begins_with_wait_for_is_no_command(one: World) -> None:
    found(one)
    play(one)
    assert "WAIT stands alone on its line" in receipt(one.reply(ANN, "Wait for me, please"))


def test_reader_subscribes_by_one_answer_and_a_player_may_leave_the_zine(world: World) -> None:
    found(world)
    play(world)
    world.write("rosa@club.example", DESK, "SUBSCRIBE danube")
    assert "you get the zine" in receipt(world.reply("rosa@club.example", "yes"))
    world.reply(BEN, "UNSUBSCRIBE danube")
    world.reply(GM, "CAMPAIGN danube\nPUBLISH")
    assert sorted(zines(wait(world, minutes=1))) == [ANN, GM, "rosa@club.example"]
    world.reply("rosa@club.example", "UNSUBSCRIBE")
    world.reply(BEN, "SUBSCRIBE danube")
    world.reply(GM, "CAMPAIGN danube\nPUBLISH")
    assert sorted(zines(wait(world, minutes=1))) == [ANN, BEN, GM]


def test_standings_share_a_hundred_points_among_the_winners_and_ten_to_who_stayed(one: World) -> None:
    found(one)
    play(one)
    play(one, "second")
    play(one, "third")
    one.reply(GM, "GAME spring99\nEND DRAW Austria, Germany, Italy")
    one.reply(GM, "GAME second\nEND WIN France")
    one.reply(GM, "GAME third\nEND ABANDONED")
    answer = receipt(one.reply(ANN, "STANDINGS danube"))
    # Ann: a third of 100 in the first, 10 in the second; Ben: 10 and 100; nothing for the third.
    assert "Ben Marsh 3 110 Ann Adler 3 43" in answer


def test_letter_to_a_player_is_never_printed(one: World) -> None:
    found(one)
    play(one)
    answer = receipt(one.reply(ANN, "LETTER TO France\nLet us take Italy.\nENDLETTER"))
    assert "nothing was done with this one" in answer
    assert "Did you mean: PRESS TO France" in answer
    assert contributions(one) == []


def test_letter_is_kept_with_its_writers_name_or_without_and_holds_no_secret(one: World) -> None:
    found(one)
    play(one)
    token = one.newest[ANN].reply_to
    one.reply(
        ANN,
        "LETTER TO THE EDITOR\nA fine map.\n\n    Verse keeps\n      its shape.\nENDLETTER\n"
        f"LETTER UNSIGNED\nPASSWORD open sesame\nWrite to {token}\nENDLETTER",
    )
    first, second = contributions(one)
    assert first == ("letter", "Ann Adler", "A fine map.\n\n    Verse keeps\n      its shape.")
    assert second[:2] == ("letter", "Name withheld")
    assert "open sesame" not in second[2]
    assert token not in second[2]


def test_letter_without_its_end_is_asked_about_and_not_kept(one: World) -> None:
    found(one)
    play(one)
    assert "There is no line ENDLETTER" in receipt(
        one.reply(ANN, "LETTER\nDear editor,\n\nhello\nA VIE - GAL")
    )
    assert contributions(one) == []


def test_fault_in_a_command_of_a_campaign_is_answered_with_its_trace(one: World, monkeypatch) -> None:
    found(one)

    def broken(*_args: object) -> None:
        raise ZeroDivisionError("deep inside")

    monkeypatch.setattr(editing, "draft", broken)
    answer = receipt(one.reply(GM, "CAMPAIGN danube\nPREVIEW ISSUE\nSET tagline = still read"))
    assert "`gm trace campaign-danube-20261201120000-ZeroDivisionError`" in answer
    assert "deep inside" not in answer
    assert campaign(one).settings["tagline"] == "still read"


def test_letter_that_holds_the_writers_orders_is_not_kept(one: World) -> None:
    found(one)
    play(one)
    one.reply(ANN, "GAME spring99\nA VIE - GAL")
    answer = receipt(one.reply(ANN, "LETTER\nDear editor,\nA VIE - GAL\nENDLETTER"))
    assert "This letter holds orders of your own for Spring 1901, movement" in answer
    assert contributions(one) == []


def test_writer_takes_his_letter_back_and_a_gm_strikes_one_and_says_why(world: World) -> None:
    found(world)
    play(world)
    for who in (ANN, BEN):
        world.reply(who, f"LETTER\nA letter of {who.partition('@')[0]}.\nENDLETTER")
    listed = receipt(world.reply(GM, "CAMPAIGN danube\nLETTERS"))
    assert listed.index("1. LETTER, ANN ADLER") < listed.index("2. LETTER, BEN MARSH")
    assert "A letter of ben." in listed
    assert "1 of your letters" in receipt(world.reply(ANN, "WITHDRAW LETTER"))
    mails = world.reply(GM, "CAMPAIGN danube\nDROP LETTER 2\nDROP LETTER 1 BECAUSE it is unkind")
    assert "needs a number from 1 to 1" in receipt(mails)
    (told,) = [m for m in mails if m.to == BEN]
    assert "The reason given: it is unkind" in told.flat
    assert contributions(world) == []


def test_letter_of_a_stranger_to_the_campaign_is_refused_with_the_way_in(one: World) -> None:
    one.with_office(creators=(GM, OTHER))
    found(one)
    found(one, "rhine", OTHER, "The Rhine Herald")
    play(one)
    answer = receipt(one.reply(ANN, "LETTER rhine\nGood day.\nENDLETTER"))
    assert "Did you mean: SUBSCRIBE rhine" in answer


def test_editorial_of_a_player_is_refused(one: World) -> None:
    found(one)
    play(one)
    answer = receipt(one.reply(ANN, "EDITORIAL\nI rule.\nENDEDITORIAL\nERRATUM\nI never lost.\nEND\nSHOW"))
    assert answer.count("Only a GM of the campaign danube can do this") == 2
    assert contributions(one) == []
