"""A commit that fails, whichever it is: the server tries again and ends where an undisturbed one does."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import OperationalError

from tests.kill import actor
from tests.kill.test_kill import prepared, undisturbed, world  # noqa: F401 - fixtures

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


class Disk:
    """Fails one commit."""

    def __init__(self, nth: int) -> None:
        self.left = nth

    def __call__(self, _: Connection) -> None:
        self.left -= 1
        if self.left == 0:
            raise OperationalError("COMMIT", {}, Exception("disk I/O error"))


def run_with(disk: Disk, folder: Path) -> None:
    """Run the server's life; where a failure ends it, start it again with a sound disk."""
    event.listen(Engine, "commit", disk)
    try:
        actor.main(folder)
    except OperationalError:
        pass
    finally:
        event.remove(Engine, "commit", disk)
    actor.main(folder)


def comparable(folder: Path) -> dict[str, object]:
    """The world, but for how often a mail was looked at."""
    found = world(folder)
    found["inbound"] = [{k: v for k, v in row.items() if k != "attempts"} for row in found["inbound"]]
    return found


def test_any_one_commit_may_fail(prepared, undisturbed):  # noqa: F811 - the fixtures imported above
    meant = comparable(undisturbed)
    nth = 0
    reached = True
    while reached:
        nth += 1
        folder = prepared.parent / f"commit{nth}"
        shutil.copytree(prepared, folder)
        disk = Disk(nth)
        run_with(disk, folder)
        reached = disk.left <= 0
        assert comparable(folder) == meant, f"after commit {nth} failed"
        shutil.rmtree(folder)
    assert nth > 20
