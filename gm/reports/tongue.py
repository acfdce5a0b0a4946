"""Mails in their reader's language: what the program says itself, by a catalogue of sentences.

The program says everything in English; a catalogue has each sentence with its places, ``"The deadline of {phase} was
moved: {Cause}."``, and the same in another language. A mail is put into a language as a whole, last of all and from
nothing but its English words, so it can say no more in one language than in another. What no catalogue has, names and
the words of the ruleset among it, stays as it is.

A place whose name begins with a capital holds words that are translated in their turn; ``{n}``, ``{m}`` and ``{k}``
hold whole numbers.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Final

from gm.games.api import Section
from gm.reports.mails import (
    Footer,
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

VERBATIM = (
    "Press you could read",
    "Your text",
    "Your sheet",
    "Orders on file",
    "Held: ",
    "No. ",
    "Orders of ",
)
"""Titles, or their beginnings, of sections whose lines are somebody's own words, or a ruleset's."""

Mail = ReceiptMail | ReportMail | NoticeMail | PressMail

_PLACE = re.compile(r"\{(\w+)\}")
_SEAM = re.compile(r"((?<=[.!?:])\s+|;\s+)")


@dataclass(frozen=True)
class Entry:
    """One sentence of a catalogue, cut at its places."""

    literals: tuple[str, ...]
    places: tuple[str, ...]
    other: str
    """In the other language, with the same places."""


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


def read_words(language: str) -> dict[str, str]:
    """The sentences of a language: English to it."""
    data = tomllib.loads(
        resources.files(__package__).joinpath("words", f"{language}.toml").read_text(encoding="utf-8")
    )
    return {english: other for english, other in data.items() if isinstance(other, str)}


@cache
def _catalogue(language: str) -> Catalogue:
    data = tomllib.loads(
        resources.files(__package__).joinpath("words", f"{language}.toml").read_text(encoding="utf-8")
    )
    words = read_words(language)
    entries = [
        Entry(tuple(_PLACE.split(english)[::2]), tuple(_PLACE.findall(english)), other)
        for english, other in words.items()
        if _PLACE.search(english)
    ]
    entries.sort(key=lambda e: (-sum(map(len, e.literals)), e.literals))
    keys = {e.literals[0][:3] for e in entries if len(e.literals[0]) >= 3} | {""}
    starts = {
        key: [e for e in entries if e.literals[0][:3] in (key, e.literals[0][:2])] for key in sorted(keys)
    }
    times = data["times"]
    return Catalogue(
        whole={e: o for e, o in words.items() if not _PLACE.search(e)},
        by_start={start: tuple(found) for start, found in starts.items()},
        months=tuple(times["months"]),
        days=tuple(times["days"]),
        date=times["date"],
        that_is=times["that_is"],
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


def say(text: str, language: str) -> str:
    """A text of the program in a language; what its catalogue does not have stays English."""
    if language == "en" or not text or len(text) > LONGEST:
        return text
    return _dates(_said(text, _catalogue(language), 0), _catalogue(language))


def _dates(text: str, words: Catalogue) -> str:
    def date(match: re.Match[str]) -> str:
        day = words.date.format(
            day=words.days[_DAYS.index(match["day"])],
            of=match["of"],
            month=words.months[_MONTHS.index(match["month"])],
            year=match["year"],
        )
        return f"{day}, {match['time']} ({match['zone']})" if match["time"] else day

    found = re.sub(r"\), that is (?=(?:" + "|".join(_DAYS) + r") \d)", f"), {words.that_is} ", text)
    return _DATE.sub(date, found)


def _said(text: str, words: Catalogue, depth: int) -> str:
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
        values = _values(text, entry)
        if values is not None:
            shown = {
                name: _said(value, words, depth + 1) if name[0].isupper() and depth < 3 else value
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
        values[name] = value
        at = end + len(literal)
    return values


def in_language(mail: Mail, language: str) -> Mail:
    """A mail with all that the program itself says in it in a language. What players, GMs and rulesets say stays."""
    if language == "en":
        return mail
    head = _masthead(mail.masthead, language)
    foot = Footer(
        deadline=say(mail.footer.deadline, language), how_to_reply=say(mail.footer.how_to_reply, language)
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
            headline=say(mail.headline, language),
            intro=_all(mail.intro, language),
            sections=tuple(replace(s, title=say(s.title, language)) for s in mail.sections),
            standings_title=say(mail.standings_title, language),
            standings=tuple((power, say(who, language), score) for power, who, score in mail.standings),
            press=tuple(PressItem(sender=say(item.sender, language), body=item.body) for item in mail.press),
            map_alt=say(mail.map_alt, language),
        )
    if isinstance(mail, PressMail):
        return replace(
            mail,
            masthead=head,
            footer=foot,
            sender=say(mail.sender, language),
            recipients=say(mail.recipients, language),
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
    if section.title.startswith(VERBATIM):
        return replace(section, title=title)
    return replace(
        section,
        title=title,
        header=_all(section.header, language),
        rows=tuple(_all(row, language) for row in section.rows),
        lines=tuple(_line(line, language) for line in section.lines),
    )


def _line(line: str, language: str) -> str:
    mark = line[:2] if line.startswith(("> ", "! ")) else ""
    return mark + say(line[len(mark) :], language)
