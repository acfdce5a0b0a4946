"""Strict order notation for engine tests: ``A(Pel) -> 2A(SIt)``, ``A(Por) S A(SIt) -> Pel``, ``N(MMo) L A(MMo) H``.

It knows the forms that tests use and nothing else, and shares no code with the reader of players' mails.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gm.games.dice import FixedDice
from gm.games.necromancer.board import the_board
from gm.games.necromancer.engine import adjudicate
from gm.games.necromancer.model import Game, Options, Unit, normalise
from gm.games.necromancer.orders import Order, unit_from_text
from gm.games.necromancer.outcome import Outcome, Resolution

_TARGET = re.compile(r"(?:(\d*)A\((\w+)\)|(\w+))")


def order(text: str) -> Order:
    """One movement, retreat or adjustment order."""
    head, _, rest = text.partition(" ")
    if head in ("Build", "Remove", "Activate", "Raise", "Place", "Waive", "Disband"):
        if head == "Waive":
            return Order("waive")
        first, *others = [unit_from_text(part if "(" in part else f"A({part})") for part in rest.split(" / ")]
        return Order(head.lower(), first, alternatives=tuple(others))  # type: ignore[arg-type]  # a plain str for a kind
    unit = unit_from_text(head)
    if rest in ("H", ""):
        return Order("hold", unit)
    if rest == "B F":
        return Order("build_fleet", unit)
    if rest == "B E":
        return Order("build_engine", unit)
    if rest.startswith("R "):
        return Order("retreat", unit, choices=tuple(rest[2:].split(" / ")))
    if rest.startswith("S "):
        return Order("support", unit, inner=order(rest[2:]))
    if rest.startswith("L "):
        return Order("lead", unit, inner=order(rest[2:]))
    path: list[str] = []
    total = 0
    for step in (s.strip() for s in rest.split("->")):
        if step == "H":
            path.append(unit.place)
        elif step:
            found = _TARGET.fullmatch(step)
            assert found, text
            if found[3]:
                path.append(found[3])
            else:
                total = int(found[1] or 1)
                path.append(found[2])
    return Order("move", unit, path=tuple(path), total=total)


def units(table: Mapping[str, Sequence[str]]) -> tuple[Unit, ...]:
    """Units by power."""
    return normalise(
        Unit(power, r.kind, r.place, r.strength, r.fleets, r.engines)
        for power, texts in table.items()
        for r in map(unit_from_text, texts)
    )


def game(
    table: Mapping[str, Sequence[str]], year: int = 2765, step: str = "movement", **fields: object
) -> Game:
    """A position; `options` may be a dict of house rules."""
    options = Options(**fields.pop("options", {}))  # type: ignore[arg-type]  # fields by name
    fields.setdefault("centres", {})
    return Game(options=options, year=year, step=step, units=units(table), **fields)  # type: ignore[arg-type]  # fields by name


class Played:
    """A phase that was played, with short ways to look at it."""

    def __init__(self, resolution: Resolution) -> None:
        self.resolution = resolution
        self.after = resolution.after

    def result(self, power: str, text: str) -> Outcome:
        """The outcome of one order."""
        wanted = order(text)
        return next(o for o in self.resolution.outcomes if o.power == power and o.order == wanted)

    def results(self, power: str) -> list[str]:
        """The result words of a power in sheet order."""
        return [o.result for o in self.resolution.outcomes if o.power == power]

    def units(self, power: str) -> list[str]:
        """The units of a power that are in place."""
        return [str(u) for u in self.after.units if u.owner == power]

    def dislodged(self) -> dict[str, tuple[str, ...]]:
        """Unit text to the places that the attack came from."""
        return {str(d.unit): d.attacker_from for d in self.after.dislodged}

    def kinds(self) -> list[str]:
        """The kinds of all happenings."""
        return [h.kind for h in self.resolution.happenings]


def play(
    position: Game, orders: Mapping[str, Sequence[str] | None] | None = None, rolls: Sequence[int] = ()
) -> Played:
    """Adjudicate one phase; powers left out sent nothing."""
    sheets = {
        power: None if texts is None else tuple(order(t) for t in texts)
        for power, texts in (orders or {}).items()
    }
    return Played(adjudicate(position, sheets, FixedDice(rolls)))


def place(name: str) -> int:
    """Index of a province."""
    return the_board().index[name]
