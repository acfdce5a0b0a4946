"""A schematic of the board: a disc for each province, a ring for each sea, lines for borders, kinds of units."""

from __future__ import annotations

from xml.sax.saxutils import escape

from gm.games.api import Reading, View
from gm.games.menes.board import SPACES
from gm.games.menes.model import is_sea
from gm.games.menes.powers import COLOURS

_MARKS = {
    "army": "A",
    "fleet": "F",
    "axemen": "X",
    "dragon": "D",
    "elvenship": "S",
    "horsemen": "H",
    "ent": "E",
}


def draw(view: View, _reading: Reading | None) -> str:
    """See `gm.games.api.Ruleset.draw`."""
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="-20 -20 1040 1040" font-family="sans-serif">']
    parts.append('<rect x="-20" y="-20" width="1040" height="1040" fill="#eef3f7"/>')
    for place, space in SPACES.items():
        for other in (*space.land, *space.seas):
            if place < other and is_sea(place) == is_sea(other):
                end = SPACES[other]
                stroke = "#b9cbd8" if is_sea(place) else "#8a7f70"
                parts.append(
                    f'<line x1="{space.x}" y1="{space.y}" x2="{end.x}" y2="{end.y}" stroke="{stroke}"/>'
                )
    for place, space in SPACES.items():
        owner = view.data["claims"].get(place) if is_sea(place) else view.data["owners"][place]
        fill = COLOURS[owner] if owner else "#ffffff"
        radius = {"player_city": 17, "free_city": 14}.get(space.kind, 11)
        parts.append(f'<circle cx="{space.x}" cy="{space.y}" r="{radius}" fill="{fill}" stroke="#333333"/>')
        parts.append(
            f'<text x="{space.x}" y="{space.y + 4}" font-size="11" text-anchor="middle">{place}</text>'
        )
        units = view.data["units"].get(place, {})
        marks = " ".join(f"{p[:2].capitalize()}:{''.join(_MARKS[u] for u in units[p])}" for p in units)
        if marks:
            y = space.y + radius + 11
            parts.append(
                f'<text x="{space.x}" y="{y}" font-size="10" text-anchor="middle">{escape(marks)}</text>'
            )
    parts.append("</svg>")
    return "\n".join(parts)
