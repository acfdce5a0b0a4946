"""`gm adjudicate`: scenario files run and told, as JSON, as a GM sees them, or as one power's report."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rapidfuzz import process

from gm.games import RULESETS, UnknownRuleset, ruleset
from gm.games.api import Adjudicated, OrderResult, Parsed, PowerId, Ruleset, Scenario, ScenarioError, reading
from gm.games.dice import DiceRanOut, FixedDice, SeededDice
from gm.reports.layout import section_text


class ScenarioFileError(ValueError):
    """A file that can't be run; the message names file, scenario, key and the nearest valid name."""


@dataclass(frozen=True, kw_only=True)
class Ran:
    """One scenario with its result."""

    id: str
    rules: Ruleset
    scenario: Scenario
    parsed: Mapping[PowerId, Parsed | None]
    result: Adjudicated


def load(path: Path) -> list[tuple[str, dict[str, Any]]]:
    """``(id, table)`` of each scenario in a file, in file order. Raises ScenarioFileError."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as wrong:
        raise ScenarioFileError(f"{path}: {wrong.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise ScenarioFileError(f"{path}: {wrong}") from None
    many = data.get("scenario")
    if many is None:
        return [(str(data.get("id", path.stem)), data)]
    if not isinstance(many, list) or not all(isinstance(table, dict) for table in many):
        raise ScenarioFileError(f"{path}: scenario must be an array of tables, [[scenario]]")
    return [(str(table.get("id", n)), table) for n, table in enumerate(many, start=1)]


def run(path: Path, name: str, table: Mapping[str, Any]) -> Ran:
    """Run one scenario. Raises ScenarioFileError."""
    where = f"{path}, {name}"
    game = table.get("game")
    if not isinstance(game, str):
        raise ScenarioFileError(f"{where}: game: the name of the ruleset is missing")
    try:
        rules = ruleset(game)
        scenario = rules.scenario(table)
        parsed = {
            power: None if texts is None else rules.parse(scenario.state, power, "\n".join(texts))
            for power, texts in scenario.texts.items()
        }
        sheets = {
            power: None if found is None else rules.merge(scenario.state, power, (), found.orders)
            for power, found in parsed.items()
        }
        rolls = table.get("dice", {}).get("rolls")
        dice = SeededDice(b"scenario", name) if rolls is None else FixedDice(rolls)
        return Ran(
            id=name,
            rules=rules,
            scenario=scenario,
            parsed=parsed,
            result=rules.adjudicate(scenario.state, sheets, dice),
        )
    except UnknownRuleset as wrong:
        near = process.extractOne(game, RULESETS)[0]
        raise ScenarioFileError(f"{where}: game: {wrong} (did you mean {near!r}?)") from None
    except (ScenarioError, DiceRanOut) as wrong:
        raise ScenarioFileError(f"{where}: {wrong}") from None


def as_json(ran: Ran) -> str:
    """The result as one line of JSON, in the form that docs/scenarios.md gives."""
    before = ran.rules.phase(ran.scenario.state)
    position = ran.rules.position(ran.result.state)
    name = ran.rules.meta.id
    told = [_order(o, name) for o in ran.result.orders]
    told += [
        {
            "power": power,
            "order": problem.text,
            "result": "illegal",
            "reason": problem.message,
            "rule": _clause(problem.rule, name),
        }
        for power, found in ran.parsed.items()
        if found is not None
        for problem in found.problems
        if problem.kind in ("unreadable", "ambiguous", "refused")
    ]
    return json.dumps(
        {
            "id": ran.id,
            "game": name,
            "phase": before.name,
            "next_phase": ran.rules.phase(ran.result.state).name,
            "orders": told,
            "units": position.get("units", {}),
            "dislodged": position.get("dislodged", []),
            "centres": position.get("centres", {}),
            **{k: v for k, v in position.items() if k not in ("units", "dislodged", "centres")},
            "events": [
                {
                    "text": e.text,
                    "rule": _clause(e.rule, name),
                    "seen_by": "all" if e.seen_by == "all" else list(e.seen_by),
                }
                for e in ran.result.events
            ],
        },
        ensure_ascii=False,
    )


def _clause(rule: str, game: str) -> str:
    """A clause of the ruleset's own by its number alone; one of another rulebook keeps its name (``"datc 6.F.14"``)."""
    return rule.removeprefix(f"{game} ")


def _order(o: OrderResult, game: str) -> dict[str, Any]:
    told: dict[str, Any] = {
        "power": o.power,
        "order": o.order,
        "result": o.result,
        "reason": o.reason,
        "rule": _clause(o.rule, game),
    }
    if o.steps:
        told["steps"] = list(o.steps)
    return told


def as_report(ran: Ran, power: PowerId | None) -> str:
    """The report that one power (None: the public) would be mailed. Raises ScenarioFileError for no such power."""
    names = [p.id for p in ran.rules.meta.powers]
    if power is not None and power not in names:
        near = process.extractOne(power, names)[0]
        raise ScenarioFileError(
            f"{ran.id}: {ran.rules.meta.id} has no power {power!r} (did you mean {near!r}?)"
        )
    before = ran.rules.view(ran.scenario.state, power)
    after = ran.rules.view(ran.result.state, power)
    report = ran.rules.report(before, after, reading(ran.result, before.phase, power))
    lines = [f"{before.phase.title}: {report.headline}", ""]
    for section in report.sections:
        lines += [section_text(section), ""]
    return "\n".join(lines).rstrip() + "\n"


def as_text(ran: Ran) -> str:
    """The whole truth, for a GM who tries a position."""
    lines = [f"{ran.id}: {ran.rules.phase(ran.scenario.state).title}"]
    for o in ran.result.orders:
        mark = "" if o.result == "ok" else f"  ({o.result}{': ' + o.reason if o.reason else ''})"
        lines.append(f"  {o.power}: {o.order}{mark}")
    for power, found in ran.parsed.items():
        for problem in found.problems if found else ():
            lines.append(f"  {power}: {problem.text}  [{problem.kind}: {problem.message}]")
    lines += [f"  {e.text} [{e.rule}]" for e in ran.result.events]
    position = ran.rules.position(ran.result.state)
    lines += [f"  {power}: {', '.join(units)}" for power, units in position.get("units", {}).items()]
    return "\n".join(lines) + "\n"
