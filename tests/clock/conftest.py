"""A world for each test of the clock."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gm.store.db import Store
from tests.world import World, copy_of, started


@pytest.fixture
def world(store: Store) -> World:
    """A server with an empty store, on each database."""
    return World(store)


@pytest.fixture
def played(tmp_path: Path) -> Iterator[World]:
    """A game of seven in its first phase, on SQLite."""
    world = copy_of(started(), tmp_path)
    yield world
    world.store.close()


@pytest.fixture
def seats() -> dict[str, str]:
    """Power to the address of its player in `played`."""
    return started().seats
