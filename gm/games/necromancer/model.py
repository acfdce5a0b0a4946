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

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from operator import attrgetter

from gm.games.necromancer.ids import GONDOR, SAURON, Place, PowerId, Step, UnitKind
from gm.games.necromancer.orders import Order, UnitRef, known_ref, unit_text


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
        return known_ref(self.kind, self.place, self.strength, self.fleets, self.engines)

    def at(self, place: Place) -> Unit:
        """The unit in another place."""
        return known_unit(self.owner, self.kind, place, self.strength, self.fleets, self.engines, self.secret)


known_unit = lru_cache(maxsize=16_384)(Unit)
"""`Unit`, the same object for the same values: a phase needs them by the hundred."""


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
