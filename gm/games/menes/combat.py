"""A battle as dice see it (section 8): stages, rounds, hits and flight. Knows no map.

Stage 1: all attackers together against the defender. Later stages: the weakest of those left against the rest.
Each round both sides roll at once; then each unit of the outnumbered side rolls to flee.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal

from gm.games.api import Dice, PowerId
from gm.games.menes.board import POWERS
from gm.games.menes.model import UNIT_ORDER, UNITS, Counts, add, rank

Roll = Literal["attack", "defence", "flight"]


@dataclass
class Stack:
    """Units of one kind that share a fate: the same power, and the same way in. `key` is the caller's."""

    power: PowerId
    unit: str
    count: int
    key: int
    load: int = 0
    """Units aboard, for a ship."""

    @property
    def first_hit(self) -> tuple[bool, int, bool, int, int]:
        """Sort key: empty ships before laden, armies before unique units."""
        return (self.load > 0, self.load, rank(self.unit) == "unique", UNIT_ORDER[self.unit], self.key)

    @property
    def dice_order(self) -> tuple[int, int, int]:
        """Sort key: powers and units in the order of the map file."""
        return (POWERS.index(self.power), UNIT_ORDER[self.unit], self.key)


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What a battle is fought under."""

    name: str
    """Names its dice: ``"land battle 38, step 9"``."""
    defender: PowerId | None
    bonus: int = 0
    """Added to the defender's factor."""
    hostile: Callable[[PowerId, PowerId], bool] = lambda a, b: a != b
    die_sides: int = 6
    flee_on: int = 2
    max_rounds: int = 50
    later_defence: bool = False
    """The target of a later stage uses defence factors too."""
    in_turn: bool = True
    """Hits on a side of several powers go round; else the largest force takes them first."""


@dataclass(frozen=True)
class Volley:
    """Dice of one kind that one power rolled in one round."""

    round: int
    power: PowerId
    roll: Roll
    unit: str
    need: int
    """It hits, or flees, on this or less."""
    values: tuple[int, ...]

    @property
    def hits(self) -> int:
        """How many did."""
        return sum(v <= self.need for v in self.values)


@dataclass
class Course:
    """How a battle went."""

    started: dict[PowerId, Counts]
    volleys: list[Volley] = field(default_factory=list)
    rounds: int = 0
    killed: list[tuple[int, PowerId, str, int]] = field(default_factory=list)
    """(round, power, unit, number) of units hit."""
    fled: list[tuple[int, PowerId, str, int, str | None]] = field(default_factory=list)
    """(round, power, unit, number, where to; None: nowhere, so they died)."""
    beaten_by: dict[PowerId, set[PowerId]] = field(default_factory=dict)
    endless: bool = False


Flee = Callable[[Stack, int, int], str | None]
"""`(stack, number, round)`: move that many units of a stack away; where to, or None if they die. The stack's
count is not yet lowered."""


def fight(stacks: list[Stack], terms: Terms, dice: Dice, flee: Flee) -> Course:
    """Fight until no two hostile powers are left, or the rounds are used up. Changes the counts of `stacks`."""
    course = Course(started=_counts(stacks))
    while course.rounds < terms.max_rounds:
        sides = _sides(stacks, terms, dice, first=not course.rounds)
        if sides is None:
            return course
        attackers, targets = sides
        defends = terms.defender is not None and targets[0].power == terms.defender
        while _alive(attackers) and _alive(targets) and course.rounds < terms.max_rounds:
            course.rounds += 1
            _round(attackers, targets, defends, terms, dice, course, flee)
    course.endless = _sides(stacks, terms, None, first=False) is not None
    return course


def exchange(
    above: list[Stack], below: list[Stack], terms: Terms, dice: Dice, factors: Callable[[Stack], int]
) -> Course:
    """One round without flight: dragons overhead and those who shoot at them. Changes the counts."""
    course = Course(started=_counts(above + below), rounds=1)
    hits = sum(_volley(s, "attack", factors(s), terms, dice, course) for s in _by_dice(above))
    back = sum(_volley(s, "defence", factors(s), terms, dice, course) for s in _by_dice(below))
    _casualties(below, hits, terms, course)
    _casualties(above, back, terms, course)
    return course


def _counts(stacks: Iterable[Stack]) -> dict[PowerId, Counts]:
    counts: dict[PowerId, Counts] = {}
    for stack in sorted(stacks, key=lambda s: s.dice_order):
        add(counts.setdefault(stack.power, {}), stack.unit, stack.count)
    return counts


def _alive(stacks: Iterable[Stack]) -> int:
    return sum(s.count for s in stacks)


def _by_dice(stacks: Iterable[Stack]) -> list[Stack]:
    return sorted((s for s in stacks if s.count), key=lambda s: s.dice_order)


