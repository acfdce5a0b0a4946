"""Standard Diplomacy, by the rulebook of 2023 and the choices that the DATC prefers."""

from gm.games.api import Ruleset
from gm.games.diplomacy.bot import bot
from gm.games.diplomacy.draw import draw
from gm.games.diplomacy.meta import META, clauses
from gm.games.diplomacy.parse import parse
from gm.games.diplomacy.phases import adjudicate, merge
from gm.games.diplomacy.report import report
from gm.games.diplomacy.review import review
from gm.games.diplomacy.scenario import position, scenario
from gm.games.diplomacy.state import dues, new_game, over, phase
from gm.games.diplomacy.view import standings, view

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
