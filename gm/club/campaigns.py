"""Campaigns: games of any rulesets run together by their GMs, with a calendar, house rules, a roster and standings.

A campaign's GM is a GM of each of its games: the rights over games are rows of `GameGM` as for any other game, kept
in step here, so that nothing else has to know of campaigns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from gm.clock.calendar import Calendar, CalendarError, parse_calendar
from gm.games import RULESETS, ruleset
from gm.mail.addresses import can_be_game_id
from gm.reports.issue import StandingsRow
from gm.store.clubtables import CampaignGM, Roster
from gm.store.tables import Campaign, Game, GameGM, Player, Seat, SignUp
from gm.turns.people import current_seats, power_of
from gm.turns.settings import GameSettings, SettingError, UnknownRule, settings_for, settings_of
from gm.turns.starting import GameError

WIN = 100
"""Points of a game that has ended, shared by its winners; what does not divide is dropped."""
STAYED = 10
"""Points of everybody else who still held his power when a game was won or drawn."""
MOST_MAPS = 12
OWN_RULES = ("zine", "tagline", "maps")
"""Rules of the campaign itself; the others are house rules of its games."""


@dataclass(frozen=True, kw_only=True)
class CampaignSettings:
    """What a campaign's GMs set: of the zine, and the house rules with which its games begin."""

    zine: str = "none"
    """When the zine is published: a calendar; none: when a GM says so."""
    tagline: str = ""
    """Printed below the zine's title."""
    maps: int = 3
    """How many maps go with the zine's mail, the reader's own games first; 0: none."""
    house: Mapping[str, Any] = field(default_factory=dict)
    """House rules that differ from those of the server: its games begin with them."""
    resume: str = ""
    """When the next regular issue is due, while an extra one goes to press; set by `gm.club.zine` only."""

    @property
    def zone(self) -> str:
        """The campaign's own time zone."""
        return str(self.house.get("zone", GameSettings().zone))

    def game_settings(self, ruleset_id: str = "") -> GameSettings:
        """The house rules with which a game of a ruleset begins in the campaign."""
        return settings_of({**settings_for(ruleset_id).as_json(), **self.house})

    def calendar(self) -> Calendar:
        """When issues are published. Raises CalendarError (only if the stored text was never checked)."""
        return parse_calendar(self.zine, zone=self.zone)

    def as_json(self) -> dict[str, Any]:
        """For `Campaign.settings`."""
        return {f.name: getattr(self, f.name) for f in fields(self)} | {"house": dict(self.house)}

    def changed(self, name: str, text: str) -> CampaignSettings:
        """A copy with one rule set from a GM's words. Raises SettingError."""
        value = text.strip()
        if name == "zine":
            new = replace(self, zine=value)
        elif name == "tagline":
            new = replace(self, tagline="" if value.lower() == "none" else value[:200])
        elif name == "maps":
            if not value.isdigit() or int(value) > MOST_MAPS:
                raise SettingError(f"maps must be a whole number from 0 to {MOST_MAPS}, not {value!r}")
            new = replace(self, maps=int(value))
        elif name in GameSettings().as_json():
            ruled = self.game_settings().changed(name, text).as_json()
            new = replace(self, house={**self.house, name: ruled[name]})
        else:
            known = (*OWN_RULES, *GameSettings().as_json())
            raise UnknownRule(f"a campaign has no rule {name!r}; there are: {', '.join(known)}", name, known)
        try:
            new.calendar()
        except CalendarError as wrong:
            raise SettingError(str(wrong)) from None
        return new


def campaign_settings(campaign: Campaign) -> CampaignSettings:
    """`Campaign.settings` as values; a rule that the store does not know yet takes its default."""
    stored = campaign.settings
    return CampaignSettings(**{f.name: stored[f.name] for f in fields(CampaignSettings) if f.name in stored})


