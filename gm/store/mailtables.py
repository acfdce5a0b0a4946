"""Tables of the mail: what came in (raw, immutable) and what goes out (the outbox)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from gm.store.tables import Base


class Inbound(Base):
    """A mail as it arrived. The row is committed before the sender hears 250; the raw bytes never change."""

    __tablename__ = "inbound"
    # Ids are never used again, even after old rows were purged: notices and logs name them.
    __table_args__ = (Index("ix_inbound_status", "status", "id"), {"sqlite_autoincrement": True})

    id: Mapped[int] = mapped_column(primary_key=True)
    identity: Mapped[str] = mapped_column(String(64), unique=True)
    """SHA-256 over recipient, Message-ID and body: the same mail again has the same one."""
    raw: Mapped[bytes]
    sha256: Mapped[str] = mapped_column(String(64))
    """Of the raw bytes."""
    message_id: Mapped[str | None] = mapped_column(String(250), index=True)
    """Its Message-ID where it has a sane one."""
    clash_id: Mapped[int | None] = mapped_column(ForeignKey("inbound.id"))
    """The first earlier mail to this recipient with the same Message-ID but another body."""
    envelope_from: Mapped[str]
    recipient: Mapped[str]
    """One of ours. A mail to several of our addresses is one row each."""
    peer: Mapped[str] = mapped_column(String(64))
    via: Mapped[str] = mapped_column(String(8))
    """smtp · lmtp · imap · pipe."""
    received_at: Mapped[datetime]
    """Our clock at acceptance: the time that counts for deadlines."""
    status: Mapped[str] = mapped_column(String(12), default="new")
    """new · done · quarantined."""
    attempts: Mapped[int] = mapped_column(default=0)
    outcome: Mapped[dict[str, Any] | None]
    """What the desk made of it: ``{"answered": bool, "why_not": ..., "notes": [...]}``."""
    done_at: Mapped[datetime | None]


class Outbound(Base):
    """A mail to send: one row a recipient. Its Message-ID is fixed here, so a repeat can be told as one."""

    __tablename__ = "outbound"
    __table_args__ = (
        Index("ix_outbound_status", "status", "next_try_at"),
        Index("ix_outbound_queued", "queued_at", "game_id", "released_at"),
        Index("ix_outbound_recipient", "recipient"),
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    message_id: Mapped[str] = mapped_column(String(250), unique=True)
    verp: Mapped[str] = mapped_column(String(40), unique=True)
    """Opaque word in the envelope sender, by which a bounce finds this row. Made from the Message-ID and the
    server's secret: a row number would tell a player how much mail others get."""
    kind: Mapped[str] = mapped_column(String(16))
    """receipt · report · press · notice · reminder · zine."""
    game_id: Mapped[int | None] = mapped_column(ForeignKey("game.id", ondelete="CASCADE"))
    phase_id: Mapped[int | None] = mapped_column(ForeignKey("phase.id", ondelete="SET NULL"))
    player_id: Mapped[int | None] = mapped_column(ForeignKey("player.id"), index=True)
    power: Mapped[str | None] = mapped_column(String(64))
    inbound_id: Mapped[int | None] = mapped_column(ForeignKey("inbound.id"))
    """The mail that it answers."""
    recipient: Mapped[str]
    """Envelope recipient."""
    raw: Mapped[bytes]
    """The mail as composed; the envelope sender is made from `verp` when it is sent."""
    status: Mapped[str] = mapped_column(String(12), default="queued")
    """queued · sending · sent · failed · bounced · held."""
    held_why: Mapped[str | None] = mapped_column(String(12))
    """suspended (the address bounces) · breaker (too many mails of one game in an hour)."""
    released_at: Mapped[datetime | None]
    """When a GM let it pass the breaker: it counts no more."""
    attempts: Mapped[int] = mapped_column(default=0)
    next_try_at: Mapped[datetime]
    lease_until: Mapped[datetime | None]
    leased_by: Mapped[str | None] = mapped_column(String(80))
    """Host and process of the sender that has it."""
    reply: Mapped[str | None]
    """The relay's last words."""
    queued_at: Mapped[datetime]
    sent_at: Mapped[datetime | None]
