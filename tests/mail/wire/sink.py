"""A relay that misbehaves as told: each command is answered by a function of its line."""

from __future__ import annotations

import base64
import socketserver
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

DROP = "DROP"
"""Instead of a reply: close the connection."""


@dataclass
class Sink:
    """What it was told to answer, and what it got."""

    answers: dict[str, Callable[[str], str]] = field(default_factory=dict)
    """By command, also ``CONNECT`` and ``END`` (of the data); a line that is "" takes the usual reply."""
    mails: list[tuple[str, str, bytes]] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    connections: int = 0
    port: int = 0
    tls: ssl.SSLContext | None = None
    user: str = ""
    password: str = ""

    def answer(self, name: str, line: str, usual: str) -> str:
        asked = self.answers.get(name)
        return (asked(line) if asked else "") or usual


class _Session(socketserver.StreamRequestHandler):
    server: _Server
    timeout = 5

    def finish(self) -> None:
        super().finish()
        self.connection.close()

    def handle(self) -> None:
        sink = self.server.sink
        sink.connections += 1
        sender = recipient = ""
        if not self.say("CONNECT", "", "220 sink.test"):
            return
        while raw := self.line():
            line = raw.decode().strip()
            name = line.split(" ")[0].split(":")[0].upper()
            sink.commands.append(line)
            if name == "EHLO":
                extensions = ["SIZE 10000000"] + (["STARTTLS"] if sink.tls else [])
                extensions += ["AUTH PLAIN"] if sink.user else []
                usual = (
                    "".join(f"250-{e}\r\n" for e in ["sink.test", *extensions[:-1]]) + f"250 {extensions[-1]}"
                )
            elif name == "STARTTLS" and sink.tls:
                self.wfile.write(b"220 go ahead\r\n")
                self.connection = sink.tls.wrap_socket(self.connection, server_side=True)
                self.rfile, self.wfile = self.connection.makefile("rb"), self.connection.makefile("wb", 0)
                continue
            elif name == "AUTH":
                given = base64.b64decode(line.split(" ")[2]).decode().split("\0")
                usual = (
                    "235 2.7.0 welcome"
                    if given == ["", sink.user, sink.password]
                    else "535 5.7.8 bad credentials"
                )
            elif name == "DATA":
                if not self.say(name, line, "354 go on"):
                    return
                data = b""
                while (part := self.rfile.readline()) != b".\r\n":
                    data += part.removeprefix(b".")
                reply = sink.answer("END", recipient, "250 2.0.0 queued")
                if reply.startswith("250") or reply == DROP:
                    sink.mails.append((sender, recipient, data))
                if reply == DROP:
                    return
                self.wfile.write(reply.encode() + b"\r\n")
                continue
            else:
                usual = "221 bye" if name == "QUIT" else "250 ok"
                if name == "MAIL":
                    sender = line.split("<")[1].split(">")[0]
                elif name == "RCPT":
                    recipient = line.split("<")[1].split(">")[0]
            if not self.say(name, line, usual) or name == "QUIT":
                return

    def line(self) -> bytes:
        try:
            return self.rfile.readline()
        except OSError:  # the test failed, and its client is still there
            return b""

    def say(self, name: str, line: str, usual: str) -> bool:
        reply = self.server.sink.answer(name, line, usual)
        if reply == DROP:
            return False
        self.wfile.write(reply.encode() + b"\r\n")
        return not reply.startswith("421")


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    sink: Sink


@contextmanager
def sinking(**more: object) -> Iterator[Sink]:
    """Run a sink, on a free port if it is given none."""
    sink = Sink(**more)  # type: ignore[arg-type]  # the caller's own fields
    server = _Server(("127.0.0.1", sink.port), _Session)
    server.sink, sink.port = sink, server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield sink
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
