"""Sentences of an order sheet: what a unit does, and where it retreats. `lists` reads builds and the like."""

from __future__ import annotations

from gm.games.necromancer.ids import OrderKind, Place
from gm.games.necromancer.lists import activate, has_verb_after, place_army, raise_nazgul, unit_lists, waive
from gm.games.necromancer.names import longest_place
from gm.games.necromancer.orders import Order, UnitRef
from gm.games.necromancer.reader import FILLER, SEPARATORS, Reader, Trouble
from gm.games.necromancer.vocabulary import (
    BUILD,
    CONVOY,
    DISBAND,
    DIVIDE,
    ENGINE,
    FLEET,
    HOLD,
    JOINING,
    LEAD,
    MERGE,
    MOVE,
    OR,
    RETREAT,
    SUPPORT,
)

_MERGE_TEXT = (
    "there is no merge order here: give every part a move that states the total of the forming army, "
    "and a part that stays one to its own province, as A(Pel) -> 2A(SIt) and A(SIt) -> 2A(SIt)"
)
_DIVIDE_TEXT = (
    "there is no divide order here: give each part of the multiple army an order of its own, "
    "as A(Los) -> Pel and 2A(Los) -> SIt for a 3A(Los)"
)


def statement(r: Reader) -> list[Order]:
    """The orders of one sentence. Raises Trouble and leaves the reader where it stopped."""
    word, after = r.low(), r.low(1)
    if word in ("if", "unless", "when", "conditional"):
        raise Trouble(
            "orders can't depend on what others do; write one plain order for the unit", rule="12.4"
        )
    if word in ("build", "builds", "building", "rebuild") or (word == "b" and r.at_unit(1)):
        r.pos += 1
        return unit_lists(r, "build")
    if word in ("remove", "removes", "removal", "removals"):
        r.pos += 1
        return unit_lists(r, "remove")
    if word in ("disband", "disbands"):
        r.pos += 1
        return unit_lists(r, "disband" if r.section == "retreats" else "remove")
    if word in ("waive", "waives", "pass") or (word == "no" and after in ("build", "builds")):
        return waive(r)
    if word in ("activate", "activates", "activation", "control"):
        return activate(r)
    if word in ("raise", "raises"):
        return raise_nazgul(r)
    if word in ("place", "places", "start"):
        return place_army(r)
    if r.section in ("builds", "removals") and r.at_unit() and not has_verb_after(r):
        return unit_lists(r, "build" if r.section == "builds" else "remove")
    if word in ("move", "hold") and r.at_unit(1):
        r.pos += 1
        return [Order("hold", r.unit(True))] if word == "hold" else unit_orders(r)
    if word in MERGE and not r.at_unit():
        raise Trouble(_MERGE_TEXT, rule="13.2")
    if word in DIVIDE:
        raise Trouble(_DIVIDE_TEXT, rule="13.3")
    if word in CONVOY:
        raise Trouble("there are no convoys in Necromancer", rule="14.11")
    return unit_orders(r)


# --- a unit and what it does -----------------------------------------------------------------------------


def unit_orders(r: Reader) -> list[Order]:
    """One or more units and the order that they share, with a retreat list that follows it."""
    start = r.pos
    units = [r.unit(True)]
    while _another_unit(r):
        units.append(r.unit(True))
    orders = _verb(r, units, start)
    if r.step == "movement" and r.section == "orders":
        orders += _trailing_retreat(r, units)
    return orders


def _another_unit(r: Reader) -> bool:
    back = r.pos
    joined = False
    while r.take(*JOINING):
        joined = True
    if joined and r.at_unit():
        return True
    r.pos = back
    return False


