"""One mail from standard input, for an MTA that starts a program (``gm mail receive``).

The exit code is the answer to the MTA (sysexits.h): 75 makes it keep the mail and try again.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import BinaryIO, Final

from gm.log import logger
from gm.mail.envelope import read_envelope
from gm.mail.spool import Arrival, accept
from gm.store.db import Store

EX_OK: Final = os.EX_OK
EX_DATAERR: Final = os.EX_DATAERR
"""65: too long."""
EX_NOUSER: Final = os.EX_NOUSER
"""67: no recipient of ours."""
EX_TEMPFAIL: Final = os.EX_TEMPFAIL
"""75: try again."""

_MBOX_LINE = re.compile(rb"\AFrom [^\n]*\n")


@dataclass(frozen=True, kw_only=True)
class Door:
    """What taking a mail needs."""

    store: Store
    known: Callable[[str], bool]
    """Says whether mail to an address is taken."""
    clock: Callable[[], datetime]
    message_bytes: int


def receive(
    open_door: Callable[[], Door],
    stream: BinaryIO,
    *,
    sender: str | None = None,
    recipients: Sequence[str] = (),
    environ: Mapping[str, str] | None = None,
) -> int:
    """Store one mail; committed when this returns 0. Returns an exit code and never raises.

    Args:
        open_door: opens the store and reads the settings; any failure of it is temporary.
        sender, recipients: from the command line. Where they are missing, Postfix's variables ``SENDER`` and
            ``ORIGINAL_RECIPIENT`` or ``RECIPIENT`` stand in, then the header.
    """
    try:
        door = open_door()
        try:
            return _take(door, stream, sender, recipients, os.environ if environ is None else environ)
        finally:
            door.store.close()
    except Exception:  # whatever it is, the MTA must keep the mail
        logger("intake").exception("pipe")
        return EX_TEMPFAIL


def _take(
    door: Door, stream: BinaryIO, sender: str | None, recipients: Sequence[str], env: Mapping[str, str]
) -> int:
    raw = _MBOX_LINE.sub(b"", stream.read(door.message_bytes + 1))
    if len(raw) > door.message_bytes:
        return EX_DATAERR
    envelope = read_envelope(raw, door.known)
    from_env = env.get("ORIGINAL_RECIPIENT") or env.get("RECIPIENT")
    given = tuple(recipients) or ((from_env,) if from_env else ())
    wanted = tuple(address for address in given if door.known(address)) if given else envelope.recipients
    if not wanted:
        return EX_NOUSER
    named_sender = env.get("SENDER") if sender is None else sender
    arrival = Arrival(
        raw=raw,
        envelope_from=envelope.sender if named_sender is None else named_sender.strip("<>"),
        recipients=wanted,
        peer="",
        via="pipe",
    )
    accept(door.store, [arrival], door.clock)
    return EX_OK
