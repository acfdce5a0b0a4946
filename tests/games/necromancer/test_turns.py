"""Turns and phases (3), retreats (4), the opening (5), where the Dwarves and the Easterlings build (10, 11)."""

from __future__ import annotations

import pytest

from gm.games.dice import FixedDice
from gm.games.necromancer.adjust import owed
from gm.games.necromancer.board import the_board
from gm.games.necromancer.engine import adjudicate
from gm.games.necromancer.model import Game, Options, phase_name
from gm.games.necromancer.setup import new_game
from tests.games.necromancer.shorthand import game, order, play

RULE = pytest.mark.rule


def start(**options: object) -> Game:
    """2765, after a set-up in which nobody chose."""
    first = new_game(Options(**options), the_board())  # type: ignore[arg-type]  # fields by name
    return adjudicate(first, {}, FixedDice(())).after


def idle(position: Game) -> Game:
    """The next state if everybody holds."""
    return play(position, dict.fromkeys(the_board().powers, ())).after


@RULE("necromancer", "3.2")
def test_the_first_turn_is_2765_and_each_lasts_15_years() -> None:
    position = new_game(Options(), the_board())
    assert phase_name(position) == "2750 setup"
    names = []
    for _ in range(6):
        position = idle(position)
        names.append(phase_name(position))
    assert names == [
        "2765 movement",
        "2780 movement",
        "2780 adjustments",
        "2795 movement",
        "2810 movement",
        "2810 adjustments",
    ]


@RULE("necromancer", "3.3")
def test_adjustments_come_in_years_that_end_in_0() -> None:
    table = {"gondor": ["A(Pel)"]}
    spring = play(game(table, 2765, centres={"Pel": "gondor"}), {"gondor": ["A(Pel) -> Por"]})
    assert phase_name(spring.after) == "2780 movement"
    assert "Por" not in spring.after.centres
    autumn = play(game(table, 2780, centres={"Pel": "gondor"}), {"gondor": ["A(Pel) -> Por"]})
    assert autumn.after.centres["Por"] == "gondor"
    assert phase_name(autumn.after) == "2780 adjustments"


def test_phases_that_nobody_owes_are_skipped() -> None:
    quiet = game({"gondor": ["A(Pel)"]}, 2780, centres={"Pel": "gondor"}, sauron_out=True)
    assert phase_name(play(quiet, {"gondor": ["A(Pel) H"]}).after) == "2795 movement"
    # no province is open to the beaten unit, so there is no retreat phase
    table = {
        "gondor": ["A(Por)"],
        "haradrim": ["A(NrH)", "A(WKh)", "A(SIt)", "A/F(Pel)", "A(Har)", "A/F(AND)"],
    }
    done = play(
        game(table), {"gondor": ["A(Por) H"], "haradrim": ["A(NrH) -> Por", "A(WKh) S A(NrH) -> Por"]}
    )
    assert phase_name(done.after) == "2780 movement"
    assert [str(d.unit) for d in done.after.disbanded_at_once] == ["A(Por)"]
    assert "disbanded" in done.kinds()


@RULE("necromancer", "4")
def test_two_retreats_to_one_province_are_both_disbanded() -> None:
    table = {"gondor": ["A(Los)"], "rohan": ["A(Ano)"], "haradrim": ["A(Pel)", "A(Leb)", "A(Dag)", "A(EMu)"]}
    beaten = play(
        game(table),
        {
            "gondor": ["A(Los) H"],
            "rohan": ["A(Ano) H"],
            "haradrim": [
                "A(Pel) -> Los",
                "A(Leb) S A(Pel) -> Los",
                "A(Dag) -> Ano",
                "A(EMu) S A(Dag) -> Ano",
            ],
        },
    )
    done = play(beaten.after, {"gondor": ["A(Los) R MTi"], "rohan": ["A(Ano) R MTi"]})
    assert done.results("gondor") == done.results("rohan") == ["bounce"]
    assert done.result("gondor", "A(Los) R MTi").rule == "4"
    assert done.units("gondor") == done.units("rohan") == []
    apart = play(beaten.after, {"gondor": ["A(Los) R MTi"], "rohan": ["A(Ano) R DrF"]})
    assert apart.units("gondor") == ["A(MTi)"]


@RULE("necromancer", "4")
def test_a_nazgul_and_its_own_army_bounce_too_unless_the_house_rule_says_not() -> None:
    table = {"sauron": ["A(SIt)", "N(SIt)"], "gondor": ["2A(Pel)"]}
    orders = {"sauron": ["A(SIt) H", "N(SIt) H"], "gondor": ["2A(Pel) -> SIt"]}
    flight = {"sauron": ["A(SIt) R MMo", "N(SIt) R MMo"]}
    assert play(play(game(table), orders).after, flight).results("sauron") == ["bounce", "bounce"]
    mild = game(table, options={"joint_retreats_bounce": False})
    assert play(play(mild, orders).after, flight).units("sauron") == ["A(MMo)", "N(MMo)"]


