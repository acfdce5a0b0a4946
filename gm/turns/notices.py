"""Short mails: to everybody in a game, to one person, to the GMs."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.orm import Session

from gm.games.api import Section
from gm.mail.scrub import scrub
from gm.reports.mails import Footer, Masthead, NoticeMail
from gm.store.tables import Game, Once, PhaseRow, Player
from gm.turns import reportmail
from gm.turns.ics import deadline_files
from gm.turns.office import Office
from gm.turns.people import game_gms
from gm.turns.post import post
from gm.turns.sheets import open_phase
from gm.turns.tokens import reply_address


def tell_reader(
    session: Session,
    office: Office,
    game: Game,
    reader: reportmail.Reader,
    *,
    subject: str,
    paragraphs: Sequence[str],
    key: str,
    kind: str = "notice",
    sections: Sequence[Section] = (),
    calendar: bool = False,
) -> None:
    """One notice to one reader of a game, with his own deadline and reply address.

    Args:
        calendar: it tells of a deadline that was moved: the entry for his calendar goes with it.
    """
    phase: PhaseRow | None = open_phase(session, game)
    mail = NoticeMail(
        masthead=reportmail.masthead(office, game, phase.title if phase else "", reader.title),
        subject=subject,
        title=subject,
        paragraphs=tuple(paragraphs),
        sections=tuple(sections),
        footer=reportmail.footer(game, phase, reader),
    )
    post(
        session,
        office,
        mail,
        to=reader.player,
        kind=kind,
        key=f"{key}.{reader.title.lower()}",
        game=game,
        phase=phase,
        power=reader.power,
        reply_to=reply_address(
            session, office, reader.kind, reader.player, game=game, power=reader.power, phase=phase
        ),
        attached=deadline_files(session, office, game, phase) if calendar else (),
    )


def tell_all(
    session: Session,
    office: Office,
    game: Game,
    *,
    subject: str,
    paragraphs: Sequence[str],
    key: str,
    calendar: bool = False,
) -> None:
    """The same notice to everybody who follows a game, a mail each; `calendar` as in `tell_reader`."""
    for reader in reportmail.readers(session, game):
        tell_reader(
            session,
            office,
            game,
            reader,
            subject=subject,
            paragraphs=paragraphs,
            key=key,
            calendar=calendar and reader.kind != "person",
        )


def tell_gms(
    session: Session, office: Office, game: Game, *, subject: str, paragraphs: Sequence[str], key: str
) -> None:
    """A notice to the GMs of a game only."""
    for gm in game_gms(session, game):
        reader = reportmail.Reader(player=gm, power=None, title="GM", kind="gm")
        tell_reader(session, office, game, reader, subject=subject, paragraphs=paragraphs, key=key)


def tell_person(
    session: Session,
    office: Office,
    player: Player,
    *,
    subject: str,
    paragraphs: Sequence[str],
    key: str,
    sections: Sequence[Section] = (),
    gm: bool = False,
) -> None:
    """A notice to a player about himself, outside any game; `gm`: about the games that he runs, so that he may answer
    with a GM's commands."""
    how = (
        "Reply with commands of a GM; if you run more than one game, with GAME and its name on a line before them."
        if gm
        else "Reply with STATUS or HELP."
    )
    mail = NoticeMail(
        masthead=Masthead(
            server=office.server_name, game="", title="", ruleset="", phase="", reader=player.name
        ),
        subject=subject,
        title=subject,
        paragraphs=tuple(paragraphs),
        sections=tuple(sections),
        footer=Footer(deadline="", how_to_reply=how),
    )
    post(
        session,
        office,
        mail,
        to=player,
        kind="notice",
        key=key,
        reply_to=reply_address(session, office, "gm" if gm else "person", player),
    )


def once(session: Session, office: Office, key: str) -> bool:
    """True the first time a key is asked for: for notices that go out once only."""
    if session.get(Once, key) is not None:
        return False
    session.add(Once(key=key, at=office.now()))
    session.flush()
    return True


def serial(session: Session, office: Office, game: Game, what: str) -> int:
    """The next number of an event of one kind in a game, for the Message-IDs of its mails: two pauses are two mails.

    Counts what everybody in the game is told, so it gives nothing away.
    """
    number = 1
    while not once(session, office, f"event.{game.id}.{what}.{number}"):
        number += 1
    return number


def because(why: str) -> str:
    """A GM's reason as the end of a sentence, without secrets; empty if he gave none."""
    return f": {scrub(why).strip().rstrip('.')}" if why.strip() else ""


def at_most(session: Session, office: Office, key: str, limit: int) -> bool:
    """True the first `limit` times a key is asked for: for answers that a stranger could make us send."""
    return any(once(session, office, f"{key}.{number}") for number in range(limit))
