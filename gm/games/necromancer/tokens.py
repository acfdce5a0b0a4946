"""A line of an order mail cut into tokens: words, numbers, arrows and marks."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

TokenKind = Literal["word", "number", "arrow", "dash", "mark"]

ARROWS = "->|=>|-->|→|⇒|➔|➜|⟶|►|®|>"
"""What certainly is an arrow. ® is what old word processors made of it."""

DASHES = "-|‐|‑|‒|–|—|−|~"
"""What is an arrow unless it joins the words of one name, as in Barad-Dûr."""

_TOKEN = re.compile(
    rf"(?P<arrow>(?:{DASHES}|=)*(?:{ARROWS})+)|(?P<dash>(?:{DASHES})+)|(?P<number>\d+)"
    r"|(?P<word>[^\W\d_]+(?:['’`´][^\W\d_]+)*)|(?P<mark>\S)"
)

_BULLET = re.compile(
    rf"\s*(?:[*•·◦‣▪o]\s+|[•·◦‣▪]|(?:{DASHES})+\s*|\(?\d{{1,3}}[.)]\s*|\(?[a-zA-Z]\)\s+)(?=\S)"
)

_ENTITIES = {
    "&gt;": ">",
    "&lt;": "<",
    "&amp;": "&",
    "&nbsp;": " ",
    "&rarr;": "→",
    "&ndash;": "–",
    "&mdash;": "—",
}


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a line. `text` is as written; `start` and `end` are offsets into the cleaned line."""

    kind: TokenKind
    text: str
    start: int
    end: int

    @property
    def low(self) -> str:
        """The text without case and accents, for comparison with words of the language."""
        return fold(self.text)


def fold(text: str) -> str:
    """Letters and digits alone, without case and accents: ``"Barad-Dûr"`` becomes ``"baraddur"``."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    return "".join(c for c in plain if c.isalnum())


def clean(line: str) -> str:
    """A line without bullets, numbering and HTML entities, composed, with single spaces."""
    for entity, char in _ENTITIES.items():
        line = line.replace(entity, char)
    # NFC and not NFKC: compatibility forms would turn marks into letters that nobody wrote
    line = " ".join(unicodedata.normalize("NFC", line).split())
    while found := _BULLET.match(line):
        line = line[found.end() :]
    return line


def tokenise(line: str) -> tuple[Token, ...]:
    """All tokens of a cleaned line; nothing but blanks is left out."""
    found = []
    for match in _TOKEN.finditer(line):
        kind: TokenKind = match.lastgroup  # type: ignore[assignment]  # the pattern's group names are the kinds
        found.append(Token(kind, match[0], match.start(), match.end()))
    return tuple(found)
