"""Migrations: up and down with data in the tables, on both databases, and equal to the tables in code."""

from __future__ import annotations

import threading
from datetime import UTC, datetime

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, select, text

from gm.store import migrating
from gm.store.db import METADATA, open_store
from gm.store.engines import SCHEMA, StoreError
from gm.store.mailtables import Inbound
from gm.store.tables import Game, GameGM, Player, Seat

NOW = datetime(2026, 12, 4, 20, 0, tzinfo=UTC)


def fill(store) -> None:
    with store.write() as session:
        player = Player(name="Ann", created_at=NOW)
        game = Game(
            slug="first", title="First", ruleset="diplomacy", rules_version="1", options={}, settings={},
            seed=b"s" * 32, created_at=NOW,
        )  # fmt: skip
        session.add_all([player, game])
        session.flush()
        session.add(GameGM(game_id=game.id, player_id=player.id))
        session.add(Seat(game_id=game.id, power="france", player_id=player.id, joined_at=NOW))


def test_code_and_migrations_agree_on_the_newest_revision():
    assert ScriptDirectory.from_config(migrating.config()).get_heads() == [SCHEMA]


def test_the_migrated_schema_is_that_of_the_tables(database_url):
    store = open_store(database_url)
    store.migrate()
    migrating.check(store.url)
    with store.reader.connect() as connection:
        names = {
            constraint["name"]
            for table in METADATA.tables
            for constraint in (
                *inspect(connection).get_unique_constraints(table),
                *inspect(connection).get_foreign_keys(table),
                inspect(connection).get_pk_constraint(table),
            )
        }
    store.close()
    wanted = {constraint.name for table in METADATA.tables.values() for constraint in table.constraints}
    if store.url.get_backend_name() == "sqlite":  # it has no name for an AUTOINCREMENT key
        wanted = wanted - {"pk_inbound", "pk_outbound"} | {None}
    assert names == wanted


def test_every_revision_goes_down_and_up_with_data(database_url):
    store = open_store(database_url)
    script = ScriptDirectory.from_config(migrating.config())
    for revision in reversed(list(script.walk_revisions())):
        migrating.upgrade(store.url, revision.revision)
        if revision.revision != SCHEMA:
            continue
        fill(store)
        migrating.downgrade(store.url, revision.down_revision or "base")
        migrating.upgrade(store.url, revision.revision)
    migrating.check(store.url)
    migrating.downgrade(store.url, "base")
    with store.reader.connect() as connection:
        assert inspect(connection).get_table_names() == ["alembic_version"]
    assert store.schema() is None
    store.close()


def test_migrating_keeps_data_and_does_nothing_the_second_time(database_url):
    store = open_store(database_url)
    assert store.schema() is None
    assert store.migrate() is True
    fill(store)
    assert store.migrate() is False
    with store.read() as session:
        assert session.scalars(select(Seat.power)).all() == ["france"]
    store.close()


def test_two_processes_migrating_at_once_are_one_migration(database_url):
    done: list[bool | Exception] = []

    def migrate() -> None:
        store = open_store(database_url)
        try:
            done.append(store.migrate())
        except Exception as wrong:
            done.append(wrong)
        finally:
            store.close()

    threads = [threading.Thread(target=migrate) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(str, done)) == ["False", "False", "True"]


def test_a_step_that_fails_leaves_the_schema_as_it_was(database_url, monkeypatch):
    from alembic import op

    store = open_store(database_url)
    real = op.create_table

    def fail_late(name, *columns, **options):
        if name == "sheet":
            raise RuntimeError("disk full")
        return real(name, *columns, **options)

    monkeypatch.setattr(op, "create_table", fail_late)
    with pytest.raises(RuntimeError, match="disk full"):
        store.migrate()
    with store.reader.connect() as connection:
        assert inspect(connection).get_table_names() == []
    monkeypatch.undo()
    assert store.migrate() is True
    store.close()


def test_a_database_of_a_newer_gm_is_refused(store):
    with store.write() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError, match="newer than this gm"):
        store.migrate()


def test_ids_of_purged_mail_are_not_used_again(store):
    def arrive() -> int:
        with store.write() as session:
            mail = Inbound(
                identity="i", raw=b"", sha256="", envelope_from="", recipient="a@b", peer="", via="smtp",
                received_at=NOW,
            )  # fmt: skip
            session.add(mail)
        return mail.id

    first = arrive()
    with store.write() as session:
        session.execute(text("DELETE FROM inbound"))
    assert arrive() > first
