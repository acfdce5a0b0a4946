"""The Nazgûl (18)."""

from __future__ import annotations

import pytest

from gm.games.necromancer.board import Province, the_board
from gm.games.necromancer.model import Options, Unit
from gm.games.necromancer.retreats import offered
from gm.games.necromancer.setup import new_game
from tests.games.necromancer.shorthand import game, play

RULE = pytest.mark.rule
HOME = {"DGu": "sauron", "MMo": "sauron"}


@RULE("necromancer", "18.1")
def test_the_nazgul_starts_in_minas_morgul() -> None:
    (nazgul,) = [u for u in new_game(Options(), the_board()).units if u.kind == "N"]
    assert (nazgul.owner, nazgul.place) == ("sauron", "MMo")


@RULE("necromancer", "18.2")
def test_one_attack_dislodges_a_lone_nazgul() -> None:
    done = play(
        game({"sauron": ["N(SIt)"], "gondor": ["A(Pel)"]}),
        {"sauron": ["N(SIt) H"], "gondor": ["A(Pel) -> SIt"]},
    )
    assert done.dislodged() == {"N(SIt)": ("Pel",)}
    shared = play(
        game({"sauron": ["N(SIt)", "A(SIt)"], "gondor": ["A(Pel)"]}),
        {"sauron": ["N(SIt) H", "A(SIt) H"], "gondor": ["A(Pel) -> SIt"]},
    )
    assert shared.after.dislodged == ()
    moving_in = play(game({"sauron": ["N(MMo)", "A(SIt)"]}), {"sauron": ["N(MMo) -> SIt", "A(SIt) H"]})
    assert moving_in.units("sauron") == ["A(SIt)", "N(SIt)"]
    standing = play(game({"sauron": ["N(NIt)"], "standing": ["A(CGo)"]}), {"sauron": ["N(NIt) -> CGo"]})
    assert standing.results("sauron") == ["bounce"]


@RULE("necromancer", "18.2")
def test_the_nazgul_blocks_a_retreat_that_was_offered() -> None:
    beaten = play(
        game({"elves": ["A(Wol)"], "rohan": ["A(Cel)", "A(Bro)"], "sauron": ["N(Fan)"]}),
        {"elves": ["A(Wol) H"], "rohan": ["A(Cel) -> Wol", "A(Bro) S A(Cel) -> Wol"], "sauron": ["N(Fan) H"]},
    )
    (dislodged,) = beaten.after.dislodged
    assert "Fan" in offered(beaten.after, the_board(), dislodged)
    done = play(beaten.after, {"elves": ["A(Wol) R Fan"]})
    assert (done.results("elves"), done.result("elves", "A(Wol) R Fan").rule) == (["blocked"], "18.2")
    assert done.units("elves") == []


@RULE("necromancer", "18.3")
def test_the_nazgul_blocks_a_build_which_is_lost() -> None:
    position = game({"sauron": ["N(Hel)"]}, 2780, "adjustments", centres={"Hel": "rohan"})
    done = play(position, {"rohan": ["Build A(Hel)"]})
    assert (done.results("rohan"), done.result("rohan", "Build A(Hel)").rule) == (["blocked"], "18.3")
    assert done.units("rohan") == []


@RULE("necromancer", "18.4")
@pytest.mark.parametrize("province", the_board().provinces, ids=lambda p: p.id)
def test_the_nazgul_crosses_every_wall(province: Province) -> None:
    for other in province.walls:
        if province.id == "Eri" or other == "Eri":
            continue
        done = play(game({"sauron": [f"N({province.id})"]}), {"sauron": [f"N({province.id}) -> {other}"]})
        assert done.units("sauron") == [f"N({other})"]


@RULE("necromancer", "18.5")
def test_the_nazgul_takes_no_centre() -> None:
    done = play(game({"sauron": ["N(NIt)"]}, 2780), {"sauron": ["N(NIt) -> MTi"]})
    assert done.units("sauron") == ["N(MTi)"]
    assert "MTi" not in done.after.centres


@RULE("necromancer", "18.6")
def test_the_nazgul_never_goes_by_sea() -> None:
    for text in ("N(Pel) -> AND", "N(Pel) -> AND -> Har", "N(Pel) B F"):
        outcome = play(game({"sauron": ["N(Pel)"]}), {"sauron": [text]}).result("sauron", text)
        assert (outcome.result, outcome.rule) == ("illegal", "18.6")
    led = play(
        game({"sauron": ["N(Pel)", "A/F(Pel)"]}), {"sauron": ["N(Pel) L A/F(Pel) -> AND", "A/F(Pel) -> AND"]}
    )
    assert led.results("sauron") == ["illegal", "ok"]
    assert led.units("sauron") == ["A/F(AND)", "N(Pel)"]
    beaten = play(
        game({"sauron": ["N(Pel)"], "gondor": ["A(Los)"]}),
        {"sauron": ["N(Pel) H"], "gondor": ["A(Los) -> Pel"]},
    )
    (dislodged,) = beaten.after.dislodged
    assert set(offered(beaten.after, the_board(), dislodged)) == {"Leb", "Por", "SIt"}


