"""Each way in which the Wizard, the Nazgûl and Sauron's secret units come out, or do not (16.9, 17.4, 18.8, 18.10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from gm.games.api import Adjudicated, OrderResult, reading, sees
from gm.games.dice import FixedDice
from gm.games.necromancer.dues import dues
from gm.games.necromancer.engine import adjudicate
from gm.games.necromancer.model import Game, Unit, normalise
from gm.games.necromancer.normal import parse_orders
from gm.games.necromancer.report import report
from gm.games.necromancer.saved import to_json
from gm.games.necromancer.view import phase_of, view_of
from gm.games.necromancer.visibility import publish
from tests.games.necromancer.shorthand import game


def secret(position: Game, *units: Unit) -> Game:
    """The position with units of Sauron's that nobody has seen yet."""
    kept = tuple(u for u in position.units if not any((u.kind, u.place) == (s.kind, s.place) for s in units))
    return Game(
        **{**{f: getattr(position, f) for f in position.__slots__}, "units": normalise([*kept, *units])}
    )


def run(position: Game, orders: Mapping[str, Sequence[str] | None]) -> tuple[Adjudicated, Game]:
    """A phase played with orders in normal form."""
    sheets = {
        power: None if texts is None else tuple(o for _, o in parse_orders(position, power, texts) if o)
        for power, texts in orders.items()
    }
    result = adjudicate(position, sheets, FixedDice(()))
    return publish(result), result.after


def result_of(found: Adjudicated, text: str) -> OrderResult:
    return next(o for o in found.orders if o.order == text)


def page(position: Game, found: Adjudicated, after: Game, reader: str | None) -> str:
    """Everything that a reader's report says, as one text."""
    told = report(
        view_of(position, reader), view_of(after, reader), reading(found, phase_of(position), reader)
    )
    lines = [told.headline]
    for section in told.sections:
        lines += [section.title, *section.lines, *(" ".join(row) for row in section.rows)]
    return "\n".join(lines)


@pytest.mark.rule("necromancer", "16.9")
def test_a_wizards_move_that_succeeds_is_known_to_saruman_alone() -> None:
    position = game({"saruman": ["W(Ise)", "A(Dun)"], "rohan": ["A(Edo)"]}, year=2780)
    found, after = run(position, {"saruman": ["W(Ise) -> Gap", "A(Dun) Hold"], "rohan": ["A(Edo) Hold"]})
    moved = result_of(found, "W(Ise) -> Gap")
    assert (moved.result, moved.seen_by, moved.verdict_to) == ("ok", ("saruman",), ("saruman",))
    assert "W(" not in page(position, found, after, "rohan")
    assert "W(Ise) -> Gap" in page(position, found, after, "saruman")
    assert "W(Gap) in Gap of Rohan, known to you alone" in page(position, found, after, "saruman")


@pytest.mark.rule("necromancer", "16.9")
def test_a_wizards_move_that_fails_is_published_with_its_clause() -> None:
    position = game({"saruman": ["W(Ise)"], "rohan": ["A(Gap)"]}, year=2780)
    found, after = run(position, {"saruman": ["W(Ise) -> Gap"], "rohan": ["A(Gap) Hold"]})
    assert result_of(found, "W(Ise) -> Gap").seen_by == "all"
    assert result_of(found, "W(Ise) -> Gap").result == "bounce"
    shown = [e for e in found.events if e.kind == "shown"]
    assert [(e.rule, e.seen_by) for e in shown] == [("necromancer 16.9", "all")]
    assert "! W(Ise) -> Gap" in page(position, found, after, None)


@pytest.mark.rule("necromancer", "16.9")
def test_a_wizard_whose_stand_explains_a_bounce_is_published() -> None:
    # alone in the fortress of Isengard it has strength 0 + 1 (ruling 8), so Rohan's single attack fails
    position = game({"saruman": ["W(Ise)"], "rohan": ["A(Gap)"]}, year=2780)
    found, _ = run(position, {"saruman": ["W(Ise) Hold"], "rohan": ["A(Gap) -> Ise"]})
    assert result_of(found, "W(Ise) Hold").seen_by == "all"
    bounced = result_of(found, "A(Gap) -> Ise")
    assert bounced.result == "bounce"
    assert "W(Ise)" in bounced.reason and "16.9" in bounced.reason


@pytest.mark.rule("necromancer", "16.9")
def test_a_wizard_in_a_stand_off_that_needs_no_wizard_stays_hidden() -> None:
    position = game({"saruman": ["W(Ise)"], "rohan": ["A(Gap)"], "elves": ["A(Fan)"]}, year=2780)
    orders = {"saruman": ["W(Ise) Hold"], "rohan": ["A(Gap) -> Ise"], "elves": ["A(Fan) -> Ise"]}
    found, after = run(position, orders)
    assert result_of(found, "W(Ise) Hold").seen_by == ("saruman",)
    assert "W(" not in page(position, found, after, "rohan")


