"""One mail on the desk: who speaks, for which game and power, and what is answered. Handlers get this and no more."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from rapidfuzz import fuzz
from sqlalchemy import select
from sqlalchemy.orm import Session

from gm.desk.language import Statement
from gm.desk.oldforms import read_sign_on
from gm.games.api import PowerId, Section
from gm.mail.message import InboundMail
from gm.mail.scrub import REMOVED, scrub
from gm.reports.mails import TranscriptLine
from gm.store.mailtables import Inbound
from gm.store.tables import Campaign, Game, GameGM, PhaseRow, Player, Seat
from gm.turns.office import Office
from gm.turns.sheets import open_phase
from gm.turns.tokens import CHECK_PURPOSE

_SECRET_LINE = re.compile(
    r"^[ \t>*-]*(?P<head>#?(?:set[ \t]+|changer[ \t]+)?(?:password|passwort|passwd|passphrase|kennwort|mot de passe)\b"
    r"(?:[ \t]+setzen\b)?[ \t]*[:=]?|sign ?on[ \t]+\S+|"
    r"#?(?:eressea|partei|faction|atlantis|orders)[ \t]+\S+(?=[ \t]+\"))[ \t]*"
    r"(?P<secret>\S.*?)[ \t]*$",
    re.I | re.M,
)
_ALMOST_PASSWORD = 80
"""A first word so like PASSWORD (of 100) is taken for a slip, and what follows it is not echoed."""


class Refusal(Exception):
    """A command that cannot be done: what is wrong and the nearest right form. Becomes a line of the receipt.

    `stops` ends the reading of the mail: what follows was meant for a context that is not there. None: it does where
    the command switches context.
    """

    def __init__(self, problem: str, suggestion: str = "", *, stops: bool | None = None) -> None:
        super().__init__(problem)
        self.problem, self.suggestion, self.stops = problem, suggestion, stops


class NoRight(Refusal):
    """A command that is not his to give."""


@dataclass(frozen=True)
class Outcome:
    """What was made of a mail."""

    answered: bool
    why_not: str = ""


@dataclass(kw_only=True)
class Desk:
    """The state of working through one mail."""

    session: Session
    office: Office
    inbound: Inbound
    mail: InboundMail
    person: Player | None = None
    """Who speaks, once proved."""
    scope: Literal["seat", "gm", "person"] = "person"
    """What he proved himself by: a reply address of a seat, of a GM, or his own (or a password)."""
    operator: bool = False
    """Whether he runs the server itself, by its command line: a GM of everything."""
    game: Game | None = None
    campaign: Campaign | None = None
    """The campaign that is spoken of: that of the game, or one entered by CAMPAIGN, without a game."""
    power: PowerId | None = None
    """The power he orders for; None for GMs, observers and people."""
    deputy: str = ""
    """If he orders `power` as the deputy of its player: what he may do, as in `Absence`."""
    gm: bool = False
    """Whether he speaks as a GM of `game`."""
    stale: dict[int, str] = field(default_factory=dict)
    """Game id to the reason why orders in this mail are not for its open phase."""
    proved: list[str] = field(default_factory=list)
    """Passwords of this mail that were found right."""
    secrets: list[str] = field(default_factory=list)
    """Passwords and tokens seen in this mail: they are never echoed, relayed or stored."""
    transcript: list[TranscriptLine] = field(default_factory=list)
    answers: list[Section] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    touched: dict[tuple[int, PowerId], None] = field(default_factory=dict)
    """Sheets to show in the receipt, as (game id, power), in the order in which they were named."""
    acted: dict[tuple[int, PowerId], list[str]] = field(default_factory=dict)
    """What a GM said for powers in this mail: commands, and "orders" where a sheet was changed."""
    done: int = 0
    """How many statements were carried out."""

    @property
    def received_at(self) -> datetime:
        """When the mail was accepted: the time that counts for deadlines."""
        return self.inbound.received_at

    def need_person(self) -> Player:
        """Who speaks. Raises Refusal if nobody is proved."""
        if self.person is None:
            raise Refusal(
                "I can't tell who you are: reply to a mail of mine, or give a line PASSWORD ...", stops=True
            )
        return self.person

    def need_game(self) -> Game:
        """The game that is spoken of. Raises Refusal."""
        if self.game is None:
            names = self._games()
            which = f" Yours: {', '.join(names)}." if names else ""
            name = names[0] if names else "name-of-the-game"
            raise Refusal(f"This needs a game.{which}", f"GAME {name}, on a line before it")
        return self.game

    def _games(self) -> list[str]:
        """Names of the games that he runs, where he wrote as a GM, or else plays in."""
        if self.person is None:
            return []
        table = GameGM if self.scope == "gm" else Seat
        mine = select(table.game_id).where(table.player_id == self.person.id)
        if table is Seat:
            mine = mine.where(Seat.left_at.is_(None))
        found = select(Game.slug).where(Game.id.in_(mine), Game.status != "finished").order_by(Game.id)
        return list(self.session.scalars(found))

    def need_power(self) -> tuple[Game, PowerId]:
        """The game and the power that he speaks for. Raises Refusal."""
        game = self.need_game()
        if self.power is None:
            hint = "AS power, on a line before it" if self.gm else ""
            raise Refusal(f"You hold no power in {game.slug}, so this can't be done from here.", hint)
        return game, self.power

    def need_gm(self) -> Game:
        """The game whose GM he is. Raises Refusal."""
        game = self.need_game()
        if not self.gm:
            raise NoRight(f"Only a GM of {game.slug} can do this, by reply to a mail to its GM.")
        return game

    def need_phase(self) -> PhaseRow:
        """The phase of the game that is open. Raises Refusal."""
        game = self.need_game()
        phase = open_phase(self.session, game)
        if phase is None:
            raise Refusal(f"{game.title} is {game.status}: no phase is open.")
        return phase

    def show_sheet(self, game: Game, power: PowerId) -> None:
        """Have the receipt show a sheet as it stands at the end."""
        self.touched[(game.id, power)] = None

    def acts(self, what: str) -> None:
        """Note that a GM said something for a power, if he speaks for one."""
        if self.gm and self.game is not None and self.power is not None:
            self.acted.setdefault((self.game.id, self.power), []).append(what)

    def did(self, statement: Statement, reading: str) -> None:
        """Note that a statement was carried out, and how it was read."""
        self.done += 1
        self.note(statement.line, statement.text, reading=reading)

    def refuse(self, statement: Statement, problem: str, suggestion: str = "") -> None:
        """Note that a statement was not carried out, and why."""
        self.note(statement.line, statement.text, problem=problem, suggestion=suggestion)

    def answer(self, title: str, lines: Sequence[str]) -> None:
        """Add a block of text to the receipt."""
        self.answers.append(Section(title=title, lines=tuple(lines)))

    def note(
        self, line: int, text: str, *, reading: str = "", problem: str = "", suggestion: str = ""
    ) -> None:
        """Add a line to the transcript. Secrets are taken out of all that is echoed."""
        self.transcript.append(
            TranscriptLine(
                number=line,
                text=self.masked(text),
                reading=self.masked(reading),
                problem=self.masked(problem),
                suggestion=suggestion,
            )
        )

    def learn_secrets(self) -> None:
        """Find the passwords in the mail before anything of it is echoed or stored."""
        for text in (self.mail.text, *(cut.text for cut in self.mail.after_cut)):
            for match in _SECRET_LINE.finditer(text):
                said = read_sign_on(f"x {match['secret']}")
                self.secrets += [match["secret"], *(said.passwords if said else ())]

    def masked(self, text: str) -> str:
        """Text of this mail without its secrets."""
        text = _SECRET_LINE.sub(lambda m: f"{m['head']} {REMOVED}", text)
        word, _, rest = text.strip().partition(" ")
        if rest and fuzz.ratio(word.upper(), "PASSWORD") >= _ALMOST_PASSWORD and REMOVED not in rest:
            text = f"{word} {REMOVED}"
        return scrub(text, self.secrets, token_key=self.office.vault.key(CHECK_PURPOSE))
