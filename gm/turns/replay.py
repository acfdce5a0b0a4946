"""Replay: every phase of a game run again from what is stored, and compared byte for byte."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from gm.games import ruleset
from gm.games.api import canonical
from gm.games.dice import SeededDice, derive
from gm.store.tables import Audit, Game, PhaseRow
from gm.turns.drawing import draw_powers
from gm.turns.record import to_json
from gm.turns.run import adjudicate


@dataclass(frozen=True)
class Difference:
    """Where a replay departs from the store."""

    phase: str
    what: str


def replay(session: Session, game: Game) -> tuple[int, list[Difference]]:
    """Run every finished phase again. Returns how many, and every difference in state, results or dice."""
    rows = session.scalars(
        select(PhaseRow)
        .where(PhaseRow.game_id == game.id, PhaseRow.status.in_(("done", "open")))
        .order_by(PhaseRow.ordinal)
    ).all()
    differences: list[Difference] = []
    state = ruleset(game.ruleset).new_game(game.options, SeededDice(game.seed, "set-up"))
    count = 0
    for row in rows:
        if canonical(row.state) != canonical(state):
            differences.append(Difference(row.name, "the position before it"))
        if row.status == "open" or row.sheets is None:
            break
        result, rolls = adjudicate(game, row, row.sheets)
        state = result.state
        count += 1
        for what, stored, again in (
            ("the position after it", row.after, state),
            ("results", row.results, to_json(result)),
            ("dice", row.dice, rolls),
        ):
            if canonical(stored) != canonical(again):
                differences.append(Difference(row.name, what))
    return count, differences


def verify(session: Session, game: Game) -> tuple[int, list[Difference]]:
    """Check every recorded roll of a game against its seed, and the draw of powers. Returns how many rolls."""
    differences: list[Difference] = []
    count = 0
    started = session.scalar(select(Audit).where(Audit.game_id == game.id, Audit.action == "start"))
    recorded: list[tuple[str, list[list[str | int]]]] = []
    if started is not None:
        recorded += [("drawing powers", started.detail["lot"]), ("set-up", started.detail["set-up"])]
        wishes = {player: started.detail["preferences"][str(player)] for player in started.detail["players"]}
        powers = [p.id for p in ruleset(game.ruleset).meta.powers]
        if draw_powers(wishes, powers, SeededDice(game.seed, "drawing powers")) != started.detail["drawn"]:
            differences.append(Difference("start", "the powers drawn"))
    rows = session.scalars(
        select(PhaseRow)
        .where(PhaseRow.game_id == game.id, PhaseRow.dice.is_not(None))
        .order_by(PhaseRow.ordinal)
    )
    recorded += [(row.name, row.dice or []) for row in rows]
    for name, rolls in recorded:
        counters: dict[str, int] = {}
        for purpose, sides, value in rolls:
            nth = counters.get(str(purpose), 0)
            counters[str(purpose)] = nth + 1
            count += 1
            if derive(game.seed, name, str(purpose), nth, int(sides)) != value:
                differences.append(Difference(name, f"roll {nth + 1} of {purpose!r}"))
    return count, differences