@pytest.mark.rule("necromancer", "16.9")
@pytest.mark.rule("necromancer", "16.8")
def test_an_illegal_order_of_the_wizard_is_shown_to_its_owner_alone() -> None:
    position = game({"saruman": ["W(Ise)", "A(Dun)"]}, year=2780)
    found, after = run(position, {"saruman": ["W(Ise) Support A(Dun)", "A(Dun) Hold"]})
    order = result_of(found, "W(Ise) Support A(Dun)")
    assert (order.result, order.rule, order.seen_by) == ("illegal", "necromancer 16.8", ("saruman",))
    assert "W(" not in page(position, found, after, "gondor")


@pytest.mark.rule("necromancer", "16.9")
@pytest.mark.rule("necromancer", "18.8")
@pytest.mark.parametrize(
    ("hidden", "clause"), [("W(Gap) -> Agr", "necromancer 16.9"), ("W(Gap) Hold", "necromancer 16.9")]
)
def test_support_to_the_wizard_is_answered_to_the_giver_alone(hidden: str, clause: str) -> None:
    position = game({"saruman": ["W(Gap)"], "rohan": ["A(Ado)"]}, year=2780)
    found, after = run(position, {"saruman": [hidden], "rohan": ["A(Ado) Support W(Gap) -> Agr"]})
    support = result_of(found, "A(Ado) Support W(Gap) -> Agr")
    assert (support.seen_by, support.verdict_to, support.rule) == ("all", ("rohan",), clause)
    valid = hidden == "W(Gap) -> Agr"
    assert support.result == ("ok" if valid else "void")
    mine = page(position, found, after, "rohan")
    assert ("matched an order" in mine) == valid and ("matched no order" in mine) == (not valid)
    for reader in ("gondor", None):
        theirs = reading(found, phase_of(position), reader).orders
        assert next(o for o in theirs if o.power == "rohan").result is None
        assert "matched" not in page(position, found, after, reader)


@pytest.mark.rule("necromancer", "18.8")
def test_a_nazgul_that_flies_over_the_mountains_is_seen_by_nobody() -> None:
    position = game({"sauron": ["N(MMo)"], "gondor": ["A(Los)"]}, year=2780)
    found, after = run(position, {"sauron": ["N(MMo) -> Gor -> NoL"], "gondor": ["A(Los) Hold"]})
    flight = result_of(found, "N(MMo) -> Gor -> NoL")
    assert (flight.result, flight.steps, flight.seen_by) == ("ok", ("ok", "ok"), ("sauron",))
    assert "N(" not in page(position, found, after, "gondor")


@pytest.mark.rule("necromancer", "18.8")
def test_a_nazgul_whose_second_step_fails_is_published() -> None:
    position = game({"sauron": ["N(MMo)"], "gondor": ["A(MTi)"]}, year=2780)
    found, _ = run(position, {"sauron": ["N(MMo) -> NIt -> MTi"], "gondor": ["A(MTi) Hold"]})
    flight = result_of(found, "N(MMo) -> NIt -> MTi")
    assert (flight.result, flight.steps, flight.seen_by) == ("bounce", ("ok", "bounce"), "all")
    assert [e.rule for e in found.events if e.kind == "shown"] == ["necromancer 18.8"]


@pytest.mark.rule("necromancer", "18.8")
@pytest.mark.rule("necromancer", "18.10")
def test_a_lead_is_always_published() -> None:
    position = game({"sauron": ["N(MMo)", "A(MMo)"]}, year=2780)
    found, after = run(position, {"sauron": ["N(MMo) Lead A(MMo) -> SIt", "A(MMo) -> SIt"]})
    lead = result_of(found, "N(MMo) Lead A(MMo) -> SIt")
    assert (lead.result, lead.seen_by) == ("ok", "all")
    assert "a Lead is always made known (18.8)" in page(position, found, after, "gondor")


@pytest.mark.rule("necromancer", "18.10")
def test_a_lead_that_matches_no_order_is_void_and_public() -> None:
    position = game({"sauron": ["N(MMo)", "A(MMo)"]}, year=2780)
    found, _ = run(position, {"sauron": ["N(MMo) Lead A(MMo) -> SIt", "A(MMo) Hold"]})
    assert result_of(found, "N(MMo) Lead A(MMo) -> SIt").result == "void"
    assert result_of(found, "N(MMo) Lead A(MMo) -> SIt").seen_by == "all"


