"""The line at the head of our mails above which players answer, and the one at their end.

They are found again after quoting, re-wrapping and translation: the words are for people, the code in brackets
is for us.
"""

from __future__ import annotations

REPLY_MARKER = "#### Reply above this line [gm-reply-mark] ####"
END_MARKER = "#### End of this mail [gm-end-mark] ####"

_REPLY_CODE, _END_CODE = "gm-reply-mark", "gm-end-mark"
_REPLY_WORDS = "reply above this line"
_CLIP = 400


def is_reply_marker(line: str, below: str = "") -> bool:
    """Whether our quoted mail starts with this line; `below`, the next line, shows a marker that was wrapped."""
    flat = _flat(line)
    if _REPLY_CODE in flat or ("##" in flat and _REPLY_WORDS in flat):
        return True
    return (
        "##" in flat and below != "" and "####" not in below[:4] and _REPLY_CODE in f"{flat} {_flat(below)}"
    )


def is_end_marker(line: str) -> bool:
    """Whether our quoted mail ends with this line."""
    return _END_CODE in _flat(line)


def _flat(line: str) -> str:
    return " ".join(line[:_CLIP].lower().split()) if "#" in line or "gm-" in line.lower() else ""
