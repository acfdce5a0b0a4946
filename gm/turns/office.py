"""What every use of the server needs at hand: the store, the clock, the keys, the names. Passed in, never global."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from gm.mail import addresses
from gm.mail.vault import Vault
from gm.store.db import Store


@dataclass(frozen=True, kw_only=True)
class Office:
    """The collaborators of desk, turns and clock."""

    store: Store
    now: Callable[[], datetime]
    """The present instant, aware. The only clock there is."""
    vault: Vault
    domain: str
    """After the @ of our addresses."""
    server_name: str
    templates: Path | None = None
    """The GM's own templates, looked in first."""
    pictures: bool = True
    """Whether reports carry the map as a picture."""
    creators: tuple[str, ...] = ()
    """Addresses, lower-case, whose owners may create games."""
    our_domains: frozenset[str] = frozenset()
    web_url: str = ""
    """The public address of the pages, without a stroke at its end; empty: mails do not link to them."""
    authserv_id: str = ""
    proof: str = "warn"
    """What a reply token from a foreign From address means: off, warn (told to the owner), require (refused)."""

    @property
    def desk_address(self) -> str:
        """Where commands of no particular game go."""
        return addresses.desk_address(self.domain)

    @property
    def map_cid(self) -> str:
        """Content-ID of the map in a report."""
        return f"map@{self.domain}"

    def game_address(self, slug: str) -> str:
        """Where orders with a PASSWORD line go."""
        return addresses.game_address(slug, self.domain)
