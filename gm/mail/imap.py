"""Mail from a mailbox at a provider: looked for, stored, moved away.

A mail is moved to another folder only after it is committed. If the move fails, or the process dies before it, the
mail is fetched again and found to be there already: the store tells mails apart by what they are, so UIDs that the
server gives out anew, and copies that came by SMTP as well, do no harm.

Links die without a word, and IMAPClient then waits for ever: every socket has a timeout, IDLE is renewed before
servers and routers give up on it, and any error ends the connection and begins another.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any, Final

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientError

from gm.log import logger
from gm.mail.envelope import read_envelope
from gm.mail.spool import Arrival, accept
from gm.settings import Imap
from gm.store.crash import crash_point
from gm.store.db import Store

CONNECT_SECONDS: Final = 10
READ_SECONDS: Final = 60
FIRST_WAIT: Final = 5.0
LONGEST_WAIT: Final = 300.0
_LOOK_SECONDS: Final = 1.0
"""How often a waiting IDLE looks whether it should stop."""


class ImapPoller:
    """Fetches from one mailbox. One thread uses it."""

    def __init__(
        self,
        store: Store,
        account: Imap,
        clock: Callable[[], datetime],
        *,
        known: Callable[[str], bool],
        fallback: str,
        message_bytes: int,
        stored: Callable[[], None] = lambda: None,
    ) -> None:
        """
        Args:
            known: says whether mail to an address is taken.
            fallback: our address for a mail that names none of ours: the desk's.
            message_bytes: of a longer mail only so much (and one byte, to show that there was more) is fetched.
            stored: called after a mail was stored that was not there before.
        """
        self._store, self._account, self._clock = store, account, clock
        self._known, self._fallback, self._most, self._stored = known, fallback, message_bytes, stored
        self._stuck: set[tuple[int, int]] = set()

    def run(self, stop: threading.Event) -> None:
        """Fetch as mail comes, until stopped. Errors end the connection; the next one is tried after a while."""
        wait = FIRST_WAIT
        while not stop.is_set():
            try:
                with self.connected() as client:
                    while not stop.is_set():
                        self.fetch(client)
                        wait = FIRST_WAIT
                        self._wait_for_mail(client, stop)
            except Exception as wrong:  # of the link, the server or the store: the mail stays where it is
                logger("imap").error("connection ended", error=str(wrong)[:200], again_in=wait)
                stop.wait(wait)
                wait = min(wait * 2, LONGEST_WAIT)

    @contextmanager
    def connected(self) -> Iterator[Any]:
        """A logged-in client, both folders made, the mailbox selected. Raises OSError and IMAPClientError."""
        account = self._account
        client = IMAPClient(
            account.host,
            account.port,
            ssl=account.tls,
            timeout=SocketTimeout(connect=CONNECT_SECONDS, read=READ_SECONDS),
        )
        try:
            client.login(account.user, account.password.get_secret_value())
            if not client.folder_exists(account.done_folder):
                client.create_folder(account.done_folder)
            yield client
            client.logout()
        except BaseException:
            with suppress(OSError):  # no LOGOUT: a server in IDLE, or a dead link, would not answer it
                client.shutdown()
            raise

    def fetch(self, client: Any) -> int:
        """Store and move away what is in the mailbox. Returns how many mails were new."""
        validity = int(client.select_folder(self._account.folder)[b"UIDVALIDITY"])
        new = 0
        for uid in client.search(["NOT", "DELETED"]):
            if (validity, uid) in self._stuck:
                continue
            raw = self._raw(client, uid)
            if raw is None:
                continue  # another client took it away meanwhile
            new += self._take(raw)
            crash_point("imap.stored")
            try:
                self._move(client, uid)
            except IMAPClientError as wrong:
                self._stuck.add((validity, uid))
                logger("imap").error(
                    "cannot move a mail", folder=self._account.done_folder, error=str(wrong)[:200]
                )
        return new

    def _raw(self, client: Any, uid: int) -> bytes | None:
        found = client.fetch([uid], [f"BODY.PEEK[]<0.{self._most + 1}>"]).get(uid, {})
        raw = found.get(b"BODY[]<0>")
        return raw if isinstance(raw, bytes) else None

    def _take(self, raw: bytes) -> bool:
        envelope = read_envelope(raw, self._known)
        arrival = Arrival(
            raw=raw,
            envelope_from=envelope.sender,
            recipients=envelope.recipients or (self._fallback,),
            peer=self._account.host,
            via="imap",
        )
        (accepted,) = accept(self._store, [arrival], self._clock)
        logger("intake").info("taken", mails=accepted.ids, fresh=accepted.fresh, via="imap", bytes=len(raw))
        if any(accepted.fresh):
            self._stored()
        return any(accepted.fresh)

    def _move(self, client: Any, uid: int) -> None:
        if client.has_capability("MOVE"):
            client.move([uid], self._account.done_folder)
            return
        client.copy([uid], self._account.done_folder)
        client.delete_messages([uid])
        if client.has_capability(
            "UIDPLUS"
        ):  # else the next SEARCH passes it over, and a person may expunge it
            client.expunge([uid])

    def _wait_for_mail(self, client: Any, stop: threading.Event) -> None:
        if not client.has_capability("IDLE"):
            stop.wait(self._account.poll_seconds)
            return
        client.idle()
        # No longer than this: a notice that came in one packet with the answer to IDLE lies unseen in imaplib's
        # buffer, and routers forget a silent link after some ten minutes.
        end = time.monotonic() + self._account.poll_seconds
        while not stop.is_set() and (begun := time.monotonic()) < end:
            lines = client.idle_check(timeout=_LOOK_SECONDS)
            news = any(line[0] != b"OK" for line in lines)  # OK: "still here"
            # Nothing at once is how IMAPClient shows that the server hung up; leaving IDLE then says so aloud.
            hung_up = not lines and time.monotonic() - begun < _LOOK_SECONDS / 2
            if news or hung_up:
                break
        client.idle_done()
