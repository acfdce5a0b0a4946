"""Raw bytes of a mail to what it says: the one entrance for mail that comes in.

`read_message` is total: any bytes give an `InboundMail`, quickly and in little memory. It never changes, and nobody
may write out again, the raw bytes: what is quoted back to people is decoded text.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import datetime
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32

from gm.mail import headers, limits
from gm.mail.addresses import Mailbox, read_mailboxes
from gm.mail.alternatives import difference
from gm.mail.body import Attachment, Body, Note, read_body
from gm.mail.headers import Fields
from gm.mail.limits import LimitHit
from gm.mail.quotes import Cut, own_words

_CONTAINER = re.compile(rb"content-type:[ \t\n]*(?:multipart|message)/", re.IGNORECASE)
_CONTENT_TYPE = re.compile(rb"^content-type:[^\n]*(?:\n[ \t][^\n]*)*", re.IGNORECASE | re.MULTILINE)
_BOUNDARY_LINE = re.compile(rb"^--[^\n]*[^\n \t-]", re.MULTILINE)
_ALL_DASHES = 10
"""A text may hold this many times `MAX_PARTS` lines of nothing but dashes (tables), for which no boundary stands."""
_ATTACHED = re.compile(
    r"\battach|\benclosed|anhang|anlage|angehängt|beigefügt|pi[eè]ce jointe|ci-joint|adjunt|allegat|bijlage|bijgevoegd"
    r"|anexo|załącz|bifoga|vedhæft|see file",
    re.IGNORECASE,
)
_BARE_BODY_LINES = 5


@dataclass(frozen=True, kw_only=True)
class InboundMail:
    """A mail as it was read. All text is plain (see `gm.mail.plain`); addresses are in canonical form."""

    message_id: str | None
    """None if it is missing or not fit for a key."""
    sha256: str
    """Of the raw bytes, hex."""
    body_sha256: str
    """Of what stands below the header block, with LF line ends and up to `MAX_MESSAGE_BYTES`: equal for the same
    mail come by two ways."""
    senders: tuple[Mailbox, ...]
    """Of From; empty if that field is not a list of addresses."""
    reply_to: tuple[Mailbox, ...]
    to: tuple[Mailbox, ...]
    """Of To and Cc. Who a mail is for is told by the envelope, not by these."""
    subject: str
    date: datetime | None
    """The sender's clock, UTC. Never decides anything by itself."""
    in_reply_to: tuple[str, ...]
    references: tuple[str, ...]
    content_type: str
    """Main content type in lower case: ``"multipart/report"``."""
    fields: Fields
    """All header fields, raw."""
    text: str
    """The player's own words."""
    quoted: tuple[str, ...]
    after_cut: tuple[Cut, ...]
    attachments: tuple[Attachment, ...]
    notes: tuple[Note, ...]
    hits: tuple[LimitHit, ...]

    @property
    def sender(self) -> str | None:
        """The address of From if there is exactly one."""
        return self.senders[0].address if len(self.senders) == 1 else None

    @property
    def refused(self) -> bool:
        """Whether a limit kept the text from being read."""
        return any(hit.refused for hit in self.hits)


def read_message(raw: bytes) -> InboundMail:
    """Read one mail. Never raises; what could not be read is told by `hits` and `notes`."""
    data = raw[: limits.MAX_MESSAGE_BYTES].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    head, body_start = _header_block(data)
    hits = _structure_hits(data, head)
    refused = any(hit.refused for hit in hits)
    parser = BytesParser(policy=compat32)
    message: Message
    if refused:
        message = parser.parsebytes(head[: limits.MAX_HEADER_BYTES], headersonly=True)
        body = Body()
    else:
        message = parser.parsebytes(data)
        body = read_body(message)
    fields = Fields.of(message)
    hits += body.hits
    if len(raw) > limits.MAX_MESSAGE_BYTES and not refused:
        hits = [_message_hit(len(raw), refused=body.parts < 2 or body.ends_in_text), *hits]
    lines = [] if any(hit.refused for hit in hits) else body.lines
    words = own_words(lines)
    if lines and body.unread_html:
        told = difference(lines, words.own, body.unread_html, alone=body.alone)
        if told:
            body.note("alternatives", told)
    own = _without_long_lines(words.own, hits)
    text = "\n".join(own)
    text = _attached_orders(text, body) or text
    return InboundMail(
        message_id=headers.message_id(fields.first("message-id")),
        sha256=hashlib.sha256(raw).hexdigest(),
        body_sha256=hashlib.sha256(data[body_start:]).hexdigest(),
        senders=_mailboxes(fields, "from"),
        reply_to=_mailboxes(fields, "reply-to"),
        to=_mailboxes(fields, "to") + _mailboxes(fields, "cc"),
        subject=headers.decoded(fields.first("subject")),
        date=headers.date(fields.first("date")),
        in_reply_to=headers.message_ids(fields.first("in-reply-to")),
        references=headers.message_ids(fields.first("references")),
        content_type=headers.content_type(fields)[0],
        fields=fields,
        text=text,
        quoted=words.quoted,
        after_cut=words.after_cut,
        attachments=tuple(body.attachments),
        notes=tuple(body.notes.values()),
        hits=tuple(hits),
    )


