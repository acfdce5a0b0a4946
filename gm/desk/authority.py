"""Who speaks in a mail, and by what proof. A From header alone proves nothing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from gm.desk.desk import Desk
from gm.desk.language import Statement
from gm.mail.addresses import Recipient, read_recipient
from gm.mail.tokens import verify_password
from gm.store.tables import Address, Audit, Credential, Game, GameGM, PhaseRow, Player, Seat
from gm.turns.notices import once, tell_person
from gm.turns.office import Office
from gm.turns.people import player_by_email, power_of
from gm.turns.sheets import open_phase
from gm.turns.tokens import CHECK_PURPOSE, credential_of

DAY = timedelta(days=1)
PASSWORD_TRIES_PER_HOUR = 10
"""Guesses a sender may make; hashing one costs 60 ms, so this also bounds the work."""


@dataclass(frozen=True)
class Standing:
    """What an unproved or proved sender may have answered."""

    answered: bool
    why_not: str = ""
    confirms: Credential | None = None
    """A confirm token: the reply carries out its payload."""


def establish(desk: Desk, recipient: Recipient, lines: tuple[Statement, ...]) -> Standing:
    """Set person, game, power and rights of a desk from the address a mail came to and its PASSWORD line."""
    if recipient.kind == "play":
        return _by_token(desk, recipient.token)
    if recipient.kind == "game":
        desk.game = desk.session.scalar(select(Game).where(Game.slug == recipient.game))
        if desk.game is None:
            return Standing(False, "no such game")
    return _by_password(desk, lines)


def unproved(desk: Desk, player: Player) -> Standing:
    """A mail from a player's address that brought neither reply address nor password."""
    return _forged(desk, player.id, "neither a reply address of yours nor a password")


def credential_in(session: Session, office: Office, address: str) -> Credential | None:
    """The credential that one of our reply addresses carries, or None."""
    domains = office.our_domains or frozenset({office.domain})
    recipient = read_recipient(address, domains, office.vault.key(CHECK_PURPOSE))
    return credential_of(session, recipient.token) if recipient is not None and recipient.token else None


def _by_token(desk: Desk, token: str) -> Standing:
    credential = credential_of(desk.session, token)
    if credential is None:
        return Standing(False, "unknown token")
    player = desk.session.get_one(Player, credential.player_id)
    desk.secrets.append(token)
    if credential.revoked_at is not None:
        if not once(desk.session, desk.office, f"revoked.{credential.id}"):
            return Standing(False, "revoked token")
        tell_person(
            desk.session,
            desk.office,
            player,
            subject="That reply address no longer works",
            paragraphs=(
                "A mail came to a reply address of yours that has been replaced or has been used up. Nothing was done.",
                "Reply to the newest mail that you have from me.",
            ),
            key=f"revoked.{credential.token_hash[:12]}",
        )
        return Standing(False, "revoked token")
    if not _from_known(desk, player.id):
        if desk.office.proof == "require":
            return _forged(desk, player.id, "a reply address with a From that is not yours")
        if desk.office.proof == "warn":
            desk.remarks.append(
                f"This mail came from {desk.mail.sender or 'an unreadable address'}, which is not an address of yours "
                "that I know. If you did not send it, write NEWADDRESS."
            )
    desk.person = player
    if credential.kind == "confirm":
        return Standing(True, confirms=credential)
    if credential.game_id is None:
        _enter_only_game(desk, player)
    else:
        desk.game = desk.session.get_one(Game, credential.game_id)
        enter_game(desk, desk.game)
        if credential.kind == "seat" and desk.power != credential.power:
            desk.power = None
            desk.remarks.append("You no longer hold the power that this reply address was made for.")
        phase = open_phase(desk.session, desk.game)
        if credential.kind == "seat" and credential.phase_id != (phase.id if phase else None):
            desk.stale = desk.session.get(PhaseRow, credential.phase_id) if credential.phase_id else None
    return Standing(True)


def _enter_only_game(desk: Desk, player: Player) -> None:
    """Speak of the one game that a person plays in, if it is just one; else he has to name it."""
    games = desk.session.scalars(
        select(Game)
        .join(Seat, Seat.game_id == Game.id)
        .where(Seat.player_id == player.id, Seat.left_at.is_(None), Game.status != "finished")
    ).all()
    if len(games) == 1:
        enter_game(desk, games[0])


def _from_known(desk: Desk, player_id: int) -> bool:
    sender = desk.mail.sender
    return sender is not None and (
        desk.session.scalar(select(Address.id).where(Address.player_id == player_id, Address.email == sender))
        is not None
    )


def _by_password(desk: Desk, lines: tuple[Statement, ...]) -> Standing:
    given = next((s for s in lines if s.command == "PASSWORD"), None)
    player = player_by_email(desk.session, desk.mail.sender) if desk.mail.sender else None
    if given is not None:
        desk.secrets.append(given.argument)
    if player is None:
        return Standing(desk.mail.sender is not None, "a stranger")
    if given is None or player.password_hash is None:
        return Standing(True, "no proof")
    if not _may_try(desk, player.id) or not verify_password(given.argument, player.password_hash):
        return _forged(desk, player.id, "a wrong password")
    desk.person = player
    if desk.game is not None:
        enter_game(desk, desk.game)
    return Standing(True)


def enter_game(desk: Desk, game: Game) -> None:
    """Speak of a game from now on, with the rights that the person has there."""
    person = desk.need_person()
    desk.game = game
    desk.stale = None
    desk.power = power_of(desk.session, game, person.id)
    desk.gm = (
        desk.session.scalar(select(GameGM.id).where(GameGM.game_id == game.id, GameGM.player_id == person.id))
        is not None
    )


def _may_try(desk: Desk, player_id: int) -> bool:
    hour = f"{desk.received_at:%Y%m%d%H}"
    return any(
        once(desk.session, desk.office, f"password.{player_id}.{hour}.{n}")
        for n in range(PASSWORD_TRIES_PER_HOUR)
    )


def _forged(desk: Desk, player_id: int, what: str) -> Standing:
    """Nothing is done; the true owner is told once a day, the attempt is on record."""
    desk.session.add(
        Audit(
            game_id=desk.game.id if desk.game else None,
            actor="server",
            action="refused proof",
            detail={"player": player_id, "what": what, "inbound": desk.inbound.id},
            at=desk.office.now(),
        )
    )
    if once(desk.session, desk.office, f"forged.{player_id}.{desk.received_at:%Y%m%d}"):
        tell_person(
            desk.session,
            desk.office,
            desk.session.get_one(Player, player_id),
            subject="Somebody may have written in your name",
            paragraphs=(
                f"A mail in your name came with {what}. Nothing was done with it.",
                "If it was you: reply to the newest mail that you have from me, or send the right PASSWORD line. "
                "If it was not: you need do nothing.",
            ),
            key=f"forged.{desk.received_at:%Y%m%d}",
        )
    return Standing(False, what)