@RULE("necromancer", "18.7")
def test_the_nazgul_moves_twice_like_cavalry() -> None:
    done = play(game({"sauron": ["N(MMo)"]}), {"sauron": ["N(MMo) -> SIt -> Gor"]})
    assert done.result("sauron", "N(MMo) -> SIt -> Gor").steps == ("ok", "ok")
    assert done.units("sauron") == ["N(Gor)"]
    back = play(game({"sauron": ["N(MMo)"]}), {"sauron": ["N(MMo) -> SIt -> MMo"]})
    assert back.units("sauron") == ["N(MMo)"]
    stopped = play(
        game({"sauron": ["N(MMo)"], "gondor": ["A(Los)"]}),
        {"sauron": ["N(MMo) -> SIt -> Los"], "gondor": ["A(Los) H"]},
    )
    assert stopped.units("sauron") == ["N(SIt)"]
    # strength 0 does not beat another lone 0, strength 1 does
    horse = play(
        game({"sauron": ["N(Fan)"], "rohan": ["C(Hel)"]}),
        {"sauron": ["N(Fan) H -> Cel"], "rohan": ["C(Hel) -> WEm -> Fan"]},
    )
    assert horse.units("sauron") == ["N(Cel)"]
    assert horse.units("rohan") == ["C(Fan)"]


@RULE("necromancer", "18.9")
def test_the_nazgul_supports_nobody() -> None:
    done = play(game({"sauron": ["N(MMo)", "A(SIt)"]}), {"sauron": ["N(MMo) S A(SIt)", "A(SIt) H"]})
    assert (done.results("sauron"), done.result("sauron", "N(MMo) S A(SIt)").rule) == (
        ["illegal", "ok"],
        "18.9",
    )


@RULE("necromancer", "18.10")
def test_a_lead_that_does_not_match_is_void_and_the_nazgul_holds() -> None:
    table = {"sauron": ["N(MMo)", "A(MMo)"], "gondor": ["A(SIt)"]}
    orders = {"sauron": ["N(MMo) L A(MMo) -> NIt", "A(MMo) -> SIt"], "gondor": ["A(SIt) H"]}
    done = play(game(table), orders)
    assert done.results("sauron") == ["void", "bounce"]
    free = {"sauron": orders["sauron"], "gondor": ["A(SIt) -> Pel"]}
    assert play(game(table), free).units("sauron") == ["A(SIt)", "N(MMo)"]
    loose = game(table, options={"void_lead_holds": False})
    assert play(loose, free).units("sauron") == ["A(SIt)", "N(SIt)"]
    alone = play(game({"sauron": ["N(SIt)", "A(MMo)"]}), {"sauron": ["N(SIt) L A(MMo) H", "A(MMo) H"]})
    assert alone.results("sauron") == ["void", "ok"]
    wrong = play(game({"sauron": ["A(MMo)"]}), {"sauron": ["A(MMo) L A(MMo) H"]})
    assert wrong.results("sauron") == ["illegal"]


@RULE("necromancer", "18.10")
def test_a_lead_of_a_misorder_is_void() -> None:
    done = play(
        game({"sauron": ["N(MMo)", "A(MMo)", "A(CGo)"]}),
        {"sauron": ["N(MMo) L A(MMo) -> 3A(NIt)", "A(MMo) -> 3A(NIt)", "A(CGo) -> 3A(NIt)"]},
    )
    assert done.results("sauron") == ["void", "misorder", "misorder"]
    assert done.units("sauron") == ["A(CGo)", "A(MMo)", "N(MMo)"]


@RULE("necromancer", "18.10")
def test_the_nazgul_stays_with_the_unit_that_it_leads() -> None:
    done = play(
        game({"sauron": ["N(MMo)", "A(MMo)"], "gondor": ["3A(SIt)"]}),
        {"sauron": ["N(MMo) L A(MMo) -> SIt", "A(MMo) -> SIt"], "gondor": ["3A(SIt) H"]},
    )
    assert done.results("sauron") == ["bounce", "bounce"]
    assert done.units("sauron") == ["A(MMo)", "N(MMo)"]


