"""Mails in their reader's language: what the program says itself, by a catalogue of sentences.

The program says everything in English; a catalogue has each sentence with its places, ``"The deadline of {phase} was
moved: {Cause}."``, and the same in another language. A mail is put into a language as a whole, last of all and from
nothing but its English words, so it can say no more in one language than in another. What no catalogue has, names and
the words of the ruleset among it, stays as it is.

A place whose name begins with a capital holds words that are translated in their turn; ``{n}``, ``{m}`` and ``{k}``
hold whole numbers. A name never reaches over the end of a sentence; what somebody wrote (`FREE`) may.

Rulesets: what their options do is in the catalogue. Their orders, results, headlines and problems are not, and stay
English.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any, Final

from gm.games.api import Section
from gm.reports.mails import (
    Masthead,
    NoticeMail,
    PressItem,
    PressMail,
    ReceiptMail,
    ReportMail,
    SheetBox,
)

LANGUAGES: Final = ("en", "de")
LONGEST = 3000
"""Characters of the longest text that is looked at; the program says nothing longer in one piece."""
LONGEST_SPAN = 8
"""Sentences of the longest entry of a catalogue."""
NUMBERS = frozenset({"n", "m", "k"})

VERBATIM = re.compile(
    r"Press you could read|Press from |Your text|Your sheet|Orders on file|Held: |No\. |Orders of |\d+\. "
)
"""Beginnings of titles of sections whose lines are somebody's own words, or a ruleset's."""
EDITED = "The position before "
"""Begins the one note in a report that is not a GM's own."""
HOUSE_RULES = "House rules"
"""Title of the one section of a report whose lines are the program's."""

Mail = ReceiptMail | ReportMail | NoticeMail | PressMail

_PLACE = re.compile(r"\{(\w+)\}")
_SEAM = re.compile(r"((?<=[.!?:])\s+|;\s+)")
_STOP = re.compile(r"[.!?]\s+[A-ZÄÖÜ\d]|;\s")
"""Where one sentence ends and another begins: no name reaches over it."""
FREE = frozenset({"why", "text", "line", "value", "given", "what", "words", "rule", "command"})
"""Places that hold what somebody wrote, which may be more than one sentence."""


@dataclass(frozen=True)
class Entry:
    """One sentence of a catalogue, cut at its places."""

    literals: tuple[str, ...]
    places: tuple[str, ...]
    other: str
    """In the other language, with the same places."""
    mark: str
    """The longest of its literals: a text without it is quickly passed over."""


@dataclass(frozen=True)
class Catalogue:
    """All that one language has."""

    whole: dict[str, str]
    """Sentences without places."""
    by_start: dict[str, tuple[Entry, ...]]
    """Those with places that may fit a text, by its first three characters (``""``: any others); most specific
    first."""
    months: tuple[str, ...]
    days: tuple[str, ...]
    date: str
    """How a time is written, with places."""
    that_is: str
    to: str
    """Between the first and the last of two dates."""


def _files(language: str) -> list[dict[str, Any]]:
    """What stands in ``words/<language>.toml`` and in the files of the folder beside it."""
    words = resources.files(__package__).joinpath("words")
    more = words.joinpath(language)
    found = sorted(more.iterdir(), key=lambda file: file.name) if more.is_dir() else []
    return [
        tomllib.loads(file.read_text(encoding="utf-8"))
        for file in (words.joinpath(f"{language}.toml"), *found)
    ]


def read_words(language: str) -> dict[str, str]:
    """The sentences of a language: English to it."""
    return {
        english: other
        for data in _files(language)
        for english, other in data.items()
        if isinstance(other, str)
    }


