"""Mails as people's programs write them, built by hand so that each oddity is visible."""

from __future__ import annotations

import base64
import quopri

from gm.mail.message import InboundMail, read_message

ORDERS = ["A Vie - Bud", "F Tri S A Vie - Bud", "A Bud - Ser"]

HEAD = (
    "From: Hans Meier <hans@player.example>\n"
    "To: play+token@gm.example\n"
    "Subject: Re: Fall 1901\n"
    "Message-ID: <abc.1@player.example>\n"
    "Date: Sun, 29 Nov 2026 10:00:00 +0100\n"
    "MIME-Version: 1.0\n"
)


def raw(
    body: str, kind: str = "text/plain; charset=utf-8", *, encoding: str = "8bit", head: str = HEAD
) -> bytes:
    """A mail of one part, CR LF line ends."""
    data = body.encode("utf-8")
    if encoding == "base64":
        data = base64.encodebytes(data)
    elif encoding == "quoted-printable":
        data = quopri.encodestring(data)
    top = f"{head}Content-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n\n".encode()
    return (top + data).replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def part(body: str | bytes, kind: str = "text/plain; charset=utf-8", more: str = "") -> bytes:
    """A part for `multi`, with further header lines in `more`."""
    data = body.encode() if isinstance(body, str) else body
    return f"Content-Type: {kind}\n{more}\n".encode() + data + b"\n"


def multi(
    *parts: bytes, kind: str = "mixed", boundary: str = "=_b1", head: str = HEAD, params: str = ""
) -> bytes:
    """A multipart mail; with an empty `head` it is a part for another `multi`."""
    mark = b"--" + boundary.encode()
    top = f'{head}Content-Type: multipart/{kind}; boundary="{boundary}"{params}\n\n'.encode()
    return top + b"".join(mark + b"\n" + p for p in parts) + mark + b"--\n"


def lines(mail: InboundMail) -> list[str]:
    """The player's own words without blank lines."""
    return [line for line in mail.text.split("\n") if line.strip()]


def words(data: bytes) -> list[str]:
    """Own words of a raw mail without blank lines."""
    return lines(read_message(data))


def not_taken(data: bytes) -> list[str]:
    """Lines below a cut, as the receipt would list them."""
    return [cut.text for cut in read_message(data).after_cut]
