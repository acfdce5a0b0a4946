"""Press on its way: let go at once, held for a GM, kept for the results, or for an hour that its writer named.

A message is mailed in the transaction that marks it as sent, so it goes out once, whatever happens in between.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Select, and_, func, or_, select
from sqlalchemy.orm import Session

from gm.games.api import Section, canonical
from gm.reports.mails import PressMail
from gm.store.tables import Game, PhaseRow, Press
from gm.turns import reportmail
from gm.turns.notices import serial, tell_reader
from gm.turns.office import Office
from gm.turns.people import power_name
from gm.turns.post import post
from gm.turns.settings import settings_of
from gm.turns.sheets import open_phase
from gm.turns.tokens import reply_address


def named(game: Game, audience: Sequence[str]) -> str:
    """An audience in words."""
    if list(audience) == ["all"]:
        return "all"
    return ", ".join("the GM" if a == "gm" else power_name(game, a) for a in audience)


def place(session: Session, office: Office, game: Game, row: Press, *, approved: bool = False) -> None:
    """Do with a message of a player or GM what the house rules ask for: hold it, keep it, or mail it.

    Args:
        approved: a GM has let it go.
    """
    rules = settings_of(game.settings)
    free = row.sender == "gm" or row.audience == ["gm"]
    postal = rules.press_delivery == "postal" and not free and row.deliver_at is None
    row.number = None
    if rules.press == "moderated" and not free and not approved:
        _ask_gms(session, office, game, row)
    elif (row.deliver_at is not None and row.deliver_at > office.now()) or (
        postal and game.status != "finished"
    ):
        row.state = "waiting"
    else:
        relay(session, office, game, row)
    session.flush()


def _ask_gms(session: Session, office: Office, game: Game, row: Press) -> None:
    """Show a message to the GMs, under a number by which they let it go or refuse it."""
    row.state, row.number = "held", serial(session, office, game, "moderated")
    who = f"Press from {reportmail.press_sender(game, row)} to {named(game, row.audience)}"
    for reader in reportmail.readers(session, game):
        if reader.kind == "gm":
            tell_reader(
                session,
                office,
                game,
                reader,
                subject=f"{game.title}: press to approve, no. {row.number}",
                paragraphs=(
                    f"It is held until you reply RELEASE {row.number}, or REFUSE {row.number} BECAUSE and the reason.",
                ),
                sections=(Section(title=who, lines=tuple(row.body.splitlines())),),
                key=f"moderate.{row.number}",
            )


def relay(session: Session, office: Office, game: Game, row: Press) -> None:
    """Mail a message to each of its readers but its writer, and mark it as sent now.

    Who holds a power at this moment is its reader for ever.
    """
    phase = open_phase(session, game)
    if row.state != "sent":
        row.state, row.number, row.sent_at = "sent", None, office.now()
        row.phase_id = phase.id if phase else row.phase_id
    session.flush()
    everybody = row.audience == ["all"]
    delayed = settings_of(game.settings).observer_delay > 0
    for reader in reportmail.readers(session, game):
        role = reader.power or ("gm" if reader.kind == "gm" else "")
        if reader.player.id == row.player_id or not (everybody or role in row.audience):
            continue
        if reader.scope == "orders" and not everybody:
            continue  # a deputy who orders only
        if delayed and reader.title == "observer":
            continue  # it stands in the report that he gets when the others have moved on
        _mail(session, office, game, phase, row, reader)


def _mail(
    session: Session,
    office: Office,
    game: Game,
    phase: PhaseRow | None,
    row: Press,
    reader: reportmail.Reader,
) -> None:
    mail = PressMail(
        masthead=reportmail.masthead(office, game, phase.title if phase else "", reader.title),
        sender=reportmail.press_sender(game, row),
        recipients=named(game, row.audience),
        body=row.body,
        footer=reportmail.footer(game, phase, reader),
    )
    post(
        session,
        office,
        mail,
        to=reader.player,
        kind="press",
        key=f"{_key(session, office, game, row)}.{reader.title.lower()}",
        game=game,
        phase=phase,
        power=reader.power,
        reply_to=reply_address(
            session, office, reader.kind, reader.player, game=game, power=reader.power, phase=phase
        ),
    )


def _key(session: Session, office: Office, game: Game, row: Press) -> str:
    """What tells one message from all others, made from nothing but what its readers are told of it.

    Not from the mail that it came in: two messages of one mail, one of them unsigned, must not look related.
    """
    white = Press.sender == row.sender if row.kind == "white" else Press.kind == row.kind
    alike = session.scalar(
        select(func.count())
        .select_from(Press)
        .where(
            Press.game_id == game.id,
            Press.kind == row.kind,
            Press.body == row.body,
            Press.audience == row.audience,
            Press.id <= row.id,
            white,
        )
    )
    told = [row.kind, row.sender if row.kind == "white" else "", row.audience, row.body, alike]
    secret = office.vault.key("message id")
    return hmac.digest(secret, canonical([game.slug, *told]), "sha256").hex()[:16]


def deliver_with_results(session: Session, office: Office, game: Game, phase: PhaseRow) -> None:
    """Deliver postal press with the results of a phase. What was for all is printed in the report, and not mailed."""
    rows = session.scalars(
        select(Press)
        .where(Press.game_id == game.id, Press.state == "waiting", Press.deliver_at.is_(None))
        .order_by(Press.id)
    ).all()
    for row in rows:
        if row.audience == ["all"]:
            row.state, row.sent_at = "sent", office.now()
        else:
            relay(session, office, game, row)
        row.phase_id = phase.id
    session.flush()


def look_at_press(office: Office) -> int:
    """Mail what was written for an hour that has come, and postal press of games that ended without a further
    result. One transaction a message; returns how many there were."""
    now = office.now()
    with office.store.read() as session:
        due = session.scalars(_due(now)).all()
    sent = 0
    for press_id in due:
        with office.store.write() as session:
            row = session.scalar(_due(now, press_id))
            if row is not None:
                press = session.get_one(Press, row)
                place(session, office, session.get_one(Game, press.game_id), press, approved=True)
                sent += press.state == "sent"
    return sent


def _due(now: datetime, press_id: int | None = None) -> Select[int]:
    asked = select(Press.id).join(Game, Game.id == Press.game_id).where(Press.state == "waiting")
    time = or_(Press.deliver_at <= now, and_(Press.deliver_at.is_(None), Game.status == "finished"))
    asked = asked.where(time).order_by(Press.id)
    return asked if press_id is None else asked.where(Press.id == press_id)
