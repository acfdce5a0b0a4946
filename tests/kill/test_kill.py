"""Killed with SIGKILL between any two steps and started again, a server ends where an undisturbed one does.

The world that must be equal is every row of the store and every byte of every mail. Only how often a mail was tried,
and by whom, may differ.
"""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from gm.store.crash import POINTS
from gm.turns.run import POINTS as TURN_POINTS
from tests.kill import actor
from tests.kill.lives import killed_at, run, world

DESK_POINTS = ("desk.read", "desk.worked", "desk.committed")
FAST = ["intake.committed", "desk.worked", "turn.told", "sender.delivered"]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("kill") / "prepared"
    actor.prepare(folder)
    return folder


@pytest.fixture(scope="module")
def undisturbed(prepared) -> Path:
    folder = prepared.parent / "undisturbed"
    shutil.copytree(prepared, folder)
    assert run(folder) == 0
    return folder


def test_the_undisturbed_world_is_the_one_meant(undisturbed):
    final = world(undisturbed)
    assert len(final["inbound"]) == 3
    assert [(s["power"], s["version"]) for s in final["sheet"]] == [
        ("france", 1),
        ("france", 2),
        ("germany", 1),
    ]
    assert [(p["name"], p["status"]) for p in final["phase"]] == [("S1901M", "done"), ("F1901M", "open")]
    assert {row["status"] for row in final["outbound"]} == {"sent"}
    assert {row["status"] for row in final["inbound"]} == {"done"}
    assert len(final["mails"]) == len(final["outbound"])
    reports = [row for row in final["outbound"] if row["kind"] == "report" and row["phase_id"] == 1]
    assert {row["power"] for row in reports} >= {"france", "germany"}


@pytest.mark.case(23)
@pytest.mark.case(25)
@pytest.mark.parametrize("point", FAST)
def test_killed_once_at_a_chosen_point(point, prepared, undisturbed):
    assert killed_at(point, prepared, undisturbed)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.case(23)
@pytest.mark.parametrize(
    "point", [p for p in (*POINTS, *DESK_POINTS, *TURN_POINTS) if not p.startswith("imap")]
)
def test_killed_at_every_occurrence_of_every_point(point, prepared, undisturbed, record_property):
    times = 0
    while killed_at(f"{point}:{times + 1}", prepared, undisturbed):
        times += 1
    assert times >= 1, "the point is never reached"
    record_property("kills", f"{point} {times}")


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_killed_again_and_again_it_still_arrives(prepared, undisturbed):
    folder = prepared.parent / "often"
    shutil.copytree(prepared, folder)
    for point in (*POINTS, *DESK_POINTS, *TURN_POINTS):
        run(folder, point)
    assert run(folder) == 0
    assert world(folder) == world(undisturbed)


@pytest.mark.peer("dovecot")
def test_killed_between_storing_and_moving_a_fetched_mail_is_one_mail(sqlite_store, dovecot, tmp_path):
    dovecot.deliver("killed", b"Message-ID: <1@x.test>\r\nTo: play@play.test\r\n\r\nA Par H\r\n")
    program = f"""
from datetime import UTC, datetime
from pydantic import SecretStr
from gm.mail.imap import ImapPoller
from gm.settings import Imap
from gm.store.db import open_store
account = Imap(host="127.0.0.1", port={dovecot.imap_port}, user="killed", password=SecretStr("secret"), tls=False)
poller = ImapPoller(
    open_store({str(sqlite_store.url)!r}), account, lambda: datetime(2026, 12, 4, tzinfo=UTC),
    known=lambda address: True, fallback="gm@play.test", message_bytes=10_000,
)
with poller.connected() as client:
    poller.fetch(client)
"""
    codes = []
    for point in ("imap.stored", ""):
        environ = {**os.environ, "GM_CRASH_AT": point, "PYTHONPATH": os.pathsep.join(sys.path)}
        codes.append(
            subprocess.run([sys.executable, "-c", program], env=environ, timeout=60, check=False).returncode
        )
    assert codes == [-signal.SIGKILL, 0]
    with sqlite3.connect(tmp_path / "gm.db") as db:
        assert db.execute("SELECT count(*) FROM inbound").fetchone() == (1,)
    db.close()
