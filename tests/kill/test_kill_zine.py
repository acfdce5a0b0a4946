"""Killed with SIGKILL at any step of the zine and started again, a server has published each issue exactly once."""

from __future__ import annotations

import shutil
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from gm.club.zine import POINTS
from tests.kill import press
from tests.kill.lives import killed_at, run, world

FAST = ["zine.told", "zine.committed:2"]
READERS = ["ann@example.org", "ben@example.org", "eva@example.org"]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("killzine") / "prepared"
    press.prepare(folder)
    return folder


@pytest.fixture(scope="module")
def undisturbed(prepared) -> Path:
    folder = prepared.parent / "undisturbed"
    shutil.copytree(prepared, folder)
    assert run(folder, steps=press.STEPS) == 0
    return folder


def test_the_undisturbed_world_has_two_issues_with_all_that_belongs_to_them(undisturbed):
    final = world(undisturbed)
    assert [row["number"] for row in final["issue"]] == [1, 2]
    assert all(row["pdf"].startswith(b"%PDF") for row in final["issue"])
    assert [row["issue_id"] for row in final["contribution"]] == [1]
    rows = [row for row in final["outbound"] if row["kind"] == "zine"]
    assert sorted(row["recipient"] for row in rows) == sorted(2 * READERS)
    assert len({row["message_id"] for row in rows}) == len(rows)
    assert {row["status"] for row in rows} == {"sent"}
    texts = {
        (row["recipient"], str(mail["Subject"])): mail.get_body(("plain",)).get_content()
        for row in rows
        for mail in [message_from_bytes(row["raw"], policy=policy.default)]
    }
    eva = [text for (to, _), text in texts.items() if to == READERS[2]]
    assert ["Good day." in text for text in eva] == [True, False]
    assert ["No orders" in text or "no order" in text for text in eva] == [True, False]
    assert ["No. 1 " in text for text in eva] == [True, False]


@pytest.mark.parametrize("point", FAST)
def test_killed_once_at_a_chosen_step_of_an_issue(point, prepared, undisturbed):
    assert killed_at(point, prepared, undisturbed, steps=press.STEPS)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("point", [*POINTS, "sender.claimed", "sender.delivered", "sender.marked"])
def test_killed_at_every_occurrence_of_every_step_of_an_issue(point, prepared, undisturbed, record_property):
    times = 0
    while killed_at(f"{point}:{times + 1}", prepared, undisturbed, steps=press.STEPS):
        times += 1
    assert times >= 2, "two issues are published"
    record_property("kills", f"issue:{point} {times}")


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_killed_at_one_step_after_the_other_it_still_publishes_once(prepared, undisturbed):
    folder = prepared.parent / "often"
    shutil.copytree(prepared, folder)
    for point in (*POINTS, *POINTS):
        run(folder, point, steps=press.STEPS)
    assert run(folder, steps=press.STEPS) == 0
    assert world(folder) == world(undisturbed)
