"""A player's mailbox says that he is away: he is asked once whether he wants to announce it, and nothing is assumed."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from gm.clock.calendar import CalendarError
from gm.clock.spans import EXAMPLE, parse_away
from gm.mail.automatic import Reason, looks_out_of_office
from gm.mail.message import InboundMail
from gm.store.clubtables import Absence
from gm.store.tables import Address, Audit, Game, Once, Player, Seat
from gm.turns.notices import tell_person
from gm.turns.office import Office

ACTION = "away note"
"""Of the record: a player's mailbox said that he is away."""
AGAIN = timedelta(days=14)
"""Nobody is asked again before: a mailbox that is away answers every mail."""
FROM_PEOPLE = (None, Reason.NULL_SENDER, Reason.AUTO_SUBMITTED, Reason.AUTO_REPLY, Reason.BULK)
"""What marks an out-of-office note; a mailing list's or a loop's mail is none of a player's."""

_UNTIL = re.compile(
    r"\b(?:until|till|through|back on|return(?:ing)? on|bis(?: zum)?|jusqu'au|de retour le)\s+"
    r"(?:the\s+)?(?P<day>\d{4}-\d\d-\d\d|\d{1,2}\.?\s+[a-z]{3,9}\.?(?:\s+\d{4})?)",
    re.I,
)


def ask_if_away(session: Session, office: Office, mail: InboundMail, automatic: Reason | None) -> bool:
    """If a mail is the out-of-office note of somebody who plays, ask him once. Returns whether he was asked.

    No orders, deadline or seat is touched. His GMs find it in the record and in the weekly mail on their games.
    """
    if automatic not in FROM_PEOPLE or not looks_out_of_office(mail) or not mail.sender:
        return False
    now = office.now()
    player = session.scalar(
        select(Player)
        .join(Address, Address.player_id == Player.id)
        .where(Address.email == mail.sender, Address.state != "unconfirmed")
    )
    if player is None or _announced(session, player, now):
        return False
    seats = session.execute(
        select(Seat.power, Seat.game_id)
        .join(Game, Game.id == Seat.game_id)
        .where(
            Seat.player_id == player.id,
            Seat.left_at.is_(None),
            Game.status.in_(("running", "paused", "parked")),
        )
        .order_by(Seat.id)
    ).all()
    if not seats or not _first(session, player, now):
        return False
    for seat in seats:
        session.add(
            Audit(game_id=seat.game_id, actor="server", action=ACTION, detail={"power": seat.power}, at=now)
        )
    until, form = _until(mail.text, player.zone, now)
    tell_person(
        session,
        office,
        player,
        subject="Are you away?",
        paragraphs=(
            f"Your mailbox answered a mail of mine with a note that you are away{until}. By itself that changes "
            "nothing: no deadline waits for you, and you are asked this once only.",
            f"If you will send no orders for a time, reply with a line {form}. What comes of it, the house rules "
            "of each game say. If you are there, you need do nothing.",
        ),
        key=f"away.{now:%Y%m%d}",
    )
    return True


def _announced(session: Session, player: Player, now: datetime) -> bool:
    row = session.scalar(
        select(Absence.id)
        .where(
            Absence.player_id == player.id,
            Absence.cancelled_at.is_(None),
            Absence.from_at <= now + timedelta(days=1),
            Absence.to_at > now,
        )
        .limit(1)
    )
    return row is not None


def _first(session: Session, player: Player, now: datetime) -> bool:
    key = f"away.{player.id}"
    before = session.get(Once, key)
    if before is None:
        session.add(Once(key=key, at=now))
    elif now - before.at < AGAIN:
        return False
    else:
        before.at = now
    session.flush()
    return True


def _until(text: str, zone: str, now: datetime) -> tuple[str, str]:
    """What a note says of its end, in words, and the command that would announce it."""
    match = _UNTIL.search(text[:1500])
    if match is not None:
        day = " ".join(match["day"].replace(".", " ").split())
        try:
            parse_away(f"today TO {day}", zone=zone, now=now)
        except CalendarError:
            pass
        else:
            return f" until {day}", f"ABSENT today TO {day}"
    return "", f"such as ABSENT {EXAMPLE}"
