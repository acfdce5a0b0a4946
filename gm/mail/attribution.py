"""How mail programs introduce the mail they quote: "On … wrote:", "-----Original Message-----", header blocks.

mail-parser-reply proposes, in its thirteen languages: it is shown the few lines that can start such a thing, each
cut to `CLIP` characters, `MAX_LOOKS` times a mail (its patterns are quadratic in a line: 0.7 ms for four lines of
200 characters, 9 s for one of 16 KB). What it proposes must then hold more than the words: it takes "On Monday I
wrote:", "Data: x" and the two orders "A: Ven H", "A: Rom" for the head of a quoted mail. Own patterns stand below
for what it does not know, each with the mailer that writes it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from mailparser_reply.constants import MAIL_LANGUAGES
from mailparser_reply.parser import EmailMessage

CLIP = 200
"""Characters of a line that are looked at. No mail program's line of this kind is longer."""
MAX_LOOKS = 200
"""Places of a mail that the library is shown; a mail of orders has two or three that could be meant."""
_LONGEST = 4
"""Lines over which an attribution may be wrapped."""
_BROKEN = 60
"""Columns that a line and the next word must pass before a break in an attribution counts as the mailer's."""
_BLOCK_LINES = 9
_BLANKS = 20
"""Blank lines that may stand between a head and what it introduces."""
_LONGEST_VERB = 180
"""Characters at the end of an attribution in which its verb stands."""

_QUOTE = re.compile(r">|[A-Z][A-Za-z]{0,2}> |\|> ")

_ADDRESS = re.compile(r"[\w.+-]@[\w-]+\.|\[mailto:", re.IGNORECASE)
_DATE = re.compile(
    r"\b\d{1,4}[./-]\d{1,2}[./-]\d{2,4}\b|\b\d{1,2}[:.h]\d\d\b"
    r"|\b\d{1,2}(?:st|nd|rd|th|\.|er|º)?,?\s+(?:de\s+)?[^\W\d]{3,10}\.?,?\s+(?:de\s+)?\d{4}\b"
    r"|\b[^\W\d]{3,10}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+(?:at\s+)?\d{4}\b|\d{4} ?[年년]"
)
_FIRST_PERSON = re.compile(
    r"\b(?:I|we|you|he|she|they|ich|wir|er|sie|je|nous) (?:wrote|said|schrieb|schrieben|écris)", re.IGNORECASE
)
"""Whoever tells what he wrote himself quotes no mail: "On 29.11. at 10:00 I wrote:"."""

_WROTE = re.compile(
    r"(?:\b(?:wrote|writes|says)"  # elm, gnus, vm, usenet, supercite, AOL, The Bat!, Eudora: no "On" before it
    r"|\bschrieb am .{1,60}"  # Thunderbird with the name first
    r"|\b(?:escribió|escreveu|schreef .{1,100})"  # Gmail in Spanish, Portuguese, Dutch
    r"|\b(?:napisał\(a\)|napsal|a scris|yazdı|kirjoitti|написал|пишет|έγραψε)"  # Gmail from Poland to Greece
    r"|\bezt írta \(.{1,60}\)"  # Gmail in Hungarian
    r"|写道|님이 작성):$",  # Gmail in Chinese, after its colon was made a plain one, and in Korean
    re.IGNORECASE,
)
_QUOTING = re.compile(r"(?:quoting|zitat von) .{1,150}:$", re.IGNORECASE)  # Horde
_BARE = re.compile(r".{0,90}<[^<>\s]{1,80}@[^<>\s]{1,80}>.{0,40}:$")  # mutt, FairEmail: no verb at all
_FIELD = re.compile(r"[*_|\s]{0,4}([^\W\d_]{1,15})(?: [^\W\d_]{1,3})?[*_]{0,2}\s?:")
_FROM = frozenset(["from", "von", "de", "da", "van", "od", "fra", "från", "от", "发件人", "보낸"])
_UNKNOWN_FIELDS = frozenset(
    [
        *["de", "enviada", "para", "assunto", "cc"],  # Outlook in Portuguese
        *["от", "отправлено", "кому", "тема", "копия"],  # Outlook in Russian
    ]
)
_DRAWN = "-_=*"
_FORWARDED = re.compile(
    r"(?:begin forwarded message|anfang der weitergeleiteten nachricht|début du message réexpédié"
    r"|inizio messaggio inoltrato|inicio del mensaje reenviado|begin doorgestuurd bericht)\s?:$",
    re.IGNORECASE,
)
"""Apple Mail, above a header block. What others draw there in dashes needs no pattern."""
_SEPARATOR = re.compile(
    r"[-_=*\s]{2,40}(?:forwarded (?:message|by .{1,60})"  # Notes, Gmail
    r"|(?:ursprüngliche|weitergeleitete) (?:nachricht|e-mail)|message d'origine|mensaje original"  # Outlook
    r"|messaggio originale|oorspronkelijk bericht|mensagem original|исходное сообщение)[-_=*\s]{2,40}$",
    re.IGNORECASE,
)
"""What says enough without a header block below. The library knows the English "Original Message" only."""


