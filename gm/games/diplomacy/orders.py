"""Orders: their normal form as text, and the static half of each, compiled once for (unit, text).

Normal forms::

    A PAR H                  A PAR - BUR          F GAS - SPA/NC        A LON - BEL VIA
    A MAR S A PAR            A MAR S A PAR - BUR  F ENG C A LON - BEL
    F NTH - HOL              Disband F NTH        (retreats)
    Build F STP/SC           Remove A PAR         Waive      (adjustments)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

from gm.games.diplomacy.board import Board, Piece, province_of

Verb = Literal["hold", "move", "support", "convoy", "disband", "build", "remove", "waive"]

HOLD, DIRECT, ARMY, SUPPORT, CONVOY = range(5)
"""Kinds of a compiled order. Their tuples:

``(HOLD, word)``; ``(DIRECT, to, unit after, place)``; ``(ARMY, to, unit after, place, key, by land, ways)``;
``(SUPPORT, of, to or None, directed, place or None)``; ``(CONVOY, of, to, key, ferry)``.
ARMY is a move that a convoy may carry, `by land` whether it may also walk; `key` joins it to its convoy orders;
`ferry` tells that the fleet alone joins both shores; `directed` is the province that a support is given into.
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Order:
    """One order, as said. Places are as in `Board.place_names`; `kind` is ``"A"`` or ``"F"``."""

    verb: Verb
    kind: str = ""
    place: str = ""
    to: str = ""
    """Where the unit goes, or the supported or convoyed unit; empty in a support to hold."""
    of_kind: str = ""
    of: str = ""
    via: bool = False

    @property
    def unit(self) -> str:
        """The ordered unit: ``"A PAR"``."""
        return f"{self.kind} {self.place}"

    def text(self) -> str:
        """The normal form."""
        match self.verb:
            case "hold":
                return f"{self.unit} H"
            case "move":
                return f"{self.unit} - {self.to}{' VIA' if self.via else ''}"
            case "support":
                return f"{self.unit} S {self.of_kind} {self.of}{f' - {self.to}' if self.to else ''}"
            case "convoy":
                return f"{self.unit} C {self.of_kind} {self.of} - {self.to}"
            case "waive":
                return "Waive"
            case word:
                return f"{word.capitalize()} {self.unit}"


_PLACE = r"[A-Z]{3}(?:/[A-Z]{2})?"
_UNIT_ORDER = re.compile(
    rf"(?P<kind>[AF]) (?P<place>{_PLACE}) (?:(?P<hold>H)|- (?P<to>{_PLACE})(?P<via> VIA)?|(?P<help>[SC]) "
    rf"(?P<of_kind>[AF]) (?P<of>{_PLACE})(?: - (?P<of_to>{_PLACE}))?)"
)
_ADJUSTMENT = re.compile(rf"(?P<verb>Build|Remove|Disband) (?P<kind>[AF]) (?P<place>{_PLACE})")


def read(text: str) -> Order | None:
    """The order that a normal form stands for, or None."""
    if text == "Waive":
        return Order(verb="waive")
    if found := _ADJUSTMENT.fullmatch(text):
        verb: Any = found["verb"].lower()
        return Order(verb=verb, kind=found["kind"], place=found["place"])
    found = _UNIT_ORDER.fullmatch(text)
    if found is None or (found["help"] == "C" and not found["of_to"]):
        return None
    kind, place = found["kind"], found["place"]
    if found["hold"]:
        return Order(verb="hold", kind=kind, place=place)
    if found["help"]:
        help_verb: Verb = "support" if found["help"] == "S" else "convoy"
        of_kind, of, of_to = found["of_kind"], found["of"], found["of_to"] or ""
        return Order(verb=help_verb, kind=kind, place=place, of_kind=of_kind, of=of, to=of_to)
    return Order(verb="move", kind=kind, place=place, to=found["to"], via=bool(found["via"]))


def landing(board: Board, piece: Piece, to: str) -> str | None:
    """The place in which a step to `to` ends, or None if the unit cannot make it.

    A coast left out is filled in where only one can be reached (datc 4.B.2 a) and must be named where two can
    (4.B.1); a coast named in an army's move is ignored (4.B.6 b).
    """
    province = board.index.get(province_of(to))
    if province is None:
        return None
    places = piece.steps.get(province, ())
    if piece.army:
        return places[0] if places else None
    if to in places:
        return to
    return places[0] if len(places) == 1 and len(to) == 3 else None


def compile_order(board: Board, piece: Piece, text: str) -> tuple[Any, ...]:
    """The static half of an order: what it is and whether the unit could ever carry it out (datc 4.E.1).

    An impossible order compiles to a hold with the word ``"illegal"``. `resolve` keeps what this gives by text.
    """
    return _compile(board, piece, read(text))


ILLEGAL = (HOLD, "illegal")


def _compile(board: Board, piece: Piece, order: Order | None) -> tuple[Any, ...]:
    if order is None:
        return ILLEGAL
    if order.verb == "hold":
        return (HOLD, "ok")
    of = board.index.get(province_of(order.of))
    to = board.index.get(province_of(order.to))
    if order.verb == "move" and to is not None:
        return _compile_move(board, piece, order, to)
    if order.verb == "support" and of is not None:
        directed = of if to is None else to
        if piece.province in (of, directed) or of == to or not piece.reach >> directed & 1:
            return ILLEGAL
        coast = order.to if "/" in order.to else None
        return (SUPPORT, of, to, directed, coast)
    if order.verb == "convoy" and of is not None and to is not None and of != to:
        bit = 1 << piece.province
        if not piece.army and any(route & bit for route in board.routes(of, to)):
            ferry = bool(board.shores[of] & board.shores[to] & bit)
            return (CONVOY, of, to, of * len(board.ids) + to, ferry)
    return ILLEGAL


def _compile_move(board: Board, piece: Piece, order: Order, to: int) -> tuple[Any, ...]:
    place = landing(board, piece, order.to)
    ways = board.ways(piece.province, to) if piece.army and piece.province != to else ()
    if ways:
        key = piece.province * len(board.ids) + to
        return (ARMY, to, f"A {board.ids[to]}", board.ids[to], key, place is not None and not order.via, ways)
    if place is None:
        return ILLEGAL
    return (DIRECT, to, f"{'A' if piece.army else 'F'} {place}", place)
