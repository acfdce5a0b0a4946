"""A movement phase on its way from orders to numbers: what `compile` fills and `supports` completes."""

from __future__ import annotations

from dataclasses import dataclass, field

from gm.games.necromancer.board import Board
from gm.games.necromancer.ids import PowerId
from gm.games.necromancer.model import Game
from gm.games.necromancer.pools import Key, Part, Verdict
from gm.games.necromancer.problem import Problem


@dataclass(slots=True)
class Plan:
    """The compiled movement phase."""

    game: Game
    board: Board
    powers: dict[PowerId, int]
    problem: Problem
    parts: list[Part] = field(default_factory=list)
    moves: list[Part] = field(default_factory=list)
    """Indexed as in `problem`."""
    verdicts: dict[Key, Verdict] = field(default_factory=dict)
    """Orders that are settled already: illegal, misorders, void."""
    by_place: dict[int, list[Part]] = field(default_factory=dict)
    nazgul: Part | None = None
    wizard: Part | None = None
    stacks: bool = False
    """Some order concerns a multiple army, so that totals and the Nazgûl's place have to be checked."""

    def add(self, part: Part) -> None:
        """Take in a part."""
        self.parts.append(part)
        self.by_place.setdefault(part.origin, []).append(part)
        if part.zero:
            if part.atoms[0].kind == "N":
                self.nazgul = part
            else:
                self.wizard = part

    def fail(self, part: Part, result: str, code: str, rule: str) -> None:
        """Void the orders of a part; its armies stay, unordered if the house rules say so."""
        for number, _ in part.slots:
            self.verdicts[part.owner, number] = (result, code, rule)
        part.kind, part.target, part.then, part.total = "stay", part.origin, -1, 0
        part.joins, part.builds, part.inner = False, "", None
        part.ordered = result == "void" or not self.game.options.illegal_order_loses_fortress
        riders, part.riders, part.led = part.riders, (), 0
        for rider in riders:
            self.add(rider)
            if rider is self.nazgul:
                self.fail(rider, "void", "no_match", "18.10")
            elif rider.kind == "move":
                self.fail(rider, "illegal", "sea", "16.10")
