"""A player's own words, cut out of a reply.

Order of belief: our own marker line; PRESS … ENDPRESS, inside which nothing is cut; ``>`` before a line; then
what mail programs write above a quoted mail; signatures and footers. What stands below a cut that is not certain
to be quotation is handed back with the reason, so that the receipt can name it: no line vanishes in silence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from gm.mail.attribution import CLIP, Heads, is_quote
from gm.mail.marker import is_end_marker, is_reply_marker
from gm.mail.phrases import CLOSING, FOOTER, GREETING, LIST_FOOTER, PHONE

CutReason = Literal["signature", "footer", "courtesy", "quoted mail", "wrapped quote", "below our mail"]

_PRESS = re.compile(
    r"\s*(PRESS|BROADCAST)\s*(?:$|:|(?:UNSIGNED|TO|FROM|ALL|GREY|GRAY|WHITE|BLACK|PUBLIC|GM|ANON\w*|AS)\b)([^:]*:\s*\S)?",
    re.IGNORECASE,
)
_ENDPRESS = re.compile(r"\s*END[\s-]?(PRESS|BROADCAST)\s*[.;]?\s*$", re.IGNORECASE)

_TAIL_PREVIOUS, _TAIL_REACH, _TAIL_LENGTH = 60, 72, 40
"""A quoting mailer that wraps leaves the tail of a quoted line without its ``>``: the line before is at least
this long, would have passed this column with the tail's first word, and the tail is not longer than this."""

_DELIMITER = re.compile(r"(?:--|__|\u2014)\s*$")
_SIGNATURE_LINES, _SIGNATURE_WIDTH = 4, 60
"""A closing ("Best regards") starts a signature if at most so many lines, so wide, come after it."""

_RULE = re.compile(r"[-_=~*]{3,}\s*$")


@dataclass(frozen=True, kw_only=True)
class Cut:
    """A line below a cut that may have been meant, and what it was taken for."""

    text: str
    why: CutReason


@dataclass(frozen=True, kw_only=True)
class OwnWords:
    """A mail's text, taken apart. Lines keep their order; none is in two of the fields, none is lost but blank ones."""

    own: tuple[str, ...]
    quoted: tuple[str, ...]
    """Certainly not his: marked as quotation, or below our own marker."""
    after_cut: tuple[Cut, ...]


def press_blocks(lines: Sequence[str]) -> list[tuple[int, int]]:
    """First and last index of each PRESS … ENDPRESS or BROADCAST … ENDBROADCAST block, both lines included.

    A block that is never closed, or only below our reply marker or by a quoted ENDPRESS, is none. A head line with
    its text behind a colon (``PRESS TO France: hello``) is whole by itself if another head comes before the end mark.
    """
    blocks: list[tuple[int, int]] = []
    start, word, whole = -1, "", False
    for i, line in enumerate(lines):
        head = _PRESS.match(line[:CLIP]) if start < 0 or whole else None
        if head:
            start, word, whole = i, head[1].upper(), head[2] is not None
        elif start >= 0 and len(line) <= CLIP and (end := _ENDPRESS.match(line)) and end[1].upper() == word:
            blocks.append((start, i))
            start = -1
        elif start >= 0 and is_reply_marker(line):
            break
    return blocks


def own_words(lines: Sequence[str]) -> OwnWords:
    """Take a mail's text, plain lines without line ends, apart into the player's own words and the rest."""
    return _Reader(lines).read()


