"""Necromancer v0.4.5 by Richard Egan: the ruleset as the rest of the server knows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gm.games.api import (
    Adjudicated,
    Dice,
    GameOver,
    OrderResult,
    Phase,
    Ruleset,
    Sheets,
    State,
)
from gm.games.necromancer.board import the_board
from gm.games.necromancer.bot import bot
from gm.games.necromancer.clauses import clauses
from gm.games.necromancer.draw import draw
from gm.games.necromancer.dues import dues
from gm.games.necromancer.engine import adjudicate as resolve
from gm.games.necromancer.ids import PowerId
from gm.games.necromancer.meta import META
from gm.games.necromancer.model import Options
from gm.games.necromancer.normal import parse_orders
from gm.games.necromancer.orders import Order
from gm.games.necromancer.parse import merge, parse
from gm.games.necromancer.powers import BY_ID, does, name_of
from gm.games.necromancer.report import report
from gm.games.necromancer.review import review
from gm.games.necromancer.saved import from_json, to_json
from gm.games.necromancer.scenario import position, scenario
from gm.games.necromancer.setup import new_game as opening
from gm.games.necromancer.view import phase_of, standings, view
from gm.games.necromancer.visibility import publish


def new_game(options: Mapping[str, bool | int | str], dice: Dice) -> State:
    """The set-up phase of 2750; no dice are rolled, since the rulebook leaves nothing to chance."""
    del dice
    return to_json(opening(Options(**options), the_board()))  # type: ignore[arg-type]  # checked by check_options


def phase(state: State) -> Phase:
    """See `gm.games.api.Ruleset.phase`."""
    return phase_of(from_json(state))


def adjudicate(state: State, sheets: Sheets, dice: Dice) -> Adjudicated:
    """See `gm.games.api.Ruleset.adjudicate`. A line that is no order is answered to its sender as illegal."""
    game = from_json(state)
    read_sheets: dict[PowerId, Sequence[Order] | None] = {}
    unread: list[OrderResult] = []
    for power in sorted(p for p in sheets if p in BY_ID):
        texts = sheets[power]
        if texts is None:
            read_sheets[power] = None
            continue
        found = parse_orders(game, power, texts)
        read_sheets[power] = tuple(order for _, order in found if order)
        unread += [
            OrderResult(
                power=power,
                order=text,
                result="illegal",
                reason=f"{name_of(power)} sent this line, which is no order",
                rule="necromancer 2",
                seen_by=(power,),
                verdict_to=(power,),
            )
            for text, order in found
            if order is None
        ]
    result = publish(resolve(game, read_sheets, dice))
    return replace(result, orders=(*result.orders, *unread))


def over(state: State) -> GameOver | None:
    """See `gm.games.api.Ruleset.over`."""
    game = from_json(state)
    if game.step != "over":
        return None
    winners = " and ".join(does(power, "wins") for power in game.winners)
    return GameOver(
        winners=game.winners,
        text=f"{winners or 'Nobody wins'} in {game.year} TA",
        rule="necromancer 20.1",
    )


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
