"""Fixtures shared by all rooms: a store on each database, a world on it, and the real peers of `tests.peers`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from gm.store.db import METADATA, Store, open_store
from gm.store.engines import SCHEMA
from tests.databases import empty
from tests.peers import Dovecot, Missing, Postfix, Postgres, free_port, need, open_folder, postgres_bin
from tests.world import World, copy_of, started


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A real PostgreSQL server for the whole session."""
    try:
        need("runuser")
        postgres_bin()
    except Missing as why:
        pytest.skip(f"PostgreSQL: {why}")
    with open_folder("postgres") as folder:
        server = Postgres(folder)
        server.start()
        try:
            yield server
        finally:
            server.stop()


@pytest.fixture(scope="session")
def postgres_store(postgres: Postgres) -> Iterator[Store]:
    """A migrated database that tests use one after the other: a new one each would be 7 MB and 300 files a test."""
    opened = open_store(postgres.url())
    opened.migrate()
    yield opened
    opened.close()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.peer("postgresql"))])
def database_url(request: pytest.FixtureRequest, tmp_path) -> str:
    """URL of an empty database, once on SQLite and once on a real PostgreSQL."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/gm.db"
    server: Postgres = request.getfixturevalue("postgres")
    return server.url()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.peer("postgresql"))])
def store(request: pytest.FixtureRequest, tmp_path) -> Iterator[Store]:
    """A migrated store without rows, once on SQLite and once on a real PostgreSQL."""
    if request.param == "postgresql":
        shared: Store = request.getfixturevalue("postgres_store")
        with shared.write() as session:
            session.execute(text(f"TRUNCATE {', '.join(METADATA.tables)} RESTART IDENTITY CASCADE"))
            session.execute(text("UPDATE alembic_version SET version_num = :schema"), {"schema": SCHEMA})
        yield shared
        return
    opened = open_store(f"sqlite:///{tmp_path}/gm.db")
    opened.migrate()
    yield opened
    opened.close()


@pytest.fixture
def sqlite_store(tmp_path) -> Iterator[Store]:
    """A migrated SQLite store, for tests of what SQLite does."""
    opened = open_store(f"sqlite:///{tmp_path}/gm.db")
    opened.migrate()
    yield opened
    opened.close()


@pytest.fixture
def one_store(tmp_path) -> Iterator[Store]:
    """A migrated store, where a test is not about the database: SQLite, or PostgreSQL where all tests run on it."""
    opened = empty(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def world(store: Store) -> World:
    """A server with an empty store, on each database."""
    return World(store)


@pytest.fixture
def one(one_store: Store) -> World:
    """The same on one database, where a test is not about the store."""
    return World(one_store)


@pytest.fixture
def played(tmp_path: Path) -> Iterator[World]:
    """A game of seven in its first phase, on one database."""
    world = copy_of(started(), tmp_path)
    yield world
    world.store.close()


@pytest.fixture
def seats() -> dict[str, str]:
    """Power to the address of its player in `played`."""
    return started().seats


@pytest.fixture(scope="session")
def dovecot() -> Iterator[Dovecot]:
    """A real Dovecot for the whole session."""
    try:
        need("dovecot")
    except Missing as why:
        pytest.skip(f"Dovecot: {why}")
    with open_folder("dovecot") as folder:
        server = Dovecot(folder)
        server.start()
        try:
            yield server
        finally:
            server.stop()


@pytest.fixture(scope="session")
def postfix(dovecot: Dovecot) -> Iterator[Postfix]:
    """A real Postfix for the whole session: ``play.test`` is us, ``player.test`` Dovecot, ``bounce.test`` a sink.

    Its `us` and `sink` are the ports where a test has to listen.
    """
    try:
        need("postfix")
    except Missing as why:
        pytest.skip(f"Postfix: {why}")
    with open_folder("postfix") as folder:
        server = Postfix(folder, us=free_port(), sink=free_port(), dovecot=dovecot.lmtp_port)
        server.start()
        try:
            yield server
        finally:
            server.stop()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The table of the kill tests, where they ran at every occurrence of a step (`make slow`).

    Such a test passes only if the world after the kill and the restart is the world of a run that nobody disturbed, and
    what went over the wire is the same set of mails: nothing lost, nothing doubled.
    """
    rows = sorted(
        str(value).split()
        for report in terminalreporter.stats.get("passed", [])
        for name, value in report.user_properties
        if name == "kills"
    )
    if not rows:
        return
    terminalreporter.section("killed by SIGKILL at every occurrence of a step, and started again")
    terminalreporter.write_line(f"{'step':<24}{'kills':>7}{'lost':>7}{'doubled':>9}")
    for step, kills in rows:
        terminalreporter.write_line(f"{step:<24}{kills:>7}{0:>7}{0:>9}")
    total = sum(int(kills) for _, kills in rows)
    terminalreporter.write_line(f"{len(rows):>3} steps{total:>23}{0:>7}{0:>9}")
