"""Standard Diplomacy where nothing modifies it (2), Eriador (6), fortresses (7), mountains (8)."""

from __future__ import annotations

import pytest

from tests.games.necromancer.shorthand import game, play

RULE = pytest.mark.rule


@RULE("necromancer", "2")
def test_equal_moves_stand_off_and_close_the_province() -> None:
    done = play(
        game({"rohan": ["A(WEm)"], "elves": ["A(Fan)"]}),
        {"rohan": ["A(WEm) -> Wol"], "elves": ["A(Fan) -> Wol"]},
    )
    assert done.results("rohan") == done.results("elves") == ["bounce"]
    outcome = done.result("rohan", "A(WEm) -> Wol")
    assert (outcome.code, [str(a.unit) for a in outcome.stopped_by]) == ("standoff", ["A(Fan)"])


@RULE("necromancer", "2")
def test_support_decides_and_is_cut_by_an_attack_from_elsewhere() -> None:
    position = game({"rohan": ["A(WEm)", "A(EEm)"], "elves": ["A(Wol)"], "saruman": ["A(EMu)"]})
    orders = {"rohan": ["A(WEm) -> Wol", "A(EEm) S A(WEm) -> Wol"], "elves": ["A(Wol) H"]}
    assert play(position, orders | {"saruman": []}).dislodged() == {"A(Wol)": ("WEm",)}
    done = play(position, orders | {"saruman": ["A(EMu) -> EEm"]})
    assert done.results("rohan") == ["bounce", "cut"]
    cut = done.result("rohan", "A(EEm) S A(WEm) -> Wol")
    assert [(a.power, a.doing) for a in cut.stopped_by] == [("saruman", "moved")]


@RULE("necromancer", "2")
def test_support_is_not_cut_from_where_it_is_aimed_unless_the_supporter_is_dislodged() -> None:
    position = game({"rohan": ["A(WEm)", "A(EEm)"], "elves": ["A(Wol)", "A(EMu)", "A(Ano)"]})
    orders = {"rohan": ["A(WEm) -> Wol", "A(EEm) S A(WEm) -> Wol"]}
    done = play(position, orders | {"elves": ["A(Wol) -> EEm"]})
    assert done.results("rohan") == ["ok", "ok"]
    done = play(position, orders | {"elves": ["A(Wol) -> EEm", "A(EMu) S A(Wol) -> EEm"]})
    assert done.results("rohan") == ["ok", "cut"]
    assert done.units("elves") == ["A(Ano)", "A(EEm)", "A(EMu)"]


@RULE("necromancer", "2")
def test_three_moves_go_round_but_two_do_not_change_places() -> None:
    done = play(
        game({"rohan": ["A(WEm)", "A(EEm)"], "elves": ["A(Wol)"]}),
        {"rohan": ["A(WEm) -> EEm", "A(EEm) -> Wol"], "elves": ["A(Wol) -> WEm"]},
    )
    assert done.results("rohan") == ["ok", "ok"]
    done = play(
        game({"rohan": ["A(WEm)"], "elves": ["A(Wol)"]}),
        {"rohan": ["A(WEm) -> Wol"], "elves": ["A(Wol) -> WEm"]},
    )
    assert done.result("elves", "A(Wol) -> WEm").code == "head_to_head"


@RULE("necromancer", "2")
def test_nobody_dislodges_his_own_unit_nor_helps_to_do_so() -> None:
    done = play(
        game({"rohan": ["A(WEm)", "A(EEm)", "A(Wol)"]}),
        {"rohan": ["A(WEm) -> Wol", "A(EEm) S A(WEm) -> Wol", "A(Wol) H"]},
    )
    assert done.result("rohan", "A(WEm) -> Wol").code == "own_unit"
    done = play(
        game({"elves": ["A(WEm)"], "rohan": ["A(EEm)", "A(Wol)"]}),
        {"elves": ["A(WEm) -> Wol"], "rohan": ["A(EEm) S A(WEm) -> Wol", "A(Wol) H"]},
    )
    assert done.results("elves") == ["bounce"]
    assert done.result("elves", "A(WEm) -> Wol").code == "own_unit"


@RULE("necromancer", "2")
def test_a_support_that_matches_no_order_is_void() -> None:
    done = play(game({"rohan": ["A(WEm)", "A(EEm)"]}), {"rohan": ["A(WEm) H", "A(EEm) S A(WEm) -> Wol"]})
    assert done.results("rohan") == ["ok", "void"]
    assert done.result("rohan", "A(EEm) S A(WEm) -> Wol").valid is False


