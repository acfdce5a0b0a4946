"""One mail from standard input, for an MTA that starts a program (``gm mail receive``).

The exit code is the answer to the MTA (sysexits.h): 75 makes it keep the mail and try again.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
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


def receive(
    open_store: Callable[[], Store],
    stream: BinaryIO,
    *,
    known: Callable[[Store], Callable[[str], bool]],
    clock: Callable[[], datetime],
    message_bytes: int,
    sender: str | None = None,
    recipients: Sequence[str] = (),
    environ: Mapping[str, str] | None = None,
) -> int:
    """Store one mail; committed when this returns 0. Returns an exit code and never raises.

    Args:
        open_store: opens the store; a failure of it is temporary.
        known: makes the function that says whether mail to an address is taken.
        sender, recipients: from the command line. Where they are missing, Postfix's variables ``SENDER`` and
            ``ORIGINAL_RECIPIENT`` or ``RECIPIENT`` stand in, then the header.
    """
    env = os.environ if environ is None else environ
    try:
        raw = _MBOX_LINE.sub(b"", stream.read(message_bytes + 1))
        if len(raw) > message_bytes:
            return EX_DATAERR
        store = open_store()
        try:
            taken = known(store)
            envelope = read_envelope(raw, taken)
            given = tuple(recipients) or tuple(
                filter(None, [env.get("ORIGINAL_RECIPIENT") or env.get("RECIPIENT")])
            )
            wanted = tuple(address for address in given if taken(address)) if given else envelope.recipients
            if not wanted:
                return EX_NOUSER
            from_env = env.get("SENDER")
            known_sender = sender if sender is not None else from_env
            arrival = Arrival(
                raw=raw,
                envelope_from=envelope.sender if known_sender is None else known_sender.strip("<>"),
                recipients=wanted,
                peer="",
                via="pipe",
            )
            accept(store, [arrival], clock)
        finally:
            store.close()
    except Exception:  # whatever it is, the MTA must keep the mail
        logger("intake").exception("pipe")
        return EX_TEMPFAIL
    return EX_OK
