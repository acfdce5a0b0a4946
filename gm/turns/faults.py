"""A fault of an engine or a template stops one game, not the server: it is parked and its GM gets a trace id."""

from __future__ import annotations

import traceback

from sqlalchemy.orm import Session

from gm.log import logger
from gm.store.tables import Audit, Game
from gm.turns.deadlines import set_deadline
from gm.turns.notices import tell_gms
from gm.turns.office import Office
from gm.turns.sheets import open_phase

log = logger("turns")


def park(session: Session, office: Office, game: Game, fault: BaseException, *, doing: str) -> str:
    """Stop a game after a fault. Returns the trace id. Call it in a fresh transaction.

    The traceback goes to the audit record and the log; the mail to the GMs holds only the id, no game data.
    """
    now = office.now()
    # From game, time and kind of fault: unlike a random id it is the same if the same fault is met again at once.
    trace = f"{game.slug}-{now:%Y%m%d%H%M%S}-{type(fault).__name__}"
    phase = open_phase(session, game)
    game.status = "parked"
    game.trace = trace
    if phase is not None:
        set_deadline(
            session, game, phase, None, cause=f"stopped by a fault, trace {trace}", actor="server", now=now
        )
        phase.early_at = None
    text = "".join(traceback.format_exception(fault))
    session.add(
        Audit(
            game_id=game.id, actor="server", action="park", detail={"trace": trace, "traceback": text}, at=now
        )
    )
    session.flush()
    log.error("game parked", game=game.slug, trace=trace, doing=doing)
    try:
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
            key=f"parked.{now.timestamp():.0f}",
        )
    except Exception:
        # The fault may lie in the GM's own template, which this notice needs too: the status page shows it anyway.
        log.exception("the GM could not be told by mail", game=game.slug, trace=trace)
    return trace
