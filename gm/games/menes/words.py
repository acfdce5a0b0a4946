"""The words of order mails: what each stands for, and places and powers by name."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from rapidfuzz import fuzz, process

from gm.games.menes.board import POWERS, SPACES
from gm.games.menes.model import UNIQUE, UNITS, Place

VERBS: dict[str, str] = {
    **dict.fromkeys(["buy", "build", "purchase", "recruit", "raise", "train", "muster"], "buy"),
    **dict.fromkeys(
        [
            "move",
            "march",
            "send",
            "go",
            "advance",
            "ride",
            "sail",
            "ship",
            "embark",
            "transport",
            "walk",
            "take",
            "land",
            "attack",
        ],
        "move",
    ),
    **dict.fromkeys(["fly", "flies", "flying"], "fly"),
    **dict.fromkeys(
        [
            "hold",
            "holds",
            "stay",
            "stays",
            "stand",
            "stands",
            "defend",
            "defends",
            "garrison",
            "remain",
            "remains",
        ],
        "hold",
    ),
    **dict.fromkeys(["disband", "disbands", "dismiss"], "disband"),
    **dict.fromkeys(["after", "afterwards"], "after"),
    **dict.fromkeys(["retreat", "retreats", "flee"], "retreat"),
    **dict.fromkeys(["priority", "priorities"], "priority"),
    "peace": "peace",
    "war": "war",
    "flyover": "flyover",
    **dict.fromkeys(["vacation", "holiday", "away"], "vacation"),
}

_UNIT_WORDS: dict[str, str] = {
    **dict.fromkeys(["army", "armies"], "army"),
    **dict.fromkeys(["fleet", "fleets"], "fleet"),
    **dict.fromkeys(["axemen", "axeman", "axe", "axes"], "axemen"),
    **dict.fromkeys(["dragon", "dragons"], "dragon"),
    **dict.fromkeys(["elvenship", "elvenships", "elfship", "elfships"], "elvenship"),
    **dict.fromkeys(["horsemen", "horseman", "horse", "horses", "knight", "knights", "cavalry"], "horsemen"),
    **dict.fromkeys(["ent", "ents"], "ent"),
    **dict.fromkeys(["unique", "uniques", "uu", "uus"], "unique"),
    **dict.fromkeys(["ships"], "ships"),
}

AFTER_WORDS = {
    **dict.fromkeys(["pursue", "chase", "follow"], "pursue"),
    **dict.fromkeys(["withdraw", "fallback", "return"], "withdraw"),
    **dict.fromkeys(["attack", "strike"], "attack"),
    **dict.fromkeys(["stay", "hold", "stand"], "stay"),
    **dict.fromkeys(["default", "usual"], "default"),
}

_NUMBERS = {
    word: i
    for i, word in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
        start=1,
    )
}
_FILLERS = frozenset(
    [
        "to",
        "via",
        "over",
        "through",
        "then",
        "at",
        "in",
        "on",
        "into",
        "onto",
        "the",
        "of",
        "by",
        "province",
        "city",
        "space",
        "for",
        "unit",
        "units",
        "gold",
        "my",
        "our",
        "your",
        "aboard",
        "with",
        "normal",
        "please",
        "battle",
        "turns",
        "turn",
        "days",
        "day",
        "using",
        "next",
        "there",
        "them",
        "these",
        "each",
        "near",
        "by",
        "sea",
        "back",
        "is",
        "are",
        "be",
        "order",
        "orders",
        "will",
        "same",
        "along",
    ]
)
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
_POWER_WORDS = {
    **{power: power for power in POWERS},
    "dwarf": "dwarves",
    "dragon": "dragons",
    "elf": "elves",
    "man": "men",
    "ent": "ents",
}


def power_named(word: str) -> str | None:
    """The power that a word names, if it does."""
    return _POWER_WORDS.get(word)


def nearest_place(word: str) -> str:
    """The name of a place most like a word: ``"Deepforge (39)"``; empty if nothing is near."""
    best = process.extractOne(_plain(word), sorted(_BY_NAME), scorer=fuzz.ratio, score_cutoff=60)
    return "" if best is None else f"{SPACES[_BY_NAME[best[0]]].name} ({_BY_NAME[best[0]]})"


def nearest_word(word: str) -> str:
    """The order word most like a word, in capitals; empty if nothing is near."""
    known = sorted({*VERBS, *_UNIT_WORDS} - {"ships"})
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
    if word in ("all", "every", "everything", "everyone", "everybody", "rest"):
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
