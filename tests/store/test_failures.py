"""A disk that is full or broken, a database that is locked or gone: told aloud, nothing half done, usable again."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from datetime import UTC, datetime

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.exc import DBAPIError, OperationalError

from gm.mail.spool import Arrival, accept
from gm.store import engines
from gm.store.db import open_store
from gm.store.mailtables import Inbound
from gm.store.tables import Once
from tests.peers import Postgres, open_folder

NOW = datetime(2026, 12, 4, 20, 0, tzinfo=UTC)


def arrival(n: int, size: int = 1000) -> Arrival:
    raw = f"Message-ID: <{n}@x.test>\r\n\r\n".encode() + b"x" * size
    return Arrival(raw=raw, envelope_from="a@b", recipients=("p@play.test",), peer="", via="smtp")


def stored(store) -> int:
    with store.read() as session:
        return session.scalar(select(func.count()).select_from(Inbound))


def test_a_full_disk_refuses_whole_mails_and_takes_them_when_there_is_room(sqlite_store):
    with sqlite_store.write() as session:
        pages = session.execute(text("PRAGMA page_count")).scalar()
        session.execute(text(f"PRAGMA max_page_count={pages + 20}"))
    taken = 0
    with pytest.raises(OperationalError, match="full"):
        for n in range(100):
            accept(sqlite_store, [arrival(n, 10_000)], lambda: NOW)
            taken += 1
    assert 0 < taken < 100
    assert stored(sqlite_store) == taken
    with sqlite_store.write() as session:
        session.execute(text("PRAGMA max_page_count=1000000"))
        assert session.execute(text("PRAGMA integrity_check")).scalar() == "ok"
    accept(sqlite_store, [arrival(n, 10_000) for n in range(100)], lambda: NOW)
    assert stored(sqlite_store) == 100


def test_a_store_locked_by_another_process_is_an_error_after_a_while_and_free_afterwards(
    sqlite_store, monkeypatch
):
    monkeypatch.setattr(engines, "BUSY_SECONDS", 0.1)
    impatient = open_store(sqlite_store.url)
    with sqlite_store.write(), pytest.raises(OperationalError, match="locked"), impatient.write():
        pass
    with impatient.write() as session:
        session.add(Once(key="free", at=NOW))
    impatient.close()


def test_readers_are_not_held_up_by_a_writer(sqlite_store):
    with sqlite_store.write() as session:
        session.add(Once(key="new", at=NOW))
        session.flush()
        with sqlite_store.read() as reader:
            assert reader.scalars(select(Once.key)).all() == []


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
def test_a_flush_that_fails_is_never_an_accepted_mail(tmp_path):
    """strace makes the nth fdatasync fail; what the program said it took must be there afterwards.

    Not every flush that fails refuses a mail: some are of the folder, some of a checkpoint that is made again.
    """
    refused = [_refused_with_failing_flush(tmp_path / str(nth), nth) for nth in range(1, 7)]
    assert max(refused) == 1


def _refused_with_failing_flush(tmp_path, nth: int) -> int:
    url = f"sqlite:///{tmp_path}/gm.db"
    store = open_store(url)
    store.migrate()
    store.close()
    program = f"""
import sys
from datetime import UTC, datetime
from gm.mail.spool import Arrival, accept
from gm.store.db import open_store
store = open_store({url!r})
for n in range(8):
    raw = f"Message-ID: <{{n}}@x.test>\\r\\n\\r\\nbody {{n}}".encode()
    mail = Arrival(raw=raw, envelope_from="a@b", recipients=("p@play.test",), peer="", via="smtp")
    try:
        accept(store, [mail], lambda: datetime(2026, 12, 4, tzinfo=UTC))
    except Exception as wrong:
        print("refused", n, flush=True)
    else:
        print("taken", n, flush=True)
"""
    traced = ["strace", "-f", "-o", "/dev/null", "-e", f"inject=fdatasync:error=EIO:when={nth}"]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [*traced, sys.executable, "-c", program], capture_output=True, text=True, env=environ, timeout=120
    )
    said = [line.split() for line in done.stdout.splitlines()]
    assert len(said) == 8, done.stderr
    with sqlite3.connect(tmp_path / "gm.db") as connection:
        there = {row[0] for row in connection.execute("SELECT message_id FROM inbound")}
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    assert {f"<{n}@x.test>" for word, n in said if word == "taken"} <= there
    return [word for word, _ in said].count("refused")


@pytest.mark.peer("postgresql")
def test_postgresql_that_dies_in_the_middle_of_a_write_loses_only_that_write(postgres):
    """Its own server, as it is killed."""
    with open_folder("dying") as folder:
        server = Postgres(folder)
        server.start()
        store = open_store(server.url())
        store.migrate()
        with store.write() as session:
            session.add(Once(key="before", at=NOW))
        with pytest.raises(DBAPIError), store.write() as session:
            session.add(Once(key="during", at=NOW))
            session.flush()
            server.stop()
            session.add(Once(key="never", at=NOW))
        server.start()
        with store.write() as session:
            session.add(Once(key="after", at=NOW))
        with store.read() as session:
            assert session.scalars(select(Once.key).order_by(Once.key)).all() == ["after", "before"]
        store.close()
        server.stop()


@pytest.mark.peer("postgresql")
def test_a_writer_that_is_killed_gives_the_lock_back(postgres):
    url = postgres.url()
    store = open_store(url)
    store.migrate()
    program = f"""
import os, signal
from gm.store.db import open_store
store = open_store({url!r})
with store.write() as session:
    print("in", flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, env=environ, timeout=60)
    assert (done.returncode, done.stdout) == (-signal.SIGKILL, b"in\n")
    with store.write() as session:
        session.add(Once(key="mine", at=NOW))
    store.close()
