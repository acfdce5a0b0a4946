"""The values that Necromancer is made of: units, orders, house rules and the whole state of a game.

All are frozen. Places are the canonical abbreviations of `board.Board` (``"SIt"``), powers the lower-case ids of the
map file, and `STANDING` owns the armies that nobody commands (17.1, 19.1).

Units and stacks
----------------
A multiple army is one `Unit` of kind ``"A"`` with `strength` > 1. Dragons and Spiders keep their prefix for ever
(17.3), so in a stack of Sauron's they are `Unit`s of their own that share the place: ``A(DGu)`` and ``D(DGu)``
together are his 2A(DGu). In Eriador units merely co-exist: two Elvish armies there are two equal `Unit`s.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from operator import attrgetter
from typing import Any, Literal

PowerId = str
Place = str

STANDING: PowerId = "standing"
"""Owner of standing armies: Sauron's before he takes control of them, and all that is left of him after his fall."""

SAURON: PowerId = "sauron"
SARUMAN: PowerId = "saruman"
GONDOR: PowerId = "gondor"
ROHAN: PowerId = "rohan"
DWARVES: PowerId = "dwarves"
ELVES: PowerId = "elves"
EASTERLINGS: PowerId = "easterlings"
HARADRIM: PowerId = "haradrim"

ERIADOR: Place = "Eri"

UnitKind = Literal["A", "C", "W", "N", "D", "S"]
"""Army, cavalry, wizard, Nazgûl, Dragons, Spiders."""

ZERO = ("W", "N")
"""Kinds of strength 0 that share a province with their owner's armies and need no supply centre."""

FIRST_YEAR = 2765
LAST_YEAR = 3020
TURN_YEARS = 15

Step = Literal["setup", "movement", "retreats", "adjustments", "over"]

OrderKind = Literal[
    "hold",
    "move",
    "support",
    "build_fleet",
    "build_engine",
    "lead",
    "retreat",
    "disband",
    "build",
    "remove",
    "waive",
    "activate",
    "raise",
    "place",
]


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


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit on the board."""

    owner: PowerId
    kind: UnitKind
    place: Place
    strength: int = 1
    """Armies in the stack; 1 for every kind but A (a W or N fights with 0 all the same)."""
    fleets: int = 0
    """Fleet elements, at most one for each army (14.13)."""
    engines: int = 0
    """Siege engines, at most one for each stack (15.5)."""
    secret: bool = False
    """Sauron's, but never yet shown to the others (17.4): an A that they take for a standing army, or D or S."""

    def __str__(self) -> str:
        return unit_text(self.kind, self.place, self.strength, self.fleets, self.engines)

    @property
    def ref(self) -> UnitRef:
        """The unit as an order would name it."""
        return UnitRef(self.kind, self.place, self.strength, self.fleets, self.engines)

    def at(self, place: Place) -> Unit:
        """The unit in another place."""
        return Unit(self.owner, self.kind, place, self.strength, self.fleets, self.engines, self.secret)


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


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Dislodged:
    """A unit that was driven out in the last movement phase and has not retreated yet."""

    unit: Unit
    attacker_from: tuple[Place, ...]
    """Where the attack came from; several places after a joined attack. Empty: it was expelled by the land (21.6) or
    by the break-up of a stack (18.11), and only its own province is closed to it."""


@dataclass(frozen=True, slots=True)
class Options:
    """House rules. Each field is the option of the same name in `options.OPTIONS`, where its meaning stands."""

    alignment: bool = False
    second_moves_close_retreats: bool = True
    dislodged_lose_second_move: bool = True
    fall_checks_victory_first: bool = True
    wizard_and_nazgul_need_centres: bool = False
    zero_strength_stops_builds: bool = False
    lone_wizard_or_nazgul_has_fortress: bool = True
    joint_retreats_bounce: bool = True
    wizard_and_nazgul_coexist_in_eriador: bool = True
    hidden_supports_have_no_public_verdict: bool = True
    miscounted_stack_voids_orders: bool = True
    saruman_builds_at_home: bool = False
    activation_gives_centre: bool = True
    eriador_builds_per_adjustment: int = 1
    nazgul_needs_vacant_home: bool = False
    nazgul_needs_owned_home: bool = True
    double_centres_in_comparison: bool = True
    stack_overcomes_alignment: bool = True
    wizard_supports_one_unit: bool = True
    retreat_to_eriador: bool = True
    all_joint_origins_closed: bool = True
    void_lead_holds: bool = True
    support_may_name_first_step: bool = True
    reveal_dragons_and_spiders: bool = True
    illegal_order_loses_fortress: bool = True
    eriador_closes_after_builds: bool = True
    retreats_with_orders: bool = False


