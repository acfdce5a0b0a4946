"""Army/fleets (14) and siege engines (15)."""

from __future__ import annotations

import pytest

from gm.games.necromancer.parse import parse
from gm.games.necromancer.saved import to_json
from tests.games.necromancer.shorthand import game, play

RULE = pytest.mark.rule


@RULE("necromancer", "14.1")
def test_armies_start_as_army_fleets_where_others_start_fleets() -> None:
    from gm.games.necromancer.board import the_board

    assert str(the_board().powers["gondor"].units[0]) == "A/F(DAm)"
    assert str(the_board().powers["haradrim"].units[0]) == "A/F(Cit)"


@RULE("necromancer", "14.2")
def test_a_fleet_is_built_on_the_coast_as_the_order_of_the_turn() -> None:
    done = play(game({"haradrim": ["A(Cit)", "A(FHa)"]}), {"haradrim": ["A(Cit) B F", "A(FHa) B F"]})
    assert done.results("haradrim") == ["ok", "illegal"]
    assert done.result("haradrim", "A(FHa) B F").rule == "14.2"
    assert done.units("haradrim") == ["A/F(Cit)", "A(FHa)"]
    both = play(game({"haradrim": ["A(Cit)"]}), {"haradrim": ["A(Cit) B F", "A(Cit) -> Har"]})
    assert both.results("haradrim") == ["misorder", "misorder"]
    winter = game({}, 2780, "adjustments", centres={"Cit": "haradrim"})
    assert play(winter, {"haradrim": ["Build A/F(Cit)"]}).result("haradrim", "Build A/F(Cit)").rule == "14.2"


@RULE("necromancer", "14.3")
def test_an_attack_stops_the_building_even_if_it_fails() -> None:
    done = play(
        game({"haradrim": ["A(Cit)"], "gondor": ["A/F(TOL)"]}),
        {"haradrim": ["A(Cit) B F"], "gondor": ["A/F(TOL) -> Cit"]},
    )
    assert done.results("gondor") == ["bounce"]
    built = done.result("haradrim", "A(Cit) B F")
    assert (built.result, built.rule, [str(a.unit) for a in built.stopped_by]) == (
        "cut",
        "14.3",
        ["A/F(TOL)"],
    )
    own = play(game({"haradrim": ["A(Cit)", "A(NrH)"]}), {"haradrim": ["A(Cit) B F", "A(NrH) -> Cit"]})
    assert own.results("haradrim") == ["ok", "bounce"]


@RULE("necromancer", "14.3")
def test_a_wizard_or_nazgul_stops_no_building_unless_the_house_rule_says_so() -> None:
    table = {"haradrim": ["A(Por)"], "sauron": ["N(SIt)"]}
    orders = {"haradrim": ["A(Por) B F"], "sauron": ["N(SIt) -> Por"]}
    assert play(game(table), orders).results("haradrim") == ["ok"]
    literal = game(table, options={"zero_strength_stops_builds": True})
    assert play(literal, orders).results("haradrim") == ["cut"]


@RULE("necromancer", "14.4")
def test_a_builder_is_supported_in_holding() -> None:
    table = {"haradrim": ["A(Por)", "A(NrH)"], "gondor": ["A(Pel)", "A(SIt)"]}
    orders = {
        "haradrim": ["A(Por) B F", "A(NrH) S A(Por)"],
        "gondor": ["A(Pel) -> Por", "A(SIt) S A(Pel) -> Por"],
    }
    done = play(game(table), orders)
    assert done.results("haradrim") == ["cut", "ok"]
    assert done.after.dislodged == ()
    alone = play(game(table), orders | {"haradrim": ["A(Por) B F", "A(NrH) H"]})
    assert alone.dislodged() == {"A(Por)": ("Pel",)}


@RULE("necromancer", "14.5")
def test_success_makes_an_army_fleet() -> None:
    assert play(game({"gondor": ["A(Pel)"]}), {"gondor": ["A(Pel) B F"]}).units("gondor") == ["A/F(Pel)"]


