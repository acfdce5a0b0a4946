"""Who owes orders in a phase, and which.

Whether the turn waits for a power is told to everybody (who is late is printed), so it depends on nothing hidden:
Sauron and Saruman are waited for whenever what the others see leaves room for an order of theirs.
"""

from __future__ import annotations

from gm.games.api import Due, State
from gm.games.necromancer.facts import balance, offers, owed
from gm.games.necromancer.ids import SARUMAN, SAURON, PowerId
from gm.games.necromancer.model import Game
from gm.games.necromancer.powers import POWERS
from gm.games.necromancer.saved import from_json
from gm.games.necromancer.view import out_of_game


def dues(state: State) -> tuple[Due, ...]:
    """See `gm.games.api.Ruleset.dues`."""
    game = from_json(state)
    if game.step == "over":
        return ()
    found = (due_of(game, p.id) for p in POWERS if not out_of_game(game, p.id))
    return tuple(due for due in found if due is not None)


def due_of(game: Game, power: PowerId) -> Due | None:
    """What one power owes now; None if it has nothing to say in this phase."""
    match game.step:
        case "setup":
            items = _setup(power)
        case "movement":
            items = _movement(game, power)
            if power == SAURON and not any(u.owner == SAURON and not u.secret for u in game.units):
                # nobody may learn from the wait whether he still has a unit that they do not know of
                return Due(power=power, required=False, items=items or ("nothing",))
        case "retreats":
            items = tuple(
                f"{d.unit} must retreat: {', '.join(offers(game, d, power)) or 'nowhere, it will be disbanded'}"
                for d in game.dislodged
                if d.unit.owner == power
            )
        case _:
            return _adjustments(game, power)
    return Due(power=power, required=True, items=items) if items else None


def _setup(power: PowerId) -> tuple[str, ...]:
    if power == SAURON:
        return ("Activate: one standing army, the Dragons or the Spiders",)
    return ("Place: the third army",) if power == SARUMAN else ()


def _movement(game: Game, power: PowerId) -> tuple[str, ...]:
    return tuple(str(u) for u in game.units if u.owner == power)


def _adjustments(game: Game, power: PowerId) -> Due | None:
    mine = owed(game, power)
    number = balance(game, power)
    items: list[str] = []
    if number > 0 and (mine["builds"] or power == SARUMAN):
        items.append(f"{number} build{'s' if number > 1 else ''}")
    if number < 0:
        items.append(f"{-number} removal{'s' if number < -1 else ''}")
    if power == SAURON:
        items += ["one activation"] if mine["activate"] else []
        items += ["a new Nazgûl to raise"] if mine["raise"] else []
        # always waited for: what is left to activate is a secret, and so is where it may be done
        return Due(power=power, required=True, items=tuple(items) or ("nothing: mail Waive to be done",))
    if power == SARUMAN and number > 0:
        return Due(power=power, required=True, items=tuple(items))
    return Due(power=power, required=True, items=tuple(items)) if items else None
