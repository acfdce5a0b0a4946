"""Commands by those who may not give them, and by two GMs who do not know of each other."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import select

from gm.desk import clubrights
from gm.desk.clubrights import speaks_of_campaign
from gm.desk.desk import Desk
from gm.desk.handlers.auditing import told
from gm.desk.language import Statement
from gm.store.tables import Audit, Game, Player
from gm.turns.notices import at_most, once, tell_gms
from gm.turns.people import power_name

TRIES_A_DAY = 3
"""So many commands without the right in a day, and the GMs are told."""
CLASH = timedelta(minutes=1)
"""Two GMs whose commands came within this did not know of each other's."""

_CLOCK = "what happens to the open phase"
_SUBJECTS = {
    "START": _CLOCK, "PAUSE": _CLOCK, "RESUME": _CLOCK, "DEADLINE": _CLOCK, "EXTEND": _CLOCK, "PROCESS": _CLOCK,
    "ROLLBACK": _CLOCK, "HOLD": _CLOCK, "RELEASE": _CLOCK, "EDIT": _CLOCK, "END": _CLOCK, "REPLACE": "who plays",
    "SET": "the house rule",
}  # fmt: skip
_ACTS = {
    "start": _CLOCK, "pause": _CLOCK, "resume": _CLOCK, "deadline": _CLOCK, "extend": _CLOCK, "process": _CLOCK,
    "roll back": _CLOCK, "hold": _CLOCK, "release": _CLOCK, "edit": _CLOCK, "end": _CLOCK, "replace": "who plays",
    "set": "the house rule", "set option": "the house rule",
}  # fmt: skip


def contradiction(desk: Desk, statement: Statement) -> str:
    """What another GM did to the same thing less than a minute before; empty if there is nothing, or if this GM was
    told and says it again."""
    person = desk.person
    if person is None:
        return ""
    if speaks_of_campaign(desk, statement):
        first, done = clubrights.act_of_another(desk, statement, since=desk.received_at - CLASH)
    else:
        first, done = _in_game(desk, person, statement)
    if first is None:
        return ""
    if not once(desk.session, desk.office, f"insist.{first.id}.{person.id}.{statement.command}"):
        return ""
    name = _name(desk, first.actor)
    return (
        f"Not done yet: less than a minute before your mail came, {name} did this: {done}. If you insist, send the "
        "line again."
    )


def _in_game(desk: Desk, person: Player, statement: Statement) -> tuple[Audit | None, str]:
    subject = _SUBJECTS.get(statement.command)
    if not desk.gm or desk.game is None or subject is None:
        return None, ""
    if statement.command == "RELEASE" and statement.argument.strip():
        return None, ""
    first = _act_of_another(desk, desk.game, person, subject, statement)
    return first, told(desk.game, first, person.zone, True) if first is not None else ""


def _act_of_another(
    desk: Desk, game: Game, person: Player, subject: str, statement: Statement
) -> Audit | None:
    rows = desk.session.scalars(
        select(Audit)
        .where(
            Audit.game_id == game.id,
            Audit.actor.startswith("gm "),
            Audit.actor != f"gm {person.id}",
            Audit.action.in_([act for act, about in _ACTS.items() if about == subject]),
            Audit.at >= desk.received_at - CLASH,
        )
        .order_by(Audit.id.desc())
    )
    said = statement.argument.lower()
    for row in rows:
        if statement.command == "SET" and not said.startswith(str(row.detail.get("rule", "")).lower()):
            continue
        if statement.command == "REPLACE" and not said.startswith(str(row.detail.get("power", ""))[:3]):
            continue
        return row
    return None


def _name(desk: Desk, actor: str) -> str:
    player = desk.session.get(Player, int(actor.removeprefix("gm ")))
    return player.name if player is not None and player.name else "another GM"


def note_no_right(desk: Desk, command: str) -> None:
    """Count a GM's command by somebody who is none; at the third in a day the GMs are told, once."""
    game, person = desk.game, desk.person
    if game is None or person is None:
        return
    day = f"noright.{game.id}.{person.id}.{desk.received_at:%Y%m%d}"
    if at_most(desk.session, desk.office, day, TRIES_A_DAY - 1):
        return
    if not once(desk.session, desk.office, f"{day}.told"):
        return
    who = f"The player of {power_name(game, desk.power)}" if desk.power else "Somebody who holds no power"
    tell_gms(
        desk.session,
        desk.office,
        game,
        subject=f"{game.title}: a GM's commands by somebody who is none",
        paragraphs=(
            f"{who} has sent {TRIES_A_DAY} commands of a GM today, the last one {command}. None was carried out, and "
            "each was answered so.",
        ),
        key=f"noright.{desk.received_at:%Y%m%d}.{desk.inbound.identity[:12]}",
    )