@RULE("necromancer", "18.11")
def test_sauron_has_multiple_armies_where_the_nazgul_is() -> None:
    formed = play(
        game({"sauron": ["N(MMo)", "A(MMo)", "A(CGo)"]}),
        {"sauron": ["N(MMo) L A(MMo) -> 2A(NIt)", "A(MMo) -> 2A(NIt)", "A(CGo) -> 2A(NIt)"]},
    )
    assert formed.results("sauron") == ["ok", "ok", "ok"]
    assert formed.units("sauron") == ["2A(NIt)", "N(NIt)"]
    whole = play(
        game({"sauron": ["N(NIt)", "2A(NIt)"], "gondor": ["2A(MTi)"]}),
        {"sauron": ["N(NIt) L 2A(NIt) -> Los", "2A(NIt) -> Los"], "gondor": []},
    )
    assert whole.units("sauron") == ["2A(Los)", "N(Los)"]
    without = play(
        game({"sauron": ["A(MMo)", "A(CGo)"]}), {"sauron": ["A(MMo) -> 2A(NIt)", "A(CGo) -> 2A(NIt)"]}
    )
    assert without.results("sauron") == ["misorder", "misorder"]
    assert without.result("sauron", "A(MMo) -> 2A(NIt)").rule == "18.11"
    astray = play(game({"sauron": ["N(NIt)", "2A(NIt)"]}), {"sauron": ["N(NIt) H", "2A(NIt) -> Los"]})
    assert astray.results("sauron") == ["ok", "misorder"]


@RULE("necromancer", "18.11")
def test_a_stack_that_the_nazgul_leaves_must_retreat_in_parts() -> None:
    left = play(game({"sauron": ["N(NIt)", "2A(NIt)"]}), {"sauron": ["N(NIt) -> SIt", "2A(NIt) H"]})
    assert [str(d.unit) for d in left.after.dislodged] == ["A(NIt)", "A(NIt)"]
    assert left.kinds().count("broken") == 1
    assert left.after.contested == ("NIt",)
    apart = play(left.after, {"sauron": ["A(NIt) R Dag", "A(NIt) R Los"]})
    assert apart.units("sauron") == ["A(Dag)", "A(Los)", "N(SIt)"]
    together = play(left.after, {"sauron": ["A(NIt) R Dag", "A(NIt) R Dag"]})
    assert together.units("sauron") == ["N(SIt)"]


@RULE("necromancer", "18.11")
def test_it_breaks_even_if_the_nazgul_comes_back_but_not_if_the_parts_went_apart() -> None:
    back = play(game({"sauron": ["N(NIt)", "2A(NIt)"]}), {"sauron": ["N(NIt) -> SIt -> NIt", "2A(NIt) H"]})
    assert [str(d.unit) for d in back.after.dislodged] == ["A(NIt)", "A(NIt)"]
    assert back.units("sauron") == ["N(NIt)"]
    apart = play(
        game({"sauron": ["N(NIt)", "2A(NIt)"]}), {"sauron": ["N(NIt) -> SIt", "A(NIt) -> Los", "A(NIt) H"]}
    )
    assert apart.units("sauron") == ["A(Los)", "A(NIt)", "N(SIt)"]
    assert apart.after.dislodged == ()
    led = play(
        game({"sauron": ["N(NIt)", "3A(NIt)"]}),
        {"sauron": ["N(NIt) L A(NIt) -> Los", "A(NIt) -> Los", "2A(NIt) H"]},
    )
    assert len(led.after.dislodged) == 2


@RULE("necromancer", "18.11")
def test_a_multiple_army_is_built_where_the_nazgul_stands() -> None:
    position = game({"sauron": ["N(MMo)", "A(MMo)"]}, 2780, "adjustments", centres=HOME)
    assert play(position, {"sauron": ["Build 2A(MMo)"]}).units("sauron") == ["2A(MMo)", "N(MMo)"]
    away = game({"sauron": ["N(Gor)", "A(MMo)"]}, 2780, "adjustments", centres=HOME)
    assert play(away, {"sauron": ["Build 2A(MMo)"]}).results("sauron") == ["illegal"]


@RULE("necromancer", "18.11")
def test_dragons_keep_their_prefix_in_a_stack() -> None:
    done = play(
        game({"sauron": ["N(Wit)", "D(Wit)", "A(Gre)"]}),
        {"sauron": ["N(Wit) H", "D(Wit) -> 2A(Wit)", "A(Gre) -> 2A(Wit)"]},
    )
    assert done.results("sauron") == ["ok", "ok", "ok"]
    assert done.units("sauron") == ["A(Wit)", "D(Wit)", "N(Wit)"]
    both = play(done.after, {"sauron": ["N(Wit) L 2A(Wit) -> Gre", "2A(Wit) -> Gre"]})
    assert both.units("sauron") == ["A(Gre)", "D(Gre)", "N(Gre)"]


