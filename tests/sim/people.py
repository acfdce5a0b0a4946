"""The scripted people of the year, their mailboxes, and what each mailbox must never hold."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import parsedate_to_datetime

from gm.mail.transport import Parcel

FIRST = (
    "Ann Ben Chloe Dov Emma Farid Greta Hugo Ines Jan Kurt Lena Mona Nils Olga Paul Quinn Rosa Sven Tara Ugo Vera "
    "Wim Xenia Yara Zoe Adam Bea Carl Dora Egon Fay Gil Hana Ivo Jill Kai Lou Max Nora Otto Pia Rolf Sara Tom Uta "
    "Vic Wanda Yves Zeno Abel Britt Cleo Dirk Elsa Fritz Gwen Horst Ida Jutta"
)
LAST = ["Adler", "Marsh", "Stone", "Vogel", "Rivers", "Hart", "Kerr", "Lind", "Moss", "Nagel"]
ZONES = (
    "Europe/London",
    "America/New_York",
    "Europe/Berlin",
    "Australia/Sydney",
    "UTC",
    "America/Los_Angeles",
)
GMS = tuple(f"editor{n}@desk.example" for n in range(1, 5))
MARKER = re.compile(r"secret-[0-9]{5}")
ADDRESS = re.compile(r"[a-z0-9.]+@(?:club|desk)\.example")
OURS = re.compile(r"[A-Za-z0-9.+=_-]+@play\.example", re.IGNORECASE)


@dataclass
class Mail:
    """A mail as it lay in a mailbox."""

    message: EmailMessage
    slug: str
    """From its List-Id; ``desk`` for mail of no game."""
    date: datetime

    @property
    def reply_to(self) -> str:
        return str(self.message["Reply-To"].addresses[0].addr_spec)

    @property
    def text(self) -> str:
        body = self.message.get_body(("plain",))
        return str(body.get_content()) if body is not None else ""


@dataclass
class Person:
    """Somebody with a mailbox."""

    email: str
    name: str
    zone: str
    dice: random.Random
    newest: dict[str, Mail] = field(default_factory=dict)
    """Game to the newest mail of it that he got."""
    held: dict[int, Mail] = field(default_factory=dict)
    """Phase to the newest mail that brings orders for it."""
    away: list[tuple[datetime, datetime]] = field(default_factory=list)
    broken: list[tuple[datetime, datetime, str]] = field(default_factory=list)
    """From, until, status: his address bounces meanwhile."""
    mails: int = 0
    written: int = 0

    def is_away(self, at: datetime) -> datetime | None:
        """When he is back, if he is away at an instant."""
        return next((end for start, end in self.away if start <= at < end), None)

    def bounces(self, at: datetime) -> str:
        """The status with which his address bounces; empty if it works."""
        return next((status for start, end, status in self.broken if start <= at < end), "")


def people(count: int, seed: str) -> list[Person]:
    """So many players with names and addresses of their own."""
    made, first_names = [], FIRST.split()
    for n in range(count):
        first, last = first_names[n % len(first_names)], LAST[(n // len(first_names) + n) % len(LAST)]
        name = f"{first} {last}" if n < len(first_names) else f"{first} {last} II"
        dice = random.Random(f"{seed} {n}")
        made.append(
            Person(f"{name.lower().replace(' ', '.')}@club.example", name, ZONES[n % len(ZONES)], dice)
        )
    return made


def read(parcel: Parcel) -> Mail:
    """A mail as its recipient's program reads it."""
    message = BytesParser(_class=EmailMessage, policy=policy.default).parsebytes(parcel.raw)
    listed = re.search(r"([a-z0-9-]+)\.play\.example", str(message["List-Id"] or ""))
    slug = listed[1] if listed else "desk"
    return Mail(message, slug, parsedate_to_datetime(str(message["Date"])))


@dataclass
class Watch:
    """Looks into every mail for what its recipient must not get."""

    owners: dict[str, str] = field(default_factory=dict)
    """Reply address to whoever was given it first."""
    readers: dict[str, set[str]] = field(default_factory=dict)
    """Secret marker in private press to the addresses that may read it."""
    addressee: dict[str, str] = field(default_factory=dict)
    """The same marker to whom the press was written."""
    hidden_names: dict[str, set[str]] = field(default_factory=dict)
    """Anonymous game to the names of its players."""
    powers: dict[str, str] = field(default_factory=dict)
    """Anonymous game to a pattern of its powers' names."""
    leaks: list[str] = field(default_factory=list)
    scanned: int = 0
    seen: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def look(self, to: str, mail: Mail, own_name: str, anonymous: Iterable[str]) -> None:
        """Note everything in one delivered mail that is not for its recipient."""
        self.scanned += 1
        parts = [f"{name}: {value}" for name, value in mail.message.raw_items()]
        for part in mail.message.walk():
            if part.get_content_maintype() == "text":
                parts.append(str(part.get_content()))
            parts.append(str(part.get_filename() or ""))
        text = "\n".join(parts)
        reply = mail.reply_to.lower()
        if self.owners.setdefault(reply, to) != to:
            self.leaks.append(f"reply address of {self.owners[reply]} as Reply-To of a mail to {to}")
        for address in {a.lower() for a in OURS.findall(text)}:
            if self.owners.get(address, to) != to:
                self.leaks.append(
                    f"reply address of {self.owners[address]} in {mail.message['Subject']} to {to}"
                )
        if to not in GMS:
            for address in set(ADDRESS.findall(text.lower())) - {to}:
                self.leaks.append(f"{address} in {mail.message['Subject']} to {to}")
        for marker in set(MARKER.findall(text)):
            if to not in self.readers.get(marker, set()):
                self.leaks.append(f"private press {marker} in {mail.message['Subject']} to {to}")
            self.seen[marker].add(to)
        plain = mail.text.replace("\r\n", "\n")
        reader = re.search(r"^.* for (.+)$", plain, re.MULTILINE)
        pages = set(re.findall(r"^ *For (.+) only$", plain, re.MULTILINE)) - {"you"}
        if mail.slug != "desk" and pages - {reader[1].strip() if reader else ""}:
            self.leaks.append(f"a page for {', '.join(sorted(pages))} in {mail.message['Subject']} to {to}")
        if mail.slug in set(anonymous) and to not in GMS:
            answer = str(mail.message["Auto-Submitted"]) == "auto-replied"
            for name in sorted(self.hidden_names.get(mail.slug, set()) - {own_name}):
                lines = [line for line in text.splitlines() if name in line]
                # An answer to STANDINGS names people of the whole campaign, without powers.
                if [line for line in lines if not answer or re.search(self.powers.get(mail.slug, "."), line)]:
                    self.leaks.append(f"name {name} in {mail.message['Subject']} to {to}: {lines[0]}")
