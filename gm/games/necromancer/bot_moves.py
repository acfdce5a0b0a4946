"""The movement orders of the scripted player: attacks in strength, then what is left guards, builds or draws near."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gm.games.api import Dice, PowerId, View
from gm.games.necromancer.board import Board, mask_places, the_board
from gm.games.necromancer.ids import GONDOR, SAURON, Place
from gm.games.necromancer.view import repelled

FADE = 0.6
"""How much of a province's worth its neighbours share."""


def worth(view: View) -> dict[Place, float]:
    """What each province is worth to the view's power: other powers' and free centres most, fading with distance."""
    board = the_board()
    owners = view.data["centres"]
    size = {row["power"]: row["centres"] for row in view.data["scores"]}
    mine = size.get(view.power, 0)
    base = dict.fromkeys(board.index, 0.0)
    for place in board.centres:
        holder = owners.get(place)
        if holder is None:
            base[place] = 12.0
        elif holder == view.power:
            base[place] = 2.0
        else:
            base[place] = 9.0 + min(3.0, max(-3.0, 0.5 * (mine - size.get(holder, 0))))
    current = dict(base)
    for _ in range(5):
        current = {
            p.id: base[p.id] + FADE * max((current[n] for n in p.borders), default=0.0)
            for p in board.provinces
        }
    return current


@dataclass
class Piece:
    """One of the power's own units while its order is sought."""

    text: str
    kind: str
    place: Place
    strength: int
    reach: tuple[Place, ...]
    engine: bool
    led: bool = False
    order: str = ""
    goal: Place | None = None


