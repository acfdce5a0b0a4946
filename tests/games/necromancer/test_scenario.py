"""Scenario files in, positions out."""

from __future__ import annotations

import re
from typing import Any

import pytest

from gm.games.api import ScenarioError
from gm.games.necromancer.board import the_board
from gm.games.necromancer.saved import from_json, to_json
from gm.games.necromancer.scenario import position, read_game, scenario
from tests.games.necromancer.shorthand import play

TABLE: dict[str, Any] = {
    "game": "necromancer",
    "phase": "2765 movement",
    "units": {"gondor": ["A(Pel)", "A(Los)"], "haradrim": ["A(SIt)", "A (Por)"]},
    "orders": {"gondor": ["A(Pel) -> 2A(SIt)", "A(Los) -> 2A(SIt)"], "rohan": []},
}


def test_units_phase_and_orders_are_read() -> None:
    found = scenario(TABLE)
    state = from_json(found.state)
    assert (state.year, state.step) == (2765, "movement")
    assert [str(u) for u in state.units] == ["A(Los)", "A(Pel)", "A(Por)", "A(SIt)"]
    assert found.texts == TABLE["orders"]
    assert state.centres["MTi"] == "gondor"


def test_a_position_after_a_phase_is_written_in_the_same_notation() -> None:
    orders = {
        "gondor": TABLE["orders"]["gondor"],
        "haradrim": ["A(Por) S A(SIt) -> Pel", "A(SIt) -> Pel"],
    }
    after = play(read_game(the_board(), TABLE | {"centres": {"gondor": ["Pel"]}}), orders).after
    told = position(to_json(after))
    assert told["units"] == {"gondor": ["A(SIt)"], "haradrim": ["A(Pel)", "A(Por)"]}
    assert told["dislodged"] == [
        {"power": "gondor", "unit": "A(Pel)", "attacker_from": "SIt", "retreats": ["Los", "Leb"]}
    ]
    assert told["centres"] == {"gondor": ["Pel"]}


def test_units_that_are_gone_at_once_are_listed_without_retreats() -> None:
    table = {
        "phase": "2765 movement",
        "units": {"standing": ["A(Mou)"], "elves": ["A(Woo)", "A(NMi)"]},
    }
    after = play(read_game(the_board(), table), {"elves": ["A(Woo) -> Mou", "A(NMi) S A(Woo) -> Mou"]}).after
    assert position(to_json(after))["dislodged"] == [
        {"power": "standing", "unit": "A(Mou)", "attacker_from": "Woo", "retreats": []}
    ]


def test_retreats_history_and_options() -> None:
    state = read_game(
        the_board(),
        {
            "phase": "2780 retreats",
            "options": {"alignment": True},
            "units": {"sauron": ["N(MMo)", "2A(MMo)", "A(Gun)", "A(Mor)", "D(Wit)"], "standing": ["A(Gre)"]},
            "dislodged": [{"power": "gondor", "unit": "2A(SIt)", "attacker_from": ["MMo", "NIt"]}],
            "contested": {"provinces": ["Leb"]},
            "state": {"activated": ["Gun", "Mor"], "revealed": ["A(Mor)"], "spiders_spent": True},
        },
    )
    assert state.options.alignment
    assert state.contested == ("Leb",)
    assert state.dislodged[0].attacker_from == ("MMo", "NIt")
    assert {str(u) for u in state.units if u.secret} == {"A(Gun)", "D(Wit)"}
    assert state.public_owners == {"Gun": None}
    assert (state.centres["Gun"], state.centres["Mor"]) == ("sauron", "sauron")
    assert (state.dragons_spent, state.spiders_spent) == (True, True)


def test_centres_of_others_on_standing_places_count_as_captured() -> None:
    state = read_game(the_board(), {"phase": "2780 adjustments", "centres": {"elves": ["Mou", "Woo"]}})
    assert state.captured == ("Mou",)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"unit": {}}, "unit: no such key in a scenario (did you mean 'units'?)"),
        (
            {"phase": "2770 movement"},
            "no year of the game: 2765, 2780, 2795, ... (did you mean '2765 movement'?)",
        ),
        ({"phase": "2765 adjustments"}, "come in years that end in 0 (did you mean '2780 adjustments'?)"),
        ({"phase": "2765 move"}, "'move' is no kind of phase (did you mean 'movement'?)"),
        ({"phase": "spring"}, 'write it like "2765 movement"'),
        ({"options": {"alignmnt": True}}, "no house rule 'alignmnt'"),
        ({"units": {"gondr": []}}, "units.gondr: 'gondr' is no power (did you mean 'gondor'?)"),
        ({"units": {"gondor": ["A(Pelargr)"]}}, "'Pelargr' is no province (did you mean 'Pelargir'?)"),
        ({"units": {"gondor": ["C(Pel)"]}}, "gondor has no unit of this kind"),
        ({"units": {"rohan": ["2A(Hel)"]}}, "rohan has no multiple armies"),
        ({"units": {"rohan": ["A(TOL)"]}}, "only army/fleets can be at sea"),
        ({"units": {"rohan": ["A/F(Hel)"]}}, "no fleet is kept away from the coast"),
        ({"units": {"rohan": ["A(Hel)", "C(Hel)"]}}, "rohan has an army in Hel already"),
        ({"units": {"rohan": ["A(Hel)"], "elves": ["A(Hel)"]}}, "rohan is in Hel already"),
        ({"units": {"rohan": ["X(Hel)"]}}, "is no unit"),
        ({"centres": {"rohan": ["Gap"]}}, "Gap is no supply centre"),
        ({"centres": {"rohan": ["Hel"], "elves": ["Hel"]}}, "Hel is owned by rohan already"),
        ({"dislodged": [{"power": "rohan"}]}, "must have power, unit and attacker_from"),
        ({"contested": {"provinces": ["Leb"]}}, "only retreat phases have this"),
        ({"state": {"dragon_spent": True}}, "no such key (did you mean 'dragons_spent'?)"),
        ({"state": {"sauron_out": 1}}, "must be true or false"),
        ({"state": {"activated": ["Hel"]}}, "Hel had no standing army"),
        ({"orders": {"gondor": "A(Pel) Hold"}}, "must be a list of texts"),
    ],
)
def test_a_scenario_that_cannot_be_read_is_refused_with_the_nearest_name(
    change: dict[str, Any], message: str
) -> None:
    with pytest.raises(ScenarioError, match=re.escape(message)):
        scenario(TABLE | change)
