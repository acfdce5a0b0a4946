"""STANDBY and NO STANDBY; ADD STANDBY and DROP STANDBY: who takes over seats, in one game or in all of a campaign."""

from __future__ import annotations

import re

from sqlalchemy import select

from gm.club import campaigns
from gm.desk.desk import Desk, Refusal
from gm.desk.handlers.clubbing import find_campaign, need_campaign, need_editor, note
from gm.desk.handlers.signup import find_game
from gm.desk.language import Statement
from gm.desk.people import clean_name, new_player
from gm.mail.addresses import canonical_address
from gm.store.tables import Address, Campaign, Game, Player, SignUp
from gm.turns.notices import tell_person
from gm.turns.people import player_by_email, power_name, power_of
from gm.turns.reliability import record_of

_PERSON = re.compile(r"<?(?P<email>\S+?@[^\s>]+)>?(?:\s+as\s+(?P<name>.+))?$", re.I)


def _named(desk: Desk, argument: str) -> Game | Campaign:
    """The game or campaign of that name, with or without a word before it. Raises Refusal."""
    word = re.match(r"(?P<of>(?:for|in|of)\s+)?(?P<name>\S+)$", argument.strip().rstrip("."), re.I)
    name = word["name"].lower() if word else argument.strip()
    campaign = desk.session.scalar(select(Campaign).where(Campaign.slug == name))
    game = desk.session.scalar(select(Game).where(Game.slug == name))
    if word and word["of"] and game is None:
        return campaign or find_campaign(desk, name)
    if campaign is not None and (game is None or (word and word["of"])):
        return campaign
    return game or find_game(desk, name)


def join_list(desk: Desk, statement: Statement) -> str:
    """STANDBY game, STANDBY IN campaign: on the list of those who take over seats."""
    person = desk.need_person()
    if not statement.argument and desk.game is None and desk.campaign is not None:
        where: Game | Campaign = desk.campaign
    else:
        where = _named(desk, statement.argument) if statement.argument else desk.need_game()
    if isinstance(where, Game):
        return _join_game(desk, where, person)
    if not campaigns.set_role(desk.session, where, person, "standby", True, now=desk.office.now()):
        return f"you were on the standby list of the campaign {where.slug} already"
    return (
        f"you are on the standby list of the campaign {where.slug}: seats of all its games may be offered to you; "
        f"NO STANDBY IN {where.slug} takes you off"
    )


def _join_game(desk: Desk, game: Game, person: Player) -> str:
    if (held := power_of(desk.session, game, person.id)) is not None:
        raise Refusal(f"You play {power_name(game, held)} in {game.slug}.")
    if game.status == "finished":
        raise Refusal(f"{game.slug} is over.", "GAMES")
    row = desk.session.scalar(select(SignUp).where(SignUp.game_id == game.id, SignUp.player_id == person.id))
    if row is not None and row.role == "player" and game.status == "forming":
        raise Refusal(f"You are on the list of players of {game.slug}.", f"LEAVE {game.slug}")
    if row is None:
        row = SignUp(
            game_id=game.id, player_id=person.id, preferences=[], created_at=desk.office.now(), role="standby"
        )
        desk.session.add(row)
    row.role = "standby"
    desk.session.flush()
    return f"you are on the standby list of {game.slug}; LEAVE {game.slug} takes you off"


def leave_list(desk: Desk, statement: Statement) -> str:
    """NO STANDBY [IN campaign], NO STANDBY game: off that list again."""
    person = desk.need_person()
    where = _named(desk, statement.argument) if statement.argument else need_campaign(desk)
    if isinstance(where, Campaign):
        if not campaigns.set_role(desk.session, where, person, "standby", False, now=desk.office.now()):
            raise Refusal(
                f"You are not on the standby list of the campaign {where.slug}.", f"STANDBY IN {where.slug}"
            )
        return f"you are off the standby list of the campaign {where.slug}"
    row = desk.session.scalar(
        select(SignUp).where(
            SignUp.game_id == where.id, SignUp.player_id == person.id, SignUp.role == "standby"
        )
    )
    if row is None:
        raise Refusal(f"You are not on the standby list of {where.slug}.", f"STANDBY {where.slug}")
    desk.session.delete(row)
    desk.session.flush()
    return f"you are off the standby list of {where.slug}"


def add_standby(desk: Desk, statement: Statement) -> str:
    """ADD STANDBY address [AS name]: a GM puts somebody on the campaign's list, who is told how to get off it."""
    found = need_editor(desk)
    match = _PERSON.match(statement.argument)
    email = canonical_address(match["email"]) if match else None
    if match is None or email is None:
        raise Refusal("ADD STANDBY needs a mail address.", "ADD STANDBY ben@example.org AS Ben")
    player = player_by_email(desk.session, email)
    if player is None:
        player = new_player(desk, email, clean_name(match["name"] or email.partition("@")[0]), active=True)
    address = desk.session.scalars(select(Address).where(Address.email == email)).one()
    if address.state == "unconfirmed":
        address.state = "active"
    if not player.name:
        player.name = clean_name(match["name"] or email.partition("@")[0])
    if not campaigns.set_role(desk.session, found, player, "standby", True, now=desk.office.now()):
        raise Refusal(f"{player.name} is on the standby list of {found.slug} already.", "ROSTER")
    note(desk, found, "add standby", player=player.id)
    tell_person(
        desk.session,
        desk.office,
        player,
        subject=f"You are a standby player of {found.title}",
        paragraphs=(
            f"A GM of {found.title} ({found.slug}) has put you on the list of those who take over seats. When one "
            "needs a player it may be offered to you by mail; you may say no.",
            f"Reply with NO STANDBY IN {found.slug} and you are off the list.",
        ),
        key=f"standby.{found.slug}.{desk.inbound.identity[:12]}.{statement.line}",
    )
    record = record_of(desk.session, player, viewers=[desk.need_person()]).text
    return f"{player.name} is on the standby list of {found.slug} and is told so ({record})"


def drop_standby(desk: Desk, statement: Statement) -> str:
    """DROP STANDBY address: off the campaign's list."""
    found = need_editor(desk)
    match = _PERSON.match(statement.argument)
    email = canonical_address(match["email"]) if match else None
    player = player_by_email(desk.session, email) if email else None
    if player is None:
        raise Refusal("DROP STANDBY needs the address of one.", "DROP STANDBY ben@example.org")
    if not campaigns.set_role(desk.session, found, player, "standby", False, now=desk.office.now()):
        raise Refusal(f"{player.name} is not on the standby list of {found.slug}.", "ROSTER")
    note(desk, found, "drop standby", player=player.id)
    return f"{player.name} is off the standby list of {found.slug}"