def _verb(r: Reader, units: list[UnitRef], start: int) -> list[Order]:
    word = r.low()
    last = units[-1]
    if r.is_arrow():
        r.pos += 1
        if r.low() in HOLD:
            return _hold(r, units)
        return _moves(r, units)
    if word in HOLD:
        return _hold(r, units)
    if word in SUPPORT:
        r.pos += 1
        inner = supported(r)
        return [Order("support", unit, inner=inner) for unit in units]
    if word in BUILD:
        return [Order(_attachment(r, last), unit) for unit in units]
    if word in LEAD:
        r.pos += 1
        return [_lead(r, last)] if len(units) == 1 else _one_leader(last)
    if word in RETREAT:
        r.pos += 1
        choices = _choices(r)
        return [Order("retreat", unit, choices=choices) for unit in units]
    if word in DISBAND and (r.section == "retreats" or word != "d"):
        r.pos += 1
        return [Order("disband" if r.section == "retreats" else "remove", unit) for unit in units]
    if word in MOVE:
        r.pos += 1
        r.take("to", "from")
        if r.is_arrow():
            r.pos += 1
        if r.low() in HOLD:
            return _hold(r, units)
        return _moves(r, units)
    if word in MERGE:
        raise Trouble(_MERGE_TEXT, rule="13.2")
    if word in (*DIVIDE, "d"):
        raise Trouble(_DIVIDE_TEXT, rule="13.3")
    if word in (*CONVOY, "c"):
        raise Trouble("there are no convoys in Necromancer", rule="14.11")
    return _bare(r, units, start)


def _bare(r: Reader, units: list[UnitRef], start: int) -> list[Order]:
    if r.step == "setup":
        return [Order("place", unit) for unit in units]
    token = r.peek()
    said = r.text(start)
    if token is not None and r.low() not in SEPARATORS:
        raise Trouble(f"{token.text!r} after {said} is no order; use ->, Hold, Support, B F, B E or Lead")
    wanted = f"Build {units[-1]}" if r.step == "adjustments" else f"{units[-1]} Hold"
    raise Trouble(f"{said}: there is no word on what it should do", suggestion=wanted)


def _hold(r: Reader, units: list[UnitRef]) -> list[Order]:
    r.pos += 1
    back = r.pos
    r.take(",", ";")
    then = r.take("then", "and")
    if r.is_arrow() or (then and r.low() in MOVE):
        r.pos += 1
        place, _ = r.destination()
        return [Order("move", unit, path=(unit.place, place)) for unit in units]
    r.pos = back
    return [Order("hold", unit) for unit in units]


def _moves(r: Reader, units: list[UnitRef]) -> list[Order]:
    if r.section == "retreats":
        choices = _choices(r)
        return [Order("retreat", unit, choices=choices) for unit in units]
    path, total = _path(r)
    return [Order("move", unit, path=path, total=total) for unit in units]


def _path(r: Reader) -> tuple[tuple[Place, ...], int]:
    place, total = r.destination()
    path = [place]
    while True:
        back = r.pos
        paused = r.take(",", ";")
        then = r.take("then")
        words = r.low() in MOVE and (r.place_ahead(1) or r.low(1) == "to")
        if r.is_arrow() or (words and (then or not paused)) or (then and r.place_ahead()):
            if r.is_arrow() or words:
                r.pos += 1
            place, more = r.destination()
            path.append(place)
            total = total or more
            continue
        r.pos = back
        break
    if len(path) > 2:
        raise Trouble(f"{len(path)} steps: no unit moves more than two provinces", rule="12.2")
    if len(path) == 2 and total:
        raise Trouble("a unit that moves twice can't join a multiple army", rule="13.2")
    return tuple(path), total


def supported(r: Reader, inside: bool = False) -> Order:
    """What a support is for: a hold (also of a unit that builds or supports) or a move. Raises Trouble.

    `inside`: it is itself within a support, which goes no deeper.
    """
    unit = r.unit(False)
    if r.is_arrow() or r.low() in MOVE:
        r.pos += 1
        r.take("to")
        if r.low() in HOLD:
            r.pos += 1
            return Order("hold", unit)
        path, total = _path(r)
        return Order("move", unit, path=path, total=total)
    if r.low() in HOLD:
        back = r.pos
        r.pos += 1
        if r.is_arrow():
            r.pos += 1
            place, _ = r.destination()
            return Order("move", unit, path=(unit.place, place))
        r.pos = back + 1
        return Order("hold", unit)
    word = r.low()
    if word in BUILD and (word not in ("build", "builds") or r.low(1) in (*FLEET, *ENGINE, *FILLER)):
        _attachment(r, unit)
        r.warnings.append((f"a unit that builds is supported where it stands: {unit}", "14.4"))
    elif word in SUPPORT and r.at_unit(1) and not inside:
        r.pos += 1
        supported(r, inside=True)
        r.warnings.append((f"a unit that supports is supported where it stands: {unit}", "2"))
    return Order("hold", unit)


