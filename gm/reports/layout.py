"""Plain text for mail: 72 columns, words wrapped, tables aligned, orders never broken.

Widths are columns on the reader's screen: a wide character takes two, a combining one none.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Literal

from gm.games.api import Section

COLUMNS = 72
"""Width of a text mail: what every mailer shows unbroken, also once quoted (RFC 3676 4.2 advises 78 or less)."""

MARGIN = "  "
"""Left margin of the lines of a section; a failed order has ``*`` in it."""

Mark = Literal["", "failed", "sub"]

_NUMBER = re.compile(r"[-+−]?\d[\d,. ]*%?|[-–—]?")
_PROSE_END = (".", "!", "?", ":", ";", '"', "'", "”", "’", "…")
_ORDER_BREAK = re.compile(r"(?<=[:;]) +| +(?=[(\[])| +(?=-- )")
_CELL_BREAK = re.compile(_ORDER_BREAK.pattern + r"|(?<=,) +")
"""In tables lists are more likely than orders with commas in them."""
_LONGEST_ORDER = 120
"""A line without a full stop that is longer than this is no order, and wrapped like prose."""


def display_width(text: str) -> int:
    """Columns that `text` takes on a screen with fixed pitch."""
    if text.isascii():
        return len(text)
    return sum(_cell(character) for character in text)


def _cell(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def pad(text: str, width: int, *, right: bool = False) -> str:
    """`text` filled with spaces to `width` columns, flush left or right."""
    fill = " " * max(0, width - display_width(text))
    return fill + text if right else text + fill


def rule(character: str = "-", width: int = COLUMNS) -> str:
    """A horizontal line."""
    return character * width


def centre(text: str, width: int = COLUMNS, within: int = COLUMNS) -> str:
    """`text` wrapped at `width` into lines of like length, centred in `within` columns."""
    words = text.split()
    lines = _fill(words, width)
    for narrower in range(width - 1, 0, -1):
        fewer = _fill(words, narrower)
        if len(fewer) > len(lines) or max((display_width(line) for line in fewer), default=0) > narrower:
            break
        lines = fewer
    return "\n".join(" " * max(0, (within - display_width(line)) // 2) + line for line in lines)


def spaced(text: str) -> str:
    """A masthead: capitals with room between the letters if they fit on a line, centred."""
    wide = "   ".join(" ".join(word) for word in text.upper().split())
    return (
        centre(text.upper(), 60)
        if display_width(wide) > COLUMNS
        else " " * ((COLUMNS - display_width(wide)) // 2) + wide
    )


def edges(left: str, right: str, width: int = COLUMNS) -> str:
    """`left` and `right` at the two ends of a line; on two lines if they don't fit on one."""
    gap = width - display_width(left) - display_width(right)
    if left and right and gap >= 2:
        return left + " " * gap + right
    flush_right = [pad(line, width, right=True) for line in _fill(right.split(), width)]
    return "\n".join([*_fill(left.split(), width), *flush_right])


def heading(text: str) -> str:
    """A title in capitals, underlined."""
    lines = _fill(text.upper().split(), COLUMNS)
    return "\n".join([*lines, "-" * max((display_width(line) for line in lines), default=0)])


def wrap(text: str, indent: str = "", hanging: str | None = None, width: int = COLUMNS) -> str:
    """A text of one or more paragraphs wrapped at `width`; `hanging` is the indent of all lines but the first.

    The writer's own line breaks stay, and a line that fits stays as it is, so that verse and lists survive.
    """
    hanging = indent if hanging is None else hanging
    out: list[str] = []
    for line in text.split("\n"):
        first = hanging if out else indent
        if display_width(first) + display_width(line.rstrip()) <= width:
            out.append((first + line).rstrip())
            continue
        own = line[: len(line) - len(line.lstrip())]
        filled = _fill(line.split(), width - display_width(first + own), width - display_width(hanging + own))
        out += [((hanging if n else first) + own + part).rstrip() for n, part in enumerate(filled)]
    return "\n".join(out)


