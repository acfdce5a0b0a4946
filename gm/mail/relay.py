"""Sending through a relay by SMTP, over one connection for many mails."""

from __future__ import annotations

import re
import smtplib
import ssl
from collections.abc import Callable
from typing import Any, Final

from gm.log import logger
from gm.mail.transport import Parcel, Verdict
from gm.settings import Relay

MAILS_PER_CONNECTION: Final = 100
TIMEOUT_SECONDS: Final = 60
_CONNECTION_ENDS: Final = 421
"""RFC 5321 3.8: the only code after which the server closes the connection."""
_SENDABLE = re.compile(r"[!-;=?-~]{1,64}@[!-;=?-~]{1,255}")
"""ASCII without spaces, control characters and angle brackets."""
_ENHANCED = re.compile(r"\b([245])\.(\d{1,3})\.\d{1,3}\b")


class SmtpRelay:
    """A relay. Used by one thread at a time."""

    def __init__(self, relay: Relay, hostname: str, *, context: ssl.SSLContext | None = None) -> None:
        """`hostname`: what we call ourselves in EHLO. `context`: for TLS; None: the system's certificates."""
        self.relay, self.hostname = relay, hostname
        self._context = context
        self._client: smtplib.SMTP | None = None
        self._count = 0

    def send(self, parcel: Parcel) -> Verdict:
        """Hand one mail over, connecting first where needed."""
        if not _SENDABLE.fullmatch(
            parcel.recipient
        ):  # smtplib would make some sense of it, and perhaps another
            return Verdict("never", "not an address that can be sent to", bad_address=True)
        try:
            client = self._connected()
        except smtplib.SMTPAuthenticationError as refused:
            self._drop()
            return Verdict(
                "unavailable", f"login as {self.relay.user}: {_words(refused.smtp_code, refused.smtp_error)}"
            )
        except (OSError, smtplib.SMTPException) as wrong:
            self._drop()
            return Verdict("unavailable", f"{self.relay.host}:{self.relay.port}: {wrong}")
        try:
            verdict = self._transaction(client, parcel)
        except (OSError, smtplib.SMTPException) as wrong:
            # It may have been taken: if so, the next try brings a repeat under the same Message-ID.
            self._drop()
            return Verdict("later", f"connection lost: {wrong}")
        self._count += 1
        if verdict.outcome == "unavailable" or self._count >= MAILS_PER_CONNECTION:
            self.close()
        elif verdict.outcome != "sent":
            self._quietly(client.rset)
        return verdict

    def close(self) -> None:
        """Say goodbye and close the connection."""
        if self._client is not None:
            self._quietly(self._client.quit)
        self._drop()

    def _connected(self) -> smtplib.SMTP:
        if self._client is not None:
            return self._client
        relay = self.relay
        context = self._context or (ssl.create_default_context() if relay.security != "none" else None)
        client: smtplib.SMTP
        if relay.security == "tls":
            client = smtplib.SMTP_SSL(
                relay.host, relay.port, self.hostname, timeout=TIMEOUT_SECONDS, context=context
            )
        else:
            client = smtplib.SMTP(relay.host, relay.port, self.hostname, timeout=TIMEOUT_SECONDS)
        self._client, self._count = client, 0
        client.ehlo_or_helo_if_needed()
        if relay.security == "starttls":
            client.starttls(context=context)
            client.ehlo()
        if relay.user:
            client.login(relay.user, relay.password.get_secret_value())
        return client

    def _transaction(self, client: smtplib.SMTP, parcel: Parcel) -> Verdict:
        code, words = client.mail(
            parcel.sender, [f"SIZE={len(parcel.raw)}"] if client.has_extn("size") else []
        )
        if code != 250:
            # 552: too big (RFC 1870). Anything else at this point is about us, not about the recipient.
            return Verdict("never" if code == 552 else "unavailable", _words(code, words))
        code, words = client.rcpt(parcel.recipient)
        if code not in (250, 251):
            return _refused(code, words, at_recipient=True)
        try:
            code, words = client.data(parcel.raw)
        except smtplib.SMTPDataError as refused:
            return _refused(refused.smtp_code, refused.smtp_error)
        return Verdict("sent", _words(code, words)) if code == 250 else _refused(code, words)

    def _drop(self) -> None:
        if self._client is not None:
            self._client.close()
        self._client = None

    def _quietly(self, goodbye: Callable[[], Any]) -> None:
        try:
            goodbye()
        except (OSError, smtplib.SMTPException):
            logger("sender").debug("relay closed first")
            self._drop()


def _refused(code: int, words: bytes | str, *, at_recipient: bool = False) -> Verdict:
    text = _words(code, words)
    if code == _CONNECTION_ENDS:
        return Verdict("unavailable", text)
    if code < 500:
        return Verdict("later", text)
    return Verdict("never", text, bad_address=is_bad_address(text, at_recipient=at_recipient))


def is_bad_address(reply: str, *, at_recipient: bool) -> bool:
    """Whether a 5xx reply says that the address is wrong, rather than full, too small, or shut to this mail.

    By the enhanced code (RFC 3463: subject 1 is the address, and 2.1 a disabled mailbox) where there is one; else
    any refusal of the recipient counts.
    """
    match = _ENHANCED.search(reply)
    if match:
        return match[1] == "5" and (match[2] == "1" or match[0].startswith("5.2.1"))
    return at_recipient and not re.search(r"full|quota|spam|block|relay|polic|size", reply, re.IGNORECASE)


def _words(code: int, words: bytes | str) -> str:
    text = words.decode("utf-8", "replace") if isinstance(words, bytes) else words
    return f"{code} {' '.join(text.split())}"[:500]
