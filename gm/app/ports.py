"""Ports opened at the start. One that can't be opened is told in a line that names the setting to change."""

from __future__ import annotations

import errno
import socket
from collections.abc import Iterator
from contextlib import contextmanager


class PortError(Exception):
    """A port of the settings can't be opened; the text says which and what to change."""


@contextmanager
def opening(section: str, host: str, port: int) -> Iterator[None]:
    """Around the opening of one port: what the system says of it becomes a `PortError`.

    Args:
        section: of the settings: ``"smtp"``.
    """
    try:
        yield
    except OSError as wrong:
        raise PortError(_told(section, host, port, wrong)) from None


def _told(section: str, host: str, port: int, wrong: OSError) -> str:
    where = f"[{section}] port: {host}:{port}"
    change = f"in config/gm.toml or by GM_{section.upper()}_PORT"
    if wrong.errno == errno.EADDRINUSE:
        return f"{where} is taken by another program, perhaps another gm: stop that, or set another port {change}"
    if wrong.errno in (errno.EACCES, errno.EPERM):
        return f"{where} may not be opened by this user: set a port above 1023 {change}"
    # Python 3.13 tells of "no such address" without a number.
    if wrong.errno in (errno.EADDRNOTAVAIL, None) or isinstance(wrong, socket.gaierror):
        return (
            f"[{section}] host: {host!r} is no address of this machine: set another in config/gm.toml or by "
            f"GM_{section.upper()}_HOST"
        )
    return f"{where} can't be opened ({wrong.strerror or wrong}): set another port {change}"


def bound(host: str, port: int) -> list[socket.socket]:
    """Sockets bound to all addresses of a host, as asyncio binds them. Raises OSError if none can be."""
    found: list[socket.socket] = []
    refused: OSError | None = None
    infos = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    for family, kind, number, _name, address in dict.fromkeys(infos):
        try:
            sock = socket.socket(family, kind, number)
        except OSError:  # no IPv6 here, say
            continue
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        try:
            sock.bind(address)
        except OSError as wrong:
            sock.close()
            refused = wrong
            if wrong.errno != errno.EADDRNOTAVAIL:
                break
            continue
        found.append(sock)
    if refused is not None and (not found or refused.errno != errno.EADDRNOTAVAIL):
        for sock in found:
            sock.close()
        raise refused
    return found
