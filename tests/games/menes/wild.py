"""Crowded boards and orders without plan, for tests that want everything to happen."""

from __future__ import annotations

import random

from gm.games.api import check_options
from gm.games.dice import SeededDice
from gm.games.menes import RULESET
from gm.games.menes.board import HOMES, POWERS, PROVINCES, SEAS, SPACES
from gm.games.menes.model import UNIQUE, UNITS, is_sea
from gm.games.menes.text import ALL, After, Buy, Disband, Move, Peace, Retreat, show


def wild_position(rng: random.Random, options):
    """Forces of all powers strewn over the whole board, ships with cargo among them."""
    state = dict(RULESET.new_game(check_options(RULESET.meta, options), SeededDice(b"x", "setup")))
    units = {p: {} for p in POWERS}
    cargo = {p: {} for p in POWERS}
    for power in POWERS:
        own = UNIQUE[power]
        land = ["army"] if UNITS[own].ship else ["army", own]
        for place in rng.sample(PROVINCES, 14):
            units[power][place] = {
                unit: rng.randrange(1, 7) for unit in rng.sample(land, rng.randrange(1, len(land) + 1))
            }
        for sea in rng.sample(SEAS, 6):
            units[power][sea] = {"fleet": rng.randrange(1, 5)}
            cargo[power][sea] = {"army": rng.randrange(1, 5 * units[power][sea]["fleet"] + 1)}
            if own == "elvenship":
                units[power][sea][own] = rng.randrange(1, 3)
    return {**state, "units": units, "cargo": cargo}


def wild_sheets(rng: random.Random, state) -> dict[str, list[str]]:
    """Orders that look like orders: random steps, routes, voyages and counts, most of which can be done."""
    sheets = {}
    for due in RULESET.dues(state):
        power = due.power
        own = UNIQUE[power]
        orders = [
            Buy(rng.randrange(4), rng.choice(["army", own]), home, (*SPACES[home].seas, None)[0])
            for home in HOMES[power]
        ]
        orders = [o if UNITS[o.unit].ship else Buy(o.count, o.unit, o.at) for o in orders]
        for place, counts in state["units"][power].items():
            for unit in sorted(counts):
                orders += _wild_ships(rng, place, unit) if is_sea(place) else _wild_march(rng, place, unit)
            if rng.random() < 0.05:
                orders.append(Disband(rng.choice([ALL, 1]), rng.choice(sorted(counts)), place))
            if not is_sea(place) and SPACES[place].land:
                orders.append(Retreat(place, (rng.choice(SPACES[place].land),)))
                orders.append(After(place, "attack", rng.choice(SPACES[place].land)))
        orders += [Peace(rng.choice(POWERS), rng.random() < 0.7) for _ in range(2)]
        sheets[power] = [show(o) for o in orders]
    return sheets


def _wild_ships(rng: random.Random, sea, unit) -> list[Move]:
    route = [sea]
    while len(route) <= UNITS[unit].move and rng.random() < 0.7:
        route.append(rng.choice(SPACES[route[-1]].seas))
    orders = [Move(rng.choice([ALL, 1, 2]), unit, tuple(route))] if len(route) > 1 else []
    landing = tuple(rng.sample(SPACES[route[-1]].land, 1))
    if rng.random() < 0.6:
        orders.append(Move(rng.choice([ALL, 2, 5]), "army", (*route, *landing)))
    for port in SPACES[sea].land:
        if rng.random() < 0.4:
            orders.append(Move(ALL, None, (port, *route)))
        elif rng.random() < 0.5:
            orders.append(Move(rng.choice([ALL, 1, 3]), "army", (port, *route, *landing)))
    return orders


def _wild_march(rng: random.Random, place, unit) -> list[Move]:
    if rng.random() < 0.4:
        return []
    path = [
        place,
        rng.choice([*SPACES[place].land, *(SPACES[place].seas if unit == "dragon" else ())] or [place]),
    ]
    if (UNITS[unit].move > 1 and rng.random() < 0.7) or is_sea(path[-1]):
        path.append(rng.choice(SPACES[path[-1]].land or [place]))
    if unit == "horsemen" and rng.random() < 0.2 and SPACES[path[-1]].seas and len(path) == 2:
        path.append(rng.choice(SPACES[path[-1]].seas))
    return [Move(rng.choice([ALL, 1, 2, 4]), unit, tuple(path))]
