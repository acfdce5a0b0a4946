"""Blocks of other servers: SIGNON ... SIGNOFF, ERESSEA, #ATLANTIS ... #END; and PHASE. A password proves each."""

from __future__ import annotations

from sqlalchemy import select

from gm.desk.authority import enter_game, right_password
from gm.desk.desk import Desk, Refusal
from gm.desk.handlers.signup import powers_named
from gm.desk.language import Statement, nearest
from gm.desk.oldforms import is_master, read_sign_on
from gm.desk.words import plain
from gm.games import ruleset
from gm.games.api import PowerId
from gm.store.tables import Game, Player, Seat
from gm.turns.people import power_name

FORM = "SIGNON Fspring99 password"


def sign_on(desk: Desk, statement: Statement) -> str:
    """SIGNON Fgame password: what follows is for that power. Wrong in any way, it ends the reading of the mail."""
    person = desk.need_person()
    found = read_sign_on(statement.argument)
    if found is None:
        raise Refusal(
            "SIGNON needs a power's letter with the game's name, and your password.", FORM, stops=True
        )
    if person.password_hash is None:
        raise Refusal(
            "You have set no password. The reply address proves who you are: leave SIGNON out.",
            "GAME name-of-the-game",
            stops=True,
        )
    proved = right_password(desk, person, found.passwords)
    if proved is None:
        raise Refusal("That password is not right, so nothing below it is done.", stops=True)
    game, power, master = _place(desk, person, found.who)
    desk.scope = "person"
    enter_game(desk, game)
    if master and not desk.gm:
        desk.game = desk.power = None
        raise Refusal(
            f"You are no GM of {game.slug}, or you play in it.", "GAME name-of-the-game", stops=True
        )
    if power is not None and desk.power != power:
        desk.game = desk.power = None
        desk.gm = False
        raise Refusal(f"You do not play {power_name(game, power)} in {game.slug}.", stops=True)
    where = f"from here on I take this for {game.slug}"
    if found.glued and proved == found.glued:
        return f"{where}; SIGNOFF stuck to your password, and was left out of it"
    return where


def _place(desk: Desk, person: Player, who: str) -> tuple[Game, PowerId | None, bool]:
    """Game, power if one is named, and whether as its GM. Raises Refusal."""
    games = {g.slug: g for g in desk.session.scalars(select(Game).order_by(Game.id))}
    name = who.lower().rstrip(".,")
    if name in games:
        return games[name], None, False
    if name[1:] in games:
        game = games[name[1:]]
        for power in ruleset(game.ruleset).meta.powers:
            if power.letter and power.letter.lower() == name[0]:
                return game, power.id, False
        if is_master(name[0]):
            return game, None, True
        letters = ", ".join(f"{p.letter} {p.name}" for p in ruleset(game.ruleset).meta.powers if p.letter)
        raise Refusal(f"No power of {game.slug} has the letter {name[0].upper()}: {letters}.", stops=True)
    mine = desk.session.execute(
        select(Game, Seat.power)
        .join(Seat, Seat.game_id == Game.id)
        .where(Seat.player_id == person.id, Seat.left_at.is_(None), Game.status != "finished")
        .order_by(Game.id)
    ).all()
    fits = [(game, power) for game, power in mine if _is_power(game, power, who)]
    if len(fits) == 1:
        return fits[0][0], fits[0][1], False
    if len(fits) > 1:
        raise Refusal(
            f"You play {who} in several games: {', '.join(game.slug for game, _ in fits)}.",
            f"GAME {fits[0][0].slug}, on a line before the orders",
            stops=True,
        )
    near = nearest(name[1:], list(games)) or nearest(name, list(games))
    form = f"SIGNON {name[:1].upper()}{near} password" if near else FORM
    raise Refusal(f"There is no game {who!r}.", form, stops=True)


def _is_power(game: Game, power: PowerId, who: str) -> bool:
    try:
        return powers_named(game, who) == [power]
    except Refusal:
        return False


def sign_off(_desk: Desk, _statement: Statement) -> str:
    """SIGNOFF: the end of a block, with another one to come."""
    return "the block ends here"


def phase(desk: Desk, statement: Statement) -> str:
    """PHASE name: tolerated if it names the open phase. Orders for another are never taken."""
    game, now = desk.need_game(), desk.need_phase()
    if plain(statement.argument.strip()) in (plain(now.name), plain(now.title)):
        return "that is the open phase"
    raise Refusal(
        f"Orders are taken for the open phase of {game.slug} only, which is {now.title}.",
        f"PHASE {now.name}",
        stops=True,
    )
