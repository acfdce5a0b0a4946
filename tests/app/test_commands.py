"""The command line on a real store."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from typer.testing import CliRunner

from gm.cli import app
from gm.store.db import open_store
from tests.world import World


@pytest.fixture
def here(tmp_path, monkeypatch) -> Iterator[World]:
    """A world whose store is the one that the command line opens."""
    monkeypatch.setenv("GM_DATA_DIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    store = open_store(f"sqlite:///{tmp_path}/gm.db")
    store.migrate()
    world = World(store)
    seats = world.start_diplomacy()
    for power, who in seats.items():
        world.reply(who, "A VIE - GAL\nREADY" if power == "austria" else "NO ORDERS")
    world.tick(minutes=1)
    yield world
    store.close()


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(arguments))
    return result.exit_code, result.output


def test_replay_and_verify(here):
    assert run("replay", "spring99") == (0, "1 phases, 0 differences\n")
    code, output = run("verify", "spring99")
    assert code == 0
    assert output.endswith(" rolls, 0 differences\n")
    assert run("replay", "nothing")[0] == 1


def test_replay_finds_a_changed_position(here):
    with here.store.write() as session:
        from sqlalchemy import select

        from gm.store.tables import PhaseRow

        row = session.scalars(select(PhaseRow).where(PhaseRow.status == "done")).one()
        row.after = dict(row.after, units={})
    code, output = run("replay", "spring99")
    assert code == 1
    assert "S1901M: the position after it differs" in output


def test_export_verify_and_import(here, tmp_path):
    file = tmp_path / "game.json"
    assert run("export", "spring99", str(file), "--secrets")[0] == 0
    assert run("verify", str(file))[1].endswith(" rolls, 0 differences\n")
    assert run("import", str(file))[0] == 1, "the name is taken"
    code, output = run("import", str(file), "--name", "autumn")
    assert (code, output) == (0, "autumn is in, paused; RESUME starts its clock\n")
    public = tmp_path / "public.json"
    run("export", "spring99", str(public))
    assert run("import", str(public), "--name", "x")[1].count("export with --secrets") == 1
    public.write_text("{}")
    assert "not an archive of a game" in run("verify", str(public))[1]


def test_forget_prints_and_refuses_while_he_plays(here):
    code, output = run("forget", "p0@club.example", "--data")
    assert code == 0
    assert json.loads(output)["addresses"][0]["email"] == "p0@club.example"
    assert "spring99" in run("forget", "p0@club.example")[1]
    assert run("forget", "nobody@club.example")[0] == 1


def test_rules_lists_clauses_with_their_tests():
    code, output = run("rules", "diplomacy")
    assert code == 0
    assert "tests/games/diplomacy/" in output
    assert output.splitlines()[-1].endswith(" 0 without a test")
    assert run("rules", "chess")[0] == 2


def test_trace_of_a_parked_game(here):
    assert run("trace", "no-such-trace")[0] == 1


def test_check_config_names_the_field(here, tmp_path):
    assert run("check-config")[0] == 0
    bad = tmp_path / "bad.toml"
    bad.write_text('domian = "x.example"\n')
    code, output = run("check-config", "--config", str(bad))
    assert code == 2
    assert "bad.toml" in output
    assert "domain" in output


def test_clock_confirm_without_doubt(here):
    assert "nothing to do" in run("clock", "confirm")[1]
