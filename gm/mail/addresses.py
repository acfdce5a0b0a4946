"""Mail addresses: a strict reader of address lists, and our own addresses for games, seats and the desk.

The standard library's reader finds an address in ``a@x )b@evil`` (CVE-2023-27043). This one finds an address
only where the whole field follows RFC 5322, and says nothing otherwise.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from gm.mail.limits import MAX_ADDRESSES, MAX_HEADER_TEXT
from gm.mail.tokens import read_token

MAX_LOCAL, MAX_DOMAIN, MAX_ADDRESS = 64, 253, 254
"""RFC 5321 4.5.3.1 (octets; the whole address by RFC 3696 erratum 1690)."""

_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~\-\u00a1-\U0010ffff]+"
_TOKEN = re.compile(
    r"(?P<space>[ \t\r\n]+)"
    r"|(?P<encoded>=\?[^?\s]{1,60}\?[bqBQ]\?[^?\s]{0,400}\?=)"
    rf"|(?P<atom>{_ATOM}(?:\.{_ATOM})*)"
    r'|"(?P<quoted>(?:[^"\\\x00-\x08\x0a-\x1f\x7f]|\\[^\x00-\x1f\x7f])*)"'
    r"|(?P<special>[<>@,;:.])"
)
_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\Z")
_COMMENT_DEPTH = 10


@dataclass(frozen=True, kw_only=True)
class Mailbox:
    """One address with the name beside it (undecoded, empty if there is none)."""

    address: str
    name: str = ""


def read_mailboxes(field: str) -> tuple[Mailbox, ...]:
    """All mailboxes of an address field such as From, in canonical form; groups are opened.

    Empty if any part of the field is not an address list (RFC 5322 3.4), or if it is longer than we read.
    """
    if len(field) > MAX_HEADER_TEXT * 4:
        return ()
    tokens = _tokens(field)
    if tokens is None:
        return ()
    found: list[Mailbox] = []
    group = False
    part: list[tuple[str, str]] = []
    for kind, text in [*tokens, ("special", ",")]:
        if kind != "special" or text not in ",;:" or _inside_angle(part):
            part.append((kind, text))
            continue
        if text == ":":
            if group or not part or any(k == "special" and t != "." for k, t in part):
                return ()
            group, part = True, []
            continue
        if part:
            mailbox = _mailbox(part)
            if mailbox is None or len(found) >= MAX_ADDRESSES:
                return ()
            found.append(mailbox)
            part = []
        if text == ";":
            if not group:
                return ()
            group = False
    return () if group else tuple(found)


def canonical_address(text: str) -> str | None:
    """The form of one bare address under which it is stored and compared, or None if it is no address.

    Lower case, NFC, domain in its ASCII (IDNA) form. Local parts are case-sensitive by RFC 5321 2.4 but nobody
    uses two that differ by case, and some mailers change it.
    """
    if len(text) > MAX_ADDRESS * 2:
        return None
    tokens = _tokens(text.strip())
    return _address(tokens) if tokens else None


def _tokens(field: str) -> list[tuple[str, str]] | None:
    tokens: list[tuple[str, str]] = []
    i = 0
    while i < len(field):
        if field[i] == "(":
            end = _comment_end(field, i)
            if end is None:
                return None
            i = end
            continue
        match = _TOKEN.match(field, i)
        if match is None:
            return None
        kind = match.lastgroup or ""
        if kind != "space":
            tokens.append((kind, match[kind]))
        elif tokens and tokens[-1][0] != "space":
            tokens.append(("space", " "))
        i = match.end()
    return [t for t in tokens if t[0] != "space"] if not _glued(tokens) else None


def _glued(tokens: list[tuple[str, str]]) -> bool:
    """Whether two words stand together with nothing between, as in ``"a"b@x``: no mailer writes that."""
    words = ("atom", "quoted")
    return any(a[0] in words and b[0] in words for a, b in itertools.pairwise(tokens))


def _comment_end(field: str, start: int) -> int | None:
    depth, i = 0, start
    while i < len(field):
        c = field[i]
        if c == "\\":
            i += 1
        elif c == "(":
            depth += 1
            if depth > _COMMENT_DEPTH:
                return None
        elif c == ")":
            depth -= 1
            if depth == 0:
                return i + 1
        i += 1
    return None


def _inside_angle(part: list[tuple[str, str]]) -> bool:
    return ("special", "<") in part[-6:] and ("special", ">") not in part[-6:]


def _mailbox(part: list[tuple[str, str]]) -> Mailbox | None:
    if ("special", "<") not in part:
        address = _address(part)
        return Mailbox(address=address) if address else None
    open_at = part.index(("special", "<"))
    if part[-1] != ("special", ">"):
        return None
    name = part[:open_at]
    if any(kind == "special" and text != "." for kind, text in name):
        return None
    address = _address(part[open_at + 1 : -1])
    words = (re.sub(r"\\(.)", r"\1", text) if kind == "quoted" else text for kind, text in name)
    return Mailbox(address=address, name=" ".join(words)) if address else None


def _address(tokens: list[tuple[str, str]]) -> str | None:
    if len(tokens) != 3 or tokens[1] != ("special", "@") or tokens[2][0] != "atom":
        return None
    kind, local = tokens[0]
    if kind not in ("atom", "quoted") or not local:
        return None
    domain = _domain(tokens[2][1])
    local = unicodedata.normalize("NFC", local).lower()
    if domain is None or len(local.encode()) > MAX_LOCAL:
        return None
    if kind == "quoted":
        plain_local = re.sub(r"\\(.)", r"\1", local)
        local = plain_local if re.fullmatch(rf"{_ATOM}(?:\.{_ATOM})*", plain_local) else f'"{local}"'
    address = f"{local}@{domain}"
    return address if len(address.encode()) <= MAX_ADDRESS else None


def _domain(text: str) -> str | None:
    if len(text) > MAX_DOMAIN:
        return None
    domain = text.lower()
    if not domain.isascii():
        try:
            domain = domain.encode("idna").decode("ascii")
        except UnicodeError:
            return None
    labels = domain.split(".")
    if len(labels) < 2 or len(domain) > MAX_DOMAIN or not all(_LABEL.match(label) for label in labels):
        return None
    return domain


# --- our own addresses ------------------------------------------------------------------------------------

DESK = "gm"
PLAY, BOUNCE = "play", "bounce"
_RESERVED = (
    "gm play g bounce bounces postmaster abuse mailer-daemon noreply no-reply root admin webmaster hostmaster"
    " security owner request list help info support zine status health"
)
RESERVED = frozenset(_RESERVED.split())
"""Local parts that no game may have as its id (RFC 2142, and ours)."""

_GAME_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}\Z")
_SRS0 = re.compile(r"srs0[=+-][^=]{1,12}=[^=]{1,4}=([^=]+)=(.+)\Z")
_SRS1 = re.compile(r"srs1[=+-][^=]{1,12}=[^=]*=+[=+-]?[^=]{1,12}=[^=]{1,4}=([^=]+)=(.+)\Z")
_BATV = re.compile(r"(?:prvs|btv1)={1,2}[^=]{1,20}={1,2}(.+)\Z")
_VERP = re.compile(r"(?:.*[+-])?((?:play|g|bounce)[-+=_.]?[a-z2-7+=_.0-9-]{8,60})=([a-z0-9.-]+)\Z")


@dataclass(frozen=True, kw_only=True)
class Recipient:
    """Who a mail to one of our domains is for."""

    kind: Literal["play", "game", "desk", "postmaster", "unknown"]
    token: str = ""
    """play: the token, its check part proved; whether it is live only the store knows."""
    game: str = ""
    """game: the id in the address; whether there is such a game only the store knows."""


def play_address(token: str, domain: str, separator: str = "+") -> str:
    """The address that a player's replies go to. `separator`: "+" where the MTA knows subaddresses, else "-"."""
    return f"{PLAY}{separator}{token}@{domain}"