@dataclass(frozen=True, kw_only=True)
class Head:
    """Lines that introduce a quoted mail."""

    lines: int
    certain: bool
    """Whether the quoted mail starts below even if no line there is marked. "On Monday I wrote:" is not certain."""


def is_quote(line: str) -> bool:
    """Whether a line is marked as quotation: ``> x``, Supercite's ``GM> x``."""
    return _QUOTE.match(line) is not None


class Heads:
    """Finds the heads of quoted mails in a mail's lines, blank ones included."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._looks = 0

    def at(self, start: int) -> Head | None:
        """What is introduced from line `start` on; None for a line like any other."""
        line = self._lines[start][:CLIP].strip()
        if _FIELD.match(line):
            block = self._fields(start)
        elif (line[:1] in _DRAWN and line[-1:] in _DRAWN) or _FORWARDED.match(line):
            block = self._drawn(start, line)
        else:
            block = 0
        return Head(lines=block, certain=True) if block else self._attribution(start)

    def _proposed(self, lines: Sequence[str]) -> int:
        """How many of the given lines the library takes for a head, from the first on."""
        if self._looks >= MAX_LOOKS:
            return 0
        self._looks += 1
        match = _library().match("\n".join(lines))
        return match[0].strip("\n").count("\n") + 1 if match else 0

    def _drawn(self, start: int, line: str) -> int:
        """Lines of a header block that has a drawn line or the like on top, or of "---Original Message---" alone."""
        below = self._next(start + 1)
        if below is not None and _FIELD.match(self._lines[below][:CLIP]) and (block := self._fields(below)):
            return below + block - start
        return 1 if line.strip(" -_=*") and (_SEPARATOR.match(line) or self._proposed([line])) else 0

    def _fields(self, start: int) -> int:
        """Lines of a header block: three kinds of field at least, among them who it is from.

        Blank lines between all of its lines (paragraphs, once) belong to it.
        """
        near = [start]
        while len(near) < _BLOCK_LINES and (n := self._next(near[-1] + 1)) is not None:
            if n - near[-1] > (near[1] - near[0] if len(near) > 1 else 2) or self._lines[n].startswith(">"):
                break
            near.append(n)
        lines = [self._lines[n][:CLIP].strip() for n in near]
        names = [match[1].lower() if (match := _FIELD.match(line)) else "" for line in lines]
        if len({*names} - {""}) < 3 or _FROM.isdisjoint(names):
            return 0
        count = self._proposed(lines)
        if count < 3:
            unknown = [name in _UNKNOWN_FIELDS for name in names]
            count = unknown.index(False) if False in unknown else len(unknown)
        kinds = {*names[:count]} - {""}
        if len(kinds) < 3 or _FROM.isdisjoint(kinds):
            return 0
        while count < len(names) and names[count]:
            count += 1
        while not names[count - 1]:
            count -= 1
        return near[count - 1] - start + 1

    def _attribution(self, start: int) -> Head | None:
        lines: list[str] = []
        for line in self._lines[start : start + _LONGEST]:
            clipped = line[:CLIP].rstrip(" -").lstrip()
            if not clipped or clipped.startswith(">"):
                return None
            lines.append(clipped)
            if clipped.endswith(":"):
                break
        else:
            return None
        text = " ".join(lines)
        dated = bool(_ADDRESS.search(text) or _DATE.search(text))
        follows = self._next(start + len(lines))
        if not dated and (follows is None or not is_quote(self._lines[follows])):
            return None
        broken = all(len(line) + len(below.partition(" ")[0]) >= _BROKEN for line, below in pairwise(lines))
        if len(lines) > 1 and not (_ADDRESS.search(lines[0]) or _DATE.search(lines[0])):
            return None
        if len(lines) > 2 and not broken:
            return None
        if self._proposed(lines) != len(lines) and not (broken and self._is_attribution(text)):
            return None
        return Head(lines=len(lines), certain=dated and not _FIRST_PERSON.search(text[-_LONGEST_VERB:]))

    def _is_attribution(self, text: str) -> bool:
        """Whether lines that were joined are one, to the library (which follows breaks in English only) or to us."""
        if _WROTE.search(text[-_LONGEST_VERB:]) or _QUOTING.match(text) or _BARE.match(text):
            return True
        return self._proposed([text[: 2 * CLIP]]) > 0

    def _next(self, start: int) -> int | None:
        """Index of the first line from `start` on that is not blank, if it is near."""
        end = min(start + _BLANKS, len(self._lines))
        return next((n for n in range(start, end) if self._lines[n].strip()), None)


@cache
def _library() -> re.Pattern[str]:
    """The library's pattern of heads, in all its languages at once."""
    pattern = EmailMessage(text="", languages=sorted(MAIL_LANGUAGES)).HEADER_REGEX
    return re.compile(pattern.pattern, pattern.flags)
