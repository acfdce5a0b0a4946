"""A server that publishes two issues of a zine: a letter comes in, a turn runs, an issue is due, and the next one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import select

from gm.app.service import open_office
from gm.club import campaigns
from gm.club.issuemaking import next_issue
from gm.mail.spool import Arrival, accept
from gm.store.tables import Address, Campaign, Game, Player
from tests.kill import actor
from tests.kill.actor import BEGIN, DEADLINE, Step

READER = "eva"
LETTER = b"From: ann@example.org\r\nMessage-ID: <letter@example.org>\r\nSubject: x\r\n\r\nLETTER danube: Good day.\r\n"
FIRST, SECOND = DEADLINE + timedelta(hours=1), DEADLINE + timedelta(hours=25)
"""When the issues are due: at 21:00."""


def prepare(folder: Path) -> None:
    """The actor's game in a campaign with a daily zine, which has a reader who does not play."""
    actor.prepare(folder)
    office = open_office(actor.settings(folder), now=lambda: BEGIN)
    with office.store.write() as session:
        campaign = campaigns.create_campaign(
            session, slug="danube", title="The Danube Courier", gm=None, now=BEGIN
        )
        rules = campaigns.campaign_settings(campaign).changed("zine", "every day 21:00 UTC")
        campaign.settings = rules.as_json()
        campaign.issue_due_at = next_issue(rules, None, BEGIN)
        campaigns.take_in(session, campaign, session.scalars(select(Game)).one())
        eva = Player(name="Eva", created_at=BEGIN)
        session.add(eva)
        session.flush()
        session.add(
            Address(player_id=eva.id, email=f"{READER}@example.org", state="active", created_at=BEGIN)
        )
        campaigns.set_role(session, campaign, eva, "reader", True, now=BEGIN)
        assert session.scalars(select(Campaign.issue_due_at)).one() == FIRST
    office.store.close()


def take_letter(folder: Path, now: Callable[[], datetime]) -> None:
    """Ann's letter to the editor comes, and again until it is acknowledged."""
    if "letter" in actor.lines(folder / "acknowledged"):
        return
    office = open_office(actor.settings(folder), now=now)
    recipient, _ = actor.order_mails(folder)[0]
    arrival = Arrival(
        raw=LETTER, envelope_from="ann@example.org", recipients=(recipient,), peer="192.0.2.1", via="smtp"
    )
    accept(office.store, [arrival], office.now)
    actor.append(folder / "acknowledged", "letter")
    office.store.close()


STEPS: tuple[Step, ...] = (
    (BEGIN + timedelta(hours=1), take_letter),
    (DEADLINE - timedelta(minutes=1), actor.work),
    (DEADLINE, actor.work),
    (FIRST, actor.work),
    (SECOND, actor.work),
    (SECOND + timedelta(minutes=1), actor.work),
)
