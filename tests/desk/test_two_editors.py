"""Two GMs of a campaign within a minute: the second is told what the first did, and has to insist."""

from __future__ import annotations

from datetime import timedelta

import pytest

from gm.store.clubtables import Contribution
from tests.clubworld import ANN, found, play, receipt, wait, zines
from tests.world import GM, World

BOB, CAT = "bob@club.example", "cat@club.example"


@pytest.fixture
def two(one: World) -> World:
    """A campaign with a second GM, who has a mail to reply to, a game, and three letters."""
    found(one)
    play(one)
    one.reply(GM, f"CAMPAIGN danube\nADD GM {BOB} AS Bob\nADD STANDBY {CAT} AS Cat")
    for n in range(3):
        one.reply(ANN, f"LETTER danube: letter {n}")
    one.now += timedelta(minutes=5)
    return one


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("SET maps = 0", "SET maps = 6", "set maps to 0"),
        ("SET calendar = every Friday 20:00 UTC", "SET calendar = none", "set calendar to every Friday 20:00 UTC"),
        ("SET zine = every Friday 20:00 UTC", "PUBLISH", "set zine to every Friday 20:00 UTC"),
        ("PUBLISH", "PUBLISH", "sent the next issue to press"),
        ("PUBLISH", "SET zine = none", "sent the next issue to press"),
        ("SET zone = Europe/Berlin", "SET zine = every Friday 20:00 UTC", "set zone to Europe/Berlin"),
        ("DROP LETTER 1", "DROP LETTER 2", "struck a text from the next issue, so that the numbers have changed"),
        ("DROP LETTER 1", "ANSWER LETTER 2\nQuite so.\nENDANSWER", "struck a text from the next issue"),
        (f"DROP STANDBY {CAT}", f"ADD STANDBY {CAT}", "took Cat off the standby list"),
        ("ADD GM eve@club.example AS Eve", "DROP GM eve@club.example", "made Eve a GM"),
    ],
)  # fmt: skip
def test_second_gm_learns_what_the_first_did_and_has_to_insist(
    two: World, first: str, second: str, said: str
) -> None:
    assert "with a problem" not in receipt(two.reply(GM, f"CAMPAIGN danube\n{first}"))
    two.now += timedelta(seconds=20)
    answer = receipt(two.reply(BOB, f"CAMPAIGN danube\n{second}"))
    assert "Not done yet: less than a minute before your mail came," in answer
    assert f"did this: {said}" in answer
    assert "If you insist, send the line again." in answer
    answer = receipt(two.reply(BOB, f"CAMPAIGN danube\n{second}"))
    assert "Not done yet" not in answer
    assert "with a problem" not in answer


def test_two_calls_for_the_same_ruleset_open_one_game_until_somebody_insists(two: World) -> None:
    two.reply(ANN, "WAIT FOR diplomacy IN danube")
    assert "autumn2 is open" in receipt(two.reply(GM, "CAMPAIGN danube\nCALL diplomacy AS autumn2"))
    answer = receipt(two.reply(BOB, "CAMPAIGN danube\nCALL diplomacy AS autumn3"))
    assert "did this: opened autumn2" in answer
    assert "Nobody waits" in receipt(two.reply(BOB, "CAMPAIGN danube\nCALL diplomacy AS autumn3"))


def test_gms_of_a_game_without_a_campaign_too(played: World) -> None:
    played.reply(GM, f"ADD GM {BOB} AS Bob\nADD GM {CAT} AS Cat\nBROADCAST: hello")
    played.now += timedelta(minutes=5)
    played.reply(GM, f"DROP GM {CAT}")
    answer = receipt(played.reply(BOB, f"ADD GM {CAT}"))
    assert "took a GM's rights from Cat" in answer
    assert "Cat is a GM of spring99" in receipt(played.reply(BOB, f"ADD GM {CAT}"))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("SET maps = 0", "SET tagline = Weekly"),
        ("SET press = none", "PUBLISH"),
        ("ADD GM eve@club.example AS Eve", f"ADD STANDBY {GM}"),
        (f"DROP STANDBY {CAT}", "DROP LETTER 1"),
        ("DROP LETTER 1", "LETTERS"),
        ("PUBLISH", "SET maps = 1"),
    ],
)
def test_about_another_thing_nothing_is_asked(two: World, first: str, second: str) -> None:
    two.reply(GM, f"CAMPAIGN danube\n{first}")
    assert "Not done yet" not in receipt(two.reply(BOB, f"CAMPAIGN danube\n{second}"))


def test_after_a_minute_by_the_same_gm_or_in_another_campaign_nothing_is_asked(two: World) -> None:
    two.reply(GM, "CAMPAIGN danube\nSET maps = 0")
    assert "Not done yet" not in receipt(two.reply(GM, "CAMPAIGN danube\nSET maps = 1"))
    two.now += timedelta(seconds=70)
    assert "Not done yet" not in receipt(two.reply(BOB, "CAMPAIGN danube\nSET maps = 2"))
    found(two, "rhine", GM, "The Rhine Herald")
    two.reply(GM, f"CAMPAIGN rhine\nADD GM {BOB}")
    two.now += timedelta(minutes=5)
    two.reply(GM, "CAMPAIGN rhine\nSET maps = 0")
    assert "Not done yet" not in receipt(two.reply(BOB, "CAMPAIGN danube\nSET maps = 3"))


def test_zine_is_published_once_when_both_say_so(two: World) -> None:
    two.reply(GM, "CAMPAIGN danube\nPUBLISH")
    first = zines(wait(two, seconds=10))
    assert first
    two.reply(BOB, "CAMPAIGN danube\nPUBLISH")
    assert not zines(wait(two, seconds=10))
    with two.store.read() as session:
        assert all(row.issue_id for row in session.query(Contribution))


def test_record_of_a_campaign_is_read_by_its_gms_alone(two: World) -> None:
    two.reply(BOB, "CAMPAIGN danube\nSET maps = 0")
    answer = receipt(two.reply(GM, "CAMPAIGN danube\nAUDIT"))
    when = "Tuesday 1 December 2026, 12:00 (UTC): GM gm:"
    assert (
        f"Tuesday 1 December 2026, 12:05 (UTC): GM Bob: set maps to 0 {when} put Cat on the standby list "
        f"{when} made Bob a GM {when} founded the campaign"
    ) in answer
    assert "Only a GM of the campaign danube reads its record." in receipt(
        two.reply(ANN, "CAMPAIGN danube\nAUDIT")
    )