@RULE("necromancer", "14.6")
def test_at_sea_an_army_fleet_acts_as_on_land() -> None:
    table = {"gondor": ["A/F(Pel)", "A/F(Leb)"], "haradrim": ["A/F(AND)"]}
    done = play(
        game(table),
        {"gondor": ["A/F(Pel) -> AND", "A/F(Leb) S A/F(Pel) -> AND"], "haradrim": ["A/F(AND) H"]},
    )
    assert done.results("gondor") == ["ok", "ok"]
    assert done.dislodged() == {"A/F(AND)": ("Pel",)}
    from_sea = play(
        game({"gondor": ["A/F(AND)", "A(SIt)"], "haradrim": ["A(Por)"]}),
        {"gondor": ["A/F(AND) S A(SIt) -> Por", "A(SIt) -> Por"], "haradrim": ["A(Por) H"]},
    )
    assert from_sea.dislodged() == {"A(Por)": ("SIt",)}
    army = play(game({"gondor": ["A(Pel)"]}), {"gondor": ["A(Pel) -> AND"]})
    assert army.result("gondor", "A(Pel) -> AND").rule == "14.6"


@RULE("necromancer", "14.7")
def test_the_fleet_stays_along_the_coast_and_is_lost_inland() -> None:
    coast = play(game({"gondor": ["A/F(DAm)"]}), {"gondor": ["A/F(DAm) -> Leb"]})
    assert coast.units("gondor") == ["A/F(Leb)"]
    inland = play(game({"gondor": ["A/F(DAm)"]}), {"gondor": ["A/F(DAm) -> Lam"]})
    assert inland.units("gondor") == ["A(Lam)"]
    assert "fleet_lost" in inland.kinds()
    failed = play(
        game({"gondor": ["A/F(DAm)"], "rohan": ["A(Lam)"]}),
        {"gondor": ["A/F(DAm) -> Lam"], "rohan": ["A(Lam) H"]},
    )
    assert failed.units("gondor") == ["A/F(DAm)"]


@RULE("necromancer", "14.8")
def test_the_fleet_takes_no_order_of_its_own() -> None:
    done = play(game({"gondor": ["A/F(DAm)"]}), {"gondor": ["A/F(DAm) H", "A(DAm) -> Lam"]})
    assert done.results("gondor") == ["misorder", "misorder"]


@RULE("necromancer", "14.9")
def test_a_fleet_needs_no_centre() -> None:
    position = game({"gondor": ["A/F(DAm)"]}, 2780, "adjustments", centres={"DAm": "gondor"})
    done = play(position, {})
    assert done.units("gondor") == ["A/F(DAm)"]


@RULE("necromancer", "14.10")
def test_the_fleet_goes_with_its_army() -> None:
    position = game({"gondor": ["2A/2F(DAm)"]}, 2780, "adjustments", centres={"DAm": "gondor"})
    assert play(position, {"gondor": ["Remove A(DAm)"]}).units("gondor") == ["A/F(DAm)"]


@RULE("necromancer", "14.11")
def test_nobody_is_carried_over_sea() -> None:
    done = play(game({"haradrim": ["A(Cit)", "A/F(TOL)"]}), {"haradrim": ["A(Cit) -> DAm", "A/F(TOL) H"]})
    assert done.results("haradrim") == ["illegal", "ok"]


@RULE("necromancer", "14.12")
def test_cavalry_builds_fleets_and_a_second_move_loses_them_in_any_case() -> None:
    assert play(game({"rohan": ["C(Leb)"]}), {"rohan": ["C(Leb) B F"]}).units("rohan") == ["C/F(Leb)"]
    done = play(game({"rohan": ["C/F(TOL)"]}), {"rohan": ["C/F(TOL) -> Anf -> DAm"]})
    assert done.units("rohan") == ["C(DAm)"]
    stopped = play(
        game({"rohan": ["C/F(TOL)"], "gondor": ["A(DAm)"]}),
        {"rohan": ["C/F(TOL) -> Anf -> DAm"], "gondor": ["A(DAm) H"]},
    )
    assert stopped.units("rohan") == ["C(Anf)"]
    first = play(
        game({"rohan": ["C/F(TOL)"], "gondor": ["A(Anf)"]}),
        {"rohan": ["C/F(TOL) -> Anf -> DAm"], "gondor": ["A(Anf) H"]},
    )
    assert first.units("rohan") == ["C/F(TOL)"]
    wet = play(game({"rohan": ["C/F(Leb)"]}), {"rohan": ["C/F(Leb) -> TOL -> Cit"]})
    assert wet.result("rohan", "C/F(Leb) -> TOL -> Cit").rule == "14.12"


@RULE("necromancer", "14.13")
def test_a_2a_builds_two_fleets() -> None:
    assert play(game({"gondor": ["2A(Pel)"]}), {"gondor": ["2A(Pel) B F"]}).units("gondor") == ["2A/2F(Pel)"]


