"""Exchanges of mails as Markdown, made from real runs: `python -m tests.sim.transcripts` writes docs/transcripts/.

Reply addresses and hashes differ from run to run, and are shown by words; all else is what was sent.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from gm.store.db import open_store
from tests.world import DESK, DOMAIN, GM, Sent, World

FOLDER = Path(__file__).parents[2] / "docs" / "transcripts"
NAMES = ("Ann Adler", "Ben Marsh", "Chloe Vogel", "Dov Stone", "Emma Hart", "Farid Kerr", "Greta Lind")
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
MOST_LINES = 90
"""Lines of one mail that are shown."""
_TOKEN = re.compile(rf"\b(?:gm|play|r|t)?[+\w.=-]{{16,}}@{re.escape(DOMAIN)}", re.I)
_SAME_FOR_ALL = re.compile(
    r"^((?:HOW TO WRITE ORDERS|HOUSE RULES|CREDITS)\n-+\n)(?:.*\n)*?(?=[^\n]+\n-{4,}\n|-{60,}\n)",
    re.MULTILINE,
)
_HASH = re.compile(r"\b[0-9a-f]{64}\b")


def address(name: str) -> str:
    return f"{name.split()[0].lower()}@club.example"


@dataclass
class Page:
    """A transcript in the making: what goes through its world is written down, for those who are followed."""

    title: str
    world: World
    followed: tuple[str, ...]
    lines: list[str] = field(default_factory=list)

    def say(self, text: str) -> None:
        """A sentence between the mails."""
        self.lines += [text, ""]

    def send(self, who: str, text: str, *, to: str = "") -> list[Sent]:
        """Somebody writes: to an address, or in reply to the newest mail that he got."""
        target = to or self.world.newest[who].reply_to
        shown = to or f"the reply address of the mail “{self.world.newest[who].subject}”"
        self.lines += [f"**{who} → {shown}**", "", "```text", *text.splitlines(), "```", ""]
        return self.show(self.world.write(who, target, text))

    def pass_time(self, **ahead: float) -> list[Sent]:
        """Time goes by, with a look at the clock every few minutes."""
        amount = ", ".join(f"{value:g} {unit}" for unit, value in ahead.items())
        self.lines += [f"*{amount} go by.*", ""]
        return self.show(self.world.tick(**ahead))

    def show(self, mails: list[Sent]) -> list[Sent]:
        others = 0
        for mail in mails:
            if mail.to not in self.followed:
                others += 1
                continue
            self.lines += [f"**The server → {mail.to}**: {masked(mail.subject)}", "", "```text"]
            self.lines += [*trimmed(masked(mail.text)), "```", ""]
        if others:
            self.lines += [f"*{others} {'mail goes' if others == 1 else 'mails go'} to others.*", ""]
        return mails

    def markdown(self) -> str:
        """The page."""
        head = [
            f"# {self.title}",
            "",
            "Made by `python -m tests.sim.transcripts` from a real run; a test makes it again and compares.",
            "",
        ]
        return "\n".join([*head, *self.lines]).rstrip() + "\n"


def masked(text: str) -> str:
    """Without what differs from run to run."""
    # No relay runs in these worlds, so the health mail counts a queue, as old as the last look at the clock.
    text = re.sub(r"\d+, the oldest for \d+ minutes", "(so many)", text)
    return _HASH.sub("(64 hexadecimal digits)", _TOKEN.sub(f"(your own reply address)@{DOMAIN}", text))


def trimmed(text: str) -> list[str]:
    """The lines of a mail, without the marks for mail programs; what is the same in every game is left out."""
    short = _SAME_FOR_ALL.sub(lambda found: f"{found[1]}\n[...]\n\n", text.replace("\r\n", "\n"))
    lines = [line.rstrip() for line in short.strip().splitlines() if not line.startswith("#### ")]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    if len(lines) <= MOST_LINES:
        return lines
    return [
        *lines[: MOST_LINES - 20],
        "",
        f"[... {len(lines) - MOST_LINES + 2} lines more ...]",
        "",
        *lines[-18:],
    ]


@contextmanager
def empty_world() -> Iterator[World]:
    """A server with an empty store."""
    with TemporaryDirectory() as folder:
        store = open_store(f"sqlite:///{folder}/gm.db")
        store.migrate()
        try:
            yield World(store)
        finally:
            store.close()


def started(world: World, *rules: str) -> None:
    """A game of seven under way; Ann plays Austria, Ben England, and so on."""
    world.create("spring99")
    for rule in rules:
        world.reply(GM, f"SET {rule}")
    for name, power in zip(NAMES, POWERS, strict=True):
        mails = world.join(address(name), f"JOIN spring99 AS {name} PREFER {power}")
    for mail in mails:
        if mail.kind == "report":
            world.newest[mail.to] = mail


def sign_up(world: World) -> Page:
    """A GM opens a game, players join, the last one starts it."""
    ann = address("Ann")
    page = Page("Sign-up", world, (GM, ann))
    page.say("A GM opens a game. Nothing is done before he has confirmed it from his own address.")
    page.send(GM, "CREATE diplomacy AS spring99 TITLE Spring of 99", to=DESK)
    page.send(GM, "yes")
    page.send(GM, "SET calendar = every Friday 20:00 Europe/London\nSET zone = Europe/London")
    page.say("A player asks what there is, joins, and confirms.")
    page.send(ann, "GAMES", to=DESK)
    page.send(ann, "JOIN spring99 AS Ann Adler PREFER Austria, Italy\nZONE Europe/Berlin", to=DESK)
    page.send(ann, "yes, that was me")
    page.say("Five more join in the same way; then the seventh, and the game begins.")
    for name, power in list(zip(NAMES, POWERS, strict=True))[1:6]:
        world.join(address(name), f"JOIN spring99 AS {name} PREFER {power}")
    world.write(address("Greta"), DESK, "JOIN spring99 AS Greta Lind PREFER Turkey")
    page.send(address("Greta"), "yes")
    page.say("Ann answers the mail that told her of the start with her first orders.")
    page.send(ann, "A Vie - Gal\nA Bud - Ser\nF Tri - Albenia")
    return page


def absence_with_deputy(world: World) -> Page:
    """A player goes away and another stands in; both confirm it."""
    ann, zoe = address("Ann"), "zoe@club.example"
    started(world, "absence = deputy", "early = off")
    page = Page("Absence with a deputy", world, (ann, zoe, GM))
    page.say("In this game deadlines stay where they are while somebody is away, and a deputy may order "
             "(`absence = deputy`). Ann asks Zoe to stand in.")  # fmt: skip
    page.send(ann, "DEPUTY zoe@club.example FROM 2 Dec TO 12 Dec")
    page.say("Zoe agrees by answering, and Ann confirms in turn.")
    page.send(zoe, "yes")
    page.send(ann, "yes")
    page.pass_time(days=1)
    page.say("Zoe orders for Austria. She sees Austria's sheet, and may do no more than she was asked to.")
    page.send(zoe, "A Vie - Gal\nA Bud - Ser\nF Tri - Alb")
    page.send(zoe, "RESIGN spring99")
    for name in NAMES[1:]:
        world.reply(address(name), "NO ORDERS")
    page.say("The phase runs at its deadline; Ann's absence did not move it.")
    page.pass_time(days=3)
    page.say("The time agreed on is over, and with it Zoe's right.")
    page.pass_time(days=9)
    page.send(zoe, "A Gal - War")
    return page


def standby_handover(world: World) -> Page:
    """A player resigns; the first on the list takes his seat and is brought up to date."""
    greta, rosa = address("Greta"), "rosa@club.example"
    started(world, "standby = auto", "calendar = every Friday 20:00 UTC")
    page = Page("A seat handed over to a standby player", world, (greta, rosa, GM))
    page.say("Rosa puts herself on the list of standby players of a game that has begun.")
    page.send(rosa, "JOIN spring99 AS Rosa Nagel", to=DESK)
    page.send(rosa, "yes")
    world.reply(address("Farid"), "PRESS TO Turkey: Black Sea empty?")
    world.reply(greta, "A CON - BUL\nF ANK - CON\nA SMY H")
    page.say("Greta resigns. The server offers Turkey to Rosa (`standby = auto`).")
    page.send(greta, "RESIGN spring99")
    page.send(rosa, "ACCEPT spring99")
    page.say("Rosa orders.")
    page.send(rosa, "F ANK - BLA")
    return page


def rollback_with_rerun(world: World) -> Page:
    """A phase is undone, run again with another order, and each player learns what changed for him."""
    ann, ben = address("Ann"), address("Ben")
    started(world, "calendar = every Friday 20:00 UTC")
    page = Page("Rollback and re-run", world, (ann, ben, GM))
    world.reply(ann, "A VIE - GAL\nA BUD - SER\nF TRI - ALB")
    world.reply(ben, "F LON - NTH\nF EDI - NWG\nA LVP - YOR")
    world.reply(address("Farid"), "A WAR - GAL\nA MOS - UKR\nF SEV - BLA\nF STP/SC - BOT")
    page.say("Orders are in. The GM runs the phase.")
    page.send(GM, "PROCESS")
    page.say(
        "Russia's A WAR - GAL was a misreading of A WAR - LVN. The GM undoes the phase and puts it right."
    )
    page.send(GM, "ROLLBACK TO S1901M BECAUSE an order of Russia was misread")
    page.send(GM, "AS Russia\nA WAR - LVN")
    page.say("Run again; each reader is told what changed for him.")
    page.send(GM, "PROCESS")
    return page


TRANSCRIPTS: dict[str, Callable[[World], Page]] = {
    "sign-up": sign_up,
    "absence-with-deputy": absence_with_deputy,
    "standby-hand-over": standby_handover,
    "rollback-with-re-run": rollback_with_rerun,
}


def transcript(name: str) -> str:
    """One page, made anew."""
    with empty_world() as world:
        return TRANSCRIPTS[name](world).markdown()


def main() -> int:
    """Write all pages."""
    FOLDER.mkdir(exist_ok=True)
    for name in TRANSCRIPTS:
        (FOLDER / f"{name}.md").write_text(transcript(name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
