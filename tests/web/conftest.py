"""A played game in a store, and a way to ask the pages for it without a socket."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from gm.games import ruleset
from gm.games.api import check_options
from gm.games.dice import SeededDice
from gm.store.db import Store
from gm.store.tables import Game, PhaseRow, Player, Press, Seat
from gm.turns.record import to_json
from gm.turns.settings import GameSettings
from gm.web.app import create_app

NOW = datetime(2026, 12, 4, 21, 0, tzinfo=UTC)
SEED = bytes(range(32))


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes
    fault: Exception | None = None
    """What the application raised after it had answered."""

    @property
    def text(self) -> str:
        return self.body.decode()


Ask = Callable[..., Answer]


@pytest.fixture
def ask(one_store: Store) -> Ask:
    """`ask("/path", **headers)`: what a stranger gets."""
    app = create_app(one_store, lambda: NOW, server_name="The Danube Courier")

    def asked(path: str, method: str = "GET", **headers: str) -> Answer:
        return asyncio.run(_ask(app, path, method, headers))

    return asked


async def _ask(app, path: str, method: str, headers: dict[str, str]) -> Answer:
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(k.replace("_", "-").encode(), v.encode()) for k, v in headers.items()],
        "server": ("gm.example", 80),
        "client": ("192.0.2.1", 1234),
    }
    sent = []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        sent.append(message)

    fault = None
    try:
        await app(scope, receive, send)
    except Exception as error:
        fault = error
    fields = {k.decode(): v.decode() for k, v in sent[0]["headers"]}
    return Answer(sent[0]["status"], fields, b"".join(m.get("body", b"") for m in sent[1:]), fault)


@pytest.fixture
def played(one_store: Store) -> Game:
    """A Diplomacy game of two phases played by scripted players, with the third open, and press of each kind."""
    with one_store.write() as session:
        return add_game(session)


def add_game(session, slug: str = "spring99", phases: int = 2, anonymous: bool = False) -> Game:
    """A game put into the store, each power held by a player of its name."""
    rules = ruleset("diplomacy")
    game = Game(
        slug=slug,
        title="Spring Ninety-Nine",
        ruleset="diplomacy",
        rules_version=rules.meta.version,
        options=check_options(rules.meta, {}),
        settings=GameSettings(anonymous=anonymous, zone="Europe/London").as_json(),
        status="running",
        seed=SEED,
        created_at=NOW,
        started_at=NOW,
    )
    session.add(game)
    session.flush()
    for power in rules.meta.powers:
        player = Player(name=f"Player of {power.name}", created_at=NOW)
        session.add(player)
        session.flush()
        session.add(Seat(game_id=game.id, power=power.id, player_id=player.id, joined_at=NOW))
    state = rules.new_game(game.options, SeededDice(SEED, "new"))
    for ordinal in range(1, phases + 1):
        row = _run(session, rules, game, state, ordinal)
        state = row.after
        for sender, audience, body in (
            ("france", ["all"], f"To everybody, phase {ordinal}."),
            ("france", ["italy"], "Only for Italian eyes."),
            ("gm", ["all"], "A note of the GM's."),
        ):
            session.add(
                Press(
                    game_id=game.id,
                    phase_id=row.id,
                    sender=sender,
                    kind="white",
                    audience=audience,
                    body=body,
                    sent_at=NOW,
                )
            )
    phase = rules.phase(state)
    session.add(
        PhaseRow(
            game_id=game.id,
            ordinal=phases + 1,
            name=phase.name,
            title=phase.title,
            kind=phase.kind,
            state=dict(state),
            opened_at=NOW,
            due_at=NOW + timedelta(days=7),
        )
    )
    session.flush()
    return game


def _run(session, rules, game: Game, state, ordinal: int) -> PhaseRow:
    phase = rules.phase(state)
    sheets = {}
    for due in rules.dues(state):
        orders = rules.bot(rules.view(state, due.power), SeededDice(SEED, phase.name + due.power))
        sheets[due.power] = rules.parse(state, due.power, "\n".join(orders)).orders
    result = rules.adjudicate(state, sheets, SeededDice(SEED, phase.name))
    row = PhaseRow(
        game_id=game.id,
        ordinal=ordinal,
        name=phase.name,
        title=phase.title,
        kind=phase.kind,
        status="done",
        state=dict(state),
        after=dict(result.state),
        sheets={power: list(orders) for power, orders in sheets.items()},
        results=to_json(result),
        opened_at=NOW,
        done_at=NOW,
    )
    session.add(row)
    session.flush()
    return row