@cache
def catalogue(language: str) -> Catalogue:
    """The catalogue of one of `LANGUAGES` other than English."""
    words = read_words(language)
    entries = [
        Entry(literals, tuple(_PLACE.findall(english)), other, max(literals, key=len))
        for english, other in words.items()
        for literals in [tuple(_PLACE.split(english)[::2])]
        if len(literals) > 1
    ]
    entries.sort(key=lambda e: (-sum(map(len, e.literals)), e.literals))
    keys = {e.literals[0][:3] for e in entries if len(e.literals[0]) >= 3} | {""}
    starts = {
        key: [e for e in entries if e.literals[0][:3] in (key, e.literals[0][:2])] for key in sorted(keys)
    }
    times = _files(language)[0]["times"]
    return Catalogue(
        whole={e: o for e, o in words.items() if not _PLACE.search(e)},
        by_start={start: tuple(found) for start, found in starts.items()},
        months=tuple(times["months"]),
        days=tuple(times["days"]),
        date=times["date"],
        that_is=times["that_is"],
        to=times["to"],
    )


_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_DATE = re.compile(
    rf"\b(?P<day>{'|'.join(_DAYS)}) (?P<of>\d\d?) (?P<month>{'|'.join(_MONTHS)}) (?P<year>\d{{4}})"
    r"(?:, (?P<time>\d\d:\d\d) \((?P<zone>[\w/+-]+)\))?"
)
_THAT_IS = re.compile(rf"\), that is (?=(?:{'|'.join(_DAYS)}) \d)")
_TO = re.compile(rf"\) to (?=(?:{'|'.join(_DAYS)}) \d)")


def say(text: str, language: str) -> str:
    """A text of the program in a language; what its catalogue does not have stays English."""
    if language == "en" or not text or len(text) > LONGEST:
        return text
    return dated(said(text, catalogue(language)), catalogue(language))


def dated(text: str, words: Catalogue) -> str:
    """A text with its dates as a language writes them."""

    def date(match: re.Match[str]) -> str:
        day = words.date.format(
            day=words.days[_DAYS.index(match["day"])],
            of=match["of"],
            month=words.months[_MONTHS.index(match["month"])],
            year=match["year"],
        )
        return f"{day}, {match['time']} ({match['zone']})" if match["time"] else day

    found = _THAT_IS.sub(f"), {words.that_is} ", text)
    return _DATE.sub(date, _TO.sub(f") {words.to} ", found))


def said(text: str, words: Catalogue, depth: int = 0) -> str:
    """A text with all in it that a catalogue has, but for dates, in the other language.

    Args:
        depth: how many places of other sentences it stands in.
    """
    found = _one(text, words, depth)
    if found is not None:
        return found
    parts = _SEAM.split(text)
    if len(parts) == 1:
        return text
    out: list[str] = []
    n = 0
    while n < len(parts):
        for end in range(min(len(parts), n + 2 * LONGEST_SPAN - 1), n, -2):
            piece = "".join(parts[n:end])
            found = _one(piece, words, depth) if piece else None
            if found is not None:
                out.append(found)
                n = end
                break
        else:
            out.append(parts[n])
            n += 1
        if n < len(parts) and n % 2:
            out.append(parts[n])
            n += 1
    return "".join(out)


def _one(text: str, words: Catalogue, depth: int) -> str | None:
    """One entry of the catalogue that the text is, filled in; None if it is none."""
    if text in words.whole:
        return words.whole[text]
    for entry in words.by_start.get(text[:3], words.by_start[""]):
        if entry.mark not in text:
            continue
        values = _values(text, entry)
        if values is not None:
            shown = {
                name: said(value, words, depth + 1) if name[0].isupper() and depth < 3 else value
                for name, value in values.items()
            }
            return _PLACE.sub(lambda m, shown=shown: shown[m[1]], entry.other)  # type: ignore[misc]  # a bound default
    return None


def _values(text: str, entry: Entry) -> dict[str, str] | None:
    """What stands at an entry's places, each literal where it first fits: no time is lost on long texts."""
    first, *rest = entry.literals
    if not text.startswith(first):
        return None
    at = len(first)
    values: dict[str, str] = {}
    for name, literal in zip(entry.places, rest, strict=True):
        last = literal is rest[-1] and name is entry.places[-1]
        end = (len(text) - len(literal) if text.endswith(literal) else -1) if last else text.find(literal, at)
        value = text[at:end]
        if end <= at or (name in NUMBERS and not value.replace(",", "").isdigit()):
            return None
        if name[0].islower() and name not in FREE and _STOP.search(value):
            return None
        if name in ("name", "power") and ": " in value:
            return None
        values[name] = value
        at = end + len(literal)
    return values