class Plan:
    """The movement orders of one power in one turn."""

    def __init__(self, view: View, power: PowerId, dice: Dice) -> None:
        self.view, self.power, self.dice = view, power, dice
        self.board: Board = the_board()
        self.value = worth(view)
        self.foreign: dict[Place, int] = {}
        self.pieces: list[Piece] = []
        self.zero: list[tuple[str, Place]] = []
        for unit in view.data["units"]:
            if unit["power"] != power:
                if unit["place"] not in self.board.offboard:
                    self.foreign[unit["place"]] = self.foreign.get(unit["place"], 0) + unit["strength"]
            elif unit["kind"] in ("W", "N"):
                self.zero.append((unit["kind"], unit["place"]))
            else:
                self.pieces.append(self._piece(unit))
        self.taken: set[Place] = set()
        """Goals of own moves."""
        shared = {p.place for p in self.pieces if sum(q.place == p.place for q in self.pieces) > 1}
        for piece in self.pieces:
            if piece.place in shared and piece.place not in self.board.offboard:
                piece.order = (
                    f"{piece.text} Hold"  # parts of different kinds stay together, or they break apart
                )
            if piece.order == "" and ("N", piece.place) in self.zero and self.chance(2, 3):
                piece.led = True
            if piece.strength > 1 and power == SAURON:
                piece.led = True

    def _piece(self, unit: dict[str, object]) -> Piece:
        place, strength = str(unit["place"]), int(str(unit["strength"]))
        index = self.board.index[place]
        ships = int(str(unit["fleets"])) >= strength
        reach = mask_places(self.board, (self.board.fleet if ships else self.board.army)[index])
        free = tuple(p for p in reach if not repelled(self.view, self.power, p))
        return Piece(str(unit["unit"]), str(unit["kind"]), place, strength, free, bool(unit["engines"]))

    def chance(self, good: int, of: int) -> bool:
        """True `good` times out of `of`."""
        return self.dice.roll("choice", of) <= good

    def orders(self) -> tuple[str, ...]:
        """An order for every unit."""
        for goal in sorted(self.board.index, key=lambda p: (-self.value[p], p)):
            self._attack(goal)
        for piece in self.pieces:
            if not piece.order:
                self._rest(piece)
        return (*(p.order for p in self.pieces), *self._zero_orders())

    # --- attacks

    def _needed(self, goal: Place, engine: bool) -> int:
        there = self.foreign.get(goal, 0)
        if there and self.board[goal].fortress and not engine:
            there += 1
        return there + 1

    def _attack(self, goal: Place) -> None:
        if goal in self.board.offboard or goal in self.taken or any(p.place == goal for p in self.pieces):
            return
        owner = self.view.data["centres"].get(goal)
        wanted = self.board[goal].centre and owner != self.power
        if not wanted and goal not in self.foreign:
            return
        near = [p for p in self.pieces if not p.order and goal in p.reach]
        if not near:
            return
        near.sort(key=lambda p: (not p.engine, not p.led, -p.strength, self.board[p.place].fortress, p.place))
        if not self.foreign.get(goal) and near[0].engine and len(near) > 1:
            near.append(near.pop(0))
        helpers = [p for p in near[1:] if p.place not in self.board.offboard]
        needed = self._needed(goal, near[0].engine)
        group, strength = [near[0]], near[0].strength + near[0].led
        rivals = any(n in self.foreign for n in self.board[goal].borders)
        for piece in helpers:
            if strength >= needed + (
                1 if rivals and self.foreign.get(goal, 0) == 0 and self.chance(1, 2) else 0
            ):
                break
            group.append(piece)
            strength += piece.strength + piece.led
        if strength >= needed or self.chance(1, 10):
            self._commit(goal, group)
        elif self.board[goal].fortress and not any(p.engine for p in near) and self.chance(1, 2):
            self._engine(helpers or near)

    def _engine(self, near: Sequence[Piece]) -> None:
        for piece in near:
            if piece.kind in "AC" and self.board[piece.place].kind in ("land", "coast") and not piece.led:
                piece.order = f"{piece.text} B E"
                return

    def _commit(self, goal: Place, group: list[Piece]) -> None:
        mover = group[0]
        self.taken.add(goal)
        joined = self.power == GONDOR and len(group) > 1 and self.chance(1, 2)
        if joined:
            total = sum(p.strength for p in group)
            for piece in group:
                self._go(piece, goal, f"{piece.text} -> {total}A({goal})")
            return
        target = f"{mover.strength}A({goal})" if mover.strength > 1 else goal
        self._go(mover, goal, f"{mover.text} -> {target}{self._second_step(mover, goal)}")
        for piece in group[1:]:
            piece.order = f"{piece.text} Support {mover.order}"

    @staticmethod
    def _go(piece: Piece, goal: Place, order: str) -> None:
        piece.order, piece.goal = order, goal

    def _second_step(self, piece: Piece, first: Place) -> str:
        """Where cavalry rides on to, if a better place lies open beyond (12.2)."""
        if piece.kind != "C" or self.board[first].kind not in ("land", "coast"):
            return ""
        beyond = [
            p
            for p in mask_places(self.board, self.board.army[self.board.index[first]])
            if p not in self.foreign
            and p not in self.taken
            and p not in self.board.offboard
            and all(q.place != p for q in self.pieces)
            and not repelled(self.view, self.power, p)
        ]
        wanted = self.board[first].centre and self.view.data["centres"].get(first) != self.power
        best = max(beyond, key=lambda p: (self.value[p], p), default=None)
        if best is None or wanted or self.value[best] <= self.value[first]:
            return ""
        self.taken.add(best)
        return f" -> {best}"

    # --- what is left

    def _rest(self, piece: Piece) -> None:
        board = self.board
        threatened = any(n in self.foreign for n in board[piece.place].borders)
        if self.power == GONDOR and self.chance(1, 4) and self._join(piece):
            return
        landlubber = piece.kind == "A" and "F" not in piece.text and not piece.led and not piece.engine
        if board[piece.place].kind == "coast" and landlubber and not threatened and self.chance(1, 4):
            piece.order = f"{piece.text} B F"
            return
        free = [
            p
            for p in piece.reach
            if p not in self.foreign and p not in self.taken and all(q.place != p for q in self.pieces)
        ]
        best = max(free, key=lambda p: (self.value[p], p), default=None)
        stay = threatened and board[piece.place].fortress and self.chance(2, 3)
        if best and not stay and not piece.engine and self.value[best] > 0.9 * self.value[piece.place]:
            self.taken.add(best)
            target = f"{piece.strength}A({best})" if piece.strength > 1 else best
            self._go(piece, best, f"{piece.text} -> {target}{self._second_step(piece, best)}")
            return
        for other in self.pieces:
            holds = other is not piece and other.order.endswith("Hold") and other.place in piece.reach
            if holds and piece.place not in board.offboard and self.chance(1, 2):
                piece.order = f"{piece.text} Support {other.text}"
                return
        piece.order = f"{piece.text} Hold"

    def _join(self, piece: Piece) -> bool:
        """Two neighbours of Gondor's become one multiple army where the better of them stands (13.2)."""
        for other in self.pieces:
            if other is piece or other.order or other.place not in piece.reach or other.place in self.taken:
                continue
            total = piece.strength + other.strength
            if total > 4:
                continue
            self.taken.add(other.place)
            self._go(piece, other.place, f"{piece.text} -> {total}A({other.place})")
            other.order = f"{other.text} -> {total}A({other.place})"
            return True
        return False

    # --- the Wizard and the Nazgûl

    def _zero_orders(self) -> list[str]:
        return [self._nazgul(place) if kind == "N" else self._wizard(place) for kind, place in self.zero]

    def _nazgul(self, place: Place) -> str:
        here = [p for p in self.pieces if p.place == place]
        if (
            len(here) == 1
            and here[0].led
            and (here[0].goal is None or self.board[here[0].goal].kind != "sea")
        ):
            return f"N({place}) Lead {here[0].order}"
        if sum(p.strength for p in here) > 1:
            return f"N({place}) Hold"
        steps = self._flights(place)
        if self.chance(1, 3):  # nobody should be able to count on where it is
            goal = sorted(steps)[self.dice.roll("flight", len(steps)) - 1]
        else:
            goal = max(steps, key=lambda p: (self._company(p), self.value[p], p))
        return f"N({place}) Hold" if goal == place else f"N({place}){steps[goal]}"

    def _company(self, place: Place) -> int:
        """How useful a place is to the Nazgûl: with one own army to lead, else in a foreign home to stop builds."""
        armies = [p for p in self.pieces if (p.goal or p.place) == place]
        if len(armies) == 1:
            return 2
        foreign_home = self.board[place].home not in (None, self.power) and self.board[place].centre
        return 1 if foreign_home and not armies and self.chance(1, 3) else 0

    def _flights(self, place: Place) -> dict[Place, str]:
        """Every place that the Nazgûl can come to, with the words that bring it there."""
        board = self.board
        found = {place: ""}
        for first in mask_places(board, board.nazgul[board.index[place]]):
            if first not in self.foreign:
                found.setdefault(first, f" -> {first}")
        for first in list(found):
            if first == place:
                continue
            for second in mask_places(board, board.nazgul[board.index[first]]):
                if second not in self.foreign:
                    found.setdefault(second, f" -> {first} -> {second}")
        return found

    def _wizard(self, place: Place) -> str:
        board = self.board
        near = mask_places(board, board.army[board.index[place]])
        free = [p for p in (place, *near) if p not in self.foreign and board[p].kind in ("land", "coast")]
        ranked = sorted(free, key=lambda p: (-self._haven(p), p)) or [place]
        goal = ranked[1] if len(ranked) > 1 and self.chance(1, 3) else ranked[0]
        return f"W({place}) Hold" if goal == place else f"W({place}) -> {goal}"

    def _haven(self, place: Place) -> float:
        """Safe from attack, near the armies, and with room to raise one."""
        board = self.board
        danger = sum(n in self.foreign for n in board[place].borders)
        guarded = any((p.goal or p.place) == place for p in self.pieces)
        near = sum((p.goal or p.place) in board[place].borders for p in self.pieces)
        owner = self.view.data["centres"].get(place)
        barred = owner not in (None, self.power) or place in board.offboard
        return 2.0 * guarded - 1.5 * danger + 0.5 * near + (1.0 if not guarded and not barred else 0.0)
