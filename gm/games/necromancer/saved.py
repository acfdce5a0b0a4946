"""A game as the JSON object that the store keeps, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import lru_cache
from typing import Any

from gm.games.necromancer.ids import PowerId
from gm.games.necromancer.model import Dislodged, Game, Options, Unit
from gm.games.necromancer.orders import Order, UnitRef, unit_from_text


def ref_to_json(ref: UnitRef) -> list[Any]:
    """A unit reference as a flat list."""
    return [ref.kind, ref.place, ref.strength, ref.fleets, ref.engines, ref.owner]


def ref_from_json(data: list[Any]) -> UnitRef:
    """The inverse of `ref_to_json`."""
    return UnitRef(*data)


def order_to_json(order: Order) -> dict[str, Any]:
    """An order without the fields that keep their defaults."""
    data: dict[str, Any] = {"kind": order.kind}
    if order.unit:
        data["unit"] = ref_to_json(order.unit)
    if order.path:
        data["path"] = list(order.path)
    if order.total:
        data["total"] = order.total
    if order.inner:
        data["inner"] = order_to_json(order.inner)
    if order.choices:
        data["choices"] = list(order.choices)
    if order.alternatives:
        data["alternatives"] = [ref_to_json(r) for r in order.alternatives]
    return data


def order_from_json(data: Mapping[str, Any]) -> Order:
    """The inverse of `order_to_json`."""
    return Order(
        kind=data["kind"],
        unit=ref_from_json(data["unit"]) if "unit" in data else None,
        path=tuple(data.get("path", ())),
        total=data.get("total", 0),
        inner=order_from_json(data["inner"]) if "inner" in data else None,
        choices=tuple(data.get("choices", ())),
        alternatives=tuple(ref_from_json(r) for r in data.get("alternatives", ())),
    )


def unit_to_json(unit: Unit) -> dict[str, Any]:
    """A unit as ``{"owner": ..., "unit": "2A/2F(Leb)"}``, with ``"secret"`` where it is."""
    data: dict[str, Any] = {"owner": unit.owner, "unit": str(unit)}
    if unit.secret:
        data["secret"] = True
    return data


def unit_from_json(data: Mapping[str, Any]) -> Unit:
    """The inverse of `unit_to_json`."""
    return _unit(data["owner"], data["unit"], bool(data.get("secret")))


@lru_cache(maxsize=8192)
def _unit(owner: PowerId, text: str, secret: bool) -> Unit:
    ref = unit_from_text(text)
    return Unit(owner, ref.kind, ref.place, ref.strength, ref.fleets, ref.engines, secret)


def _dislodged_to_json(dislodged: Dislodged) -> dict[str, Any]:
    return {"unit": unit_to_json(dislodged.unit), "attacker_from": list(dislodged.attacker_from)}


_PLACES = ("contested", "activated", "captured", "natural_lost", "nmr", "winners")


def to_json(game: Game) -> dict[str, Any]:
    """A game as a JSON object; `from_json` gives it back."""
    data: dict[str, Any] = {
        "options": {name: getattr(game.options, name) for name in Options.__slots__},
        "units": [unit_to_json(u) for u in game.units],
        "centres": dict(sorted(game.centres.items())),
        "dislodged": [_dislodged_to_json(d) for d in game.dislodged],
        "disbanded_at_once": [_dislodged_to_json(d) for d in game.disbanded_at_once],
        "retreat_lists": {
            power: [order_to_json(o) for o in orders] for power, orders in sorted(game.retreat_lists.items())
        },
        "adjustment_lists": {
            power: [order_to_json(o) for o in orders]
            for power, orders in sorted(game.adjustment_lists.items())
        },
        "public_owners": dict(sorted(game.public_owners.items())),
    }
    for name in (f.name for f in fields(Game)):
        if name not in data:
            value = getattr(game, name)
            data[name] = list(value) if name in _PLACES else value
    return data


def from_json(data: Mapping[str, Any]) -> Game:
    """The inverse of `to_json`."""
    plain = {f.name: data[f.name] for f in fields(Game) if f.name in data}
    plain |= {name: tuple(data[name]) for name in _PLACES}
    plain["options"] = Options(**data["options"])
    plain["units"] = tuple(unit_from_json(u) for u in data["units"])
    for name in ("dislodged", "disbanded_at_once"):
        plain[name] = tuple(
            Dislodged(unit_from_json(d["unit"]), tuple(d["attacker_from"])) for d in data[name]
        )
    for name in ("retreat_lists", "adjustment_lists"):
        plain[name] = {
            power: tuple(order_from_json(o) for o in orders) for power, orders in data[name].items()
        }
    plain["centres"] = dict(data["centres"])
    plain["public_owners"] = dict(data["public_owners"])
    return Game(**plain)
