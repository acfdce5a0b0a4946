"""A fault in one game stops that game, names a trace to its GM, and leaves all other games and mails alone."""

from __future__ import annotations

import dataclasses

import pytest
from sqlalchemy import select

from gm import games
from gm.app.work import read_mail
from gm.store.mailtables import Inbound
from gm.store.tables import Audit
from tests.world import GM, World

SECRET = "the fleet is in Naples"


def break_ruleset(monkeypatch: pytest.MonkeyPatch, *parts: str) -> None:
    """Have functions of the ruleset raise, with game data in the message."""
    real = games.ruleset("diplomacy")

    def fail(*_args: object) -> object:
        raise ZeroDivisionError(SECRET)

    broken = dataclasses.replace(real, **dict.fromkeys(parts, fail))
    for module in (
        "gm.turns.run",
        "gm.turns.sheets",
        "gm.turns.starting",
        "gm.desk.handlers.ordering",
        "gm.turns.early",
    ):
        monkeypatch.setattr(f"{module}.ruleset", lambda _name: broken)


def trace_of(world: World) -> str:
    with world.store.read() as session:
        row = session.scalars(select(Audit).where(Audit.action.in_(("park", "fault")))).one()
    assert SECRET in row.detail["traceback"]
    return str(row.detail["trace"])


@pytest.mark.case(48)
def test_fault_at_the_deadline_parks_the_game_and_other_games_go_on(played, seats, monkeypatch):
    for who in seats.values():
        played.reply(who, "NO ORDERS")
    break_ruleset(monkeypatch, "adjudicate")
    mails = played.tick(minutes=1)
    assert [m.to for m in mails] == [GM, *seats.values()]
    assert f"Trace: {trace_of(played)}." in mails[0].flat
    assert all("stands still for a while" in m.subject for m in mails[1:])
    assert SECRET not in "".join(m.text for m in mails)
    assert not any(trace_of(played) in m.text for m in mails[1:]), (
        "players are told that it stands, and no more"
    )
    assert (played.game().status, played.phase().name, played.phase().due_at) == ("parked", "S1901M", None)
    monkeypatch.undo()
    played.reply(GM, "RESUME")
    played.tick(minutes=1)
    assert played.phase().name == "F1901M"


@pytest.mark.case(48)
def test_fault_under_process_parks_the_game_and_answers_the_gm_with_the_trace(played, seats, monkeypatch):
    played.reply(seats["italy"], "A VEN - TYR")
    break_ruleset(monkeypatch, "adjudicate")
    mails = played.reply(GM, "PROCESS\nSTATUS")
    receipt = next(m for m in mails if m.kind == "receipt")
    assert f"Its trace is {trace_of(played)}." in receipt.flat
    assert "the state of the game is below" in receipt.flat, "the other lines are done"
    assert SECRET not in "".join(m.text for m in mails)
    assert played.game().status == "parked"
    assert played.phase().name == "S1901M"
    assert {m.to for m in mails} == {GM, *seats.values()}


def test_fault_of_a_preview_stops_nothing(played, monkeypatch):
    break_ruleset(monkeypatch, "adjudicate")
    receipt = next(m for m in played.reply(GM, "PREVIEW") if m.kind == "receipt")
    assert "Its trace is" in receipt.flat
    assert played.game().status == "running"


def test_fault_in_reading_orders_answers_the_player_without_a_word_of_it_and_parks_nothing(
    played, seats, monkeypatch
):
    break_ruleset(monkeypatch, "parse")
    mails = played.reply(seats["italy"], "A VEN - TYR\nPRESS TO France: hello")
    receipt = next(m for m in mails if m.kind == "receipt")
    assert "Not done, for a fault of mine" in receipt.flat
    assert "ZeroDivision" not in receipt.text
    assert SECRET not in "".join(m.text for m in mails)
    assert [m.to for m in mails if m.kind == "press"] == [seats["france"]]
    assert played.game().status == "running"


def test_fault_at_the_start_keeps_all_players_and_lets_the_gm_start(one, monkeypatch):
    one.create()
    for n in range(6):
        one.join(f"p{n}@club.example", f"JOIN spring99 AS P{n}")
    break_ruleset(monkeypatch, "new_game")
    mails = one.join("p6@club.example", "JOIN spring99 AS P6")
    assert "the game is full, and its GM will begin it" in next(m for m in mails if m.kind == "receipt").flat
    assert any("is full but could not begin" in m.subject for m in mails if m.to == GM)
    monkeypatch.undo()
    one.reply(GM, "START")
    assert one.game().status == "running"


def test_fault_while_looking_who_is_late_parks_that_game_alone(played, seats, monkeypatch):
    break_ruleset(monkeypatch, "dues")
    mails = played.tick(days=3, hours=8, minutes=1)
    assert played.game().status == "parked"
    assert {m.to for m in mails} == {GM, *seats.values()}
    assert all("stands still" in m.subject for m in mails if m.to != GM)


def test_mail_that_fails_three_times_is_set_aside_and_the_next_are_read(played, seats, monkeypatch):
    def fail(*_args: object, **_kw: object) -> None:
        raise ZeroDivisionError(SECRET)

    monkeypatch.setattr("gm.desk.intake.send_receipt", fail)
    mails = played.reply(seats["italy"], "SHOW")
    for _ in range(3):
        read_mail(played.office)
    monkeypatch.undo()
    mails += played.outgoing() + played.reply(seats["austria"], "SHOW")
    with played.store.read() as session:
        stati = session.scalars(select(Inbound.status).order_by(Inbound.id.desc()).limit(2)).all()
    assert stati == ["done", "quarantined"]
    assert [m.to for m in mails] == [GM, seats["austria"]]
    assert "failed 3 times and was set aside" in mails[0].flat
    assert SECRET not in mails[0].text
