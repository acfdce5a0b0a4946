"""Units as orders name them, orders, and their text in normal form: the inverse of `parse`.

``A(NIt) -> 3A(Los)`` · ``C(Wol) Hold -> EMu`` · ``A(NIt) Support 2A(NIt) -> MMo`` · ``A(Los) Support A(NIt)`` ·
``A(Cit) B F`` · ``N(MMo) Lead A(MMo) -> SIt`` · ``A(Pel) Retreat Los, Leb`` (a single retreat in a retreat phase:
``A(Pel) -> Los``) · ``A(Pel) Disband`` · ``Build A(DAm) or 2A(MTi)`` · ``Remove A(Pel)`` · ``Waive`` ·
``Activate Gun, D(Wit)`` · ``Raise N(MMo), N(DGu)`` · ``Place A(Gap)``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from gm.games.necromancer.ids import OrderKind, Place, PowerId, Step, UnitKind
from gm.games.necromancer.powers import adjective_of


@dataclass(frozen=True, slots=True)
class UnitRef:
    """A unit, or part of one, as an order names it."""

    kind: UnitKind
    place: Place
    strength: int = 1
    """Number of armies; 1 also for W and N, which are never stacked."""
    fleets: int = 0
    """Fleet elements named in the order; 0 where the player left them out, which is never held against him."""
    engines: int = 0
    owner: PowerId | None = None
    """Nationality, where a player stated it (it matters only for units in Eriador)."""

    def __str__(self) -> str:
        return unit_text(self.kind, self.place, self.strength, self.fleets, self.engines)


known_ref = lru_cache(maxsize=16_384)(UnitRef)
"""`UnitRef`, the same object for the same values."""


@lru_cache(maxsize=8192)
def unit_text(kind: str, place: str, strength: int = 1, fleets: int = 0, engines: int = 0) -> str:
    """``A(Pel)``, ``2A(NIt)``, ``A/F(DAm)``, ``2A/2F(Leb)``, ``3A/E(Los)``, ``3A/2F/E(Pel)``."""
    head = kind if strength == 1 else f"{strength}{kind}"
    if fleets:
        head += "/F" if fleets == 1 else f"/{fleets}F"
    if engines:
        head += "/E"
    return f"{head}({place})"


_UNIT = re.compile(
    r"(?P<n>\d*)(?P<kind>[ACWNDS])(?:/(?P<fleets>\d*)F)?(?P<engine>/E)?\((?P<place>[A-Za-z]+)\)"
)


@lru_cache(maxsize=4096)
def unit_from_text(text: str) -> UnitRef:
    """The strict inverse of `unit_text`. Raises ValueError with the form that is wanted."""
    found = _UNIT.fullmatch(text.replace(" ", ""))
    if not found:
        raise ValueError(f"{text!r} is no unit: write it like A(Pel), 2A/2F(Leb), C(Wol), W(Ise), N(MMo)")
    strength = int(found["n"] or 1)
    fleets = 0 if found["fleets"] is None else int(found["fleets"] or 1)
    kind: UnitKind = found["kind"]  # type: ignore[assignment]  # the pattern allows nothing else
    if strength < 1 or fleets > strength or (strength > 1 and kind != "A"):
        raise ValueError(f"{text!r} is no unit: only armies stack, and no army has two fleets")
    return UnitRef(kind, found["place"], strength, fleets, 1 if found["engine"] else 0)


@dataclass(frozen=True)
class Order:
    """One order. Which fields are used depends on `kind`; all others keep their defaults.

    ============  =========================================================================================
    hold          `unit`
    move          `unit`, `path` (one place; two for cavalry and Nazgûl; the first may be the unit's own
                  place: "C(Wol) Hold -> EMu"), `total`: the n of ``-> nA(X)``, 0 for a plain ``-> X``.
                  ``A(NIt) -> 2A(NIt)`` is a move whose path is its own place: it holds and joins (13.2).
    support       `unit`, `inner`: the supported order, of kind hold (also for a unit that builds) or move
    build_fleet   `unit`; the movement-phase order "B F"
    build_engine  `unit`; "B E"
    lead          `unit` (an N), `inner`: the led unit's whole order (move, hold, support, build)
    retreat       `unit`, `choices`: places, best first. Also mailed early, with the movement orders
    disband       `unit`; in a retreat phase
    build         `unit`: kind A or C; its strength is the total that stands there afterwards (13.14);
                  `alternatives`, in case it is impossible
    remove        `unit`: its strength is the number of armies taken away; `alternatives`
    waive         nothing: one build not used
    activate      `unit`: A(Gun), D(Wit), S(NMi), S(EMi); `alternatives`: others, best first (17.6)
    raise         `unit`: N(X); `alternatives`
    place         `unit`: Saruman's secret third army (16.14); `alternatives` unused
    ============  =========================================================================================
    """

    kind: OrderKind
    unit: UnitRef | None = None
    path: tuple[Place, ...] = ()
    total: int = 0
    inner: Order | None = None
    choices: tuple[Place, ...] = ()
    alternatives: tuple[UnitRef, ...] = ()

    @cached_property
    def text(self) -> str:
        """Its normal form in movement phases. Kept, because the order of a text is kept (`normal.parse_orders`)."""
        return _written(self, "movement")


ARROW = " -> "


def order_text(order: Order, step: Step = "movement") -> str:
    """One order in normal form. `step` matters for retreats alone, which movement phases write out."""
    return order.text if step != "retreats" else _written(order, step)


def _written(order: Order, step: Step) -> str:
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
