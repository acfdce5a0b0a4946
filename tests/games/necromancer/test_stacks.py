"""Multiple armies (13), beyond the worked examples."""

from __future__ import annotations

import pytest

from tests.games.necromancer.shorthand import game, play

RULE = pytest.mark.rule


@RULE("necromancer", "13.1")
def test_only_gondor_and_sauron_merge() -> None:
    done = play(game({"rohan": ["A(WEm)", "A(EEm)"]}), {"rohan": ["A(WEm) -> 2A(Wol)", "A(EEm) -> 2A(Wol)"]})
    assert done.results("rohan") == ["illegal", "illegal"]
    gondor = play(
        game({"gondor": ["A(WEm)", "A(EEm)"]}), {"gondor": ["A(WEm) -> 2A(Wol)", "A(EEm) -> 2A(Wol)"]}
    )
    assert gondor.units("gondor") == ["2A(Wol)"]


@RULE("necromancer", "13.2")
@pytest.mark.parametrize(
    "orders",
    [
        ["A(NIt) -> 2A(Los)", "A(Pel) -> 2A(Los)", "A(SIt) -> 2A(Los)"],
        ["A(NIt) -> 3A(Los)", "A(Pel) -> 3A(Los)", "A(SIt) -> Los"],
        ["A(NIt) -> 3A(Los)", "A(Pel) -> 3A(Los)", "A(SIt) H"],
    ],
    ids=["too many", "mixed", "too few"],
)
def test_totals_that_do_not_add_up_are_misorders(orders: list[str]) -> None:
    done = play(game({"gondor": ["A(NIt)", "A(Pel)", "A(SIt)"]}), {"gondor": orders})
    assert {r for r, o in zip(done.results("gondor"), orders, strict=True) if not o.endswith("H")} == {
        "misorder"
    }
    assert done.units("gondor") == ["A(NIt)", "A(Pel)", "A(SIt)"]


@RULE("necromancer", "13.2")
def test_moves_that_do_not_state_the_total_are_a_self_standoff() -> None:
    done = play(game({"gondor": ["A(NIt)", "A(Pel)"]}), {"gondor": ["A(NIt) -> Los", "A(Pel) -> Los"]})
    assert done.results("gondor") == ["bounce", "bounce"]
    plain = game({"gondor": ["A(NIt)", "A(Pel)"]}, options={"miscounted_stack_voids_orders": False})
    assert (
        play(plain, {"gondor": ["A(NIt) -> 3A(Los)", "A(Pel) -> 3A(Los)"]}).results("gondor")
        == ["bounce"] * 2
    )


@RULE("necromancer", "13.3")
def test_too_many_parts_are_misorders_and_the_army_loses_its_fortress() -> None:
    table = {"gondor": ["2A(MTi)"], "haradrim": ["A(Los)", "A(Ano)", "A(NIt)"]}
    orders = {
        "gondor": ["2A(MTi) -> DrF", "A(MTi) H"],
        "haradrim": ["A(Los) -> MTi", "A(Ano) S A(Los) -> MTi", "A(NIt) S A(Los) -> MTi"],
    }
    done = play(game(table), orders)
    assert done.results("gondor") == ["misorder", "misorder"]
    assert done.dislodged() == {"2A(MTi)": ("Los",)}
    assert play(game(table), orders | {"gondor": ["2A(MTi) H"]}).dislodged() == {}


@RULE("necromancer", "13.3")
def test_a_part_without_an_order_stays() -> None:
    done = play(game({"gondor": ["3A(Los)"]}), {"gondor": ["A(Los) -> Pel"]})
    assert done.units("gondor") == ["2A(Los)", "A(Pel)"]


@RULE("necromancer", "13.4")
def test_a_component_supports_another_that_leaves_alone() -> None:
    done = play(
        game({"gondor": ["2A(Los)"], "haradrim": ["A(Pel)"]}),
        {"gondor": ["A(Los) -> Pel", "A(Los) S A(Los) -> Pel"], "haradrim": ["A(Pel) H"]},
    )
    assert done.dislodged() == {"A(Pel)": ("Los",)}


@RULE("necromancer", "13.5")
def test_parts_that_stay_cannot_support_different_actions() -> None:
    table = {"gondor": ["2A(Los)", "A(Pel)", "A(NIt)"]}
    done = play(game(table), {"gondor": ["A(Los) S A(Pel)", "A(Los) S A(NIt)", "A(Pel) H", "A(NIt) H"]})
    assert done.results("gondor") == ["misorder", "misorder", "ok", "ok"]
    assert done.result("gondor", "A(Los) S A(Pel)").rule == "13.5"
    mixed = play(game({"gondor": ["2A(Pel)"]}), {"gondor": ["A(Pel) B F", "A(Pel) B E"]})
    assert mixed.results("gondor") == ["misorder", "misorder"]
    same = play(game(table), {"gondor": ["A(Los) S A(Pel)", "A(Los) S A(Pel)", "A(Pel) H", "A(NIt) H"]})
    assert same.results("gondor") == ["ok", "ok", "ok", "ok"]


