"""The work of the server, in order: read the mail that came in, then do what the clock asks for.

One thread does it. Each step is a transaction of its own, so the process may be killed between any two of them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from sqlalchemy import select
from sqlalchemy.exc import InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.orm import Session

from gm.club.health import look_at_health
from gm.club.zine import look_at_zines
from gm.desk.intake import note_failure, process_mail, tell_gms_of_quarantine
from gm.log import logger
from gm.mail.slim import send_smaller
from gm.store.crash import crash_point
from gm.store.mailtables import Inbound
from gm.store.tables import Game, PhaseRow
from gm.turns.delivery import look_at_press
from gm.turns.deputies import look_at_deputies
from gm.turns.due import due_cause, due_phases
from gm.turns.faults import park
from gm.turns.heartbeat import ask_about_clock, clock_in_doubt, heartbeat, postpone_missed
from gm.turns.lateness import extend_for_late, phases_to_extend
from gm.turns.office import Office
from gm.turns.reminders import call_late, phases_to_call, phases_to_remind, remind
from gm.turns.run import NotOpen, run_phase
from gm.turns.standby import look_at_offers

log = logger("work")

BATCH = 50
"""Mails read between two looks at the clock."""


def read_mail(office: Office) -> int:
    """Work through mail that waits, in the order of its arrival. Returns how many were looked at.

    A mail that fails is tried again before the next one is looked at, so that a player's later orders never come
    before his earlier ones. Raises the store's errors: if the store fails, no mail is to blame and all wait.
    """
    with office.store.read() as session:
        waiting = list(
            session.scalars(
                select(Inbound.id).where(Inbound.status == "new").order_by(Inbound.id).limit(BATCH)
            )
        )
    for inbound_id in waiting:
        while not _read_one(office, inbound_id):
            pass
    return len(waiting)


def _read_one(office: Office, inbound_id: int) -> bool:
    """Work through one mail. Returns whether it is dealt with: done, or set aside after its last attempt."""
    try:
        outcome = process_mail(office, inbound_id)
    except (OperationalError, InterfaceError):
        raise
    except Exception as fault:
        log.exception("mail failed", inbound=inbound_id)
        if not note_failure(office, inbound_id, repr(fault)):
            return False
        tell_gms_of_quarantine(office, inbound_id)
        return True
    log.info("mail", inbound=inbound_id, answered=outcome.answered, why_not=outcome.why_not)
    return True


def look_at_clock(office: Office) -> int:
    """Reminders, late calls, and every phase that is due. Returns how many phases were run."""
    now = office.now()
    with office.store.write() as session:
        gap = heartbeat(session, now)
        if gap is not None:
            moved = postpone_missed(session, office, gap)
            log.warning("outage", since=gap.since.isoformat(), until=gap.until.isoformat(), moved=moved)
        doubt = clock_in_doubt(session)
        if doubt is not None:
            ask_about_clock(session, office)
    if doubt is not None:
        log.error(
            "the clock jumped: no turn runs until `gm clock confirm`", trusted=str(doubt[0]), now=str(now)
        )
        return 0
    with office.store.read() as session:
        over = phases_to_extend(session, now)
    for phase_id in over:
        _one_game(office, phase_id, "more time", lambda s, g, p: extend_for_late(s, office, g, p, now))
    with office.store.read() as session:
        due = due_phases(session, now)
    run = sum(run_one(office, phase_id) for phase_id in due)
    with office.store.read() as session:
        late, soon = phases_to_call(session, now), phases_to_remind(session, now)
    for phase_id in late:
        _one_game(office, phase_id, "a call to late players", lambda s, g, p: call_late(s, office, g, p, now))
    for phase_id in soon:
        _one_game(office, phase_id, "a reminder", lambda s, g, p: remind(s, office, g, p, now))
    look_at_press(office)
    send_smaller(office.store, domain=office.domain, key=office.vault.key("bounces"), now=now)
    look_at_offers(office)
    look_at_deputies(office)
    look_at_zines(office)
    look_at_health(office)
    return run


def run_one(office: Office, phase_id: int) -> bool:
    """Run one phase in one transaction if it is still due; a fault parks its game. Returns whether it was run."""

    def run(session: Session, game: Game, phase: PhaseRow) -> bool:
        cause = due_cause(session, game, phase, office.now())
        if not cause:
            return False
        run_phase(session, office, game, phase, cause=cause)
        log.info("phase run", game=game.slug, phase=phase.name, cause=cause)
        return True

    done = _one_game(office, phase_id, "the phase that was due", run)
    crash_point("turn.committed")
    return bool(done)


def _one_game(
    office: Office, phase_id: int, doing: str, act: Callable[[Session, Game, PhaseRow], bool | None]
) -> bool | None:
    """Do something for one open phase in a transaction of its own. A fault parks that game, and no other is touched."""
    try:
        with office.store.write() as session:
            phase = session.get_one(PhaseRow, phase_id)
            return act(session, session.get_one(Game, phase.game_id), phase)
    except NotOpen:
        return False
    except SQLAlchemyError:  # the store itself fails: no game is to blame
        raise
    except Exception as fault:
        log.exception("a game's work failed", phase=phase_id, doing=doing)
        with office.store.write() as session:
            phase = session.get_one(PhaseRow, phase_id)
            game = session.get_one(Game, phase.game_id)
            park(
                session,
                office,
                game,
                fault,
                doing=f"{doing[0].upper()}{doing[1:]} ({phase.title} of {game.title})",
            )
        return None


def work_until(
    office: Office, stop: threading.Event, wake: threading.Event, done: Callable[[], None] = lambda: None
) -> None:
    """Do all work whenever woken, until stopped; `done` is called after each round, so that mail goes out at once.

    A failure of the store is logged and tried again.
    """
    while not stop.is_set():
        wake.clear()
        try:
            while read_mail(office) == BATCH and not stop.is_set():
                pass
            look_at_clock(office)
        except Exception:
            log.exception("work")
        done()
        wake.wait(POLL_SECONDS)


POLL_SECONDS = 60.0
"""Longest time without a look, should the scheduler's wake-up ever fail to come."""
