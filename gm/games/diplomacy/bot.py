"""A scripted player: takes what is weakly held, supports what is not, guards its own, convoys when stuck on a coast.

It sees only a View. It plays on simple worth: a province is worth what centres can be reached from it, a centre not
owned is worth most, and powers weaker than itself are better prey than stronger ones, so that games come to an end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gm.games.api import Dice, PowerId, View
from gm.games.diplomacy.adjustments import civil_disorder
from gm.games.diplomacy.board import Board, Piece, bits, province_of, standard

_FADE = 0.55
"""How much of a province's worth its neighbours share."""


def bot(view: View, dice: Dice) -> tuple[str, ...]:
    """Legal, purposeful orders for the view's power; none if it owes none."""
    power = view.power
    if power is None or view.data["over"] or not view.data["dues"].get(power):
        return ()
    if view.phase.kind == "movement":
        return tuple(_Plan(view, power, dice).orders())
    if view.phase.kind == "retreats":
        return tuple(_retreats(view, power, dice))
    return tuple(_adjustments(view, power, dice))


def worth(board: Board, view: View, power: PowerId) -> dict[bool, list[float]]:
    """Worth of each province to armies (True) and fleets (False): centres of others most, fading with distance."""
    owner = {centre: who for who, centres in view.data["centres"].items() for centre in centres}
    size = {who: len(centres) for who, centres in view.data["centres"].items()}
    base = [0.0] * len(board.ids)
    for centre in board.centres:
        holder = owner.get(centre)
        if holder is None:
            value = 12.0
        elif holder == power:
            value = 2.0
        else:
            value = 8.0 + min(4.0, max(-3.0, 0.5 * (size[power] - size[holder])))
        base[board.index[centre]] = value
    found = {}
    for army in (True, False):
        current = base[:]
        for _ in range(5):
            fresh = base[:]
            for at, near in enumerate(_steps(board, army)):
                if near:
                    best = max(current[to] for to in near)
                    fresh[at] = max(fresh[at], base[at] + _FADE * best)
            current = fresh
        found[army] = current
    return found


_STEPS: dict[bool, list[list[int]]] = {}


def _steps(board: Board, army: bool) -> list[list[int]]:
    """Neighbours by province for armies or fleets (all coasts together)."""
    if army not in _STEPS:
        table: list[list[int]] = [[] for _ in board.ids]
        for piece in board.pieces.values():
            if piece.army == army:
                table[piece.province] = sorted({*table[piece.province], *piece.steps})
        _STEPS[army] = table
    return _STEPS[army]


