"""The map: what the rules state of it, and that a broken file is refused with its line."""

from __future__ import annotations

import re
from importlib import resources

import pytest

from gm.games.necromancer.board import MapError, load_board, the_board
from gm.games.necromancer.clauses import clauses
from gm.games.necromancer.ids import GONDOR
from gm.games.necromancer.model import Options
from gm.games.necromancer.options import OPTIONS
from gm.games.necromancer.saved import from_json, to_json
from gm.games.necromancer.setup import new_game

WALLS = """Ado Hel, Dor Rhu, Eri Gob, Gor NoL, Pin Wes, Ado Pin, DrF Lam, Eri Gun, Gor SIt, SIt SNu, CDu Eri,
DrF Los, Eri Lng, Hel Pin, SNu WKh, Dhw Lam, Dun Fan, For NEa, Hol OFo, Dhw Pin, Dun Nim, Gla Hol, Lit NoL,
Dim Gld, Eas Lam, Gld Nim, NCa Wit, Dim Hol, Edo Pin, Gor NIt, NNu SIt"""


def text() -> str:
    return (resources.files("gm.games.necromancer") / "map.toml").read_text(encoding="utf-8")


def swap(old: str, new: str, after: str = "") -> str:
    """The map file with the first `old` behind `after` replaced."""
    whole = text()
    at = whole.index(old, whole.index(after) if after else 0)
    return whole[:at] + new + whole[at + len(old) :]


def line_of(broken: str, needle: str, after: str) -> int:
    return broken[: broken.index(needle, broken.index(after))].count("\n") + 1


@pytest.mark.rule("necromancer", "6.1")
def test_eriador_borders_six_provinces() -> None:
    assert set(the_board()["Eri"].borders) == {"Fch", "Ang", "HPs", "Hol", "Gld", "Min"}


@pytest.mark.rule("necromancer", "7.1")
def test_some_fortresses_are_no_centres() -> None:
    board = the_board()
    fortresses = [p for p in board.provinces if p.fortress]
    assert {p.id for p in fortresses if not p.centre} == {"Dhw", "HPs"}
    assert {"Cit", "DGu", "DAm", "Lor", "Woo", "MTi", "BDu", "Mor"} <= {p.id for p in fortresses if p.centre}


@pytest.mark.rule("necromancer", "9")
def test_anduin_and_tolfalas_are_the_seas() -> None:
    assert {p.id for p in the_board().provinces if p.kind == "sea"} == {"AND", "TOL"}


@pytest.mark.rule("necromancer", "18.4")
def test_the_walls_are_the_31_of_the_list() -> None:
    wanted = {frozenset(pair.split()) for pair in WALLS.replace("\n", " ").split(",")}
    found = {frozenset((p.id, w)) for p in the_board().provinces for w in p.walls}
    assert len(wanted) == 31
    assert found == wanted


def test_names_and_aliases_are_known_in_any_case() -> None:
    board = the_board()
    assert (board.canonical("sit"), board.canonical("KDU"), board.canonical("Minas Tirith")) == (
        "SIt",
        "Mor",
        "MTi",
    )
    assert board.canonical("Bree") is None


@pytest.mark.parametrize(
    ("old", "new", "after", "message"),
    [
        ('borders = ["Ang", "Eri", "For"]', 'borders = ["Ang", "Eri"]', "[province.Fch]", "For lists Fch"),
        ('"Los"', '"Loss"', "[province.NIt]", "unknown province 'Loss' (did you mean Los?)"),
        ('"Gor"', '"SNu"', "[province.Lit]", "Lit lists a neighbour twice"),
        (
            'mountain_borders = ["NoL"]',
            'mountain_borders = ["NoL", "BDu"]',
            "[province.Lit]",
            "Lit-BDu is both a border and a wall",
        ),
        ('kind = "land"', 'kind = "lake"', "[province.Fch]", "kind 'lake' is none of"),
        ('kind = "land"', 'kind = "coast"', "[province.Fch]", "borders no sea"),
        ('kind = "coast"', 'kind = "land"', "[province.Por]", "borders a sea"),
        ('home = "rohan"', 'home = "rohirrim"', "[province.Hel]", "home 'rohirrim' is none of"),
        ('"A(Lam)"', '"5Q(Lam)"', "[power.gondor]", "is no unit"),
        ("supply_centres = 57", "supply_centres = 56", "[meta]", "supply_centres says 56, the file has 57"),
    ],
)
def test_a_map_that_contradicts_itself_is_refused(old: str, new: str, after: str, message: str) -> None:
    broken = swap(old, new, after)
    with pytest.raises(MapError, match=re.escape(message)) as caught:
        load_board(broken, "mine.toml")
    assert caught.value.file == "mine.toml"
    assert str(caught.value).startswith(f"mine.toml:{caught.value.line}: ")
    if "lists Fch" not in message:
        line = broken.splitlines()[caught.value.line - 1]
        assert new.split("=")[0].strip('" ') in line or new in line


def test_the_line_of_a_one_sided_border_is_where_the_other_side_stands() -> None:
    broken = swap('borders = ["Ang", "Eri", "For"]', 'borders = ["Ang", "Eri"]', "[province.Fch]")
    with pytest.raises(MapError) as caught:
        load_board(broken)
    assert caught.value.line == line_of(broken, "borders =", "[province.For]")


def test_broken_toml_names_its_line() -> None:
    with pytest.raises(MapError, match=r"^map.toml:1: "):
        load_board("[meta\n")
    with pytest.raises(MapError, match=r"there is no \[power\] table"):
        load_board("[meta]\n")


def test_a_game_survives_json() -> None:
    game = new_game(Options(alignment=True), the_board())
    assert from_json(to_json(game)) == game
    assert GONDOR in to_json(game)["centres"].values()


def test_every_option_has_its_default_in_the_model() -> None:
    assert {o.name: o.default for o in OPTIONS} == {n: getattr(Options(), n) for n in Options.__slots__}


def test_clauses_are_numbered_once_and_told() -> None:
    numbers = [c.number for c in clauses()]
    assert len(set(numbers)) == len(numbers)
    assert all(c.title for c in clauses())
    assert numbers[-1] == "21.9"
