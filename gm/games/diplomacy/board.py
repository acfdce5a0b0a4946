"""The map, compiled once from map.toml to numbers: provinces, borders, coasts, sea routes.

Provinces are numbered in the order of their three-letter names. A *place* is where a unit stands: ``"PAR"``, or
``"STP/SC"`` for a fleet on one of two coasts. A *unit* is written ``"A PAR"`` or ``"F STP/SC"``. Sets of provinces
are bit masks: province p is bit ``1 << p``.
"""

from __future__ import annotations

import tomllib
from collections import deque
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

Ways = tuple[tuple[int, tuple[int, ...]], ...]
"""Convoy routes: the mask and the list of the seas of each."""


class Piece(NamedTuple):
    """A unit that can stand on the board, with all that its orders need."""

    province: int
    army: bool
    reach: int
    """Mask of the provinces that it can step to, and so may support into."""
    steps: dict[int, tuple[str, ...]]
    """Province to the places in it that the unit can step to."""
    name: str
    place: str


@dataclass(frozen=True, eq=False)
class Board:
    """One map, shared by all games on it."""

    powers: tuple[str, ...]
    first_year: int
    win_centres: int
    ids: tuple[str, ...]
    """Three-letter names, in the order of province numbers."""
    index: dict[str, int]
    names: tuple[str, ...]
    place_names: dict[str, str]
    """Every place to its full name, coasts included."""
    spoken: dict[str, str]
    """The same as a sentence names it: "the North Sea"."""
    coasts: dict[int, tuple[str, ...]]
    """Provinces with two coasts to the places of these."""
    land: int
    sea: int
    coastal: int
    centres: tuple[str, ...]
    home: dict[str, tuple[str, ...]]
    start: dict[str, tuple[str, ...]]
    pieces: dict[str, Piece]
    province: dict[str, int]
    """Unit to the province it stands in."""
    compiled: dict[str, tuple[Any, ...]] = field(repr=False)
    """Order text to (province, unit, compiled order); filled and bounded by `resolve`."""
    nowhere: int
    """A slot beyond the provinces, in which no unit stands."""
    shores: tuple[int, ...]
    """For a province, the seas that touch it (a convoy's first and last step, or sea to sea)."""
    near: tuple[int, ...]
    """For a province, all its neighbours by whatever terrain."""
    blank: list[None] = field(repr=False)
    """A None for each province and for `nowhere`, to be copied; so are `ones` (a 1 each) and `zeros` (two 0 each)."""
    ones: list[int] = field(repr=False)
    zeros: list[int] = field(repr=False)
    seas: tuple[int, ...]
    _routes: dict[int, tuple[int, ...]] = field(default_factory=dict, repr=False)

    def routes(self, start: int, end: int) -> tuple[int, ...]:
        """Masks of seas, each the least that carries an army between two coastal provinces; shortest first.

        A route that holds a shorter one is left out: its further fleets would be of no use (datc 6.F.12, 6.G.19).
        Found once for a pair of provinces (fewer than 1,800 pairs).
        """
        key = start * len(self.ids) + end
        known = self._routes.get(key)
        if known is None:
            known = self._routes[key] = self._find_routes(start, end)
        return known

    def ways(self, start: int, end: int) -> Ways:
        """`routes`, each with the list of its seas."""
        return tuple((route, tuple(bits(route))) for route in self.routes(start, end))

    def _find_routes(self, start: int, end: int) -> tuple[int, ...]:
        if not self.coastal >> start & self.coastal >> end & 1:
            return ()
        found: list[int] = []
        landing = self.shores[end]
        # (last sea, seas used, seas that may not follow because an earlier part of the route touches them already)
        open_: list[tuple[int, int, int]] = [
            (sea, 1 << sea, self.shores[start]) for sea in bits(self.shores[start])
        ]
        while open_:
            last, used, barred = open_.pop()
            if landing >> last & 1:
                found.append(used)
                continue
            onward = self.shores[last] & ~barred & ~used
            open_.extend((sea, used | 1 << sea, barred | self.shores[last]) for sea in bits(onward))
        return tuple(sorted(set(found), key=lambda route: (route.bit_count(), route)))

    def distances(self, goals: int) -> list[int]:
        """Steps from each province to the nearest of `goals`, over land and water alike (datc 4.D.8, 6.J.10)."""
        steps = [len(self.ids)] * len(self.ids)
        queue = deque(bits(goals))
        for goal in queue:
            steps[goal] = 0
        while queue:
            at = queue.popleft()
            for neighbour in bits(self.near[at]):
                if steps[neighbour] > steps[at] + 1:
                    steps[neighbour] = steps[at] + 1
                    queue.append(neighbour)
        return steps


