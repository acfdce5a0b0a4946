"""All else that players write: press of every kind, letters, questions. Private press carries a marker to watch for."""

from __future__ import annotations

from datetime import timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import select

from gm.games import ruleset
from gm.store.tables import Game, PhaseRow
from gm.turns.people import current_seats
from tests.sim.letters import STYLES
from tests.sim.loop import CAMPAIGN
from tests.sim.playing import Players, Turn
from tests.sim.words import LETTERS, PUBLIC

QUESTIONS = ("STATUS", "HISTORY", "RULES", "WHY DEADLINE", "RESULTS", f"GET ZINE 1 OF {CAMPAIGN}")


class Talkers(Players):
    """Players talk."""

    waiting: dict[str, list[tuple[str, str]]]
    """Postal game to the markers that wait for its results, each with the power it is for."""

    def holders(self, slug: str, power: str) -> list[str]:
        """Addresses of a power's player, first, and of the deputies who read his press."""
        with self.server.office.store.read() as session:
            game = session.scalars(select(Game).where(Game.slug == slug)).one()
            player = current_seats(session, game).get(power)
            name = player.name if player is not None else ""
        if not name:
            return []
        ships = [
            d.deputy.email for d in self.ledger.deputies
            if d.slug == slug and d.power == power and d.press and d.owner.name == name and d.holds(self.server.now)
        ]  # fmt: skip
        return [self.named(name).email, *ships]

    def may_read(self, marker: str, slug: str, power: str) -> None:
        """From now on the press of a marker may lie in its readers' mailboxes, and must lie in the first one's."""
        holders = self.holders(slug, power)
        self.watch.readers[marker] |= set(holders)
        self.watch.addressee[marker] = holders[0] if holders else ""
        if not holders:
            self.unread.add(marker)

    def talk(self, turn: Turn) -> None:
        """Press, letters, questions."""
        person, slug = turn.person, turn.slug
        if person.is_away(self.server.now) or slug not in person.newest:
            return
        dice = person.dice
        choice = dice.randrange(10)
        if choice <= 4:
            self._private(turn, choice)
            return
        if choice == 5:
            text, what = f"PRESS TO ALL\n{dice.choice(PUBLIC)}\nENDPRESS", "public press"
        elif choice == 6:
            text, what = f"LETTER {CAMPAIGN}\n{dice.choice(LETTERS)}\nENDLETTER", "letter"
        elif choice == 7:
            text, what = dice.choice(QUESTIONS), "question"
        elif choice == 8:
            text = dice.choice(("EXTEND 24h", "VOTE NONE", "HELP", "STANDINGS"))
            what = "extension, vote, help"
        else:
            text, what = "PRESS TO GM: Thank you for running this.", "press to GM"
        self.ledger.did[what] += 1
        self.reply(person, slug, text, style=dice.randrange(len(STYLES)))

    def _private(self, turn: Turn, choice: int) -> None:
        """Private press, signed or not, now or at an hour; what the house rules do with it, the script knows."""
        slug, person, plan = turn.slug, turn.person, self.plans[turn.slug]
        names = {p.id: p.name for p in ruleset(plan.ruleset).meta.powers if p.id != turn.power}
        to = person.dice.choice(sorted(names))
        marker = f"secret-{len(self.watch.readers) + 1:05}"
        self.watch.readers[marker], self.watch.addressee[marker] = {person.email}, ""
        head = f"PRESS {'UNSIGNED ' if choice == 2 else ''}TO {names[to]}"
        if plan.moderated:
            self.watch.readers[marker] |= set(self.gms)
            self.held[marker] = (slug, to)
            self.ledger.did["press in the moderated game"] += 1
        elif plan.postal:
            self.waiting.setdefault(slug, []).append((marker, to))
            self.ledger.did["postal press"] += 1
        elif choice == 4 and plan.press:
            later = self.server.now.replace(minute=0, second=0) + timedelta(hours=person.dice.randint(4, 40))
            head += f" AT {later.astimezone(ZoneInfo(person.zone)):%-d %b %Y %H:%M}"
            self.at(later, lambda: self.may_read(marker, slug, to))
            self.ledger.did["scheduled press"] += 1
        elif plan.press:
            self.may_read(marker, slug, to)
            self.ledger.did["private press"] += 1
        else:
            self.ledger.did["press where there is none"] += 1
        text = f"{head}\nShall we? The word is {marker}.\nENDPRESS"
        self.reply(person, slug, text, style=person.dice.randrange(len(STYLES)))

    unread: set[str]
    """Markers of press to powers that nobody held when it went."""
    held: dict[str, tuple[str, str]]
    """Marker of press that a GM has not let go yet, to its game and the power it is for."""

    def before_work(self) -> None:
        """Whoever holds a power when the results come is the reader of its postal press."""
        self.reading = {
            (slug, power): self.holders(slug, power)
            for slug, items in self.waiting.items()
            for _, power in items
        }

    def after_work(self) -> None:
        """Postal press of games whose phase has run is delivered."""
        with self.server.office.store.read() as session:
            rows = session.execute(
                select(Game.slug, Game.status, PhaseRow.id)
                .outerjoin(PhaseRow, (PhaseRow.game_id == Game.id) & (PhaseRow.status == "open"))
                .where(Game.slug.in_(self.plans))
            ).all()
        self.over = {row.slug for row in rows if row.status == "finished"}
        for row in rows:
            if self.open_phases.get(row.slug) != row.id:
                self.open_phases[row.slug] = row.id
                for marker, power in self.waiting.pop(row.slug, ()):
                    self.may_read(marker, row.slug, power)
                    self.watch.readers[marker] |= set(self.reading.get((row.slug, power), ()))
                    if self.watch.addressee[marker] not in self.reading.get((row.slug, power), ()):
                        self.watch.addressee[marker] = ""  # the seat changed hands in this very run

    open_phases: dict[str, int | None]
    reading: dict[tuple[str, str], list[str]]
