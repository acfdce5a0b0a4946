"""Doing what a text says, line by line. Each line is done whole or not at all, and answered."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from sqlalchemy.exc import SQLAlchemyError

from gm.desk.commands import BY_NAME, WORDS
from gm.desk.desk import Desk, NoRight, Refusal
from gm.desk.handlers import clubbing
from gm.desk.handlers.acting import check_acting
from gm.desk.handlers.deputising import FOR_DEPUTIES, check_scope
from gm.desk.handlers.ordering import take_orders
from gm.desk.language import Statement, nearest, statements
from gm.desk.meant import orders_in, reserved_words
from gm.desk.rights import contradiction, note_no_right
from gm.desk.words import FOREIGN, candidates, plain
from gm.log import logger
from gm.turns.faults import note_fault, park
from gm.turns.notices import once, tell_gms

log = logger("desk")

MAX_BAD_LINES = 40
"""Lines not understood after which the rest of a mail is not read: it is not an order mail."""

_REMARK = re.compile(r"(?<=\S)\s+//(?:\s.*)?$")
"""A comment behind an order."""

MIN_GUESSED = 5
"""Letters of the shortest word that is taken for a misspelt German or French one."""

T = TypeVar("T")


class _Fault(Exception):
    """Something of ours failed; what it had done is undone."""


def carry_out(desk: Desk, text: str) -> None:
    """Do what a text says. A failed switch of context stops the rest."""
    rows = text.split("\n")
    found = statements(text, WORDS, reserved_words(desk))
    bad = 0
    n = 0
    while n < len(found):
        statement = found[n]
        if statement.command == "(end)":
            _note_after_end(desk, rows, statement)
            return
        if statement.command == "(greeting)":
            desk.note(statement.line, statement.text, reading="a greeting; nothing to do")
            n += 1
            continue
        if statement.command == "(outside)":
            desk.refuse(
                statement, "Not read: it stands between two blocks.", "Put it below SIGNON and above SIGNOFF."
            )
            n += 1
            continue
        if statement.command == "":
            run = [statement]
            while n + len(run) < len(found) and found[n + len(run)].command == "":
                run.append(found[n + len(run)])
            n += len(run)
            bad += _orders(desk, rows, run)
            if bad > MAX_BAD_LINES and n < len(found):
                _stop(
                    desk,
                    found[n:],
                    f"More than {MAX_BAD_LINES} lines were not understood; the rest was not read.",
                )
                return
            continue
        n += 1
        if _command(desk, statement):
            _stop(
                desk,
                found[n:],
                "Not done: it stands after a line that failed, and was meant for what that line names.",
            )
            return
        if BY_NAME[statement.command].switches:
            rest = "\n".join([""] * statement.line + rows[statement.line :])
            found = (*found[:n], *statements(rest, WORDS, reserved_words(desk)))


def _whole(desk: Desk, doing: str, act: Callable[[], T]) -> T:
    """Do something whole or not at all.

    Raises:
        Refusal: it can't be done, and nothing of it was.
        _Fault: it failed for a fault of ours, which is on record.
        SQLAlchemyError: the store failed: the mail is tried again later.
    """
    try:
        with desk.session.begin_nested():
            return act()
    except (Refusal, SQLAlchemyError):
        raise
    except Exception as fault:
        log.exception("a fault at the desk", doing=doing)
        raise _Fault(_record(desk, doing, fault)) from fault


def _record(desk: Desk, doing: str, fault: Exception) -> str:
    """Put a fault on record and tell the GMs; PROCESS stops the game by it. Returns what the sender is told."""
    game = desk.game
    if game is None:
        if desk.campaign is None:
            raise fault
        return clubbing.record_fault(desk, desk.campaign, fault)
    if doing == "PROCESS":
        trace = park(desk.session, desk.office, game, fault, doing=f"PROCESS of {game.title}")
    else:
        trace = note_fault(desk.session, desk.office, game, fault, action="fault")
        if once(desk.session, desk.office, f"fault.{game.id}.{desk.office.now():%Y%m%d}.{doing}"):
            tell_gms(
                desk.session,
                desk.office,
                game,
                subject=f"{game.title}: a fault at the desk",
                paragraphs=(
                    f"{doing} failed for a player or a GM. Nothing of it was done; the game goes on.",
                    f"Trace: {trace}. Whoever runs the server finds the cause under it with `gm trace {trace}`.",
                ),
                key=f"fault.{desk.office.now():%Y%m%d}.{doing}",
            )
    told = f" Its trace is {trace}." if desk.gm else ""
    return f"Not done, for a fault of mine; nothing of it was changed, and the GM is told.{told}"


def _command(desk: Desk, statement: Statement) -> bool:
    """Carry out one command; returns True if the rest of the mail must not be."""
    command = BY_NAME[statement.command]
    if command.bare and statement.argument:
        desk.refuse(
            statement,
            f"{command.name} stands alone on its line, so I take this for no command.",
            command.name,
        )
        return False
    if first := contradiction(desk, statement):
        desk.refuse(statement, first, statement.text)
        return command.switches
    try:
        check_scope(desk, command.name, command.who)
        check_acting(desk, command.name, command.who)
        reading = _whole(desk, command.name, lambda: command.run(desk, statement))
    except Refusal as refusal:
        if isinstance(refusal, NoRight):
            if desk.game is None and desk.campaign is not None:
                clubbing.note_no_right(desk, desk.campaign, command.name)
            note_no_right(desk, command.name)
        desk.refuse(statement, refusal.problem, refusal.suggestion)
        return command.switches if refusal.stops is None else refusal.stops
    except _Fault as fault:
        desk.refuse(statement, str(fault))
        return command.switches
    if command.name in FOR_DEPUTIES:
        desk.acts(command.name)
    desk.did(statement, reading)
    return False


def _orders(desk: Desk, rows: Sequence[str], run: Sequence[Statement]) -> int:
    """Hand a run of order lines to the ruleset. Returns how many were not understood."""
    if desk.game is None or desk.power is None:
        for statement in run:
            where = (
                "Orders need a game and a seat; reply to a mail of your game." if desk.game is None else ""
            )
            desk.refuse(
                statement, f"I don't understand this line. {where}".strip(), _near(statement.text) or "HELP"
            )
        return len(run)
    wanted = {s.line for s in run}
    text = "\n".join(_REMARK.sub("", row) if n in wanted else "" for n, row in enumerate(rows, start=1))
    before, done = len(desk.transcript), desk.done
    try:
        return _whole(desk, "Orders", lambda: take_orders(desk, text, run, _near))
    except Refusal as refusal:
        problem, suggestion = refusal.problem, refusal.suggestion
    except _Fault as fault:
        problem, suggestion = str(fault), ""
    del desk.transcript[before:]
    desk.done = done
    for n, statement in enumerate(run):
        if n == 0:
            desk.refuse(statement, problem, suggestion)
        else:
            desk.refuse(statement, "Not taken, for the same reason.")
    return len(run)


def _near(text: str) -> str:
    """The commands that a line's first words may mean, or are most like; empty if none is near."""
    if meant := candidates(text, WORDS):
        return " · ".join(meant)
    words = text.upper().split()
    ours = [word for word in WORDS if word not in FOREIGN]
    for length in (2, 1):
        if len(words) >= length and (near := nearest(" ".join(words[:length]), ours, cutoff=82)):
            return near
    near = nearest(plain(words[0]), [word for word in FOREIGN if word in WORDS], cutoff=82) if words else ""
    if near and len(words[0]) >= MIN_GUESSED:
        return near
    return ""


def _stop(desk: Desk, rest: Sequence[Statement], why: str) -> None:
    for statement in rest:
        desk.refuse(statement, why)


def _note_after_end(desk: Desk, rows: Sequence[str], end: Statement) -> None:
    """Lines below a farewell that read as orders or commands are named, not taken."""
    desk.note(end.line, end.text, reading="I stop reading here")
    rest = "\n".join([""] * end.line + list(rows[end.line :]))
    below = statements(rest, WORDS, reserved_words(desk))
    orders = orders_in(desk, rest)
    for statement in below:
        if statement.command in ("(end)", "(greeting)"):
            continue
        if statement.command or statement.line in orders:
            desk.refuse(
                statement,
                f"Not taken: it stands below {end.text!r}, where I stop reading.",
                "Put it above that line.",
            )
