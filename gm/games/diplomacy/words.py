"""The words of order mails: typography undone, places and powers recognised."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from rapidfuzz import fuzz, process

from gm.games.diplomacy.board import standard
from gm.games.diplomacy.meta import POWERS

LONGEST = 4
"""Words in the longest name of a place."""

_DASHES = re.compile(r"[-=~]*>+|[‐-―−﹘﹣－⁃]+|[→➔➜➝➞⇒⟶⟹►▶➤»›]+|--+")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u2064\ufeff]")
_BULLET = re.compile(r"\s*(?:(?:\(?\d{1,2}[.):]|[a-z]\)|[-*•·‣◦o+–—]|>+)\s+)*", re.IGNORECASE)
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]*)?|-", re.UNICODE)
_GLUED = re.compile(r"\b(stp|spa|bul)(nc|sc|ec)\b")

COASTS = {
    "nc": "NC", "sc": "SC", "ec": "EC", "wc": "WC", "ncs": "NC", "scs": "SC", "ecs": "EC",
    "north coast": "NC", "south coast": "SC", "east coast": "EC", "west coast": "WC",
    "n coast": "NC", "s coast": "SC", "e coast": "EC", "n c": "NC", "s c": "SC", "e c": "EC",
    "northern coast": "NC", "southern coast": "SC", "eastern coast": "EC",
    "northcoast": "NC", "southcoast": "SC", "eastcoast": "EC",
}  # fmt: skip


def plain(text: str) -> str:
    """Text with one kind of dash and space, no accents, no invisible characters, lower case."""
    text = unicodedata.normalize("NFKD", _INVISIBLE.sub("", text))
    text = "".join(char for char in text if not unicodedata.combining(char))
    text = _DASHES.sub(" - ", text)
    return _GLUED.sub(r"\1 \2", " ".join(text.lower().split()))


def without_bullet(line: str) -> str:
    """A line without the number, dash or star that a list puts before it."""
    found = _BULLET.match(line)
    rest = line[found.end() :] if found else line
    return rest if rest.strip() else line


def tokens(text: str) -> list[str]:
    """Words and hyphens of a plain text; all other signs only divide."""
    return [re.sub(r"['’]s?$", "", word) for word in _TOKEN.findall(text)]


@dataclass(frozen=True, slots=True)
class Place:
    """A place read from words: how many of them, and which provinces they may mean."""

    length: int
    provinces: tuple[str, ...]


@cache
def names() -> dict[tuple[str, ...], str]:
    """Every known name, as words, to its province."""
    board = standard()
    found: dict[tuple[str, ...], str] = {}
    for province, name in zip(board.ids, board.names, strict=True):
        _add(found, name, province)
    aliases = tomllib.loads(resources.files(__package__).joinpath("aliases.toml").read_text("utf-8"))
    for province, others in aliases.items():
        for other in others:
            _add(found, other, province)
    for province in board.ids:
        found[(province.lower(),)] = province
    found.pop(("ec",), None)
    return found


def _add(found: dict[tuple[str, ...], str], name: str, province: str) -> None:
    """A name with its hyphen and without."""
    words = tokens(plain(name))
    found[tuple(words)] = province
    found[tuple(word for word in words if word != "-")] = province


def read_place(words: Sequence[str], start: int) -> Place | None:
    """The place whose name begins at `start`: the longest known name, else the longest beginning of names."""
    known = names()
    for length in range(min(LONGEST, len(words) - start), 0, -1):
        province = known.get(tuple(words[start : start + length]))
        if province is not None:
            return Place(length, (province,))
    for length in range(min(LONGEST, len(words) - start), 0, -1):
        provinces = _begun_by(tuple(words[start : start + length]))
        if provinces:
            return Place(length, provinces)
    return None


@cache
def _full_names() -> tuple[tuple[tuple[str, ...], str], ...]:
    board = standard()
    return tuple((tuple(plain(name).split()), board.ids[i]) for i, name in enumerate(board.names))


def _begun_by(words: tuple[str, ...]) -> tuple[str, ...]:
    """Provinces whose names begin with these words, each word cut short or not."""
    if len(words[0]) < 3 or any(len(word) < 2 for word in words[1:]):
        return ()
    return tuple(
        province
        for name, province in _full_names()
        if len(name) >= len(words)
        and all(full.startswith(word) for full, word in zip(name, words, strict=False))
    )


def read_coast(words: Sequence[str], start: int) -> tuple[int, str] | None:
    """A coast at `start`: number of words, and ``"NC"``."""
    for length in (2, 1):
        coast = COASTS.get(" ".join(words[start : start + length]))
        if coast is not None and start + length <= len(words):
            return length, coast
    return None


@cache
def power_words() -> dict[str, str]:
    """Names, adjectives and aliases of one word to the power."""
    found = {}
    for power in POWERS:
        for word in (power.id, power.adjective.lower(), *power.aliases):
            found[word] = power.id
    return found


def nearest_place(words: Sequence[str]) -> tuple[str, int] | None:
    """The province whose name is most like the first words of a run, and how many words that name took."""
    best: tuple[float, str, int] | None = None
    choices = _spelled()
    for length in range(min(LONGEST, len(words)), 0, -1):
        run = " ".join(words[:length])
        if len(run) < 3:
            continue
        found = process.extractOne(run, choices.keys(), scorer=fuzz.ratio, score_cutoff=75)
        if found is not None and (best is None or found[1] > best[0]):
            best = (found[1], choices[found[0]], length)
    return None if best is None else (best[1], best[2])


@cache
def _spelled() -> dict[str, str]:
    return {" ".join(words): province for words, province in sorted(names().items())}
