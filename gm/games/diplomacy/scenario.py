"""Scenario files: one phase written by hand, and positions in the same notation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rapidfuzz import process

from gm.games.api import Json, OptionError, Scenario, ScenarioError, State, check_options
from gm.games.diplomacy.board import Board, province_of, standard
from gm.games.diplomacy.meta import BY_ID, META, is_phase_name
from gm.games.diplomacy.state import make_state
from gm.games.diplomacy.words import plain, read_coast, read_place, tokens

_KEYS = (
    "game", "phase", "options", "units", "centres", "orders", "dislodged", "contested", "state", "dice",
    "id", "title", "expect", "cites", "why",
)  # fmt: skip


def scenario(table: Mapping[str, Json]) -> Scenario:
    """A scenario table to a position and its orders. Raises ScenarioError."""
    board = standard()
    for key in table:
        if key not in _KEYS:
            raise _error(key, "no such key in a scenario", key, _KEYS)
    name = table.get("phase")
    if not is_phase_name(name):
        raise ScenarioError("phase", f"{name!r} is no phase; write S1901M, S1901R, F1901M, F1901R or W1901A")
    try:
        options = check_options(META, _table(table, "options"))
    except OptionError as error:
        raise ScenarioError("options", str(error)) from None
    for key in _table(table, "state"):
        raise ScenarioError(f"state.{key}", "a Diplomacy position has no history beyond units and centres")

    units = _units(board, table)
    centres = _centres(board, table) if "centres" in table else board.home
    contested = _contested(board, table)
    dislodged = _dislodged(board, table, units, contested)
    if (dislodged or contested) and str(name)[-1] != "R":
        key = "dislodged" if dislodged else "contested"
        raise ScenarioError(key, f"only retreat phases have this; the phase is {name}")
    state = make_state(str(name), options, units, centres, dislodged, contested)
    return Scenario(state=state, texts=_texts(table))


def position(state: State) -> dict[str, Json]:
    """Units, dislodged and centres in scenario notation; powers that have none are left out.

    `dislodged` after a movement phase holds every unit that it dislodged, those disbanded at once (no retreat) too.
    """
    return {
        "units": {power: list(units) for power, units in state["units"].items() if units},
        "dislodged": [dict(entry) for entry in state["dislodged"]],
        "centres": {power: list(centres) for power, centres in state["centres"].items() if centres},
    }


def _error(key: str, message: str, said: str, valid: Iterable[str]) -> ScenarioError:
    found = process.extractOne(said, list(valid), score_cutoff=50)
    return ScenarioError(key, message, found[0] if found else "")


def _table(table: Mapping[str, Json], key: str) -> Mapping[str, Any]:
    value = table.get(key, {})
    if not isinstance(value, Mapping):
        raise ScenarioError(key, "must be a table")
    return value


def _strings(value: Json, key: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ScenarioError(key, "must be a list of texts")
    return value


def _power(said: object, key: str) -> str:
    power = str(said).lower()
    if power not in BY_ID:
        raise _error(key, f"{said!r} is no power", power, BY_ID)
    return power


def _province(board: Board, said: str, key: str) -> str:
    words = tokens(plain(said))
    place = read_place(words, 0)
    if place is None or place.length < len(words) or len(place.provinces) > 1:
        raise _error(key, f"{said!r} is no province", said.upper(), board.ids)
    return place.provinces[0]


def _unit(board: Board, said: str, key: str) -> str:
    """``A PAR``, ``A(PAR)``, ``F STP/SC``, ``F(STP/SC)``, names in full."""
    words = tokens(plain(said))
    kind = words[0].upper()[:1] if words and words[0] in ("a", "f", "army", "fleet") else ""
    place = read_place(words, 1) if kind else None
    if place is not None and len(place.provinces) == 1:
        end = 1 + place.length
        coast = read_coast(words, end)
        unit = f"{kind} {place.provinces[0]}" + (f"/{coast[1]}" if coast else "")
        if unit in board.pieces and end + (coast[0] if coast else 0) == len(words):
            return unit
        here = (
            [f"F {coast}" for coast in board.coasts.get(board.index[place.provinces[0]], ())]
            if kind == "F"
            else []
        )
        raise ScenarioError(
            key, f"{said!r} is no unit", (here or [f"{'AF'[kind == 'A']} {place.provinces[0]}"])[0]
        )
    raise _error(key, f"{said!r} is no unit", said.upper().replace("(", " ").replace(")", ""), board.pieces)


def _units(board: Board, table: Mapping[str, Json]) -> dict[str, list[str]]:
    units: dict[str, list[str]] = {}
    taken: dict[str, str] = {}
    for said, listed in _table(table, "units").items():
        power = _power(said, f"units.{said}")
        for one in _strings(listed, f"units.{said}"):
            unit = _unit(board, one, f"units.{said}")
            province = province_of(unit[2:])
            if province in taken:
                raise ScenarioError(f"units.{said}", f"{unit}: {taken[province]} is in {province} already")
            taken[province] = unit
            units.setdefault(power, []).append(unit)
    return units


def _centres(board: Board, table: Mapping[str, Json]) -> dict[str, list[str]]:
    centres: dict[str, list[str]] = {}
    owner: dict[str, str] = {}
    for said, listed in _table(table, "centres").items():
        power = _power(said, f"centres.{said}")
        for one in _strings(listed, f"centres.{said}"):
            centre = _province(board, one, f"centres.{said}")
            if centre not in board.centres:
                raise _error(f"centres.{said}", f"{centre} is no supply centre", centre, board.centres)
            if centre in owner:
                raise ScenarioError(f"centres.{said}", f"{centre} is owned by {owner[centre]} already")
            owner[centre] = power
            centres.setdefault(power, []).append(centre)
    return centres


def _contested(board: Board, table: Mapping[str, Json]) -> list[str]:
    listed = _strings(_table(table, "contested").get("provinces", []), "contested.provinces")
    return [_province(board, one, "contested.provinces") for one in listed]


def _dislodged(
    board: Board, table: Mapping[str, Json], units: Mapping[str, list[str]], contested: list[str]
) -> list[dict[str, Json]]:
    entries = table.get("dislodged", [])
    if not isinstance(entries, list):
        raise ScenarioError("dislodged", "must be an array of tables: [[dislodged]]")
    occupied = {province_of(unit[2:]) for names in units.values() for unit in names}
    found = []
    for number, entry in enumerate(entries):
        key = f"dislodged[{number}]"
        if not isinstance(entry, Mapping) or not {"power", "unit", "attacker_from"} <= set(entry):
            raise ScenarioError(key, "must have power, unit and attacker_from")
        power = _power(entry["power"], f"{key}.power")
        unit = _unit(board, str(entry["unit"]), f"{key}.unit")
        said = entry["attacker_from"]
        origins = [
            _province(board, str(one), f"{key}.attacker_from")
            for one in (said if isinstance(said, list) else [said])
        ]
        closed = occupied | set(contested) | set(origins)
        steps = board.pieces[unit].steps
        retreats = sorted(
            place for places in steps.values() for place in places if province_of(place) not in closed
        )
        if "retreats" in entry:
            retreats = sorted(_strings(entry["retreats"], f"{key}.retreats"))
            legal = {place for places in steps.values() for place in places}
            for place in retreats:
                if place not in legal:
                    raise _error(f"{key}.retreats", f"{unit} does not touch {place!r}", place, sorted(legal))
        found.append(
            {
                "power": power,
                "unit": unit,
                "attacker_from": origins if isinstance(said, list) else origins[0],
                "retreats": retreats,
            }
        )
    return found


def _texts(table: Mapping[str, Json]) -> dict[str, list[str] | None]:
    texts: dict[str, list[str] | None] = {}
    for said, listed in _table(table, "orders").items():
        texts[_power(said, f"orders.{said}")] = _strings(listed, f"orders.{said}")
    return texts
