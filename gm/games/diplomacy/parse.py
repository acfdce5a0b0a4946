"""Order mails as people write them, to orders in normal form (rule 10.1).

What is uncertain is named, never guessed: a place that is not known, or that fits several provinces, costs the line
its order and gains it a problem with the nearest right form.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gm.games.api import Parsed, PowerId, Problem, State
from gm.games.diplomacy.grammar import OrderReader
from gm.games.diplomacy.reader import VERBS, Unread
from gm.games.diplomacy.words import plain, tokens, without_bullet

LONGEST_LINE = 400
"""Characters of a line that are looked at; a longer one is no order."""
MOST_LINES = 300
"""Lines of a mail that are read: a sheet has at most 34 units, a mail perhaps several drafts of it."""
MOST_PIECES = 20
"""Orders on one line, divided by commas and the like."""

_COMMENT = re.compile(r"\s*(?:#|//)")
_SPLIT = re.compile(r"[;,]|\.\s+|\band\b|&", re.IGNORECASE)


def parse(state: State, power: PowerId, text: str) -> Parsed:
    """Orders and problems of a mail's text; see `gm.games.api.Ruleset.parse`."""
    orders: list[str] = []
    problems: list[Problem] = []
    lines = [
        (number, line)
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip() and not _COMMENT.match(line)
    ]
    for number, line in lines[:MOST_LINES]:
        _read_line(state, power, number, line, orders, problems)
    if len(lines) > MOST_LINES:
        number, line = lines[MOST_LINES]
        message = f"only the first {MOST_LINES} lines are read; this one and {len(lines) - MOST_LINES - 1} more are not"
        problems.append(Problem(line=number, text=line[:120], kind="unreadable", message=message))
    return Parsed(orders=tuple(orders), problems=tuple(problems))


def _read_line(
    state: State, power: PowerId, number: int, line: str, orders: list[str], problems: list[Problem]
) -> None:
    """A line is one order; where that fails, several divided by commas and the like."""
    whole = _read_piece(state, power, number, line, "")
    if whole[0] is not None:
        _take(whole, orders, problems)
        return
    pieces = [piece for piece in _SPLIT.split(line[:LONGEST_LINE]) if tokens(plain(piece))]
    if 1 < len(pieces) <= MOST_PIECES:
        verb = ""
        read = []
        for piece in pieces:
            one = _read_piece(state, power, number, piece.strip(), "")
            if one[0] is None and verb:
                continued = _read_piece(state, power, number, piece.strip(), verb)
                one = continued if continued[0] is not None else one
            read.append(one)
            verb = _leading_verb(piece) or verb
        if any(one[0] is not None for one in read):
            for one in read:
                _take(one, orders, problems)
            return
    _take(whole, orders, problems)


def _take(read: tuple[str | None, Sequence[Problem]], orders: list[str], problems: list[Problem]) -> None:
    order, found = read
    if order:
        orders.append(order)
    problems.extend(found)


def _leading_verb(piece: str) -> str:
    """``"build "`` where a list of builds or removals began with its verb."""
    words = tokens(plain(without_bullet(piece)))
    verb = VERBS.get(words[0], "") if words else ""
    return f"{verb} " if verb in ("build", "remove", "disband") and len(words[0]) > 1 else ""


def _read_piece(
    state: State, power: PowerId, number: int, piece: str, verb: str
) -> tuple[str | None, Sequence[Problem]]:
    """One order (``""`` for a heading that names the reader's own power), or None, with its problems."""
    shown = piece.strip()[:120]
    problems: list[Problem] = []
    try:
        if len(piece) > LONGEST_LINE:
            raise Unread("unreadable", f"this line is too long to be an order ({len(piece)} characters)")
        reader = OrderReader(state, power, tokens(plain(verb + without_bullet(piece))))
        text = reader.order()
        for kind, message, suggestion, rule in reader.remarks:
            problems.append(
                Problem(line=number, text=shown, kind=kind, message=message, suggestion=suggestion, rule=rule)
            )
        return text, problems
    except Unread as error:
        problem = Problem(
            line=number, text=shown, kind=error.kind, message=error.message,
            suggestion=error.suggestion, rule=error.rule,
        )  # fmt: skip
        return None, [problem]
