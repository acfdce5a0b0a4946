"""What readers get: views, reports, headlines, standings."""

from __future__ import annotations

import pytest

from gm.games.api import Event, canonical, reading
from gm.games.dice import SeededDice
from gm.games.diplomacy import RULESET, headline
from tests.games.diplomacy.cases import OPTIONS, game, run


def told(state, reader="france", **sheets):
    result = run(state, **sheets)
    before, after = RULESET.view(state, reader), RULESET.view(result.state, reader)
    return RULESET.report(before, after, reading(result, RULESET.phase(state), reader)), result.state


def section(report, title):
    return next((one for one in report.sections if one.title == title), None)


def test_orders_by_power_with_failures_marked():
    state = game(france=["A PAR", "A MAR"], germany=["A MUN"])
    report, _ = told(state, france=["A PAR - BUR"], germany=["A MUN - BUR"])
    assert section(report, "France").lines == (
        "! A PAR - BUR (stood off in Burgundy by the German army from Munich)",
        "A MAR has no order and holds",
    )
    assert section(report, "Stand-offs").lines == ("Stand-off in Burgundy: nobody enters.",)
    assert "Burgundy" in report.headline


def test_dislodged_units_and_who_must_retreat():
    state = game(france=["A BUR"], germany=["A MUN", "A RUH"])
    sheets = {"germany": ["A MUN - BUR", "A RUH S A MUN - BUR"]}
    report, _ = told(state, **sheets)
    assert section(report, "France").lines == ("A BUR has no order and holds", "> dislodged from Munich")
    assert section(report, "Dislodged").lines == (
        "France: A BUR may retreat to BEL, GAS, MAR, PAR, PIC, or disband",
    )
    mine = section(report, "Your orders next")
    assert mine.private
    assert mine.lines == (
        "Spring 1901, retreats: 1 order expected from you.",
        "> A BUR: to BEL, GAS, MAR, PAR, PIC, or disband",
    )
    assert section(told(state, reader="germany", **sheets)[0], "Your orders next") is None
    assert section(told(state, reader=None, **sheets)[0], "Your orders next") is None
    assert "Burgundy" in report.headline


def test_the_centre_table_after_a_fall_turn():
    state = game("F1901M", france=["A SPA", "F POR", "F BRE"], germany=["A PAR"])
    report, after = told(state)
    table = section(report, "Supply centres")
    assert table.header == ("Power", "Centres", "Change", "Units", "Gained and lost")
    assert table.rows[:3] == (
        ("France", "4", "+1", "3", "+POR +SPA -PAR"),
        ("Germany", "4", "+1", "1", "+PAR"),
        ("Russia", "4", "0", "0", ""),
    )
    assert section(report, "Winter adjustments due").lines[1:3] == (
        "England: 3 builds in EDI, LON, LVP",
        "France: 1 build in MAR",
    )
    assert RULESET.standings(RULESET.view(after, None))[:3] == (("france", 4), ("germany", 4), ("russia", 4))


def test_no_centre_table_before_the_fall_retreats_are_made():
    state = game("F1901M", france=["A BUR"], germany=["A MUN", "A RUH"])
    report, _ = told(state, germany=["A MUN - BUR", "A RUH S A MUN - BUR"])
    assert section(report, "Supply centres") is None


@pytest.mark.parametrize("reader", ["france", "turkey", None])
def test_all_readers_see_the_same_position(reader):
    """Diplomacy hides nothing of the position; only what a reader owes is his own page."""
    state = game(france=["A PAR"], germany=["A MUN"])
    assert canonical(RULESET.view(state, reader).data) == canonical(RULESET.view(state, "germany").data)


def test_headlines_are_alive_and_differ():
    state = RULESET.new_game(OPTIONS, SeededDice(b"seed", "start"))
    lines = []
    while not RULESET.over(state) and len(lines) < 60:
        now = RULESET.phase(state)
        dice = SeededDice(b"headlines", now.name)
        sheets = {
            due.power: list(RULESET.bot(RULESET.view(state, due.power), dice)) for due in RULESET.dues(state)
        }
        report, state = told(state, reader=None, **sheets)
        assert report.headline
        assert len(report.headline) <= 120
        lines.append(report.headline)
    assert len(set(lines)) > len(lines) * 0.7


def test_a_victory_makes_the_front_page():
    centres = [
        "BEL",
        "BER",
        "BRE",
        "DEN",
        "EDI",
        "HOL",
        "KIE",
        "LON",
        "LVP",
        "MAR",
        "MUN",
        "NWY",
        "PAR",
        "POR",
        "SPA",
        "SWE",
        "TUN",
    ]
    state = game("F1910M", centres={"france": centres, "italy": ["ROM"]}, france=["A APU"])
    report, _ = told(state, france=["A APU - ROM"])
    assert report.headline == "FRANCE RULES EUROPE"
    assert section(report, "The end").lines == ("France wins with 18 supply centres.",)


def test_drawing_is_an_svg():
    state = game(france=["A PAR"])
    assert RULESET.draw(RULESET.view(state, None), None).lstrip().startswith(("<svg", "<?xml"))


@pytest.mark.case(50)
def test_only_the_private_page_differs_between_readers():
    state = game("F1901M", france=["A SPA", "A BUR"], germany=["A PAR", "A MUN", "A RUH"])
    sheets = {"germany": ["A MUN - BUR", "A RUH S A MUN - BUR", "A PAR H"], "france": ["A SPA H"]}
    open_pages = []
    for reader in ("france", "germany", "turkey", None):
        report, _ = told(state, reader=reader, **sheets)
        open_pages.append((report.headline, [one for one in report.sections if not one.private]))
    assert open_pages[0] == open_pages[1] == open_pages[2] == open_pages[3]


@pytest.mark.parametrize(
    ("gone", "words"),
    [
        (("russia",), "Austria arms while Russia counts the missing"),
        (("italy", "russia"), "Austria arms while Italy and Russia count the missing"),
    ],
)
def test_headline_of_a_winter_is_in_the_number_of_its_powers(gone, words):
    events = {
        "built": [Event(kind="built", text="", rule="", data={"power": "austria"})],
        "removed": [Event(kind="removed", text="", rule="", data={"power": power}) for power in gone],
    }
    assert headline._winter(events, 0) == words
