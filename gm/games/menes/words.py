"""The words of order mails: what each stands for, and places and powers by name."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

from rapidfuzz import fuzz, process

from gm.games.menes.board import SPACES
from gm.games.menes.model import UNIQUE, UNITS, Place

_WORDS = tomllib.loads(files("gm.games.menes").joinpath("words.toml").read_text(encoding="utf-8"))


def _inverted(table: str) -> dict[str, str]:
    return {word: meaning for meaning, words in _WORDS[table].items() for word in words}


VERBS = _inverted("verbs")
AFTER_WORDS = _inverted("after")
_UNIT_WORDS = _inverted("units")
_POWER_WORDS = _inverted("powers")
_NUMBERS = {word: i for i, word in enumerate(_WORDS["counts"]["numbers"], start=1)}
_ALL = frozenset(_WORDS["counts"]["all"])
_FILLERS = frozenset(_WORDS["fillers"]["words"])
_ARROWS = re.compile(r"(?:[-=~–—−‒]+\s*>+|[→⇒➔➜➝⟶»›>]+|[-–—−‒]+)")
_PUNCTUATION = re.compile(r"[^\w\s@>,&+']")

Kind = Literal["verb", "count", "unit", "place", "from", "to", "sep", "power", "word", "unknown"]


@dataclass(frozen=True)
class Token:
    """One word of an order line and what it stands for."""

    kind: Kind
    value: str
    raw: str


def _name_pattern() -> tuple[re.Pattern[str], dict[str, Place]]:
    names = {_plain(s.name): s.id for s in SPACES.values()}
    names |= {_plain(s.name).removeprefix("the "): s.id for s in SPACES.values()}
    ordered = sorted(names, key=lambda n: (-len(n), n))
    return re.compile(r"(?<![\w@])(?:the )?(" + "|".join(re.escape(n) for n in ordered) + r")(?!\w)"), names


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[^\w\s]", " ", text.lower()).split())


_NAMES, _BY_NAME = _name_pattern()


def power_named(word: str) -> str | None:
    """The power that a word names, if it does."""
    return _POWER_WORDS.get(word)


def nearest_place(word: str) -> str:
    """The name of a place most like a word: ``"Deepforge (39)"``; empty if nothing is near."""
    best = process.extractOne(_plain(word), sorted(_BY_NAME), scorer=fuzz.ratio, score_cutoff=60)
    return "" if best is None else f"{SPACES[_BY_NAME[best[0]]].name} ({_BY_NAME[best[0]]})"


def nearest_word(word: str) -> str:
    """The order word most like a word, in capitals; empty if nothing is near."""
    known = sorted({*VERBS, *_UNIT_WORDS} - {"ships", "ship"})
    best = process.extractOne(word.lower(), known, scorer=fuzz.ratio, score_cutoff=75)
    return "" if best is None else str(best[0]).upper()


def tokens(line: str, power: str) -> list[Token]:
    """The words of a line. Place names become their number or letter; arrows and dashes only part words."""
    text = unicodedata.normalize("NFKC", line).lower().replace("’", "'")
    text = re.sub(r"\bfly[\s-]*overs?\b", "flyover", text)
    text = re.sub(r"\bfall(s|ing)?\s+back\b", "fallback", text)
    text = re.sub(r"\bouter sea,", "outer sea", text)
    text = re.sub(r"\bkings'? sea\b", "kings sea", text)
    text = re.sub(r"\bunique units?\b", "unique", text)
    text = re.sub(r"\b(elven|elf|elvish)[\s-]+(ship|fleet)s?\b", "elvenship", text)
    text = text.replace(";", ",")
    text = _NAMES.sub(lambda m: f" @{_BY_NAME[m[1]]} ", text)
    text = _ARROWS.sub(" > ", text)
    text = re.sub(r"([,&+])", r" \1 ", _PUNCTUATION.sub(" ", text))
    words = text.split()
    found: list[Token] = []
    for i, word in enumerate(words):
        follower = words[i + 1] if i + 1 < len(words) else ""
        before = words[i - 1] if i else ""
        token = _token(word, follower, before, power)
        if token is not None:
            found.append(token)
    return found


def _token(word: str, follower: str, before: str, power: str) -> Token | None:
    unit = _unit(word, power)
    if word in ("a", "an") and _unit(follower, power) is not None:
        return Token("count", "1", word)
    if word == ">" or word in _FILLERS:
        return Token("to", word, word) if word in ("to", ">") else None
    if word == "from":
        return Token("from", word, word)
    if word in (",", "&", "+", "and"):
        return Token("sep", word, word)
    if word.startswith("@"):
        return (
            Token("place", word[1:].upper(), SPACES[word[1:].upper()].name)
            if word[1:].upper() in SPACES
            else None
        )
    if word.isdecimal():
        return _number(word, follower, before, power)
    if word in _NUMBERS:
        return Token("count", str(_NUMBERS[word]), word)
    if word in _ALL:
        return Token("count", "ALL", word)
    if unit is not None:
        return Token("unit", unit, word)
    if word in VERBS:
        return Token("verb", VERBS[word], word)
    if word in AFTER_WORDS or word in ("allow", "deny", "none", "nobody"):
        return Token("word", word, word)
    if power_named(word) is not None:
        return Token("power", word, word)
    if len(word) == 1 and word.upper() in SPACES:
        return Token("place", word.upper(), word)
    return Token("unknown", word, word)


def _number(word: str, follower: str, before: str, power: str) -> Token:
    if len(word) > 6:
        return Token("unknown", word, word)
    number = str(int(word))
    counted = _unit(follower, power) is not None or follower in (
        "normal",
        "unique",
        "turns",
        "turn",
        "days",
        "day",
    )
    if counted and before not in (">", "from", "at"):
        return Token("count", number, word)
    return Token("place", number, word) if number in SPACES else Token("unknown", number, word)


def _unit(word: str, power: str) -> str | None:
    unit = _UNIT_WORDS.get(word)
    if unit == "unique":
        return UNIQUE.get(power)
    if unit == "ships":
        return "fleet" if power != "elves" else None
    return unit


def rank_word(word: str) -> str | None:
    """``"army"``, ``"fleet"`` or ``"unique"`` for a word of a PRIORITY line."""
    unit = _UNIT_WORDS.get(word)
    if unit is None:
        return None
    return unit if unit in ("army", "fleet") else "unique" if unit in UNITS or unit == "unique" else "fleet"
