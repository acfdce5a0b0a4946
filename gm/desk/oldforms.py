"""How other servers' players sign on, read: the place, and what the password may be. Knows forms, does nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gm.desk.words import plain

_LINE = re.compile(r'(?P<who>"[^"]+"|\S+)\s+(?P<rest>\S.*)$')
_GLUED = re.compile(r"(?P<password>.+?)\s*sign ?off[.!]?$", re.I)


@dataclass(frozen=True)
class SignOn:
    """``SIGNON Fspring99 password [variant]``, ``ERESSEA France "password"``."""

    who: str
    """Letter and game, or game, or power."""
    passwords: tuple[str, ...]
    """What the password may be, likeliest first."""
    glued: str = ""
    """The one among them that is left if a SIGNOFF stuck to it is taken off."""


def read_sign_on(argument: str) -> SignOn | None:
    """What follows SIGNON; None if it is not of that form.

    A variant's name may follow the password, and a mailer may have joined SIGNOFF to it, so more than one reading is
    possible; only the right password opens anything.
    """
    match = _LINE.match(argument.strip())
    if match is None:
        return None
    who, rest = match["who"].strip('"'), match["rest"].strip()
    quoted = re.match(r'"([^"]*)"', rest)
    if quoted:
        return SignOn(who, (quoted[1],))
    glued = _GLUED.match(rest)
    alone = glued["password"] if glued else ""
    first, _, variant = rest.partition(" ")
    tries = (rest, alone, first if variant else "")
    return SignOn(who, tuple(dict.fromkeys(t for t in tries if t)), alone)


def is_master(letter: str) -> bool:
    """Whether a sign-on letter is the GM's."""
    return plain(letter) == "M"
