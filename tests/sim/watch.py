"""What a mailbox must never hold: every delivered mail is looked into."""

from __future__ import annotations

import io
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from PIL import Image

from tests.sim.people import GMS, OWES, Mail, Person

MARKER = re.compile(r"secret-[0-9]{5}")
ADDRESS = re.compile(r"[a-z0-9.]+@(?:club|desk)\.example")
OURS = re.compile(r"[A-Za-z0-9.+=_-]+@play\.example", re.IGNORECASE)
GERMAN = re.compile(r"^(?:Frist:|Antworte auf diese Mail|DEINE MAIL, ZEILE FÜR ZEILE)", re.MULTILINE)
ENGLISH = re.compile(rf"^(?:Deadline:|Reply to this mail|YOUR MAIL, LINE BY LINE|{OWES[0]})", re.MULTILINE)
"""Pieces of the frame of mails, which a German reader gets in German."""


@dataclass
class Watch:
    """Looks into every mail for what its recipient must not get."""

    owners: dict[str, str] = field(default_factory=dict)
    """Reply address to whoever was given it first."""
    readers: dict[str, set[str]] = field(default_factory=dict)
    """Secret marker in private press to the addresses that may read it by now."""
    addressee: dict[str, str] = field(default_factory=dict)
    """The same marker to whom the press was delivered; empty while that may not be."""
    hidden_names: dict[str, set[str]] = field(default_factory=dict)
    """Anonymous game to the names of its players."""
    powers: dict[str, str] = field(default_factory=dict)
    """Anonymous game to a pattern of its powers' names."""
    leaks: list[str] = field(default_factory=list)
    english: list[str] = field(default_factory=list)
    """Mails to German readers with pieces of an English frame."""
    broken: list[str] = field(default_factory=list)
    """Pictures that no program could show."""
    scanned: int = 0
    german: int = 0
    pictures: int = 0
    seen: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def look(self, person: Person, mail: Mail, anonymous: Iterable[str]) -> None:
        """Note everything in one delivered mail that is not for its recipient, or not as he wants it."""
        self.scanned += 1
        text = _all_words(mail)
        self._addresses(person, mail, text)
        self._press(person, mail, text)
        if person.email not in GMS:
            for slug in anonymous:
                self._names(person, mail, text, slug)
        self._language(person, mail)
        self._pictures(person, mail)

    def _leak(self, what: str, person: Person, mail: Mail) -> None:
        self.leaks.append(f"{what} in {mail.subject} to {person.email}")

    def _addresses(self, person: Person, mail: Mail, text: str) -> None:
        to = person.email
        if self.owners.setdefault(mail.reply_to.lower(), to) != to:
            self._leak(f"as Reply-To the reply address of {self.owners[mail.reply_to.lower()]}", person, mail)
        for address in {a.lower() for a in OURS.findall(text)}:
            if self.owners.get(address, to) != to:
                self._leak(f"reply address of {self.owners[address]}", person, mail)
        if to not in GMS:
            for address in sorted(set(ADDRESS.findall(text.lower())) - {to, *person.wrote_of}):
                self._leak(address, person, mail)

    def _press(self, person: Person, mail: Mail, text: str) -> None:
        for marker in set(MARKER.findall(text)):
            if person.email not in self.readers.get(marker, set()):
                self._leak(f"private press {marker}", person, mail)
            self.seen[marker].add(person.email)
        pages = set(re.findall(r"^ *(?:For (.+) only|Nur für (.+))$", mail.text, re.MULTILINE))
        others = {english or german for english, german in pages} - {"you", "dich", mail.reader}
        if mail.slug != "desk" and others:
            self._leak(f"a page for {', '.join(sorted(others))}", person, mail)

    def _names(self, person: Person, mail: Mail, text: str, slug: str) -> None:
        """Nobody learns from a mail who plays in an anonymous game."""
        answer = str(mail.message["Auto-Submitted"]) == "auto-replied"
        if mail.slug == slug:
            looked_at = text
        elif mail.slug == "zine":
            looked_at = _section_of(mail.text, slug)
        elif f"({slug})" in text and not answer:
            looked_at = text
        else:
            return
        for name in sorted(self.hidden_names.get(slug, set()) - {person.name}):
            lines = [line for line in looked_at.splitlines() if name in line]
            # An answer to STANDINGS names people of the whole campaign, without powers.
            if [line for line in lines if not answer or re.search(self.powers.get(slug, "."), line)]:
                self._leak(f"name {name}: {lines[0]}", person, mail)

    def _language(self, person: Person, mail: Mail) -> None:
        """From the first mail in German on, a German reader's mails are German, but for the zine."""
        if person.language != "de" or mail.slug == "zine":
            return
        if GERMAN.search(mail.text):
            self.german += 1
            person.german_since = person.german_since or mail.date
        elif person.german_since and mail.date > person.german_since and (found := ENGLISH.search(mail.text)):
            self.english.append(f"{found[0]!r} in {mail.subject} to {person.email}")

    def _pictures(self, person: Person, mail: Mail) -> None:
        """Every picture can be read, and the page of the mail shows it."""
        pictures = [part for part in mail.message.walk() if part.get_content_type() == "image/png"]
        page = mail.message.get_body(("html",)) if pictures else None
        shown = str(page.get_content()) if page is not None else ""
        for part in pictures:
            self.pictures += 1
            cid = str(part["Content-ID"] or "").strip("<>")
            try:
                Image.open(io.BytesIO(part.get_payload(decode=True))).verify()
            except (OSError, SyntaxError) as why:
                self.broken.append(f"{why} in {mail.subject} to {person.email}")
            if f"cid:{cid}" not in shown:
                self.broken.append(f"{cid} is not shown in {mail.subject} to {person.email}")


def _all_words(mail: Mail) -> str:
    """Headers, texts of all parts, names of files."""
    parts = [f"{name}: {value}" for name, value in mail.message.raw_items()]
    for part in mail.message.walk():
        if part.get_content_maintype() == "text":
            parts.append(str(part.get_content()))
        parts.append(str(part.get_filename() or ""))
    return "\n".join(parts)


def _section_of(issue: str, slug: str) -> str:
    """What an issue of the zine says of one game, from its banner to the next."""
    banner = re.compile(rf"={{60,}}\n\[\d+\] THE {re.escape(slug.upper())} GAME\b.*\n={{60,}}\n")
    parts = banner.split(issue, maxsplit=1)
    return re.split(r"^={60,}$", parts[1], maxsplit=1, flags=re.MULTILINE)[0] if parts[1:] else ""
