"""The ruleset as a value: options, clauses, texts for players."""

from __future__ import annotations

import pytest

from gm.games.api import OptionError, check_options
from gm.games.diplomacy import RULESET


def test_house_rules():
    assert check_options(RULESET.meta, {}) == {"end_year": 0, "win_centres": 18}
    with pytest.raises(OptionError, match="win_centres must be from 8 to 34"):
        check_options(RULESET.meta, {"win_centres": 3})


def test_clauses_are_numbered_once():
    numbers = [clause.number for clause in RULESET.clauses()]
    assert len(numbers) == len(set(numbers))
    assert {"1.1", "4.A.2", "6.A", "6.J"} <= set(numbers)


def test_the_syntax_help_fits_a_mail():
    lines = RULESET.meta.syntax.splitlines()
    assert max(map(len, lines)) <= 72


def test_powers():
    assert [power.id for power in RULESET.meta.powers] == [
        "austria", "england", "france", "germany", "italy", "russia", "turkey",
    ]  # fmt: skip
    assert len({power.letter for power in RULESET.meta.powers}) == 7
    assert len({power.colour for power in RULESET.meta.powers}) == 7
