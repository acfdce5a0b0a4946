"""The zine: games as web pages, from what the public may know. Written to a folder, or served page by page.

The pages of a folder link to each other by relative names, need nothing from outside, and may be copied to any web
server or opened from a disk:

    index.html                  the zine: all its games
    <game>/index.html           a game: standings over time, its issues
    <game>/<number>.html        an issue: one phase
    <game>/<number>.svg         its map
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from markupsafe import Markup

from gm.games.api import Section
from gm.reports.chart import standings_chart
from gm.reports.mails import PressItem
from gm.reports.scrub import scrubbed
from gm.reports.templating import fill_html


@dataclass(frozen=True, kw_only=True)
class ZinePhase:
    """One issue: a phase that was run, as the public may know it."""

    number: int
    """1 for the first phase of the game."""
    title: str
    """``"Spring 1901, movement"``."""
    headline: str
    date: str = ""
    """When it was run, as ready text."""
    sections: tuple[Section, ...] = ()
    svg: str = ""
    """The map; empty if there is none."""
    map_elsewhere: bool = False
    """There is a map, but whoever serves the pages has it."""
    standings: tuple[tuple[str, str, int], ...] = ()
    """(power name, player name or empty, score), best first."""
    press: tuple[PressItem, ...] = ()
    notes: tuple[str, ...] = ()
    """GM's notes."""

    @property
    def has_map(self) -> bool:
        """Whether its page shows a map."""
        return bool(self.svg) or self.map_elsewhere

    @property
    def file(self) -> str:
        """Name of its page."""
        return f"{self.number:02}.html"

    @property
    def map_file(self) -> str:
        """Name of its map."""
        return f"{self.number:02}.svg"


@dataclass(frozen=True, kw_only=True)
class ZineGame:
    """A game with its issues, oldest first."""

    slug: str
    title: str
    ruleset: str
    phases: tuple[ZinePhase, ...]
    standings_title: str = "Standings"
    colours: tuple[tuple[str, str], ...] = ()
    """(power name, ``#rrggbb``)."""
    state: str = ""
    """One line: ``"Autumn 1903, movement is open"``, ``"Won by Austria"``."""
    deadline: str = ""
    about: tuple[str, ...] = ()
    """House rules and credits, one paragraph each."""


@dataclass(frozen=True, kw_only=True)
class Zine:
    """A club's, campaign's or server's games under one masthead."""

    title: str
    tagline: str = ""
    games: tuple[ZineGame, ...] = ()
    zines: tuple[tuple[str, str], ...] = ()
    """(title, address) of the zines of campaigns, whose archives stand elsewhere."""


class BadSlug(ValueError):
    """A game's name can't be a folder's name: a-z, 0-9, - and _ only."""


def write_zine(folder: Path, zine: Zine, *, templates: Path | None = None) -> tuple[Path, ...]:
    """Write all pages of a zine under `folder`; what stands there under the same names is replaced.

    Returns:
        The files written, the front page first.

    Raises:
        BadSlug: before anything is written.
        gm.reports.templating.TemplateFault: a template is broken.
    """
    for game in zine.games:
        if not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,63}", game.slug):
            raise BadSlug(f"{game.slug!r} can't be a folder: a-z, 0-9, - and _ only")
    maps = {f"{g.slug}/{p.map_file}": p.svg for g in zine.games for p in g.phases if p.svg}
    zine = scrubbed(replace(zine, games=tuple(_without_maps(game) for game in zine.games)))
    pages = {"index.html": _front(zine, templates)}
    for game in zine.games:
        pages[f"{game.slug}/index.html"] = _game(zine, game, templates)
        for phase in game.phases:
            pages[f"{game.slug}/{phase.file}"] = _issue(zine, game, phase, templates)
    pages |= maps
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tuple(folder / name for name in pages)


def front_page(zine: Zine, *, templates: Path | None = None) -> str:
    """The zine's first page: every game with its last headline, map and standings."""
    games = tuple(_without_maps(game) for game in zine.games)
    return _front(scrubbed(replace(zine, games=games)), templates)


def game_page(zine: Zine, game: ZineGame, *, templates: Path | None = None) -> str:
    """A game: where it stands, how it went, and all its issues, newest first."""
    return _game(_head(zine), scrubbed(_without_maps(game)), templates)


def issue_page(zine: Zine, game: ZineGame, phase: ZinePhase, *, templates: Path | None = None) -> str:
    """One issue of a game, with links to those before and after it."""
    game = scrubbed(_without_maps(game))
    wanted = next(p for p in game.phases if p.number == phase.number)
    return _issue(_head(zine), game, wanted, templates)


def _front(zine: Zine, templates: Path | None) -> str:
    return fill_html(templates, "zine/front.html", {"zine": zine})


def _game(zine: Zine, game: ZineGame, templates: Path | None) -> str:
    chart = standings_chart([(p.title, p.standings) for p in game.phases if p.standings], dict(game.colours))
    values = {"zine": zine, "game": game, "chart": Markup(chart)}  # noqa: S704  # escaped where it is drawn
    return fill_html(templates, "zine/game.html", values)


def _issue(zine: Zine, game: ZineGame, phase: ZinePhase, templates: Path | None) -> str:
    earlier = [p for p in game.phases if p.number < phase.number]
    later = [p for p in game.phases if p.number > phase.number]
    values = {
        "zine": zine,
        "game": game,
        "phase": phase,
        "before": earlier[-1] if earlier else None,
        "after": later[0] if later else None,
    }
    return fill_html(templates, "zine/issue.html", values)


def _head(zine: Zine) -> Zine:
    return scrubbed(replace(zine, games=()))


def _without_maps(game: ZineGame) -> ZineGame:
    """The game as its pages need it: maps are files of their own, too long to be cleaned like words."""
    phases = tuple(replace(p, svg="", map_elsewhere=p.has_map) for p in game.phases)
    return replace(game, phases=phases)
