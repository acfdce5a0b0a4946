"""A phase told to one reader, as a zine would print it."""

from __future__ import annotations

from collections.abc import Sequence

from gm.games.api import ORDERS_NEXT, Event, Reading, Report, Section, SeenOrder, View
from gm.games.diplomacy.board import province_of, standard
from gm.games.diplomacy.headline import headline
from gm.games.diplomacy.meta import BY_ID, POWERS
from gm.games.diplomacy.view import standings

_FAILED = ("bounce", "cut", "void", "illegal", "noconvoy", "disrupted", "paradox")


def report(before: View, after: View, reading: Reading) -> Report:
    """See `gm.games.api.Ruleset.report`."""
    sections = [_orders(before, reading, power.id) for power in POWERS]
    sections += [
        _told("Stand-offs", reading, ("standoff",)),
        _retreats(reading),
        _told("Retreats made", reading, ("retreated", "disbanded")),
        _told("Adjustments made", reading, ("built", "removed", "disorder")),
        _told("No moves received", reading, ("nmr",)),
        _told("Conquests", reading, ("captured", "eliminated")),
    ]
    if reading.phase.name[0] == "F" and after.phase.name != f"{reading.phase.turn}R":
        sections.append(_centres(before, after))
    if after.phase.kind == "adjustments" and not after.data["over"]:
        sections.append(_adjustments(after))
    sections.append(_told("The end", reading, ("over",)))
    sections.append(_position(after))
    sections.append(_owed(after))
    filled = tuple(section for section in sections if section.lines or section.rows)
    return Report(headline=headline(reading), sections=filled)


def _orders(before: View, reading: Reading, power: str) -> Section:
    hit = {
        province_of(event.data["unit"][2:]): event
        for event in reading.events
        if event.kind in ("dislodged", "destroyed") and event.data["power"] == power
    }
    lines: list[str] = []
    ordered = set()
    for order in reading.orders:
        if order.power == power:
            lines.append(_order_line(order))
            if reading.phase.kind == "movement":
                ordered.add(order.order[2:5])
                lines += _hit_line(hit.get(order.order[2:5]))
    if reading.phase.kind == "movement":
        for unit in before.data["units"][power]:
            if province_of(unit[2:]) not in ordered:
                lines.append(f"{unit} has no order and holds")
                lines += _hit_line(hit.get(province_of(unit[2:])))
    return Section(title=BY_ID[power].name, lines=tuple(lines))


def _order_line(order: SeenOrder) -> str:
    failed = order.result in _FAILED
    reason = f" ({order.reason})" if order.reason else ""
    return f"{'! ' if failed else ''}{order.order}{reason}"


def _hit_line(event: Event | None) -> list[str]:
    if event is None:
        return []
    name = standard().spoken[event.data["attacker_from"]]
    return [
        f"> dislodged from {name}" + ("" if event.data["retreats"] else ", disbanded for want of a retreat")
    ]


def _told(title: str, reading: Reading, kinds: Sequence[str]) -> Section:
    return Section(title=title, lines=tuple(event.text for event in reading.events if event.kind in kinds))


def _retreats(reading: Reading) -> Section:
    lines = []
    if reading.phase.kind == "movement":
        for event in reading.events:
            if event.kind == "dislodged":
                where = ", ".join(event.data["retreats"])
                name = BY_ID[event.data["power"]].name
                lines.append(f"{name}: {event.data['unit']} may retreat to {where}, or disband")
            elif event.kind == "destroyed":
                lines.append(
                    f"{BY_ID[event.data['power']].name}: {event.data['unit']} is disbanded, no retreat"
                )
    return Section(title="Dislodged", lines=tuple(lines))


def _centres(before: View, after: View) -> Section:
    rows = []
    for power, count in standings(after):
        change = count - len(before.data["centres"][power])
        gained = [c for c in after.data["centres"][power] if c not in before.data["centres"][power]]
        lost = [c for c in before.data["centres"][power] if c not in after.data["centres"][power]]
        if count or lost:
            moves = " ".join([*(f"+{centre}" for centre in gained), *(f"-{centre}" for centre in lost)])
            units = len(after.data["units"][power])
            rows.append((BY_ID[power].name, str(count), f"{change:+d}" if change else "0", str(units), moves))
    return Section(
        title="Supply centres",
        header=("Power", "Centres", "Change", "Units", "Gained and lost"),
        rows=tuple(rows),
    )


def _adjustments(after: View) -> Section:
    lines = []
    for power in POWERS:
        items = after.data["dues"].get(power.id, [])
        if items:
            noun = items[0].split(" ", 1)[1]
            where = f" in {', '.join(after.data['homes'][power.id])}" if noun == "build" else ""
            lines.append(f"{power.name}: {len(items)} {noun}{'s' if len(items) > 1 else ''}{where}")
    return Section(title="Winter adjustments due", lines=tuple(lines))


def _position(after: View) -> Section:
    rows = tuple(
        (power.name, ", ".join(after.data["units"][power.id]))
        for power in POWERS
        if after.data["units"][power.id]
    )
    return Section(title="Position", header=("Power", "Units"), rows=rows)


def _owed(after: View) -> Section:
    """What this reader must order next: on his private page."""
    items: Sequence[str] = after.data["dues"].get(after.power, []) if after.power else []
    if not items:
        return Section(title=ORDERS_NEXT, private=True)
    head = f"{after.phase.title}: {len(items)} order{'s' if len(items) > 1 else ''} expected from you."
    lines = [head, *(f"> {item}" for item in items)]
    if after.phase.kind == "retreats":
        lines = [head]
        for entry in after.data["dislodged"]:
            if entry["power"] == after.power and entry["retreats"]:
                lines.append(f"> {entry['unit']}: to {', '.join(entry['retreats'])}, or disband")
    elif after.phase.kind == "adjustments" and after.power and "build" in items[0]:
        lines.append(f"> open home centres: {', '.join(after.data['homes'][after.power])}")
    return Section(title=ORDERS_NEXT, lines=tuple(lines), private=True)
