"""Which armies carry out which order: the units of one power in one place, shared out among its orders (13.3, 13.5).

A pool is all armies (with Dragons and Spiders), all cavalry, the Wizard or the Nazgûl of one power in one place. Its
orders either add up or are misorders. Parts that stay form one part, for they must all do the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from gm.games.necromancer.board import Board
from gm.games.necromancer.ids import GONDOR, SAURON, ZERO, Place, PowerId
from gm.games.necromancer.model import Unit
from gm.games.necromancer.orders import Order
from gm.games.necromancer.outcome import Actor

Slot = tuple[int, Order]
"""An order with its number on the sheet."""

Verdict = tuple[str, str, str]
"""(result word, code, rule)"""

Key = tuple[PowerId, int]
"""A power and the number of an order on its sheet."""


class Part:
    """Armies of one power in one place that do the same thing, or one that has no order.

    Most parts are plain, so defaults stand on the class and empty lists are shared tuples.
    """

    kind = "stay"
    """``"stay"`` or ``"move"``"""
    ordered = False
    """A legal order stands behind it, so a fortress counts (7.4)."""
    then = -1
    """Target of a second move, or -1."""
    total = 0
    joins = False
    """It stays to become part of a multiple army."""
    led = 0
    """1 if the Nazgûl leads it."""
    riders: tuple[Part, ...] = ()
    """The Wizard on board, the Nazgûl at the head: they share its fate."""
    inner: Order | None = None
    support = 0
    """Strength of the support it gives, after cuts."""
    cut: tuple[Part, ...] = ()
    """Moves that cut its support or stop its building."""
    helpers: tuple[Part, ...] = ()
    """Parts that support it and are not cut."""
    success = False
    """Whether its first move got in; set when the phase is solved."""
    at_first = -1
    """Where it is after first moves; -1 if it was driven out."""
    at = -1
    """Where it is after second moves; -1 if it was driven out."""
    second = -1
    """Index among the second moves."""
    second_success = False
    move = -1
    """Index among the moves of `resolve.Problem`."""
    group = -1
    builds = ""
    """What it builds: ``"fleet"``, ``"engine"`` or nothing."""

    def __init__(
        self, owner: PowerId, place: Place, origin: int, atoms: list[Unit], slots: Sequence[Slot] = ()
    ) -> None:
        self.owner = owner
        self.place = place
        self.origin = origin
        self.atoms = atoms
        """Units of strength 1, with their fleets and engines."""
        self.slots = slots
        """The orders that it carries out."""
        self.target = origin
        self.zero = atoms[0].kind in ZERO
        self.actors: dict[str, Actor] | None = None
        """What it did to others, as far as anybody asked; see `explain.actor`."""

    @property
    def strengths(self) -> list[int]:
        """The strengths that its orders name."""
        return [order.unit.strength for _, order in self.slots if order.unit]

    @property
    def strength(self) -> int:
        """Fighting strength: armies, and the leading Nazgûl."""
        return 0 if self.zero else len(self.atoms) + self.led

    @property
    def seaworthy(self) -> bool:
        """As many fleets as armies (14.14)."""
        return all(atom.fleets for atom in self.atoms) and not self.zero


def atoms_of(unit: Unit) -> list[Unit]:
    """A stack as single armies: fleets on the first ones, the engine on the last that needs none of them."""
    if unit.strength == 1:
        return [unit]
    n = unit.strength
    fleets = [1] * unit.fleets + [0] * (n - unit.fleets)
    engines = [0] * (n - 1) + [unit.engines]
    return [
        Unit(unit.owner, unit.kind, unit.place, 1, f, e, unit.secret)
        for f, e in zip(fleets, engines, strict=True)
    ]


def can_stack(owner: PowerId, place: Place, nazgul: Place | None) -> bool:
    """Whether a power may have a multiple army in a place now (13.13, 18.11)."""
    return owner == GONDOR or (owner == SAURON and nazgul == place)


def stay_key(order: Order) -> tuple[str, Order | None] | None:
    """What an order that keeps its unit in place does; None for one that moves it."""
    unit = order.unit
    if unit is None or (order.kind == "move" and order.path[:1] != (unit.place,)):
        return None
    if order.kind == "move":
        return ("join" if order.total and len(order.path) == 1 else "hold", None)
    return (order.kind, order.inner)


def single(
    board: Board, owner: PowerId, place: Place, atoms: list[Unit], slots: Sequence[Slot]
) -> Part | None:
    """The usual pool: one army with one order or none. None if the order is for more than one army."""
    part = Part(owner, place, board.index[place], atoms, slots)
    if slots:
        order = slots[0][1]
        if order.unit is not None and order.unit.strength > 1:
            return None
        if order.kind == "move":
            part.total = order.total
            if order.path[:1] != (place,):
                part.kind = "move"
    return part


def share_out(
    board: Board,
    owner: PowerId,
    place: Place,
    atoms: list[Unit],
    slots: Sequence[Slot],
    nazgul: Place | None,
    verdicts: dict[Key, Verdict],
) -> list[Part]:
    """The parts of one pool. Orders that do not fit get a verdict, and their armies left without an order."""
    origin = board.index[place]
    if not slots:
        return [Part(owner, place, origin, atoms)]
    stack = can_stack(owner, place, nazgul)
    valid: list[Slot] = []
    for number, order in slots:
        strength = order.unit.strength if order.unit else 1
        if strength > 1 and not stack:
            rule = "18.11" if owner == SAURON else "13.13"
            verdicts[owner, number] = ("misorder" if owner == SAURON else "illegal", "stack", rule)
        else:
            valid.append((number, order))
    wanted = sum(order.unit.strength for _, order in valid if order.unit)
    if wanted > len(atoms):
        for number, _ in valid:
            verdicts[owner, number] = ("misorder", *(("miscount", "13.3") if stack else ("conflict", "2")))
        return [Part(owner, place, origin, atoms)]
    keys = {key for _, order in valid if (key := stay_key(order))}
    if len(keys) > 1 and place not in board.offboard:
        for number, order in valid:
            if stay_key(order):
                verdicts[owner, number] = ("misorder", "conflict", "13.5")
        valid = [slot for slot in valid if not stay_key(slot[1])]
    return _parts(board, owner, place, origin, atoms, valid)


def _parts(
    board: Board, owner: PowerId, place: Place, origin: int, atoms: list[Unit], slots: list[Slot]
) -> list[Part]:
    bundles: dict[object, list[Slot]] = {}
    for number, order in slots:
        if key := stay_key(order):
            bundle: object = ("stay", key)
        elif order.total:
            bundle = ("join", order.path, order.total)
        else:
            bundle = number
        bundles.setdefault(bundle, []).append((number, order))
    left = list(atoms)
    drawn: dict[object, list[Unit]] = {}
    for bundle in sorted(bundles, key=lambda b: _urgency(board, bundles[b])):
        drawn[bundle] = [
            _draw(left, board, order)
            for _, order in bundles[bundle]
            if order.unit
            for _ in range(order.unit.strength)
        ]
    parts: list[Part] = []
    for bundle, bundled in bundles.items():
        part = Part(owner, place, origin, drawn[bundle], bundled)
        part.kind = "stay" if stay_key(bundled[0][1]) else "move"
        part.total = bundled[0][1].total
        parts.append(part)
    if left:
        parts.append(Part(owner, place, origin, left))
    return parts


def _urgency(board: Board, slots: list[Slot]) -> tuple[int, int]:
    """Who chooses his armies first: those who name an attachment, who go to sea, who stay; then by sheet."""
    order = slots[0][1]
    named = any(o.unit and (o.unit.fleets or o.unit.engines) for _, o in slots)
    at_sea = any(board.sea_mask >> board.index.get(p, 0) & 1 for p in _sought(order))
    rank = 0 if named else 1 if at_sea else 2 if stay_key(order) else 3
    return rank, slots[0][0]


def _sought(order: Order) -> tuple[Place, ...]:
    """The provinces that an order acts in."""
    if order.kind == "support" and order.inner and order.inner.unit:
        return order.inner.path[:1] or (order.inner.unit.place,)
    return order.path[:1]


def _draw(left: list[Unit], board: Board, order: Order) -> Unit:
    """Take the army out of `left` that suits an order best."""
    assert order.unit is not None
    ref = order.unit
    sea = any(board.sea_mask >> board.index.get(p, 0) & 1 for p in _sought(order))
    stays = stay_key(order) is not None
    fleet = bool(ref.fleets) or sea or stays
    engine = bool(ref.engines) or stays

    def cost(atom: Unit) -> tuple[int, int, int]:
        return (
            0 if atom.kind == ref.kind else 1 if atom.kind == "A" else 2,
            0 if bool(atom.fleets) == fleet else 1,
            0 if bool(atom.engines) == engine else 1,
        )

    best = min(range(len(left)), key=lambda i: (cost(left[i]), i))
    return left.pop(best)