def _fill(words: Sequence[str], first: int, rest: int | None = None) -> list[str]:
    """Greedy lines of words; a word longer than the line stands alone, unbroken."""
    rest = first if rest is None else rest
    lines: list[str] = []
    line, used = "", 0
    for word in words:
        size = display_width(word)
        if line and used + 1 + size > (rest if lines else first):
            lines.append(line)
            line, used = word, size
        else:
            line, used = (f"{line} {word}", used + 1 + size) if line else (word, size)
    return [*lines, line] if line else lines


def is_prose(text: str) -> bool:
    """Whether a line of a section is a sentence, and may be broken between any two words."""
    return text.endswith(_PROSE_END) or display_width(text) > _LONGEST_ORDER


def wrap_line(
    text: str,
    indent: str = "",
    hanging: str | None = None,
    width: int = COLUMNS,
    breaks: re.Pattern[str] = _ORDER_BREAK,
) -> str:
    """A line of a section. An order is kept whole: only what follows it in brackets or behind a colon may go to
    the next lines, because players copy orders from reports into their mails."""
    hanging = indent if hanging is None else hanging
    if display_width(indent) + display_width(text) <= width or is_prose(text):
        return wrap(text, indent, hanging, width)
    lines: list[str] = []
    line = indent
    for part in breaks.split(text):
        joined = line + part if line in (indent, hanging) else f"{line} {part}"
        if display_width(joined) <= width or line in (indent, hanging):
            line = joined
        else:
            lines.append(line)
            line = hanging + part
    return "\n".join(_remark(line, hanging, width) for line in [*lines, line])


def _remark(line: str, hanging: str, width: int) -> str:
    """A line wrapped if it is too long and nothing but a remark in brackets, which nobody copies."""
    words = line.strip()
    if display_width(line) <= width or not (words.startswith("(") and words.endswith(")")):
        return line
    return wrap(words, hanging, hanging, width)


def marked(line: str) -> tuple[Mark, str]:
    """A section's line without its prefix: ``"! "`` a failure, ``"> "`` a sub-line."""
    if line.startswith("! "):
        return "failed", line[2:]
    if line.startswith("> "):
        return "sub", line[2:]
    return "", line


def with_reason(text: str) -> tuple[str, str]:
    """An order and the remark in brackets at its end; the remark is empty if there is none."""
    depth = 0
    for n in range(len(text) - 1, 0, -1):
        depth += (text[n] == ")") - (text[n] == "(")
        if depth == 0:
            return (text[: n - 1], text[n:]) if text[n] == "(" and text[n - 1] == " " else (text, "")
    return text, ""


def failures(sections: Sequence[Section]) -> bool:
    """Whether any line is marked as failed: then the legend is printed."""
    return any(line.startswith("! ") for section in sections for line in section.lines)


def preformatted(section: Section) -> bool:
    """Whether the section's lines are set out in columns by hand, as help on order syntax is."""
    return any(re.search(r"\S {2,}\S|^ {2,}\S", line) for line in section.lines)


def section_text(section: Section) -> str:
    """Title, lines and table of a section."""
    parts = [heading(section.title)] if section.title else []
    wide = preformatted(section) and any(
        COLUMNS - len(MARGIN) < display_width(line) <= COLUMNS for line in section.lines
    )
    for line in section.lines:
        mark, text = marked(line)
        if mark == "failed":
            parts.append(wrap_line(text, "* ", "      "))
        elif mark == "sub":
            parts.append(wrap_line(text, "      "))
        elif wide:
            parts.append(wrap_line(text))
        else:
            parts.append(wrap_line(text, MARGIN, MARGIN * 2 if is_prose(text) else "      "))
    if section.header:
        if section.lines:
            parts.append("")
        parts.append(table(section.header, section.rows))
    return "\n".join(parts)


def is_number(cell: str) -> bool:
    """Whether a table cell reads as a number or as nothing, and so doesn't speak against flushing right."""
    return _NUMBER.fullmatch(cell.strip()) is not None


