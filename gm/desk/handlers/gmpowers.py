"""A GM's hand on a phase: HOLD it, RELEASE it, EDIT its position."""

from __future__ import annotations

import re

from sqlalchemy import func, select

from gm.desk.desk import Desk, Refusal
from gm.desk.handlers.presscontrol import let_go
from gm.desk.language import Statement
from gm.mail import outbox
from gm.mail.scrub import scrub
from gm.store.mailtables import Outbound
from gm.store.tables import Audit, Game
from gm.turns.due import held, set_hold
from gm.turns.edits import edit_position
from gm.turns.notices import because, serial, tell_all
from gm.turns.starting import GameError

_NUMBERS = re.compile(r"(?:press\s+)?(?:no\.?\s*)?(?P<numbers>\d+(?:\s*(?:,|\s|and)\s*\d+)*)$", re.I)


def note(desk: Desk, game: Game, action: str, **detail: object) -> None:
    """Put a GM's act on record."""
    actor = f"gm {desk.need_person().id}"
    desk.session.add(Audit(game_id=game.id, actor=actor, action=action, detail=detail, at=desk.office.now()))


def hold(desk: Desk, statement: Statement) -> str:
    """HOLD [BECAUSE reason]: the open phase does not run by itself; its deadline for orders stands."""
    game, phase = desk.need_gm(), desk.need_phase()
    why = re.sub(r"^because\b\s*", "", scrub(statement.argument.strip()), flags=re.I)
    if not set_hold(desk.session, phase, True, desk.office.now()):
        return f"{phase.title} was held already"
    note(desk, game, "hold", phase=phase.name, why=why)
    tell_all(
        desk.session,
        desk.office,
        game,
        subject=f"{game.title}: {phase.title} waits for the GM",
        paragraphs=(
            f"The GM holds {phase.title}{because(why)}. Orders are due as before; the results come when the GM "
            "lets the phase run.",
        ),
        key=f"hold.{serial(desk.session, desk.office, game, 'hold')}",
    )
    return f"{phase.title} does not run by itself until RELEASE; PROCESS runs it at once"


def release(desk: Desk, statement: Statement) -> str:
    """RELEASE: the phase on hold. RELEASE 3: press no. 3. RELEASE MAIL: what the breaker holds."""
    game = desk.need_gm()
    words = statement.argument.strip()
    if words.lower() in ("mail", "mails"):
        return _release_mail(desk, game)
    if match := _NUMBERS.match(words):
        return let_go(desk, game, [int(n) for n in dict.fromkeys(re.findall(r"\d+", match["numbers"]))])
    if words:
        raise Refusal(
            "RELEASE alone lets a phase on hold run; with a number, press; RELEASE MAIL, mail that is held.",
            "RELEASE",
        )
    phase = desk.need_phase()
    if not held(desk.session, phase):
        raise Refusal(f"{phase.title} is not on hold.")
    set_hold(desk.session, phase, False, desk.office.now())
    note(desk, game, "release", phase=phase.name)
    if phase.due_at is not None and phase.due_at <= desk.office.now():
        return f"{phase.title} is let go; its deadline is past, so it runs now"
    return f"{phase.title} is let go; it runs at its deadline"


def _release_mail(desk: Desk, game: Game) -> str:
    """Let go what the circuit breaker holds of a game's mail."""
    waiting = desk.session.scalar(
        select(func.count())
        .select_from(Outbound)
        .where(Outbound.game_id == game.id, Outbound.status == "held", Outbound.held_why == outbox.BREAKER)
    )
    if not waiting:
        raise Refusal(f"No mail of {game.slug} is held for its number.", "DELIVERY")
    note(desk, game, "release mail", mails=waiting)
    count = outbox.release_game(desk.session, game.id, desk.office.now())
    return f"{count} mails are let go"


def edit(desk: Desk, statement: Statement) -> str:
    """EDIT BECAUSE reason, a position in scenario notation, ENDEDIT."""
    game, phase = desk.need_gm(), desk.need_phase()
    why = re.sub(r"^(?:position\s+)?because\b\s*", "", statement.argument.strip(), flags=re.I)
    if not why or why == statement.argument.strip():
        raise Refusal(
            "EDIT needs its reason, which everybody is told.", "EDIT BECAUSE a unit was lost by mistake"
        )
    if not statement.closed:
        raise Refusal("There is no line ENDEDIT below it. Nothing was changed.", "ENDEDIT", stops=True)
    try:
        edit_position(
            desk.session,
            desk.office,
            game,
            phase,
            statement.block,
            by=f"gm {desk.need_person().id}",
            why=why,
        )
    except GameError as wrong:
        raise Refusal(f"{wrong}. Nothing was changed.", "HELP EDIT") from None
    return f"the position before {phase.title} is edited; everybody is told what changed for him, and why"
