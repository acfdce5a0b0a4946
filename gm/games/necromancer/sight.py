"""What a phase gives away of the units that move in secret: the tests of 16.9, 18.8 and 17.4.

An order of the Wizard or the Nazgûl, and where the unit is, come out only when the order fails or when another result
can't be explained without it; retreats and Leads always; an illegal order never. The unit that Sauron has taken control
of comes out when it does anything but hold, when it is dislodged, or when Dragons or Spiders decide another's result.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from gm.games.necromancer.ids import SARUMAN, STANDING, ZERO, Place, PowerId
from gm.games.necromancer.model import Game
from gm.games.necromancer.orders import UnitRef
from gm.games.necromancer.outcome import Actor, Happening, Outcome, Resolution

SELF_EXPLAINED = ("illegal", "misorder")
"""Results that concern the owner alone (16.9: illegal orders are not revealed)."""

PRIVATE_KINDS = ("activate", "raise", "waive")
"""Adjustment orders that nobody but their owner ever sees (17.4, 18.8)."""

Key = tuple[PowerId, str, Place]
"""Owner, kind and place of a unit at the start of the phase, or where it was driven out."""

Why = Literal["failed", "explains", "lead", "retreat", "dislodged", "builds", "acts"]
"""Why a hidden unit comes out."""


@dataclass(frozen=True)
class Sight:
    """What one phase's results reveal to everybody."""

    before: Game
    hidden: frozenset[Key]
    """Units nobody but their owner knows of, or knows for what they are, before the phase."""
    revealed: Mapping[Key, Why]
    """Those that the results give away, in a fixed order."""

    def is_hidden(self, power: PowerId, ref: UnitRef) -> bool:
        """Whether others may not learn what this unit does in this phase."""
        key = (power, ref.kind, ref.place)
        return (ref.kind in ZERO or key in self.hidden) and key not in self.revealed

    def seen(self, actors: Sequence[Actor]) -> tuple[Actor, ...]:
        """The actors as everybody may know them: hidden ones left out, a secret army as a standing one."""
        if not actors:
            return ()
        found = []
        for actor in actors:
            if not self.is_hidden(actor.power, actor.unit):
                found.append(actor)
            elif actor.unit.kind == "A":
                found.append(replace(actor, power=STANDING))
        return tuple(found)


def sight_of(resolution: Resolution) -> Sight:
    """Which hidden units a phase reveals, and why."""
    before = resolution.before
    hidden = frozenset((u.owner, u.kind, u.place) for u in before.units if u.kind in ZERO or u.secret)
    found: dict[Key, Why] = {}
    for o in resolution.outcomes:
        unit = o.order.unit
        if unit and unit.kind in ZERO and (why := _by_itself(o)):
            found.setdefault((o.power, unit.kind, unit.place), why)
    for h in resolution.happenings:
        if h.unit and (why := _EXPOSING.get(h.kind)) and not of_the_fall(h):
            found.setdefault((h.power, h.unit.kind, h.unit.place), why)
        if h.kind in ("raised", "built") and h.power == SARUMAN:
            for u in before.units:
                if u.kind == "W" and u.place == (h.place or (h.unit.place if h.unit else "")):
                    found.setdefault((u.owner, u.kind, u.place), "builds")
    for actor in _actors(resolution.outcomes, resolution.happenings, hidden):
        if _explains(actor, before):
            found.setdefault((actor.power, actor.unit.kind, actor.unit.place), "explains")
    kept = {key: why for key, why in found.items() if key in hidden or key[1] in ZERO}
    return Sight(before, hidden, dict(sorted(kept.items())))


_EXPOSING: Mapping[str, Why] = {
    "dislodged": "dislodged",
    "expelled": "dislodged",
    "broken": "dislodged",
    "retreated": "retreat",
    "disbanded": "retreat",
    "destroyed": "retreat",
    "revealed": "acts",
}
"""Happenings that are public whatever the unit (17.4, 18.8)."""


def _actors(
    outcomes: Iterable[Outcome], happenings: Iterable[Happening], hidden: frozenset[Key]
) -> list[Actor]:
    """The hidden units that decided something which everybody sees; what stops a secret choice of Sauron's is as secret
    as that.
    """

    def unseen(a: Actor) -> bool:
        return a.unit.kind in ZERO or (a.power, a.unit.kind, a.unit.place) in hidden

    public = [o for o in outcomes if o.stopped_by and o.order.kind not in PRIVATE_KINDS]
    stoppers = [a for o in public for a in o.stopped_by if unseen(a) and _required(a, o)]
    return stoppers + [a for h in happenings if h.by for a in needed(h.by) if unseen(a)]


def needed(by: Sequence[Actor]) -> tuple[Actor, ...]:
    """Who must be named to explain a happening: a Wizard or Nazgûl that came along with an army need not be."""
    armies = tuple(a for a in by if a.unit.kind not in ZERO)
    return armies or tuple(by)


def _required(actor: Actor, o: Outcome) -> bool:
    """Whether a failure can't be explained without a Wizard or Nazgûl: not if somebody else stopped it as well."""
    if actor.unit.kind not in ZERO:
        return True
    if o.order.kind != "move" or not o.order.path:
        return actor in needed(o.stopped_by)
    goal = o.order.path[0]
    return not any(
        a.doing == "moved" and a.unit.place != goal and a.unit.kind not in ZERO for a in o.stopped_by
    )


def of_the_fall(h: Happening) -> bool:
    """Whether a Nazgûl vanishes with Sauron himself (19.1): where it was is nobody's business."""
    return h.kind == "destroyed" and h.rule.startswith("19")


def _explains(actor: Actor, before: Game) -> bool:
    """Whether naming an actor is needed: an army that only stands is explained as the standing army it seems to be."""
    if actor.unit.kind in ("D", "S") and not before.options.reveal_dragons_and_spiders:
        return False
    return actor.unit.kind != "A" or actor.doing in ("moved", "supported")


def _by_itself(o: Outcome) -> Why | None:
    """Why the order of a Wizard or Nazgûl is public by itself; None if it is not."""
    if o.order.kind in ("retreat", "disband"):
        return None if o.code == "kept" else "retreat"
    if o.result in SELF_EXPLAINED:
        return None
    if o.order.kind == "lead":
        return "lead"
    return "failed" if o.order.kind in ("hold", "move") and o.result != "ok" else None
