"""The ready game of a new server: one human power, the others ordered by the ruleset's scripted players."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from gm.store.tables import Address, Game, Player, SignUp
from gm.turns.office import Office
from gm.turns.people import current_seats
from gm.turns.settings import GameSettings
from gm.turns.sheets import open_phase
from gm.turns.starting import create_game, start_game
from gm.turns.tokens import reply_address

NEWCOMER = "you@example.org"
"""Where the practice game mails to; with no relay set it all lands in the Maildir."""
SLUG = "practice"


@dataclass(frozen=True)
class Practice:
    """What a newcomer needs to know of it."""

    power: str
    reply_to: str
    phase: str


def practice_game(office: Office) -> Practice | None:
    """The practice game, opened at the first call. None once it is over or nobody plays in it."""
    with office.store.write() as session:
        game = session.scalar(select(Game).where(Game.slug == SLUG))
        if game is None:
            game = _open(session, office)
        seats = current_seats(session, game)
        phase = open_phase(session, game)
        if not seats or phase is None:
            return None
        power, player = next(iter(seats.items()))
        return Practice(
            power=power,
            reply_to=reply_address(session, office, "seat", player, game=game, power=power, phase=phase),
            phase=phase.title,
        )


def _open(session: Session, office: Office) -> Game:
    now = office.now()
    address = session.scalar(select(Address).where(Address.email == NEWCOMER))
    if address is None:
        player = Player(name="You", created_at=now)
        session.add(player)
        session.flush()
        session.add(Address(player_id=player.id, email=NEWCOMER, created_at=now))
    else:
        player = session.get_one(Player, address.player_id)
    game = create_game(
        session,
        slug=SLUG,
        title="Practice game",
        ruleset_id="diplomacy",
        options={},
        settings=GameSettings(calendar="every 7 days 20:00 UTC", vacant="robot", nmr_out=0),
        gm=None,
        seed=secrets.token_bytes(32),
        now=now,
    )
    session.add(
        SignUp(game_id=game.id, player_id=player.id, role="player", preferences=["france"], created_at=now)
    )
    session.flush()
    start_game(session, office, game)
    return game