@RULE("necromancer", "13.6")
def test_a_2a_dislodges_an_army_and_a_3a_one_in_a_fortress() -> None:
    single = {"haradrim": ["A(Pel)"], "gondor": ["2A(Los)"]}
    assert play(game(single), {"gondor": ["2A(Los) -> Pel"], "haradrim": ["A(Pel) H"]}).dislodged() == {
        "A(Pel)": ("Los",)
    }
    for strength, dislodged in ((2, False), (3, True)):
        done = play(
            game({"sauron": ["A(MMo)"], "gondor": [f"{strength}A(NIt)"]}),
            {"gondor": [f"{strength}A(NIt) -> MMo"], "sauron": ["A(MMo) H"]},
        )
        assert bool(done.after.dislodged) == dislodged
    held = play(
        game({"gondor": ["2A(Los)"], "haradrim": ["A(Pel)", "A(SIt)"]}),
        {"gondor": ["2A(Los) H"], "haradrim": ["A(Pel) -> Los", "A(SIt) S A(Pel) -> Los"]},
    )
    assert held.results("haradrim") == ["bounce", "ok"]
    helped = play(
        game({"gondor": ["2A(Los)", "A(NIt)"], "haradrim": ["2A(MMo)"]}),
        {"gondor": ["2A(Los) S A(NIt) -> SIt", "A(NIt) -> SIt"]},
    )
    assert helped.results("gondor") == ["ok", "ok"]


@RULE("necromancer", "13.7")
def test_support_is_cut_by_the_strongest_attack_only() -> None:
    # 1 + (3 - 1) against 2: two attacks of strength one take one away
    table = {
        "gondor": ["3A(Los)", "A(NIt)"],
        "haradrim": ["A(Pel)", "A(Leb)"],
        "sauron": ["A(SIt)", "N(SIt)"],
    }
    orders = {
        "gondor": ["3A(Los) S A(NIt) -> SIt", "A(NIt) -> SIt"],
        "haradrim": ["A(Pel) -> Los", "A(Leb) -> Los"],
        "sauron": ["A(SIt) H", "N(SIt) L A(SIt) H"],
    }
    done = play(game(table), orders)
    cut = done.result("gondor", "3A(Los) S A(NIt) -> SIt")
    assert (cut.result, cut.code, cut.rule) == ("partial", "reduced", "13.7")
    assert {str(a.unit) for a in cut.stopped_by} == {"A(Pel)", "A(Leb)"}
    assert set(done.dislodged()) == {"A(SIt)", "N(SIt)"}
    # one attack of strength two takes two away: 1 + 1 against 2
    joined = {"gondor": ["3A(Los)", "A(NIt)"], "haradrim": [], "sauron": ["A(SIt)", "N(SIt)", "A(Pel)"]}
    led = play(
        game({"gondor": ["3A(Los)", "A(NIt)"], "sauron": ["A(Pel)", "N(Pel)"], "haradrim": ["A(SIt)"]}),
        {
            "gondor": ["3A(Los) S A(NIt) -> SIt", "A(NIt) -> SIt"],
            "sauron": ["A(Pel) -> Los", "N(Pel) L A(Pel) -> Los"],
            "haradrim": ["A(SIt) H"],
        },
    )
    assert joined["gondor"] == ["3A(Los)", "A(NIt)"]
    assert led.results("gondor") == ["partial", "ok"]
    assert led.dislodged() == {"A(SIt)": ("NIt",)}


@RULE("necromancer", "13.8")
def test_others_support_one_part_of_a_splitting_army() -> None:
    done = play(
        game({"gondor": ["2A(Los)", "A(Leb)"], "haradrim": ["A(Pel)", "A(SIt)"]}),
        {
            "gondor": ["A(Los) -> Pel", "A(Los) -> SIt", "A(Leb) S A(Los) -> Pel"],
            "haradrim": ["A(Pel) H", "A(SIt) H"],
        },
    )
    assert done.results("gondor") == ["ok", "bounce", "ok"]
    assert done.dislodged() == {"A(Pel)": ("Los",)}


@RULE("necromancer", "13.9")
def test_all_origins_of_a_joined_attack_are_closed_to_the_unit_it_drives_out() -> None:
    table = {"gondor": ["A(Pel)", "A(Los)"], "haradrim": ["A(SIt)"]}
    orders = {"gondor": ["A(Pel) -> 2A(SIt)", "A(Los) -> 2A(SIt)"], "haradrim": ["A(SIt) H"]}
    done = play(game(table), orders)
    assert play(done.after, {"haradrim": ["A(SIt) R Pel"]}).results("haradrim") == ["illegal"]
    assert play(done.after, {"haradrim": ["A(SIt) R Pel / NIt"]}).units("haradrim") == ["A(NIt)"]
    one = play(game(table, options={"all_joint_origins_closed": False}), orders)
    assert [len(origins) for origins in one.dislodged().values()] == [1]


