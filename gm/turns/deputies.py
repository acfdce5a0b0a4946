"""Deputies: somebody who orders for a player for a time, on whom both have agreed by mail.

A deputy has reply addresses of his own, gets the seat's mails from the first day on, and loses both by himself at the
end. He never has more than the scope says: orders, or orders and press. The player himself may order all the while.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from gm.clock.words import in_zone
from gm.games.api import PowerId
from gm.log import logger
from gm.store.clubtables import Absence
from gm.store.tables import Credential, Game, Player, Seat
from gm.turns.notices import tell_gms, tell_person
from gm.turns.office import Office
from gm.turns.people import current_seats, power_name, power_of
from gm.turns.reportmail import Reader
from gm.turns.settings import settings_of
from gm.turns.sheets import open_phase
from gm.turns.starting import send_start

log = logger("deputies")

ORDERS, WITH_PRESS = "orders", "orders+press"
ASKED, AGREED, CONFIRMED, ACTIVE, ENDED = "asked", "agreed", "confirmed", "active", "ended"
"""States: the deputy was asked · he said yes · the player said yes too · the time has begun · it is over."""


def asked(session: Session, game: Game, player_id: int, deputy_id: int) -> Absence | None:
    """The newest question of a player to a deputy in a game that has no answer yet."""
    return _newest(session, game, player_id, Absence.deputy_state == ASKED, Absence.deputy_id == deputy_id)


def agreed(session: Session, game: Game, player_id: int) -> Absence | None:
    """The newest arrangement in a game that waits for the player's own yes."""
    return _newest(session, game, player_id, Absence.deputy_state == AGREED)


def _newest(session: Session, game: Game, player_id: int, *which: ColumnElement[bool]) -> Absence | None:
    return session.scalar(
        select(Absence)
        .where(
            Absence.game_id == game.id,
            Absence.player_id == player_id,
            Absence.cancelled_at.is_(None),
            *which,
        )
        .order_by(Absence.id.desc())
        .limit(1)
    )


def standing_in(session: Session, game: Game, person_id: int, at: datetime) -> tuple[PowerId, str] | None:
    """``(power, scope)`` that a person orders as a deputy at an instant; None if he is no deputy."""
    rows = session.scalars(
        select(Absence)
        .where(
            Absence.game_id == game.id,
            Absence.deputy_id == person_id,
            Absence.deputy_state == ACTIVE,
            Absence.cancelled_at.is_(None),
            Absence.from_at <= at,
            Absence.to_at > at,
        )
        .order_by(Absence.id)
    )
    for row in rows:
        power = power_of(session, game, row.player_id)
        if power is not None:
            return power, row.scope
    return None


def look_at_deputies(office: Office) -> int:
    """Let deputies begin and end whose time has come. Returns how many did."""
    now = office.now()
    with office.store.read() as session:
        found = list(
            session.scalars(
                select(Absence.id)
                .where(
                    Absence.cancelled_at.is_(None),
                    ((Absence.deputy_state == CONFIRMED) & (Absence.from_at <= now))
                    | ((Absence.deputy_state == ACTIVE) & (Absence.to_at <= now)),
                )
                .order_by(Absence.id)
            )
        )
    changed = 0
    for number in found:
        try:
            with office.store.write() as session:
                changed += look_at(session, office, session.get_one(Absence, number))
        except SQLAlchemyError:
            raise
        except Exception:  # of a ruleset, say: the other games' deputies go on
            log.exception("a deputy could not begin or end", absence=number)
    return changed


def look_at(session: Session, office: Office, row: Absence) -> bool:
    """Let a deputy begin or end if it is time, or if the player no longer holds a seat. Returns whether he did."""
    now = office.now()
    game = session.get_one(Game, row.game_id)
    power = power_of(session, game, row.player_id)
    over = row.to_at <= now or power is None or game.status == "finished"
    if row.deputy_state in (CONFIRMED, ACTIVE) and over:
        end(session, office, row, game)
        return True
    if row.deputy_state == CONFIRMED and row.from_at <= now and power is not None:
        row.deputy_state = ACTIVE
        session.flush()
        _welcome(session, office, row, game, power)
        return True
    return False


def _welcome(session: Session, office: Office, row: Absence, game: Game, power: PowerId) -> None:
    """The seat's position to the deputy, by a mail that he may answer with orders."""
    phase = open_phase(session, game)
    if phase is None or row.deputy_id is None:
        return
    deputy = session.get_one(Player, row.deputy_id)
    reader = Reader(player=deputy, power=power, title=power_name(game, power), kind="seat", scope=row.scope)
    may = "orders and press" if row.scope == WITH_PRESS else "orders, no press"
    send_start(
        session,
        office,
        game,
        phase,
        reader,
        intro=(
            f"You stand in for the player of {reader.title} until {in_zone(row.to_at, deputy.zone)}: {may}. "
            "You get the seat's mails; orders in your replies count as his. He may order too; the last word counts.",
        ),
        again=f".deputy{row.from_at:%Y%m%d%H%M}",
    )


def end(session: Session, office: Office, row: Absence, game: Game) -> None:
    """End a deputy's rights: his reply addresses for the game work no longer. Both are told if he had begun."""
    begun = row.deputy_state == ACTIVE
    row.deputy_state = ENDED
    powers = select(Seat.power).where(Seat.game_id == game.id, Seat.player_id == row.player_id)
    own = select(Seat.power).where(
        Seat.game_id == game.id, Seat.player_id == row.deputy_id, Seat.left_at.is_(None)
    )
    session.execute(
        update(Credential)
        .where(
            Credential.game_id == game.id,
            Credential.player_id == row.deputy_id,
            Credential.kind == "seat",
            Credential.power.in_(powers),
            Credential.power.not_in(own),
            Credential.revoked_at.is_(None),
        )
        .values(revoked_at=office.now())
    )
    session.flush()
    if not begun or row.deputy_id is None:
        return
    for number, text in (
        (row.deputy_id, f"Your time as a deputy in {game.title} ({game.slug}) is over. Thank you."),
        (
            row.player_id,
            f"The time of your deputy in {game.title} ({game.slug}) is over; only you order from now on.",
        ),
    ):
        tell_person(
            session,
            office,
            session.get_one(Player, number),
            subject=f"{game.title}: the time of a deputy is over",
            paragraphs=(text,),
            key=f"deputy-ended.{game.slug}.{row.from_at:%Y%m%d%H%M}",
        )


def confirm(session: Session, office: Office, row: Absence, game: Game) -> None:
    """Both have agreed: from his first day on the deputy stands in. The GMs are told."""
    row.deputy_state = CONFIRMED
    session.flush()
    held = {player.id: power for power, player in current_seats(session, game).items()}
    power, deputy = held.get(row.player_id), session.get_one(Player, row.deputy_id)
    zone = settings_of(game.settings).zone
    if power is not None:
        name = power_name(game, power)
        tell_gms(
            session,
            office,
            game,
            subject=f"{game.title}: a deputy for {name}",
            paragraphs=(
                f"{deputy.name} stands in for the player of {name} from {in_zone(row.from_at, zone)} to "
                f"{in_zone(row.to_at, zone)} ({row.scope}). Both have confirmed it. Nobody else is told.",
            ),
            key=f"deputy.{power}.{row.from_at:%Y%m%d%H%M}",
        )
    look_at(session, office, row)