def create_campaign(session: Session, *, slug: str, title: str, gm: Player | None, now: datetime) -> Campaign:
    """A campaign without games. Raises GameError: the name is taken or cannot be part of an address."""
    name = slug.lower()
    if not can_be_game_id(name):
        raise GameError(
            f"{slug!r} cannot name a campaign: use up to 40 of a-z, 0-9, - and _, a letter or digit first"
        )
    if session.scalar(select(Campaign.id).where(Campaign.slug == name)) is not None:
        raise GameError(f"there is a campaign {name!r} already")
    campaign = Campaign(slug=name, title=title or name, settings=CampaignSettings().as_json(), created_at=now)
    session.add(campaign)
    session.flush()
    if gm is not None:
        session.add(CampaignGM(campaign_id=campaign.id, player_id=gm.id))
        session.flush()
    return campaign


def campaign_gms(session: Session, campaign: Campaign) -> list[Player]:
    """The campaign's GMs, in the order in which they were appointed."""
    return list(
        session.scalars(
            select(Player)
            .join(CampaignGM, CampaignGM.player_id == Player.id)
            .where(CampaignGM.campaign_id == campaign.id)
            .order_by(CampaignGM.id)
        )
    )


def campaign_games(session: Session, campaign: Campaign) -> list[Game]:
    """The campaign's games, oldest first."""
    return list(session.scalars(select(Game).where(Game.campaign_id == campaign.id).order_by(Game.id)))


def runs(session: Session, campaign: Campaign, player: Player) -> bool:
    """Whether a player is a GM of a campaign."""
    found = select(CampaignGM.id).where(
        CampaignGM.campaign_id == campaign.id, CampaignGM.player_id == player.id
    )
    return session.scalar(found) is not None


def take_in(session: Session, campaign: Campaign, game: Game) -> None:
    """Make a game one of a campaign's: the campaign's GMs become its GMs, except who plays in it.

    Raises:
        GameError: it belongs to another campaign.
    """
    if game.campaign_id not in (None, campaign.id):
        raise GameError(f"{game.slug} belongs to another campaign")
    game.campaign_id = campaign.id
    for gm in campaign_gms(session, campaign):
        _appoint(session, game, gm)
    session.flush()


def _appoint(session: Session, game: Game, gm: Player) -> bool:
    """Give a GM's rights over a game, unless he plays in it: he would see what his opponents order."""
    if power_of(session, game, gm.id) is not None or _signed_up(session, game, gm):
        return False
    there = select(GameGM.id).where(GameGM.game_id == game.id, GameGM.player_id == gm.id)
    if session.scalar(there) is None:
        session.add(GameGM(game_id=game.id, player_id=gm.id))
        session.flush()
    return True


def _signed_up(session: Session, game: Game, player: Player) -> bool:
    found = select(SignUp.id).where(
        SignUp.game_id == game.id, SignUp.player_id == player.id, SignUp.role == "player"
    )
    return session.scalar(found) is not None


def step_down(session: Session, game: Game, player: Player) -> bool:
    """Take a GM's rights over one game from one who will play in it, if another GM is there to run it.

    Returns whether he had them and lost them.
    """
    rows = session.scalars(select(GameGM).where(GameGM.game_id == game.id)).all()
    mine = [row for row in rows if row.player_id == player.id]
    if not mine or len(rows) == 1:
        return False
    session.delete(mine[0])
    session.flush()
    return True


def add_gm(session: Session, campaign: Campaign, gm: Player) -> list[Game]:
    """Make a player a GM of a campaign and of its games. Returns the games in which he plays, which he does not run.

    Raises:
        GameError: he is one.
    """
    if runs(session, campaign, gm):
        raise GameError(f"{gm.name} is a GM of {campaign.slug} already")
    session.add(CampaignGM(campaign_id=campaign.id, player_id=gm.id))
    session.flush()
    return [g for g in campaign_games(session, campaign) if not _appoint(session, g, gm)]


def drop_gm(session: Session, campaign: Campaign, gm: Player) -> None:
    """Take a GM's rights over a campaign and all its games. Raises GameError: he is none, or the last one."""
    there = campaign_gms(session, campaign)
    if gm.id not in {player.id for player in there}:
        raise GameError(f"{gm.name} is no GM of {campaign.slug}")
    if len(there) == 1:
        raise GameError(f"{gm.name} is the only GM of {campaign.slug}; add another first")
    session.execute(
        delete(CampaignGM).where(CampaignGM.campaign_id == campaign.id, CampaignGM.player_id == gm.id)
    )
    games = select(Game.id).where(Game.campaign_id == campaign.id)
    session.execute(delete(GameGM).where(GameGM.player_id == gm.id, GameGM.game_id.in_(games)))
    session.flush()


