"""A world for each test of the desk."""

from __future__ import annotations

import pytest

from gm.store.db import Store
from tests.world import World


@pytest.fixture
def world(store: Store) -> World:
    """A server with an empty store, on each database."""
    return World(store)


@pytest.fixture
def one(sqlite_store: Store) -> World:
    """The same on SQLite only, where a test is not about the store."""
    return World(sqlite_store)
