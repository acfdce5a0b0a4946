"""The receipt: what has no order, what does not add up, and what happens if it stays."""

from __future__ import annotations

import pytest

from gm.games.api import Problem
from gm.games.necromancer.dues import due_of
from gm.games.necromancer.model import Dislodged, Game, Unit
from gm.games.necromancer.orders import Order, UnitRef
from gm.games.necromancer.review import review_of
from tests.games.necromancer.shorthand import game
from tests.games.necromancer.test_revelation import run

GONDOR = game({"gondor": ["A(Pel)", "3A(Los)", "2A(NIt)", "A(SIt)"]}, year=2780)


def problems(position: Game, power: str, *sheet: str) -> list[Problem]:
    return list(review_of(position, power, sheet).problems)


@pytest.mark.rule("necromancer", "7.4")
def test_a_unit_without_an_order_is_missing_and_its_fortress_lost() -> None:
    position = game({"gondor": ["A(MTi)", "A(Pel)"]}, year=2780)
    found = review_of(position, "gondor", ["A(Pel) Hold"])
    assert found.missing == ("A(MTi)",)
    assert [(p.kind, p.text, p.rule) for p in found.problems] == [("warning", "A(MTi)", "necromancer 7.4")]
    assert "without the help of the fortress of Minas Tirith" in found.problems[0].message
    assert "A(MTi) Hold keeps the fortress" in found.problems[0].message


def test_parts_of_a_stack_without_an_order_are_counted() -> None:
    found = review_of(GONDOR, "gondor", ["A(Pel) Hold", "A(Los) -> Pel", "2A(NIt) Hold", "A(SIt) Hold"])
    assert found.missing == ("2 of the 3 armies of 3A(Los)",)


@pytest.mark.rule("necromancer", "13.3")
def test_too_many_components_are_named_with_the_sum() -> None:
    found = problems(GONDOR, "gondor", "A(Los) -> Pel", "2A(Los) -> SIt", "A(Los) Hold")
    assert [(p.kind, p.rule) for p in found] == [("misorder", "necromancer 13.3")]
    assert found[0].text == "A(Los) -> Pel; 2A(Los) -> SIt; A(Los) Hold"
    assert "Orders for 1 + 2 + 1 = 4 armies in Los, where 3A(Los) stands" in found[0].message
    assert "all of them hold as if they had no order, without the help of any fortress" in found[0].message


@pytest.mark.rule("necromancer", "13.2")
@pytest.mark.parametrize(
    ("sheet", "stated"),
    [
        (["A(NIt) -> 3A(Los)", "A(Pel) -> 3A(Los)"], "state 3A; each must state 2A(Los)"),
        (["A(NIt) -> 2A(Los)", "A(Pel) -> 3A(Los)"], "state 2A and 3A; each must state 2A(Los)"),
        (["A(NIt) -> 2A(Los)", "A(Pel) -> Los"], "state 2A and no total; each must state 2A(Los)"),
    ],
)
def test_totals_that_do_not_fit_the_components_are_named(sheet: list[str], stated: str) -> None:
    found = [p for p in problems(GONDOR, "gondor", *sheet, "3A(Los) -> MTi") if p.kind == "misorder"]
    assert [p.rule for p in found] == ["necromancer 13.2"]
    assert "The parts ordered to Los are A(NIt) and A(Pel), together 2" in found[0].message
    assert stated in found[0].message


@pytest.mark.rule("necromancer", "13.5")
def test_parts_that_stay_must_do_the_same() -> None:
    found = problems(GONDOR, "gondor", "A(NIt) Hold", "A(NIt) B E")
    assert [(p.kind, p.text, p.rule) for p in found] == [
        ("misorder", "A(NIt) Hold; A(NIt) B E", "necromancer 13.5")
    ]


@pytest.mark.rule("necromancer", "13.2")
def test_a_join_that_adds_up_is_forecast() -> None:
    sheet = ["A(Pel) -> 2A(SIt)", "A(SIt) -> 2A(SIt)", "3A(Los) Hold", "2A(NIt) Hold"]
    found = review_of(GONDOR, "gondor", sheet)
    assert found.problems == () and found.missing == ()
    assert found.notes == ("SIt: A(Pel) and A(SIt) join as 2A(SIt), if nobody stops them",)


@pytest.mark.rule("necromancer", "17.6")
def test_what_came_early_is_named_in_the_receipt() -> None:
    sheet = [
        "A(Pel) Hold",
        "3A(Los) Hold",
        "2A(NIt) Hold",
        "A(SIt) Hold",
        "A(Pel) Retreat Leb",
        "Build A(DAm)",
    ]
    assert review_of(GONDOR, "gondor", sheet).notes == (
        "Kept for later phases of this turn: A(Pel) Retreat Leb; Build A(DAm)",
    )


def test_a_support_of_his_own_that_matches_no_order_is_pointed_out() -> None:
    found = problems(GONDOR, "gondor", "A(SIt) Support A(Pel) -> Los", "A(Pel) Hold")
    assert [(p.kind, p.text) for p in found] == [("warning", "A(SIt) Support A(Pel) -> Los")]


@pytest.mark.rule("necromancer", "18.10")
def test_a_lead_that_repeats_no_order_is_pointed_out() -> None:
    position = game({"sauron": ["N(MMo)", "A(MMo)"]}, year=2780)
    found = problems(position, "sauron", "N(MMo) Lead A(MMo) -> SIt", "A(MMo) Hold")
    assert [(p.kind, p.rule) for p in found] == [("misorder", "necromancer 18.10")]


