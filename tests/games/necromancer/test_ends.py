"""How Sauron goes (19), how the game is won (20), and natural alignment (21)."""

from __future__ import annotations

import pytest

from gm.games.necromancer.board import the_board
from gm.games.necromancer.centres import score
from gm.games.necromancer.model import Game
from tests.games.necromancer.shorthand import game, play

RULE = pytest.mark.rule


def centres(power: str, number: int, without: tuple[str, ...] = ()) -> dict[str, str]:
    """The first `number` plain centres of the map."""
    special = ("Ere", "Gre", "Iro", "Mor", "Lor", "Woo", *without)
    return dict.fromkeys([c for c in the_board().centres if c not in special][:number], power)


@RULE("necromancer", "19.1")
def test_sauron_falls_in_3020() -> None:
    table = {"sauron": ["N(MMo)", "A(MMo)", "D(Wit)"], "standing": ["A(Gun)"], "elves": ["A(Lor)"]}
    position = game(table, 3020, "adjustments", centres={"MMo": "sauron", "Lor": "elves"}, dragons_spent=True)
    done = play(position, {"elves": ["Build A(Eri)"], "sauron": []})
    assert done.results("elves") == ["ok"]
    assert done.after.sauron_out
    assert done.units("sauron") == []
    assert done.units("standing") == ["A(Gun)", "A(MMo)", "D(Wit)"]
    assert "MMo" not in done.after.centres
    assert [h.rule for h in done.resolution.happenings if h.kind == "sauron_fell"] == ["19.1"]
    assert (done.after.year, done.after.step) == (3035, "movement")
    early = game(table, 3005, centres={"MMo": "sauron", "Lor": "elves"}, dragons_spent=True)
    assert not play(early, {}).after.sauron_out


@RULE("necromancer", "19.1")
def test_eriador_may_close_before_the_builds_of_that_year() -> None:
    position = game(
        {"elves": ["A(Lor)"]},
        3020,
        "adjustments",
        centres={"Lor": "elves"},
        options={"eriador_closes_after_builds": False},
    )
    assert play(position, {"elves": ["Build A(Eri)"]}).results("elves") == ["illegal"]


@RULE("necromancer", "19.1")
def test_in_3020_victory_comes_before_the_fall_unless_the_house_rule_turns_it() -> None:
    owned = centres("sauron", 19)
    done = play(game({"sauron": ["A(MMo)"]}, 3020, centres=owned), {"sauron": ["A(MMo) H"]})
    assert done.after.winners == ("sauron",)
    turned = game({"sauron": ["A(MMo)"]}, 3020, centres=owned, options={"fall_checks_victory_first": False})
    assert play(turned, {"sauron": ["A(MMo) H"]}).after.winners == ()


@RULE("necromancer", "19.2")
def test_before_that_nothing_of_his_may_be_left() -> None:
    gone = {"dragons_spent": True, "spiders_spent": True, "captured": the_board().standing}
    assert play(game({"elves": ["A(Lor)"]}, 2780, "adjustments", **gone), {}).after.sauron_out
    for left in (
        {"dragons_spent": False},
        {"spiders_spent": False},
        {"captured": the_board().standing[1:]},
        {"centres": {"DGu": "sauron"}},
    ):
        assert not play(game({}, 2780, "adjustments", **(gone | left)), {}).after.sauron_out
    for power, unit in (("standing", "A(Gun)"), ("sauron", "N(MMo)"), ("sauron", "D(Wit)")):
        assert not play(game({power: [unit]}, 2780, "adjustments", **gone), {}).after.sauron_out
    done = play(game({"elves": ["A(Lor)"]}, 2780, "adjustments", **gone), {})
    assert [h.rule for h in done.resolution.happenings if h.kind == "sauron_fell"] == ["19.2"]


@RULE("necromancer", "20.1")
def test_victory_wants_19_centres_and_more_than_anyone_else() -> None:
    def winners(owned: dict[str, str]) -> tuple[str, ...]:
        return play(game({"gondor": ["A(Pel)"]}, 2780, centres=owned), {"gondor": []}).after.winners

    assert winners(centres("gondor", 18, ("Pel",)) | {"Pel": "gondor"}) == ("gondor",)
    assert winners(centres("gondor", 17, ("Pel",)) | {"Pel": "gondor"}) == ()
    half = centres("gondor", 19, ("Pel",)) | {"Pel": "gondor"}
    rest = [c for c in the_board().centres if c not in half][:20]
    assert winners(half | dict.fromkeys(rest, "haradrim")) == ()


