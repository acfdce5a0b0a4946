"""`gm do`: the commands of mails on the command line."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select
from typer.testing import CliRunner

from gm.app.operator import do
from gm.cli import app
from gm.desk.desk import Refusal
from gm.store.db import Store
from gm.store.tables import Game, Sheet
from tests.clubworld import ANN, BEN, found, play, receipt
from tests.world import GM, World


@pytest.fixture
def club(store: Store) -> World:
    world = World(store)
    found(world)
    play(world)
    world.now += timedelta(minutes=5)  # two GMs' acts within a minute would be asked about
    return world


def test_operator_does_what_a_gm_does_and_is_answered_alike(club: World) -> None:
    done = do(club.office, ["SET press = public", "STATUS"], game="spring99")
    assert done.whole
    assert "press is public" in done.text
    assert club.game().settings["press"] == "public"
    told = club.outgoing()
    assert {m.to for m in told} == {ANN, BEN, GM}
    assert "Operator" in receipt(club.reply(GM, "GAME spring99\nAUDIT"))


def test_operator_orders_for_a_power_runs_the_turn_and_gets_no_mail(club: World) -> None:
    done = do(club.office, ["AS Austria", "A VIE - GAL"], game="spring99")
    assert "version 1, 1 order on file" in " ".join(done.text.split())
    with club.store.read() as session:
        assert session.scalars(select(Sheet.source)).one() == "gm"
    assert do(club.office, ["PROCESS"], game="spring99").whole
    assert {m.to for m in club.outgoing()} == {ANN, BEN, GM}
    assert club.phase().name == "F1901M"


def test_operator_founds_a_campaign_with_games_and_gives_them_to_a_gm(club: World) -> None:
    done = do(
        club.office,
        [
            "CREATE CAMPAIGN rhine TITLE The Rhine Herald",
            "CREATE menes AS nile",
            "CAMPAIGN rhine",
            f"ADD GM {BEN}",
        ],
    )
    assert done.whole, done.text
    club.outgoing()
    assert "in rhine" in receipt(club.reply(BEN, "CREATE diplomacy AS other IN rhine"))
    assert do(club.office, ["SET tagline = of the river", "PUBLISH"], campaign="rhine").whole


def test_line_that_fails_is_told_and_the_rest_done(club: World) -> None:
    done = do(club.office, ["SET pres = public", "SET grey = off"], game="spring99")
    assert not done.whole
    assert "there is no house rule 'pres'; there are: " in " ".join(done.text.split())
    assert "Did you mean: SET press = public" in " ".join(done.text.split())
    assert club.game().settings["grey"] is False


def test_game_that_is_not_there_is_refused_before_anything_is_done(club: World) -> None:
    with pytest.raises(Refusal, match="There is no game 'spring98'"):
        do(club.office, ["PAUSE"], game="spring98")


def test_same_command_twice_is_two_acts(club: World) -> None:
    for _ in range(2):
        assert do(club.office, ["BROADCAST: No turn over Christmas."], game="spring99").whole
    assert len([m for m in club.outgoing() if m.to == ANN]) == 2


def test_command_line_prints_the_receipt_and_tells_failure_by_its_exit_code(tmp_path: Path) -> None:
    config = tmp_path / "gm.toml"
    config.write_text(f'domain = "play.example"\ndata_dir = "{tmp_path}/var"\n')
    runner = CliRunner()

    def gm(*words: str):
        return runner.invoke(app, ["do", *words, "--config", str(config)])

    made = gm("CREATE diplomacy AS spring99", "SET press = none")
    assert made.exit_code == 0, made.output
    assert "spring99 is open for sign-up" in made.output
    assert gm("--game", "spring99", "START").exit_code == 1
    assert gm("--game", "nowhere", "START").exit_code == 2
    from gm.store.db import open_store

    store = open_store(f"sqlite:///{tmp_path}/var/gm.db")
    with store.read() as session:
        assert session.scalars(select(Game)).one().settings["press"] == "none"
    store.close()
