"""A fault of an engine or a template stops one game, not the server: it is parked and its GM gets a trace id."""

from __future__ import annotations

import traceback
from datetime import datetime

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from gm.log import logger
from gm.store.tables import Audit, Game
from gm.turns.deadlines import set_deadline
from gm.turns.notices import serial, tell_gms
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
    try:
        # In a part of its own: the fault may lie in the GM's own template, which this notice needs too, and the game
        # must be parked all the same; the status page shows it anyway.
        with session.begin_nested():
            tell_gms(
                session,
                office,
                game,
                subject=f"{game.title} is stopped by a fault",
                paragraphs=(
                    f"{doing} failed. Nothing was changed or sent, no deadline runs, and all other games go on.",
                    f"Trace: {trace}. Whoever runs the server finds the cause under it with `gm trace {trace}`.",
                    "RESUME goes on once it is mended; PREVIEW tries without consequences.",
                ),
                key=f"parked.{serial(session, office, game, 'parked')}",
            )
    except SQLAlchemyError:
        raise
    except Exception:
        log.exception("the GM could not be told by mail", game=game.slug, trace=trace)
    return trace
