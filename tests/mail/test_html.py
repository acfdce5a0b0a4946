"""HTML to lines: what a player sees as a line is one, and nothing is added to it."""

from __future__ import annotations

import pytest

from gm.mail.html import QUOTED_LINE, html_to_text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("", ""),
        ("<p></p>", ""),
        ("A Vie <b>S</b> A <i>Bu</i>d, <u>x</u>", "A Vie S A Bud, x"),
        ("a<br><br>b", "a\n\nb"),
        ("<ul><li>x<ul><li>y</ul><li>z</ul><ol><li>one</ol>", "x\ny\nz\none"),
        ("<table><tr><td>a</td><th>b<table><tr><td>c</table></table>d", "a\nb\nc\nd"),
        ("<p>AT&amp;T &amp;lt; &lt;b&gt; &amp;copy; &copy;", "AT&T &lt; <b> &copy; \u00a9"),
        ("<pre>a  b\n<b>c\n d</b>\n\ne</pre>f", "a  b\nc\nd\n\ne\n\nf"),
        ("<div style='white-space: pre-wrap'>A Vie H\nA Bud H</div>\nx\ny", "A Vie H\nA Bud H\nx y"),
        ("<p style='margin-top:99999em;padding-left:99999em'>x<p style='display:block'>y", "x\n\ny"),
        ("<q>x</q> <img alt=y> <a href=z>w</a>", "x w"),
        ("<select><option>x</select><textarea>y</textarea><title>z</title>w", "w"),
        ("<span style='visibility:hidden'>x</span>y<p style='mso-hide: all'>z</p>", "y"),
        ("\ue000x\ue001\ue002y", "xy"),
    ],
)
def test_html_becomes_lines(html: str, text: str) -> None:
    assert html_to_text(html) == text


@pytest.mark.parametrize(
    ("html", "lines"),
    [
        ("a<blockquote>q<p>r</blockquote>b", ["a", QUOTED_LINE, "b"]),
        ("a<div id=divRplyFwdMsg>q</div>r<p>s<blockquote>t</blockquote></p>u", ["a", QUOTED_LINE]),
        (
            "a<div class=gmail_quote>On x wrote:<blockquote>q</blockquote>b</div>",
            ["a", "On x wrote:", QUOTED_LINE, "b"],
        ),
        ("<blockquote style='border: none'>a</blockquote>", ["a"]),
    ],
)
def test_a_quoted_mail_is_one_marked_line(html: str, lines: list[str]) -> None:
    assert [line for line in html_to_text(html).split("\n") if line] == lines
