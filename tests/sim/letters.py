"""How scripted people's mail programs write: plain, HTML only, with the whole report quoted, in old charsets."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from email.message import EmailMessage


def quoted(original: EmailMessage | None) -> str:
    """The whole mail that is answered, quoted."""
    if original is None:
        return ""
    body = original.get_body(("plain",))
    assert body is not None
    lines = "\n".join(f"> {line}".rstrip() for line in str(body.get_content()).splitlines())
    return f"On Mon, 7 Dec 2026 at 20:01, {original['From']} wrote:\n{lines}\n"


def plain(text: str, original: EmailMessage | None) -> EmailMessage:
    mail = EmailMessage()
    mail.set_content(f"{text}\n", cte="8bit" if not text.isascii() else "7bit")
    return mail


def top_post(text: str, original: EmailMessage | None) -> EmailMessage:
    mail = EmailMessage()
    mail.set_content(f"{text}\n\n{quoted(original)}", cte="quoted-printable")
    return mail


def signed(text: str, original: EmailMessage | None) -> EmailMessage:
    mail = EmailMessage()
    mail.set_content(f"{text}\n\n-- \nSent with honour, +44 20 7946 0000\nA VIE - GAL was my first order\n")
    return mail


def phone(text: str, original: EmailMessage | None) -> EmailMessage:
    mail = EmailMessage()
    mail.set_content(f"{text}\n\nSent from my iPhone\n\n{quoted(original)}", cte="base64")
    return mail


def flowed(text: str, original: EmailMessage | None) -> EmailMessage:
    mail = EmailMessage()
    mail.set_content(f"{text}\n", params={"format": "flowed"}, cte="7bit" if text.isascii() else "8bit")
    return mail


def html_only(text: str, original: EmailMessage | None) -> EmailMessage:
    mail = EmailMessage()
    lines = "".join(f"<div>{html.escape(line) or '<br>'}</div>" for line in text.splitlines())
    old = f'<div class="gmail_quote"><blockquote>{html.escape(quoted(original))}</blockquote></div>'
    page = f"<html><head><style>div {{color:#123}}</style></head><body>{lines}<br>{old}</body></html>"
    mail.set_content(page, subtype="html", cte="quoted-printable")
    return mail


def both(text: str, original: EmailMessage | None) -> EmailMessage:
    mail = top_post(text, original)
    lines = "<br>".join(html.escape(line) for line in text.splitlines())
    old = html.escape(quoted(original)).replace("\n", "<br>")
    mail.add_alternative(
        f'<html><body><p>{lines}</p><blockquote type="cite">{old}</blockquote></body></html>', subtype="html"
    )
    return mail


def latin1(text: str, original: EmailMessage | None) -> EmailMessage:
    mail = EmailMessage()
    safe = text.encode("latin-1", "replace").decode("latin-1")
    mail.set_content(f"{safe}\n\n-- \nGrüße vom Käpt'n\n", charset="iso-8859-1", cte="quoted-printable")
    return mail


STYLES: tuple[Callable[[str, EmailMessage | None], EmailMessage], ...] = (
    plain, top_post, signed, phone, flowed, html_only, both, latin1,
)  # fmt: skip


def addressed(
    mail: EmailMessage, *, sender: str, to: str, subject: str, identity: str, answers: str = ""
) -> bytes:
    """The mail's bytes as they go over the wire."""
    mail["From"], mail["To"], mail["Subject"] = sender, to, subject
    mail["Message-ID"] = identity
    if answers:
        mail["In-Reply-To"] = answers
    return mail.as_bytes()


def away_note(sender: str, to: str, identity: str) -> bytes:
    """An out-of-office note that a machine sends."""
    mail = EmailMessage()
    mail.set_content("I am out of the office and back on Monday.\nA PAR - BUR\n")
    mail["Auto-Submitted"] = "auto-replied"
    return addressed(mail, sender=sender, to=to, subject="Automatic reply: Out of office", identity=identity)


def bounce(to: str, recipient: str, original: bytes, status: str, identity: str) -> bytes:
    """A delivery status notification (RFC 3464) as a recipient's server sends it to the envelope sender."""
    found = re.search(rb"^Message-ID:\s*(<[^>]+>)", original, re.IGNORECASE | re.MULTILINE)
    named = found[1].decode() if found else "<unknown@play.example>"
    lines = (
        "From: Mail Delivery System <MAILER-DAEMON@mx.club.example>",
        f"To: {to}",
        "Subject: Undelivered Mail Returned to Sender",
        f"Message-ID: {identity}",
        "Auto-Submitted: auto-replied",
        "MIME-Version: 1.0",
        'Content-Type: multipart/report; report-type=delivery-status; boundary="=_b"',
        "",
        "--=_b",
        "Content-Type: text/plain; charset=us-ascii",
        "",
        f"Your mail to <{recipient}> could not be delivered.",
        "",
        "--=_b",
        "Content-Type: message/delivery-status",
        "",
        "Reporting-MTA: dns; mx.club.example",
        "",
        f"Final-Recipient: rfc822; {recipient}",
        "Action: failed",
        f"Status: {status}",
        f"Diagnostic-Code: smtp; 550 {status} undeliverable",
        "",
        "--=_b",
        "Content-Type: text/rfc822-headers",
        "",
        f"Message-ID: {named}",
        "",
        "--=_b--",
        "",
    )
    return "\r\n".join(lines).encode()
