"""Taking secrets out of text that one person wrote and another will read: press, quoted mail, logs."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gm.mail.tokens import read_token

REMOVED = "[removed]"

_PASSWORD_LINE = re.compile(
    r"(?P<head>^[ \t>#*-]{0,20}(?:my |the |mein |mon )?"
    r"(?:password|passwort|passwd|passphrase|kennwort|mot de passe)\b[ \t]*(?:is|ist|est)?[ \t]*[:=]?)"
    r"(?P<secret>[^\n]+)",
    re.IGNORECASE | re.MULTILINE,
)
_SIGN_ON = re.compile(
    r"^(?P<head>[ \t>]{0,20}sign ?on[ \t]+\S{1,60}[ \t]+)(?P<secret>\S[^\n]*)",
    re.IGNORECASE | re.MULTILINE,
)
_ADDRESS = re.compile(
    r"\b(?:play|g|bounces?)[-+=_.]?[a-z2-7]{24}(?![a-z0-9])(?:@[\w.-]{1,100})?",
    re.IGNORECASE,
)
_BARE_TOKEN = re.compile(r"(?<![A-Za-z0-9])[A-Za-z2-7]{24}(?![A-Za-z0-9])")
_SHORTEST_SECRET = 4
"""A known secret shorter than this would turn ordinary words into holes."""


def scrub(text: str, secrets: Iterable[str] = (), *, token_key: bytes = b"") -> str:
    """The text without reply addresses, tokens, password lines and the given secrets.

    The words PASSWORD or SIGNON stay, what follows on the line goes. Idempotent. Secrets are found in any case.

    Args:
        secrets: further strings to take out, such as the password in use; those of under 4 characters are not.
        token_key: the key tokens are made with. Without it a bare token that has no digit (1 in 146) stays.
    """

    def token(match: re.Match[str]) -> str:
        word = match[0]
        return (
            REMOVED if any(c.isdigit() for c in word) or (token_key and read_token(token_key, word)) else word
        )

    text = _PASSWORD_LINE.sub(lambda m: f"{m['head'].rstrip()} {REMOVED}", text)
    text = _SIGN_ON.sub(lambda m: f"{m['head'].rstrip()} {REMOVED}", text)
    text = _ADDRESS.sub(REMOVED, text)
    text = _BARE_TOKEN.sub(token, text)
    for secret in sorted({s for s in secrets if len(s) >= _SHORTEST_SECRET}, key=lambda s: (-len(s), s)):
        text = re.sub(re.escape(secret), REMOVED, text, flags=re.IGNORECASE)
    return text
