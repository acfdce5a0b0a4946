"""Sauron's standing armies, Dragons and Spiders (17)."""

from __future__ import annotations

import pytest

from gm.games.necromancer.adjust import owed
from gm.games.necromancer.board import the_board
from gm.games.necromancer.model import Game, Options
from gm.games.necromancer.setup import new_game
from tests.games.necromancer.shorthand import game, play

RULE = pytest.mark.rule
HOME = {"DGu": "sauron", "MMo": "sauron"}


def winter(table: dict[str, list[str]], centres: dict[str, str] | None = None, **fields: object) -> Game:
    return game(table, 2780, "adjustments", centres=HOME if centres is None else centres, **fields)


@RULE("necromancer", "17.1")
def test_standing_armies_hold_and_take_no_orders() -> None:
    done = play(game({"standing": ["A(Gun)"]}), {"sauron": ["A(Gun) -> Lng"]})
    assert done.results("sauron") == ["illegal"]
    assert done.units("standing") == ["A(Gun)"]


@RULE("necromancer", "17.2")
def test_sauron_chooses_one_before_the_first_turn() -> None:
    done = play(new_game(Options(), the_board()), {"sauron": ["Activate Gun", "Activate Mor"]})
    assert done.results("sauron") == ["ok", "illegal"]
    assert done.units("sauron") == ["A(DGu)", "A(Gun)", "A(MMo)", "N(MMo)"]
    assert (done.after.year, done.after.step) == (2765, "movement")
    assert done.after.centres["Gun"] == "sauron"


@RULE("necromancer", "17.2")
def test_an_activated_centre_is_a_home_afterwards_and_feeds_its_army() -> None:
    done = play(
        winter({"sauron": ["A(DGu)", "A(MMo)"], "standing": ["A(Gun)"]}), {"sauron": ["Activate Gun"]}
    )
    assert done.units("sauron") == ["A(DGu)", "A(Gun)", "A(MMo)"]
    later = winter({"sauron": ["A(DGu)"]}, HOME | {"Gun": "sauron"}, activated=("Gun",))
    assert "Gun" in owed(later, the_board(), "sauron").sites
    assert play(later, {"sauron": ["Build A(Gun)"]}).results("sauron") == ["ok"]
    bare = winter(
        {"sauron": ["A(DGu)", "A(MMo)"], "standing": ["A(Gun)"]}, options={"activation_gives_centre": False}
    )
    assert "Gun" not in play(bare, {"sauron": ["Activate Gun"]}).after.centres


@RULE("necromancer", "17.2")
def test_one_activation_a_year() -> None:
    table = {"standing": ["A(Gun)", "A(Mor)"]}
    done = play(winter(table, {}), {"sauron": ["Activate Gun", "Activate Mor", "Activate D(Wit)"]})
    assert done.results("sauron") == ["ok", "illegal", "illegal"]
    assert done.units("standing") == ["A(Mor)"]


@RULE("necromancer", "17.3")
def test_dragons_and_spiders_come_once_each_and_need_no_centre() -> None:
    done = play(winter({}, {}), {"sauron": ["Activate D(Wit)"]})
    assert done.units("sauron") == ["D(Wit)"]
    assert done.after.dragons_spent
    again = winter({}, {}, dragons_spent=True)
    refused = play(again, {"sauron": ["Activate D(Wit)"]}).result("sauron", "Activate D(Wit)")
    assert (refused.result, refused.rule) == ("blocked", "17.3")
    for place in ("NMi", "EMi"):
        assert play(winter({}, {}), {"sauron": [f"Activate S({place})"]}).units("sauron") == [f"S({place})"]
    wrong = play(winter({}, {}), {"sauron": ["Activate S(SMi)"]})
    assert wrong.results("sauron") == ["illegal"]
    fed = winter({"sauron": ["D(Wit)", "S(NMi)"]}, {}, dragons_spent=True, spiders_spent=True)
    assert play(fed, {}).units("sauron") == ["D(Wit)", "S(NMi)"]


@RULE("necromancer", "17.3")
def test_they_act_as_armies_and_take_centres_but_never_enter_an_occupied_province() -> None:
    done = play(game({"sauron": ["S(NMi)"]}, 2780, spiders_spent=True), {"sauron": ["S(NMi) -> Lng"]})
    assert done.units("sauron") == ["S(Lng)"]
    assert done.after.centres["Lng"] == "sauron"
    there = winter({"elves": ["A(NMi)"]}, {})
    assert play(there, {"sauron": ["Activate S(NMi)"]}).results("sauron") == ["blocked"]
    hidden = winter({"saruman": ["W(Wit)"]}, {})
    blocked = play(hidden, {"sauron": ["Activate D(Wit)"]}).result("sauron", "Activate D(Wit)")
    assert (blocked.code, str(blocked.stopped_by[0].unit)) == ("blocked_by_hidden", "W(Wit)")


@RULE("necromancer", "17.4")
def test_an_activated_army_is_secret_until_it_does_more_than_hold() -> None:
    start = play(winter({"standing": ["A(Gun)"]}, {}), {"sauron": ["Activate Gun"]}).after
    assert [u.secret for u in start.units] == [True]
    assert start.public_owners == {"Gun": None}
    held = play(start, {"sauron": ["A(Gun) H"]})
    assert [u.secret for u in held.after.units] == [True]
    moved = play(start, {"sauron": ["A(Gun) -> Lng"]})
    assert [u.secret for u in moved.after.units] == [False]
    assert moved.after.public_owners == {}
    assert "revealed" in moved.kinds()
    beaten = play(game({"sauron": ["A(Lng)"], "elves": ["2A(Gun)"]}), {"sauron": ["A(Lng) H"], "elves": []})
    assert "revealed" not in beaten.kinds()


