"""Rules engines. Pure: they import nothing from other rooms, have no clock, no I/O and no global random."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from gm.games.api import Ruleset

RULESETS = ("diplomacy", "necromancer", "menes")
"""Ids of all rulesets, each a package in this folder. A new ruleset adds its name here."""


class UnknownRuleset(ValueError):
    """No ruleset has this id."""


@cache
def ruleset(name: str) -> Ruleset:
    """The ruleset with this id, loaded when first asked for. Raises UnknownRuleset."""
    if name not in RULESETS:
        raise UnknownRuleset(f"there is no ruleset {name!r}; there are: {', '.join(RULESETS)}")
    found: Ruleset = import_module(f"gm.games.{name}").RULESET
    return found
