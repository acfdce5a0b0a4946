"""Line patterns that tell powers apart on a printer without colours."""

from __future__ import annotations

from gm.games.kit import svg
from gm.games.kit.signs import INK

_LINES = (
    "M0 3H6",
    "M3 0V6",
    "M-1 7L7-1M-1 1L1-1M5 7L7 5",
    "M-1-1L7 7M5-1L7 1M-1 5L1 7",
    "M0 3H6M3 0V6",
    "M-1 7L7-1M-1-1L7 7",
    "M2.2 3H3.8",
    "M0 1.5H3V4.5H6M3 4.5V6M0 0V1.5",
)


def patterns(names: tuple[str, ...], strength: float = 0.2) -> str:
    """Definitions of one pattern for each name, to be filled with ``url(#hatch-<name>)``; at most eight names."""
    return "".join(
        svg.el(
            "pattern",
            svg.el(
                "path", d=lines, stroke=INK, stroke_width=0.8, stroke_opacity=f"{strength:g}", fill="none"
            ),
            id=f"hatch-{name}",
            width=6,
            height=6,
            patternUnits="userSpaceOnUse",
        )
        for name, lines in zip(names, _LINES, strict=False)
    )
