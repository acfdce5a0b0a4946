"""A plain second adjudicator: Kruijswijk's *guess* algorithm over order records, written for reading, not for speed.

It shares nothing with `gm.games.diplomacy.resolve` but the borders of the map: it has its own reader of orders, finds
convoy routes by walking over the fleets that are there, and guesses a decision, then the opposite, where the other
looks for the bounds of what is still open.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from gm.games.diplomacy.board import standard

BOARD = standard()


@dataclass
class Unit:
    power: str
    name: str
    verb: str = "hold"
    to: str = ""
    place: str = ""
    of: str = ""
    coast: str = ""
    via: bool = False
    by_sea: bool = False
    matched: bool = False
    helpers: list[Unit] = field(default_factory=list)

    @property
    def at(self) -> str:
        return self.name[2:5]

    @property
    def army(self) -> bool:
        return self.name[0] == "A"

    def steps(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for places in BOARD.pieces[self.name].steps.values():
            for place in places:
                found.setdefault(place[:3], []).append(place)
        return found


def is_sea(province: str) -> bool:
    return bool(BOARD.sea >> BOARD.index[province] & 1)


def is_coast(province: str) -> bool:
    return bool(BOARD.coastal >> BOARD.index[province] & 1)


def borders(province: str) -> set[str]:
    near = BOARD.near[BOARD.index[province]]
    return {name for number, name in enumerate(BOARD.ids) if near >> number & 1}


def connected(start: str, end: str, fleets: set[str]) -> bool:
    """Whether fleets in these seas join two coasts."""
    if not (is_coast(start) and is_coast(end)) or start == end:
        return False
    seen: set[str] = set()
    edge = [sea for sea in fleets if sea in borders(start)]
    while edge:
        sea = edge.pop()
        if sea in seen:
            continue
        seen.add(sea)
        if end in borders(sea):
            return True
        edge += [other for other in fleets if other in borders(sea)]
    return False


def useful(fleet: str, start: str, end: str, fleets: set[str]) -> bool:
    """Whether a fleet lies on a route none of whose fleets could be left out."""

    def walk(route: list[str]) -> bool:
        last = route[-1]
        if end in borders(last):
            return fleet in route
        return any(
            walk([*route, sea])
            for sea in fleets
            if sea in borders(last)
            and sea not in route
            and sea not in borders(start)
            and not any(sea in borders(early) for early in route[:-1])
        )

    if start == end or not (is_coast(start) and is_coast(end)):
        return False
    return any(walk([sea]) for sea in fleets if sea in borders(start))


class Oracle:
    def __init__(self, units: dict[str, list[str]], orders: dict[str, list[str]]) -> None:
        self.units = {name[2:5]: Unit(power, name) for power, names in units.items() for name in names}
        self.seas = {at for at in self.units if is_sea(at)}
        ordered: set[str] = set()
        for power, texts in orders.items():
            for text in texts:
                unit = self.units.get(text[2:5])
                if unit is not None and unit.power == power and unit.at not in ordered:
                    ordered.add(unit.at)
                    self.give(unit, text.split())
        self.choose_routes()
        self.match_supports()
        self.state: dict[str, str] = {}
        self.value: dict[str, bool] = {}
        self.open: list[str] = []
        for at in self.units:
            self.resolve(at)

    # --- what was ordered -------------------------------------------------------------------------------

    def give(self, unit: Unit, words: list[str]) -> None:
        """``A MAR S A PAR - BUR`` in words; an impossible order leaves the unit holding."""
        rest = words[2:]
        steps = unit.steps()
        if rest[0] == "-":
            to = rest[1][:3]
            places = steps.get(to, [])
            by_sea = unit.army and any(
                connected(unit.at, to, fleets) for fleets in ({name for name in BOARD.ids if is_sea(name)},)
            )
            place = ""
            if unit.army and (places or by_sea):
                place = to
            elif not unit.army and rest[1] in places:
                place = rest[1]
            elif not unit.army and len(rest[1]) == 3 and len(places) == 1:
                place = places[0]
            if place and to != unit.at:
                unit.verb, unit.to, unit.place = "move", to, place
                unit.via = "VIA" in rest and by_sea
        elif rest[0] == "S":
            of = rest[2][:3]
            to = rest[4][:3] if len(rest) > 4 else ""
            directed = to or of
            if unit.at not in (of, directed) and of != to and directed in steps:
                unit.verb, unit.of, unit.to = "support", of, to
                unit.coast = rest[4] if to and "/" in rest[4] else ""
        elif rest[0] == "C":
            of, to = rest[2][:3], rest[4][:3]
            every = {name for name in BOARD.ids if is_sea(name)}
            if not unit.army and is_sea(unit.at) and useful(unit.at, of, to, every):
                unit.verb, unit.of, unit.to = "convoy", of, to

    def choose_routes(self) -> None:
        for unit in self.units.values():
            if unit.verb != "move" or not unit.army:
                continue
            land = unit.to in unit.steps()
            intent = any(
                fleet.verb == "convoy"
                and (fleet.of, fleet.to) == (unit.at, unit.to)
                and fleet.power == unit.power
                and useful(fleet.at, unit.at, unit.to, self.seas)
                for fleet in self.units.values()
            )
            unit.by_sea = unit.via or not land or intent
            if unit.by_sea and not connected(unit.at, unit.to, self.seas):
                unit.verb, unit.by_sea = "hold", False

    def match_supports(self) -> None:
        for unit in self.units.values():
            other = self.units.get(unit.of)
            if unit.verb != "support" or other is None:
                continue
            if unit.to:
                fits = other.verb == "move" and other.to == unit.to and unit.coast in ("", other.place)
            else:
                fits = other.verb != "move"
            if fits:
                unit.matched = True
                other.helpers.append(unit)

    # --- Kruijswijk's guess algorithm ---------------------------------------------------------------------

    def resolve(self, at: str) -> bool:
        state = self.state.get(at, "open")
        if state == "resolved":
            return self.value[at]
        if state == "guessing":
            if at not in self.open:
                self.open.append(at)
            return self.value[at]
        before = len(self.open)
        self.value[at], self.state[at] = False, "guessing"
        first = self.judge(at)
        if len(self.open) == before:
            if self.state[at] != "resolved":
                self.value[at], self.state[at] = first, "resolved"
            return self.value[at]
        if self.open[before] != at:
            self.open.append(at)
            self.value[at] = first
            return first
        self.unwind(before)
        self.value[at], self.state[at] = True, "guessing"
        second = self.judge(at)
        if first == second:
            self.unwind(before)
            self.value[at], self.state[at] = first, "resolved"
            return first
        self.backup(before)
        return self.resolve(at)

    def unwind(self, before: int) -> None:
        for at in self.open[before:]:
            self.state[at] = "open"
        del self.open[before:]

    def backup(self, before: int) -> None:
        circle = self.open[before:]
        self.unwind(before)
        convoys = [at for at in circle if self.units[at].verb == "convoy"]
        for at in convoys or circle:
            self.value[at], self.state[at] = not convoys, "resolved"

    def judge(self, at: str) -> bool:
        unit = self.units[at]
        match unit.verb:
            case "move":
                return self.moves(unit)
            case "support":
                return not self.is_cut(unit)
            case "convoy":
                return not any(self.resolve(other.at) for other in self.attackers(at))
        return True

    # --- the equations ------------------------------------------------------------------------------------

    def attackers(self, at: str) -> list[Unit]:
        return [unit for unit in self.units.values() if unit.verb == "move" and unit.to == at]

    def has_path(self, unit: Unit) -> bool:
        if not unit.by_sea:
            return True
        carriers = {
            fleet.at
            for fleet in self.units.values()
            if fleet.verb == "convoy" and (fleet.of, fleet.to) == (unit.at, unit.to)
        }
        if not connected(unit.at, unit.to, carriers):
            return False
        attacked = [sea for sea in carriers if self.attackers(sea)]
        if connected(unit.at, unit.to, carriers - set(attacked)):
            return True
        return connected(
            unit.at, unit.to, {sea for sea in carriers if sea not in attacked or self.resolve(sea)}
        )

    def head_on(self, unit: Unit) -> Unit | None:
        other = self.units.get(unit.to)
        if other and other.verb == "move" and other.to == unit.at and not unit.by_sea and not other.by_sea:
            return other
        return None

    def strength(self, unit: Unit, but: str = "") -> int:
        return 1 + sum(self.resolve(helper.at) for helper in unit.helpers if helper.power != but)

    def moves(self, unit: Unit) -> bool:
        if not self.has_path(unit):
            return False
        there = self.units.get(unit.to)
        opponent = self.head_on(unit)
        if there is None:
            attack, resist = self.strength(unit), 0
        elif opponent is not None:
            attack = 0 if there.power == unit.power else self.strength(unit, there.power)
            resist = self.strength(opponent)
        elif there.verb == "move" and self.resolve(there.at):
            attack, resist = self.strength(unit), 0
        else:
            attack = 0 if there.power == unit.power else self.strength(unit, there.power)
            resist = 1 if there.verb == "move" else self.strength(there)
        if attack <= resist:
            return False
        return all(attack > self.prevent(rival) for rival in self.attackers(unit.to) if rival is not unit)

    def prevent(self, unit: Unit) -> int:
        if not self.has_path(unit):
            return 0
        opponent = self.head_on(unit)
        if opponent is not None and self.resolve(opponent.at):
            return 0
        return self.strength(unit)

    def is_cut(self, unit: Unit) -> bool:
        directed = unit.to or unit.of
        for attacker in self.attackers(unit.at):
            if attacker.power == unit.power:
                continue
            if attacker.at == directed:
                if self.resolve(attacker.at):
                    return True
            elif self.has_path(attacker):
                return True
        return False

    # --- results ------------------------------------------------------------------------------------------

    def after(self) -> dict[str, str]:
        """Province to power and unit, the dislodged left out."""
        came = {unit.to: unit for unit in self.units.values() if unit.verb == "move" and self.value[unit.at]}
        left = {
            unit.at: f"{unit.power} {unit.name}"
            for unit in self.units.values()
            if not (unit.verb == "move" and self.value[unit.at]) and unit.at not in came
        }
        return left | {to: f"{unit.power} {unit.name[0]} {unit.place}" for to, unit in came.items()}

    def dislodged(self) -> dict[str, str]:
        """Province of each dislodged unit to where its attacker came from."""
        came = {unit.to: unit for unit in self.units.values() if unit.verb == "move" and self.value[unit.at]}
        return {
            at: came[at].at
            for at, unit in self.units.items()
            if at in came and not (unit.verb == "move" and self.value[at])
        }

    def supports(self) -> dict[str, bool]:
        """Province of each matching supporter to whether it counted."""
        return {unit.at: self.value[unit.at] for unit in self.units.values() if unit.matched}
