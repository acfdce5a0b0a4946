"""The picture of a position: the sheet, the units on it and what they did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gm.games.api import Json, Reading, SeenOrder, View
from gm.games.diplomacy import sheet
from gm.games.diplomacy.board import province_of
from gm.games.diplomacy.chart import HEIGHT, WIDTH, chart
from gm.games.diplomacy.meta import BY_ID
from gm.games.diplomacy.orders import Order, read
from gm.games.kit import arrows, paper, signs, svg
from gm.games.kit.plane import Line, Point, along, bowed, distance, trimmed

ROOM = 14.0
"""How far from a unit's middle a line starts or stops."""
LEFT = 5.0
"""The same, from the dot in a place that was left."""
ASIDE = (14.0, -12.0)
"""Where a dislodged unit stands, seen from the one that took its place."""


GONE = ("destroyed", "disbanded", "removed", "disorder")
"""Kinds of events that tell of a unit that is no more."""


@dataclass(frozen=True, kw_only=True)
class _Scene:
    """What stands where, and what happened."""

    units: Mapping[str, tuple[str, str]]
    """Province to power and unit, the dislodged left out."""
    beaten: Sequence[tuple[str, str]]
    """Power and unit of those that were dislodged: they stand aside."""
    orders: Sequence[tuple[SeenOrder, Order]]
    gone: Sequence[tuple[str, str]]
    built: Sequence[str]

    def stands(self, power: str, unit: str) -> bool:
        """Whether a unit still is where it was."""
        return self.units.get(province_of(unit[2:])) == (power, unit)

    def spot(self, power: str, unit: str) -> Point:
        """Where a unit is drawn, or was."""
        x, y = chart().spot(unit[2:])
        return (x + ASIDE[0], y + ASIDE[1]) if (power, unit) in self.beaten else (x, y)


def draw(view: View, reading: Reading | None) -> str:
    """The position in `view` as SVG, 1000 units wide, with the orders of `reading` on it."""
    data = view.data
    owner = {centre: power for power, centres in data["centres"].items() for centre in centres}
    scene = _scene(data, reading)
    title, subtitle = _titles(view, reading)
    return svg.document(
        WIDTH,
        HEIGHT + sheet.KEY_HEIGHT,
        f"{title}. {subtitle}",
        sheet.ground(owner, {province: power for province, (power, _) in scene.units.items()}),
        sheet.names(),
        sheet.centres(owner),
        *_ways(scene),
        *_pieces(scene),
        *_marks(scene),
        paper.cartouche((12, 12), (226, 62), title, subtitle),
        sheet.key(
            {power: len(names) for power, names in data["units"].items()},
            {power: len(names) for power, names in data["centres"].items()},
        ),
        paper.frame(WIDTH, HEIGHT + sheet.KEY_HEIGHT),
    )


def _scene(data: Mapping[str, Json], reading: Reading | None) -> _Scene:
    orders = [(seen, read(seen.order)) for seen in reading.orders] if reading else []
    drawn = [(seen, order) for seen, order in orders if order is not None and _on_map(order)]
    events = reading.events if reading else ()
    gone = [(event.data["power"], event.data["unit"]) for event in events if event.kind in GONE]
    beaten = [(one["power"], one["unit"]) for one in data["dislodged"]]
    if reading and reading.phase.kind == "retreats":
        beaten += [(seen.power, order.unit) for seen, order in drawn]
        beaten += gone
    return _Scene(
        units={
            province_of(unit[2:]): (power, unit) for power, names in data["units"].items() for unit in names
        },
        beaten=sorted(set(beaten)),
        orders=drawn,
        gone=gone,
        built=[event.data["unit"] for event in events if event.kind == "built"],
    )


def _on_map(order: Order) -> bool:
    """Whether all places of an order exist: a player may have named others."""
    return all(province_of(place) in chart().spots for place in (order.place, order.to, order.of) if place)


def _titles(view: View, reading: Reading | None) -> tuple[str, str]:
    end = view.data["over"]
    if end is not None:
        return (reading or view).phase.title, "The game is over"
    if reading is None or reading.phase.name == view.phase.name:
        return view.phase.title, "Diplomacy"
    return reading.phase.title, f"Next: {view.phase.title}"


def _colour(power: str) -> str:
    return BY_ID[power].colour


