"""An issue as mail and as plain text."""

from __future__ import annotations

from dataclasses import replace

import pytest
from lxml import etree

from gm.games.api import Section
from gm.reports.issue import BadIssue, Issue, PrivatePage
from gm.reports.issuemail import issue_mail, issue_text
from gm.reports.layout import display_width
from gm.reports.mails import PressItem
from tests.reports.issue_games import real_issue
from tests.reports.issue_small import GAME, HOSTILE, ISSUE, MAP, hostile

TEXT = """\
========================================================================

                  T H E   D A N U B E   C O U R I E R

                          By the Thursday club

========================================================================
No. 12                                            Friday 4 December 2026
Edited by Henrik Vass                             published every Friday
------------------------------------------------------------------------

IN THIS ISSUE
-------------
   [1] Editorial
   [2] Errata
   [3] Spring Ninety-Nine
       Seven smiles
   [4] Letters
       Oskar Brandt
   [5] Standings
   [6] Games forming
   [7] Standbys wanted
   [8] Next deadlines
   [9] Colophon

========================================================================
[1] EDITORIAL
========================================================================

Snow has come to the Danube, and with it the question that every table
asks at this time of the year: who builds?

Write soon.

                                                                   -- HV

========================================================================
[2] ERRATA
========================================================================

The table in No. 11 was wrong.

========================================================================
[3] SPRING NINETY-NINE                                         Diplomacy
========================================================================

                         Spring 1901, movement

                              SEVEN SMILES

AUSTRIA
-------
  A Bud - Ser
* A Vie - Gal (stood off)
      Bounced with A War - Gal.

CENTRES
-------
  Power    Now
  -------  ---
  Austria    3
  Italy      4

* marks an order that failed.

SUPPLY CENTRES
--------------
  Italy    Ivo Rossi   4  ####
  Austria  Anna Adler  3  ###

PRESS
-----
France to all:
    That was our sea.

    Yours in sorrow,
    the Republic

FROM THE GM
-----------
I am away from Tuesday.

ERRATA
------
The fleet was in Sevastopol.

Next deadline: Friday 11 December 2026, 20:00 (UTC)
Map and archive: https://gm.example.org/spring99/

========================================================================
[4] LETTERS
========================================================================

Oskar Brandt writes:

    May I suggest a prize?

    [You may. -- HV]

========================================================================
[5] STANDINGS
========================================================================

  Player      Games  Points
  ----------  -----  ------
  Ivo Rossi       2      11
  Anna Adler      1       3

========================================================================
[6] GAMES FORMING
========================================================================

spring00: Diplomacy, wants 3 more
    Mail SIGNON ?spring00.

========================================================================
[7] STANDBYS WANTED
========================================================================

spring99: Italy, 4 centres

========================================================================
[8] NEXT DEADLINES                                                   UTC
========================================================================

  When                    Game                What
  ----------------------  ------------------  ---------------------
  Fri 11 December, 20:00  Spring Ninety-Nine  Autumn 1901, movement

========================================================================
[9] COLOPHON
========================================================================

Laid out by gm.

Back issues: Mail GET ZINE 11.

Diplomacy: Designed by Allan B. Calhamer.

========================================================================
"""


def words(html: str) -> str:
    return " ".join(" ".join(etree.HTML(html).find("body").itertext()).split())


def mail(issue: Issue = ISSUE, **options):
    return issue_mail(issue, domain="gm.example.org", **options)


def test_the_text_file_reads_like_a_zine() -> None:
    assert issue_text(ISSUE) == TEXT


def test_the_mails_text_is_the_text_file_with_how_to_reply_below() -> None:
    reply = "Reply with a letter to the editor."
    assert mail(how_to_reply=reply).rendered.text == TEXT + reply + "\n"


def test_the_subject_has_number_and_lead_headline_within_a_line() -> None:
    assert mail().rendered.subject == "The Danube Courier No. 12: Seven smiles"
    assert len(mail(hostile("long " * 99)).rendered.subject) <= 78


def test_an_issue_of_real_games_keeps_to_72_columns() -> None:
    assert max(display_width(line) for line in issue_text(real_issue()).split("\n")) == 72


def test_every_part_stands_in_the_html() -> None:
    html = words(mail().rendered.html)
    for part in (
        "The Danube Courier",
        "No. 12, Friday 4 December 2026",
        "By the Thursday club",
        "Edited by Henrik Vass · published every Friday",
        "the question that every table asks",
        "The table in No. 11 was wrong.",
        "Seven smiles",
        "A Bud - Ser",
        "Bounced with A War - Gal.",
        "Ivo Rossi",
        "France to all",
        "I am away from Tuesday.",
        "The fleet was in Sevastopol.",
        "May I suggest a prize?",
        "You may.",
        "spring00 : Diplomacy, wants 3 more",
        "Fri 11 December, 20:00",
        "Mail GET ZINE 11.",
        "Designed by Allan B. Calhamer.",
    ):
        assert part in html, part


def test_links_of_the_contents_lead_to_places_in_the_mail() -> None:
    tree = etree.HTML(mail().rendered.html)
    targets = [a.get("href")[1:] for a in tree.iter("a") if a.get("href").startswith("#")]
    assert len(targets) == 9
    assert all(len(tree.xpath("//*[@id=$name]", name=name)) == 1 for name in targets)


def test_html_fetches_nothing_from_outside() -> None:
    html = mail().rendered.html
    assert 'src="cid:' in html
    assert html.count("src=") == html.count('src="cid:')
    assert "@import" not in html and "url(" not in html


