"""Lists of builds, removals and activations, and the choices before the game."""

from __future__ import annotations

from gm.games.necromancer.board import the_board
from gm.games.necromancer.ids import OrderKind
from gm.games.necromancer.names import KIND_WORDS
from gm.games.necromancer.orders import Order, UnitRef
from gm.games.necromancer.reader import BETWEEN, Reader, Trouble
from gm.games.necromancer.vocabulary import BUILD, HOLD, JOINING, LEAD, MOVE, OR, RETREAT, SUPPORT


def unit_lists(r: Reader, kind: OrderKind) -> list[Order]:
    """``Build A(DAm) and 2A(MTi)``, ``Remove A(Pel) or A(Los)``: "or" gives alternatives, the rest new orders."""
    r.take(":")
    own = kind in ("remove", "disband")
    orders: list[Order] = []
    while True:
        group = [_listed(r, own)]
        while True:
            back = r.pos
            r.take(",", ";")
            if r.take(*OR):
                r.take(",")
                group.append(_listed(r, own))
                continue
            r.pos = back
            break
        orders.append(Order(kind, group[0], alternatives=tuple(group[1:])))
        back = r.pos
        joined = False
        while r.take(*JOINING):
            joined = True
        if not joined or not (r.at_unit() or (kind == "build" and r.place_ahead())) or has_verb_after(r):
            r.pos = back
            return orders


def _listed(r: Reader, own: bool) -> UnitRef:
    if own or r.at_unit() or not r.place_ahead():
        return r.unit(own)
    place = r.place("to build in")
    if place in the_board().cavalry_builds:
        raise Trouble(f"{place} may build A({place}) or C({place}): say which", kind="ambiguous", rule="12.9")
    return UnitRef("A", place)


def has_verb_after(r: Reader) -> bool:
    """Whether the unit ahead begins a sentence of its own (``Build A(DAm), A(Pel) -> Los``)."""
    back = r.pos
    try:
        r.unit(False)
    except Trouble:
        return False
    else:
        word = r.low()
        return r.is_arrow() or word in (*HOLD, *SUPPORT, *LEAD, *RETREAT, *MOVE, *BUILD)
    finally:
        r.pos = back


def waive(r: Reader) -> list[Order]:
    """``Waive``, ``Waive 2 builds``, ``No build``."""
    r.pos += 1
    token = r.peek()
    number = 1
    if token is not None and token.kind == "number":
        number = min(int(token.text[:4]), 20)
        r.pos += 1
    r.take("a", "the", "all", "remaining")
    r.take("build", "builds")
    return [Order("waive")] * max(1, number)


def activate(r: Reader) -> list[Order]:
    """``Activate Gun, or Gob``: the first is tried first (17.6). Raises Trouble."""
    r.pos += 1
    r.take(":")
    found = [_activated(r)]
    while True:
        back = r.pos
        while r.take(",", ";", "/", "then", *OR):
            pass
        if (
            r.pos == back
            or not (r.place_ahead() or r.low() in KIND_WORDS or r.low() == "the")
            or has_verb_after(r)
        ):
            r.pos = back
            break
        found.append(_activated(r))
    return [Order("activate", found[0], alternatives=tuple(found[1:]))]


def _activated(r: Reader) -> UnitRef:
    board = the_board()
    r.take("the", "standing")
    word = r.low()
    if KIND_WORDS.get(word) in ("D", "S") and not r.place_ahead():
        r.pos += 1
        r.take(*BETWEEN)
        r.take("the")
        if r.low() in ("(", "[") or r.place_ahead():
            place = r.place("after the unit to activate")
            return UnitRef("D" if word.startswith("d") else "S", place)
        if word.startswith("d"):
            return UnitRef("D", board.dragon_entry)
        r.take("mirkwood")
        listed = " or ".join(f"S({place})" for place in board.spider_entry)
        raise Trouble(f"the Spiders may start as {listed}: say which", kind="ambiguous", rule="17.3")
    if r.at_unit():
        return r.unit(False)
    place = r.place("to activate")
    if place == board.dragon_entry:
        return UnitRef("D", place)
    return UnitRef("S" if place in board.spider_entry else "A", place)


def raise_nazgul(r: Reader) -> list[Order]:
    """``Raise N(MMo)``; ``Raise A(Gap)`` is Saruman's word for a build at the Wizard (16.3)."""
    r.pos += 1
    r.take("the", "a", "an")
    found = [_raised(r)]
    if found[0].kind != "N":
        return [Order("build", found[0])]
    while True:
        back = r.pos
        while r.take(",", "/", *OR):
            pass
        if r.pos == back or not (r.at_unit() or r.place_ahead()) or has_verb_after(r):
            r.pos = back
            return [Order("raise", found[0], alternatives=tuple(found[1:]))]
        found.append(_raised(r))


def _raised(r: Reader) -> UnitRef:
    if r.at_unit():
        return r.unit(False)
    return UnitRef("N", r.place("to raise the Nazgûl in"))


def place_army(r: Reader) -> list[Order]:
    """``Place A(Gap)`` (16.14)."""
    r.pos += 1
    r.take("the", "a", "an", "my")
    if r.at_unit():
        return [Order("place", r.unit(False))]
    return [Order("place", UnitRef("A", r.place("to place the army in")))]