def bits(mask: int) -> list[int]:
    """The provinces of a mask, lowest first."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def province_of(place: str) -> str:
    """``"STP"`` of ``"STP/SC"``."""
    return place[:3]


@cache
def standard() -> Board:
    """The board of map.toml."""
    return build(tomllib.loads(resources.files(__package__).joinpath("map.toml").read_text("utf-8")))


def build(data: dict[str, Any]) -> Board:
    """A board from the tables of a map file."""
    table: dict[str, dict[str, Any]] = data["province"]
    ids = tuple(sorted(table))
    index = {name: number for number, name in enumerate(ids)}

    def mask(names: list[str]) -> int:
        return sum(1 << number for number in {index[province_of(name)] for name in names})

    place_names = {name: table[name]["name"] for name in ids}
    coasts: dict[int, tuple[str, ...]] = {}
    fleet_steps: dict[str, list[str]] = {}
    for name in ids:
        if "coast" in table[name]:
            coasts[index[name]] = tuple(f"{name}/{coast}" for coast in table[name]["coast"])
            for coast, entry in table[name]["coast"].items():
                place_names[f"{name}/{coast}"] = entry["name"]
                fleet_steps[f"{name}/{coast}"] = entry["fleet"]
        elif "fleet" in table[name]:
            fleet_steps[name] = table[name]["fleet"]

    kind = {
        word: mask([name for name in ids if table[name]["kind"] == word])
        for word in ("inland", "coast", "sea")
    }
    pieces = {}
    for name in ids:
        if table[name]["kind"] != "sea":
            pieces[f"A {name}"] = _piece(index, f"A {name}", table[name].get("army", []))
    for place, steps in fleet_steps.items():
        pieces[f"F {place}"] = _piece(index, f"F {place}", steps)

    near = [mask(table[name].get("army", [])) for name in ids]
    for place, steps in fleet_steps.items():
        near[index[province_of(place)]] |= mask(steps)
    centres = tuple(name for name in ids if table[name].get("centre"))
    return Board(
        powers=tuple(data["powers"]),
        first_year=data["first_year"],
        win_centres=data["win_centres"],
        ids=ids,
        index=index,
        names=tuple(table[name]["name"] for name in ids),
        place_names=place_names,
        spoken={
            place: f"the {name}" if table[place[:3]]["kind"] == "sea" else name
            for place, name in place_names.items()
        },
        coasts=coasts,
        land=kind["inland"] | kind["coast"],
        sea=kind["sea"],
        coastal=kind["coast"],
        centres=centres,
        home={power: tuple(sorted(names)) for power, names in data["home_centres"].items()},
        start={power: tuple(units) for power, units in data["start_units"].items()},
        pieces=pieces,
        province={name: piece.province for name, piece in pieces.items()},
        compiled={},
        nowhere=len(ids),
        shores=tuple(one & kind["sea"] for one in near),
        near=tuple(near),
        blank=[None] * (len(ids) + 1),
        ones=[1] * (len(ids) + 1),
        zeros=[0] * (2 * len(ids) + 2),
        seas=tuple(bits(kind["sea"])),
    )


def _piece(index: dict[str, int], name: str, steps: list[str]) -> Piece:
    by_province: dict[int, tuple[str, ...]] = {}
    for step in steps:
        number = index[province_of(step)]
        by_province[number] = (*by_province.get(number, ()), step)
    reach = sum(1 << number for number in by_province)
    place = name[2:]
    return Piece(index[province_of(place)], name[0] == "A", reach, by_province, name, place)
