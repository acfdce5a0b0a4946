"""The store's transactions, on both databases."""

from __future__ import annotations

import threading
from datetime import UTC, datetime

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from gm.store.db import Store, open_store
from gm.store.engines import StoreError
from gm.store.tables import Once, Player, ServerFact

NOW = datetime(2026, 12, 4, 20, 0, tzinfo=UTC)


def test_a_write_is_seen_after_the_block_and_its_objects_stay_readable(store: Store):
    with store.write() as session:
        player = Player(name="Ann", created_at=NOW)
        session.add(player)
    assert player.id == 1
    with store.read() as session:
        found = session.scalars(select(Player)).one()
        assert (found.name, found.zone, found.created_at) == ("Ann", "UTC", NOW)


def test_an_exception_rolls_the_whole_write_back(store: Store):
    with pytest.raises(ZeroDivisionError), store.write() as session:
        session.add(Player(name="Ann", created_at=NOW))
        session.flush()
        raise ZeroDivisionError
    with store.read() as session:
        assert session.scalars(select(Player)).all() == []


def test_a_write_inside_a_write_is_an_error_not_a_deadlock(store: Store):
    with store.write(), pytest.raises(StoreError, match="pass the session on"), store.write():
        pass
    with store.write() as session:
        session.add(Once(key="after", at=NOW))


def test_a_reader_cannot_write(store: Store):
    with pytest.raises(DBAPIError), store.read() as session:
        session.execute(text("INSERT INTO once (key, at) VALUES ('x', '2026-12-04')"))


def test_a_reader_sees_one_snapshot_while_others_write(store: Store):
    with store.read() as session:
        assert session.scalars(select(Once.key)).all() == []
        with store.write() as other:
            other.add(Once(key="new", at=NOW))
        assert session.scalars(select(Once.key)).all() == []
    with store.read() as session:
        assert session.scalars(select(Once.key)).all() == ["new"]


def test_read_then_write_by_two_processes_loses_no_update(store: Store):
    """The case that fails at once with SQLite's own deferred BEGIN, and silently under READ COMMITTED."""
    with store.write() as session:
        session.add(ServerFact(name="count", value={"n": 0}))
    other = open_store(store.url)
    failures: list[Exception] = []

    def count_up(mine: Store) -> None:
        try:
            for _ in range(25):
                with mine.write() as session:
                    fact = session.get_one(ServerFact, "count")
                    fact.value = {"n": fact.value["n"] + 1}
        except Exception as wrong:
            failures.append(wrong)

    threads = [threading.Thread(target=count_up, args=(s,)) for s in (store, store, other, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    other.close()
    assert failures == []
    with store.read() as session:
        assert session.get_one(ServerFact, "count").value == {"n": 100}


def test_foreign_keys_hold(store: Store):
    with pytest.raises(IntegrityError), store.write() as session:
        session.execute(text("INSERT INTO game_gm (game_id, player_id) VALUES (7, 7)"))


def test_times_come_back_in_utc_whatever_zone_they_came_in(store: Store):
    from zoneinfo import ZoneInfo

    with store.write() as session:
        session.add(Once(key="k", at=NOW.astimezone(ZoneInfo("Europe/Berlin"))))
    with store.read() as session:
        found = session.get_one(Once, "k").at
    assert found == NOW
    assert found.utcoffset() == NOW.utcoffset()


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("var/gm.db", "is not a database URL"),
        ("sqlite://", "needs a file"),
        ("mysql://localhost/x", "mysql is not supported"),
    ],
)
def test_a_bad_url_is_refused_with_the_right_form(url: str, words: str):
    with pytest.raises(StoreError, match=words):
        open_store(url)


def test_postgresql_urls_without_a_driver_get_psycopg():
    assert open_store("postgresql://u@h/d").url.drivername == "postgresql+psycopg"


def test_sqlite_commits_are_durable(sqlite_store: Store):
    with sqlite_store.write() as session:
        pragma = {p: session.execute(text(f"PRAGMA {p}")).scalar() for p in ("journal_mode", "synchronous")}
    assert pragma == {"journal_mode": "wal", "synchronous": 2}
