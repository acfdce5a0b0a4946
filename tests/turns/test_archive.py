"""A game out as one archive and in again; the rolls checked offline; a person's data given and forgotten."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import select

from gm.store.db import open_store
from gm.store.mailtables import Inbound, Outbound
from gm.store.tables import Address, Game, Player
from gm.turns.archive import ArchiveError, export_game, import_game
from gm.turns.forgetting import NAMELESS, StillPlays, data_of, forget
from gm.turns.replay import NoSeed, replay, verify, verify_archive
from tests.world import GM


@pytest.fixture
def played(world):
    """A game with one phase run, a private and a public message, and sheets for the next phase."""
    seats = world.start_diplomacy()
    for power, who in seats.items():
        world.reply(who, "A VIE - GAL\nREADY" if power == "austria" else "NO ORDERS")
    world.reply(seats["austria"], "PRESS TO France: the secret plan\nPRESS TO ALL: hello world")
    world.tick(minutes=1)
    world.reply(seats["austria"], "A GAL - WAR")
    return world, seats


def archive_of(world, *, secrets: bool) -> dict:
    with world.store.read() as session:
        game = session.scalars(select(Game)).one()
        return json.loads(json.dumps(export_game(session, game, secrets=secrets)))


def test_public_archive_of_a_running_game_holds_no_secret(played):
    world, seats = played
    text = json.dumps(archive_of(world, secrets=False))
    for secret in ("the secret plan", "GAL - WAR", *seats.values(), world.game().seed.hex()):
        assert secret not in text
    assert "hello world" in text
    assert "A VIE - GAL" in text, "orders that were run are public in Diplomacy"


def test_archive_with_secrets_comes_back_as_the_same_game(played, tmp_path):
    world, seats = played
    archive = archive_of(world, secrets=True)
    elsewhere = open_store(f"sqlite:///{tmp_path}/other.db")
    elsewhere.migrate()
    with elsewhere.write() as session:
        game = import_game(session, archive, slug="again", now=world.now)
        assert game.status == "paused"
    with elsewhere.read() as session:
        game = session.scalars(select(Game)).one()
        assert replay(session, game) == (1, [])
        count, differences = verify(session, game)
        assert (count > 0, differences) == (True, [])
        back = json.loads(json.dumps(export_game(session, game, secrets=True)))
        assert {s["address"] for s in back["seats"]} == set(seats.values())
    elsewhere.close()
    for part in ("seats", "draw"):
        assert back[part] == archive[part]
    strip = {"due_at"}
    assert [{k: v for k, v in p.items() if k not in strip} for p in back["phases"]] == [
        {k: v for k, v in p.items() if k not in strip} for p in archive["phases"]
    ]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"form": "gm-archive/9"}, "this program reads 'gm-archive/1'"),
        ({"secrets": False}, "export with --secrets"),
    ],
)
def test_archives_that_cannot_be_read_back_are_refused_with_the_reason(played, change, words):
    world, _ = played
    archive = archive_of(world, secrets=True) | change
    with world.store.write() as session, pytest.raises(ArchiveError, match=words):
        import_game(session, archive, slug="again", now=world.now)


def test_taken_name_is_refused(played):
    world, _ = played
    with world.store.write() as session, pytest.raises(ArchiveError, match="give another name with --name"):
        import_game(session, archive_of(world, secrets=True), slug="spring99", now=world.now)


@pytest.mark.case(74)
def test_rolls_can_be_checked_offline_once_the_game_is_over(played):
    world, _ = played
    with pytest.raises(NoSeed):
        verify_archive(archive_of(world, secrets=False))
    world.reply(GM, "END DRAW Austria, France")
    archive = archive_of(world, secrets=False)
    count, differences = verify_archive(archive)
    assert count > 0
    assert differences == []
    archive["draw"]["lot"][0][2] += 1
    assert [d.phase for d in verify_archive(archive)[1]] == ["drawing powers"]


def test_a_players_data_is_given_whole_and_he_is_forgotten_once_he_plays_no_more(played):
    world, seats = played
    email = seats["austria"]
    with world.store.write() as session:
        player = session.scalars(
            select(Player).join(Address, Address.player_id == Player.id).where(Address.email == email)
        ).one()
        data = data_of(session, player)
        assert [s["power"] for s in data["seats"]] == ["austria"]
        assert [o["orders"] for o in data["orders"]] == [["A VIE - GAL"], ["A GAL - WAR"]]
        assert data["press"][0]["body"] == "the secret plan"
        with pytest.raises(StillPlays, match="spring99"):
            forget(session, player, world.now)
    world.reply(email, "RESIGN spring99")
    with world.store.write() as session:
        player = session.scalars(
            select(Player).join(Address, Address.player_id == Player.id).where(Address.email == email)
        ).one()
        forget(session, player, world.now)
        player_id = player.id
    with world.store.read() as session:
        assert session.get_one(Player, player_id).name == NAMELESS
        assert session.scalar(select(Address).where(Address.email == email)) is None
        for table, column in ((Inbound, Inbound.raw), (Outbound, Outbound.raw)):
            assert not any(email.encode() in raw for raw in session.scalars(select(column))), table
        assert replay(session, session.scalars(select(Game)).one()) == (1, [])