def test_without_an_order_a_beaten_unit_is_disbanded_and_an_early_list_counts() -> None:
    table = {"gondor": ["A(Los)"], "haradrim": ["A(Pel)", "A(Leb)"]}
    attack = {"haradrim": ["A(Pel) -> Los", "A(Leb) S A(Pel) -> Los"]}
    beaten = play(game(table), attack | {"gondor": ["A(Los) H"]})
    assert play(beaten.after, {}).units("gondor") == []
    warned = play(game(table), attack | {"gondor": ["A(Los) H", "A(Los) R Pel / NIt"]})
    assert warned.results("gondor") == ["ok", "ok"]
    assert warned.result("gondor", "A(Los) R Pel / NIt").code == "kept"
    assert phase_name(warned.after) == "2765 retreats"
    assert play(warned.after, {}).units("gondor") == ["A(NIt)"]
    postal = game(table, options={"retreats_with_orders": True})
    at_once = play(postal, attack | {"gondor": ["A(Los) H", "A(Los) R Pel / NIt"]})
    assert (phase_name(at_once.after), at_once.units("gondor")) == ("2780 movement", ["A(NIt)"])
    assert at_once.results("gondor") == ["ok", "ok"]


def test_no_retreat_into_a_stand_off_nor_to_where_the_attack_came_from() -> None:
    table = {"gondor": ["A(Los)"], "haradrim": ["A(Pel)", "A(Leb)", "A(Ano)"], "rohan": ["A(DrF)"]}
    beaten = play(
        game(table),
        {
            "gondor": ["A(Los) H"],
            "haradrim": ["A(Pel) -> Los", "A(Leb) S A(Pel) -> Los", "A(Ano) -> MTi"],
            "rohan": ["A(DrF) -> MTi"],
        },
    )
    assert beaten.after.contested == ("MTi",)
    assert play(beaten.after, {"gondor": ["A(Los) R MTi / Pel / Leb"]}).results("gondor") == ["illegal"]
    assert play(beaten.after, {"gondor": ["A(Los) R MTi / Pel / Lam"]}).units("gondor") == ["A(Lam)"]


OPENING = {
    "dwarves": ["A(Ere)", "A(Eri)", "A(Iro)"],
    "easterlings": ["A(Kha)", "A(NRu)", "A(Rhu)"],
    "elves": ["A(Eri)", "A(Lor)", "A(Woo)"],
    "gondor": ["A/F(DAm)", "A(Lam)", "A(MTi)", "A(Pel)", "A(Pin)"],
    "haradrim": ["A/F(Cit)", "A(FHa)", "A(NrH)"],
    "rohan": ["A(Edo)", "A(Hel)", "C(Wol)"],
    "saruman": ["A(Dun)", "A(Ise)", "W(Ise)"],
    "sauron": ["A(DGu)", "A(MMo)", "N(MMo)"],
    "standing": ["A(BDu)", "A(CDu)", "A(CGo)", "A(Gob)", "A(Gre)", "A(Gun)", "A(Mor)", "A(Mou)"],
}


@RULE("necromancer", "5")
@pytest.mark.parametrize("power", list(OPENING))
def test_the_opening_position(power: str) -> None:
    position = new_game(Options(), the_board())
    assert sorted(str(u) for u in position.units if u.owner == power) == sorted(OPENING[power])


@RULE("necromancer", "5")
def test_everybody_starts_with_as_many_units_as_he_may_keep() -> None:
    position = idle(idle(start()))
    assert phase_name(position) == "2780 adjustments"
    # Saruman's third army has taken the centre that it started in
    wanted = dict.fromkeys(the_board().powers, 0) | {"saruman": 1}
    assert {p: owed(position, the_board(), p).balance for p in the_board().powers} == wanted


@RULE("necromancer", "10")
def test_dwarves_build_in_mountain_fortress_centres_that_they_took() -> None:
    centres = {"Ere": "dwarves", "Mor": "dwarves", "Gob": "dwarves", "Woo": "dwarves", "NMi": "dwarves"}
    position = game({}, 2780, "adjustments", centres=centres)
    assert set(owed(position, the_board(), "dwarves").sites) == {"Ere", "Mor", "Gob", "Eri"}
    done = play(position, {"dwarves": ["Build A(Mor)", "Build A(Gob)", "Build A(Woo)", "Build A(NMi)"]})
    assert done.results("dwarves") == ["ok", "ok", "illegal", "illegal"]


