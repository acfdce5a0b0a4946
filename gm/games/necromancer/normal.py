"""Texts in normal form to orders, and what every reading of an order text starts from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from gm.games.necromancer.facts import known_units
from gm.games.necromancer.grammar import statement
from gm.games.necromancer.ids import Place, PowerId, Step
from gm.games.necromancer.model import Game, Unit
from gm.games.necromancer.orders import Order, UnitRef
from gm.games.necromancer.reader import Reader, Section, Trouble
from gm.games.necromancer.tokens import clean, tokenise


def parse_orders(game: Game, power: PowerId, texts: Iterable[str]) -> tuple[tuple[str, Order | None], ...]:
    """Texts in normal form as orders, without a look at whose units they name; None for what is no order."""
    return tuple((text, _one(game, power, text)) for text in texts)


def _one(game: Game, power: PowerId, text: str) -> Order | None:
    try:
        return _by_itself(game.step, power, text)
    except _NeedsPosition:
        return _whole(reader_of(game, power, clean(text), default_section(game.step)))


class _NeedsPosition(Exception):
    """A text that leaves out what only the position tells; no normal form does."""


@lru_cache(maxsize=20_000)
def _by_itself(step: Step, power: PowerId, text: str) -> Order | None:
    """The order of a normal form, which is the same in every position. Raises _NeedsPosition."""

    def guess(_place: Place, _own: bool) -> Sequence[UnitRef]:
        raise _NeedsPosition

    line = clean(text)
    return _whole(Reader(line, tokenise(line), power, step, default_section(step), guess))


def _whole(reader: Reader) -> Order | None:
    """The order that a line consists of; None if it is not exactly one."""
    try:
        found = statement(reader)
    except Trouble:
        return None
    return found[0] if len(found) == 1 and reader.peek() is None else None


def default_section(step: Step) -> Section:
    """The heading that a mail starts under in each step."""
    return {"retreats": "retreats", "adjustments": "adjustments"}.get(step, "orders")  # type: ignore[return-value]  # both are sections


def reader_of(game: Game, power: PowerId, line: str, section: Section) -> Reader:
    """A reader of one line that takes from the position what the line leaves out."""

    def guess(place: Place, own: bool) -> Sequence[UnitRef]:
        units = own_units(game, power) if own else known_units(game, power)
        return [u.ref for u in units if u.place == place]

    return Reader(line, tokenise(line), power, game.step, section, guess)


def own_units(game: Game, power: PowerId) -> tuple[Unit, ...]:
    """The units that a power gives orders to in this phase: the dislodged ones in a retreat phase."""
    units = [d.unit for d in game.dislodged] if game.step == "retreats" else list(game.units)
    return tuple(u for u in units if u.owner == power)
