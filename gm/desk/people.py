"""People as the desk makes them known: names, new players, and the question that proves an address."""

from __future__ import annotations

from collections.abc import Sequence

from gm.desk.desk import Desk, Refusal
from gm.reports.mails import Footer, Masthead, NoticeMail
from gm.store.tables import Address, Player
from gm.turns.post import post
from gm.turns.tokens import reply_address

MAX_NAME = 40


def clean_name(text: str) -> str:
    """A name fit to be shown to others: one line, printable, at most `MAX_NAME` characters. Raises Refusal."""
    name = " ".join("".join(c for c in text if c.isprintable()).split()).strip("\"'<>")
    if not name or len(name) > MAX_NAME or "@" in name:
        raise Refusal(f"A name has 1 to {MAX_NAME} characters and no @.")
    return name


def new_player(desk: Desk, email: str, name: str, *, active: bool) -> Player:
    """A person with one address."""
    player = Player(name=name, created_at=desk.office.now())
    desk.session.add(player)
    desk.session.flush()
    desk.session.add(
        Address(
            player_id=player.id,
            email=email,
            state="active" if active else "unconfirmed",
            created_at=desk.office.now(),
        )
    )
    desk.session.flush()
    return player


def ask_to_confirm(desk: Desk, player: Player, email: str, commands: Sequence[str], what: str) -> None:
    """Mail an address a question whose answer, any but No, carries out commands."""
    game = desk.game
    mail = NoticeMail(
        masthead=Masthead(
            server=desk.office.server_name,
            game=game.slug if game else "",
            title=game.title if game else "",
            ruleset="",
            phase="",
            reader=player.name,
        ),
        subject="Please confirm by answering this mail",
        title="Please confirm",
        paragraphs=(
            f"Somebody, I hope you, asked {what}:",
            *(f"    {command}" for command in commands),
            "If it was you, answer this mail; what you write in it does not matter, and other lines of your first mail "
            "were not read. If it was not, do nothing, or answer NO: nothing happens, and I do not write again.",
        ),
        footer=Footer(deadline="", how_to_reply="An answer to this mail says yes, unless it begins with NO."),
    )
    post(
        desk.session,
        desk.office,
        mail,
        to=player,
        kind="notice",
        key=f"confirm.{desk.inbound.identity[:16]}",
        address=email,
        reply_to=reply_address(
            desk.session,
            desk.office,
            "confirm",
            player,
            payload={"command": "\n".join(commands), "email": email, "mail": desk.inbound.identity},
        ),
    )
