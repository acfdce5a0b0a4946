"""Every clause of the rulebook has a test or a reason; every clause that the code cites exists."""

import re
from pathlib import Path

import pytest

from gm.games.api import OptionError, check_options
from gm.games.menes import RULESET
from gm.games.menes import __path__ as package

HERE = Path(__file__).parent
MARKED = {
    m for path in HERE.glob("test_*.py") for m in re.findall(r'rule\("menes", "([^"]+)"\)', path.read_text())
}
NUMBERS = {c.number for c in RULESET.clauses()}


def test_every_clause_that_changes_play_is_tested():
    assert {c.number for c in RULESET.clauses() if not c.flavour} - MARKED == set()


def test_flavour_has_a_reason_and_no_test():
    assert all(c.number not in MARKED for c in RULESET.clauses() if c.flavour)
    assert MARKED <= NUMBERS


def test_all_sections_and_changes_are_there():
    for number in ("C1", "C2", "C3", "C4", "C4½", "C5", *map(str, range(2, 11))):
        assert any(n == number or n.startswith(f"{number}.") for n in NUMBERS), number


def test_the_code_cites_only_clauses_that_exist():
    cited = set()
    for path in sorted(Path(package[0]).glob("*.py")):
        text = path.read_text(encoding="utf-8")
        cited |= set(re.findall(r'"menes ((?:R [a-z0-9 -]+)|C?\d[0-9.½]*[a-e]?)"', text))
        cited |= set(re.findall(r'"((?:R [a-z][a-z0-9 -]+)|C\d½?|\d{1,2}\.\d[a-e]?)"', text))
    assert cited - NUMBERS == set()
    assert {"8.6", "R peace", "5.7b"} <= cited


def test_every_option_names_the_clause_that_it_settles():
    for option in RULESET.meta.options:
        assert option.rule.removeprefix("menes ") in NUMBERS, option.name
        assert option.help.endswith((".", "?")), option.name


@pytest.mark.parametrize("given", [{"die_sides": 1}, {"excess_moves": "guess"}, {"upkeep": "3"}, {"dice": 6}])
def test_house_rules_are_checked(given):
    with pytest.raises(OptionError):
        check_options(RULESET.meta, given)


def test_the_rules_page_for_players_fits_a_mail():
    assert max(len(line) for line in RULESET.meta.syntax.splitlines()) <= 72
    assert {"BUY", "MOVE", "FLY", "VACATION"} <= RULESET.meta.keywords


def test_the_page_of_the_ruleset_lists_every_house_rule_with_its_default():
    page = (HERE.parents[2] / "docs" / "rulesets" / "menes.md").read_text(encoding="utf-8")
    for option in RULESET.meta.options:
        default = str(option.default).lower() if isinstance(option.default, bool) else str(option.default)
        assert f"| `{option.name}` | `{default}` |" in page
