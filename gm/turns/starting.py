"""Games created and started: names, house rules, the lot for powers, the first mail of a seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from gm.games import ruleset
from gm.games.api import Section, check_options
from gm.games.dice import SeededDice, commitment
from gm.mail.addresses import can_be_game_id
from gm.reports.mails import PressItem, ReportMail
from gm.store.tables import Audit, Game, GameGM, PhaseRow, Player, Seat, SignUp
from gm.turns import reportmail
from gm.turns.deadlines import told_cause
from gm.turns.drawing import draw_powers
from gm.turns.ics import deadline_files
from gm.turns.links import game_page
from gm.turns.office import Office
from gm.turns.people import waiting
from gm.turns.post import post
from gm.turns.run import open_phase
from gm.turns.settings import GameSettings
from gm.turns.tokens import reply_address


class GameError(ValueError):
    """What was asked of a game cannot be done; the message says why and what can."""


def create_game(
    session: Session,
    *,
    slug: str,
    title: str,
    ruleset_id: str,
    options: Mapping[str, bool | int | str],
    settings: GameSettings,
    gm: Player | None,
    seed: bytes,
    now: datetime,
) -> Game:
    """A game that waits for players.

    Raises:
        GameError: the name is taken or cannot be part of an address.
        gm.games.api.OptionError, gm.games.UnknownRuleset, gm.turns.settings.SettingError: as they say.
    """
    name = slug.lower()
    if not can_be_game_id(name):
        raise GameError(
            f"{slug!r} cannot name a game: use up to 40 of a-z, 0-9, - and _, a letter or digit first"
        )
    if session.scalar(select(Game.id).where(Game.slug == name)) is not None:
        raise GameError(f"there is a game {name!r} already")
    settings.check()
    meta = ruleset(ruleset_id).meta
    game = Game(
        slug=name,
        title=title or name,
        ruleset=meta.id,
        rules_version=meta.version,
        options=check_options(meta, options),
        settings=settings.as_json(),
        seed=seed,
        created_at=now,
    )
    session.add(game)
    session.flush()
    if gm is not None:
        session.add(GameGM(game_id=game.id, player_id=gm.id))
        session.flush()
    return game


def seats_wanted(game: Game) -> int:
    """How many players a game takes."""
    return len(ruleset(game.ruleset).meta.powers)


def start_game(session: Session, office: Office, game: Game) -> PhaseRow:
    """Draw the powers, open the first phase and mail everybody his start.

    Raises:
        GameError: it has started already, or nobody signed up.
    """
    if game.status != "forming":
        raise GameError(f"{game.slug} is {game.status}, it cannot be started")
    signed = waiting(session, game)
    if not signed:
        raise GameError(f"nobody has signed up for {game.slug}")
    now = office.now()
    rules = ruleset(game.ruleset)
    lot = SeededDice(game.seed, "drawing powers")
    seats = draw_powers(
        {row.player_id: row.preferences for row in signed}, [p.id for p in rules.meta.powers], lot
    )
    for power, player_id in seats.items():
        session.add(Seat(game_id=game.id, power=power, player_id=player_id, joined_at=now))
    seated = set(seats.values())
    session.execute(
        delete(SignUp).where(SignUp.game_id == game.id, SignUp.role == "player", SignUp.player_id.in_(seated))
    )
    for row in waiting(session, game):
        row.role = "standby"
    setup = SeededDice(game.seed, "set-up")
    state = rules.new_game(game.options, setup)
    session.add(
        Audit(
            game_id=game.id,
            actor="server",
            action="start",
            detail={
                "commitment": commitment(game.seed),
                "players": [row.player_id for row in signed],
                "preferences": {str(row.player_id): row.preferences for row in signed},
                "drawn": seats,
                "lot": [[r.purpose, r.sides, r.value] for r in lot.rolls],
                "set-up": [[r.purpose, r.sides, r.value] for r in setup.rolls],
            },
            at=now,
        )
    )
    game.status = "running"
    game.started_at = now
    phase = open_phase(session, game, state, now=now, last_due=None, ordinal=1)
    for reader in reportmail.readers(session, game):
        send_start(session, office, game, phase, reader)
    return phase


def send_start(
    session: Session,
    office: Office,
    game: Game,
    phase: PhaseRow,
    reader: reportmail.Reader,
    *,
    intro: Sequence[str] = (),
    sections: Sequence[Section] = (),
    press: Sequence[PressItem] = (),
    again: str = "",
) -> None:
    """The first mail of a seat: who plays what, house rules, how to order, the present position.

    Used at the start of a game, and again for a replacement who comes in later, with another `intro` and with what
    brings him up to date.
    """
    rules = ruleset(game.ruleset)
    view = rules.view(phase.state, reader.power)
    mine = f"You play {reader.title}. " if reader.power else ""
    mail = ReportMail(
        masthead=reportmail.masthead(office, game, phase.title, reader.title),
        headline=f"{game.title} begins" if not intro else f"{game.title}: {phase.title}",
        own_headline=True,
        intro=(
            *intro,
            f"{mine}Powers were drawn by lot, by everybody's preferences. All chance in this game comes from a secret "
            f"seed whose SHA-256 is {commitment(game.seed)}; the seed is told at the end, so that anybody can check.",
            *told_cause(session, game, phase),
        ),
        sections=(*sections, *reportmail.start_sections(game)),
        standings_title="Who plays",
        standings=reportmail.standings(session, game, view),
        press=tuple(press),
        notes=(),
        due=reportmail.dues_of(game, phase, reader),
        map_cid=office.map_cid if office.pictures else "",
        map_alt=f"Map at {phase.title}",
        footer=reportmail.footer(game, phase, reader, page=game_page(office, game.slug)),
    )
    post(
        session,
        office,
        mail,
        to=reader.player,
        kind="report",
        key=f"start.{phase.ordinal}.{phase.attempt}.{reader.title.lower()}{again}",
        game=game,
        phase=phase,
        power=reader.power,
        reply_to=reply_address(
            session, office, reader.kind, reader.player, game=game, power=reader.power, phase=phase
        ),
        picture=reportmail.picture_of(office, game, view, None),
        attached=deadline_files(session, office, game, phase) if reader.kind != "person" else (),
    )
