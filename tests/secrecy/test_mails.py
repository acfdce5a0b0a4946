"""What a player may not know changes no byte of what he gets."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from gm.store.mailtables import Outbound
from gm.turns import post
from tests.secrecy.pairs import Script, differences, play, script

pytestmark = pytest.mark.case(50)


def told_apart(folder, seed: int, pair: Script) -> list[str]:
    end = seed % 2 == 0
    left = play(folder, f"left{seed}", pair.left, to_the_end=end)
    right = play(folder, f"right{seed}", pair.right, to_the_end=end)
    return differences(left, right)


@pytest.mark.case(51)
@pytest.mark.parametrize("block", range(4))
def test_worlds_that_differ_in_hidden_things_send_the_same_bytes(tmp_path, block):
    for seed in range(block * 5, block * 5 + 5):
        assert told_apart(tmp_path, seed, script(seed)) == []


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("block", range(50))
def test_five_hundred_pairs_of_worlds_send_the_same_bytes(tmp_path, block):
    for seed in range(1000 + block * 10, 1010 + block * 10):
        assert told_apart(tmp_path, seed, script(seed)) == []


def test_row_number_in_a_message_id_would_be_found(tmp_path, monkeypatch):
    """A planted leak: the count of all mails sent, in an id that the reader sees."""
    real = post.outbox.enqueue

    def leaky(session, **fields):
        done = real(session, **fields)
        row = session.scalars(select(Outbound).order_by(Outbound.id.desc()).limit(1)).one()
        row.message_id = row.message_id.replace("@", f".{row.id}@")
        return done

    monkeypatch.setattr(post.outbox, "enqueue", leaky)
    pair = Script(
        (("france", "A PAR H"), ("austria", "SHOW")),
        (("france", "PRESS TO Germany: now!"), ("austria", "SHOW")),
    )
    found = told_apart(tmp_path, 1, pair)
    assert found
    assert all("Message-ID" in line for line in found)


def test_word_about_who_is_late_in_a_text_would_be_found(tmp_path, monkeypatch):
    """A planted leak: a status that counts the sheets on file."""
    from gm.desk.handlers import asking
    from gm.turns.sheets import all_latest

    honest = asking.zone_of

    def leaky(desk):
        desk.remarks.append(f"{len(all_latest(desk.session, desk.need_phase()))} sheets are in.")
        return honest(desk)

    monkeypatch.setattr(asking, "zone_of", leaky)
    pair = Script(
        (("france", "A PAR H"), ("austria", "STATUS")), (("france", "VOTE DRAW"), ("austria", "STATUS"))
    )
    assert any("bytes" in line for line in told_apart(tmp_path, 1, pair))
