"""Addresses of the public pages, for mails. Every page shows what the public may know, so they are the same for all
readers; they are made of names that everybody has. Without a public address in the settings there are none."""

from __future__ import annotations

from gm.store.tables import Game, PhaseRow
from gm.turns.observing import delay_of
from gm.turns.office import Office


def game_page(office: Office, slug: str) -> str:
    """A game's page; empty if pages have no public address."""
    return f"{office.web_url}/{slug}/index.html" if office.web_url else ""


def results_page(office: Office, game: Game, phase: PhaseRow) -> str:
    """The page of a phase that was run. While outsiders are some phases behind it is not there yet: the game's page."""
    if not office.web_url or delay_of(game):
        return game_page(office, game.slug)
    return f"{office.web_url}/{game.slug}/{phase.ordinal:02}.html"


def zine_page(office: Office, campaign: str, number: int = 0) -> str:
    """The page of a published issue, or of all back issues; empty if pages have no public address."""
    page = f"{number:03}.html" if number else "index.html"
    return f"{office.web_url}/zine/{campaign}/{page}" if office.web_url else ""
