"""The zine page: orders by power with failures marked, the centre table explained, a private page for its reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from gm.games.api import Report, Section, reading
from gm.games.necromancer.dues import dues
from gm.games.necromancer.meta import META
from gm.games.necromancer.model import Dislodged, Game, Unit
from gm.games.necromancer.report import report
from gm.games.necromancer.saved import to_json
from gm.games.necromancer.view import phase_of, standings, view_of
from tests.games.necromancer.shorthand import game
from tests.games.necromancer.test_revelation import run


def told(position: Game, orders: Mapping[str, Sequence[str] | None], reader: str | None) -> Report:
    found, after = run(position, orders)
    return report(
        view_of(position, reader), view_of(after, reader), reading(found, phase_of(position), reader)
    )


def section(page: Report, title: str) -> Section:
    return next(s for s in page.sections if s.title == title)


BATTLE = game(
    {"gondor": ["A(Pel)", "A(Los)"], "haradrim": ["A(SIt)", "A(Por)"], "standing": ["A(Gun)"]}, year=2780
)
ORDERS = {
    "gondor": ["A(Pel) Hold", "A(Los) -> MTi -> Ano"],
    "haradrim": ["A(SIt) -> Pel", "A(Por) Support A(SIt) -> Pel"],
}


def test_orders_stand_under_their_power_with_failures_marked_and_what_drove_a_unit_out_below_its_order() -> (
    None
):
    page = told(BATTLE, ORDERS, None)
    lines = section(page, "Gondor").lines
    assert lines[0] == "A(Pel) Hold"
    assert lines[1] == "> The Gondorian A(Pel) is dislodged by the Haradric A(SIt); it may retreat to Leb"
    assert lines[2].startswith("! A(Los) -> MTi -> Ano (Only cavalry and the Nazgûl move twice")
    assert lines[2].endswith("12.2)")
    assert section(page, "Haradrim").lines == ("A(SIt) -> Pel", "A(Por) Support A(SIt) -> Pel")
    assert section(page, "Dislodged").lines == ("Gondor: A(Pel) may retreat to Leb, or disband",)


def test_the_heading_counts_in_years_of_the_third_age() -> None:
    assert "TA" not in told(BATTLE, ORDERS, None).headline, "every page that shows it has the year beside it"
    assert phase_of(BATTLE).title == "2780 TA, movement"


def test_the_standing_armies_are_listed_as_everybody_may_know_them() -> None:
    assert section(told(BATTLE, ORDERS, "elves"), "Standing armies").lines == (
        "Nobody is known to command A(Gun).",
    )


@pytest.mark.rule("necromancer", "20.2")
@pytest.mark.rule("necromancer", "20.3")
def test_double_and_triple_centres_are_explained_beside_the_count() -> None:
    centres = {"Ere": "dwarves", "Mor": "dwarves", "Dal": "dwarves", "Lor": "elves"}
    position = game({"dwarves": ["A(Ere)"], "elves": ["A(Lor)"]}, year=2780, centres=centres)
    page = told(position, {"dwarves": ["A(Ere) Hold"], "elves": ["A(Lor) Hold"]}, None)
    table = section(page, "Supply centres")
    assert table.header == ("Power", "Centres", "Victory", "Armies", "Gained and lost")
    # 3 + 1 for Erebor + 1 for Moria + Eriador; 1 + 2 for Lórien + Eriador
    assert ("Dwarves", "3", "6", "1", "") in table.rows
    assert ("Elves", "1", "4", "1", "") in table.rows
    assert section(page, "Towards victory").lines == (
        "19 are needed, and more than anybody else has (20.1).",
        "Dwarves: 3 on the board, Ere counts double, Mor counts double and Eriador counts as one more: 6 (20.2)",
        "Elves: 1 on the board, Lor counts triple and Eriador counts as one more: 4 (20.3)",
    )
    assert standings(view_of(position, None))[:2] == (("dwarves", 6), ("elves", 4))


def test_the_public_part_of_the_page_is_the_same_for_all() -> None:
    position = game(
        {"saruman": ["W(Ise)", "A(Dun)"], "sauron": ["N(MMo)", "A(MMo)"], "rohan": ["A(Ado)"]}, year=2780
    )
    orders = {
        "saruman": ["W(Ise) -> Gap", "A(Dun) Hold"],
        "sauron": ["N(MMo) -> Gor", "A(MMo) Hold"],
        "rohan": ["A(Ado) Support W(Ise) -> Gap"],
    }
    pages = {
        reader: told(position, orders, reader) for reader in (None, "saruman", "sauron", "rohan", "elves")
    }
    public = {reader: tuple(s for s in page.sections if not s.private) for reader, page in pages.items()}
    assert len(set(public.values())) == 1
    assert len({page.headline for page in pages.values()}) == 1
    assert section(pages["rohan"], "Supports answered to you alone").lines == (
        "A(Ado) Support W(Ise) -> Gap: This support matched an order. Only you are told (16.9)",
    )
    assert section(pages["sauron"], "Your secret orders").lines == ("N(MMo) -> Gor",)


@pytest.mark.rule("necromancer", "7.4")
def test_the_private_page_says_what_to_order_next() -> None:
    position = game({"gondor": ["A(MTi)"]}, year=2765)
    page = told(position, {"gondor": ["A(MTi) Hold"]}, "gondor")
    assert section(page, "Your orders next").lines == (
        "2780 TA, movement: orders for A(MTi).",
        "> A(MTi): in a fortress, whose help needs an order, be it Hold (7.4)",
    )
    assert section(page, "Your orders next").private


def test_dues_list_the_hidden_pieces_of_their_owner_alone() -> None:
    position = game({"sauron": ["N(MMo)", "A(MMo)"], "gondor": ["A(MTi)"]}, year=2780)
    found = {due.power: due.items for due in dues(to_json(position))}
    assert found == {"gondor": ("A(MTi)",), "sauron": ("A(MMo)", "N(MMo)")}


@pytest.mark.rule("necromancer", "1.2")
def test_the_credits_name_the_designers_and_the_terms() -> None:
    for name in (
        "Richard Egan",
        "John Cudmore",
        "Andy Bate",
        "Mike",
        "Gary Duke",
        "Exidio",
        "not be used for",
    ):
        assert name in META.credits
    assert all(len(line) <= 72 for line in (META.credits + "\n" + META.syntax).splitlines())


@pytest.mark.rule("necromancer", "13.2")
@pytest.mark.rule("necromancer", "13.3")
def test_a_misorder_is_reported_with_the_components_counted() -> None:
    position = game({"gondor": ["3A(Los)", "A(Pel)", "A(SIt)"]}, year=2780)
    orders = ["A(Los) -> MTi", "3A(Los) -> 3A(NIt)", "A(Pel) -> 3A(Leb)", "A(SIt) Hold"]
    lines = section(told(position, {"gondor": orders}, "elves"), "Gondor").lines
    assert lines[0] == "! A(Los) -> MTi (Orders for 1 + 3 = 4 armies in Los, where 3A(Los) stands; 13.3)"
    assert lines[2] == (
        "! A(Pel) -> 3A(Leb) (Only A(Pel) is ordered to Leb, but the order states 3A; alone it states no total; 13.2)"
    )


def test_a_retreat_shows_where_it_went_and_not_the_choices_that_were_not_needed() -> None:
    position = game(
        {}, year=2780, step="retreats", dislodged=(Dislodged(Unit("gondor", "A", "Pel"), ("SIt",)),)
    )
    page = told(position, {"gondor": ["A(Pel) Retreat SIt, Leb, Los"]}, None)
    assert section(page, "Gondor").lines == ("A(Pel) -> Leb",)
    assert section(page, "Retreats").lines == ("The Gondorian A(Pel) retreats to Leb (Lebennin) (4)",)
