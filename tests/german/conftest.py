"""A German GM, and an ear for what is said in German."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from gm.reports import tongue
from gm.store.db import Store
from tests.german.reading import read
from tests.world import GM, World, copy_of, started

ENGLISH = re.compile(
    r"\b(?:the|is|are|was|were|of|no|not|and|or|to|your|you|it|for|by|with|from|this|that|there|needs?|has|have|will|"
    r"than|none|nobody|all|orders?|game|phase|player|today|yet|held|sent|until|only)\b"
)
VALUE = re.compile(r"\w+ = \w+")
TITLE = "Spring of 99"
"""Of the game that is played: somebody's own words."""


class Ear:
    """Hears every text that is put into German, and tells what of them stayed English."""

    def __init__(self) -> None:
        self.heard: set[str] = set()

    def english(self) -> list[str]:
        """Texts with English words that the catalogue does not have, but for house rules and their values."""
        return sorted(
            text
            for text in self.heard
            if ENGLISH.search(read(text).left.replace(TITLE, "")) and not VALUE.fullmatch(text)
        )


@pytest.fixture
def ear(monkeypatch: pytest.MonkeyPatch) -> Ear:
    """Listens to the real translation; nothing is changed by it."""
    found, real = Ear(), tongue.say

    def listening(text: str, language: str) -> str:
        if language == "de":
            found.heard.add(text)
        return real(text, language)

    monkeypatch.setattr(tongue, "say", listening)
    return found


@pytest.fixture
def one(one_store: Store) -> World:
    """A server with an empty store."""
    return World(one_store)


@pytest.fixture
def played(tmp_path: Path) -> Iterator[World]:
    """A game of seven in its first phase, run by a GM whose mails are German."""
    world = copy_of(started(), tmp_path)
    world.reply(GM, "SPRACHE Deutsch")
    yield world
    world.store.close()
