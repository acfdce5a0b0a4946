"""A scripted player for all eight powers, made from what its power may know.

It plays on worth: a province is worth what centres can be reached from it. `bot_moves` plans the movement; this module
answers the other phases.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gm.games.api import Dice, Json, View
from gm.games.necromancer.board import the_board
from gm.games.necromancer.bot_moves import Plan, worth
from gm.games.necromancer.ids import GONDOR, SARUMAN, SAURON, Place


def bot(view: View, dice: Dice) -> tuple[str, ...]:
    """See `gm.games.api.Ruleset.bot`: legal, purposeful orders in normal form."""
    if view.power is None:
        return ()
    match view.phase.kind:
        case "setup":
            return _setup(view, dice)
        case "movement":
            return Plan(view, view.power, dice).orders()
        case "retreats":
            return _retreats(view)
        case "adjustments":
            return _adjustments(view, dice)
    return ()


def _setup(view: View, dice: Dice) -> tuple[str, ...]:
    board = the_board()
    if view.power == SARUMAN:
        places = board.saruman_third_army
        return (f"Place A({places[dice.roll('third army', len(places)) - 1]})",)
    if view.power == SAURON:
        choice = [*board.standing, f"D({board.dragon_entry})", *(f"S({p})" for p in board.spider_entry)]
        return (f"Activate {choice[dice.roll('activation', len(choice)) - 1]}",)
    return ()


def _retreats(view: View) -> tuple[str, ...]:
    value = worth(view)
    gone: set[Place] = set()
    orders = []
    for unit in view.data["dislodged"]:
        if unit["power"] != view.power:
            continue
        places = [p for p in unit["retreats"] if p not in gone]
        if not places:
            orders.append(f"{unit['unit']} Disband")
            continue
        best = max(places, key=lambda p: (value[p], p))
        gone.add(best)
        orders.append(f"{unit['unit']} -> {best}")
    return tuple(orders)


def _adjustments(view: View, dice: Dice) -> tuple[str, ...]:
    mine: Mapping[str, Json] | None = view.data["mine"]
    if mine is None:
        return ()
    orders: list[str] = []
    if mine["activate"]:
        order = _shuffled([_bare(text) for text in mine["activate"]], dice, "activation")
        orders.append(f"Activate {', '.join(order)}")
    if mine["raise"]:
        orders.append(f"Raise {', '.join(mine['raise'])}")
    if mine["owed"] > 0:
        orders += _builds(view, mine["owed"], mine["builds"], dice)
    elif mine["owed"] < 0:
        orders += _removals(view, -mine["owed"])
    return tuple(orders) or ("Waive",)


def _bare(text: str) -> str:
    return text[2:-1] if text.startswith("A(") else text


def _shuffled(items: Sequence[str], dice: Dice, purpose: str) -> list[str]:
    left = list(items)
    found = []
    while left:
        found.append(left.pop(dice.roll(purpose, len(left)) - 1))
    return found


def _builds(view: View, number: int, sites: Sequence[str], dice: Dice) -> list[str]:
    value = worth(view)
    there: dict[Place, int] = {}
    for unit in view.data["units"]:
        if unit["power"] == view.power and unit["kind"] in "ADS":
            there[unit["place"]] = there.get(unit["place"], 0) + unit["strength"]
    offboard = the_board().offboard
    stacks = view.power in (GONDOR, SAURON)
    by_place: dict[Place, str] = {}
    for site in sites:
        if site[2:-1] not in by_place or dice.roll("cavalry", 3) > 1:
            by_place[site[2:-1]] = site[0]
    ranked = sorted(by_place, key=lambda p: (there.get(p, 0), -value[p], p))
    added = dict.fromkeys(ranked, 0)
    for place in ranked[:number]:
        added[place] = 1
    rest = number - len(ranked)
    while rest > 0 and stacks and (open_to := [p for p in ranked if p not in offboard]):
        # Gondor, and Sauron beside the Nazgûl, go on to build on what stands there (13.14)
        rich = [p for p in open_to if view.power == GONDOR or there.get(p)]
        if not rich:
            break
        added[rich[dice.roll("stack", len(rich)) - 1]] += 1
        rest -= 1
    orders = []
    for place, more in added.items():
        total = more + (there.get(place, 0) if stacks and place not in offboard else 0)
        if more:
            orders.append(f"Build {total if total > 1 else ''}{by_place[place]}({place})")
    return orders


def _removals(view: View, number: int) -> list[str]:
    value = worth(view)
    armies = [
        (value[u["place"]], f"{u['kind']}({u['place']})")
        for u in view.data["units"]
        if u["power"] == view.power and u["kind"] in ("A", "C")
        for _ in range(u["strength"])
    ]
    return [f"Remove {text}" for _, text in sorted(armies)[:number]]
