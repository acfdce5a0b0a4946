"""Whether an address of ours takes mail: asked at RCPT, before a byte of the mail is sent."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import select

from gm.mail.addresses import read_recipient
from gm.mail.outbox import read_bounce_address
from gm.store.tables import Game
from gm.turns.office import Office
from gm.turns.tokens import CHECK_PURPOSE, credential_of


def known_recipient(office: Office) -> Callable[[str], bool]:
    """A function that says whether an address takes mail. Guesses are refused without asking the database."""
    domains = office.our_domains or frozenset({office.domain})
    check = office.vault.key(CHECK_PURPOSE)
    bounces = office.vault.key("bounces")

    def known(address: str) -> bool:
        domain = address.rpartition("@")[2].lower()
        if domain in domains and read_bounce_address(bounces, address) is not None:
            return True
        recipient = read_recipient(address, domains, check)
        if recipient is None or recipient.kind == "unknown":
            return False
        if recipient.kind in ("desk", "postmaster"):
            return True
        with office.store.read() as session:
            if recipient.kind == "game":
                return session.scalar(select(Game.id).where(Game.slug == recipient.game)) is not None
            # A revoked token is still taken: its owner is told that it no longer works.
            return credential_of(session, recipient.token) is not None

    return known
