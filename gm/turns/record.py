"""The results of a phase as the store keeps them, and cut down to what one reader may know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.games import ruleset
from gm.games.api import Adjudicated, Audience, Event, OrderResult, PowerId, Reading, State, View, reading
from gm.store.tables import Game, PhaseRow


class NotRun(ValueError):
    """The phase has no results yet."""


def to_json(result: Adjudicated) -> dict[str, Any]:
    """Orders and events with their audiences, for `PhaseRow.results`."""
    return {
        "orders": [
            {
                "power": o.power,
                "order": o.order,
                "result": o.result,
                "reason": o.reason,
                "rule": o.rule,
                "steps": list(o.steps),
                "seen_by": _audience_out(o.seen_by),
                "verdict_to": _audience_out(o.verdict_to),
            }
            for o in result.orders
        ],
        "events": [
            {
                "kind": e.kind,
                "text": e.text,
                "rule": e.rule,
                "seen_by": _audience_out(e.seen_by),
                "data": dict(e.data),
            }
            for e in result.events
        ],
    }


def from_json(results: Mapping[str, Any], state: State) -> Adjudicated:
    """What `to_json` wrote, with the state after it."""
    return Adjudicated(
        state=state,
        orders=tuple(
            OrderResult(
                power=o["power"],
                order=o["order"],
                result=o["result"],
                reason=o["reason"],
                rule=o["rule"],
                steps=tuple(o["steps"]),
                seen_by=_audience_in(o["seen_by"]),
                verdict_to=_audience_in(o["verdict_to"]),
            )
            for o in results["orders"]
        ),
        events=tuple(
            Event(
                kind=e["kind"],
                text=e["text"],
                rule=e["rule"],
                seen_by=_audience_in(e["seen_by"]),
                data=e["data"],
            )
            for e in results["events"]
        ),
    )


def _audience_out(audience: Audience) -> str | list[str]:
    return "all" if audience == "all" else list(audience)


def _audience_in(stored: str | list[str]) -> Audience:
    return "all" if stored == "all" else tuple(stored)


def results_of(row: PhaseRow) -> Adjudicated:
    """The whole truth of a phase that was run. Raises NotRun."""
    if row.results is None or row.after is None:
        raise NotRun(row.name)
    return from_json(row.results, row.after)


def seen(game: Game, row: PhaseRow, power: PowerId | None) -> tuple[View, View, Reading]:
    """A phase that was run, as one reader (None: the public) may know it: views before and after, and the reading.

    Raises:
        NotRun: it has no results yet.
    """
    rules = ruleset(game.ruleset)
    result = results_of(row)
    before = rules.view(row.state, power)
    return before, rules.view(result.state, power), reading(result, before.phase, power)
