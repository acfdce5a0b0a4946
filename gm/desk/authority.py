"""Who speaks in a mail, and by what proof. A From header alone proves nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import bindparam, delete, select
from sqlalchemy.orm import Session

from gm.club.campaigns import campaigns_of, runs
from gm.club.health import games_run
from gm.desk.desk import Desk
from gm.desk.language import Statement
from gm.desk.oldforms import read_sign_on
from gm.mail.addresses import Recipient, read_recipient
from gm.mail.authres import sender_proof
from gm.mail.tokens import verify_password
from gm.store.plainly import plainly, table
from gm.store.tables import Address, Audit, Campaign, Credential, Game, GameGM, Once, PhaseRow, Player, Seat
from gm.turns.deputies import standing_in
from gm.turns.notices import at_most, once, tell_person
from gm.turns.office import Office
from gm.turns.people import player_by_email, power_of
from gm.turns.sheets import open_phase
from gm.turns.tokens import CHECK_PURPOSE, credential_of

WRONG_PASSWORDS_PER_HOUR = 10
"""Wrong guesses at one player's password; hashing one costs 60 ms, so this also bounds the work."""


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
        return _revoked(desk, credential, player)
    doubt = _doubt_about_from(desk, player.id, (credential.payload or {}).get("email"))
    if doubt and desk.office.proof == "require":
        return _forged(desk, player.id, f"a reply address of yours, but {doubt}")
    if doubt and desk.office.proof == "warn":
        desk.remarks.append(f"Take care: {doubt}. If you did not send this mail, write NEWADDRESS.")
    desk.person = player
    if credential.kind == "confirm":
        return Standing(True, confirms=credential)
    if credential.game_id is None and credential.kind == "gm":
        desk.scope = "gm"
        _enter_only_game_run(desk, player)
        return Standing(True)
    if credential.game_id is None:
        _enter_only_game(desk, player)
        return Standing(True)
    desk.scope = "gm" if credential.kind == "gm" else "seat" if credential.kind == "seat" else "person"
    game = desk.session.get_one(Game, credential.game_id)
    enter_game(desk, game)
    if credential.kind == "seat":
        if desk.power != credential.power:
            desk.power = None
            desk.remarks.append("You no longer hold the power that this reply address was made for.")
        desk.stale[game.id] = _stale(desk.session, game, credential)
    return Standing(True)


def _stale(session: Session, game: Game, credential: Credential) -> str:
    """Why a seat's reply address does not bring orders for the open phase; empty if it does."""
    phase = open_phase(session, game)
    if phase is None or credential.phase_id == phase.id:
        return ""
    about = session.get(PhaseRow, credential.phase_id) if credential.phase_id else None
    if about is None:
        return "This answers a mail from a time when no phase was open: nothing was changed."
    if about.status == "undone":
        return f"This answers a mail about {about.title} from before the GM took the game back: nothing was changed."
    return f"This answers a mail about {about.title}, which is over: nothing was changed."


def _revoked(desk: Desk, credential: Credential, player: Player) -> Standing:
    """Say once that a reply address is replaced or used up."""
    if once(desk.session, desk.office, f"revoked.{credential.id}"):
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


def _enter_only_game(desk: Desk, player: Player) -> None:
    """Speak of the one game that a person plays in, if it is just one; else he has to name it."""
    games = desk.session.scalars(
        select(Game)
        .join(Seat, Seat.game_id == Game.id)
        .where(Seat.player_id == player.id, Seat.left_at.is_(None), Game.status != "finished")
    ).all()
    if len(games) == 1:
        enter_game(desk, games[0])


_ADDRESS = table(Address)


def _enter_only_game_run(desk: Desk, player: Player) -> None:
    """Speak of the one game that a GM runs, if it is just one and all that he runs; else he has to name it."""
    games = games_run(desk.session, player)
    campaigns = [c.id for c in campaigns_of(desk.session, player) if runs(desk.session, c, player)]
    if len(games) == 1 and set(campaigns) <= {games[0].campaign_id}:
        enter_game(desk, games[0])