@dataclass(frozen=True, slots=True)
class Game:
    """The whole truth of a game in one phase."""

    options: Options
    year: int
    """2750 in the set-up phase, then 2765, 2780, ..."""
    step: Step
    units: tuple[Unit, ...]
    """In place, without the dislodged; in the order of `normalise`."""
    centres: Mapping[Place, PowerId]
    """Owner of each owned centre; `STANDING` never owns one. Eriador is not in it."""
    dislodged: tuple[Dislodged, ...] = ()
    contested: tuple[Place, ...] = ()
    """Provinces closed to retreats by a stand-off or a second move."""
    disbanded_at_once: tuple[Dislodged, ...] = ()
    """Driven out in the last movement phase and gone already: standing armies, and all if no retreat phase followed."""
    retreat_lists: Mapping[PowerId, tuple[Order, ...]] = field(default_factory=dict)
    """Retreats mailed with the movement orders, kept for the retreat phase."""
    adjustment_lists: Mapping[PowerId, tuple[Order, ...]] = field(default_factory=dict)
    """Adjustments mailed with the orders of an earlier phase of the same year (17.6)."""
    activated: tuple[Place, ...] = ()
    """Standing-army centres that Sauron has activated, in the order in which he did."""
    captured: tuple[Place, ...] = ()
    """Standing-army centres that another power has ever owned: they can't be activated any more (17.5)."""
    dragons_spent: bool = False
    spiders_spent: bool = False
    nazgul_due: bool = False
    """The Nazgûl was disbanded in a retreat phase since the last adjustments: another may be raised (18.13)."""
    sauron_out: bool = False
    saruman_out: bool = False
    natural_lost: tuple[Place, ...] = ()
    """Provinces whose natural alignment is gone (21.9)."""
    public_owners: Mapping[Place, PowerId | None] = field(default_factory=dict)
    """Centres whose owner the others see differently, because an activation is still secret (17.4)."""
    nmr: tuple[PowerId, ...] = ()
    """Powers that sent nothing in the last phase, for the report."""
    winners: tuple[PowerId, ...] = ()
    ending: str = ""
    """How the game ended, in one sentence; empty while it goes on."""


_ORDER = attrgetter("owner", "kind", "place", "strength", "fleets", "engines", "secret")


def normalise(units: Iterable[Unit]) -> tuple[Unit, ...]:
    """Units in their one order, with armies that form a stack put together.

    Armies of Gondor in one place are one multiple army; Sauron's are, where his Nazgûl stands with them. All other
    armies that share a place (in Eriador only) stay apart.
    """
    found = list(units)
    nazgul = {u.place for u in found if u.kind == "N"}
    stacks: dict[tuple[PowerId, Place], Unit] = {}
    rest: list[Unit] = []
    for unit in found:
        if unit.kind == "A" and (unit.owner == GONDOR or (unit.owner == SAURON and unit.place in nazgul)):
            key = (unit.owner, unit.place)
            old = stacks.get(key)
            stacks[key] = (
                Unit(
                    unit.owner,
                    "A",
                    unit.place,
                    old.strength + unit.strength,
                    old.fleets + unit.fleets,
                    min(1, old.engines + unit.engines),
                    old.secret and unit.secret,
                )
                if old
                else unit
            )
        else:
            rest.append(unit)
    return tuple(sorted([*stacks.values(), *rest], key=_ORDER))


def is_adjustment_year(year: int) -> bool:
    """Turns that end in 0 have adjustments (3.3)."""
    return year % 10 == 0


def phase_name(game: Game) -> str:
    """``"2765 movement"``; after the end, the name of the phase that ended the game."""
    return f"{game.year} {'adjustments' if game.step == 'over' else game.step}"


# --- JSON ------------------------------------------------------------------------------------------------


