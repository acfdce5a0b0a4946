"""Saruman and the Wizard (16)."""

from __future__ import annotations

import pytest

from gm.games.necromancer.adjust import owed
from gm.games.necromancer.board import the_board
from gm.games.necromancer.model import Game, Options
from gm.games.necromancer.retreats import offered
from gm.games.necromancer.setup import new_game
from tests.games.necromancer.shorthand import game, play

RULE = pytest.mark.rule


def winter(table: dict[str, list[str]], centres: dict[str, str], **fields: object) -> Game:
    return game(table, 2780, "adjustments", centres=centres, **fields)


@RULE("necromancer", "16.1")
def test_the_wizard_starts_in_isengard() -> None:
    (wizard,) = [u for u in new_game(Options(), the_board()).units if u.kind == "W"]
    assert (wizard.owner, wizard.place) == ("saruman", "Ise")


@RULE("necromancer", "16.2")
def test_the_wizard_shares_a_province_with_his_own_side_only() -> None:
    own = play(game({"saruman": ["W(Ise)", "A(Gap)"]}), {"saruman": ["W(Ise) -> Gap", "A(Gap) H"]})
    assert own.units("saruman") == ["A(Gap)", "W(Gap)"]
    foreign = play(
        game({"saruman": ["W(Ise)"], "rohan": ["A(Gap)"]}),
        {"saruman": ["W(Ise) -> Gap"], "rohan": ["A(Gap) H"]},
    )
    assert foreign.results("saruman") == ["bounce"]
    together = play(game({"saruman": ["W(Ise)", "A(Ise)"]}), {"saruman": ["W(Ise) -> Gap", "A(Ise) -> Gap"]})
    assert together.units("saruman") == ["A(Gap)", "W(Gap)"]
    joined = play(game({"saruman": ["W(Gap)", "A(Ise)"]}), {"saruman": ["W(Gap) H", "A(Ise) -> Gap"]})
    assert joined.units("saruman") == ["A(Gap)", "W(Gap)"]
    swapped = play(game({"saruman": ["W(Gap)", "A(Ise)"]}), {"saruman": ["W(Gap) -> Ise", "A(Ise) -> Gap"]})
    assert swapped.units("saruman") == ["A(Gap)", "W(Ise)"]


@RULE("necromancer", "16.3")
def test_an_army_is_raised_where_the_wizard_is_and_nowhere_else() -> None:
    position = winter({"saruman": ["W(Agr)"]}, {"Ise": "saruman", "Dun": "saruman"})
    assert owed(position, the_board(), "saruman").sites == ("Agr",)
    done = play(position, {"saruman": ["Build A(Agr)", "Build A(Ise)"]})
    assert done.results("saruman") == ["ok", "illegal"]
    assert done.result("saruman", "Build A(Agr)").rule == "16.3"
    assert done.units("saruman") == ["A(Agr)", "W(Agr)"]
    kind = winter(
        {"saruman": ["W(Agr)"]},
        {"Ise": "saruman", "Dun": "saruman"},
        options={"saruman_builds_at_home": True},
    )
    assert play(kind, {"saruman": ["Build A(Agr)", "Build A(Ise)"]}).results("saruman") == ["ok", "ok"]


@RULE("necromancer", "16.3")
def test_the_wizard_keeps_one_army_by_himself() -> None:
    table = {"saruman": ["W(Agr)", "A(Dun)", "A(Ise)", "A(Ene)"]}
    centres = {"Ise": "saruman", "Dun": "saruman"}
    assert len(play(winter(table, centres), {}).units("saruman")) == 4
    strict = winter(table, centres, options={"wizard_supports_one_unit": False})
    assert len(play(strict, {}).units("saruman")) == 3


@RULE("necromancer", "16.3.1")
def test_no_army_is_raised_on_one_of_his_own() -> None:
    position = winter({"saruman": ["W(Agr)", "A(Agr)"]}, {"Ise": "saruman", "Agr": "saruman"})
    assert owed(position, the_board(), "saruman").sites == ()
    assert play(position, {"saruman": ["Build A(Agr)"]}).results("saruman") == ["illegal"]


@RULE("necromancer", "16.3.2")
def test_no_army_is_raised_in_a_build_centre_of_another() -> None:
    for place, owner, result in (
        ("Hel", "rohan", "illegal"),
        ("Dor", "easterlings", "illegal"),
        ("Dor", "rohan", "ok"),
        ("Mor", "dwarves", "illegal"),
        ("Eri", "saruman", "illegal"),
    ):
        centres = {"Ise": "saruman", "Dun": "saruman"} | ({place: owner} if place != "Eri" else {})
        done = play(winter({"saruman": [f"W({place})"]}, centres), {"saruman": [f"Build A({place})"]})
        assert done.results("saruman") == [result], (place, owner)


