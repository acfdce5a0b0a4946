"""Tables of people, games, phases and orders. Those of the mail are in `gm.store.mailtables`.

Invariants that the schema itself holds: one open phase a game, one current holder a power, one version number a
sheet. Times are UTC. Every constraint is named by the convention below, so that migrations can find it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import ForeignKey, Index, LargeBinary, MetaData, String, Text, UniqueConstraint, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from gm.store.types import CanonicalJson, Instant

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    """Root of all tables."""

    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        datetime: Instant,
        str: Text,
        bytes: LargeBinary,
        dict[str, Any]: CanonicalJson,
        list[Any]: CanonicalJson,
    }


class Player(Base):
    """A person. His addresses are in `Address`."""

    __tablename__ = "player"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    zone: Mapped[str] = mapped_column(default="UTC")
    """IANA name of the zone in which his mails show times."""
    language: Mapped[str] = mapped_column(default="en")
    password_hash: Mapped[str | None]
    """scrypt hash of the password that a game address + PASSWORD line needs; None until he sets one."""
    created_at: Mapped[datetime]


class Address(Base):
    """A mail address of a player. Mail goes to the lowest `rank` whose state is active."""

    __tablename__ = "address"

    id: Mapped[int] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id", ondelete="CASCADE"), index=True)
    email: Mapped[str] = mapped_column(String(320), unique=True)
    """Lower-case."""
    rank: Mapped[int] = mapped_column(default=0)
    state: Mapped[str] = mapped_column(String(16), default="active")
    """active · unconfirmed · suspended (bounces)."""
    soft_bounces: Mapped[int] = mapped_column(default=0)
    bounced_at: Mapped[datetime | None]
    created_at: Mapped[datetime]


class Campaign(Base):
    """Games run together by GMs."""

    __tablename__ = "campaign"

    id: Mapped[int] = mapped_column(primary_key=True)
    slug: Mapped[str] = mapped_column(String(64), unique=True)
    title: Mapped[str]
    settings: Mapped[dict[str, Any]] = mapped_column(server_default="{}")
    """`gm.club.campaigns.CampaignSettings` as JSON: zine calendar, defaults for its games, tagline."""
    issue_due_at: Mapped[datetime | None]
    """When the next number of its zine is published; None: when a GM says so."""
    created_at: Mapped[datetime]


class Game(Base):
    """One game. Its truth is options, seed and the frozen sheets of its phases."""

    __tablename__ = "game"

    id: Mapped[int] = mapped_column(primary_key=True)
    slug: Mapped[str] = mapped_column(String(64), unique=True)
    """Its name in mails and addresses: lower-case letters, digits, hyphens."""
    title: Mapped[str]
    campaign_id: Mapped[int | None] = mapped_column(ForeignKey("campaign.id"), index=True)
    ruleset: Mapped[str] = mapped_column(String(64))
    rules_version: Mapped[str] = mapped_column(String(32))
    options: Mapped[dict[str, Any]]
    """House rules of the ruleset, all of them, checked."""
    settings: Mapped[dict[str, Any]]
    """House rules of the server: `gm.turns.settings.GameSettings` as JSON."""
    status: Mapped[str] = mapped_column(String(16), default="forming", index=True)
    """forming · running · paused · parked (a fault; its GM has a trace id) · finished."""
    seed: Mapped[bytes]
    """32 secret bytes; the hash is published at the start, the seed at the end."""
    result: Mapped[dict[str, Any] | None]
    """``{"winners": [...], "text": ..., "how": "rules" | "draw" | "concession" | "gm"}`` once finished."""
    trace: Mapped[str | None]
    """Trace id of the fault that parked the game."""
    created_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]


class GameGM(Base):
    """A GM's right over one game."""

    __tablename__ = "game_gm"
    __table_args__ = (UniqueConstraint("game_id", "player_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("game.id", ondelete="CASCADE"))
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), index=True)


class SignUp(Base):
    """A player who waits for a game to start (or, afterwards, as standby or observer)."""

    __tablename__ = "sign_up"
    __table_args__ = (UniqueConstraint("game_id", "player_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("game.id", ondelete="CASCADE"))
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), index=True)
    role: Mapped[str] = mapped_column(String(16), default="player")
    """player · standby · observer."""
    preferences: Mapped[list[Any]]
    """Power ids, most wanted first."""
    created_at: Mapped[datetime]


