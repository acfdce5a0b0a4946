"""The eight powers: how they are printed, coloured and called."""

from __future__ import annotations

from collections.abc import Mapping

from gm.games.api import Power
from gm.games.necromancer.ids import STANDING, PowerId

POWERS: tuple[Power, ...] = (
    Power(
        id="dwarves",
        name="Dwarves",
        adjective="Dwarvish",
        letter="D",
        colour="#5f3b12",
        aliases=("dwarf", "dwarven", "durin"),
    ),
    Power(
        id="easterlings",
        name="Easterlings",
        adjective="Easterling",
        letter="E",
        colour="#e1ce57",
        aliases=("easterling",),
    ),
    Power(
        id="elves",
        name="Elves",
        adjective="Elvish",
        letter="L",
        colour="#92d7d0",
        aliases=("elf", "elven", "eldar"),
    ),
    Power(
        id="gondor",
        name="Gondor",
        adjective="Gondorian",
        letter="G",
        colour="#1841d4",
        aliases=("gondorians",),
    ),
    Power(
        id="haradrim",
        name="Haradrim",
        adjective="Haradric",
        letter="H",
        colour="#b34e42",
        aliases=("harad", "haradwaith", "southrons"),
    ),
    Power(
        id="rohan",
        name="Rohan",
        adjective="Rohirric",
        letter="R",
        colour="#28b02a",
        aliases=("rohirrim", "riders"),
    ),
    Power(
        id="saruman",
        name="Saruman",
        adjective="Isengarder",
        letter="S",
        colour="#c764d4",
        aliases=("isengard", "orthanc"),
    ),
    Power(
        id="sauron",
        name="Sauron",
        adjective="Mordor",
        letter="U",
        colour="#272424",
        aliases=("necromancer",),
    ),
)
"""In the alphabetical order of their ids, which is also the order of the rulebook's list."""

BY_ID: Mapping[PowerId, Power] = {p.id: p for p in POWERS}


def name_of(power: PowerId | None) -> str:
    """As printed; also for the standing armies and for nobody."""
    if power is None:
        return "nobody"
    return "Standing armies" if power == STANDING else BY_ID[power].name


def adjective_of(power: PowerId) -> str:
    """``"Gondorian"``; ``"Standing"`` for the standing armies."""
    return "Standing" if power == STANDING else BY_ID[power].adjective


_PLURAL = ("dwarves", "easterlings", "elves", "haradrim")


def does(power: PowerId, verb: str) -> str:
    """``"Gondor takes"``, ``"Dwarves take"``: the name with a verb that is given in the singular."""
    plural = {"has": "have", "is": "are"}.get(verb, verb.removesuffix("s"))
    return f"{name_of(power)} {plural if power in _PLURAL or power == STANDING else verb}"
