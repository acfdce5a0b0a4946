"""Commands that bring people in and let them go: JOIN, PREFER, OBSERVE, RESIGN, NAME."""

from __future__ import annotations

import re

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from gm.club.campaigns import step_down
from gm.desk.authority import enter_game
from gm.desk.desk import Desk, Refusal
from gm.desk.language import Statement, nearest
from gm.desk.people import clean_name
from gm.games import ruleset
from gm.games.api import PowerId
from gm.log import logger
from gm.store.tables import Game, SignUp
from gm.turns.faults import note_fault
from gm.turns.lifecycle import recount, vacate
from gm.turns.notices import serial, tell_gms
from gm.turns.offers import vacancy
from gm.turns.people import power_name, power_of, waiting
from gm.turns.settings import settings_of
from gm.turns.starting import seats_wanted, start_game

log = logger("desk")


def find_game(desk: Desk, name: str) -> Game:
    """The game of that name. Raises Refusal."""
    slug = name.strip().lower().rstrip(".,")
    game = desk.session.scalar(select(Game).where(Game.slug == slug))
    if game is None:
        slugs = list(desk.session.scalars(select(Game.slug)))
        near = nearest(slug, slugs)
        raise Refusal(f"There is no game {name.strip()!r}.", f"GAME {near}" if near else "GAMES")
    return game


def powers_named(game: Game, text: str) -> list[PowerId]:
    """Power ids from names, letters or adjectives, separated by commas or blanks. Raises Refusal."""
    powers = ruleset(game.ruleset).meta.powers
    known: dict[str, PowerId] = {}
    for power in powers:
        for word in (power.id, power.name, power.adjective, *power.aliases, power.letter):
            known.setdefault(word.lower(), power.id)
    found: list[PowerId] = []
    parts = [p for p in re.split(r"\s*(?:,|;|\band\b|&|>)\s*", text.strip()) if p]
    if len(parts) == 1 and parts[0].lower() not in known:
        parts = parts[0].split()
    for part in parts:
        word = part.strip(" .").lower()
        if word not in known:
            short = [p.id for p in powers if len(word) >= 2 and p.name.lower().startswith(word)]
            if len(short) != 1:
                near = nearest(word, [p.name for p in powers])
                names = ", ".join(p.name for p in powers)
                raise Refusal(f"{part.strip()!r} is no power of {game.title}; there are: {names}.", near)
            known[word] = short[0]
        if known[word] not in found:
            found.append(known[word])
    return found


_JOIN = re.compile(
    r"(?P<game>\S+)(?:\s+as\s+(?P<name>.+?))?(?:\s+prefer(?:ring|ences?)?:?\s+(?P<wish>.+))?$", re.I
)


def join(desk: Desk, statement: Statement) -> str:
    """JOIN game AS name PREFER powers."""
    match = _JOIN.match(statement.argument)
    if match is None:
        raise Refusal("JOIN needs the name of a game.", "JOIN spring99 AS Ann Example PREFER Austria, France")
    person = desk.need_person()
    game = find_game(desk, match["game"])
    if match["name"]:
        person.name = clean_name(match["name"])
    if (held := power_of(desk.session, game, person.id)) is not None:
        raise Refusal(f"You are in {game.slug} already: you play {power_name(game, held)}.")
    if game.status == "finished":
        raise Refusal(f"{game.slug} is over.", "GAMES")
    wishes = powers_named(game, match["wish"]) if match["wish"] else []
    row = desk.session.scalar(select(SignUp).where(SignUp.game_id == game.id, SignUp.player_id == person.id))
    role = "player" if game.status == "forming" else "standby"
    if row is None:
        row = SignUp(
            game_id=game.id, player_id=person.id, role=role, preferences=wishes, created_at=desk.office.now()
        )
        desk.session.add(row)
    else:
        row.role = role
        row.preferences = wishes or row.preferences
    desk.session.flush()
    if role == "player" and step_down(desk.session, game, person):
        desk.remarks.append(f"You play in {game.slug} now, so you are no longer one of its GMs.")
    enter_game(desk, game)
    if role == "standby":
        return f"{game.slug} is under way; you are on its list of standby players"
    signed, wanted = len(waiting(desk.session, game)), seats_wanted(game)
    if signed >= wanted and settings_of(game.settings).start_when_full:
        return _full(desk, game, wanted)
    wished = f", wishing {', '.join(power_name(game, p) for p in row.preferences)}" if row.preferences else ""
    return f"you are in {game.slug} as {person.name}{wished}. {signed} of {wanted} players so far"


