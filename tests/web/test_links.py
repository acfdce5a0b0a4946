"""Links from mails to the public pages: where they are set up, alike for every reader, to pages that are there."""

from __future__ import annotations

import asyncio
import re

import pytest

from gm.store.db import Store
from gm.web.app import create_app
from tests.clubworld import ANN, BEN, found, play, process, wait, zines
from tests.web.conftest import _ask
from tests.world import GM, Sent, World

URL = "https://zine.example.org/gm"
LINK = re.compile(r"https?://[^\s\"<>]+")


@pytest.fixture
def one(one_store: Store) -> World:
    return World(one_store)


@pytest.fixture
def club(one: World) -> World:
    one.with_office(web_url=URL)
    found(one)
    play(one)
    return one


def links(mail: Sent) -> list[str]:
    """All that both parts of a mail link to, once each."""
    html = mail.mail.get_body(("html",))
    assert html is not None
    return sorted({*LINK.findall(mail.text), *re.findall(r'href="(https?:[^"]*)"', html.get_content())})


def shown(world: World, link: str) -> int:
    """The status with which our own pages answer."""
    assert link.startswith(URL)
    app = create_app(world.store, lambda: world.now, server_name="The Courier")
    return asyncio.run(_ask(app, link.removeprefix(URL), "GET", {})).status


def reports(mails: list[Sent]) -> list[Sent]:
    return [m for m in mails if m.kind == "report"]


def test_results_link_to_the_public_page_of_the_phase_the_same_for_all(club: World) -> None:
    club.write("olga@club.example", "gm@play.example", "OBSERVE spring99")
    club.reply("olga@club.example", "yes")
    mails = reports(process(club))
    assert {m.to for m in mails} == {ANN, BEN, GM, "olga@club.example"}
    assert {tuple(links(m)) for m in mails} == {(f"{URL}/spring99/01.html",)}
    assert {m.mail["List-Archive"] for m in mails} == {f"<{URL}/spring99/index.html>"}
    assert "For all to read: https://zine.example.org/gm/spring99/01.html" in mails[0].flat
    assert shown(club, f"{URL}/spring99/01.html") == 200
    assert shown(club, f"{URL}/spring99/index.html") == 200


def test_what_the_pages_do_not_show_yet_is_not_linked_to(club: World) -> None:
    club.reply(GM, "GAME spring99\nSET observer_delay = 1")
    assert {tuple(links(m)) for m in reports(process(club))} == {(f"{URL}/spring99/index.html",)}
    assert shown(club, f"{URL}/spring99/index.html") == 200
    assert shown(club, f"{URL}/spring99/01.html") == 404
    club.reply(GM, "GAME spring99\nSET observer_delay = 0")
    assert {tuple(links(m)) for m in reports(process(club))} == {(f"{URL}/spring99/02.html",)}


def test_packet_of_a_newcomer_links_to_the_games_page(club: World) -> None:
    process(club)
    mails = club.reply(GM, "GAME spring99\nREPLACE Austria WITH dan@club.example AS Dan")
    (packet,) = [m for m in reports(mails) if m.to == "dan@club.example"]
    assert links(packet) == [f"{URL}/spring99/index.html"]
    assert packet.mail["List-Archive"] == f"<{URL}/spring99/index.html>"


def test_zine_links_to_its_page_and_to_those_of_its_games(club: World) -> None:
    process(club)
    club.reply(GM, "CAMPAIGN danube\nPUBLISH")
    issue = zines(wait(club, seconds=10))
    assert set(issue) == {ANN, BEN, GM}
    expected = [f"{URL}/spring99/index.html", f"{URL}/zine/danube/001.html"]
    for mail in issue.values():
        assert links(mail) == expected
        assert mail.mail["List-Archive"] == f"<{URL}/zine/danube/index.html>"
    for link in [*expected, f"{URL}/zine/danube/index.html"]:
        assert shown(club, link) == 200
    (back,) = [m for m in club.reply(ANN, "GET ZINE 1 OF danube") if m.kind == "zine"]
    assert links(back) == expected


def test_preview_of_an_issue_links_to_no_page_of_it(club: World) -> None:
    process(club)
    (preview,) = [m for m in club.reply(GM, "CAMPAIGN danube\nPREVIEW ISSUE") if m.kind == "zine"]
    assert links(preview) == [f"{URL}/spring99/index.html"]


def test_mails_of_no_game_and_links_of_no_reader_are_there(club: World) -> None:
    mails = [*club.reply(ANN, "STATUS"), *process(club), *club.reply(BEN, "SET PASSWORD correct horse")]
    for mail in mails:
        for link in links(mail):
            assert re.fullmatch(r"https://zine\.example\.org/gm/spring99/(index|\d\d)\.html", link)
            assert "play" not in link
    (desk,) = club.write("new@club.example", "gm@play.example", "SUBSCRIBE danube")
    assert (desk.mail["List-Archive"], links(desk)) == (None, [])


def test_german_reader_has_the_same_link(club: World) -> None:
    club.reply(ANN, "LANGUAGE de")
    mails = reports(process(club))
    german = next(m for m in mails if m.to == ANN)
    assert "Für alle zu lesen: https://zine.example.org/gm/spring99/01.html" in german.flat


def test_without_a_public_address_there_are_no_links(one: World) -> None:
    found(one)
    play(one)
    mails = process(one)
    one.reply(GM, "CAMPAIGN danube\nPUBLISH")
    mails += wait(one, seconds=10)
    assert {m.kind for m in mails} == {"report", "receipt", "zine"}
    for mail in mails:
        assert links(mail) == []
        assert mail.mail["List-Archive"] is None
