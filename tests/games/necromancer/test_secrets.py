"""Hidden means hidden: what a power may not know makes no difference to any byte that it gets (16.9, 17.4, 18.8)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from gm.games.api import Adjudicated, canonical, reading
from gm.games.necromancer.draw import draw
from gm.games.necromancer.outcome import Resolution
from gm.games.necromancer.view import phase_of, view_of
from tests.games.necromancer.worlds import CHANNELS, Channel, Pair, World, kept, leaks


def _picture(world: World, result: Resolution, adjudicated: Adjudicated, pair: Pair) -> bytes:
    told = reading(adjudicated, phase_of(world.game), pair.reader)
    pictures = (draw(view_of(world.game, pair.reader), told), draw(view_of(result.after, pair.reader), None))
    return "\n".join(pictures).encode()


ALL: dict[str, Channel] = {**CHANNELS, "picture": _picture}


def _told(pair: Pair, found: list[str]) -> str:
    return f"{pair.reader or 'the public'} sees in {', '.join(found)} of {pair.left.game.year}: {pair.what}"


@pytest.mark.rule("necromancer", "16.9")
@pytest.mark.rule("necromancer", "18.8")
@pytest.mark.rule("necromancer", "17.4")
@pytest.mark.case(47)
@pytest.mark.case(49)
def test_two_hundred_pairs_of_worlds_look_the_same_to_a_reader_who_may_not_tell_them_apart() -> None:
    kinds: Counter[str] = Counter()
    for number, pair in enumerate(kept(Random(1), range(1000, 1999), 200)):
        channels = ALL if number % 4 == 0 else CHANNELS
        found = leaks(pair, channels)
        assert not found, _told(pair, found)
        kinds[f"{pair.what} {pair.left.game.step}"] += 1
    assert sum(kinds.values()) == 200
    for what in ("W elsewhere", "N elsewhere", "W ordered otherwise", "N ordered otherwise"):
        assert kinds[f"{what} movement"] >= 5, kinds
    assert kinds["W elsewhere adjustments"] and kinds["another activation adjustments"], kinds
    assert kinds["another activation setup"], kinds


@pytest.mark.slow
@pytest.mark.timeout(1500)
@pytest.mark.parametrize("chunk", range(10))
def test_five_thousand_pairs_of_worlds_look_the_same(chunk: int) -> None:
    count = 0
    for number, pair in enumerate(kept(Random(chunk), range(chunk * 5000, chunk * 5000 + 4999), 500)):
        found = leaks(pair, ALL if number % 10 == 0 else CHANNELS)
        assert not found, _told(pair, found)
        count += 1
    assert count == 500


# --- the test tests ------------------------------------------------------------------------------------------


def _wizard(world: World) -> str:
    return next((str(u) for u in world.game.units if u.kind == "W"), "")


def _leaky_text(world: World, result: Resolution, adjudicated: Adjudicated, pair: Pair) -> bytes:
    return CHANNELS["report"](world, result, adjudicated, pair) + _wizard(world).encode()


def _leaky_picture(world: World, result: Resolution, adjudicated: Adjudicated, pair: Pair) -> bytes:
    seen = view_of(world.game, pair.reader)
    mine = view_of(world.game, "saruman").data["units"]
    return draw(replace(seen, data={**seen.data, "units": mine}), None).encode()


def _leaky_verdict(world: World, result: Resolution, adjudicated: Adjudicated, pair: Pair) -> bytes:
    return canonical([o.result for o in adjudicated.orders if o.power == "saruman"])


@pytest.mark.parametrize("planted", [_leaky_text, _leaky_picture])
def test_a_planted_leak_of_the_wizards_place_is_caught(planted: Channel) -> None:
    moved = [p for p in kept(Random(5), range(700, 760), 40) if p.what == "W elsewhere"][:3]
    assert moved
    for pair in moved:
        assert leaks(pair, {"planted": planted}) == ["planted"]


def test_a_planted_leak_of_an_unseen_verdict_is_caught() -> None:
    found = [
        leaks(pair, {"planted": _leaky_verdict})
        for pair in kept(Random(6), range(800, 860), 60)
        if pair.what == "W ordered otherwise"
    ]
    assert ["planted"] in found
