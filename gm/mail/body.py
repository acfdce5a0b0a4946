"""The MIME tree of a mail to its text: which part is the player's words, what is attached.

Reading rules: a text/plain alternative wins over HTML unless it is blank; mail inside mail is never entered; the
first part of a signed or report mail stands for it; archives and pictures are named, never opened.
"""

from __future__ import annotations

import binascii
import re
from dataclasses import dataclass, field
from email.message import Message
from pathlib import PurePosixPath
from typing import Literal

from gm.mail.armour import looks_like_html, unwrap
from gm.mail.flowed import unflow
from gm.mail.headers import Fields, content_type, decoded, parameters
from gm.mail.html import html_to_text
from gm.mail.limits import (
    MAX_ATTACHED_TEXT,
    MAX_HTML,
    MAX_MIME_DEPTH,
    MAX_PARTS,
    MAX_TAGS,
    MAX_TEXT,
    LimitHit,
    LimitName,
)
from gm.mail.phrases import HTML_STUB
from gm.mail.plain import decode_text, one_line, plain, unify_line_ends

NoteCode = Literal["html", "charset", "attachment", "signed", "encrypted", "uuencode", "br", "alternatives"]

_TEXT_NAMES = (".txt", ".text", ".ord", ".orders", ".md")
_INDENTED_QUOTE = re.compile(r"^ {1,3}(?=>)", re.MULTILINE)
_MAX_NAME = 80
_STUB = 300
"""Characters of the longest text part that only says that the mail is HTML."""


@dataclass(frozen=True, kw_only=True)
class Note:
    """Something that was done to a mail to read it, in words for its sender."""

    code: NoteCode
    message: str


@dataclass(frozen=True, kw_only=True)
class Attachment:
    """A file that came with a mail."""

    name: str
    """Last part of the file name, safe to show; the content type if it had none."""
    content_type: str
    size: int
    """Bytes, roughly for parts that were not decoded."""
    text: str | None = None
    """What a text file says, as plain text; None for everything else."""


@dataclass(frozen=True, kw_only=True)
class _Text:
    """An inline text part, decoded but not yet cleaned."""

    text: str
    html: bool
    flowed: bool = False
    delsp: bool = False
    wrong_label: str = ""
    """The charset named, if it had to be overruled."""

    @property
    def blank(self) -> bool:
        """Whether nothing is said here that the HTML beside it would not say better."""
        bare = self.text.strip()
        return not bare or (not self.html and len(bare) <= _STUB and HTML_STUB.search(bare) is not None)


@dataclass
class Body:
    """What the MIME tree gave; filled by `read_body`."""

    lines: list[str] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    notes: dict[NoteCode, Note] = field(default_factory=dict)
    hits: list[LimitHit] = field(default_factory=list)
    parts: int = 0
    unread_html: str = ""
    """HTML that says again what the text beside it says, or should."""
    alone: bool = False
    """Whether all lines come from one part."""
    ends_in_text: bool = False
    """Whether the last part of the mail was inline text: it is the one that a cut mail lost the end of."""

    def note(self, code: NoteCode, message: str) -> None:
        self.notes.setdefault(code, Note(code=code, message=message))


def read_body(message: Message) -> Body:
    """The text lines, attachments, notes and limits of a parsed mail. Never raises on what the mail holds."""
    body = Body()
    texts = _collect(message, 0, body)
    body.alone = len(texts) == 1
    body.hits += _too_long(texts)
    if any(hit.refused for hit in body.hits):
        return body
    for text in texts:
        if body.lines and body.lines[-1].strip():
            body.lines.append("")
        body.lines += _clean(text, body)
    return body


