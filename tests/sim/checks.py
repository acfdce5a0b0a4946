"""The server's books held against the script's own ledger, once the year is over. Each check gives a number and why."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from gm.games import ruleset
from gm.store.clubtables import Issue, SeatOffer
from gm.store.mailtables import Inbound, Outbound
from gm.store.tables import Address, Audit, DeadlineChange, Game, GameGM, PhaseRow, Press, Seat
from gm.turns.replay import replay
from tests.sim.people import MARKER
from tests.sim.plan import Plan, Slot
from tests.sim.year import Entry, Year

TROUBLE = ("park", "fault", "mail.held")
"""What the server puts on record when it needs a person."""
SET_UP = ("create campaign", "create", "set", "add gm", "start", "standby")
"""What GMs do to open a game."""
ZINE = Slot("Europe/London", (4,), time(21))
ORIGINAL = re.compile(r"<[^.]+\.report\.\d+\.\d+\.[^.]+\.[0-9a-f]{10}@")
"""Message-ID of a report; one that was asked for again has a part more."""
NOTICE = timedelta(hours=12)


@dataclass
class Finding:
    """One line of the table."""

    name: str
    value: int | str
    wanted: int | None = None
    """None: a figure, not a check."""
    why: list[str] = field(default_factory=list)

    @property
    def good(self) -> bool:
        return self.wanted is None or self.value == self.wanted


def slot_after(
    slot: Slot, kind: str, after: datetime, earliest: datetime, opened: datetime, last: datetime | None
) -> datetime:
    """The deadline that a calendar gives, found by walking through the local days: the script's own reckoning."""
    zone = ZoneInfo(slot.zone)
    days = dict(slot.days).get(kind)
    if days is not None:
        anchor = opened if last is None else min(last, opened)
        day = anchor.astimezone(zone).date() + timedelta(days=days)
        while (found := _instant(day, slot)) < earliest:
            day += timedelta(days=1)
        return found
    day = after.astimezone(zone).date()
    first = last.astimezone(zone).date() if last is not None else None
    while True:
        fits = day.weekday() in slot.weekdays
        if fits and slot.weeks > 1 and first is not None:
            fits = (
                (day - timedelta(days=day.weekday())) - (first - timedelta(days=first.weekday()))
            ).days % (7 * slot.weeks) == 0
        if fits and (found := _instant(day, slot)) >= after:
            return found
        day += timedelta(days=1)


def _instant(day: date, slot: Slot) -> datetime:
    """The first instant of a local day at which its clocks show the time or, if they skip it, one hour more."""
    zone = ZoneInfo(slot.zone)
    instant = datetime(day.year, day.month, day.day, tzinfo=UTC) - timedelta(hours=15)
    for minutes in (0, 60):
        wanted = datetime.combine(day, slot.at) + timedelta(minutes=minutes)
        for step in range(60 * 60):
            at = instant + timedelta(minutes=step)
            if at.astimezone(zone).replace(tzinfo=None) == wanted:
                return at
    raise AssertionError(f"{day} {slot}")


def findings(year: Year) -> list[Finding]:
    """All checks, in the order of the table."""
    with year.server.office.store.read() as session:
        games = session.scalars(select(Game).where(Game.slug.in_(year.plans)).order_by(Game.id)).all()
        nmrs, wrong = _missed(session, year, games)
        return [
            *_figures(session, year, games),
            Finding("NMRs, each of a player who sent nothing valid in time", nmrs),
            Finding("games stuck", *_counted(_stuck(session, year, games))),
            Finding("wrong NMRs", *_counted(wrong)),
            Finding("sheets that ran and are not what was sent", *_counted(_garbled(session, year, games))),
            Finding(
                "deadlines off the calendar without a logged cause",
                *_counted(_deadlines(session, year, games)),
            ),
            Finding("phases not run at their instant", *_counted(_instants(session, games))),
            Finding("leaks", *_counted(iter(year.watch.leaks))),
            Finding("private press that did not arrive", *_counted(_lost_press(session, year))),
            Finding("reports missing or sent twice", *_counted(_reports(session, games))),
            Finding("mails answered not exactly as they deserve", *_counted(_answers(session, year))),
            Finding("phases that replay differently", *_counted(_replays(session, games))),
            Finding("zine issues off their calendar or number", *_counted(_issues(session))),
            Finding("mails quarantined", *_counted(_quarantined(session))),
            Finding("mails left in the queue", *_counted(_queued(session, year))),
            Finding("GM interventions needed", *_counted(_interventions(session))),
            Finding("mistakes of the script", *_counted(iter(year.errors))),
        ]


def _counted(found: Iterator[str]) -> tuple[int, int, list[str]]:
    why = list(found)
    return len(why), 0, why


