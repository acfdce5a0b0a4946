"""What the engine will say of orders by themselves, told to their owner while he can still mend them.

The engine's own compiler judges; it is shown only the units that the owner knows of, so nothing that he may not know
can come out of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gm.games.necromancer.board import the_board
from gm.games.necromancer.compile import compile_orders
from gm.games.necromancer.facts import known_units
from gm.games.necromancer.ids import GONDOR, ROHAN, SARUMAN, SAURON, PowerId
from gm.games.necromancer.model import Game, normalise
from gm.games.necromancer.names import KIND_NAMES
from gm.games.necromancer.orders import Order, UnitRef, order_text
from gm.games.necromancer.wording import listed, static_reason

Verdict = tuple[str, str, str]
"""(result word, code, clause)"""

ORDER_DEPENDENT = ("16.10", "18.11")
"""Clauses under which an order's legality hangs on other orders of the same sheet: left to the receipt."""


@dataclass(frozen=True)
class Objection:
    """Why an order will fail whatever the others do."""

    message: str
    rule: str
    suggestion: str = ""


def known_game(game: Game, power: PowerId) -> Game:
    """The position with the units that a power knows of."""
    return replace(game, units=normalise(known_units(game, power)))


def verdicts(game: Game, power: PowerId, orders: Sequence[Order]) -> Mapping[int, Verdict]:
    """The compiler's verdicts on a sheet of movement orders by itself: by number of the order."""
    plan = compile_orders(known_game(game, power), the_board(), {power: orders})
    return {number: verdict for (owner, number), verdict in sorted(plan.verdicts.items()) if owner == power}


_OWNERS: Mapping[str, tuple[PowerId, str]] = {
    "C": (ROHAN, "12.1"),
    "W": (SARUMAN, "16.1"),
    "N": (SAURON, "18.1"),
    "D": (SAURON, "17.3"),
    "S": (SAURON, "17.3"),
}


def not_owned(power: PowerId, kind: str) -> str:
    """The clause that keeps a kind of unit from a power; empty if it may have it."""
    owner, rule = _OWNERS.get(kind, (power, ""))
    return rule if owner != power else ""


def consequence(game: Game) -> str:
    """What becomes of a unit whose order is illegal or a misorder (7.4)."""
    if game.options.illegal_order_loses_fortress:
        return "the unit holds as if it had no order, without the help of any fortress"
    return "the unit holds as if it had no order"


def objection(game: Game, power: PowerId, order: Order) -> Objection | None:
    """What makes an order illegal by itself, in words for its owner; None if nothing does."""
    if order.kind in ("build", "activate", "place"):
        return _wrong_choice(power, order)
    if game.step == "movement" and order.kind not in ("retreat", "disband", "remove", "waive", "raise"):
        found = verdicts(game, power, [order]).get(0)
        if found and found[0] == "illegal" and found[2] not in ORDER_DEPENDENT:
            _, code, rule = found
            message = f"{static_reason(code, rule, order)}; if this stays, {consequence(game)}"
            return Objection(message, rule, _nearest(game, power, order, rule))
    return None


def _wrong_choice(power: PowerId, order: Order) -> Objection | None:
    """What no power, or not this one, can ever build, activate or place."""
    board = the_board()
    for ref in (order.unit, *order.alternatives):
        if ref is None:
            continue
        wrong = None
        if order.kind == "build":
            wrong = _wrong_build(power, ref)
        elif order.kind == "place" and (ref.kind != "A" or ref.place not in board.saruman_third_army):
            places = listed(board.saruman_third_army, "or")
            wrong = Objection(
                f"The third army starts in {places}; if this stays, it starts in {places[:3]}", "16.14"
            )
        elif order.kind == "activate" and ref.kind == "A" and ref.place not in board.standing:
            wrong = Objection(
                f"There is no standing army in {ref.place}, but in {listed(board.standing)}", "17.1"
            )
        elif order.kind == "activate" and ref.kind == "D" and ref.place != board.dragon_entry:
            wrong = Objection(
                f"The Dragons enter in {board.dragon_entry}", "17.3", f"Activate D({board.dragon_entry})"
            )
        elif order.kind == "activate" and ref.kind == "S" and ref.place not in board.spider_entry:
            wrong = Objection(f"The Spiders enter in {listed(board.spider_entry, 'or')}", "17.3")
        if wrong:
            return wrong
    return None


def _wrong_build(power: PowerId, ref: UnitRef) -> Objection | None:
    board = the_board()
    army = f"Build A({ref.place})"
    if ref.kind == "C" and power != ROHAN:
        return Objection("Only Rohan has cavalry; if this stays, nothing is built", "12.1", army)
    if ref.kind == "C" and ref.place not in board.cavalry_builds:
        return Objection(f"Cavalry is built in {listed(board.cavalry_builds)} only", "12.9", army)
    if ref.kind not in ("A", "C"):
        rule = {"W": "16.12", "N": "18.13"}.get(ref.kind, "17.3")
        return Objection(f"The {KIND_NAMES[ref.kind]} can't be built", rule)
    if ref.fleets or ref.engines:
        what, rule = ("Fleets", "14.2") if ref.fleets else ("Siege engines", "15.1")
        return Objection(
            f"{what} are built by an army as its order for a turn, not in adjustments", rule, army
        )
    if ref.strength > 1 and power not in (GONDOR, SAURON):
        return Objection("Only Gondor builds multiple armies, and Sauron where the Nazgûl is", "13.14", army)
    return None


def _nearest(game: Game, power: PowerId, order: Order, rule: str) -> str:
    """The nearest legal form of an illegal order, where there is an obvious one."""
    if order.kind == "move" and order.unit and order.path == (order.unit.place,):
        return f"{order.unit} Hold"
    if order.kind == "move" and len(order.path) == 2 and rule == "12.2":
        shorter = replace(order, path=order.path[:1])
        return order_text(shorter) if objection(game, power, shorter) is None else ""
    if rule in ("16.8", "18.9") and order.unit:
        return f"{order.unit} Hold"
    return ""
