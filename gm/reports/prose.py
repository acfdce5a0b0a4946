"""Plain text that people wrote in their mailers, as paragraphs that can be set in columns of any width."""

from __future__ import annotations

import re

from gm.reports.layout import display_width

_NARROWEST = 45
"""Nobody's mailer wraps shorter than this: shorter lines are verse or lists."""
_SURELY_WRAPPED = 55
"""Verse and lists seldom have every line but the last this long."""
_ITEM = re.compile(r"\s|[-*+•>]\s|\d+[.)]\s")
_LONGEST_RUN = 24
"""Letters without a place to break: longer than any word that fits into a narrow column."""


def paragraphs(text: str) -> tuple[str, ...]:
    """The paragraphs of a text, which blank lines part. Lines that a mailer wrapped are joined again; verse, lists
    and addresses keep their line breaks (``\\n``)."""
    blocks = re.split(r"\n\s*\n", text.strip("\n"))
    return tuple(_joined([line.rstrip() for line in block.split("\n")]) for block in blocks if block.strip())


def _joined(lines: list[str]) -> str:
    if len(lines) > 1 and not any(_ITEM.match(line) for line in lines) and _was_wrapped(lines):
        return " ".join(line.strip() for line in lines)
    return "\n".join(lines)


def _was_wrapped(lines: list[str]) -> bool:
    """Whether some width explains the breaks: every line fits into it and the next word no longer would."""
    full = [display_width(line) for line in lines[:-1]]
    if min(full) >= _SURELY_WRAPPED:
        return True
    longest = max(*full, display_width(lines[-1]))
    one_word_more = min(
        width + 1 + display_width(following.split()[0])
        for width, following in zip(full, lines[1:], strict=True)
    )
    return max(longest, _NARROWEST) < one_word_more


def typographic(text: str) -> str:
    """`text` with the quotation marks and apostrophes of print in place of a typewriter's."""
    text = re.sub(r"(?<=\w)'|'(?=\d\ds?\b)", "’", text)
    text = re.sub(r"(^|[\s(\[—–-])'(?=\w)", r"\1‘", text)
    text = re.sub(r'(^|[\s(\[—–‘-])"(?=\S)', r"\1“", text)
    return text.replace('"', "”").replace("'", "’")


def breakable(text: str) -> str:
    """`text` with a zero-width space in each run of letters too long for a column, so that none runs out of it."""
    return re.sub(rf"\S{{{_LONGEST_RUN + 1},}}", lambda run: _cut(run[0]), text)


def _cut(run: str) -> str:
    return "\u200b".join(run[n : n + _LONGEST_RUN // 2] for n in range(0, len(run), _LONGEST_RUN // 2))
