"""Checks of what was mailed and printed."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from email import message_from_bytes, policy

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from gm.store.clubtables import Contribution, Issue
from gm.store.mailtables import Inbound, Outbound
from gm.store.tables import Address, Game, GameGM, PhaseRow, Press, Seat
from tests.sim.phasechecks import done
from tests.sim.reckoning import ZINE, slot_after
from tests.sim.watch import MARKER
from tests.sim.year import Year

ORIGINAL = re.compile(r"<[^.]+\.report\.\d+\.\d+\.[^.]+\.[0-9a-f]{10}@")
"""Message-ID of a report; one that was asked for again has a part more."""
RERUN = re.compile(r"was run again|wurde noch einmal ausgewertet")
"""What a report says of a phase that was run again, in both languages."""


def lost_press(session: Session, year: Year) -> Iterator[str]:
    """Every private message that was taken reached its addressee, unless his address did not work."""
    sent = select(Press.body).where(Press.state == "sent", Press.kind.in_(("white", "grey")))
    taken = {m for body in session.scalars(sent) for m in MARKER.findall(body)}
    for marker in sorted(taken):
        to = year.watch.addressee[marker]
        excused = not to or year.people[to].broken or to in year.server.relay.full
        if to not in year.watch.seen[marker] and not excused:
            yield f"{marker}: not to {to}"


def press_states(session: Session, year: Year) -> Iterator[str]:
    """What the script let go is sent, what it refused is not; postal and scheduled press waits for no longer than it
    must."""
    for body, state in session.execute(select(Press.body, Press.state)):
        for marker in MARKER.findall(body):
            kept = marker in year.held or any(
                marker == m for items in year.waiting.values() for m, _ in items
            )
            allowed = {"held", "waiting"} if kept else {"sent", "refused", "waiting"}
            if state not in allowed:
                yield f"{marker}: {state}"
            if state == "sent" and len(year.watch.readers[marker]) == 1 and marker not in year.unread:
                yield f"{marker}: sent, and the script knows of no reader"


def reruns(session: Session, games: list[Game]) -> Iterator[str]:
    """Everybody's report of a phase that was run again says so, and what it changes for him."""
    for game in games:
        for phase in done(session, game):
            if phase.attempt == 1 or not _ran_before(session, phase):
                continue
            rows = session.execute(
                select(Outbound.raw, Outbound.recipient).where(
                    Outbound.phase_id == phase.id,
                    Outbound.kind == "report",
                    Outbound.inbound_id.is_(None),
                    Outbound.queued_at >= phase.done_at,
                    Outbound.message_id.like(f"%.report.{phase.ordinal}.%"),
                )
            )
            for raw, recipient in rows:
                text = message_from_bytes(raw, policy=policy.default).get_body(("plain",)).get_content()
                if not RERUN.search(" ".join(text.split())):
                    yield f"{game.slug} {phase.name} to {recipient}"


def _ran_before(session: Session, phase: PhaseRow) -> bool:
    found = select(PhaseRow.id).where(
        PhaseRow.game_id == phase.game_id,
        PhaseRow.name == phase.name,
        PhaseRow.status == "undone",
        PhaseRow.results.is_not(None),
    )
    return session.scalar(found.limit(1)) is not None


def printed(session: Session, year: Year) -> Iterator[str]:
    """Each erratum stands in one issue, beside its game's report; each answer below a letter of its writer."""
    places: dict[str, list[str]] = defaultdict(list)
    for issue in session.scalars(select(Issue).order_by(Issue.number)):
        values = issue.content["issue"]
        for text in values["errata"]:
            places[_mark(text)].append("the errata")
        for game in values["games"]:
            for text in game["errata"]:
                places[_mark(text)].append(game["slug"])
        for letter in values["letters"]:
            if letter["answer"]:
                places[_mark(letter["answer"]["body"])].append(letter["name"].upper())
    waiting = {_mark(body) for body in session.scalars(
        select(Contribution.body).where(Contribution.issue_id.is_(None))
    )}  # fmt: skip
    for marker, where in (*year.ledger.errata.items(), *year.ledger.answers.items()):
        found = places.pop(marker, [])
        # A game that an issue does not tell of any more has its erratum among those of the issue.
        if (
            found not in ([where], ["the errata"] if marker in year.ledger.errata else None)
            and marker not in waiting
        ):
            yield f"{marker} for {where}: printed in {found}"
    for marker, found in places.items():
        yield f"{marker}: printed in {found}, and nobody wrote it"


def _mark(text: str) -> str:
    found = re.search(r"(?:erratum|answer)-\d{4}", text)
    return found[0] if found else text


