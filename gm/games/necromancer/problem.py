"""A movement phase in numbers, as `resolve` decides it.

Vocabulary
----------
move    armies of one owner that cross one border together
group   moves that enter a province as one: a multiple army that forms (13.2), else a single move
held    a group that joins parts of its own which stay in the province
zero    a Wizard's or Nazgûl's move of its own: strength 0, may share a province with its owner's armies
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

Support = tuple[int, int, int]
"""(strength, power, province of the supporter if it can still be driven out, else -1)"""


@dataclass(slots=True)
class Problem:
    """One movement phase in numbers. Lists are indexed by move, group or province; powers are small integers."""

    provinces: int
    # per move
    origin: list[int] = field(default_factory=list)
    target: list[int] = field(default_factory=list)
    strength: list[int] = field(default_factory=list)
    group: list[int] = field(default_factory=list)
    supports: list[Sequence[Support]] = field(default_factory=list)
    zero: list[bool] = field(default_factory=list)
    # per group
    parts: list[list[int]] = field(default_factory=list)
    owner: list[int] = field(default_factory=list)
    goal: list[int] = field(default_factory=list)
    held: list[bool] = field(default_factory=list)
    engine: list[bool] = field(default_factory=list)
    """A siege engine attacks: the fortress does not count (15.8)."""
    # per province
    stay_owner: list[int] = field(default_factory=list)
    """-1: nobody stays."""
    stay_strength: list[int] = field(default_factory=list)
    stay_army: list[bool] = field(default_factory=list)
    """Somebody stays who is no zero."""
    fortress: list[int] = field(default_factory=list)
    """1 where the fortress counts for those who stay."""
    hold_supports: list[Sequence[Support]] = field(default_factory=list)
    into: list[Sequence[int]] = field(default_factory=list)
    """Groups that move there."""
    leaving: list[Sequence[int]] = field(default_factory=list)
    """Moves that start there."""
    open_mask: int = 0
    """Provinces where everybody gets in and nobody fights (6.3)."""
    repels: dict[tuple[int, int], bool] = field(default_factory=dict)
    """(province, power) -> the land itself resists with strength 1 (21.6)."""
    single_strength_only: bool = False
    """Against the land a stack counts as one unit (option `stack_overcomes_alignment` off)."""

    def __post_init__(self) -> None:
        n = self.provinces
        self.stay_owner = [-1] * n
        self.stay_strength = [-1] * n
        self.stay_army = [False] * n
        self.fortress = [0] * n
        # most provinces keep the shared empty tuple; whoever has something to add makes a longer one
        self.hold_supports = [()] * n
        self.into = [()] * n
        self.leaving = [()] * n
