"""An issue as pages of an archive."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree

from gm.reports.issue import BadIssue, Editorial, Issue
from gm.reports.issuecheck import check_issue_templates
from gm.reports.issuemail import issue_text
from gm.reports.issuepages import back_issue, back_issues_page, issue_page, map_file
from gm.reports.templating import TemplateFault
from tests.reports.issue_games import real_issue
from tests.reports.issue_small import GAME, ISSUE, hostile

EARLIER = replace(ISSUE, masthead=replace(ISSUE.masthead, number=9, date="Friday 13 November 2026"))


def words(page: str) -> str:
    return " ".join(" ".join(etree.HTML(page).find("body").itertext()).split())


def archive(*issues: Issue) -> dict[str, str]:
    """The files of an archive by their names, as the server makes them when they are asked for."""
    ordered = sorted(issues or (ISSUE, EARLIER), key=lambda issue: issue.masthead.number)
    numbers = [None, *(issue.masthead.number for issue in ordered), None]
    back = [back_issue(issue, pdf=False) for issue in ordered]
    files = {"index.html": back_issues_page(ordered[-1].masthead, back)}
    for n, issue in enumerate(ordered):
        stem = f"{issue.masthead.number:03}"
        files[f"{stem}.html"] = issue_page(issue, before=numbers[n], after=numbers[n + 2])
        files[f"{stem}.txt"] = issue_text(issue)
        files |= {map_file(issue.masthead.number, g.slug): g.svg for g in issue.games if g.svg}
    return files


def test_every_link_leads_to_a_file_of_the_archive_or_a_place_in_the_page() -> None:
    files = archive()
    assert sorted(files) == [
        "009-spring99.svg", "009.html", "009.txt", "012-spring99.svg", "012.html", "012.txt", "index.html",
    ]  # fmt: skip
    for name, page in files.items():
        if name.endswith(".html"):
            for target in re.findall(r'(?:href|src)="([^"]*)"', page):
                if target.startswith("#"):
                    assert page.count(f'id="{target[1:]}"') == 1, f"{name}: {target}"
                else:
                    assert target in files, f"{name}: {target}"
            assert "https://" not in page and "@import" not in page and "<script" not in page


def test_the_front_page_lists_the_newest_first_with_headlines() -> None:
    front = archive()["index.html"]
    assert front.index("No. 12") < front.index("No. 9")
    assert "Spring Ninety-Nine Seven smiles" in words(front)
    assert "Friday 13 November 2026" in front
    assert ".pdf" not in front


def test_an_archive_without_an_issue_has_a_front_page_too() -> None:
    assert "No issue yet." in back_issues_page(ISSUE.masthead, [])


def test_an_issue_in_print_is_linked_where_there_is_one() -> None:
    assert 'href="012.pdf"' in issue_page(ISSUE, pdf=True)
    assert 'href="012.pdf"' in back_issues_page(ISSUE.masthead, [back_issue(ISSUE, pdf=True)])


def test_the_page_has_every_part_in_order() -> None:
    page = words(issue_page(ISSUE))
    parts = (
        "By the Thursday club",
        "No. 12",
        "Editorial",
        "the question that every table asks",
        "The table in No. 11 was wrong.",
        "In this issue",
        "Next deadlines",
        "Fri 11 December, 20:00",
        "All times: UTC",
        "Seven smiles",
        "Supply centres",
        "Ivo Rossi",
        "Friday 11 December 2026, 20:00 (UTC)",
        "A Bud - Ser",
        "Bounced with A War - Gal.",
        "That was our sea.",
        "I am away from Tuesday.",
        "The fleet was in Sevastopol.",
        "May I suggest a prize?",
        "You may.",
        "Standings",
        "wants 3 more",
        "Italy, 4 centres",
        "Colophon",
        "Henrik Vass",
        "Mail GET ZINE 11.",
        "Designed by Allan B. Calhamer.",
    )
    place = 0
    for part in parts:
        place = page.index(part, place)


def test_games_stand_at_a_glance_beside_lists_that_are_longer_than_the_editorial() -> None:
    games = tuple(replace(GAME, slug=f"g{n}", title=f"Game {n}") for n in range(12))
    long = replace(ISSUE, games=games, editorial=None)
    tiles = re.search(r'<nav class="tiles".*?</nav>', issue_page(long), re.DOTALL)
    assert tiles is not None
    assert re.findall(r'href="#game-(g\d+)"', tiles[0]) == [f"g{n}" for n in range(9)]
    assert re.findall(r'src="(\S+)"', tiles[0]) == [map_file(12, f"g{n}") for n in range(9)]
    assert 'class="tiles"' not in issue_page(ISSUE), "one game has its map below anyway"
    essay = replace(long, editorial=Editorial(body="Snow has come to the Danube. " * 120))
    assert 'class="tiles"' not in issue_page(essay)
    assert 'class="essay"' in issue_page(essay)
    assert 'class="essay brief"' in issue_page(ISSUE)


def test_colours_of_powers_are_taken_only_as_colours() -> None:
    assert "background:#c8102e" in issue_page(ISSUE)
    assert "url(" not in issue_page(hostile())


def test_private_sections_are_left_out_whoever_put_them_there() -> None:
    assert not any("Hidden" in text for text in archive().values())


def test_what_players_wrote_is_escaped() -> None:
    for page in archive(hostile()).values():
        assert not {"\x1b", "\u202e", "\x00"} & set(page)
    for page in (issue_page(hostile()), archive(hostile())["index.html"]):
        assert "<script" not in page and '" onload="' not in page
        assert "{{ 7*7 }}" in words(page) and "<script>alert(1)</script>" in words(page)


def test_an_issue_that_leads_out_of_the_folder_is_refused() -> None:
    with pytest.raises(BadIssue):
        archive(ISSUE, replace(EARLIER, games=(replace(GAME, slug="../x"),)))


def test_made_twice_the_pages_are_the_same() -> None:
    assert archive(real_issue()) == archive(real_issue())


def test_every_game_of_a_real_issue_is_in_the_page_once() -> None:
    page = issue_page(real_issue())
    for game in real_issue().games:
        assert page.count(f'<article class="gamepart" id="game-{game.slug}">') == 1
        assert game.headline in words(page)


def test_a_gms_own_template_is_looked_for_first(tmp_path: Path) -> None:
    own = tmp_path / "issue" / "issue.html"
    own.parent.mkdir()
    own.write_text("<p>{{ issue.masthead.title }} in my own way</p>")
    assert issue_page(ISSUE, templates=tmp_path) == "<p>The Danube Courier in my own way</p>\n"
    own.write_text("line\n{{ issue.nothing }}")
    with pytest.raises(TemplateFault, match=r"issue\.html, line 2: .*nothing"):
        issue_page(ISSUE, templates=tmp_path)


@pytest.mark.parametrize(
    "name", ["issue.txt", "issue.subject", "mail.html", "issue.html", "back.html", "parts.html"]
)
def test_a_broken_template_is_found_before_an_issue_needs_it(tmp_path: Path, name: str) -> None:
    own = tmp_path / "issue" / name
    own.parent.mkdir()
    own.write_text("{{ nonsense }")
    with pytest.raises(TemplateFault, match=rf"{name}, line 1"):
        check_issue_templates(tmp_path)


def test_the_templates_that_come_with_the_program_are_sound() -> None:
    check_issue_templates()
