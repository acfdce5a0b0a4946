"""A line chart of the standings, drawn as SVG by hand: a few lines, no library needed."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence

WIDTH, HEIGHT = 600, 270
LEFT, RIGHT, TOP, BOTTOM = 30, 118, 16, 32
LABEL_GAP = 17
"""Least distance of two labels at the right edge, in units of the picture."""

TIED_GAP = 3.5
"""Distance of lines that run at the same score, so that each is seen."""

Standings = Sequence[tuple[str, str, int]]


def standings_chart(points: Sequence[tuple[str, Standings]], colours: Mapping[str, str]) -> str:
    """Scores over the turns.

    Args:
        points: (title of the phase, its standings), oldest first.
        colours: ``#rrggbb`` by the power's name; a name without one is drawn grey.

    Returns:
        An SVG that follows the page's text colour; empty with fewer than two points.
    """
    if len(points) < 2:
        return ""
    names = list(dict.fromkeys(name for _, standings in points for name, _, _ in standings))
    lines = {name: [_score(name, standings) for _, standings in points] for name in names}
    top = max(1, *(score for line in lines.values() for score in line))
    low = min(0, *(score for line in lines.values() for score in line))

    def across(n: int) -> float:
        return LEFT + n * (WIDTH - LEFT - RIGHT) / (len(points) - 1)

    def down(score: float) -> float:
        return TOP + (top - score) * (HEIGHT - TOP - BOTTOM) / (top - low)

    parts = [
        f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" xmlns="http://www.w3.org/2000/svg" '
        f'font-family="sans-serif" font-size="14"><title>{html.escape(_summary(points))}</title>'
    ]
    step = _step(top - low)
    for score in range(low - low % step, top + 1, step):
        if score >= low:
            parts.append(
                f'<path d="M{LEFT} {down(score):.1f}H{WIDTH - RIGHT}" stroke="currentColor" opacity=".15"/>'
                f'<text x="{LEFT - 8}" y="{down(score) + 5:.1f}" text-anchor="end" fill="currentColor" '
                f'opacity=".7">{score}</text>'
            )
    for n, label in _time_labels([title for title, _ in points]):
        parts.append(
            f'<text x="{across(n):.1f}" y="{HEIGHT - 8}" text-anchor="middle" fill="currentColor" opacity=".7">'
            f"{html.escape(label)}</text>"
        )
    heights = {
        name: [down(score) + _apart(name, n, lines) for n, score in enumerate(line)]
        for name, line in lines.items()
    }
    ends = _spread({name: line[-1] for name, line in heights.items()})
    for name, line in lines.items():
        colour = _colour(colours.get(name, ""))
        path = " ".join(f"{across(n):.1f},{height:.1f}" for n, height in enumerate(heights[name]))
        last = heights[name][-1]
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="3" stroke-linejoin="round" '
            f'stroke-linecap="round"/><circle cx="{across(len(line) - 1):.1f}" cy="{last:.1f}" r="3.5" '
            f'fill="{colour}"/><path d="M{WIDTH - RIGHT + 5} {last:.1f}L{WIDTH - RIGHT + 13} '
            f'{ends[name]:.1f}" stroke="{colour}"/><text x="{WIDTH - RIGHT + 16}" y="{ends[name] + 5:.1f}" '
            f'fill="currentColor">{html.escape(name[:10])} {line[-1]}</text>'
        )
    return "".join([*parts, "</svg>"])


def _score(name: str, standings: Standings) -> int:
    return next((score for power, _, score in standings if power == name), 0)


def _apart(name: str, n: int, lines: Mapping[str, Sequence[int]]) -> float:
    tied = [other for other, line in lines.items() if line[n] == lines[name][n]]
    return (tied.index(name) - (len(tied) - 1) / 2) * TIED_GAP


def _summary(points: Sequence[tuple[str, Standings]]) -> str:
    last = ", ".join(f"{name} {score}" for name, _, score in points[-1][1])
    return f"Standings from {points[0][0]} to {points[-1][0]}. Now: {last}."


def _step(span: int) -> int:
    """A round number that cuts `span` into at most eight parts."""
    step = 1
    while span / step > 8:
        step = step * 5 // 2 if str(step)[0] == "2" else step * 2
    return step


def _colour(text: str) -> str:
    return text if re.fullmatch(r"#[0-9a-fA-F]{6}", text) else "#808080"


def _time_labels(titles: Sequence[str]) -> list[tuple[int, str]]:
    """At most nine labels below the axis: each year where it first stands in a title, else turn numbers."""
    years = [match[0] if (match := re.search(r"\b\d{3,4}\b", title)) else "" for title in titles]
    first = [(n, year or str(n + 1)) for n, year in enumerate(years) if not year or year not in years[:n]]
    skip = -(-len(first) // 9)
    return first[::skip]


def _spread(wanted: Mapping[str, float]) -> dict[str, float]:
    """Heights of labels, moved apart so that none covers another, within the picture where they fit."""
    placed: dict[str, float] = {}
    height: float = TOP
    for name in sorted(wanted, key=lambda name: (wanted[name], name)):
        height = max(height, wanted[name])
        placed[name] = height
        height += LABEL_GAP
    limit: float = HEIGHT - 8
    for name in reversed(list(placed)):
        placed[name] = min(placed[name], limit)
        limit = placed[name] - LABEL_GAP
    return placed
