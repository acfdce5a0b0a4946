"""Reading the words of an order one by one: verbs, units, places, and what to say when they are unclear."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from gm.games.api import PowerId, ProblemKind, State
from gm.games.diplomacy.board import Board, standard
from gm.games.diplomacy.state import occupants
from gm.games.diplomacy.words import nearest_place, power_words, read_coast, read_place

VERBS = {
    word: verb
    for verb, words in {
        "hold": "h hold holds holding stand stands stay stays",
        "move": "- to m move moves moving go goes attack attacks into advances enters",
        "support": "s support supports supporting sup supp supprts suports",
        "convoy": "c convoy convoys convoying transports transport conv",
        "retreat": "r retreat retreats retreating withdraws withdraw",
        "disband": "d disband disbands disbanded destroy destroyed",
        "remove": "remove removes removed",
        "build": "b build builds raise raises built",
        "waive": "w waive waives waived pass passes",
    }.items()
    for word in words.split()
}
KINDS = {"a": "A", "army": "A", "armies": "A", "f": "F", "fleet": "F", "fleets": "F"}
FILLERS = frozenset(("the", "in", "at", "my", "his", "our", "from", "of", "please", "its", "an", "on", "against",
                      "order", "orders", "unit"))  # fmt: skip
VIA = frozenset({"via", "by", "vc", "convoyed", "through", "using"})


class Unread(Exception):
    """A piece of text that is not an order; becomes a problem."""

    def __init__(
        self, kind: ProblemKind, message: str, suggestion: str = "", rule: str = "diplomacy 10.1"
    ) -> None:
        self.kind: ProblemKind = kind
        self.message, self.suggestion, self.rule = message, suggestion, rule
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Spot:
    """A unit or place as written: ``A``, ``STP``, ``SC``; kind and coast may be left out."""

    kind: str
    province: str
    coast: str

    @property
    def place(self) -> str:
        """``"STP/SC"``."""
        return f"{self.province}/{self.coast}" if self.coast else self.province


class WordReader(ABC):
    """A place among the words of one order. `remarks` are problems that do not cost the order.

    Readers made to try a suggestion make none themselves (`trial`), or a line of doubtful words would be tried in
    every combination.
    """

    def __init__(self, state: State, power: PowerId, words: list[str], *, trial: bool = False) -> None:
        self.state, self.power, self.words, self.trial = state, power, words, trial
        self.board: Board = standard()
        self.at = 0
        self.remarks: list[tuple[ProblemKind, str, str, str]] = []
        self.units = occupants(state)
        self.nation = ""
        """The power named before the last unit that was read."""

    @abstractmethod
    def order(self) -> str:
        """The normal form of the order; an empty text for the reader's own name as a heading. Raises Unread."""

    # --- words ------------------------------------------------------------------------------------------

    def peek(self) -> str:
        """The next word, or an empty text."""
        return self.words[self.at] if self.at < len(self.words) else ""

    def skip(self, words: frozenset[str] = FILLERS) -> None:
        """Step over filler words, unless a name of a place begins with them."""
        while self.peek() in words:
            self.at += 1

    def verb(self) -> str:
        """The verb at this point, stepped over; an empty text if there is none."""
        self.skip()
        found = VERBS.get(self.peek(), "")
        if found:
            self.at += 1
        return found

    def done(self) -> bool:
        """Whether only hyphens and fillers are left."""
        return all(word in FILLERS or word == "-" for word in self.words[self.at :])

    def warn(
        self, kind: ProblemKind, message: str, suggestion: str = "", rule: str = "diplomacy 10.1"
    ) -> None:
        """Keep a problem beside the order."""
        self.remarks.append((kind, message, suggestion, rule))

    def spot(self, what: str) -> Spot:
        """A unit or place at this point; raises Unread if there is none or it is ambiguous."""
        self.skip()
        kind = self.kind()
        self.skip()
        place = read_place(self.words, self.at)
        if place is None:
            raise self.unknown_place(what)
        if len(place.provinces) > 1:
            said = " ".join(self.words[self.at : self.at + place.length])
            candidates = ", ".join(f"{one} ({self.board.place_names[one]})" for one in place.provinces)
            raise Unread(
                "ambiguous",
                f'"{said}" may be {candidates}; nothing was taken from this line',
                self.with_place(place.provinces, place.length),
            )
        self.at += place.length
        return Spot(kind, place.provinces[0], self.coast(place.provinces[0]))

    def kind(self) -> str:
        """``A`` or ``F`` if it is said here."""
        self.nation = power_words().get(self.peek(), "")
        if self.nation and self.at + 1 < len(self.words):
            self.at += 1
        found = KINDS.get(self.peek(), "")
        if found and self.at + 1 < len(self.words):
            self.at += 1
            return found
        return ""

    def coast(self, province: str) -> str:
        """The coast that follows a place, dropped with a remark where the province has none."""
        start = self.at + 1 if self.peek() == "-" else self.at
        found = read_coast(self.words, start)
        if found is None:
            return ""
        self.at = start + found[0]
        if self.board.index[province] in self.board.coasts:
            return found[1]
        self.warn(
            "warning", f"{self.board.place_names[province]} has no separate coasts; the coast is ignored"
        )
        return ""

    def unknown_place(self, what: str) -> Unread:
        """The error for words that name no place, with the order as it may have been meant."""
        run = []
        for word in self.words[self.at : self.at + 4]:
            if word in VERBS or word in KINDS or word in VIA:
                break
            run.append(word)
        if not run:
            return Unread("unreadable", f"{what} is missing")
        said = " ".join(run)
        if run[0] in power_words():
            return Unread("unreadable", f'"{said}" is a power, not a place ({what})')
        near = None if self.trial else nearest_place(run)
        if near is None:
            return Unread("unreadable", f'no place is called "{said}" ({what})')
        province, length = near
        name = self.board.place_names[province]
        suggestion = self.with_place((province,), length)
        return Unread("unreadable", f'no place is called "{said}"; perhaps {province} ({name})?', suggestion)

    def with_place(self, provinces: Sequence[str], length: int) -> str:
        """The order that this one would be with a province in place of the next words, if just one is possible."""
        found: list[str] = []
        for province in provinces if not self.trial else ():
            words = [*self.words[: self.at], province.lower(), *self.words[self.at + length :]]
            other = type(self)(self.state, self.power, words, trial=True)
            try:
                text = other.order()
            except Unread:
                continue
            if text and not any(kind == "illegal" for kind, *_ in other.remarks):
                found.append(text)
        return found[0] if len(found) == 1 else ""