def _too_long(texts: list[_Text]) -> list[LimitHit]:
    """The limits that a mail's texts are over, all of them together."""
    text = sum(len(text.text) for text in texts if not text.html)
    html = sum(len(text.text) for text in texts if text.html)
    tags = sum(text.text.count("<") for text in texts if text.html or looks_like_html(text.text))
    found: tuple[tuple[LimitName, int, int, str], ...] = (
        ("text", MAX_TEXT, text, "text has more than {:,} characters"),
        ("html", MAX_HTML, html, "HTML has more than {:,} characters"),
        ("html", MAX_TAGS, tags, "HTML has more than {:,} tags"),
    )
    return [
        LimitHit(
            name=name,
            limit=limit,
            found=size,
            message=f"Your mail is too long: its {words.format(limit)}. Nothing of it was read.",
            refused=True,
        )
        for name, limit, size, words in found
        if size > limit
    ]


def _collect(part: Message, depth: int, body: Body) -> list[_Text]:
    fields = Fields.of(part)
    kind, params = content_type(fields)
    body.parts += 1
    if depth > MAX_MIME_DEPTH or body.parts > MAX_PARTS:
        name, limit = ("depth", MAX_MIME_DEPTH) if depth > MAX_MIME_DEPTH else ("parts", MAX_PARTS)
        if not any(hit.name == name for hit in body.hits):
            body.hits.append(_structure_hit("depth" if name == "depth" else "parts", limit))
        return []
    if part.is_multipart() and kind.startswith("multipart/"):
        return _multipart(part, kind, depth, body)
    if kind.startswith("message/") or part.is_multipart():
        body.attachments.append(Attachment(name="(a mail)", content_type=kind, size=0))
        return []
    return _leaf(part, fields, kind, params, body)


def _structure_hit(name: Literal["depth", "parts"], limit: int) -> LimitHit:
    what = "nested more than" if name == "depth" else "in more than"
    unit = "levels deep" if name == "depth" else "parts"
    message = f"Your mail is {what} {limit} {unit}: send your orders as plain text."
    return LimitHit(name=name, limit=limit, found=limit + 1, message=message, refused=True)


def _multipart(part: Message, kind: str, depth: int, body: Body) -> list[_Text]:
    children = [child for child in part.get_payload() if isinstance(child, Message)]
    if kind == "multipart/encrypted":
        body.note("encrypted", "Your mail is encrypted: it could not be read. Send it without encryption.")
        return []
    if kind in ("multipart/signed", "multipart/report"):
        if kind == "multipart/signed":
            body.note("signed", "The signature of your mail was not checked.")
        children = children[:1]
    found = [_collect(child, depth + 1, body) for child in children]
    if kind == "multipart/alternative":
        return _best(found, body)
    return [text for texts in found for text in texts]


def _best(found: list[list[_Text]], body: Body) -> list[_Text]:
    """Of a mail's alternatives the one that is read: plain text unless it is blank, then HTML."""
    for html in (False, True):
        for texts in found:
            if any(text.html is html and not text.blank for text in texts):
                unread = (text for other in found if other is not texts for text in other)
                body.unread_html += "".join(text.text for text in unread if text.html)
                return texts
    return found[0] if found else []


def _leaf(part: Message, fields: Fields, kind: str, params: dict[str, str], body: Body) -> list[_Text]:
    disposition, extra = parameters(fields.first("content-disposition"))
    name = _name(extra.get("filename") or params.get("name") or "")
    encoding = fields.first("content-transfer-encoding").lower()
    raw = _payload(part)
    inline = disposition != "attachment" and not name and kind.startswith(("text/", "multipart/"))
    body.ends_in_text = inline
    if kind in ("application/pkcs7-mime", "application/x-pkcs7-mime"):
        body.note("encrypted", "Your mail is wrapped in S/MIME: it could not be read. Send it as plain text.")
    if inline and kind != "text/calendar":
        return [_inline(raw, encoding, kind, params)]
    as_text = kind in ("text/plain", "text/markdown", "text/x-orders") or name.lower().endswith(_TEXT_NAMES)
    if not as_text or kind == "text/html":
        body.attachments.append(Attachment(name=name or kind, content_type=kind, size=_size(raw, encoding)))
        return []
    data = _decoded_bytes(raw, encoding)
    _attach_text(name or kind, kind, data, params.get("charset"), body)
    return []


