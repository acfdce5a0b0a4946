"""The board, read once from map.toml: provinces, seas, what touches what, and names."""

from __future__ import annotations

import tomllib
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from gm.games.api import PowerId
from gm.games.menes.model import Place, is_sea


@dataclass(frozen=True, kw_only=True)
class Space:
    """A province or a sea."""

    id: Place
    name: str
    kind: str
    """``"province"``, ``"free_city"``, ``"player_city"`` or ``"sea"``."""
    home: PowerId | None
    """The power whose city it was at the start."""
    land: tuple[Place, ...]
    """Provinces one land step away, bridges included; of a sea: its coasts."""
    seas: tuple[Place, ...]
    """Seas it touches; of a sea: the next seas, canals included."""
    x: int
    y: int
    terrain: str = ""


@cache
def raw() -> Mapping[str, Any]:
    """The tables of map.toml."""
    return tomllib.loads(files("gm.games.menes").joinpath("map.toml").read_text(encoding="utf-8"))


def _load() -> dict[Place, Space]:
    spaces = {}
    for row in raw()["province"]:
        spaces[str(row["number"])] = Space(
            id=str(row["number"]),
            name=row["name"],
            kind=row["kind"],
            home=row.get("power"),
            land=tuple(str(n) for n in row["land"]),
            seas=tuple(row["seas"]),
            x=row["x"],
            y=row["y"],
            terrain=row["terrain"],
        )
    coasts = {
        s["letter"]: tuple(p.id for p in spaces.values() if s["letter"] in p.seas) for s in raw()["sea"]
    }
    for row in raw()["sea"]:
        letter = row["letter"]
        spaces[letter] = Space(
            id=letter,
            name=row["name"],
            kind="sea",
            home=None,
            land=coasts[letter],
            seas=tuple(row["adjacent"]),
            x=row["x"],
            y=row["y"],
        )
    return spaces


SPACES: Mapping[Place, Space] = _load()
PROVINCES: tuple[Place, ...] = tuple(p for p in SPACES if not is_sea(p))
SEAS: tuple[Place, ...] = tuple(p for p in SPACES if is_sea(p))
CITIES: tuple[Place, ...] = tuple(p for p in PROVINCES if SPACES[p].kind != "province")
POWERS: tuple[PowerId, ...] = tuple(raw()["powers"])
"""In the order of the map file."""
HOMES: Mapping[PowerId, tuple[Place, ...]] = {
    power: tuple(p for p in PROVINCES if SPACES[p].home == power) for power in POWERS
}
FIRST_YEAR: int = raw()["game"]["first_year"]


def touches(a: Place, b: Place) -> bool:
    """Whether one step leads from a to b: by land, by sea, or between a sea and its coast."""
    return b in (SPACES[a].seas if is_sea(b) else SPACES[a].land)


def points(place: Place) -> int:
    """Victory points of a place (section 2)."""
    return {"player_city": 2, "free_city": 1}.get(SPACES[place].kind, 0)


def label(place: Place) -> str:
    """``"Deepforge (39)"``, ``"the Heel Sea (R)"``."""
    name = SPACES[place].name
    article = "the " if is_sea(place) and not name.startswith("The ") else ""
    return f"{article}{name} ({place})"


def distances(targets: Iterable[Place], steps: Callable[[Place], Iterable[Place]]) -> dict[Place, int]:
    """Steps from each place to the nearest target, where `steps` gives the neighbours of a place."""
    found = dict.fromkeys(targets, 0)
    queue = deque(found)
    while queue:
        here = queue.popleft()
        for there in steps(here):
            if there not in found:
                found[there] = found[here] + 1
                queue.append(there)
    return found
