"""format=flowed (RFC 3676): paragraphs that a mailer broke at spaces are joined again.

Stricter than the RFC in one place. A mailer breaks a line only when the next word no longer fits; a short line
that ends in a space was ended by the player, who typed the space too. Joining it would make one order of two.
"""

from __future__ import annotations

SHORTEST_BREAK = 55
"""Columns that a line and the next word must reach before the break counts as the mailer's. RFC 3676 4.2 has
mailers break at 66 to 78; Thunderbird, K-9 and Apple Mail use 72 to 76, and two columns of quoting come off."""


def unflow(text: str, *, delsp: bool = False) -> str:
    """The text with soft line breaks undone, space-stuffing removed and quote marks kept as ``> `` before a line.

    A line of the writer's own that starts with ``>`` keeps one space before it.

    Args:
        text: LF line ends, trailing spaces still in place.
        delsp: the part's DelSp=yes: the space before a soft break belongs to the break (RFC 3676 4.1).
    """
    out: list[str] = []
    held: list[str] = []
    held_depth = 0
    room = 0

    def flush() -> None:
        if held:
            out.append(_quoted("".join(held), held_depth))
            held.clear()

    for raw in text.split("\n"):
        depth, line = _split_quote(raw)
        if held and (
            depth != held_depth or line.rstrip() == "--" or room + _first_word(line) < SHORTEST_BREAK
        ):
            flush()
        soft = line.endswith(" ") and line != "-- " and line.strip() != ""
        held.append(line[:-1] if soft and delsp else line)
        held_depth = depth
        room = len(line)
        if not soft:
            flush()
    flush()
    return "\n".join(out)


def _split_quote(raw: str) -> tuple[int, str]:
    line = raw.lstrip(">")
    depth = len(raw) - len(line)
    return depth, line[1:] if line.startswith(" ") else line


def _first_word(line: str) -> int:
    return len(line.partition(" ")[0])


def _quoted(line: str, depth: int) -> str:
    if depth:
        return ">" * depth + " " + line
    return " " + line if line.startswith(">") else line  # stuffed, RFC 3676 4.4: his own words, no quotation
