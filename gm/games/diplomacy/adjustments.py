"""The winter phase: builds, removals and civil disorder (rules 8.1-9.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gm.games.api import ResultWord
from gm.games.diplomacy.board import Board, province_of
from gm.games.diplomacy.orders import Order, read


@dataclass(frozen=True, slots=True)
class Adjusted:
    """One order of a winter, judged."""

    text: str
    word: ResultWord
    reason: str = ""
    rule: str = ""
    unit: str = ""
    """The unit that was built or removed."""


def open_homes(
    board: Board, power: str, units: Mapping[str, Sequence[str]], owned: Sequence[str]
) -> list[str]:
    """Home centres in which a power may build: its own still, and empty."""
    taken = {province_of(unit[2:]) for names in units.values() for unit in names}
    return [home for home in board.home[power] if home in owned and home not in taken]


def balance(units: Sequence[str], owned: Sequence[str]) -> int:
    """Builds (above 0) or removals (below 0) due to a power."""
    return len(owned) - len(units)


def build_fault(
    board: Board, power: str, order: Order, owned: Sequence[str], free: Sequence[str]
) -> tuple[str, str]:
    """Why a build cannot be made, and the rule; two empty texts if it can. `free`: home centres still open."""
    home = province_of(order.place)
    name = board.place_names.get(home, order.place)
    if home not in board.home[power]:
        return f"{name} is not one of your home centres", "diplomacy 8.1"
    if home not in owned:
        return f"{name} is not yours at present", "diplomacy 8.1"
    if home not in free:
        return f"{name} is occupied or already used for a build", "diplomacy 8.1"
    if order.unit not in board.pieces:
        if order.kind == "F" and board.index[home] in board.coasts:
            coasts = " or ".join(f"F {place}" for place in board.coasts[board.index[home]])
            return f"a fleet in {name} must name its coast: {coasts}", "datc 4.B.7"
        if order.kind == "F" and not board.coastal >> board.index[home] & 1:
            return f"{name} lies inland: no fleet can be built there", "datc 4.C.4"
        return f"{order.unit} is not a unit that can stand in {name}", "datc 4.B.7"
    return "", ""


def adjust(
    board: Board,
    power: str,
    units: Mapping[str, Sequence[str]],
    owned: Sequence[str],
    texts: Sequence[str],
) -> tuple[list[str], list[Adjusted], list[str]]:
    """One power's winter: its units afterwards, its orders judged in sequence, and units removed by civil disorder.

    The first legal orders count (datc 4.D.4 b, 4.D.6 b). Builds not ordered are waived.
    """
    mine = list(units.get(power, ()))
    due = balance(mine, owned)
    free = open_homes(board, power, units, owned)
    results = []
    for text in texts:
        order = read(text)
        if order is None or order.verb not in ("build", "remove", "waive"):
            results.append(Adjusted(text, "illegal", "not an order for the adjustments", "diplomacy 10.1"))
        elif order.verb == "remove":
            unit = next((unit for unit in mine if unit[2:5] == province_of(order.place)), "")
            if not unit:
                results.append(Adjusted(text, "illegal", "you have no such unit", "diplomacy 8.2"))
            elif due >= 0:
                results.append(Adjusted(text, "illegal", "no further removal is due", "datc 4.D.6"))
            else:
                mine.remove(unit)
                due += 1
                results.append(Adjusted(text, "ok", "", "diplomacy 8.2", unit))
        elif due <= 0:
            results.append(Adjusted(text, "illegal", "no further build is due", "datc 4.D.4"))
        elif order.verb == "waive":
            due -= 1
            results.append(Adjusted(text, "ok", "", "diplomacy 8.3"))
        else:
            reason, rule = build_fault(board, power, order, owned, free)
            if reason:
                results.append(Adjusted(text, "illegal", reason, rule))
            else:
                mine.append(order.unit)
                free.remove(province_of(order.place))
                due -= 1
                results.append(Adjusted(text, "ok", "", "diplomacy 8.1", order.unit))
    disorder = civil_disorder(board, mine, owned, -due) if due < 0 else []
    return [unit for unit in mine if unit not in disorder], results, disorder


def civil_disorder(board: Board, units: Sequence[str], owned: Sequence[str], count: int) -> list[str]:
    """The units that go when removals are not ordered (datc 4.D.8, rule of 2023).

    First those farthest from any owned centre, counted over land and water alike; at equal distance fleets before
    armies, then by the name of the province.
    """
    steps = board.distances(sum(1 << board.index[centre] for centre in owned))

    def rank(unit: str) -> tuple[int, bool, str]:
        province = board.index[province_of(unit[2:])]
        return -steps[province], unit[0] == "A", board.names[province]

    return sorted(units, key=rank)[:count]