@RULE("necromancer", "10")
def test_the_capture_of_moria_makes_it_a_dwarvish_home() -> None:
    done = play(game({"dwarves": ["A(Hol)"]}, 2780), {"dwarves": ["A(Hol) -> Mor"]})
    assert done.after.centres["Mor"] == "dwarves"
    (told,) = [h for h in done.resolution.happenings if h.kind == "homes"]
    assert (told.place, told.rule) == ("Mor", "10")


@RULE("necromancer", "11")
def test_easterlings_build_in_any_vacant_centre_of_theirs() -> None:
    centres = {"Kha": "easterlings", "Dor": "easterlings", "SCa": "easterlings", "Dal": "elves"}
    position = game({"easterlings": ["A(Dor)"]}, 2780, "adjustments", centres=centres)
    done = play(position, {"easterlings": ["Build A(SCa)", "Build A(Dor)", "Build A(Dal)"]})
    assert done.results("easterlings") == ["ok", "illegal", "illegal"]
    assert done.result("easterlings", "Build A(Dor)").code == "closed"
    assert done.result("easterlings", "Build A(Dal)").code == "not_owned"


def test_builds_beyond_the_number_and_missing_removals() -> None:
    centres = {"Hel": "rohan", "Edo": "rohan"}
    one = game({"rohan": ["A(WEm)"]}, 2780, "adjustments", centres=centres)
    done = play(one, {"rohan": ["Build A(Hel)", "Build A(Edo)", "Waive"]})
    assert done.results("rohan") == ["ok", "illegal", "ok"]
    many = game({"rohan": ["A(Hel)", "A(Edo)", "A(Kha)", "A(Cdn)"]}, 2780, "adjustments", centres=centres)
    chosen = play(many, {"rohan": ["Remove A(Hel)", "Remove A(Edo)", "Remove A(Kha)"]})
    assert chosen.results("rohan") == ["ok", "ok", "illegal"]
    assert chosen.units("rohan") == ["A(Cdn)", "A(Kha)"]
    # the farthest from his own centres goes first: Khand, then Carndune (Cdn)
    assert play(many, {}).units("rohan") == ["A(Edo)", "A(Hel)"]


def test_early_adjustments_are_kept_until_their_phase() -> None:
    position = game({"rohan": ["A(WEm)"]}, 2780, centres={"Hel": "rohan", "Edo": "rohan"})
    done = play(position, {"rohan": ["A(WEm) H", "Build A(Hel)"]})
    assert done.result("rohan", "Build A(Hel)").code == "kept"
    assert play(done.after, {}).units("rohan") == ["A(Hel)", "A(WEm)"]
    assert play(done.after, {"rohan": ["Build A(Edo)"]}).units("rohan") == ["A(Edo)", "A(WEm)"]
    spring = game({"rohan": ["A(WEm)"]}, 2765)
    assert (
        play(spring, {"rohan": ["A(WEm) H", "Build A(Hel)"]}).result("rohan", "Build A(Hel)").code == "phase"
    )


def test_orders_that_make_no_sense_in_a_phase_are_illegal() -> None:
    movement = play(game({"rohan": ["A(WEm)"]}), {"rohan": ["A(Hel) H", "A(WEm) -> Kha", "Place A(Gap)"]})
    assert movement.results("rohan") == ["illegal"] * 3
    winter = play(game({}, 2780, "adjustments"), {"rohan": ["A(WEm) H", "Activate A(Gun)"]})
    assert winter.results("rohan") == ["illegal"] * 2
    assert order("Waive").kind == "waive"


@RULE("necromancer", "17.6")
def test_builds_and_removals_may_name_alternatives_too() -> None:
    position = game({"rohan": ["A(Hel)"]}, 2780, "adjustments", centres={"Hel": "rohan", "Edo": "rohan"})
    assert play(position, {"rohan": ["Build A(Hel) / A(Edo)"]}).units("rohan") == ["A(Edo)", "A(Hel)"]
    # a build that is blocked is lost, whatever stands behind it (16.5)
    hidden = game({"saruman": ["W(Hel)"]}, 2780, "adjustments", centres={"Hel": "rohan", "Edo": "rohan"})
    assert play(hidden, {"rohan": ["Build A(Hel) / A(Edo)"]}).units("rohan") == []
    poor = game({"rohan": ["A(Hel)", "A(Edo)"]}, 2780, "adjustments", centres={"Hel": "rohan"})
    assert play(poor, {"rohan": ["Remove A(Wol) / A(Hel)"]}).units("rohan") == ["A(Edo)"]
