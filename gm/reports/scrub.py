"""Cleaning of what players wrote before it is laid out: one place, so that no template can forget it."""

from __future__ import annotations

import dataclasses
import re
import unicodedata
from typing import Any, TypeVar

T = TypeVar("T")

MULTILINE = frozenset({"body", "paragraphs", "intro", "notes", "errata"})
"""Fields whose texts may have several lines. All others are one line: a newline in a name or a headline would let
its writer forge what stands below it."""

_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_SPACES = re.compile(r"[ \xa0\u2000-\u200a\u202f\u205f\u3000]")
_BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Marks that turn the direction of text: with them a line shows in another order than it is written."""


def scrubbed(value: T) -> T:
    """A dataclass with every string inside it cleaned."""
    return _scrub(value, multiline=False)  # type: ignore[no-any-return]  # same type out as in


def _scrub(value: Any, *, multiline: bool) -> Any:
    if isinstance(value, str):
        return clean(value, multiline=multiline)
    if isinstance(value, tuple):
        return tuple(_scrub(item, multiline=multiline) for item in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {
            f.name: _scrub(getattr(value, f.name), multiline=f.name in MULTILINE)
            for f in dataclasses.fields(value)
        }
        return dataclasses.replace(value, **fields)
    return value


def clean(text: str, *, multiline: bool = False) -> str:
    """`text` without terminal escapes, control characters and direction marks; tabs become spaces.

    Newlines of every kind become ``\\n``, or a space where one line is wanted.
    """
    if text.isascii() and text.isprintable():
        return text
    text = _ANSI.sub("", text)
    text = re.sub(r"\r\n|[\r\x0b\x0c\x85\u2028\u2029]", "\n", text)
    if not multiline:
        text = re.sub(r"\n+", " ", text)
    text = _BIDI.sub("", _SPACES.sub(" ", text.expandtabs(4)))
    return "".join(c for c in text if c == "\n" or unicodedata.category(c) not in ("Cc", "Cs", "Co", "Cn"))
