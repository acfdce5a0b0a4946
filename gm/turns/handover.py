"""What brings a newcomer to a seat up to date: no more than the seat itself has been told."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from gm.games import ruleset
from gm.games.api import PowerId, Section
from gm.reports.mails import PressItem
from gm.store.tables import Game, PhaseRow, Player, Press, Seat
from gm.turns.pressview import may_read
from gm.turns.record import seen
from gm.turns.reportmail import press_sender
from gm.turns.settings import settings_of
from gm.turns.sheets import latest, withdraw

PHASES = 3
"""How many of the last results are told again."""
LETTERS = 50
"""How many private messages of his predecessor a newcomer is sent at most, the newest."""


def recent_results(session: Session, game: Game, power: PowerId) -> tuple[Section, ...]:
    """The last results as a power saw them, oldest first."""
    rows = session.scalars(
        select(PhaseRow)
        .where(PhaseRow.game_id == game.id, PhaseRow.status == "done", PhaseRow.results.is_not(None))
        .order_by(PhaseRow.ordinal.desc())
        .limit(PHASES)
    ).all()
    found: list[Section] = []
    for row in reversed(rows):
        before, after, reading = seen(game, row, power)
        report = ruleset(game.ruleset).report(before, after, reading)
        found.append(Section(title=row.title, lines=(report.headline,)))
        found += [
            Section(
                title=f"{row.title}: {section.title}",
                header=section.header,
                rows=section.rows,
                lines=section.lines,
            )
            for section in report.sections
        ]
    return tuple(found)


def orders_on_file(session: Session, phase: PhaseRow, power: PowerId) -> tuple[Section, ...]:
    """The orders that a newcomer finds on file."""
    sheet = latest(session, phase, power)
    if sheet is None:
        return ()
    return (Section(title="Orders on file", lines=tuple(sheet.orders) or ("none, on purpose",)),)


def withdraw_orders(session: Session, game: Game, phase: PhaseRow, power: PowerId) -> None:
    """Take a predecessor's orders off the file, where the house rules do not hand them over."""
    if not settings_of(game.settings).standby_orders:
        withdraw(session, phase, power)


def predecessors_press(
    session: Session, game: Game, power: PowerId, seat: Seat | None
) -> tuple[PressItem, ...]:
    """Private press that a predecessor could read, where the house rules hand it over; the rule of that day counts."""
    if seat is None or not settings_of(game.settings).standby_press:
        return ()
    player = session.get_one(Player, seat.player_id)
    rows = session.scalars(
        select(Press).where(Press.game_id == game.id, Press.state == "sent").order_by(Press.id.desc())
    )
    private = [
        row
        for row in rows
        if row.audience != ["all"]
        and (row.sender == power or power in row.audience)
        and may_read(session, game, row, player, power, False)
    ]
    return tuple(
        PressItem(sender=f"{press_sender(game, row)} to {_names(game, row.audience)}", body=row.body)
        for row in reversed(private[:LETTERS])
    )


def _names(game: Game, audience: list[str]) -> str:
    names = {power.id: power.name for power in ruleset(game.ruleset).meta.powers}
    return ", ".join("the GM" if a == "gm" else names.get(a, a) for a in audience)
