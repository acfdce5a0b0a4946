"""Reading the headers of a stranger's mail: raw strings in, short clean values out, nothing raises.

Only the few fields that mean something to us are decoded, and only their first `MAX_HEADER_TEXT` characters: the
standard library's own header objects take seconds on long fields and raise on malformed ones.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from email.header import decode_header
from email.message import Message
from email.utils import parsedate_to_datetime
from urllib.parse import unquote_to_bytes

from gm.mail.limits import MAX_HEADER_TEXT, MAX_MESSAGE_ID, MAX_REFERENCES, MAX_SUBJECT
from gm.mail.plain import decode_text, one_line

_MESSAGE_ID = re.compile(r"<[!-;=?-Z^-~\[\]]{1,%d}>" % (MAX_MESSAGE_ID - 2))  # noqa: UP031 - braces of the pattern
_SANE_ID = re.compile(r"<[A-Za-z0-9!#$%&'*+/=?^_`{|}~.:-]+@[A-Za-z0-9.\[\]:_-]+>\Z")
_TYPE = re.compile(r"[a-z0-9!#$&^_.+-]{1,60}/[a-z0-9!#$&^_.+-]{1,100}\Z")
_ENCODED = re.compile(r"=\?[^?\s]{1,60}\?[bqBQ]\?[^?]*\?=")


class Fields:
    """The header fields of a message or part, topmost first, as raw text: unfolded, 8-bit bytes still escaped.

    Names are looked up in any case. Values are cut to `MAX_HEADER_TEXT`, the end of a References field is kept.
    """

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self._all: dict[str, list[str]] = {}
        for name, value in pairs:
            key = name.lower()
            text = value[-MAX_HEADER_TEXT:] if key == "references" else value[:MAX_HEADER_TEXT]
            self._all.setdefault(key, []).append(" ".join(text.split()))

    @classmethod
    def of(cls, message: Message) -> Fields:
        """All fields of a message parsed with compat32."""
        return cls((name, str(value)) for name, value in message.raw_items())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fields) and self._all == other._all

    def __hash__(self) -> int:
        return hash(tuple(self._all))

    def __repr__(self) -> str:
        return f"Fields({[(name, value) for name, values in self._all.items() for value in values]!r})"

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._all

    def first(self, name: str) -> str:
        """The topmost field of that name; empty if there is none."""
        return self._all.get(name.lower(), [""])[0]

    def all(self, name: str) -> tuple[str, ...]:
        """All fields of that name, topmost first."""
        return tuple(self._all.get(name.lower(), ()))


def readable(value: str) -> str:
    """A raw field with its 8-bit bytes decoded (UTF-8, else Windows-1252)."""
    return value if value.isascii() else decode_text(value.encode("utf-8", "surrogateescape"), None)[0]


def decoded(value: str, limit: int = MAX_SUBJECT) -> str:
    """A field's text with RFC 2047 words decoded, on one line, without control or invisible characters.

    Never raises. Encoded line ends become spaces, so the result is safe to show and to set again.
    """
    value = readable(value)
    if not _ENCODED.search(value):
        return one_line(value, limit)
    try:
        parts = decode_header(value)
    except (binascii.Error, ValueError, LookupError):
        return one_line(value, limit)
    words = []
    for part, charset in parts:
        words.append(part if isinstance(part, str) else decode_text(part, charset)[0])
    return one_line("".join(words), limit)


def message_id(value: str) -> str | None:
    """A Message-ID that can serve as a key: ``<left@right>`` of ordinary characters; None for any other.

    Some mailers write ``<[x]>`` or nothing at all: such mail is told apart by the hash of its bytes.
    """
    text = value.strip()
    return text if len(text) <= MAX_MESSAGE_ID and _SANE_ID.match(text) else None


def message_ids(value: str) -> tuple[str, ...]:
    """All Message-IDs of a References or In-Reply-To field, the last `MAX_REFERENCES` of them."""
    return tuple(_MESSAGE_ID.findall(value)[-MAX_REFERENCES:])


def date(value: str) -> datetime | None:
    """What the sender's clock said, in UTC; None if it is missing, unreadable or impossible."""
    if not value or len(value) > 100:
        return None
    try:
        parsed = parsedate_to_datetime(value)
        return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, TypeError, OverflowError, IndexError, AttributeError):
        return None


_PARAMETER = re.compile(r';\s*([A-Za-z0-9_-]{1,40})(\*\d{0,2}\*?)?\s*=\s*("(?:[^"\\]|\\.)*"?|[^;\s]*)')


def parameters(value: str) -> tuple[str, dict[str, str]]:
    """A field such as Content-Type taken apart: its main value and its parameters, all names in lower case.

    RFC 2231 continuations and charsets are put together. A malformed parameter is left out.
    """
    main = value.partition(";")[0].strip().lower()
    found: dict[str, str] = {}
    for name, star, text in _PARAMETER.findall(value):
        key = name.lower()
        clean = re.sub(r"\\(.)", r"\1", text.strip('"')) if text.startswith('"') else text
        if star in ("", "*0", "*0*", "*"):
            if key not in found or star:
                found[key] = clean
        elif key in found:
            found[key] += clean
        if star == "*" or (star == "*0*" and clean.count("'") >= 2):
            found[key] = _rfc2231(found[key])
        elif star.endswith("*") and len(star) > 2:
            found[key] = _percent(found[key], None)
    return main, found


def content_type(fields: Fields) -> tuple[str, dict[str, str]]:
    """Content type and parameters; text/plain where the field is missing or malformed (RFC 2045 5.2)."""
    kind, params = parameters(fields.first("content-type"))
    return (kind, params) if _TYPE.match(kind) else ("text/plain", params)


def _rfc2231(text: str) -> str:
    charset, quote, rest = text.partition("'")
    _, quote, encoded = rest.partition("'")
    return _percent(encoded, charset) if quote else text


def _percent(text: str, charset: str | None) -> str:
    return decode_text(unquote_to_bytes(text.encode("utf-8", "surrogateescape")), charset)[0]
