"""The four mails as subject, text and HTML."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from gm.games.api import Section
from gm.reports import samples
from gm.reports.mails import PressItem, ReceiptMail, ReportMail, TranscriptLine
from gm.reports.render import Mail, TemplateFault, check_templates, one_line, render

HEAD = """\
========================================================================
The Danube Courier                                           for Austria
Spring Ninety-Nine (spring99)                                  Diplomacy
========================================================================
"""

FOOT = """
------------------------------------------------------------------------
Deadline: Friday 4 Dec 2026, 20:00 (Europe/London)
Reply to this mail with your orders, one a line. No subject or password
is needed.
"""

PRESS_TEXT = (
    HEAD
    + """
Spring 1901, movement

Press from: France
To:         Austria

    Shall we leave Munich alone?
"""
    + FOOT
)

NOTICE_TEXT = (
    HEAD
    + """
Spring 1901, movement

THE DEADLINE HAS MOVED
----------------------
The GM has moved the deadline by a day.

DEADLINES
---------
  Was        Is
  ---------  ---------
  Thu 3 Dec  Fri 4 Dec
"""
    + FOOT
)

REPORT_TEXT = (
    HEAD
    + """
                         Spring 1901, movement

                          AUSTRIA TAKES SERBIA

Results of the first turn.

AUSTRIA
-------
  A Bud - Ser
* A Vie - Gal
      Bounced with A War - Gal (datc 6.A.1).

CENTRES
-------
  Power    Now  Change
  -------  ---  ------
  Austria    4      +1

* marks an order that failed.

SUPPLY CENTRES
--------------
  Austria  Anna Adler  4  ####
  France               3  ###

PRESS
-----
France to all:
    A good start.

FROM THE GM
-----------
Welcome to the game.

========================================================================
                            For Austria only
========================================================================

YOUR UNITS
----------
  A Ser
  A Vie
  F Tri

YOU OWE ORDERS FOR
------------------
  A Ser
  A Vie
  F Tri
"""
    + FOOT
)

RECEIPT_TEXT = (
    HEAD
    + """
Spring 1901, movement

Orders received: version 3, 2 orders, 1 unit without.
The mail was HTML only and was read as plain text.

AUSTRIA: ORDERS, VERSION 3
--------------------------
  A Vie - Gal
  A Bud - Ser

Without an order:
  F Tri

To look at:
* A Bud - Ser
      Nothing supports the attack on Serbia. [datc 6.A.1]
      Did you mean:
        F Tri S A Bud - Ser

  Version 2 is replaced.

If nothing else comes, these 2 orders run at the deadline and F Tri
holds.

YOUR MAIL, LINE BY LINE
-----------------------
   1 | Vie to Gal
     = order: A Vie - Gal
   2 | A Bud - Ser
     = order: A Bud - Ser
   3 | F Tri - Albn
     ! There is no province 'Albn'; the fleet in Trieste has no order.
     ? Did you mean: F Tri - Alb

NOT TAKEN
---------
These lines stand below a quotation or a signature. They read like
orders, but were not taken; if you meant them, send them again at the
top of a mail.
  A Vie H

TIME LEFT
---------
  2 days and 4 hours.
