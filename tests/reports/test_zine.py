"""The zine: a game as web pages."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree

from gm.games.api import Section
from gm.reports.mails import PressItem
from gm.reports.zine import BadSlug, Zine, ZineGame, ZinePhase, write_zine

MAP = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 6"><rect width="9" height="6"/></svg>'

SPRING = ZinePhase(
    number=1,
    title="Spring 1901, movement",
    headline="Seven smiles",
    date="Friday 4 December 2026",
    sections=(
        Section(title="Austria", lines=("A Bud - Ser", "! A Vie - Gal", "> Bounced.", "F Tri - Alb")),
        Section(title="Centres", header=("Power", "Now"), rows=(("Austria", "3"),)),
    ),
    svg=MAP,
    standings=(("Austria", "Anna Adler", 3), ("Italy", "Ivo Rossi", 3)),
    press=(PressItem(sender="France to all", body="One.\n\nTwo."),),
    notes=("Builds are next.",),
)
AUTUMN = replace(
    SPRING, number=2, title="Autumn 1901, movement", headline="Serbia falls", svg="", press=(), notes=()
)
GAME = ZineGame(
    slug="spring99",
    title="Spring Ninety-Nine",
    ruleset="Diplomacy",
    phases=(SPRING, AUTUMN),
    colours=(("Austria", "#c8102e"),),
    state="Winter 1901, adjustments is open",
    deadline="Friday 18 December 2026, 20:00 (UTC)",
    about=("Designed by Allan B. Calhamer.",),
)
ZINE = Zine(title="The Danube Courier", tagline="By the Thursday club", games=(GAME,))


def write(folder: Path, zine: Zine = ZINE) -> dict[str, str]:
    return {str(p.relative_to(folder)): p.read_text() for p in write_zine(folder, zine)}


def words(page: str) -> str:
    return " ".join(" ".join(etree.HTML(page).find("body").itertext()).split())


def test_a_zine_is_a_front_page_a_page_a_game_and_a_page_and_map_an_issue(tmp_path: Path) -> None:
    assert list(write(tmp_path)) == [
        "index.html",
        "spring99/index.html",
        "spring99/01.html",
        "spring99/02.html",
        "spring99/01.svg",
    ]


def test_the_front_page_has_each_games_last_headline_standings_and_deadline(tmp_path: Path) -> None:
    front = words(write(tmp_path)["index.html"])
    for word in (
        "By the Thursday club",
        "Spring Ninety-Nine",
        "Serbia falls",
        "Anna Adler",
        "18 December 2026",
    ):
        assert word in front
    assert "Seven smiles" not in front


def test_a_game_page_lists_its_issues_newest_first_with_the_chart(tmp_path: Path) -> None:
    page = write(tmp_path)["spring99/index.html"]
    assert page.index('href="02.html"') < page.index('href="01.html"')
    assert '<svg class="chart"' in page and "Allan B. Calhamer" in page


def test_an_issue_has_orders_map_standings_notes_and_press(tmp_path: Path) -> None:
    pages = write(tmp_path)
    page = words(pages["spring99/01.html"])
    for word in (
        "No. 1",
        "Seven smiles",
        "A Bud - Ser",
        "Bounced.",
        "Ivo Rossi",
        "Builds are next.",
        "France to all",
    ):
        assert word in page
    assert 'class="order failed"' in pages["spring99/01.html"]
    assert 'src="01.svg" alt="Map after Spring 1901, movement"' in pages["spring99/01.html"]
    assert pages["spring99/01.svg"] == MAP
    assert "<img" not in pages["spring99/02.html"]


def test_every_link_leads_to_a_page_that_was_written_and_none_outside(tmp_path: Path) -> None:
    for name, page in write(tmp_path).items():
        for target in re.findall(r'(?:href|src)="([^"]*)"', page):
            assert ((tmp_path / name).parent / target).resolve().is_file(), f"{name}: {target}"
    assert not any("https://" in page or "@import" in page for page in write(tmp_path).values())


def test_only_the_open_issue_shows_the_next_deadline(tmp_path: Path) -> None:
    pages = write(tmp_path)
    assert "Next deadline" not in pages["spring99/01.html"]
    assert "Next deadline" in pages["spring99/02.html"]


def test_a_game_without_issues_and_a_zine_without_games_have_pages_too(tmp_path: Path) -> None:
    pages = write(tmp_path, replace(ZINE, games=(replace(GAME, phases=()),)))
    assert "No issue yet" in pages["spring99/index.html"]
    assert "No game yet" in write(tmp_path, Zine(title="Empty"))["index.html"]


def test_press_and_names_are_escaped(tmp_path: Path) -> None:
    evil = '{{ 7*7 }}<script>alert(1)</script>" onload="x\x1b[2J'
    phase = replace(
        SPRING, headline=evil, title=evil, press=(PressItem(sender=evil, body=evil),), notes=(evil,)
    )
    pages = write(tmp_path, replace(ZINE, title=evil, games=(replace(GAME, title=evil, phases=(phase,)),)))
    for page in pages.values():
        assert (
            "<script" not in page
            and "49" not in words(page)
            and '" onload="' not in page
            and "\x1b" not in page
        )


@pytest.mark.parametrize("slug", ["../../x", "", "a/b", "Übung", "_x", ".hidden", "a" * 65, "con\n"])
def test_a_name_that_leads_out_of_the_folder_is_refused_before_anything_is_written(
    tmp_path: Path, slug: str
) -> None:
    with pytest.raises(BadSlug):
        write_zine(tmp_path, replace(ZINE, games=(GAME, replace(GAME, slug=slug))))
    assert list(tmp_path.iterdir()) == []


def test_written_twice_the_pages_are_the_same(tmp_path: Path) -> None:
    assert write(tmp_path) == write(tmp_path)
