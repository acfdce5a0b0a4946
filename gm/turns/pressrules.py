"""What the house rules of a game say of press: who may write to whom, when, and what happens to it first."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.orm import Session

from gm.games import ruleset
from gm.games.api import PowerId
from gm.store.tables import Game
from gm.turns.settings import kinds_named, settings_of
from gm.turns.sheets import latest, open_phase


def why_not(
    session: Session, game: Game, power: PowerId, audience: Sequence[str], *, grey: bool
) -> tuple[str, str]:
    """Why a power may not send this message now, and what it may do instead; two empty texts if it may.

    What goes to the GM alone is always carried.
    """
    rules = settings_of(game.settings)
    if list(audience) == ["gm"]:
        return "", ""
    if rules.press == "none":
        return "This game has no press; only PRESS TO GM is carried.", "PRESS TO GM"
    if rules.press == "public" and list(audience) != ["all"]:
        return "This game has public press only.", "PRESS TO ALL"
    if grey and not rules.grey:
        return "This game has no unsigned press.", ""
    phase = open_phase(session, game)
    kinds = kinds_named(rules.press_phases)
    if phase is not None and kinds and phase.kind not in kinds:
        return (
            f"This game has press in phases of {', '.join(sorted(kinds))} only, not in {phase.title}.",
            "",
        )
    if phase is not None and rules.press_needs_orders and latest(session, phase, power) is None:
        owed = any(d.power == power and d.required for d in ruleset(game.ruleset).dues(phase.state))
        if owed:
            return (
                f"In this game you order first and write then: you have no orders for {phase.title} yet.",
                "",
            )
    return "", ""
