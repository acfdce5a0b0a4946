"""Scenario files of MENES: positions written by hand, and positions written back (docs/rulesets/menes.md)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from rapidfuzz import process

from gm.games.api import Json, OptionError, PowerId, Scenario, ScenarioError, State, check_options
from gm.games.menes import text as form
from gm.games.menes.board import FIRST_YEAR, POWERS, SPACES
from gm.games.menes.engine import new_game
from gm.games.menes.meta import META
from gm.games.menes.model import UNITS, is_sea, new_standing, place_key, put, total
from gm.games.menes.parse import parse, read
from gm.games.menes.plan import plan

_TABLES = ("game", "phase", "options", "units", "centres", "orders", "treasury", "standing", "state")
_IGNORED = ("id", "title", "why", "cites", "expect", "dice", "dislodged", "contested")
_STATE = ("missed", "vacation", "out")
_PHASE = re.compile(r"IV(\d{4,6}) orders")


class _NoDice:
    """The set-up of MENES rolls nothing."""

    def roll(self, purpose: str, sides: int = 6) -> int:
        raise AssertionError((purpose, sides))


def scenario(table: Mapping[str, Json]) -> Scenario:
    """See `gm.games.api.Ruleset.scenario`. Raises ScenarioError."""
    for key in table:
        _known(key, key, (*_TABLES, *_IGNORED))
    try:
        options = check_options(META, table.get("options", {}))
    except OptionError as error:
        raise ScenarioError("options", str(error)) from error
    state: dict[str, Any] = dict(new_game(options, _NoDice()))
    match = _PHASE.fullmatch(str(table.get("phase", f"IV{FIRST_YEAR} orders")))
    if match is None or int(match[1]) < FIRST_YEAR:
        raise ScenarioError("phase", f"{table['phase']!r} is no phase of MENES", f"IV{FIRST_YEAR} orders")
    state["year"] = int(match[1])
    state["turn"] = state["year"] - FIRST_YEAR + 1
    for power, entries in _by_power(table, "units").items():
        for i, entry in enumerate(_list(f"units.{power}", entries)):
            _unit(state, power, f"units.{power}[{i}]", entry)
        _check_room(state, power)
    if "centres" in table:
        state["owners"] = _owners(table)
    _numbers(table, "treasury", state["treasury"])
    for power, entries in _by_power(table, "standing").items():
        state["standing"][power] = _standing(state, power, _list(f"standing.{power}", entries))
    extra = table.get("state", {})
    for key in extra:
        _known(f"state.{key}", key, _STATE)
    _numbers(extra, "missed", state["missed"])
    _numbers(extra, "vacation", state["vacation"])
    for power in extra.get("out", []):
        _known("state.out", power, POWERS)
        state["out"].append(power)
    orders = _by_power(table, "orders")
    texts = {p: _list(f"orders.{p}", orders[p]) if p in orders else None for p in POWERS}
    return Scenario(state=state, texts=texts)


def position(state: State) -> Mapping[str, Json]:
    """See `gm.games.api.Ruleset.position`; with the treasuries, which are part of a position of MENES."""
    units: dict[PowerId, list[str]] = {}
    for power in POWERS:
        entries = []
        for key in ("units", "cargo"):
            placed = state[key][power]
            for place in sorted(placed, key=place_key):
                entries += [
                    f"{form.amount(placed[place][u], u)} {place}" for u in UNITS if placed[place].get(u)
                ]
        if entries:
            units[power] = entries
    owners = state["owners"]
    centres = {p: sorted((s for s in owners if owners[s] == p), key=place_key) for p in POWERS}
    return {
        "units": units,
        "dislodged": [],
        "centres": {p: owned for p, owned in centres.items() if owned},
        "treasury": dict(state["treasury"]),
    }


def _known(key: str, word: object, valid: Sequence[str]) -> None:
    if word not in valid:
        near = process.extractOne(str(word), valid, score_cutoff=50)
        raise ScenarioError(key, f"{word!r} is not known here", near[0] if near else "")


def _by_power(table: Mapping[str, Json], key: str) -> Mapping[PowerId, Json]:
    found = table.get(key, {})
    if not isinstance(found, Mapping):
        raise ScenarioError(key, "must be a table by power")
    for power in found:
        _known(f"{key}.{power}", power, POWERS)
    return found


def _list(key: str, value: Json) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise ScenarioError(key, "must be a list of texts")
    return value


def _numbers(table: Mapping[str, Json], key: str, into: dict[PowerId, int]) -> None:
    for power, number in _by_power(table, key).items():
        if not isinstance(number, int) or isinstance(number, bool) or number < 0:
            raise ScenarioError(f"{key}.{power}", f"must be a whole number from 0, not {number!r}")
        into[power] = number


def _unit(state: dict[str, Any], power: PowerId, key: str, entry: str) -> None:
    order = read(power, f"HOLD {entry}")
    if not isinstance(order, form.Hold) or order.unit is None or order.at is None or order.count < 1:
        told = "; ".join(p.message for p in parse(state, power, f"HOLD {entry}").problems)
        raise ScenarioError(key, f"{entry!r} is no unit of {power}{': ' + told if told else ''}", "5 ARMY 39")
    ship, sea = UNITS[order.unit].ship, is_sea(order.at)
    if ship and not sea:
        raise ScenarioError(key, f"{entry!r}: ships are at sea", f"{form.amount(order.count, order.unit)} R")
    if order.unit == "dragon" and sea:
        raise ScenarioError(key, f"{entry!r}: dragons do not board ships")
    put(state["units" if ship or not sea else "cargo"][power], order.at, order.unit, order.count)


def _check_room(state: dict[str, Any], power: PowerId) -> None:
    for sea, aboard in state["cargo"][power].items():
        ships = state["units"][power].get(sea, {})
        room = sum(UNITS[u].carries * n for u, n in ships.items())
        if total({sea: aboard}) > room:
            raise ScenarioError(
                f"units.{power}", f"{total({sea: aboard})} units aboard in {sea}, room for {room}"
            )


def _owners(table: Mapping[str, Json]) -> dict[str, PowerId]:
    owners: dict[str, PowerId] = {}
    for power, places in _by_power(table, "centres").items():
        for place in places:
            if str(place) not in SPACES or is_sea(str(place)):
                raise ScenarioError(f"centres.{power}", f"{place!r} is no province; they run from 1 to 60")
            owners[str(place)] = power
    return owners


def _standing(state: dict[str, Any], power: PowerId, lines: list[str]) -> dict[str, Any]:
    state["standing"][power] = new_standing()
    return plan(state, power, [o for line in lines for o in parse(state, power, line).orders]).standing
