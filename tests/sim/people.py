"""The scripted people of the year, and what they read in their mails."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import parsedate_to_datetime
from functools import cached_property

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
CUES = {
    "confirm": ("Please confirm by", "Bitte bestätige"),
    "seat": ("will you take over", "übernimmst du"),
    "deputy": ("will you stand in for", "vertrittst du"),
    "agreed": ("agrees to stand in", "ist bereit, dich zu vertreten"),
    "approve": ("press to approve, no.",),
    "back": (": back to ", ": zurück zu "),
}
"""What subjects say, in English and German."""
OWES = ("YOU OWE ORDERS FOR", "BEFEHLE FEHLEN NOCH FÜR", "YOUR ORDERS NEXT", "DEINE NÄCHSTEN BEFEHLE")
HEAD = re.compile(r"^.* (?:for|für) (.+)$", re.MULTILINE)
SUMMARY = re.compile(r".+?: (.+) (?:is due|ist fällig)")


@dataclass
class Mail:
    """A mail as it lay in a mailbox."""

    message: EmailMessage
    slug: str
    """From its List-Id: a game, ``zine``, or ``desk`` for mail of neither."""
    date: datetime

    @property
    def reply_to(self) -> str:
        return str(self.message["Reply-To"].addresses[0].addr_spec)

    @cached_property
    def text(self) -> str:
        body = self.message.get_body(("plain",))
        return str(body.get_content()).replace("\r\n", "\n") if body is not None else ""

    @property
    def subject(self) -> str:
        return str(self.message["Subject"])

    def is_about(self, cue: str) -> bool:
        """Whether its subject says so, in one of the languages that mails come in."""
        return any(words in self.subject for words in CUES[cue])

    @cached_property
    def told(self) -> str:
        """The phase that the head of the mail names, of which it tells; empty if it names none."""
        parts = re.split(r"^={60,}$", self.text, maxsplit=2, flags=re.MULTILINE)
        return (
            next((line.strip() for line in parts[-1].splitlines() if line.strip()), "") if parts[2:] else ""
        )

    @cached_property
    def reader(self) -> str:
        """Who it is for: a power, or somebody by name."""
        found = HEAD.search(self.text)
        return found[1].strip() if found else ""

    @cached_property
    def due(self) -> tuple[str, datetime] | None:
        """The phase that is due next, and when, by the calendar file that it brings."""
        for part in self.message.walk():
            if part.get_content_type() == "text/calendar":
                lines = re.sub(r"\r?\n[ \t]", "", str(part.get_content())).splitlines()
                fields = dict(line.partition(":")[::2] for line in lines)
                what = SUMMARY.fullmatch(fields["SUMMARY"].replace("\\,", ",").replace("\\;", ";"))
                if what and fields["STATUS"] == "CONFIRMED":
                    at = datetime.strptime(fields["DTEND"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
                    return what[1], at
        return None

    @property
    def ends_it(self) -> bool:
        """Whether it tells results after which nothing is due: the game is over."""
        return self.due is None and self.subject.startswith(f"[{self.slug}] {self.told}:")

    @property
    def owes(self) -> bool:
        """Whether it says that its reader owes orders."""
        return any(f"\n{title}\n---" in self.text for title in OWES)


@dataclass
class Person:
    """Somebody with a mailbox."""

    email: str
    name: str
    zone: str
    dice: random.Random
    newest: dict[str, Mail] = field(default_factory=dict)
    """Game to the newest mail of it that he got."""
    held: dict[tuple[str, str], Mail] = field(default_factory=dict)
    """Game and title of a phase to the newest mail whose answers bring orders for it, as the mails say."""
    results: dict[str, Mail] = field(default_factory=dict)
    """Game to the newest mail with results."""
    planned: set[tuple[str, str, str]] = field(default_factory=set)
    """Game, phase and power for which he has made up his mind."""
    wrote_of: set[str] = field(default_factory=set)
    """Addresses of others that he has named himself."""
    language: str = "en"
    german_since: datetime | None = None
    """When the first mail in German came, for whoever wanted that."""
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
    made: list[Person] = []
    first_names = FIRST.split()
    for n in range(count):
        first, last = first_names[n % len(first_names)], LAST[(n // len(first_names) + n) % len(LAST)]
        name = f"{first} {last}" if n < len(first_names) else f"{first} {last} II"
        dice = random.Random(f"{seed} {n}")
        made.append(
            Person(f"{name.lower().replace(' ', '.')}@club.example", name, ZONES[n % len(ZONES)], dice)
        )
        made[-1].language = "de" if n % 5 == 3 else "en"
    return made


def read(parcel: Parcel) -> Mail:
    """A mail as its recipient's program reads it."""
    message = BytesParser(_class=EmailMessage, policy=policy.default).parsebytes(parcel.raw)
    listed = re.search(r"<([a-z0-9-]+)\.", str(message["List-Id"] or ""))
    slug = listed[1] if listed else "desk"
    return Mail(message, slug, parsedate_to_datetime(str(message["Date"])))
