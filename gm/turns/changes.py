"""What a re-run changed, for one reader: the two readings of the same phase compared line by line."""

from __future__ import annotations

from gm.games.api import Reading, SeenOrder


def told(order: SeenOrder) -> str:
    """An order with its verdict, as one line."""
    verdict = f" ({order.result})" if order.result and order.result != "ok" else ""
    return f"{order.order}{verdict}"


def what_changed(old: Reading, new: Reading) -> tuple[str, ...]:
    """Lines that say what a reader was told before and is told now; empty if he is told the same."""
    lines: list[str] = []
    powers = dict.fromkeys([o.power for o in old.orders] + [o.power for o in new.orders])
    for power in powers:
        before = [told(o) for o in old.orders if o.power == power]
        after = [told(o) for o in new.orders if o.power == power]
        gone = [line for line in before if line not in after]
        come = [line for line in after if line not in before]
        lines += [f"{power.replace('_', ' ').title()}: no longer {line}" for line in gone]
        lines += [f"{power.replace('_', ' ').title()}: now {line}" for line in come]
    before = [e.text for e in old.events]
    after = [e.text for e in new.events]
    lines += [f"No longer: {text}" for text in before if text not in after]
    lines += [f"Now: {text}" for text in after if text not in before]
    return tuple(lines)
