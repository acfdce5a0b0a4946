"""Breaking the prose of our mails at 72 columns, and nothing but the prose."""

from __future__ import annotations

import re
import textwrap

COLUMNS = 72
_LAID_OUT = re.compile(r"\s|[>|!#*+=~_-]{1,3}(?:\s|$)|[-=_*~]{4}|.*\S {2,}\S")
"""Lines whose form means something: indented ones (orders, tables), quotations, list items, rules, columns."""


def wrap(text: str, columns: int = COLUMNS) -> str:
    """The text with long lines of prose broken at spaces.

    A line that is indented, quoted, laid out in columns or without a space is never broken: orders are printed
    indented, and an order broken over two lines could not be copied back. Lines are never joined.
    """
    return "\n".join(_wrapped(line, columns) for line in text.split("\n"))


def _wrapped(line: str, columns: int) -> str:
    line = line.rstrip()
    if len(line) <= columns or _LAID_OUT.match(line):
        return line
    return textwrap.fill(line, columns, break_long_words=False, break_on_hyphens=False)
