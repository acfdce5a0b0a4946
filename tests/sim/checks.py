"""The server's books held against the script's own ledger, once the year is over. Each check gives a number and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from gm.store.clubtables import Issue, SeatOffer
from gm.store.tables import Audit, DeadlineChange, Game, PhaseRow
from tests.sim import mailchecks, phasechecks
from tests.sim.finding import Finding, check
from tests.sim.year import Year

TROUBLE = ("park", "fault", "mail.held")
"""What the server puts on record when it needs a person."""
SET_UP = ("create campaign", "create", "set", "add gm", "start", "standby")
"""What GMs do to open a game."""


def findings(year: Year) -> list[Finding]:
    """All checks, in the order of the table."""
    with year.server.office.store.read() as session:
        games = session.scalars(select(Game).where(Game.slug.in_(year.plans)).order_by(Game.id)).all()
        nmrs, wrong = phasechecks.missed(session, year, games)
        return [
            *_figures(session, year, games),
            Finding("NMRs, each of a player who sent nothing valid in time", nmrs),
            check("games stuck", phasechecks.stuck(session, year, games)),
            check("wrong NMRs", wrong),
            check("sheets that ran and are not what was sent", phasechecks.garbled(session, year, games)),
            check(
                "deadlines off the calendar without a logged cause",
                phasechecks.deadlines(session, year, games),
            ),
            check("phases not run at their instant", phasechecks.instants(session, games)),
            check("leaks", year.watch.leaks),
            check("private press that did not arrive", mailchecks.lost_press(session, year)),
            check(
                "press in a state that the script did not bring about", mailchecks.press_states(session, year)
            ),
            check("reports missing or sent twice", mailchecks.reports(session, games)),
            check("players not told what a re-run changed for them", mailchecks.reruns(session, games)),
            check("mails answered not exactly as they deserve", mailchecks.answers(session, year)),
            check(
                "mails whose words name another phase than their reply address is for", year.ledger.misread
            ),
            check("mails to German readers with an English frame", year.watch.english),
            check("pictures that no program could show", year.watch.broken),
            check("phases that replay differently", phasechecks.replays(session, games)),
            check("zine issues off their calendar or number", mailchecks.issues(session)),
            check(
                "errata and answers to letters printed not once, or elsewhere",
                mailchecks.printed(session, year),
            ),
            check("mails quarantined", mailchecks.quarantined(session)),
            check("mails left in the queue", mailchecks.queued(session, year)),
            check("GM interventions needed", _interventions(session, year)),
            check("voluntary acts of GMs not done, or not as asked", _undone(session, year)),
            check("mistakes of the script", year.errors),
        ]


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
    yield Finding(
        "what GMs did of their own will",
        ", ".join(f"{n} {a}" for a, n in sorted(year.ledger.acts.items())) or "nothing",
    )
    yield Finding(
        "phases run again after a rollback",
        session.scalar(done.where(PhaseRow.attempt > 1)) or 0,
    )
    yield Finding("mails in German, pictures in mails", f"{year.watch.german}, {year.watch.pictures}")
    yield Finding("mails whose phase was read from their words", year.ledger.phases_read)
    yield Finding("deadline changes", ", ".join(f"{n} {a}" for a, n in sorted(moved.items())))
    yield Finding(
        "seats offered to standbys", session.scalar(select(func.count()).select_from(SeatOffer)) or 0
    )
    yield Finding("looks at the clock, heartbeats between", f"{year.server.looks}, {year.server.beats}")
    yield Finding("what people did", ", ".join(f"{what} {n}" for what, n in sorted(year.ledger.did.items())))
    yield Finding(
        "how their mail programs wrote", ", ".join(f"{k} {n}" for k, n in sorted(year.kinds.items()))
    )
    yield Finding("wall time, time of the processor", f"{year.wall:.0f} s, {year.processor:.0f} s")


def _by_gms(session: Session) -> list[Audit]:
    rows = session.scalars(select(Audit).order_by(Audit.id))
    return [row for row in rows if row.actor not in ("server", "calendar") and row.action not in SET_UP]


def _interventions(session: Session, year: Year) -> Iterator[str]:
    """Whatever the server could not go on without, and whatever a GM did in a game but what he decided on himself."""
    for row in session.scalars(select(Audit).where(Audit.action.in_(TROUBLE)).order_by(Audit.id)):
        yield f"{row.actor}: {row.action} at {row.at}: {row.detail}"
    for row in _by_gms(session):
        if not year.ledger.acts[row.action]:
            yield f"{row.actor}: {row.action} at {row.at}: {row.detail}"


def _undone(session: Session, year: Year) -> Iterator[str]:
    on_record = Counter(row.action for row in _by_gms(session))
    for action, times in year.ledger.acts.items():
        if on_record[action] != times:
            yield f"{action}: asked for {times} times, on record {on_record[action]} times"