def _figures(session: Session, year: Year, games: list[Game]) -> Iterator[Finding]:
    rulesets = Counter(g.ruleset for g in games)
    done = select(func.count()).select_from(PhaseRow).where(PhaseRow.status == "done")
    moved = Counter(session.scalars(select(DeadlineChange.actor)).all())
    yield Finding("games", f"{len(games)} ({', '.join(f'{n} {r}' for r, n in sorted(rulesets.items()))})")
    yield Finding("games finished by their own rules or votes", sum(g.status == "finished" for g in games))
    yield Finding("players, GMs", f"{len(year.people)}, {len(year.gms)}")
    yield Finding("phases run", session.scalar(done) or 0)
    yield Finding("mails in by SMTP", year.server.sent_in)
    yield Finding("mails out", year.server.relay.count)
    yield Finding("mails looked into for leaks", year.watch.scanned)
    yield Finding("issues of the zine", session.scalar(select(func.count()).select_from(Issue)) or 0)
    yield Finding("deadline changes", ", ".join(f"{n} {a}" for a, n in sorted(moved.items())))
    yield Finding(
        "seats offered to standbys", session.scalar(select(func.count()).select_from(SeatOffer)) or 0
    )
    yield Finding("looks at the clock, heartbeats between", f"{year.server.looks}, {year.server.beats}")
    yield Finding("what people did", ", ".join(f"{what} {n}" for what, n in sorted(year.ledger.did.items())))
    yield Finding(
        "how their mail programs wrote", ", ".join(f"{k} {n}" for k, n in sorted(year.kinds.items()))
    )
    yield Finding("wall time", f"{year.wall:.0f} s")


def _done(session: Session, game: Game) -> list[PhaseRow]:
    return list(
        session.scalars(
            select(PhaseRow)
            .where(PhaseRow.game_id == game.id, PhaseRow.status == "done")
            .order_by(PhaseRow.ordinal)
        )
    )


def _in_time(entries: list[Entry], until: datetime) -> list[Entry]:
    return [entry for entry in entries if entry.valid and entry.at <= until]


def _missed(session: Session, year: Year, games: list[Game]) -> tuple[int, Iterator[str]]:
    book: dict[tuple[int, str], list[Entry]] = defaultdict(list)
    for entry in year.ledger.entries:
        book[entry.phase, entry.power].append(entry)
    nmrs, wrong = 0, []
    for game in games:
        seats = session.scalars(select(Seat).where(Seat.game_id == game.id)).all()
        plan = year.plans[game.slug]
        for phase in _done(session, game):
            assert phase.done_at is not None
            until = _taken_until(phase, plan)
            for due in ruleset(game.ruleset).dues(phase.state):
                held = [
                    s for s in seats
                    if s.power == due.power and s.joined_at <= phase.done_at
                    and (s.left_at is None or (s.left_at, s.left_why == "out") > (phase.done_at, False))
                ]  # fmt: skip
                if not held:
                    continue
                # An heir may find his predecessor's sheet on file, by the house rule standby_orders.
                sent = _in_time(book[phase.id, due.power], until)
                got = (phase.sheets or {}).get(due.power)
                if got is None and due.required:
                    nmrs += not sent
                    if sent:
                        wrong.append(
                            f"{game.slug} {phase.name} {due.power}: sent at {sent[0].at}, called NMR"
                        )
                if got is not None and not sent:
                    known = [(str(e.at), e.why) for e in book[phase.id, due.power]]
                    wrong.append(
                        f"{game.slug} {phase.name} {due.power}: orders ran, nobody sent any: {known}"
                    )
    return nmrs, iter(wrong)


def _taken_until(phase: PhaseRow, plan: Plan) -> datetime:
    """Until when orders of a phase are taken, as its last deadline and the house rules of the script's plan have it."""
    assert phase.done_at is not None
    if phase.due_at is None:
        return phase.done_at
    waits = timedelta(days=3) if "nmr_wait_days = 3" in plan.rules else timedelta(0)
    return min(phase.done_at, phase.due_at + timedelta(hours=plan.grace_hours) + waits)


def _garbled(session: Session, year: Year, games: list[Game]) -> Iterator[str]:
    """The sheet of whoever sent whole sheets only must be the last one that he sent in time."""
    book: dict[tuple[int, str], list[Entry]] = defaultdict(list)
    for entry in year.ledger.entries:
        book[entry.phase, entry.power].append(entry)
    for game in games:
        plan = year.plans[game.slug]
        for phase in _done(session, game):
            for power, orders in (phase.sheets or {}).items():
                sent = _in_time(book[phase.id, power], _taken_until(phase, plan))
                if not sent or any(e.orders is None for e in book[phase.id, power]) or orders is None:
                    continue
                if len({e.orders for e in sent}) == 1 and sorted(orders) != sorted(sent[-1].orders or ()):
                    yield f"{game.slug} {phase.name} {power}: sent {sent[-1].orders}, ran {orders}"


def _stuck(session: Session, year: Year, games: list[Game]) -> Iterator[str]:
    for game in games:
        if game.status == "finished":
            continue
        phase = session.scalar(select(PhaseRow).where(PhaseRow.game_id == game.id, PhaseRow.status == "open"))
        if game.status != "running" or phase is None or phase.due_at is None:
            yield f"{game.slug}: {game.status}, {phase.name if phase else 'no phase'}"
        elif phase.due_at + timedelta(days=4) < year.server.now:
            yield f"{game.slug}: {phase.name} was due {phase.due_at}"


