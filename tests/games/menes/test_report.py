"""The yearly report, for the public and for its reader; the picture."""

from xml.etree import ElementTree

import pytest

from gm.games.menes import RULESET
from tests.games.menes.helpers import read_by, scenario, turn

POSITION = {"dwarves": ["3 ARMY 39"], "dragons": ["2 ARMY 42"]}
ORDERS = {"dwarves": ["BUY 1 AXEMEN AT 40", "MOVE ALL ARMY 39 > 42"]}
CENTRES = {"dragons": [42, 50], "dwarves": [39, 40, 41], "men": [12], "elves": [3], "ents": [22]}
ROLLS = [6, 6, 6, 6, 6, 2, 3, 1, 6, 6, 6]


def report(power):
    before = RULESET.scenario(scenario(POSITION, ORDERS, centres=CENTRES)).state
    result = turn(POSITION, ORDERS, rolls=ROLLS, centres=CENTRES)
    seen = read_by(result, power)
    return RULESET.report(RULESET.view(before, power), RULESET.view(result.state, power), seen), result


def section(found, title):
    return next(s for s in found.sections if s.title == title)


def test_the_public_report_tells_battles_moves_and_points_in_sentences():
    found, _ = report(None)
    assert found.headline == "The Dwarves take Cedarshore (42) from the Dragons."
    assert section(found, "Battles").lines == (
        "At Cedarshore (42) the Dwarves attack the Dragons: the Dwarves win the day.",
        "Armies of the Dragons flee from Cedarshore (42) to Purplehaven (38).",
    )
    assert section(found, "Seen on the march and at sea").lines == (
        "Armies of the Dwarves move from Deepforge (39) to Cedarshore (42).",
    )
    assert section(found, "The five powers").rows[0] == ("Dwarves", "3", "1", "6")
    assert ("Cedarshore (42)", "Dwarves", "Dwarves", "army") in section(
        found, "Units seen (kinds, not numbers)"
    ).rows
    assert not any(s.private for s in found.sections)


def test_the_owner_reads_his_income_forces_orders_numbers_and_dice():
    found, _ = report("dwarves")
    assert section(found, "Your treasury").rows == (
        ("Saved", "290"),
        ("3 player cities", "300"),
        ("0 free cities", "0"),
        ("1 province", "10"),
        ("0 seas", "0"),
        ("Upkeep of 4 units", "-12"),
        ("Treasury", "588"),
    )
    assert section(found, "Your forces").rows == (
        ("Ironstair (40)", "1 axemen", ""),
        ("Cedarshore (42)", "3 armies", ""),
    )
    assert section(found, "Your orders").lines == ("BUY 1 AXEMEN AT 40", "MOVE ALL ARMY 39 > 42")
    assert section(found, "Your battles in numbers").lines == (
        "At Cedarshore (42), 2 rounds. The Dwarves came with 3 armies. "
        "The Dragons came with 2 armies, lost 1 army, saw 1 army flee.",
    )
    assert all(s.private for s in found.sections if s.title.startswith("Your"))


@pytest.mark.rule("menes", "10.1")
def test_a_battle_is_retold_roll_by_roll_to_those_who_rolled():
    assert section(report("dwarves")[0], "Your dice").lines == (
        "Cedarshore (42):",
        "> round 1, army attack on 2 or less: 6 6 6 (0 hits)",
        "> round 2, army attack on 2 or less: 1 6 6 (1 hit)",
    )
    assert section(report("dragons")[0], "Your dice").lines == (
        "Cedarshore (42):",
        "> round 1, army defence on 2 or less: 6 6 (0 hits)",
        "> round 1, army flight on 2 or less: 2 3 (1 flee)",
        "> round 2, army defence on 2 or less: 6 (0 hits)",
    )


def test_a_host_of_dice_is_told_by_how_often_each_number_fell():
    result = turn(
        {"dwarves": ["70 ARMY 39"], "dragons": ["1 ARMY 42"]},
        {"dwarves": ["MOVE ALL 39 > 42"]},
        rolls=[1] * 30 + [5] * 40 + [6],
        centres=CENTRES,
    )
    view = RULESET.view(result.state, "dwarves")
    assert section(RULESET.report(view, view, read_by(result, "dwarves")), "Your dice").lines[1] == (
        "> round 1, army attack on 2 or less: 30 times 1, 40 times 5 (30 hits)"
    )


def test_every_roll_of_a_battle_is_in_the_events():
    _, result = report("dwarves")
    told = [v for e in result.events if e.kind == "rolls" for volley in e.data["volleys"] for v in volley[4]]
    assert sorted(told) == sorted(ROLLS)


def test_a_failed_order_is_marked_with_its_rule():
    result = turn({"men": ["1 ARMY 12"]}, {"men": ["MOVE 1 ARMY 12 > 15"]})
    view = RULESET.view(result.state, "men")
    lines = section(RULESET.report(view, view, read_by(result, "men")), "Your orders").lines
    assert lines == (
        "! MOVE 1 ARMY 12 > 15 - illegal: Heelgarth (12) does not touch Aldermoor (15) [menes 3.5]",
    )


def test_a_quiet_year_and_the_end_have_headlines():
    quiet = turn({"men": ["1 ARMY 12"]})
    view = RULESET.view(quiet.state, None)
    assert RULESET.report(view, view, read_by(quiet, None)).headline == "A year of peace"
    over = turn(centres={"men": [3, 4, 5, 12, 13, 15, 22, 23, 24, 18, 21], "dwarves": [39]})
    end = RULESET.view(over.state, None)
    assert (
        RULESET.report(end, end, read_by(over, None)).headline == "The Men hold 20 points: the war is over."
    )


def test_another_reader_gets_only_the_public_part_of_a_battle():
    found, _ = report("men")
    assert section(found, "Battles").lines == section(report(None)[0], "Battles").lines
    assert not any(s.title in ("Your battles in numbers", "Your dice") for s in found.sections)


def test_the_picture_is_svg_and_shows_every_place():
    _, result = report("dwarves")
    svg = RULESET.draw(RULESET.view(result.state, "dwarves"), read_by(result, "dwarves"))
    tree = ElementTree.fromstring(svg)
    assert tree.tag == "{http://www.w3.org/2000/svg}svg"
    words = " ".join(t.strip() for t in tree.itertext() if t.strip()).split()
    assert {str(n) for n in range(1, 61)} <= set(words)
