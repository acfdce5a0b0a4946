"""Whole games by scripted players: they end, nothing breaks, and every phase can be replayed to the byte."""

import dataclasses
import random

import pytest

from gm.games.api import canonical, check_options
from gm.games.dice import SeededDice
from gm.games.menes import RULESET
from gm.games.menes.board import HOMES, POWERS, PROVINCES, SEAS, SPACES
from gm.games.menes.model import UNIQUE, UNITS, is_sea
from gm.games.menes.text import ALL, After, Buy, Disband, Move, Peace, Retreat, show


def play_out(number: int, **options):
    """A game to its end; each phase is adjudicated twice."""
    seed = f"game {number}".encode()
    state = RULESET.new_game(check_options(RULESET.meta, options), SeededDice(seed, "setup"))
    refused = 0
    while RULESET.over(state) is None:
        phase = RULESET.phase(state).name
        bots = SeededDice(seed, f"{phase} bots")
        sheets = {d.power: RULESET.bot(RULESET.view(state, d.power), bots) for d in RULESET.dues(state)}
        for power, lines in sheets.items():
            assert RULESET.parse(state, power, "\n".join(lines)).orders == lines
        result = RULESET.adjudicate(state, sheets, SeededDice(seed, phase))
        again = RULESET.adjudicate(state, sheets, SeededDice(seed, phase))
        assert _bytes(result) == _bytes(again), phase
        refused += sum(o.result == "illegal" for o in result.orders)
        _check(result.state)
        state = result.state
    return state, refused


def _bytes(result) -> bytes:
    return canonical([result.state, *(dataclasses.asdict(x) for x in (*result.orders, *result.events))])


def _check(state) -> None:
    for power in POWERS:
        assert state["treasury"][power] >= 0
        for place, counts in state["units"][power].items():
            assert all(n > 0 and UNITS[u].ship != place.isdigit() for u, n in counts.items()), (
                power,
                place,
                counts,
            )
        for sea, aboard in state["cargo"][power].items():
            room = sum(UNITS[u].carries * n for u, n in state["units"][power].get(sea, {}).items())
            assert 0 < sum(aboard.values()) <= room
            assert "dragon" not in aboard
    assert canonical(state)


@pytest.mark.parametrize("number", range(5))
def test_bots_play_games_to_the_end(number):
    state, refused = play_out(number)
    assert RULESET.over(state).winners
    assert refused == 0


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_two_hundred_games_end_by_victory_or_turn_limit_without_a_fault():
    ends = [RULESET.over(play_out(number)[0]).rule for number in range(200)]
    assert set(ends) <= {"menes 2.6", "menes R turn limit"}
    assert ends.count("menes 2.6") >= 150


@pytest.mark.parametrize(
    "options",
    [
        {"turn_limit": 4},
        {"native_guns": 0, "flyover_shots": "owner", "peace_on_land": True, "turn_limit": 8},
        {
            "defender": "nobody",
            "spread_hits": "largest",
            "later_target": "defence",
            "die_sides": 10,
            "turn_limit": 8,
        },
        {"upkeep": 30, "turn_limit": 8},
        {"free_city_stop": "off", "after_move_from_city": True, "flee_aboard": False, "turn_limit": 8},
        {
            "out_powers_upkeep": True,
            "single_price_abroad": True,
            "winner_owns_at_once": False,
            "turn_limit": 8,
        },
    ],
)
def test_games_by_other_house_rules_end_too(options):
    state, _ = play_out(7, **options)
    assert RULESET.over(state) is not None


def test_a_bot_that_may_not_play_orders_nothing():
    state = RULESET.new_game(check_options(RULESET.meta, {}), SeededDice(b"x", "setup"))
    assert RULESET.bot(RULESET.view(state, None), SeededDice(b"x", "x")) == ()


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


@pytest.mark.parametrize("number", range(12))
def test_wild_orders_break_nothing_and_lose_no_unit(number):
    rng = random.Random(number)
    options = {"turn_limit": 6, "upkeep": rng.choice([0, 3]), "victory_points": 49}
    options["beaten_cargo_lands"] = number % 2 == 0
    state = wild_position(rng, options)
    kinds: set[str] = set()
    while RULESET.over(state) is None:
        sheets = wild_sheets(rng, state)
        for power, lines in sheets.items():
            RULESET.review(state, power, lines)
        result = RULESET.adjudicate(state, sheets, SeededDice(b"wild %d" % number, RULESET.phase(state).name))
        assert len(result.orders) == sum(map(len, sheets.values()))
        assert all(o.result == "ok" or o.reason for o in result.orders)
        _check(result.state)
        _nothing_lost(state, result)
        kinds |= {e.kind for e in result.events}
        state = result.state
    assert {"battle", "flight", "drowned", "captured", "move"} <= kinds


def _nothing_lost(before, result) -> None:
    """Units before and bought = units after, hit, cut down in flight, drowned, shot down, disbanded."""
    for power in POWERS:
        had = _count(before, power) + _sum(result, "bought", power)
        gone = _sum(result, "disbanded", power) + _sum(result, "shortfall", power)
        for event in result.events:
            if event.kind == "numbers":
                own = [f for f in event.data["forces"] if f["power"] == power]
                gone += sum(sum(f["hit"].values()) + sum(f["died"].values()) for f in own)
            if event.seen_by == (power,):
                gone += sum(event.data["units"].values()) if event.kind == "drowned" else 0
                gone += event.data["lost"] if event.kind == "natives" else 0
        assert _count(result.state, power) == had - gone, power


def _count(state, power) -> int:
    return sum(n for key in ("units", "cargo") for c in state[key][power].values() for n in c.values())


def _sum(result, kind, power) -> int:
    return sum(e.data["count"] for e in result.events if e.kind == kind and e.seen_by == (power,))
