"""What the engine hands to the layer that decides who may know it.

Nothing here is redacted: reasons are whole truths for the GM, and every failure names what stopped it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from gm.games.api import Json, ResultWord
from gm.games.necromancer.ids import PowerId
from gm.games.necromancer.model import Game
from gm.games.necromancer.orders import Order, UnitRef


@dataclass(frozen=True, slots=True)
class Actor:
    """A unit that decided what became of another's order."""

    power: PowerId
    unit: UnitRef
    doing: str
    """How it did: ``"moved"`` (an attack, a stand-off, a cut), ``"held"`` (it stood in the way), ``"supported"``
    (its support made the difference), ``"present"`` (a W or N that blocked a build or a retreat)."""


class Outcome(NamedTuple):
    """One order and what became of it. A tuple, because a phase makes one for every order."""

    power: PowerId
    order: Order
    result: ResultWord
    code: str
    """A stable word for `reason`: see `CODES`."""
    rule: str
    """Clause number, ``"13.9"``; ``"2"`` stands for standard Diplomacy."""
    steps: tuple[ResultWord, ...] = ()
    """One word for each step of an order with two; else empty."""
    stopped_by: tuple[Actor, ...] = ()
    """Which actions made a failed order fail, the strongest first. Empty for a success, an illegal or a void order."""
    valid: bool | None = None
    """For a support: whether it matched an order, whatever became of it later. Else None."""
    went_to: str = ""
    """For a retreat that succeeded: the place."""

    @property
    def reason(self) -> str:
        """One sentence, the whole truth; empty for a plain success. For a retreat that succeeded: the place."""
        return self.went_to or ("" if self.code == "done" else sentence(self.code, self.stopped_by))


CODES: Mapping[str, str] = {
    "kept": "it is kept for a later phase",
    "done": "it did what it was ordered",
    "no_unit": "there is no such unit, or it is not his",
    "not_adjacent": "no border, or a mountain wall in the way",
    "sea": "the unit can't go to, act in or cross the sea province",
    "kind": "units of this kind can't do this",
    "phase": "the order does not belong to this phase",
    "eriador": "units in Eriador can't do this",
    "miscount": "the parts of a multiple army do not add up",
    "conflict": "parts that stay have different orders, or one unit has two",
    "stack": "this power can't have a multiple army there",
    "two_steps": "only cavalry and Nazgûl move twice, and not like this",
    "attachment": "the stack has no more room for a fleet or an engine",
    "no_match": "the supported or led unit was not ordered to do that",
    "ambiguous": "several orders match",
    "own_unit": "it would drive out a unit of its own side, or of the supporter's side",
    "held": "the defenders were as strong",
    "head_to_head": "the opposing unit was as strong on this border",
    "standoff": "another attack on the province was as strong",
    "fortress": "only the fortress made the defence strong enough",
    "expelled": "the land itself drives it out (alignment)",
    "dislodged_first": "the unit was driven out before its second step",
    "occupied": "a second step can't drive out the unit there",
    "cut": "an attack cut the support",
    "reduced": "an attack took away part of the support",
    "dislodged": "the supporting or building unit was driven out",
    "attacked": "the builder was attacked",
    "closed": "no retreat there: occupied, contested, or where the attack came from",
    "clash": "two retreats met",
    "blocked_by_hidden": "a Wizard or Nazgûl stands there",
    "no_order": "no retreat was ordered",
    "not_owned": "the centre is not his",
    "not_home": "the place is no home or build centre of his",
    "no_builds": "he has no build left",
    "no_removal": "he need not remove anything",
    "spent": "it was activated before, or can't be any more",
    "vacated": "a standing army was driven out there in this turn",
    "eriador_full": "only one build in Eriador is allowed in one adjustment",
    "out": "the power is out of the game",
}
"""Every `Outcome.code`, with its meaning."""


def sentence(code: str, actors: tuple[Actor, ...] = ()) -> str:
    """The whole truth about a failure in one sentence, for the GM."""
    text = CODES[code]
    if actors:
        text += ": " + ", ".join(f"{a.unit} of {a.power} {a.doing}" for a in actors)
    return text[0].upper() + text[1:] + "."


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that the engine decided, with the clause that it follows."""

    kind: str
    """See `KINDS`."""
    rule: str
    power: PowerId
    """Whose unit or centre it is about."""
    unit: UnitRef | None = None
    """As it was before."""
    place: str = ""
    by: tuple[Actor, ...] = ()
    """Who caused it."""
    data: Mapping[str, Json] = field(default_factory=dict)


KINDS: Mapping[str, str] = {
    "nmr": "a power sent no orders",
    "unordered": "a unit got no valid order and holds without its fortress (7.4)",
    "dislodged": "a unit was driven out; data.attacker_from",
    "expelled": "a unit was driven out by the land (21.6)",
    "broken": "a stack of Sauron's lost its Nazgûl and must retreat in parts (18.11)",
    "joined": "a multiple army formed; place, data.strength",
    "fleet_built": "data.fleets",
    "engine_built": "",
    "fleet_lost": "data.fleets elements lost (14.7, 14.12, 15.5)",
    "engine_lost": "(15.5, 15.7)",
    "standing_disbanded": "an unactivated standing army was driven out (17.5)",
    "revealed": "a secret unit of Sauron's was seen for the first time (17.4)",
    "retreated": "place: where to",
    "disbanded": "in a retreat phase; data.why is a code of outcome.CODES",
    "destroyed": "the Nazgûl or the Wizard is gone",
    "captured": "a centre changed hands; place, data.from (a power or None)",
    "homes": "the Dwarves may build in a mountain fortress from now on (10)",
    "natural_lost": "a province lost its alignment (21.9)",
    "built": "place, data.strength",
    "build_blocked": "a W or N stood on the building centre (16.5, 18.3)",
    "raised": "a Nazgûl or Saruman's army at the Wizard; place",
    "removed": "data.chosen: False when the engine chose (civil disorder)",
    "activated": "place",
    "placed": "Saruman's third army; place",
    "eriador_closed": "the home centre of a power in Eriador is gone (6.5)",
    "eliminated": "a power is out",
    "sauron_fell": "(19.1, 19.2)",
    "victory": "data.scores",
}
"""Every `Happening.kind`, with what its fields hold."""


@dataclass(frozen=True, slots=True)
class Resolution:
    """The result of one phase, unredacted."""

    before: Game
    after: Game
    outcomes: tuple[Outcome, ...]
    """Powers in alphabetical order, each one's orders in sheet order."""
    happenings: tuple[Happening, ...]
