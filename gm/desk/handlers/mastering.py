"""Commands of a GM: create, start, pause, deadlines, process, preview, replace, roll back, house rules, end."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar

from sqlalchemy import select

from gm.clock.calendar import CalendarError
from gm.clock.words import in_zone, parse_span, parse_when
from gm.desk.authority import enter_game
from gm.desk.desk import Desk, Refusal
from gm.desk.handlers import clubbing
from gm.desk.handlers.clubbing import find_campaign, need_creator, open_game, runs
from gm.desk.handlers.ordering import not_stale
from gm.desk.handlers.signup import powers_named
from gm.desk.language import Statement
from gm.desk.people import clean_name, new_player
from gm.games import ruleset
from gm.games.api import OptionError, check_options
from gm.mail.addresses import canonical_address
from gm.store.tables import Address, Audit, Game
from gm.turns import lifecycle, rollback, starting
from gm.turns.deadlines import calendar_text, grace_after, set_deadline
from gm.turns.early import note_early
from gm.turns.ending import end_game
from gm.turns.notices import once, serial, tell_all
from gm.turns.people import player_by_email, power_name
from gm.turns.preview import preview_sections
from gm.turns.run import run_phase
from gm.turns.settings import SettingError, UnknownRule, settings_of
from gm.turns.sheets import counting, open_phase, owing
from gm.turns.starting import GameError

T = TypeVar("T")

CALENDAR_RULES = ("calendar", "zone", "skip", "holidays")
"""House rules of which a change gives the open phase a new deadline."""

_CREATE = re.compile(
    r"(?P<ruleset>\S+)\s+(?:as\s+)?(?P<slug>\S+)(?:\s+in\s+(?P<campaign>\S+))?(?:\s+title\s+(?P<title>.+))?$",
    re.I,
)
_REPLACE = re.compile(
    r"(?P<power>.+?)\s+(?:with|by)\s+<?(?P<email>\S+?@\S+?)>?(?:\s+as\s+(?P<name>.+))?$", re.I
)
_ROLLBACK = re.compile(r"(?:to\s+)?(?P<phase>.+?)(?:\s+because\s+(?P<why>.+))?$", re.I)
_SET = re.compile(r"(?P<name>\w+)\s*(?:=|to|\s)\s*(?P<value>.+)$", re.I)
_END = re.compile(r"(?P<kind>draw|win|won by|abandon(?:ed)?)\s*(?:by|for|between|:)?\s*(?P<powers>.*)$", re.I)


def record(desk: Desk, game: Game, action: str, **detail: object) -> None:
    """Put a GM's act on record."""
    desk.session.add(
        Audit(
            game_id=game.id,
            actor=f"gm {desk.need_person().id}",
            action=action,
            detail=dict(detail),
            at=desk.office.now(),
        )
    )


def create(desk: Desk, statement: Statement) -> str:
    """CREATE ruleset AS name [IN campaign] [TITLE text]: in the campaign that is spoken of, if he runs one."""
    match = _CREATE.match(statement.argument)
    if match is None:
        raise Refusal("CREATE needs a ruleset and a name.", "CREATE diplomacy AS spring99 TITLE Spring of 99")
    campaign = find_campaign(desk, match["campaign"]) if match["campaign"] else desk.campaign
    named = match["campaign"] is not None or desk.game is None
    if campaign is not None and not runs(desk, campaign):
        if named:
            raise Refusal(f"Only a GM of the campaign {campaign.slug} can do this.")
        campaign = None
    if campaign is None:
        need_creator(desk)
    game = open_game(desk, campaign, match["ruleset"], match["slug"], match["title"] or "")
    desk.scope = "gm"
    enter_game(desk, game)
    record(desk, game, "create", ruleset=game.ruleset)
    where = f" in {campaign.slug}" if campaign is not None else ""
    return f"{game.slug} is open for sign-up{where}; RULES lists its house rules, SET changes them"


def start(desk: Desk, _statement: Statement) -> str:
    """START: with the players there are; powers without one stand in civil disorder."""
    game = desk.need_gm()
    phase = _done(lambda: starting.start_game(desk.session, desk.office, game))
    record(desk, game, "start")
    return f"{game.title} has begun: {phase.title}"


def pause(desk: Desk, statement: Statement) -> str:
    """PAUSE [reason]."""
    game = desk.need_gm()
    _done(lambda: lifecycle.pause(desk.session, desk.office, game, actor="gm", why=statement.argument))
    record(desk, game, "pause", why=statement.argument)
    return "paused; no deadline runs until RESUME"


def resume(desk: Desk, _statement: Statement) -> str:
    """RESUME after PAUSE, or after a fault was mended."""
    game = desk.need_gm()
    phase = _done(lambda: lifecycle.resume(desk.session, desk.office, game, actor="gm"))
    record(desk, game, "resume")
    return f"resumed; {_due(desk, game)}" if phase.due_at else "resumed; the calendar gives no deadline"


