"""Dice that can be checked: each roll is derived from the game's secret seed and recorded.

Roll k of a phase for a purpose is the first acceptable 32-bit word of
``HMAC-SHA256(seed, "<phase>|<purpose>|<k>|<try>")``; `sides` values are equally likely because words beyond the
largest multiple of `sides` are rejected. k counts the rolls of that purpose within the phase, from 0.
"""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

_WORD = 1 << 32


@dataclass(frozen=True)
class Roll:
    """One recorded roll."""

    purpose: str
    sides: int
    value: int


def commitment(seed: bytes) -> str:
    """The hash that is published when a game starts: SHA-256 of the seed, in hex."""
    return hashlib.sha256(seed).hexdigest()


def derive(seed: bytes, phase: str, purpose: str, counter: int, sides: int) -> int:
    """The roll that a seed fixes for (phase, purpose, counter): from 1 to `sides`."""
    limit = _WORD - _WORD % sides
    attempt = 0
    while True:
        message = f"{phase}|{purpose}|{counter}|{attempt}".encode()
        word = int.from_bytes(hmac.digest(seed, message, "sha256")[:4], "big")
        if word < limit:
            return word % sides + 1
        attempt += 1


@dataclass
class SeededDice:
    """Dice of one phase of one game."""

    seed: bytes
    phase: str
    rolls: list[Roll] = field(default_factory=list)
    _counts: Counter[str] = field(default_factory=Counter)

    def roll(self, purpose: str, sides: int = 6) -> int:
        """See `gm.games.api.Dice.roll`."""
        counter = self._counts[purpose]
        self._counts[purpose] += 1
        value = derive(self.seed, self.phase, purpose, counter, sides)
        self.rolls.append(Roll(purpose, sides, value))
        return value


class DiceRanOut(ValueError):
    """A scenario gave fewer rolls than the engine asked for, or one that the die does not have."""


@dataclass
class FixedDice:
    """Given rolls, in the order in which the engine asks for them (scenario files)."""

    values: Sequence[int]
    rolls: list[Roll] = field(default_factory=list)

    def roll(self, purpose: str, sides: int = 6) -> int:
        """See `gm.games.api.Dice.roll`. Raises DiceRanOut."""
        if len(self.rolls) >= len(self.values):
            raise DiceRanOut(f"the engine asks for roll {len(self.rolls) + 1} ({purpose}), none is given")
        value = self.values[len(self.rolls)]
        if not 1 <= value <= sides:
            raise DiceRanOut(f"roll {len(self.rolls) + 1} ({purpose}) is {value}, the die has {sides} sides")
        self.rolls.append(Roll(purpose, sides, value))
        return value
