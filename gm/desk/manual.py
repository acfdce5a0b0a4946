"""The chapters of docs/players.md and docs/gms.md that list all commands, made from the one table.

``python -m gm.desk.manual docs`` (``make docs``) writes them between their marks.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from gm.desk.command import Command
from gm.desk.commands import COMMANDS
from gm.desk.handlers.helping import GM_COMMANDS
from gm.desk.words import words_of

BEGIN = "<!-- commands: made by `make docs` from the table in gm/desk/commands.py; do not edit -->"
END = "<!-- end of commands -->"


def chapter(page: str) -> str:
    """The list of commands for a page, ``players.md`` or ``gms.md``, in Markdown."""
    gms = page == "gms.md"
    shown = [c for c in COMMANDS if (c.who in GM_COMMANDS) == gms]
    return "\n\n".join([_what_they_do(shown), _words(shown)])


def _what_they_do(commands: Sequence[Command]) -> str:
    rows = ["| Command | What it does | For example |", "|---|---|---|"]
    for command in commands:
        example, *more = command.example.split("\n")
        rows.append(
            f"| {_code(command.form)} | {_cell(command.help)} | {_code(example + (' ...' if more else ''))} |"
        )
    return "\n".join(rows)


def _words(commands: Sequence[Command]) -> str:
    rows = ["| Command | Also | German | French |", "|---|---|---|---|"]
    for command in commands:
        also = (*command.words[1:], *words_of(command.name, "also"))
        cells = [also, words_of(command.name, "de"), words_of(command.name, "fr")]
        if any(cells):
            rows.append(
                f"| {_code(command.name)} | {' | '.join(', '.join(map(_code, cell)) for cell in cells)} |"
            )
    return "\n".join(rows)


def _code(text: str) -> str:
    return f"`{_cell(text)}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def with_chapter(text: str, page: str) -> str:
    """A page's text with its list of commands as the table has it now. Raises ValueError if the marks are missing."""
    head, begin, rest = text.partition(BEGIN)
    _old, end, tail = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"{page} has no marks between which the commands go")
    return f"{head}{BEGIN}\n\n{chapter(page)}\n\n{END}{tail}"


def main(folder: Path) -> None:
    """Write both pages anew."""
    for page in ("players.md", "gms.md"):
        path = folder / page
        path.write_text(with_chapter(path.read_text(encoding="utf-8"), page), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
