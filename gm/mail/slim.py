"""A mail that was too big for its reader's server, once more without its pictures."""

from __future__ import annotations

import re
from datetime import datetime
from email import policy
from email.message import EmailMessage, Message
from email.parser import BytesParser

from sqlalchemy import exists, or_, select
from sqlalchemy.orm import Session

from gm.mail import outbox
from gm.store.db import Store
from gm.store.mailtables import Outbound
from gm.store.tables import Once

_TOO_BIG = re.compile(r"\b(?:552|5\.3\.4|5\.2\.3)\b")
"""RFC 1870 and RFC 3463: too big for the system, or for the mailbox. A mailbox that is full says 5.2.2."""
_FULL = re.compile(r"\b5\.2\.2\b|quota|mailbox (?:is )?full", re.IGNORECASE)
ONCE = "smaller."
"""Head of the key of `Once` that says that a mail was dealt with."""
_IMAGE = re.compile(r"<img\b[^>]*\bcid:[^>]*>", re.IGNORECASE)
_LANGUAGE = re.compile(r"<html lang=\"(\w+)\"")
_LEFT_OUT = {
    "en": "(The map was too big for your mailbox and was left out.)",
    "de": "(Die Karte war zu groß für dein Postfach und wurde weggelassen.)",
}
"""By the language of the mail, which is finished when this is put into it."""


def too_big(reply: str | None) -> bool:
    """Whether a relay's last words say that the mail itself was too big."""
    return bool(reply and _TOO_BIG.search(reply) and not _FULL.search(reply))


def without_pictures(raw: bytes, message_id: str) -> bytes | None:
    """The mail without its inline pictures, under another Message-ID; None if it has none."""
    mail = BytesParser(_class=EmailMessage, policy=policy.SMTP).parsebytes(raw)
    found = False
    for part in mail.walk():
        if part.get_content_type() != "multipart/related":
            continue
        kept: list[Message | str] = [
            inner for inner in part.iter_parts() if inner.get_content_maintype() != "image"
        ]
        found = found or len(kept) < len(list(part.iter_parts()))
        part.set_payload(kept)
        for inner in kept:
            if isinstance(inner, EmailMessage) and inner.get_content_type() == "text/html":
                page = inner.get_content()
                language = _LANGUAGE.search(page)
                note = _LEFT_OUT.get(language[1] if language else "en", _LEFT_OUT["en"])
                inner.set_content(_IMAGE.sub(f"<p>{note}</p>", page), subtype="html")
    if not found:
        return None
    mail.replace_header("Message-ID", message_id)
    return mail.as_bytes()


def send_smaller(store: Store, *, domain: str, key: bytes, now: datetime) -> int:
    """Queue every mail that was refused for its size once more, once, without its pictures. Returns how many.

    As long as there is none, nothing is written, and no writer waits.
    """
    with store.read() as session:
        found = _refused(session)
    if not found:
        return 0
    with store.write() as session:
        return sum(_once_more(session, number, domain, key, now) for number in found)


def _refused(session: Session) -> list[int]:
    """Mails that were too big and were not dealt with yet."""
    rows = session.execute(
        select(Outbound.id, Outbound.reply)
        .where(
            Outbound.status.in_(("failed", "bounced")),
            or_(*(Outbound.reply.contains(code) for code in ("552", "5.3.4", "5.2.3"))),
            ~exists().where(Once.key == ONCE + Outbound.verp),
        )
        .order_by(Outbound.id)
    )
    return [row.id for row in rows if too_big(row.reply)]


def _once_more(session: Session, number: int, domain: str, key: bytes, now: datetime) -> bool:
    """Queue one mail without its pictures, unless that was done or it has none."""
    row = session.get_one(Outbound, number)
    if session.get(Once, ONCE + row.verp) is not None:
        return False
    session.add(Once(key=ONCE + row.verp, at=now))
    message_id = f"<{row.verp}.smaller@{domain}>"
    raw = without_pictures(row.raw, message_id)
    if raw is None:
        return False
    outbox.enqueue(
        session,
        message_id=message_id,
        kind=row.kind,
        recipient=row.recipient,
        raw=raw,
        now=now,
        key=key,
        game_id=row.game_id,
        phase_id=row.phase_id,
        player_id=row.player_id,
        power=row.power,
        inbound_id=row.inbound_id,
    )
    return True
