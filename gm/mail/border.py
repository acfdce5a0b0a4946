"""Who may be written to: the answer that the listener gives at RCPT."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import select

from gm.mail.addresses import read_recipient
from gm.mail.outbox import read_bounce_address
from gm.mail.tokens import token_hash
from gm.store.db import Store
from gm.store.mailtables import Outbound
from gm.store.tables import Credential, Game


def known_recipients(
    store: Store, *, domains: frozenset[str], tokens_key: bytes, bounces_key: bytes
) -> Callable[[str], bool]:
    """A function that says whether mail to an address is taken.

    Yes for a reply token that is live, a bounce address of a mail of ours, a game there is, the desk and the
    postmaster. A guessed token fails its check part and costs no look at the store.
    """

    def known(address: str) -> bool:
        word = read_bounce_address(bounces_key, address)
        if word is not None:
            domain = address.strip("<>").rpartition("@")[2].lower()
            return domain in domains and _exists(select(Outbound.id).where(Outbound.verp == word))
        recipient = read_recipient(address, domains, tokens_key)
        if recipient is None:
            return False
        if recipient.kind == "play":
            hashed = token_hash(recipient.token)
            return _exists(
                select(Credential.id).where(Credential.token_hash == hashed, Credential.revoked_at.is_(None))
            )
        if recipient.kind == "game":
            return _exists(select(Game.id).where(Game.slug == recipient.game))
        return recipient.kind in ("desk", "postmaster")

    def _exists(query: object) -> bool:
        with store.read() as session:
            return session.scalar(query) is not None  # type: ignore[call-overload]  # any SELECT of one id

    return known