def _attach_text(name: str, kind: str, data: bytes, charset: str | None, body: Body) -> None:
    text = decode_text(data, charset)[0]
    if len(text) > MAX_ATTACHED_TEXT:
        message = (
            f"The attached file {name} is longer than {MAX_ATTACHED_TEXT:,} characters: it was not read."
        )
        hit = LimitHit(
            name="attachment", limit=MAX_ATTACHED_TEXT, found=len(text), message=message, refused=False
        )
        body.hits.append(hit)
        body.attachments.append(Attachment(name=name, content_type=kind, size=len(data)))
        return
    clean = None if "\0" in text else plain(text).strip("\n")
    body.attachments.append(Attachment(name=name, content_type=kind, size=len(data), text=clean))


def _inline(raw: bytes, encoding: str, kind: str, params: dict[str, str]) -> _Text:
    html = kind == "text/html"
    text, guessed = decode_text(_decoded_bytes(raw, encoding), params.get("charset"))
    return _Text(
        text=text,
        html=html,
        flowed=params.get("format", "").lower() == "flowed" and not html,
        delsp=params.get("delsp", "").lower() == "yes",
        wrong_label=one_line(params.get("charset", ""), 30) or "none given" if guessed else "",
    )


def _clean(text: _Text, body: Body) -> list[str]:
    source = unify_line_ends(text.text)
    if text.wrong_label:
        body.note(
            "charset", f"The charset of your mail ({text.wrong_label}) was wrong: check accented letters."
        )
    if text.html or looks_like_html(source):
        body.note("html", "Your mail was HTML: its text was taken out of it.")
        return [line.rstrip() for line in plain(html_to_text(source)).split("\n")]
    if text.flowed:
        source = unflow(source, delsp=text.delsp)
    else:
        source = _INDENTED_QUOTE.sub("", source)
    unwrapped = unwrap(plain(source).split("\n"))
    if unwrapped.br:
        body.note("br", "Each line of your mail ended in <br>: that was taken off.")
    if unwrapped.signed:
        body.note("signed", "The signature of your mail was not checked.")
    if unwrapped.encrypted:
        body.note("encrypted", "Your mail is encrypted: it could not be read. Send it without encryption.")
    for name, data in unwrapped.files:
        body.note("uuencode", "A uuencoded file in your mail was taken for an attachment.")
        safe = _name(name)
        if safe.lower().endswith(_TEXT_NAMES):
            _attach_text(safe, "text/plain", data, None, body)
        else:
            body.attachments.append(
                Attachment(name=safe, content_type="application/octet-stream", size=len(data))
            )
    return [line.rstrip() for line in unwrapped.lines]


def _payload(part: Message) -> bytes:
    """The bytes of a leaf before its transfer encoding is undone.

    Only `decode=True` gives bytes as they came, and it gives them as they came only where no encoding is named.
    """
    del part["Content-Transfer-Encoding"]
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _decoded_bytes(data: bytes, encoding: str) -> bytes:
    """Undo a part's transfer encoding: junk in base64 is skipped, an unknown encoding is taken as 8bit."""
    if encoding == "base64":
        return _base64(data)
    if encoding == "quoted-printable":
        return binascii.a2b_qp(data)
    if encoding in ("x-uuencode", "uuencode", "uue", "x-uue"):
        files = unwrap(unify_line_ends(data.decode("latin-1")).split("\n")).files
        return files[0][1] if files else data
    return data


def _base64(data: bytes) -> bytes:
    useful = re.sub(rb"[^A-Za-z0-9+/]", b"", data.split(b"=", 1)[0] if data.rstrip().endswith(b"=") else data)
    useful = useful[: len(useful) - 1] if len(useful) % 4 == 1 else useful
    return binascii.a2b_base64(useful + b"=" * (-len(useful) % 4))


def _size(raw: bytes, encoding: str) -> int:
    return len(raw) * 3 // 4 if encoding == "base64" else len(raw)


def _name(filename: str) -> str:
    """A file name that can be shown and stored as a label: no folders, no control characters, no odd ends."""
    flat = decoded(filename, 300).replace("\\", "/")
    last = PurePosixPath(flat).name.strip(" .")
    return one_line(last, _MAX_NAME)
