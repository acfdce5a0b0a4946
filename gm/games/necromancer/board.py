"""The board: read from ``map.toml``, checked, and compiled to indices and bitmasks once for all games."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any, Literal

from gm.games.necromancer.ids import Place, PowerId
from gm.games.necromancer.orders import UnitRef, unit_from_text

Terrain = Literal["land", "coast", "sea", "offboard"]
Alignment = Literal["none", "good", "neutral", "evil"]

_TERRAINS = ("land", "coast", "sea", "offboard")
_ALIGNMENTS = ("none", "good", "neutral", "evil")


class MapError(ValueError):
    """A map file that contradicts itself; the message starts with file and line."""

    def __init__(self, file: str, line: int, message: str) -> None:
        self.file, self.line = file, line
        super().__init__(f"{file}:{line}: {message}")


@dataclass(frozen=True, slots=True)
class Province:
    """One province. `index` is its place in `Board.provinces`."""

    index: int
    id: Place
    name: str
    kind: Terrain
    centre: bool
    fortress: bool
    home: PowerId | None
    standing_army: bool
    alignment: Alignment
    x: int
    y: int
    borders: tuple[Place, ...]
    walls: tuple[Place, ...]
    """Neighbours across mountains (18.4): only the Nazgûl goes there."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Start:
    """Opening facts of one power."""

    letter: str
    alignment: Alignment
    units: tuple[UnitRef, ...]


@dataclass(frozen=True, eq=False)
class Board:
    """The compiled map. Bit i of a mask is the province with index i."""

    provinces: tuple[Province, ...]
    index: Mapping[Place, int]
    """Canonical abbreviation to index."""
    aliases: Mapping[str, Place]
    """Other spellings that the rules use: KDu for Mor, Sit for SIt."""
    powers: Mapping[PowerId, Start]
    names: Mapping[str, Place] = field(repr=False)
    """Case-folded abbreviations, full names and aliases to abbreviations."""
    offboard: tuple[Place, ...]
    """Provinces where units co-exist: Eriador."""
    standing: tuple[Place, ...]
    saruman_third_army: tuple[Place, ...]
    spider_entry: tuple[Place, ...]
    dragon_entry: Place
    cavalry_builds: tuple[Place, ...]
    victory_centres: int
    army: tuple[int, ...] = field(repr=False)
    """Per province: where an army may go by land."""
    fleet: tuple[int, ...] = field(repr=False)
    """Per province: where an army/fleet may go, by land or sea."""
    nazgul: tuple[int, ...] = field(repr=False)
    """Per province: where a Nazgûl may go, over walls too, but never by sea (18.6)."""
    sea_mask: int = 0
    fortress_mask: int = 0
    centre_mask: int = 0
    open_mask: int = 0
    """Off-board provinces, where units co-exist (6.3)."""
    coast_mask: int = 0
    dwarvish_extra: frozenset[Place] = frozenset()
    """Mountain fortress centres that the Dwarves may use as homes once they own them (10)."""

    def __getitem__(self, place: Place) -> Province:
        return self.provinces[self.index[place]]

    @property
    def centres(self) -> tuple[Place, ...]:
        """All supply centres on the board, in map order."""
        return tuple(p.id for p in self.provinces if p.centre)

    def homes(self, power: PowerId) -> tuple[Place, ...]:
        """Home centres on the board at the start, in map order (Eriador and later homes not included)."""
        return tuple(p.id for p in self.provinces if p.home == power)

    def canonical(self, name: str) -> Place | None:
        """The abbreviation for an exact abbreviation, alias or full name in any case; None if unknown.

        Two abbreviations never differ in case alone, which the loader checks.
        """
        return self.names.get(name.casefold())


def mask_places(board: Board, mask: int) -> tuple[Place, ...]:
    """The provinces of a bitmask in map order."""
    found: list[Place] = []
    while mask:
        lowest = mask & -mask
        found.append(board.provinces[lowest.bit_length() - 1].id)
        mask ^= lowest
    return tuple(found)