def _deadlines(session: Session, year: Year, games: list[Game]) -> Iterator[str]:
    for game in games:
        plan, last = year.plans[game.slug], None
        rows = session.scalars(
            select(PhaseRow)
            .where(PhaseRow.game_id == game.id, PhaseRow.status.in_(("done", "open")))
            .order_by(PhaseRow.ordinal)
        )
        for phase in rows:
            log = session.scalars(
                select(DeadlineChange).where(DeadlineChange.phase_id == phase.id).order_by(DeadlineChange.id)
            ).all()
            earliest = phase.opened_at + NOTICE
            after = max(earliest, last + timedelta(seconds=1)) if last is not None else earliest
            wanted = slot_after(plan.slot, phase.kind, after, earliest, phase.opened_at, last)
            if not log or log[0].new_due_at != wanted:
                yield f"{game.slug} {phase.name}: {log[0].new_due_at if log else None}, by the calendar {wanted}"
            for before, change in pairwise(log):
                if (
                    change.old_due_at != before.new_due_at
                    or not change.cause.strip()
                    or change.actor == "calendar"
                ):
                    yield f"{game.slug} {phase.name}: moved to {change.new_due_at} without a cause"
            if log and phase.due_at != log[-1].new_due_at:
                yield f"{game.slug} {phase.name}: due {phase.due_at}, by the log {log[-1].new_due_at}"
            last = phase.due_at


def _instants(session: Session, games: list[Game]) -> Iterator[str]:
    """A phase runs early because all orders are in, at its deadline, at the end of its grace or of its wait."""
    runs = session.execute(select(Audit.game_id, Audit.detail, Audit.at).where(Audit.action == "run")).all()
    causes = {(r.game_id, r.detail["phase"], r.at): r.detail["cause"] for r in runs}
    for game in games:
        for phase in _done(session, game):
            assert phase.done_at is not None
            cause = causes.get((game.id, phase.name, phase.done_at), "")
            ends = {phase.due_at, phase.grace_until}
            if phase.due_at is not None and game.slug.startswith("dale"):
                ends.add(phase.due_at + timedelta(days=3))
            in_grace = phase.due_at is not None and phase.done_at >= phase.due_at
            if (
                phase.done_at in ends
                or cause == "all orders are in"
                or (in_grace and cause == "the deadline")
            ):
                continue
            yield f"{game.slug} {phase.name}: due {phase.due_at}, run {phase.done_at}: {cause}"


def _lost_press(session: Session, year: Year) -> Iterator[str]:
    """Every private message that was taken reached its addressee, unless his address did not work."""
    sent = select(Press.body).where(Press.state == "sent")
    taken = {m for body in session.scalars(sent) for m in MARKER.findall(body)}
    for marker in sorted(taken):
        to = year.watch.addressee[marker]
        excused = year.people[to].broken or to in year.server.relay.full
        if to not in year.watch.seen[marker] and not excused:
            yield f"{marker}: not to {to}"


def _reports(session: Session, games: list[Game]) -> Iterator[str]:
    """Each phase is reported once to each who sits in the game and once to each of its GMs."""
    for game in games:
        seats = session.scalars(select(Seat).where(Seat.game_id == game.id)).all()
        gms = session.scalars(select(GameGM.player_id).where(GameGM.game_id == game.id)).all()
        for phase in _done(session, game):
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


def _answers(session: Session, year: Year) -> Iterator[str]:
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


def _replays(session: Session, games: list[Game]) -> Iterator[str]:
    for game in games:
        for difference in replay(session, game)[1]:
            yield f"{game.slug} {difference.phase}: {difference.what}"


def _issues(session: Session) -> Iterator[str]:
    last: datetime | None = None
    for n, issue in enumerate(session.scalars(select(Issue).order_by(Issue.id)), 1):
        after = (last or issue.published_at - timedelta(days=6)) + timedelta(seconds=1)
        wanted = slot_after(ZINE, "", after, after, after, None)
        if issue.number != n or issue.published_at != wanted:
            yield f"issue {issue.number} of {issue.published_at}, wanted {n} of {wanted}"
        last = issue.published_at


def _quarantined(session: Session) -> Iterator[str]:
    for row in session.scalars(select(Inbound).where(Inbound.status == "quarantined")):
        yield f"{row.message_id}: {row.outcome}"


def _queued(session: Session, year: Year) -> Iterator[str]:
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


def _interventions(session: Session) -> Iterator[str]:
    """Whatever the server could not go on without, and whatever a GM did in a game after he had set it up."""
    for row in session.scalars(select(Audit).order_by(Audit.id)):
        by_gm = row.actor not in ("server", "calendar") and row.action not in SET_UP
        if row.action in TROUBLE or by_gm:
            yield f"{row.actor}: {row.action} at {row.at}: {row.detail}"


def table(found: list[Finding]) -> str:
    """The findings as a Markdown table."""
    lines = ["| | found | wanted |", "|---|---|---|"]
    lines += [f"| {f.name} | {f.value} | {'' if f.wanted is None else f.wanted} |" for f in found]
    return "\n".join(lines)
