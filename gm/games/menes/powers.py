"""The five powers as the world outside names them."""

from __future__ import annotations

from gm.games.api import Power

POWER_LIST: tuple[Power, ...] = (
    Power(
        id="dwarves", name="Dwarves", adjective="Dwarven", letter="W", colour="#3e7e6d", aliases=("dwarf",)
    ),
    Power(
        id="dragons", name="Dragons", adjective="Draconic", letter="D", colour="#8c0f0b", aliases=("dragon",)
    ),
    Power(
        id="elves", name="Elves", adjective="Elven", letter="E", colour="#5e9cf7", aliases=("elf", "elvish")
    ),
    Power(id="men", name="Men", adjective="Mannish", letter="M", colour="#df9132", aliases=("man", "human")),
    Power(id="ents", name="Ents", adjective="Entish", letter="N", colour="#f7d319", aliases=("ent",)),
)
"""In the order of the map file; the rulebook's green, red, blue, orange and yellow."""

COLOURS = {power.id: power.colour for power in POWER_LIST}
