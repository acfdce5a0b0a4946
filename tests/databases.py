"""Where the stores of tests lie: in SQLite files, or, with TEST_DATABASE=postgresql, all in a real PostgreSQL."""

from __future__ import annotations

import atexit
import os
import shutil
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import Final

from gm.store.db import Store, open_store
from tests.peers import Postgres, open_folder

ON_POSTGRES: Final = os.environ.get("TEST_DATABASE", "sqlite") == "postgresql"
AT_ONCE: Final = 12
"""Databases left standing, 7 MB and 300 files each: more than one test uses. The oldest goes when the next is made."""

_number = count(1)
_standing: list[str] = []


@dataclass(frozen=True)
class Kept:
    """A store as it was at one time, to be copied: a closed SQLite file, or a database that nobody opens."""

    place: str


def empty(folder: Path, name: str = "gm") -> Store:
    """A migrated store without rows."""
    if ON_POSTGRES:
        return copy(_migrated(), folder, name)
    store = open_store(f"sqlite:///{folder}/{name}.db")
    store.migrate()
    return store


def keep(store: Store) -> Kept:
    """Close a store for good, and keep what is in it."""
    if ON_POSTGRES:
        name = str(store.url.database)
        if name in _standing:
            _standing.remove(name)
        store.close()
        return Kept(name)
    with store.writer.connect() as connection:
        connection.exec_driver_sql("ROLLBACK")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.exec_driver_sql("BEGIN")
    store.close()
    return Kept(str(store.url.database))


def copy(kept: Kept, folder: Path, name: str = "copy") -> Store:
    """A store of its own with what was kept. Close it when done."""
    if ON_POSTGRES:
        while len(_standing) >= AT_ONCE:
            _server().drop(_standing.pop(0))
        fresh = f"{name}{next(_number)}"
        _standing.append(fresh)
        return open_store(_server().url(fresh, template=kept.place))
    file = folder / f"{name}.db"
    shutil.copy(kept.place, file)
    for log in (f"{file}-wal", f"{file}-shm"):
        Path(log).unlink(missing_ok=True)
    return open_store(f"sqlite:///{file}")


@cache
def _server() -> Postgres:
    stack = ExitStack()
    atexit.register(stack.close)
    server = Postgres(stack.enter_context(open_folder("postgres")))
    server.start()
    stack.callback(server.stop)
    return server


@cache
def _migrated() -> Kept:
    store = open_store(_server().url("migrated"))
    store.migrate()
    return keep(store)
