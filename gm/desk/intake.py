"""One accepted mail from its raw bytes to its one answer, in one transaction."""

from __future__ import annotations

import re
from typing import Final

from sqlalchemy import bindparam, select, update
from sqlalchemy.orm import Session, defer

from gm.desk import authority
from gm.desk.carrying import carry_out
from gm.desk.commands import WORDS
from gm.desk.desk import Desk, Outcome
from gm.desk.handlers.acting import tell_owners
from gm.desk.handlers.deputising import declined
from gm.desk.language import statements
from gm.desk.receipt import send_receipt
from gm.desk.strangers import answer_unproved
from gm.mail import outbox
from gm.mail.addresses import BOUNCE, read_recipient
from gm.mail.automatic import looks_out_of_office, why_not_answer
from gm.mail.bounces import good_mail, read_bounce
from gm.mail.message import InboundMail, read_message
from gm.store.crash import crash_point
from gm.store.mailtables import Inbound
from gm.store.plainly import plainly, table
from gm.store.tables import Address, Credential, Game
from gm.turns.awaynotes import ask_if_away
from gm.turns.notices import at_most, tell_gms
from gm.turns.office import Office
from gm.turns.tokens import CHECK_PURPOSE

POINTS: Final = ("desk.read", "desk.worked", "desk.committed")
"""Crash points of a mail, in order: read, nothing done · all done, not committed · committed."""

MAX_ATTEMPTS = 3
"""A mail that fails so often is set aside for a person (Mailman's number)."""
IDLE_MAILS_PER_DAY = 10
"""Answers a day to mails of one person in which nothing could be done: he may be a machine that answers ours."""

_DECLINED = re.compile(
    r"(?:no|nope|nein|non|nee|cancel|never|it was not me|it wasn't me|that was not me|that wasn't me|not me|"
    r"i did not|i didn't|wrong person)\b",
    re.I,
)


# By table and column, not by entity: they are asked for each mail.
_INBOUND = table(Inbound)
_RAW = select(_INBOUND.c.raw).where(_INBOUND.c.id == bindparam("inbound"))
_DONE = (
    update(_INBOUND)
    .where(_INBOUND.c.id == bindparam("inbound"))
    .values(status="done", done_at=bindparam("now"), outcome=bindparam("result"))
)


def process_mail(office: Office, inbound_id: int) -> Outcome:
    """Work through one mail: effects, receipt and the mark "done" commit together.

    Raises:
        Exception: a fault; nothing has changed. `note_failure` counts it.
    """
    with office.store.reader.connect() as connection:
        raw = connection.scalar(_RAW, {"inbound": inbound_id})
    mail = read_message(raw or b"")
    crash_point("desk.read")
    with office.store.write() as session:
        row = session.get_one(Inbound, inbound_id, options=[defer(Inbound.raw)])
        if row.status != "new":
            return Outcome(False, "done before")
        outcome = _work(session, office, row, mail)
        session.flush()
        result = {"answered": outcome.answered, "why_not": outcome.why_not}
        plainly(session).execute(_DONE, {"inbound": inbound_id, "now": office.now(), "result": result})
        crash_point("desk.worked")
    crash_point("desk.committed")
    return outcome


def note_failure(office: Office, inbound_id: int, fault: str) -> bool:
    """Count a failed attempt; returns True if the mail was set aside now."""
    with office.store.write() as session:
        row = session.get_one(Inbound, inbound_id)
        row.attempts += 1
        if row.attempts < MAX_ATTEMPTS:
            return False
        row.status = "quarantined"
        row.done_at = office.now()
        row.outcome = {"answered": False, "why_not": "set aside after a fault", "fault": fault}
        return True


def tell_gms_of_quarantine(office: Office, inbound_id: int) -> None:
    """Tell the GMs of the game a set-aside mail was for that it could not be read."""
    with office.store.write() as session:
        row = session.get_one(Inbound, inbound_id)
        credential = authority.credential_in(session, office, row.recipient)
        if credential is None or credential.game_id is None:
            return
        game = session.get_one(Game, credential.game_id)
        tell_gms(
            session,
            office,
            game,
            subject=f"{game.title}: a mail could not be read",
            paragraphs=(
                f"Mail {inbound_id} from a player of this game failed {MAX_ATTEMPTS} times and was set aside. "
                "Its raw bytes are kept. Its sender got no answer.",
            ),
            key=f"quarantine.{row.identity[:16]}",
        )


