"""Plain text of people as paragraphs for any column."""

from __future__ import annotations

import pytest

from gm.reports.prose import breakable, paragraphs, typographic


def test_lines_that_a_mailer_wrapped_are_joined() -> None:
    text = (
        "The first snow has come to the Danube, and with it the question that\n"
        "every table asks at this time of the year: who will be building, and\n"
        "who burying?\n\nWrite soon."
    )
    assert paragraphs(text) == (
        "The first snow has come to the Danube, and with it the question that every table asks at this time of the "
        "year: who will be building, and who burying?",
        "Write soon.",
    )


@pytest.mark.parametrize(
    "text",
    [
        "Roses are red,\nSerbia's in doubt;\nI wrote you a treaty\nand then I found out.",
        "Yours in sorrow,\nthe Republic",
        "- one thing that is quite long and goes on for most of the line here\n- and another",
        "    set in by hand, a line that is as long as a mailer would have made it\n    and so on",
        "1. the first of these points, which has been written out at great length\n2. the second",
    ],
)
def test_verse_lists_and_signatures_keep_their_lines(text: str) -> None:
    assert paragraphs(text) == (text,)


def test_blank_lines_of_any_number_part_paragraphs_and_make_none() -> None:
    assert paragraphs("\n\none\n \n\n\ntwo\n\n") == ("one", "two")
    assert paragraphs("") == paragraphs(" \n \n") == ()


def test_a_word_too_long_for_a_column_may_break_and_others_may_not() -> None:
    assert breakable("a" * 24) == "a" * 24
    assert breakable("a" * 25) == "a" * 12 + "\u200b" + "a" * 12 + "\u200b" + "a"
    assert max(map(len, breakable("x" * 10_000).split("\u200b"))) == 12


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("It's Greta's, isn't it", "It’s Greta’s, isn’t it"),
        ('He said "no" ("never").', "He said “no” (“never”)."),
        ("'Tis 'so'", "‘Tis ‘so’"),
        ("the autumn of '01", "the autumn of ’01"),
        ("A Vie - Gal", "A Vie - Gal"),
    ],
)
def test_quotation_marks_are_those_of_print(typed: str, printed: str) -> None:
    assert typographic(typed) == printed