def finish(owned: dict[str, str], **fields: object) -> Game:
    return play(game({}, 2780, "adjustments", centres=owned, **fields), {}).after


@RULE("necromancer", "20.2")
def test_dwarves_count_four_centres_twice_and_eriador() -> None:
    four = dict.fromkeys(("Ere", "Gre", "Iro", "Mor"), "dwarves")
    assert score(game({}, centres=four), "dwarves") == 9
    assert score(game({}, centres=four, sauron_out=True), "dwarves") == 8
    assert score(game({}, centres=dict.fromkeys(four, "rohan")), "rohan") == 4
    assert finish(four | centres("dwarves", 10)).winners == ("dwarves",)
    assert finish(four | centres("dwarves", 9)).winners == ()


@RULE("necromancer", "20.3")
def test_elves_count_two_centres_three_times_and_eriador() -> None:
    two = dict.fromkeys(("Lor", "Woo"), "elves")
    assert score(game({}, centres=two), "elves") == 7
    assert score(game({}, centres=two, sauron_out=True), "elves") == 6
    assert finish(two | centres("elves", 12)).winners == ("elves",)
    # 12 + 2 plain ones against 15 of another: more than anyone else only if they count three times
    rival = [c for c in the_board().centres if c not in centres("elves", 12) and c not in two][:15]
    owned = two | centres("elves", 12) | dict.fromkeys(rival, "rohan")
    assert finish(owned).winners == ("elves",)
    assert finish(owned, options={"double_centres_in_comparison": False}).winners == ()


@RULE("necromancer", "21.1")
def test_alignments() -> None:
    assert {p: s.alignment for p, s in the_board().powers.items()} == {
        "dwarves": "good",
        "easterlings": "neutral",
        "elves": "good",
        "gondor": "good",
        "haradrim": "neutral",
        "rohan": "good",
        "saruman": "neutral",
        "sauron": "evil",
    }


def aligned(table: dict[str, list[str]], **options: object) -> Game:
    return game(table, options={"alignment": True} | options)


@RULE("necromancer", "21.3")
def test_aligned_provinces_repel_only_with_the_option() -> None:
    table = {"sauron": ["A(Dim)"]}
    assert play(aligned(table), {"sauron": ["A(Dim) -> Lor"]}).results("sauron") == ["bounce"]
    assert play(game(table), {"sauron": ["A(Dim) -> Lor"]}).results("sauron") == ["ok"]


@RULE("necromancer", "21.4")
@pytest.mark.parametrize(("place", "start"), [("Lor", "Cel"), ("Fan", "Cel")])
def test_evil_is_repelled_from_lorien_and_fangorn(place: str, start: str) -> None:
    orders = [f"A({start}) -> {place}"]
    evil = play(aligned({"sauron": [f"A({start})"]}), {"sauron": orders})
    assert (evil.results("sauron"), evil.result("sauron", orders[0]).rule) == (["bounce"], "21.6")
    for power in ("haradrim", "elves"):
        assert play(aligned({power: [f"A({start})"]}), {power: orders}).results(power) == ["ok"]


@RULE("necromancer", "21.5")
@pytest.mark.parametrize(("place", "start"), [("BDu", "Gor"), ("DGu", "Cel"), ("Mor", "Hol"), ("SMi", "Gla")])
def test_good_is_repelled_from_four_evil_places(place: str, start: str) -> None:
    orders = [f"A({start}) -> {place}"]
    assert play(aligned({"gondor": [f"A({start})"]}), {"gondor": orders}).results("gondor") == ["bounce"]
    for power in ("haradrim", "sauron"):
        assert play(aligned({power: [f"A({start})"]}), {power: orders}).results(power) == ["ok"]


