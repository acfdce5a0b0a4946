"""Orders as players write them, and what they are told of those that can't be taken."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gm.games.api import Problem
from gm.games.necromancer.board import the_board
from gm.games.necromancer.model import Game
from gm.games.necromancer.normal import parse_orders
from gm.games.necromancer.orders import Order, UnitRef, order_text
from gm.games.necromancer.parse import merge, parse_text
from gm.games.necromancer.saved import to_json
from tests.games.necromancer.shorthand import game

HOST = game(
    {
        "gondor": ["A(Pel)", "3A(Los)", "2A(NIt)", "A(SIt)", "A/F(DAm)", "2A/2F(Leb)", "A(MTi)"],
        "haradrim": ["A(Cit)", "A(Por)", "A(Har)"],
        "rohan": ["C(Hel)", "C(Wol)", "A(Edo)"],
        "sauron": ["A(MMo)", "N(MMo)", "A(CGo)", "A/E(Ano)", "D(Wit)", "S(NMi)"],
        "saruman": ["W(Ise)", "A(Ise)"],
        "elves": ["A(Eri)", "A(Eri)", "A(Lor)"],
        "dwarves": ["A(Eri)", "A(Iro)", "A(Dag)"],
        "easterlings": ["A/E(WKh)", "A(Kha)"],
        "standing": ["A(Gun)", "A(Mor)"],
    },
    year=2780,
)
ADJUSTING = game(
    {"gondor": ["A(Pel)", "A(MTi)"], "sauron": ["N(MMo)"]},
    year=2780,
    step="adjustments",
    centres={"MTi": "gondor", "Pel": "gondor", "DAm": "gondor", "Wol": "rohan"},
)
SETUP = game({"saruman": ["W(Ise)"], "sauron": ["N(MMo)"]}, year=2750, step="setup")


def orders(power: str, text: str, position: Game = HOST) -> list[str]:
    """The orders of a text without any problem."""
    found = parse_text(position, power, text)
    assert not found.problems, found.problems
    return list(found.orders)


def problem(power: str, text: str, position: Game = HOST) -> Problem:
    """The only problem of a text."""
    found = parse_text(position, power, text).problems
    assert len(found) == 1, found
    return found[0]


# --- the rulebook's own lines, word for word ---------------------------------------------------------------

WORKED = [
    ("12.2", "rohan", "C(Hel) ® Gap ® Agr", "C(Hel) -> Gap -> Agr"),
    ("13.2", "gondor", "A(NIt) ® 3A(Los)", "A(NIt) -> 3A(Los)"),
    ("13.2", "gondor", "A(Pel) ® 3A(Los)", "A(Pel) -> 3A(Los)"),
    ("13.2", "gondor", "A(SIt) ® 3A(Los)", "A(SIt) -> 3A(Los)"),
    ("13.2", "gondor", "A(NIt) ® 2A(NIt)", "A(NIt) -> 2A(NIt)"),
    ("13.2", "gondor", "A(SIt) ® 2A(NIt)", "A(SIt) -> 2A(NIt)"),
    ("13.3", "gondor", "A(Los) ® Pel", "A(Los) -> Pel"),
    ("13.3", "gondor", "2A(Los) ® SIt", "2A(Los) -> SIt"),
    ("13.3", "gondor", "A(NIt) Hold", "A(NIt) Hold"),
    ("13.3", "gondor", "A(NIt) ® SIt", "A(NIt) -> SIt"),
    ("13.4", "gondor", "2A(NIt) ® MMo", "2A(NIt) -> MMo"),
    ("13.4", "gondor", "A(NIt) Support 2A(NIt) ® MMo", "A(NIt) Support 2A(NIt) -> MMo"),
    ("13.9", "gondor", "A(Pel) ® 2A(SIt)", "A(Pel) -> 2A(SIt)"),
    ("13.9", "gondor", "A(Los) ® 2A(SIt)", "A(Los) -> 2A(SIt)"),
    ("13.9", "haradrim", "A(Por) Support A(SIt) ® Pel", "A(Por) Support A(SIt) -> Pel"),
    ("13.10", "gondor", "A(SIt) ® 2A(SIt)", "A(SIt) -> 2A(SIt)"),
    ("13.10", "sauron", "A(MMo) Support A(NIt) ® SIt", "A(MMo) Support A(NIt) -> SIt"),
    ("13.11", "gondor", "A(NIt) ® MMo", "A(NIt) -> MMo"),
    ("13.11", "gondor", "A(NIt) Support A(NIt) ® MMo", "A(NIt) Support A(NIt) -> MMo"),
    ("13.11", "sauron", "A(MMo) Hold", "A(MMo) Hold"),
    ("13.11", "sauron", "A(CGo) Support A(Ano) ® NIt", "A(CGo) Support A(Ano) -> NIt"),
    ("13.12", "gondor", "A(Los) Support A(NIt)", "A(Los) Support A(NIt)"),
    ("13.12", "dwarves", "A(Dag) Support A(Ano) ® NIt", "A(Dag) Support A(Ano) -> NIt"),
    ("14.15", "haradrim", "A(Cit) B F", "A(Cit) B F"),
    ("14.15", "haradrim", "A(Cit) Build Fleet", "A(Cit) B F"),
    ("15.11", "gondor", "A(Los) B E", "A(Los) B E"),
    ("15.11", "gondor", "A(Los) Build Engine", "A(Los) B E"),
    ("15.8", "sauron", "A/E(Ano) ® MTi", "A/E(Ano) -> MTi"),
    ("15.8", "sauron", "A(CGo) Support A/E(Ano) ® NIt", "A(CGo) Support A/E(Ano) -> NIt"),
    ("15.8", "gondor", "A(MTi) Hold", "A(MTi) Hold"),
    ("18.10", "sauron", "N(MMo) Lead A(MMo) ® SIt", "N(MMo) Lead A(MMo) -> SIt"),
    ("18.10", "sauron", "A(MMo) ® SIt", "A(MMo) -> SIt"),
    (
        "18.10",
        "sauron",
        "N(MMo) Lead A(MMo) Support A(CGo) ® NIt",
        "N(MMo) Lead A(MMo) Support A(CGo) -> NIt",
    ),
    ("18.10", "sauron", "A(MMo) Support A(CGo) ® NIt", "A(MMo) Support A(CGo) -> NIt"),
    ("18.10", "sauron", "N(MMo) Lead A(MMo) Hold", "N(MMo) Lead A(MMo) Hold"),
]


@pytest.mark.parametrize(
    ("power", "text", "normal"),
    [pytest.param(*row[1:], marks=pytest.mark.rule("necromancer", row[0])) for row in WORKED],
)
def test_a_line_of_the_rulebook_is_read_word_for_word(power: str, text: str, normal: str) -> None:
    assert orders(power, text) == [normal]
    assert orders(power, normal) == [normal]


@pytest.mark.rule("necromancer", "13.14")
def test_builds_as_the_rulebook_writes_them() -> None:
    assert orders("gondor", "Build A(DAm) and 2A(MTi)", ADJUSTING) == ["Build A(DAm)", "Build 2A(MTi)"]
    assert orders("gondor", "Build 2A(MTi)", ADJUSTING) == ["Build 2A(MTi)"]


# --- every notation ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arrow",
    [
        " -> ",
        "->",
        "-",
        " - ",
        "–",
        " — ",
        "−",
        "=>",
        " > ",
        "→",
        "®",
        "-->",
        " -&gt; ",
        " to ",
        " moves to ",
    ],
)
def test_any_arrow_or_dash_will_do(arrow: str) -> None:
    assert orders("gondor", f"A(Pel){arrow}Los") == ["A(Pel) -> Los"]
    assert orders("rohan", f"C(Hel){arrow}Gap{arrow}Agr") == ["C(Hel) -> Gap -> Agr"]


@pytest.mark.parametrize(
    ("power", "text", "normal"),
    [
        ("gondor", "A(NIt) S 2A(NIt)-MMo", "A(NIt) Support 2A(NIt) -> MMo"),
        ("gondor", "A Pel - Los", "A(Pel) -> Los"),
        ("gondor", "a pel - los", "A(Pel) -> Los"),
        ("gondor", "Army Pelargir to Lossarnach", "A(Pel) -> Los"),
        ("gondor", "Pel - Los", "A(Pel) -> Los"),
        ("gondor", "Army in Pelargir holds", "A(Pel) Hold"),
        ("gondor", "A(Pel) H", "A(Pel) Hold"),
        ("gondor", "A(Pel) -H", "A(Pel) Hold"),
        ("gondor", "A[Pel] -> (Los)", "A(Pel) -> Los"),
        ("gondor", "2A/2F(Leb) -> AND", "2A/2F(Leb) -> AND"),
        ("gondor", "A/F(DAm)-Tolfalas", "A/F(DAm) -> TOL"),
        ("gondor", "A(Los) S A(NIt) H", "A(Los) Support A(NIt)"),
        ("gondor", "A(MTi) supports army in N. Ithilien", "A(MTi) Support A(NIt)"),
        ("gondor", "A(SIt) S Haradric A(Por) - Pel", "A(SIt) Support Haradric A(Por) -> Pel"),
        ("gondor", "2A(Los) -> 2A/F(Pel)", "2A(Los) -> 2A(Pel)"),
        ("rohan", "C(Wol) Hold -> EMu", "C(Wol) Hold -> EMu"),
        ("rohan", "C(Wol) H, then - EMu", "C(Wol) Hold -> EMu"),
        ("rohan", "C(Wol) -> EMu, then to Bro", "C(Wol) -> EMu -> Bro"),
        ("rohan", "Cavalry Helm's Deep - Gap of Rohan - Angren", "C(Hel) -> Gap -> Agr"),
        ("sauron", "Nazgul(Minas Morgul) leads A(MMo) - SIt", "N(MMo) Lead A(MMo) -> SIt"),
        ("sauron", "Nazgûl in MMo - Gor - NoL", "N(MMo) -> Gor -> NoL"),
        ("sauron", "N(MMo) - Barad-Dur", "N(MMo) -> BDu"),
        ("sauron", "Dragons(Wit) - Gre", "D(Wit) -> Gre"),
        ("sauron", "S NMi - Mou", "S(NMi) -> Mou"),
        ("saruman", "Wizard Ise - Gap", "W(Ise) -> Gap"),
        ("elves", "A(Lorien) - Dimrill Dale", "A(Lor) -> Dim"),
        ("elves", "A(Lórien)-Dim", "A(Lor) -> Dim"),
        ("haradrim", "A(City of the Corsairs) builds a siege engine", "A(Cit) B E"),
        ("haradrim", "A(Cit) BF", "A(Cit) B F"),
    ],
)
def test_a_notation_is_understood(power: str, text: str, normal: str) -> None:
    if normal == "N(MMo) -> BDu":  # understood, though too far
        assert list(parse_text(HOST, power, text).orders) == [normal]
    else:
        assert orders(power, text) == [normal]


@pytest.mark.rule("necromancer", "10")
@pytest.mark.parametrize("name", ["Khazad Dum", "Khazad Dûm", "khazad-dum", "KDu", "Moria", "Mor", "MORIA"])
def test_moria_has_its_dwarvish_name_too(name: str) -> None:
    position = game({"dwarves": ["A(Dim)"]}, year=2780)
    assert orders("dwarves", f"A(Dim) - {name}", position) == ["A(Dim) -> Mor"]


def test_every_province_is_read_by_abbreviation_and_by_name_with_and_without_accents() -> None:
    import unicodedata

    for province in the_board().provinces:
        plain = "".join(
            c for c in unicodedata.normalize("NFKD", province.name) if not unicodedata.combining(c)
        )
        for name in (
            province.id,
            province.id.lower(),
            province.name,
            plain,
            plain.upper(),
            plain.replace(" ", "-"),
        ):
            read = parse_text(HOST, "gondor", f"A(Pel) -> {name}").orders
            assert read == (f"A(Pel) -> {province.id}",) or province.id == "Pel", name


def test_bullets_numbers_headings_and_several_orders_on_a_line() -> None:
    text = """Gondor:
    Orders for 2780
    1. A(Pel) -> Los; A(MTi) H, A(SIt) Support A(Pel) - Los
     * 2A(NIt) - Ano. A/F(DAm) Hold and 2A/2F(Leb) hold
    # a remark
    - 3A(Los) -> 3A(Pel)
    """
    assert orders("gondor", text) == [
        "A(Pel) -> Los",
        "A(MTi) Hold",
        "A(SIt) Support A(Pel) -> Los",
        "2A(NIt) -> Ano",
        "A/F(DAm) Hold",
        "2A/2F(Leb) Hold",
        "3A(Los) -> 3A(Pel)",
    ]


def test_orders_run_on_without_separators_as_zines_print_them() -> None:
    assert orders("gondor", "GONDOR: A(Pel)-Los A(MTi) H A(SIt) S A(Pel)-Los") == [
        "A(Pel) -> Los",
        "A(MTi) Hold",
        "A(SIt) Support A(Pel) -> Los",
    ]


def test_several_units_may_share_an_order() -> None:
    assert orders("gondor", "A(Pel), A(SIt) and A(NIt) -> 3A(Los)") == [
        "A(Pel) -> 3A(Los)",
        "A(SIt) -> 3A(Los)",
        "A(NIt) -> 3A(Los)",
    ]


@pytest.mark.rule("necromancer", "17.6")
def test_retreats_and_builds_with_alternatives_come_with_the_moves() -> None:
    text = """A(Pel) Hold (retreat Los, Leb)
    A(SIt) -> NIt, R Pel, Por
    Retreats:
    A(MTi) - Ano, DrF or disband
    Builds: A(DAm), 2A(MTi) or A(Lam)
    """
    assert orders("gondor", text) == [
        "A(Pel) Hold",
        "A(Pel) Retreat Los, Leb",
        "A(SIt) -> NIt",
        "A(SIt) Retreat Pel, Por",
        "A(MTi) Retreat Ano, DrF",
        "Build A(DAm)",
        "Build 2A(MTi) or A(Lam)",
    ]
    assert orders("sauron", "Activate Gun, or Gob") == ["Activate Gun, Gob"]


@pytest.mark.rule("necromancer", "17.3")
@pytest.mark.rule("necromancer", "18.13")
def test_sauron_s_choices_in_the_adjustments() -> None:
    text = "Activate Spiders in NMi, or the Dragons, or Gundabad; Raise Nazgul in MMo or DGu\nWaive"
    assert orders("sauron", text, ADJUSTING) == [
        "Activate S(NMi), D(Wit), Gun",
        "Raise N(MMo), N(DGu)",
        "Waive",
    ]


@pytest.mark.rule("necromancer", "16.14")
@pytest.mark.rule("necromancer", "17.2")
def test_the_choices_before_the_game() -> None:
    assert orders("saruman", "Place A(Gap)", SETUP) == ["Place A(Gap)"]
    assert orders("saruman", "Place my army in the Gap of Rohan", SETUP) == ["Place A(Gap)"]
    assert orders("sauron", "Activate Mor", SETUP) == ["Activate Mor"]
    assert problem("gondor", "Activate Mor", SETUP).kind == "refused"


def test_in_a_retreat_phase_a_move_is_a_retreat() -> None:
    from gm.games.necromancer.model import Dislodged, Unit

    position = game(
        {}, year=2780, step="retreats", dislodged=(Dislodged(Unit("gondor", "A", "Pel"), ("SIt",)),)
    )
    assert orders("gondor", "A(Pel) -> Los", position) == ["A(Pel) -> Los"]
    assert orders("gondor", "A(Pel) R Los / Leb", position) == ["A(Pel) Retreat Los, Leb"]
    assert orders("gondor", "Disband A(Pel)", position) == ["A(Pel) Disband"]


# --- what is told of the rest --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("power", "text", "kind", "suggestion", "rule"),
    [
        ("gondor", "2*A(Los) -> Pel", "unreadable", "2A(Los) -> Pel", "13.1"),
        ("gondor", "M A(Pel) A(SIt) -> NIt", "unreadable", "", "13.2"),
        ("gondor", "A(Pel) merges with A(SIt)", "unreadable", "", "13.2"),
        ("gondor", "3A(Los) D A-Pel, 2A-SIt", "unreadable", "", "13.3"),
        ("gondor", "Divide 3A(Los)", "unreadable", "", "13.3"),
        ("gondor", "3(Los) -> NIt", "unreadable", "3A(Los) -> NIt", "13.1"),
        ("gondor", "A(Pel) -> 2(Los)", "unreadable", "A(Pel) -> 2A(Los)", "13.2"),
        ("gondor", "A(Pel) Convoy A(Los) -> AND", "unreadable", "", "14.11"),
        ("rohan", "if C(Hel) bounces, C(Wol) H", "unreadable", "", "12.4"),
        ("sauron", "N(MMo) Lead A(MMo)", "unreadable", "N(MMo) Lead A(MMo) Hold", "18.10"),
        ("sauron", "N(MMo) Support A(MMo) -> SIt", "illegal", "N(MMo) Hold", "18.9"),
        ("saruman", "W(Ise) S A(Ise) - Gap", "illegal", "W(Ise) Hold", "16.8"),
        ("gondor", "A(NIt) -> Gor", "illegal", "", "8"),
        ("gondor", "A(SIt) Support A(Los) -> NIt; A(SIt) S A(MMo) - Gor", "illegal", "", "8"),
        ("elves", "A(Eri) Support A(Lor)", "illegal", "", "6.4"),
        ("elves", "A(Eri) B E", "illegal", "", "15.10"),
        ("rohan", "A(Edo) -> Eas -> Ano", "illegal", "A(Edo) -> Eas", "12.2"),
        ("rohan", "A(Edo) -> 2A(Wes)", "illegal", "", "13.13"),
        ("gondor", "A(Pel) -> AND", "illegal", "", "14.6"),
        ("gondor", "A(MTi) B F", "illegal", "", "14.2"),
        ("easterlings", "A/E(WKh) B E", "illegal", "", "15.5"),
        ("sauron", "A(Gun) -> Lng", "refused", "", "17.2"),
        ("gondor", "A(Wol) -> EMu", "refused", "", ""),
        ("gondor", "Build A(DAm)", "refused", "", "3.3"),
        ("gondor", "A(Pel) -> Loss", "unreadable", "A(Pel) -> Los", ""),
        ("gondor", "A(Pell) -> Loss", "unreadable", "A(Pel) -> Los", ""),
        ("gondor", "A(Pel) -> Ithilien", "ambiguous", "", ""),
        ("gondor", "Los -> NIt", "ambiguous", "", ""),
        ("sauron", "Activate the Spiders", "ambiguous", "", "17.3"),
        ("gondor", "A(Pel)", "unreadable", "A(Pel) Hold", ""),
        ("haradrim", "A(Cit) Build", "ambiguous", "", "14.15"),
        ("gondor", "F(Pel) -> AND", "unreadable", "A/F(Pel)", "14.1"),
        ("gondor", "Dear GM, hello", "unreadable", "", ""),
        ("gondor", "2W(Los) -> Pel", "unreadable", "W(Los)", "13.1"),
        ("gondor", "W(Pel) -> Los", "refused", "", "16.1"),
        ("rohan", "N(Edo) -> Eas", "refused", "", "18.1"),
        ("gondor", "C(Ano) Hold", "refused", "", "12.1"),
    ],
)
def test_a_line_that_can_not_be_taken_as_it_is(
    power: str, text: str, kind: str, suggestion: str, rule: str
) -> None:
    position = game({"gondor": ["A(DAm)"]}, year=2765) if text.startswith("Build") else HOST
    found = problem(power, text, position)
    assert (found.kind, found.suggestion) == (kind, suggestion), found
    assert found.rule == (f"necromancer {rule}" if rule else "")
    assert found.line == 1 and found.text and found.message


@pytest.mark.parametrize(
    ("power", "text", "kind", "rule"),
    [
        ("gondor", "Build C(DAm)", "illegal", "12.1"),
        ("rohan", "Build C(Edo)", "illegal", "12.9"),
        ("gondor", "Build A/F(DAm)", "illegal", "14.2"),
        ("gondor", "Build A/E(MTi)", "illegal", "15.1"),
        ("rohan", "Build 2A(Edo)", "illegal", "13.14"),
        ("saruman", "Build W(Ise)", "illegal", "16.12"),
        ("sauron", "Activate Pel", "illegal", "17.1"),
        ("sauron", "Activate D(Gre)", "illegal", "17.3"),
        ("gondor", "Activate Gun", "refused", "17.2"),
        ("gondor", "Raise N(MMo)", "refused", "18.13"),
        ("gondor", "A(Pel) -> Los", "refused", "2"),
    ],
)
def test_an_adjustment_that_can_not_be(power: str, text: str, kind: str, rule: str) -> None:
    found = problem(power, text, ADJUSTING)
    assert (found.kind, found.rule) == (kind, f"necromancer {rule}")


@pytest.mark.rule("necromancer", "16.14")
def test_the_third_army_starts_in_one_of_five_provinces() -> None:
    found = problem("saruman", "Place A(Edo)", SETUP)
    assert (found.kind, found.rule) == ("illegal", "necromancer 16.14")
    assert "Agr, Ene, Fan, Gap or Gld" in found.message


def test_ambiguous_names_list_the_candidates() -> None:
    assert "NIt (North Ithilien), SIt (South Ithilien)" in problem("gondor", "A(Pel) -> Ithilien").message
    assert "A(Los) or 2A(Los) or 3A(Los)" in problem("gondor", "Los -> NIt").message


def test_an_unknown_name_is_never_read_by_likeness() -> None:
    assert parse_text(HOST, "gondor", "A(Pel) -> Loss").orders == ()


@pytest.mark.rule("necromancer", "8")
def test_a_wall_is_named_with_both_provinces() -> None:
    message = problem("gondor", "A(NIt) -> Gor").message
    assert message.startswith(
        "Mountains part NIt (North Ithilien) and Gor (Gorgoroth); only the Nazgûl crosses"
    )


@pytest.mark.rule("necromancer", "7.4")
def test_an_illegal_order_is_kept_and_its_price_told() -> None:
    found = parse_text(HOST, "gondor", "A(MTi) -> Pel")
    assert found.orders == ("A(MTi) -> Pel",)
    assert "without the help of any fortress" in found.problems[0].message


def test_a_wrong_type_is_read_with_a_warning_where_only_one_unit_can_be_meant() -> None:
    found = parse_text(HOST, "rohan", "A(Wol) -> EMu")
    assert found.orders == ("C(Wol) -> EMu",)
    assert [p.kind for p in found.problems] == ["warning"]


def test_a_wrong_type_is_refused_where_a_hidden_piece_is_concerned() -> None:
    position = game({"sauron": ["N(MMo)"]}, year=2780)
    assert problem("sauron", "A(MMo) -> SIt", position).suggestion == "N(MMo) -> SIt"


def test_the_same_line_twice_is_taken_once_unless_two_parts_obey_it() -> None:
    assert parse_text(HOST, "gondor", "A(Pel) -> Los\nA(Pel) -> Los").orders == ("A(Pel) -> Los",)
    assert len(parse_text(HOST, "gondor", "A(NIt) -> 3A(Los)\n" * 2).orders) == 2


def test_trouble_in_the_middle_of_a_line_loses_nothing_else() -> None:
    found = parse_text(HOST, "gondor", "A(Pel) -> Los; A(MTi) -> Nowhere; A(SIt) H")
    assert found.orders == ("A(Pel) -> Los", "A(SIt) Hold")
    assert [p.text for p in found.problems] == ["A(MTi) -> Nowhere"]


def test_a_province_that_is_also_a_side_s_name_is_no_heading() -> None:
    position = game({"saruman": ["A(Ise)"], "easterlings": ["A(Rhu)"]}, year=2780)
    assert orders("saruman", "Isengard - Gap", position) == ["A(Ise) -> Gap"]
    assert orders("saruman", "Isengard: Isengard - Gap", position) == ["A(Ise) -> Gap"]
    assert orders("easterlings", "Rhun - NoL", position) == ["A(Rhu) -> NoL"]


def test_orders_headed_for_another_power_are_refused() -> None:
    assert problem("gondor", "Rohan:").kind == "refused"


# --- merging -------------------------------------------------------------------------------------------------


@pytest.mark.rule("necromancer", "13.3")
def test_a_later_mail_replaces_all_parts_of_a_stack_and_leaves_other_units_alone() -> None:
    old = ["A(Los) -> Pel", "2A(Los) -> SIt", "A(Pel) -> Leb", "A(Pel) Retreat Leb"]
    assert merge(to_json(HOST), "gondor", old, ["3A(Los) Hold"]) == (
        "A(Pel) -> Leb",
        "A(Pel) Retreat Leb",
        "3A(Los) Hold",
    )


def test_the_wizard_and_the_army_beside_it_are_ordered_apart() -> None:
    old = ["W(Ise) -> Gap", "A(Ise) Hold"]
    assert merge(to_json(HOST), "saruman", old, ["W(Ise) -> Agr"]) == ("A(Ise) Hold", "W(Ise) -> Agr")


def test_a_later_list_of_builds_replaces_the_earlier() -> None:
    old = ["Build A(DAm)", "Waive", "Activate Gun"]
    assert merge(to_json(ADJUSTING), "gondor", old, ["Build 2A(MTi)"]) == ("Activate Gun", "Build 2A(MTi)")


# --- for all texts and all orders ----------------------------------------------------------------------------

PLACES = st.sampled_from([p.id for p in the_board().provinces])
STRENGTHS = st.integers(1, 4)


@st.composite
def unit_refs(draw: st.DrawFn, kinds: str = "ACWNDS") -> UnitRef:
    kind = draw(st.sampled_from(kinds))
    strength = draw(STRENGTHS) if kind == "A" else 1
    fleets = draw(st.integers(0, strength)) if kind in "AC" else 0
    engines = draw(st.integers(0, 1)) if kind in "AC" else 0
    return UnitRef(kind, draw(PLACES), strength, fleets, engines)  # type: ignore[arg-type]  # a plain str for a kind


@st.composite
def moves(draw: st.DrawFn, unit: UnitRef) -> Order:
    two = draw(st.booleans())
    if two:
        first = draw(st.one_of(PLACES, st.just(unit.place)))
        return Order("move", unit, path=(first, draw(PLACES)))
    total = draw(st.sampled_from((0, 2, 3, 4)))
    return Order("move", unit, path=(draw(PLACES),), total=total)


@st.composite
def supports(draw: st.DrawFn, unit: UnitRef) -> Order:
    ref = draw(unit_refs())
    owner = draw(
        st.sampled_from(
            (None, "elves", "dwarves", "rohan", "saruman", "sauron", "haradrim", "easterlings", "standing")
        )
    )
    inner = UnitRef(ref.kind, ref.place, ref.strength, ref.fleets, ref.engines, owner)
    return Order("support", unit, inner=draw(st.one_of(st.just(Order("hold", inner)), moves(inner))))


@st.composite
def movement_orders(draw: st.DrawFn) -> Order:
    unit = draw(unit_refs())
    plain = [st.just(Order(kind, unit)) for kind in ("hold", "build_fleet", "build_engine")]  # type: ignore[arg-type]  # a plain str for a kind
    one = draw(st.one_of(*plain, moves(unit), supports(unit)))
    if draw(st.booleans()) and draw(st.booleans()):
        return Order("lead", UnitRef("N", unit.place), inner=one)
    choices = tuple(draw(st.lists(PLACES, min_size=1, max_size=4, unique=True)))
    return draw(st.sampled_from((one, Order("retreat", unit, choices=choices))))


@st.composite
def adjustment_orders(draw: st.DrawFn) -> Order:
    refs = draw(st.lists(unit_refs("A"), min_size=1, max_size=3))
    plain = [UnitRef("A", r.place, r.strength) for r in refs]
    return draw(
        st.sampled_from(
            (
                Order("build", plain[0], alternatives=tuple(plain[1:])),
                Order("remove", plain[0]),
                Order("waive"),
                Order(
                    "activate", UnitRef("A", "Gun"), alternatives=(UnitRef("D", "Wit"), UnitRef("S", "EMi"))
                ),
                Order("raise", UnitRef("N", refs[0].place), alternatives=(UnitRef("N", "DGu"),)),
            )
        )
    )


@given(movement_orders())
@settings(max_examples=300, deadline=None)
def test_what_is_printed_is_read_back_the_same(order: Order) -> None:
    text = order_text(order)
    assert parse_orders(HOST, "gondor", [text]) == ((text, order),)


@given(adjustment_orders())
@settings(max_examples=100, deadline=None)
def test_adjustments_that_are_printed_are_read_back_the_same(order: Order) -> None:
    text = order_text(order, "adjustments")
    assert parse_orders(ADJUSTING, "sauron", [text]) == ((text, order),)


PIECES = st.sampled_from(
    [
        "A",
        "(Pel)",
        "2A(NIt)",
        "3*",
        "A/F",
        "/",
        "->",
        "®",
        "S",
        "Hold",
        "R",
        "Lead",
        "N(MMo)",
        "Build",
        "or",
        "and",
        ",",
        ";",
        ".",
        "(",
        ")",
        "Los",
        "Ithilien",
        "Gondor",
        ":",
        "Activate",
        "Retreats:",
        "99999999999",
        "²",
        "ſ",
        "\n",
        "Waive",
        "then",
        "to",
        "B",
        "E",
        "W",
        "C(Hel)",
        "D",
        "M",
        "if",
        "[",
        "]",
        "AND",
        "Barad",
        "-",
        "Dûr",
        "\x00",
    ]
)
TEXTS = st.one_of(
    st.text(max_size=80),
    st.lists(PIECES, max_size=14).map(" ".join),
    st.lists(PIECES, max_size=14).map("".join),
)


@given(
    st.sampled_from(("gondor", "sauron", "saruman", "rohan", "elves")),
    st.sampled_from((HOST, ADJUSTING, SETUP)),
    TEXTS,
)
@settings(max_examples=400, deadline=None)
def test_no_text_raises_and_every_line_is_answered(power: str, position: Game, text: str) -> None:
    found = parse_text(position, power, text)
    again = parse_text(position, power, "\n".join(found.orders))
    assert again.orders == found.orders
    for order in found.orders:
        assert all(o is not None for _, o in parse_orders(position, power, [order]))


@pytest.mark.parametrize(
    "text",
    [
        "A(Pel) S " * 900,
        "A(Pel) -> Los; " * 600,
        "A Pel " * 1500,
        "N(MMo) L " * 900,
        "(" * 9000 + "A",
        "A" * 60_000,
        "Retreats:" * 900,
        "A(Pel) R " + "Los, " * 1500,
        "Build " + "A(Pel) and " * 900,
        "Activate " + "Gun or " * 1200,
        "9" * 5000 + "A(Pel) H",
    ],
    ids=lambda text: text[:12],
)
def test_a_monstrous_line_is_answered_and_not_choked_on(text: str) -> None:
    for power, position in (("gondor", HOST), ("sauron", ADJUSTING)):
        found = parse_text(position, power, text)
        assert found.problems or found.orders
        assert len(found.problems) < 1000
