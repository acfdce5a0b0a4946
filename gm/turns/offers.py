"""Seats offered to standby players, one after the other: who is on the list, who is asked, what a GM is told of it."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from gm.clock.words import in_zone
from gm.games import ruleset
from gm.games.api import PowerId
from gm.store.clubtables import Roster, SeatOffer
from gm.store.tables import Campaign, Game, Player, Seat, Sheet
from gm.turns.notices import tell_gms, tell_person
from gm.turns.office import Office
from gm.turns.people import current_seats, game_gms, power_name, seat_of, waiting
from gm.turns.reliability import record_of
from gm.turns.reportmail import deadline_text
from gm.turns.settings import settings_of
from gm.turns.sheets import open_phase

UNDER_WAY = ("running", "paused")


def standbys(session: Session, game: Game) -> list[Player]:
    """Who may take over a seat: the game's own list, first come first, then that of its campaign."""
    ids = [row.player_id for row in waiting(session, game, "standby")]
    if game.campaign_id is not None:
        ids += session.scalars(
            select(Roster.player_id)
            .where(Roster.campaign_id == game.campaign_id, Roster.role == "standby")
            .order_by(Roster.joined_at, Roster.id)
        )
    busy = {p.id for p in [*current_seats(session, game).values(), *game_gms(session, game)]}
    return [session.get_one(Player, number) for number in dict.fromkeys(ids) if number not in busy]


def open_offer(session: Session, game: Game, power: PowerId) -> SeatOffer | None:
    """The offer of a seat that waits for its answer."""
    return session.scalar(
        select(SeatOffer).where(
            SeatOffer.game_id == game.id, SeatOffer.power == power, SeatOffer.state == "open"
        )
    )


def still_wanted(session: Session, game: Game, offer: SeatOffer) -> bool:
    """Whether a seat still needs somebody: it is vacant, or its player has not come back since it was offered."""
    phase = open_phase(session, game)
    if game.status not in UNDER_WAY or phase is None:
        return False
    seat = seat_of(session, game, offer.power)
    if seat is None:
        return True
    came = session.scalar(
        select(Sheet.id)
        .where(
            Sheet.phase_id == phase.id,
            Sheet.power == offer.power,
            Sheet.source != "gm",
            Sheet.received_at >= offer.offered_at,
        )
        .limit(1)
    )
    return came is None and seat.joined_at <= offer.offered_at


def offer_next(session: Session, office: Office, game: Game, power: PowerId) -> SeatOffer | None:
    """Offer a seat to the first on the list who was not asked yet for this vacancy. None: there is nobody left."""
    since = session.scalar(
        select(Seat.joined_at)
        .where(Seat.game_id == game.id, Seat.power == power)
        .order_by(Seat.id.desc())
        .limit(1)
    )
    asked = set(
        session.scalars(
            select(SeatOffer.player_id).where(
                SeatOffer.game_id == game.id,
                SeatOffer.power == power,
                SeatOffer.state != "withdrawn",
                *(() if since is None else (SeatOffer.offered_at >= since,)),
            )
        )
    )
    has_offer = set(
        session.scalars(
            select(SeatOffer.player_id).where(SeatOffer.game_id == game.id, SeatOffer.state == "open")
        )
    )
    free = [p for p in standbys(session, game) if p.id not in asked and p.id not in has_offer]
    if not free or open_offer(session, game, power) is not None:
        return None
    now = office.now()
    offer = SeatOffer(
        game_id=game.id,
        power=power,
        player_id=free[0].id,
        offered_at=now,
        expires_at=now + timedelta(hours=max(1, settings_of(game.settings).standby_hours)),
    )
    session.add(offer)
    session.flush()
    _ask(session, office, game, offer, free[0])
    return offer


def _ask(session: Session, office: Office, game: Game, offer: SeatOffer, player: Player) -> None:
    name, phase = power_name(game, offer.power), open_phase(session, game)
    held = seat_of(session, game, offer.power) is not None
    due = deadline_text(game, phase, player)
    tell_person(
        session,
        office,
        player,
        subject=f"{game.title}: will you take over {name}?",
        paragraphs=(
            f"You are a standby player of {_list_of(session, game, player)}, a game of "
            f"{ruleset(game.ruleset).meta.title}. "
            + (
                f"No orders came for {name} in the last phase. Its seat is yours if you want it, unless its player "
                "comes back before you answer."
                if held
                else f"{name} has no player. The seat is yours if you want it."
            ),
            (f"{phase.title} is open" if phase else "No phase is open")
            + (f"; orders are due {due}." if due else "."),
            f"Reply with a line ACCEPT {game.slug}, or DECLINE {game.slug}, until "
            f"{in_zone(offer.expires_at, player.zone)}. After that the next one on the list is asked. If you accept, a "
            "mail brings you up to date with all that your seat may know.",
        ),
        key=f"offer.{game.slug}.{offer.power}.{offer.offered_at:%Y%m%d%H%M}",
    )


