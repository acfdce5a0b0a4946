"""Wrappings inside a plain text: PGP clear signatures, uuencoded files, HTML that calls itself plain."""

from __future__ import annotations

import binascii
import re
from collections.abc import Sequence
from dataclasses import dataclass

_PGP_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
_PGP_SIGNATURE, _PGP_END = "-----BEGIN PGP SIGNATURE-----", "-----END PGP SIGNATURE-----"
_PGP_MESSAGE = "-----BEGIN PGP MESSAGE-----"

_UU_BEGIN = re.compile(r"begin(?:-base64)? [0-7]{3,4} (\S.{0,100})$")
_HTML_START = re.compile(r"\s*(?:<!doctype html|<html\b|<body\b)", re.IGNORECASE)
_BR = re.compile(r"(?:\s*<br\s*/?>)+\s*$", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Unwrapped:
    """Lines without their wrapping, and what was found."""

    lines: list[str]
    files: tuple[tuple[str, bytes], ...] = ()
    """Name and bytes of each uuencoded file."""
    signed: bool = False
    encrypted: bool = False
    br: bool = False
    """Lines ended in ``<br>``, which was taken off."""


def looks_like_html(text: str) -> bool:
    """Whether a text part holds an HTML page."""
    return bool(_HTML_START.match(text[:200]))


def unwrap(lines: Sequence[str]) -> Unwrapped:
    """Take PGP armour, uuencoded files and ``<br>`` line ends out of a text. Linear; never raises."""
    out: list[str] = []
    files: list[tuple[str, bytes]] = []
    signed = encrypted = br = False
    last_end = max((n for n, line in enumerate(lines) if line.strip() == "end"), default=-1)
    i = 0
    while i < len(lines):
        line = lines[i]
        bare = line.strip() if line[:1] in "- " else ""
        if bare == _PGP_SIGNED:
            signed = True
            i = _skip_until(lines, i + 1, "") + 1
            continue
        if signed and bare == _PGP_SIGNATURE:
            i = _skip_until(lines, i + 1, _PGP_END) + 1
            continue
        encrypted = encrypted or bare == _PGP_MESSAGE
        if i < last_end and line.startswith("begin") and (match := _UU_BEGIN.match(line)):
            end = _skip_until(lines, i + 1, "end")
            files.append((match[1], _uudecode(lines[i + 1 : end])))
            i = end + 1
            continue
        if signed and line.startswith("- "):  # dash-escaped, RFC 9580 7.2
            line = line[2:]
        if line.rstrip().endswith(">") and (stripped := _BR.sub("", line[-200:])) != line[-200:]:
            br = True
            line = line[:-200] + stripped
        out.append(line)
        i += 1
    return Unwrapped(lines=out, files=tuple(files), signed=signed, encrypted=encrypted, br=br)


def _skip_until(lines: Sequence[str], start: int, wanted: str) -> int:
    """Index of the first line from `start` on that says `wanted`; the number of lines if none does."""
    for i in range(start, len(lines)):
        if lines[i].strip() == wanted:
            return i
    return len(lines)


def _uudecode(lines: Sequence[str]) -> bytes:
    data = bytearray()
    for line in lines:
        try:
            data += binascii.a2b_uu(line.encode("latin-1", "replace"))
        except binascii.Error:
            # Mailers that strip or pad trailing blanks: read as many bytes as the first character tells.
            count = ((ord(line[0]) - 32) & 63) if line else 0
            needed = (count * 4 + 5) // 3 // 4 * 4 + 4
            try:
                data += binascii.a2b_uu(line[:1] + line[1:needed].ljust(needed)[: (count + 2) // 3 * 4])
            except (binascii.Error, ValueError):
                continue
    return bytes(data)