def game_address(game: str, domain: str) -> str:
    """The public address of a game. Raises ValueError for an id that cannot be one."""
    if not can_be_game_id(game):
        raise ValueError(f"{game!r} cannot be the address of a game")
    return f"{game}@{domain}"


def desk_address(domain: str) -> str:
    """The address for everything that concerns no game in particular."""
    return f"{DESK}@{domain}"


def can_be_game_id(game: str) -> bool:
    """Whether a game may have this id: up to 40 of a-z 0-9 _ -, not a name that mail needs for something else."""
    first = re.split(r"[-_]", game, maxsplit=1)[0]
    return (
        bool(_GAME_ID.match(game))
        and game not in RESERVED
        and first not in (PLAY, BOUNCE, "g", "srs0", "srs1")
    )


def read_recipient(address: str, our_domains: frozenset[str], key: bytes) -> Recipient | None:
    """What one of our addresses stands for; None if the address is not at one of our domains.

    Survives upper case, ``+`` turned into another separator or stripped, and the wrappings of SRS, BATV and
    VERP. A token whose check part is wrong is "unknown": no look-up is needed to refuse it. Bounce addresses are
    read by `gm.mail.outbox`.
    """
    local, at, domain = address.strip().strip("<>").lower().rpartition("@")
    if not at or len(address) > MAX_ADDRESS:
        return None
    local, domain = _unwrapped(local.strip('"'), domain.rstrip("."))
    if domain not in our_domains:
        return None
    if (token := read_token(key, local)) is not None:
        return Recipient(kind="play", token=token)
    if local in (DESK, *(f"{DESK}{s}help" for s in "+-")):
        return Recipient(kind="desk")
    if local in ("postmaster", "abuse", "mailer-daemon"):
        return Recipient(kind="postmaster")
    base = local.split("+", 1)[0]
    return Recipient(kind="game", game=base) if can_be_game_id(base) else Recipient(kind="unknown")


def _unwrapped(local: str, domain: str) -> tuple[str, str]:
    if match := _BATV.match(local):
        local = match[1]
    if match := _SRS0.match(local) or _SRS1.match(local):
        return match[2], match[1]
    if match := _VERP.match(local):
        return match[1], match[2]
    return local, domain
