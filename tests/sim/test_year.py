"""A campaign played by mail under a clock set by hand, its books held against what the script itself did."""

from __future__ import annotations

import random
from datetime import UTC, datetime, time, timedelta
from email.message import EmailMessage

import pytest
from sqlalchemy import select, update

from gm.mail.transport import Parcel
from gm.store.tables import DeadlineChange, PhaseRow
from tests.sim.checks import findings
from tests.sim.people import Person, read
from tests.sim.plan import PLANS, SHORT, Plan, Slot
from tests.sim.reckoning import slot_after
from tests.sim.running import play
from tests.sim.watch import Watch


def chosen(*slugs: str) -> list[Plan]:
    return [plan for plan in PLANS if plan.slug in slugs]


def bad(found) -> list[tuple[str, object, list[str]]]:
    return [(f.name, f.value, f.why[:5]) for f in found if not f.good]


@pytest.mark.timeout(300)
def test_two_games_for_eleven_days_leave_the_books_in_order() -> None:
    _, found = play(chosen("nile", "vienna"), 11, players=14)
    assert bad(found) == []
    assert {f.name for f in found if f.wanted is not None} >= {"wrong NMRs", "leaks", "games stuck"}


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", ["a", "b"])
def test_four_games_for_six_weeks_leave_the_books_in_order(seed: str) -> None:
    year, found = play(chosen(*SHORT), 42, players=24, seed=seed, mischief=1.5)
    assert bad(found) == []
    for what in ("late", "nonsense", "typos", "revision", "same mail twice", "absence announced", "bounce 5"):
        assert year.ledger.did[what], f"nobody did this: {what}"


@pytest.mark.slow
@pytest.mark.timeout(10_000)
def test_a_year_of_twelve_games_needs_no_gm() -> None:
    _, found = play(PLANS, 364)
    assert bad(found) == []


# --- the checks themselves see what is wrong -------------------------------------------------------------------


def test_the_scripts_own_calendar_knows_both_changes_of_clocks() -> None:
    night = Slot("Europe/Berlin", (6,), time(2, 30))
    spring = datetime(2027, 3, 25, tzinfo=UTC)
    assert slot_after(night, "movement", spring, spring, spring, spring) == datetime(
        2027, 3, 28, 1, 30, tzinfo=UTC
    )
    autumn = datetime(2027, 10, 28, tzinfo=UTC)
    assert slot_after(night, "movement", autumn, autumn, autumn, autumn) == datetime(
        2027, 10, 31, 0, 30, tzinfo=UTC
    )


def test_planted_faults_in_the_books_are_found(monkeypatch) -> None:
    seen: dict[str, list[tuple[str, object, list[str]]]] = {}
    import tests.sim.running as running

    def spoilt(year):
        with year.server.office.store.write() as session:
            phase = session.scalars(
                select(PhaseRow).where(PhaseRow.status == "done").order_by(PhaseRow.id)
            ).first()
            sent = next(p for p, orders in phase.sheets.items() if orders)
            phase.sheets = {**phase.sheets, sent: None}
            late = phase.due_at + timedelta(hours=1)
            session.execute(
                update(DeadlineChange).where(DeadlineChange.phase_id == phase.id).values(new_due_at=late)
            )
        seen["bad"] = bad(findings(year))
        return []

    monkeypatch.setattr(running, "findings", spoilt)
    play(chosen("vienna"), 7, players=8, mischief=0.5)
    names = {name for name, _value, _why in seen["bad"]}
    assert names >= {
        "wrong NMRs",
        "phases that replay differently",
        "deadlines off the calendar without a logged cause",
    }


@pytest.mark.parametrize(
    ("words", "leak"),
    [
        ("Ann's address is ann@club.example", "ann@club.example"),
        ("The word is secret-00001.", "secret-00001"),
        ("write to gm+tokenofann@play.example", "reply address of ann"),
        ("The Courier      for Italy\n\n      For Turkey only\n", "a page for Turkey"),
        ("Ann Adler plays Turkey", "name Ann Adler"),
    ],
)
def test_planted_leaks_are_found(words: str, leak: str) -> None:
    def mail(to: str, text: str) -> Parcel:
        message = EmailMessage()
        message["To"], message["Reply-To"] = f"{to}@club.example", f"gm+tokenof{to}@play.example"
        message["List-Id"], message["Date"] = "<g1.play.example>", "Tue, 01 Dec 2026 12:00:00 +0000"
        message.set_content(text)
        return Parcel(
            message_id="<x@play.example>", sender="", recipient=str(message["To"]), raw=message.as_bytes()
        )

    watch = Watch(
        readers={"secret-00001": {"ann@club.example"}}, hidden_names={"g1": {"Ann Adler", "Ben Marsh"}}
    )
    ann, ben = (
        Person(f"{name.split()[0].lower()}@club.example", name, "UTC", random.Random(name))
        for name in ("Ann Adler", "Ben Marsh")
    )
    watch.look(ann, read(mail("ann", "The Courier      for Turkey\n\n  For Turkey only\n")), ["g1"])
    assert watch.leaks == []
    watch.look(ben, read(mail("ben", words)), ["g1"])
    assert len(watch.leaks) == 1
    assert leak in watch.leaks[0]
