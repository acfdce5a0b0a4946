"""The picture of a position as its reader knows it: land, mountains, centres, armies, and what they did."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gm.games.api import Event, Reading, ResultWord, SeenOrder, View
from gm.games.kit import arrows, signs
from gm.games.kit.plane import Line, Point, along, bowed, distance, trimmed
from gm.games.necromancer import sheet
from gm.games.necromancer.chart import chart
from gm.games.necromancer.ids import STANDING
from gm.games.necromancer.powers import BY_ID

ROOM = 15.0
"""How far from the middle of a counter a line starts or stops."""
LEFT = 5.0
"""The same, where no counter lies."""
GREY = "#a8a59c"
"""Colour of standing armies."""

GONE = ("removed", "disbanded", "destroyed", "standing_disbanded")
"""Kinds of events that tell of a unit that is no more."""
NEW = {"built": "+", "raised": "+", "placed": "+", "fleet_built": "F", "engine_built": "E"}
"""Kinds of events that tell of something new, and its sign."""

_UNIT = r"\d*[ACWNDS](?:/\d*F)?(?:/E)?\((?P<{name}>\w+)\)"
_ORDER = re.compile(_UNIT.format(name="at") + r"(?P<hold> Hold)?(?P<way>(?: -> [\w()]+)*)")
_SUPPORT = re.compile(
    _UNIT.format(name="at")
    + r" Support (?:\w+ )?"
    + _UNIT.format(name="of")
    + r"(?: Hold)?(?: -> (?P<to>[\w()]+))?.*"
)
_LAST = re.compile(r"(?:\d+A\()?(\w+)\)?")


@dataclass(frozen=True)
class _Step:
    """One step of a move."""

    power: str
    start: str
    goal: str
    result: ResultWord | None

    @property
    def failed(self) -> bool:
        """Whether the reader knows that it failed."""
        return self.result not in ("ok", "partial", None)


def draw(view: View, reading: Reading | None) -> str:
    """The position in `view` as SVG, 1000 units wide, with the orders of `reading` on it."""
    data = view.data
    stacks = _stacks(data["units"])
    seen = reading.orders if reading else ()
    steps = [step for order in seen for step in _steps(order)]
    title, subtitle = _titles(view, reading)
    return sheet.page(
        title,
        subtitle,
        owner=data["centres"],
        holder={place: units[0]["power"] for place, units in stacks.items()},
        alignment=data["alignment"],
        scores=data["scores"],
        victory=data["victory"],
        above="".join(
            [
                *_ways(steps, seen, stacks),
                *_counters(stacks),
                *_dislodged(data["dislodged"]),
                *_announced(data["announced"]),
                *_marks(steps, reading.events if reading else (), stacks, data["contested"]),
            ]
        ),
    )


def _titles(view: View, reading: Reading | None) -> tuple[str, str]:
    if reading is None or reading.phase.name == view.phase.name:
        return view.phase.title, "Necromancer"
    return reading.phase.title, f"Next: {view.phase.title}"


def _spot(place: str) -> Point:
    return chart().blocks[place].units


def _stacks(units: Sequence[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    stacks: dict[str, list[Mapping[str, Any]]] = {}
    for unit in units:
        stacks.setdefault(unit["place"], []).append(unit)
    return stacks


# --- orders ---------------------------------------------------------------------------------------------


def _steps(order: SeenOrder) -> list[_Step]:
    """The steps of a move that can be drawn; none for orders of other kinds."""
    found = _ORDER.fullmatch(order.order)
    if found is None or not found["way"]:
        return []
    path = [found["at"]]
    for word in found["way"].split(" -> ")[1:]:
        last = _LAST.fullmatch(word)
        path.append(last[1] if last else word)
    if not all(place in chart().blocks for place in path):
        return []
    results = list(order.steps)[-(len(path) - 1) :] if len(order.steps) >= len(path) - 1 else []
    results = results or [order.result] * (len(path) - 1)  # type: ignore[list-item]  # a hidden verdict stays None
    pairs = zip(path, path[1:], results, strict=False)
    return [_Step(order.power, start, goal, result) for start, goal, result in pairs if start != goal]


def _way(step: _Step, stacks: Mapping[str, object], bulge: float) -> Line:
    curve = bowed(_spot(step.start), _spot(step.goal), bulge)
    return trimmed(curve, ROOM if step.start in stacks else LEFT, ROOM if step.goal in stacks else LEFT)


def _lines(steps: Sequence[_Step], stacks: Mapping[str, object]) -> list[Line]:
    """A curve for each step; those of several powers between the same places lie beside each other."""
    used: dict[tuple[str, str], int] = {}
    lines = []
    for step in steps:
        number = used.get((step.start, step.goal), 0)
        used[step.start, step.goal] = number + 1
        lines.append(_way(step, stacks, 0.07 + 0.07 * number))
    return lines


def _ways(steps: Sequence[_Step], seen: Sequence[SeenOrder], stacks: Mapping[str, object]) -> list[str]:
    """Supports below, moves above them, the dots of supports on top."""
    lines = _lines(steps, stacks)
    moves = {(step.start, step.goal): line for step, line in zip(steps, lines, strict=True)}
    above = []
    for step, line in zip(steps, lines, strict=True):
        if step.start not in stacks:
            above.append(arrows.dot(_spot(step.start), colour_of(step.power)))
        above.append(arrows.arrow(line, colour_of(step.power), dash="6 3.5" if step.failed else None))
    below, dots = [], []
    for order in seen:
        helped = _support_line(order, moves)
        if helped is not None:
            failed = order.result not in ("ok", "partial", None)
            below.append(arrows.support(helped, colour_of(order.power), cut=failed))
            dots.append(arrows.dot(helped[-1], colour_of(order.power)))
    return [*below, *above, *dots]


def _support_line(order: SeenOrder, moves: Mapping[tuple[str, str], Line]) -> Line | None:
    found = _SUPPORT.fullmatch(order.order)
    if found is None:
        return None
    last = _LAST.fullmatch(found["to"] or found["of"])
    at, of, to = found["at"], found["of"], last[1] if last else found["of"]
    if not all(place in chart().blocks for place in (at, of, to)):
        return None
    if of == to:
        return trimmed(bowed(_spot(at), _spot(of), 0.05), ROOM, ROOM)
    way = moves.get((of, to)) or bowed(_spot(of), _spot(to), 0.07)
    return trimmed(bowed(_spot(at), along(way, 0.5), 0.0), ROOM, 0.0)


def _marks(
    steps: Sequence[_Step], events: Sequence[Event], stacks: Mapping[str, object], contested: Sequence[str]
) -> list[str]:
    parts = []
    bounced = {step.goal for step in steps if step.result == "bounce"}
    for step, line in zip(steps, _lines(steps, stacks), strict=True):
        if step.result == "bounce":
            parts.append(signs.burst(along(line, max(0.5, 1 - 16 / max(1.0, distance(line[0], line[-1]))))))
        elif step.failed:
            parts.append(signs.cross_mark(along(line, 0.5)))
    for place in contested:
        if place not in bounced:
            parts.append(signs.burst(_spot(place)))
    return [*parts, *(mark for event in events for mark in _mark(event))]


def _mark(event: Event) -> list[str]:
    """A plate on what was built, a cross on what is gone."""
    place = str(event.data.get("place") or _place_of(str(event.data.get("unit", ""))))
    if place not in chart().blocks:
        return []
    if event.kind in GONE:
        return [signs.cross_mark(_spot(place), size=8)]
    if event.kind in NEW:
        x, y = _spot(place)
        return [signs.badge((x + 17, y - 9), NEW[event.kind], "#1f7a3a", 11)]
    return []


def _place_of(unit: str) -> str:
    """``"Pel"`` of ``"A/F(Pel)"``."""
    return unit.partition("(")[2].rstrip(")")


# --- counters -------------------------------------------------------------------------------------------


def colour_of(power: str) -> str:
    """Colour of a power's counters; also for the standing armies."""
    return GREY if power == STANDING else BY_ID[power].colour


