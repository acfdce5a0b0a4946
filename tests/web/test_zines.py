"""The archive of campaigns' zines: what a stranger finds there, and what he never does."""

from __future__ import annotations

import asyncio
import re

import pytest

from gm.store.db import Store
from gm.web.app import create_app
from tests.clubworld import ANN, BEN, found, play, process, wait
from tests.web.conftest import Answer, _ask
from tests.world import GM, World


@pytest.fixture(scope="module")
def paper(tmp_path_factory) -> World:
    """A campaign of one game with two issues; its second has a letter, and there is a private message."""
    from gm.store.db import open_store

    store = open_store(f"sqlite:///{tmp_path_factory.mktemp('zine')}/gm.db")
    store.migrate()
    world = World(store)
    found(world)
    play(world)
    process(world)
    world.reply(GM, "CAMPAIGN danube\nPUBLISH")
    wait(world, minutes=1)
    world.reply(ANN, "GAME spring99\nA VIE - GAL\nPRESS TO France: Only for French eyes.")
    world.reply(BEN, "LETTER\n<script>alert(1)</script> & so on\nENDLETTER")
    process(world)
    world.reply(GM, "CAMPAIGN danube\nPUBLISH")
    wait(world, minutes=1)
    world.reply(GM, "CAMPAIGN danube\nEDITORIAL: This one is not published yet.")
    return world


def ask(world: World, path: str, **headers: str) -> Answer:
    app = create_app(world.store, lambda: world.now, server_name="The Courier")
    return asyncio.run(_ask(app, path, "GET", headers))


def test_every_link_from_the_front_page_to_the_zine_and_in_it_leads_somewhere(paper: World) -> None:
    seen, todo = set(), ["/"]
    while todo:
        path = todo.pop()
        if path in seen:
            continue
        seen.add(path)
        answer = ask(paper, path)
        assert answer.status == 200, path
        if "html" in answer.headers["content-type"]:
            for target in re.findall(r'(?:href|src)="([^"#]+)', answer.text):
                parts = [*path.split("/")[:-1], *target.split("/")]
                while ".." in parts:
                    at = parts.index("..")
                    del parts[at - 1 : at + 1]
                todo.append("/".join(parts))
    for name in ("index.html", "001.html", "002.html", "001.txt", "002.pdf", "002-spring99.svg"):
        assert f"/zine/danube/{name}" in seen


def test_back_issues_stand_newest_first(paper: World) -> None:
    page = ask(paper, "/zine/danube/index.html").text
    assert page.index("No. 2") < page.index("No. 1")
    assert "Edited by gm" in page


def test_issue_can_be_had_as_page_text_pdf_and_maps(paper: World) -> None:
    page = ask(paper, "/zine/danube/002.html")
    assert "Fall 1901" in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert ask(paper, "/zine/danube/002.txt").headers["content-type"].startswith("text/plain")
    assert ask(paper, "/zine/danube/002.pdf").body.startswith(b"%PDF")
    assert ask(paper, "/zine/danube/002-spring99.svg").text.startswith("<svg")
    tag = page.headers["etag"]
    assert ask(paper, "/zine/danube/002.html", if_none_match=tag).status == 304


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/zine/danube", "danube/index.html"),
        ("/zine/danube/", "index.html"),
        ("/zine/danube/2", "002.html"),
        ("/zine/danube/2.pdf", "002.pdf"),
    ],
)
def test_short_addresses_lead_to_the_long_ones(paper: World, path: str, target: str) -> None:
    answer = ask(paper, path)
    assert (answer.status, answer.headers["location"]) == (302, target)


@pytest.mark.parametrize(
    "path",
    [
        "/zine/rhine/index.html",
        "/zine/danube/003.html",
        "/zine/danube/000.html",
        "/zine/danube/002-autumn.svg",
        "/zine/danube/..%2f..%2fetc",
        "/zine/danube/99999999999999999999.html",
        "/zine",
    ],
)
def test_what_is_not_there_is_not_found(paper: World, path: str) -> None:
    assert ask(paper, path).status == 404


def test_no_page_shows_anything_private(paper: World) -> None:
    for name in ("index.html", "001.html", "002.html", "001.txt", "002.txt", "002-spring99.svg"):
        text = ask(paper, f"/zine/danube/{name}").text
        for secret in (
            "Only for French eyes",
            "not published yet.",
            "@club.example",
            "For you only",
            "On file",
        ):
            assert secret not in text, (name, secret)


def test_letters_are_shown_as_written_and_never_as_markup(paper: World) -> None:
    page = ask(paper, "/zine/danube/002.html").text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; so on" in page
    assert "<script" not in page


def test_server_without_an_issue_links_to_no_zine(one_store: Store) -> None:
    world = World(one_store)
    found(world)
    assert "/zine" not in ask(world, "/").text
    assert ask(world, "/zine/danube/index.html").status == 200
