"""A mail that says one thing in its text and another in its HTML: its sender is told.

The text is taken (RFC 2046 5.1.4 has both say the same), but what his program shows the player is the HTML.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gm.mail.html import html_to_text
from gm.mail.plain import one_line, plain
from gm.mail.quotes import own_words

MAX_COMPARED = 64_000
"""Characters of HTML that are compared. A player's own words are a few KB of it; his quoted report is the rest."""
_MAX_LINES = 1_000
_SHOWN, _WIDTH = 3, 60
"""Lines of each side that are named, and characters of each."""

_ADDED = re.compile(
    r"<(?:https?|mailto):[^>\s]{0,500}>|\[(?:image|cid):[^\]]{0,200}\]|^\s{0,8}\w{1,2}[.)] ", re.MULTILINE
)
"""What mail programs put into the text for links, pictures and list numbers of the HTML."""
_NO_WORD = re.compile(r"[\W_]+")


def difference(lines: Sequence[str], own: Sequence[str], html: str, *, alone: bool) -> str:
    """What differs, in words for the sender; empty if both say the same or the HTML is too long to compare.

    Line breaks, punctuation, quotations and what mail programs add do not count.

    Args:
        lines: all lines of the mail's text.
        own: those that are the sender's own words.
        html: the HTML that was not read.
        alone: whether nothing but the alternative of that HTML is in `lines`.
    """
    if len(html) > MAX_COMPARED:
        return ""
    other = plain(html_to_text(html)).split("\n")
    theirs = own_words(other).own
    if not theirs or _squeezed(theirs) == _squeezed(own):
        return ""
    found = (("HTML", _missing(theirs, lines)), ("text", _missing(own, other) if alone else []))
    named = [f"Only in the {where}: {', '.join(missing)}." for where, missing in found if missing]
    if not named:
        return ""
    return f"The text and the HTML of your mail differ; the text was taken. {' '.join(named)}"


def _squeezed(lines: Sequence[str]) -> str:
    return _NO_WORD.sub("", _ADDED.sub("", "\n".join(lines)).casefold())


def _missing(lines: Sequence[str], there: Sequence[str]) -> list[str]:
    """The first lines that are not in the other text, in quotation marks, and how many more are not."""
    whole = _squeezed(there)
    missing = [line for line in lines[:_MAX_LINES] if _squeezed([line]) not in whole]
    shown = [f'"{one_line(line, _WIDTH)}"' for line in missing[:_SHOWN]]
    return [*shown, f"{len(missing) - _SHOWN} lines more"] if len(missing) > _SHOWN else shown
