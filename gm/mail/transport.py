"""Ways out for a mail: a Maildir folder, a list in memory. The relay by SMTP is in `gm.mail.relay`."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

Outcome = Literal["sent", "later", "never", "unavailable"]
"""later: not now, this mail. never: not this mail to this recipient. unavailable: nothing goes out at present."""


@dataclass(frozen=True)
class Verdict:
    """What became of one mail."""

    outcome: Outcome
    reply: str
    """The relay's words, for people."""
    bad_address: bool = False
    """never: whether it is the address that is wrong, and not this mail."""


@dataclass(frozen=True, kw_only=True)
class Parcel:
    """One mail with its envelope."""

    message_id: str
    sender: str
    recipient: str
    raw: bytes


class Transport(Protocol):
    """A way out. `send` never raises for what a relay may do."""

    def send(self, parcel: Parcel) -> Verdict:
        """Try to hand one mail over."""

    def close(self) -> None:
        """Give back what is held open between two mails."""


@dataclass
class Maildir:
    """A folder of mails, one file each, that any mail reader opens.

    The file's name comes from the Message-ID: the same mail once more, after a crash, is the same file.
    """

    folder: Path

    def send(self, parcel: Parcel) -> Verdict:
        """Write the mail whole or not at all; durable when this returns."""
        name = hashlib.sha256(parcel.message_id.encode()).hexdigest()[:32] + ".gm"
        try:
            for part in ("tmp", "new", "cur"):
                (self.folder / part).mkdir(parents=True, exist_ok=True)
            if (self.folder / "new" / name).exists() or any((self.folder / "cur").glob(f"{name}*")):
                return Verdict("sent", "was there already")
            self._write(name, parcel)
        except OSError as wrong:
            return Verdict("unavailable", f"{self.folder}: {wrong.strerror}")
        return Verdict("sent", f"written to {name}")

    def _write(self, name: str, parcel: Parcel) -> None:
        head = f"Return-Path: <{parcel.sender}>\nDelivered-To: {parcel.recipient}\n".encode()
        temporary = self.folder / "tmp" / name
        with temporary.open("wb") as file:
            file.write(head + parcel.raw.replace(b"\r\n", b"\n"))
            file.flush()
            os.fsync(file.fileno())
        temporary.rename(self.folder / "new" / name)
        new = os.open(self.folder / "new", os.O_RDONLY)
        try:
            os.fsync(new)
        finally:
            os.close(new)

    def close(self) -> None:
        """Nothing is held open."""


def _accept(_parcel: Parcel) -> Verdict:
    return Verdict("sent", "250 kept")


@dataclass
class Memory:
    """Keeps what was sent in a list. `answer` may play a relay in any mood."""

    answer: Callable[[Parcel], Verdict] = _accept
    sent: list[Parcel] = field(default_factory=list)

    def send(self, parcel: Parcel) -> Verdict:
        """Keep the mail if `answer` says so."""
        verdict = self.answer(parcel)
        if verdict.outcome == "sent":
            self.sent.append(parcel)
        return verdict

    def close(self) -> None:
        """Nothing is held open."""
