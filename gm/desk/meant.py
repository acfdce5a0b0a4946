"""Which lines that were not taken read as if they were meant: orders and commands below a signature or a farewell."""

from __future__ import annotations

from gm.desk.commands import WORDS
from gm.desk.desk import Desk
from gm.desk.language import command_of
from gm.games import ruleset
from gm.turns.sheets import open_phase


def reserved_words(desk: Desk) -> frozenset[str]:
    """First words that begin an order line in the game that is spoken of."""
    if desk.game is None or desk.power is None:
        return frozenset()
    return ruleset(desk.game.ruleset).meta.keywords


def orders_in(desk: Desk, text: str) -> frozenset[int]:
    """Numbers of the lines, from 1, that the ruleset reads as an order, good or bad."""
    if desk.game is None or desk.power is None:
        return frozenset()
    phase = open_phase(desk.session, desk.game)
    if phase is None:
        return frozenset()
    parsed = ruleset(desk.game.ruleset).parse(phase.state, desk.power, text)
    if not parsed.orders and all(p.kind == "unreadable" for p in parsed.problems):
        return frozenset()
    prose = {p.line for p in parsed.problems if p.kind == "unreadable"}
    return frozenset(n for n, line in enumerate(text.split("\n"), start=1) if line.strip() and n not in prose)


def not_taken(desk: Desk) -> tuple[str, ...]:
    """Lines below a quotation or signature that read as orders or commands."""
    lines = [cut.text for cut in desk.mail.after_cut]
    orders = orders_in(desk, "\n".join(lines))
    reserved = reserved_words(desk)
    return tuple(
        desk.masked(line)
        for n, line in enumerate(lines, start=1)
        if n in orders or command_of(line.strip(), WORDS, reserved)[0]
    )
