"""A schematic map: a dot for each province at its place on the grid, centres ringed, units as letters."""

from __future__ import annotations

import tomllib
from functools import cache
from html import escape
from importlib import resources
from typing import Any

from gm.games.api import Reading, View
from gm.games.diplomacy.board import province_of
from gm.games.diplomacy.meta import BY_ID


@cache
def _map() -> dict[str, Any]:
    return tomllib.loads(resources.files(__package__).joinpath("map.toml").read_text("utf-8"))


def draw(view: View, reading: Reading | None) -> str:
    """The position as SVG; results are not drawn."""
    table = _map()
    owner = {centre: power for power, centres in view.data["centres"].items() for centre in centres}
    units = {province_of(unit[2:]): (power, unit) for power, names in view.data["units"].items() for unit in names}
    title = escape(reading.phase.title if reading else view.phase.title)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {table["width"]} {table["height"]}">'
        f"<title>{title}</title>"
    ]
    for name, entry in sorted(table["province"].items()):
        x, y = entry["pos"]
        fill = BY_ID[owner[name]].colour if name in owner else "#ffffff"
        ring = ' stroke="#000000" stroke-width="3"' if entry.get("centre") else ' stroke="#999999"'
        parts.append(f'<circle cx="{x}" cy="{y}" r="12" fill="{fill}"{ring}/>')
        parts.append(f'<text x="{x}" y="{y + 24}" font-size="10" text-anchor="middle">{name}</text>')
        if name in units:
            power, unit = units[name]
            label = f"{unit[0]}{BY_ID[power].letter}"
            parts.append(f'<text x="{x}" y="{y + 4}" font-size="11" text-anchor="middle">{label}</text>')
    parts.append("</svg>")
    return "".join(parts)
