"""Secrets in addresses: reply tokens; and players' passwords.

A reply token is 80 random bits and a 40-bit check made with the server's key, 24 letters and digits in all
(base32, lower case). The check lets the listener refuse guesses without asking the database; the store keeps only
the token's SHA-256. Randomness and salt come from the caller.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import unicodedata

TOKEN_ENTROPY = 10
"""Random bytes in a token: 80 bits."""
_RANDOM_CHARS, _CHECK_CHARS = 16, 8
TOKEN_LENGTH = _RANDOM_CHARS + _CHECK_CHARS

_MISREAD = str.maketrans({"0": "o", "1": "l", "8": "b"})
"""Digits that base32 does not use, as people copy them from a screen."""
_CANDIDATE = re.compile(r"[a-z0-9]+")
_PREFIX = re.compile(r"(?:play|g)")

_SCRYPT_N, _SCRYPT_R, _SCRYPT_P = 2**14, 8, 1
"""16 MB and some 60 ms a try: RFC 7914 2 and OWASP's floor for interactive log-ins; limit the rate before."""
MAX_PASSWORD = 200
SALT_BYTES = 16


def make_token(key: bytes, entropy: bytes) -> str:
    """A reply token from at least `TOKEN_ENTROPY` random bytes. Raises ValueError if there are fewer."""
    if len(entropy) < TOKEN_ENTROPY:
        raise ValueError(f"a token needs {TOKEN_ENTROPY} random bytes, not {len(entropy)}")
    body = _base32(entropy[:TOKEN_ENTROPY])
    return body + _check(key, body)


def read_token(key: bytes, text: str) -> str | None:
    """The genuine token in the local part of an address, or None.

    Upper case, any separator or none after ``play`` or ``g``, and digits misread for letters are forgiven.
    """
    if len(text) > 200:
        return None
    for run in _CANDIDATE.findall(text.lower()):
        for glued in (run, _PREFIX.sub("", run, count=1) if _PREFIX.match(run) else ""):
            token = glued.translate(_MISREAD)
            if len(token) != TOKEN_LENGTH:
                continue
            if hmac.compare_digest(token[_RANDOM_CHARS:], _check(key, token[:_RANDOM_CHARS])):
                return token
    return None


def token_hash(token: str) -> str:
    """What the store keeps of a token: its SHA-256 in hex. A 80-bit secret needs no salt and no slow hash."""
    return hashlib.sha256(token.encode()).hexdigest()


def hash_password(password: str, salt: bytes) -> str:
    """A password as it is stored: ``scrypt$n$r$p$salt$hash``. Raises ValueError on an empty or overlong one."""
    known = _normal(password)
    if not known or len(known) > MAX_PASSWORD:
        raise ValueError(f"a password has 1 to {MAX_PASSWORD} characters")
    digest = hashlib.scrypt(known.encode(), salt=salt, n=_SCRYPT_N, r=_SCRYPT_R, p=_SCRYPT_P)
    numbers = f"{_SCRYPT_N}${_SCRYPT_R}${_SCRYPT_P}"
    return f"scrypt${numbers}${base64.b64encode(salt).decode()}${base64.b64encode(digest).decode()}"


def verify_password(password: str, stored: str) -> bool:
    """Whether a password is the stored one. Never raises; a damaged record verifies nothing."""
    known = _normal(password)
    if not known or len(known) > MAX_PASSWORD:
        return False
    try:
        scheme, n, r, p, salt, digest = stored.split("$")
        if scheme != "scrypt":
            return False
        wanted = base64.b64decode(digest, validate=True)
        found = hashlib.scrypt(
            known.encode(), salt=base64.b64decode(salt, validate=True), n=int(n), r=int(r), p=int(p)
        )
    except ValueError:
        return False
    return hmac.compare_digest(found, wanted)


def _check(key: bytes, body: str) -> str:
    digest = hmac.digest(key, b"token:" + body.encode(), "sha256")
    return _base32(digest[:5])[:_CHECK_CHARS]


def _base32(data: bytes) -> str:
    return base64.b32encode(data).decode("ascii").lower().rstrip("=")


def _normal(password: str) -> str:
    return unicodedata.normalize("NFKC", password[: MAX_PASSWORD * 4]).strip()
