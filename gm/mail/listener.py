"""The door: SMTP and LMTP on our event loop. 250 means that the mail is committed.

Built on aiosmtpd, with what it leaves to others: limits on connections and their time, DATA in bounded memory, and
LMTP's one reply a recipient. Mail ends at CRLF.CRLF and nowhere else, so no bare line end can smuggle a second one
in. Any exception is a 451: the sender tries again.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from gm.log import logger
from gm.mail.spool import Arrival, Spool, Via
from gm.settings import Limits

COMMAND_CALLS: Final = {"*": 20, "MAIL": 100_000, "RCPT": 100_000, "DATA": 100_000, "RSET": 100_000}
"""Calls of a command in one session. An MTA sends many mails over one connection; nobody needs 21 NOOPs."""
REFUSED_RECIPIENTS: Final = 20
"""Unknown recipients after which a session ends: an MTA has few, a guesser has many."""
REFUSAL_SECONDS: Final = 0.05
"""How long every refusal of a recipient takes, so that its time does not tell why."""
REMEMBER_SECONDS: Final = 60.0
REMEMBERED_RECIPIENTS: Final = 4096

UNKNOWN: Final = "550 5.1.1 No such recipient here"
TRY_LATER: Final = "451 4.3.0 Temporary failure, please try again later"
TOO_MANY_CONNECTIONS: Final = b"421 4.7.0 Too many connections, please try again later\r\n"

_CHUNK: Final = 65536
_ADDRESS = r"(?:\"(?:[^\"\\\x00-\x1f\x7f]|\\[ -~])*\"|[^\s\"<>@\x00-\x1f\x7f]+)@[^\s\"<>@\x00-\x1f\x7f]+"
_PATH = re.compile(
    rf"\s*(?:<(?:@[^\s<>:]*:)?(?P<path>{_ADDRESS}|[Pp][Oo][Ss][Tt][Mm][Aa][Ss][Tt][Ee][Rr])?>|(?P<bare>{_ADDRESS}))"
    r"(?P<rest>(?:\s.*)?)",
    re.DOTALL,
)
_RECEIVED = re.compile(rb"^Received:", re.IGNORECASE | re.MULTILINE)
_HEADERS_END = re.compile(rb"\r?\n\r?\n")


class Listener:
    """Accepts connections and hands mails to a `Spool`."""

    def __init__(self, spool: Spool, known: Callable[[str], bool], limits: Limits, hostname: str) -> None:
        """`known(recipient)` decides at RCPT, in a worker thread; it gives the same answer, False, for an address
        that never was, one that has expired and one that was guessed."""
        self.spool, self.known, self.limits, self.hostname = spool, known, limits, hostname
        self.peers: Counter[str] = Counter()
        self._known_until: dict[str, float] = {}
        self._open: set[asyncio.BaseTransport] = set()
        self._servers: list[asyncio.Server] = []

    async def listen(self, via: Via, host: str, port: int) -> int:
        """Open a port for SMTP or LMTP. Returns the port (0 asks for a free one). Raises OSError if it is taken."""
        made = _Smtp if via == "smtp" else _Lmtp
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: made(self, loop), host, port)
        self._servers.append(server)
        return int(server.sockets[0].getsockname()[1])

    async def close(self) -> None:
        """Close the ports, then the connections. A mail that was not answered yet is sent again by its sender."""
        for server in self._servers:
            server.close()
        for transport in list(self._open):
            transport.close()
        for server in self._servers:
            await server.wait_closed()

    async def knows(self, address: str) -> bool:
        """Whether mail to an address is taken. A yes is remembered for a while, a no never."""
        now = asyncio.get_running_loop().time()
        if self._known_until.get(address, 0.0) > now:
            return True
        if not await asyncio.to_thread(self.known, address):
            return False
        if len(self._known_until) >= REMEMBERED_RECIPIENTS:
            self._known_until.clear()
        self._known_until[address] = now + REMEMBER_SECONDS
        return True

    def enter(self, peer: str, transport: asyncio.BaseTransport) -> bool:
        """Count a new connection; False if there are too many."""
        full = (
            len(self._open) >= self.limits.connections or self.peers[peer] >= self.limits.connections_per_peer
        )
        if not full:
            self._open.add(transport)
            self.peers[peer] += 1
        return not full

    def leave(self, peer: str, transport: asyncio.BaseTransport) -> None:
        """Forget a connection that was entered."""
        self._open.discard(transport)
        self.peers[peer] -= 1
        if not self.peers[peer]:
            del self.peers[peer]


class _Hooks:
    """What aiosmtpd asks us while it speaks the protocol. One object a connection."""

    def __init__(self, listener: Listener, via: Via) -> None:
        self.listener, self.via = listener, via
        self.refused = 0

    async def handle_RCPT(
        self, server: _Smtp, _session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if len(envelope.rcpt_tos) >= self.listener.limits.recipients:
            return "452 4.5.3 Too many recipients"
        if "@" not in address:  # only postmaster may be written so (RFC 5321 2.3.5)
            address = f"{address}@{self.listener.hostname}"
        loop = asyncio.get_running_loop()
        begun = loop.time()
        if await self.listener.knows(address):
            envelope.rcpt_tos.append(address)
            envelope.rcpt_options.extend(options)
            return "250 2.1.5 OK"
        await asyncio.sleep(begun + REFUSAL_SECONDS - loop.time())
        self.refused += 1
        if self.refused >= REFUSED_RECIPIENTS:
            server.hang_up()
            return "421 4.7.0 Too many unknown recipients"
        return UNKNOWN

    async def handle_DATA(self, _server: _Smtp, session: Session, envelope: Envelope) -> str:
        raw = envelope.original_content or b""
        assert isinstance(raw, bytes)
        if _runs_in_a_circle(raw, self.listener.limits.received_headers):
            return self._each(envelope, "554 5.4.6 Too many hops, this mail runs in a circle")
        sender = envelope.mail_from or ""
        arrival = Arrival(
            raw=raw,
            envelope_from="" if sender == "<>" else sender,
            recipients=tuple(envelope.rcpt_tos),
            peer=_peer(session),
            via=self.via,
        )
        try:
            accepted = await self.listener.spool.accept(arrival)
        except Exception:  # told in the log by the spool; whatever it is, the sender keeps the mail
            return self._each(envelope, TRY_LATER)
        logger("intake").info("taken", mails=accepted.ids, fresh=accepted.fresh, via=self.via, bytes=len(raw))
        return self._each(envelope, "250 2.0.0 Taken")

    async def handle_exception(self, error: Exception) -> str:
        logger("intake").error("session", error=repr(error))
        return TRY_LATER

    def _each(self, envelope: Envelope, status: str) -> str:
        """LMTP answers DATA once for each recipient (RFC 2033 4.2), SMTP once."""
        return "\r\n".join([status] * len(envelope.rcpt_tos)) if self.via == "lmtp" else status


class _Smtp(SMTP):
    """A connection that speaks SMTP."""

    via: Via = "smtp"
    line_length_limit = _CHUNK  # buffer of the reader: aiosmtpd's own 1,001 would refuse long lines for good

    def __init__(self, listener: Listener, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(
            _Hooks(listener, self.via),
            data_size_limit=listener.limits.message_bytes,
            enable_SMTPUTF8=True,
            hostname=listener.hostname,
            ident="gm",
            timeout=listener.limits.idle_seconds,
            command_call_limit=COMMAND_CALLS,
            loop=loop,
        )
        self.listener = listener
        self._peer = ""
        self._turned_away = False
        self._leaving = False
        self._last = 0.0
        self._session_end: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._peer = str((transport.get_extra_info("peername") or ("",))[0])
        assert isinstance(transport, asyncio.Transport)
        if not self.listener.enter(self._peer, transport):
            self._turned_away = True
            transport.write(TOO_MANY_CONNECTIONS)
            transport.close()
            return
        self._accepted = transport
        self._session_end = self.loop.call_later(self.listener.limits.session_seconds, transport.close)
        super().connection_made(transport)

    def data_received(self, data: bytes) -> None:
        if not self._turned_away:
            self._last = self.loop.time()
            super().data_received(data)

    def eof_received(self) -> bool | None:
        return None if self._turned_away else super().eof_received()

    def connection_lost(self, error: Exception | None) -> None:
        if self._turned_away:
            return
        self.listener.leave(self._peer, self._accepted)
        if self._session_end:
            self._session_end.cancel()
        super().connection_lost(error)

    def _timeout_cb(self) -> None:
        """Idle means that no byte came, not that no command came: a long mail over a slow line is not idle."""
        left = self._last + self._timeout_duration - self.loop.time()
        if left > 0:
            self._reset_timeout(left)
        elif self.transport:
            self.transport.close()

    def hang_up(self) -> None:
        """Close the connection after the next reply."""
        self._leaving = True

    async def push(self, status: Any) -> None:
        await super().push(status)
        if self._leaving and self.transport:
            self.transport.close()

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """The path of a MAIL or RCPT command and what follows it; (None, None) if it is not one.

        By the grammar of RFC 5321 4.1.2, source routes dropped as its appendix C asks. aiosmtpd's own goes through
        the header parser of the standard library, which costs a tenth of a mail and raises on odd addresses.
        """
        match = _PATH.fullmatch(arg)
        if match is None:
            return None, None
        return match["path"] or match["bare"] or "<>", match["rest"]

    async def smtp_VRFY(self, arg: str) -> None:
        """Never tells who is here, nor repeats what it was asked."""
        await self.push("252 2.5.2 Send some mail, I will do my best")

    async def smtp_DATA(self, arg: str) -> None:
        """Read a mail in memory bounded by the size limit, whatever its lines are like."""
        if await self.check_helo_needed():
            return
        assert self.envelope is not None
        if not self.envelope.rcpt_tos:
            await self.push("503 5.5.1 Error: need RCPT command")
            return
        if arg:
            await self.push("501 5.5.4 Syntax: DATA")
            return
        await self.push("354 End data with <CR><LF>.<CR><LF>")
        raw = await self._read_mail()
        if raw is None:
            too_big = f"552 5.3.4 Message too big: the limit is {self.listener.limits.message_bytes} bytes"
            status = self.event_handler._each(self.envelope, too_big)
        else:
            self.envelope.original_content = self.envelope.content = raw
            status = await self.event_handler.handle_DATA(self, self.session, self.envelope)
        self.envelope = self._create_envelope()
        await self.push(status)

    async def _read_mail(self) -> bytes | None:
        """All up to the lone dot, dots unstuffed (RFC 5321 4.5.2); None if it was more than the limit."""
        parts: list[bytes] = []
        size = 0
        tail = b"\r\n"  # the last bytes so far: the dot may come at once, after the CRLF of the DATA command
        while True:
            try:
                part = await self._reader.readuntil(b".\r\n")
            except asyncio.LimitOverrunError as overrun:
                part = await self._reader.read(overrun.consumed)
            size += len(part)
            tail = (tail + part[-5:])[-5:]
            parts.append(part)
            if tail == b"\r\n.\r\n":
                break
            if size > self.listener.limits.message_bytes + 3:
                parts.clear()
        if size > self.listener.limits.message_bytes + 3:
            return None
        content = b"".join(parts)[:-3]
        return content.replace(b"\r\n.", b"\r\n").removeprefix(b".")


class _Lmtp(LMTP, _Smtp):
    """A connection that speaks LMTP (RFC 2033)."""

    via: Via = "lmtp"


def _peer(session: Session) -> str:
    return str(session.peer[0]) if session.peer else ""


def _runs_in_a_circle(raw: bytes, limit: int) -> bool:
    end = _HEADERS_END.search(raw)
    head = raw[: end.start()] if end else raw
    return len(_RECEIVED.findall(head)) > limit
