"""A whole sheet explained to its owner: what is missing, which orders do not fit each other."""

from __future__ import annotations

from collections.abc import Sequence

from gm.games.api import PowerId, Problem, Review, State
from gm.games.diplomacy.board import province_of, standard
from gm.games.diplomacy.legal import fault
from gm.games.diplomacy.orders import Order, read
from gm.games.diplomacy.state import adjustments_due, occupants, retreating


def review(state: State, power: PowerId, sheet: Sequence[str]) -> Review:
    """See `gm.games.api.Ruleset.review`."""
    orders = [order for order in map(read, sheet) if order is not None]
    kind = state["phase"][-1]
    if state["over"] is not None:
        return Review(missing=(), problems=())
    if kind == "M":
        ordered = {province_of(order.place) for order in orders}
        missing = tuple(unit for unit in state["units"][power] if province_of(unit[2:]) not in ordered)
        return Review(missing=missing, problems=tuple(_corroborate(state, power, orders)))
    if kind == "R":
        ordered = {province_of(order.place) for order in orders}
        missing = tuple(
            entry["unit"]
            for entry in retreating(state, power)
            if province_of(entry["unit"][2:]) not in ordered
        )
        return Review(missing=missing, problems=tuple(_retreat_clashes(orders)))
    return _winter(state, power, orders)


def _winter(state: State, power: PowerId, orders: Sequence[Order]) -> Review:
    builds, removals, free = adjustments_due(standard(), state, power)
    given = sum(order.verb in ("build", "waive") for order in orders)
    gone = sum(order.verb == "remove" for order in orders)
    missing = ("1 build",) * max(0, builds - given) + ("1 removal",) * max(0, removals - gone)
    problems = []
    if given > builds > 0:
        message = f"{given} builds are ordered, {builds} can be made: the first ones count"
        problems.append(Problem(line=0, text="", kind="misorder", message=message, rule="datc 4.D.4"))
    if gone > removals > 0:
        message = f"{gone} removals are ordered, {removals} are due: the first ones count"
        problems.append(Problem(line=0, text="", kind="misorder", message=message, rule="datc 4.D.6"))
    notes = []
    if builds:
        notes.append(f"You may build in {', '.join(free)}. Builds not ordered are waived.")
    if removals:
        notes.append("Removals not ordered fall on the units farthest from your centres.")
    return Review(missing=missing, problems=tuple(problems), notes=tuple(notes))


def _retreat_clashes(orders: Sequence[Order]) -> list[Problem]:
    seen: dict[str, Order] = {}
    problems = []
    for order in orders:
        if order.verb != "move":
            continue
        to = province_of(order.to)
        if to in seen:
            message = f"{seen[to].unit} and {order.unit} both retreat to {to}: both would be disbanded"
            problems.append(
                Problem(line=0, text=order.text(), kind="misorder", message=message, rule="diplomacy 6.2")
            )
        seen[to] = order
    return problems


def _corroborate(state: State, power: PowerId, orders: Sequence[Order]) -> list[Problem]:
    """Supports, convoys and moves of one sheet that contradict each other (rules 4.4, 5.1, 3.5)."""
    units = occupants(state)
    by_place = {province_of(order.place): order for order in orders}
    names = {province: there.unit for province, there in units.items()}
    problems: list[Problem] = []

    def warn(order: Order, message: str, suggestion: str, rule: str) -> None:
        problems.append(
            Problem(
                line=0, text=order.text(), kind="warning", message=message, suggestion=suggestion, rule=rule
            )
        )

    for order in orders:
        if fault(standard(), names, order) is not None:
            continue
        if order.verb in ("support", "convoy"):
            other = units.get(province_of(order.of))
            if other is None or other.power != power:
                continue
            own = by_place.get(province_of(order.of))
            if not order.to:
                if own is not None and own.verb == "move":
                    fit = f"{order.unit} S {own.unit} - {own.to}"
                    warn(
                        order,
                        f"it supports {other.unit} to stay, but that is ordered {own.text()}",
                        fit,
                        "diplomacy 4.4",
                    )
            elif own is None or own.verb != "move" or not _same_goal(own, order):
                did = f"is ordered {own.text()}" if own is not None else "has no order"
                what = "supports" if order.verb == "support" else "convoys"
                fit = f"{other.unit} - {order.to}"
                rule = "diplomacy 4.4" if order.verb == "support" else "diplomacy 5.1"
                warn(order, f"it {what} {other.unit} - {order.to}, but that unit {did}", fit, rule)
    goals: dict[str, Order] = {}
    for order in orders:
        if order.verb == "move":
            first = goals.setdefault(province_of(order.to), order)
            if first is not order:
                message = f"{first.unit} and {order.unit} both move to {province_of(order.to)}"
                warn(order, f"{message}: unless one is stronger neither gets there", "", "diplomacy 3.1")
    return problems


def _same_goal(move: Order, helper: Order) -> bool:
    """Whether a support or convoy names the move's goal; a coast left out matches any (datc 4.B.4)."""
    if helper.verb == "support" and "/" in helper.to:
        return move.to == helper.to
    return province_of(move.to) == province_of(helper.to)
