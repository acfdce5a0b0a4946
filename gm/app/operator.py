"""`gm do`: the commands of mails on the command line. The same desk carries them out and answers with the same receipt.

Whoever has the command line runs the server: he is a GM of every game and campaign. What he does is on record under
the name `OPERATOR`, like the acts of any GM.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from gm.desk.authority import enter_game
from gm.desk.carrying import carry_out
from gm.desk.desk import Desk
from gm.desk.handlers.acting import tell_owners
from gm.desk.handlers.clubbing import enter_campaign, find_campaign
from gm.desk.handlers.signup import find_game
from gm.desk.receipt import receipt_of
from gm.mail.message import read_message
from gm.reports.render import render
from gm.store.mailtables import Inbound
from gm.store.tables import Player, ServerFact
from gm.turns.office import Office

OPERATOR = "Operator"
_FACT = "operator"


@dataclass(frozen=True)
class Done:
    """What came of it."""

    text: str
    """The receipt."""
    whole: bool
    """Whether every line was carried out."""


def do(office: Office, lines: Sequence[str], *, game: str = "", campaign: str = "") -> Done:
    """Carry out lines as a mail of the operator's would be, in one transaction.

    Raises:
        gm.desk.desk.Refusal: there is no such game or campaign; nothing was done.
    """
    text = "\n".join(lines)
    with office.store.write() as session:
        desk = _desk(session, office, text)
        if campaign:
            enter_campaign(desk, find_campaign(desk, campaign))
        if game:
            enter_game(desk, find_game(desk, game))
        desk.learn_secrets()
        carry_out(desk, text)
        tell_owners(desk)
        session.flush()
        shown = render(receipt_of(desk), templates=office.templates).text
        return Done(text=shown, whole=not any(line.problem for line in desk.transcript))


def _desk(session: Session, office: Office, text: str) -> Desk:
    """A desk at which the operator speaks. What he says is kept as mail is, so that what it did can be traced to it."""
    now = office.now()
    raw = f"From: {OPERATOR}\r\nDate: {now:%a, %d %b %Y %H:%M:%S +0000}\r\n\r\n".encode()
    raw += text.replace("\n", "\r\n").encode() + b"\r\n"
    count = session.scalar(select(func.count()).select_from(Inbound).where(Inbound.via == "cli"))
    row = Inbound(
        identity=hashlib.sha256(raw + f"{now.isoformat()} {count}".encode()).hexdigest(),
        raw=raw,
        sha256=hashlib.sha256(raw).hexdigest(),
        envelope_from="",
        recipient=office.desk_address,
        peer="",
        via="cli",
        received_at=now,
        status="done",
        outcome={"answered": True, "why_not": ""},
        done_at=now,
    )
    session.add(row)
    session.flush()
    return Desk(
        session=session,
        office=office,
        inbound=row,
        mail=read_message(raw),
        person=_person(session, office),
        scope="gm",
        operator=True,
    )


def _person(session: Session, office: Office) -> Player:
    """The operator as a person without an address: nothing is ever mailed to him."""
    fact = session.get(ServerFact, _FACT)
    if fact is not None:
        return session.get_one(Player, fact.value["player"])
    player = Player(name=OPERATOR, created_at=office.now())
    session.add(player)
    session.flush()
    session.add(ServerFact(name=_FACT, value={"player": player.id}))
    return player
