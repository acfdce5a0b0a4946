"""What a phase would give if it ran now, for the GM alone. Nothing is stored."""

from __future__ import annotations

from sqlalchemy.orm import Session

from gm.games.api import Section
from gm.store.tables import Game, PhaseRow
from gm.turns.people import power_name
from gm.turns.run import adjudicate, frozen_sheets


def preview_sections(session: Session, game: Game, phase: PhaseRow) -> tuple[Section, ...]:
    """Every order with its result, and every event with its clause: the whole truth."""
    sheets = frozen_sheets(session, game, phase)
    result, _rolls = adjudicate(game, phase, sheets)
    orders = []
    for power, sheet in sheets.items():
        orders.append(power_name(game, power) + (": no moves received" if sheet is None else ""))
        for o in result.orders:
            if o.power == power:
                failed = (
                    "" if o.result == "ok" else f" ({o.result}: {o.reason})" if o.reason else f" ({o.result})"
                )
                orders.append(f"{'! ' if failed else ''}  {o.order}{failed}")
    events = tuple(f"{e.text} [{e.rule}]" if e.rule else e.text for e in result.events)
    return (
        Section(title=f"Preview of {phase.title}", lines=tuple(orders), private=True),
        Section(title="What would happen", lines=events or ("Nothing.",), private=True),
    )
