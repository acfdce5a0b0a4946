"""Errata that name a game, answers to letters: as a GM mails them, and as readers find them in mail, page, print."""

from __future__ import annotations

import html
import io
import re
from pathlib import Path

import pytest
from pypdf import PdfReader

from gm.store.db import Store, open_store
from tests.clubworld import ANN, BEN, found, play, process, receipt, wait, zines
from tests.web.test_zines import ask
from tests.world import GM, Sent, World


@pytest.fixture
def club(one_store: Store) -> World:
    """A campaign of two games; its first issue tells of one of them, and of both that they are there."""
    world = World(one_store)
    found(world)
    play(world)
    play(world, "autumn")
    process(world)
    publish(world)
    return world


def publish(world: World) -> dict[str, Sent]:
    world.reply(GM, "CAMPAIGN danube\nPUBLISH")
    return zines(wait(world, minutes=1))


def say(world: World, text: str, who: str = GM) -> str:
    return receipt(world.reply(who, f"CAMPAIGN danube\n{text}" if who == GM else text))


def page(world: World, number: int) -> str:
    bare = re.sub(r"<[^>]+>", " ", ask(world, f"/zine/danube/{number:03}.html").text)
    return " ".join(html.unescape(bare).split())


def printed(world: World, number: int) -> str:
    data = ask(world, f"/zine/danube/{number:03}.pdf").body
    return " ".join(" ".join(p.extract_text() for p in PdfReader(io.BytesIO(data)).pages).split())


def game_in(text: str, title: str) -> str:
    """What a text says of one game, up to the next banner."""
    return re.split(r"={20,}", text.split(f"] {title}", 1)[1])[1]


def test_erratum_of_a_game_stands_beside_its_report_and_on_the_page_that_was_wrong(club: World) -> None:
    assert (
        "printed beside the report of spring99 in the next issue of The Danube Courier; then noted on the page of "
        "No. 1" in say(club, "ERRATUM spring99: The fleet stood in Sevastopol.")
    )
    assert "Put right" not in page(club, 1), "it is not published yet"
    process(club)
    sent = publish(club)[ANN]
    assert "To No. 1: The fleet stood in Sevastopol." in game_in(sent.text, "SPRING OF 99")
    shown = sent.mail.get_body(("html",)).get_content()
    assert shown.index("Fall 1901") < shown.index("To No. 1: The fleet stood in Sevastopol.")
    assert "Errata To No. 1: The fleet stood in Sevastopol." in page(club, 2)
    assert "To No. 1: The fleet stood in" in printed(club, 2)
    assert "Put right since No. 2: The fleet stood in Sevastopol." in page(club, 1)
    assert "Put right" not in page(club, 2)
    assert "PUT RIGHT SINCE" in ask(club, "/zine/danube/001.txt").text
    (copy,) = [m for m in club.reply(BEN, "GET ZINE 1 OF danube") if m.kind == "zine"]
    assert "No. 2: The fleet stood in Sevastopol." in copy.flat


def test_erratum_names_an_issue_a_game_both_or_neither(club: World) -> None:
    process(club)
    publish(club)
    for head, read in (
        ("ERRATUM spring99 IN 1:", "beside the report of spring99 in the next issue of The Danube Courier; then noted "
         "on the page of No. 1"),
        ("ERRATUM spring99:", "then noted on the page of No. 2"),
        ("ERRATUM IN No. 1:", "printed under the errata of the next issue of The Danube Courier; then noted on the "
         "page of No. 1"),
        ("ERRATUM:", "printed under the errata of the next issue of The Danube Courier."),
        ("ERRATUM Sevastopol:", "printed under the errata of the next issue of The Danube Courier."),
    ):  # fmt: skip
        answer = say(club, f"{head} Words of {head}")
        assert read.rstrip(".") in answer, (head, answer)
    block = say(club, "ERRATUM spring99 IN 2\nOf many\nlines.\nEND")
    assert "beside the report of spring99" in block
    text = publish(club)[ANN].text
    own, flat = " ".join(game_in(text, "SPRING OF 99").split()), " ".join(text.split())
    assert "To No. 1: Words of ERRATUM spring99 IN 1:" in own
    assert "To No. 2: Of many lines." in own
    assert "To No. 1: Words of ERRATUM IN No. 1:" in flat
    assert "Sevastopol: Words of ERRATUM Sevastopol:" in flat, "a word that is no game is part of the text"
    assert "Words of ERRATUM IN No. 1:" not in own


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("ERRATUM spring9: Wrong.", "There is no game 'spring9' in danube. Nothing was kept."),
        ("ERRATUM spring99 IN 7: Wrong.", "has no issue 7; there are 1 to 1. Nothing was kept."),
        ("ERRATUM spring99", "A text of more lines than one needs END below it"),
        ("ERRATUM spring99\nNo end follows", "A text of more lines than one needs END below it"),
        ("ANSWER LETTER 1: To nobody.", "No letter waits."),
    ],
)
def test_erratum_or_answer_that_cannot_be_placed_is_answered_and_not_kept(
    club: World, line: str, answer: str
) -> None:
    assert answer in say(club, line)
    assert "none waits" in say(club, "LETTERS")