def roster(session: Session, campaign: Campaign, role: str) -> list[Roster]:
    """Who belongs to a campaign in a role, first come first."""
    return list(
        session.scalars(
            select(Roster)
            .where(Roster.campaign_id == campaign.id, Roster.role == role)
            .order_by(Roster.joined_at, Roster.id)
        )
    )


def set_role(
    session: Session,
    campaign: Campaign,
    player: Player,
    role: str,
    on: bool,
    *,
    now: datetime,
    wish: str = "",
) -> bool:
    """Put a player on a list of a campaign or take him off. Returns whether that changed anything."""
    row = session.scalar(
        select(Roster).where(
            Roster.campaign_id == campaign.id, Roster.player_id == player.id, Roster.role == role
        )
    )
    if row is not None and not on:
        session.delete(row)
    elif row is None and on:
        session.add(Roster(campaign_id=campaign.id, player_id=player.id, role=role, wish=wish, joined_at=now))
    elif row is not None and row.wish != wish:
        row.wish = wish
    else:
        return False
    session.flush()
    return True


def waiting_for(session: Session, campaign: Campaign, ruleset_id: str) -> list[Player]:
    """Who waits for a new game of a ruleset, or of any, first come first."""
    rows = roster(session, campaign, "waiting")
    return [session.get_one(Player, row.player_id) for row in rows if row.wish in ("", ruleset_id)]


def waiting_lists(session: Session, campaign: Campaign) -> list[tuple[str, int, int]]:
    """``(ruleset, how many wait, how many a game takes)`` for each ruleset that somebody waits for by name."""
    rows = roster(session, campaign, "waiting")
    named = {row.wish for row in rows if row.wish}
    return [
        (
            name,
            sum(row.wish in ("", name) for row in rows),
            len(ruleset(name).meta.powers),
        )
        for name in RULESETS
        if name in named
    ]


def campaigns_of(session: Session, player: Player) -> list[Campaign]:
    """The campaigns that a player belongs to: as a GM, with a seat, or on a list."""
    seated = (
        select(Game.campaign_id)
        .join(Seat, Seat.game_id == Game.id)
        .where(Seat.player_id == player.id, Game.campaign_id.is_not(None))
    )
    listed = select(Roster.campaign_id).where(Roster.player_id == player.id)
    run = select(CampaignGM.campaign_id).where(CampaignGM.player_id == player.id)
    return list(
        session.scalars(
            select(Campaign)
            .where(Campaign.id.in_(seated) | Campaign.id.in_(listed) | Campaign.id.in_(run))
            .order_by(Campaign.id)
        )
    )


def standings(session: Session, campaign: Campaign) -> tuple[StandingsRow, ...]:
    """The table of the campaign, best first, of what everybody may know.

    A game that is won or drawn gives `WIN` points, shared by its winners, and `STAYED` to everybody else who still
    held his power at the end; a game called off gives none. An anonymous game counts once it is over.
    """
    games: dict[int, int] = {}
    points: dict[int, int] = {}
    for game in campaign_games(session, campaign):
        over = game.status == "finished"
        if game.started_at is None or (settings_of(game.settings).anonymous and not over):
            continue
        winners = set((game.result or {}).get("winners", ())) if over else set()
        for power, player in current_seats(session, game).items():
            games[player.id] = games.get(player.id, 0) + 1
            gain = WIN // len(winners) if power in winners else STAYED if winners else 0
            points[player.id] = points.get(player.id, 0) + gain
    rows = [
        StandingsRow(player=session.get_one(Player, number).name, games=count, points=points.get(number, 0))
        for number, count in games.items()
    ]
    return tuple(sorted(rows, key=lambda row: (-row.points, -row.games, row.player)))
