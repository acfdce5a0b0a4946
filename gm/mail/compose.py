"""Every mail that goes out is built here: one builder, one header setter, the same bytes for the same input.

The bytes are written by us rather than by the standard library's message classes: those let an encoded line end
in a name become a header of its own (CVE-2024-6923), fold long References into encoded words (cpython issue 79986),
choose boundaries at random, and take four times as long.

What goes out is the mail that all readers of forty years understand: lines of at most 76 columns, ASCII as 7bit,
all else as quoted-printable UTF-8, text before HTML, pictures as related parts.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass
from datetime import datetime
from email.errors import MultipartInvariantViolationDefect
from email.header import Header
from email.parser import BytesHeaderParser
from email.policy import compat32
from email.utils import format_datetime
from typing import Literal

from gm.mail.addresses import canonical_address
from gm.mail.headers import message_id as sane_message_id
from gm.mail.limits import MAX_SUBJECT
from gm.mail.marker import END_MARKER, REPLY_MARKER
from gm.mail.plain import plain
from gm.mail.wrap import wrap

__all__ = [
    "END_MARKER",
    "LOOP_HEADER",
    "REPLY_MARKER",
    "ComposeError",
    "File",
    "OutgoingMail",
    "Party",
    "compose",
]

LOOP_HEADER = "X-GM-Loop"
"""On every mail of ours, with our domain: a mail that comes back with it is not answered."""
MAX_REFERENCES = 5
"""Message-IDs in References: enough to thread by, short enough never to be folded inside an id."""
_FOLD = 76
_MAX_VALUE = 900
"""Octets of one header field before folding (RFC 5322 2.1.1: a line has at most 998)."""
_LONGEST_LINE = 78

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,60}\Z")
_UNSAFE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_ENCODED = re.compile(r"=\?[^?]*\?[bqBQ]\?")
_TYPE = re.compile(r"[a-z]+/[a-z0-9.+-]+(?:; ?[a-z]+=[A-Za-z0-9_-]+){0,3}\Z")
_CID = re.compile(r"[A-Za-z0-9._-]{1,60}@[A-Za-z0-9.-]{1,100}\Z")
_FILE_NAME = re.compile(r"[^A-Za-z0-9._-]+")
_ATEXT = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]*\Z")


class ComposeError(ValueError):
    """A mail that must not be sent: a header that cannot be set safely, or bytes that do not read as intended."""


@dataclass(frozen=True, kw_only=True)
class Party:
    """Someone in From, To or Reply-To."""

    address: str
    name: str = ""


@dataclass(frozen=True, kw_only=True)
class File:
    """A file that goes with a mail."""

    name: str
    content_type: str
    """``"image/png"``, ``"text/calendar; method=PUBLISH"``."""
    data: bytes
    cid: str = ""
    """Content-ID of a picture shown in the HTML (``cid:map@gm.example``); empty for an attachment."""


@dataclass(frozen=True, kw_only=True)
class OutgoingMail:
    """All that makes a mail. One reader each: there is no Cc and no Bcc."""

    message_id: str
    """``<left@domain>``, fixed before the first try to send, so that a second try is a duplicate and no news."""
    date: datetime
    sender: Party
    to: Party
    subject: str
    text: str
    html: str = ""
    reply_to: Party | None = None
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    auto_submitted: Literal["auto-generated", "auto-replied"] = "auto-generated"
    """RFC 3834 5: generated for reports and news, replied for receipts and answers."""
    list_id: str = ""
    """``"Campaign of Anduin <anduin.gm.example>"`` (RFC 2919); empty for none."""
    list_archive: str = ""
    """Address of the page where mails like it are kept for all to read (RFC 2369); empty for none."""
    files: tuple[File, ...] = ()
    reply_above: bool = False
    """Put the marker lines around the text, so that a reply can be told from the mail it quotes."""


def compose(mail: OutgoingMail) -> bytes:
    """The bytes of a mail, lines ended by CR LF. The same input gives the same bytes.

    Raises:
        ComposeError: an address, Message-ID, file or header that cannot be sent safely.
    """
    fields = _fields(mail)
    text, html = _marked(mail)
    root = _body(text, html, mail.files, _seed(mail, fields))
    own = fields + root.fields
    data = b"".join(header(name, value) for name, value in own) + b"\r\n" + root.data
    _check(data, [name for name, _ in own])
    return data


def header(name: str, value: str) -> bytes:
    """One header field, encoded and folded: the only place where a header is written.

    Control characters, line separators and invisible marks become spaces, text that looks like an encoded word
    is encoded itself, so a value reads back as it was given and never as anything more.

    Raises:
        ComposeError: a name that is no header name, a line end in the value, or a value too long to be folded.
    """
    if not _NAME.match(name):
        raise ComposeError(f"{name[:60]!r} is not a header name")
    if "\r" in value or "\n" in value:
        raise ComposeError(f"{name} must be one line: {value[:60]!r}")
    clean = " ".join(_UNSAFE.sub(" ", value).split())
    if len(clean.encode()) > _MAX_VALUE:
        raise ComposeError(f"{name} is longer than {_MAX_VALUE} octets: {clean[:60]!r}")
    if not clean.isascii() or (_ENCODED.search(clean) and name not in _STRUCTURED):
        return f"{name}: {_encoded(clean, name)}\r\n".encode("ascii")
    return f"{name}: {_folded(clean, len(name) + 2)}\r\n".encode("ascii")


_STRUCTURED = frozenset(("From", "To", "Reply-To", "List-Id", "List-Archive", "Content-Disposition"))
"""Fields in which words were already encoded where that is allowed."""


def _encoded(text: str, name: str) -> str:
    return Header(text, "utf-8", maxlinelen=_FOLD, header_name=name).encode(linesep="\r\n")


def _folded(value: str, used: int) -> str:
    lines: list[str] = []
    line = ""
    for word in value.split(" "):
        if line and used + len(line) + 1 + len(word) > _FOLD:
            lines.append(line)
            line, used = word, 1
        else:
            line = f"{line} {word}" if line else word
    return "\r\n ".join([*lines, line])


def _fields(mail: OutgoingMail) -> list[tuple[str, str]]:
    if mail.date.tzinfo is None:
        raise ComposeError("the date of a mail needs a time zone")
    domain = _party(mail.sender).rpartition("@")[2].rstrip(">")
    fields = [
        ("Date", format_datetime(mail.date)),
        ("From", _party(mail.sender)),
        ("To", _party(mail.to)),
        ("Subject", _subject(mail.subject)),
        ("Message-ID", _id(mail.message_id)),
    ]
    if mail.reply_to:
        fields.append(("Reply-To", _party(mail.reply_to)))
    if mail.in_reply_to:
        fields.append(("In-Reply-To", _id(mail.in_reply_to)))
    if mail.references:
        fields.append(("References", _references(mail.references)))
    fields += [
        ("Auto-Submitted", mail.auto_submitted),
        ("X-Auto-Response-Suppress", "All"),
        (LOOP_HEADER, domain),
    ]
    if mail.list_id:
        fields.append(("List-Id", _list_id(mail.list_id)))
    if mail.list_archive:
        fields.append(("List-Archive", _list_archive(mail.list_archive)))
    return [*fields, ("MIME-Version", "1.0")]


def _subject(text: str) -> str:
    return " ".join(_UNSAFE.sub(" ", text[: MAX_SUBJECT * 2]).split())[:MAX_SUBJECT].strip() or "(no subject)"


def _references(ids: tuple[str, ...]) -> str:
    last = [_id(i) for i in ids[-MAX_REFERENCES:]]
    while len(" ".join(last)) > _MAX_VALUE:
        last.pop(0)
    return " ".join(last)


def _id(text: str) -> str:
    if sane_message_id(text) is None:
        raise ComposeError(f"not a Message-ID: {text[:80]!r}")
    return text


def _party(party: Party) -> str:
    """``Name <address>``, the name quoted or encoded as it needs to be."""
    address = canonical_address(party.address)
    if address is None or not address.isascii():
        raise ComposeError(f"not an address that mail can be sent to: {party.address[:80]!r}")
    if not (name := _phrase(party.name)):
        return address
    return f"{name} <{address}>"


def _phrase(name: str) -> str:
    clean = " ".join(_UNSAFE.sub(" ", name).split())[:100].strip()
    if not clean.isascii() or _ENCODED.search(clean):
        return " ".join(_encoded(clean, "Reply-To").split())
    if _ATEXT.match(clean):
        return clean
    return '"' + re.sub(r'(["\\])', r"\\\1", clean) + '"'


def _list_id(text: str) -> str:
    name, _, ident = text.rstrip(">").rpartition("<")
    if not re.fullmatch(r"[A-Za-z0-9.-]{1,200}", ident):
        raise ComposeError(f"not a List-Id: {text[:80]!r}")
    return f"{_phrase(name)} <{ident}>".strip()


def _list_archive(url: str) -> str:
    if not re.fullmatch(r"https?://[A-Za-z0-9._~:/-]{1,400}", url):
        raise ComposeError(f"not the address of a page: {url[:80]!r}")
    return f"<{url}>"


def _marked(mail: OutgoingMail) -> tuple[str, str]:
    text = wrap(plain(mail.text)).strip("\n") + "\n"
    html = mail.html
    if not mail.reply_above:
        return text, html
    text = f"{REPLY_MARKER}\n\n{text}\n{END_MARKER}\n"
    if html:
        head = f'<p style="color:#777777;font-size:smaller">{REPLY_MARKER}</p>\n'
        tail = f'<p style="color:#777777;font-size:smaller">{END_MARKER}</p>\n'
        opened = re.search(r"<body\b[^>]{0,500}>", html, re.IGNORECASE)
        start = opened.end() if opened else 0
        closed = html.lower().rfind("</body>")
        end = closed if closed >= start else len(html)
        html = html[:start] + head + html[start:end] + tail + html[end:]
    return text, html


# --- MIME -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Part:
    fields: list[tuple[str, str]]
    data: bytes


def _seed(mail: OutgoingMail, fields: list[tuple[str, str]]) -> str:
    digest = hashlib.sha256(repr((fields, mail.text, mail.html)).encode("utf-8", "replace"))
    for file in mail.files:
        digest.update(file.data)
    return digest.hexdigest()[:24]


def _body(text: str, html: str, files: tuple[File, ...], seed: str) -> _Part:
    inline = [f for f in files if f.cid]
    if inline and not html:
        raise ComposeError("a picture with a Content-ID needs HTML that shows it")
    body = _text_part(text, "plain")
    if html:
        page = _text_part(html, "html")
        if inline:
            page = _multipart("related", [page, *map(_file_part, inline)], seed, '; type="text/html"')
        body = _multipart("alternative", [body, page], seed)
    attached = [f for f in files if not f.cid]
    return _multipart("mixed", [body, *map(_file_part, attached)], seed) if attached else body


def _text_part(text: str, subtype: str) -> _Part:
    data = text.replace("\r\n", "\n").replace("\r", "\n").encode("utf-8", "replace")
    ascii_only = data.isascii() and b"\0" not in data
    charset = "us-ascii" if ascii_only else "utf-8"
    # "From " at the start of a line is escaped by mailbox files (RFC 4155), a lone dot eaten by careless relays.
    fragile = re.search(rb"^(?:From |\.)|[ \t]$|[^\n]{%d}" % (_LONGEST_LINE + 1), data, re.MULTILINE)
    if ascii_only and not fragile:
        return _Part(_text_fields(subtype, charset, "7bit"), data.replace(b"\n", b"\r\n"))
    coded = binascii.b2a_qp(data, quotetabs=False, istext=True)
    coded = re.sub(rb"^From ", b"=46rom ", coded, flags=re.MULTILINE)
    coded = re.sub(rb"^\.", b"=2E", coded, flags=re.MULTILINE)
    return _Part(_text_fields(subtype, charset, "quoted-printable"), coded.replace(b"\n", b"\r\n"))


def _text_fields(subtype: str, charset: str, encoding: str) -> list[tuple[str, str]]:
    return [
        ("Content-Type", f"text/{subtype}; charset={charset}"),
        ("Content-Transfer-Encoding", encoding),
    ]


def _file_part(file: File) -> _Part:
    if not _TYPE.match(file.content_type):
        raise ComposeError(f"not a content type: {file.content_type[:80]!r}")
    name = _FILE_NAME.sub("-", file.name).strip("-.")[:60] or "file"
    fields = [
        ("Content-Type", f'{file.content_type}; name="{name}"'),
        ("Content-Transfer-Encoding", "base64"),
    ]
    if file.cid:
        if not _CID.match(file.cid):
            raise ComposeError(f"not a Content-ID: {file.cid[:80]!r}")
        fields.append(("Content-ID", f"<{file.cid}>"))
    fields.append(("Content-Disposition", f'{"inline" if file.cid else "attachment"}; filename="{name}"'))
    return _Part(fields, base64.encodebytes(file.data).replace(b"\n", b"\r\n"))


def _multipart(subtype: str, parts: list[_Part], seed: str, more: str = "") -> _Part:
    boundary = f"=_{subtype}_{seed}"
    mark = b"--" + boundary.encode()
    chunks = [b"This is a mail in several parts (MIME).\r\n"]
    for part in parts:
        if mark in part.data:
            raise ComposeError("a part holds its own boundary")
        chunks.append(b"\r\n" + mark + b"\r\n")
        chunks += [header(name, value) for name, value in part.fields]
        chunks.append(b"\r\n" + part.data)
    chunks.append(b"\r\n" + mark + b"--\r\n")
    return _Part([("Content-Type", f'multipart/{subtype}{more}; boundary="{boundary}"')], b"".join(chunks))


def _check(data: bytes, names: list[str]) -> None:
    """Read the bytes back: the header must have exactly the fields that were meant, once each, and no more."""
    read = BytesHeaderParser(policy=compat32).parsebytes(data[: data.find(b"\r\n\r\n") + 4])
    # Python before 3.11.4 misses the parts of a multipart mail although it was asked for the header alone.
    defects = [one for one in read.defects if not isinstance(one, MultipartInvariantViolationDefect)]
    if read.keys() != names or defects:
        raise ComposeError(f"the header reads as {read.keys()}, {names} was meant; {defects}")
    if b"\r" in data.replace(b"\r\n", b"") or b"\n" in data.replace(b"\r\n", b""):
        raise ComposeError("bare line ends in a mail")
