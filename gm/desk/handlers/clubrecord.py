"""The record of what a campaign's GMs did, in words."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

from sqlalchemy import select

from gm.clock.words import in_zone
from gm.desk.desk import Desk, NoRight
from gm.desk.handlers.clubbing import runs
from gm.games.api import Section
from gm.store.tables import Audit, Campaign, Player

SHOWN = 50
"""Acts that AUDIT shows, newest first."""

_WORDS: Mapping[str, str] = {
    "create campaign": "founded the campaign",
    "set": "set {rule} to {value}",
    "publish": "sent the next issue to press",
    "add gm": "made {who} a GM",
    "drop gm": "took a GM's rights from {who}",
    "add standby": "put {who} on the standby list",
    "drop standby": "took {who} off the standby list",
    "call": "opened {game}",
    "add game": "took {game} into the campaign",
    "drop letter": "struck a text from the next issue, so that the numbers have changed",
    "fault": "met with a fault, trace {trace}",
}


def campaign_record(desk: Desk, campaign: Campaign) -> Section:
    """The last acts, for its GMs. Raises NoRight for anybody else."""
    if not runs(desk, campaign):
        raise NoRight(f"Only a GM of the campaign {campaign.slug} reads its record.")
    acts = desk.session.scalars(select(Audit).where(Audit.game_id.is_(None)).order_by(Audit.id.desc()))
    rows = islice((row for row in acts if row.detail.get("campaign") == campaign.slug), SHOWN)
    zone = desk.need_person().zone
    shown = [f"{in_zone(row.at, zone)}: {actor(desk, row.actor)}: {told(desk, row)}" for row in rows]
    return Section(title="Record, newest first", lines=tuple(shown))


def told(desk: Desk, row: Audit) -> str:
    """One act as the end of a sentence."""
    detail: dict[str, Any] = dict(row.detail)
    player = desk.session.get(Player, detail["player"]) if "player" in detail else None
    return _WORDS.get(row.action, row.action).format_map(
        {**detail, "who": player.name if player else "somebody"}
    )


def actor(desk: Desk, said: str) -> str:
    """Who did it: ``"GM Olga"``, ``"server"``."""
    word, _, number = said.partition(" ")
    person = desk.session.get(Player, int(number)) if word == "gm" and number.isdigit() else None
    return f"GM {person.name}" if person else said
