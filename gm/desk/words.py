"""Words of the language beside those of the table of commands: other servers', German and French ones.

They are data, in words.toml beside this file; what a command does stays with the table.
"""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Mapping
from importlib import resources
from typing import Any, Final

_DATA: Final[dict[str, Any]] = tomllib.loads(
    resources.files(__package__).joinpath("words.toml").read_text(encoding="utf-8")
)
_GERMAN = str.maketrans({"Ä": "AE", "Ö": "OE", "Ü": "UE"})


def plain(text: str) -> str:
    """Upper case without accents, with the apostrophe that keyboards have: as words are compared."""
    upper = unicodedata.normalize("NFD", text.upper().replace("’", "'").replace("Œ", "OE"))
    return "".join(c for c in upper if not unicodedata.combining(c))


def spellings(word: str) -> tuple[str, ...]:
    """A word as it is compared, and with AE OE UE for its umlauts."""
    return tuple(dict.fromkeys((plain(word), plain(word.translate(_GERMAN)))))


def _spelt(table: Mapping[str, Any]) -> dict[str, Any]:
    return {spelling: value for word, value in table.items() for spelling in spellings(word)}


def more_words(commands: Mapping[str, str]) -> dict[str, str]:
    """The table's words with those of words.toml: upper-case word to the command's name.

    Words of a command that the table does not have are left out.
    """
    names = set(commands.values())
    found = dict(commands)
    for language in ("also", "de", "fr"):
        for name, words in _DATA[language].items():
            for word in words if name in names else ():
                for spelling in spellings(word):
                    found.setdefault(spelling, name)
    return found


FOREIGN: Final = {
    spelling: language
    for language in ("de", "fr")
    for words in _DATA[language].values()
    for word in words
    for spelling in spellings(word)
}
"""Words that are not English, to one of their languages."""

AMBIGUOUS: Final[dict[str, tuple[str, ...]]] = {w: tuple(c) for w, c in _spelt(_DATA["ambiguous"]).items()}
"""Words that could mean several commands, to those."""

ELSEWHERE: Final[dict[str, str]] = _spelt(_DATA["elsewhere"])
"""Other servers' words to what does it here."""

_INSIDE: Final[dict[str, dict[str, str]]] = {name: _spelt(table) for name, table in _DATA["inside"].items()}


def in_english(name: str, argument: str) -> str:
    """What follows a German or French command word, with the words inside it as the command knows them.

    Each is replaced where it first stands only, and nothing behind a colon is: that is free text.
    """
    inside = _INSIDE.get(name, {})
    head, colon, rest = argument.partition(":")
    done: set[str] = set()
    parts = []
    for token in head.split():
        bare = token.strip(",;.")
        word = inside.get(plain(bare), "")
        if word and word not in done:
            done.add(word)
            token = token.replace(bare, word)
        parts.append(token)
    return " ".join(parts) + colon + rest if done else argument


def words_of(name: str, language: str) -> tuple[str, ...]:
    """A command's words in a language, as they are written."""
    return tuple(_DATA[language].get(name, ()))


def candidates(text: str, words: Mapping[str, str]) -> tuple[str, ...]:
    """What a line that is no command could mean, if its first words say so exactly: one command, or several.

    Args:
        words: all words of the language, to the commands' names.
    """
    tokens = [plain(token.strip(":,.!")) for token in text.split()[:3]]
    for length in range(len(tokens), 0, -1):
        word = " ".join(tokens[:length])
        if word in ELSEWHERE:
            return (ELSEWHERE[word],)
        if word in AMBIGUOUS:
            return AMBIGUOUS[word]
    first = tokens[0] if tokens else ""
    if len(first) < 3:
        return ()
    fits = dict.fromkeys(
        words[word] for word in words if word.startswith(first) and " " not in word and word not in FOREIGN
    )
    return tuple(sorted(fits))
