"""Games created, started, paused, resumed, rolled back and ended. Each function works inside the caller's
transaction and queues the mails that tell of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from gm.games import ruleset
from gm.games.api import GameOver, PowerId, check_options
from gm.games.dice import SeededDice, commitment
from gm.mail.addresses import can_be_game_id
from gm.reports.mails import ReportMail
from gm.store.tables import Audit, Game, GameGM, PhaseRow, Player, Seat, SignUp
from gm.turns import reportmail
from gm.turns.deadlines import set_deadline
from gm.turns.drawing import draw_powers
from gm.turns.notices import tell_all
from gm.turns.office import Office
from gm.turns.people import seat_of, waiting
from gm.turns.post import post
from gm.turns.run import close_game, open_phase
from gm.turns.settings import GameSettings, settings_of
from gm.turns.sheets import add_version, all_latest
from gm.turns.sheets import open_phase as the_open_phase
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
    phase = open_phase(session, game, state, now=now, last_due=None)
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
    again: str = "",
) -> None:
    """The first mail of a seat: who plays what, house rules, how to order, the present position.

    Used at the start of a game, and again with another `intro` for a replacement who comes in later.
    """
    rules = ruleset(game.ruleset)
    view = rules.view(phase.state, reader.power)
    mine = f"You play {reader.title}. " if reader.power else ""
    mail = ReportMail(
        masthead=reportmail.masthead(office, game, phase.title, reader.title),
        headline=f"{game.title} begins" if not intro else f"{game.title}: {phase.title}",
        intro=(
            *intro,
            f"{mine}Powers were drawn by lot, by everybody's preferences. All chance in this game comes from a secret "
            f"seed whose SHA-256 is {commitment(game.seed)}; the seed is told at the end, so that anybody can check.",
        ),
        sections=reportmail.start_sections(game),
        standings_title="Who plays",
        standings=reportmail.standings(session, game, view),
        press=(),
        notes=(),
        due=reportmail.dues_of(game, phase, reader),
        map_cid=office.map_cid if office.pictures else "",
        map_alt=f"Map at {phase.title}",
        footer=reportmail.footer(game, phase, reader),
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
    )


def pause(session: Session, office: Office, game: Game, *, actor: str, why: str) -> None:
    """Stop the clock: no deadline runs until the game is resumed. Raises GameError."""
    phase = the_open_phase(session, game)
    if game.status != "running" or phase is None:
        raise GameError(f"{game.slug} is {game.status}, it cannot be paused")
    set_deadline(session, game, phase, None, cause=f"paused{_because(why)}", actor=actor, now=office.now())
    game.status = "paused"
    tell_all(
        session,
        office,
        game,
        subject=f"{game.title} is paused",
        paragraphs=(
            f"The game is paused{_because(why)}. No deadline runs. Orders that you have sent stay on file.",
        ),
        key=f"pause.{office.now().timestamp():.0f}",
    )


def resume(session: Session, office: Office, game: Game, *, actor: str) -> PhaseRow:
    """Start the clock again with a new deadline by the calendar, counted from now.

    Raises:
        GameError: the game is neither paused nor parked.
    """
    phase = the_open_phase(session, game)
    if game.status not in ("paused", "parked") or phase is None:
        raise GameError(f"{game.slug} is {game.status}, it cannot be resumed")
    now = office.now()
    rules = settings_of(game.settings)
    due = rules.parsed_calendar().next_deadline(
        phase.kind, opened_at=now, last_due=None, notice=rules.notice()
    )
    game.status = "running"
    game.trace = None
    set_deadline(session, game, phase, due, cause="resumed by the GM", actor=actor, now=now)
    tell_all(
        session,
        office,
        game,
        subject=f"{game.title} goes on",
        paragraphs=("The game goes on. Orders that were on file still are.",),
        key=f"resume.{now.timestamp():.0f}",
    )
    return phase


def move_deadline(
    session: Session, office: Office, game: Game, due_at: datetime, *, actor: str, cause: str
) -> PhaseRow:
    """Set the deadline of the open phase and tell everybody why. Raises GameError."""
    phase = the_open_phase(session, game)
    if game.status != "running" or phase is None:
        raise GameError(f"{game.slug} is {game.status}: it has no deadline to move")
    set_deadline(session, game, phase, due_at, cause=cause, actor=actor, now=office.now())
    tell_all(
        session,
        office,
        game,
        subject=f"{game.title}: new deadline for {phase.title}",
        paragraphs=(f"The deadline of {phase.title} was moved: {cause}.",),
        key=f"deadline.{office.now().timestamp():.0f}",
    )
    return phase


def roll_back(
    session: Session, office: Office, game: Game, phase_name: str, *, actor: str, why: str
) -> PhaseRow:
    """Undo every phase from the named one on and open that one again, with the orders that it had.

    Raises:
        GameError: no such phase was run.
    """
    runs = list(
        session.scalars(
            select(PhaseRow)
            .where(PhaseRow.game_id == game.id, PhaseRow.status.in_(("open", "done")))
            .order_by(PhaseRow.ordinal)
        )
    )
    target = next((r for r in runs if r.name.lower() == phase_name.strip().lower()), None)
    if target is None or target.status != "done":
        names = ", ".join(r.name for r in runs if r.status == "done") or "none yet"
        raise GameError(f"{phase_name.strip()!r} is no phase that was run; there are: {names}")
    now = office.now()
    undone = [r for r in runs if r.ordinal >= target.ordinal]
    filed = all_latest(session, target)
    for row in undone:
        row.status = "undone"
    session.flush()
    game.status = "running"
    game.result = None
    game.ended_at = None
    session.add(
        Audit(
            game_id=game.id,
            actor=actor,
            action="roll back",
            detail={"to": target.name, "undone": [r.name for r in undone], "why": why},
            at=now,
        )
    )
    phase = open_phase(session, game, target.state, now=now, last_due=None, ordinal=target.ordinal)
    for power, sheet in filed.items():
        add_version(
            session,
            phase,
            power,
            sheet.orders,
            player_id=sheet.player_id,
            source=sheet.source,
            inbound_id=sheet.inbound_id,
            received_at=sheet.received_at,
        )
    was_run = [r.title for r in undone if r.results is not None]
    tell_all(
        session,
        office,
        game,
        subject=f"{game.title}: back to {phase.title}",
        paragraphs=(
            f"The GM has taken the game back to {phase.title}{_because(why)}. "
            f"These results no longer hold: {', '.join(was_run)}.",
            "The orders that you had on file for that phase are on file again; a reply to this mail changes them. "
            "When the phase is run again you are told what changed for you.",
        ),
        key=f"rollback.{phase.ordinal}.{phase.attempt}",
    )
    return phase


def replace_player(
    session: Session, office: Office, game: Game, power: PowerId, newcomer: Player, *, why: str
) -> None:
    """Give a power to another player; the old holder's reply addresses stop working at once.

    Raises:
        GameError: the game is not under way, or the newcomer already holds a power in it.
    """
    phase = the_open_phase(session, game)
    if phase is None:
        raise GameError(f"{game.slug} is {game.status}: nobody can be replaced")
    if session.scalar(
        select(Seat.id).where(Seat.game_id == game.id, Seat.player_id == newcomer.id, Seat.left_at.is_(None))
    ):
        raise GameError(f"{newcomer.name} already holds a power in {game.slug}")
    vacate(session, office, game, power, why=why)
    session.add(Seat(game_id=game.id, power=power, player_id=newcomer.id, joined_at=office.now()))
    session.flush()
    reader = next(r for r in reportmail.readers(session, game) if r.power == power)
    send_start(
        session,
        office,
        game,
        phase,
        reader,
        intro=(
            f"Welcome. You take over {reader.title} in {phase.title}. "
            "Orders already on file for it stay until you change them.",
        ),
        again=".handover",
    )


def vacate(session: Session, office: Office, game: Game, power: PowerId, *, why: str) -> None:
    """End the present seat of a power, if it has one."""
    seat = seat_of(session, game, power)
    if seat is not None:
        seat.left_at = office.now()
        seat.left_why = why
        session.flush()


def end_game(
    session: Session, office: Office, game: Game, *, winners: Sequence[PowerId], text: str, how: str
) -> None:
    """End a game by agreement or by its GM, and tell everybody. Raises GameError."""
    if game.status == "finished":
        raise GameError(f"{game.slug} is over already")
    phase = the_open_phase(session, game)
    if phase is not None:
        phase.status = "undone"
        phase.due_at = None
    close_game(game, winners=GameOver(winners=tuple(winners), text=text), how=how, now=office.now())
    session.flush()
    tell_all(
        session,
        office,
        game,
        subject=f"{game.title} is over",
        paragraphs=(
            f"The game is over. {text}",
            f"The dice of this game came from the seed {game.seed.hex()}; its SHA-256 was published at the start.",
        ),
        key="over",
    )


def _because(why: str) -> str:
    return f": {why.strip().rstrip('.')}" if why.strip() else ""
