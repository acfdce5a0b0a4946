"""The outbox: mails as rows, written in the transaction of whatever they tell of.

A mail's Message-ID is made by who writes it, from what the mail is about. So the same mail queued twice is one
row, and one sent twice, after a crash between the relay's 250 and our note of it, can be told as a repeat.
"""

from __future__ import annotations

import hmac
from datetime import datetime
from typing import Final, cast

from sqlalchemy import CursorResult, bindparam, insert, select, update
from sqlalchemy.orm import Session

from gm.mail.addresses import BOUNCE
from gm.mail.tokens import TOKEN_ENTROPY, make_token, read_token
from gm.store.mailtables import Outbound
from gm.store.plainly import plainly, table
from gm.store.tables import Address

SUSPENDED: Final = "suspended"
BREAKER: Final = "breaker"


# By table and column, not by entity: a mail is the commonest row of all, and nobody needs it as an object here.
_OUTBOX = table(Outbound)
_ADDRESS = table(Address)
_BEFORE = select(
    select(_OUTBOX.c.id).where(_OUTBOX.c.message_id == bindparam("message_id")).scalar_subquery(),
    select(_ADDRESS.c.state).where(_ADDRESS.c.email == bindparam("email")).scalar_subquery(),
)
"""The row of this mail, if it was queued before, and the state of the address it goes to."""
_INSERT = insert(_OUTBOX)


def enqueue(
    session: Session,
    *,
    message_id: str,
    kind: str,
    recipient: str,
    raw: bytes,
    now: datetime,
    key: bytes,
    game_id: int | None = None,
    phase_id: int | None = None,
    player_id: int | None = None,
    power: str | None = None,
    inbound_id: int | None = None,
) -> bool:
    """Queue one mail to one recipient. Returns whether that was done: a Message-ID that is there already is left alone.

    Args:
        message_id: as in the bytes, with its angle brackets.
        raw: the composed mail.
        key: the vault's key for bounce addresses.

    A mail to a suspended address is kept, held, until the address is good again.
    """
    connection = plainly(session)
    before, state = connection.execute(_BEFORE, {"message_id": message_id, "email": recipient.lower()}).one()
    if before is not None:
        return False
    connection.execute(
        _INSERT,
        {
            "message_id": message_id,
            "verp": verp_word(key, message_id),
            "kind": kind,
            "game_id": game_id,
            "phase_id": phase_id,
            "player_id": player_id,
            "power": power,
            "inbound_id": inbound_id,
            "recipient": recipient,
            "raw": raw,
            "status": "held" if state == SUSPENDED else "queued",
            "held_why": SUSPENDED if state == SUSPENDED else None,
            "attempts": 0,
            "next_try_at": now,
            "queued_at": now,
        },
    )
    return True


def verp_word(key: bytes, message_id: str) -> str:
    """The word in a mail's bounce address: nobody can make one up, or learn from it how much mail there is."""
    return make_token(key, hmac.digest(key, message_id.encode(), "sha256")[:TOKEN_ENTROPY])


def bounce_address(word: str, domain: str) -> str:
    """The envelope sender of a mail (VERP)."""
    return f"{BOUNCE}+{word}@{domain}"


def read_bounce_address(key: bytes, address: str) -> str | None:
    """The word in a bounce address of ours; None if it is none or was made up."""
    local = address.strip("<>").rpartition("@")[0].lower()
    return read_token(key, local.removeprefix(BOUNCE)) if local.startswith(BOUNCE) else None


def release_game(session: Session, game_id: int, now: datetime) -> int:
    """Let go the mails of a game that the breaker holds. Returns how many there were."""
    held = Outbound.game_id == game_id, Outbound.status == "held", Outbound.held_why == BREAKER
    return _changed(
        session,
        update(Outbound)
        .where(*held)
        .values(status="queued", held_why=None, released_at=now, next_try_at=now),
    )


def hold_recipient(session: Session, recipient: str) -> int:
    """Hold what waits for a suspended address. Returns how many mails."""
    waiting = Outbound.recipient == recipient, Outbound.status == "queued"
    return _changed(session, update(Outbound).where(*waiting).values(status="held", held_why=SUSPENDED))


def readdress(session: Session, old: str, new: str, now: datetime) -> int:
    """Send what waits for one address of a player to another of his. Returns how many mails."""
    waiting = Outbound.recipient == old, Outbound.status.in_(("queued", "held"))
    values = {"recipient": new, "status": "queued", "held_why": None, "next_try_at": now, "attempts": 0}
    return _changed(session, update(Outbound).where(*waiting).values(values))


def release_recipient(session: Session, recipient: str, now: datetime) -> int:
    """Queue again what is held for an address that is good again. Returns how many mails."""
    held = Outbound.recipient == recipient, Outbound.status == "held", Outbound.held_why == SUSPENDED
    values = {"status": "queued", "held_why": None, "next_try_at": now, "queued_at": now, "attempts": 0}
    return _changed(session, update(Outbound).where(*held).values(values))


def _changed(session: Session, statement: object) -> int:
    session.flush()
    result = cast("CursorResult[object]", session.execute(statement))  # type: ignore[call-overload]  # any UPDATE
    session.expire_all()
    return result.rowcount
