"""Scenario files: one phase written by hand, and positions in the same notation (docs/scenarios.md)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from rapidfuzz import process

from gm.games.api import Json, OptionError, Scenario, ScenarioError, State, check_options
from gm.games.necromancer.board import Board, the_board
from gm.games.necromancer.ids import (
    FIRST_YEAR,
    GONDOR,
    ROHAN,
    SARUMAN,
    SAURON,
    STANDING,
    TURN_YEARS,
    Place,
    PowerId,
    Step,
)
from gm.games.necromancer.meta import META
from gm.games.necromancer.model import Dislodged, Game, Options, Unit, is_adjustment_year, normalise
from gm.games.necromancer.orders import unit_from_text
from gm.games.necromancer.retreats import offered
from gm.games.necromancer.saved import from_json, to_json
from gm.games.necromancer.setup import SETUP_YEAR, opening_centres

_KEYS = (
    "game", "phase", "options", "units", "centres", "orders", "dislodged", "contested", "state", "dice",
    "id", "title", "expect", "cites", "why",
)  # fmt: skip
_FLAGS = ("dragons_spent", "spiders_spent", "nazgul_due", "sauron_out", "saruman_out")
_PLACE_LISTS = ("activated", "captured", "natural_lost")
_STATE_KEYS = (*_FLAGS, *_PLACE_LISTS, "revealed")
_STEPS: tuple[Step, ...] = ("setup", "movement", "retreats", "adjustments")
_ONLY: Mapping[str, tuple[PowerId, ...]] = {
    "C": (ROHAN,),
    "W": (SARUMAN,),
    "N": (SAURON,),
    "D": (SAURON, STANDING),
    "S": (SAURON, STANDING),
}


def scenario(table: Mapping[str, Json]) -> Scenario:
    """A scenario table to a position and its orders. Raises ScenarioError."""
    board = the_board()
    return Scenario(state=to_json(read_game(board, table)), texts=_texts(board, table))


def read_game(board: Board, table: Mapping[str, Json]) -> Game:
    """The position of a scenario table.

    Sauron's Dragons, Spiders and activated armies that still stand where they entered are secret (17.4) unless
    ``state.revealed`` lists them. Dragons or Spiders on the board count as activated. Without ``centres``, each power
    owns its home centres, and Sauron those that ``state.activated`` lists.
    """
    for key in table:
        if key not in _KEYS:
            raise _error(key, "no such key in a scenario", key, _KEYS)
    year, step = _phase(table)
    try:
        options = Options(**check_options(META, _table(table, "options")))  # type: ignore[arg-type]  # checked
    except OptionError as error:
        raise ScenarioError("options", str(error)) from None
    history = _history(board, table)
    units = _units(board, table, history)
    dislodged = _dislodged(board, table)
    contested = _places(board, _table(table, "contested").get("provinces", []), "contested.provinces")
    if (dislodged or contested) and step != "retreats":
        key = "dislodged" if dislodged else "contested"
        raise ScenarioError(key, f"only retreat phases have this; the phase is {year} {step}")
    centres = opening_centres(board) | dict.fromkeys(history["activated"], SAURON)
    if "centres" in table:
        centres = _centres(board, table)
    elif history["sauron_out"]:
        centres = {place: owner for place, owner in centres.items() if owner != SAURON}
    captured = [p for p in board.standing if centres.get(p) not in (None, SAURON)]
    captured += [p for p in history["captured"] if p not in captured]
    return Game(
        options=options,
        year=year,
        step=step,
        units=units,
        centres=centres,
        dislodged=dislodged,
        contested=contested,
        activated=tuple(history["activated"]),
        captured=tuple(captured),
        dragons_spent=history["dragons_spent"] or any(u.kind == "D" for u in units),
        spiders_spent=history["spiders_spent"] or any(u.kind == "S" for u in units),
        nazgul_due=history["nazgul_due"],
        sauron_out=history["sauron_out"],
        saruman_out=history["saruman_out"],
        natural_lost=tuple(history["natural_lost"]),
        public_owners={u.place: None for u in units if u.secret and u.kind == "A" and u.place in centres},
    )


def position(state: State) -> dict[str, Json]:
    """Units, dislodged and centres in scenario notation; powers that have none are left out.

    `dislodged` after a movement phase holds every unit that was driven out, those disbanded at once too.
    """
    game = from_json(state)
    board = the_board()
    units: dict[str, Json] = {}
    centres: dict[str, Json] = {}
    for power in (*board.powers, STANDING):
        mine = [str(u) for u in game.units if u.owner == power]
        owned = [p for p in board.centres if game.centres.get(p) == power]
        if mine:
            units[power] = mine
        if owned:
            centres[power] = owned
    gone = [(d, offered(game, board, d)) for d in game.dislodged]
    gone += [(d, ()) for d in game.disbanded_at_once]
    return {
        "units": units,
        "dislodged": [
            {
                "power": d.unit.owner,
                "unit": str(d.unit),
                "attacker_from": d.attacker_from[0] if len(d.attacker_from) == 1 else list(d.attacker_from),
                "retreats": list(places),
            }
            for d, places in gone
        ],
        "centres": centres,
    }


def _error(key: str, message: str, said: str, valid: Iterable[str]) -> ScenarioError:
    found = process.extractOne(said, list(valid), score_cutoff=40)
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


def _phase(table: Mapping[str, Json]) -> tuple[int, Step]:
    said = str(table.get("phase", "")).strip().lower()
    found = re.fullmatch(r"(\d+)\s+(\w+)", said)
    if not found:
        raise ScenarioError("phase", f'{said!r} is no phase; write it like "2765 movement"')
    year = int(found[1])
    step = next((s for s in _STEPS if s == found[2]), None)
    if step is None:
        raise _error("phase", f"{found[2]!r} is no kind of phase", found[2], _STEPS)
    if step == "setup":
        if year != SETUP_YEAR:
            raise ScenarioError("phase", f"the set-up is in {SETUP_YEAR}", f"{SETUP_YEAR} setup")
        return year, step
    past = max(0, round((year - FIRST_YEAR) / TURN_YEARS))
    near = FIRST_YEAR + TURN_YEARS * past
    if year != near:
        raise ScenarioError(
            "phase", f"{year} is no year of the game: 2765, 2780, 2795, ...", f"{near} {step}"
        )
    if step == "adjustments" and not is_adjustment_year(year):
        message = f"{year} has no adjustments: they come in years that end in 0"
        raise ScenarioError("phase", message, f"{year + TURN_YEARS} {step}")
    return year, step


def _history(board: Board, table: Mapping[str, Json]) -> dict[str, Any]:
    given = _table(table, "state")
    for key in given:
        if key not in _STATE_KEYS:
            raise _error(f"state.{key}", "no such key", key, _STATE_KEYS)
    found: dict[str, Any] = {}
    for key in _FLAGS:
        found[key] = given.get(key, False)
        if not isinstance(found[key], bool):
            raise ScenarioError(f"state.{key}", "must be true or false")
    for key in _PLACE_LISTS:
        found[key] = _places(board, given.get(key, []), f"state.{key}")
    for place in (*found["activated"], *found["captured"]):
        if place not in board.standing:
            raise _error("state.activated", f"{place} had no standing army", place, board.standing)
    revealed = _strings(given.get("revealed", []), "state.revealed")
    found["revealed"] = [str(_unit(board, one, SAURON, "state.revealed")) for one in revealed]
    return found


def _power(board: Board, said: object, key: str, also: tuple[str, ...] = ()) -> PowerId:
    power = str(said).lower()
    if power not in board.powers and power not in also:
        raise _error(key, f"{said!r} is no power", power, (*board.powers, *also))
    return power


def _place(board: Board, said: str, key: str) -> Place:
    place = board.canonical(said.strip())
    if place is None:
        known = [p.id for p in board.provinces] + [p.name for p in board.provinces]
        raise _error(key, f"{said!r} is no province", said, known)
    return place


def _places(board: Board, said: Json, key: str) -> tuple[Place, ...]:
    return tuple(_place(board, one, key) for one in _strings(said, key))


def _unit(board: Board, said: str, owner: PowerId, key: str) -> Unit:
    head, bracket, rest = said.partition("(")
    if not bracket:
        head, _, rest = said.strip().partition(" ")
    place = _place(board, rest.strip(" )"), key)
    text = f"{head.replace(' ', '').upper()}({place})"
    try:
        ref = unit_from_text(text)
    except ValueError as error:
        raise ScenarioError(key, str(error), f"A({place})") from None
    if owner not in _ONLY.get(ref.kind, (owner,)):
        raise ScenarioError(key, f"{text}: {owner} has no unit of this kind", f"A({place})")
    if ref.strength > 1 and owner not in (GONDOR, SAURON, STANDING):
        raise ScenarioError(key, f"{text}: {owner} has no multiple armies (13.13)", f"A({place})")
    if board[place].kind == "sea" and ref.kind != "W" and ref.fleets < ref.strength:
        raise ScenarioError(key, f"{text}: only army/fleets can be at sea (14.6)", f"A/F({place})")
    if ref.fleets and board[place].kind not in ("coast", "sea"):
        raise ScenarioError(key, f"{text}: no fleet is kept away from the coast (14.7)", f"A({place})")
    return Unit(owner, ref.kind, place, ref.strength, ref.fleets, ref.engines)


def _units(board: Board, table: Mapping[str, Json], history: Mapping[str, Any]) -> tuple[Unit, ...]:
    found: list[Unit] = []
    holder: dict[Place, PowerId] = {}
    for said, listed in _table(table, "units").items():
        key = f"units.{said}"
        power = _power(board, said, key, (STANDING,))
        for one in _strings(listed, key):
            unit = _unit(board, one, power, key)
            other = holder.setdefault(unit.place, power)
            if other != power and unit.place not in board.offboard:
                raise ScenarioError(key, f"{unit}: {other} is in {unit.place} already")
            crowded = any(u.place == unit.place and u.kind in "AC" and unit.kind in "AC" for u in found)
            if crowded and power not in (GONDOR, SAURON, STANDING) and unit.place not in board.offboard:
                raise ScenarioError(key, f"{unit}: {power} has an army in {unit.place} already (13.13)")
            secret = (
                power == SAURON
                and str(unit) not in history["revealed"]
                and (
                    (unit.kind == "A" and unit.place in history["activated"])
                    or (unit.kind == "D" and unit.place == board.dragon_entry)
                    or (unit.kind == "S" and unit.place in board.spider_entry)
                )
            )
            found.append(Unit(power, unit.kind, unit.place, unit.strength, unit.fleets, unit.engines, secret))
    return normalise(found)


def _centres(board: Board, table: Mapping[str, Json]) -> dict[Place, PowerId]:
    centres: dict[Place, PowerId] = {}
    for said, listed in _table(table, "centres").items():
        key = f"centres.{said}"
        power = _power(board, said, key)
        for one in _strings(listed, key):
            place = _place(board, one, key)
            if place in board.offboard:
                continue
            if not board[place].centre:
                raise _error(key, f"{place} is no supply centre", place, board.centres)
            if place in centres:
                raise ScenarioError(key, f"{place} is owned by {centres[place]} already")
            centres[place] = power
    return centres


def _dislodged(board: Board, table: Mapping[str, Json]) -> tuple[Dislodged, ...]:
    entries = table.get("dislodged", [])
    if not isinstance(entries, list):
        raise ScenarioError("dislodged", "must be an array of tables: [[dislodged]]")
    found: list[Dislodged] = []
    for number, entry in enumerate(entries):
        key = f"dislodged[{number}]"
        if not isinstance(entry, Mapping) or not {"power", "unit", "attacker_from"} <= set(entry):
            raise ScenarioError(key, "must have power, unit and attacker_from")
        power = _power(board, entry["power"], f"{key}.power")
        unit = _unit(board, str(entry["unit"]), power, f"{key}.unit")
        said = entry["attacker_from"]
        origins = _places(board, said if isinstance(said, list) else [said], f"{key}.attacker_from")
        found.append(Dislodged(unit, origins))
    return tuple(found)


def _texts(board: Board, table: Mapping[str, Json]) -> dict[PowerId, list[str] | None]:
    return {
        _power(board, said, f"orders.{said}"): _strings(listed, f"orders.{said}")
        for said, listed in _table(table, "orders").items()
    }
