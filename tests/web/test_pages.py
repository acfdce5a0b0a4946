"""The web pages: what a stranger sees, and what he never does."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
from sqlalchemy import update

from gm.reports.zine import write_zine
from gm.store.db import Store
from gm.store.mailtables import Inbound, Outbound
from gm.store.tables import Game, PhaseRow, Player, Press, Seat, ServerFact, Sheet
from gm.web.archive import all_games, public_zine
from tests.web.conftest import NOW, SEED, Ask, add_game

PATHS = ("/", "/status", "/spring99/index.html", "/spring99/01.html", "/spring99/02.html", "/spring99/02.svg")


def test_every_link_of_every_page_leads_somewhere(ask: Ask, played: Game) -> None:
    seen, todo = set(), ["/", "/status"]
    while todo:
        path = todo.pop()
        if path in seen:
            continue
        seen.add(path)
        answer = ask(path)
        assert answer.status == 200, path
        if "html" in answer.headers["content-type"]:
            base = path.rpartition("/")[0]
            for target in re.findall(r'(?:href|src)="([^"]*)"', answer.text):
                parts = [*base.split("/"), *target.split("/")]
                while ".." in parts:
                    at = parts.index("..")
                    del parts[at - 1 : at + 1]
                todo.append("/".join(parts))
    assert seen == {*PATHS, "/index.html", "/spring99/01.svg"}


def test_an_issue_shows_the_public_report_with_map_press_and_notes(ask: Ask, played: Game) -> None:
    page = ask("/spring99/01.html").text
    for words in (
        "Spring 1901",
        "Player of Austria",
        "France to all",
        "To everybody, phase 1.",
        "A note of the GM",
    ):
        assert words in page
    assert ask("/spring99/01.svg").headers["content-type"].startswith("image/svg+xml")


@pytest.mark.parametrize("path", ["/spring99", "/spring99/"])
def test_short_addresses_lead_to_the_game(ask: Ask, played: Game, path: str) -> None:
    answer = ask(path)
    target = answer.headers["location"]
    assert answer.status == 302
    assert f"{path.rpartition('/')[0]}/{target}" == "/spring99/index.html"


@pytest.mark.parametrize(
    "path",
    [
        "/none",
        "/none/01.html",
        "/spring99/03.html",
        "/spring99/1.html",
        "/spring99/" + "9" * 5000 + ".html",
        "/spring99/x.html",
        "/../etc/passwd",
        "/spring99/01.html/x",
        "/'; DROP TABLE game",
    ],
)
def test_what_is_not_there_is_a_plain_page_with_404(ask: Ask, played: Game, path: str) -> None:
    answer = ask(path)
    assert answer.status == 404
    assert "There is no such page" in answer.text


def test_pages_can_only_be_read(ask: Ask, played: Game) -> None:
    assert ask("/", method="POST").status == 405
    assert ask("/spring99/01.html", method="DELETE").status == 405


def test_pages_allow_no_script_and_no_outside_resource(ask: Ask, played: Game) -> None:
    for path in (*PATHS, "/none", "/health"):
        answer = ask(path)
        assert answer.headers["content-security-policy"].startswith("default-src 'none'; img-src 'self'")
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert "<script" not in answer.text


def test_an_unchanged_page_is_not_sent_twice(ask: Ask, played: Game) -> None:
    first = ask("/spring99/01.html")
    again = ask("/spring99/01.html", if_none_match=first.headers["etag"])
    assert (again.status, again.body) == (304, b"")


# --- secrets ---------------------------------------------------------------------------------------------


@pytest.mark.case(47)
def test_no_page_changes_with_what_the_public_may_not_know(ask: Ask, played: Game, one_store: Store) -> None:
    before = {path: ask(path).body for path in PATHS}
    with one_store.write() as session:
        phase = session.query(PhaseRow).filter_by(status="open").one()
        session.add(
            Press(
                game_id=played.id,
                phase_id=session.query(PhaseRow).filter_by(ordinal=2).one().id,
                sender="turkey",
                kind="white",
                audience=["russia", "gm"],
                body="Secret plan.",
                sent_at=NOW,
            )
        )
        session.add(
            Sheet(
                phase_id=phase.id,
                power="austria",
                version=1,
                orders=["A VIE H"],
                source="player",
                player_id=session.query(Player).first().id,
                received_at=NOW,
            )
        )
        session.add(_outbound("queued", NOW))
        session.add(_inbound("new", NOW))
    assert {path: ask(path).body for path in PATHS} == before


@pytest.mark.case(46)
def test_an_anonymous_game_names_nobody_before_its_end(ask: Ask, one_store: Store) -> None:
    with one_store.write() as session:
        game = add_game(session, anonymous=True)
    assert not any("Player of" in ask(path).text for path in PATHS)
    with one_store.write() as session:
        session.execute(update(PhaseRow).where(PhaseRow.status == "open").values(status="undone"))
        session.execute(
            update(Game)
            .where(Game.id == game.id)
            .values(status="finished", result={"winners": ["france"], "text": "France wins.", "how": "rules"})
        )
    assert "Player of France" in ask("/spring99/02.html").text
    assert "France wins." in ask("/spring99/index.html").text


def test_private_press_and_the_seed_stay_inside(ask: Ask, played: Game) -> None:
    for path in PATHS:
        text = ask(path).text
        assert "Only for Italian eyes" not in text
        assert SEED.hex() not in text


def test_the_seed_is_shown_once_the_game_is_over(ask: Ask, played: Game, one_store: Store) -> None:
    with one_store.write() as session:
        session.execute(update(Game).values(status="finished", result={"text": "Draw."}))
    assert SEED.hex() in ask("/spring99/index.html").text


def test_a_new_holder_of_a_power_is_named_at_once(ask: Ask, played: Game, one_store: Store) -> None:
    assert "Player of Italy" in ask("/spring99/02.html").text
    with one_store.write() as session:
        fresh = Player(name="Ivo the Second", created_at=NOW)
        session.add(fresh)
        session.flush()
        session.execute(update(Seat).where(Seat.power == "italy").values(player_id=fresh.id))
    assert "Ivo the Second" in ask("/spring99/02.html").text


def test_a_phase_rolled_back_is_gone_from_the_pages(ask: Ask, played: Game, one_store: Store) -> None:
    assert ask("/spring99/02.html").status == 200
    with one_store.write() as session:
        session.execute(update(PhaseRow).where(PhaseRow.ordinal == 2).values(status="undone"))
    assert ask("/spring99/02.html").status == 404
    assert "02.html" not in ask("/spring99/index.html").text


def test_press_and_titles_are_escaped(ask: Ask, played: Game, one_store: Store) -> None:
    with one_store.write() as session:
        session.execute(update(Game).values(title="{{ 7*7 }}<script>alert(1)</script>"))
        session.execute(update(Press).where(Press.sender == "france").values(body="<img src=x>\x1b[2J"))
    for path in PATHS:
        text = ask(path).text
        assert "<script" not in text and "<img src=x" not in text and "\x1b" not in text


# --- faults, status, health ------------------------------------------------------------------------------


@pytest.mark.case(48)
def test_a_fault_shows_nothing_of_its_cause(one_store: Store, played: Game, ask: Ask) -> None:
    with one_store.write() as session:
        session.execute(update(PhaseRow).where(PhaseRow.ordinal == 2).values(results={"orders": "broken"}))
    answer = ask("/spring99/02.html")
    assert answer.status == 500
    assert "Something went wrong" in answer.text
    assert "TypeError" not in answer.text and "spring99" not in answer.text
    assert isinstance(answer.fault, TypeError), "the cause goes on to the server's log"


def test_status_lists_games_and_stuck_mail(ask: Ask, played: Game, one_store: Store) -> None:
    assert "All is well" in ask("/status").text
    old = NOW - timedelta(minutes=6)
    with one_store.write() as session:
        session.add_all([_inbound("new", old), _outbound("queued", old, 1), _outbound("failed", old, 2)])
    text = re.sub(r"<[^>]*>", " ", ask("/status").text)
    text = " ".join(text.split())
    assert "Spring Ninety-Nine Diplomacy" in text
    assert "Friday 11 December 2026, 21:00 (Europe/London)" in text
    assert "In, waiting to be read 1" in text and "Out, waiting for the relay 1" in text
    assert "Out, not delivered or held 1" in text
    assert "Something needs a person" in text


@pytest.mark.parametrize(
    ("value", "status"),
    [
        (None, 200),
        ({"at": NOW.isoformat()}, 200),
        ({"at": (NOW - timedelta(minutes=6)).isoformat()}, 503),
        ({"at": NOW.isoformat(), "doubt": NOW.isoformat()}, 503),
    ],
    ids=["not yet started", "awake", "asleep", "in doubt"],
)
def test_health_follows_the_heartbeat(ask: Ask, one_store: Store, value: dict | None, status: int) -> None:
    if value:
        with one_store.write() as session:
            session.add(ServerFact(name="heartbeat", value=value))
    answer = ask("/health")
    assert answer.status == status
    assert (json.loads(answer.body)["status"] == "ok") == (status == 200)


def test_health_is_bad_without_a_store(ask: Ask, one_store: Store) -> None:
    with one_store.writer.begin() as connection:
        connection.exec_driver_sql("DROP TABLE server_fact")
    assert ask("/health").status == 503


def test_an_empty_server_has_a_front_page(ask: Ask) -> None:
    assert "No game yet" in ask("/").text
    assert "No game yet" in ask("/status").text


def test_a_game_that_waits_for_players_has_a_page(ask: Ask, played: Game, one_store: Store) -> None:
    with one_store.write() as session:
        session.execute(update(PhaseRow).values(status="undone"))
        session.execute(update(Game).values(status="forming"))
    page = ask("/spring99/index.html").text
    assert "Waiting for players" in page and "No issue yet" in page


def test_the_static_zine_of_a_store_is_what_the_pages_show(
    ask: Ask, played: Game, one_store: Store, tmp_path
) -> None:
    with one_store.read() as session:
        zine = public_zine(session, "The Danube Courier", all_games(session))
    write_zine(tmp_path, zine)
    for path in ("/index.html", "/spring99/index.html", "/spring99/02.html", "/spring99/02.svg"):
        assert (tmp_path / path[1:]).read_bytes() == ask(path).body


def _inbound(status: str, at) -> Inbound:
    return Inbound(
        identity=f"{status}{at}",
        raw=b"",
        sha256="0" * 64,
        envelope_from="a@example.org",
        recipient="gm@example.org",
        peer="192.0.2.1",
        via="smtp",
        received_at=at,
        status=status,
    )


def _outbound(status: str, at, number: int = 0) -> Outbound:
    return Outbound(
        message_id=f"<{number}@example.org>",
        verp=f"{number}",
        kind="report",
        recipient="a@example.org",
        raw=b"",
        status=status,
        next_try_at=at,
        queued_at=at,
    )
