"""What the world outside knows of MENES."""

from __future__ import annotations

from importlib.resources import files

from gm.games.api import Meta
from gm.games.menes.options import OPTIONS
from gm.games.menes.powers import POWER_LIST

META = Meta(
    id="menes",
    title="MENES, the Middle-earth Never Ending Story",
    version="1",
    powers=POWER_LIST,
    options=OPTIONS,
    credits=(
        "MENES was run by The Troquelet on a public forum in August 2002; its rules are told here in our own words. "
        "The lost map is a reconstruction, and all names on it are ours."
    ),
    syntax=files("gm.games.menes").joinpath("syntax.txt").read_text(encoding="utf-8"),
    keywords=frozenset(
        {
            "BUY",
            "MOVE",
            "FLY",
            "HOLD",
            "DISBAND",
            "AFTER",
            "RETREAT",
            "PRIORITY",
            "PEACE",
            "WAR",
            "FLYOVER",
            "VACATION",
        }
    ),
)
