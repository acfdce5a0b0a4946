"""Limits at the border of the mail room, each with the reason for its figure.

A mail over a limit is never an exception: reading it gives a `LimitHit` that the desk can answer with.
Figures without another source are those at which the standard library's parser was measured to stay
below half a second on the worst input of that size.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

MAX_MESSAGE_BYTES = 1_000_000
"""Bytes of one mail that are parsed. The longest order sheets are some 20 KB; the rest is room for pictures."""
MAX_LINES = 20_000
"""Lines of one mail: 1 MB of base64 has 13,800. (5 MB of bare line ends took the parser 2.4 s.)"""
MAX_HEADER_BYTES = 64_000
"""The header block. Long mail routes take some 20 KB; Postfix's own header_size_limit is 102,400 a field."""
MAX_CONTENT_TYPE = 4_000
"""Characters of one Content-Type field: its parameters are parsed in quadratic time by the standard library."""
MAX_CONTAINERS = 20
"""multipart/* and message/* headers in one mail, counted before parsing (2,000 levels exhaust the stack)."""
MAX_MIME_DEPTH = 10
"""Levels of multiparts that are entered. Forwarded mail with pictures and alternatives has 5 or 6."""
MAX_PARTS = 100
"""Parts of one mail, counted before parsing by lines that look like a boundary."""
MAX_TEXT = 256_000
"""Characters of decoded text that are read as orders or press."""
MAX_HTML = 256_000
"""Characters of HTML that are converted to text."""
MAX_TAGS = 30_000
"""Tags of HTML that are converted to text: Word writes some 8,000 into that many characters (60,000: 0.7 s)."""
MAX_ATTACHED_TEXT = 256_000
"""Characters of one attached text that are read."""
MAX_LINE = 5_000
"""Characters of one line of a player's own words. Orders are below 200, unwrapped paragraphs of press below 3,000."""
MAX_HEADER_TEXT = 2_000
"""Characters of one header field that are decoded (RFC 5322 2.1.1 allows lines of 998; two of them)."""
MAX_SUBJECT = 200
"""Characters of a subject that are kept."""
MAX_ADDRESSES = 50
"""Addresses that are read from one To or Cc field."""
MAX_REFERENCES = 20
"""Message-IDs that are read from one References field."""
MAX_MESSAGE_ID = 250
"""Characters of a Message-ID that is taken for sane (it is a database key)."""
MAX_HOPS = 50
"""Received lines above which a mail runs in circles (Postfix's hopcount_limit, sendmail's MaxHopCount 25-50)."""

LimitName = Literal[
    "message", "lines", "headers", "content-type", "depth", "parts", "text", "html", "attachment", "line"
]


@dataclass(frozen=True, kw_only=True)
class LimitHit:
    """A limit that a mail went over, in words for its sender."""

    name: LimitName
    limit: int
    found: int
    """How much there was, in the unit of the limit (at least this much, where counting stopped)."""
    message: str
    """One sentence for the player."""
    refused: bool
    """True: nothing of the mail's text was read. False: only what the message names was left out."""
