"""Mails from the command line: written to the server that runs here, read from its Maildir."""

from __future__ import annotations

import smtplib
import uuid
from collections.abc import Sequence
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import format_datetime

from gm.app.service import utc_now
from gm.settings import Settings


def send(settings: Settings, to: str, sender: str, lines: Sequence[str]) -> str:
    """Send one plain mail by SMTP to the listener; returns what to tell the user."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, to, "orders"
    mail["Date"] = format_datetime(utc_now())
    mail["Message-ID"] = f"<{uuid.uuid4().hex}@{sender.rpartition('@')[2]}>"
    mail.set_content("\n".join(lines) + "\n")
    try:
        with smtplib.SMTP(settings.smtp.host, settings.smtp.port, timeout=10) as smtp:
            smtp.send_message(mail, sender, [to])
    except smtplib.SMTPRecipientsRefused:
        return f"The server does not know {to}. Use the Reply-To address of one of its mails."
    except OSError as wrong:
        return f"No server answers at {settings.smtp.host}:{settings.smtp.port} ({wrong}). Start it with: make run"
    return "Accepted. The answer is in the mail folder in a moment: gm mail read"


def newest(settings: Settings, count: int) -> str:
    """The newest mails of the outgoing Maildir as text, oldest of them first."""
    folder = settings.mail_folder() / "new"
    files = sorted(folder.glob("*"), key=lambda f: f.stat().st_mtime_ns)[-count:] if folder.is_dir() else []
    if not files:
        return f"No mail in {folder}."
    shown = []
    for file in files:
        mail = BytesParser(policy=policy.default).parsebytes(file.read_bytes())
        head = "\n".join(f"{name}: {mail[name]}" for name in ("From", "To", "Reply-To", "Subject"))
        body = mail.get_body(("plain",))
        shown.append(f"{head}\n\n{body.get_content() if body else ''}")
    return ("\n" + "=" * 72 + "\n").join(shown)