class _Plan:
    """One movement phase of one power."""

    def __init__(self, view: View, power: PowerId, dice: Dice) -> None:
        self.board = standard()
        self.view, self.power, self.dice = view, power, dice
        self.fall = view.phase.name[0] == "F"
        self.worth = worth(self.board, view, power)
        self.mine: dict[int, Piece] = {}
        self.theirs: dict[int, Piece] = {}
        for who, units in view.data["units"].items():
            for unit in units:
                piece = self.board.pieces[unit]
                (self.mine if who == power else self.theirs)[piece.province] = piece
        self.owned = {self.board.index[centre] for centre in view.data["centres"][power]}
        self.centres = {self.board.index[centre] for centre in self.board.centres}
        self.threat = [0] * len(self.board.ids)
        for piece in self.theirs.values():
            for to in piece.steps:
                self.threat[to] += 1
        self.said: dict[int, str] = {}
        self.claimed: set[int] = set()

    def orders(self) -> list[str]:
        """Attacks first, then guards, convoys and marches; supports for what is left over."""
        self.stay_on_new_centres()
        self.convoy(landings=True)
        for target in sorted(self.mine_to_take(), key=lambda entry: -entry[0]):
            self.attack(target[1])
        self.guard()
        self.convoy(landings=False)
        self.march()
        return [self.said[at] for at in self.mine]

    def free(self) -> list[Piece]:
        """Own units without an order yet."""
        return [piece for at, piece in self.mine.items() if at not in self.said]

    def say(self, piece: Piece, text: str, claim: int) -> None:
        """Order a unit and note where it means to be."""
        self.said[piece.province] = f"{piece.name} {text}"
        self.claimed.add(claim)

    def stay_on_new_centres(self) -> None:
        """In Fall a unit in a centre that is not ours yet stays to take it."""
        if self.fall:
            for at, piece in self.mine.items():
                if at in self.centres and at not in self.owned:
                    self.say(piece, "H", at)

    def mine_to_take(self) -> list[tuple[float, int]]:
        """Foreign and neutral centres in reach, with a price: what they are worth less what stands in the way."""
        reached: dict[int, int] = {}
        for piece in self.free():
            for to in piece.steps:
                if to in self.centres and to not in self.owned and to not in self.mine:
                    reached[to] = reached.get(to, 0) + 1
        return [
            (self.worth[True][to] + 2 * count - 2 * self.resistance(to) + self.dice.roll("bot target", 4), to)
            for to, count in reached.items()
        ]

    def resistance(self, to: int) -> int:
        """Strength that may be met in a province."""
        return (to in self.theirs) + max(0, self.threat[to] - (to not in self.theirs))

    def attack(self, to: int) -> None:
        """Send the best unit with as many supporters as it may need, if they suffice or a bluff is cheap."""
        if to in self.claimed:
            return
        able = [piece for piece in self.free() if to in piece.steps]
        if not able:
            return
        able.sort(key=lambda piece: (piece.province in self.centres, self.worth[piece.army][piece.province]))
        lead, helpers = able[0], able[1:]
        needed = self.resistance(to)
        if to in self.theirs and len(helpers) < 1:
            return
        used = helpers[: max(1 if to in self.theirs else 0, min(needed, 3))]
        if needed > 1 and len(used) < needed and self.dice.roll("bot courage", 4) == 1:
            return
        self.say(lead, f"- {lead.steps[to][0]}", to)
        for helper in used:
            self.say(helper, f"S {lead.name} - {self.board.ids[to]}", helper.province)

    def guard(self) -> None:
        """A threatened own centre with a unit in it is supported by an idle neighbour, or held."""
        for at in sorted(self.owned):
            if self.threat[at] and at in self.mine and at not in self.said and self.threat[at] > 1:
                self.say(self.mine[at], "H", at)
                for helper in self.free():
                    if at in helper.steps and not (
                        helper.province in self.owned and self.threat[helper.province]
                    ):
                        self.say(helper, f"S {self.mine[at].name}", helper.province)
                        break

    def convoy(self, *, landings: bool) -> None:
        """Send armies over the water by idle fleets.

        With `landings`, only to take an unguarded centre, by an army that has none in reach on foot; without, to any
        coast that is clearly worth more than what the army can walk to.
        """
        board = self.board
        idle = {piece.province for piece in self.free() if not piece.army and board.sea >> piece.province & 1}
        for army in [piece for piece in self.free() if piece.army and board.shores[piece.province]]:
            if landings and any(self.open_centre(to) for to in army.steps):
                continue
            seas = sum(1 << at for at in idle)
            here = max(self.worth[True][to] for to in (army.province, *army.steps))
            best: tuple[float, int, int] | None = None
            for to in bits(board.coastal):
                if to in self.mine or to in self.claimed or to in self.theirs or to in army.steps:
                    continue
                value = self.worth[True][to] - 2 * self.resistance(to)
                fit = self.open_centre(to) and self.threat[to] < 2 if landings else value > here + 1
                if fit and (best is None or value > best[0]):
                    route = next((r for r in board.routes(army.province, to) if r & seas == r), 0)
                    if route:
                        best = (value, to, route)
            if best is not None:
                _, to, route = best
                self.say(army, f"- {board.ids[to]}", to)
                for at in bits(route):
                    self.say(self.mine[at], f"C {army.name} - {board.ids[to]}", at)
                    idle.discard(at)

    def open_centre(self, to: int) -> bool:
        """Whether a province is a centre to be had: not ours, nobody in it, not aimed at yet."""
        return (
            to in self.centres and to not in self.owned and to not in self.theirs and to not in self.claimed
        )

    def march(self) -> None:
        """What is left goes where it is worth most, or supports a neighbour."""
        for piece in sorted(self.free(), key=lambda one: -max(self.worth[one.army][to] for to in one.steps)):
            table = self.worth[piece.army]
            options = [
                to
                for to in piece.steps
                if to not in self.claimed
                and to not in self.theirs
                and (to not in self.mine or self.leaves(to))
            ]
            stay = table[piece.province] - 0.5
            if piece.province in self.owned and self.threat[piece.province]:
                stay += 3
            scored = [
                (table[to] + self.dice.roll("bot march", 3) / 4 - (0.5 if self.threat[to] > 1 else 0), -to)
                for to in options
            ]
            best = max(scored, default=(0.0, 0))
            if scored and best[0] > stay:
                to = -best[1]
                self.say(piece, f"- {piece.steps[to][0]}", to)
            else:
                self.help_or_hold(piece)

    def leaves(self, at: int) -> bool:
        """Whether our unit there was ordered away."""
        return (
            " - " in self.said.get(at, "") and self.said[at][6:7] not in ("S", "C") and at not in self.claimed
        )

    def help_or_hold(self, piece: Piece) -> None:
        """Support a move next door that may be stood off, else a neighbour that stays, else hold."""
        for at, text in self.said.items():
            if at == piece.province:
                continue
            other = self.mine[at]
            order = text[len(other.name) + 1 :]
            if order.startswith("- "):
                to = self.board.index[order[2:5]]
                if to in piece.steps and self.threat[to] and to != piece.province and to in other.steps:
                    self.say(piece, f"S {other.name} - {self.board.ids[to]}", piece.province)
                    return
        for at, text in self.said.items():
            if (
                at in piece.steps
                and self.threat[at]
                and not text[len(self.mine[at].name) + 1 :].startswith("- ")
            ):
                self.say(piece, f"S {self.mine[at].name}", piece.province)
                return
        self.say(piece, "H", piece.province)