def _list_of(session: Session, game: Game, player: Player) -> str:
    """The list that a player is on: of the game itself, or of its campaign."""
    if player.id in {row.player_id for row in waiting(session, game, "standby")} or game.campaign_id is None:
        return f"{game.title} ({game.slug})"
    title = session.get_one(Campaign, game.campaign_id).title
    return f"{title}, to which {game.title} ({game.slug}) belongs"


def describe(session: Session, game: Game, player: Player) -> str:
    """A standby player with his record, for the GMs of a game."""
    record = record_of(session, player, viewers=game_gms(session, game) or [player])
    return f"{player.name} ({record.text})"


def vacancy(session: Session, office: Office, game: Game, power: PowerId) -> tuple[str, ...]:
    """What follows when a seat is vacant or its player missed a phase: sentences for the mail that tells the GMs.

    With ``standby = auto`` the first of the list is asked at once.
    """
    rules = settings_of(game.settings)
    found = standbys(session, game) if rules.standby != "none" else []
    if not found or open_offer(session, game, power) is not None or game.status not in UNDER_WAY:
        return ()
    if rules.standby == "auto":
        offer = offer_next(session, office, game, power)
        return (offered_text(session, game, offer),) if offer is not None else ()
    names = "; ".join(describe(session, game, player) for player in found)
    return (
        f"Standby players, in the order of the list: {names}.",
        f"OFFER {power_name(game, power)} asks them in that order, each for {rules.standby_hours} hours.",
    )


def offered_text(session: Session, game: Game, offer: SeatOffer) -> str:
    """A sentence for the GMs on an offer that was made."""
    player = session.get_one(Player, offer.player_id)
    until = in_zone(offer.expires_at, settings_of(game.settings).zone)
    return f"{power_name(game, offer.power)} is offered to {describe(session, game, player)} until {until}."


def tell_first_missed(session: Session, office: Office, game: Game, powers: list[PowerId], key: str) -> None:
    """Tell the GMs what standby players there are for seats whose players missed a first phase."""
    said = [(power, vacancy(session, office, game, power)) for power in powers]
    names = [power_name(game, power) for power, lines in said if lines]
    if names:
        tell_gms(
            session,
            office,
            game,
            subject=f"{game.title}: no orders from {', '.join(names)}",
            paragraphs=(
                f"No orders came from {', '.join(names)} in this phase.",
                *dict.fromkeys(line for _power, lines in said for line in lines),
            ),
            key=f"missed.{key}",
        )


def close(session: Session, office: Office, game: Game, offer: SeatOffer, state: str, told: str) -> None:
    """End an open offer; the player who had it is told why, unless `told` is empty."""
    offer.state = state
    session.flush()
    if told:
        tell_person(
            session,
            office,
            session.get_one(Player, offer.player_id),
            subject=f"{game.title}: the offer of {power_name(game, offer.power)} has ended",
            paragraphs=(told,),
            key=f"offer-ended.{game.slug}.{offer.power}.{offer.offered_at:%Y%m%d%H%M}",
        )


def go_on(session: Session, office: Office, game: Game, offer: SeatOffer, what: str) -> SeatOffer | None:
    """After an offer that was declined or not answered: ask the next one, and tell the GMs."""
    following = offer_next(session, office, game, offer.power)
    name, player = power_name(game, offer.power), session.get_one(Player, offer.player_id)
    tell_gms(
        session,
        office,
        game,
        subject=f"{game.title}: {name} {'is offered to the next' if following else 'finds no player'}",
        paragraphs=(
            f"{player.name} {what}.",
            offered_text(session, game, following)
            if following
            else "Nobody is left on the standby list who was not asked. REPLACE gives the seat to somebody else.",
        ),
        key=f"offer-next.{offer.power}.{offer.offered_at:%Y%m%d%H%M}",
    )
    return following


def open_offers(session: Session, player: Player | None = None) -> list[SeatOffer]:
    """Offers that wait for an answer: those of a player, or all."""
    mine = () if player is None else (SeatOffer.player_id == player.id,)
    return list(
        session.scalars(select(SeatOffer).where(SeatOffer.state == "open", *mine).order_by(SeatOffer.id))
    )
