"""Orders as values and their one normal form; `gm.games.menes.parse` reads them back.

Counts are numbers, or ALL. Places are the rulebook's numbers and letters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gm.games.api import PowerId
from gm.games.menes.model import UNITS, Place

ALL = -1
"""The count of an order for ALL."""

NORMAL_NAMES = {unit: unit.upper() for unit in UNITS}


@dataclass(frozen=True)
class Buy:
    """``BUY 2 FLEET AT 41 SEA B``; `sea` only for ships, and only where written."""

    count: int
    unit: str
    at: Place
    sea: Place | None = None


@dataclass(frozen=True)
class Disband:
    """``DISBAND 2 ARMY AT 15``; at a sea: ships, or land units aboard."""

    count: int
    unit: str
    at: Place


@dataclass(frozen=True)
class Move:
    """``MOVE 5 ARMY 39 > 38``; `unit` None: every unit there (count ALL). Flights print as FLY."""

    count: int
    unit: str | None
    path: tuple[Place, ...]


@dataclass(frozen=True)
class Hold:
    """``HOLD ALL 53``; without a place: all that has no other order stands."""

    count: int = ALL
    unit: str | None = None
    at: Place | None = None


AfterWord = Literal["pursue", "withdraw", "attack", "stay", "default"]


@dataclass(frozen=True)
class After:
    """``AFTER 20 ATTACK 10``: horsemen after a battle in 20; `at` None: AFTER ALL, kept until changed."""

    at: Place | None
    action: AfterWord
    to: Place | None = None


@dataclass(frozen=True)
class Retreat:
    """``RETREAT 12 TO 13, 14``; an empty list prints as NONE."""

    at: Place
    to: tuple[Place, ...]


@dataclass(frozen=True)
class Priority:
    """``PRIORITY ARMY, FLEET, UNIQUE``."""

    ranks: tuple[str, ...]


@dataclass(frozen=True)
class Peace:
    """``PEACE ELVES``, or ``WAR ELVES``."""

    power: PowerId
    peace: bool


@dataclass(frozen=True)
class Flyover:
    """``FLYOVER DRAGONS ALLOW``, or ``DENY``."""

    power: PowerId
    allow: bool


@dataclass(frozen=True)
class Vacation:
    """``VACATION 5 TURNS``."""

    turns: int


Order = Buy | Disband | Move | Hold | After | Retreat | Priority | Peace | Flyover | Vacation
STANDING = (Retreat, Priority, Peace, Flyover, Vacation)
"""Kinds that last beyond the turn; AFTER ALL too."""


def amount(count: int, unit: str | None) -> str:
    """``"5 ARMY"``, ``"ALL DRAGON"``, ``"ALL"``."""
    number = "ALL" if count == ALL else str(count)
    return number if unit is None else f"{number} {NORMAL_NAMES[unit]}"


def show(order: Order) -> str:
    """The normal form."""
    match order:
        case Buy(count, unit, at, sea):
            return f"BUY {amount(count, unit)} AT {at}" + (f" SEA {sea}" if sea else "")
        case Disband(count, unit, at):
            return f"DISBAND {amount(count, unit)} AT {at}"
        case Move(count, unit, path):
            verb = "FLY" if unit == "dragon" and len(path) > 2 else "MOVE"
            return f"{verb} {amount(count, unit)} {' > '.join(path)}"
        case Hold(count, unit, at):
            return "HOLD" if at is None else f"HOLD {amount(count, unit)} {at}"
        case After(at, action, to):
            return f"AFTER {at or 'ALL'} {action.upper()}" + (f" {to}" if to else "")
        case Retreat(at, to):
            return f"RETREAT {at} TO {', '.join(to) or 'NONE'}"
        case Priority(ranks):
            return f"PRIORITY {', '.join(r.upper() for r in ranks)}"
        case Peace(power, peace):
            return f"{'PEACE' if peace else 'WAR'} {power.upper()}"
        case Flyover(power, allow):
            return f"FLYOVER {power.upper()} {'ALLOW' if allow else 'DENY'}"
        case Vacation(turns):
            return f"VACATION {turns} TURN{'' if turns == 1 else 'S'}"


def merge_key(order: Order) -> tuple[str, ...]:
    """Orders with the same key are about the same thing: a later mail's replace an earlier mail's."""
    match order:
        case Buy(_, unit, at, _):
            return ("buy", unit, at)
        case Disband(_, unit, at):
            return ("disband", unit, at)
        case Move(_, unit, path):
            return ("move", unit or "", path[0])
        case Hold(_, unit, at):
            return ("move", unit or "", at or "")
        case After(at, _, _):
            return ("after", at or "")
        case Retreat(at, _):
            return ("retreat", at)
        case Priority():
            return ("priority",)
        case Peace(power, _):
            return ("peace", power)
        case Flyover(power, _):
            return ("flyover", power)
        case Vacation():
            return ("vacation",)


def replaces(new: Order, old: Order) -> bool:
    """Whether a later mail's order takes the place of an earlier one."""
    a, b = merge_key(new), merge_key(old)
    whole_place = a[0] == b[0] == "move" and a[1] == "" and a[2] in ("", b[2])
    return a == b or whole_place
