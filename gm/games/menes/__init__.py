"""MENES, the Middle-earth Never Ending Story: five races, money, ships and hidden numbers in sixty provinces."""

from __future__ import annotations

import tomllib
from importlib.resources import files

from gm.games.api import Clause, Ruleset
from gm.games.menes.bot import bot
from gm.games.menes.draw import draw
from gm.games.menes.engine import adjudicate, dues, new_game, over, phase
from gm.games.menes.meta import META
from gm.games.menes.parse import merge, parse
from gm.games.menes.report import report
from gm.games.menes.review import review
from gm.games.menes.scenario import position, scenario
from gm.games.menes.view import standings, view


def clauses() -> tuple[Clause, ...]:
    """Every numbered clause of the rulebook, and the rulings on what it leaves open."""
    table = tomllib.loads(files("gm.games.menes").joinpath("clauses.toml").read_text(encoding="utf-8"))
    return tuple(Clause(**row) for row in table["clause"])


RULESET = Ruleset(
    meta=META,
    clauses=clauses,
    new_game=new_game,
    phase=phase,
    dues=dues,
    parse=parse,
    merge=merge,
    review=review,
    adjudicate=adjudicate,
    over=over,
    view=view,
    report=report,
    draw=draw,
    standings=standings,
    scenario=scenario,
    position=position,
    bot=bot,
)
