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
from gm.games.necromancer.model import Game, Order, PowerId, normalise
from gm.games.necromancer.text import order_text
from gm.games.necromancer.wording import static_reason

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


def consequence(game: Game) -> str:
    """What becomes of a unit whose order is illegal or a misorder (7.4)."""
    if game.options.illegal_order_loses_fortress:
        return "the unit holds as if it had no order, without the help of any fortress"
    return "the unit holds as if it had no order"


def objection(game: Game, power: PowerId, order: Order) -> Objection | None:
    """What makes an order illegal by itself, in words for its owner; None if nothing does."""
    if game.step == "movement" and order.kind not in ("retreat", "disband", "build", "remove", "waive"):
        if order.kind in ("activate", "raise"):
            return None
        found = verdicts(game, power, [order]).get(0)
        if found and found[0] == "illegal" and found[2] not in ORDER_DEPENDENT:
            _, code, rule = found
            message = f"{static_reason(code, rule, order)}; if this stays, {consequence(game)}"
            return Objection(message, rule, _nearest(game, power, order, rule))
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