@RULE("necromancer", "14.14")
def test_a_3a_with_two_fleets_does_not_enter_the_sea_intact() -> None:
    joined = play(
        game({"gondor": ["2A/2F(Pel)", "A(Leb)"]}), {"gondor": ["2A/2F(Pel) -> 3A(Pel)", "A(Leb) -> 3A(Pel)"]}
    )
    assert joined.units("gondor") == ["3A/2F(Pel)"]
    whole = play(joined.after, {"gondor": ["3A/2F(Pel) -> AND"]})
    assert whole.result("gondor", "3A/2F(Pel) -> AND").rule == "14.14"
    part = play(joined.after, {"gondor": ["2A/2F(Pel) -> AND", "A(Pel) H"]})
    assert part.units("gondor") == ["2A/2F(AND)", "A(Pel)"]
    help_at_sea = play(
        game({"gondor": ["3A/2F(Pel)", "A/F(Leb)"]}),
        {"gondor": ["3A/2F(Pel) S A/F(Leb) -> AND", "A/F(Leb) -> AND"]},
    )
    assert help_at_sea.results("gondor") == ["illegal", "ok"]


@RULE("necromancer", "15.1")
def test_an_engine_is_built_on_land_and_not_in_adjustments() -> None:
    assert play(game({"sauron": ["A(Los)"]}), {"sauron": ["A(Los) B E"]}).units("sauron") == ["A/E(Los)"]
    winter = game({}, 2780, "adjustments", centres={"Pel": "gondor"})
    assert play(winter, {"gondor": ["Build A/E(Pel)"]}).result("gondor", "Build A/E(Pel)").rule == "15.1"


@RULE("necromancer", "15.2")
def test_an_attack_stops_the_engine() -> None:
    done = play(
        game({"sauron": ["A(Los)"], "gondor": ["A(Pel)"]}),
        {"sauron": ["A(Los) B E"], "gondor": ["A(Pel) -> Los"]},
    )
    assert (done.results("sauron"), done.result("sauron", "A(Los) B E").rule) == (["cut"], "15.2")
    assert done.units("sauron") == ["A(Los)"]


@RULE("necromancer", "15.3")
def test_the_builder_of_an_engine_is_supported_in_holding() -> None:
    done = play(
        game({"sauron": ["A(Los)", "A(NIt)"], "gondor": ["A(Pel)", "A(Leb)"]}),
        {
            "sauron": ["A(Los) B E", "A(NIt) S A(Los)"],
            "gondor": ["A(Pel) -> Los", "A(Leb) S A(Pel) -> Los"],
        },
    )
    assert done.after.dislodged == ()
    assert done.results("sauron") == ["cut", "ok"]


@RULE("necromancer", "15.4")
def test_success_makes_an_army_with_an_engine() -> None:
    done = play(game({"gondor": ["A(Los)"]}), {"gondor": ["A(Los) B E"]})
    assert (done.results("gondor"), done.units("gondor")) == (["ok"], ["A/E(Los)"])


@RULE("necromancer", "15.5")
def test_one_attachment_replaces_the_other() -> None:
    assert play(game({"gondor": ["A/F(Pel)"]}), {"gondor": ["A/F(Pel) B E"]}).units("gondor") == ["A/E(Pel)"]
    assert play(game({"gondor": ["A/E(Pel)"]}), {"gondor": ["A/E(Pel) B F"]}).units("gondor") == ["A/F(Pel)"]


@RULE("necromancer", "15.5")
def test_a_multiple_army_has_one_engine_and_fleets_for_the_rest() -> None:
    assert play(game({"gondor": ["3A/E(Pel)"]}), {"gondor": ["3A/E(Pel) B F"]}).units("gondor") == [
        "3A/2F/E(Pel)"
    ]
    full = game({"gondor": ["3A/2F/E(Pel)"]})
    assert play(full, {"gondor": ["3A/2F/E(Pel) B F"]}).units("gondor") == ["3A/3F(Pel)"]
    assert play(full, {"gondor": ["3A/2F/E(Pel) B E"]}).result("gondor", "3A/2F/E(Pel) B E").rule == "15.5"
    assert play(game({"gondor": ["2A/2F(Pel)"]}), {"gondor": ["2A/2F(Pel) B E"]}).units("gondor") == [
        "2A/F/E(Pel)"
    ]


