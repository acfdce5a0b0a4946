"""The names that everything else is made of: powers, places, kinds of units and orders, years."""

from __future__ import annotations

from typing import Literal

PowerId = str
Place = str

STANDING: PowerId = "standing"
"""Owner of standing armies: Sauron's before he takes control of them, and all that is left of him after his fall."""

SAURON: PowerId = "sauron"
SARUMAN: PowerId = "saruman"
GONDOR: PowerId = "gondor"
ROHAN: PowerId = "rohan"
DWARVES: PowerId = "dwarves"
ELVES: PowerId = "elves"
EASTERLINGS: PowerId = "easterlings"
HARADRIM: PowerId = "haradrim"

ERIADOR: Place = "Eri"

UnitKind = Literal["A", "C", "W", "N", "D", "S"]
"""Army, cavalry, wizard, Nazgûl, Dragons, Spiders."""

ZERO = ("W", "N")
"""Kinds of strength 0 that share a province with their owner's armies and need no supply centre."""

FIRST_YEAR = 2765
LAST_YEAR = 3020
TURN_YEARS = 15

Step = Literal["setup", "movement", "retreats", "adjustments", "over"]

OrderKind = Literal[
    "hold",
    "move",
    "support",
    "build_fleet",
    "build_engine",
    "lead",
    "retreat",
    "disband",
    "build",
    "remove",
    "waive",
    "activate",
    "raise",
    "place",
]
