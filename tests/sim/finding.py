"""One line of the year's table, and the table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass
class Finding:
    """One line of the table."""

    name: str
    value: int | str
    wanted: int | None = None
    """None: a figure, not a check."""
    why: list[str] = field(default_factory=list)

    @property
    def good(self) -> bool:
        return self.wanted is None or self.value == self.wanted


def check(name: str, wrong: Iterable[str]) -> Finding:
    """A check that nothing is wrong."""
    why = list(wrong)
    return Finding(name, len(why), 0, why)


def table(found: list[Finding]) -> str:
    """The findings as a Markdown table."""
    lines = ["| | found | wanted |", "|---|---|---|"]
    lines += [f"| {f.name} | {f.value} | {'' if f.wanted is None else f.wanted} |" for f in found]
    return "\n".join(lines)
