"""Reply addresses: the right to command, issued to a player and carried by the Reply-To of his mails.

A token is derived from the server's key and what it stands for, so it can be put on every mail again although the
store keeps only its hash. Rotation (``NEWADDRESS``) revokes the present one and derives the next.
"""

from __future__ import annotations

import hmac
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import Session

from gm.games.api import canonical
from gm.mail.addresses import play_address
from gm.mail.tokens import TOKEN_ENTROPY, make_token, token_hash
from gm.store.plainly import plainly, table
from gm.store.tables import Address, Credential, Game, PhaseRow, Player
from gm.turns.office import Office

CHECK_PURPOSE = "reply tokens"
"""Purpose of the vault's key that checks tokens; the listener needs it too."""


_CREDENTIAL = table(Credential)
_LIVE_SEAT = select(_CREDENTIAL.c.nonce).where(
    _CREDENTIAL.c.kind == "seat",
    _CREDENTIAL.c.player_id == bindparam("player"),
    _CREDENTIAL.c.game_id == bindparam("game"),
    _CREDENTIAL.c.power == bindparam("power"),
    _CREDENTIAL.c.phase_id == bindparam("phase"),
    _CREDENTIAL.c.revoked_at.is_(None),
)
"""The case of nearly every mail, asked as a statement that is made once."""
_BY_HASH = select(Credential).where(Credential.token_hash == bindparam("hash"))


def reply_address(
    session: Session,
    office: Office,
    kind: str,
    player: Player,
    *,
    game: Game | None = None,
    power: str | None = None,
    phase: PhaseRow | None = None,
    payload: dict[str, Any] | None = None,
) -> str:
    """The address that carries a right: found if it is live, else issued now.

    Args:
        kind: seat · gm · person · confirm, see `Credential`.
        phase: the phase whose orders a seat's reply brings; means nothing for the other kinds.
        payload: for confirm: what the reply carries out.
    """
    if kind != "seat":
        phase = None
    if payload is None and phase is not None and game is not None:
        seat = {"player": player.id, "game": game.id, "power": power, "phase": phase.id}
        if (nonce := plainly(session).scalar(_LIVE_SEAT, seat)) is not None:
            return play_address(_token(office, nonce), office.domain)
    scope = (
        Credential.kind == kind,
        Credential.player_id == player.id,
        Credential.game_id == (game.id if game else None),
        Credential.power == power,
        Credential.phase_id == (phase.id if phase else None),
    )
    if payload is None:
        live = session.scalar(select(Credential).where(*scope, Credential.revoked_at.is_(None)))
        if live is not None:
            return play_address(_token(office, live.nonce), office.domain)
    past = session.scalar(select(func.count()).select_from(Credential).where(*scope))
    # Names, not row numbers: a number would tie a player's address to how much goes on in other games.
    about = [
        kind,
        game.slug if game else None,
        power,
        [phase.ordinal, phase.attempt] if phase else None,
        payload,
    ]
    nonce, token = _unused(session, office, [_root(session, player), *about, past])
    session.add(
        Credential(
            kind=kind,
            token_hash=token_hash(token),
            nonce=nonce,
            player_id=player.id,
            game_id=game.id if game else None,
            power=power,
            phase_id=phase.id if phase else None,
            payload=payload,
            issued_at=office.now(),
        )
    )
    session.flush()
    return play_address(token, office.domain)


def _root(session: Session, player: Player) -> str:
    """What tells a player from all others: his first right, or, before he has one, his first address."""
    first = session.scalar(
        select(Credential.token_hash)
        .where(Credential.player_id == player.id)
        .order_by(Credential.id)
        .limit(1)
    )
    if first is not None:
        return first
    email = session.scalar(
        select(Address.email).where(Address.player_id == player.id).order_by(Address.id).limit(1)
    )
    return f"{email or player.name} {player.created_at.isoformat()}"


def _unused(session: Session, office: Office, about: list[Any]) -> tuple[bytes, str]:
    """A nonce and its token, which nobody has."""
    number = 0
    while True:
        nonce = canonical([*about, number])
        token = _token(office, nonce)
        if credential_of(session, token) is None:
            return nonce, token
        number += 1


def _token(office: Office, nonce: bytes) -> str:
    entropy = hmac.digest(office.vault.key("token entropy"), nonce, "sha256")[:TOKEN_ENTROPY]
    return make_token(office.vault.key(CHECK_PURPOSE), entropy)


def credential_of(session: Session, token: str) -> Credential | None:
    """The right that a token carries, revoked or not; None if it was never issued."""
    return session.scalar(_BY_HASH, {"hash": token_hash(token)})


def revoke_all(session: Session, player: Player, game: Game | None, now: datetime) -> int:
    """Make every live token of a player for a game (None: all games) worthless. Returns how many there were."""
    rows = session.scalars(
        select(Credential).where(
            Credential.player_id == player.id,
            Credential.revoked_at.is_(None),
            *(() if game is None else (Credential.game_id == game.id,)),
        )
    ).all()
    for row in rows:
        row.revoked_at = now
    session.flush()
    return len(rows)
