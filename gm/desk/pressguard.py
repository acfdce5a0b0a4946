"""What must not leave a mail by mistake: its writer's reply address, his password, his own orders."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gm.desk.desk import Desk
from gm.games import ruleset
from gm.mail.scrub import scrub
from gm.mail.tokens import verify_password
from gm.store.tables import Game
from gm.turns.sheets import latest, open_phase
from gm.turns.tokens import CHECK_PURPOSE

ORDERS_TOLD = 2
"""So many orders of the writer's own in one message look like a sheet sent to the wrong readers."""
PASSWORDS_TRIED = 6
"""Short lines that are tried as the writer's password; one trial costs 60 ms."""

_MARKS = re.compile(r"^[>|!*\s]+|^\s*\(?\d{1,3}[.)]\s+")
"""What stands before an order where it was quoted or listed."""


def leaks(desk: Desk, game: Game, audience: Sequence[str], body: str, clean: str) -> tuple[str, ...]:
    """What a message would give away, each as the rest of ``"it holds ..."``; empty if nothing.

    Args:
        clean: the body as `without_secrets` leaves it.
    """
    found = []
    if clean != body:
        found.append("a reply address of yours or a password, which is taken out in any case")
    if not desk.gm and list(audience) != ["gm"] and _own_orders(desk, game, body):
        found.append(f"orders of your own for {_title(desk, game)}")
    return tuple(found)


def without_secrets(desk: Desk, body: str) -> str:
    """The text without reply addresses and passwords: nothing else is ever stored or sent."""
    secrets = [*desk.secrets, *_passwords(desk, body)]
    return scrub(body, secrets, token_key=desk.office.vault.key(CHECK_PURPOSE))


def _passwords(desk: Desk, body: str) -> list[str]:
    """Short lines, or what follows a colon in them, that are the writer's password."""
    stored = desk.need_person().password_hash
    if stored is None:
        return []
    short = [line.strip() for line in body.split("\n") if 4 <= len(line.strip()) <= 60]
    tried = dict.fromkeys(line.rpartition(":")[2].strip() for line in short if len(line.split()) <= 5)
    return [word for word in list(tried)[:PASSWORDS_TRIED] if word and verify_password(word, stored)]


def _own_orders(desk: Desk, game: Game, body: str) -> bool:
    """Whether the lines hold several valid orders of the writer's, or the whole sheet that he has on file."""
    phase = open_phase(desk.session, game)
    if phase is None or desk.power is None:
        return False
    text = "\n".join(_MARKS.sub("", line) for line in body.split("\n"))
    orders = ruleset(game.ruleset).parse(phase.state, desk.power, text).orders
    sheet = latest(desk.session, phase, desk.power)
    whole = sheet is not None and bool(sheet.orders) and set(sheet.orders) <= set(orders)
    return len(orders) >= ORDERS_TOLD or whole


def _title(desk: Desk, game: Game) -> str:
    phase = open_phase(desk.session, game)
    return phase.title if phase else game.title
