"""Bounces: which mail came back, and what that says of the address.

An address is counted down by soft bounces and suspended at the fifth, or by one hard bounce at once; a good mail
from its owner clears it. Mail of a suspended address goes to his next one, or is held. A mail that was too big says
nothing of the address: `gm.mail.slim` sends it once more without its pictures.

What is believed: a report to the bounce address of one of our mails (VERP; nobody else can know it), or one that
quotes the Message-ID of a mail that we did send to the address it complains of. All else changes nothing, or
anybody could cut a player off.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from email import message_from_bytes
from typing import Final, Literal

from flufl.bounce import all_failures
from sqlalchemy import bindparam, or_, select
from sqlalchemy.orm import Session

from gm.log import logger
from gm.mail import outbox
from gm.mail.automatic import looks_out_of_office
from gm.mail.message import read_message
from gm.mail.slim import too_big
from gm.store.mailtables import Inbound, Outbound
from gm.store.plainly import plainly, table
from gm.store.tables import Address, Audit, Seat

SOFT_LIMIT: Final = 5
"""Soft bounces in a row after which an address is suspended (as PyPI's mailer does)."""
READ_BYTES: Final = 200_000
"""How much of a report is read: the report comes before the mail that it returns."""
MAX_PARTS: Final = 50
"""Reports have three parts. A mail with more lines that look like a boundary is not given to the parser."""

Kind = Literal["hard", "soft", "big", "none"]
"""big: the mail was too big, whoever it was for. none: not a bounce (a delay notice, an automatic answer)."""

_ACTION = re.compile(rb"^Action:[ \t]*([a-z]+)", re.IGNORECASE | re.MULTILINE)
_STATUS = re.compile(rb"^Status:[ \t]*([245])\.(\d{1,3})\.(\d{1,3})", re.IGNORECASE | re.MULTILINE)
_DIAGNOSTIC = re.compile(
    rb"^Diagnostic-Code:[ \t]*(?:[\w-]{1,40};)?[ \t]*([^\r\n]{0,900}(?:\r?\n[ \t][^\r\n]{0,900}){0,10})",
    re.IGNORECASE | re.MULTILINE,
)
_BLANK = re.compile(rb"\r?\n[ \t]*\r?\n")
_IN_WORDS = re.compile(rb"said: (552[ -][^\r\n]{0,200})|\(#(5\.(?:3\.4|2\.3))\)")
"""A mail too big, as qmail and its kin report it."""
MAX_WORDS = 300
"""Characters of a server's own words that are kept."""
_QUOTED_ID = re.compile(rb"^Message-ID:[ \t\r\n]*(<[^<>\s]{1,200}>)", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class Bounce:
    """A report about one of our mails."""

    outbound_id: int
    email: str
    kind: Kind
    suspended: bool
    """Whether the address was suspended by it."""


def read_bounce(session: Session, mail: Inbound, key: bytes, now: datetime) -> Bounce | None:
    """Note a bounce, if the mail is one that can be believed; None if it is not.

    Args:
        mail: with a bounce address of ours as recipient, or any mail that may be a report.
        key: the vault's key for bounce addresses.
    """
    raw = mail.raw[:READ_BYTES]
    word = outbox.read_bounce_address(key, mail.recipient)
    if word is not None:
        row = session.scalar(select(Outbound).where(Outbound.verp == word))
        kind, words = said(raw)
    else:
        row, kind, words = _quoted(session, raw)
        kind = "soft" if kind == "hard" else kind  # less sure than VERP: let it happen more than once
    if row is None:
        return None
    suspended = False
    if kind != "none":
        row.status = "bounced"
        row.reply = f"bounce of {now:%Y-%m-%d}: {kind}" + (f", {words}" if words else "")
        suspended = count(session, row.recipient, kind, now)
    logger("bounces").info("bounce", outbound=row.id, kind=kind, suspended=suspended)
    return Bounce(outbound_id=row.id, email=row.recipient, kind=kind, suspended=suspended)


def said(raw: bytes) -> tuple[Kind, str]:
    """What a mail to a bounce address says: by its delivery status (RFC 3464), else by the known forms of servers.

    Returns the kind, and the status and the words of the server that refused the mail, where it gives them.
    """
    action, status = _ACTION.search(raw), _STATUS.search(raw)
    if action and action[1].lower() != b"failed":
        return "none", ""  # delayed, delivered, relayed, expanded
    if status:
        return _by_status(status, _group(raw, status.start()))
    temporary, permanent = _known_forms(raw)
    if permanent and (big := _IN_WORDS.search(raw)):
        return "big", _words(big[1] or big[2])
    if permanent:
        return "hard", ""
    return ("soft" if temporary or action else "none"), ""


def _by_status(status: re.Match[bytes], group: bytes) -> tuple[Kind, str]:
    code, subject, detail = status[1], status[2], status[3]
    if code == b"2":
        return "none", ""
    diagnostic = _DIAGNOSTIC.search(group)
    number = ".".join(part.decode("ascii") for part in (code, subject, detail))
    words = f"{number} {_words(diagnostic[1]) if diagnostic else ''}".strip()
    if code == b"5" and (subject == b"1" or (subject, detail) == (b"2", b"1")):
        return "hard", words
    return ("big" if too_big(words) else "soft"), words


def _group(raw: bytes, at: int) -> bytes:
    """The fields that stand together with the one at `at`: those of one recipient, and none of the mail returned."""
    before = [blank.end() for blank in _BLANK.finditer(raw, 0, at)]
    after = _BLANK.search(raw, at)
    return raw[before[-1] if before else 0 : after.start() if after else len(raw)]


def _words(text: bytes) -> str:
    return " ".join(text.decode("utf-8", "replace").split())[:MAX_WORDS]


def _known_forms(raw: bytes) -> tuple[frozenset[str], frozenset[str]]:
    """Addresses that failed for now and for good, where a server wrote its report in words."""
    if len(re.findall(rb"^--", raw, re.MULTILINE)) > MAX_PARTS or looks_out_of_office(read_message(raw)):
        return frozenset(), frozenset()
    try:
        found = all_failures(message_from_bytes(raw))
    except Exception:  # heuristics over a stranger's bytes; what they cannot read is no bounce
        logger("bounces").exception("unreadable report")
        return frozenset(), frozenset()
    temporary, permanent = ({a.decode("ascii", "replace").lower() for a in part} for part in found)
    return frozenset(temporary), frozenset(permanent)


def _quoted(session: Session, raw: bytes) -> tuple[Outbound | None, Kind, str]:
    """The mail of ours that a report names by its Message-ID, if the report is about its recipient."""
    names = [name.decode("ascii", "replace") for name in _QUOTED_ID.findall(raw)[:10]]
    row = session.scalar(select(Outbound).where(Outbound.message_id.in_(names)).limit(1)) if names else None
    if row is None:
        return None, "none", ""
    temporary, permanent = _known_forms(raw)
    if row.recipient.lower() not in temporary | permanent:
        return None, "none", ""
    return row, *said(raw)


def count(session: Session, email: str, kind: Kind, now: datetime) -> bool:
    """Count a bounce against an address. Returns whether that suspended it.

    His other mails then go to the player's next active address, or wait. Every game in which he holds a seat gets
    an `Audit` row ``address.suspended``, for its GM.
    """
    address = session.scalar(select(Address).where(Address.email == email.lower()))
    if address is None or address.state == outbox.SUSPENDED or kind in ("big", "none"):
        return False
    address.bounced_at = now
    address.soft_bounces += 1
    if kind == "soft" and address.soft_bounces < SOFT_LIMIT:
        return False
    address.state = outbox.SUSPENDED
    session.flush()
    next_one = session.scalar(
        select(Address.email)
        .where(Address.player_id == address.player_id, Address.state == "active")
        .order_by(Address.rank, Address.id)
        .limit(1)
    )
    if next_one:
        outbox.readdress(session, address.email, next_one, now)
    else:
        outbox.hold_recipient(session, address.email)
    _tell_games(session, address, kind, now, reachable=next_one is not None)
    return True


_ADDRESS = table(Address)
_BOUNCED = select(_ADDRESS.c.id).where(
    _ADDRESS.c.email == bindparam("email"),
    or_(_ADDRESS.c.soft_bounces > 0, _ADDRESS.c.state == outbox.SUSPENDED),
)
"""Asked for each mail that comes in; nearly always there is none."""


def good_mail(session: Session, email: str, now: datetime) -> bool:
    """A good mail came from an address: its bounces are forgotten. Returns whether it had been suspended."""
    bounced = plainly(session).scalar(_BOUNCED, {"email": email.lower()})
    if bounced is None:
        return False
    address = session.get_one(Address, bounced)
    was = address.state == outbox.SUSPENDED
    address.soft_bounces = 0
    if was:
        address.state = "active"
        outbox.release_recipient(session, address.email, now)
    return was


def _tell_games(session: Session, address: Address, kind: Kind, now: datetime, *, reachable: bool) -> None:
    games = session.scalars(
        select(Seat.game_id)
        .where(Seat.player_id == address.player_id, Seat.left_at.is_(None))
        .distinct()
        .order_by(Seat.game_id)
    ).all()
    detail = {"player": address.player_id, "address": address.id, "kind": kind, "reachable": reachable}
    for game_id in games:
        session.add(Audit(game_id=game_id, actor="server", action="address.suspended", detail=detail, at=now))
