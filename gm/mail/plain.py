"""Bytes to plain text: charsets, line ends, and the typography that mail programs slip into orders.

Only such characters are changed as no ruleset can tell apart from their plain form: kinds of space, of dash,
of quotation mark, of arrow; invisible ones go. Letters, accents and emoji stay as written.
"""

from __future__ import annotations

import codecs
import re
import unicodedata

# The charsets that mail of the last forty years is written in. Python knows more, among them `idna`,
# `unicode_escape`, `undefined` and `utf-7`, which are codecs but no charsets to trust a stranger's label for.
_CHARSETS = (
    "ascii utf-8 utf-16 utf-16-le utf-16-be cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258"
    " iso8859-1 iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-9 iso8859-10"
    " iso8859-11 iso8859-13 iso8859-14 iso8859-15 iso8859-16 koi8-r koi8-u mac-roman cp437 cp850 cp852 cp866"
    " gb2312 gbk gb18030 big5 shift_jis cp932 euc-jp iso2022-jp euc-kr cp949 tis-620"
)
_ALLOWED = frozenset(codecs.lookup(name).name for name in _CHARSETS.split())
_ALIASES = {
    "cp65001": "utf-8",
    "utf8mb4": "utf-8",
    "unicode": "utf-16",
    "x-unknown": "ascii",
    "ansi": "cp1252",
}
_LABEL = re.compile(r"[A-Za-z0-9_.:-]{1,40}\Z")

_REMOVED = "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
_REMOVED += "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufeff\ufff9\ufffa\ufffb"
_SPACES = "\t\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63\uff0d"
_ARROWS = (
    "\u2192\u21d2\u21e8\u2794\u2799\u279b\u279c\u279d\u279e\u27a1\u27a4\u27f6\u27f9\u2b62\U0001f852\U0001f862"
)

_PLAIN: dict[int, str | None] = {
    **{code: None for code in (*range(0x20), 0x7F, *range(0x80, 0xA0)) if code != 0x0A},
    **dict.fromkeys(range(55296, 57344)),  # surrogates stand for undecoded bytes
    **{ord(c): None for c in _REMOVED},
    **{ord(c): " " for c in _SPACES},
    **{ord(c): "-" for c in _DASHES},
    **{ord(c): "->" for c in _ARROWS},
    **{ord(c): "'" for c in "\u2018\u2019\u201a\u201b\u2032\u02bc"},
    **{ord(c): '"' for c in "\u201c\u201d\u201e\u201f\u2033"},
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if code != 0xFF0D},
    0x2026: "...",
    0x0B: "\n",
    0x0C: "\n",
    0x85: "\n",
    0x2028: "\n",
    0x2029: "\n",
}
_CLEAN_ASCII = re.compile(r"[ -~\n]*\Z")
_ANSI = re.compile(r"\x1b\[[0-9;?]{0,20}[@-~]|\x1b\][^\x07\x1b\n]{0,200}(?:\x07|\x1b\\)|\x1b[@-Z\\^_]")
_MAX_COMPOSED_LINE = 1_000
"""Composing accents is quadratic in the length of a run of combining marks; no real line is longer."""


def decode_text(data: bytes, label: str | None) -> tuple[str, bool]:
    """Text of bytes labelled with a charset, and whether the label had to be overruled.

    Never raises. A label that is unknown, not a mail charset, or wrong for the bytes gives UTF-8 if the bytes
    are that, else Windows-1252 (what browsers read for Latin-1, WHATWG Encoding 4.2), undefined bytes as Latin-1.
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") and len(data) % 2 == 0:
        return data.decode("utf-16", "replace"), label is None or not label.lower().startswith("utf-16")
    charset = _charset(label)
    if charset in ("ascii", "iso8859-1", "cp1252", "utf-8") or charset is None:
        known = charset is not None or not label
        if data.isascii():
            return data.decode("ascii"), not known
        try:
            # Valid multi-byte UTF-8 is hardly ever meant as anything else, whatever the label says.
            return data.decode("utf-8"), not known or charset != "utf-8"
        except UnicodeDecodeError:
            return _western(data), not known or charset not in ("iso8859-1", "cp1252")
    try:
        return data.decode(charset), False
    except (UnicodeError, ValueError):
        pass
    try:
        return data.decode("utf-8"), True
    except UnicodeDecodeError:
        return data.decode(charset, "replace"), True


def _charset(label: str | None) -> str | None:
    if not label or not _LABEL.match(label := label.strip().strip("'\"")):
        return None
    try:
        name = codecs.lookup(_ALIASES.get(label.lower(), label)).name
    except (LookupError, ValueError):
        return None
    return name if name in _ALLOWED else None


def _western(data: bytes) -> str:
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        return "".join(bytes([b]).decode("cp1252", "ignore") or chr(b) for b in data)


def unify_line_ends(text: str) -> str:
    """CR LF and bare CR as LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def plain(text: str) -> str:
    """Text with LF line ends, plain spaces, dashes, quotes and arrows, and no invisible or control characters.

    ``plain(plain(t)) == plain(t)``. Accents are composed (NFC), so that names compare equal.
    """
    text = unify_line_ends(text)
    if _CLEAN_ASCII.match(text):
        return text
    if "\x1b" in text:
        text = _ANSI.sub("", text)
    text = text.translate(_PLAIN)
    if text.isascii():
        return text
    return "\n".join(
        line if line.isascii() or len(line) > _MAX_COMPOSED_LINE else unicodedata.normalize("NFC", line)
        for line in text.split("\n")
    )


def one_line(text: str, limit: int) -> str:
    """Text fit for a heading or a log: one line, single spaces, at most `limit` characters."""
    flat = " ".join(plain(text[: limit * 4]).split())
    return flat if len(flat) <= limit else flat[: limit - 3].rstrip() + "..."
