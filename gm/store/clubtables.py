"""Tables of the club around the games: campaigns and their people, absences, standbys, the zine."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from gm.store.tables import Base


class CampaignGM(Base):
    """A GM's right over a campaign and all its games."""

    __tablename__ = "campaign_gm"
    __table_args__ = (UniqueConstraint("campaign_id", "player_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaign.id", ondelete="CASCADE"))
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), index=True)


class Roster(Base):
    """Who belongs to a campaign, and how."""

    __tablename__ = "roster"
    __table_args__ = (UniqueConstraint("campaign_id", "player_id", "role"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaign.id", ondelete="CASCADE"))
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), index=True)
    role: Mapped[str] = mapped_column(String(16))
    """reader (gets the zine) · waiting (wants a game) · standby (takes over seats) · off (wants no zine, though he
    plays)."""
    wish: Mapped[str] = mapped_column(default="")
    """waiting: the ruleset he waits for, empty for any."""
    joined_at: Mapped[datetime]


class Absence(Base):
    """A time in which a player sends no orders, announced before."""

    __tablename__ = "absence"

    id: Mapped[int] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id", ondelete="CASCADE"), index=True)
    game_id: Mapped[int | None] = mapped_column(ForeignKey("game.id", ondelete="CASCADE"))
    """None: from all his games."""
    from_at: Mapped[datetime]
    to_at: Mapped[datetime]
    deputy_id: Mapped[int | None] = mapped_column(ForeignKey("player.id"))
    scope: Mapped[str] = mapped_column(String(16), default="orders")
    """What the deputy may do: orders · orders+press."""
    deputy_state: Mapped[str] = mapped_column(String(16), default="none")
    """none · asked · agreed (by the deputy) · confirmed (by both) · active · ended."""
    cancelled_at: Mapped[datetime | None]
    created_at: Mapped[datetime]


class SeatOffer(Base):
    """A vacant or endangered seat offered to a standby. One offer of a seat is open at a time."""

    __tablename__ = "seat_offer"
    __table_args__ = (
        Index(
            "uq_seat_offer_open",
            "game_id",
            "power",
            unique=True,
            sqlite_where=text("state = 'open'"),
            postgresql_where=text("state = 'open'"),
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("game.id", ondelete="CASCADE"))
    power: Mapped[str] = mapped_column(String(64))
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), index=True)
    state: Mapped[str] = mapped_column(String(16), default="open")
    """open · taken · declined · lapsed · withdrawn."""
    offered_at: Mapped[datetime]
    expires_at: Mapped[datetime]


class Issue(Base):
    """A published number of a campaign's zine, frozen: public values only."""

    __tablename__ = "issue"
    __table_args__ = (UniqueConstraint("campaign_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaign.id", ondelete="CASCADE"))
    number: Mapped[int]
    content: Mapped[dict[str, Any]]
    """`gm.reports.issue` values as JSON; maps are drawn anew from the phases that it names."""
    pdf: Mapped[bytes | None] = mapped_column(deferred=True)
    """In print; None: not set yet, empty: it could not be set."""
    published_at: Mapped[datetime]


class Contribution(Base):
    """Something written for the zine: editorial, letter, answer, erratum. Printed once, in the next issue."""

    __tablename__ = "contribution"

    id: Mapped[int] = mapped_column(primary_key=True)
    campaign_id: Mapped[int] = mapped_column(ForeignKey("campaign.id", ondelete="CASCADE"), index=True)
    kind: Mapped[str] = mapped_column(String(16))
    """editorial · letter · answer (to a letter) · erratum."""
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"))
    byline: Mapped[str]
    body: Mapped[str]
    sent_at: Mapped[datetime]
    issue_id: Mapped[int | None] = mapped_column(ForeignKey("issue.id"))
    """The number that printed it; None while it waits."""
    game_id: Mapped[int | None] = mapped_column(ForeignKey("game.id", ondelete="SET NULL"))
    """erratum: the game whose report it puts right; None: of the issue as a whole."""
    corrects: Mapped[int | None]
    """erratum: number of the issue that was wrong, if it was one."""
    answers_id: Mapped[int | None] = mapped_column(ForeignKey("contribution.id", ondelete="CASCADE"))
    """answer: the letter below which it is printed."""
    inbound_id: Mapped[int | None] = mapped_column(ForeignKey("inbound.id"))
