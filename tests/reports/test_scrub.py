"""What players wrote is cleaned before it is laid out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gm.reports import samples
from gm.reports.scrub import clean, scrubbed


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07x", "x"),
        ("a\x00b\x08c", "abc"),
        ("a\tb", "a   b"),
        ("ab\u202egnp.exe", "abgnp.exe"),
        ("a\xa0b\u2003c", "a b c"),
        ("two\r\nlines", "two lines"),
        ("Zürich 日本", "Zürich 日本"),
    ],
)
def test_one_line_texts_lose_controls_escapes_and_newlines(raw: str, cleaned: str) -> None:
    assert clean(raw) == cleaned


def test_texts_of_several_lines_keep_them_whatever_their_newline() -> None:
    assert clean("a\r\nb\rc\u2028d", multiline=True) == "a\nb\nc\nd"


def test_a_name_cannot_bring_a_line_of_its_own_but_press_can() -> None:
    mail = scrubbed(replace(samples.PRESS, sender="France\n\nTo: all", body="one\ntwo"))
    assert (mail.sender, mail.body) == ("France To: all", "one\ntwo")
