"""A scripted player: settles what is empty, masses before it strikes, ferries raiders, keeps homes guarded.

Works from the view alone. Enemy numbers are hidden, so they are guessed from what their owner can support.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gm.games.api import Dice, PowerId, View
from gm.games.menes import text as form
from gm.games.menes.board import HOMES, SPACES, distances, points
from gm.games.menes.model import UNIQUE, UNITS, Place, Placed, is_sea, place_key, put, total

RAIDERS = 3
"""How many land units a raid by sea takes."""


@dataclass
class _Mind:
    """What the bot knows and has decided."""

    power: PowerId
    owners: Mapping[Place, PowerId | None]
    seen: Mapping[Place, Mapping[PowerId, list[str]]]
    rules: Mapping[str, Any]
    strength: Mapping[PowerId, float]
    """Guess of the units of a power in each place where it has some."""
    gold: int
    army: Placed
    cargo: Placed
    dice: Dice
    orders: list[form.Order] = field(default_factory=list)

    def mine(self, place: Place) -> bool:
        return self.owners.get(place) == self.power

    def enemies(self, place: Place) -> list[PowerId]:
        return [p for p in self.seen.get(place, {}) if p != self.power]

    def threat(self, place: Place) -> float:
        """Guess of the enemy units that stand in a place."""
        return sum(self.strength[p] for p in self.enemies(place))


def bot(view: View, dice: Dice) -> tuple[str, ...]:
    """See `gm.games.api.Ruleset.bot`."""
    own = view.data["own"]
    if own is None or view.power is None or view.power in view.data["out"] or view.data["over"]:
        return ()
    mind = _Mind(
        power=view.power,
        owners=view.data["owners"],
        seen=view.data["units"],
        rules=view.data["rules"],
        strength=_strength(view),
        gold=own["treasury"],
        army={p: dict(c) for p, c in own["units"].items()},
        cargo={p: dict(c) for p, c in own["cargo"].items()},
        dice=dice,
    )
    _recruit(mind, total(own["units"]) + total(own["cargo"]))
    _raid(mind)
    _settle(mind)
    _strike(mind)
    _advance(mind)
    return tuple(form.show(o) for o in mind.orders) or (form.show(form.Hold()),)


def _strength(view: View) -> dict[PowerId, float]:
    rules, data = view.data["rules"], view.data
    strength = {}
    for power in data["points"]:
        cities = [p for p, owner in data["owners"].items() if owner == power and points(p)]
        income = sum(rules[f"{SPACES[p].kind}_income"] for p in cities)
        places = sum(power in there for there in data["units"].values())
        strength[power] = income / max(rules["upkeep"], 1) / max(places, 1)
    return strength


# --- money -------------------------------------------------------------------------------------------------


def _recruit(mind: _Mind, units: int) -> None:
    """Buy what upkeep allows: at the homes nearest to the enemy, unique units where gold is plenty."""
    rules = mind.rules
    income = sum(rules[f"{SPACES[p].kind}_income"] for p in mind.owners if mind.mine(p))
    able = (income + mind.gold // 3) // max(rules["upkeep"], 1) - units
    homes = [p for p in HOMES[mind.power] if mind.mine(p)]
    if not homes or able <= 0:
        return
    _shipyard(mind, homes)
    near = distances(_wanted(mind), _land)
    homes.sort(key=lambda p: (-mind.threat(p), near.get(p, 99), place_key(p)))
    fighter = UNIQUE[mind.power] if not UNITS[UNIQUE[mind.power]].ship else "army"
    price = rules["unique_price"] if fighter != "army" else rules["army_price"]
    shares = (3, 2, 1) if len(homes) > 1 else (1,)
    for home, share in zip(homes, shares, strict=False):
        number = min(able, mind.gold // max(price, 1)) * share // sum(shares)
        number = min(number, mind.gold // max(price, 1))
        _buy(mind, number, fighter, home, None, price)
        able -= number
    cheap = min(able // 2, mind.gold // max(rules["army_price"], 1))
    if fighter != "army" and cheap > 0:
        _buy(mind, cheap, "army", homes[0], None, rules["army_price"])


def _buy(mind: _Mind, number: int, unit: str, home: Place, sea: Place | None, price: int) -> None:
    if number > 0:
        mind.orders.append(form.Buy(number, unit, home, sea))
        mind.gold -= number * price
        put(mind.army, sea or home, unit, number)


def _shipyard(mind: _Mind, homes: list[Place]) -> None:
    """One ship with raiders for an empty city across one or two seas, while few ships are at sea."""
    ships = sum(n for p, units in mind.army.items() if is_sea(p) for n in units.values())
    if ships >= 2 or mind.gold < 60:
        return
    unit = UNIQUE[mind.power] if UNITS[UNIQUE[mind.power]].ship else "fleet"
    price = mind.rules["unique_price" if unit != "fleet" else "fleet_price"]
    for home in homes:
        for sea in SPACES[home].seas:
            if not mind.enemies(sea) and _landing(mind, sea, UNITS[unit].move) is not None:
                _buy(mind, 1, unit, home, sea, price)
                short = RAIDERS - sum(mind.army.get(home, {}).values())
                _buy(mind, short, "army", home, None, mind.rules["army_price"])
                return


# --- by sea -------------------------------------------------------------------------------------------------


def _landing(mind: _Mind, sea: Place, moves: int) -> tuple[tuple[Place, ...], Place] | None:
    """(route, city) of the best undefended city of others that ships in a sea can land at."""
    routes: list[tuple[Place, ...]] = [(sea,)]
    for _ in range(moves):
        routes += [(*r, s) for r in routes for s in SPACES[r[-1]].seas if s not in r and not mind.enemies(s)]
    found = [
        (-points(p), len(route), place_key(p), route, p)
        for route in dict.fromkeys(routes)
        for p in SPACES[route[-1]].land
        if points(p) and not mind.mine(p) and not mind.seen.get(p) and len(route) <= moves + 1
    ]
    return min(found)[3:] if found else None


def _raid(mind: _Mind) -> None:
    """Land raiders from ships, and pick them up where ships lie off a home with units."""
    for sea in sorted((p for p in mind.army if is_sea(p)), key=place_key):
        for unit in [u for u in UNITS if mind.army[sea].get(u)]:
            target = _landing(mind, sea, UNITS[unit].move)
            if target is None:
                continue
            route, city = target
            aboard = mind.cargo.get(sea, {})
            ports = [p for p in SPACES[sea].land if mind.mine(p) and _movable(mind, p) >= RAIDERS]
            if not aboard and not ports:
                continue
            if len(route) > 1:
                mind.orders.append(form.Move(mind.army[sea][unit], unit, route))
            if aboard:
                for kind in sorted(aboard):
                    mind.orders.append(form.Move(form.ALL, kind, (*route, city)))
            else:
                _send(mind, ports[0], RAIDERS, (ports[0], *route, city))
            break


# --- by land ----------------------------------------------------------------------------------------------


def _movable(mind: _Mind, place: Place) -> int:
    """Land units of a place that are not needed to guard it."""
    here = sum(n for u, n in mind.army.get(place, {}).items() if not UNITS[u].ship)
    if not points(place) or not mind.mine(place):
        return here
    near = max((mind.threat(p) for p in SPACES[place].land), default=0.0)
    guard = 1 if not near else min(here // 3, int(near) + 1)
    return max(here - guard, 0)


def _send(mind: _Mind, place: Place, number: int, path: tuple[Place, ...]) -> int:
    """Order up to `number` land units along a path, armies first on a voyage; how many went."""
    sent = 0
    for unit in [u for u in UNITS if not UNITS[u].ship]:
        if unit == "dragon" and any(is_sea(p) for p in path):
            continue
        take = min(number - sent, mind.army.get(place, {}).get(unit, 0))
        if take > 0:
            mind.orders.append(form.Move(take, unit, path))
            put(mind.army, place, unit, -take)
            sent += take
    return sent


def _stacks(mind: _Mind) -> list[Place]:
    return sorted((p for p in mind.army if not is_sea(p) and _movable(mind, p) > 0), key=place_key)


def _settle(mind: _Mind) -> None:
    """Small parties take what lies empty next door: cities first, then provinces."""
    taken: set[Place] = set()
    for wanted in (True, False):
        for place in _stacks(mind):
            for goal in SPACES[place].land:
                empty = not mind.mine(goal) and not mind.seen.get(goal) and goal not in taken
                if empty and bool(points(goal)) is wanted and _movable(mind, place) > 0:
                    party = min(_movable(mind, place), 4 if wanted else 1)
                    if _send(mind, place, party, (place, goal)):
                        taken.add(goal)
        if wanted:
            _fly(mind, taken)


def _fly(mind: _Mind, taken: set[Place]) -> None:
    """Dragons take empty cities two spaces away."""
    for place in [p for p in _stacks(mind) if mind.army[p].get("dragon")]:
        for over in (*SPACES[place].land, *SPACES[place].seas):
            if mind.enemies(over) and not is_sea(over):
                continue
            for goal in SPACES[over].land:
                free = points(goal) and not mind.mine(goal) and not mind.seen.get(goal) and goal not in taken
                number = min(_movable(mind, place), mind.army.get(place, {}).get("dragon", 0), 4)
                if free and number > 0 and goal != place:
                    mind.orders.append(form.Move(number, "dragon", (place, over, goal)))
                    put(mind.army, place, "dragon", -number)
                    taken.add(goal)


def _strike(mind: _Mind) -> None:
    """All stacks around an enemy force fall upon it together, if they look strong enough."""
    goals: dict[Place, list[Place]] = {}
    for place in _stacks(mind):
        for goal in SPACES[place].land:
            if mind.enemies(goal):
                goals.setdefault(goal, []).append(place)
    for goal in sorted(goals, key=lambda p: (-points(p), mind.threat(p), place_key(p))):
        force = sum(_movable(mind, p) for p in goals[goal])
        if force > 0 and force >= _needed(mind, goal):
            for place in goals[goal]:
                _send(mind, place, _movable(mind, place), (place, goal))


def _needed(mind: _Mind, goal: Place) -> float:
    # Now and then boldness varies, so that two bots do not stare at each other for ever.
    bold = mind.dice.roll(f"bot {mind.power} boldness at {goal}", 6)
    bonus = {"player_city": 1.6, "free_city": 1.3}.get(SPACES[goal].kind, 1.0)
    return mind.threat(goal) * bonus * (1.6 - 0.2 * bold)


def _wanted(mind: _Mind) -> list[Place]:
    cities = [p for p in SPACES if points(p) and not mind.mine(p)]
    return cities or [p for p in SPACES if not is_sea(p) and not mind.mine(p)]


def _advance(mind: _Mind) -> None:
    """The rest marches towards the nearest city that is not ours, through our own and empty spaces."""
    near = distances(_wanted(mind), _land)
    for place in _stacks(mind):
        options = [
            p for p in SPACES[place].land if not mind.enemies(p) and near.get(p, 99) < near.get(place, 99)
        ]
        if options:
            goal = min(options, key=lambda p: (near[p], place_key(p)))
            _send(mind, place, _movable(mind, place), (place, goal))


def _land(place: Place) -> Iterable[Place]:
    return SPACES[place].land