def _spot(place: str) -> Point:
    return chart().spot(place)


def _failed(seen: SeenOrder) -> bool:
    """Whether the reader knows that an order failed."""
    return seen.result not in ("ok", None)


def _moves(scene: _Scene) -> list[tuple[SeenOrder, Order, Line]]:
    """Moves and retreats, each with its curve from beside the unit (or the place it left) to beside the goal."""
    moves = []
    for seen, order in scene.orders:
        if order.verb == "move":
            curve = bowed(scene.spot(seen.power, order.unit), _spot(order.to), 0.06)
            free = province_of(order.to) not in scene.units
            there = _drawn(scene, seen.power, order.unit)
            way = trimmed(curve, ROOM if there else LEFT, LEFT if free else ROOM + 1)
            moves.append((seen, order, way))
    return moves


def _drawn(scene: _Scene, power: str, unit: str) -> bool:
    """Whether a unit is in the picture at the place that its order names."""
    return scene.stands(power, unit) or (power, unit) in _aside(scene)


def _aside(scene: _Scene) -> list[tuple[str, str]]:
    """Dislodged units that have not moved on."""
    moved = [
        (seen.power, order.unit) for seen, order in scene.orders if order.verb == "move" and not _failed(seen)
    ]
    return [one for one in scene.beaten if one not in moved]


def _ways(scene: _Scene) -> list[str]:
    """Supports and convoys, above them moves, above these the dots of supports."""
    moves = _moves(scene)
    lines = {(province_of(order.place), province_of(order.to)): way for _, order, way in moves}
    below, above, dots = [], [], []
    for seen, order, way in moves:
        colour = _colour(seen.power)
        if not _drawn(scene, seen.power, order.unit):
            above.append(arrows.dot(scene.spot(seen.power, order.unit), colour))
        above.append(arrows.arrow(way, colour, dash="6 3.5" if _failed(seen) else None))
    for seen, order in scene.orders:
        if order.verb not in ("support", "convoy"):
            continue
        line = _help_line(scene.spot(seen.power, order.unit), order, lines)
        if order.verb == "convoy":
            below.append(arrows.convoy(line, _colour(seen.power), failed=_failed(seen)))
        else:
            below.append(arrows.support(line, _colour(seen.power), cut=_failed(seen)))
        dots.append(arrows.dot(line[-1], _colour(seen.power)))
    return [*below, *above, *dots]


def _help_line(start: Point, order: Order, moves: Mapping[tuple[str, str], Line]) -> Line:
    """From a helper to the move it helps (its middle), or to the unit that it helps to hold."""
    if not order.to:
        return trimmed(bowed(start, _spot(order.of), 0.05), ROOM, ROOM)
    way = moves.get((province_of(order.of), province_of(order.to)))
    if way is None:
        way = bowed(_spot(order.of), _spot(order.to), 0.06)
    return trimmed(bowed(start, along(way, 0.5), 0.0), ROOM, 0.0)


def _unit(power: str, unit: str, at: Point) -> str:
    return (signs.army if unit[0] == "A" else signs.fleet)(at, _colour(power))


def _pieces(scene: _Scene) -> list[str]:
    parts = [_unit(power, unit, _spot(unit[2:])) for _, (power, unit) in sorted(scene.units.items())]
    for power, unit in _aside(scene):
        spot = scene.spot(power, unit)
        parts += [_unit(power, unit, spot), signs.ring(spot, signs.ALARM, dashed=True)]
    return parts


def _marks(scene: _Scene) -> list[str]:
    """Stars where moves bounced, plates on new units, crosses on those that are gone."""
    parts = []
    for seen, _, way in _moves(scene):
        if seen.result == "bounce":
            parts.append(signs.burst(along(way, max(0.5, 1 - 16 / max(1.0, distance(way[0], way[-1]))))))
        elif _failed(seen):
            parts.append(signs.cross_mark(along(way, 0.5)))
    for unit in scene.built:
        x, y = _spot(unit[2:])
        parts.append(signs.badge((x + 11, y - 11), "+", "#1f7a3a", 12))
    for power, unit in scene.gone:
        spot = scene.spot(power, unit)
        parts += [_unit(power, unit, spot), signs.cross_mark(spot, size=8)]
    return parts