def _attachment(r: Reader, unit: UnitRef) -> OrderKind:
    word = r.low()
    r.pos += 1
    if word in ("bf", "be", "bse"):
        return "build_fleet" if word == "bf" else "build_engine"
    r.take(*FILLER)
    if r.take(*FLEET):
        return "build_fleet"
    if r.low() in ENGINE:
        r.pos += 1
        r.take("engine", "engines")
        return "build_engine"
    raise Trouble(
        f"{unit} builds what? Write {unit} B F for a fleet or {unit} B E for a siege engine",
        kind="ambiguous",
        rule="14.15",
    )


def _lead(r: Reader, nazgul: UnitRef) -> Order:
    if r.peek() is None or r.low() in SEPARATORS:
        raise Trouble(
            "a Lead repeats the whole order of the unit that is led: N(MMo) Lead A(MMo) -> SIt",
            rule="18.10",
            suggestion=f"{nazgul} Lead A({nazgul.place}) Hold",
        )
    unit = r.unit(True)
    if r.peek() is None or r.low() in SEPARATORS:
        raise Trouble(
            f"a Lead repeats the whole order of the unit that is led; {unit} does what?",
            rule="18.10",
            suggestion=f"{nazgul} Lead {unit} Hold",
        )
    if r.low() in (*LEAD, *RETREAT, *DISBAND):
        raise Trouble("the Nazgûl leads a unit that moves, holds, supports or builds", rule="18.10")
    return Order("lead", nazgul, inner=_verb(r, [unit], r.pos)[0])


def _one_leader(unit: UnitRef) -> list[Order]:
    raise Trouble(f"only one unit can lead: write the Lead of {unit} by itself", rule="18.10")


# --- retreats --------------------------------------------------------------------------------------------


def _choices(r: Reader) -> tuple[Place, ...]:
    """Places, best first; "disband" ends the list, since a unit without a place left is disbanded anyway."""
    choices: list[Place] = []
    while True:
        if r.is_arrow():
            r.pos += 1
        r.take("to", *FILLER)
        if r.low() in DISBAND:
            r.pos += 1
            break
        if choices and longest_place(r.tokens, r.pos) is None:
            r.place("among the retreats")
        place, _ = r.destination()
        if place not in choices:
            choices.append(place)
        back = r.pos
        more = False
        while r.take(",", "/", *OR) or (r.low() == "and" and not r.place_ahead() and r.take("and")):
            more = True
        if not more or r.at_unit() or not (r.place_ahead() or r.is_arrow() or r.low() in DISBAND):
            r.pos = back
            break
    if not choices:
        raise Trouble("name the provinces to retreat to, best first, or write Disband")
    return tuple(choices)


def _trailing_retreat(r: Reader, units: list[UnitRef]) -> list[Order]:
    back = r.pos
    while r.take(",", ";", ".", "(", "[", *OR, "and", "if"):
        pass
    r.take("dislodged")
    r.take(",", ":")
    if r.low() in RETREAT and (r.low(1) not in SEPARATORS) and not r.at_unit():
        ahead = 1 + (r.low(1) == "to") + r.is_arrow(1)
        if r.place_ahead(ahead) or r.low(1) in (":", "(", "["):
            r.pos += 1
            r.take(":", "(", "[")
            choices = _choices(r)
            return [Order("retreat", unit, choices=choices) for unit in units]
    r.pos = back
    return []
