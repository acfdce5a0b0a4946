"""docs/cases.md names tests that exist, one row a case."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.docs.reading import ROOT

CASES = 74
ROWS = re.findall(r"^\| (\d+) \| ([^|]+) \| ([^|]+) \|$", (ROOT / "docs" / "cases.md").read_text(), re.M)


@cache
def names_in(file: Path) -> frozenset[str]:
    tree = ast.parse(file.read_text())
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return frozenset(node.name for node in tree.body if isinstance(node, kinds))


def test_every_case_has_one_row():
    assert [int(number) for number, _what, _answer in ROWS] == list(range(1, CASES + 1))


@pytest.mark.parametrize(("number", "answer"), [(n, a) for n, _what, a in ROWS])
def test_row_names_tests_that_exist_or_says_why_there_is_none(number, answer):
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", answer)
    for file, name in named:
        assert name in names_in(ROOT / file), f"case {number}: {file}::{name}"
    assert named or answer == "open" or answer.endswith("."), f"case {number} has no answer"
