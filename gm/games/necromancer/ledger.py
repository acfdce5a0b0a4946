"""An adjustment phase while it is carried out, and what becomes of each order in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from gm.games.necromancer.board import Board
from gm.games.necromancer.ids import Place, PowerId
from gm.games.necromancer.model import Game, Unit
from gm.games.necromancer.orders import UnitRef
from gm.games.necromancer.outcome import Actor, Happening


@dataclass(slots=True)
class Ledger:
    """An adjustment phase while it is carried out."""

    game: Game
    board: Board
    units: list[Unit]
    centres: dict[Place, PowerId]
    left: dict[PowerId, int]
    """Builds or removals that each power still has."""
    told: list[Happening] = field(default_factory=list)
    eriador: dict[PowerId, int] = field(default_factory=dict)
    """Units built in Eriador."""
    fresh: list[Place] = field(default_factory=list)
    """Centres activated in this phase."""
    activated: list[Place] = field(default_factory=list)
    public: dict[Place, PowerId | None] = field(default_factory=dict)
    dragons_spent: bool = False
    spiders_spent: bool = False

    def here(self, place: Place) -> list[Unit]:
        """Units in a place."""
        return [u for u in self.units if u.place == place]


Verdict = tuple[str, str, str, tuple[Actor, ...]]
"""(result word, code, rule, who stopped it)"""

Step = Callable[["Ledger", PowerId, UnitRef], Verdict]

DONE: Verdict = ("ok", "done", "2", ())