def _header_block(data: bytes) -> tuple[bytes, int]:
    """The header block, and where the body starts."""
    if data.startswith(b"\n"):
        return b"", 1
    end = data.find(b"\n\n")
    return (data, len(data)) if end < 0 else (data[: end + 1], end + 2)


def _structure_hits(data: bytes, head: bytes) -> list[LimitHit]:
    """Limits that must hold before the parser is let loose, found by scans of the bytes."""
    longest = max((len(m[0]) for m in _CONTENT_TYPE.finditer(data)), default=0)
    containers = sum(1 for _ in _CONTAINER.finditer(data))
    parts = 0
    if containers and data.count(b"\n--") > limits.MAX_PARTS:
        parts = sum(1 for _ in _BOUNDARY_LINE.finditer(data))
        if data.count(b"\n--") > limits.MAX_PARTS * _ALL_DASHES:
            parts = max(parts, limits.MAX_PARTS + 1)
    lines = data.count(b"\n")
    checks: tuple[tuple[limits.LimitName, int, int, str], ...] = (
        ("headers", limits.MAX_HEADER_BYTES, len(head), "the header of your mail has {found:,} bytes"),
        (
            "content-type",
            limits.MAX_CONTENT_TYPE,
            longest,
            "a Content-Type field of your mail has {found:,} characters",
        ),
        (
            "depth",
            limits.MAX_CONTAINERS,
            containers,
            "your mail has {found:,} mails or groups of parts inside it",
        ),
        ("parts", limits.MAX_PARTS, parts, "your mail has more than {limit:,} parts"),
        ("lines", limits.MAX_LINES, lines, "your mail has {found:,} lines"),
    )
    return [
        LimitHit(
            name=name,
            limit=limit,
            found=found,
            message=f"Not read: {words.format(found=found, limit=limit)}; at most {limit:,} are read."
            " Send your orders as a short plain text.",
            refused=True,
        )
        for name, limit, found, words in checks
        if found > limit
    ]


def _message_hit(size: int, *, refused: bool) -> LimitHit:
    limit = limits.MAX_MESSAGE_BYTES
    message = f"Your mail is too long: it has {size:,} bytes, at most {limit:,} are read. " + (
        "Nothing of it was read." if refused else "What is attached beyond that was not seen."
    )
    return LimitHit(name="message", limit=limit, found=size, message=message, refused=refused)


def _without_long_lines(own: tuple[str, ...], hits: list[LimitHit]) -> list[str]:
    kept: list[str] = []
    for number, line in enumerate(own, start=1):
        if len(line) <= limits.MAX_LINE:
            kept.append(line)
            continue
        message = (
            f"Line {number} has {len(line):,} characters, at most {limits.MAX_LINE:,} are read: it was left out."
            f" It begins: {line[:60]}"
        )
        hits.append(
            LimitHit(name="line", limit=limits.MAX_LINE, found=len(line), message=message, refused=False)
        )
    return kept


def _mailboxes(fields: Fields, name: str) -> tuple[Mailbox, ...]:
    """The mailboxes of a field that stands once; From twice is no From (RFC 5322 3.6)."""
    values = fields.all(name)
    if len(values) != 1:
        return ()
    return tuple(
        Mailbox(address=box.address, name=headers.decoded(box.name, 100))
        for box in read_mailboxes(headers.readable(values[0]))
    )


def _attached_orders(text: str, body: Body) -> str:
    """The text of the one text file attached, where the mail's own text is empty or only speaks of it."""
    files = [a for a in body.attachments if a.text]
    spoken = [line for line in text.split("\n") if line.strip()]
    bare = not spoken or (len(spoken) <= _BARE_BODY_LINES and any(_ATTACHED.search(line) for line in spoken))
    if len(files) != 1 or not bare:
        return ""
    body.note("attachment", f"Your orders were read from the attached file {files[0].name}.")
    return files[0].text or ""
