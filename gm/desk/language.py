"""The text of a mail cut into statements: commands, blocks and order lines. Knows words, does nothing.

One command or order a line. ``#``, ``;`` or ``//`` starts a line of comment. ``PRESS TO ... ENDPRESS`` and
``BROADCAST ... ENDBROADCAST`` hold free text. ``QUIT`` (or a line of thanks, or a signature mark) ends the reading.
Everything else is a line of orders, for the ruleset to read. Other servers' blocks, ``SIGNON ... SIGNOFF`` and
``#ATLANTIS ... #END``, are read too: what stands between two of them is not.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from gm.desk.words import ELSEWHERE, FOREIGN, in_english, plain

MAX_BLOCK_CHARS = 20_000
"""Longest press in one block: a few pages."""

GREETINGS = re.compile(
    r"(dear|hi|hello|hallo|hey|moin|servus|bonjour|salut|ciao|greetings|good (morning|evening|day|afternoon))\b"
    r"[^-/>]{0,40}[,!.]?$"
    r"|(here (are|come) my orders|my orders( are| for .{1,30})?|orders( for .{1,40})?|orders follow)[^-/>]{0,20}"
    r"[:.,]?$",
    re.I,
)
"""A line that only greets or announces; skipped, and named as such in the receipt."""

COURTESIES = re.compile(
    r"(bye|cheers|regards|best|best (wishes|regards)|kind regards|yours( \w+)?|"
    r"thanks?( you)?( [^:]{0,30})?|many thanks|gr(u|ü)(ss|ß)e?|viele gr(u|ü)(ss|ß)e|danke( .{0,20})?|"
    r"merci( .{0,20})?|mfg)[,.!]*\s*$",
    re.I,
)
"""A line of thanks or farewell: the reading stops there, unless nothing was said yet ("Thanks for the turn!")."""

ENDS = re.compile(r"(quit|stop|end|ende|fin|--|—|__+)[,.!]*\s*$", re.I)
"""A line at which the reading stops in any case."""


@dataclass(frozen=True, kw_only=True)
class Statement:
    """One thing a mail says."""

    line: int
    """Number of its (first) line, from 1."""
    text: str
    """As written: for a block, its first line."""
    command: str
    """Canonical name of the command; ``""`` for a line of orders; ``"(greeting)"``; ``"(end)"``;
    ``"(outside)"`` between two blocks of other servers."""
    argument: str = ""
    """What follows the command's word on its line."""
    block: str = ""
    """The free text of a block."""
    closed: bool = True
    """False: the end mark of its block is missing."""


COMMENTS = ("#", ";", "//")
"""What begins a line of comment."""

BLOCKS = {
    "PRESS": (
        "ENDPRESS",
        "END PRESS",
        "ENDPRESSE",
        "ENDE PRESSE",
        "FINPRESSE",
        "FIN PRESSE",
        "ENDENACHRICHT",
    ),
    "BROADCAST": ("ENDBROADCAST", "END BROADCAST"),
    "EDIT": ("ENDEDIT", "END EDIT"),
    "LETTER": ("ENDLETTER", "END LETTER", "ENDELESERBRIEF", "FINLETTRE"),
    "EDITORIAL": ("ENDEDITORIAL", "END EDITORIAL"),
    "ERRATUM": ("END", "ENDERRATUM", "END ERRATUM"),
    "ANSWER LETTER": ("ENDANSWER", "END ANSWER", "END"),
}
"""Commands that take free text up to an end mark."""

NO_COLON = frozenset({"EDIT"})
"""Those whose text begins on the next line, whatever stands on theirs."""

JUST_TEXT = frozenset({"BROADCAST", "EDITORIAL", "ERRATUM"})
"""Those that name no readers: all that follows is text."""


