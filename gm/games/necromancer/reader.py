"""Reads units, provinces and destinations from the tokens of a line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from gm.games.api import ProblemKind
from gm.games.necromancer.ids import Place, PowerId, Step
from gm.games.necromancer.names import (
    KIND_WORDS,
    candidates,
    full_name,
    longest_place,
    nearest_place,
    power_of,
)
from gm.games.necromancer.orders import UnitRef
from gm.games.necromancer.tokens import Token, fold

Section = Literal["orders", "retreats", "adjustments", "builds", "removals"]
"""What a heading such as "Retreats:" announces; the phase decides it where there is none."""

Guess = Callable[[Place, bool], Sequence[UnitRef]]
"""`(place, own)`: units there that the writer owns, or knows of: to fill in a type that he left out."""

FILLER = ("the", "my", "our", "a", "an", "then")
BETWEEN = ("in", "at", "of", "from", "on")
SEPARATORS = (",", ";", ".", "&", "+", "and", "/", "|", ")", "]", ":", "!")

VERBS_FIRST = ("build", "remove", "waive", "activate", "raise", "place", "retreat", "disband", "hold", "move")
"""Words that may open a sentence."""

JOINS = (*SEPARATORS, "then", "also")
"""What may stand between two sentences of one line."""


class Trouble(Exception):
    """A part of a line that is no order. Never leaves the parser.

    `replacement`, if set, is what should stand at `start`..`end` of the line instead of what does.
    """

    def __init__(
        self,
        message: str,
        *,
        kind: ProblemKind = "unreadable",
        suggestion: str = "",
        rule: str = "",
        span: tuple[int, int] | None = None,
        replacement: str = "",
    ) -> None:
        self.message, self.kind, self.suggestion, self.rule = message, kind, suggestion, rule
        self.span, self.replacement = span, replacement
        super().__init__(message)


@dataclass
class Reader:
    """A position in the tokens of one cleaned line, and what is known while reading it."""

    line: str
    tokens: Sequence[Token]
    power: PowerId
    step: Step
    section: Section
    guess: Guess
    pos: int = 0
    warnings: list[tuple[str, str]] = field(default_factory=list)
    """`(message, clause)` for what was read though it was not written as it should be."""

    # --- tokens

    def peek(self, ahead: int = 0) -> Token | None:
        """The token at the position, or further on; None past the end."""
        at = self.pos + ahead
        return self.tokens[at] if at < len(self.tokens) else None

    def low(self, ahead: int = 0) -> str:
        """The folded word, or the mark, at the position; empty past the end and for numbers and arrows."""
        token = self.peek(ahead)
        if token is None or token.kind not in ("word", "mark"):
            return ""
        return token.low if token.kind == "word" else token.text

    def is_arrow(self, ahead: int = 0) -> bool:
        """Whether an arrow or a dash stands there."""
        token = self.peek(ahead)
        return token is not None and token.kind in ("arrow", "dash")

    def take(self, *words: str) -> bool:
        """Step over one token if it is one of these words or marks."""
        if self.low() in words and self.low():
            self.pos += 1
            return True
        return False

    def take_all(self, *words: str) -> None:
        """Step over all tokens that are any of these words or marks."""
        while self.take(*words):
            pass

    def resume(self, start: int) -> None:
        """After trouble: go on where the next sentence seems to begin, at the latest at the end of the line."""
        at = max(self.pos, start) + 1
        while at < len(self.tokens):
            self.pos = at
            if self.tokens[at - 1].text in (";", ",", ".") and (self.at_unit() or self.low() in VERBS_FIRST):
                return
            at += 1
        self.pos = len(self.tokens)

    def text(self, start: int, end: int | None = None) -> str:
        """The line between two tokens, as written."""
        end = self.pos if end is None else end
        if start >= len(self.tokens) or end <= start:
            return ""
        return self.line[self.tokens[start].start : self.tokens[end - 1].end]

    def place_ahead(self, ahead: int = 0) -> bool:
        """Whether a province name begins there."""
        return longest_place(self.tokens, self.pos + ahead) is not None

    # --- provinces

    def place(self, what: str) -> Place:
        """A province, in brackets or not. Raises Trouble for an unknown or ambiguous name."""
        bracket = self.take("(", "[")
        found = longest_place(self.tokens, self.pos)
        if found is None:
            raise self._unknown_place(what, bracket)
        place, self.pos = found
        if bracket:
            token = self.peek()
            if not self.take(")", "]") and token is not None and token.kind == "word":
                raise self._unknown_place(what, bracket, found[1] - 1)
        return place

    def _unknown_place(self, what: str, bracket: bool, start: int | None = None) -> Trouble:
        start = self.pos if start is None else start
        end = start
        while end < len(self.tokens) and end < start + 5:
            token = self.tokens[end]
            if token.kind != "word" and not (bracket and token.text not in ")]"):
                break
            end += 1
        if end == start:
            near = self.tokens[start].text if start < len(self.tokens) else "the end"
            return Trouble(f"a province was expected {what}, before {near!r}")
        name = self.text(start, end)
        if not bracket:  # without brackets a name is not told from what follows it; take the first word
            end = start + 1
            name = self.tokens[start].text if not candidates(name) else name
        several = candidates(name)
        if len(several) > 1:
            listed = ", ".join(f"{p} ({full_name(p)})" for p in several)
            return Trouble(f"{name!r} may be any of {listed}; write the abbreviation", kind="ambiguous")
        near_place = several[0] if several else nearest_place(name)
        if near_place is None:
            return Trouble(f"there is no province {name!r} on this map")
        span = (self.tokens[start].start, self.tokens[end - 1].end)
        message = f"there is no province {name!r}; the nearest is {near_place} ({full_name(near_place)})"
        return Trouble(message, span=span, replacement=near_place)

    # --- units

    def at_unit(self, ahead: int = 0) -> bool:
        """Whether a unit with its type begins there: ``A(Pel)``, ``2A Los``, ``Gondor's A(NIt)``."""
        at = ahead
        if self.low(at) in FILLER[:3]:
            at += 1
        if self.low(at) and power_of(self.low(at)) and not self.place_ahead(at):
            at += 1
        token = self.peek(at)
        if token is not None and token.kind == "number":
            at += 1
            if self.low(at) in ("*", "x"):
                return True
        if self.low(at) not in KIND_WORDS:
            return False
        after = self.low(at + 1)
        return after in ("(", "[", "/", *BETWEEN) or self.place_ahead(at + 1)

    def unit(self, own: bool) -> UnitRef:
        """A unit. A type left out is filled in where only one unit can be meant.

        Raises:
            Trouble: no unit here, an unknown province, or several units that could be meant.
        """
        self.take(*FILLER[:3])
        owner = self._owner()
        start = self.pos
        token = self.peek()
        strength, counted = 1, token is not None and token.kind == "number"
        if token is not None and counted:
            strength = min(int(token.text[:4]), 9999)
            self.pos += 1
            self._no_star(start, strength)
        at = self.low(0)
        if at in KIND_WORDS and self._kind_here():
            self.pos += 1
            kind = KIND_WORDS[at]
            fleets, engines = self._attachments()
            self.take(*BETWEEN)
            place = self.place("after the type of the unit")
            if kind is None:
                return self._fleet(place, own, strength)
        elif counted:
            place = self.place("after the number")
            raise Trouble(
                f"a multiple army is written with its type: {strength}A({place})",
                rule="13.1",
                span=(self.tokens[start].start, self.tokens[start].end),
                replacement=f"{strength}A",
            )
        else:
            if not (self.place_ahead() or at in ("(", "[")):
                raise self._no_unit()
            place = self.place("at the head of the order")
            return self._guessed(place, own)
        if strength < 1:
            raise Trouble(f"{self.text(start)!r}: a unit has a strength of at least 1", rule="13.1")
        if strength > 1 and kind != "A":
            raise Trouble(
                f"{self.text(start)!r}: only armies form multiple units; order each by itself as {kind}({place})",
                rule="13.1",
                suggestion=f"{kind}({place})",
            )
        if owner == self.power:
            owner = None
        if fleets > strength:
            fleets = strength
            self.warnings.append((f"read as {strength} fleet(s): no army has two", "14.13"))
        return UnitRef(kind, place, strength, fleets, engines, owner)

    def _owner(self) -> PowerId | None:
        word = self.low()
        if word and power_of(word) and not self.place_ahead():
            self.pos += 1
            return power_of(word)
        return None

    def _kind_here(self) -> bool:
        after = self.low(1)
        return after in ("(", "[", "/", *BETWEEN) or self.place_ahead(1) or not self.place_ahead()

    def _no_star(self, start: int, strength: int) -> None:
        if self.low() in ("*", "x"):
            end = self.tokens[self.pos].end
            self.pos += 1
            raise Trouble(
                f"multiple armies are written {strength}A(...) here, without the star of Downfall",
                rule="13.1",
                span=(self.tokens[start].start, end),
                replacement=str(strength),
            )

    def _attachments(self) -> tuple[int, int]:
        fleets = engines = 0
        while True:
            at = 1 if self.low() == "/" else 0
            token = self.peek(at)
            number = 1
            if token is not None and token.kind == "number":
                number, at = min(int(token.text[:4]), 9999), at + 1
            word = self.low(at)
            if at == 0 or word not in ("f", "fleet", "fleets", "e", "se", "engine", "engines"):
                return fleets, engines
            if word.startswith("f"):
                fleets = number
            else:
                engines = 1
            self.pos += at + 1

    def _fleet(self, place: Place, own: bool, strength: int) -> UnitRef:
        found = [u for u in self.guess(place, own) if u.fleets]
        if len(found) != 1 or strength > found[0].strength:
            raise Trouble(
                f"there are no fleets in Necromancer, only armies with a fleet: write A/F({place})",
                rule="14.1",
                suggestion=f"A/F({place})",
            )
        self.warnings.append((f"F({place}) is read as {found[0]}: fleets exist only with an army", "14.1"))
        return UnitRef(found[0].kind, place, strength, min(strength, found[0].fleets))

    def _guessed(self, place: Place, own: bool) -> UnitRef:
        found = self.guess(place, own)
        if len(found) == 1 and found[0].strength == 1:
            return UnitRef(found[0].kind, place)
        if not found and own:
            raise Trouble(f"you have no unit in {place} ({full_name(place)})", kind="refused")
        if not found:
            raise Trouble(f"say which unit in {place} you mean, with its type: A({place})", kind="ambiguous")
        parts = [str(UnitRef(u.kind, place, n)) for u in found for n in range(1, u.strength + 1)]
        raise Trouble(
            f"{place} may be {' or '.join(dict.fromkeys(parts))}: write the unit with its type and strength",
            kind="ambiguous",
        )

    def _no_unit(self) -> Trouble:
        token = self.peek()
        if token is None:
            return Trouble("a unit was expected at the end of the line")
        if token.kind != "word" or fold(token.text) == "":
            return Trouble(f"a unit was expected before {token.text!r}; write it like A(Pel)")
        unknown = self._unknown_place("at the head of the order", False)
        follows = self.peek(1)
        if unknown.span and follows is not None and follows.kind in ("arrow", "dash"):
            return unknown
        return Trouble(
            f"not understood from {token.text!r} on; orders look like A(Pel) -> Los or A(Pel) Hold"
        )

    # --- destinations

    def destination(self) -> tuple[Place, int]:
        """A province to go to, and the n of ``nA(X)``: 0 for a plain one. Raises Trouble."""
        if not self.place_ahead():  # "The-Wold" is a name, "the Gap" has an article
            self.take("to", "into", *FILLER[:3])
        start = self.pos
        token = self.peek()
        if token is not None and token.kind == "number":
            strength = min(int(token.text[:4]), 9999)
            self.pos += 1
            self._no_star(start, strength)
            kind = KIND_WORDS.get(self.low(), None) if self.low() in KIND_WORDS else None
            if kind != "A":
                named = self.low() in KIND_WORDS
                end = self.tokens[self.pos].end if named else self.tokens[start].end
                raise Trouble(
                    f"the total of a forming multiple army is written {strength}A(...)",
                    rule="13.2",
                    span=(self.tokens[start].start, end),
                    replacement=f"{strength}A",
                )
            self.pos += 1
            self._attachments()
            return self.place("after the total"), strength if strength > 1 else 0
        named = self.low() in KIND_WORDS and (self.low(1) in ("(", "[", "/"))
        if named or (self.low() in KIND_WORDS and not self.place_ahead() and self.place_ahead(1)):
            self.pos += 1
            self._attachments()
        return self.place("after the arrow"), 0
