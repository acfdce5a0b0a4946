"""The manuals say what the program does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from gm.app import scenarios
from gm.clock.calendar import parse_calendar
from gm.desk.commands import COMMANDS, WORDS
from gm.desk.language import command_of
from gm.games.api import ResultWord
from gm.settings import Settings
from gm.turns.settings import GameSettings
from tests.docs.reading import ROOT, block_after, code_lines, links, read

PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
POSTFIX = {
    "relay_domains",
    "transport_maps",
    "smtpd_recipient_restrictions",
    "lmtp_destination_concurrency_limit",
}
PLAYERS, GMS, OPS = (read(ROOT / "docs" / name) for name in ("players.md", "gms.md", "ops.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_to_a_file_leads_to_one(page: Path) -> None:
    for target in links(page):
        assert (page.parent / target).exists(), target


def test_every_command_of_players_is_in_their_manual() -> None:
    missing = [
        c.name
        for c in COMMANDS
        if c.who not in ("gm", "editor") and not c.name.startswith("CREATE") and c.name not in PLAYERS
    ]
    assert missing == []


def test_every_command_of_gms_is_in_their_manual() -> None:
    missing = [
        c.name
        for c in COMMANDS
        if (c.who in ("gm", "editor") or c.name.startswith("CREATE")) and c.name not in GMS
    ]
    assert [name for name in missing if name != "END"] == []


@pytest.mark.parametrize("page", ["players.md", "gms.md"])
def test_every_command_shown_is_one_that_is_understood(page: str) -> None:
    for line in code_lines(ROOT / "docs" / page):
        if re.match(r"[A-Z]{3,}\b", line) and not line.startswith("END"):
            assert command_of(line, WORDS, frozenset())[0], line


def test_every_house_rule_of_the_server_is_listed_with_its_default() -> None:
    words = {True: "on", False: "off"}
    for name, value in GameSettings().as_json().items():
        shown = words[value] if isinstance(value, bool) else str(value)
        assert re.search(rf"^\| `{name}` \| `?{re.escape(shown)}`? \|", GMS, re.M), name


def test_every_calendar_shown_can_be_read() -> None:
    shown = block_after(GMS, "### Calendars")
    assert len(shown) == 7
    for line in shown:
        parse_calendar(line)


def test_every_setting_named_exists() -> None:
    known = {
        *Settings.model_fields,
        *(
            inner
            for f in Settings.model_fields.values()
            for inner in getattr(f.annotation, "model_fields", ())
        ),
    }
    shown = set(re.findall(r"^    (\w+) = ", OPS, re.M)) - POSTFIX
    assert shown - known == set()


def test_every_result_word_is_explained() -> None:
    page = read(ROOT / "docs" / "scenarios.md")
    for word in get_args(ResultWord):
        assert f"| `{word}` |" in page


def test_the_scenario_shown_runs(tmp_path: Path) -> None:
    page = read(ROOT / "docs" / "scenarios.md")
    example = (
        page.partition("## Many in one file")[2]
        .partition("```toml\n")[2]
        .partition('\n\n[[scenario]]\nid = "second"')[0]
    )
    file = tmp_path / "example.toml"
    file.write_text(example)
    ((name, table),) = scenarios.load(file)
    assert scenarios.run(file, name, table).result.orders[0].result == "ok"
