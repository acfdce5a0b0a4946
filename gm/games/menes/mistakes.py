"""What can be wrong with the words of an order, as the player is told it."""

from __future__ import annotations

from dataclasses import dataclass

from gm.games.api import ProblemKind
from gm.games.menes.words import Token, nearest_place, nearest_word


@dataclass(frozen=True)
class Mistake(Exception):
    """Why one statement could not be read."""

    kind: ProblemKind
    message: str
    suggestion: str = ""
    rule: str = ""
    misspelt: str = ""
    """A word of the statement that `suggestion` is to stand for."""


def unknown(token: Token) -> Mistake:
    """A word that is no place and no order word, with the nearest that is."""
    near = nearest_place(token.value)
    if token.raw in ("ships", "ship"):
        return Mistake("ambiguous", "Fleets or elven ships?", "fleets", misspelt=token.raw)
    if token.value.isdecimal():
        return Mistake(
            "unreadable", f"There is no province {token.value}; they run from 1 to 60.", rule="menes 2.1"
        )
    word = nearest_word(token.value)
    if near or not word:
        return Mistake(
            "unreadable",
            f"I know no place or word {token.raw!r}." + (f" The nearest place is {near}." if near else ""),
            suggestion=near.rpartition("(")[2].rstrip(")"),
            misspelt=token.raw,
        )
    return Mistake(
        "unreadable", f"I don't know {token.raw!r}. Did you mean {word}?", word, misspelt=token.raw
    )