class Seat(Base):
    """A player holding a power from one phase to another; `left_at` None: he holds it now."""

    __tablename__ = "seat"
    __table_args__ = (
        Index(
            "uq_seat_current",
            "game_id",
            "power",
            unique=True,
            sqlite_where=text("left_at IS NULL"),
            postgresql_where=text("left_at IS NULL"),
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("game.id", ondelete="CASCADE"), index=True)
    power: Mapped[str] = mapped_column(String(64))
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), index=True)
    joined_at: Mapped[datetime]
    left_at: Mapped[datetime | None]
    left_why: Mapped[str | None]
    """resigned · replaced · out."""


class Credential(Base):
    """A right to command by replying: the token in a Reply-To address. The token itself is never stored:
    it is derived from the server's secret and `nonce`, and found again by its hash."""

    __tablename__ = "credential"

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(String(8))
    """seat (orders for a power) · gm (commands over a game) · person (the player's own settings) ·
    confirm (a reply carries out `payload`, once)."""
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    nonce: Mapped[bytes]
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), index=True)
    game_id: Mapped[int | None] = mapped_column(ForeignKey("game.id", ondelete="CASCADE"), index=True)
    power: Mapped[str | None] = mapped_column(String(64))
    phase_id: Mapped[int | None] = mapped_column(ForeignKey("phase.id", ondelete="CASCADE"))
    """Seat tokens: the phase whose orders it brings. Orders sent to an older one are refused as stale."""
    payload: Mapped[dict[str, Any] | None]
    """Confirm tokens: ``{"command": ..., "email": ...}``, what the reply confirms."""
    issued_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None]


