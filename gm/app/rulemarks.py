"""A pytest plugin for `gm rules`: prints which tests are marked with which clause, and collects only."""

from __future__ import annotations

from typing import Any

PREFIX = "clause\t"
"""Begins each line that it prints: ``clause<TAB>ruleset<TAB>number<TAB>test``."""


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Print every mark ``rule(ruleset, clause)`` of every collected test, a parametrised test once."""
    told = dict.fromkeys(
        (mark.args[0], str(mark.args[1]), item.nodeid.partition("[")[0])
        for item in items
        for mark in item.iter_markers("rule")
    )
    for ruleset, number, test in told:
        print(f"{PREFIX}{ruleset}\t{number}\t{test}")  # noqa: T201 - what the plugin is for
