"""A fault of an engine or a template stops one game, not the server: it is parked and its GM gets a trace id."""

from __future__ import annotations

import traceback
from datetime import datetime

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from gm.log import logger
from gm.store.tables import Audit, Game, PhaseRow
from gm.turns import reportmail
from gm.turns.deadlines import set_deadline
from gm.turns.notices import serial, tell_gms, tell_reader
from gm.turns.office import Office
from gm.turns.sheets import open_phase

log = logger("turns")


def traced(name: str, fault: BaseException, now: datetime) -> tuple[str, str]:
    """The trace id of a fault, and its traceback."""
    # From name, time and kind of fault: unlike a random id it is the same if the same fault is met again at once.
    return f"{name}-{now:%Y%m%d%H%M%S}-{type(fault).__name__}", "".join(traceback.format_exception(fault))


def note_fault(session: Session, office: Office, game: Game, fault: BaseException, *, action: str) -> str:
    """Put a fault on record. Returns the trace id, under which the operator finds the traceback."""
    now = office.now()
    trace, text = traced(game.slug, fault, now)
    session.add(
        Audit(
            game_id=game.id, actor="server", action=action, detail={"trace": trace, "traceback": text}, at=now
        )
    )
    session.flush()
    return trace


def park(session: Session, office: Office, game: Game, fault: BaseException, *, doing: str) -> str:
    """Stop a game after a fault. Returns the trace id. Whatever the fault left half done was rolled back before.

    The traceback goes to the audit record and the log; the mail to the GMs holds only the id, no game data.
    """
    trace = note_fault(session, office, game, fault, action="park")
    phase = open_phase(session, game)
    game.status = "parked"
    game.trace = trace
    if phase is not None:
        set_deadline(
            session,
            game,
            phase,
            None,
            cause=f"stopped by a fault, trace {trace}",
            actor="server",
            now=office.now(),
        )
        phase.early_at = None
    session.flush()
    log.error("game parked", game=game.slug, trace=trace, doing=doing)
    nth = serial(session, office, game, "parked")
    # Each in a part of its own: the fault may lie in the GM's own template, which these notices need too, and the game
    # must be parked all the same; the status page shows it anyway.
    try:
        with session.begin_nested():
            _tell_gms(session, office, game, doing, trace, f"parked.{nth}")
        with session.begin_nested():
            _tell_players(session, office, game, phase, f"stopped.{nth}")
    except SQLAlchemyError:
        raise
    except Exception:
        log.exception("a stopped game could not be told of by mail", game=game.slug, trace=trace)
    return trace


def _tell_gms(session: Session, office: Office, game: Game, doing: str, trace: str, key: str) -> None:
    tell_gms(
        session,
        office,
        game,
        subject=f"{game.title} is stopped by a fault",
        paragraphs=(
            f"{doing} failed. Nothing was changed or sent, no deadline runs, and all other games go on.",
            f"Trace: {trace}. Whoever runs the server finds the cause under it with `gm trace {trace}`.",
            "RESUME goes on once it is mended; PREVIEW tries without consequences. The players are told that the game "
            "stands still, and no more.",
        ),
        key=key,
    )


def _tell_players(session: Session, office: Office, game: Game, phase: PhaseRow | None, key: str) -> None:
    """Tell all others that the game stands, and nothing of why; the deadline is taken out of their calendars."""
    for reader in reportmail.readers(session, game) if phase is not None else ():
        if reader.kind == "gm" or phase is None:
            continue
        tell_reader(
            session,
            office,
            game,
            reader,
            subject=f"{game.title} stands still for a while",
            paragraphs=(
                f"A fault of mine has stopped the game in {phase.title}. No deadline runs, nobody counts as late, and "
                "orders that you have sent stay on file. The GM knows; a mail tells you when the game goes on.",
            ),
            key=key,
            calendar=reader.kind != "person",
        )