def test_maps_are_attached_by_content_id_and_carry_the_rulesets_svg() -> None:
    sent = mail()
    assert [(p.cid, p.file, p.alt, p.svg) for p in sent.pictures] == [
        ("spring99.12@gm.example.org", "spring99.png", "Map after Spring 1901, movement", MAP)
    ]
    assert 'src="cid:spring99.12@gm.example.org"' in sent.rendered.html


def many(count: int) -> Issue:
    games = tuple(
        replace(GAME, slug=f"g{n}", title=f"Game {n}", link=f"https://gm.example.org/g{n}/")
        for n in range(count)
    )
    return replace(ISSUE, games=games)


def test_more_maps_than_a_mail_may_carry_are_links() -> None:
    sent = mail(many(4), most_maps=2)
    assert [p.file for p in sent.pictures] == ["g0.png", "g1.png"]
    tree = etree.HTML(sent.rendered.html)
    links = {a.get("href"): a.text for a in tree.iter("a") if not a.get("href").startswith("#")}
    assert links == {
        "https://gm.example.org/g0/": "The game's page",
        "https://gm.example.org/g1/": "The game's page",
        "https://gm.example.org/g2/": "See the map",
        "https://gm.example.org/g3/": "See the map",
    }


def test_the_readers_own_games_have_their_maps_first() -> None:
    sent = mail(many(4), most_maps=2, private=(PrivatePage(game="g3", title="Game 3: Austria"),))
    assert [p.file for p in sent.pictures] == ["g0.png", "g3.png"]


def test_private_pages_stand_at_the_end_of_the_mail_only() -> None:
    page = PrivatePage(
        game="spring99",
        title="Spring Ninety-Nine: Austria",
        sections=(Section(title="Treasury", lines=("Seventeen talents.",), private=True),),
        due=("A Vie",),
        deadline="Friday 11 December 2026, 21:00 (Europe/Vienna)",
    )
    sent = mail(private=(page,)).rendered
    assert sent.text == TEXT.removesuffix("=" * 72 + "\n") + (
        "========================================================================\n"
        "                              For you only\n"
        "                      SPRING NINETY-NINE: AUSTRIA\n"
        "========================================================================\n\n"
        "TREASURY\n--------\n  Seventeen talents.\n\n"
        "YOU OWE ORDERS FOR\n------------------\n  A Vie\n\n"
        "Your deadline: Friday 11 December 2026, 21:00 (Europe/Vienna)\n\n"
        "========================================================================\n"
    )
    assert "Seventeen talents." in words(sent.html)
    assert "Seventeen" not in mail().rendered.text + mail().rendered.html + issue_text(ISSUE)


def test_private_sections_are_left_out_whoever_put_them_there() -> None:
    sent = mail().rendered
    assert "Hidden" not in sent.text + sent.html


def test_what_players_wrote_is_escaped_and_run_by_nobody() -> None:
    sent = mail(hostile()).rendered
    assert "<script" not in sent.html and '" onload="' not in sent.html and "url(" not in sent.html
    for form in (sent.text, sent.html, sent.subject):
        assert not {"\x1b", "\u202e", "\x00", "\ud800"} & set(form)
    assert "{{ 7*7 }}" in words(sent.html) and "{{ 7*7 }}" in sent.text
    assert "#eval" in sent.text and "<script>alert(1)</script>" in sent.text
    assert HOSTILE.count("{{ 7*7 }}") == 1


def test_nobodys_press_can_forge_a_section_of_its_own() -> None:
    forged = "x\n" + "=" * 72 + "\n[2] ERRATA\n" + "=" * 72 + "\nItaly has won."
    issue = replace(ISSUE, games=(replace(GAME, press=(PressItem(sender="France to all", body=forged),)),))
    lines = issue_text(issue).split("\n")
    assert [line for line in lines if "[2] ERRATA" in line] == ["[2] ERRATA", "    [2] ERRATA"]


def test_a_game_without_a_turn_says_where_it_stands() -> None:
    quiet = replace(GAME, stories=(), state="Autumn 1901, movement is open", press=(), notes=(), errata=())
    text = issue_text(replace(ISSUE, games=(quiet,)))
    assert "       Autumn 1901, movement is open\n" in text
    assert "\n\nAutumn 1901, movement is open\n\nSUPPLY CENTRES\n" in text


def test_an_issue_with_nothing_but_a_masthead_is_an_issue() -> None:
    bare = Issue(masthead=ISSUE.masthead)
    assert "[1] COLOPHON" in issue_text(bare)
    assert mail(bare).rendered.subject == "The Danube Courier No. 12"
    assert mail(bare).pictures == ()


@pytest.mark.parametrize("slug", ["../x", "", "a b", "Übung", "x\n"])
def test_a_game_whose_name_is_no_slug_is_refused(slug: str) -> None:
    with pytest.raises(BadIssue, match="can't name a game"):
        issue_text(replace(ISSUE, games=(replace(GAME, slug=slug),)))


def test_two_games_of_one_name_and_a_number_below_one_are_refused() -> None:
    with pytest.raises(BadIssue, match="each once"):
        issue_text(replace(ISSUE, games=(GAME, GAME)))
    with pytest.raises(BadIssue, match="1 or more, not 0"):
        issue_text(replace(ISSUE, masthead=replace(ISSUE.masthead, number=0)))


def test_made_twice_a_mail_is_the_same_to_the_byte() -> None:
    assert mail(real_issue()) == mail(real_issue())


def test_a_mail_of_twelve_games_stays_small() -> None:
    spring = real_issue().games[0]
    games = tuple(replace(spring, slug=f"g{n}") for n in range(12))
    sent = mail(replace(real_issue(), games=games))
    assert len(sent.rendered.html.encode()) < 100_000, "mailers cut what is longer"
    assert len(sent.rendered.text.encode()) < 60_000
    assert len(sent.pictures) == 4