def _work(session: Session, office: Office, row: Inbound, mail: InboundMail) -> Outcome:
    domains = office.our_domains or frozenset({office.domain})
    automatic = why_not_answer(mail, row.envelope_from, domains)
    recipient = read_recipient(row.recipient, domains, office.vault.key(CHECK_PURPOSE))
    if automatic is not None or row.recipient.lower().startswith(BOUNCE):
        bounce = read_bounce(session, row, office.vault.key("bounces"), office.now())
        if bounce is not None:
            return Outcome(False, f"a bounce: {bounce.kind}")
    if automatic is not None:
        ask_if_away(session, office, mail, automatic)
        return Outcome(False, str(automatic))
    if row.recipient.lower().startswith(BOUNCE):
        ask_if_away(session, office, mail, None)
    if recipient is None or recipient.kind in ("unknown", "postmaster", "bounce"):
        return Outcome(False, f"for {recipient.kind if recipient else 'another domain'}")
    desk = Desk(session=session, office=office, inbound=row, mail=mail)
    desk.learn_secrets()
    lines = statements(mail.text, WORDS)
    standing = authority.establish(desk, recipient, lines)
    if not standing.answered:
        return Outcome(False, standing.why_not)
    if standing.confirms is not None:
        return _confirmed(desk, standing.confirms)
    if desk.person is None:
        return answer_unproved(desk, lines, standing.why_not)
    if mail.sender:
        good_mail(session, mail.sender, office.now())
    desk.remarks += [note.message for note in mail.notes] + [hit.message for hit in mail.hits]
    carry_out(desk, mail.text)
    tell_owners(desk)
    if desk.done == 0:
        # Asked first: the question below is the one answer that such a note gets in a day.
        worth = _worth_an_answer(desk)
        if ask_if_away(session, office, mail, None):
            return Outcome(False, "reads like an out-of-office note: he is asked whether he is away")
        if not worth:
            return Outcome(
                False, "nothing could be done, and too often so: perhaps a machine that answers ours"
            )
    send_receipt(desk)
    return Outcome(True)


def _worth_an_answer(desk: Desk) -> bool:
    """Whether a mail in which nothing could be done is answered: so many a day, and just one that looks automatic.

    Two machines that answer each other end here, whatever headers they leave out.
    """
    day = f"idle.{desk.need_person().id}.{desk.received_at:%Y%m%d}"
    if looks_out_of_office(desk.mail) and not at_most(desk.session, desk.office, f"{day}.away", 1):
        return False
    return at_most(desk.session, desk.office, day, IDLE_MAILS_PER_DAY)


def _confirmed(desk: Desk, credential: Credential) -> Outcome:
    """Carry out what a reply to a question confirms, once. A No, or an out-of-office note, confirms nothing."""
    if looks_out_of_office(desk.mail):
        ask_if_away(desk.session, desk.office, desk.mail, None)
        return Outcome(False, "reads like an out-of-office note, which confirms nothing")
    payload = credential.payload or {}
    email = str(payload.get("email", ""))
    credential.revoked_at = desk.office.now()
    desk.session.flush()
    words = next((line.strip() for line in desk.mail.text.split("\n") if line.strip()), "")
    if _DECLINED.match(words):
        desk.remarks.append("You said no, so nothing was done, and that question is withdrawn.")
        declined(desk, str(payload.get("command", "")))
        send_receipt(desk, address=email)
        return Outcome(True)
    address = desk.session.scalar(
        select(Address).where(Address.player_id == desk.need_person().id, Address.email == email)
    )
    if address is not None and address.state != "active":
        address.state = "active"
        address.soft_bounces = 0
        desk.session.flush()
        outbox.release_recipient(desk.session, email, desk.office.now())
    carry_out(desk, str(payload.get("command", "")))
    send_receipt(desk)
    return Outcome(True)
