"""Crash points: the hook of the kill test.

``GM_CRASH_AT=sender.marked:3`` kills the process with SIGKILL, as a power cut would, when it comes to the point
``sender.marked`` for the third time. Without that variable a crash point is one comparison and nothing else.
"""

from __future__ import annotations

import os
import signal
from typing import Final

POINTS: Final = (
    "intake.before-commit",  # mail read from the wire, nothing stored
    "intake.committed",  # stored, the sender not told
    "sender.claimed",  # rows leased, nothing sent
    "sender.delivered",  # the relay said 250, the row not marked
    "sender.marked",  # the row marked, the rest of the batch not yet
    "imap.stored",  # stored, the mail still in the mailbox
)
"""The points of store and wire, in the order in which a mail comes to them. Those of other rooms are named beside
the code that has them."""

_name = ""
_left = 0


def arm(where: str) -> None:
    """Choose the point to die at, as ``GM_CRASH_AT`` does: a name, or ``name:3`` for its third time. Empty: none."""
    global _name, _left
    _name, _, times = where.partition(":")
    _left = int(times or 1)


def crash_point(name: str) -> None:
    """Die here if the kill test asked for it."""
    if name != _name:
        return
    global _left
    _left -= 1
    if _left <= 0:
        os.kill(os.getpid(), signal.SIGKILL)


arm(os.environ.get("GM_CRASH_AT", ""))