def cut_support(stack: int, attacker: str, lead: str = "") -> str:
    """Result of a led support of `stack` armies out of MMo that an attack cuts."""
    ref = "A(MMo)" if stack == 1 else f"{stack}A(MMo)"
    orders = {
        "sauron": [f"N(MMo) L {ref} S A(CGo) -> NIt", f"{ref} S A(CGo) -> NIt", "A(CGo) -> NIt"],
        "gondor": [f"{attacker} -> MMo"],
    }
    done = play(game({"sauron": ["N(MMo)", ref, "A(CGo)"], "gondor": [attacker]}), orders)
    outcome = done.resolution.outcomes[2]
    assert outcome.order.kind == "support"
    return f"{outcome.result} {outcome.rule}"


@RULE("necromancer", "18.12")
def test_a_led_support_is_reduced_and_lost_if_only_the_nazgul_is_left() -> None:
    assert cut_support(1, "A(SIt)") == "cut 18.12"
    assert cut_support(2, "A(SIt)") == "partial 18.12"
    assert cut_support(2, "2A(SIt)") == "cut 18.12"
    assert cut_support(3, "2A(SIt)") == "partial 18.12"


@RULE("necromancer", "18.13")
def test_a_nazgul_disbanded_in_retreat_is_raised_again_in_the_next_adjustments() -> None:
    beaten = play(
        game({"sauron": ["N(SIt)", "A(MMo)"], "gondor": ["A(Pel)"]}, 2780, centres=HOME),
        {"sauron": ["N(SIt) H", "A(MMo) H"], "gondor": ["A(Pel) -> SIt"]},
    )
    lost = play(beaten.after, {"sauron": ["Disband N(SIt)"]})
    assert lost.after.nazgul_due
    assert lost.after.step == "adjustments"
    raised = play(lost.after, {"sauron": ["Raise N(MMo)"]})
    assert raised.units("sauron") == ["A(MMo)", "N(MMo)"]
    late = play(play(lost.after, {"sauron": []}).after, {})
    assert not late.after.nazgul_due


@RULE("necromancer", "18.13")
def test_where_a_nazgul_may_be_raised() -> None:
    def raising(text: str, **fields: object) -> str:
        fields = {"centres": HOME | {"Mor": "sauron"}, "nazgul_due": True} | fields
        table = {"sauron": ["A(MMo)"], "standing": ["A(Gun)"], "saruman": ["W(DGu)"]}
        return play(game(table, 2780, "adjustments", **fields), {"sauron": [text]}).results("sauron")[0]

    assert raising("Raise N(MMo)") == "ok"
    assert raising("Raise N(Mor)") == "ok"
    assert raising("Raise N(Gun)") == "illegal"
    assert raising("Raise N(DGu)") == "blocked"
    assert raising("Raise N(DGu) / N(Mor)") == "ok"
    assert raising("Raise N(MMo)", nazgul_due=False) == "illegal"
    assert raising("Raise N(MMo)", options={"nazgul_needs_vacant_home": True}) == "illegal"
    assert raising("Raise N(CDu)") == "illegal"
    assert raising("Raise N(CDu)", options={"nazgul_needs_owned_home": False}) == "ok"
    fresh = game({"standing": ["A(Gun)"]}, 2780, "adjustments", centres=HOME, nazgul_due=True)
    both = play(fresh, {"sauron": ["Activate Gun", "Raise N(Gun)"]})
    assert both.results("sauron") == ["ok", "illegal"]
    again = play(
        game({"sauron": ["N(MMo)"]}, 2780, "adjustments", centres=HOME), {"sauron": ["Build N(DGu)"]}
    )
    assert again.result("sauron", "Build N(DGu)").rule == "18.13"


def test_a_beaten_stack_of_saurons_comes_apart() -> None:
    done = play(
        game({"sauron": ["N(SIt)", "2A(SIt)"], "gondor": ["3A(Pel)"]}),
        {"sauron": ["N(SIt) H", "2A(SIt) H"], "gondor": ["3A(Pel) -> SIt"]},
    )
    assert [d.unit for d in done.after.dislodged] == [
        Unit("sauron", "A", "SIt"),
        Unit("sauron", "A", "SIt"),
        Unit("sauron", "N", "SIt"),
    ]


@RULE("necromancer", "18.8")
def test_a_nazgul_that_a_stand_off_makes_needless_is_not_named() -> None:
    table = {"sauron": ["N(Woo)"], "elves": ["A(Mou)"], "dwarves": ["A(Ere)"]}
    orders = {"sauron": ["N(Woo) H"], "elves": ["A(Mou) -> Woo"], "dwarves": ["A(Ere) -> Woo"]}
    done = play(game(table), orders)
    stopped = done.result("elves", "A(Mou) -> Woo")
    assert (stopped.code, [str(a.unit) for a in stopped.stopped_by]) == ("standoff", ["A(Ere)"])
    alone = play(game(table), orders | {"dwarves": ["A(Ere) H"]})
    stopped = alone.result("elves", "A(Mou) -> Woo")
    assert (stopped.code, [str(a.unit) for a in stopped.stopped_by]) == ("fortress", ["N(Woo)"])
