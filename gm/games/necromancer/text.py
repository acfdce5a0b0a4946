"""Orders as text in normal form: the inverse of `parse`.

``A(NIt) -> 3A(Los)`` · ``C(Wol) Hold -> EMu`` · ``A(NIt) Support 2A(NIt) -> MMo`` · ``A(Los) Support A(NIt)`` ·
``A(Cit) B F`` · ``N(MMo) Lead A(MMo) -> SIt`` · ``A(Pel) Retreat Los, Leb`` (a single retreat in a retreat phase:
``A(Pel) -> Los``) · ``A(Pel) Disband`` · ``Build A(DAm) or 2A(MTi)`` · ``Remove A(Pel)`` · ``Waive`` ·
``Activate Gun, D(Wit)`` · ``Raise N(MMo), N(DGu)`` · ``Place A(Gap)``.
"""

from __future__ import annotations

from collections.abc import Callable

from gm.games.necromancer.model import Order, Step, UnitRef, unit_text
from gm.games.necromancer.powers import adjective_of

ARROW = " -> "


def order_text(order: Order, step: Step = "movement") -> str:
    """One order in normal form. `step` matters for retreats alone, which movement phases write out."""
    unit = ref_text(order.unit) if order.unit else ""
    match order.kind:
        case "hold":
            return f"{unit} Hold"
        case "move":
            return unit + _moves(order)
        case "support":
            return f"{unit} Support {_inner(order.inner)}" if order.inner else f"{unit} Support"
        case "build_fleet":
            return f"{unit} B F"
        case "build_engine":
            return f"{unit} B E"
        case "lead":
            return f"{unit} Lead {order_text(order.inner)}" if order.inner else f"{unit} Lead"
        case "retreat":
            if step == "retreats" and len(order.choices) == 1:
                return unit + ARROW + order.choices[0]
            return f"{unit} Retreat {', '.join(order.choices)}"
        case "disband":
            return f"{unit} Disband"
        case "build" | "remove":
            return f"{order.kind.capitalize()} {' or '.join(_units(order, ref_text))}"
        case "activate":
            return f"Activate {', '.join(_units(order, _activated))}"
        case "raise" | "place":
            return f"{order.kind.capitalize()} {', '.join(_units(order, ref_text))}"
        case "waive":
            return "Waive"


def ref_text(ref: UnitRef) -> str:
    """A unit as an order names it, with its nationality where that was stated."""
    return f"{adjective_of(ref.owner)} {ref}" if ref.owner else str(ref)


def _moves(order: Order) -> str:
    own = order.unit.place if order.unit else ""
    first, *later = order.path or (own,)
    if later and first == own:
        return " Hold" + "".join(ARROW + place for place in later)
    last = unit_text("A", first, order.total) if order.total else first
    return ARROW + last + "".join(ARROW + place for place in later)


def _inner(inner: Order) -> str:
    return ref_text(inner.unit) if inner.kind == "hold" and inner.unit else order_text(inner)


def _units(order: Order, write: Callable[[UnitRef], str]) -> list[str]:
    return [write(ref) for ref in (order.unit, *order.alternatives) if ref]


def _activated(ref: UnitRef) -> str:
    return ref.place if ref.kind == "A" else str(ref)