@pytest.mark.rule("necromancer", "16.10")
def test_the_wizards_voyage_is_judged_with_the_whole_sheet() -> None:
    position = game({"saruman": ["W(Pel)", "A/F(Pel)"]}, year=2780)
    assert problems(position, "saruman", "W(Pel) -> AND", "A/F(Pel) -> AND") == []
    found = problems(position, "saruman", "W(Pel) -> AND", "A/F(Pel) Hold")
    assert [(p.kind, p.rule) for p in found] == [("illegal", "necromancer 16.10")]


def test_a_support_for_a_foreign_unit_is_not_judged_beforehand() -> None:
    position = game({"rohan": ["A(Ado)"], "saruman": ["W(Gap)"]}, year=2780)
    for inner in ("W(Gap) -> Agr", "W(Gap)", "N(Agr)"):
        assert problems(position, "rohan", f"A(Ado) Support {inner}") == []


@pytest.mark.rule("necromancer", "13.14")
def test_builds_are_counted_against_what_is_due() -> None:
    centres = {"MTi": "gondor", "Pel": "gondor", "DAm": "gondor"}
    position = game({"gondor": ["A(MTi)"]}, year=2780, step="adjustments", centres=centres)
    assert review_of(position, "gondor", []).missing == ("2 of 2 builds",)
    assert review_of(position, "gondor", ["Build 2A(MTi)"]).missing == ("1 of 2 builds",)
    assert review_of(position, "gondor", ["Build 2A(MTi)", "Waive"]).missing == ()
    assert review_of(position, "gondor", ["Build A(DAm)", "Build A(Pel)"]).problems == ()
    again = review_of(position, "gondor", ["Build A(MTi)", "Build A(Pel)"]).problems
    assert [(p.kind, p.rule) for p in again] == [("misorder", "necromancer 13.14")]
    assert "write Build 2A(MTi)" in again[0].message
    elsewhere = review_of(position, "gondor", ["Build A(Ano)", "Waive"]).problems
    assert [p.kind for p in elsewhere] == ["illegal"]
    assert "A(MTi), A(DAm) or A(Pel)" in elsewhere[0].message or "you may build" in elsewhere[0].message


def test_removals_that_are_missing_tell_what_goes() -> None:
    position = game(
        {"gondor": ["A(MTi)", "A(Pel)"]}, year=2780, step="adjustments", centres={"MTi": "gondor"}
    )
    found = review_of(position, "gondor", [])
    assert found.missing == ("1 of 1 removal",)
    assert "farthest from your centres" in found.problems[0].message


@pytest.mark.rule("necromancer", "4")
def test_retreats_that_would_clash_or_are_closed_are_told() -> None:
    driven = (
        Dislodged(Unit("gondor", "A", "Pel"), ("SIt",)),
        Dislodged(Unit("gondor", "A", "MTi"), ("Ano",)),
    )
    position = game({}, year=2780, step="retreats", dislodged=driven)
    found = review_of(position, "gondor", ["A(Pel) -> Los", "A(MTi) -> Los"])
    assert [(p.kind, p.rule) for p in found.problems] == [("warning", "necromancer 4")]
    closed = review_of(position, "gondor", ["A(Pel) -> SIt"])
    assert closed.missing == ("A(MTi): it will be disbanded",)
    assert "A(Pel) can't retreat to SIt" in closed.problems[0].message


@pytest.mark.rule("necromancer", "4")
def test_an_early_retreat_list_is_remembered_in_the_receipt() -> None:
    early = {"gondor": (Order("retreat", UnitRef("A", "Pel"), choices=("Los",)),)}
    position = game(
        {},
        year=2780,
        step="retreats",
        dislodged=(Dislodged(Unit("gondor", "A", "Pel"), ("SIt",)),),
        retreat_lists=early,
    )
    assert review_of(position, "gondor", []).missing == ("A(Pel): your earlier list counts",)


@pytest.mark.rule("necromancer", "17.4")
@pytest.mark.rule("necromancer", "16.3")
def test_who_is_waited_for_in_adjustments_does_not_hang_on_what_is_hidden() -> None:
    centres = {"Ise": "saruman", "Dun": "saruman", "Agr": "saruman"}
    for place in ("Gap", "Ise", "Min"):
        position = game(
            {"saruman": [f"W({place})", "A(Ise)"]}, year=2780, step="adjustments", centres=centres
        )
        due = due_of(position, "saruman")
        assert due is not None and due.required
    for spent in (True, False):
        position = game(
            {"sauron": ["N(MMo)"]}, year=2780, step="adjustments", dragons_spent=spent, spiders_spent=spent
        )
        due = due_of(position, "sauron")
        assert due is not None and due.required


@pytest.mark.rule("necromancer", "13.15")
@pytest.mark.rule("necromancer", "17.6")
def test_an_early_retreat_list_that_names_a_part_is_for_the_whole_stack() -> None:
    position = game({"gondor": ["2A(Los)"], "haradrim": ["A(Pel)", "A(SIt)", "A(NIt)"]}, year=2780)
    orders = {
        "gondor": ["A(Los) Hold", "A(Los) Hold", "A(Los) Retreat Leb, MTi"],
        "haradrim": ["A(Pel) -> Los", "A(SIt) Support A(Pel) -> Los", "A(NIt) Support A(Pel) -> Los"],
    }
    _, driven = run(position, orders)
    assert [str(d.unit) for d in driven.dislodged] == ["2A(Los)"]
    _, after = run(driven, {"gondor": None})
    assert [str(u) for u in after.units if u.owner == "gondor"] == ["2A(Leb)"]
