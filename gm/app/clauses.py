"""`gm rules`: the clauses of a rulebook beside the tests that name them.

A test names a clause with ``@pytest.mark.rule("necromancer", "13.9")``. pytest itself collects the tests (and runs
none), so that marks given to single cases of a parametrised test count as well.
"""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from importlib.util import find_spec
from pathlib import Path

from gm.app.rulemarks import PREFIX
from gm.games import ruleset

TESTS = Path(__file__).parents[2] / "tests"
"""The tests of a checkout; an installed program has none."""
NO_TESTS_COLLECTED = 5
"""pytest's exit code for an empty folder."""
SHOWN = 4
"""Tests listed under one clause; the rest are counted."""


class NoTests(RuntimeError):
    """The tests or pytest are not here."""


def tests_by_clause(name: str, folder: Path = TESTS) -> dict[str, list[str]]:
    """Clause number to the ids of the tests that name it, a parametrised test once. Raises NoTests."""
    if find_spec("pytest") is None:
        raise NoTests("gm rules needs pytest, which `make test` installs")
    where = folder / "games" / name
    if not where.is_dir():
        raise NoTests(f"there is no folder {where}: gm rules works in a checkout")
    command = [sys.executable, "-m", "pytest", "--collect-only", "-p", "gm.app.rulemarks", str(where)]
    collected = subprocess.run(command, cwd=folder.parent, capture_output=True, text=True, check=False)
    if collected.returncode not in (0, NO_TESTS_COLLECTED):
        raise NoTests(f"the tests can't be collected:\n{collected.stdout}{collected.stderr}")
    found: dict[str, list[str]] = defaultdict(list)
    for line in collected.stdout.splitlines():
        if line.startswith(PREFIX):
            ruleset_id, number, test = line.removeprefix(PREFIX).split("\t")
            if ruleset_id == name:
                found[number].append(test)
    return found


def listing(name: str, folder: Path = TESTS) -> tuple[list[str], int]:
    """Lines to print, and how many clauses that need a test have none.

    Raises:
        NoTests: see `tests_by_clause`.
        gm.games.UnknownRuleset: no such ruleset.
    """
    clauses = ruleset(name).clauses()
    tests = tests_by_clause(name, folder)
    lines: list[str] = []
    missing = 0
    for clause in clauses:
        lines.append(f"{clause.number}  {clause.title}")
        if clause.flavour:
            lines.append(f"      flavour: {clause.flavour}")
        named = tests.get(clause.number, [])
        lines += [f"      {test}" for test in named[:SHOWN]]
        if len(named) > SHOWN:
            lines.append(f"      and {len(named) - SHOWN} more")
        if not clause.flavour and not named:
            lines.append("      NO TEST")
            missing += 1
    known = {clause.number for clause in clauses}
    strays = sorted(set(tests) - known)
    lines += [f"{number}  (no such clause)  {test}" for number in strays for test in tests[number]]
    flavour = sum(1 for c in clauses if c.flavour)
    tested = len(clauses) - flavour - missing
    lines.append(f"{len(clauses)} clauses, {tested} with tests, {flavour} flavour, {missing} without a test")
    return lines, missing + len(strays)
