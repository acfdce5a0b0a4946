"""Positions made at random, with orders that get into each other's way: for fuzz tests and benchmarks."""

from __future__ import annotations

from random import Random

from gm.games.diplomacy.board import Piece, bits, standard

BOARD = standard()

Position = tuple[dict[str, list[str]], dict[str, list[str]]]
"""Units and orders by power."""


def position(
    rng: Random, *, units: int = 34, convoys: float = 0.2, powers: int = 7, junk: float = 0.02
) -> Position:
    """A position with one order a unit.

    Args:
        units: how many.
        convoys: share of coastal armies that try a convoy; more of it also puts more fleets to sea.
        powers: how many of the seven.
        junk: share of orders that are impossible or match nothing.
    """
    owners = rng.sample(BOARD.powers, powers)
    pieces: dict[int, Piece] = {}
    seas = list(BOARD.seas)
    rng.shuffle(seas)
    for at in seas[: round(units * (0.15 + 0.3 * convoys))]:
        pieces[at] = BOARD.pieces[f"F {BOARD.ids[at]}"]
    land = [at for at in range(len(BOARD.ids)) if at not in BOARD.seas]
    rng.shuffle(land)
    for at in land[: units - len(pieces)]:
        pieces[at] = land_piece(rng, at, armies=0.7 + 0.2 * convoys)
    owner = {at: rng.choice(owners) for at in pieces}
    said = orders_for(rng, pieces, convoys, junk)
    table: dict[str, list[str]] = {power: [] for power in BOARD.powers}
    sheets: dict[str, list[str]] = {power: [] for power in BOARD.powers}
    for at in sorted(pieces, key=lambda at: rng.random()):
        table[owner[at]].append(pieces[at].name)
        if at in said:
            sheets[owner[at]].append(f"{pieces[at].name} {said[at]}")
    return table, sheets


def land_piece(rng: Random, at: int, armies: float) -> Piece:
    name = BOARD.ids[at]
    if not BOARD.coastal >> at & 1 or rng.random() < armies:
        return BOARD.pieces[f"A {name}"]
    return BOARD.pieces[f"F {rng.choice(BOARD.coasts.get(at, (name,)))}"]


def orders_for(rng: Random, pieces: dict[int, Piece], convoys: float, junk: float) -> dict[int, str]:
    said: dict[int, str] = {}
    goals: dict[int, int] = {}
    seas = sum(1 << at for at in pieces if BOARD.sea >> at & 1)
    every = list(pieces)
    rng.shuffle(every)
    for at in every:
        if at in said or not pieces[at].army or not BOARD.shores[at] or rng.random() >= convoys:
            continue
        free = sum(1 << sea for sea in bits(seas) if sea not in said)
        ways = [
            (to, way)
            for to in bits(BOARD.coastal)
            if to != at
            for way in BOARD.routes(at, to)
            if way & free == way
        ]
        if not ways:
            continue
        busy = [entry for entry in ways if entry[0] in pieces] or ways
        to, way = rng.choice(busy if rng.random() < 0.8 else ways)
        adjacent = to in pieces[at].steps
        via = " VIA" if rng.random() < (0.6 if adjacent else 0.3) else ""
        said[at] = f"- {BOARD.ids[to]}{via}"
        goals[at] = to
        for sea in bits(way):
            if rng.random() < 0.95:
                said[sea] = f"C A {BOARD.ids[at]} - {BOARD.ids[to]}"
                if rng.random() < 0.7:
                    spoil(rng, pieces, said, goals, sea, to)
    for at in every:
        if at not in said and rng.random() < 0.55:
            steps = pieces[at].steps
            aims = [to for to in steps if to in pieces] if rng.random() < 0.6 else list(steps)
            if aims:
                to = rng.choice(aims)
                said[at] = f"- {rng.choice(steps[to])}"
                goals[at] = to
    for at in every:
        if at not in said:
            said[at] = support(rng, pieces, said, goals, at)
    for at in every:
        if rng.random() < junk:
            said[at] = rng.choice([f"- {rng.choice(BOARD.ids)}", f"S A {rng.choice(BOARD.ids)}", "H"])
        elif rng.random() < junk / 2:
            del said[at]
    return said


def spoil(
    rng: Random, pieces: dict[int, Piece], said: dict[int, str], goals: dict[int, int], sea: int, to: int
) -> None:
    """The stuff of paradoxes: the unit where the army lands helps for or against the fleet that carries it."""
    defender = pieces.get(to)
    if defender is None or to in said or not defender.reach >> sea & 1:
        return
    raiders = [at for at, piece in pieces.items() if piece.reach >> sea & 1 and at not in said and at != to]
    if raiders:
        raider = rng.choice(raiders)
        said[raider] = f"- {BOARD.ids[sea]}"
        goals[raider] = sea
    if raiders and rng.random() < 0.6:
        said[to] = f"S {pieces[raider].name} - {BOARD.ids[sea]}"
    else:
        said[to] = f"S {pieces[sea].name}"


def support(
    rng: Random, pieces: dict[int, Piece], said: dict[int, str], goals: dict[int, int], at: int
) -> str:
    """A support of something that goes on within reach, most often of a move."""
    reach = pieces[at].reach
    moves = [other for other, to in goals.items() if reach >> to & 1 and to != at and other != at]
    stays = [other for other in pieces if reach >> other & 1 and other not in goals]
    roll = rng.random()
    if moves and (roll < 0.65 or not stays):
        other = rng.choice(moves)
        return f"S {pieces[other].name} - {BOARD.ids[goals[other]]}"
    if stays and roll < 0.92:
        return f"S {pieces[rng.choice(stays)].name}"
    return "H"
