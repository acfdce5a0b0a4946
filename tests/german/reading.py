"""What of an English text the German catalogue lacks, and which of its entries a text uses.

The text is put into German by a catalogue whose German is hollow: every entry gives nothing but its number and what
stands at its places. So what is left of the text is what the catalogue does not have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from gm.reports.tongue import Catalogue, Entry, catalogue, dated, read_words, said

_MARK = re.compile("\x01(\\d+)\x02")
_DATE = re.compile(r"\w+tag, \d+\. \w+ \d{4}(, \d\d:\d\d \([\w/+-]+\))?")
_BETWEEN = re.compile(r"(?<=\x03), das ist (?=\x03)|(?<=\x03) bis (?=\x03)")
_PLACE = re.compile(r"\{(\w+)\}")
_LETTERS = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class Read:
    """A text as the catalogue reads it."""

    left: str
    """What it does not have, with what stood at places that are not translated."""
    used: frozenset[str]
    """Entries, by their English."""


@cache
def _hollow() -> tuple[Catalogue, tuple[str, ...]]:
    words = catalogue("de")
    numbered = tuple(read_words("de"))
    number = {english: n for n, english in enumerate(numbered)}
    english_of = {id(entry): english for entry, english in _entries(words)}

    def hollow(entry: Entry) -> Entry:
        other = "".join(
            part if part.startswith("{") else _LETTERS.sub("", part)
            for part in re.split(r"(\{\w+\})", entry.other)
        )
        return replace(entry, other=f"\x01{number[english_of[id(entry)]]}\x02{other}")

    return (
        replace(
            words,
            whole={english: f"\x01{number[english]}\x02" for english in words.whole},
            by_start={start: tuple(map(hollow, found)) for start, found in words.by_start.items()},
        ),
        numbered,
    )


def _entries(words: Catalogue) -> Iterator[tuple[Entry, str]]:
    for found in words.by_start.values():
        for entry in found:
            rest = [
                f"{{{place}}}{literal}"
                for place, literal in zip(entry.places, entry.literals[1:], strict=True)
            ]
            yield entry, "".join((entry.literals[0], *rest))


def read(text: str) -> Read:
    """A text of the program read by the catalogue. Dates are German for every reader, and are not left."""
    words, numbered = _hollow()
    german = said(text, words)
    used = frozenset(numbered[int(n)] for n in _MARK.findall(german))
    left = _BETWEEN.sub("", _DATE.sub("\x03", dated(_MARK.sub("", german), words)))
    return Read(left.replace("\x03", "").strip(), used)
