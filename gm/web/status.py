"""How the server does: for its status page, and for whoever watches over the process."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from gm.clock.words import in_zone
from gm.games import ruleset
from gm.store.mailtables import Inbound, Outbound
from gm.store.tables import ServerFact
from gm.turns.publicly import deadline_text, state_text
from gm.web.archive import all_games

PATIENCE = timedelta(minutes=5)
"""Younger mail is not counted: the page is public, and a count that moves with each mail would show when somebody
sends orders."""

ASLEEP = timedelta(minutes=5)
"""The clock's heartbeat comes every half minute; one older than this means that no turn runs."""


@dataclass(frozen=True, kw_only=True)
class GameLine:
    """A game on the status page."""

    slug: str
    title: str
    ruleset: str
    state: str
    deadline: str


@dataclass(frozen=True, kw_only=True)
class Status:
    """The status page."""

    at: str
    verdict: str
    troubles: tuple[str, ...]
    games: tuple[GameLine, ...]
    queues: tuple[tuple[str, str], ...]
    patience_minutes: int = int(PATIENCE.total_seconds()) // 60


def server_status(session: Session, now: datetime) -> Status:
    """Games, queues and troubles, all public."""
    waiting_in = _count(
        session, select(Inbound).where(Inbound.status == "new", Inbound.received_at < now - PATIENCE)
    )
    waiting_out = _count(
        session,
        select(Outbound).where(
            Outbound.status.in_(("queued", "sending")), Outbound.queued_at < now - PATIENCE
        ),
    )
    set_aside = _count(
        session, select(Inbound).where(Inbound.status == "quarantined", Inbound.received_at < now - PATIENCE)
    )
    undelivered = _count(
        session,
        select(Outbound).where(
            Outbound.status.in_(("failed", "bounced", "held")), Outbound.queued_at < now - PATIENCE
        ),
    )
    troubles = [
        *clock_troubles(session, now),
        *(["Mail that came in is not being read."] if waiting_in else []),
        *(["Mail that should go out is delayed; it will be tried again."] if waiting_out else []),
    ]
    return Status(
        at=in_zone(now, "UTC"),
        verdict="All is well" if not troubles else "Something needs a person",
        troubles=tuple(troubles),
        games=tuple(
            GameLine(
                slug=game.slug,
                title=game.title,
                ruleset=ruleset(game.ruleset).meta.title,
                state=state_text(session, game),
                deadline=deadline_text(session, game),
            )
            for game in all_games(session)
        ),
        queues=(
            ("In, waiting to be read", str(waiting_in)),
            ("In, set aside for the operator", str(set_aside)),
            ("Out, waiting for the relay", str(waiting_out)),
            ("Out, not delivered or held", str(undelivered)),
        ),
    )


def clock_troubles(session: Session, now: datetime) -> list[str]:
    """What is wrong with the scheduler; nothing before its first heartbeat."""
    fact = session.get(ServerFact, "heartbeat")
    if fact is None:
        return []
    if fact.value.get("doubt"):
        return ["The clock has jumped: no turn runs before the operator has confirmed the time."]
    if now - datetime.fromisoformat(fact.value["at"]) > ASLEEP:
        return ["The scheduler has not looked at the clock for a while: no turn runs."]
    return []


def _count(session: Session, rows: Select[Any]) -> int:
    return session.scalar(select(func.count()).select_from(rows.subquery())) or 0