def _retreats(view: View, power: PowerId, dice: Dice) -> list[str]:
    """To the best place that no other of our units retreats to."""
    board = standard()
    table = worth(board, view, power)
    taken: set[str] = set()
    orders = []
    for entry in view.data["dislodged"]:
        if entry["power"] != power or not entry["retreats"]:
            continue
        unit = entry["unit"]
        open_ = [place for place in entry["retreats"] if province_of(place) not in taken]
        if not open_:
            orders.append(f"Disband {unit}")
            continue
        army = unit[0] == "A"
        best = max(
            open_,
            key=lambda place: (
                table[army][board.index[province_of(place)]] + dice.roll("bot retreat", 2),
                place,
            ),
        )
        taken.add(province_of(best))
        orders.append(f"{unit} - {best}")
    return orders


def _adjustments(view: View, power: PowerId, dice: Dice) -> list[str]:
    board = standard()
    units: Mapping[str, Sequence[str]] = view.data["units"]
    owned = view.data["centres"][power]
    due = len(owned) - len(units[power])
    if due < 0:
        return [f"Remove {unit}" for unit in civil_disorder(board, units[power], owned, -due)]
    table = worth(board, view, power)
    homes = sorted(
        view.data["homes"][power],
        key=lambda home: (-max(table[a][board.index[home]] for a in (True, False)), home),
    )
    fleets = sum(unit[0] == "F" for unit in units[power])
    total = len(units[power])
    share = {"england": 0.6, "turkey": 0.45, "italy": 0.45, "france": 0.4}.get(power, 0.3)
    orders = []
    for home in homes[:due]:
        places = [
            place for place in board.coasts.get(board.index[home], (home,)) if f"F {place}" in board.pieces
        ]
        if places and fleets < share * (total + 1):
            orders.append(f"Build F {places[dice.roll('bot coast', len(places)) - 1]}")
            fleets += 1
        else:
            orders.append(f"Build A {home}")
        total += 1
    return orders