@RULE("necromancer", "15.6")
def test_cavalry_builds_engines_wizard_and_nazgul_do_not() -> None:
    done = play(
        game({"rohan": ["C(Wol)"], "saruman": ["W(Ise)"], "sauron": ["N(MMo)"]}),
        {"rohan": ["C(Wol) B E"], "saruman": ["W(Ise) B E"], "sauron": ["N(MMo) B E"]},
    )
    assert done.units("rohan") == ["C/E(Wol)"]
    assert done.results("saruman") == done.results("sauron") == ["illegal"]
    assert done.result("sauron", "N(MMo) B E").rule == "15.6"


@RULE("necromancer", "15.7")
def test_the_engine_is_lost_by_moving_and_kept_by_a_bounce() -> None:
    moved = play(game({"sauron": ["A/E(Los)"]}), {"sauron": ["A/E(Los) -> Pel"]})
    assert moved.units("sauron") == ["A(Pel)"]
    bounced = play(
        game({"sauron": ["A/E(Los)"], "gondor": ["A(Pel)"]}),
        {"sauron": ["A/E(Los) -> Pel"], "gondor": ["A(Pel) H"]},
    )
    assert bounced.units("sauron") == ["A/E(Los)"]
    beaten = play(
        game({"sauron": ["A/E(Los)"], "gondor": ["2A(Pel)"]}),
        {"sauron": ["A/E(Los) H"], "gondor": ["2A(Pel) -> Los"]},
    )
    assert beaten.dislodged() == {"A(Los)": ("Pel",)}
    assert "engine_lost" in beaten.kinds()


@RULE("necromancer", "15.7")
def test_a_stack_keeps_its_engine_unless_the_part_with_it_moves() -> None:
    stays = play(game({"gondor": ["2A/E(Los)"]}), {"gondor": ["A(Los) -> Pel", "A(Los) H"]})
    assert stays.units("gondor") == ["A/E(Los)", "A(Pel)"]
    goes = play(game({"gondor": ["2A/E(Los)"]}), {"gondor": ["A/E(Los) -> Pel", "A(Los) H"]})
    assert goes.units("gondor") == ["A(Los)", "A(Pel)"]


@RULE("necromancer", "15.9")
def test_an_engine_that_only_supports_leaves_the_fortress_alone() -> None:
    done = play(
        game({"sauron": ["A/E(Ano)", "A(Los)"], "gondor": ["A(MTi)"]}),
        {"sauron": ["A/E(Ano) S A(Los) -> MTi", "A(Los) -> MTi"], "gondor": ["A(MTi) H"]},
    )
    assert done.results("sauron") == ["ok", "bounce"]
    assert done.result("sauron", "A(Los) -> MTi").code == "fortress"


@RULE("necromancer", "15.10")
def test_engines_are_built_on_land_and_coast_but_not_at_sea_nor_in_eriador() -> None:
    done = play(
        game({"gondor": ["A(Pel)", "A/F(AND)"], "elves": ["A(Eri)"]}),
        {"gondor": ["A(Pel) B E", "A/F(AND) B E"], "elves": ["A(Eri) B E"]},
    )
    assert done.results("gondor") == ["ok", "illegal"]
    assert done.result("elves", "A(Eri) B E").rule == "15.10"


@RULE("necromancer", "14.15")
@RULE("necromancer", "15.11")
@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("A(Cit) B F", "A(Cit) B F"),
        ("A(Cit) Build Fleet", "A(Cit) B F"),
        ("A(Los) B E", "A(Los) B E"),
        ("A(Los) Build Engine", "A(Los) B E"),
    ],
)
def test_the_forms_of_the_build_orders(text: str, order: str) -> None:
    position = game({"haradrim": ["A(Cit)", "A(Los)"]})
    assert parse(to_json(position), "haradrim", text).orders == (order,)


@RULE("necromancer", "14.15")
@RULE("necromancer", "15.11")
def test_in_the_following_turn_the_attachment_is_named() -> None:
    built = play(game({"haradrim": ["A(Cit)", "A(Los)"]}), {"haradrim": ["A(Cit) B F", "A(Los) B E"]})
    assert built.units("haradrim") == ["A/F(Cit)", "A/E(Los)"]
    assert play(built.after, {"haradrim": ["A/F(Cit) -> TOL", "A/E(Los) H"]}).results("haradrim") == [
        "ok",
        "ok",
    ]
