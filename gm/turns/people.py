"""Who plays, who runs, and how they are named to whom."""

from __future__ import annotations

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from gm.games import ruleset
from gm.games.api import Power, PowerId
from gm.store.plainly import plainly, table
from gm.store.tables import Address, Game, GameGM, Player, Seat, SignUp

# Statements of every mail, made once.
_SEAT = table(Seat)
_POWER = select(_SEAT.c.power).where(
    _SEAT.c.game_id == bindparam("game"), _SEAT.c.player_id == bindparam("player"), _SEAT.c.left_at.is_(None)
)
_ADDRESS = table(Address)
_BEST = (
    select(_ADDRESS.c.email)
    .where(_ADDRESS.c.player_id == bindparam("player"), _ADDRESS.c.state != "unconfirmed")
    .order_by(_ADDRESS.c.state != "active", _ADDRESS.c.rank, _ADDRESS.c.id)
    .limit(1)
)


def current_seats(session: Session, game: Game) -> dict[PowerId, Player]:
    """Who holds each power now, in the ruleset's order; vacant powers are left out."""
    rows = session.execute(
        select(Seat.power, Player)
        .join(Player, Player.id == Seat.player_id)
        .where(Seat.game_id == game.id, Seat.left_at.is_(None))
    )
    held = {row.power: row.Player for row in rows}
    return {p.id: held[p.id] for p in ruleset(game.ruleset).meta.powers if p.id in held}


def seat_of(session: Session, game: Game, power: PowerId) -> Seat | None:
    """The present seat of a power, or None if it is vacant."""
    return session.scalar(
        select(Seat).where(Seat.game_id == game.id, Seat.power == power, Seat.left_at.is_(None))
    )


def last_seat(session: Session, game: Game, power: PowerId) -> Seat | None:
    """The newest seat of a power, held or left; None if it never had a player."""
    return session.scalar(
        select(Seat).where(Seat.game_id == game.id, Seat.power == power).order_by(Seat.id.desc()).limit(1)
    )


def power_of(session: Session, game: Game, player_id: int) -> PowerId | None:
    """The power that a player holds now, or None."""
    return plainly(session).scalar(_POWER, {"game": game.id, "player": player_id})


def game_gms(session: Session, game: Game) -> list[Player]:
    """The game's GMs, in the order in which they were appointed."""
    return list(
        session.scalars(
            select(Player)
            .join(GameGM, GameGM.player_id == Player.id)
            .where(GameGM.game_id == game.id)
            .order_by(GameGM.id)
        )
    )


def waiting(session: Session, game: Game, role: str = "player") -> list[SignUp]:
    """Who signed up in a role, first come first."""
    return list(
        session.scalars(
            select(SignUp).where(SignUp.game_id == game.id, SignUp.role == role).order_by(SignUp.id)
        )
    )


def best_address(session: Session, player: Player) -> str:
    """Where mail to a player goes: his active address of lowest rank; a suspended one if there is no other, for
    which the outbox holds his mail; an empty text if none was ever confirmed."""
    return plainly(session).scalar(_BEST, {"player": player.id}) or ""


def player_by_email(session: Session, email: str) -> Player | None:
    """The player who owns an address, or None."""
    return session.scalar(
        select(Player).join(Address, Address.player_id == Player.id).where(Address.email == email.lower())
    )


def power_info(game: Game, power: PowerId) -> Power:
    """What the ruleset says of a power."""
    return next(p for p in ruleset(game.ruleset).meta.powers if p.id == power)


def power_name(game: Game, power: PowerId) -> str:
    """As printed: ``"Austria"``."""
    return power_info(game, power).name