@RULE("necromancer", "16.3.3")
def test_no_army_is_raised_at_sea() -> None:
    position = winter({"saruman": ["W(TOL)", "A/F(TOL)"]}, {"Ise": "saruman", "Dun": "saruman"})
    assert play(position, {"saruman": ["Build A(TOL)"]}).results("saruman") == ["illegal"]


@RULE("necromancer", "16.4")
def test_a_raised_army_takes_its_centre_at_the_next_adjustments_only() -> None:
    position = winter({"saruman": ["W(Dor)"]}, {"Ise": "saruman", "Dor": "rohan"})
    done = play(position, {"saruman": ["Build A(Dor)"]})
    assert done.after.centres["Dor"] == "rohan"
    for _ in range(2):
        done = play(done.after, {"saruman": ["A(Dor) H", "W(Dor) H"]})
    assert done.after.centres["Dor"] == "saruman"


@RULE("necromancer", "16.5")
def test_the_wizard_blocks_a_build_which_is_lost() -> None:
    position = winter({"saruman": ["W(Hel)"]}, {"Hel": "rohan", "Edo": "rohan"})
    done = play(position, {"rohan": ["Build A(Hel)", "Build A(Edo)", "Build C(Wol)"]})
    blocked = done.result("rohan", "Build A(Hel)")
    assert (blocked.result, blocked.rule, blocked.stopped_by[0].doing) == ("blocked", "16.5", "present")
    assert done.results("rohan") == ["blocked", "ok", "illegal"]
    assert done.units("rohan") == ["A(Edo)"]


@RULE("necromancer", "16.6")
def test_one_attack_dislodges_a_lone_wizard_but_not_one_with_an_army() -> None:
    alone = play(
        game({"saruman": ["W(Gap)"], "rohan": ["A(Hel)"]}),
        {"saruman": ["W(Gap) H"], "rohan": ["A(Hel) -> Gap"]},
    )
    assert alone.dislodged() == {"W(Gap)": ("Hel",)}
    guarded = play(
        game({"saruman": ["W(Gap)", "A(Gap)"], "rohan": ["A(Hel)"]}),
        {"saruman": ["W(Gap) H", "A(Gap) H"], "rohan": ["A(Hel) -> Gap"]},
    )
    assert guarded.after.dislodged == ()
    both = play(
        game({"saruman": ["W(Gap)", "A(Gap)"], "rohan": ["A(Hel)", "A(WEm)"]}),
        {"saruman": ["W(Gap) H", "A(Gap) H"], "rohan": ["A(Hel) -> Gap", "A(WEm) S A(Hel) -> Gap"]},
    )
    assert set(both.dislodged()) == {"W(Gap)", "A(Gap)"}


@RULE("necromancer", "16.6")
def test_wizard_and_nazgul_stand_each_other_off_and_an_army_walks_in() -> None:
    table = {"saruman": ["W(Ise)"], "sauron": ["N(WEm)"]}
    orders = {"saruman": ["W(Ise) -> Gap"], "sauron": ["N(WEm) -> Gap"]}
    done = play(game(table), orders)
    assert done.results("saruman") == done.results("sauron") == ["bounce"]
    army = play(game(table | {"rohan": ["A(Hel)"]}), orders | {"rohan": ["A(Hel) -> Gap"]})
    assert army.results("rohan") == ["ok"]
    vacant = play(game({"saruman": ["W(Ise)"]}), {"saruman": ["W(Ise) -> Gap"]})
    assert vacant.units("saruman") == ["W(Gap)"]
    helped = play(
        game(table | {"rohan": ["A(Hel)"]}),
        {"saruman": ["W(Ise) -> Gap"], "sauron": ["N(WEm) -> Gap"], "rohan": ["A(Hel) S W(Ise) -> Gap"]},
    )
    assert helped.results("saruman") == ["ok"]


@RULE("necromancer", "16.6")
def test_a_move_of_the_wizard_cuts_nothing() -> None:
    done = play(
        game({"saruman": ["W(Ise)"], "rohan": ["A(Gap)", "A(Hel)"], "elves": ["A(WEm)"]}),
        {
            "saruman": ["W(Ise) -> Gap"],
            "rohan": ["A(Gap) S A(Hel) -> WEm", "A(Hel) -> WEm"],
            "elves": ["A(WEm) H"],
        },
    )
    assert done.results("rohan") == ["ok", "ok"]


