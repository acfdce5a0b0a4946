"""A position as one power, or the public, may know it.

`View.data` is a JSON object::

    {"year": 2780, "step": "movement",
     "units": [{"power": "gondor", "unit": "2A/F(Pel)", "kind": "A", "place": "Pel", "strength": 2, "fleets": 1,
                "engines": 0, "hidden": false}, ...],
     "dislodged": [{... as a unit ..., "attacker_from": ["SIt"], "retreats": ["Los", "Leb"]}, ...],
     "contested": ["Leb"],                       # closed to retreats by a stand-off
     "centres": {"MTi": "gondor", ...},          # owned centres only, as this reader may know them
     "scores": [{"power": "gondor", "count": 5, "centres": 5, "armies": 5}, ...],   # in the order of the powers
     "announced": [{"power": "saruman", "unit": "W(Ise)"}, ...],
     "alignment": {"Mor": "evil", ...},          # provinces that repel units now; {} without the house rule
     "out": ["saruman"],
     "victory": 19,
     "public": {"units": [...], "centres": {...}, "scores": [...]},   # the same three as everybody knows them
     "mine": null or {"owed": 1, "builds": [...], "activate": [...], "raise": [...]}}

- ``power`` is a power's id or ``"standing"`` for the standing armies. ``hidden`` marks the reader's own pieces that
  others do not know of, or do not know for what they are: his Wizard or Nazgûl, and units taken over in secret.
- Other powers' Wizard and Nazgûl are never in it (16.9, 18.8): what a phase reveals of them stands in its results. An
  army that Sauron has taken over in secret is in it as a standing army, and secret Dragons or Spiders are not (17.4).
- ``announced`` says where the rulebook itself puts the hidden units at the start (16.1, 18.1); empty after 2765.
- ``retreats`` leaves out nothing on account of units that the reader does not know of (16.7).
- ``mine`` is for the reader's eyes: in adjustments, how many builds (or, negative, removals) he is owed, where he may
  build as texts ("A(DAm)"), what he may activate ("A(Gun)") and where he may raise a Nazgûl ("N(MMo)").

The same powers, the same order, the same keys whoever reads: two positions that differ only in what the reader may
not know give the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gm.games.api import Json, Phase, State, View
from gm.games.necromancer.board import the_board
from gm.games.necromancer.compile import wrong_side
from gm.games.necromancer.facts import holdings, known_units, offers, owed, score
from gm.games.necromancer.ids import FIRST_YEAR, SARUMAN, SAURON, ZERO, Place, PowerId
from gm.games.necromancer.model import Dislodged, Game, Unit, phase_name
from gm.games.necromancer.powers import POWERS
from gm.games.necromancer.saved import from_json

ID = "necromancer"

_STEP_TITLES = {
    "setup": "secret choices before the game",
    "movement": "movement",
    "retreats": "retreats",
    "adjustments": "adjustments",
    "over": "the end",
}


def phase_of(game: Game) -> Phase:
    """The phase that waits for orders."""
    step = "adjustments" if game.step == "over" else game.step
    return Phase(
        name=phase_name(game),
        title=f"{game.year} TA, {_STEP_TITLES[step]}",
        kind=step,
        turn=str(game.year),
    )


def known_centres(game: Game, power: PowerId | None) -> dict[Place, PowerId]:
    """The owner of each owned centre as a reader may know it."""
    if power == SAURON:
        return dict(sorted(game.centres.items()))
    seen: dict[Place, PowerId | None] = {**game.centres, **game.public_owners}
    return {place: owner for place, owner in sorted(seen.items()) if owner is not None}


def view(state: State, power: PowerId | None) -> View:
    """See `gm.games.api.Ruleset.view`."""
    return view_of(from_json(state), power)


def view_of(game: Game, power: PowerId | None) -> View:
    """The view of a position that is not yet, or no longer, JSON."""
    data: dict[str, Json] = {
        "year": game.year,
        "step": game.step,
        **_position(game, power),
        "dislodged": [_dislodged(game, d, power) for d in game.dislodged],
        "contested": list(game.contested),
        "announced": _announced(game),
        "alignment": _alignment(game),
        "out": _out(game),
        "victory": the_board().victory_centres,
        "public": _position(game, None),
        "mine": _mine(game, power),
    }
    return View(ruleset=ID, power=power, phase=phase_of(game), data=data)


def _position(game: Game, power: PowerId | None) -> dict[str, Json]:
    units, centres = known_units(game, power), known_centres(game, power)
    return {
        "units": [_unit(u, power) for u in units],
        "centres": centres,
        "scores": [
            {
                "power": p.id,
                "count": score(game, centres, p.id),
                "centres": holdings(centres, p.id),
                "armies": sum(u.strength for u in units if u.owner == p.id and u.kind not in ZERO),
            }
            for p in POWERS
        ],
    }


def standings(of: View) -> tuple[tuple[PowerId, int], ...]:
    """The public score of each power, best first; equal ones in the order of the powers."""
    rows = [(row["power"], row["count"]) for row in of.data["public"]["scores"]]
    return tuple(sorted(rows, key=lambda row: -row[1]))


def out_of_game(game: Game, power: PowerId) -> bool:
    """Whether a power has been eliminated, as everybody knows."""
    if power == SAURON:
        return game.sauron_out
    if power == SARUMAN:
        return game.saruman_out
    has_units = any(u.owner == power for u in game.units) or any(
        d.unit.owner == power for d in game.dislodged
    )
    return not has_units and power not in game.centres.values()


def _out(game: Game) -> list[PowerId]:
    return [p.id for p in POWERS if out_of_game(game, p.id)]


def _unit(unit: Unit, reader: PowerId | None) -> Mapping[str, Any]:
    return {
        "power": unit.owner,
        "unit": str(unit),
        "kind": unit.kind,
        "place": unit.place,
        "strength": unit.strength,
        "fleets": unit.fleets,
        "engines": unit.engines,
        "hidden": unit.owner == reader and (unit.kind in ZERO or unit.secret),
    }


def _dislodged(game: Game, dislodged: Dislodged, reader: PowerId | None) -> Mapping[str, Any]:
    # a unit that is driven out is known to all from then on (16.9, 17.4, 18.8)
    return {
        **_unit(replace(dislodged.unit, secret=False), reader),
        "attacker_from": list(dislodged.attacker_from),
        "retreats": list(offers(game, dislodged, reader)),
    }


def _announced(game: Game) -> list[Mapping[str, str]]:
    if game.year > FIRST_YEAR or game.step not in ("setup", "movement"):
        return []
    return [
        {"power": power, "unit": str(ref)}
        for power, start in the_board().powers.items()
        for ref in start.units
        if ref.kind in ZERO
    ]


def _alignment(game: Game) -> dict[Place, str]:
    if not game.options.alignment:
        return {}
    return {
        p.id: p.alignment
        for p in the_board().provinces
        if p.alignment != "none" and p.id not in game.natural_lost
    }


def repelled(of: View, power: PowerId, place: Place) -> bool:
    """Whether the land itself resists a power there, in this game, now (21)."""
    alignment = of.data["alignment"].get(place)
    return alignment is not None and wrong_side(the_board(), alignment, power)


def _mine(game: Game, power: PowerId | None) -> Mapping[str, Any] | None:
    return None if power is None or game.step != "adjustments" else owed(game, power)