_OWN_ADDRESSES = select(_ADDRESS.c.email).where(
    _ADDRESS.c.player_id == bindparam("player"), _ADDRESS.c.state != "unconfirmed"
)


def _doubt_about_from(desk: Desk, player_id: int, asked: str | None) -> str:
    """What speaks against a mail's From being the player's; empty if nothing does.

    Args:
        asked: the address that a question went to, which its answer comes from.
    """
    sender = desk.mail.sender
    mine = plainly(desk.session).scalars(_OWN_ADDRESSES, {"player": player_id}).all()
    if sender is None or sender not in (*mine, asked):
        return f"it came from {sender or 'an unreadable address'}, which is no address of yours that I know"
    server = desk.office.authserv_id
    if server and not sender_proof(desk.inbound.raw, server).vouches_for(sender):
        return f"my mail server found no proof (SPF or DKIM) that it came from {sender}"
    return ""


def _by_password(desk: Desk, lines: tuple[Statement, ...]) -> Standing:
    given = next((_passwords(s) for s in lines if s.command in ("PASSWORD", "SIGNON")), None)
    player = player_by_email(desk.session, desk.mail.sender) if desk.mail.sender else None
    if player is None:
        return Standing(desk.mail.sender is not None, "a stranger")
    if given is None or player.password_hash is None:
        return Standing(True, "no proof")
    if right_password(desk, player, given) is None:
        return _forged(desk, player.id, "a wrong password")
    desk.person = player
    if desk.game is not None:
        enter_game(desk, desk.game)
    return Standing(True)


def _passwords(statement: Statement) -> tuple[str, ...]:
    """What a line gives as a password: more than one reading of a SIGNON line is possible."""
    if statement.command == "PASSWORD":
        return (statement.argument,)
    found = read_sign_on(statement.argument)
    return found.passwords if found else ()


def right_password(desk: Desk, player: Player, given: Sequence[str]) -> str | None:
    """The right one among the readings of a password, unless too many wrong ones came in this hour; else None."""
    known = next((one for one in given if one in desk.proved), None)
    if known is not None:
        return known
    hour = f"password.{player.id}.{desk.received_at:%Y%m%d%H}"
    if desk.session.get(Once, f"{hour}.{WRONG_PASSWORDS_PER_HOUR - 1}") is not None:
        return None
    for one in given:
        if player.password_hash is not None and verify_password(one, player.password_hash):
            desk.proved.append(one)
            return one
    old = desk.office.now() - timedelta(days=1)
    desk.session.execute(
        delete(Once).where(Once.key.startswith(f"password.{player.id}.", autoescape=True), Once.at < old)
    )
    at_most(desk.session, desk.office, hour, WRONG_PASSWORDS_PER_HOUR)
    return None


def enter_game(desk: Desk, game: Game) -> None:
    """Speak of a game from now on, with the rights that the person has there.

    A seat's reply address never carries a GM's rights: whoever plays in a game that he also runs writes orders to the
    one address and commands to the other.
    """
    person = desk.need_person()
    may_run = desk.operator or (
        desk.scope != "seat"
        and desk.session.scalar(
            select(GameGM.id).where(GameGM.game_id == game.id, GameGM.player_id == person.id)
        )
        is not None
    )
    held = power_of(desk.session, game, person.id)
    desk.game = game
    desk.campaign = desk.session.get(Campaign, game.campaign_id) if game.campaign_id is not None else None
    desk.gm = may_run and (desk.scope == "gm" or held is None)
    stand_in = None if desk.gm or held else standing_in(desk.session, game, person.id, desk.received_at)
    desk.deputy = stand_in[1] if stand_in else ""
    desk.power = None if desk.gm else stand_in[0] if stand_in else held


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
