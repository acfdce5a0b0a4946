"""Receipts of retreat and adjustment sheets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gm.games.api import Problem, ProblemKind, Review
from gm.games.necromancer.board import the_board
from gm.games.necromancer.facts import balance, offers, owed
from gm.games.necromancer.ids import GONDOR, SARUMAN, SAURON, PowerId
from gm.games.necromancer.model import Game
from gm.games.necromancer.orders import Order, UnitRef, order_text
from gm.games.necromancer.wording import listed


def problem(kind: ProblemKind, text: str, message: str, rule: str = "") -> Problem:
    """A problem of the sheet as a whole."""
    return Problem(line=0, text=text, kind=kind, message=message, rule=f"necromancer {rule}" if rule else "")


def review_retreats(game: Game, power: PowerId, orders: Sequence[Order]) -> Review:
    """Dislodged units without a retreat, choices that are closed, retreats that would clash."""
    missing: list[str] = []
    problems: list[Problem] = []
    goals: Counter[str] = Counter()
    for dislodged in game.dislodged:
        unit = dislodged.unit
        if unit.owner != power:
            continue
        mine = [o for o in orders if o.unit and (o.unit.kind, o.unit.place) == (unit.kind, unit.place)]
        if not mine:
            early = any(
                o.unit and (o.unit.kind, o.unit.place) == (unit.kind, unit.place)
                for o in game.retreat_lists.get(power, ())
            )
            missing.append(f"{unit}: " + ("your earlier list counts" if early else "it will be disbanded"))
            continue
        open_to = offers(game, dislodged, power)
        for place in mine[0].choices:
            if place not in open_to:
                message = f"{unit} can't retreat to {place}; open are: {', '.join(open_to) or 'none'}"
                problems.append(problem("illegal", order_text(mine[0], game.step), message, "2"))
        first = next((p for p in mine[0].choices if p in open_to), None)
        if first and first not in the_board().offboard:
            goals[first] += 1
    for place, number in goals.items():
        if number > 1:
            message = f"{number} units of yours retreat to {place}; if this stays, all of them are disbanded"
            problems.append(problem("warning", place, message, "4"))
    return Review(missing=tuple(missing), problems=tuple(problems))


def review_adjustments(game: Game, power: PowerId, orders: Sequence[Order]) -> Review:
    """Builds and removals counted against what is due, places where nothing can be built."""
    due = balance(game, power)
    mine = owed(game, power)
    builds = [o for o in orders if o.kind == "build"]
    spent = sum(_cost(game, power, o.unit) for o in builds if o.unit)
    removed = sum(o.unit.strength for o in orders if o.kind == "remove" and o.unit)
    waived = sum(o.kind == "waive" for o in orders)
    missing: list[str] = []
    problems: list[Problem] = []
    left = due - spent - waived
    if due > 0 and left > 0 and (mine["builds"] or power == SARUMAN):
        missing.append(f"{left} of {due} build{'s' if due > 1 else ''}")
    if due < 0 and removed < -due:
        missing.append(f"{-due - removed} of {-due} removal{'s' if due < -1 else ''}")
        message = "If this stays, the units farthest from your centres are removed"
        problems.append(problem("warning", f"{-due - removed} to remove", message, "2"))
    if power == SAURON and mine["activate"] and not any(o.kind == "activate" for o in orders):
        missing.append("one activation")
    if power == SAURON and mine["raise"] and not any(o.kind == "raise" for o in orders):
        missing.append("a new Nazgûl")
    if builds and spent > max(due, 0):
        message = (
            f"{spent} builds ordered, {max(due, 0)} due: the first that can be are carried out, the rest fail"
        )
        problems.append(problem("warning", "; ".join(order_text(o, game.step) for o in builds), message, "2"))
    if removed > max(-due, 0):
        message = f"{removed} removals ordered, {max(-due, 0)} due: those beyond that fail"
        problems.append(problem("warning", "Remove", message, "2"))
    for order in builds:
        problems += _bad_sites(game, power, order, mine["builds"], due)
    return Review(missing=tuple(missing), problems=tuple(problems))


def _there(game: Game, power: PowerId, ref: UnitRef) -> int:
    if ref.place in the_board().offboard:
        return 0
    return sum(
        u.strength for u in game.units if u.owner == power and u.place == ref.place and u.kind in "ADS"
    )


def _cost(game: Game, power: PowerId, ref: UnitRef) -> int:
    return max(ref.strength - (_there(game, power, ref) if power in (GONDOR, SAURON) else 0), 1)


def _bad_sites(game: Game, power: PowerId, order: Order, sites: Sequence[str], due: int) -> list[Problem]:
    found: list[Problem] = []
    for ref in (order.unit, *order.alternatives):
        if ref is None:
            continue
        text = order_text(order, game.step)
        if due > 0 and f"{ref.kind}({ref.place})" not in sites:
            where = listed(list(sites), "or") or "no place now"
            message = f"{ref} can't be built; you may build {where}"
            found.append(problem("illegal", text, message, "16.3" if power == SARUMAN else "2"))
        elif power in (GONDOR, SAURON) and ref.strength <= _there(game, power, ref):
            stands = _there(game, power, ref)
            message = (
                f"{ref} states the strength that stands there afterwards, and {stands} stand there already; "
                f"to add one, write Build {stands + 1}A({ref.place})"
            )
            found.append(problem("misorder", text, message, "13.14"))
    return found
