"""What a re-run changed, for one reader: the two readings of the same phase compared line by line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from gm.games.api import PowerId, Reading, SeenOrder


def told(order: SeenOrder) -> str:
    """An order with its verdict and the reason for it, as one line."""
    if order.result is None or order.result == "ok":
        return order.order
    reason = f": {order.reason}" if order.reason else ""
    return f"{order.order} ({order.result}{reason})"


def what_changed(old: Reading, new: Reading, names: Mapping[PowerId, str]) -> tuple[str, ...]:
    """Lines that say what a reader was told before and is told now; empty if he is told the same.

    Args:
        names: power ids to their printed names.
    """
    lines: list[str] = []
    for power in dict.fromkeys([o.power for o in old.orders] + [o.power for o in new.orders]):
        before = [told(o) for o in old.orders if o.power == power]
        after = [told(o) for o in new.orders if o.power == power]
        name = names.get(power, power)
        lines += [f"{name}: no longer {line}" for line in _without(before, after)]
        lines += [f"{name}: now {line}" for line in _without(after, before)]
    before, after = [e.text for e in old.events], [e.text for e in new.events]
    lines += [f"No longer: {text}" for text in _without(before, after)]
    lines += [f"Now: {text}" for text in _without(after, before)]
    return tuple(lines)


def _without(lines: Sequence[str], others: Sequence[str]) -> list[str]:
    """Lines that stand here more often than there, each as often as it is missing there."""
    spare = Counter(others)
    left = []
    for line in lines:
        if spare[line]:
            spare[line] -= 1
        else:
            left.append(line)
    return left
