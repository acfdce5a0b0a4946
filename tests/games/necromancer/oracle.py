"""A second adjudicator, plain and slow: it tries every set of moves and keeps those that agree with the rules.

It covers first moves of armies and multiple armies with supports, fortresses and engines, given as legal parts, and
shares no code with the engine. Where several sets agree, moves go round in a circle, and the one with most successes
is right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True)
class Part:
    """Armies of one power that do one thing: move to `target`, or stay and perhaps support part number `helps`."""

    owner: str
    origin: str
    strength: int
    target: str = ""
    total: int = 0
    helps: int = -1
    joins: bool = False
    engine: bool = False


class Oracle:
    """All answers for one list of parts."""

    def __init__(self, parts: Sequence[Part], fortresses: frozenset[str]) -> None:
        self.parts = parts
        self.fortresses = fortresses
        self.moves = [i for i, p in enumerate(parts) if p.target]

    def solutions(self) -> Iterator[frozenset[int]]:
        """Every set of moves that agrees with itself, largest first."""
        for size in range(len(self.moves), -1, -1):
            for chosen in combinations(self.moves, size):
                success = frozenset(chosen)
                if all(self.succeeds(i, success) == (i in success) for i in self.moves):
                    yield success

    def group(self, i: int) -> list[int]:
        """The moves that join with move i, itself among them."""
        mine = self.parts[i]
        if not mine.total:
            return [i]
        return [
            j
            for j in self.moves
            if (self.parts[j].owner, self.parts[j].target, self.parts[j].total)
            == (mine.owner, mine.target, mine.total)
        ]

    def entered_by_foe(self, place: str, owner: str, success: frozenset[int]) -> bool:
        return any(self.parts[j].target == place and self.parts[j].owner != owner for j in success)

    def help_for(self, i: int, success: frozenset[int], not_from: str = "") -> int:
        """Supports of part i that count, without those of one power."""
        return sum(
            self.support(j, success)
            for j, p in enumerate(self.parts)
            if p.helps == i and not p.target and p.owner != not_from
        )

    def support(self, j: int, success: frozenset[int]) -> int:
        supporter = self.parts[j]
        helped = self.parts[supporter.helps]
        aim = helped.target or helped.origin
        if self.entered_by_foe(supporter.origin, supporter.owner, success):
            return 0
        attacks = [0]
        for i in self.moves:
            if self.parts[i].target == supporter.origin and self.parts[i].owner != supporter.owner:
                attacks.append(
                    sum(self.parts[k].strength for k in self.group(i) if self.parts[k].origin != aim)
                )
        return max(0, supporter.strength - max(attacks))

    def border(self, i: int, success: frozenset[int]) -> bool:
        mine = self.parts[i]
        for j in self.moves:
            other = self.parts[j]
            if (other.origin, other.target) != (mine.target, mine.origin):
                continue
            if other.owner == mine.owner:
                return False
            attack = mine.strength + self.help_for(i, success, other.owner)
            if attack <= other.strength + self.help_for(j, success):
                return False
        return True

    def attack(self, i: int, success: frozenset[int], victim: str) -> int:
        crossing = [j for j in self.group(i) if self.border(j, success)]
        if not crossing:
            return -1
        return sum(self.parts[j].strength + self.help_for(j, success, victim) for j in crossing)

    def prevent(self, i: int, success: frozenset[int]) -> int:
        strengths = [-1]
        total = 0
        for j in self.group(i):
            mine = self.parts[j]
            beaten = any(
                (self.parts[k].origin, self.parts[k].target) == (mine.target, mine.origin) for k in success
            )
            if not beaten:
                total += mine.strength + self.help_for(j, success)
                strengths.append(total)
        return strengths[-1]

    def succeeds(self, i: int, success: frozenset[int]) -> bool:
        mine = self.parts[i]
        if not self.border(i, success):
            return False
        here = [j for j, p in enumerate(self.parts) if p.origin == mine.target]
        remaining = [j for j in here if j not in success]
        stay = [j for j in remaining if not self.parts[j].target]
        joined = any(self.parts[j].joins and self.parts[j].owner == mine.owner for j in stay)
        if joined and mine.total:
            return not self.entered_by_foe(mine.target, mine.owner, success)
        if any(self.parts[j].owner == mine.owner for j in remaining):
            return False
        victim = self.parts[remaining[0]].owner if remaining else ""
        attack = self.attack(i, success, victim)
        hold = -1
        if remaining:
            hold = sum(self.parts[j].strength for j in remaining)
            hold += sum(self.help_for(j, success) for j in stay)
            if (
                stay
                and mine.target in self.fortresses
                and not any(self.parts[j].engine for j in self.group(i))
            ):
                hold += 1
            if any(self.parts[j].joins for j in stay):
                for k in self.moves:
                    friend = self.parts[k]
                    joiner = friend.target == mine.target and friend.owner == victim and friend.total
                    if joiner and self.border(k, success):
                        hold += friend.strength + self.help_for(k, success)
        if attack <= hold:
            return False
        for j in self.moves:
            rival = self.parts[j]
            if rival.target != mine.target or j in self.group(i):
                continue
            if rival.owner == victim and rival.total and any(self.parts[s].joins for s in stay):
                continue
            if attack <= self.prevent(j, success):
                return False
        return True