def numeric_columns(header: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[bool, ...]:
    """For each column: whether all its cells are numbers (and one at least is)."""
    return tuple(
        all(is_number(row[n]) for row in rows if n < len(row))
        and any(any(map(str.isdigit, row[n])) for row in rows if n < len(row))
        for n in range(len(header))
    )


def table(header: Sequence[str], rows: Sequence[Sequence[str]], margin: str = MARGIN) -> str:
    """Aligned columns, numbers flush right. A table too wide is narrowed in its widest column of words; one that
    can't be is set as records, one line a cell."""
    count = len(header)
    cells = [[*row, *[""] * (count - len(row))][:count] for row in rows]
    flush = numeric_columns(header, cells)
    widths = [max(display_width(row[n]) for row in [header, *cells]) for n in range(count)]
    room = COLUMNS - len(margin) - 2 * (count - 1)
    if sum(widths) > room and not all(flush):
        widest = max((n for n in range(count) if not flush[n]), key=lambda n: widths[n])
        widths[widest] = max(16, room - sum(widths) + widths[widest])
    wrapped = [
        [wrap_line(cell, width=widths[n], breaks=_CELL_BREAK).split("\n") for n, cell in enumerate(row)]
        for row in [header, *cells]
    ]
    if sum(widths) > room or any(
        display_width(part) > widths[n] for row in wrapped for n, cell in enumerate(row) for part in cell
    ):
        return _records(header, cells, margin)
    lines: list[str] = []
    for number, row in enumerate(wrapped):
        for depth in range(max(len(cell) for cell in row)):
            texts = [cell[depth] if depth < len(cell) else "" for cell in row]
            joined = "  ".join(pad(t, widths[n], right=flush[n]) for n, t in enumerate(texts))
            lines.append((margin + joined).rstrip())
        if number == 0:
            lines.append(margin + "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def _records(header: Sequence[str], rows: Sequence[Sequence[str]], margin: str) -> str:
    blocks = [
        "\n".join(
            wrap_line(f"{title}: {cell}" if title else cell, margin, margin + "    ")
            for title, cell in zip(header, row, strict=True)
            if cell
        )
        for row in rows
    ]
    return "\n\n".join(blocks)


def standings_text(standings: Sequence[tuple[str, str, int]]) -> str:
    """Power, player where shown, score and a bar, best first as given."""
    if not standings:
        return ""
    names = max(display_width(power) for power, _, _ in standings)
    players = max(display_width(player) for _, player, _ in standings)
    scores = max(len(str(score)) for _, _, score in standings)
    lead = len(MARGIN) + names + 2 + (players + 2 if players else 0) + scores
    if lead > COLUMNS:
        rows = tuple((power, player, str(score)) for power, player, score in standings)
        return table(("Power", "Player", "Score"), rows)
    room = min(34, COLUMNS - lead - 2)
    lines = []
    for (power, player, score), size in zip(standings, bars(standings, room), strict=True):
        who = pad(power, names) + ("  " + pad(player, players) if players else "")
        lines.append(f"{MARGIN}{who}  {str(score).rjust(scores)}  {'#' * size}".rstrip())
    return "\n".join(lines)


def bars(standings: Sequence[tuple[str, str, int]], room: int) -> list[int]:
    """Length of each score's bar: the score itself if the best fits into `room`, else in proportion."""
    best = max((score for _, _, score in standings), default=0)
    if best <= room:
        return [max(0, score) for _, _, score in standings]
    return [max(0, round(score * room / best)) for _, _, score in standings]


def quoted_line(text: str, number: int) -> str:
    """A line of the player's mail in a transcript, with its number."""
    return wrap(text, f"{number:>4} | ", "     | ")


def tidy(text: str) -> str:
    """No trailing spaces, never more than one blank line together, one newline at the end."""
    lines = "\n".join(line.rstrip() for line in text.split("\n"))
    return re.sub(r"\n{3,}", "\n\n", lines).strip("\n") + "\n"