RETREAT = {"elves": ["A(Wol)"], "rohan": ["A(Cel)", "A(Bro)"], "saruman": ["W(Fan)"]}
BEAT = {"elves": ["A(Wol) H"], "rohan": ["A(Cel) -> Wol", "A(Bro) S A(Cel) -> Wol"], "saruman": ["W(Fan) H"]}


@RULE("necromancer", "16.7")
def test_the_wizard_blocks_a_retreat_that_was_offered() -> None:
    beaten = play(game(RETREAT), BEAT)
    (dislodged,) = beaten.after.dislodged
    assert "Fan" in offered(beaten.after, the_board(), dislodged)
    done = play(beaten.after, {"elves": ["A(Wol) R Fan"]})
    outcome = done.result("elves", "A(Wol) R Fan")
    assert (outcome.result, outcome.rule, str(outcome.stopped_by[0].unit)) == ("blocked", "16.7", "W(Fan)")
    assert done.units("elves") == []
    assert done.units("saruman") == ["W(Fan)"]


@RULE("necromancer", "16.8")
def test_the_wizard_supports_nobody() -> None:
    done = play(game({"saruman": ["W(Ise)", "A(Gap)"]}), {"saruman": ["W(Ise) S A(Gap)", "A(Gap) H"]})
    assert done.result("saruman", "W(Ise) S A(Gap)").rule == "16.8"
    assert done.results("saruman") == ["illegal", "ok"]


@RULE("necromancer", "16.10")
def test_the_wizard_builds_no_fleet_but_sails() -> None:
    build = play(game({"saruman": ["W(Pel)"]}), {"saruman": ["W(Pel) B F"]})
    assert build.result("saruman", "W(Pel) B F").rule == "16.10"
    alone = play(game({"saruman": ["W(Pel)"]}), {"saruman": ["W(Pel) -> AND"]})
    assert alone.result("saruman", "W(Pel) -> AND").rule == "16.10"
    together = play(
        game({"saruman": ["W(Pel)", "A/F(Pel)"]}), {"saruman": ["W(Pel) -> AND", "A/F(Pel) -> AND"]}
    )
    assert together.units("saruman") == ["A/F(AND)", "W(AND)"]
    stopped = play(
        game({"saruman": ["W(Pel)", "A/F(Pel)"], "haradrim": ["A/F(AND)"]}),
        {"saruman": ["W(Pel) -> AND", "A/F(Pel) -> AND"], "haradrim": ["A/F(AND) H"]},
    )
    assert stopped.results("saruman") == ["bounce", "bounce"]
    carried = play(game({"saruman": ["W(AND)", "A/F(AND)"]}), {"saruman": ["A/F(AND) -> Por"]})
    assert carried.units("saruman") == ["A/F(Por)", "W(Por)"]
    ashore = play(game({"saruman": ["W(AND)", "A/F(AND)"]}), {"saruman": ["W(AND) -> Por", "A/F(AND) H"]})
    assert ashore.units("saruman") == ["A/F(AND)", "W(Por)"]


@RULE("necromancer", "16.10")
def test_wizard_and_ship_retreat_together_or_apart() -> None:
    table = {"saruman": ["W(AND)", "A/F(AND)"], "haradrim": ["A/F(TOL)", "A/F(Har)"]}
    orders = {
        "saruman": ["W(AND) H", "A/F(AND) H"],
        "haradrim": ["A/F(TOL) -> AND", "A/F(Har) S A/F(TOL) -> AND"],
    }
    beaten = play(game(table), orders)
    assert set(beaten.dislodged()) == {"W(AND)", "A/F(AND)"}
    together = play(beaten.after, {"saruman": ["W(AND) R Por", "A/F(AND) R Por"]})
    assert together.units("saruman") == ["A/F(Por)", "W(Por)"]
    apart = play(beaten.after, {"saruman": ["W(AND) R Pel", "A/F(AND) R Por"]})
    assert apart.units("saruman") == ["A/F(Por)", "W(Pel)"]
    # from Tolfalas: alone to sea is no retreat
    table = {"saruman": ["W(TOL)", "A/F(TOL)"], "haradrim": ["A/F(Cit)", "A/F(Har)"]}
    orders = {
        "saruman": ["W(TOL) H", "A/F(TOL) H"],
        "haradrim": ["A/F(Cit) -> TOL", "A/F(Har) S A/F(Cit) -> TOL"],
    }
    beaten = play(game(table), orders)
    assert play(beaten.after, {"saruman": ["W(TOL) R AND", "A/F(TOL) R Leb"]}).units("saruman") == [
        "A/F(Leb)"
    ]
    sailing = play(beaten.after, {"saruman": ["W(TOL) R AND", "A/F(TOL) R AND"]})
    assert sailing.units("saruman") == ["A/F(AND)", "W(AND)"]


