"""Mail that proves nothing about its sender: he may ask to join, or for help. All else changes nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from gm.desk import authority
from gm.desk.commands import BY_NAME
from gm.desk.desk import Desk, Outcome, Refusal
from gm.desk.handlers.signup import find_game
from gm.desk.language import Statement
from gm.desk.people import ask_to_confirm, clean_name, new_player
from gm.desk.receipt import send_receipt
from gm.mail.automatic import looks_out_of_office
from gm.store.tables import Player
from gm.turns.notices import at_most
from gm.turns.people import player_by_email

ASKS = frozenset({"HELP", "GAMES", "CAMPAIGNS"})
"""What is answered at once."""
CHANGES = {
    "JOIN": "to join a game",
    "OBSERVE": "to observe a game",
    "CREATE": "to create a game",
    "CREATE CAMPAIGN": "to found a campaign",
    "SUBSCRIBE": "to get a zine",
    "UNSUBSCRIBE": "to get a zine no more",
    "WAIT FOR": "to wait for a game",
    "STANDBY": "to be offered seats that need a player",
    "NO STANDBY": "to be offered no more seats",
}
"""What is done once the sender has answered a question."""
NO_GAME = frozenset(CHANGES) - {"JOIN", "OBSERVE"}
"""Those that name no game which is there."""
WITH_THEM = frozenset({"PREFER", "ZONE", "NAME", "LANGUAGE"})
"""What is done together with it."""
MAILS_PER_DAY = 6
"""Answers that an address which proved nothing gets in a day."""


def answer_unproved(desk: Desk, lines: Sequence[Statement], why_not: str) -> Outcome:
    """Answer a mail without proof, if it asks for something that anybody may ask for.

    If not: a player whose address it bears is told of it once a day, a stranger gets no answer.
    """
    sender = desk.mail.sender
    if sender is None:
        return Outcome(False, "From is unreadable")
    known = player_by_email(desk.session, sender)
    real = [s for s in lines if s.command not in ("(greeting)", "(end)", "PASSWORD")]
    first = real[0].command if real else ""
    asked, refused = _asked(desk, real)
    if looks_out_of_office(desk.mail) or not (asked or first in ASKS or (refused and first in CHANGES)):
        return Outcome(False, authority.unproved(desk, known).why_not if known else why_not)
    day = f"{hashlib.sha256(sender.encode()).hexdigest()[:32]}.{desk.received_at:%Y%m%d}"
    if not at_most(desk.session, desk.office, f"unproved.{day}", MAILS_PER_DAY):
        return Outcome(False, "too many mails from an address that proved nothing")
    person = known or new_player(desk, sender, "", active=False)
    if asked:
        _ask(desk, person, sender, asked)
        return Outcome(True)
    desk.person = person
    for statement, refusal in refused:
        desk.refuse(statement, refusal.problem, refusal.suggestion)
    for statement in real if not refused else ():
        if statement.command not in ASKS:
            desk.refuse(statement, "Not read: this mail proves nothing about who you are.")
            continue
        try:
            desk.did(statement, BY_NAME[statement.command].run(desk, statement))
        except Refusal as refusal:
            desk.refuse(statement, refusal.problem, refusal.suggestion)
    send_receipt(desk, address=sender)
    return Outcome(True)


def _asked(desk: Desk, real: Sequence[Statement]) -> tuple[list[Statement], list[tuple[Statement, Refusal]]]:
    """The lines to ask about, and those that name no game of ours."""
    asked: list[Statement] = []
    refused: list[tuple[Statement, Refusal]] = []
    for statement in real:
        if (statement.command in WITH_THEM and asked) or statement.command in NO_GAME:
            asked.append(statement)
        elif statement.command in CHANGES:
            try:
                game = find_game(desk, statement.argument.split()[0] if statement.argument else "")
                desk.game = desk.game or game
                asked.append(statement)
            except Refusal as refusal:
                refused.append((statement, refusal))
    return asked, refused


def _ask(desk: Desk, person: Player, sender: str, asked: Sequence[Statement]) -> None:
    if not person.name:
        try:
            person.name = clean_name(desk.mail.senders[0].name)
        except Refusal:
            person.name = sender.partition("@")[0][:40]
    what = next(CHANGES[s.command] for s in asked if s.command in CHANGES)
    ask_to_confirm(desk, person, sender, [f"{s.command} {s.argument}".strip() for s in asked], what)
