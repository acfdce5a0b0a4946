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

    Whoever is drawn first chooses first; one whose wishes are all taken (or who has none) gets a power by lot.
    """
    left = list(powers)
    seats: dict[PowerId, int] = {}
    for player in shuffled(list(preferences), dice, "order of choice")[: len(powers)]:
        wish = next((p for p in preferences[player] if p in left), None)
        power = wish if wish is not None else left[dice.roll("power by lot", len(left)) - 1]
        left.remove(power)
        seats[power] = player
    return {p: seats[p] for p in powers if p in seats}
