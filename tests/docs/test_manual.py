"""The lists of commands in the manuals are those of the table, and HELP's."""

from __future__ import annotations

import pytest

from gm.desk.commands import COMMANDS, WORDS
from gm.desk.language import command_of
from gm.desk.manual import chapter, with_chapter
from tests.docs.reading import ROOT, read


@pytest.mark.parametrize("page", ["players.md", "gms.md"])
def test_list_of_commands_is_current(page):
    text = read(ROOT / "docs" / page)
    assert with_chapter(text, page) == text, "run `make docs`"


def test_every_command_is_in_one_of_the_two_lists():
    both = chapter("players.md") + chapter("gms.md")
    assert [c.name for c in COMMANDS if c.help.replace("|", "\\|") not in both] == []


@pytest.mark.parametrize("command", [c.name for c in COMMANDS])
def test_example_of_every_command_is_that_command(command):
    example = next(c.example for c in COMMANDS if c.name == command)
    assert command_of(example.split("\n")[0], WORDS, frozenset())[0] == command


def test_page_without_marks_is_refused():
    with pytest.raises(ValueError, match=r"players\.md has no marks"):
        with_chapter("# A page\n", "players.md")