def in_language(mail: Mail, language: str) -> Mail:
    """A mail with all that the program itself says in it in a language. What players, GMs and rulesets say stays."""
    if language == "en":
        return mail
    head = _masthead(mail.masthead, language)
    foot = replace(
        mail.footer,
        deadline=say(mail.footer.deadline, language),
        how_to_reply=say(mail.footer.how_to_reply, language),
    )
    if isinstance(mail, ReceiptMail):
        return replace(
            mail,
            masthead=head,
            footer=foot,
            summary=say(mail.summary, language),
            remarks=_all(mail.remarks, language),
            transcript=tuple(
                replace(
                    line,
                    reading=say(line.reading, language),
                    problem=say(line.problem, language),
                    suggestion=say(line.suggestion, language),
                )
                for line in mail.transcript
            ),
            sheets=tuple((power, _sheet(box, language)) for power, box in mail.sheets),
            answers=tuple(_section(s, language) for s in mail.answers),
        )
    if isinstance(mail, ReportMail):
        return replace(
            mail,
            masthead=head,
            footer=foot,
            headline=say(mail.headline, language) if mail.own_headline else mail.headline,
            intro=_all(mail.intro, language),
            sections=tuple(
                _section(s, language) if s.title == HOUSE_RULES else replace(s, title=say(s.title, language))
                for s in mail.sections
            ),
            standings_title=say(mail.standings_title, language),
            standings=tuple((power, say(who, language), score) for power, who, score in mail.standings),
            press=tuple(press_in(item, language) for item in mail.press),
            notes=tuple(note_in(note, language) for note in mail.notes),
            map_alt=say(mail.map_alt, language),
        )
    if isinstance(mail, PressMail):
        return replace(
            mail,
            masthead=head,
            footer=foot,
            sender=say(mail.sender, language),
            recipients=_names(mail.recipients, language),
        )
    return replace(
        mail,
        masthead=head,
        footer=foot,
        subject=say(mail.subject, language),
        title=say(mail.title, language),
        paragraphs=_all(mail.paragraphs, language),
        sections=tuple(_section(s, language) for s in mail.sections),
    )


def _all(texts: tuple[str, ...], language: str) -> tuple[str, ...]:
    return tuple(say(text, language) for text in texts)


def _masthead(head: Masthead, language: str) -> Masthead:
    return replace(head, reader=say(head.reader, language))


def _sheet(box: SheetBox, language: str) -> SheetBox:
    return replace(box, will_run=say(box.will_run, language))


def _section(section: Section, language: str) -> Section:
    title = say(section.title, language)
    if VERBATIM.match(section.title):
        return replace(section, title=title)
    return replace(
        section,
        title=title,
        header=_all(section.header, language),
        rows=tuple(_all(row, language) for row in section.rows),
        lines=tuple(_line(line, language) for line in section.lines),
    )


def press_in(item: PressItem, language: str) -> PressItem:
    """A printed message with who wrote to whom, ``"Unsigned to France, the GM"``, in a language."""
    sender, to, whom = item.sender.partition(" to ")
    if not to or language == "en":
        return item
    return replace(item, sender=f"{say(sender, language)} {say('to', language)} {_names(whom, language)}")


def note_in(note: str, language: str) -> str:
    """A note of a report: in a language if it is the program's own, unchanged if a GM wrote it."""
    return say(note, language) if note.startswith(EDITED) else note


def _names(names: str, language: str) -> str:
    return ", ".join(say(name, language) for name in names.split(", "))


def _line(line: str, language: str) -> str:
    mark = line[:2] if line.startswith(("> ", "! ")) else ""
    return mark + say(line[len(mark) :], language)
