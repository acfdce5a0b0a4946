"""Reading what people type, and writing it back."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gm.games.menes import RULESET
from gm.games.menes import text as form
from gm.games.menes.board import POWERS, PROVINCES, SEAS, SPACES
from gm.games.menes.model import UNIQUE, UNITS
from gm.games.menes.parse import read


def orders(power, text):
    parsed = RULESET.parse({}, power, text)
    assert not parsed.problems, parsed.problems
    return list(parsed.orders)


def problem(power, text):
    parsed = RULESET.parse({}, power, text)
    assert parsed.orders == (), parsed.orders
    assert len(parsed.problems) == 1, parsed.problems
    return parsed.problems[0]


@pytest.mark.rule("menes", "R syntax")
@pytest.mark.parametrize(
    ("power", "line", "normal"),
    [
        ("dwarves", "BUY 10 ARMY AT 39", None),
        ("dwarves", "BUY 2 FLEET AT 41 SEA B", None),
        ("dwarves", "BUY 5 UNIQUE AT 39", "BUY 5 AXEMEN AT 39"),
        ("dwarves", "MOVE 5 ARMY 39 > 38", None),
        ("men", "MOVE 4 HORSEMEN 15 > 16 > 20", None),
        ("men", "MOVE 1 FLEET R > S", None),
        ("elves", "MOVE 2 ELVENSHIP I > G > H", None),
        ("men", "MOVE 3 HORSEMEN 13 > 12 > R > S > 34", None),
        ("men", "MOVE 6 ARMY 12 > R", None),
        ("men", "MOVE 6 ARMY S > 34", None),
        ("dragons", "FLY 3 DRAGON 51 > G > 55", None),
        ("dragons", "HOLD ALL 53", None),
        ("men", "DISBAND 2 ARMY AT 15", None),
        ("men", "AFTER 20 PURSUE", None),
        ("men", "AFTER 20 WITHDRAW 16", None),
        ("men", "AFTER 20 ATTACK 10", None),
        ("men", "AFTER 20 STAY", None),
        ("men", "RETREAT 12 TO 13, 14", None),
        ("men", "PRIORITY ARMY, FLEET, UNIQUE", None),
        ("men", "PEACE ELVES", None),
        ("men", "WAR ELVES", None),
        ("men", "FLYOVER DRAGONS ALLOW", None),
        ("men", "FLYOVER DRAGONS DENY", None),
        ("men", "VACATION 5 TURNS", None),
    ],
)
def test_the_forms_of_the_rules_page(power, line, normal):
    assert orders(power, line) == [normal or line]


@pytest.mark.parametrize(
    ("power", "line", "normal"),
    [
        (
            "dwarves",
            "buy 10 armies at 39, 2 fleets at 41 (sea B)",
            ["BUY 10 ARMY AT 39", "BUY 2 FLEET AT 41 SEA B"],
        ),
        ("dwarves", "5 armies from 39 to 38", ["MOVE 5 ARMY 39 > 38"]),
        ("men", "all horsemen 15-16-20", ["MOVE ALL HORSEMEN 15 > 16 > 20"]),
        ("dwarves", "Buy 3 axemen and 4 armies at Deepforge", ["BUY 3 AXEMEN AT 39", "BUY 4 ARMY AT 39"]),
        ("dwarves", "move 2 fleets B – A.", ["MOVE 2 FLEET B > A"]),
        ("dwarves", "move 2 fleets b → a", ["MOVE 2 FLEET B > A"]),
        ("dwarves", "move two armies Deepforge => Purplehaven", ["MOVE 2 ARMY 39 > 38"]),
        ("dwarves", "5 armies, 3 axemen 39 -> 38", ["MOVE 5 ARMY 39 > 38", "MOVE 3 AXEMEN 39 > 38"]),
        ("dwarves", "attack 38 with 5 armies from 39", ["MOVE 5 ARMY 39 > 38"]),
        ("dwarves", "please send an army from 39 to the Frostpass", ["MOVE 1 ARMY 39 > 43"]),
        ("dwarves", "I want to move 5 armies 39 > 38", ["MOVE 5 ARMY 39 > 38"]),
        ("dwarves", "39 holds", ["HOLD ALL 39"]),
        ("dwarves", "hold 39, 40 and 41", ["HOLD ALL 39", "HOLD ALL 40", "HOLD ALL 41"]),
        ("dwarves", "HOLD", ["HOLD"]),
        ("dwarves", "- move 5 armies 39-38; 2 armies 39-37", ["MOVE 5 ARMY 39 > 38", "MOVE 2 ARMY 39 > 37"]),
        ("dwarves", "1. move 5 armies 39-38", ["MOVE 5 ARMY 39 > 38"]),
        (
            "dwarves",
            "Buy 5 armies at 39. Move 5 armies 39 to 38.",
            ["BUY 5 ARMY AT 39", "MOVE 5 ARMY 39 > 38"],
        ),
        ("dwarves", "PEACE with Elves and Men", ["PEACE ELVES", "PEACE MEN"]),
        ("men", "MOVE ALL 12 > 14", ["MOVE ALL 12 > 14"]),
        ("men", "4 knights Kingsmark to Heelgarth to the Heel Sea", ["MOVE 4 HORSEMEN 13 > 12 > R"]),
        ("men", "3 armies 12 > Kings' Sea", ["MOVE 3 ARMY 12 > N"]),
        ("elves", "move 1 fleet Outer Sea, North > Outer Sea, South", ["MOVE 1 FLEET D > E"]),
        ("men", "after the battle at 20 fall back to 16", ["AFTER 20 WITHDRAW 16"]),
        ("men", "after all stay", ["AFTER ALL STAY"]),
        ("men", "retreat from 12 to Kingsmark, 14", ["RETREAT 12 TO 13, 14"]),
        ("dragons", "fly all dragons 51 over G to 55", ["FLY ALL DRAGON 51 > G > 55"]),
        ("men", "fly-over dragons allow", ["FLYOVER DRAGONS ALLOW"]),
        ("elves", "buy 3 elven ships at Celbarad", ["BUY 3 ELVENSHIP AT 5"]),
        ("elves", "2 elvish ships I-G-H", ["MOVE 2 ELVENSHIP I > G > H"]),
        ("men", "priority fleets", ["PRIORITY FLEET, ARMY, UNIQUE"]),
        ("men", "vacation for 3 days", ["VACATION 3 TURNS"]),
        ("men", "move all army 12 > 14 and hold 13", ["MOVE ALL ARMY 12 > 14", "HOLD ALL 13"]),
        (
            "men",
            "buy 5 armies at 12, move 5 armies 12 > R > S and land at 34",
            ["BUY 5 ARMY AT 12", "MOVE 5 ARMY 12 > R > S > 34"],
        ),
        ("men", "1 ship R > S", ["MOVE 1 FLEET R > S"]),
        ("men", "MOVE 05 ARMY 12 > 14", ["MOVE 5 ARMY 12 > 14"]),
    ],
)
def test_looser_forms(power, line, normal):
    assert orders(power, line) == normal


def test_blank_lines_and_comments_are_no_orders():
    assert orders("men", "\n  \n# my plan\n// no\nHOLD\n") == ["HOLD"]


@pytest.mark.parametrize(
    ("power", "line", "kind", "words", "suggestion"),
    [
        (
            "dwarves",
            "move 5 armies 39 > Purplehavn",
            "unreadable",
            "Purplehaven (38)",
            "move 5 armies 39 > 38",
        ),
        ("dwarves", "mvoe 5 armies 39 > 38", "unreadable", "MOVE", "MOVE 5 armies 39 > 38"),
        ("dwarves", "move 5 armies 39 > 99", "unreadable", "no province 99", ""),
        ("dwarves", "army 39 > 38", "ambiguous", "How many armies", "MOVE ALL ARMY 39 > 38"),
        ("dwarves", "MOVE 5 39 > 38", "unreadable", "", None),
        ("dwarves", "10 armies at 39", "ambiguous", "bought, or to stand", "BUY 10 armies at 39"),
        ("dwarves", "buy 2 fleets at 42", "ambiguous", "42 touches T, U", "BUY 2 FLEET AT 42 SEA T"),
        ("dwarves", "buy armies at 39", "ambiguous", "How many", "BUY 1 ARMY AT 39"),
        ("dwarves", "buy 2 armies at 39, 40 and 41", "ambiguous", "one city", None),
        ("dwarves", "move 5 dragons 39 > 38", "refused", "Only the Dragons", ""),
        ("elves", "move all ships D > E", "ambiguous", "Fleets or elven ships", "move all fleets D > E"),
        ("men", "vacation", "ambiguous", "how many turns", "VACATION 5 TURNS"),
        ("men", "AFTER 20", "unreadable", "PURSUE", "AFTER 20 PURSUE"),
        ("men", "AFTER 20 ATTACK", "unreadable", "names a province", "AFTER 20 ATTACK 10"),
        ("men", "PEACE", "unreadable", "Name a power", "PEACE ELVES"),
        ("men", "PEACE ORCS", "unreadable", "Name a power", "PEACE ELVES"),
        ("men", "FLYOVER DRAGONS", "unreadable", "ALLOW or DENY", "FLYOVER DRAGONS ALLOW"),
        ("men", "Dear GM, here are my orders", "unreadable", "can't read", ""),
        ("men", "MOVE 5 ARMY 12", "unreadable", "from where to where", "MOVE 5 ARMY 39 > 38"),
        ("men", "x" * 500, "unreadable", "400 characters", ""),
    ],
)
def test_what_cannot_be_read_is_named_with_the_nearest_right_form(power, line, kind, words, suggestion):
    found = RULESET.parse({}, power, line).problems[0]
    if suggestion is not None:
        assert (found.kind, found.suggestion) == (kind, suggestion)
    assert words in found.message
    assert found.line == 1


def test_a_problem_names_its_line_and_the_rest_is_kept():
    parsed = RULESET.parse({}, "men", "BUY 5 ARMY AT 12\n\nfoo bar\nMOVE 5 ARMY 12 > 14")
    assert parsed.orders == ("BUY 5 ARMY AT 12", "MOVE 5 ARMY 12 > 14")
    assert [(p.line, p.text) for p in parsed.problems] == [(3, "foo bar")]


def test_a_second_move_without_a_count_is_not_added_to_the_first():
    parsed = RULESET.parse({}, "men", "move 5 armies 12 > 14, move 13 > 15")
    assert parsed.orders == ("MOVE 5 ARMY 12 > 14",)
    assert [p.kind for p in parsed.problems] == ["ambiguous"]


def test_press_and_resignations_are_left_to_the_desk():
    assert problem("men", "PRESS TO ALL hello").kind == "unreadable"
    assert RULESET.meta.keywords.isdisjoint({"PRESS", "RESIGN"})


def test_a_later_mail_replaces_what_it_names_again():
    old = (
        "BUY 10 ARMY AT 12",
        "MOVE 5 ARMY 12 > 14",
        "MOVE 3 ARMY 12 > 13",
        "MOVE 1 FLEET R > S",
        "PEACE ELVES",
    )
    merged = RULESET.merge({}, "men", old, ("BUY 4 ARMY AT 12", "MOVE 2 ARMY 12 > R", "WAR ELVES"))
    assert merged == ("MOVE 1 FLEET R > S", "BUY 4 ARMY AT 12", "MOVE 2 ARMY 12 > R", "WAR ELVES")
    held = RULESET.merge({}, "men", old, ("HOLD ALL 12",))
    assert held == ("BUY 10 ARMY AT 12", "MOVE 1 FLEET R > S", "PEACE ELVES", "HOLD ALL 12")
    assert RULESET.merge({}, "men", (), old) == old


# --- properties --------------------------------------------------------------------------------------------

provinces = st.sampled_from(PROVINCES)
seas = st.sampled_from(SEAS)
places = st.sampled_from((*PROVINCES, *SEAS))
numbers = st.integers(0, 99999)
counts = st.one_of(numbers, st.just(form.ALL))


def _buy(unit):
    cities = [p for p in PROVINCES if SPACES[p].seas] if UNITS[unit].ship else list(PROVINCES)
    if not UNITS[unit].ship:
        return st.builds(form.Buy, numbers, st.just(unit), st.sampled_from(cities))
    return st.builds(form.Buy, numbers, st.just(unit), st.sampled_from(cities), seas)


def _orders_of(power):
    units = st.sampled_from(("army", "fleet", UNIQUE[power]))
    path = st.lists(places, min_size=2, max_size=6).map(tuple)
    some = st.lists(provinces, max_size=4, unique=True).map(tuple)
    calm = st.sampled_from(("pursue", "stay", "withdraw", "default"))
    order = st.one_of(
        *(_buy(unit) for unit in ("army", "fleet", UNIQUE[power])),
        st.builds(form.Disband, counts, units, places),
        st.builds(form.Move, counts, units, path),
        st.builds(form.Move, st.just(form.ALL), st.none(), path),
        st.builds(form.Hold, counts, units, places),
        st.builds(form.Hold, st.just(form.ALL), st.none(), places),
        st.just(form.Hold()),
        st.builds(form.After, provinces, calm),
        st.builds(form.After, st.none(), calm),
        st.builds(form.After, provinces, st.sampled_from(("withdraw", "attack")), provinces),
        st.builds(form.Retreat, provinces, some),
        st.builds(form.Priority, st.permutations(("army", "fleet", "unique")).map(tuple)),
        st.builds(form.Peace, st.sampled_from(POWERS), st.booleans()),
        st.builds(form.Flyover, st.sampled_from(POWERS), st.booleans()),
        st.builds(form.Vacation, st.integers(0, 365)),
    )
    return st.tuples(st.just(power), order)


ANY_ORDER = st.one_of(*(_orders_of(power) for power in POWERS))
# The machine that runs this may be busy; time says nothing about the parser here.
patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@patient
@given(ANY_ORDER)
def test_parsing_what_was_printed_gives_the_same_order(case):
    power, order = case
    parsed = RULESET.parse({}, power, form.show(order))
    assert (parsed.orders, parsed.problems) == ((form.show(order),), ())
    assert read(power, form.show(order)) == order


VOCABULARY = """buy move fly hold disband after retreat priority peace war flyover vacation all 5 12 39 99 army fleets
axemen ent from to sea R S > -> – , ; . and at Deepforge Outer Sea, North elves dragons allow a an stay attack ² ٣ ß"""
WORDS = st.sampled_from(VOCABULARY.split())


@patient
@given(st.sampled_from(POWERS), st.one_of(st.text(max_size=80), st.lists(WORDS, max_size=14).map(" ".join)))
def test_parse_never_raises_and_every_line_is_answered(power, text):
    parsed = RULESET.parse({}, power, text)
    for order in parsed.orders:
        assert RULESET.parse({}, power, order).orders == (order,)
    for number, line in enumerate(text.splitlines(), start=1):
        single = RULESET.parse({}, power, line)
        if line.strip() and not line.strip().startswith(("#", "//")):
            assert single.orders or any(p.line == number for p in parsed.problems), line


@patient
@given(st.lists(ANY_ORDER, max_size=6))
def test_any_sheet_has_a_review_and_a_result(cases):
    from gm.games.api import check_options
    from gm.games.dice import SeededDice

    state = RULESET.new_game(check_options(RULESET.meta, {}), None)
    sheets: dict[str, list[str]] = {p: [] for p in POWERS}
    for power, order in cases:
        sheets[power].append(form.show(order))
    for power in POWERS:
        RULESET.review(state, power, sheets[power])
    result = RULESET.adjudicate(state, sheets, SeededDice(b"menes", "IV1200 orders"))
    assert len(result.orders) == len(cases)
