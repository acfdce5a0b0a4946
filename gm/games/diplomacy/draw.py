"""The picture of a position: the sheet, the units on it and what they did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gm.games.api import Reading, SeenOrder, View
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


@dataclass(frozen=True)
class _Scene:
    """What stands where, and the orders to be drawn."""

    units: Mapping[str, tuple[str, str]]
    """Province to power and unit, the dislodged left out."""
    beaten: Mapping[str, tuple[str, str]]
    """Province to power and unit of those dislodged from it."""
    orders: Sequence[tuple[SeenOrder, Order]] = field(default=())

    def stands(self, power: str, order: Order) -> bool:
        """Whether the ordered unit still is where it was."""
        return self.units.get(province_of(order.place)) == (power, order.unit)


def draw(view: View, reading: Reading | None) -> str:
    """The position in `view` as SVG, 1000 units wide, with the orders of `reading` on it."""
    data = view.data
    owner = {centre: power for power, centres in data["centres"].items() for centre in centres}
    units = {province_of(unit[2:]): (power, unit) for power, names in data["units"].items() for unit in names}
    beaten = {province_of(one["unit"][2:]): (one["power"], one["unit"]) for one in data["dislodged"]}
    read_orders = [(seen, read(seen.order)) for seen in reading.orders] if reading else []
    scene = _Scene(
        units, beaten, [(seen, order) for seen, order in read_orders if order is not None and _on_map(order)]
    )
    title, subtitle = _titles(view, reading)
    return svg.document(
        WIDTH,
        HEIGHT + sheet.KEY_HEIGHT,
        f"{title}. {subtitle}",
        sheet.ground(owner, {province: power for province, (power, _) in units.items()}),
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


def _orders(reading: Reading) -> list[tuple[SeenOrder, Order]]:
    """The orders of a phase that can be drawn."""
    read_orders = [(seen, read(seen.order)) for seen in reading.orders]
    return [(seen, order) for seen, order in read_orders if order is not None and _on_map(order)]


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


def _start(scene: _Scene, power: str, order: Order) -> Point:
    """Where an order's unit is drawn or was: one that was dislodged stands aside."""
    spot = _spot(order.place)
    if scene.beaten.get(province_of(order.place)) == (power, order.unit):
        return (spot[0] + ASIDE[0], spot[1] + ASIDE[1])
    return spot


def _way(order: Order, start: Point, scene: _Scene, power: str) -> Line:
    """The curve of a move, from beside the unit (or the place it left) to beside the goal."""
    gone = not scene.stands(power, order) and start == _spot(order.place)
    free = province_of(order.to) not in scene.units
    curve = bowed(start, _spot(order.to), 0.06)
    return trimmed(curve, LEFT if gone else ROOM, LEFT if free else ROOM + 1)


def _moves(scene: _Scene) -> list[tuple[SeenOrder, Order, Line]]:
    return [
        (seen, order, _way(order, _start(scene, seen.power, order), scene, seen.power))
        for seen, order in scene.orders
        if order.verb == "move"
    ]


def _failed(seen: SeenOrder) -> bool:
    """Whether the reader knows that an order failed."""
    return seen.result not in ("ok", None)


def _ways(scene: _Scene) -> list[str]:
    """Supports and convoys, above them moves, above these the dots of supports."""
    moves = _moves(scene)
    lines = {(province_of(order.place), province_of(order.to)): way for _, order, way in moves}
    below, above, dots = [], [], []
    for seen, order, way in moves:
        colour = _colour(seen.power)
        if not scene.stands(seen.power, order) and not _failed(seen):
            above.append(arrows.dot(_spot(order.place), colour))
        above.append(arrows.arrow(way, colour, dash="6 3.5" if _failed(seen) else None))
    for seen, order in scene.orders:
        if order.verb not in ("support", "convoy"):
            continue
        line = _help_line(_start(scene, seen.power, order), order, lines)
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
    for _, (power, unit) in sorted(scene.beaten.items()):
        spot = _spot(unit[2:])
        aside = (spot[0] + ASIDE[0], spot[1] + ASIDE[1])
        parts += [_unit(power, unit, aside), signs.ring(aside, signs.ALARM, dashed=True)]
    return parts


def _marks(scene: _Scene) -> list[str]:
    """Stars where moves bounced, plates on new units, crosses on those that are gone."""
    parts = []
    for seen, _, way in _moves(scene):
        if seen.result == "bounce":
            parts.append(signs.burst(along(way, max(0.5, 1 - 16 / max(1.0, distance(way[0], way[-1]))))))
        elif _failed(seen):
            parts.append(signs.cross_mark(along(way, 0.5)))
    for seen, order in scene.orders:
        if order.verb == "build" and not _failed(seen):
            x, y = _spot(order.place)
            parts.append(signs.badge((x + 11, y - 11), "+", "#1f7a3a", 12))
        elif order.verb in ("remove", "disband") and not _failed(seen):
            spot = _spot(order.place)
            parts += [_unit(seen.power, order.unit, spot), signs.cross_mark(spot, size=8)]
    return parts
