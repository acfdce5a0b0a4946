"""A phase undone, opened again, changed and run again."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from gm.games.api import Event, Reading, SeenOrder
from gm.store.tables import Game, PhaseRow, Vote
from gm.turns.changes import what_changed
from gm.turns.replay import replay, verify
from tests.world import GM, World

SHEETS = {
    "austria": "A VIE - GAL\nA BUD H\nF TRI H",
    "england": "F LON H\nF EDI H\nA LVP H",
    "france": "A PAR H\nA MAR H\nF BRE H",
    "germany": "A BER H\nA MUN H\nF KIE H",
    "italy": "A ROM H\nA VEN H\nF NAP H",
    "russia": "A WAR - GAL\nA MOS H\nF SEV H\nF STP/SC H",
    "turkey": "A CON H\nA SMY H\nF ANK H",
}
"""Vienna and Warsaw bounce in Galicia."""


def run_first(world: World, seats: dict[str, str]) -> None:
    for power, who in seats.items():
        world.reply(who, SHEETS[power])
    world.tick(minutes=1)
    assert world.phase().name == "F1901M"


@pytest.mark.case(71)
def test_rerun_tells_each_player_exactly_what_changed_for_him(played, seats):
    run_first(played, seats)
    mails = played.reply(GM, "ROLLBACK TO S1901M BECAUSE of a misread order")
    notice = next(m for m in mails if m.to == seats["italy"])
    assert "The GM has taken the game back to Spring 1901, movement: of a misread order." in notice.flat
    assert "These results no longer hold: Spring 1901, movement." in notice.flat
    assert played.phase().name == "S1901M"
    (receipt,) = played.write(
        seats["russia"], next(m for m in mails if m.to == seats["russia"]).reply_to, "SHOW"
    )
    assert "A WAR - GAL" in receipt.text
    played.reply(seats["russia"], "A WAR H")
    played.tick(minutes=30)
    assert played.phase().name == "S1901M", "a phase that was opened again waits for the GM's word"
    mails = played.reply(GM, "PROCESS")
    assert played.phase().name == "F1901M"
    for power, who in seats.items():
        report = next(m for m in mails if m.kind == "report" and m.to == who)
        before_map = report.flat
        assert "was run again. This is what changed for you:" in before_map, power
        assert "Austria: no longer A VIE - GAL (bounce" in before_map
        assert "Austria: now A VIE - GAL" in before_map
        assert "Russia: now A WAR H" in before_map
        assert "Italy: now" not in before_map
        assert "Turkey: no longer" not in before_map


def test_rerun_of_the_same_orders_says_that_nothing_changed(played, seats):
    run_first(played, seats)
    played.reply(GM, "ROLLBACK TO S1901M")
    mails = played.reply(GM, "PROCESS")
    report = next(m for m in mails if m.kind == "report" and m.to == seats["italy"])
    assert "Nothing that you were told before has changed." in report.flat


@pytest.mark.case(27)
def test_reply_to_a_mail_from_before_the_rollback_is_refused_and_says_what_happened(played, seats):
    start = played.newest[seats["austria"]].reply_to
    run_first(played, seats)
    fall = played.newest[seats["austria"]].reply_to
    played.reply(GM, "ROLLBACK TO S1901M")
    for old, title in ((start, "Spring 1901, movement"), (fall, "Fall 1901, movement")):
        (receipt,) = played.write(seats["austria"], old, "A VIE - TYR")
        assert f"This answers a mail about {title} from before the GM took the game back" in receipt.flat
    (receipt,) = played.write(seats["austria"], receipt.reply_to, "A VIE - TYR")
    assert "A VIE - TYR" in receipt.text.partition("YOUR MAIL")[0]


def test_phases_keep_their_numbers_through_a_rollback_over_two(played, seats):
    run_first(played, seats)
    for who in seats.values():
        played.reply(who, "NO ORDERS")
    played.tick(minutes=1)
    assert played.phase().name == "S1902M"
    assert played.phase().ordinal == 3
    played.reply(GM, "ROLLBACK TO S1901M")
    played.reply(GM, "PROCESS")
    assert (played.phase().name, played.phase().ordinal, played.phase().attempt) == ("F1901M", 2, 2)
    played.reply(GM, "PROCESS F1901M")
    with played.store.read() as session:
        game = session.scalars(select(Game)).one()
        assert replay(session, game) == (2, [])
        assert verify(session, game)[1] == []


def test_rollback_of_a_game_that_was_over_opens_it_and_forgets_the_votes(played, seats):
    run_first(played, seats)
    for who in seats.values():
        played.reply(who, "VOTE DRAW")
    assert played.game().status == "finished"
    played.reply(GM, "ROLLBACK TO S1901M")
    assert (played.game().status, played.game().result) == ("running", None)
    with played.store.read() as session:
        assert session.scalars(select(Vote)).all() == []
    played.reply(seats["austria"], "VOTE DRAW")
    assert played.game().status == "running"
    mails = played.reply(GM, "END ABANDONED")
    assert {m.to for m in mails if m.kind == "notice"} >= set(seats.values()), (
        "the second end is told like the first"
    )


def test_rolling_back_to_a_phase_that_was_not_run_is_refused_with_those_that_were(played, seats):
    run_first(played, seats)
    (receipt,) = played.reply(GM, "ROLLBACK TO F1901M")
    assert "'F1901M' is no phase that was run; there are: S1901M" in receipt.flat


def test_phase_may_be_named_as_reports_name_it(played, seats):
    run_first(played, seats)
    receipt = next(
        m
        for m in played.reply(GM, "ROLLBACK TO Spring 1901, movement BECAUSE of a slip")
        if m.kind == "receipt"
    )
    assert "back to Spring 1901, movement; its orders are on file again" in receipt.flat


@pytest.mark.case(30)
def test_asking_for_results_again_changes_nothing(played, seats):
    run_first(played, seats)

    def everything() -> list[tuple[object, ...]]:
        with played.store.read() as session:
            return [
                (r.state, r.after, r.results, r.sheets, r.dice) for r in session.scalars(select(PhaseRow))
            ]

    before = everything()
    first = next(m for m in played.reply(seats["italy"], "RESULTS 1") if m.kind == "report")
    second = next(
        m for m in played.reply(seats["italy"], "RESULTS S1901M\nHISTORY\nSTATUS") if m.kind == "report"
    )
    assert first.text == second.text
    assert everything() == before


def reading(orders: list[tuple[str, str, str]], events: list[str]) -> Reading:
    seen = tuple(SeenOrder(power=p, order=o, result=r) for p, o, r in orders)  # type: ignore[arg-type]  # a plain str for a result
    told = tuple(Event(kind="x", text=text, rule="") for text in events)
    return Reading(power=None, phase=None, orders=seen, events=told)  # type: ignore[arg-type]  # not looked at


def test_changes_use_printed_names_and_count_repeated_events():
    old = reading([("great_goblins", "A X H", "ok")], ["a bridge falls", "a bridge falls", "rain"])
    new = reading([("great_goblins", "A X H", "cut")], ["a bridge falls", "rain", "snow"])
    assert what_changed(old, new, {"great_goblins": "Great Goblins"}) == (
        "Great Goblins: no longer A X H",
        "Great Goblins: now A X H (cut)",
        "No longer: a bridge falls",
        "Now: snow",
    )
    assert what_changed(old, old, {}) == ()
