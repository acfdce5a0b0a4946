"""ABSENT, ABSENCES and CANCEL ABSENCE: times in which a player sends no orders."""

from __future__ import annotations

import re

from sqlalchemy import select

from gm.clock.calendar import CalendarError
from gm.clock.spans import EXAMPLE, Away, parse_away
from gm.clock.words import in_zone
from gm.desk.desk import Desk, Refusal
from gm.desk.handlers.signup import find_game
from gm.desk.language import Statement
from gm.store.clubtables import Absence
from gm.store.tables import Game, Player, Seat
from gm.turns import absence, deputies
from gm.turns.people import current_seats, power_name, power_of
from gm.turns.settings import settings_of
from gm.turns.sheets import open_phase

_OF_GAME = re.compile(r"(?P<span>\S.*\s\S.*?)\s+(?:from|in)\s+(?P<game>[\w-]+)$", re.I)


def read_away(desk: Desk, text: str, form: str) -> Away:
    """A time away in the zone of who speaks. Raises Refusal with the reading."""
    try:
        return parse_away(text, zone=desk.need_person().zone, now=desk.office.now())
    except CalendarError as wrong:
        raise Refusal(str(wrong), form) from None


def absent(desk: Desk, statement: Statement) -> str:
    """ABSENT first day TO last day [FROM game]."""
    person, now = desk.need_person(), desk.office.now()
    match = _OF_GAME.match(statement.argument)
    game = find_game(desk, match["game"]) if match else None
    if game is not None and power_of(desk.session, game, person.id) is None:
        raise Refusal(f"You do not play in {game.slug}.")
    away = read_away(desk, match["span"] if match else statement.argument, f"ABSENT {EXAMPLE}")
    row = absence.announce(desk.session, person, game, away, now)
    where = f"from {game.slug}" if game else "from all your games"
    effects = [_effect(desk, mine, person, row) for mine in ([game] if game else games_of(desk, person))]
    return "; ".join([f"you are absent {where}, {absence.span_text(row, person.zone)}", *effects])


def games_of(desk: Desk, person: Player) -> list[Game]:
    """The games under way in which a person plays."""
    return list(
        desk.session.scalars(
            select(Game)
            .join(Seat, Seat.game_id == Game.id)
            .where(Seat.player_id == person.id, Seat.left_at.is_(None), Game.status != "finished")
            .order_by(Game.id)
        )
    )


def _effect(desk: Desk, game: Game, person: Player, row: Absence) -> str:
    """Move the deadline of a game if it is to wait; returns what comes of it, in words."""
    rules = settings_of(game.settings)
    phase = open_phase(desk.session, game)
    if phase is not None and absence.settle_and_tell(desk.session, desk.office, game, phase):
        assert phase.due_at is not None
        moved = f"{game.slug}: the deadline of {phase.title} is {in_zone(phase.due_at, person.zone)}"
        return moved if phase.due_at > row.to_at else f"{moved}, the longest that it may wait"
    if absence.waits_for(desk.session, game, person.id, row.to_at):
        return f"{game.slug}: a deadline in that time will wait, {rules.absence_days_max} days at most"
    if rules.absence == "wait" and rules.absence_days_max:
        return f"{game.slug}: it does not wait, for that makes more than {rules.absence_days_year} days in a year"
    return f"{game.slug}: by its house rules no deadline waits; " + (
        "DEPUTY names somebody who orders for you" if rules.absence == "deputy" else "send your orders before"
    )


def absences(desk: Desk, _statement: Statement) -> str:
    """ABSENCES: his own; for a GM those of all players of the game."""
    person, now = desk.need_person(), desk.office.now()
    if desk.gm and desk.game is not None:
        lines = [
            f"{power_name(desk.game, power)} ({player.name}): {_line(desk, row, person.zone)}"
            for power, player in current_seats(desk.session, desk.game).items()
            for row in absence.on_file(desk.session, player.id, now)
            if row.game_id in (None, desk.game.id)
        ]
        desk.answer(f"Absences in {desk.game.title}", lines or ["none"])
        return "the absences of the game are below"
    rows = absence.on_file(desk.session, person.id, now)
    lines = [f"{n}. {_line(desk, row, person.zone)}" for n, row in enumerate(rows, 1)]
    desk.answer("Your absences", [*lines, "CANCEL ABSENCE and the number ends one."] if lines else ["none"])
    return "your absences are below"


def _line(desk: Desk, row: Absence, zone: str) -> str:
    game = desk.session.get(Game, row.game_id) if row.game_id is not None else None
    where = game.slug if game else "all games"
    deputy = desk.session.get(Player, row.deputy_id) if row.deputy_id is not None else None
    words = f", deputy {deputy.name} ({row.scope}): {row.deputy_state}" if deputy else ""
    return f"{where}, {absence.span_text(row, zone)}{words}"


def cancel(desk: Desk, statement: Statement) -> str:
    """CANCEL ABSENCE [number]: as ABSENCES numbers them."""
    person, now = desk.need_person(), desk.office.now()
    rows = absence.on_file(desk.session, person.id, now)
    if not rows:
        raise Refusal("You have no absence on file.", f"ABSENT {EXAMPLE}")
    given = statement.argument.strip().rstrip(".")
    if not given and len(rows) > 1:
        raise Refusal(f"You have {len(rows)} on file; name one by its number.", "ABSENCES")
    if given and not (given.isdigit() and 1 <= int(given) <= len(rows)):
        raise Refusal(f"{given!r} is not a number from 1 to {len(rows)}.", "ABSENCES")
    row = rows[int(given or 1) - 1]
    if row.deputy_state in absence.DEPUTISED and row.game_id is not None:
        deputies.end(desk.session, desk.office, row, desk.session.get_one(Game, row.game_id))
    row.cancelled_at = now
    desk.session.flush()
    said = [f"taken back: {_line(desk, row, person.zone)}"]
    for game in games_of(desk, person):
        phase = open_phase(desk.session, game)
        if row.game_id not in (None, game.id) or phase is None:
            continue
        if absence.settle_and_tell(desk.session, desk.office, game, phase) and phase.due_at is not None:
            said.append(f"{game.slug}: the deadline is {in_zone(phase.due_at, person.zone)}")
    return "; ".join(said)
