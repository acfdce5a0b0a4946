"""What tests of the manuals need of Markdown."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def read(page: Path) -> str:
    """The text of a page."""
    return page.read_text(encoding="utf-8")


def links(page: Path) -> list[str]:
    """Targets of links and pictures that are files."""
    found = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", read(page))
    return [target for target in found if "://" not in target]


def code_lines(page: Path) -> list[str]:
    """Lines of indented code blocks."""
    return [line[4:] for line in read(page).splitlines() if line.startswith("    ") and line[4:5].strip()]


def block_after(page: str, heading: str) -> list[str]:
    """Lines of the first indented code block below a heading."""
    rest = page.partition(heading)[2]
    block = re.search(r"(?:^    .*\n)+", rest, re.M)
    return [line.strip() for line in block[0].splitlines()] if block else []