@RULE("necromancer", "16.11")
def test_without_a_retreat_the_wizard_is_destroyed_and_saruman_is_out() -> None:
    table = {"saruman": ["W(Gap)", "A(Ise)"], "rohan": ["A(Hel)"]}
    beaten = play(
        game(table, centres={"Ise": "saruman"}), {"saruman": ["W(Gap) H"], "rohan": ["A(Hel) -> Gap"]}
    )
    done = play(beaten.after, {"saruman": []})
    assert done.after.saruman_out
    assert {"destroyed", "eliminated"} <= set(done.kinds())
    # his army stands in civil disorder: no orders, no fortress, no retreat
    orders = {"saruman": ["A(Ise) -> Agr"], "rohan": ["A(Gap) -> Ise", "A(Agr) S A(Gap) -> Ise"]}
    later = play(game({"saruman": ["A(Ise)"], "rohan": ["A(Gap)", "A(Agr)"]}, saruman_out=True), orders)
    assert later.result("saruman", "A(Ise) -> Agr").code == "out"
    assert later.results("rohan") == ["ok", "ok"]
    assert later.after.dislodged == ()
    assert later.units("saruman") == []


@RULE("necromancer", "16.11")
def test_saruman_in_civil_disorder_loses_what_he_cannot_keep() -> None:
    position = winter({"saruman": ["A(Ise)", "A(Kha)"]}, {"Ise": "saruman"}, saruman_out=True)
    assert play(position, {"saruman": ["Remove A(Ise)"]}).units("saruman") == ["A(Ise)"]


@RULE("necromancer", "16.12")
def test_there_is_no_second_wizard() -> None:
    position = winter({"saruman": ["W(Agr)"]}, {"Ise": "saruman", "Dun": "saruman"})
    assert play(position, {"saruman": ["Build W(Agr)"]}).result("saruman", "Build W(Agr)").rule == "16.12"


@RULE("necromancer", "16.13")
def test_the_wizard_takes_no_centre_and_needs_none() -> None:
    done = play(game({"saruman": ["W(Ise)"]}, 2780), {"saruman": ["W(Ise) -> Agr"]})
    assert "Agr" not in done.after.centres
    hungry = winter({"saruman": ["W(Agr)", "A(Ise)"]}, {}, options={"wizard_and_nazgul_need_centres": True})
    assert owed(hungry, the_board(), "saruman").balance == -1
    assert owed(winter({"saruman": ["W(Agr)", "A(Ise)"]}, {}), the_board(), "saruman").balance == 0


@RULE("necromancer", "16.14")
def test_sarumans_third_army_starts_where_he_says() -> None:
    first = new_game(Options(), the_board())
    done = play(first, {"saruman": ["Place A(Gap)"]})
    assert done.results("saruman") == ["ok"]
    assert done.units("saruman") == ["A(Dun)", "A(Gap)", "A(Ise)", "W(Ise)"]
    wrong = play(first, {"saruman": ["Place A(Hel)", "Place A(Fan)", "Place A(Gld)"]})
    assert wrong.results("saruman") == ["illegal", "ok", "illegal"]
    assert "A(Fan)" in wrong.units("saruman")
    late = play(first, {})
    assert "A(Agr)" in late.units("saruman")


@RULE("necromancer", "16.9")
def test_a_stand_off_closes_a_province_even_if_a_hidden_wizard_stands_in_it() -> None:
    # the beaten A(Fan) would tell where the Wizard is if Gap were open to it for his sake
    table = {
        "rohan": ["A(Hel)"],
        "elves": ["A(WEm)"],
        "saruman": ["W(Gap)"],
        "gondor": ["A(Fan)"],
        "haradrim": ["A(Nim)", "A(Cel)"],
    }
    orders = {
        "rohan": ["A(Hel) -> Gap"],
        "elves": ["A(WEm) -> Gap"],
        "saruman": ["W(Gap) H"],
        "gondor": ["A(Fan) H"],
        "haradrim": ["A(Nim) -> Fan", "A(Cel) S A(Nim) -> Fan"],
    }
    done = play(game(table), orders)
    assert done.units("saruman") == ["W(Gap)"]
    assert done.after.contested == ("Gap",)
    assert play(done.after, {"gondor": ["A(Fan) R Gap"]}).results("gondor") == ["illegal"]
