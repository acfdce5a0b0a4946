"""What a command of the language is. The commands themselves are listed in `gm.desk.commands`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from gm.desk.desk import Desk
from gm.desk.language import Statement

Who = Literal["anybody", "person", "seat", "gm", "editor"]
"""Who may use it; editor: a GM of a campaign."""


@dataclass(frozen=True, kw_only=True)
class Command:
    """One command of the language."""

    name: str
    words: tuple[str, ...]
    """Upper-case words it is known by, the first one canonical."""
    who: Who
    form: str
    help: str
    example: str
    run: Callable[[Desk, Statement], str]
    """Carries it out and returns how it was read. Raises Refusal."""
    bare: bool = False
    """It stands alone on its line: "Clear skies ahead" clears nothing."""
    switches: bool = False
    """What follows it is meant for what it names: if it fails, nothing that follows is done."""