def _counter(unit: Mapping[str, Any], at: Point) -> str:
    kind = unit["kind"]
    shape: signs.PlateShape = (
        "pennant" if kind == "C" else "lozenge" if kind in "WN" else "round" if kind in "DS" else "square"
    )
    dash = "2.4 1.6" if unit["power"] == STANDING else None
    words = unit["unit"].partition("(")[0]
    return signs.plate(at, words, colour_of(unit["power"]), shape, dash=dash, secret=unit["hidden"])


def _counters(stacks: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[str]:
    """Counters side by side in rows of two, in Eriador of four."""
    parts = []
    for place, units in sorted(stacks.items()):
        x, y = _spot(place)
        row_length = 2 if len(units) < 5 else 4
        for row in range(0, len(units), row_length):
            line = units[row : row + row_length]
            wide = [signs.plate_width(unit["unit"].partition("(")[0]) + 7 for unit in line]
            left = x - sum(wide) / 2
            for unit, size in zip(line, wide, strict=True):
                parts.append(_counter(unit, (left + size / 2, y + row / row_length * 22)))
                left += size
    return parts


def _dislodged(entries: Sequence[Mapping[str, Any]]) -> list[str]:
    parts = []
    for number, entry in enumerate(entries):
        x, y = _spot(entry["place"])
        at = (x + 17 + number % 2, y + 17)
        parts += [_counter(entry, at), signs.ring(at, signs.ALARM, 16, dashed=True)]
    return parts


def _announced(entries: Sequence[Mapping[str, str]]) -> list[str]:
    """Hidden units whose first place the rulebook tells."""
    parts = []
    for entry in entries:
        kind = entry["unit"].partition("(")[0]
        x, y = _spot(_place_of(entry["unit"]))
        parts.append(
            signs.plate(
                (x + 20, y + 16), f"{kind}?", colour_of(entry["power"]), "lozenge", size=9.5, dash="2 1.4"
            )
        )
    return parts
