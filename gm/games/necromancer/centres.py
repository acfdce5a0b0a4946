"""Supply centres: who takes them, what they support, who wins, and how Sauron and Saruman leave the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gm.games.necromancer.board import Board
from gm.games.necromancer.ids import (
    DWARVES,
    EASTERLINGS,
    ELVES,
    ERIADOR,
    LAST_YEAR,
    SARUMAN,
    SAURON,
    STANDING,
    Place,
    PowerId,
)
from gm.games.necromancer.model import Game, Unit, normalise
from gm.games.necromancer.outcome import Happening

DOUBLE: Mapping[PowerId, Mapping[Place, int]] = {
    DWARVES: {"Ere": 2, "Gre": 2, "Iro": 2, "Mor": 2},
    ELVES: {"Lor": 3, "Woo": 3},
}
"""What a centre is worth for victory to the power that loves it (20.2, 20.3); 1 elsewhere."""

ERIADOR_HOMES = (DWARVES, ELVES)


def eriador_open(game: Game) -> bool:
    """Whether Eriador is still a home of the Dwarves and the Elves (6.5)."""
    if game.options.eriador_closes_after_builds:
        return not game.sauron_out
    return not game.sauron_out and not (game.year >= LAST_YEAR and game.step == "adjustments")


def holdings(game: Game, power: PowerId) -> int:
    """Supply centres on the board that a power owns."""
    return sum(1 for owner in game.centres.values() if owner == power)


def supported(game: Game, power: PowerId) -> int:
    """How many units a power may keep: its centres, Eriador (6.5), and the Wizard as a mobile centre (16.3)."""
    count = holdings(game, power)
    if power in ERIADOR_HOMES and eriador_open(game):
        count += 1
    if power == SARUMAN and game.options.wizard_supports_one_unit and any(u.kind == "W" for u in game.units):
        count += 1
    return count


def upkeep(game: Game, power: PowerId) -> int:
    """How many centres a power's units need; Dragons and Spiders need none (17.3)."""
    kinds = "ACWN" if game.options.wizard_and_nazgul_need_centres else "AC"
    return sum(u.strength for u in game.units if u.owner == power and u.kind in kinds)


def score(game: Game, power: PowerId) -> int:
    """Centres as they count for victory, doubled and tripled ones included (20.2, 20.3)."""
    worth = DOUBLE.get(power, {})
    count = sum(worth.get(place, 1) for place, owner in game.centres.items() if owner == power)
    return count + (1 if power in ERIADOR_HOMES and eriador_open(game) else 0)


def homes(game: Game, board: Board, power: PowerId) -> tuple[Place, ...]:
    """Centres on the board where a power may build if it owns them, in map order (10, 11, 17.2, 17.5)."""
    if power == EASTERLINGS:
        return board.centres
    extra: frozenset[Place] = frozenset()
    if power == DWARVES:
        extra = board.dwarvish_extra
    elif power == SAURON:
        extra = frozenset(board.standing)
    elif power == SARUMAN and not game.options.saruman_builds_at_home:
        return ()
    return tuple(p.id for p in board.provinces if p.home == power or p.id in extra)


def is_build_centre(game: Game, board: Board, place: Place, besides: PowerId) -> bool:
    """Whether a place is a home or build centre that belongs to a power other than `besides` (16.3.ii)."""
    if place == ERIADOR:
        return eriador_open(game)
    owner = game.centres.get(place)
    if owner in (None, besides):
        return False
    return place in homes(game, board, owner) or board[place].home == owner


