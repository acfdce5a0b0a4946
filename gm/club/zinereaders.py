"""Who gets the zine of a campaign, where it reaches him, and what stands on his own page of it."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from gm.clock.words import for_reader
from gm.club.campaigns import campaign_games, campaign_gms, roster
from gm.club.issuepost import Addressee
from gm.reports.issue import PrivatePage
from gm.store.clubtables import Issue, Roster
from gm.store.tables import Campaign, Player, Seat, SignUp
from gm.turns.office import Office
from gm.turns.people import best_address, current_seats, power_name
from gm.turns.reportmail import Reader, dues_of
from gm.turns.settings import settings_of
from gm.turns.sheets import latest, open_phase
from gm.turns.tokens import reply_address


def readers_of(session: Session, campaign: Campaign) -> list[Player]:
    """Players, GMs and subscribers of a campaign, a mail each; without those who want none.

    A game that has ended has its players among them until the issue after its end.
    """
    games = [g.id for g in campaign_games(session, campaign) if g.status != "finished"]
    last = session.scalar(
        select(Issue.published_at)
        .where(Issue.campaign_id == campaign.id)
        .order_by(Issue.number.desc())
        .limit(1)
    )
    games += [
        g.id
        for g in campaign_games(session, campaign)
        if g.status == "finished" and g.ended_at is not None and (last is None or g.ended_at >= last)
    ]
    seated = select(Seat.player_id).where(Seat.game_id.in_(games), Seat.left_at.is_(None))
    signed = select(SignUp.player_id).where(SignUp.game_id.in_(games))
    listed = select(Roster.player_id).where(Roster.campaign_id == campaign.id, Roster.role != "off")
    found = session.scalars(
        select(Player)
        .where(Player.id.in_(seated) | Player.id.in_(signed) | Player.id.in_(listed))
        .order_by(Player.id)
    ).all()
    off = {row.player_id for row in roster(session, campaign, "off")}
    both = {p.id: p for p in (*found, *campaign_gms(session, campaign))}
    return [player for number, player in both.items() if number not in off]


def addressee(session: Session, office: Office, player: Player) -> Addressee | None:
    """A player as mail finds him, with his own reply address; None if no address of his was ever confirmed."""
    best = best_address(session, player)
    if not best:
        return None
    return Addressee(
        player_id=player.id,
        name=player.name,
        email=best,
        reply_to=reply_address(session, office, "person", player),
        language=player.language,
    )


def private_pages(session: Session, campaign: Campaign, player: Player) -> tuple[PrivatePage, ...]:
    """What a reader owes in each of his games, and what he has on file: for his own mail only."""
    pages = []
    for game in campaign_games(session, campaign):
        phase = open_phase(session, game)
        if phase is None:
            continue
        for power, holder in current_seats(session, game).items():
            if holder.id != player.id:
                continue
            name = power_name(game, power)
            sheet = latest(session, phase, power)
            owed = dues_of(game, phase, Reader(player=player, power=power, title=name, kind="seat"))
            filed = (f"On file: version {sheet.version}, {len(sheet.orders)} orders.",) if sheet else ()
            pages.append(
                PrivatePage(
                    game=game.slug,
                    title=f"{game.title}: {name}",
                    due=(*owed, *filed),
                    deadline=for_reader(phase.due_at, player.zone, settings_of(game.settings).zone)
                    if phase.due_at is not None and game.status == "running"
                    else "",
                )
            )
    return tuple(pages)
