"""Scenario files, and positions in their notation."""

from __future__ import annotations

import pytest

from gm.games.api import ScenarioError
from gm.games.diplomacy import RULESET
from tests.games.diplomacy.cases import run

TABLE = {
    "game": "diplomacy",
    "phase": "S1901M",
    "units": {"france": ["A PAR", "F(SPA/SC)"], "germany": ["A(MUN)", "f kie"]},
    "orders": {"france": ["A PAR - BUR"], "germany": []},
}


def test_units_in_either_notation():
    found = RULESET.scenario(TABLE)
    assert RULESET.position(found.state)["units"] == {
        "france": ["A PAR", "F SPA/SC"],
        "germany": ["F KIE", "A MUN"],
    }
    assert found.texts == {"france": ["A PAR - BUR"], "germany": []}


def test_centres_left_out_are_those_of_the_start():
    assert RULESET.position(RULESET.scenario(TABLE).state)["centres"]["russia"] == [
        "MOS",
        "SEV",
        "STP",
        "WAR",
    ]
    given = RULESET.scenario({**TABLE, "centres": {"france": ["Paris", "spa"]}})
    assert RULESET.position(given.state)["centres"] == {"france": ["PAR", "SPA"]}


def test_a_retreat_phase():
    found = RULESET.scenario(
        {
            "phase": "F1903R",
            "units": {"germany": ["A BUR"], "france": ["A PAR"]},
            "dislodged": [{"power": "france", "unit": "A BUR", "attacker_from": "MUN"}],
            "contested": {"provinces": ["GAS"]},
            "orders": {"france": ["A BUR - MAR"]},
        }
    )
    assert RULESET.position(found.state)["dislodged"] == [
        {"power": "france", "unit": "A BUR", "attacker_from": "MUN", "retreats": ["BEL", "MAR", "PIC", "RUH"]}
    ]
    result = run(found.state, france=list(found.texts["france"]))
    assert RULESET.position(result.state)["units"]["france"] == ["A MAR", "A PAR"]


def test_options_are_house_rules():
    assert RULESET.scenario({**TABLE, "options": {"end_year": 1908}}).state["options"]["end_year"] == 1908


@pytest.mark.parametrize(
    ("change", "key", "nearest"),
    [
        ({"phse": 1}, "phse", "phase"),
        ({"phase": "X1901M"}, "phase", ""),
        ({"phase": "S1901A"}, "phase", ""),
        ({"units": {"frnce": ["A PAR"]}}, "units.frnce", "france"),
        ({"units": {"france": ["A PAX"]}}, "units.france", "A PAR"),
        ({"units": {"france": ["F PAR"]}}, "units.france", "A PAR"),
        ({"units": {"france": ["F SPA"]}}, "units.france", "F SPA/NC"),
        ({"units": {"france": ["A PAR"], "germany": ["A PAR"]}}, "units.germany", ""),
        ({"units": {"france": "A PAR"}}, "units.france", ""),
        ({"centres": {"france": ["BUR"]}}, "centres.france", ""),
        ({"options": {"fog": True}}, "options", ""),
        ({"state": {"dragons_spent": True}}, "state.dragons_spent", ""),
        ({"dislodged": [{"power": "france", "unit": "A BUR", "attacker_from": "MUN"}]}, "dislodged", ""),
        ({"orders": {"france": "A PAR H"}}, "orders.france", ""),
    ],
)
def test_what_cannot_be_read_is_named(change, key, nearest):
    with pytest.raises(ScenarioError) as caught:
        RULESET.scenario({**TABLE, **change})
    assert caught.value.key == key
    if nearest:
        assert caught.value.nearest == nearest


def test_checkers_keys_are_ignored():
    extra = {"id": "x", "title": "t", "cites": ["6.A.1"], "why": "w", "expect": {}, "dice": {"rolls": []}}
    assert RULESET.scenario({**TABLE, **extra}).state == RULESET.scenario(TABLE).state
