"""Sentences for what became of an order. They name only what all their readers may know."""

from __future__ import annotations

from collections.abc import Sequence

from gm.games.necromancer.board import the_board
from gm.games.necromancer.ids import ZERO, Place
from gm.games.necromancer.names import full_name
from gm.games.necromancer.orders import Order, ref_text
from gm.games.necromancer.outcome import Actor, Outcome
from gm.games.necromancer.powers import adjective_of

HIDDEN_RULE = {"W": "16.9", "N": "18.8", "D": "17.4", "S": "17.4"}
"""The clause under which a unit of a kind is named in somebody else's result."""

ONLY_YOU = "Only you are told"
"""Ends the verdict on a support to a hidden unit (16.9, 18.8)."""

KEPT = "Kept for the phase that it belongs to"
"""The verdict on retreats and builds mailed early."""


def actor_words(actor: Actor) -> str:
    """``"the Gondorian A(MTi)"``."""
    return f"the {adjective_of(actor.power)} {actor.unit}"


def listed(items: Sequence[str], last: str = "and") -> str:
    """``"a, b and c"``."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def reason_of(o: Outcome, seen: Sequence[Actor], public: bool) -> tuple[str, str]:
    """`(sentence, clause)` for an order's result, with the actors that all its readers may know."""
    code = o.code
    if code == "done" and not seen:
        return "", o.rule
    if code in ("held", "fortress") and seen and not any(_stood(a, o) for a in seen):
        code = "standoff"  # who held is not told; the rival attack stopped it as well
    sentence = _reason(o, code, seen)
    kinds = [a.unit.kind for a in seen if a.unit.kind in ZERO] if public else []
    if sentence and kinds:
        sentence += f" (named here because it explains this result, {HIDDEN_RULE[kinds[0]]})"
    return sentence, o.rule


def _stood(actor: Actor, o: Outcome) -> bool:
    return actor.doing != "moved" or actor.unit.place == _target(o)


def _target(o: Outcome) -> Place:
    """The province that an order, or the order that it leads, acts on; empty for one that stays."""
    acting = o.order.inner if o.order.kind == "lead" and o.order.inner else o.order
    return acting.path[0] if acting.path else ""


def _reason(o: Outcome, code: str, seen: Sequence[Actor]) -> str:
    by = _by(seen)
    first = actor_words(seen[0]) if seen else "another unit"
    target = _target(o) or "the province"
    match code:
        case "done":
            return _led(seen)
        case "kept":
            return KEPT
        case "no_match":
            return "The unit that it names was not ordered to do that"
        case "ambiguous":
            return "More than one unit fits; add the nationality"
        case "own_unit":
            return "It would drive out a unit of its own side, or of the supporter's"
        case "held" | "fortress":
            stood = [a for a in seen if _stood(a, o)]
            rivals = [a for a in seen if not _stood(a, o)]
            how = "with as much strength" if code == "held" else "thanks to the fortress"
            also = f", and {_by(rivals)} came there too" if rivals else ""
            return f"{_cap(_by(stood) or 'the defence')} held {target} {how}{also}"
        case "head_to_head":
            return f"{_cap(first)} came the other way with as much strength"
        case "standoff":
            return f"Met in {target} by {by or 'another move'} in no less strength"
        case "expelled":
            return f"The land itself drives it out of {target}"
        case "dislodged_first":
            return "It was driven out before its second step"
        case "occupied":
            return f"The second step found {by or 'another unit'} in the way"
        case "cut":
            return f"Cut by {by or 'an attack'}"
        case "reduced":
            return f"Weakened by the attack of {by or 'another power'}"
        case "dislodged":
            return f"Driven out by {by or 'an attack'}"
        case "attacked":
            return f"The builder was attacked by {by or 'another power'}"
        case "closed":
            return "No retreat there: the province is occupied, contested, or where the attack came from"
        case "clash":
            return f"Another unit retreated to the same province{': ' + by if by else ''}"
        case "blocked_by_hidden":
            return f"{_cap(by or 'A hidden unit')} stands there"
        case "no_order":
            return "No retreat was ordered"
    return static_reason(code, o.rule, o.order, o.reason)


def _by(seen: Sequence[Actor]) -> str:
    """Who did it, and who helped: ``"the Gondorian A(MTi) with the Rohirric A(Ano)"``."""
    acting = [actor_words(a) for a in seen if a.doing != "supported"]
    helping = [actor_words(a) for a in seen if a.doing == "supported"]
    if not acting or not helping:
        return listed(acting or helping)
    return f"{listed(acting)} with the support of {listed(helping)}"


def _cap(text: str) -> str:
    return text[:1].upper() + text[1:]


