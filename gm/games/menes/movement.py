"""What a path costs and whether it can be walked, sailed or flown (sections 3, 5 and 6)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from gm.games.menes.board import SPACES, label, touches
from gm.games.menes.model import UNITS, Place, is_sea

EMBARK = DISEMBARK = 1
"""Half points."""
STEP = 2
"""Half points of a step by land."""


@dataclass(frozen=True)
class Legs:
    """A legal path cut into its parts."""

    before: tuple[Place, ...]
    """Provinces from the start to where it embarks, or the whole path by land."""
    seas: tuple[Place, ...]
    """Seas sailed through, the one of the start included."""
    after: tuple[Place, ...]
    """Provinces from the landing on."""


@dataclass(frozen=True)
class Impossible:
    """Why a path can't be done."""

    reason: str
    rule: str


def check(unit: str, path: tuple[Place, ...]) -> Legs | Impossible:
    """The legs of a path, or the reason why this kind of unit can't take it. Ships needed are not looked at."""
    gap = next(((a, b) for a, b in pairwise(path) if not touches(a, b)), None)
    if UNITS[unit].ship:
        return _sail(unit, path, gap)
    if gap is not None:
        return Impossible(f"{label(gap[0])} does not touch {label(gap[1])}", "menes 3.5")
    return _fly(path) if unit == "dragon" else _walk(unit, path)


def _sail(unit: str, path: tuple[Place, ...], gap: tuple[Place, Place] | None) -> Legs | Impossible:
    kind = UNITS[unit]
    ashore = next((p for p in path if not is_sea(p)), None)
    if ashore is not None:
        return Impossible(f"{kind.plural} can't go ashore at {label(ashore)}", "menes 6.2")
    if gap is not None:
        return Impossible(f"{label(gap[0])} does not touch {label(gap[1])}", "menes 3.5")
    if len(path) - 1 > kind.move:
        limit = "one sea" if kind.move == 1 else f"{kind.move} seas"
        return Impossible(f"{kind.plural} move {limit} a turn, this path has {len(path) - 1}", "menes 6.2")
    return Legs((), path, ())


def _fly(path: tuple[Place, ...]) -> Legs | Impossible:
    if is_sea(path[0]):
        return Impossible("dragons may not board ships", "menes 5.7e")
    if is_sea(path[-1]):
        return Impossible(f"dragons can't end their move at sea, in {label(path[-1])}", "menes 5.7c")
    if len(path) - 1 > UNITS["dragon"].move:
        return Impossible(f"dragons move 2 spaces a turn, this path has {len(path) - 1}", "menes 5.7a")
    return Legs(path, (), ())


def _walk(unit: str, path: tuple[Place, ...]) -> Legs | Impossible:
    first = next((i for i, p in enumerate(path) if is_sea(p)), len(path))
    last = next((i for i in range(first, len(path)) if not is_sea(path[i])), len(path))
    before, seas, after = path[:first], path[first:last], path[last:]
    if any(is_sea(p) for p in after):
        return Impossible("a unit boards ships once a turn", "menes 6.3")
    cost = STEP * max(len(before) - 1, 0) + STEP * max(len(after) - 1, 0)
    cost += EMBARK * bool(before and seas) + DISEMBARK * bool(after)
    have = STEP * UNITS[unit].move
    if cost > have:
        limit = "1 point" if have == STEP else f"{have // 2} points"
        return Impossible(f"that takes {halves(cost)}, {UNITS[unit].plural} have {limit} a turn", "menes 6.3")
    return Legs(before, seas, after)


def halves(cost: int) -> str:
    """``"1½ points"`` for 3 half points."""
    number = f"{cost // 2 or ''}{'½' if cost % 2 else ''}"
    return f"{number or '0'} point{'' if cost in (1, 2) else 's'}"


def stop_at_city(path: tuple[Place, ...], barred: frozenset[Place]) -> tuple[Place, ...]:
    """The path as far as the first free city in `barred` that it enters (change 3)."""
    for i, place in enumerate(path[1:], start=1):
        if place in barred:
            return path[: i + 1]
    return path


def foreign_cities(owners: dict[Place, str], power: str) -> frozenset[Place]:
    """Free cities that a power does not own."""
    return frozenset(p for p, s in SPACES.items() if s.kind == "free_city" and owners.get(p) != power)
