"""What a person may ask of his own data: all of it, and to be forgotten."""

from __future__ import annotations

import copy
from datetime import datetime
from typing import Any

from sqlalchemy import delete, or_, select, update
from sqlalchemy.orm import Session

from gm.store.clubtables import Absence, Contribution, Issue, Roster, SeatOffer
from gm.store.mailtables import Inbound, Outbound
from gm.store.tables import Address, Credential, Game, Player, Press, Seat, Sheet, SignUp

NAMELESS = "a former player"
REMOVED = b"From: removed\r\n\r\n(removed at the sender's request)\r\n"


class StillPlays(ValueError):
    """He holds seats in running games; the message names them."""


def data_of(session: Session, player: Player) -> dict[str, Any]:
    """Everything the server holds about a person, as JSON."""
    addresses = session.scalars(select(Address).where(Address.player_id == player.id)).all()
    emails = [a.email for a in addresses]
    return {
        "player": {
            "name": player.name,
            "zone": player.zone,
            "language": player.language,
            "password": player.password_hash is not None,
            "since": player.created_at.isoformat(),
        },
        "addresses": [
            {"email": a.email, "state": a.state, "since": a.created_at.isoformat()} for a in addresses
        ],
        "seats": [
            {"game": slug, "power": seat.power, "from": seat.joined_at.isoformat()}
            for seat, slug in session.execute(
                select(Seat, Game.slug).join(Game, Game.id == Seat.game_id).where(Seat.player_id == player.id)
            )
        ],
        "orders": [
            {"power": s.power, "version": s.version, "orders": s.orders, "at": s.received_at.isoformat()}
            for s in session.scalars(select(Sheet).where(Sheet.player_id == player.id).order_by(Sheet.id))
        ],
        "press": [
            {"audience": p.audience, "body": p.body, "at": p.sent_at.isoformat()}
            for p in session.scalars(select(Press).where(Press.player_id == player.id).order_by(Press.id))
        ],
        "letters": [
            {"kind": c.kind, "body": c.body, "at": c.sent_at.isoformat()}
            for c in session.scalars(select(Contribution).where(Contribution.player_id == player.id))
        ],
        "mails_received": [
            {"at": m.received_at.isoformat(), "bytes": len(m.raw)}
            for m in session.scalars(
                select(Inbound).where(Inbound.envelope_from.in_(emails)).order_by(Inbound.id)
            )
        ],
    }


def _take_out_of_issues(session: Session, name: str) -> None:
    """Take a name out of every published issue; those that had it are set in print anew."""

    def other(word: str) -> str:
        return NAMELESS if word == name else word

    for row in session.scalars(select(Issue).order_by(Issue.id)):
        issue = copy.deepcopy(row.content["issue"])
        issue["masthead"]["editors"] = [other(editor) for editor in issue["masthead"]["editors"]]
        if issue["editorial"]:
            issue["editorial"]["signed"] = other(issue["editorial"]["signed"])
        for letter in issue["letters"]:
            letter["name"] = other(letter["name"])
        for line in issue["standings"]:
            line["player"] = other(line["player"])
        for game in issue["games"]:
            game["standings"] = [[power, other(who), score] for power, who, score in game["standings"]]
        if issue != row.content["issue"]:
            row.content = {**row.content, "issue": issue}
            row.pdf = None


def forget(session: Session, player: Player, now: datetime) -> None:
    """Take a person out of the store: name, addresses, password, raw mails. Games keep orders and seats, nameless.

    Raises:
        StillPlays: he must resign or be replaced first.
    """
    playing = session.scalars(
        select(Game.slug)
        .join(Seat, Seat.game_id == Game.id)
        .where(Seat.player_id == player.id, Seat.left_at.is_(None), Game.status != "finished")
    ).all()
    if playing:
        raise StillPlays(
            f"{player.name} still plays in {', '.join(playing)}: he must resign or be replaced first"
        )
    emails = list(session.scalars(select(Address.email).where(Address.player_id == player.id)))
    session.execute(
        update(Inbound).where(Inbound.envelope_from.in_(emails)).values(raw=REMOVED, envelope_from="")
    )
    session.execute(
        update(Outbound)
        .where(or_(Outbound.player_id == player.id, Outbound.recipient.in_(emails)))
        .values(raw=REMOVED, recipient="", player_id=None)
    )
    for table in (Roster, SignUp, SeatOffer, Absence):
        session.execute(delete(table).where(table.player_id == player.id))
    session.execute(
        update(Absence).where(Absence.deputy_id == player.id).values(deputy_id=None, deputy_state="none")
    )
    session.execute(
        update(Credential)
        .where(Credential.player_id == player.id, Credential.revoked_at.is_(None))
        .values(revoked_at=now)
    )
    session.execute(update(Contribution).where(Contribution.player_id == player.id).values(byline=NAMELESS))
    _take_out_of_issues(session, player.name)
    session.execute(delete(Address).where(Address.player_id == player.id))
    player.name = NAMELESS
    player.password_hash = None
    player.zone = "UTC"
    session.flush()