def reports(session: Session, games: list[Game]) -> Iterator[str]:
    """Each phase is reported once to each who sits in the game and once to each of its GMs."""
    for game in games:
        seats = session.scalars(select(Seat).where(Seat.game_id == game.id)).all()
        gms = session.scalars(select(GameGM.player_id).where(GameGM.game_id == game.id)).all()
        for phase in done(session, game):
            rows = session.execute(
                select(Outbound.player_id, Outbound.power, Outbound.message_id).where(
                    Outbound.phase_id == phase.id,
                    Outbound.kind == "report",
                    Outbound.inbound_id.is_(None),
                    Outbound.queued_at >= phase.done_at,
                    Outbound.message_id.like(f"%.report.{phase.ordinal}.%"),
                )
            )
            sent = Counter((row.player_id, row.power) for row in rows if ORIGINAL.match(row.message_id))
            wanted = {
                (s.player_id, s.power) for s in seats
                if s.joined_at <= phase.done_at and (s.left_at is None or s.left_at > phase.done_at)
            } | {(gm, None) for gm in gms}  # fmt: skip
            for reader in wanted:
                if sent[reader] != 1:
                    yield f"{game.slug} {phase.name}: {sent[reader]} to {reader}"


def answers(session: Session, year: Year) -> Iterator[str]:
    rows = session.execute(
        select(Inbound.message_id, Inbound.id, Inbound.outcome, Inbound.envelope_from).order_by(Inbound.id)
    ).all()
    given = Counter(
        session.scalars(
            select(Outbound.inbound_id).where(Outbound.kind == "receipt", Outbound.inbound_id.is_not(None))
        )
    )
    questions = {
        str(row)
        for row in session.scalars(select(Outbound.message_id).where(Outbound.message_id.like("%.confirm.%")))
    }
    asked = sum(1 for row in rows if (row.outcome or {}).get("answered") and not given[row.id])
    if asked > len(questions):
        yield f"{asked} mails count as answered by a question, and there are {len(questions)} questions"
    told_used_up = set(
        session.scalars(select(Outbound.recipient).where(Outbound.message_id.like("%.revoked.%")))
    )
    once: Counter[str] = Counter()
    for row in rows:
        once[row.message_id] += 1
        deserves = year.ledger.deserves.get(row.message_id)
        if deserves is None:
            yield f"{row.message_id} was never sent"
        elif (row.outcome or {}).get("why_not") == "revoked token":
            if row.envelope_from not in told_used_up:
                yield f"{row.message_id}: nobody was told that the reply address is used up"
        elif deserves and not (row.outcome or {}).get("answered"):
            yield f"{row.message_id} got no answer: {row.outcome}"
        elif not deserves and given[row.id]:
            yield f"{row.message_id} is a machine's and got an answer"
        elif given[row.id] > 1:
            yield f"{row.message_id} got {given[row.id]} answers"
    for identity in year.ledger.deserves:
        if once[identity] != 1:
            yield f"{identity} is there {once[identity]} times"


def issues(session: Session) -> Iterator[str]:
    last: datetime | None = None
    for n, issue in enumerate(session.scalars(select(Issue).order_by(Issue.id)), 1):
        after = (last or issue.published_at - timedelta(days=6)) + timedelta(seconds=1)
        wanted = slot_after(ZINE, "", after, after, after, None)
        if issue.number != n or issue.published_at != wanted:
            yield f"issue {issue.number} of {issue.published_at}, wanted {n} of {wanted}"
        last = issue.published_at


def quarantined(session: Session) -> Iterator[str]:
    for row in session.scalars(select(Inbound).where(Inbound.status == "quarantined")):
        yield f"{row.message_id}: {row.outcome}"


def queued(session: Session, year: Year) -> Iterator[str]:
    """What waits for no reason: mail for a full mailbox or a suspended address waits rightly."""
    suspended = set(session.scalars(select(Address.email).where(Address.state == "suspended")))
    for row in session.scalars(select(Outbound).where(Outbound.status.not_in(("sent", "bounced")))):
        tried_again = row.status == "queued" and row.next_try_at > year.server.now
        if (
            row.recipient in year.server.relay.full
            or tried_again
            or (row.status == "held" and row.recipient in suspended)
        ):
            continue
        yield f"{row.message_id} to {row.recipient}: {row.status} {row.held_why} {row.reply}"
    waiting = session.scalar(select(func.count()).select_from(Inbound).where(Inbound.status == "new"))
    if waiting:
        yield f"{waiting} mails not read"