@RULE("necromancer", "6.2")
def test_moves_to_eriador_always_succeed_and_retreats_go_there() -> None:
    done = play(
        game({"saruman": ["A(Gld)"], "gondor": ["A(Min)"], "elves": ["A(Eri)"]}),
        {"saruman": ["A(Gld) -> Eri"], "gondor": ["A(Min) -> Eri"], "elves": ["A(Eri) -> Min"]},
    )
    assert done.results("saruman") + done.results("gondor") + done.results("elves") == ["ok"] * 3
    beaten = play(
        game({"elves": ["A(Gld)"], "saruman": ["A(Ene)", "A(Dun)"]}),
        {"elves": ["A(Gld) H"], "saruman": ["A(Ene) -> Gld", "A(Dun) S A(Ene) -> Gld"]},
    )
    home = play(beaten.after, {"elves": ["A(Gld) R Eri"]})
    assert home.units("elves") == ["A(Eri)"]
    closed = play(
        game({"elves": ["A(Gld)"], "saruman": ["A(Ene)", "A(Dun)"]}, options={"retreat_to_eriador": False}),
        {"elves": ["A(Gld) H"], "saruman": ["A(Ene) -> Gld", "A(Dun) S A(Ene) -> Gld"]},
    )
    assert play(closed.after, {"elves": ["A(Gld) R Eri"]}).result("elves", "A(Gld) R Eri").code == "closed"


@RULE("necromancer", "6.3")
def test_any_number_of_units_share_eriador_and_two_retreats_meet_there() -> None:
    done = play(
        game({"dwarves": ["A(Eri)"], "elves": ["A(Eri)", "A(Eri)"], "sauron": ["A(Ang)", "N(Gob)"]}),
        {"dwarves": [], "elves": [], "sauron": ["A(Ang) -> Eri", "N(Gob) -> Eri"]},
    )
    assert done.results("sauron") == ["ok", "ok"]
    assert done.units("elves") == ["A(Eri)", "A(Eri)"]
    assert done.after.dislodged == ()
    alone = play(
        game({"sauron": ["N(Gob)"]}, options={"wizard_and_nazgul_coexist_in_eriador": False}),
        {"sauron": ["N(Gob) -> Eri"]},
    )
    assert alone.results("sauron") == ["illegal"]


@RULE("necromancer", "6.4")
def test_units_in_eriador_support_nobody() -> None:
    done = play(game({"elves": ["A(Eri)", "A(Hol)"]}), {"elves": ["A(Eri) S A(Hol) -> Gld", "A(Hol) -> Gld"]})
    assert done.results("elves") == ["illegal", "ok"]
    assert done.result("elves", "A(Eri) S A(Hol) -> Gld").rule == "6.4"


@RULE("necromancer", "6.5")
def test_dwarves_and_elves_build_in_eriador_until_sauron_is_out() -> None:
    centres = {"Ere": "dwarves", "Lor": "elves", "Woo": "elves"}
    position = game({"dwarves": ["A(Eri)"], "gondor": ["A(Ang)"]}, 2780, "adjustments", centres=centres)
    done = play(position, {"dwarves": ["Build A(Eri)"], "elves": ["Build A(Eri)", "Build A(Eri)"]})
    assert done.units("dwarves") == ["A(Eri)", "A(Eri)"]
    assert done.results("elves") == ["ok", "illegal"]
    assert done.result("dwarves", "Build A(Eri)").rule == "6.5"
    two = game({}, 2780, "adjustments", centres=centres, options={"eriador_builds_per_adjustment": 2})
    assert play(two, {"elves": ["Build A(Eri)", "Build A(Eri)"]}).results("elves") == ["ok", "ok"]
    late = game({}, 3035 + 15, "adjustments", centres=centres, sauron_out=True)
    refused = play(late, {"elves": ["Build A(Eri)"]}).result("elves", "Build A(Eri)")
    assert (refused.result, refused.rule) == ("illegal", "6.5")


@RULE("necromancer", "6.5")
def test_eriador_feeds_a_unit_of_dwarves_and_elves_only_while_sauron_lives() -> None:
    centres = {"Ere": "dwarves"}
    table = {"dwarves": ["A(Ere)", "A(Dal)"]}
    assert play(game(table, 2780, "adjustments", centres=centres), {}).units("dwarves") == [
        "A(Dal)",
        "A(Ere)",
    ]
    alone = play(game(table, 2780, "adjustments", centres=centres, sauron_out=True), {})
    assert alone.units("dwarves") == ["A(Ere)"]


@RULE("necromancer", "6.6")
def test_a_foreign_army_in_eriador_takes_nothing() -> None:
    done = play(
        game({"gondor": ["A(Min)"], "elves": ["A(Lor)"]}, 2780, centres={"Lor": "elves"}),
        {"gondor": ["A(Min) -> Eri"], "elves": []},
    )
    assert "Eri" not in done.after.centres
    assert play(done.after, {"elves": ["Build A(Eri)"]}).results("elves") == ["ok"]


