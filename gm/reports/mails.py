"""What each kind of mail says, before it is laid out. Templates get these values and nothing else.

All times arrive as ready text in the reader's zone; all words about the game come from what its reader may know.
"""

from __future__ import annotations

from dataclasses import dataclass

from gm.games.api import Problem, Section


@dataclass(frozen=True, kw_only=True)
class Masthead:
    """The head of every mail of a game."""

    server: str
    """Name of the server or its zine, from the settings."""
    game: str
    """Slug, as in commands and addresses."""
    title: str
    ruleset: str
    """Title of the ruleset: ``"Diplomacy"``."""
    phase: str
    """Title of the phase it is about; empty before the start."""
    reader: str
    """``"Austria"``, ``"GM"``, ``"observer"`` or the player's name."""


@dataclass(frozen=True, kw_only=True)
class Footer:
    """What every mail ends with."""

    deadline: str
    """``"Friday 4 Dec 2026, 20:00 (Europe/London)"`` in the reader's zone and, where it differs, the game's;
    empty if none runs."""
    how_to_reply: str
    """One or two sentences: what replying to this mail does."""
    page: str = ""
    """Address of the public page on what the mail tells; empty for none."""


@dataclass(frozen=True, kw_only=True)
class TranscriptLine:
    """One line of the player's mail and what the server made of it."""

    number: int
    text: str
    reading: str = ""
    """What was done: ``"order: A Vie - Gal"``; empty if nothing was."""
    problem: str = ""
    """What was wrong; empty if nothing was."""
    suggestion: str = ""


@dataclass(frozen=True, kw_only=True)
class SheetBox:
    """A sheet as its owner is told of it."""

    version: int
    """0: none was received yet."""
    orders: tuple[str, ...]
    missing: tuple[str, ...]
    """What has no order."""
    problems: tuple[Problem, ...]
    notes: tuple[str, ...]
    will_run: str
    """One sentence: what happens at the deadline if nothing else comes."""


@dataclass(frozen=True, kw_only=True)
class ReceiptMail:
    """The one answer to a mail with commands or orders."""

    masthead: Masthead
    summary: str
    """One line: ``"Orders received: version 3, 3 orders, 1 unit without."``."""
    transcript: tuple[TranscriptLine, ...]
    not_taken: tuple[str, ...]
    """Lines below a quotation or signature that read as orders and were not taken."""
    remarks: tuple[str, ...]
    """About the mail itself: HTML converted, attachment used, too long."""
    sheets: tuple[tuple[str, SheetBox], ...]
    """(power name, sheet), one for each power the mail touched."""
    answers: tuple[Section, ...]
    """What the commands asked for: status, history, help."""
    footer: Footer


@dataclass(frozen=True, kw_only=True)
class PressItem:
    """One message in a press column."""

    sender: str
    """``"Austria to France"``, ``"Unsigned to all"``, ``"GM to all"``."""
    body: str


@dataclass(frozen=True, kw_only=True)
class ReportMail:
    """The results of a phase, the start of a game, or a corrected result, for one reader."""

    masthead: Masthead
    headline: str
    own_headline: bool = False
    """Whether the program wrote the headline, and not the ruleset, whose words stay in English."""
    intro: tuple[str, ...]
    """Paragraphs before the results: welcome, or what a rollback changed for him."""
    sections: tuple[Section, ...]
    standings_title: str
    standings: tuple[tuple[str, str, int], ...]
    """(power name, player name or empty where the game hides it, score)."""
    press: tuple[PressItem, ...]
    notes: tuple[str, ...]
    """GM's notes."""
    due: tuple[str, ...]
    """What this reader owes next."""
    map_cid: str
    """Content-ID of the map picture; empty if the mail has none."""
    map_alt: str
    footer: Footer


@dataclass(frozen=True, kw_only=True)
class NoticeMail:
    """Everything else: one thing to tell, in a few paragraphs."""

    masthead: Masthead
    subject: str
    title: str
    paragraphs: tuple[str, ...]
    sections: tuple[Section, ...] = ()
    footer: Footer


@dataclass(frozen=True, kw_only=True)
class PressMail:
    """A message relayed between players."""

    masthead: Masthead
    sender: str
    """``"Austria"``, ``"Unsigned"``, ``"GM"``."""
    recipients: str
    """``"France, Germany"``, ``"all"``."""
    body: str
    footer: Footer


@dataclass(frozen=True, kw_only=True)
class Rendered:
    """A mail laid out: to be given an envelope by `gm.mail.compose`."""

    subject: str
    text: str
    html: str