def statements(
    text: str, words: Mapping[str, str], reserved: Collection[str] = frozenset()
) -> tuple[Statement, ...]:
    """Cut a mail's text into statements.

    Args:
        text: plain text, lines ended by ``\\n``.
        words: command words as `gm.desk.words.plain` has them, separated by single blanks, to canonical names.
        reserved: upper-case first words that always begin an order line.
    """
    found: list[Statement] = []
    lines = text.split("\n")
    n = 0
    while n < len(lines):
        raw = lines[n].strip()
        number = n + 1
        n += 1
        line = re.sub(r"^[>\s]*", "", raw) if raw.startswith(">") else raw
        if not line or (line.startswith(COMMENTS) and not command_of(line, words, reserved)[0]):
            continue
        if ENDS.match(line) or (COURTESIES.match(line) and any(s.command != "(greeting)" for s in found)):
            found.append(Statement(line=number, text=line, command="(end)"))
            break
        name, argument = command_of(line, words, reserved)
        if name == "SIGNOFF":
            again = _next_sign_on(lines, n, words, reserved)
            if again is None:
                found.append(Statement(line=number, text=line, command="(end)"))
                break
            found.append(Statement(line=number, text=line, command=name, argument=argument))
            found += [
                Statement(line=i + 1, text=lines[i].strip(), command="(outside)")
                for i in range(n, again)
                if lines[i].strip() and not lines[i].strip().startswith(COMMENTS)
            ]
            n = again
        elif name in BLOCKS:
            n, statement = _block(lines, n, number, line, name, argument)
            found.append(statement)
        elif name:
            found.append(Statement(line=number, text=line, command=name, argument=argument))
        elif GREETINGS.match(line) or COURTESIES.match(line):
            found.append(Statement(line=number, text=line, command="(greeting)"))
        else:
            found.append(Statement(line=number, text=line, command=""))
    return tuple(found)


def _next_sign_on(
    lines: list[str], n: int, words: Mapping[str, str], reserved: Collection[str]
) -> int | None:
    """Index of the next line that begins a block of another server."""
    return next(
        (i for i in range(n, len(lines)) if command_of(lines[i].strip(), words, reserved)[0] == "SIGNON"),
        None,
    )


def _block(
    lines: list[str], n: int, number: int, line: str, name: str, argument: str
) -> tuple[int, Statement]:
    """A block from its head line on: up to its end mark, or just ``PRESS TO x: text`` if no end mark follows."""
    head, rest = (argument, "") if name in NO_COLON else _split(argument)
    if name in JUST_TEXT or line.removesuffix(argument).rstrip().endswith(":"):
        head, rest = "", argument.lstrip(": ")
    end = next((i for i in range(n, len(lines)) if lines[i].strip().upper() in BLOCKS[name]), None)
    if rest.strip() and (end is None or _another_begins(lines[n:end], name)):
        return n, Statement(line=number, text=line, command=name, argument=head.strip(), block=rest.strip())
    body = [rest.strip()] if rest.strip() else []
    body += [current.rstrip() for current in lines[n:end]]
    text = "\n".join(body).strip("\n")
    after = len(lines) if end is None else end + 1
    return after, Statement(
        line=number, text=line, command=name, argument=head.strip(), block=text, closed=end is not None
    )


def _split(argument: str) -> tuple[str, str]:
    """Those named and the text, at the first colon that is none of a time: ``France AT 1 Jan 20:00: the text``."""
    colon = re.search(r"(?<!\d):|:(?!\d\d\b)", argument)
    return (argument, "") if colon is None else (argument[: colon.start()], argument[colon.end() :])


def _another_begins(lines: list[str], name: str) -> bool:
    """Whether another block of the kind starts in these lines, so that the end mark after them is not ours."""
    return any(line.strip().upper().startswith(f"{name} ") for line in lines)


def command_of(line: str, words: Mapping[str, str], reserved: Collection[str]) -> tuple[str, str]:
    """``(canonical name, argument)`` of a command line; ``("", "")`` if it is none. The longest command word wins."""
    tokens = line.split()
    if not tokens or tokens[0].upper().rstrip(":") in reserved:
        return "", ""
    for length in range(min(4, len(tokens)), 0, -1):
        word = plain(" ".join(tokens[:length])).rstrip(":!.,")
        if word not in words:
            continue
        parts = line.split(None, length)
        rest = (parts[length] if len(parts) > length else "").strip()
        if length > 1 and word.startswith("SET ") and rest.startswith("="):
            continue  # "SET zone = ..." is a house rule
        if (
            word == "SET"
            and plain(" ".join(tokens[:2])) in ELSEWHERE
            and not "".join(tokens[2:3]).startswith("=")
        ):
            return "", ""
        return words[word], in_english(words[word], rest) if word in FOREIGN else rest
    return "", ""


def nearest(word: str, candidates: Collection[str], cutoff: int = 75) -> str:
    """The candidate most like a word, or ``""`` if none is near."""
    best = process.extractOne(word, sorted(candidates), scorer=fuzz.WRatio, score_cutoff=cutoff)
    return best[0] if best else ""