def capture(game: Game, board: Board) -> tuple[Game, list[Happening]]:
    """Centres change hands to the units that stand in them; the Wizard, the Nazgûl and standing armies take none."""
    centres = dict(game.centres)
    public = dict(game.public_owners)
    captured = list(game.captured)
    lost = list(game.natural_lost)
    told: list[Happening] = []
    units: list[Unit] = []
    for unit in game.units:
        place = unit.place
        if unit.secret and centres.get(place) not in (None, SAURON):
            # the loser of a centre learns of it, so Dragons and Spiders that take one show themselves (17.4)
            told.append(Happening("revealed", "17.4", SAURON, unit.ref, place))
            unit = replace(unit, secret=False)
        units.append(unit)
        if unit.kind in ("W", "N") or unit.owner == STANDING or not board[place].centre:
            continue
        before = centres.get(place)
        if before == unit.owner:
            continue
        centres[place] = unit.owner
        public.pop(place, None)
        if unit.secret:
            public[place] = game.public_owners.get(place, before)
        told.append(Happening("captured", "2", unit.owner, unit.ref, place, data={"from": before}))
        if place in board.standing and unit.owner != SAURON and place not in captured:
            captured.append(place)
        if unit.owner == DWARVES and place in board.dwarvish_extra and board[place].home != DWARVES:
            told.append(Happening("homes", "10", unit.owner, None, place))
        told += _tame(game, board, place, unit, lost)
    after = replace(
        game,
        units=tuple(units),
        centres=centres,
        public_owners=public,
        captured=tuple(captured),
        natural_lost=tuple(lost),
    )
    return after, told


def _tame(game: Game, board: Board, place: Place, unit: Unit, lost: list[Place]) -> list[Happening]:
    """The natural alignment ends when a power of another alignment owns the centre (21.9)."""
    nature = board[place].alignment
    if not game.options.alignment or nature == "none" or place in lost:
        return []
    if board.powers[unit.owner].alignment == nature:
        return []
    lost.append(place)
    return [Happening("natural_lost", "21.9", unit.owner, None, place)]


def leader(game: Game, board: Board) -> PowerId | None:
    """The power that wins now: a third of the centres, and more than anyone else (20.1)."""
    scores = {power: score(game, power) for power in board.powers}
    for power, mine in scores.items():
        if mine < board.victory_centres:
            continue
        others = [
            scores[p] if game.options.double_centres_in_comparison else holdings(game, p)
            for p in board.powers
            if p != power
        ]
        own = mine if game.options.double_centres_in_comparison else holdings(game, power)
        if own > max(others):
            return power
    return None


def activatable(game: Game, board: Board) -> tuple[Place, ...]:
    """Standing-army centres that Sauron may still activate, in the order of 17.1 (17.2, 17.5)."""
    if game.sauron_out:
        return ()
    return tuple(
        place
        for place in board.standing
        if place not in game.activated and place not in game.captured and game.centres.get(place) is None
    )


def sauron_is_beaten(game: Game, board: Board) -> bool:
    """Whether nothing is left of Sauron, nor of what he might still activate (19.2)."""
    return (
        not game.sauron_out
        and game.dragons_spent
        and game.spiders_spent
        and not any(u.owner in (SAURON, STANDING) for u in game.units)
        and SAURON not in game.centres.values()
        and not activatable(game, board)
    )


def sauron_falls(game: Game) -> tuple[Game, list[Happening]]:
    """The end of Sauron: no Nazgûl, his other units stand without fortresses (19.1), Eriador closes (6.5)."""
    units = tuple(
        replace(u, owner=STANDING, secret=False) if u.owner == SAURON else u
        for u in game.units
        if u.kind != "N"
    )
    told = [Happening("destroyed", "19.1", SAURON, u.ref, u.place) for u in game.units if u.kind == "N"]
    told.append(Happening("sauron_fell", "19.1" if game.year >= LAST_YEAR else "19.2", SAURON))
    told += [Happening("eriador_closed", "6.5", power, None, ERIADOR) for power in ERIADOR_HOMES]
    centres = {place: owner for place, owner in game.centres.items() if owner != SAURON}
    after = replace(
        game,
        units=normalise(units),
        centres=centres,
        public_owners={},
        nazgul_due=False,
        sauron_out=True,
    )
    return after, told


def saruman_falls(game: Game) -> tuple[Game, list[Happening]]:
    """The Wizard is destroyed: Saruman is out and his units stand in civil disorder (16.11)."""
    return replace(game, saruman_out=True), [Happening("eliminated", "16.11", SARUMAN)]
