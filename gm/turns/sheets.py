"""Order sheets: every version kept, the last one counts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import Session

from gm.games import ruleset
from gm.games.api import Due, PowerId
from gm.store.plainly import plainly, table
from gm.store.tables import Flag, Game, PhaseRow, Sheet
from gm.turns.people import current_seats

WITHDRAWN = "withdrawn"
"""Source of a sheet that counts no more: its power changed hands, and the house rules do not hand orders over."""

_OPEN = select(PhaseRow).where(PhaseRow.game_id == bindparam("game"), PhaseRow.status == "open")
_LATEST = (
    select(Sheet)
    .where(Sheet.phase_id == bindparam("phase"), Sheet.power == bindparam("power"), Sheet.source != WITHDRAWN)
    .order_by(Sheet.version.desc())
    .limit(1)
)

_SHEET = table(Sheet)
_NEWEST = select(func.max(_SHEET.c.version)).where(
    _SHEET.c.phase_id == bindparam("phase"), _SHEET.c.power == bindparam("power")
)


def open_phase(session: Session, game: Game) -> PhaseRow | None:
    """The phase that waits for orders, or None before the start and after the end."""
    # Asked several times a mail, and a position is large: the session keeps the row. Whoever runs the phase or takes
    # it back changes the row in this same session, or in another that had to end before this one began. A row made in
    # a savepoint that was rolled back is no longer in the session.
    kept: dict[int, PhaseRow] = session.info.setdefault("open phases", {})
    row = kept.get(game.id)
    if row is None or row not in session or row.status != "open":
        row = session.scalar(_OPEN, {"game": game.id})
        if row is None:
            kept.pop(game.id, None)
        else:
            kept[game.id] = row
    return row


def latest(session: Session, phase: PhaseRow, power: PowerId) -> Sheet | None:
    """The sheet that will run for a power, or None if nothing was received."""
    kept: dict[tuple[int, PowerId], Sheet] = session.info.setdefault("latest sheets", {})
    row = kept.get((phase.id, power))
    if row is None or row not in session:
        row = session.scalar(_LATEST, {"phase": phase.id, "power": power})
        if row is not None:
            kept[phase.id, power] = row
    return row


def all_latest(session: Session, phase: PhaseRow) -> dict[PowerId, Sheet]:
    """The newest sheet of every power that has one."""
    newest = (
        select(Sheet.power, func.max(Sheet.version).label("version"))
        .where(Sheet.phase_id == phase.id, Sheet.source != WITHDRAWN)
        .group_by(Sheet.power)
        .subquery()
    )
    rows = session.scalars(
        select(Sheet)
        .join(newest, (Sheet.power == newest.c.power) & (Sheet.version == newest.c.version))
        .where(Sheet.phase_id == phase.id)
    )
    return {sheet.power: sheet for sheet in rows}


def add_version(
    session: Session,
    phase: PhaseRow,
    power: PowerId,
    orders: Sequence[str],
    *,
    player_id: int,
    source: str,
    inbound_id: int | None,
    received_at: datetime,
) -> Sheet:
    """Put a new version on file; the server numbers it."""
    taken = plainly(session).scalar(_NEWEST, {"phase": phase.id, "power": power})
    sheet = Sheet(
        phase_id=phase.id,
        power=power,
        version=(taken or 0) + 1,
        orders=list(orders),
        source=source,
        player_id=player_id,
        inbound_id=inbound_id,
        received_at=received_at,
    )
    session.add(sheet)
    session.flush()
    session.info.setdefault("latest sheets", {})[phase.id, power] = sheet
    return sheet


def withdraw(session: Session, phase: PhaseRow, power: PowerId) -> None:
    """Take the orders of a power for a phase off the file, except a GM's; the versions stay on record."""
    rows = session.scalars(
        select(Sheet).where(Sheet.phase_id == phase.id, Sheet.power == power, Sheet.source != "gm")
    )
    for row in rows:
        row.source = WITHDRAWN
    session.flush()
    session.info.get("latest sheets", {}).pop((phase.id, power), None)


def set_flag(session: Session, phase: PhaseRow, power: PowerId, name: str, on: bool, now: datetime) -> bool:
    """Set or clear WAIT or READY for a power. Returns whether that changed anything."""
    flag = session.scalar(
        select(Flag).where(Flag.phase_id == phase.id, Flag.power == power, Flag.name == name)
    )
    if on == (flag is not None):
        return False
    if flag is None:
        session.add(Flag(phase_id=phase.id, power=power, name=name, set_at=now))
    else:
        session.delete(flag)
    session.flush()
    return True


def flagged(session: Session, phase: PhaseRow, name: str) -> set[PowerId]:
    """The powers that have set a flag on a phase."""
    return set(session.scalars(select(Flag.power).where(Flag.phase_id == phase.id, Flag.name == name)))


def counting(session: Session, game: Game, phase: PhaseRow) -> dict[PowerId, Sheet]:
    """The newest sheet of every power whose sheet counts.

    A power that lost its player stands in civil disorder: what he had sent does not run; what a GM ordered for the
    power does.
    """
    held = current_seats(session, game)
    return {
        power: sheet
        for power, sheet in all_latest(session, phase).items()
        if power in held or sheet.source == "gm"
    }


def owing(session: Session, game: Game, phase: PhaseRow) -> list[Due]:
    """Dues that the turn waits for and that have no sheet yet. Nobody waits for a power without a player."""
    have = all_latest(session, phase)
    held = current_seats(session, game)
    return [
        due
        for due in ruleset(game.ruleset).dues(phase.state)
        if due.required and due.power in held and due.power not in have
    ]