"""
    + FOOT
)


@pytest.mark.parametrize(
    ("mail", "text", "subject"),
    [
        (samples.PRESS, PRESS_TEXT, "[spring99] Press: France to Austria"),
        (samples.NOTICE, NOTICE_TEXT, "[spring99] deadline moved"),
        (samples.REPORT, REPORT_TEXT, "[spring99] Spring 1901, movement: Austria takes Serbia"),
        (samples.RECEIPT, RECEIPT_TEXT, "[spring99] Orders received: version 3, 2 orders, 1 unit without"),
    ],
    ids=["press", "notice", "report", "receipt"],
)
def test_each_mail_as_text(mail: Mail, text: str, subject: str) -> None:
    laid_out = render(mail)
    assert laid_out.text == text
    assert laid_out.subject == subject


@pytest.mark.parametrize("mail", samples.MAILS, ids=lambda mail: type(mail).__name__)
def test_html_says_all_that_the_text_says(mail: Mail) -> None:
    laid_out = render(mail)
    page = " ".join(etree.HTML(laid_out.html.encode()).itertext())
    words = set(re.findall(r"\w{3,}", page.lower()))
    expected = set(re.findall(r"\w{3,}", laid_out.text.lower())) - {
        "marks",
        "that",
        "order",
        "press",
        "from",
        "only",
    }
    assert expected - words == set()


@pytest.mark.parametrize("mail", samples.MAILS, ids=lambda mail: type(mail).__name__)
def test_html_asks_for_nothing_from_outside(mail: Mail) -> None:
    page = render(mail).html
    assert "http" not in page and "<script" not in page and "@import" not in page and "url(" not in page
    assert re.findall(r'src="(.*?)"', page) == (["cid:map@gm.example"] if mail is samples.REPORT else [])


@pytest.mark.parametrize("mail", samples.MAILS, ids=lambda mail: type(mail).__name__)
def test_a_mail_laid_out_twice_is_the_same_bytes(mail: Mail) -> None:
    assert render(mail) == render(mail)


def test_the_map_has_an_alternative_text() -> None:
    assert 'alt="Map of Europe after Spring 1901"' in render(samples.REPORT).html


def test_a_report_without_a_map_shows_no_picture() -> None:
    assert "<img" not in render(replace(samples.REPORT, map_cid="")).html


# --- hostile text (hostile inputs 13 and 35) ------------------------------------------------------------

HOSTILE = (
    "{{ 7*7 }} {% include 'x' %} <script>alert(1)</script> <img src=http://t.example/x.png> \x1b[2J & \"q\""
)


@pytest.mark.case(47)
def test_press_is_text_and_never_template_markup_or_escape_codes() -> None:
    for mail in (
        replace(samples.PRESS, body=HOSTILE),
        replace(samples.REPORT, press=(PressItem(sender="x", body=HOSTILE),), headline=HOSTILE),
        replace(samples.NOTICE, paragraphs=(HOSTILE,), sections=(Section(title=HOSTILE, lines=(HOSTILE,)),)),
        replace(samples.RECEIPT, transcript=(TranscriptLine(number=1, text=HOSTILE, problem=HOSTILE),)),
    ):
        laid_out = render(mail)
        assert "{{ 7*7 }}" in laid_out.text
        assert "\x1b" not in laid_out.text + laid_out.html + laid_out.subject
        assert "<script" not in laid_out.html and "<img src=http" not in laid_out.html
        assert "{{ 7*7 }} {% include" in html.unescape(laid_out.html)


def test_press_cannot_look_like_the_rules_and_headings_around_it() -> None:
    forged = "=" * 72 + "\nGM to all:\n    You are disqualified."
    lines = render(
        replace(samples.REPORT, press=(PressItem(sender="Italy to all", body=forged),))
    ).text.split("\n")
    assert "GM to all:" not in lines
    assert "    GM to all:" in lines


@pytest.mark.case(38)
@pytest.mark.parametrize("breaker", ["\n", "\r\n", "\r", "\x0b", "\x85", "\u2028"])
def test_no_field_brings_a_newline_into_the_subject(breaker: str) -> None:
    evil = f"hello{breaker}Bcc: all@example.org"
    for mail in (
        replace(samples.REPORT, headline=evil),
        replace(samples.RECEIPT, summary=evil),
        replace(samples.NOTICE, subject=evil),
        replace(samples.PRESS, sender=evil),
    ):
        subject = render(mail).subject
        assert subject.isprintable() and "hello Bcc: all@example.org" in subject


def test_a_long_subject_is_cut_at_a_word() -> None:
    assert one_line("word " * 30) == ("word " * 15).strip() + "..."
    assert one_line("x" * 100) == "x" * 75 + "..."


# --- the property of 72 columns --------------------------------------------------------------------------

TEXT = st.text(alphabet=st.characters(codec="utf-8"), max_size=200)
LINES = st.lists(st.one_of(TEXT, TEXT.map("! ".__add__), TEXT.map("> ".__add__)), max_size=4).map(tuple)
SECTIONS = st.builds(
    lambda title, lines, header, rows: Section(
        title=title, lines=lines, header=header, rows=tuple((row * 5)[: len(header)] for row in rows)
    ),
    TEXT,
    LINES,
    st.lists(TEXT, max_size=4).map(tuple),
    st.lists(st.lists(TEXT, min_size=1, max_size=4).map(tuple), max_size=3),
)
REPORTS = st.builds(
    lambda headline, sections, press, notes, due: replace(
        samples.REPORT, headline=headline, sections=sections, press=press, notes=notes, due=due
    ),
    TEXT,
    st.lists(SECTIONS, max_size=3).map(tuple),
    st.lists(st.builds(lambda sender, body: PressItem(sender=sender, body=body), TEXT, TEXT), max_size=2).map(
        tuple
    ),
    st.lists(TEXT, max_size=2).map(tuple),
    st.lists(TEXT, max_size=2).map(tuple),
)


@given(REPORTS)
def test_any_report_is_laid_out_without_trailing_spaces_or_controls(mail: ReportMail) -> None:
    laid_out = render(mail)
    for line in laid_out.text.split("\n"):
        assert line == line.rstrip() and (
            not line or line.isprintable() or "\u00ad" in line or not line.isascii()
        )
    assert "\n\n\n" not in laid_out.text
    assert "\x1b" not in laid_out.html


SENTENCE = st.lists(st.text(alphabet="abcdefgh", min_size=1, max_size=30), min_size=1, max_size=40).map(
    lambda words: " ".join(words) + "."
)


@given(SENTENCE, SENTENCE, st.lists(SENTENCE, max_size=3).map(tuple))
def test_no_line_of_words_passes_72_columns(one: str, other: str, more: tuple[str, ...]) -> None:
    section = Section(title=one, lines=(other, *more), header=("Power", "Fate"), rows=((one, other),))
    mail = replace(
        samples.REPORT,
        headline=one,
        intro=more,
        sections=(section,),
        press=(PressItem(sender=other, body=one),),
        notes=more,
        due=more,
    )
    assert max(len(line) for line in render(mail).text.split("\n")) <= 72
    receipt: ReceiptMail = replace(
        samples.RECEIPT,
        summary=one,
        remarks=more,
        transcript=(TranscriptLine(number=1, text=one, reading=other, problem=one, suggestion=other),),
        not_taken=more,
        answers=(section,),
    )
    assert max(len(line) for line in render(receipt).text.split("\n")) <= 72


def test_a_whole_turn_reads_within_72_columns(grand_report: ReportMail) -> None:
    text = render(grand_report).text
    assert max(len(line) for line in text.split("\n")) <= 72
    assert "* F Nwg S F Nth - Nwy\n      No such move was ordered.\n" in text


# --- templates of a GM -----------------------------------------------------------------------------------


def test_a_gm_changes_one_template_and_the_rest_stays(tmp_path: Path) -> None:
    (tmp_path / "press.txt").write_text("{{ mail.sender }} writes:\n{{ mail.body | wrap('| ') }}\n")
    laid_out = render(samples.PRESS, templates=tmp_path)
    assert laid_out.text == "France writes:\n| Shall we leave Munich alone?\n"
    assert laid_out.subject == render(samples.PRESS).subject
    assert laid_out.html == render(samples.PRESS).html


def test_a_template_that_cannot_be_read_names_its_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "press.txt").write_text("fine\n{% if %}\n")
    with pytest.raises(TemplateFault, match=r"press\.txt, line 2: Expected an expression") as caught:
        render(samples.PRESS, templates=tmp_path)
    assert (Path(caught.value.template).name, caught.value.line) == ("press.txt", 2)


def test_a_template_that_asks_for_what_is_not_there_names_its_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "report.txt").write_text("one\ntwo\n{{ mail.state }}\n")
    with pytest.raises(TemplateFault, match=r"report\.txt, line 3: .*has no attribute 'state'"):
        check_templates(tmp_path)


def test_a_fault_in_a_shared_template_names_that_one(tmp_path: Path) -> None:
    (tmp_path / "base.txt").write_text("head\n{{ 1 / 0 }}\n{% block body %}{% endblock %}\n")
    with pytest.raises(TemplateFault, match=r"base\.txt, line 2: ZeroDivisionError: division by zero"):
        render(samples.NOTICE, templates=tmp_path)


def test_a_template_reaches_no_further_than_its_mail(tmp_path: Path) -> None:
    (tmp_path / "press.txt").write_text("{{ mail.__class__.__mro__[1].__subclasses__() }}")
    with pytest.raises(TemplateFault, match=r"press\.txt, line 1: access to attribute '__class__'"):
        render(samples.PRESS, templates=tmp_path)


def test_a_misnamed_template_is_refused_with_the_nearest_name(tmp_path: Path) -> None:
    (tmp_path / "raport.html").write_text("x")
    with pytest.raises(
        TemplateFault, match=r"raport\.html: no mail uses .* \(did you mean 'report\.html'\?\)"
    ):
        check_templates(tmp_path)


def test_a_templates_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TemplateFault, match="there is no such folder"):
        check_templates(tmp_path / "none")


def test_the_templates_of_the_program_work() -> None:
    check_templates()
