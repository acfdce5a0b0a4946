"""What a power, or the public, may know of a position.

``View.data`` is a JSON object:

- ``turn``, ``year``: numbers
- ``owners``: ``{"39": "dwarves", "38": null}``, all sixty provinces
- ``units``: ``{"39": {"dwarves": ["army", "axemen"]}, "R": {"men": ["fleet"]}}``: kinds without numbers, by place and
  power; places without units are left out; units aboard ships are never here
- ``claims``: ``{"R": "men"}``: seas in which one power alone had ships at the end of the last turn
- ``points``, ``cities``, ``provinces``: ``{power: number}``
- ``out``: powers out of the game
- ``over``: null, or ``{"winners": [...], "text": ..., "rule": ...}``
- ``rules``: the house rules, which are public
- ``own``: null for the public, else what only this power knows: ``treasury``; ``units`` and ``cargo``
  (``{place: {unit: number}}``); ``ledger`` (``[[line, gold], ...]`` of the last income); ``standing`` (see
  `gm.games.menes.model.new_standing`); ``missed`` and ``vacation`` (turns)
"""

from __future__ import annotations

import copy
from typing import Any

from gm.games.api import PowerId, State, View
from gm.games.menes.board import POWERS, PROVINCES, SPACES, points
from gm.games.menes.engine import phase, score
from gm.games.menes.model import UNITS, place_key


def view(state: State, power: PowerId | None) -> View:
    """See `gm.games.api.Ruleset.view`."""
    owners = state["owners"]
    data: dict[str, Any] = {
        "turn": state["turn"],
        "year": state["year"],
        "owners": {p: owners.get(p) for p in PROVINCES},
        "units": _kinds(state),
        "claims": dict(sorted(state["claims"].items())),
        "points": score(owners),
        "cities": {p: sum(owners[s] == p and points(s) > 0 for s in owners) for p in POWERS},
        "provinces": {
            p: sum(owners[s] == p and SPACES[s].kind == "province" for s in owners) for p in POWERS
        },
        "out": list(state["out"]),
        "over": copy.deepcopy(state["over"]),
        "rules": dict(state["options"]),
        "own": None if power is None else _own(state, power),
    }
    return View(ruleset="menes", power=power, phase=phase(state), data=data)


def _kinds(state: State) -> dict[str, dict[PowerId, list[str]]]:
    units = state["units"]
    places = sorted({place for power in POWERS for place in units[power]}, key=place_key)
    return {
        place: {
            power: [u for u in UNITS if u in units[power][place]] for power in POWERS if place in units[power]
        }
        for place in places
    }


def _own(state: State, power: PowerId) -> dict[str, Any]:
    kept = ("treasury", "ledger", "standing", "missed", "vacation")
    own = {key: copy.deepcopy(state[key][power]) for key in kept}
    for key in ("units", "cargo"):
        placed = state[key][power]
        own[key] = {place: dict(placed[place]) for place in sorted(placed, key=place_key)}
    return own


def standings(view: View) -> tuple[tuple[PowerId, int], ...]:
    """See `gm.games.api.Ruleset.standings`: points, best first, ties in the order of the map file."""
    points = view.data["points"]
    return tuple(sorted(points.items(), key=lambda item: (-item[1], POWERS.index(item[0]))))
