"""What players do about a phase: orders in time, late, misspelt, changed, none, nonsense.

A player knows of phase, deadline and power what his mails say. His orders are the scripted player's of the ruleset,
made from what his power sees. Whether they count is the script's own judgement, kept in the ledger.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import select

from gm.games import ruleset
from gm.games.dice import SeededDice
from gm.store.tables import Game, PhaseRow
from gm.turns.people import current_seats
from tests.sim.ledger import Entry
from tests.sim.letters import STYLES
from tests.sim.mailboxes import Mailboxes
from tests.sim.people import Mail, Person

NONSENSE = (
    "Hello, is this thing on?",
    "blah blah blah",
    "A XXX - YYY\nF Atlantis - Moon",
    "I think my army should go north, or maybe not. What do you think?",
    "¿Qué? ¡Órdenes! ✉✉✉",
)


@dataclass(frozen=True)
class Turn:
    """A phase as one player sees it."""

    slug: str
    title: str
    power: str
    """Id of the power."""
    person: Person


@dataclass(frozen=True)
class Judgement:
    """What the script holds of a mail with orders that is written now."""

    phase: int
    state: Any
    why: str
    """Why its orders can't be taken; empty if they must be."""


class Players(Mailboxes):
    """Players read their mails and order."""

    def plan(self, slug: str, title: str, person: Person, mail: Mail) -> None:
        powers = {p.name: p.id for p in ruleset(self.plans[slug].ruleset).meta.powers}
        power = powers.get(mail.reader)
        if power is None or mail.due is None:
            return
        turn, again = Turn(slug, title, power, person), mail.is_about("back")
        if again and person.dice.random() < 0.5:
            self.ledger.did["orders changed after a rollback"] += 1
            self.at(self.server.now + timedelta(hours=5), lambda: self.if_there(self._order, turn))
        if (slug, title, power) in person.planned or not mail.owes:
            return
        person.planned.add((slug, title, power))
        now, dice, due = self.server.now, person.dice, mail.due[1]
        length = max(due - now, timedelta(hours=1))
        when = now + length * dice.triangular(0.05, 0.97, 0.6)
        fate = dice.random() / self.mischief if self.mischief else 1.0
        act = self._order
        if fate < 0.03:
            self.ledger.did["sends nothing"] += 1
            return
        if fate < 0.06:
            self.ledger.did["late"] += 1
            when = due + timedelta(hours=dice.choice((1, 3, 8, 30)))
        elif fate < 0.09:
            act = self._nonsense
        elif fate < 0.12:
            act = self._typos
        elif fate < 0.16:
            act = self._revises
        elif fate < 0.18:
            act = self._no_orders
        self.at(when, lambda: self.if_there(act, turn))
        if dice.random() < 0.08:
            self.at(now + length * dice.random(), lambda: self.talk(turn))

    def talk(self, turn: Turn) -> None:
        """A player writes something beside his orders."""
        raise NotImplementedError

    def if_there(self, act: Callable[[Turn], None], turn: Turn) -> None:
        """Do something, or when he is back."""
        back = turn.person.is_away(self.server.now)
        if back is not None:
            self.at(back + timedelta(hours=2), lambda: self.if_there(act, turn))
            return
        act(turn)

    # --- the script's judgement --------------------------------------------------------------------------------

    def judge(self, turn: Turn) -> Judgement:
        """Whether orders that he sends now must be taken: by seat, open phase, and the mail that he answers."""
        now, person = self.server.now, turn.person
        with self.server.office.store.read() as session:
            game = session.scalars(select(Game).where(Game.slug == turn.slug)).one()
            row = session.scalars(
                select(PhaseRow)
                .where(PhaseRow.game_id == game.id, PhaseRow.title == turn.title)
                .order_by(PhaseRow.id.desc())
            ).first()
            assert row is not None, turn
            holder = current_seats(session, game).get(turn.power)
            name = holder.name if holder is not None else ""
            phase, state, opened, is_open = row.id, row.state, row.opened_at, row.status == "open"
        stands_in = any(
            d.slug == turn.slug and d.power == turn.power and d.deputy is person and d.owner.name == name
            and d.holds(now) for d in self.ledger.deputies
        )  # fmt: skip
        mail = person.held.get((turn.slug, turn.title))
        whys = (
            ("not his seat", name != person.name and not stands_in),
            ("the phase is over", not is_open),
            ("no mail of that phase", mail is None or mail.date < opened),
        )
        return Judgement(phase, state, ", ".join(why for why, holds in whys if holds))

    def orders_of(self, turn: Turn, state: Any) -> list[str]:
        """Orders that a player thinks up."""
        rules = ruleset(self.plans[turn.slug].ruleset)
        dice = SeededDice(f"{self.seed} {turn.power} {turn.person.written}".encode(), turn.title)
        return list(rules.bot(rules.view(state, turn.power), dice))

    def _send(
        self,
        turn: Turn,
        judged: Judgement,
        text: str,
        *,
        sheet: str | None,
        valid: bool = True,
        twice: bool = False,
    ) -> bool:
        """Answer the mail of the phase, and write down what must come of it.

        Args:
            sheet: the whole sheet that the mail gives, if the script knows it.
            valid: whether there are orders in it.
        """
        mail = turn.person.held.get((turn.slug, turn.title))
        if mail is None:
            return False
        self.answer(turn.person, mail, text, style=turn.person.dice.randrange(len(STYLES)), twice=twice)
        good = valid and not judged.why
        orders: tuple[str, ...] | None = None
        if good and sheet is not None:
            rules = ruleset(self.plans[turn.slug].ruleset)
            orders = tuple(rules.parse(judged.state, turn.power, sheet).orders)
        why = judged.why or ("" if valid else "no orders in it")
        self.ledger.entries.append(
            Entry(judged.phase, turn.power, self.server.now, good, orders, "" if good else why)
        )
        if any(d.deputy is turn.person and d.slug == turn.slug for d in self.ledger.deputies):
            self.ledger.did["orders by a deputy"] += good
        return True

    # --- what they do ------------------------------------------------------------------------------------------

    def _order(self, turn: Turn) -> None:
        judged = self.judge(turn)
        orders, dice = self.orders_of(turn, judged.state), turn.person.dice
        text = "\n".join(orders) or "NO ORDERS"
        extra = "\nREADY" if dice.random() < 0.4 else "\nWAIT" if dice.random() < 0.05 else ""
        if dice.random() < 0.02:
            extra += "\nVOTE DRAW"
        twice = dice.random() < 0.05
        if self._send(turn, judged, text + extra, sheet=text if orders else None, twice=twice):
            self.ledger.did["same mail twice"] += twice
            self.ledger.did["orders"] += 1
            self.ledger.did["orders out of time"] += bool(judged.why)

    def _no_orders(self, turn: Turn) -> None:
        if self._send(turn, self.judge(turn), "NO ORDERS", sheet=None):
            self.ledger.did["NO ORDERS"] += 1

    def _nonsense(self, turn: Turn) -> None:
        if self._send(turn, self.judge(turn), turn.person.dice.choice(NONSENSE), sheet=None, valid=False):
            self.ledger.did["nonsense"] += 1
        if turn.person.dice.random() < 0.5:
            self.at(self.server.now + timedelta(hours=3), lambda: self.if_there(self._order, turn))

    def _typos(self, turn: Turn) -> None:
        """One line is misspelt, all others are right."""
        judged = self.judge(turn)
        orders = self.orders_of(turn, judged.state)
        if not orders:
            self._no_orders(turn)
            return
        lines = [*orders, "A Vienxq - Bohemmia!!", f"{orders[0]} pleaze"]
        if self._send(turn, judged, "\n".join(lines), sheet=None):
            self.ledger.did["typos"] += 1

    def _revises(self, turn: Turn) -> None:
        self._order(turn)
        self.ledger.did["revision"] += 1
        self.at(self.server.now + timedelta(hours=5), lambda: self.if_there(self._orders_anew, turn))

    def _orders_anew(self, turn: Turn) -> None:
        judged = self.judge(turn)
        orders = self.orders_of(turn, judged.state)
        text = "\n".join(["CLEAR", *(orders or ["NO ORDERS"])])
        self._send(turn, judged, text, sheet="\n".join(orders) if orders else None)
