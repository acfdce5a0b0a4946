"""Multiple armies that do not add up: which components were counted, and what the sum should have been (13.2-13.5)."""

from __future__ import annotations

from collections.abc import Sequence

from gm.games.necromancer.ids import Place
from gm.games.necromancer.model import Unit
from gm.games.necromancer.orders import Order, UnitRef, order_text
from gm.games.necromancer.wording import listed, static_reason

Pool = tuple[str, Place]
"""Armies (with Dragons and Spiders), cavalry, the Wizard or the Nazgûl of one place."""


def pool_of(ref: UnitRef | Unit) -> Pool:
    """Which armies an order draws on."""
    return ("A" if ref.kind in "ADS" else ref.kind, ref.place)


_LATER = ("retreat", "disband", "build", "remove", "waive", "activate", "raise", "place")


def counted(
    order: Order, code: str, rule: str, orders: Sequence[Order], there: Sequence[Unit]
) -> tuple[str, str]:
    """The lines at fault and the sum that does not come out, with the components counted."""
    assert order.unit is not None
    pool = pool_of(order.unit)
    moving = [o for o in orders if o.unit and o.kind not in _LATER]
    mine = [o for o in moving if o.unit and pool_of(o.unit) == pool]
    if rule == "13.2":
        goal = order.path[0]
        going = [
            o for o in moving if o.kind == "move" and o.path == (goal,) and o.unit and o.unit.kind in "ADS"
        ]
        parts = [str(o.unit) for o in going]
        number = sum(o.unit.strength for o in going if o.unit)
        stated = listed(list(dict.fromkeys(f"{o.total}A" if o.total else "no total" for o in going)))
        text = "; ".join(order_text(o) for o in going)
        are = f"parts ordered to {goal} are {listed(parts)}, together {number}, but the orders state {stated}"
        if number == 1:
            return (
                text,
                f"Only {parts[0]} is ordered to {goal}, but the order states {stated}; alone it states no total",
            )
        return text, f"The {are}; each must state {number}A({goal})"
    text = "; ".join(order_text(o) for o in mine)
    if code == "miscount" or (code == "conflict" and rule != "13.5"):
        numbers = " + ".join(str(o.unit.strength) for o in mine if o.unit)
        number = sum(o.unit.strength for o in mine if o.unit)
        stands = listed([str(u) for u in there]) or "nothing"
        sum_text = f"{numbers} = {number}" if len(mine) > 1 else str(number)
        return text, f"Orders for {sum_text} armies in {order.unit.place}, where {stands} stands"
    if rule == "13.5":
        staying = [o for o in mine if o.kind != "move" or o.path[:1] == (order.unit.place,)]
        text = "; ".join(order_text(o) for o in staying)
        return text, f"The parts that stay in {order.unit.place} must all have the same order"
    return text, static_reason(code, rule, order)
