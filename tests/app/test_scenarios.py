"""`gm adjudicate`: scenario files in, results out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gm.cli import app

PHASE = """
game = "diplomacy"
phase = "S1901M"
[units]
austria = ["A VIE", "A BUD"]
russia = ["A GAL"]
[orders]
austria = ["A VIE - GAL", "A BUD S A VIE - GAL"]
russia = []
"""


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["adjudicate", *arguments])
    return result.exit_code, result.output


@pytest.fixture
def file(tmp_path) -> Path:
    path = tmp_path / "one.toml"
    path.write_text(PHASE)
    return path


def test_json_has_every_key_of_the_form(file):
    code, output = run("--json", str(file))
    told = json.loads(output)
    assert code == 0
    assert set(told) >= {
        "id", "game", "phase", "next_phase", "orders", "units", "dislodged", "centres", "events"
    }  # fmt: skip
    assert told["id"] == "one"
    assert (told["phase"], told["next_phase"]) == ("S1901M", "S1901R")
    assert told["units"] == {"austria": ["A BUD", "A GAL"]}
    assert told["dislodged"] == [
        {
            "power": "russia",
            "unit": "A GAL",
            "attacker_from": "VIE",
            "retreats": ["BOH", "RUM", "SIL", "UKR", "WAR"],
        }
    ]
    assert {o["order"]: o["result"] for o in told["orders"]} == {
        "A VIE - GAL": "ok",
        "A BUD S A VIE - GAL": "ok",
    }


def test_a_rule_is_the_bare_clause_of_the_rulesets_own_book(tmp_path):
    path = tmp_path / "joined.toml"
    path.write_text(
        'game = "necromancer"\nphase = "2765 movement"\n'
        '[units]\ngondor = ["A(Pel)", "A(Los)"]\nharadrim = ["A(SIt)"]\n'
        '[orders]\ngondor = ["A(Pel) -> 2A(SIt)", "A(Los) -> 2A(SIt)"]\nharadrim = ["A(SIt) H", "A(Pel) H"]\n'
    )
    _code, output = run("--json", str(path))
    told = json.loads(output)
    assert {o["order"]: o["rule"] for o in told["orders"]}["A(Los) -> 2A(SIt)"] == "13.9"
    rules = [entry["rule"] for entry in (*told["orders"], *told["events"])]
    assert not [rule for rule in rules if "necromancer" in rule]


def test_many_scenarios_give_one_line_each_in_file_order(tmp_path):
    path = tmp_path / "many.toml"
    head, _, rest = PHASE.partition("\n[units]")
    blocks = []
    for name in ("b", "a"):
        blocks.append(
            f'[[scenario]]\nid = "{name}"{head}\n[scenario.units]{rest}'.replace(
                "[orders]", "[scenario.orders]"
            )
        )
    path.write_text("\n".join(blocks))
    code, output = run("--json", str(path))
    assert code == 0
    assert [json.loads(line)["id"] for line in output.splitlines()] == ["b", "a"]


def test_report_of_one_power(file):
    code, output = run("--as", "russia", str(file))
    assert code == 0
    assert "A VIE - GAL" in output
    assert "A GAL" in output


def test_plain_text_for_a_gm(file):
    code, output = run(str(file))
    assert code == 0
    assert "austria: A VIE - GAL" in output


def test_orders_for_foreign_units_are_listed_as_illegal(tmp_path):
    path = tmp_path / "foreign.toml"
    path.write_text(PHASE.replace("russia = []", 'russia = ["A VIE - BOH"]'))
    _code, output = run("--json", str(path))
    told = {(o["power"], o["order"]): o["result"] for o in json.loads(output)["orders"]}
    assert told[("russia", "A VIE - BOH")] == "illegal"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"diplomacy"', '"diplomancy"', "game: there is no ruleset 'diplomancy'"),
        ('"S1901M"', '"spring"', "phase"),
        ("[units]", "[unitz]", "units"),
        ('"A GAL"', '"A GALL"', "GAL"),
        ("russia", "rusia", "russia"),
        ('game = "diplomacy"', "", "game: the name of the ruleset is missing"),
        ("[units]", "[units", "one.toml"),
    ],
)
def test_unreadable_scenario_is_refused_with_file_key_and_nearest_name(file, old, new, words):
    file.write_text(PHASE.replace(old, new))
    code, output = run(str(file))
    assert code == 2
    assert "one.toml" in output
    assert words in output


def test_missing_file_is_refused(tmp_path):
    code, output = run(str(tmp_path / "none.toml"))
    assert code == 2
    assert "No such file" in output
