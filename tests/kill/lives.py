"""Lives of a server that is killed: a process forked for each, and what of its world must be equal in the end."""

from __future__ import annotations

import multiprocessing
import shutil
import signal
import sqlite3
from collections import Counter
from pathlib import Path

from gm.store import crash
from tests.kill import actor
from tests.kill.actor import Step

OF_EACH_TRY = {"outbound": {"attempts", "reply", "leased_by", "lease_until"}}
"""Columns by table that tell how often a mail was tried, and by whom."""
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(
    ["tests.kill.actor", "tests.kill.press"]
)  # the program is loaded once; each life is a fork of that


def live(folder: Path, steps: tuple[Step, ...], crash_at: str) -> None:
    """What runs in the process that is killed."""
    crash.arm(crash_at)
    actor.main(folder, steps)


def run(folder: Path, crash_at: str = "", *, steps: tuple[Step, ...] = actor.STEPS) -> int:
    """Run the actor; returns its exit code, or minus the signal that ended it."""
    process = PROCESSES.Process(target=live, args=(folder, steps, crash_at))
    process.start()
    process.join(120)
    code = process.exitcode
    process.close()
    assert code is not None
    return code


def world(folder: Path) -> dict[str, object]:
    """Everything that is to be equal."""
    found: dict[str, object] = {}
    with sqlite3.connect(folder / "gm.db") as db:
        db.row_factory = sqlite3.Row
        tables = [
            row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type='table' ORDER BY name")
        ]
        for table in tables:
            ignored = OF_EACH_TRY.get(table, set())
            rows = [
                {name: row[name] for name in row.keys() if name not in ignored}  # noqa: SIM118 - not a dict
                for row in db.execute(f"SELECT * FROM {table} ORDER BY 1")
            ]
            found[table] = rows
    db.close()
    found["mails"] = {file.name: file.read_bytes() for file in (folder / "mail-out/new").iterdir()}
    return found


def killed_at(
    point: str, prepared: Path, undisturbed: Path, *, steps: tuple[Step, ...] = actor.STEPS
) -> bool:
    """Kill once at a point, go on, compare. Returns whether the point was reached."""
    folder = prepared.parent / point.replace(":", "-")
    shutil.copytree(prepared, folder)
    first = run(folder, point, steps=steps)
    assert first in (0, -signal.SIGKILL)
    if first:
        assert run(folder, steps=steps) == 0
    assert world(folder) == world(undisturbed)
    repeats = {name for name, times in Counter(actor.lines(folder / "sent")).items() if times > 1}
    assert len(repeats) <= (1 if point.startswith("sender.delivered") else 0)
    assert sorted(set(actor.lines(folder / "sent"))) == sorted(set(actor.lines(undisturbed / "sent")))
    shutil.rmtree(folder)
    return first != 0
