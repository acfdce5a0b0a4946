"""Commands that only ask: STATUS, HISTORY, RESULTS, GAMES, WHY DEADLINE, and HELP's texts of a game."""

from __future__ import annotations

from sqlalchemy import select

from gm.clock.words import for_reader, in_zone
from gm.desk.desk import Desk, Refusal
from gm.desk.handlers.signup import find_game
from gm.desk.language import Statement
from gm.games import ruleset
from gm.store.tables import Game, PhaseRow, Press
from gm.turns import reportmail
from gm.turns.deadlines import changes
from gm.turns.observing import delay_of, visible
from gm.turns.people import current_seats, power_name, waiting
from gm.turns.pressview import may_read
from gm.turns.record import seen
from gm.turns.settings import settings_of
from gm.turns.sheets import flagged, latest, open_phase, owing


def zone_of(desk: Desk) -> str:
    """The zone in which the reader is shown times."""
    return desk.person.zone if desk.person else "UTC"


def games(desk: Desk, statement: Statement) -> str:
    """GAMES: what is open and what runs. LIST and a game's name, as on other servers, is its STATUS."""
    if statement.argument and desk.person is not None:
        return status(desk, statement)
    rows = desk.session.scalars(select(Game).where(Game.status != "finished").order_by(Game.id)).all()
    lines = []
    for game in rows:
        title = ruleset(game.ruleset).meta.title
        if game.status == "forming":
            wanted = len(ruleset(game.ruleset).meta.powers)
            lines.append(
                f"{game.slug}: {title}, {len(waiting(desk.session, game))} of {wanted} players; join it"
            )
        else:
            phase = open_phase(desk.session, game)
            lines.append(f"{game.slug}: {title}, {phase.title if phase else game.status}")
    desk.answer("Games", lines or ["No game is open at present."])
    return "the games are below"


def status(desk: Desk, statement: Statement) -> str:
    """STATUS: the phase, its deadline, who plays, what the reader has on file."""
    game = find_game(desk, statement.argument) if statement.argument else desk.need_game()
    rules = settings_of(game.settings)
    lines = [f"{game.title} ({game.slug}), {ruleset(game.ruleset).meta.title}: {game.status}"]
    phase = open_phase(desk.session, game)
    if phase is not None:
        lines.append(f"Open: {phase.title}")
        if phase.due_at and game.status == "running":
            lines.append(f"Deadline: {for_reader(phase.due_at, zone_of(desk), rules.zone)}")
    if game.result:
        lines.append(game.result["text"])
    held = current_seats(desk.session, game)
    named = not rules.anonymous or game.status == "finished"
    if game.status == "forming":
        signed = waiting(desk.session, game)
        lines.append(f"{len(signed)} of {len(ruleset(game.ruleset).meta.powers)} players have signed up")
    else:
        for power in ruleset(game.ruleset).meta.powers:
            who = (
                held[power.id].name if power.id in held and named else ("" if power.id in held else "vacant")
            )
            lines.append(f"{power.name}: {who}" if who else power.name)
    if phase is not None and desk.power is not None and desk.game is game:
        sheet = latest(desk.session, phase, desk.power)
        lines.append(
            f"Your orders: version {sheet.version}, {len(sheet.orders)} on file"
            if sheet
            else "Your orders: none on file"
        )
        for flag in ("wait", "ready"):
            if desk.power in flagged(desk.session, phase, flag):
                lines.append(f"You have said {flag.upper()}")
    if phase is not None and desk.gm and desk.game is game:
        late = [power_name(game, due.power) for due in owing(desk.session, game, phase)]
        lines.append("No orders yet from: " + (", ".join(late) or "nobody"))
    desk.answer("Status", lines)
    return "the state of the game is below"


def _runs(desk: Desk, game: Game) -> list[PhaseRow]:
    rows = desk.session.scalars(
        select(PhaseRow)
        .where(PhaseRow.game_id == game.id, PhaseRow.status == "done", PhaseRow.results.is_not(None))
        .order_by(PhaseRow.ordinal)
    ).all()
    return visible(desk.session, game, rows, insider=_insider(desk))


def _insider(desk: Desk) -> bool:
    return desk.gm or desk.power is not None


def _in_time(desk: Desk, game: Game, row: Press, shown: set[int]) -> bool:
    """Whether press is of a phase that an outsider may see by now, where outsiders are behind."""
    return _insider(desk) or not delay_of(game) or row.phase_id in shown


def history(desk: Desk, _statement: Statement) -> str:
    """HISTORY: every phase that was run, and the press that the reader may read."""
    game = desk.need_game()
    lines = []
    for run in _runs(desk, game):
        before, after, reading = seen(game, run, desk.power)
        headline = ruleset(game.ruleset).report(before, after, reading).headline
        lines.append(f"{run.ordinal}. {run.title} ({run.name}): {headline}")
    desk.answer(
        "History",
        [*lines, "RESULTS and a number or name sends a phase again."] if lines else ["No phase was run yet."],
    )
    press = desk.session.scalars(select(Press).where(Press.game_id == game.id).order_by(Press.id))
    readable = [row for row in press if may_read(desk.session, game, row, desk.person, desk.power, desk.gm)]
    shown = {run.id for run in _runs(desk, game)}
    readable = [row for row in readable if _in_time(desk, game, row, shown)]
    if readable:
        lines = []
        for row in readable:
            lines.append(f"{in_zone(row.sent_at, zone_of(desk))}, {reportmail.press_sender(game, row)}:")
            lines += [f"> {line}" for line in row.body.splitlines()]
        desk.answer("Press you could read", lines)
    return "the history of the game is below"


def results(desk: Desk, statement: Statement) -> str:
    """RESULTS [n or phase name]: a report once more, as the reader would have got it."""
    game = desk.need_game()
    rows = _runs(desk, game)
    if not rows:
        raise Refusal("No phase was run yet.")
    wanted = statement.argument.strip().lower()
    row = (
        rows[-1]
        if not wanted
        else next((r for r in rows if wanted in (str(r.ordinal), r.name.lower(), r.title.lower())), None)
    )
    if row is None:
        raise Refusal(
            f"There is no phase {statement.argument.strip()!r}; there are: "
            + ", ".join(f"{r.ordinal} {r.name}" for r in rows[-8:]),
            f"RESULTS {rows[-1].ordinal}",
        )
    person = desk.need_person()
    mine = [r for r in reportmail.readers(desk.session, game) if r.player.id == person.id]
    mine.sort(key=lambda r: (r.kind == "gm") != desk.gm)
    if not mine:
        raise Refusal(f"You do not follow {game.slug}.", f"OBSERVE {game.slug}")
    reportmail.send_results(
        desk.session,
        desk.office,
        game,
        row,
        open_phase(desk.session, game),
        mine[0],
        again=f".{desk.inbound.identity[:12]}.{statement.line}",
    )
    return f"{row.title} is on its way to you again"


def why_deadline(desk: Desk, _statement: Statement) -> str:
    """WHY DEADLINE: each change of the present deadline with its cause."""
    game, phase = desk.need_game(), desk.need_phase()
    lines = [
        f"{in_zone(c.changed_at, zone_of(desk))}: "
        + (in_zone(c.new_due_at, zone_of(desk)) if c.new_due_at else "no deadline")
        + f" ({c.cause})"
        for c in changes(desk.session, game, phase)
    ]
    desk.answer(f"Deadline of {phase.title}", lines or ["No deadline was set."])
    return "why the deadline is what it is: below"
