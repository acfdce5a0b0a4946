"""Provinces, powers and unit kinds as people write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from rapidfuzz import fuzz, process

from gm.games.necromancer.board import the_board
from gm.games.necromancer.ids import STANDING, Place, PowerId, UnitKind
from gm.games.necromancer.powers import POWERS
from gm.games.necromancer.tokens import Token, fold

_QUARTERS = ("north", "south", "east", "west")
"""First words of province names that people write as one letter: "N. Ithilien"."""

LONGEST_NAME = 5
"""Words in the longest province name that a player may write ("the Field of Celebrant")."""

KIND_WORDS: Mapping[str, UnitKind | None] = {
    "a": "A",
    "army": "A",
    "armies": "A",
    "c": "C",
    "cav": "C",
    "cavalry": "C",
    "w": "W",
    "wiz": "W",
    "wizard": "W",
    "n": "N",
    "naz": "N",
    "nazgul": "N",
    "d": "D",
    "dragon": "D",
    "dragons": "D",
    "s": "S",
    "spider": "S",
    "spiders": "S",
    "f": None,
    "fleet": None,
    "af": None,
}
"""Folded words for unit kinds; None: a fleet, which only exists with an army (14.1)."""

KIND_NAMES: Mapping[str, str] = {
    "A": "army",
    "C": "cavalry",
    "W": "Wizard",
    "N": "Nazgûl",
    "D": "Dragons",
    "S": "Spiders",
}


@cache
def _places() -> Mapping[str, Place]:
    """Every exact spelling of a province, folded."""
    board = the_board()
    found = {fold(name): place for name, place in board.names.items()}
    for name, place in board.names.items():
        if name.startswith("the "):
            found.setdefault(fold(name[4:]), place)
        found.setdefault("the" + fold(name), place)
        first, _, rest = name.partition(" ")
        if rest and first in _QUARTERS:
            found.setdefault(first[0] + fold(rest), place)
    found.setdefault("khazaddum", board.aliases["KDu"])
    return found


@cache
def _power_words() -> Mapping[str, PowerId]:
    found: dict[str, PowerId] = {"standing": STANDING}
    for power in POWERS:
        for word in (power.id, power.name, power.adjective, *power.aliases):
            # "harad" and "rhun" are also parts of province names, which are tried first
            found[fold(word)] = power.id
            found[fold(word) + "s"] = power.id
    return found


def place_of(name: str) -> Place | None:
    """The province that a name spells exactly, without regard to case, accents and spaces; else None."""
    return _places().get(fold(name))


def power_of(word: str) -> PowerId | None:
    """The power that a word names (``"Gondor's"``, ``"Elvish"``), `STANDING` for "standing"; else None."""
    return _power_words().get(fold(word))


def longest_place(tokens: Sequence[Token], start: int) -> tuple[Place, int] | None:
    """The province whose name begins at a token, and the token after it: the longest name that fits.

    Words of one name may be joined by dashes or points: ``Barad-Dûr``, ``N. Ithilien``.
    """
    best: tuple[Place, int] | None = None
    joined, words = "", 0
    for at in range(start, min(len(tokens), start + 2 * LONGEST_NAME)):
        token = tokens[at]
        if words and (token.kind == "dash" or token.text == "."):
            continue
        if token.kind != "word":
            break
        joined += token.low
        words += 1
        if joined in _places():
            best = (_places()[joined], at + 1)
    return best


@cache
def _by_word() -> Mapping[str, tuple[Place, ...]]:
    """Each word of a province's full name, folded, and the provinces that have it, in map order."""
    found: dict[str, tuple[Place, ...]] = {}
    for p in the_board().provinces:
        for word in dict.fromkeys(fold(word) for word in p.name.replace("-", " ").split()):
            found[word] = (*found.get(word, ()), p.id)
    return found


def candidates(name: str) -> tuple[Place, ...]:
    """Provinces with a word that the name spells exactly: "Ithilien" gives NIt and SIt, in map order."""
    wanted = fold(name)
    return _by_word().get(wanted, ()) if len(wanted) > 3 else ()


@lru_cache(maxsize=4096)
def nearest_place(name: str) -> Place | None:
    """The province whose abbreviation or name is most like a misspelling; None if nothing is near.

    Only ever a suggestion: nothing is read by likeness.
    """
    wanted = fold(name)[:_LONGEST_SPELLING]
    if not wanted:
        return None
    # short words are given more room: one letter of three is a third of them
    cutoff = 60 if len(wanted) <= 4 else 72
    found = process.extractOne(wanted, _spellings(), scorer=fuzz.ratio, score_cutoff=cutoff)
    return _places()[found[0]] if found else None


_LONGEST_SPELLING = 40


@cache
def _spellings() -> tuple[str, ...]:
    return tuple(sorted(_places()))


def full_name(place: Place) -> str:
    """``"Barad Dûr"`` for ``BDu``."""
    return the_board()[place].name
