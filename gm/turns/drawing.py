"""Drawing powers by lot: players in random order, each gets the first of his preferences that is left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from gm.games.api import Dice, PowerId

T = TypeVar("T")


def shuffled(items: Sequence[T], dice: Dice, purpose: str) -> list[T]:
    """A fair shuffle (Fisher-Yates), one roll an item."""
    rest = list(items)
    drawn = []
    while rest:
        drawn.append(rest.pop(dice.roll(purpose, len(rest)) - 1))
    return drawn


def draw_powers(
    preferences: Mapping[int, Sequence[PowerId]], powers: Sequence[PowerId], dice: Dice
) -> dict[PowerId, int]:
    """Power to player id. `preferences` in the order of sign-up; a player beyond the last power gets none.

    Whoever is drawn first chooses first among his wishes. Those who have none left then get the rest by lot, so that
    nobody without a wish takes what another wished for.
    """
    left = list(powers)
    seats: dict[PowerId, int] = {}
    rest: list[int] = []
    for player in shuffled(list(preferences), dice, "order of choice")[: len(powers)]:
        wish = next((p for p in preferences[player] if p in left), None)
        if wish is None:
            rest.append(player)
        else:
            left.remove(wish)
            seats[wish] = player
    for player, power in zip(rest, shuffled(left, dice, "power by lot"), strict=False):
        seats[power] = player
    return {p: seats[p] for p in powers if p in seats}