class _Reader:
    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.own: list[str] = []
        self.quoted: list[str] = []
        self.cuts: list[Cut] = []
        self.spoke = False
        """Whether anything of his own was found above the line in hand."""
        self.end = len(lines)
        self.heads = Heads(lines)

    def read(self) -> OwnWords:
        self.end, tail = self._ours()
        above = self.lines[: self.end]
        self.heads = Heads(above)
        kept = {i for first, last in press_blocks(above) for i in range(first, last + 1)}
        i = 0
        while i < self.end:
            if i in kept:
                self._keep(self.lines[i])
                i += 1
            else:
                i = self._step(i)
        first = self.end
        while first < len(self.lines):
            self.quoted += [line for line in self.lines[first:tail] if line.strip()]
            first, after = self._ours(tail)
            self._rest(tail, first, "below our mail")
            tail = after
        while self.own and not self.own[-1].strip():
            self.own.pop()
        top = next((n for n, line in enumerate(self.own) if line.strip()), 0)
        return OwnWords(own=tuple(self.own[top:]), quoted=tuple(self.quoted), after_cut=tuple(self.cuts))

    def _ours(self, start: int = 0) -> tuple[int, int]:
        """Where our own mail, quoted without ``>``, starts and ends: `(len, len)` if it is not there."""
        lines = self.lines
        for i in range(start, len(lines)):
            if self._is_quote(i) or not is_reply_marker(lines[i], lines[i + 1] if i + 1 < len(lines) else ""):
                continue
            ends = (j + 1 for j in range(i + 1, len(lines)) if is_end_marker(lines[j]))
            return i, next(ends, len(lines))
        return len(lines), len(lines)

    def _is_quote(self, i: int) -> bool:
        return is_quote(self.lines[i])

    def _rest(self, start: int, end: int, why: CutReason) -> int:
        for i in range(start, end):
            if self._is_quote(i):
                self.quoted.append(self.lines[i])
            elif self.lines[i].strip():
                self.cuts.append(Cut(text=self.lines[i], why=why))
        return end

    def _step(self, i: int) -> int:
        """Take the line at `i`; gives the index of the next one to take."""
        line = self.lines[i]
        if not line.strip():
            self.own.append(line)
            return i + 1
        if self._is_quote(i):
            self.quoted.append(line)
            return i + 1
        if head := self.heads.at(i):
            below = self._next(i + head.lines)
            marked = below is not None and self._is_quote(below)
            if head.certain or marked:
                self.quoted += [line for line in self.lines[i : i + head.lines] if line.strip()]
                if marked or below is None:
                    return i + head.lines
                return self._rest(i + head.lines, self.end, "quoted mail")
        return self._close(i, line)

    def _close(self, i: int, line: str) -> int:
        clipped = line[:CLIP].strip()
        if _DELIMITER.match(line):
            self.quoted.append(line)
            return self._rest(i + 1, self.end, "signature")
        rule = _RULE.match(clipped)
        if FOOTER.match(clipped) or (rule and self._footer_below(i)):
            return self._rest(i, self.end, "footer")
        if rule:
            self.quoted.append(line)
            return i + 1
        if len(line) <= CLIP:
            if PHONE.match(clipped) and len(clipped) <= 100:
                self.cuts.append(Cut(text=line, why="signature"))
                return i + 1
            if CLOSING.match(clipped):
                if self.spoke and self._only_a_name_below(i):
                    return self._rest(i, self.end, "signature")
                self.cuts.append(Cut(text=line, why="courtesy"))
                return i + 1
            if GREETING.match(clipped) and not self.spoke:
                self.cuts.append(Cut(text=line, why="courtesy"))
                return i + 1
        if self._is_wrapped_tail(i):
            self.cuts.append(Cut(text=line, why="wrapped quote"))
        else:
            self._keep(line)
        return i + 1

    def _next(self, i: int) -> int | None:
        """Index of the first line from `i` on that is not blank."""
        return next((j for j in range(i, self.end) if self.lines[j].strip()), None)

    def _footer_below(self, i: int) -> bool:
        below = [line[:CLIP] for line in self.lines[i + 1 : min(i + 5, self.end)] if line.strip()]
        return bool(below) and any(LIST_FOOTER.search(line) for line in below[:3])

    def _keep(self, line: str) -> None:
        self.own.append(line)
        self.spoke = self.spoke or line.strip() != ""

    def _only_a_name_below(self, i: int) -> bool:
        below: list[str] = []
        for j in range(i + 1, self.end):
            if self._is_quote(j) or _DELIMITER.match(self.lines[j]):
                break
            if self.heads.at(j):
                break
            if self.lines[j].strip():
                below.append(self.lines[j])
                if len(below) > _SIGNATURE_LINES:
                    return False
        return all(len(line) <= _SIGNATURE_WIDTH for line in below)

    def _is_wrapped_tail(self, i: int) -> bool:
        if i == 0 or i + 1 >= self.end or not self._is_quote(i - 1) or not self._is_quote(i + 1):
            return False
        before, tail = self.lines[i - 1], self.lines[i]
        reach = len(before) + 1 + len(tail.split(" ", 1)[0])
        return len(before) >= _TAIL_PREVIOUS and reach > _TAIL_REACH and len(tail) <= _TAIL_LENGTH
