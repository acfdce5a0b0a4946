"""Tiny worlds of MENES: a position and orders as in a scenario file, one turn, exact results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gm.games.api import Adjudicated, Dice, Event, Reading, reading
from gm.games.dice import FixedDice, SeededDice
from gm.games.menes import RULESET

POWERS = ("dwarves", "dragons", "elves", "men", "ents")


def turn(
    units: Mapping[str, Sequence[str]] | None = None,
    orders: Mapping[str, Sequence[str]] | None = None,
    *,
    rolls: Sequence[int] | None = None,
    dice: Dice | None = None,
    centres: Mapping[str, Sequence[int]] | None = None,
    options: Mapping[str, Any] | None = None,
    phase: str = "IV1200 orders",
    **tables: Any,
) -> Adjudicated:
    """Adjudicate one turn. With `rolls`, exactly these are rolled, in this order, and all of them."""
    given = RULESET.scenario(scenario(units, orders, centres=centres, options=options, phase=phase, **tables))
    sheets = {
        power: None if lines is None else RULESET.parse(given.state, power, "\n".join(lines)).orders
        for power, lines in given.texts.items()
    }
    used = FixedDice(rolls) if rolls is not None else dice or SeededDice(b"menes", phase)
    result = RULESET.adjudicate(given.state, sheets, used)
    if isinstance(used, FixedDice):
        assert len(used.rolls) == len(used.values), f"{len(used.values)} rolls given, {used.rolls} asked for"
    return result


def scenario(
    units=None, orders=None, *, centres=None, options=None, phase="IV1200 orders", **tables
) -> dict[str, Any]:
    """A scenario table; every power that is not named orders nothing on purpose."""
    table: dict[str, Any] = {"game": "menes", "phase": phase, "options": dict(options or {}), **tables}
    table["units"] = {p: list(lines) for p, lines in (units or {}).items()}
    table["orders"] = {**{p: [] for p in POWERS}, **{p: list(lines) for p, lines in (orders or {}).items()}}
    if centres is not None:
        table["centres"] = {p: list(places) for p, places in centres.items()}
    return table


def units(result: Adjudicated) -> dict[str, list[str]]:
    """What stands where afterwards, in the notation of scenario files."""
    return dict(RULESET.position(result.state)["units"])


def owner(result: Adjudicated, place: int) -> str | None:
    return result.state["owners"].get(str(place))


def order(result: Adjudicated, power: str, text: str) -> tuple[str, str]:
    """(result, reason) of one order."""
    found = [o for o in result.orders if o.power == power and o.order == text]
    assert len(found) == 1, [o.order for o in result.orders if o.power == power]
    return found[0].result, found[0].reason


def events(result: Adjudicated, kind: str) -> list[Event]:
    return [e for e in result.events if e.kind == kind]


def read_by(result: Adjudicated, power: str | None) -> Reading:
    return reading(result, RULESET.phase(result.state), power)