@pytest.mark.rule("necromancer", "18.8")
def test_a_dislodged_nazgul_and_its_retreat_are_published() -> None:
    position = game({"sauron": ["N(Los)"], "gondor": ["A(Pel)"]}, year=2780)
    found, after = run(position, {"sauron": ["N(Los) Hold"], "gondor": ["A(Pel) -> Los"]})
    assert result_of(found, "N(Los) Hold").seen_by == "all"
    assert "The Mordor N(Los) is dislodged" in page(position, found, after, "elves")
    later, end = run(after, {"sauron": ["N(Los) -> DrF"]})
    assert result_of(later, "N(Los) -> DrF").seen_by == "all"
    assert "N(Los) retreats to DrF" in page(after, later, end, None)


@pytest.mark.rule("necromancer", "16.7")
@pytest.mark.rule("necromancer", "18.2")
def test_retreats_offered_do_not_tell_where_the_nazgul_is_and_the_blocked_one_does() -> None:
    table = {"gondor": ["A(Los)"], "haradrim": ["A(Pel)", "A(SIt)"]}
    orders = {"haradrim": ["A(Pel) -> Los", "A(SIt) Support A(Pel) -> Los"], "gondor": ["A(Los) Hold"]}
    near, far = (game({**table, "sauron": [f"N({place})"]}, year=2780) for place in ("Lam", "Rho"))
    offers = []
    for position in (near, far):
        found, after = run(position, {**orders, "sauron": [f"{position.units[-1]} Hold"]})
        offers.append(view_of(after, "gondor").data["dislodged"])
    assert offers[0] == offers[1]
    assert "Lam" in offers[0][0]["retreats"]
    _, driven = run(near, {**orders, "sauron": ["N(Lam) Hold"]})
    found, _ = run(driven, {"gondor": ["A(Los) -> Lam"]})
    blocked = result_of(found, "A(Los) -> Lam")
    assert blocked.result == "blocked" and "N(Lam)" in blocked.reason
    assert [e.rule for e in found.events if e.kind == "shown"] == ["necromancer 18.8"]


@pytest.mark.rule("necromancer", "18.8")
def test_a_nazgul_that_only_comes_along_with_a_victorious_army_stays_hidden() -> None:
    position = game({"gondor": ["A(NIt)"], "sauron": ["A(CGo)", "A(MMo)", "N(SIt)"]}, year=2780)
    orders = {
        "gondor": ["A(NIt) Hold"],
        "sauron": ["A(CGo) -> NIt", "A(MMo) Support A(CGo) -> NIt", "N(SIt) -> NIt"],
    }
    found, after = run(position, orders)
    assert result_of(found, "N(SIt) -> NIt").seen_by == ("sauron",)
    driven = view_of(after, "gondor").data["dislodged"][0]
    assert driven["attacker_from"] == ["CGo"]
    assert "SIt" in driven["retreats"]
    assert "N(" not in page(position, found, after, "gondor")


@pytest.mark.rule("necromancer", "17.4")
def test_what_stops_a_secret_activation_stays_secret() -> None:
    base = game({"sauron": ["A(MMo)"], "saruman": ["W(Wit)"]}, year=2780, step="adjustments")
    found, after = run(base, {"sauron": ["Activate D(Wit)"]})
    choice = result_of(found, "Activate D(Wit)")
    assert choice.result == "blocked" and choice.seen_by == ("sauron",)
    assert "W(" not in page(base, found, after, "elves") and "W(" not in choice.reason


@pytest.mark.rule("necromancer", "16.3")
@pytest.mark.rule("necromancer", "16.9")
def test_an_army_raised_at_the_wizard_tells_where_it_is() -> None:
    centres = {"Ise": "saruman", "Dun": "saruman", "Agr": "saruman"}
    position = game({"saruman": ["W(Gap)", "A(Ise)"]}, year=2780, step="adjustments", centres=centres)
    found, after = run(position, {"saruman": ["Build A(Gap)"]})
    assert result_of(found, "Build A(Gap)").seen_by == "all"
    assert "an army was raised where it stands (16.9)" in page(position, found, after, "rohan")


@pytest.mark.rule("necromancer", "16.9")
def test_a_build_that_saruman_gets_wrong_tells_nobody_where_the_wizard_is_not() -> None:
    centres = {"Ise": "saruman", "Dun": "saruman", "Agr": "saruman"}
    position = game({"saruman": ["W(Gap)", "A(Ise)"]}, year=2780, step="adjustments", centres=centres)
    found, _ = run(position, {"saruman": ["Build A(Agr)"]})
    assert result_of(found, "Build A(Agr)").result == "illegal"
    assert result_of(found, "Build A(Agr)").seen_by == ("saruman",)


@pytest.mark.rule("necromancer", "16.5")
@pytest.mark.rule("necromancer", "18.3")
def test_a_build_blocked_by_the_nazgul_is_explained() -> None:
    position = game({"sauron": ["N(Pel)"]}, year=2780, step="adjustments", centres={"Pel": "gondor"})
    found, after = run(position, {"gondor": ["Build A(Pel)"], "sauron": []})
    blocked = result_of(found, "Build A(Pel)")
    assert (blocked.result, blocked.rule) == ("blocked", "necromancer 18.3")
    assert "N(Pel)" in blocked.reason
    assert "the build is blocked by the Mordor N(Pel)" in page(position, found, after, "elves")


