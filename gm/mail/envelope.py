"""The envelope of a mail that came without one: from a mailbox, or through a pipe."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from email.parser import BytesHeaderParser
from email.policy import compat32
from typing import Final

from gm.mail.addresses import read_mailboxes
from gm.mail.headers import Fields
from gm.mail.limits import MAX_HEADER_BYTES

_WRITTEN_ON_DELIVERY: Final = (
    "delivered-to",
    "x-original-to",
    "x-delivered-to",
    "envelope-to",
    "x-envelope-to",
)
"""Fields in which mail servers keep the envelope recipient. With one of them To says nothing: a mail to two of our
addresses comes as two mails."""

_HEADERS_END = re.compile(rb"\r?\n\r?\n")


@dataclass(frozen=True, kw_only=True)
class Envelope:
    """Who sent a mail, and to which of our addresses."""

    sender: str
    """Empty: the null sender, or none that could be read."""
    recipients: tuple[str, ...]
    """Empty: none of the addresses that it names is one of ours."""


def read_envelope(raw: bytes, known: Callable[[str], bool]) -> Envelope:
    """Find the envelope in the header. `known` says whether mail to an address is taken. Never raises on bytes."""
    end = _HEADERS_END.search(raw)
    head = raw[: min(end.start() if end else len(raw), MAX_HEADER_BYTES)]
    fields = Fields.of(BytesHeaderParser(policy=compat32).parsebytes(head + b"\n\n"))
    return Envelope(sender=_sender(fields), recipients=_recipients(fields, known))


def _sender(fields: Fields) -> str:
    if "return-path" in fields:
        return fields.first("return-path").strip().strip("<>")
    found = read_mailboxes(fields.first("from"))
    return found[0].address if found else ""


def _recipients(fields: Fields, known: Callable[[str], bool]) -> tuple[str, ...]:
    for name in _WRITTEN_ON_DELIVERY:
        for value in fields.all(name):
            address = value.strip().strip("<>")
            if known(address):
                return (address,)
    named = [
        box.address for name in ("to", "cc") for value in fields.all(name) for box in read_mailboxes(value)
    ]
    return tuple(address for address in dict.fromkeys(named) if known(address))
