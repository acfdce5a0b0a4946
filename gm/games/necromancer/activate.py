"""Sauron's yearly choice: a standing army, the Dragons, the Spiders (17.2-17.6), and a new Nazgûl (18.13)."""

from __future__ import annotations

from dataclasses import replace

from gm.games.necromancer.board import Board
from gm.games.necromancer.centres import activatable, homes
from gm.games.necromancer.ids import SAURON, STANDING, ZERO, Place
from gm.games.necromancer.ledger import Ledger, Verdict
from gm.games.necromancer.model import Game, Unit
from gm.games.necromancer.orders import Order, UnitRef
from gm.games.necromancer.outcome import Actor, Happening


def candidates(game: Game, board: Board) -> tuple[UnitRef, ...]:
    """Everything that Sauron may try to activate, as far as he can know."""
    if game.sauron_out:
        return ()
    found = [UnitRef("A", place) for place in activatable(game, board)]
    seen = {u.place for u in game.units if u.owner == SAURON or u.kind not in ZERO}
    if not game.dragons_spent and board.dragon_entry not in seen:
        found.append(UnitRef("D", board.dragon_entry))
    if not game.spiders_spent:
        found += [UnitRef("S", place) for place in board.spider_entry if place not in seen]
    return tuple(found)


def raising_places(game: Game, board: Board) -> tuple[Place, ...]:
    """Where a new Nazgûl may be raised; empty unless the old one was disbanded since the last adjustments."""
    if not game.nazgul_due or game.sauron_out:
        return ()
    return tuple(
        place
        for place in homes(game, board, SAURON)
        if _is_active_home(game, place)
        and not any(
            u.place == place
            and u.kind not in ZERO
            and (u.owner != SAURON or game.options.nazgul_needs_vacant_home)
            for u in game.units
        )
    )


def _is_active_home(game: Game, place: Place) -> bool:
    return game.centres.get(place) == SAURON or not game.options.nazgul_needs_owned_home


def activate(ledger: Ledger, order: Order) -> Verdict:
    """The first of the unit and its alternatives that can be activated; one in each phase, and no choice is made for
    Sauron beyond those that he names (17.6)."""
    wishes = [order.unit, *order.alternatives] if order.unit else []
    if ledger.fresh or (ledger.dragons_spent, ledger.spiders_spent) != (
        ledger.game.dragons_spent,
        ledger.game.spiders_spent,
    ):
        return ("illegal", "no_builds", "17.2", ())
    failure: Verdict = ("illegal", "no_unit", "17.6", ())
    for number, ref in enumerate(wishes):
        verdict = _animals(ledger, ref) if ref.kind in "DS" else _army(ledger, ref)
        if verdict[0] == "ok":
            return verdict
        if number == 0:
            failure = verdict
    return failure


def _army(ledger: Ledger, ref: UnitRef) -> Verdict:
    game, board, place = ledger.game, ledger.board, ref.place
    if ref.kind != "A" or place not in board.standing:
        return ("illegal", "not_home", "17.1", ())
    if place not in activatable(game, board):
        return ("blocked", "spent", "17.5" if place in game.captured else "17.2", ())
    ledger.units = [
        replace(u, owner=SAURON, secret=True) if u.owner == STANDING and u.place == place else u
        for u in ledger.units
    ]
    ledger.activated.append(place)
    ledger.fresh.append(place)
    if game.options.activation_gives_centre:
        ledger.public[place] = ledger.centres.get(place)
        ledger.centres[place] = SAURON
    ledger.told.append(Happening("activated", "17.2", SAURON, UnitRef("A", place), place))
    return ("ok", "done", "17.2", ())


def _animals(ledger: Ledger, ref: UnitRef) -> Verdict:
    """Dragons or Spiders, each once in the game, in a province without any other unit (17.3)."""
    board = ledger.board
    dragons = ref.kind == "D"
    if ref.place not in ((board.dragon_entry,) if dragons else board.spider_entry):
        return ("illegal", "not_home", "17.3", ())
    if ledger.dragons_spent if dragons else ledger.spiders_spent:
        return ("blocked", "spent", "17.3", ())
    there = ledger.here(ref.place)
    if there:
        by = tuple(Actor(u.owner, u.ref, "present") for u in there)
        hidden = all(u.kind in ZERO and u.owner != SAURON for u in there)
        return ("blocked", "blocked_by_hidden" if hidden else "closed", "17.3", by)
    if dragons:
        ledger.dragons_spent = True
    else:
        ledger.spiders_spent = True
    ledger.units.append(Unit(SAURON, ref.kind, ref.place, secret=True))
    ledger.told.append(Happening("activated", "17.3", SAURON, ref, ref.place))
    return ("ok", "done", "17.3", ())


def raise_nazgul(ledger: Ledger, order: Order) -> Verdict:
    """A new Nazgûl in the first of the places that can have it (18.13)."""
    game, board = ledger.game, ledger.board
    if not game.nazgul_due or any(u.kind == "N" for u in ledger.units):
        return ("illegal", "spent", "18.13", ())
    failure: Verdict = ("illegal", "no_unit", "18.13", ())
    for number, ref in enumerate([order.unit, *order.alternatives] if order.unit else []):
        verdict = _raise_at(ledger, ref, raising_places(game, board))
        if verdict[0] == "ok":
            return verdict
        if number == 0:
            failure = verdict
    return failure


def _raise_at(ledger: Ledger, ref: UnitRef, places: tuple[Place, ...]) -> Verdict:
    place = ref.place
    if ref.kind != "N":
        return ("illegal", "kind", "18.13", ())
    if place in ledger.fresh or place not in places:
        return ("illegal", "not_home", "18.13", ())
    foreign = [u for u in ledger.here(place) if u.owner != SAURON]
    if foreign:
        by = tuple(Actor(u.owner, u.ref, "present") for u in foreign)
        return ("blocked", "blocked_by_hidden", "16.5", by)
    ledger.units.append(Unit(SAURON, "N", place))
    ledger.told.append(Happening("raised", "18.13", SAURON, ref, place))
    return ("ok", "done", "18.13", ())
