"""What units cost and where they can be built (section 5 and change 2)."""

from __future__ import annotations

from gm.games.api import PowerId, State
from gm.games.menes.board import SPACES, label
from gm.games.menes.model import UNITS, Place, is_sea, option, rank
from gm.games.menes.movement import Impossible
from gm.games.menes.text import Buy


def list_price(state: State, unit: str) -> int:
    """Gold for one unit in a city of one's own race."""
    price: int = option(state, f"{rank(unit)}_price")
    return price


def price(state: State, power: PowerId, unit: str, at: Place) -> int | Impossible:
    """Gold for one unit built at `at` by its owner at the start of the turn, or why it can't be built there."""
    if is_sea(at):
        return Impossible("units are built in cities", "menes 5.2")
    space = SPACES[at]
    if space.kind == "province":
        return Impossible(f"{label(at)} has no city, units are built in cities", "menes 5.2")
    if state["owners"].get(at) != power:
        return Impossible(f"{label(at)} was not yours when the turn began", "menes 5.2")
    single = list_price(state, unit)
    if space.home == power:
        return single
    if UNITS[unit].race is not None:
        return Impossible(
            f"{UNITS[unit].plural} are built only in the three cities you started with", "menes 5.3"
        )
    return single if option(state, "single_price_abroad") else single * option(state, "double_price")


def birthplace(order: Buy) -> Place | Impossible:
    """Where a bought unit appears: land units in the city, ships in a sea next to it."""
    if not UNITS[order.unit].ship:
        return order.at
    coast = SPACES[order.at].seas
    if not coast:
        return Impossible(f"{label(order.at)} touches no sea", "menes 5.2")
    if order.sea is None:
        return (
            coast[0]
            if len(coast) == 1
            else Impossible(f"say into which sea: {', '.join(coast)}", "menes 5.2")
        )
    if order.sea not in coast:
        return Impossible(f"{label(order.at)} does not touch {label(order.sea)}", "menes 5.2")
    return order.sea