def ref_to_json(ref: UnitRef) -> list[Any]:
    """A unit reference as a flat list."""
    return [ref.kind, ref.place, ref.strength, ref.fleets, ref.engines, ref.owner]


def ref_from_json(data: list[Any]) -> UnitRef:
    """The inverse of `ref_to_json`."""
    return UnitRef(*data)


def order_to_json(order: Order) -> dict[str, Any]:
    """An order without the fields that keep their defaults."""
    data: dict[str, Any] = {"kind": order.kind}
    if order.unit:
        data["unit"] = ref_to_json(order.unit)
    if order.path:
        data["path"] = list(order.path)
    if order.total:
        data["total"] = order.total
    if order.inner:
        data["inner"] = order_to_json(order.inner)
    if order.choices:
        data["choices"] = list(order.choices)
    if order.alternatives:
        data["alternatives"] = [ref_to_json(r) for r in order.alternatives]
    return data


def order_from_json(data: Mapping[str, Any]) -> Order:
    """The inverse of `order_to_json`."""
    return Order(
        kind=data["kind"],
        unit=ref_from_json(data["unit"]) if "unit" in data else None,
        path=tuple(data.get("path", ())),
        total=data.get("total", 0),
        inner=order_from_json(data["inner"]) if "inner" in data else None,
        choices=tuple(data.get("choices", ())),
        alternatives=tuple(ref_from_json(r) for r in data.get("alternatives", ())),
    )


def unit_to_json(unit: Unit) -> dict[str, Any]:
    """A unit as ``{"owner": ..., "unit": "2A/2F(Leb)"}``, with ``"secret"`` where it is."""
    data: dict[str, Any] = {"owner": unit.owner, "unit": str(unit)}
    if unit.secret:
        data["secret"] = True
    return data


def unit_from_json(data: Mapping[str, Any]) -> Unit:
    """The inverse of `unit_to_json`."""
    ref = unit_from_text(data["unit"])
    return Unit(
        data["owner"], ref.kind, ref.place, ref.strength, ref.fleets, ref.engines, bool(data.get("secret"))
    )


def _dislodged_to_json(dislodged: Dislodged) -> dict[str, Any]:
    return {"unit": unit_to_json(dislodged.unit), "attacker_from": list(dislodged.attacker_from)}


_PLACES = ("contested", "activated", "captured", "natural_lost", "nmr", "winners")


def to_json(game: Game) -> dict[str, Any]:
    """A game as a JSON object; `from_json` gives it back."""
    data: dict[str, Any] = {
        "options": {name: getattr(game.options, name) for name in Options.__slots__},
        "units": [unit_to_json(u) for u in game.units],
        "centres": dict(sorted(game.centres.items())),
        "dislodged": [_dislodged_to_json(d) for d in game.dislodged],
        "disbanded_at_once": [_dislodged_to_json(d) for d in game.disbanded_at_once],
        "retreat_lists": {
            power: [order_to_json(o) for o in orders] for power, orders in sorted(game.retreat_lists.items())
        },
        "adjustment_lists": {
            power: [order_to_json(o) for o in orders]
            for power, orders in sorted(game.adjustment_lists.items())
        },
        "public_owners": dict(sorted(game.public_owners.items())),
    }
    for name in (f.name for f in fields(Game)):
        if name not in data:
            value = getattr(game, name)
            data[name] = list(value) if name in _PLACES else value
    return data


def from_json(data: Mapping[str, Any]) -> Game:
    """The inverse of `to_json`."""
    plain = {f.name: data[f.name] for f in fields(Game) if f.name in data}
    plain |= {name: tuple(data[name]) for name in _PLACES}
    plain["options"] = Options(**data["options"])
    plain["units"] = tuple(unit_from_json(u) for u in data["units"])
    for name in ("dislodged", "disbanded_at_once"):
        plain[name] = tuple(
            Dislodged(unit_from_json(d["unit"]), tuple(d["attacker_from"])) for d in data[name]
        )
    for name in ("retreat_lists", "adjustment_lists"):
        plain[name] = {
            power: tuple(order_from_json(o) for o in orders) for power, orders in data[name].items()
        }
    plain["centres"] = dict(data["centres"])
    plain["public_owners"] = dict(data["public_owners"])
    return Game(**plain)
