"""A person's own settings: zone, name, password, addresses, and a new reply address."""

from __future__ import annotations

import secrets

from sqlalchemy import select

from gm.clock.calendar import CalendarError, zone_named
from gm.desk.authority import enter_game
from gm.desk.desk import Desk, Refusal
from gm.desk.handlers.signup import find_game
from gm.desk.language import Statement
from gm.desk.people import ask_to_confirm, clean_name
from gm.mail.addresses import canonical_address
from gm.mail.tokens import SALT_BYTES, hash_password
from gm.store.tables import Address
from gm.turns.notices import at_most
from gm.turns.tokens import revoke_all

MAX_ADDRESSES = 5
QUESTIONS_PER_DAY = 6
"""Mails that one player can have sent to addresses he names as his."""


def game(desk: Desk, statement: Statement) -> str:
    """GAME name: speak of another game from here on."""
    desk.need_person()
    found = find_game(desk, statement.argument)
    enter_game(desk, found)
    return f"from here on I take this for {found.slug}"


def zone(desk: Desk, statement: Statement) -> str:
    """ZONE name: show me times in that zone."""
    person = desk.need_person()
    try:
        person.zone = zone_named(statement.argument)
    except CalendarError as wrong:
        raise Refusal(str(wrong), "ZONE Europe/London") from None
    return f"times are shown to you in {person.zone}"


LANGUAGES = {
    "en": ("en", "english", "englisch", "anglais"),
    "de": ("de", "deutsch", "german", "allemand"),
}
"""Languages that mails are written in, and how people name them."""


def language(desk: Desk, statement: Statement) -> str:
    """LANGUAGE en | de: the language of the mails to me."""
    person = desk.need_person()
    word = statement.argument.strip().lower().rstrip(".")
    chosen = next((code for code, names in LANGUAGES.items() if word in names), None)
    if chosen is None:
        raise Refusal(
            f"Mails are written in English or German, not in {statement.argument.strip()!r}. French command words are "
            "understood all the same.",
            "LANGUAGE de",
        )
    person.language = chosen
    return "mails to you are in English" if chosen == "en" else "mails to you are in German"


def name(desk: Desk, statement: Statement) -> str:
    """NAME text: how others see me."""
    person = desk.need_person()
    person.name = clean_name(statement.argument)
    return f"you are called {person.name}"


def password(desk: Desk, _statement: Statement) -> str:
    """PASSWORD text: read before everything else; here only noted."""
    desk.need_person()
    return "password read"


def set_password(desk: Desk, statement: Statement) -> str:
    """SET PASSWORD text: for orders sent to the game's address."""
    person = desk.need_person()
    try:
        person.password_hash = hash_password(statement.argument, secrets.token_bytes(SALT_BYTES))
    except ValueError as wrong:
        raise Refusal(f"{wrong}".capitalize(), "SET PASSWORD and the new one") from None
    return "your password is set; with a line PASSWORD ... you can also order at the game's own address"


def new_address(desk: Desk, _statement: Statement) -> str:
    """NEWADDRESS: reply addresses that somebody else may have seen stop working."""
    person = desk.need_person()
    count = revoke_all(desk.session, person, None, desk.office.now())
    return f"your {count} reply addresses no longer work; the Reply-To of this mail and of later ones is new"


def add_address(desk: Desk, statement: Statement) -> str:
    """ADDRESS new@example.org: a further address; it counts once a reply from there confirms it."""
    person = desk.need_person()
    email = canonical_address(statement.argument.strip().strip("<>"))
    if email is None:
        raise Refusal(f"{statement.argument.strip()!r} is no mail address.", "ADDRESS ann@example.org")
    row = desk.session.scalar(select(Address).where(Address.email == email))
    mine = desk.session.scalars(select(Address).where(Address.player_id == person.id)).all()
    if row is not None and row.player_id == person.id and row.state == "active":
        for n, other in enumerate(sorted(mine, key=lambda a: (a.email != email, a.rank))):
            other.rank = n
        return f"mail to you goes to {email} first"
    if not at_most(
        desk.session, desk.office, f"ask.{person.id}.{desk.received_at:%Y%m%d}", QUESTIONS_PER_DAY
    ):
        raise Refusal("You have named too many new addresses today; try again tomorrow.")
    if len(mine) >= MAX_ADDRESSES and row not in mine:
        raise Refusal(f"You have {MAX_ADDRESSES} addresses already.", "DROP ADDRESS old@example.org")
    if row is None:
        row = Address(
            player_id=person.id, email=email, rank=99, state="unconfirmed", created_at=desk.office.now()
        )
        desk.session.add(row)
        desk.session.flush()
    if row.player_id == person.id:  # an address of somebody else gets no mail, and the answer is the same
        ask_to_confirm(
            desk, person, email, [f"ADDRESS {email}"], "to use this address for the mails of your games"
        )
    return f"a mail went to {email}; the address counts once you have answered that mail"


def drop_address(desk: Desk, statement: Statement) -> str:
    """DROP ADDRESS old@example.org."""
    person = desk.need_person()
    email = canonical_address(statement.argument.strip().strip("<>")) or statement.argument.strip()
    mine = desk.session.scalars(select(Address).where(Address.player_id == person.id)).all()
    row = next((a for a in mine if a.email == email), None)
    if row is None:
        raise Refusal(f"{email} is no address of yours.")
    if row.state == "active" and sum(a.state == "active" for a in mine) == 1:
        raise Refusal("That is the only address I can reach you at.", "ADDRESS new@example.org")
    desk.session.delete(row)
    return f"{email} is dropped"
