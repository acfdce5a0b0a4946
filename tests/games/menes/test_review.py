"""The receipt: money, what each place will hold, places aboard, what can't be done, standing orders."""

import pytest

from gm.games.menes import RULESET
from tests.games.menes.helpers import scenario


def review(power, lines, units=None, **tables):
    state = RULESET.scenario(scenario(units, **tables)).state
    return RULESET.review(state, power, RULESET.parse(state, power, "\n".join(lines)).orders)


def test_the_receipt_forecasts_money_places_and_cargo():
    lines = [
        "BUY 6 ARMY AT 12",
        "BUY 1 FLEET AT 12 SEA R",
        "MOVE 1 FLEET R > S",
        "MOVE 5 ARMY 12 > R > S > 35",
    ]
    found = review("men", lines)
    assert (found.missing, found.problems) == ((), ())
    assert found.notes == (
        "Treasury: 300 gold, 40 for purchases, 260 left.",
        "If nothing opposes, Heelgarth (12) will hold 1 army.",
        "If nothing opposes, Goldgarth (35) will hold 5 armies.",
        "If nothing opposes, the Marble Sea (S) will hold 1 fleet.",
        "Ships R > S: 5 of 5 places aboard taken.",
        # 260 + 3 x 100 + 50 + 5 - 7 x 3
        "If nothing opposes, next year's treasury is 594 gold.",
        "Standing: AFTER ALL DEFAULT.",
        "Standing: PRIORITY ARMY, FLEET, UNIQUE.",
    )


def test_units_aboard_are_told_with_their_ships():
    found = review("men", ["MOVE 3 ARMY 12 > R"], {"men": ["5 ARMY 12", "1 FLEET R"]})
    assert "If nothing opposes, the Heel Sea (R) will hold 1 fleet, 3 armies aboard." in found.notes
    assert "Ships in R: 3 of 5 places aboard taken." in found.notes


@pytest.mark.rule("menes", "R more than he has")
def test_every_order_that_cannot_be_done_is_named_with_reason_and_rule():
    lines = [
        "BUY 100 ARMY AT 12",
        "MOVE 9 ARMY 12 > 14",
        "MOVE 1 ARMY 13 > 11",
        "MOVE 1 ARMY 12 > R",
        "PEACE MEN",
    ]
    found = review("men", lines, {"men": ["5 ARMY 12", "1 ARMY 13"]})
    assert [(p.kind, p.message, p.rule) for p in found.problems] == [
        ("illegal", "BUY 100 ARMY AT 12: 500 gold needed, 300 left; not bought.", "menes 5.1"),
        (
            "warning",
            "MOVE 9 ARMY 12 > 14: only 5 of 9 are left at Heelgarth (12).",
            "menes R more than he has",
        ),
        ("illegal", "MOVE 1 ARMY 13 > 11: Kingsmark (13) does not touch Boarstrand (11).", "menes 3.5"),
        (
            "illegal",
            "MOVE 1 ARMY 12 > R: no armies are left for it at Heelgarth (12).",
            "menes R more than he has",
        ),
        ("illegal", "PEACE MEN: that is your own power.", "menes R peace"),
    ]


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("MOVE 1 DRAGON G > 55", "menes 5.7e"),
        ("FLY 1 DRAGON 51 > G", "menes 5.7c"),
        ("MOVE 1 ARMY 51 > G > 55", "menes 6.3"),
    ],
)
def test_dragons_aboard_or_at_sea_and_voyages_without_ships_are_named_with_the_rule(line, rule):
    found = review("dragons", [line], {"dragons": ["1 DRAGON 51", "1 ARMY 51"]})
    assert [p.rule for p in found.problems] == [rule]


def test_a_stop_in_a_free_city_is_told_beforehand():
    found = review("men", ["MOVE 1 HORSEMEN 17 > 18 > 30"], {"men": ["1 HORSEMEN 17"]})
    assert [(p.kind, p.rule) for p in found.problems] == [("warning", "menes C3")]
    assert "If nothing opposes, Karstholm (18) will hold 1 horsemen." in found.notes


def test_an_order_given_twice_counts_twice_and_is_told():
    found = review("men", ["MOVE 2 ARMY 12 > 14", "MOVE 2 ARMY 12 > 14"], {"men": ["5 ARMY 12"]})
    assert [p.message for p in found.problems] == [
        "MOVE 2 ARMY 12 > 14: given more than once, and each counts."
    ]
    assert "If nothing opposes, Southspur (14) will hold 4 armies." in found.notes


def test_too_many_held_are_told():
    found = review("men", ["HOLD 9 ARMY 12"], {"men": ["5 ARMY 12"]})
    assert [p.message for p in found.problems] == [
        "HOLD 9 ARMY 12: 5 armies without other orders stand at Heelgarth (12)."
    ]


def test_upkeep_that_will_not_be_covered_is_told():
    found = review("men", ["HOLD"], {"men": ["300 ARMY 12"]}, treasury={"men": 0})
    assert (
        "next year's treasury is -600 gold. That does not cover upkeep: units will be disbanded."
        in " ".join(found.notes)
    )


def test_an_empty_sheet_is_missing_orders():
    assert review("men", []).missing == ("orders for IV1200: 300 gold to spend",)


@pytest.mark.rule("menes", "R where to flee")
def test_a_retreat_list_keeps_what_is_next_door():
    found = review("men", ["RETREAT 12 TO 40, 13"])
    assert [p.message for p in found.problems] == [
        "RETREAT 12 TO 40, 13: Heelgarth (12) does not touch Ironstair (40)."
    ]
    assert "Standing: RETREAT 12 TO 13." in found.notes


def test_nothing_is_told_to_a_power_that_is_out():
    assert review("men", ["HOLD"], state={"out": ["men"]}).notes == ()
