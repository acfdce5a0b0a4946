"""The numbered clauses of the rulebook, for `gm rules`."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from gm.games.api import Clause


@cache
def clauses() -> tuple[Clause, ...]:
    """Every numbered clause, in the order of the rulebook."""
    text = (resources.files("gm.games.necromancer") / "clauses.toml").read_text(encoding="utf-8")
    return tuple(Clause(**entry) for entry in tomllib.loads(text)["clause"])