@RULE("necromancer", "13.11")
def test_newcomers_do_not_join_a_stack_that_wholly_left() -> None:
    # both parts of the 2A try to leave and fail; the follower bounces off them
    done = play(
        game({"gondor": ["2A(NIt)", "A(Los)"], "sauron": ["2A(MMo)"], "haradrim": []}),
        {"gondor": ["2A(NIt) -> MMo", "A(Los) -> NIt"], "sauron": ["2A(MMo) H"]},
    )
    assert done.results("gondor") == ["bounce", "bounce"]
    assert done.units("gondor") == ["A(Los)", "2A(NIt)"]
    # with a part that holds to be joined, the one that failed is added to the newcomer
    done = play(
        game({"gondor": ["2A(NIt)", "A(Los)"], "sauron": ["A(MMo)"]}),
        {"gondor": ["A(NIt) -> MMo", "A(NIt) -> 2A(NIt)", "A(Los) -> 2A(NIt)"], "sauron": ["A(MMo) H"]},
    )
    assert done.results("gondor") == ["bounce", "ok", "ok"]
    assert done.units("gondor") == ["3A(NIt)"]


@RULE("necromancer", "13.13")
def test_no_foreign_unit_joins() -> None:
    done = play(
        game({"gondor": ["A(Pel)"], "rohan": ["A(NIt)"]}),
        {"gondor": ["A(Pel) -> 2A(Los)"], "rohan": ["A(NIt) -> 2A(Los)"]},
    )
    assert done.results("gondor") == ["misorder"]
    assert done.results("rohan") == ["illegal"]
    assert done.result("rohan", "A(NIt) -> 2A(Los)").rule == "13.13"
    horse = play(game({"rohan": ["C(NIt)"]}), {"rohan": ["C(NIt) -> 2A(Los)"]})
    assert horse.results("rohan") == ["illegal"]


@RULE("necromancer", "13.14")
def test_builds_state_the_strength_that_stands_there_afterwards() -> None:
    position = game({"gondor": ["A(MTi)"]}, 2780, "adjustments", centres={"MTi": "gondor", "Pel": "gondor"})
    assert play(position, {"gondor": ["Build A(MTi)"]}).result("gondor", "Build A(MTi)").code == "miscount"
    assert play(position, {"gondor": ["Build 3A(MTi)"]}).result("gondor", "Build 3A(MTi)").code == "no_builds"
    foreign = game({"rohan": ["A(Hel)"]}, 2780, "adjustments", centres={"Hel": "rohan", "Edo": "rohan"})
    assert play(foreign, {"rohan": ["Build 2A(Hel)"]}).results("rohan") == ["illegal"]


@RULE("necromancer", "13.15")
def test_a_dislodged_multiple_army_retreats_as_one_with_strength_zero() -> None:
    beaten = play(
        game({"gondor": ["2A(Los)"], "haradrim": ["A(Pel)", "A(SIt)", "A(NIt)"]}),
        {
            "gondor": ["A(Los) H", "A(Los) -> MTi"],
            "haradrim": ["A(Pel) -> Los", "A(SIt) S A(Pel) -> Los", "A(NIt) H"],
        },
    )
    assert beaten.dislodged() == {"A(Los)": ("Pel",)}
    whole = play(
        game({"gondor": ["2A(Los)"], "haradrim": ["A(Pel)", "A(SIt)", "A(NIt)"]}),
        {
            "gondor": ["2A(Los) H"],
            "haradrim": ["A(Pel) -> Los", "A(SIt) S A(Pel) -> Los", "A(NIt) S A(Pel) -> Los"],
        },
    )
    assert whole.dislodged() == {"2A(Los)": ("Pel",)}
    split = play(whole.after, {"gondor": ["A(Los) R MTi", "A(Los) R Leb"]})
    assert split.results("gondor") == ["illegal", "illegal"]
    assert split.units("gondor") == []
    assert play(whole.after, {"gondor": ["2A(Los) R MTi"]}).units("gondor") == ["2A(MTi)"]


@RULE("necromancer", "13.15")
def test_retreats_do_not_form_or_augment_multiple_armies() -> None:
    beaten = play(
        game({"gondor": ["A(Los)", "A(MTi)"], "haradrim": ["A(Pel)", "A(SIt)"]}),
        {"gondor": ["A(Los) H", "A(MTi) H"], "haradrim": ["A(Pel) -> Los", "A(SIt) S A(Pel) -> Los"]},
    )
    refused = play(beaten.after, {"gondor": ["A(Los) R MTi"]})
    assert refused.results("gondor") == ["illegal"]
    assert refused.units("gondor") == ["A(MTi)"]
