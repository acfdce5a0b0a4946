"""Replay: every phase of a game run again from what is stored, and compared byte for byte."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from gm.games import ruleset
from gm.games.api import canonical
from gm.games.dice import SeededDice, commitment, derive
from gm.store.tables import Audit, Game, PhaseRow
from gm.turns.drawing import draw_powers
from gm.turns.record import to_json
from gm.turns.run import adjudicate


@dataclass(frozen=True)
class Difference:
    """Where a replay departs from the store."""

    phase: str
    what: str


class NoSeed(ValueError):
    """The rolls can't be checked yet: the seed is still secret."""


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
        computed = row.edit["computed"] if row.edit else row.state  # a GM may have put another in its place
        if canonical(computed) != canonical(state):
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
    started = session.scalar(select(Audit).where(Audit.game_id == game.id, Audit.action == "start"))
    rows = session.scalars(
        select(PhaseRow)
        .where(PhaseRow.game_id == game.id, PhaseRow.dice.is_not(None))
        .order_by(PhaseRow.ordinal)
    )
    phases = [(row.name, row.dice or []) for row in rows]
    return check_rolls(game.ruleset, game.seed, started.detail if started else None, phases)


def verify_archive(archive: Mapping[str, Any]) -> tuple[int, list[Difference]]:
    """The same from an exported archive, with nothing but this program: what a player does at the end of a game.

    Raises:
        NoSeed: the archive does not tell the seed.
    """
    head = archive["game"]
    if not head.get("seed"):
        raise NoSeed("the seed is told when the game is over; this archive was made before that")
    seed = bytes.fromhex(head["seed"])
    phases = [(p["name"], p["dice"]) for p in archive["phases"] if p.get("dice") is not None]
    count, differences = check_rolls(head["ruleset"], seed, archive.get("draw"), phases)
    if commitment(seed) != head["commitment"]:
        differences.insert(0, Difference("start", "the hash that was published"))
    return count, differences


def check_rolls(
    ruleset_id: str,
    seed: bytes,
    draw: Mapping[str, Any] | None,
    phases: Sequence[tuple[str, Sequence[Sequence[Any]]]],
) -> tuple[int, list[Difference]]:
    """Derive every roll again. `phases`: name and ``[[purpose, sides, value], ...]`` of each."""
    differences: list[Difference] = []
    recorded = list(phases)
    if draw is not None:
        recorded = [("drawing powers", draw["lot"]), ("set-up", draw["set-up"]), *recorded]
        wishes = {player: draw["preferences"][str(player)] for player in draw["players"]}
        powers = [p.id for p in ruleset(ruleset_id).meta.powers]
        if draw_powers(wishes, powers, SeededDice(seed, "drawing powers")) != draw["drawn"]:
            differences.append(Difference("start", "the powers drawn"))
    count = 0
    for name, rolls in recorded:
        counters: dict[str, int] = {}
        for purpose, sides, value in rolls:
            nth = counters.get(str(purpose), 0)
            counters[str(purpose)] = nth + 1
            count += 1
            if derive(seed, name, str(purpose), nth, int(sides)) != value:
                differences.append(Difference(name, f"roll {nth + 1} of {purpose!r}"))
    return count, differences
