"""Draining the outbox: claim mails with a lease, hand each over, note what became of it.

* A crash leaves leased rows; their leases run out and they are sent again, under the same Message-ID.
* A mail that fails for now is tried again after growing times, for five days. No mail waits for another's failure.
* When the relay itself is away, what was claimed goes back untouched and the sender waits.
* Mails of one phase are claimed together, so that all players have their results at about the same time.
* A game that makes more mails in an hour than any game should is held until its GM has looked.
"""

from __future__ import annotations

import os
import random
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, func, or_, select, update
from sqlalchemy.orm import Session

from gm.log import logger
from gm.mail import bounces, outbox
from gm.mail.slim import too_big
from gm.mail.transport import Parcel, Transport, Verdict
from gm.store.crash import crash_point
from gm.store.db import Store
from gm.store.mailtables import Outbound
from gm.store.tables import Audit, Once, ServerFact

BATCH: Final = 50
LEASE: Final = timedelta(minutes=10)
"""How long a claim holds. A transport gives up on one mail well before."""
LEASE_MARGIN: Final = timedelta(minutes=5)
"""What must be left of the lease when a mail is begun."""
FIRST_WAIT: Final = timedelta(minutes=1)
LONGEST_WAIT: Final = timedelta(hours=4)
GIVE_UP: Final = timedelta(days=5)
"""RFC 5321 4.5.4.1: a mail is given up after 4-5 days at least."""
RELAY_WAIT: Final = timedelta(seconds=15)
"""First wait when the relay is away; doubles up to LONGEST_RELAY_WAIT."""
LONGEST_RELAY_WAIT: Final = timedelta(minutes=5)
POLL_SECONDS: Final = 5.0

_HOST: Final = socket.gethostname()[:64]


@dataclass(frozen=True)
class _Claim:
    row_id: int
    attempts: int
    queued_at: datetime
    parcel: Parcel