class _Lines:
    """Finds the line of a key in the text of a map file, for error messages."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.lines = text.splitlines()

    def error(self, message: str, table: str, key: str = "") -> MapError:
        start = next((i for i, line in enumerate(self.lines) if line.strip() == f"[{table}]"), 0)
        if key:
            for number, line in enumerate(self.lines[start + 1 :], start + 1):
                if line.startswith("["):
                    break
                if re.match(rf"{re.escape(key)}\s*=", line):
                    return MapError(self.file, number + 1, message)
        return MapError(self.file, start + 1, message)


def load_board(text: str, file: str = "map.toml") -> Board:
    """A board from the text of a map file.

    Raises:
        MapError: broken TOML, an unknown name, a border that only one side lists, a wall that is also a border, a
            count that differs from ``[meta]``, a sea that a wall touches, and the like; with file and line.
    """
    lines = _Lines(file, text)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"line (\d+)", str(error))
        raise MapError(file, int(found[1]) if found else 1, str(error)) from None
    for table in ("meta", "power", "standing_armies", "province"):
        if table not in data:
            raise MapError(file, 1, f"there is no [{table}] table")
    provinces = _provinces(data["province"], tuple(data["power"]), lines)
    _check_borders(provinces, lines)
    return _compile(provinces, data, lines)


def _provinces(tables: Mapping[str, Any], powers: Sequence[str], lines: _Lines) -> tuple[Province, ...]:
    folded: dict[str, str] = {}
    found: list[Province] = []
    for index, (place, table) in enumerate(tables.items()):
        where = f"province.{place}"
        for key in ("name", "kind", "supply_centre", "fortress", "x", "y", "borders"):
            if key not in table:
                raise lines.error(f"{place} has no {key!r}", where)
        for key, allowed in (("kind", _TERRAINS), ("alignment", _ALIGNMENTS), ("home", ("none", *powers))):
            value = table.get(key, allowed[0])
            if value not in allowed:
                raise lines.error(f"{place}: {key} {value!r} is none of {', '.join(allowed)}", where, key)
        for name in {place.casefold(), table["name"].casefold()}:
            if folded.setdefault(name, place) != place:
                raise lines.error(f"{place} and {folded[name]} share the name {name!r}", where, "name")
        for key in ("borders", "mountain_borders"):
            for other in table.get(key, ()):
                _known(other, tables, lines, where, key)
        home = table.get("home", "none")
        found.append(
            Province(
                index,
                place,
                table["name"],
                table["kind"],
                table["supply_centre"],
                table["fortress"],
                None if home == "none" else home,
                table.get("standing_army", False),
                table.get("alignment", "none"),
                table["x"],
                table["y"],
                tuple(table["borders"]),
                tuple(table.get("mountain_borders", ())),
                table.get("note", ""),
            )
        )
    return tuple(found)


def _known(name: str, tables: Mapping[str, Any], lines: _Lines, table: str, key: str) -> None:
    if name not in tables:
        near = difflib.get_close_matches(name, tables, 1, 0.3)
        hint = f" (did you mean {near[0]}?)" if near else ""
        raise lines.error(f"unknown province {name!r}{hint}", table, key)


def _check_borders(provinces: Sequence[Province], lines: _Lines) -> None:
    by_id = {p.id: p for p in provinces}
    for p in provinces:
        where = f"province.{p.id}"
        for key, mine in (("borders", p.borders), ("mountain_borders", p.walls)):
            if len(set(mine)) != len(mine) or p.id in mine:
                raise lines.error(f"{p.id} lists a neighbour twice, or itself", where, key)
        for other in p.walls:
            if other in p.borders:
                raise lines.error(f"{p.id}-{other} is both a border and a wall", where, "mountain_borders")
    for p in provinces:
        where = f"province.{p.id}"
        for key, mine in (("borders", p.borders), ("mountain_borders", p.walls)):
            for other in mine:
                theirs = by_id[other].borders if key == "borders" else by_id[other].walls
                if p.id not in theirs:
                    raise lines.error(
                        f"{p.id} lists {other} in {key}, but {other} does not list {p.id}", where, key
                    )
        for other in p.walls:
            if "sea" in (p.kind, by_id[other].kind):
                raise lines.error(f"{p.id}-{other}: a wall can't touch a sea", where, "mountain_borders")
        touches_sea = any(by_id[other].kind == "sea" for other in p.borders)
        if p.kind == "coast" and not touches_sea:
            raise lines.error(f"{p.id} is a coast but borders no sea", where, "kind")
        if p.kind in ("land", "offboard") and touches_sea:
            raise lines.error(f"{p.id} borders a sea, so its kind is coast", where, "kind")
        if p.kind in ("sea", "offboard") and (p.centre or p.fortress or p.home):
            raise lines.error(
                f"{p.id} is {p.kind}: it can't be a centre, a fortress or a home", where, "kind"
            )


def _compile(provinces: tuple[Province, ...], data: Mapping[str, Any], lines: _Lines) -> Board:
    meta = data["meta"]
    index = {p.id: p.index for p in provinces}

    def mask(places: Sequence[Place]) -> int:
        return sum(1 << index[place] for place in places)

    sea = mask([p.id for p in provinces if p.kind == "sea"])
    centres = [p.id for p in provinces if p.centre]
    counts = {
        "provinces": len(provinces),
        "ordinary_borders": sum(len(p.borders) for p in provinces) // 2,
        "mountain_borders": sum(len(p.walls) for p in provinces) // 2,
        "supply_centres": len(centres),
    }
    for key, number in counts.items():
        if meta.get(key, number) != number:
            raise lines.error(f"{key} says {meta[key]}, the file has {number}", "meta", key)
    for key in (
        "offboard",
        "saruman_third_army",
        "spider_entry",
        "cavalry_builds",
        "fortresses_not_in_mountains",
    ):
        for place in meta[key]:
            _known(place, index, lines, "meta", key)
    for place in (meta["dragon_entry"], *meta.get("aliases", {}).values()):
        _known(place, index, lines, "meta", "dragon_entry" if place == meta["dragon_entry"] else "aliases")
    for pair in meta.get("attested_borders", ()):
        for place in pair:
            _known(place, index, lines, "meta", "attested_borders")
        if pair[1] not in provinces[index[pair[0]]].borders:
            raise lines.error(f"{pair[0]}-{pair[1]} is attested but is no border", "meta", "attested_borders")
    standing = tuple(data["standing_armies"]["provinces"])
    for place in standing:
        _known(place, index, lines, "standing_armies", "provinces")
        if not provinces[index[place]].standing_army or not provinces[index[place]].centre:
            raise lines.error(f"{place} is no centre with a standing army", "standing_armies", "provinces")
    flat = set(meta["fortresses_not_in_mountains"])
    return Board(
        provinces=provinces,
        index=index,
        aliases=dict(meta.get("aliases", {})),
        powers={power: _start(power, table, index, lines) for power, table in data["power"].items()},
        names={alias.casefold(): place for alias, place in meta.get("aliases", {}).items()}
        | {p.name.casefold(): p.id for p in provinces}
        | {p.id.casefold(): p.id for p in provinces},
        offboard=tuple(meta["offboard"]),
        standing=standing,
        saruman_third_army=tuple(meta["saruman_third_army"]),
        spider_entry=tuple(meta["spider_entry"]),
        dragon_entry=meta["dragon_entry"],
        cavalry_builds=tuple(meta["cavalry_builds"]),
        victory_centres=meta["victory_centres"],
        army=tuple(0 if p.kind == "sea" else mask(p.borders) & ~sea for p in provinces),
        fleet=tuple(mask(p.borders) for p in provinces),
        nazgul=tuple(0 if p.kind == "sea" else mask([*p.borders, *p.walls]) & ~sea for p in provinces),
        sea_mask=sea,
        fortress_mask=mask([p.id for p in provinces if p.fortress]),
        centre_mask=mask(centres),
        open_mask=mask(meta["offboard"]),
        coast_mask=mask([p.id for p in provinces if p.kind == "coast"]),
        dwarvish_extra=frozenset(p.id for p in provinces if p.fortress and p.centre and p.id not in flat),
    )


def _start(power: PowerId, table: Mapping[str, Any], index: Mapping[Place, int], lines: _Lines) -> Start:
    where = f"power.{power}"
    units: list[UnitRef] = []
    for text in table["units"]:
        try:
            ref = unit_from_text(text)
        except ValueError as error:
            raise lines.error(str(error), where, "units") from None
        _known(ref.place, index, lines, where, "units")
        units.append(ref)
    if table["alignment"] not in _ALIGNMENTS:
        raise lines.error(
            f"alignment {table['alignment']!r} is none of {', '.join(_ALIGNMENTS)}", where, "alignment"
        )
    return Start(table["letter"], table["alignment"], tuple(units))


@cache
def the_board() -> Board:
    """The board of the packaged map file, the same object every time."""
    file = resources.files("gm.games.necromancer") / "map.toml"
    return load_board(file.read_text(encoding="utf-8"))
