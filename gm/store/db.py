"""Opening the store, and short transactions on it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from sqlalchemy import Engine
from sqlalchemy.engine import URL
from sqlalchemy.orm import Session

from gm.store import clubtables, mailtables
from gm.store.engines import SCHEMA, StoreError, engines, parse_url, revision_of

METADATA = mailtables.Inbound.metadata
"""All tables: `mailtables` has loaded `tables`."""
assert clubtables.Issue.metadata is METADATA


@dataclass(frozen=True)
class Store:
    """A database with its writer and its readers. Share one among all threads of a process."""

    url: URL
    writer: Engine
    reader: Engine
    _writing: threading.local = field(default_factory=threading.local)

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A short write transaction: committed at the end of the block, rolled back on any exception.

        Objects stay readable after the commit. Raises `StoreError` if this thread already is inside one
        (it would wait for itself), and SQLAlchemy's errors where the database fails or stays busy.
        """
        if getattr(self._writing, "on", False):
            raise StoreError("write() inside write(): pass the session on instead")
        self._writing.on = True
        try:
            with Session(self.writer, expire_on_commit=False) as session, session.begin():
                session.connection()  # takes the writer lock now, so that all reads below are of the newest rows
                yield session
        finally:
            self._writing.on = False

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A read-only transaction over one snapshot."""
        with Session(self.reader, expire_on_commit=False) as session, session.begin():
            yield session

    def schema(self) -> str | None:
        """The revision that the database is at; None if it is empty."""
        with self.reader.connect() as connection:
            return revision_of(connection)

    def migrate(self) -> bool:
        """Bring the schema up to `SCHEMA`: all steps in one transaction, one process at a time.

        Returns whether anything was done. Raises `StoreError` if the database is newer than this code.
        """
        if self.schema() == SCHEMA:
            return False
        from gm.store.migrating import upgrade  # loads Alembic: half a second and 15 MB

        return upgrade(self.url)

    def close(self) -> None:
        """Close all connections."""
        self.writer.dispose()
        self.reader.dispose()


def open_store(url: str | URL) -> Store:
    """Open the store at an SQLAlchemy URL: ``sqlite:///var/gm.db`` or ``postgresql+psycopg://user@host/name``.

    Does not touch the schema: call `Store.migrate` for that. The folder of an SQLite file is created.
    Raises `StoreError` for a URL that cannot be read, an in-memory database or another kind of database.
    """
    parsed = parse_url(url)
    writer, reader = engines(parsed)
    return Store(url=parsed, writer=writer, reader=reader)