class Sender:
    """Sends what is due. One thread uses it; several processes may each have one."""

    def __init__(
        self,
        store: Store,
        transport: Transport,
        clock: Callable[[], datetime],
        *,
        domain: str,
        mails_per_game_hour: int = 500,
        chance: Callable[[], float] = random.random,
    ) -> None:
        """`domain`: of our bounce addresses. `chance`: 0 to 1, for the jitter of waiting times."""
        self._store, self._transport, self._clock = store, transport, clock
        self._domain, self._most = domain, mails_per_game_hour
        self._chance = chance
        self._relay_failures = 0
        self._relay_again: datetime | None = None

    def run(self, stop: threading.Event, wake: threading.Event) -> None:
        """Drain whenever woken and every few seconds, until stopped. A failure is logged and tried again."""
        recovered = False
        while not stop.is_set():
            wake.clear()
            try:
                if not recovered:
                    self.recover()
                    recovered = True
                self.drain()
            except Exception:
                logger("sender").exception("drain")
            wake.wait(POLL_SECONDS)
        self._transport.close()

    def recover(self) -> int:
        """Take back what a dead sender on this host had leased, without waiting for the leases to run out.

        Returns how many mails that were.
        """
        with self._store.write() as session:
            owners = session.scalars(
                select(Outbound.leased_by).where(Outbound.status == "sending").distinct()
            ).all()
            dead = [owner for owner in owners if owner is not None and _is_dead(owner)]
            taken_back = session.execute(
                update(Outbound)
                .where(Outbound.status == "sending", Outbound.leased_by.in_(dead))
                .values(status="queued", lease_until=None, leased_by=None)
                .returning(Outbound.id)
            ).all()
        return len(taken_back)

    def drain(self) -> int:
        """Send all that is due. Returns how many mails were handed over."""
        sent = 0
        while self._relay_may_be_back():
            batch, lease = self._claim()
            if not batch:
                break
            crash_point("sender.claimed")
            sent += self._send(batch, lease)
        if sent:
            self._transport.close()
        return sent

    def _relay_may_be_back(self) -> bool:
        wait = self._relay_again - self._clock() if self._relay_again else timedelta(0)
        return not timedelta(0) < wait <= LONGEST_RELAY_WAIT

    def _claim(self) -> tuple[list[_Claim], datetime]:
        now = self._clock()
        lease = now + LEASE
        with self._store.write() as session:
            # A time further ahead than any wait was written while the clock was wrong: it must not hold a mail.
            due = or_(
                and_(Outbound.status == "queued", _outside(Outbound.next_try_at, now, 2 * LONGEST_WAIT)),
                and_(Outbound.status == "sending", _outside(Outbound.lease_until, now, LEASE)),
            )
            self._break_floods(session, now)
            ids = list(
                session.scalars(
                    select(Outbound.id).where(due).order_by(Outbound.next_try_at, Outbound.id).limit(BATCH)
                )
            )
            phases = select(Outbound.phase_id).where(Outbound.id.in_(ids), Outbound.phase_id.is_not(None))
            rows = session.scalars(
                select(Outbound)
                .where(due, or_(Outbound.id.in_(ids), Outbound.phase_id.in_(phases)))
                .order_by(Outbound.next_try_at, Outbound.id)
            ).all()
            claims = []
            for row in rows:
                row.status, row.lease_until, row.attempts = "sending", lease, row.attempts + 1
                row.leased_by = f"{_HOST}:{os.getpid()}"
                parcel = Parcel(
                    message_id=row.message_id,
                    sender=outbox.bounce_address(row.verp, self._domain),
                    recipient=row.recipient,
                    raw=row.raw,
                )
                claims.append(_Claim(row.id, row.attempts, row.queued_at, parcel))
        return claims, lease

    def _send(self, batch: list[_Claim], lease: datetime) -> int:
        sent = 0
        for index, claim in enumerate(batch):
            if self._clock() > lease - LEASE_MARGIN:
                self._give_back(batch[index:], lease, self._clock())
                break
            verdict = self._transport.send(claim.parcel)
            if verdict.outcome == "unavailable":
                self._relay_away(verdict.reply)
                self._give_back(batch[index:], lease, self._relay_again or self._clock())
                break
            self._relay_back()
            crash_point("sender.delivered")
            self._note(claim, verdict, lease)
            crash_point("sender.marked")
            sent += verdict.outcome == "sent"
        return sent

    def _note(self, claim: _Claim, verdict: Verdict, lease: datetime) -> None:
        """Write down what became of a mail, unless its lease ran out and another sender has it."""
        now = self._clock()
        with self._store.write() as session:
            values: dict[str, object] = {"reply": verdict.reply, "lease_until": None, "leased_by": None}
            failed = verdict.outcome == "never" or now - claim.queued_at >= GIVE_UP
            if verdict.outcome == "sent":
                values |= {"status": "sent", "sent_at": now}
            elif failed:
                values |= {"status": "failed"}
            else:
                values |= {"status": "queued", "next_try_at": now + self._wait(claim.attempts)}
            mine = _leased([claim], lease)
            if session.scalar(update(Outbound).where(*mine).values(values).returning(Outbound.id)) is None:
                return
            if failed and verdict.outcome != "sent":
                bounces.count(session, claim.parcel.recipient, _kind(verdict), now)
        logger("sender").info(
            verdict.outcome, outbound=claim.row_id, attempt=claim.attempts, code=verdict.reply[:3]
        )

    def _wait(self, attempts: int) -> timedelta:
        """1, 2, 4 ... minutes up to 4 hours, a quarter more or less so that mails do not come back all at once."""
        wait: timedelta = min(FIRST_WAIT * 2 ** min(attempts - 1, 20), LONGEST_WAIT)
        return wait * (0.75 + self._chance() / 2)

    def _give_back(self, claims: list[_Claim], lease: datetime, again: datetime) -> None:
        """Return what was not tried: it does not count as an attempt."""
        with self._store.write() as session:
            session.execute(
                update(Outbound)
                .where(*_leased(claims, lease))
                .values(
                    status="queued",
                    lease_until=None,
                    leased_by=None,
                    next_try_at=again,
                    attempts=Outbound.attempts - 1,
                )
            )

    def _relay_away(self, reply: str) -> None:
        """The relay takes nothing: wait for it, and leave word where a GM looks (`ServerFact` ``relay``)."""
        now = self._clock()
        wait = min(RELAY_WAIT * 2 ** min(self._relay_failures, 10), LONGEST_RELAY_WAIT)
        self._relay_again = now + wait
        self._relay_failures += 1
        self._transport.close()
        logger("sender").error("relay unavailable", reply=reply, again_in=wait.total_seconds())
        if self._relay_failures == 1:
            self._relay_fact({"ok": False, "since": now.isoformat(), "reply": reply})

    def _relay_back(self) -> None:
        if self._relay_failures:
            self._relay_failures, self._relay_again = 0, None
            self._relay_fact({"ok": True, "since": self._clock().isoformat(), "reply": ""})

    def _relay_fact(self, value: dict[str, object]) -> None:
        with self._store.write() as session:
            session.merge(ServerFact(name="relay", value=value))

    def _break_floods(self, session: Session, now: datetime) -> None:
        """Hold the mails of a game that made too many within an hour, and put that on record once an hour."""
        floods = session.execute(
            select(Outbound.game_id, func.count())
            .where(
                Outbound.game_id.is_not(None),
                Outbound.queued_at > now - timedelta(hours=1),
                Outbound.released_at.is_(None),
            )
            .group_by(Outbound.game_id)
            .having(func.count() > self._most)
        ).all()
        for game_id, made in floods:
            held = session.execute(
                update(Outbound)
                .where(
                    Outbound.game_id == game_id, Outbound.status == "queued", Outbound.released_at.is_(None)
                )
                .values(status="held", held_why=outbox.BREAKER)
                .returning(Outbound.id)
            ).all()
            key = f"breaker:{game_id}:{now:%Y-%m-%dT%H}"
            if held and session.get(Once, key) is None:
                session.add(Once(key=key, at=now))
                detail = {"made": made, "held": len(held), "limit": self._most}
                session.add(Audit(game_id=game_id, actor="server", action="mail.held", detail=detail, at=now))
                logger("sender").error("too many mails of one game", game=game_id, made=made)


def _kind(failed: Verdict) -> bounces.Kind:
    """What a mail that could not be delivered says of its address."""
    if failed.bad_address:
        return "hard"
    return "big" if too_big(failed.reply) else "soft"


def _is_dead(owner: str) -> bool:
    """Whether a sender on this host has ended for sure. One with our own number was before us (a container)."""
    host, _, number = owner.rpartition(":")
    if host != _HOST or not number.isdigit():
        return False
    if int(number) == os.getpid():
        return True
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False


def _outside(column: Any, now: datetime, longest: timedelta) -> ColumnElement[bool]:
    """Whether a time is not within the coming `longest`."""
    return or_(column <= now, column > now + longest)


def _leased(claims: list[_Claim], lease: datetime) -> tuple[ColumnElement[bool], ...]:
    """Those rows, unless the lease ran out and another sender has them."""
    return (
        Outbound.id.in_([claim.row_id for claim in claims]),
        Outbound.status == "sending",
        Outbound.lease_until == lease,
    )
