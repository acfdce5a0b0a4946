"""Counts and choices that dues, views and receipts quote, in the words of the engine's own functions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gm.games.necromancer import adjust, centres, retreats
from gm.games.necromancer.board import the_board
from gm.games.necromancer.ids import ROHAN, SARUMAN, STANDING, ZERO, Place, PowerId
from gm.games.necromancer.model import Dislodged, Game, Unit, normalise


def known_units(game: Game, power: PowerId | None) -> tuple[Unit, ...]:
    """The units on the board as a reader may know them (16.9, 17.4, 18.8)."""
    return normalise(_known(game, power))


def _known(game: Game, power: PowerId | None) -> list[Unit]:
    known = []
    for unit in game.units:
        if unit.owner == power:
            known.append(unit)
        elif unit.secret and unit.kind == "A":
            known.append(Unit(STANDING, "A", unit.place))
        elif unit.kind not in ZERO and not unit.secret:
            known.append(unit)
    return known


def holdings(owners: Mapping[Place, PowerId], power: PowerId) -> int:
    """Supply centres on the board that a power owns."""
    return sum(owner == power for owner in owners.values())


def score(game: Game, owners: Mapping[Place, PowerId], power: PowerId) -> int:
    """The victory count of a power under the owners that a reader knows of (20.2, 20.3)."""
    return centres.score(replace(game, centres=owners), power)


def offers(game: Game, dislodged: Dislodged, reader: PowerId | None) -> tuple[Place, ...]:
    """Where a unit may retreat, as a reader can tell: only the owner knows which places his hidden units fill."""
    return retreats.offered(game, the_board(), dislodged, _known(game, reader))


def owed(game: Game, power: PowerId) -> Mapping[str, Any]:
    """`View.data["mine"]` of `view`: what a power may or must do in an adjustment phase."""
    found = adjust.owed(game, the_board(), power)
    cavalry = the_board().cavalry_builds if power == ROHAN else ()
    sites = [f"{kind}({p})" for p in found.sites for kind in ("A", "C") if kind == "A" or p in cavalry]
    return {
        "owed": found.builds if found.balance > 0 and power == SARUMAN else found.balance,
        "builds": sites if found.balance > 0 else [],
        "activate": [str(ref) for ref in found.activate],
        "raise": [f"N({place})" for place in found.raise_at],
    }


def balance(game: Game, power: PowerId) -> int:
    """Builds if positive, removals if negative; for Saruman too without a look at where the Wizard is."""
    return adjust.owed(game, the_board(), power).balance
