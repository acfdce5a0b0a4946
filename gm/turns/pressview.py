"""Who may read a message, for ever: its sender and those it was sent to, as they were seated when it was sent.

What a deputy wrote for a seat is the seat's: its player reads it too. A deputy for orders alone reads no private press.
"""

from __future__ import annotations

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from gm.store.clubtables import Absence
from gm.store.tables import Game, Player, Press, Seat


def may_read(
    session: Session, game: Game, row: Press, person: Player | None, power: str | None, gm: bool
) -> bool:
    """Whether a person may read a message now. A later holder of a seat does not inherit its private press.

    What was not delivered, or not yet, is there for its writer only.
    """
    if row.state != "sent":
        return person is not None and row.player_id == person.id
    if row.audience == ["all"]:
        return True
    if person is None:
        return False
    if row.player_id == person.id:
        return True
    if gm:
        return "gm" in row.audience
    if power is None or power not in (*row.audience, row.sender):
        return False
    holder = session.scalar(
        select(Seat.player_id)
        .where(
            Seat.game_id == game.id,
            Seat.power == power,
            Seat.joined_at <= row.sent_at,
            or_(Seat.left_at.is_(None), Seat.left_at >= row.sent_at),
        )
        .order_by(Seat.id)
        .limit(1)
    )
    return holder == person.id or _deputy_for(session, game, person, holder, row)


def _deputy_for(session: Session, game: Game, person: Player, holder: int | None, row: Press) -> bool:
    """Whether a person stands in now, for press too, for the player who held the seat, and did when it was sent."""
    found = select(Absence.id).where(
        Absence.game_id == game.id,
        Absence.player_id == holder,
        Absence.deputy_id == person.id,
        Absence.deputy_state == "active",
        Absence.scope == "orders+press",
        Absence.cancelled_at.is_(None),
        Absence.from_at <= row.sent_at,
    )
    return session.scalar(found.limit(1)) is not None