def _led(seen: Sequence[Actor]) -> str:
    leads = [a for a in seen if a.unit.kind == "N"]
    return f"Led by {actor_words(leads[0])}" if leads else ""


# --- what is wrong with an order by itself -----------------------------------------------------------------


def static_reason(code: str, rule: str, order: Order, fallback: str = "") -> str:
    """Why an order can't be carried out whatever the others do; made from the order and the map alone."""
    unit = ref_text(order.unit) if order.unit else "it"
    place = order.unit.place if order.unit else ""
    match code:
        case "no_unit":
            return f"There is no {unit} to obey this, or no unit is named in it"
        case "not_adjacent":
            return _not_adjacent(order, place)
        case "sea":
            return _sea(rule, unit)
        case "kind":
            return _KINDS.get(rule, f"{unit} can't do this")
        case "phase":
            return "This is no order of this phase"
        case "eriador":
            return _ERIADOR.get(rule, "This can't be done in Eriador")
        case "miscount":
            return fallback or "The parts of the multiple army do not add up to the total that is stated"
        case "conflict":
            return fallback or f"{unit} has orders that contradict one another"
        case "stack":
            if rule == "18.11":
                return "Sauron has multiple armies only in the province where the Nazgûl is"
            return "Only Gondor has multiple armies, and Sauron where the Nazgûl is"
        case "two_steps":
            return f"Only cavalry and the Nazgûl move twice, and to two provinces: {unit} does not"
        case "attachment":
            if rule == "15.5":
                return f"{unit} has its siege engine already, and there is never more than one"
            return f"{unit} has as many fleets as armies already"
    return fallback or _OTHER.get(code, "It can't be carried out")


def _not_adjacent(order: Order, place: Place) -> str:
    board = the_board()
    inner = order.inner
    if order.kind == "support" and inner and inner.unit:
        goal = inner.path[0] if inner.path else inner.unit.place
        if goal == place:
            return f"A unit can't support an action in {place}, where it stands itself"
        if goal in board.index and goal in board[place].walls:
            return f"Mountains part {_both(place, goal)}; no support crosses them"
        return f"{_both(place, goal)} have no common border, so there is no support from one into the other"
    if not order.path:
        return "The order names no province to go to"
    if len(order.path) == 1 and order.path[0] == place:
        return f"{place} is where the unit stands; write Hold"
    start, goal = place, order.path[0]
    fine = (place, *board[place].borders) if place in board.index else (place,)
    if len(order.path) == 2 and goal in fine:
        start, goal = order.path
    if goal in board.index and start in board.index and goal in board[start].walls:
        return f"Mountains part {_both(start, goal)}; only the Nazgûl crosses them"
    return f"{_both(start, goal)} have no common border"


def _both(a: Place, b: Place) -> str:
    board = the_board()
    return " and ".join(f"{p} ({full_name(p)})" if p in board.index else p for p in (a, b))


def _sea(rule: str, unit: str) -> str:
    return {
        "18.6": "The Nazgûl never enters or crosses a sea province",
        "14.6": f"{unit} has no fleet: only an army/fleet goes to, or acts in, a sea province",
        "14.14": f"{unit} needs a fleet for each of its armies to go to, or act in, a sea province",
        "14.12": "The second step of a cavalry/fleet is made without the fleet, between land provinces",
        "14.2": "A fleet is built in a coastal province only",
        "15.10": "A siege engine is built in a land province only",
        "16.10": "The Wizard travels at sea only with an army/fleet of Saruman's",
    }.get(rule, f"{unit} can't act at sea like this")


_KINDS = {
    "16.8": "The Wizard can't give support",
    "18.9": "The Nazgûl can't give support; it may Lead a unit that shares its province",
    "18.10": "Only the Nazgûl can lead, and it must repeat the led unit's order",
    "15.6": "The Wizard and the Nazgûl build no siege engine",
    "16.10": "The Wizard builds no fleet",
}
_ERIADOR = {
    "6.4": "Units in Eriador can't give support",
    "15.10": "No siege engine can be built in Eriador",
    "16.2": "The Wizard may not go to Eriador in this game",
    "18.2": "The Nazgûl may not go to Eriador in this game",
}
_OTHER = {
    "not_owned": "The centre is not owned",
    "not_home": "The place is no home or build centre",
    "no_builds": "There is no build left",
    "no_removal": "Nothing need be removed",
    "spent": "It was activated before, or can't be any more",
    "vacated": "A standing army was driven out there in this turn",
    "eriador_full": "Only so many builds in Eriador are allowed in one adjustment phase",
    "out": "The power is out of the game",
}