def _full(desk: Desk, game: Game, wanted: int) -> str:
    """Begin a game whose last seat was taken. A fault leaves it as it is, with all its players, for its GM to start."""
    me = f"you are in {game.slug} as {desk.need_person().name}. That makes {wanted} players: "
    try:
        with desk.session.begin_nested():
            start_game(desk.session, desk.office, game)
    except SQLAlchemyError:
        raise
    except Exception as fault:
        log.exception("a game could not begin", game=game.slug)
        trace = note_fault(desk.session, desk.office, game, fault, action="fault")
        tell_gms(
            desk.session,
            desk.office,
            game,
            subject=f"{game.title} is full but could not begin",
            paragraphs=(
                f"Every seat is taken, but a fault kept the game from beginning. Trace: {trace}. Whoever runs the "
                f"server finds the cause under it with `gm trace {trace}`. START begins once it is mended.",
            ),
            key=f"unstarted.{serial(desk.session, desk.office, game, 'unstarted')}",
        )
        return f"{me}the game is full, and its GM will begin it"
    enter_game(desk, game)
    return f"{me}the game begins"


def prefer(desk: Desk, statement: Statement) -> str:
    """PREFER powers, before the start."""
    game, person = desk.need_game(), desk.need_person()
    row = desk.session.scalar(select(SignUp).where(SignUp.game_id == game.id, SignUp.player_id == person.id))
    if row is None or game.status != "forming":
        raise Refusal(f"You are not waiting for {game.slug} to start.", f"JOIN {game.slug} AS {person.name}")
    row.preferences = powers_named(game, statement.argument) if statement.argument else []
    return "your wishes: " + (", ".join(power_name(game, p) for p in row.preferences) or "none")


def observe(desk: Desk, statement: Statement) -> str:
    """OBSERVE game: get the public reports."""
    person = desk.need_person()
    game = find_game(desk, statement.argument)
    if power_of(desk.session, game, person.id) is not None:
        raise Refusal(f"You play in {game.slug}; you get its reports anyway.")
    row = desk.session.scalar(select(SignUp).where(SignUp.game_id == game.id, SignUp.player_id == person.id))
    if row is None:
        desk.session.add(
            SignUp(
                game_id=game.id,
                player_id=person.id,
                role="observer",
                preferences=[],
                created_at=desk.office.now(),
            )
        )
    elif row.role == "player" and game.status == "forming":
        raise Refusal(f"You are on the list of players of {game.slug}.", f"LEAVE {game.slug}")
    else:
        row.role = "observer"
    return f"you observe {game.slug}: you get its public reports. LEAVE {game.slug} ends it"


def leave(desk: Desk, statement: Statement) -> str:
    """LEAVE game: take back a sign-up, stop observing."""
    person = desk.need_person()
    game = find_game(desk, statement.argument) if statement.argument else desk.need_game()
    row = desk.session.scalar(select(SignUp).where(SignUp.game_id == game.id, SignUp.player_id == person.id))
    if row is None:
        hint = "RESIGN" if power_of(desk.session, game, person.id) else ""
        raise Refusal(f"You are on no list of {game.slug}.", hint)
    desk.session.delete(row)
    return f"you are off the lists of {game.slug}"


def resign(desk: Desk, statement: Statement) -> str:
    """RESIGN game: needs the game's name, so that nobody resigns by a slip."""
    game, power = desk.need_power()
    if statement.argument.strip().lower() != game.slug:
        raise Refusal("To give up your seat for good, name the game.", f"RESIGN {game.slug}")
    vacate(desk.session, desk.office, game, power, why="resigned")
    desk.touched.pop((game.id, power), None)
    desk.power = None
    if recount(desk.session, desk.office, game):
        name = power_name(game, power)
        return f"you have given up {name} in {game.slug}; by the votes of the others the game is over"
    tell_gms(
        desk.session,
        desk.office,
        game,
        subject=f"{game.title}: {power_name(game, power)} has resigned",
        paragraphs=(
            f"The player of {power_name(game, power)} has resigned. The seat is vacant.",
            *vacancy(desk.session, desk.office, game, power),
            "What he had ordered does not run. REPLACE power WITH address AS name gives the power to somebody else.",
        ),
        key=f"resigned.{power}.{desk.inbound.identity[:12]}",
    )
    return f"you have given up {power_name(game, power)} in {game.slug}"
