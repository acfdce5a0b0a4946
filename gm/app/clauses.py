"""`gm rules`: the clauses of a rulebook beside the tests that name them. Reads the tests as text, runs nothing."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

from gm.games import ruleset

TESTS = Path(__file__).parents[2] / "tests"
"""The tests of a checkout; an installed program has none."""


def tests_by_clause(name: str, folder: Path = TESTS) -> dict[str, list[str]]:
    """Clause number to the tests marked ``@pytest.mark.rule(name, number)``, as ``file::test``."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(folder.rglob("test_*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                for number in _marks(node.decorator_list, name):
                    found[number].append(f"{path.relative_to(folder.parent)}::{node.name}")
            if isinstance(node, ast.Assign) and any(
                isinstance(t, ast.Name) and t.id == "pytestmark" for t in node.targets
            ):
                for number in _marks([node.value], name):
                    found[number].append(f"{path.relative_to(folder.parent)}")
    return found


def _marks(decorators: list[ast.expr], name: str) -> list[str]:
    numbers = []
    for decorator in decorators:
        for call in ast.walk(decorator):
            if (
                isinstance(call, ast.Call)
                and isinstance(call.func, ast.Attribute)
                and call.func.attr == "rule"
                and len(call.args) == 2
                and all(isinstance(a, ast.Constant) for a in call.args)
            ):
                book, number = (str(a.value) for a in call.args if isinstance(a, ast.Constant))
                if book == name:
                    numbers.append(number)
    return numbers


def listing(name: str, folder: Path = TESTS) -> tuple[list[str], int]:
    """Lines to print, and how many clauses that need a test have none. Raises UnknownRuleset."""
    clauses = ruleset(name).clauses()
    tests = tests_by_clause(name, folder)
    lines: list[str] = []
    missing = 0
    for clause in clauses:
        lines.append(f"{clause.number}  {clause.title}")
        if clause.flavour:
            lines.append(f"      flavour: {clause.flavour}")
        for test in tests.get(clause.number, ()):
            lines.append(f"      {test}")
        if not clause.flavour and not tests.get(clause.number):
            lines.append("      NO TEST")
            missing += 1
    known = {clause.number for clause in clauses}
    strays = sorted(set(tests) - known)
    lines += [f"{number}  (no such clause)  {test}" for number in strays for test in tests[number]]
    flavour = sum(1 for c in clauses if c.flavour)
    tested = len(clauses) - flavour - missing
    lines.append(f"{len(clauses)} clauses, {tested} with tests, {flavour} flavour, {missing} without a test")
    return lines, missing + len(strays)
