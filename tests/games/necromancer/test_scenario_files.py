"""The worked examples of the rulebook as scenario files, through `gm adjudicate` with ``--json`` and ``--as``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gm.app.scenarios import Ran, as_json, as_report, load, run
from gm.games.necromancer import RULESET

FOLDER = Path(__file__).parent / "examples"
CLAUSES = ("12.2", "13.2", "13.3", "13.4", "13.9", "13.10", "13.11", "13.12", "13.14", "15.8", "18.10")
_BRACKET = re.compile(r" \((?=[A-Z])")
POWERS = {p.name.upper() for p in RULESET.meta.powers}


def _examples() -> Iterator[Any]:
    for clause in CLAUSES:
        path = FOLDER / f"{clause}.toml"
        for name, table in load(path):
            yield pytest.param(path, name, table, id=name, marks=pytest.mark.rule("necromancer", clause))


EXAMPLES = pytest.mark.parametrize(("path", "name", "table"), list(_examples()))


def order_lines(report: str) -> list[str]:
    """The order lines of a report, with ``*`` before those that failed, under the headings of powers."""
    found: list[str] = []
    heading = ""
    for line, following in zip(report.splitlines(), [*report.splitlines()[1:], ""], strict=True):
        if following and set(following) == {"-"}:
            heading = line
        elif heading in POWERS and line[:2] in ("  ", "* ") and line[2:3] not in (" ", ""):
            # the reason follows in brackets, on the same line where there is room
            found.append(_BRACKET.split(line)[0].strip())
    return found


def reports(ran: Ran, table: dict[str, Any]) -> dict[str | None, str]:
    """What each reader of an example is mailed, and the public."""
    readers: list[str | None] = [*table["expect"]["readers"].values(), None]
    return {reader: " ".join(as_report(ran, reader).split()) for reader in readers}


@EXAMPLES
def test_the_result_as_json_is_the_rulebooks(path: Path, name: str, table: dict[str, Any]) -> None:
    told, expected = json.loads(as_json(run(path, name, table))), table["expect"]
    results: dict[str, list[str]] = {}
    for order in told["orders"]:
        results.setdefault(order["power"], []).append(order["result"])
    assert results == expected["results"]
    assert {p: sorted(units) for p, units in told["units"].items()} == {
        p: sorted(units) for p, units in expected["units"].items()
    }
    clauses = {order["order"]: order["rule"] for order in told["orders"]}
    assert clauses == clauses | expected.get("clauses", {})
    steps = {order["order"]: order["steps"] for order in told["orders"] if "steps" in order}
    assert steps == expected.get("steps", {})
    wanted = expected.get("dislodged", [])
    assert len(told["dislodged"]) == len(wanted)
    for found, want in zip(told["dislodged"], wanted, strict=True):
        assert {key: _sorted(found[key]) for key in want} == {key: _sorted(want[key]) for key in want}


def _sorted(value: str | list[str]) -> str | list[str]:
    return sorted(value) if isinstance(value, list) else value


@EXAMPLES
def test_owner_supporter_victim_and_outsider_read_the_same_orders_and_results(
    path: Path, name: str, table: dict[str, Any]
) -> None:
    ran = run(path, name, table)
    for reader in (*table["expect"]["readers"].values(), None):
        assert order_lines(as_report(ran, reader)) == table["expect"]["told"], reader


@EXAMPLES
def test_what_is_one_readers_alone_is_in_no_other_report(
    path: Path, name: str, table: dict[str, Any]
) -> None:
    told = reports(run(path, name, table), table)
    for owner, phrases in table["expect"].get("only", {}).items():
        for phrase in phrases:
            assert [reader for reader, text in told.items() if phrase in text] == [owner], phrase


def test_there_is_a_file_for_each_worked_example_and_no_other() -> None:
    assert sorted(p.stem for p in FOLDER.glob("*.toml")) == sorted(CLAUSES)