class PhaseRow(Base):
    """One adjudication step of one game. What was frozen and what came out stays for ever."""

    __tablename__ = "phase"
    __table_args__ = (
        UniqueConstraint("game_id", "ordinal", "attempt"),
        Index(
            "uq_phase_open",
            "game_id",
            unique=True,
            sqlite_where=text("status = 'open'"),
            postgresql_where=text("status = 'open'"),
        ),
        Index("ix_phase_due", "status", "due_at"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("game.id", ondelete="CASCADE"), index=True)
    ordinal: Mapped[int]
    """1 for the first phase of the game."""
    attempt: Mapped[int] = mapped_column(default=1)
    """Raised by one when a GM rolls the phase back and it is opened again."""
    name: Mapped[str] = mapped_column(String(64))
    title: Mapped[str]
    kind: Mapped[str] = mapped_column(String(32))
    status: Mapped[str] = mapped_column(String(16), default="open")
    """open · done · undone (rolled back). The change open -> done is the guard against running a turn twice."""
    state: Mapped[dict[str, Any]]
    """The position before it."""
    edit: Mapped[dict[str, Any] | None]
    """``{"why": ..., "by": ..., "computed": state}`` if a GM put another position in place of the computed one."""
    after: Mapped[dict[str, Any] | None]
    sheets: Mapped[dict[str, Any] | None]
    """Frozen orders by power (None: no moves received)."""
    dice: Mapped[list[Any] | None]
    """``[[purpose, sides, value], ...]`` in the order of rolling."""
    results: Mapped[dict[str, Any] | None]
    """``{"orders": [...], "events": [...]}``: the whole truth, as `gm.turns.record` writes it."""
    opened_at: Mapped[datetime]
    due_at: Mapped[datetime | None]
    """None: no deadline runs (paused, or waiting for the GM)."""
    grace_until: Mapped[datetime | None]
    early_at: Mapped[datetime | None]
    """When it runs before its deadline: all orders are in and nobody waits. None otherwise."""
    reminded_at: Mapped[datetime | None]
    late_told_at: Mapped[datetime | None]
    done_at: Mapped[datetime | None]


class Sheet(Base):
    """One version of one power's orders for one phase. Versions are never changed, only followed."""

    __tablename__ = "sheet"
    __table_args__ = (UniqueConstraint("phase_id", "power", "version"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    phase_id: Mapped[int] = mapped_column(ForeignKey("phase.id", ondelete="CASCADE"))
    power: Mapped[str] = mapped_column(String(64))
    version: Mapped[int]
    orders: Mapped[list[Any]]
    """Normal forms."""
    source: Mapped[str] = mapped_column(String(16))
    """player · gm · deputy · withdrawn (it counts no more: the power changed hands)."""
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"))
    inbound_id: Mapped[int | None] = mapped_column(ForeignKey("inbound.id"))
    received_at: Mapped[datetime]


class Flag(Base):
    """What a power says of the present phase besides its orders: wait, ready."""

    __tablename__ = "flag"
    __table_args__ = (UniqueConstraint("phase_id", "power", "name"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    phase_id: Mapped[int] = mapped_column(ForeignKey("phase.id", ondelete="CASCADE"))
    power: Mapped[str] = mapped_column(String(64))
    name: Mapped[str] = mapped_column(String(16))
    """wait · ready."""
    set_at: Mapped[datetime]


class Vote(Base):
    """A power's standing vote on how the game should end; the ballot is secret until it passes."""

    __tablename__ = "vote"
    __table_args__ = (UniqueConstraint("game_id", "power", "motion"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("game.id", ondelete="CASCADE"))
    power: Mapped[str] = mapped_column(String(64))
    motion: Mapped[str]
    """``draw:austria,france`` (sorted), ``concede:turkey``."""
    cast_at: Mapped[datetime]


class Press(Base):
    """A message between players, kept with the list of those who may ever read it."""

    __tablename__ = "press"

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("game.id", ondelete="CASCADE"), index=True)
    phase_id: Mapped[int | None] = mapped_column(ForeignKey("phase.id"))
    sender: Mapped[str | None] = mapped_column(String(64))
    """Power id, ``gm``, or None for a system notice."""
    player_id: Mapped[int | None] = mapped_column(ForeignKey("player.id"))
    kind: Mapped[str] = mapped_column(String(16))
    """white (signed) · grey (unsigned) · broadcast."""
    audience: Mapped[list[Any]]
    """Power ids and ``gm``; ``["all"]`` for public press."""
    body: Mapped[str]
    state: Mapped[str] = mapped_column(String(16), server_default="sent")
    """sent · waiting (postal or scheduled) · asked (its writer must say whether it goes) · held (a GM must let it
    go) · refused (by a GM) · dropped (by its writer)."""
    number: Mapped[int | None]
    """What its writer (asked) or the GM (held) calls it by."""
    deliver_at: Mapped[datetime | None]
    """For scheduled press; None for postal press, which goes with the next results."""
    sent_at: Mapped[datetime]
    inbound_id: Mapped[int | None] = mapped_column(ForeignKey("inbound.id"))


class DeadlineChange(Base):
    """Why a deadline is what it is: one row for every change."""

    __tablename__ = "deadline_change"

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("game.id", ondelete="CASCADE"), index=True)
    phase_id: Mapped[int | None] = mapped_column(ForeignKey("phase.id", ondelete="CASCADE"))
    old_due_at: Mapped[datetime | None]
    new_due_at: Mapped[datetime | None]
    cause: Mapped[str]
    """A sentence that players are shown."""
    actor: Mapped[str] = mapped_column(String(64))
    """``calendar``, ``gm``, ``server``, ``vote``, or a power id."""
    changed_at: Mapped[datetime]


class Audit(Base):
    """An act of a GM, or something the server noticed, on record."""

    __tablename__ = "audit"

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int | None] = mapped_column(ForeignKey("game.id", ondelete="CASCADE"), index=True)
    actor: Mapped[str] = mapped_column(String(64))
    action: Mapped[str] = mapped_column(String(64))
    detail: Mapped[dict[str, Any]]
    at: Mapped[datetime]


class Once(Base):
    """A notice that must go out once only: its key is unique."""

    __tablename__ = "once"

    key: Mapped[str] = mapped_column(String(200), primary_key=True)
    at: Mapped[datetime]


class ServerFact(Base):
    """Small facts of the server itself: heartbeat, scheduler lease, secret check."""

    __tablename__ = "server_fact"

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    value: Mapped[dict[str, Any]]
