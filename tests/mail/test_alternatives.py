"""A mail whose text and HTML differ: the text is taken, the sender told what was not."""

from __future__ import annotations

import pytest

from gm.mail.message import read_message
from tests.mail.samples import multi, part
from tests.mail.test_clients import HTML, PLAIN


def notes(text: str, html: str, *more: bytes) -> list[tuple[str, str]]:
    both = multi(
        part(text), part(html, "text/html; charset=utf-8"), kind="alternative", boundary="in", head=""
    )
    return [(note.code, note.message) for note in read_message(multi(both, *more)).notes]


DIFFER = "The text and the HTML of your mail differ; the text was taken."


@pytest.mark.case(1)
@pytest.mark.parametrize(
    ("text", "html", "named"),
    [
        ("A Vie H", "<p>A Vie - Tyr", 'Only in the HTML: "A Vie - Tyr". Only in the text: "A Vie H".'),
        ("A Vie H", "<p>A Vie H<p>A Bud H", 'Only in the HTML: "A Bud H".'),
        ("A Vie H\nA Bud H", "<p>A Vie H", 'Only in the text: "A Bud H".'),
        (
            "x",
            "<p>a<p>b<p>c<p>d<p>e",
            'Only in the HTML: "a", "b", "c", 2 lines more. Only in the text: "x".',
        ),
        ("x", f"<p>x<p>{'y ' * 60}", f'Only in the HTML: "{"y " * 28}y...".'),
    ],
)
def test_what_is_only_in_one_of_them_is_named(text: str, html: str, named: str) -> None:
    assert notes(text, html) == [("alternatives", f"{DIFFER} {named}")]


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("A Vie - Bud\n", "<p>A&nbsp;Vie &ndash; <b>Bud</b>"),
        ("press of many\nwords\n", "<div>press of many words</div>"),
        (
            "*A Vie* H <https://x.example/y> [image: z.png]",
            '<b>A Vie</b> <a href="https://x.example/y">H</a>',
        ),
        ("   1. A Vie H\n   2. A Bud H", "<ol><li>A Vie H<li>A Bud H</ol>"),
        ("A Vie H\n\n> A Ven H", "<p>A Vie H<blockquote>A Ven H</blockquote>"),
        ("A Vie H\n\n-- \nHans", "<p>A Vie H<div>-- <br>Hans</div>"),
        ("A Vie H", "<p>"),
        ("A Vie H", "<p>" + "A Mun - Ber<br>" * 5_000),
        (PLAIN["gmail"], HTML["gmail"]),
        (PLAIN["thunderbird german"], HTML["thunderbird"]),
        (PLAIN["iphone"], HTML["iphone"]),
        (PLAIN["outlook desktop"], HTML["outlook"]),
        (PLAIN["protonmail"], HTML["protonmail"]),
        (PLAIN["yahoo"], HTML["yahoo"]),
    ],
)
def test_layout_quotations_and_what_mail_programs_add_make_no_difference(text: str, html: str) -> None:
    assert notes(text, html) == []


def test_a_text_beside_the_alternative_is_not_missed_in_its_html() -> None:
    assert notes("A Vie H", "<p>A Vie H", part("A Bud H")) == []