def _powers(stacks: Iterable[Stack]) -> list[PowerId]:
    present = {s.power for s in stacks if s.count}
    return [p for p in POWERS if p in present]


def _sides(
    stacks: list[Stack], terms: Terms, dice: Dice | None, *, first: bool
) -> tuple[list[Stack], list[Stack]] | None:
    """(attackers, targets) of the next stage; None if nobody left is hostile to another."""
    powers = _powers(stacks)
    foes = {p: [q for q in powers if q != p and terms.hostile(p, q)] for p in powers}
    fighting = [p for p in powers if foes[p]]
    if not fighting:
        return None
    if terms.defender in fighting:
        target = terms.defender
    else:
        target = _weakest(stacks, fighting, terms, dice, first=first)
    return [s for s in stacks if s.power in foes[target]], [s for s in stacks if s.power == target]


def _weakest(
    stacks: list[Stack], powers: list[PowerId], terms: Terms, dice: Dice | None, *, first: bool
) -> PowerId:
    """Fewest units, then the lowest sum of attack factors, then a die where three or more are concerned."""

    def strength(power: PowerId) -> tuple[int, int]:
        own = [s for s in stacks if s.power == power]
        return _alive(own), sum(s.count * UNITS[s.unit].attack for s in own)

    least = min(strength(p) for p in powers)
    tied = [p for p in powers if strength(p) == least]
    if len(tied) == 1 or len(powers) < 3 or dice is None:
        return tied[0]
    when = "at first" if first else "next"
    return tied[dice.roll(f"{terms.name}, who is attacked {when}", len(tied)) - 1]


def _round(
    attackers: list[Stack],
    targets: list[Stack],
    defends: bool,
    terms: Terms,
    dice: Dice,
    course: Course,
    flee: Flee,
) -> None:
    hits = sum(_volley(s, "attack", UNITS[s.unit].attack, terms, dice, course) for s in _by_dice(attackers))
    back = 0
    for stack in _by_dice(targets):
        kind = UNITS[stack.unit]
        if defends:
            back += _volley(stack, "defence", kind.defence + terms.bonus, terms, dice, course)
        elif terms.later_defence and terms.defender is not None:
            back += _volley(stack, "defence", kind.defence, terms, dice, course)
        else:
            back += _volley(stack, "attack", kind.attack, terms, dice, course)
    for beaten, victors in ((targets, attackers), (attackers, targets)):
        for power in _powers(beaten):
            course.beaten_by.setdefault(power, set()).update(_powers(victors))
    _casualties(targets, hits, terms, course)
    _casualties(attackers, back, terms, course)
    many, few = _alive(attackers), _alive(targets)
    if many != few and many and few:
        _flight(attackers if many < few else targets, terms, dice, course, flee)


def _volley(stack: Stack, roll: Roll, need: int, terms: Terms, dice: Dice, course: Course) -> int:
    # The purpose names this battle, round and power, so that dice elsewhere never move these.
    purpose = f"{terms.name}, round {course.rounds}, {stack.power} {stack.unit} {roll}"
    values = tuple(dice.roll(purpose, terms.die_sides) for _ in range(stack.count))
    volley = Volley(course.rounds, stack.power, roll, stack.unit, need, values)
    course.volleys.append(volley)
    return volley.hits


def _casualties(stacks: list[Stack], hits: int, terms: Terms, course: Course) -> None:
    """Take hits off a side. On a side of several powers they go round, starting with the largest force."""
    sizes = {p: _alive(s for s in stacks if s.power == p) for p in _powers(stacks)}
    order = sorted(sizes, key=lambda p: (-sizes[p], POWERS.index(p)))
    shares = dict.fromkeys(order, 0)
    hits = min(hits, sum(sizes.values()))
    while hits:
        for power in order:
            room = sizes[power] - shares[power]
            take = min(room, hits, 1 if terms.in_turn else hits)
            shares[power] += take
            hits -= take
    for power in order:
        _remove(
            sorted((s for s in stacks if s.power == power), key=lambda s: s.first_hit), shares[power], course
        )


def _remove(stacks: list[Stack], hits: int, course: Course) -> None:
    for stack in stacks:
        take = min(hits, stack.count)
        if take:
            stack.count -= take
            hits -= take
            course.killed.append((course.rounds, stack.power, stack.unit, take))


def _flight(stacks: list[Stack], terms: Terms, dice: Dice, course: Course, flee: Flee) -> None:
    """Each unit of the outnumbered side rolls; those that roll low flee or die, the others stay."""
    for stack in _by_dice(stacks):
        running = _volley(stack, "flight", terms.flee_on, terms, dice, course)
        if running:
            where = flee(stack, running, course.rounds)
            stack.count -= running
            course.fled.append((course.rounds, stack.power, stack.unit, running, where))
