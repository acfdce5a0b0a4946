"""Scenario files: positions read, positions written, mistakes named."""

import pytest

from gm.games.api import ScenarioError
from gm.games.menes import RULESET
from tests.games.menes.helpers import scenario

POSITION = {"men": ["5 ARMY 12", "2 HORSEMEN 12", "2 FLEET R", "6 ARMY R"], "dragons": ["3 DRAGON 51"]}


def test_a_position_written_back_reads_as_the_same_position():
    table = scenario(POSITION, centres={"men": [12, 14], "dragons": [51]}, treasury={"men": 77})
    state = RULESET.scenario(table).state
    written = RULESET.position(state)
    assert written["units"] == {
        "dragons": ["3 DRAGON 51"],
        "men": ["5 ARMY 12", "2 HORSEMEN 12", "2 FLEET R", "6 ARMY R"],
    }
    assert written["centres"] == {"men": ["12", "14"], "dragons": ["51"]}
    again = RULESET.scenario({"game": "menes", "phase": table["phase"], **written}).state
    assert again == state


def test_names_and_loose_forms_do_for_units():
    state = RULESET.scenario(scenario({"men": ["5 armies at Heelgarth", "1 fleet Heel Sea"]})).state
    assert state["units"]["men"] == {"12": {"army": 5}, "R": {"fleet": 1}}


def test_powers_without_orders_sent_nothing_and_an_empty_list_is_a_sheet():
    given = RULESET.scenario({"game": "menes", "phase": "IV1203 orders", "units": {}, "orders": {"men": []}})
    assert given.texts == {"dwarves": None, "dragons": None, "elves": None, "men": [], "ents": None}
    assert RULESET.phase(given.state).name == "IV1203 orders"


def test_history_and_standing_orders():
    table = scenario(
        standing={"men": ["AFTER ALL STAY", "PEACE ELVES"]},
        state={"missed": {"ents": 2}, "vacation": {"elves": 3}, "out": ["dragons"]},
    )
    state = RULESET.scenario(table).state
    assert (state["standing"]["men"]["after"], state["standing"]["men"]["peace"]) == ("stay", ["elves"])
    assert (state["missed"]["ents"], state["vacation"]["elves"], state["out"]) == (2, 3, ["dragons"])


@pytest.mark.parametrize(
    ("tables", "key", "nearest"),
    [
        ({"unitz": {}}, "unitz", "units"),
        ({"units": {"mne": []}}, "units.mne", "men"),
        ({"units": {"men": ["5 ARMY 61"]}}, "units.men[0]", None),
        ({"units": {"men": ["5 ENT 12"]}}, "units.men[0]", None),
        ({"units": {"men": ["1 FLEET 12"]}}, "units.men[0]", "1 FLEET R"),
        ({"units": {"dragons": ["1 DRAGON G"]}}, "units.dragons[0]", None),
        ({"units": {"men": ["1 FLEET R", "6 ARMY R"]}}, "units.men", None),
        ({"units": {"men": "5 ARMY 12"}}, "units.men", None),
        ({"units": []}, "units", None),
        ({"phase": "1200"}, "phase", "IV1200 orders"),
        ({"options": {"die": 6}}, "options", None),
        ({"options": {"die_sides": 1}}, "options", None),
        ({"treasury": {"men": -1}}, "treasury.men", None),
        ({"centres": {"men": ["R"]}}, "centres.men", None),
        ({"state": {"mist": {}}}, "state.mist", None),
        ({"state": {"out": ["orcs"]}}, "state.out", None),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_key(tables, key, nearest):
    table = {"game": "menes", "phase": "IV1200 orders", **tables}
    with pytest.raises(ScenarioError) as refused:
        RULESET.scenario(table)
    assert refused.value.key == key
    if nearest is not None:
        assert refused.value.nearest == nearest
