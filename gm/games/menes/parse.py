"""A player's plain text to orders. Reads what people type; what it cannot read it names, and it never raises.

Only reading happens here. Whether an order can be done depends on the whole sheet: see
`gm.games.menes.plan` and the receipt made from it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from gm.games.api import Parsed, PowerId, Problem, State
from gm.games.menes import text as form
from gm.games.menes.board import SPACES
from gm.games.menes.mistakes import Mistake, unknown
from gm.games.menes.model import UNITS, Place, is_sea
from gm.games.menes.standing import READERS
from gm.games.menes.words import (
    Token,
    nearest_word,
    tokens,
)

LONGEST_LINE = 400
"""Characters; a longer line is no order line, and reading it costs time."""

_BULLET = re.compile(r"^\s*(?:[-*•·>]+\s+|\d{1,3}[.)]\s+)?")
_CHAT = re.compile(
    r"^(?:(?:please|i|we|will|would|like|want|to|let|us|my|our|i'd|i'll|also|then|and)\b[\s,]*)+", re.I
)
_SENTENCE = re.compile(r"\.\s+(?=[A-Za-z])")


@dataclass
class _Part:
    """One piece of a statement between commas."""

    amounts: list[tuple[int, str | None]] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    fresh: bool = False
    """It begins with a verb that does not carry on what came before."""


def parse(_state: State, power: PowerId, text: str) -> Parsed:
    """See `gm.games.api.Ruleset.parse`."""
    orders: list[str] = []
    problems: list[Problem] = []
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if not stripped or stripped.startswith(("#", "//")):
            continue
        for statement in _SENTENCE.split(_BULLET.sub("", stripped, count=1).rstrip(".")):
            found, wrong = _statement(statement, power)
            orders += [form.show(o) for o in found]
            problems += [
                Problem(
                    line=number,
                    text=statement.strip()[:LONGEST_LINE],
                    kind=m.kind,
                    message=m.message,
                    suggestion=_suggestion(statement, m),
                    rule=m.rule,
                )
                for m in wrong
            ]
    return Parsed(orders=tuple(orders), problems=tuple(problems))


def _suggestion(statement: str, mistake: Mistake) -> str:
    if not mistake.misspelt or not mistake.suggestion:
        return mistake.suggestion
    pattern = re.compile(rf"(?<!\w){re.escape(mistake.misspelt)}(?!\w)", re.IGNORECASE)
    return pattern.sub(mistake.suggestion, statement.strip(), count=1)


@lru_cache(maxsize=8192)  # a sheet is read by merge, the receipt and the turn: the same lines again and again
def read(power: PowerId, order: str) -> form.Order | None:
    """The order that one line in normal form stands for; None if it is none."""
    found, wrong = _statement(order, power)
    return found[0] if len(found) == 1 and not wrong else None


def merge(_state: State, power: PowerId, old: Sequence[str], new: Sequence[str]) -> tuple[str, ...]:
    """See `gm.games.api.Ruleset.merge`: the same purchase, the same units or the same standing order."""
    incoming = [o for o in (read(power, line) for line in new) if o is not None]

    def kept(line: str) -> bool:
        order = read(power, line)
        return order is not None and not any(form.replaces(n, order) for n in incoming)

    return (*(line for line in old if kept(line)), *new)


def _statement(statement: str, power: PowerId) -> tuple[list[form.Order], list[Mistake]]:
    body = statement.strip()
    if len(body) > LONGEST_LINE:
        return [], [
            Mistake(
                "unreadable", f"This line is longer than {LONGEST_LINE} characters; write an order a line."
            )
        ]
    if body.lower().startswith(("press", "resign")):
        return [], [
            Mistake("unreadable", "Press and resignations are not orders; they stand alone in a mail.")
        ]
    body = _CHAT.sub("", body, count=1)
    words = tokens(body, power)
    orders: list[form.Order] = []
    wrong: list[Mistake] = []
    for clause in _clauses(words):
        try:
            verb, rest = _verb(clause, statement)
            if verb in _UNIT_VERBS:
                found, failed = _about_units(verb, rest, power)
            else:
                found, failed = READERS[verb](rest), []
        except Mistake as mistake:
            found, failed = [], [mistake]
        orders += found
        wrong += failed
    return orders, wrong


def _clauses(words: list[Token]) -> list[list[Token]]:
    """A statement cut where a verb of another meaning begins: ``MOVE ... and HOLD ...``."""
    verbs = [i for i, t in enumerate(words) if t.kind == "verb"]
    if not verbs or words[verbs[0]].value not in _UNIT_VERBS:
        return [words]
    first = words[verbs[0]].value
    later = next((i for i in verbs[1:] if words[i].value in _UNIT_VERBS and words[i].value != first), None)
    if later is None or {first, words[later].value} == {"move", "fly"}:
        return [words]
    head, tail = words[:later], words[later:]
    while head and head[-1].kind == "sep":
        head.pop()
    return [head, *_clauses(tail)]


_UNIT_VERBS = frozenset({"buy", "move", "fly", "hold", "disband"})
_GO_ON = frozenset({"land", "sail", "embark", "transport", "go", "ride", "advance", "take", "attack", "walk"})
"""Verbs that may carry on a path: ``12 > R > S and land at 34``."""


def _verb(words: list[Token], statement: str) -> tuple[str, list[Token]]:
    first = next((i for i, t in enumerate(words) if t.kind == "verb"), None)
    if first is not None and not any(t.kind == "unknown" for t in words[:first]):
        verb, rest = words[first].value, words[:first] + words[first + 1 :]
        return verb, rest
    places = [t for t in words if t.kind == "place"]
    amounts = [t for t in words if t.kind == "unit" or (t.kind == "count" and t.value == "ALL")]
    if first is None and amounts and len(places) > 1:
        return "move", words
    if first is None and amounts and len(places) == 1 and not any(t.kind == "unknown" for t in words):
        raise Mistake("ambiguous", "Is this to be bought, or to stand there?", f"BUY {statement.strip()}")
    if first is None and amounts:
        return "move", words
    near = next(
        ((t.raw, nearest_word(t.value)) for t in words if t.kind == "unknown" and nearest_word(t.value)), None
    )
    if near is not None:
        raise Mistake(
            "unreadable", f"I don't know {near[0]!r}. Did you mean {near[1]}?", near[1], misspelt=near[0]
        )
    raise Mistake(
        "unreadable", "I can't read this. An order begins with BUY, MOVE, FLY, HOLD, DISBAND and so on."
    )


def _about_units(verb: str, words: list[Token], power: PowerId) -> tuple[list[form.Order], list[Mistake]]:
    """Orders with counts, units and places. Parts between commas share the verb, and a place if they lack one.

    The first verb has been taken out of `words`.
    """
    orders: list[form.Order] = []
    wrong: list[Mistake] = []
    if verb == "hold" and not words:
        return [form.Hold()], []
    parts: list[_Part] = []
    for piece in _pieces(words):
        try:
            parts.append(_part(verb, piece, power))
        except Mistake as mistake:
            wrong.append(mistake)
    for places, amounts in _joined(verb, parts):
        for count, unit in amounts:
            try:
                orders.append(_unit_order(verb, count, unit, places))
            except Mistake as mistake:
                wrong.append(mistake)
    if not orders and not wrong:
        wrong.append(Mistake("unreadable", f"{verb.upper()} what, and where?", _EXAMPLES[verb]))
    return orders, wrong


_EXAMPLES = {
    "buy": "BUY 10 ARMY AT 39",
    "move": "MOVE 5 ARMY 39 > 38",
    "fly": "FLY 3 DRAGON 51 > G > 55",
    "hold": "HOLD ALL 53",
    "disband": "DISBAND 2 ARMY AT 15",
}


def _pieces(words: list[Token]) -> list[list[Token]]:
    pieces: list[list[Token]] = [[]]
    for token in words:
        if token.kind == "sep" or (token.kind == "verb" and pieces[-1] and pieces[-1][-1].kind != "verb"):
            pieces.append([])
        if token.kind != "sep":
            pieces[-1].append(token)
    return [p for p in pieces if p]


def _part(verb: str, piece: list[Token], power: PowerId) -> _Part:
    part = _Part(fresh=piece[0].kind == "verb" and piece[0].raw not in _GO_ON)
    start: Place | None = None
    count: int | None = None
    previous = ""
    for token in piece:
        if token.kind == "count":
            count = form.ALL if token.value == "ALL" else int(token.value)
            part.amounts.append((count, None))
        elif token.kind == "unit":
            if UNITS[token.value].race not in (None, power):
                race = str(UNITS[token.value].race).capitalize()
                raise Mistake(
                    "refused", f"Only the {race} have {UNITS[token.value].plural}.", rule="menes 5.6"
                )
            if count is None:
                count = _uncounted(verb, token, piece)
                part.amounts.append((count, None))
            part.amounts[-1] = (part.amounts[-1][0], token.value)
            count = None
        elif token.kind == "place":
            if previous == "from" and start is None:
                start = token.value
            else:
                part.places.append(token.value)
        elif token.kind in ("unknown", "word", "power"):
            raise unknown(token)
        previous = token.kind
    if start is not None:
        part.places.insert(0, start)
    return part


def _uncounted(verb: str, token: Token, piece: list[Token]) -> int:
    if verb == "hold":
        return form.ALL
    where = " > ".join(t.value for t in piece if t.kind == "place")
    name = form.NORMAL_NAMES[token.value]
    suggestion = f"{verb.upper()} ALL {name} {where}" if verb != "buy" else f"BUY 1 {name} AT {where}"
    raise Mistake(
        "ambiguous", f"How many {UNITS[token.value].plural}? Give a number, or ALL.", suggestion.strip()
    )


def _joined(verb: str, parts: list[_Part]) -> list[tuple[list[Place], list[tuple[int, str | None]]]]:
    """Parts without a place take that of the next part, or of the part before; bare places go on a path."""
    joined: list[tuple[list[Place], list[tuple[int, str | None]]]] = []
    waiting: list[tuple[int, str | None]] = []
    for part in parts:
        if part.places and (part.amounts or waiting):
            joined.append((list(part.places), waiting + part.amounts))
            waiting = []
        elif part.places and verb == "hold":
            joined += [([p], [(form.ALL, None)]) for p in part.places]
        elif part.places and joined and not part.fresh:
            joined[-1][0].extend(part.places)
        elif part.places:
            joined.append((list(part.places), []))
        else:
            waiting += part.amounts
    if waiting:
        if joined:
            joined.append((joined[-1][0], waiting))
        else:
            joined.append(([], waiting))
    return [(places, amounts or [(0, None)]) for places, amounts in joined]


def _unit_order(verb: str, count: int, unit: str | None, places: list[Place]) -> form.Order:
    if verb == "hold" and (not places or len(places) == 1):
        return form.Hold(count if unit or places else form.ALL, unit, places[0] if places else None)
    if unit is None and count != form.ALL:
        raise Mistake("ambiguous", "How many of what? Give a number and a unit, or ALL.", _EXAMPLES[verb])
    if verb == "buy":
        return _buy(count, unit, places)
    if verb == "disband":
        if unit is None or len(places) != 1:
            raise Mistake("unreadable", "Say what to disband and in which one place.", _EXAMPLES["disband"])
        return form.Disband(count, unit, places[0])
    if verb == "hold":
        raise Mistake("unreadable", "Say HOLD for one place at a time.", _EXAMPLES["hold"])
    if len(places) < 2:
        raise Mistake("unreadable", "Say from where to where.", _EXAMPLES[verb])
    return form.Move(count, unit, tuple(places))


def _buy(count: int, unit: str | None, places: list[Place]) -> form.Buy:
    cities = [p for p in places if not is_sea(p)]
    seas = [p for p in places if is_sea(p)]
    if unit is None or count == form.ALL:
        raise Mistake("ambiguous", "Say how many to buy, and of what.", _EXAMPLES["buy"])
    if len(cities) != 1 or len(seas) > 1:
        raise Mistake("ambiguous", "Name the one city where they are to be built.", _EXAMPLES["buy"])
    if not UNITS[unit].ship:
        if seas:
            raise Mistake(
                "ambiguous",
                "Only ships are built into a sea.",
                f"BUY {form.amount(count, unit)} AT {cities[0]}",
            )
        return form.Buy(count, unit, cities[0])
    coast = SPACES[cities[0]].seas
    if not seas and len(coast) > 1:
        suggestion = f"BUY {form.amount(count, unit)} AT {cities[0]} SEA {coast[0]}"
        raise Mistake("ambiguous", f"Into which sea? {cities[0]} touches {', '.join(coast)}.", suggestion)
    return form.Buy(count, unit, cities[0], seas[0] if seas else None)