ATTACK = {"haradrim": ["A(Los) -> MTi", "A(Ano) S A(Los) -> MTi"]}
THREE = {"haradrim": [*ATTACK["haradrim"], "A(NIt) S A(Los) -> MTi"]}
SIEGE = {"gondor": ["A(MTi)"], "haradrim": ["A(Los)", "A(Ano)", "A(NIt)"]}


@RULE("necromancer", "7.2")
def test_a_fortress_wants_a_total_attack_of_three() -> None:
    held = play(game(SIEGE), ATTACK | {"gondor": ["A(MTi) H"]})
    assert held.results("haradrim") == ["bounce", "ok"]
    stopped = held.result("haradrim", "A(Los) -> MTi")
    assert (stopped.code, stopped.rule, [str(a.unit) for a in stopped.stopped_by]) == (
        "fortress",
        "7.2",
        ["A(MTi)"],
    )
    assert play(game(SIEGE), THREE | {"gondor": ["A(MTi) H"]}).dislodged() == {"A(MTi)": ("Los",)}


@RULE("necromancer", "7.2")
def test_a_lone_wizard_has_the_fortress_unless_the_house_rule_says_no() -> None:
    table = {"saruman": ["W(Ise)"], "rohan": ["A(Gap)", "A(Agr)"]}
    orders = {"saruman": ["W(Ise) H"], "rohan": ["A(Gap) -> Ise"]}
    assert play(game(table), orders).results("rohan") == ["bounce"]
    both = {"saruman": ["W(Ise) H"], "rohan": ["A(Gap) -> Ise", "A(Agr) S A(Gap) -> Ise"]}
    assert play(game(table), both).dislodged() == {"W(Ise)": ("Gap",)}
    plain = game(table, options={"lone_wizard_or_nazgul_has_fortress": False})
    assert play(plain, orders).dislodged() == {"W(Ise)": ("Gap",)}


@RULE("necromancer", "7.3")
def test_a_fortress_lends_nothing_to_moves_nor_to_supports() -> None:
    # out of the fortress: 1 against 1
    out = play(
        game({"gondor": ["A(MTi)"], "haradrim": ["A(Los)"]}),
        {"gondor": ["A(MTi) -> Los"], "haradrim": ["A(Los) H"]},
    )
    assert out.results("gondor") == ["bounce"]
    # a failed move leaves no fortress behind
    done = play(game(SIEGE), ATTACK | {"gondor": ["A(MTi) -> NIt"]})
    assert done.dislodged() == {"A(MTi)": ("Los",)}
    # the support of a unit in a fortress counts one and is cut like any other
    cut = play(
        game({"gondor": ["A(MTi)", "A(DrF)"], "haradrim": ["A(Los)", "A(Ano)"]}),
        {"gondor": ["A(MTi) S A(DrF) -> Ano", "A(DrF) -> Ano"], "haradrim": ["A(Los) -> MTi", "A(Ano) H"]},
    )
    assert cut.results("gondor") == ["cut", "bounce"]


@RULE("necromancer", "7.4")
@pytest.mark.parametrize("orders", [None, [], ["A(MTi) -> Pel"]], ids=["nmr", "unordered", "illegal"])
def test_no_fortress_without_a_legal_order(orders: list[str] | None) -> None:
    done = play(game(SIEGE), ATTACK | {"gondor": orders})
    assert done.dislodged() == {"A(MTi)": ("Los",)}
    assert ("nmr" in done.kinds()) == (orders is None)
    assert ("unordered" in done.kinds()) == (orders is not None)


@RULE("necromancer", "7.4")
def test_an_illegal_order_keeps_the_fortress_by_house_rule_and_a_void_support_always() -> None:
    kind = game(SIEGE, options={"illegal_order_loses_fortress": False})
    assert play(kind, ATTACK | {"gondor": ["A(MTi) -> Pel"]}).dislodged() == {}
    assert play(game(SIEGE), ATTACK | {"gondor": ["A(MTi) S A(DrF) -> Ano"]}).dislodged() == {}


@RULE("necromancer", "8")
def test_mountains_stop_moves_and_supports() -> None:
    done = play(
        game({"rohan": ["A(Hel)", "A(Gap)"], "gondor": ["A(Pin)"]}),
        {"rohan": ["A(Hel) S A(Gap) -> Ado", "A(Gap) -> Ado"], "gondor": ["A(Pin) -> Hel"]},
    )
    assert done.results("rohan") == ["illegal", "ok"]
    assert done.results("gondor") == ["illegal"]
    assert done.result("gondor", "A(Pin) -> Hel").rule == "8"
    assert done.result("rohan", "A(Hel) S A(Gap) -> Ado").rule == "8"
