"""A whole sheet explained to its owner: what has no order, what does not add up, what would happen if it stays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gm.games.api import Problem, ProblemKind, Review, State
from gm.games.necromancer.board import the_board
from gm.games.necromancer.counting import Pool, counted, pool_of
from gm.games.necromancer.dues import due_of
from gm.games.necromancer.ids import Place, PowerId
from gm.games.necromancer.legality import ORDER_DEPENDENT, Verdict, consequence, verdicts
from gm.games.necromancer.model import Game, Unit
from gm.games.necromancer.names import full_name
from gm.games.necromancer.normal import parse_orders
from gm.games.necromancer.orders import Order, order_text
from gm.games.necromancer.review_later import review_adjustments, review_retreats
from gm.games.necromancer.saved import from_json
from gm.games.necromancer.wording import listed, static_reason


def review(state: State, power: PowerId, sheet: Sequence[str]) -> Review:
    """See `gm.games.api.Ruleset.review`."""
    return review_of(from_json(state), power, sheet)


def review_of(game: Game, power: PowerId, sheet: Sequence[str]) -> Review:
    """The review of a sheet in normal form."""
    read = parse_orders(game, power, sheet)
    orders = [order for _, order in read if order]
    unread = tuple(
        Problem(
            line=0,
            text=text,
            kind="unreadable",
            message="This line of the sheet can't be read; it is ignored",
        )
        for text, order in read
        if order is None
    )
    match game.step:
        case "movement":
            found = _movement(game, power, orders)
        case "retreats":
            found = review_retreats(game, power, orders)
        case "adjustments":
            found = review_adjustments(game, power, orders)
        case "setup":
            due = due_of(game, power)
            missing = due.items if due and not orders else ()
            found = Review(missing=missing, problems=())
        case _:
            found = Review(missing=(), problems=())
    return Review(missing=found.missing, problems=(*unread, *found.problems), notes=found.notes)


def problem(kind: ProblemKind, text: str, message: str, rule: str = "") -> Problem:
    """A problem of the sheet as a whole."""
    return Problem(line=0, text=text, kind=kind, message=message, rule=f"necromancer {rule}" if rule else "")


# --- movement ------------------------------------------------------------------------------------------------


def _movement(game: Game, power: PowerId, orders: Sequence[Order]) -> Review:
    moving = [
        o for o in orders if o.kind in ("hold", "move", "support", "build_fleet", "build_engine", "lead")
    ]
    units: dict[Pool, list[Unit]] = {}
    for unit in game.units:
        if unit.owner == power:
            units.setdefault(pool_of(unit), []).append(unit)
    sheets: dict[Pool, list[Order]] = {}
    for order in moving:
        if order.unit:
            sheets.setdefault(pool_of(order.unit), []).append(order)
    missing: list[str] = []
    problems: list[Problem] = []
    for pool, there in units.items():
        left = _strength(there) - sum(o.unit.strength for o in sheets.get(pool, ()) if o.unit)
        if left > 0:
            missing.append(_missing(there, left))
            problems += _no_fortress(there, left)
    found = verdicts(game, power, moving)
    problems += _misorders(game, moving, found, units)
    problems += _loose_ends(game, power, moving, found)
    notes = (*_forecast(moving, found), *_for_later(orders, moving))
    return Review(missing=tuple(missing), problems=tuple(problems), notes=notes)


def _strength(units: Sequence[Unit]) -> int:
    return sum(u.strength for u in units)


def _missing(there: Sequence[Unit], left: int) -> str:
    whole = listed([str(u) for u in there])
    total = _strength(there)
    return whole if left == total else f"{left} of the {total} armies of {whole}"


def _no_fortress(there: Sequence[Unit], left: int) -> list[Problem]:
    place = there[0].place
    if not the_board()[place].fortress:
        return []
    what = _missing(there, left)
    message = (
        f"{what} has no order. If this stays, it holds without the help of the fortress of {full_name(place)}, "
        f"and a single supported attack can drive it out; {there[0].kind}({place}) Hold keeps the fortress"
    )
    return [problem("warning", what, message, "7.4")]


def _misorders(
    game: Game, orders: Sequence[Order], found: Mapping[int, Verdict], units: Mapping[Pool, Sequence[Unit]]
) -> list[Problem]:
    problems: list[Problem] = []
    told: set[tuple[str, str, object]] = set()
    for number, (result, code, rule) in found.items():
        order = orders[number]
        if order.unit is None or result != "misorder":
            continue
        pool = pool_of(order.unit)
        where: object = (order.path[0] if order.path else order.unit.place) if rule == "13.2" else pool
        if (code, rule, where) in told:
            continue
        told.add((code, rule, where))
        text, message = counted(order, code, rule, orders, units.get(pool, ()))
        problems.append(problem("misorder", text, f"{message}. If this stays, {_they_hold(game)}", rule))
    return problems


def _they_hold(game: Game) -> str:
    if not game.options.miscounted_stack_voids_orders:
        return "they are read as plain moves, which stand each other off"
    return consequence(game).replace("the unit holds", "all of them hold").replace("it had", "they had")


def _loose_ends(
    game: Game, power: PowerId, orders: Sequence[Order], found: Mapping[int, Verdict]
) -> list[Problem]:
    """Supports and Leads of his own units that match none of his orders, and what only the whole sheet shows."""
    problems: list[Problem] = []
    own = {pool_of(u) for u in game.units if u.owner == power}
    for number, (result, code, rule) in found.items():
        order = orders[number]
        text = order_text(order)
        if result == "void" and order.kind == "lead":
            message = "This Lead does not repeat an order of yours for a unit there; if it stays, it is void"
            problems.append(problem("misorder", text, message, "18.10"))
        elif result == "void" and order.inner and order.inner.unit:
            if pool_of(order.inner.unit) in own and order.inner.unit.owner in (None, power):
                message = (
                    f"You have not ordered {order_text(order.inner)}; if this stays, the support is void"
                )
                problems.append(problem("warning", text, message, rule))
        elif result == "illegal" and rule in ORDER_DEPENDENT:
            message = f"{static_reason(code, rule, order)}; if this stays, {consequence(game)}"
            problems.append(problem("illegal", text, message, rule))
    return problems


def _for_later(orders: Sequence[Order], moving: Sequence[Order]) -> tuple[str, ...]:
    """Retreats and adjustments that came early (17.6)."""
    later = [order_text(o) for o in orders if o not in moving]
    return (f"Kept for later phases of this turn: {'; '.join(later)}",) if later else ()


def _forecast(orders: Sequence[Order], found: Mapping[int, Verdict]) -> tuple[str, ...]:
    """The multiple armies that these orders form, if nobody hinders them."""
    goals: dict[Place, list[Order]] = {}
    for number, order in enumerate(orders):
        if order.kind == "move" and order.total and number not in found:
            goals.setdefault(order.path[0], []).append(order)
    return tuple(
        f"{goal}: {listed([str(o.unit) for o in parts])} join as {parts[0].total}A({goal}), if nobody stops them"
        for goal, parts in goals.items()
    )
