"""Cavalry (12)."""

from __future__ import annotations

import pytest

from tests.games.necromancer.shorthand import game, play

RULE = pytest.mark.rule


@RULE("necromancer", "12.1")
def test_only_rohan_builds_cavalry() -> None:
    position = game({}, 2780, "adjustments", centres={"Pel": "gondor", "Wol": "rohan"})
    done = play(position, {"gondor": ["Build C(Pel)"], "rohan": ["Build C(Wol)"]})
    assert done.results("gondor") == ["illegal"]
    assert done.result("gondor", "Build C(Pel)").rule == "12.1"
    assert done.units("rohan") == ["C(Wol)"]


@RULE("necromancer", "12.2")
def test_a_gallop_back_still_drives_out_what_it_met() -> None:
    done = play(
        game({"rohan": ["C(Hel)", "A(WEm)"], "elves": ["A(Gap)"]}),
        {"rohan": ["C(Hel) -> Gap -> Hel", "A(WEm) S C(Hel) -> Gap"], "elves": ["A(Gap) H"]},
    )
    assert done.result("rohan", "C(Hel) -> Gap -> Hel").steps == ("ok", "ok")
    assert done.units("rohan") == ["A(WEm)", "C(Hel)"]
    assert done.dislodged() == {"A(Gap)": ("Hel",)}
    stays = play(done.after, {"elves": ["A(Gap) R Gap"]})
    assert stays.results("elves") == ["illegal"]
    assert stays.units("elves") == []


@RULE("necromancer", "12.2")
def test_a_second_move_beats_a_wizard_and_a_nazgul_but_no_army() -> None:
    rider = {"rohan": ["C(Hel) -> Gap -> Fan"]}
    wizard = play(game({"rohan": ["C(Hel)"], "saruman": ["W(Fan)"]}), rider | {"saruman": ["W(Fan) H"]})
    assert wizard.dislodged() == {"W(Fan)": ("Gap",)}
    nazgul = play(game({"rohan": ["C(Hel)"], "sauron": ["N(Fan)"]}), rider | {"sauron": ["N(Fan) H"]})
    assert nazgul.dislodged() == {"N(Fan)": ("Gap",)}
    army = play(game({"rohan": ["C(Hel)"], "elves": ["A(Fan)"]}), rider | {"elves": ["A(Fan) H"]})
    stopped = army.result("rohan", rider["rohan"][0])
    assert (stopped.result, stopped.steps, stopped.code) == ("bounce", ("ok", "bounce"), "occupied")
    assert army.units("rohan") == ["C(Gap)"]


@RULE("necromancer", "12.2")
def test_a_second_move_cuts_no_support_and_stops_no_building() -> None:
    done = play(
        game(
            {"rohan": ["C(Hel)"], "elves": ["A(Fan)", "A(Cel)"], "gondor": ["A(Wol)"], "saruman": ["A(Ise)"]}
        ),
        {
            "rohan": ["C(Hel) -> Gap -> Fan"],
            "elves": ["A(Fan) S A(Cel) -> Wol", "A(Cel) -> Wol"],
            "gondor": ["A(Wol) H"],
        },
    )
    assert done.results("elves") == ["ok", "ok"]
    build = play(
        game({"rohan": ["C(Hel)"], "elves": ["A(Fan)"]}),
        {"rohan": ["C(Hel) -> Gap -> Fan"], "elves": ["A(Fan) B E"]},
    )
    assert build.results("elves") == ["ok"]
    assert build.units("elves") == ["A/E(Fan)"]


@RULE("necromancer", "12.2")
def test_two_second_moves_stand_off_and_close_the_province() -> None:
    position = game(
        {"rohan": ["C(Hel)", "C(Wol)", "A(Gap)"], "elves": ["A(Ado)", "A(Cel)"], "gondor": ["A(Nim)"]}
    )
    orders = {
        "rohan": ["C(Hel) -> WEm -> Fan", "C(Wol) H -> Fan", "A(Gap) H"],
        "elves": ["A(Cel) H"],
        "gondor": ["A(Nim) H"],
    }
    done = play(position, orders)
    assert done.result("rohan", "C(Hel) -> WEm -> Fan").steps == ("ok", "bounce")
    assert done.result("rohan", "C(Wol) H -> Fan").steps == ("ok", "bounce")
    assert done.units("rohan") == ["A(Gap)", "C(WEm)", "C(Wol)"]
    beaten = game({"rohan": ["C(Hel)", "C(Wol)"], "elves": ["A(Cel)"], "gondor": ["A(Nim)", "A(Lor)"]})
    orders = {
        "rohan": ["C(Hel) -> WEm -> Fan", "C(Wol) H -> Fan"],
        "elves": ["A(Cel) H"],
        "gondor": ["A(Nim) -> Cel", "A(Lor) S A(Nim) -> Cel"],
    }
    assert play(play(beaten, orders).after, {"elves": ["A(Cel) R Fan"]}).results("elves") == ["illegal"]
    lenient = game(
        {"rohan": ["C(Hel)", "C(Wol)"], "elves": ["A(Cel)"], "gondor": ["A(Nim)", "A(Lor)"]},
        options={"second_moves_close_retreats": False},
    )
    assert play(play(lenient, orders).after, {"elves": ["A(Cel) R Fan"]}).results("elves") == ["ok"]


