"""Orders as people write them."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gm.games.diplomacy import RULESET
from gm.games.diplomacy.board import standard
from gm.games.diplomacy.orders import read as read_order
from tests.games.diplomacy.cases import game, kinds, read
from tests.games.diplomacy.positions import position

BOARD = standard()
FRANCE = game(
    france=["A PAR", "A MAR", "F BRE", "F SPA/SC", "F ENG", "A LON"],
    italy=["A VEN", "F TYS", "A ROM"],
    germany=["A MUN"],
)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("A PAR-BUR", "A PAR - BUR"),
        ("a paris - burgundy", "A PAR - BUR"),
        ("A PAR – BUR", "A PAR - BUR"),
        ("A PAR — BUR", "A PAR - BUR"),
        ("A PAR − BUR", "A PAR - BUR"),
        ("A PAR → BUR", "A PAR - BUR"),
        ("A PAR -> BUR", "A PAR - BUR"),
        ("A PAR --> BUR", "A PAR - BUR"),
        ("A PAR => BUR", "A PAR - BUR"),
        ("A PAR > BUR", "A PAR - BUR"),
        ("A\u00a0PAR\u00a0-\u00a0BUR", "A PAR - BUR"),
        ("A PAR\u200b - BUR", "A PAR - BUR"),
        ("army par moves to bur", "A PAR - BUR"),
        ("The army in Paris moves to Burgundy.", "A PAR - BUR"),
        ("Army Paris attacks Burgundy", "A PAR - BUR"),
        ("move A PAR to BUR", "A PAR - BUR"),
        ("PAR-BUR", "A PAR - BUR"),
        ("1. A PAR H", "A PAR H"),
        ("2) A PAR H", "A PAR H"),
        ("- A PAR H", "A PAR H"),
        ("* A PAR H", "A PAR H"),
        ("• A PAR H", "A PAR H"),
        ("A PAR H.", "A PAR H"),
        ("A PAR H!", "A PAR H"),
        ("A Paris hold", "A PAR H"),
        ("A Paris holds", "A PAR H"),
        ("A Paris stands", "A PAR H"),
        ("France: A PAR H", "A PAR H"),
        ("A(PAR) -> BUR", "A PAR - BUR"),
        ("A(MAR) S A(PAR) -> BUR", "A MAR S A PAR - BUR"),
        ("A Mar S A Par-Bur", "A MAR S A PAR - BUR"),
        ("A MAR S PAR - BUR", "A MAR S A PAR - BUR"),
        ("A Marseilles supports the army in Paris to Burgundy", "A MAR S A PAR - BUR"),
        ("A MAR support A PAR moving to BUR", "A MAR S A PAR - BUR"),
        ("A MAR supports Italian A VEN - PIE", "A MAR S A VEN - PIE"),
        ("A MAR S F SPA", "A MAR S F SPA/SC"),
        ("A MAR S F SPA/SC H", "A MAR S F SPA/SC"),
        ("F ENG C A LON-BEL", "F ENG C A LON - BEL"),
        ("F English Channel convoys A London - Belgium", "F ENG C A LON - BEL"),
        ("F ENG C LON - BEL", "F ENG C A LON - BEL"),
        ("A LON-BEL VIA CONVOY", "A LON - BEL VIA"),
        ("A LON - BEL by convoy", "A LON - BEL VIA"),
        ("A LON - BEL via ENG", "A LON - BEL VIA"),
        ("A LON - ENG - BEL", "A LON - BEL VIA"),
        ("F SPA(sc) - Gulf of Lyon", "F SPA/SC - LYO"),
        ("F Spain (south coast) to GoL", "F SPA/SC - LYO"),
        ("F SPA - western med", "F SPA/SC - WES"),
        ("F BRE - mid-atlantic ocean", "F BRE - MAO"),
        ("F BRE - mid", "F BRE - MAO"),
        ("F BRE to the Mid Atlantic", "F BRE - MAO"),
        ("F BRE - gasc", "F BRE - GAS"),
        ("F ENG - nts", "F ENG - NTH"),
        ("F ENG - North Sea", "F ENG - NTH"),
        ("F ENG - Irish", "F ENG - IRI"),
    ],
)
@pytest.mark.rule("diplomacy", "10.1")
@pytest.mark.case(19)
def test_reads(text, order):
    parsed = read(FRANCE, "france", text)
    assert parsed.orders == (order,)
    assert parsed.problems == ()


@pytest.mark.parametrize(
    ("word", "province"),
    [
        ("lpl", "LVP"), ("lvp", "LVP"), ("nrg", "NWG"), ("nwg", "NWG"), ("nts", "NTH"), ("nth", "NTH"), ("lyo", "LYO"),
        ("gol", "LYO"), ("gulf of lyons", "LYO"), ("mid", "MAO"), ("mao", "MAO"), ("tyn", "TYS"), ("tys", "TYS"),
        ("gob", "BOT"), ("bot", "BOT"), ("ech", "ENG"), ("emed", "EAS"), ("wmed", "WES"), ("nat", "NAO"),
        ("hgb", "HEL"),
        ("Heligoland Bight", "HEL"), ("Rumania", "RUM"), ("Romania", "RUM"), ("Saint Petersburg", "STP"),
        ("St. Petersburg", "STP"), ("tyr", "TYR"), ("Tyrolia", "TYR"), ("Tyrrhenian Sea", "TYS"), ("constan", "CON"),
    ],
)  # fmt: skip
def test_abbreviations_of_other_judges(word, province):
    """Named as a goal, whoever can reach it."""
    parsed = read(FRANCE, "france", f"F BRE - {word}")
    assert [order[:9] for order in parsed.orders] == [f"F BRE - {province}"[:9]]
    assert parsed.orders[0][8:11] == province


@pytest.mark.parametrize(
    ("word", "candidates"),
    [("nor", ["NAF", "NAO", "NTH", "NWG", "NWY"]), ("Liv", ["LVN", "LVP"]), ("gulf", ["BOT", "LYO"])],
)
@pytest.mark.case(17)
def test_an_ambiguous_abbreviation_is_refused_with_its_candidates(word, candidates):
    parsed = read(FRANCE, "france", f"F BRE - {word}")
    assert parsed.orders == ()
    assert kinds(parsed) == ["ambiguous"]
    for candidate in candidates:
        assert f"{candidate} (" in parsed.problems[0].message


def test_the_one_candidate_in_reach_is_suggested_not_taken():
    parsed = read(game(england=["F LVP"]), "england", "F LVP - Nor")
    assert parsed.orders == ()
    assert parsed.problems[0].suggestion == "F LVP - NAO"


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("A Pris - BUR", "A PAR - BUR"),
        ("A PAR - Burgandy", "A PAR - BUR"),
        ("A MAR S A Parsi - BUR", "A MAR S A PAR - BUR"),
        ("F ENG - Irsh Sea", "F ENG - IRI"),
        ("A PAR BUR", "A PAR - BUR"),
        ("A PAR", "A PAR H"),
        ("A PAR - BUR please quickly", "A PAR - BUR"),
    ],
)
def test_a_slip_is_suggested_never_taken(text, suggestion):
    parsed = read(FRANCE, "france", text)
    assert parsed.orders == ()
    assert kinds(parsed) == ["unreadable"]
    assert parsed.problems[0].suggestion == suggestion


@pytest.mark.parametrize("mark", [";", ",", ". ", " ; "])
def test_several_orders_on_one_line(mark):
    text = f"A PAR - BUR{mark} A MAR S A PAR - BUR{mark} F BRE - MAO"
    assert read(FRANCE, "france", text).orders == ("A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO")


def test_one_bad_order_on_a_line_of_several_is_named_alone():
    parsed = read(FRANCE, "france", "A PAR - BUR; A MAR - Xyzzy; F BRE H")
    assert parsed.orders == ("A PAR - BUR", "F BRE H")
    assert [(one.line, one.text, one.kind) for one in parsed.problems] == [(1, "A MAR - Xyzzy", "unreadable")]


@pytest.mark.rule("diplomacy", "10.2")
def test_a_foreign_unit_is_refused_with_its_owner():
    parsed = read(FRANCE, "france", "A MUN - BUR")
    assert parsed.orders == ()
    assert [(one.kind, one.message) for one in parsed.problems] == [("refused", "A MUN belongs to Germany")]


def test_a_unit_that_is_not_there_is_refused_with_those_nearby():
    parsed = read(FRANCE, "france", "A BUR - PAR")
    assert kinds(parsed) == ["refused"]
    assert parsed.problems[0].message == "you have no unit in Burgundy; nearby you have A MAR, A PAR"


def test_an_impossible_move_is_kept_and_told():
    parsed = read(FRANCE, "france", "A PAR - RUH")
    assert parsed.orders == ("A PAR - RUH",)
    assert kinds(parsed) == ["illegal"]
    assert "BRE, BUR, GAS, PIC" in parsed.problems[0].message


def test_a_wrong_unit_type_is_corrected_with_a_warning():
    parsed = read(FRANCE, "france", "F PAR - BUR")
    assert parsed.orders == ("A PAR - BUR",)
    assert kinds(parsed) == ["warning"]


@pytest.mark.rule("diplomacy", "4.B.5")
@pytest.mark.case(72)
def test_a_wrong_coast_of_the_ordered_fleet_is_corrected_with_a_warning():
    parsed = read(FRANCE, "france", "F SPA/NC - WES")
    assert parsed.orders == ("F SPA/SC - WES",)
    assert kinds(parsed) == ["warning"]


@pytest.mark.rule("diplomacy", "4.B.2")
def test_the_only_coast_in_reach_is_filled_in():
    assert read(game(france=["F GAS"]), "france", "F GAS - SPA").orders == ("F GAS - SPA/NC",)


@pytest.mark.rule("diplomacy", "4.B.1")
def test_a_coast_left_out_where_two_are_open_is_asked_for():
    parsed = read(game(france=["F MAO"]), "france", "F MAO - SPA")
    assert parsed.orders == ("F MAO - SPA",)
    assert kinds(parsed) == ["illegal"]
    assert "SPA/NC or SPA/SC" in parsed.problems[0].message


def test_tyrolia_named_by_a_fleet_brings_the_tyrrhenian_sea_to_mind():
    parsed = read(game(italy=["F ROM"]), "italy", "F ROM - TYR")
    assert parsed.orders == ("F ROM - TYR",)
    assert parsed.problems[0].suggestion == "F ROM - TYS"


@pytest.mark.case(20)
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("A Rome S Rome", "illegal"),
        ("A Italy - Rome", "unreadable"),
        ("A Rome - Turkey", "unreadable"),
        ("Italy", None),
        ("Italy:", None),
        ("Germany: A MUN - BUR", "refused"),
        ("A hold hold", "unreadable"),
        ("S S S", "unreadable"),
        ("A A A", "unreadable"),
        ("- - -", "unreadable"),
    ],
)
def test_names_that_are_also_something_else(text, kind):
    parsed = read(FRANCE, "italy", text)
    assert kinds(parsed) == ([kind] if kind else [])


def test_blank_lines_and_comments_say_nothing_and_all_else_is_answered():
    text = "# my plan\n\nA PAR H\n// later\nDear GM\n"
    parsed = read(FRANCE, "france", text)
    assert parsed.orders == ("A PAR H",)
    assert [one.line for one in parsed.problems] == [5]


RETREAT = {
    **game("S1901R", france=["A PAR"]),
    "dislodged": [
        {"power": "france", "unit": "F NTH", "attacker_from": "NWY", "retreats": ["HEL", "HOL"]},
        {"power": "france", "unit": "A BUR", "attacker_from": "MUN", "retreats": []},
    ],
}


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("F NTH R HOL", "F NTH - HOL"),
        ("F NTH - HOL", "F NTH - HOL"),
        ("F NTH retreats to Holland", "F NTH - HOL"),
        ("Retreat F NTH to HOL", "F NTH - HOL"),
        ("F NTH disband", "Disband F NTH"),
        ("F NTH D", "Disband F NTH"),
        ("disband North Sea", "Disband F NTH"),
    ],
)
@pytest.mark.rule("diplomacy", "6.1")
def test_reads_retreats(text, order):
    parsed = read(RETREAT, "france", text)
    assert (parsed.orders, parsed.problems) == ((order,), ())


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("F NTH - NWY", "illegal"),
        ("F NTH H", "refused"),
        ("A PAR - BUR", "refused"),
        ("A BUR - PAR", "refused"),
        ("F NTH S A BUR", "refused"),
        ("Build A PAR", "refused"),
        ("F NTH", "unreadable"),
    ],
)
@pytest.mark.rule("diplomacy", "6.4")
def test_what_is_no_retreat_is_named(text, kind):
    assert kinds(read(RETREAT, "france", text)) == [kind]


WINTER = game("W1901A", centres={"france": ["PAR", "MAR", "BRE", "SPA"], "russia": ["STP"]}, france=["A SPA"],
              russia=["A MOS", "F STP/SC"])  # fmt: skip


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("Build A PAR", ("Build A PAR",)),
        ("B A PAR", ("Build A PAR",)),
        ("A PAR Build", ("Build A PAR",)),
        ("build army in Paris", ("Build A PAR",)),
        ("Build A PAR, F BRE", ("Build A PAR", "Build F BRE")),
        ("Build A PAR; Build F BRE", ("Build A PAR", "Build F BRE")),
        ("Waive", ("Waive",)),
        ("waive a build", ("Waive",)),
    ],
)
@pytest.mark.rule("diplomacy", "8.1")
@pytest.mark.rule("diplomacy", "8.3")
def test_reads_builds(text, orders):
    parsed = read(WINTER, "france", text)
    assert (parsed.orders, parsed.problems) == (orders, ())


@pytest.mark.parametrize("text", ["Remove A MOS", "A MOS remove", "Disband A MOS", "R A MOS", "D MOS"])
@pytest.mark.rule("diplomacy", "8.2")
def test_reads_removals(text):
    parsed = read(WINTER, "russia", text)
    assert (parsed.orders, parsed.problems) == (("Remove A MOS",), ())


@pytest.mark.parametrize(
    ("text", "kind", "part"),
    [
        ("Build PAR", None, ""),
        ("Build BRE", "ambiguous", "army or fleet"),
        ("Build A SPA", "illegal", "not one of your home centres"),
        ("Build F PAR", "illegal", "inland"),
        ("Remove A SPA", "illegal", "no unit to remove"),
        ("A SPA - POR", "refused", "adjustment phase"),
        ("A PAR", "unreadable", "build or to remove"),
    ],
)
def test_what_is_no_build_is_named(text, kind, part):
    parsed = read(WINTER, "france", text)
    if kind is None:
        assert parsed.orders == ("Build A PAR",)
        assert kinds(parsed) == ["warning"]
    else:
        assert kinds(parsed) == [kind]
        assert part in parsed.problems[0].message


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_answered_line_by_line(text):
    for state, power in ((FRANCE, "france"), (RETREAT, "france"), (WINTER, "russia")):
        parsed = RULESET.parse(state, power, text)
        for order in parsed.orders:
            assert read_order(order) is not None


WORDS = st.sampled_from(
    re.split(
        r"\|",
        "A|F|PAR|BUR|MAR|S|C|-|H|VIA|/SC|(sc)|spain|st|petersburg|north|sea|via|convoy|to|the|france|Italy|;|,|.|build|"
        "retreat|waive|1.|>|nor|liv|remove|ENG|BEL|LON|support|moves",
    )
)


@settings(max_examples=400, deadline=None)
@given(st.lists(WORDS, max_size=12))
def test_word_salad_never_raises_and_never_vanishes(words):
    text = " ".join(words)
    for state, power in ((FRANCE, "france"), (RETREAT, "france"), (WINTER, "russia")):
        parsed = RULESET.parse(state, power, text)
        said = {word for word in words if word not in ("-", ">", ";", ",", ".", "to", "the")}
        assert (
            parsed.orders or parsed.problems or not text.strip() or said == {power}
        )  # headings, and nothing else


@pytest.mark.parametrize("seed", range(60))
def test_normal_forms_are_read_as_themselves(seed):
    units, orders = position(Random(seed), convoys=0.5, junk=0.1)
    state = game(**units)
    for power, texts in orders.items():
        first = read(state, power, "\n".join(texts))
        assert len(first.orders) == len(texts)
        again = read(state, power, "\n".join(first.orders))
        assert again.orders == first.orders
