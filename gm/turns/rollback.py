"""A phase undone and opened again. What the re-run changes is told with its report (`gm.turns.changes`)."""

from __future__ import annotations

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from gm.mail.scrub import scrub
from gm.store.tables import Audit, Game, PhaseRow, Vote
from gm.turns.early import hold_for_gm
from gm.turns.notices import because, tell_all
from gm.turns.office import Office
from gm.turns.run import open_phase
from gm.turns.sheets import add_version, all_latest
from gm.turns.starting import GameError


def roll_back(
    session: Session, office: Office, game: Game, phase_name: str, *, actor: str, why: str
) -> PhaseRow:
    """Undo every phase from the named one on and open that one again, with the orders that it had.

    Raises:
        GameError: no such phase was run.
    """
    runs = list(
        session.scalars(
            select(PhaseRow)
            .where(PhaseRow.game_id == game.id, PhaseRow.status.in_(("open", "done")))
            .order_by(PhaseRow.ordinal)
        )
    )
    wanted = phase_name.strip().lower()
    target = next((r for r in runs if wanted in (r.name.lower(), r.title.lower())), None)
    if target is None or target.results is None:
        names = ", ".join(r.name for r in runs if r.status == "done") or "none yet"
        raise GameError(f"{phase_name.strip()!r} is no phase that was run; there are: {names}")
    now = office.now()
    undone = [r for r in runs if r.ordinal >= target.ordinal]
    filed = all_latest(session, target)
    for row in undone:
        row.status = "undone"
    session.flush()
    game.status = "running"
    game.result = None
    game.ended_at = None
    game.trace = None
    session.execute(delete(Vote).where(Vote.game_id == game.id))  # they were cast on another position
    session.add(
        Audit(
            game_id=game.id,
            actor=actor,
            action="roll back",
            detail={"to": target.name, "undone": [r.name for r in undone], "why": scrub(why)},
            at=now,
        )
    )
    phase = open_phase(session, game, target.state, now=now, last_due=None, ordinal=target.ordinal)
    phase.edit = target.edit
    for power, sheet in filed.items():
        add_version(
            session,
            phase,
            power,
            sheet.orders,
            player_id=sheet.player_id,
            source=sheet.source,
            inbound_id=sheet.inbound_id,
            received_at=sheet.received_at,
        )
    hold_for_gm(session, phase, now)
    was_run = [r.title for r in undone if r.results is not None]
    tell_all(
        session,
        office,
        game,
        subject=f"{game.title}: back to {phase.title}",
        paragraphs=(
            f"The GM has taken the game back to {phase.title}{because(why)}. "
            f"These results no longer hold: {', '.join(was_run)}.",
            "The orders that you had on file for that phase are on file again; a reply to this mail changes them. "
            "It does not run before its deadline unless the GM says so. When it is run again you are told what changed "
            "for you. Votes on the end of the game have to be cast anew.",
        ),
        key=f"rollback.{phase.ordinal}.{phase.attempt}",
        calendar=True,
    )
    return phase