@RULE("necromancer", "12.2")
def test_cavalry_that_holds_and_is_driven_out_makes_no_second_move() -> None:
    table = {"rohan": ["C(Wol)"], "elves": ["A(Cel)", "A(Bro)"]}
    orders = {"rohan": ["C(Wol) H -> EEm"], "elves": ["A(Cel) -> Wol", "A(Bro) S A(Cel) -> Wol"]}
    done = play(game(table), orders)
    outcome = done.result("rohan", "C(Wol) H -> EEm")
    assert (outcome.steps, outcome.code) == (("ok", "bounce"), "dislodged_first")
    assert done.dislodged() == {"C(Wol)": ("Cel",)}
    bold = play(game(table, options={"dislodged_lose_second_move": False}), orders)
    assert bold.units("rohan") == ["C(EEm)"]
    assert bold.after.dislodged == ()


@RULE("necromancer", "12.3")
def test_no_second_move_after_a_first_that_failed() -> None:
    done = play(
        game({"rohan": ["C(Hel)"], "elves": ["A(Gap)"]}),
        {"rohan": ["C(Hel) -> Gap -> Agr"], "elves": ["A(Gap) H"]},
    )
    outcome = done.result("rohan", "C(Hel) -> Gap -> Agr")
    assert (outcome.result, outcome.steps) == ("bounce", ("bounce", "bounce"))
    assert done.units("rohan") == ["C(Hel)"]


@RULE("necromancer", "12.4")
def test_the_second_move_is_made_whatever_the_others_did() -> None:
    # the foe that Rohan hoped to meet in Agr went away: the second move is made all the same
    done = play(
        game({"rohan": ["C(Hel)"], "saruman": ["A(Agr)"]}),
        {"rohan": ["C(Hel) -> Gap -> Agr"], "saruman": ["A(Agr) -> Ene"]},
    )
    assert done.units("rohan") == ["C(Agr)"]


@RULE("necromancer", "12.5")
def test_cavalry_gives_one_support_and_retreats_like_an_army() -> None:
    two = play(
        game({"rohan": ["C(Wol)", "A(WEm)", "A(EEm)"]}),
        {"rohan": ["C(Wol) S A(WEm)", "C(Wol) S A(EEm)", "A(WEm) H", "A(EEm) H"]},
    )
    assert two.results("rohan") == ["misorder", "misorder", "ok", "ok"]
    beaten = play(
        game({"rohan": ["C(Wol)"], "elves": ["A(Cel)", "A(Bro)"]}),
        {"rohan": ["C(Wol) H"], "elves": ["A(Cel) -> Wol", "A(Bro) S A(Cel) -> Wol"]},
    )
    assert play(beaten.after, {"rohan": ["C(Wol) R Edo"]}).results("rohan") == ["illegal"]
    assert play(beaten.after, {"rohan": ["C(Wol) R EEm"]}).units("rohan") == ["C(EEm)"]


@RULE("necromancer", "12.6")
def test_a_second_move_cannot_be_supported() -> None:
    table = {"rohan": ["C(Hel)", "A(Dun)"], "saruman": ["A(Agr)"]}
    done = play(
        game(table),
        {"rohan": ["C(Hel) -> Gap -> Agr", "A(Dun) S C(Hel) -> Agr"], "saruman": ["A(Agr) H"]},
    )
    assert done.results("rohan") == ["bounce", "void"]
    first = {"rohan": ["C(Hel) -> Gap -> Agr", "A(Fan) S C(Hel) -> Gap"], "saruman": ["A(Gap) H"]}
    table = {"rohan": ["C(Hel)", "A(Fan)"], "saruman": ["A(Gap)"]}
    assert play(game(table), first).results("rohan") == ["ok", "ok"]
    strict = game(table, options={"support_may_name_first_step": False})
    assert play(strict, first).results("rohan") == ["bounce", "void"]


@RULE("necromancer", "12.7")
def test_cavalry_holds_then_moves_or_moves_once() -> None:
    done = play(game({"rohan": ["C(Wol)"]}), {"rohan": ["C(Wol) H -> EMu"]})
    assert done.result("rohan", "C(Wol) H -> EMu").steps == ("ok", "ok")
    assert done.units("rohan") == ["C(EMu)"]
    assert play(game({"rohan": ["C(Wol)"]}), {"rohan": ["C(Wol) -> EMu"]}).units("rohan") == ["C(EMu)"]
    both = play(
        game({"rohan": ["C(Wol)", "A(WEm)"]}), {"rohan": ["C(Wol) S A(WEm)", "C(Wol) -> EMu", "A(WEm) H"]}
    )
    assert both.results("rohan") == ["misorder", "misorder", "ok"]


@RULE("necromancer", "12.8")
def test_otherwise_cavalry_is_an_army() -> None:
    done = play(
        game({"rohan": ["C(Wol)", "A(EEm)"], "elves": ["A(WEm)"]}, 2780),
        {"rohan": ["C(Wol) -> WEm", "A(EEm) S C(Wol) -> WEm"], "elves": ["A(WEm) H"]},
    )
    assert done.dislodged() == {"A(WEm)": ("Wol",)}
    taken = play(game({"rohan": ["C(EEm)"]}, 2780), {"rohan": ["C(EEm) -> Edo"]})
    assert taken.after.centres["Edo"] == "rohan"
    two_steps = play(game({"rohan": ["A(Hel)"]}), {"rohan": ["A(Hel) -> Gap -> Agr"]})
    assert two_steps.result("rohan", "A(Hel) -> Gap -> Agr").rule == "12.2"


@RULE("necromancer", "12.9")
def test_cavalry_is_built_in_the_wold_only() -> None:
    position = game({}, 2780, "adjustments", centres={"Hel": "rohan", "Wol": "rohan", "Edo": "rohan"})
    done = play(position, {"rohan": ["Build C(Hel)", "Build C(Wol)", "Build A(Edo)"]})
    assert done.results("rohan") == ["illegal", "ok", "ok"]
    assert done.result("rohan", "Build C(Hel)").rule == "12.9"
