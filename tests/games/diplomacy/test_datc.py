"""Every case of the DATC 3.1 and of our extra file: by the resolver alone, and through the whole ruleset."""

from __future__ import annotations

import re
from typing import Any

import pytest

from gm.games.diplomacy import RULESET
from gm.games.diplomacy.adjustments import adjust
from gm.games.diplomacy.board import standard
from gm.games.diplomacy.phases import merge
from gm.games.diplomacy.resolve import resolve
from gm.games.diplomacy.retreats import resolve_retreats
from tests.games.diplomacy.cases import by_power, game, listed, load, orders_of, run

BOARD = standard()


def marked(case: dict[str, Any]) -> Any:
    """A case with the clauses that it checks: its DATC group, and the choices named in its `rule`."""
    numbers = re.findall(r"4\.[A-E]\.\d+", case.get("rule", ""))
    group = re.match(r"6\.[A-J]", case["id"])
    if group:
        numbers.append(group.group())
    marks = [pytest.mark.rule("diplomacy", number) for number in dict.fromkeys(numbers)]
    return pytest.param(case, id=case["id"], marks=marks)


DATC, EXTRA = load("datc"), load("extra_cases")
ALL = [*DATC, *EXTRA]
MOVES = [marked(case) for case in ALL if case["phase"] in ("movement", "retreat")]
RETREATS = [marked(case) for case in ALL if case["phase"] == "retreat"]
WINTERS = [marked(case) for case in ALL if case["phase"] == "adjustment"]


def test_all_cases_are_here():
    assert (len(DATC), len(EXTRA)) == (165, 10)
    assert len(MOVES) + len(WINTERS) == 175


@pytest.mark.parametrize("case", MOVES)
def test_movement(case):
    outcome = resolve(BOARD, by_power(case["units"]), orders_of(case))
    words = [
        "illegal" if (power.lower(), text) in outcome.strays else outcome.word[BOARD.index[text[2:5]]]
        for power, text, _ in case["orders"]
    ]
    assert words == [word for _, _, word in case["orders"]]
    assert listed(outcome.units) == sorted(case["after"])
    dislodged = {f"{outcome.owner[at].capitalize()} {outcome.unit[at]}": at for at in outcome.dislodged}
    assert sorted([unit, BOARD.ids[outcome.dislodged[at]]] for unit, at in dislodged.items()) == sorted(
        case.get("dislodged", [])
    )
    assert {unit: outcome.retreats[at] for unit, at in dislodged.items()} == dict(case.get("may_retreat", []))
    assert [BOARD.ids[to] for to in outcome.contested] == sorted(case.get("contested", []))


@pytest.mark.parametrize("case", RETREATS)
def test_retreats(case):
    outcome = resolve(BOARD, by_power(case["units"]), orders_of(case))
    entries = [
        {"power": outcome.owner[at], "unit": outcome.unit[at], "retreats": outcome.retreats[at]}
        for at in outcome.dislodged
    ]
    results = resolve_retreats(BOARD, entries, orders_of(case, "retreat_orders"))
    said = {(one.power.capitalize(), one.text): one.word for one in results}
    assert said == {(power, text): word for power, text, word in case["retreat_orders"]}
    saved = [f"{one.power.capitalize()} {one.unit[0]} {one.to}" for one in results if one.to]
    assert sorted(listed(outcome.units) + saved) == sorted(case["after_retreat"])


@pytest.mark.parametrize("case", WINTERS)
def test_adjustments(case):
    units, orders = by_power(case["units"]), orders_of(case)
    words: dict[str, list[str]] = {}
    gone, after = [], []
    for power, centres in case["centres"].items():
        left, judged, disorder = adjust(BOARD, power.lower(), units, centres, orders.get(power.lower(), []))
        words[power] = ["ok" if one.word == "ok" else "fails" for one in judged]
        gone += [f"{power} {unit}" for unit in disorder]
        after += [f"{power} {unit}" for unit in left]
    for power in words:
        assert words[power] == [word for who, _, word in case["orders"] if who == power]
    assert sorted(gone) == sorted(case.get("civil_disorder", []))
    assert sorted(after) == sorted(case["after"])


@pytest.mark.parametrize("case", MOVES)
def test_movement_by_mail(case):
    """The same through scenario, parse and adjudicate: an order is refused only where the case calls it illegal."""
    found = RULESET.scenario(
        {"game": "diplomacy", "phase": "S1901M", "units": by_power(case["units"]), "orders": orders_of(case)}
    )
    sheets: dict[str, list[str] | None] = {power.id: [] for power in RULESET.meta.powers}
    expected = []
    for power, texts in found.texts.items():
        words = [word for who, _, word in case["orders"] if who.lower() == power]
        for text, word in zip(texts, words, strict=True):
            parsed = RULESET.parse(found.state, power, text)
            if parsed.orders:
                sheets[power] = [*sheets[power], *parsed.orders]
                expected.append((power, *parsed.orders, word))
                assert (word == "illegal") == any(problem.kind == "illegal" for problem in parsed.problems)
            else:
                assert word == "illegal"
                assert [problem.kind for problem in parsed.problems] == ["refused"]
    result = run(found.state, **sheets)
    assert sorted((one.power, one.order, one.result) for one in result.orders) == sorted(expected)
    for one in result.orders:
        assert one.rule
        assert bool(one.reason) == (one.result != "ok")
    position = RULESET.position(result.state)
    assert listed(position["units"]) == sorted(case["after"])
    assert sorted(
        [f"{entry['power'].capitalize()} {entry['unit']}", entry["attacker_from"]]
        for entry in position["dislodged"]
    ) == sorted(case.get("dislodged", []))
    assert {
        f"{entry['power'].capitalize()} {entry['unit']}": entry["retreats"] for entry in position["dislodged"]
    } == dict(case.get("may_retreat", []))


@pytest.mark.rule("diplomacy", "4.C.4")
@pytest.mark.rule("diplomacy", "4.B.7")
@pytest.mark.case(72)
def test_impossible_builds_fail_and_nothing_crashes():
    state = game("W1901A", centres={"russia": ["MOS", "SEV", "STP", "WAR"]}, russia=["A UKR"])
    result = run(state, russia=["Build F MOS", "Build F STP", "Build A WAR"])
    assert [one.result for one in result.orders] == ["illegal", "illegal", "ok"]
    assert RULESET.position(result.state)["units"] == {"russia": ["A UKR", "A WAR"]}


@pytest.mark.rule("diplomacy", "10.1")
def test_a_later_order_for_a_unit_replaces_the_earlier():
    state = game(france=["A PAR", "F BRE"])
    assert merge(state, "france", ["A PAR - BUR", "F BRE H"], ["A PAR H"]) == ("F BRE H", "A PAR H")
    assert merge(state, "france", [], ["A PAR - BUR", "A PAR - PIC"]) == ("A PAR - PIC",)
    winter = game("W1901A", france=["A PAR"])
    assert merge(winter, "france", ["Build A PAR", "Waive"], ["Build F BRE", "Waive", "Waive"]) == (
        "Build A PAR", "Build F BRE", "Waive", "Waive",
    )  # fmt: skip
