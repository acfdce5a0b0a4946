"""Mail of a game on its way out, for its GM: DELIVERY, RESEND TO."""

from __future__ import annotations

import re

from sqlalchemy import select

from gm.clock.words import in_zone
from gm.desk.desk import Desk, Refusal
from gm.desk.handlers.gmpowers import note
from gm.desk.handlers.signup import powers_named
from gm.desk.language import Statement
from gm.games.api import Section
from gm.store.mailtables import Outbound
from gm.store.tables import Game, PhaseRow
from gm.turns import reportmail
from gm.turns.people import power_name
from gm.turns.settings import settings_of
from gm.turns.sheets import open_phase

LAST = 3
"""Mails of each recipient that are shown."""
_ADDRESS = re.compile(r"[^\s<>()\[\],;:\"]+@[^\s<>()\[\],;:\"]+")


def delivery(desk: Desk, _statement: Statement) -> str:
    """DELIVERY: the last mails of the game to each reader, and what became of them.

    A GM sees the addresses of his players, who gave them to sign up for his game; not in an anonymous game that is
    not over, where he may not want to know more than he must.
    """
    game = desk.need_gm()
    hidden = settings_of(game.settings).anonymous and game.status != "finished"
    for reader in reportmail.readers(desk.session, game):
        rows = desk.session.scalars(
            select(Outbound)
            .where(
                Outbound.game_id == game.id,
                Outbound.player_id == reader.player.id,
                Outbound.power == reader.power,
            )
            .order_by(Outbound.id.desc())
            .limit(LAST)
        ).all()
        lines = [_told(desk, row, hidden) for row in rows]
        who = reader.title if hidden or not reader.player.name else f"{reader.title} ({reader.player.name})"
        desk.answers.append(Section(title=who, lines=tuple(lines) or ("no mail yet",), private=True))
    held = desk.session.scalars(
        select(Outbound.id).where(
            Outbound.game_id == game.id, Outbound.status == "held", Outbound.held_why == "breaker"
        )
    ).all()
    waiting = f"; {len(held)} mails wait for RELEASE MAIL" if held else ""
    return f"what became of the mail of {game.slug} is below{waiting}"


def _told(desk: Desk, row: Outbound, hidden: bool) -> str:
    zone = desk.need_person().zone
    at = in_zone(row.sent_at or row.queued_at, zone)
    state = f"held ({row.held_why})" if row.status == "held" and row.held_why else row.status
    bad = "! " if row.status in ("failed", "bounced", "held") else ""
    where = masked(row.recipient) if hidden else row.recipient
    words = (
        f": {_ADDRESS.sub(lambda m: masked(m[0]), row.reply) if hidden else row.reply}" if row.reply else ""
    )
    return f"{bad}{row.kind}, {state}, {at}, to {where}{words}"


def masked(address: str) -> str:
    """An address of which only the first letters of its two halves can be read."""
    local, _, domain = address.strip("<>").rpartition("@")
    return f"{local[:1]}***@{domain[:1]}***"


def resend(desk: Desk, statement: Statement) -> str:
    """RESEND TO power: the last report once more, or the opening mail."""
    game = desk.need_gm()
    powers = powers_named(game, re.sub(r"^to\s+", "", statement.argument.strip(), flags=re.I))
    if not powers:
        raise Refusal("RESEND TO needs a power.", "RESEND TO Austria")
    phase = desk.session.scalar(
        select(PhaseRow)
        .where(PhaseRow.game_id == game.id, PhaseRow.status == "done")
        .order_by(PhaseRow.ordinal.desc())
        .limit(1)
    )
    if phase is None:
        raise Refusal("No phase was run yet, so there is no report.")
    return "; ".join(_again(desk, game, phase, statement, power) for power in powers)


def _again(desk: Desk, game: Game, phase: PhaseRow, statement: Statement, power: str) -> str:
    reader = next((r for r in reportmail.readers(desk.session, game) if r.power == power), None)
    name = power_name(game, power)
    if reader is None:
        raise Refusal(f"Nobody plays {name} at present.")
    reportmail.send_results(
        desk.session,
        desk.office,
        game,
        phase,
        open_phase(desk.session, game),
        reader,
        again=f".{desk.inbound.identity[:12]}.{statement.line}",
    )
    note(desk, game, "resend", power=power, phase=phase.name)
    return f"{phase.title} is on its way to {name} again"
