"""What a reader may know of a position: all of it. Only orders and press are hidden, the former till the deadline."""

from __future__ import annotations

from gm.games.api import Phase, PowerId, State, View
from gm.games.diplomacy.board import standard
from gm.games.diplomacy.meta import ID, POWERS
from gm.games.diplomacy.state import adjustments_due, dues, phase


def view(state: State, power: PowerId | None) -> View:
    """The position as a power, or the public, sees it.

    `View.data`: `units`, `centres`, `dislodged`, `contested`, `options` and `over` of the state; `dues`, what each
    power owes now; `homes`, in a winter, the centres in which each power may build.
    """
    now: Phase = phase(state)
    homes = {}
    if now.kind == "adjustments":
        homes = {one.id: adjustments_due(standard(), state, one.id)[2] for one in POWERS}
    data = {
        **{key: state[key] for key in ("units", "centres", "dislodged", "contested", "options", "over")},
        "dues": {due.power: list(due.items) for due in dues(state)},
        "homes": homes,
    }
    return View(ruleset=ID, power=power, phase=now, data=data)


def standings(seen: View) -> tuple[tuple[PowerId, int], ...]:
    """Supply centres of each power, most first; equals in the order of the powers."""
    score = [(power.id, len(seen.data["centres"][power.id])) for power in POWERS]
    return tuple(sorted(score, key=lambda entry: -entry[1]))
