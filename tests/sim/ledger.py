"""What the script did, in its own words, for the checks to hold the server's books against."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime

from tests.sim.people import Person


@dataclass(frozen=True)
class Entry:
    """One mail of the ledger that may bring orders."""

    phase: int
    power: str
    at: datetime
    valid: bool
    """Whether it holds orders that the server must take."""
    orders: tuple[str, ...] | None
    """The whole sheet that it gives, where the script knows it."""
    why: str = ""
    """Why it can't be taken, as the script sees it."""


@dataclass
class Deputyship:
    """Somebody who was asked to stand in for a player."""

    slug: str
    power: str
    owner: Person
    deputy: Person
    since: datetime
    until: datetime
    press: bool
    confirmed: bool = False
    """Whether both have said yes."""

    def holds(self, at: datetime) -> bool:
        return self.confirmed and self.since <= at < self.until


@dataclass
class Ledger:
    """What the script did."""

    entries: list[Entry] = field(default_factory=list)
    deserves: dict[str, bool] = field(default_factory=dict)
    """Message-ID to whether the mail deserves an answer."""
    did: Counter[str] = field(default_factory=Counter)
    """What kinds of things were done, how often."""
    acts: Counter[str] = field(default_factory=Counter)
    """What GMs did of their own will, by the name under which the server puts it on record."""
    deputies: list[Deputyship] = field(default_factory=list)
    errata: dict[str, str] = field(default_factory=dict)
    """Marker of an erratum to the game that it puts right."""
    answers: dict[str, str] = field(default_factory=dict)
    """Marker of an answer to the writer of the letter."""
    phases_read: int = 0
    misread: list[str] = field(default_factory=list)
    """Mails whose words name another phase than the one their reply address brings orders for."""
