"""Order lines, SHOW, CLEAR, NO ORDERS, WAIT and READY: what a power says of the open phase."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from gm.clock.words import in_zone
from gm.desk.desk import Desk, Refusal
from gm.desk.language import Statement
from gm.games import ruleset
from gm.games.api import PowerId, Problem
from gm.mail.message import read_message
from gm.reports.mails import SheetBox
from gm.store.mailtables import Inbound
from gm.store.tables import Game, PhaseRow, Sheet
from gm.turns.early import note_early
from gm.turns.heartbeat import watched
from gm.turns.people import power_name
from gm.turns.settings import settings_of
from gm.turns.sheets import add_version, latest, open_phase, set_flag

KEPT = frozenset({"illegal", "misorder", "warning"})
"""Kinds of problem with which an order still goes on file."""


def writable(desk: Desk) -> tuple[Game, PowerId, PhaseRow]:
    """The sheet that this mail may write on. Raises Refusal: stale, too late, no seat, nothing to order."""
    game, power = desk.need_power()
    phase = desk.need_phase()
    not_stale(desk, game, phase)
    if game.status not in ("running", "paused"):
        raise Refusal(f"{game.title} is {game.status}; orders can't be taken.")
    if not any(due.power == power for due in ruleset(game.ruleset).dues(phase.state)):
        raise Refusal(f"{power_name(game, power)} has nothing to order in {phase.title}.")
    _in_time(desk, game, phase)
    return game, power, phase


def not_stale(desk: Desk, game: Game, phase: PhaseRow) -> None:
    """Raises Refusal if the mail answers one about another phase than the open one."""
    if stale := desk.stale.get(game.id):
        raise Refusal(f"{stale} {phase.title} is open now.", "Reply to the newest mail of the game.")


def _in_time(desk: Desk, game: Game, phase: PhaseRow) -> None:
    """Raises Refusal if the mail was accepted after the last moment at which orders count."""
    last = last_moment(phase)
    if desk.gm or last is None or desk.received_at <= last or settings_of(game.settings).nmr == "wait":
        return
    if not watched(desk.session, desk.received_at):
        return  # an outage or a clock in doubt: the deadline is about to be moved
    zone = desk.need_person().zone
    raise Refusal(
        f"Too late: your mail came {in_zone(desk.received_at, zone)}, the deadline of {phase.title} was "
        f"{in_zone(last, zone)}. The sheet on file runs."
    )


def last_moment(phase: PhaseRow) -> datetime | None:
    """Until when orders count: the deadline, or the end of the grace."""
    return phase.grace_until or phase.due_at


def take_orders(desk: Desk, text: str, statements: Sequence[Statement], near: Callable[[str], str]) -> int:
    """Read a run of order lines and put them on file. Returns how many lines were not understood.

    Args:
        text: the mail's lines at their own numbers, everything else blank.
        near: the command that a line is most like, for lines that are no orders.

    Raises:
        Refusal: no order can be taken.
    """
    game, power, phase = writable(desk)
    rules = ruleset(game.ruleset)
    parsed = rules.parse(phase.state, power, text)
    desk.show_sheet(game, power)
    if parsed.orders:
        before = latest(desk.session, phase, power)
        merged = rules.merge(phase.state, power, before.orders if before else (), parsed.orders)
        file_sheet(desk, game, power, phase, merged)
    wrong: dict[int, list[Problem]] = {}
    for problem in parsed.problems:
        wrong.setdefault(problem.line, []).append(problem)
    unread = 0
    for statement in statements:
        problems = wrong.pop(statement.line, [])
        if not problems:
            desk.did(statement, "taken")
            continue
        lost = any(p.kind in ("unreadable", "ambiguous") for p in problems)
        unread += lost
        desk.done += any(p.kind in KEPT for p in problems)
        hint = next((p.suggestion for p in problems if p.suggestion), "")
        desk.refuse(
            statement, " ".join(_worded(p) for p in problems), hint or (near(statement.text) if lost else "")
        )
    desk.remarks += [_worded(p) for problems in wrong.values() for p in problems]
    return unread


def _worded(problem: Problem) -> str:
    rule = f" [{problem.rule}]" if problem.rule else ""
    kept = " It stays on your sheet." if problem.kind in ("illegal", "misorder") else ""
    return f"{problem.message}{rule}{kept}"


def file_sheet(desk: Desk, game: Game, power: PowerId, phase: PhaseRow, orders: Sequence[str]) -> None:
    """Put a new version of a sheet on file, unless it says what the last one says."""
    before = latest(desk.session, phase, power)
    if before is not None and list(before.orders) == list(orders):
        return
    if before is not None:
        _note_straggler(desk, before)
    add_version(
        desk.session,
        phase,
        power,
        orders,
        player_id=desk.need_person().id,
        source="gm" if desk.gm else "deputy" if desk.deputy else "player",
        inbound_id=desk.inbound.id,
        received_at=desk.received_at,
    )
    desk.acts("orders")
    note_early(desk.session, game, phase, desk.office.now())


def _note_straggler(desk: Desk, before: Sheet) -> None:
    """Say so if this mail was written before the one that made the present version, but came after it."""
    written = desk.mail.date
    if written is None or before.inbound_id in (None, desk.inbound.id) or written >= before.received_at:
        return
    earlier = read_message(desk.session.get_one(Inbound, before.inbound_id).raw).date
    if earlier is not None and written < earlier:
        zone = desk.need_person().zone
        desk.remarks.append(
            f"This mail is dated {in_zone(written, zone)}, before the one that made version {before.version}, but came "
            "after it. What came last counts. If that is not what you want, send the right orders again."
        )


def show(desk: Desk, _statement: Statement) -> str:
    """SHOW: the sheet on file."""
    game, power = desk.need_power()
    desk.need_phase()
    desk.show_sheet(game, power)
    return "your sheet is below"


def clear(desk: Desk, _statement: Statement) -> str:
    """CLEAR: take all orders back."""
    game, power, phase = writable(desk)
    file_sheet(desk, game, power, phase, ())
    set_flag(desk.session, phase, power, "ready", False, desk.office.now())
    note_early(desk.session, game, phase, desk.office.now())
    desk.show_sheet(game, power)
    return "all your orders for this phase are taken back"


def no_orders(desk: Desk, _statement: Statement) -> str:
    """NO ORDERS: an empty sheet on purpose; he is not late."""
    game, power, phase = writable(desk)
    file_sheet(desk, game, power, phase, ())
    set_flag(desk.session, phase, power, "ready", True, desk.office.now())
    note_early(desk.session, game, phase, desk.office.now())
    desk.show_sheet(game, power)
    return "you give no orders in this phase; that counts as orders received"


def wait(desk: Desk, _statement: Statement) -> str:
    """WAIT: the phase does not run before its deadline."""
    return _flag(desk, "wait", True, "the phase will not run before its deadline")


def no_wait(desk: Desk, _statement: Statement) -> str:
    """NO WAIT: take WAIT back."""
    return _flag(desk, "wait", False, "for you the phase may run before its deadline")


def ready(desk: Desk, _statement: Statement) -> str:
    """READY: run without waiting for more orders of mine."""
    _game, power, phase = writable(desk)
    if latest(desk.session, phase, power) is None:
        raise Refusal("You have no orders on file yet.", "NO ORDERS")
    return _flag(desk, "ready", True, "nobody needs to wait for more orders of yours")


def not_ready(desk: Desk, _statement: Statement) -> str:
    """NOT READY: take READY back."""
    return _flag(
        desk, "ready", False, "the phase waits until all your units have orders, or for its deadline"
    )


def _flag(desk: Desk, name: str, on: bool, reading: str) -> str:
    game, power = desk.need_power()
    phase = desk.need_phase()
    not_stale(desk, game, phase)
    set_flag(desk.session, phase, power, name, on, desk.office.now())
    note_early(desk.session, game, phase, desk.office.now())
    return reading


def sheet_box(desk: Desk, game: Game, power: PowerId) -> SheetBox | None:
    """A power's sheet as the receipt shows it; None if no phase is open."""
    phase = open_phase(desk.session, game)
    if phase is None:
        return None
    rules = ruleset(game.ruleset)
    sheet = latest(desk.session, phase, power)
    orders = tuple(sheet.orders) if sheet else ()
    review = rules.review(phase.state, power, orders)
    return SheetBox(
        version=sheet.version if sheet else 0,
        orders=orders,
        missing=review.missing,
        problems=review.problems,
        notes=review.notes,
        will_run=_will_run(sheet is not None, review.missing, phase),
    )


def _will_run(filed: bool, missing: Sequence[str], phase: PhaseRow) -> str:
    when = "at the deadline" if phase.due_at else "when the phase is run"
    if not filed:
        return f"If nothing comes from you, {phase.title} runs {when} without orders of yours."
    if missing:
        return (
            f"If nothing else comes, these orders run {when}; what has no order is dealt with by the rules."
        )
    return f"If nothing else comes, these orders run {when}."