@RULE("necromancer", "17.4")
def test_a_secret_army_that_is_dislodged_is_revealed_and_retreats() -> None:
    start = play(
        winter({"standing": ["A(Mou)"], "elves": ["A(Woo)", "A(NMi)"]}, {"Woo": "elves", "NMi": "elves"}),
        {"sauron": ["Activate Mou"]},
    )
    beaten = play(start.after, {"sauron": ["A(Mou) H"], "elves": ["A(Woo) -> Mou", "A(NMi) S A(Woo) -> Mou"]})
    assert beaten.dislodged() == {"A(Mou)": ("Woo",)}
    assert "revealed" in beaten.kinds()


@RULE("necromancer", "17.4")
def test_dragons_that_decide_a_result_are_revealed() -> None:
    start = play(winter({"dwarves": ["A(Iro)"]}, {"Iro": "dwarves"}), {"sauron": ["Activate D(Wit)"]}).after
    orders = {"sauron": ["D(Wit) H"], "dwarves": ["A(Iro) -> Wit"]}
    done = play(start, orders)
    assert done.results("dwarves") == ["bounce"]
    assert [u.secret for u in done.after.units if u.kind == "D"] == [False]


@RULE("necromancer", "17.5")
def test_a_standing_army_that_is_dislodged_is_disbanded() -> None:
    done = play(
        game({"standing": ["A(Mou)"], "elves": ["A(Woo)", "A(NMi)"]}),
        {"elves": ["A(Woo) -> Mou", "A(NMi) S A(Woo) -> Mou"]},
    )
    assert done.after.dislodged == ()
    assert done.units("standing") == []
    (told,) = [h for h in done.resolution.happenings if h.kind == "standing_disbanded"]
    assert told.rule == "17.5"


@RULE("necromancer", "17.5")
def test_a_centre_that_lost_its_army_is_activated_without_one() -> None:
    position = winter({}, {"DGu": "sauron"})
    done = play(position, {"sauron": ["Activate Mou", "Build A(Mou)"]})
    assert done.results("sauron") == ["ok", "illegal"]
    assert done.result("sauron", "Build A(Mou)").code == "vacated"
    assert done.after.centres["Mou"] == "sauron"
    assert done.units("sauron") == []


@RULE("necromancer", "17.5")
def test_a_captured_centre_is_not_activated_but_serves_as_home_once_retaken() -> None:
    taken = play(game({"elves": ["A(Woo)"]}, 2780), {"elves": ["A(Woo) -> Mou"]}).after
    assert taken.captured == ("Mou",)
    refused = play(taken, {"sauron": ["Activate Mou"]}).result("sauron", "Activate Mou")
    assert (refused.result, refused.rule) == ("blocked", "17.5")
    vacant = winter({}, {"Mou": "elves"}, captured=("Mou",))
    assert play(vacant, {"sauron": ["Activate Mou"]}).results("sauron") == ["blocked"]
    retaken = winter({}, {"Mou": "sauron"}, captured=("Mou",))
    assert play(retaken, {"sauron": ["Build A(Mou)"]}).results("sauron") == ["ok"]


@RULE("necromancer", "17.5")
def test_a_standing_army_has_its_fortress_until_sauron_dies() -> None:
    table = {"standing": ["A(Gun)"], "elves": ["A(Lng)", "A(NEa)"]}
    orders = {"elves": ["A(Lng) -> Gun", "A(NEa) S A(Lng) -> Gun"]}
    assert play(game(table), orders).results("elves") == ["bounce", "ok"]
    assert play(game(table, sauron_out=True), orders).results("elves") == ["ok", "ok"]


@RULE("necromancer", "17.6")
def test_the_alternatives_are_tried_in_their_order_and_nothing_else() -> None:
    position = winter({"standing": ["A(Gun)", "A(Mor)"]}, {}, captured=("Gre",))
    done = play(position, {"sauron": ["Activate Gre / A(Mor) / A(Gun)"]})
    assert done.results("sauron") == ["ok"]
    assert done.units("sauron") == ["A(Mor)"]
    nothing = play(position, {"sauron": ["Activate Gre"]})
    assert nothing.results("sauron") == ["blocked"]
    assert nothing.units("sauron") == []
    assert play(position, {}).units("sauron") == []


@RULE("necromancer", "17.6")
def test_an_activation_may_come_with_the_moves() -> None:
    position = game({"standing": ["A(Gun)"], "sauron": ["A(DGu)"]}, 2780, centres=HOME)
    kept = play(position, {"sauron": ["A(DGu) H", "Activate Gun"]})
    assert kept.after.step == "adjustments"
    assert play(kept.after, {}).units("sauron") == ["A(DGu)", "A(Gun)"]


@RULE("necromancer", "17.4")
def test_spiders_that_take_a_centre_from_a_power_show_themselves() -> None:
    hidden = play(
        winter({"elves": ["A(Woo)"]}, {"NMi": "elves", "Woo": "elves"}), {"sauron": ["Activate S(NMi)"]}
    )
    assert [u.secret for u in hidden.after.units if u.kind == "S"] == [True]
    later = hidden.after
    for _ in range(2):
        done = play(later, {"elves": ["A(Woo) H"], "sauron": ["S(NMi) H"]})
        later = done.after
    assert later.centres["NMi"] == "sauron"
    assert "revealed" in done.kinds()
    assert [u.secret for u in later.units if u.kind == "S"] == [False]
    # an unowned centre is taken in secret
    quiet = play(winter({}, {}), {"sauron": ["Activate S(NMi)"]}).after
    for _ in range(2):
        quiet = play(quiet, {"sauron": ["S(NMi) H"]}).after
    assert quiet.centres["NMi"] == "sauron"
    assert quiet.public_owners == {"NMi": None}