def extend(desk: Desk, statement: Statement) -> str:
    """EXTEND 48h: push the deadline back. A player may, as far as the house rules let him, once a phase."""
    game = desk.need_game()
    phase = desk.need_phase()
    try:
        span = parse_span(statement.argument)
    except CalendarError as wrong:
        raise Refusal(str(wrong), "EXTEND 48h") from None
    if phase.due_at is None:
        raise Refusal("No deadline runs.", "DEADLINE 4 Dec 20:00")
    actor, cause = "gm", f"extended by the GM by {statement.argument.strip()}"
    if not desk.gm:
        not_stale(desk, game, phase)
        actor, cause = _player_extends(desk, game, span, phase.id)
    due = phase.due_at + span
    _done(lambda: lifecycle.move_deadline(desk.session, desk.office, game, due, actor=actor, cause=cause))
    if desk.gm:
        record(desk, game, "extend", by=statement.argument)
    return f"extended; {_due(desk, game)}"


def _player_extends(desk: Desk, game: Game, span: timedelta, phase_id: int) -> tuple[str, str]:
    _game, power = desk.need_power()
    limit = settings_of(game.settings).extend_hours_max
    if not limit:
        raise Refusal("In this game only the GM moves deadlines.", "PRESS TO GM")
    if span > timedelta(hours=limit):
        raise Refusal(f"A player may extend by {limit} hours at most.", f"EXTEND {limit}h")
    if not once(desk.session, desk.office, f"extended.{phase_id}.{power}"):
        raise Refusal("You have extended this phase once already.")
    return power, f"extended by {power_name(game, power)}"


def deadline(desk: Desk, statement: Statement) -> str:
    """DEADLINE 2026-12-04 20:00: set it."""
    game = desk.need_gm()
    rules = settings_of(game.settings)
    try:
        due = parse_when(statement.argument, zone=rules.zone, now=desk.office.now())
    except CalendarError as wrong:
        raise Refusal(str(wrong), "DEADLINE 4 Dec 20:00") from None
    _done(
        lambda: lifecycle.move_deadline(
            desk.session, desk.office, game, due, actor="gm", cause="set by the GM"
        )
    )
    record(desk, game, "deadline", to=due.isoformat())
    return f"read as {in_zone(due, rules.zone)}; {_due(desk, game)}"


def process(desk: Desk, statement: Statement) -> str:
    """PROCESS [phase]: run the open phase now, whoever is late.

    A phase without a single order has to be named: so a PROCESS that was sent twice does not run two phases.
    """
    game = desk.need_gm()
    if game.status == "forming":
        raise Refusal("The game has not begun.", "START")
    phase = desk.need_phase()
    named = statement.argument.strip().lower()
    if named not in ("", "now", phase.name.lower(), phase.title.lower()):
        raise Refusal(f"{phase.title} is open, not {statement.argument.strip()!r}.", f"PROCESS {phase.name}")
    if named in ("", "now") and owing(desk.session, game, phase) and not counting(desk.session, game, phase):
        raise Refusal(
            f"Nobody has ordered yet in {phase.title}. If it is to run all the same, name it.",
            f"PROCESS {phase.name}",
        )
    game.status = "running"
    run_phase(desk.session, desk.office, game, phase, cause="the GM's word")
    record(desk, game, "process", phase=phase.name)
    return f"{phase.title} has been run; the reports are out"


def preview(desk: Desk, _statement: Statement) -> str:
    """PREVIEW: what PROCESS would give now, to the GM alone."""
    game, phase = desk.need_gm(), desk.need_phase()
    desk.answers.extend(preview_sections(desk.session, game, phase))
    record(desk, game, "preview", phase=phase.name)
    return "the preview is below; nobody else sees it and nothing was run"


def replace(desk: Desk, statement: Statement) -> str:
    """REPLACE power WITH address AS name."""
    game = desk.need_gm()
    match = _REPLACE.match(statement.argument)
    email = canonical_address(match["email"]) if match else None
    if match is None or email is None:
        raise Refusal(
            "REPLACE needs a power and the newcomer's address.", "REPLACE Austria WITH ann@example.org AS Ann"
        )
    powers = powers_named(game, match["power"])
    if len(powers) != 1:
        raise Refusal("REPLACE takes one power.")
    newcomer = player_by_email(desk.session, email)
    if newcomer is None:
        newcomer = new_player(desk, email, clean_name(match["name"] or email.split("@")[0]), active=True)
    elif match["name"] and not newcomer.name:  # whoever has a name keeps it: it is his in other games too
        newcomer.name = clean_name(match["name"])
    address = desk.session.scalars(select(Address).where(Address.email == email)).one()
    if address.state == "unconfirmed":
        address.state = "active"
    who = newcomer
    _done(lambda: lifecycle.replace_player(desk.session, desk.office, game, powers[0], who, why="replaced"))
    record(desk, game, "replace", power=powers[0], player=who.id)
    return f"{who.name} plays {power_name(game, powers[0])} from now on"


