"""Readers of the case files, and small builders for tests."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from gm.games.api import Adjudicated, Parsed
from gm.games.dice import FixedDice
from gm.games.diplomacy import RULESET
from gm.games.diplomacy.state import make_state

DATA = Path(__file__).parent / "data"
OPTIONS = {"end_year": 0, "win_centres": 18}


def load(name: str) -> list[dict[str, Any]]:
    """The cases of a data file."""
    with (DATA / f"{name}.toml").open("rb") as file:
        found: list[dict[str, Any]] = tomllib.load(file)["case"]
    return found


def by_power(listed: list[str]) -> dict[str, list[str]]:
    """``["France A PAR"]`` as ``{"france": ["A PAR"]}``."""
    table: dict[str, list[str]] = {}
    for entry in listed:
        power, rest = entry.split(" ", 1)
        table.setdefault(power.lower(), []).append(rest)
    return table


def orders_of(case: dict[str, Any], key: str = "orders") -> dict[str, list[str]]:
    """Order texts by power."""
    table: dict[str, list[str]] = {}
    for power, text, _ in case[key]:
        table.setdefault(power.lower(), []).append(text)
    return table


def listed(units: dict[str, list[str]]) -> list[str]:
    """``{"france": ["A PAR"]}`` as ``["France A PAR"]``, sorted."""
    return sorted(f"{power.capitalize()} {unit}" for power, names in units.items() for unit in names)


def game(
    phase: str = "S1901M", centres: dict[str, list[str]] | None = None, **units: list[str]
) -> dict[str, Any]:
    """A state with these units; centres as at the start unless given."""
    start = RULESET.new_game(OPTIONS, FixedDice([]))
    return make_state(phase, OPTIONS, units, start["centres"] if centres is None else centres)


def run(state: Any, **sheets: list[str] | None) -> Adjudicated:
    """One phase with these sheets; a power left out sent an empty sheet."""
    full = {power.id: sheets.get(power.id, []) for power in RULESET.meta.powers}
    return RULESET.adjudicate(state, full, FixedDice([]))


def read(state: Any, power: str, text: str) -> Parsed:
    return RULESET.parse(state, power, text)


def kinds(parsed: Parsed) -> list[str]:
    return [problem.kind for problem in parsed.problems]
