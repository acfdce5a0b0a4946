"""The two databases: their engines, and the one connection of a migration.

One writer at a time on both databases, so that code which is right on SQLite is right on PostgreSQL:

* SQLite: ``BEGIN IMMEDIATE``. A deferred BEGIN would fail at its first write whenever another process wrote
  after its first read, and no busy timeout helps against that.
* PostgreSQL: each write transaction first takes one advisory lock, then runs as READ COMMITTED. As nobody else
  writes, no statement can meet a serialisation failure or a deadlock, so there is nothing to retry, and a
  ``with`` block, which cannot be run again, is a safe shape for it.

Readers see one snapshot from their first statement to their last (WAL; REPEATABLE READ) and cannot write.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import NullPool, QueuePool

SCHEMA = "0003"
"""Revision that this code needs: the last file of migrations/versions. Known here so that a server whose store
is up to date need not load Alembic."""

WRITER_LOCK = 0x676D5752
"""Key of the PostgreSQL advisory lock that all writers of one database take ("gmWR")."""

BUSY_SECONDS = 10
"""How long a writer waits for another process's transaction."""


class StoreError(Exception):
    """The store cannot be opened or used; the text says what to change."""


def engines(url: URL) -> tuple[Engine, Engine]:
    """The one writer and the readers of a database, in this order. The folder of an SQLite file is created."""
    if url.get_backend_name() == "sqlite":
        Path(str(url.database)).parent.mkdir(parents=True, exist_ok=True)
        # The pool's own queue hands the one connection to the threads in turn.
        writer = create_engine(url, poolclass=QueuePool, pool_size=1, max_overflow=0, pool_timeout=60)
        reader = create_engine(url, poolclass=QueuePool, pool_size=4, max_overflow=8)
        _prepare_sqlite(writer, begin="BEGIN IMMEDIATE")
        _prepare_sqlite(reader, begin="BEGIN", query_only=True)
    else:
        options = _postgres_options()
        writer = create_engine(
            url,
            pool_size=1,
            max_overflow=0,
            pool_timeout=60,
            pool_pre_ping=True,
            isolation_level="READ COMMITTED",
            connect_args=options,
        )
        reader = create_engine(
            url,
            pool_size=4,
            max_overflow=8,
            pool_pre_ping=True,
            isolation_level="REPEATABLE READ",
            execution_options={"postgresql_readonly": True},
            connect_args=options,
        )
        event.listen(writer, "begin", _take_writer_lock)
    return writer, reader


def parse_url(url: str | URL) -> URL:
    """Read a database URL. Raises `StoreError` as `open_store` does."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise StoreError(f"{url!r} is not a database URL: write e.g. sqlite:///var/gm.db") from None
    backend = parsed.get_backend_name()
    if backend == "postgresql":
        return parsed.set(drivername="postgresql+psycopg")
    if backend != "sqlite":
        raise StoreError(f"{backend} is not supported: use sqlite:///… or postgresql+psycopg://…")
    if parsed.database in (None, "", ":memory:"):
        raise StoreError("an SQLite store needs a file, as in sqlite:///var/gm.db")
    return parsed


@contextmanager
def migration_connection(url: URL) -> Iterator[Connection]:
    """A connection in one transaction that shuts out all other writers, with foreign keys unchecked on SQLite.

    SQLite alters a table by building it anew; dropping the old one must not cascade. All keys are checked
    before the commit. Raises `StoreError` if one dangles.
    """
    sqlite = url.get_backend_name() == "sqlite"
    engine = create_engine(url, poolclass=NullPool, connect_args={} if sqlite else _postgres_options())
    if sqlite:
        _prepare_sqlite(engine, begin="BEGIN IMMEDIATE", foreign_keys=False)
    else:
        event.listen(engine, "begin", _take_writer_lock)
    with engine.begin() as connection:
        yield connection
        if sqlite and (dangling := connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()):
            raise StoreError(f"the migration left {len(dangling)} dangling keys, first in {dangling[0][0]}")


def revision_of(connection: Connection) -> str | None:
    """The schema revision that is written in the database; None if none is."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return None if found is None else str(found)


def _prepare_sqlite(
    engine: Engine, *, begin: str, query_only: bool = False, foreign_keys: bool = True
) -> None:
    def on_connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = (
            None  # the driver must not BEGIN by itself: it would not before DDL or SELECT
        )
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
        _switch_to_wal(cursor)
        cursor.execute("PRAGMA synchronous=FULL")
        cursor.execute(f"PRAGMA foreign_keys={'ON' if foreign_keys else 'OFF'}")
        if query_only:
            cursor.execute("PRAGMA query_only=ON")
        cursor.close()

    def on_begin(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    event.listen(engine, "connect", on_connect)
    event.listen(engine, "begin", on_begin)


def _switch_to_wal(cursor: Any) -> None:
    """WAL is a property of the file: set once for ever. SQLite's busy timeout does not cover the switch."""
    end = time.monotonic() + BUSY_SECONDS
    while cursor.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > end:
                raise
            time.sleep(0.01)


def _postgres_options() -> dict[str, Any]:
    """A writer that hangs inside a transaction must not hold the lock for ever."""
    timeouts = f"-c lock_timeout={BUSY_SECONDS * 1000} -c idle_in_transaction_session_timeout=300000"
    return {"connect_timeout": BUSY_SECONDS, "options": f"{timeouts} -c timezone=UTC"}


def _take_writer_lock(connection: Connection) -> None:
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({WRITER_LOCK})")