def roll_back(desk: Desk, statement: Statement) -> str:
    """ROLLBACK TO phase [BECAUSE reason]."""
    game = desk.need_gm()
    match = _ROLLBACK.match(statement.argument)
    if match is None:
        raise Refusal("ROLLBACK needs the name of a phase.", "ROLLBACK TO S1901M BECAUSE ...")
    phase = _done(
        lambda: rollback.roll_back(
            desk.session,
            desk.office,
            game,
            match["phase"],
            actor=f"gm {desk.need_person().id}",
            why=match["why"] or "",
        )
    )
    return f"back to {phase.title}; its orders are on file again, {_due(desk, game)}"


def rules(desk: Desk, _statement: Statement) -> str:
    """RULES: the game's house rules."""
    game = desk.need_game()
    mine = settings_of(game.settings).as_json()
    desk.answer("House rules of the server", [f"{name} = {_word(value)}" for name, value in mine.items()])
    meta = ruleset(game.ruleset).meta
    if meta.options:
        desk.answer(
            f"House rules of {meta.title}",
            [f"{o.name} = {_word(game.options[o.name])}: {o.help}" for o in meta.options],
        )
    return "the house rules are below"


def set_rule(desk: Desk, statement: Statement) -> str:
    """SET rule = value: of the game, or of the campaign where no game is spoken of."""
    if clubbing.sets_campaign_rule(desk, statement):
        return clubbing.set_rule(desk, statement)
    game = desk.need_gm()
    match = _SET.match(statement.argument)
    if match is None:
        raise Refusal("SET needs a house rule and a value.", "SET press = public")
    name, value = match["name"].lower(), match["value"].strip()
    options = {o.name: o for o in ruleset(game.ruleset).meta.options}
    if name in options:
        return _set_option(desk, game, name, value)
    try:
        changed = settings_of(game.settings).changed(name, value)
    except UnknownRule as wrong:
        raise Refusal(str(wrong), f"SET {wrong.near} = {value}") from None
    except SettingError as wrong:
        raise Refusal(str(wrong), "RULES") from None
    game.settings = changed.as_json()
    record(desk, game, "set", rule=name, value=value)
    phase = open_phase(desk.session, game)
    if phase is not None and name in CALENDAR_RULES and game.status == "running":
        due = changed.parsed_calendar().next_deadline(
            phase.kind, opened_at=desk.office.now(), last_due=None, notice=changed.notice()
        )
        set_deadline(
            desk.session,
            game,
            phase,
            due,
            cause=f"new calendar: {calendar_text(changed)}",
            actor="gm",
            now=desk.office.now(),
        )
    if phase is not None:
        phase.grace_until = grace_after(game, phase.due_at)
        note_early(desk.session, game, phase, desk.office.now())
    if game.status != "forming":
        tell_all(
            desk.session,
            desk.office,
            game,
            subject=f"{game.title}: a house rule has changed",
            paragraphs=(f"The GM has set {name} to {value}.",),
            key=f"set.{serial(desk.session, desk.office, game, 'set')}",
            calendar=name in CALENDAR_RULES,
        )
    return f"house rule {name} is {value}"


def _set_option(desk: Desk, game: Game, name: str, value: str) -> str:
    if game.status != "forming":
        raise Refusal(f"{name} is part of the rules of play; it can't change once the game has begun.")
    option = next(o for o in ruleset(game.ruleset).meta.options if o.name == name)
    parsed: bool | int | str = value
    if isinstance(option.default, bool):
        parsed = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}.get(
            value.lower(), value
        )
    elif isinstance(option.default, int) and value.isdigit():
        parsed = int(value)
    try:
        game.options = check_options(ruleset(game.ruleset).meta, {**game.options, name: parsed})
    except OptionError as wrong:
        raise Refusal(str(wrong), "RULES") from None
    record(desk, game, "set option", rule=name, value=value)
    return f"house rule {name} is {_word(game.options[name])}"


def end(desk: Desk, statement: Statement) -> str:
    """END DRAW powers | END WIN power | END ABANDONED."""
    game = desk.need_gm()
    if game.status == "finished":
        raise Refusal(f"{game.slug} is over already")
    match = _END.match(statement.argument)
    if match is None:
        raise Refusal("END needs to say how.", "END DRAW Austria, France")
    powers = powers_named(game, match["powers"]) if match["powers"].strip() else []
    names = ", ".join(power_name(game, p) for p in powers)
    word = match["kind"].lower()
    if word.startswith("abandon"):
        text = "The GM has called the game off."
    elif not powers:
        raise Refusal("END needs the names of the powers.", f"END {word.upper()} Austria")
    else:
        text = (
            f"The GM has declared a draw between {names}."
            if word == "draw"
            else f"{names} wins, the GM declares."
        )
    end_game(desk.session, desk.office, game, winners=powers, text=text, how="gm")
    record(desk, game, "end", text=text)
    return text


def _done(act: Callable[[], T]) -> T:
    """Carry out an act; what the game cannot do becomes a refusal."""
    try:
        return act()
    except GameError as wrong:
        raise Refusal(str(wrong)) from None


def _due(desk: Desk, game: Game) -> str:
    phase = open_phase(desk.session, game)
    if phase is None or phase.due_at is None:
        return "no deadline runs"
    return f"the deadline is {in_zone(phase.due_at, desk.need_person().zone)}"


def _word(value: object) -> str:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)
