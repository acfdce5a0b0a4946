"""Offers of seats answered by standby players, and those that nobody answered in time."""

from __future__ import annotations

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from gm.log import logger
from gm.store.clubtables import SeatOffer
from gm.store.tables import Audit, Game, Player
from gm.turns import offers
from gm.turns.due import unread_before
from gm.turns.lifecycle import replace_player
from gm.turns.notices import tell_gms
from gm.turns.office import Office
from gm.turns.people import power_name, seat_of

log = logger("standby")


def accept(session: Session, office: Office, game: Game, offer: SeatOffer) -> None:
    """Give a seat to the player who was offered it. Raises gm.turns.starting.GameError."""
    player, name = session.get_one(Player, offer.player_id), power_name(game, offer.power)
    endangered = seat_of(session, game, offer.power) is not None
    offers.close(session, office, game, offer, "taken", "")
    replace_player(
        session,
        office,
        game,
        offer.power,
        player,
        why="out" if endangered else "replaced",
        told="No orders came from you, so a standby player has taken over.",
    )
    session.add(
        Audit(
            game_id=game.id,
            actor="server",
            action="standby",
            detail={"power": offer.power, "player": player.id},
            at=office.now(),
        )
    )
    tell_gms(
        session,
        office,
        game,
        subject=f"{game.title}: {name} has a new player",
        paragraphs=(f"{player.name} has accepted the offer and plays {name} from now on.",),
        key=f"standby.{offer.power}.{offer.offered_at:%Y%m%d%H%M}",
    )


def decline(session: Session, office: Office, game: Game, offer: SeatOffer) -> None:
    """Pass an offer on to the next on the list."""
    offers.close(session, office, game, offer, "declined", "")
    offers.go_on(session, office, game, offer, "has declined")


def look_at_offers(office: Office) -> int:
    """Withdraw offers that are needed no more and pass on those that were not answered. Returns how many ended."""
    with office.store.read() as session:
        found = [offer.id for offer in offers.open_offers(session)]
    ended = 0
    for number in found:
        try:
            ended += _look_at(office, number)
        except SQLAlchemyError:
            raise
        except Exception:  # of a ruleset, say: the other games' offers go on
            log.exception("an offer could not be looked at", offer=number)
    return ended


def _look_at(office: Office, number: int) -> bool:
    now = office.now()
    with office.store.write() as session:
        offer = session.get_one(SeatOffer, number)
        game = session.get_one(Game, offer.game_id)
        if offer.state != "open":
            return False
        name = power_name(game, offer.power)
        if not offers.still_wanted(session, game, offer):
            told = f"{name} in {game.slug} needs no new player any more; you stay on the list."
            offers.close(session, office, game, offer, "withdrawn", told)
            return True
        if offer.expires_at > now or unread_before(session, offer.expires_at):
            return False
        told = f"No answer of yours came in time, so {name} in {game.slug} is offered to others."
        offers.close(session, office, game, offer, "lapsed", told)
        offers.go_on(session, office, game, offer, "has not answered in time")
        return True
