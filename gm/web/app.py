"""The web pages: public archive, status, health. Whoever asks is a stranger: he sees what the public may know.

/                      the front page of the zine     (also /index.html)
/<game>/index.html     a game                         (also /<game> and /<game>/)
/<game>/<nn>.html      one issue; its map is <nn>.svg
/zine/<campaign>/...   the zine of a campaign         (see `gm.web.zines`)
/status                games, deadlines, queues
/health                for the container: 200 while store and clock work, else 503
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from gm.reports.templating import fill_html
from gm.reports.zine import Zine, ZinePhase, front_page, game_page, issue_page
from gm.store.db import Store
from gm.store.tables import Game, PhaseRow
from gm.turns.people import current_seats
from gm.turns.publicly import done_phases, public_map
from gm.web import archive
from gm.web.status import clock_troubles, server_status
from gm.web.zines import ZinePages, zines

ISSUES_KEPT = 256
"""Issues without map kept ready: some 10 KB each."""
MAPS_KEPT = 16
"""Maps kept ready: some 100 KB each."""

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "public, max-age=60",
}


def create_app(
    store: Store,
    now: Callable[[], datetime],
    *,
    server_name: str,
    tagline: str = "",
    templates: Path | None = None,
) -> Starlette:
    """The pages as an ASGI application. It only reads; endpoints run in threads, one read transaction each."""
    pages = Pages(store, now, server_name=server_name, tagline=tagline, templates=templates)
    return Starlette(
        routes=[
            Route("/", pages.front),
            Route("/index.html", pages.front),
            Route("/status", pages.status),
            Route("/health", pages.health),
            *ZinePages(store, templates=templates, answer=pages.answer, headers=HEADERS).routes(),
            Route("/{slug}", pages.to_game),
            Route("/{slug}/", pages.to_game),
            Route("/{slug}/index.html", pages.game),
            Route("/{slug}/{page}", pages.issue),
        ],
        exception_handlers={HTTPException: pages.refuse, 500: pages.fail},
    )


class Pages:
    """The endpoints, with what they share."""

    def __init__(
        self,
        store: Store,
        now: Callable[[], datetime],
        *,
        server_name: str,
        tagline: str,
        templates: Path | None,
    ) -> None:
        self.store, self.now, self.templates = store, now, templates
        self.zine = Zine(title=server_name, tagline=tagline)
        # A phase that was run never changes, and a rollback gives it a new row: with the names that are shown
        # beside the powers, its id is a safe key.
        self._issue = lru_cache(maxsize=ISSUES_KEPT)(self._make_issue)
        self._map = lru_cache(maxsize=MAPS_KEPT)(self._draw_map)

    def front(self, request: Request) -> Response:
        """All games, each with its last issue."""
        with self.store.read() as session:
            games = tuple(
                archive.public_game(session, game, self._issues(session, game)[-1:])
                for game in archive.all_games(session)
            )
            zine = replace(self.zine, games=games, zines=zines(session))
        return self.answer(request, front_page(zine, templates=self.templates))

    def game(self, request: Request) -> Response:
        """A game and its issues."""
        with self.store.read() as session:
            game = self._game(session, request)
            shown = archive.public_game(session, game, self._issues(session, game))
        return self.answer(request, game_page(self.zine, shown, templates=self.templates))

    def issue(self, request: Request) -> Response:
        """One issue, or its map."""
        page = request.path_params["page"]
        with self.store.read() as session:
            game = self._game(session, request)
            for row, issue in zip(done_phases(session, game), self._issues(session, game), strict=True):
                if page == issue.map_file:
                    return self.answer(request, self._map(row.id), "image/svg+xml")
                if page == issue.file:
                    shown = archive.public_game(session, game, self._issues(session, game))
                    return self.answer(request, issue_page(self.zine, shown, issue, templates=self.templates))
        raise HTTPException(404)

    def to_game(self, request: Request) -> Response:
        """From a game's short address to its page."""
        with self.store.read() as session:
            slug = self._game(session, request).slug
        target = "index.html" if request.url.path.endswith("/") else f"{slug}/index.html"
        return RedirectResponse(target, status_code=302, headers=HEADERS)

    def status(self, request: Request) -> Response:
        """How the server does, for people."""
        with self.store.read() as session:
            status = server_status(session, self.now())
        values = {"zine": self.zine, "status": status}
        return self.answer(request, fill_html(self.templates, "web/status.html", values))

    def health(self, request: Request) -> Response:
        """How the server does, for machines: no facts of any game."""
        try:
            with self.store.read() as session:
                session.execute(text("SELECT 1"))
                troubles = clock_troubles(session, self.now())
        except SQLAlchemyError:
            troubles = ["The store cannot be read."]
        body = {"status": "trouble" if troubles else "ok", "troubles": troubles}
        headers = HEADERS | {"Cache-Control": "no-store"}
        return JSONResponse(body, status_code=503 if troubles else 200, headers=headers)

    def refuse(self, request: Request, error: Exception) -> Response:
        """A page that is not there, or a way of asking that is not known."""
        code = error.status_code if isinstance(error, HTTPException) else 404
        title = "There is no such page" if code == 404 else "That can't be done here"
        return self._message(code, title, "The front page lists every game.")

    def fail(self, request: Request, error: Exception) -> Response:
        """A fault of ours. It says nothing of the cause: that is in the log."""
        return self._message(
            500, "Something went wrong", "The fault is ours and has been noted. Please try later."
        )

    def _message(self, code: int, title: str, words: str) -> Response:
        values = {"zine": self.zine, "title": title, "text": words}
        page = fill_html(None, "web/message.html", values)
        headers = HEADERS | {"Cache-Control": "no-store"}
        return Response(page, status_code=code, media_type="text/html", headers=headers)

    def answer(self, request: Request, body: str | bytes, kind: str = "text/html") -> Response:
        """A page, or word that the reader has it already."""
        data = body.encode() if isinstance(body, str) else body
        tag = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
        headers = HEADERS | {"ETag": tag}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(data, media_type=kind, headers=headers)

    def _game(self, session: Session, request: Request) -> Game:
        game = archive.game_named(session, request.path_params["slug"])
        if game is None:
            raise HTTPException(404)
        return game

    def _issues(self, session: Session, game: Game) -> list[ZinePhase]:
        names = tuple((power, player.name) for power, player in current_seats(session, game).items())
        return [self._issue(p.id, names, game.status) for p in done_phases(session, game)]

    def _make_issue(self, phase_id: int, _names: tuple[tuple[str, str], ...], _status: str) -> ZinePhase:
        with self.store.read() as session:
            phase = session.get_one(PhaseRow, phase_id)
            return archive.issue(session, session.get_one(Game, phase.game_id), phase)

    def _draw_map(self, phase_id: int) -> str:
        with self.store.read() as session:
            phase = session.get_one(PhaseRow, phase_id)
            game = session.get_one(Game, phase.game_id)
            return public_map(game, phase)