@pytest.mark.rule("necromancer", "17.4")
def test_an_activation_is_told_to_sauron_alone_and_the_army_goes_on_standing() -> None:
    position = game({"sauron": ["N(MMo)"], "standing": ["A(Gun)"]}, year=2780, step="adjustments")
    found, after = run(position, {"sauron": ["Activate Gun"]})
    assert result_of(found, "Activate Gun").seen_by == ("sauron",)
    assert {u["power"] for u in view_of(after, "elves").data["units"]} == {"standing"}
    assert view_of(after, "elves").data["centres"] == {}
    assert view_of(after, "sauron").data["centres"] == {"Gun": "sauron"}
    assert "Gun" not in page(position, found, after, None).replace("A(Gun)", "", 1)
    assert "taken by all others for a standing army" in page(position, found, after, "sauron")


@pytest.mark.rule("necromancer", "17.4")
def test_a_secret_army_that_holds_is_not_told_from_a_standing_one_and_one_that_moves_is() -> None:
    position = secret(
        game({"sauron": ["N(MMo)"], "elves": ["A(Lng)"]}, year=2780), Unit("sauron", "A", "Gun", secret=True)
    )
    orders = {"elves": ["A(Lng) -> Gun"], "sauron": ["A(Gun) Hold", "N(MMo) Hold"]}
    found, after = run(position, orders)
    assert result_of(found, "A(Gun) Hold").seen_by == ("sauron",)
    assert "Standing A(Gun)" in result_of(found, "A(Lng) -> Gun").reason
    assert "Mordor" not in page(position, found, after, "elves")
    found, after = run(position, {"elves": ["A(Lng) Hold"], "sauron": ["A(Gun) -> NEa", "N(MMo) Hold"]})
    assert result_of(found, "A(Gun) -> NEa").seen_by == "all"
    assert "shows itself as Sauron's (17.4)" in page(position, found, after, "elves")


@pytest.mark.rule("necromancer", "17.4")
def test_support_for_dragons_that_nobody_has_seen_gets_no_verdict_at_all() -> None:
    base = game({"sauron": ["N(MMo)"], "elves": ["A(For)"]}, year=2780)
    lurking = secret(base, Unit("sauron", "D", "Wit", secret=True))
    for position in (base, lurking):
        found, _ = run(position, {"elves": ["A(For) Support D(Wit)"], "sauron": ["D(Wit) Hold"]})
        support = result_of(found, "A(For) Support D(Wit)")
        assert not sees(support.verdict_to, "elves") and not sees(support.verdict_to, None)


@pytest.mark.rule("necromancer", "16.14")
def test_sarumans_third_army_is_in_the_first_report_and_sauron_s_choice_is_not() -> None:
    from gm.games.necromancer.board import the_board
    from gm.games.necromancer.model import Options
    from gm.games.necromancer.setup import new_game

    position = new_game(Options(), the_board())
    found, after = run(position, {"saruman": ["Place A(Gap)"], "sauron": ["Activate Mor"]})
    told = page(position, found, after, "gondor")
    assert "Saruman's third army starts in Gap (Gap of Rohan)" in told
    assert "Saruman's W(Ise) starts in Isengard" in told and "Sauron's N(MMo) starts in Minas Morgul" in told
    assert "Activate" not in told
    assert "A(Mor)" in next(line for line in told.splitlines() if line.startswith("Nobody is known"))


@pytest.mark.rule("necromancer", "18.8")
def test_retreats_mailed_early_are_shown_to_nobody_before_they_are_made() -> None:
    position = game({"gondor": ["A(Pel)"]}, year=2780)
    found, _ = run(position, {"gondor": ["A(Pel) Hold", "A(Pel) Retreat Los, Leb"]})
    assert result_of(found, "A(Pel) Retreat Los, Leb").seen_by == ("gondor",)


@pytest.mark.rule("necromancer", "17.4")
def test_nobody_learns_from_a_missing_mail_that_sauron_still_has_a_secret_unit() -> None:
    base = game({"elves": ["A(Lor)"]}, year=2780)
    lurking = secret(base, Unit("sauron", "D", "Wit", secret=True))
    for position in (base, lurking):
        owed = {d.power: d.required for d in dues(to_json(position))}
        assert owed == {"elves": True, "sauron": False}
        found, after = run(position, {"elves": ["A(Lor) Hold"], "sauron": None})
        assert "Sauron" not in page(position, found, after, "elves").replace("Sauron 3", "").replace(
            "Sauron 0", ""
        )