@RULE("necromancer", "21.6")
def test_one_support_overcomes_the_land_to_enter_and_to_hold() -> None:
    enter = play(
        aligned({"gondor": ["A(Gla)", "A(OFo)"]}), {"gondor": ["A(Gla) -> SMi", "A(OFo) S A(Gla) -> SMi"]}
    )
    assert enter.results("gondor") == ["ok", "ok"]
    hold = play(aligned({"gondor": ["A(SMi)", "A(OFo)"]}), {"gondor": ["A(SMi) H", "A(OFo) S A(SMi)"]})
    assert hold.units("gondor") == ["A(OFo)", "A(SMi)"]
    alone = play(aligned({"gondor": ["A(SMi)"]}), {"gondor": ["A(SMi) H"]})
    assert alone.dislodged() == {"A(SMi)": ()}
    assert "expelled" in alone.kinds()
    assert play(alone.after, {"gondor": ["A(SMi) R Gla"]}).units("gondor") == ["A(Gla)"]
    # the fortress is no help
    tower = play(aligned({"gondor": ["A(DGu)"]}), {"gondor": ["A(DGu) H"]})
    assert tower.dislodged() == {"A(DGu)": ()}


@RULE("necromancer", "21.6")
def test_a_double_army_has_its_support_within_itself_by_house_rule() -> None:
    orders = {"gondor": ["2A(Gla) -> SMi"]}
    assert play(aligned({"gondor": ["2A(Gla)"]}), orders).results("gondor") == ["ok"]
    strict = aligned({"gondor": ["2A(Gla)"]}, stack_overcomes_alignment=False)
    assert play(strict, orders).results("gondor") == ["bounce"]
    held = play(aligned({"gondor": ["2A(SMi)"]}, stack_overcomes_alignment=False), {"gondor": ["2A(SMi) H"]})
    assert held.dislodged() == {"2A(SMi)": ()}
    assert play(aligned({"gondor": ["2A(SMi)"]}), {"gondor": ["2A(SMi) H"]}).after.dislodged == ()


@RULE("necromancer", "21.7")
def test_the_land_does_not_add_to_a_defence() -> None:
    # 2 against the army alone: dislodged, as without alignment
    done = play(
        aligned({"sauron": ["A(SMi)"], "gondor": ["A(Gla)", "A(OFo)"]}),
        {"sauron": ["A(SMi) H"], "gondor": ["A(Gla) -> SMi", "A(OFo) S A(Gla) -> SMi"]},
    )
    assert done.dislodged() == {"A(SMi)": ("Gla",)}


@RULE("necromancer", "21.8")
def test_support_given_from_there_is_cut_by_one() -> None:
    single = play(
        aligned({"gondor": ["A(SMi)", "A(Gla)", "A(Mou)"], "sauron": ["A(OFo)"]}),
        {"gondor": ["A(SMi) S A(Gla) -> OFo", "A(Gla) -> OFo", "A(Mou) S A(SMi)"], "sauron": ["A(OFo) H"]},
    )
    cut = single.result("gondor", "A(SMi) S A(Gla) -> OFo")
    assert (cut.result, cut.rule) == ("cut", "21.8")
    assert single.results("gondor") == ["cut", "bounce", "ok"]
    double = play(
        aligned({"gondor": ["2A(SMi)", "A(Gla)"], "sauron": ["A(OFo)"]}),
        {"gondor": ["2A(SMi) S A(Gla) -> OFo", "A(Gla) -> OFo"], "sauron": ["A(OFo) H"]},
    )
    assert double.results("gondor") == ["partial", "ok"]


@RULE("necromancer", "21.9")
def test_the_alignment_is_lost_with_the_centre() -> None:
    position = game({"dwarves": ["A(Mor)", "A(Hol)"]}, 2780, options={"alignment": True})
    done = play(position, {"dwarves": ["A(Mor) H", "A(Hol) S A(Mor)"]})
    assert done.after.natural_lost == ("Mor",)
    (told,) = [h for h in done.resolution.happenings if h.kind == "natural_lost"]
    assert (told.place, told.rule) == ("Mor", "21.9")
    free = play(
        game({"dwarves": ["A(Mor)"]}, options={"alignment": True}, natural_lost=("Mor",)),
        {"dwarves": ["A(Mor) H"]},
    )
    assert free.after.dislodged == ()