def test_erratum_of_a_game_that_is_told_no_more_stands_under_the_errata_with_its_title(club: World) -> None:
    club.reply(GM, "GAME spring99\nEND DRAW Austria, France")
    publish(club)
    say(club, "ERRATUM spring99: The draw was of three.")
    text = publish(club)[GM].flat
    assert "Spring of 99. To No. 2: The draw was of three." in text
    assert "Put right since No. 3: The draw was of three." in page(club, 2)


def test_answer_stands_below_its_letter_signed_ed(club: World) -> None:
    say(club, "LETTER danube: The map is splendid.", who=BEN)
    say(club, "LETTER danube: When is the feast?", who=ANN)
    assert "2. LETTER, ANN ADLER" in say(club, "LETTERS")
    assert "printed below the letter of Ann Adler, signed Ed." in say(
        club, "ANSWER LETTER 2\nOn Friday.\n\nBring wine.\nENDANSWER"
    )
    assert "4. ANSWER TO 1" in say(club, "ANSWER LETTER 1 It is Anna's.\nENDANSWER\nLETTERS")
    sent = publish(club)[ANN]
    assert "Ann Adler writes: When is the feast? [On Friday. Bring wine. -- Ed.]" in sent.flat
    assert "Ben Marsh writes: The map is splendid. [It is Anna's. -- Ed.]" in sent.flat
    shown = sent.mail.get_body(("html",)).get_content()
    answer = shown[shown.index("On Friday.") - 200 : shown.index("On Friday.")]
    assert "font-style:italic" in answer
    assert "When is the feast? On Friday. Bring wine. — Ed." in page(club, 2)
    assert '<div class="answer">' in ask(club, "/zine/danube/002.html").text
    paper = printed(club, 2)
    assert paper.index("When is the feast?") < paper.index("On Friday.")
    assert "— Ed." in paper


def test_second_answer_takes_the_place_of_the_first_of_its_writer_only(club: World) -> None:
    other = "other@club.example"
    say(club, f"ADD GM {other} AS Otto")
    club.outgoing()
    say(club, "LETTER danube: When is the feast?", who=BEN)
    say(club, "ANSWER LETTER 1: On Friday.")
    assert "signed Ed., in place of your earlier one" in say(club, "ANSWER LETTER 1: On Sunday.")
    refused = receipt(club.reply(other, "CAMPAIGN danube\nANSWER LETTER 1: Never."))
    assert "gm has answered this letter already." in refused
    assert "DROP LETTER 2" in refused
    text = publish(club)[BEN].flat
    assert "[On Sunday. -- Ed.]" in text
    assert "On Friday." not in text
    assert "Never." not in text


def test_letter_taken_back_or_struck_takes_its_answer_along_and_the_editor_is_told(club: World) -> None:
    say(club, "LETTER danube: When is the feast?", who=BEN)
    say(club, "ANSWER LETTER 1: On Friday.")
    mails = club.reply(BEN, "WITHDRAW LETTER OF danube")
    (told,) = [m for m in mails if m.to == GM]
    assert told.subject == "[The Courier] The Danube Courier: your answer is not printed"
    assert "On Friday." in told.flat
    say(club, "LETTER danube: And now?", who=BEN)
    say(club, "ANSWER LETTER 1: Soon.")
    assert "the letter of Ben Marsh is struck, and the answer to it" in say(club, "DROP LETTER 1")
    assert "none waits" in say(club, "LETTERS")


def test_an_answer_alone_is_struck_and_its_letter_stays(club: World) -> None:
    say(club, "LETTER danube: When is the feast?", who=BEN)
    say(club, "ANSWER LETTER 1: On Friday.")
    say(club, "DROP LETTER 2")
    text = publish(club)[BEN].flat
    assert "When is the feast?" in text
    assert "On Friday." not in text


def test_players_cannot_answer_letters_or_print_errata(club: World) -> None:
    answer = say(club, "ANSWER LETTER 1\nI rule.\nENDANSWER\nERRATUM spring99: I won.", who=ANN)
    assert answer.count("Only a GM of") == 2
    assert "none waits" in say(club, "LETTERS")


def test_store_of_before_takes_errata_and_answers(tmp_path: Path) -> None:
    from gm.store import migrating

    store = open_store(f"sqlite:///{tmp_path}/old.db")
    migrating.upgrade(store.url, "0002")
    store.migrate()
    world = World(store)
    found(world)
    assert "printed under the errata" in say(world, "ERRATUM: All wrong.")
    store.close()
