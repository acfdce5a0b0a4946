"""The retreat phase (rules 6.1-6.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gm.games.api import Json, ResultWord
from gm.games.diplomacy.board import Board, province_of
from gm.games.diplomacy.orders import landing, read


@dataclass(frozen=True, slots=True)
class Retreated:
    """One order of a retreat phase, and where its unit went."""

    power: str
    text: str
    word: ResultWord
    reason: str
    rule: str
    unit: str = ""
    """The dislodged unit."""
    to: str = ""
    """The place in which it stands now; empty if it was disbanded."""


def resolve_retreats(
    board: Board, dislodged: Sequence[Mapping[str, Json]], orders: Mapping[str, Sequence[str]]
) -> list[Retreated]:
    """What becomes of each order. A dislodged unit without a successful retreat is disbanded.

    Args:
        dislodged: entries ``{"power", "unit", "attacker_from", "retreats"}``; `retreats` lists the places open to it.
    """
    waiting = {(entry["power"], province_of(entry["unit"][2:])): entry for entry in dislodged}
    tries: list[tuple[str, str, str, str]] = []
    for power, texts in orders.items():
        for text in texts:
            order = read(text)
            entry = waiting.get((power, province_of(order.place))) if order else None
            unit = entry["unit"] if entry else ""
            to = ""
            if order and entry and order.verb == "move":
                place = landing(board, board.pieces[unit], order.to) or ""
                to = place if place in entry["retreats"] else "?"
            elif order is None or entry is None or order.verb != "disband":
                to = "?"
            tries.append((power, text, unit, to))
    wanted = Counter(province_of(to) for _, _, _, to in tries if to not in ("", "?"))
    results = []
    for power, text, unit, to in tries:
        if to == "?":
            reason = (
                "that place is not open to it; the unit is disbanded"
                if unit
                else "no dislodged unit of yours"
            )
            results.append(Retreated(power, text, "illegal", reason, "diplomacy 6.1", unit))
        elif not to:
            results.append(Retreated(power, text, "ok", "disbanded as ordered", "diplomacy 6.3", unit))
        elif wanted[province_of(to)] > 1:
            reason = "more than one unit retreated there; all are disbanded"
            results.append(Retreated(power, text, "bounce", reason, "diplomacy 6.2", unit))
        else:
            results.append(Retreated(power, text, "ok", "", "diplomacy 6.1", unit, to))
    return results
