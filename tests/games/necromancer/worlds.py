"""Pairs of worlds that differ only in what one reader may not know, and everything that this reader gets of each.

Positions come from games of scripted players. The hidden part is then varied: where the Wizard or the Nazgûl stands and
what it is ordered, which unit Sauron has taken over in secret, and the orders that nobody else ever sees. Whether a
difference is revealed after all is judged here from the rulebook (16.9, 17.4, 18.8), not by the code under test:
an order failed, the unit led or was driven out, or the public results are not the same without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from gm.games.api import Adjudicated, Json, View, canonical, reading
from gm.games.dice import FixedDice, SeededDice
from gm.games.necromancer.board import the_board
from gm.games.necromancer.bot import bot
from gm.games.necromancer.dues import dues
from gm.games.necromancer.engine import adjudicate
from gm.games.necromancer.ids import STANDING
from gm.games.necromancer.model import Game, Options, Unit, normalise
from gm.games.necromancer.normal import parse_orders
from gm.games.necromancer.orders import Order, UnitRef
from gm.games.necromancer.outcome import Resolution
from gm.games.necromancer.parse import merge, parse_text
from gm.games.necromancer.powers import POWERS
from gm.games.necromancer.report import report
from gm.games.necromancer.review import review_of
from gm.games.necromancer.saved import to_json
from gm.games.necromancer.setup import new_game
from gm.games.necromancer.view import phase_of, standings, view_of
from gm.games.necromancer.visibility import publish

Sheets = dict[str, tuple[Order, ...] | None]

READERS: tuple[str | None, ...] = ("dwarves", "easterlings", "elves", "gondor", "haradrim", "rohan", None)


@dataclass(frozen=True)
class World:
    """A position and the orders for it."""

    game: Game
    sheets: Sheets

    def resolve(self) -> Resolution:
        return adjudicate(self.game, self.sheets, FixedDice(()))


@dataclass(frozen=True)
class Pair:
    """Two worlds that `reader` may not tell apart, and what differs."""

    left: World
    right: World
    reader: str | None
    what: str


Channel = Callable[[World, Resolution, Adjudicated, Pair], bytes]
"""Something that the reader of a pair gets of one of its worlds, as bytes."""


# --- positions from play -------------------------------------------------------------------------------------


def positions(seed: int, turns: int = 60) -> Iterator[World]:
    """The phases of one game of scripted players, with the orders that they gave."""
    game = new_game(Options(alignment=bool(seed % 2)), the_board())
    while game.step != "over" and turns:
        turns -= 1
        dice = SeededDice(b"worlds%d" % seed, phase_of(game).name)
        sheets: Sheets = {}
        for power in POWERS:
            texts = bot(view_of(game, power.id), dice)
            sheets[power.id] = tuple(o for _, o in parse_orders(game, power.id, texts) if o)
        yield World(game, sheets)
        game = adjudicate(game, sheets, dice).after


# --- what a reader gets --------------------------------------------------------------------------------------


def _view(world: World, result: Resolution, _: Adjudicated, pair: Pair) -> bytes:
    reader = pair.reader
    before, after = view_of(world.game, reader), view_of(result.after, reader)
    return canonical([_plain(before), _plain(after), standings(before), standings(after)])


def _plain(view: View) -> Json:
    return [view.power, view.phase.name, view.phase.title, view.phase.kind, view.data]


def _reading(world: World, _: Resolution, adjudicated: Adjudicated, pair: Pair) -> bytes:
    reader = pair.reader
    found = reading(adjudicated, phase_of(world.game), reader)
    orders = [[o.power, o.order, o.result, o.reason, o.rule, o.steps] for o in found.orders]
    return canonical([orders, [[e.kind, e.text, e.rule, e.data] for e in found.events]])


def _report(world: World, result: Resolution, adjudicated: Adjudicated, pair: Pair) -> bytes:
    reader = pair.reader
    phase = phase_of(world.game)
    told = report(
        view_of(world.game, reader), view_of(result.after, reader), reading(adjudicated, phase, reader)
    )
    sections = [[s.title, s.lines, s.header, s.rows, s.private] for s in told.sections]
    return canonical([told.headline, sections])


def _dues(world: World, result: Resolution, _: Adjudicated, pair: Pair) -> bytes:
    reader = pair.reader
    found = []
    for game in (world.game, result.after):
        owed = dues(to_json(game))
        found.append([[d.power, d.required] for d in owed])
        found.append([list(d.items) for d in owed if d.power == reader])
    return canonical(found)


def _receipts(world: World, _: Resolution, __: Adjudicated, pair: Pair) -> bytes:
    """Answers to mails that probe for hidden units where they are in either world, and to the reader's own sheet."""
    reader = pair.reader
    if reader is None:
        return b""
    units = (*pair.left.game.units, *pair.right.game.units)
    places = sorted({u.place for u in units if u.kind in ("W", "N") or u.secret} | {"Gap", "Wit", "NMi"})
    mine = [u for u in world.game.units if u.owner == reader][:1]
    lines = [
        f"{u} S {kind}{place}" for u in mine for kind in ("W ", "N ", "D ", "S ", "") for place in places
    ]
    lines += [f"{kind}({place}) Hold" for kind in "WNDA" for place in places]
    lines += [f"Build A({place}); Activate {place}" for place in places]
    parsed = parse_text(world.game, reader, "\n".join(lines))
    own = [text for text, _ in parse_orders(world.game, reader, parsed.orders)]
    reviews = [review_of(world.game, reader, own), review_of(world.game, reader, ())]
    merged = merge(to_json(world.game), reader, own[:5], own[3:8])
    problems = [[p.line, p.text, p.kind, p.message, p.suggestion, p.rule] for p in parsed.problems]
    shown = [[list(r.missing), [[p.text, p.message] for p in r.problems], list(r.notes)] for r in reviews]
    return canonical([list(parsed.orders), problems, shown, list(merged)])


CHANNELS: Mapping[str, Channel] = {
    "view": _view,
    "reading": _reading,
    "report": _report,
    "dues": _dues,
    "receipts": _receipts,
}


def leaks(pair: Pair, channels: Mapping[str, Channel]) -> list[str]:
    """The channels by which the pair's reader can tell its worlds apart."""
    found = []
    seen: dict[str, list[bytes]] = {}
    for world in (pair.left, pair.right):
        result = world.resolve()
        adjudicated = publish(result)
        for name, channel in channels.items():
            seen.setdefault(name, []).append(channel(world, result, adjudicated, pair))
    for name, (left, right) in seen.items():
        if left != right:
            found.append(name)
    return found


# --- variations ------------------------------------------------------------------------------------------------


def pairs(rng: Random, world: World) -> Iterator[Pair]:
    """Pairs made from one position, before it is asked whether anything is revealed."""
    game = world.game
    if game.step == "retreats" and rng.random() < 0.7:
        return  # movement phases hold more ways to leak
    if game.step in ("movement", "retreats", "adjustments") and game.year > 2765:
        for kind, owner in (("W", "saruman"), ("N", "sauron")):
            other = _moved_zero(rng, world, kind)
            base = _hidden_order(rng, world, kind)
            if other and base:
                yield Pair(base, other, _reader(rng, owner), f"{kind} elsewhere")
        for other, what in _other_secret(rng, world):
            yield Pair(world, other, _reader(rng, "sauron"), what)
    if game.step == "movement":
        for kind, owner in (("W", "saruman"), ("N", "sauron")) * 2:
            left, right = _hidden_order(rng, world, kind), _hidden_order(rng, world, kind)
            if left and right and left != right:
                yield Pair(left, right, _reader(rng, owner), f"{kind} ordered otherwise")
    if game.step in ("setup", "adjustments"):
        other = _other_choice(rng, world)
        if other:
            yield Pair(world, other, _reader(rng, "sauron"), "another activation")


def _reader(rng: Random, owner: str) -> str | None:
    """Anybody but the owner; the two who hide things read one another's pages too."""
    return rng.choice((*READERS, "sauron" if owner == "saruman" else "saruman"))


def _zero(game: Game, kind: str) -> Unit | None:
    return next((u for u in game.units if u.kind == kind), None)


def _others_orders(world: World, unit: Unit) -> Sheets:
    sheets = dict(world.sheets)
    orders = sheets.get(unit.owner)
    sheets[unit.owner] = tuple(o for o in orders or () if not (o.unit and o.unit.kind == unit.kind))
    return sheets


def _hidden_order(rng: Random, world: World, kind: str) -> World | None:
    unit = _zero(world.game, kind)
    if unit is None:
        return None
    sheets = _others_orders(world, unit)
    if world.game.step == "movement":
        sheets[unit.owner] = (*(sheets[unit.owner] or ()), *_random_order(rng, unit))
    return World(world.game, sheets)


def _random_order(rng: Random, unit: Unit) -> tuple[Order, ...]:
    board = the_board()
    province = board[unit.place]
    near = [*province.borders, *(province.walls if unit.kind == "N" else ())]
    roll = rng.random()
    if roll < 0.15:
        return ()
    if roll < 0.4:
        return (Order("hold", unit.ref),)
    if roll < 0.5:  # illegal: shown to its owner alone
        return (Order("move", unit.ref, path=(rng.choice([p.id for p in board.provinces]),)),)
    first = rng.choice(near)
    if unit.kind == "N" and roll < 0.75:
        return (Order("move", unit.ref, path=(first, rng.choice(board[first].borders))),)
    return (Order("move", unit.ref, path=(first,)),)


def _moved_zero(rng: Random, world: World, kind: str) -> World | None:
    """The Wizard or Nazgûl somewhere else, where it may be; the stack that a Nazgûl holds together keeps it."""
    game = world.game
    unit = _zero(game, kind)
    if unit is None:
        return None
    here = [u for u in game.units if u.owner == unit.owner and u.place == unit.place and u is not unit]
    if kind == "N" and sum(u.strength for u in here) > 1:
        return None
    if any(the_board()[u.place].kind == "sea" for u in (unit,)):
        return None
    barred = {u.place for u in game.units if u.owner != unit.owner}
    places = [
        p.id
        for p in the_board().provinces
        if p.kind in ("land", "coast") and p.id not in barred and p.id != unit.place
    ]
    moved = replace(unit, place=rng.choice(places))
    units = normalise([*(u for u in game.units if u is not unit), moved])
    return _hidden_order(rng, World(replace(game, units=units), world.sheets), kind)


def _other_secret(rng: Random, world: World) -> Iterator[tuple[World, str]]:
    """Another unit taken over in secret, or Dragons or Spiders that nobody has seen yet."""
    game, board = world.game, the_board()
    orders = world.sheets.get("sauron") or ()
    secret = [u for u in game.units if u.secret and u.kind == "A"]
    standing = [u for u in game.units if u.owner == STANDING and u.kind == "A" and u.place in board.standing]
    if secret and standing:
        one, two = rng.choice(secret), rng.choice(standing)
        free = two.place not in game.centres and two.place not in game.captured
        if free and two.place not in game.activated:
            swapped = _swap(game, one, two)
            hold = (*(o for o in orders if not _is_for(o, one)), Order("hold", UnitRef("A", two.place)))
            if game.step != "movement":
                hold = orders
            yield World(swapped, {**world.sheets, "sauron": hold}), "another army taken over"
    for kind, place, flag in (
        ("D", "Wit", "dragons_spent"),
        ("S", rng.choice(("NMi", "EMi")), "spiders_spent"),
    ):
        there = any(u.place == place for u in game.units)
        if not getattr(game, flag) and not there and not game.sauron_out:
            beast = Unit("sauron", kind, place, secret=True)  # type: ignore[arg-type]  # a plain str for a kind
            units = normalise([*game.units, beast])
            new = replace(game, units=units, **{flag: True})  # type: ignore[arg-type]  # a field by name
            hold = (*orders, Order("hold", beast.ref)) if game.step == "movement" else orders
            yield World(new, {**world.sheets, "sauron": hold}), f"{kind} lurks in {place}"


def _is_for(order: Order, unit: Unit) -> bool:
    return order.unit is not None and (order.unit.kind, order.unit.place) == (unit.kind, unit.place)


def _swap(game: Game, one: Unit, two: Unit) -> Game:
    units = [
        replace(u, owner=STANDING, secret=False)
        if u == one
        else replace(u, owner="sauron", secret=True)
        if u == two
        else u
        for u in game.units
    ]
    centres = {two.place if p == one.place else p: owner for p, owner in game.centres.items()}
    public = {p: owner for p, owner in game.public_owners.items() if p != one.place}
    activated = tuple(two.place if p == one.place else p for p in game.activated)
    return replace(
        game,
        units=normalise(units),
        centres=centres,
        public_owners={**public, two.place: None},
        activated=activated,
    )


def _other_choice(rng: Random, world: World) -> World | None:
    """Another activation, or none; another place for a new Nazgûl."""
    orders = world.sheets.get("sauron")
    if not orders or not any(o.kind in ("activate", "raise") for o in orders):
        return None
    changed = []
    for order in orders:
        if order.kind == "activate" and order.alternatives:
            first, *rest = rng.sample([order.unit, *order.alternatives], len(order.alternatives) + 1)
            changed.append(replace(order, unit=first, alternatives=tuple(rest)))
        elif order.kind == "activate" and world.game.step == "setup":
            changed.append(Order("activate", UnitRef("A", rng.choice(the_board().standing))))
        elif order.kind == "activate":
            continue
        elif order.kind == "raise" and order.alternatives:
            changed.append(replace(order, unit=order.alternatives[0], alternatives=(order.unit,)))  # type: ignore[arg-type]  # it has a unit
        else:
            changed.append(order)
    return World(world.game, {**world.sheets, "sauron": tuple(changed)})


# --- what is revealed: the oracle --------------------------------------------------------------------------


def revealed(pair: Pair) -> bool:
    """Whether the rules let the reader know of the difference (16.9, 17.4, 18.8)."""
    return any(_comes_out(world, pair) for world in (pair.left, pair.right))


def _comes_out(world: World, pair: Pair) -> bool:
    result = world.resolve()
    if result.after.winners or result.after.sauron_out != world.game.sauron_out:
        return True  # who has won or fallen, and with what, is for all to see
    if _supported_by_reader(world, pair.reader):
        return True
    hidden = [u for u in world.game.units if u.kind in ("W", "N") or u.secret]
    for unit in hidden:
        if pair.reader != unit.owner and (
            _shows_itself(world, result, unit) or _is_needed(world, result, unit)
        ):
            return True
    return world.game.step == "adjustments" and _shows_in_builds(world, result)


def _supported_by_reader(world: World, reader: str | None) -> bool:
    """He who supports a hidden unit is told whether that was valid."""
    orders = world.sheets.get(reader) if reader else None
    return any(
        o.kind == "support" and o.inner and o.inner.unit and o.inner.unit.kind in ("W", "N")
        for o in orders or ()
    )


def _legal_goal(unit: Unit, order: Order) -> str | None:
    """Where a legal move of a Wizard or Nazgûl ends; None for an illegal one."""
    board = the_board()
    here = unit.place
    for place in order.path:
        if place == here and place == unit.place and len(order.path) == 2:
            continue
        near = [*board[here].borders, *(board[here].walls if unit.kind == "N" else ())]
        if place not in near or board[place].kind == "sea":
            return None
        here = place
    if len(order.path) == 2 and (unit.kind != "N" or order.path[0] == order.path[1]):
        return None
    return here if order.path and (here != unit.place or len(order.path) == 2) else None


def _shows_itself(world: World, result: Resolution, unit: Unit) -> bool:
    """It failed, led, was driven out or retreated; a secret unit did anything but hold."""
    game, after = world.game, result.after
    if any(
        (d.unit.owner, d.unit.kind) == (unit.owner, unit.kind) for d in (*game.dislodged, *after.dislodged)
    ):
        return True
    if unit.kind in ("W", "N") and not any((u.owner, u.kind) == (unit.owner, unit.kind) for u in after.units):
        return not after.sauron_out or unit.kind == "W"
    owned = game.centres.get(unit.place)
    if unit.secret and owned not in (None, unit.owner) and after.centres.get(unit.place) == unit.owner:
        return True  # the loser of a centre learns who took it
    if unit.secret and game.step == "movement":
        still = any((u.owner, u.kind, u.place) == (unit.owner, unit.kind, unit.place) for u in after.units)
        acted = any(_is_for(o, unit) and o.kind != "hold" for o in world.sheets.get(unit.owner) or ())
        return acted or not still
    if game.step != "movement" or unit.secret:
        return False
    mine = [o for o in world.sheets.get(unit.owner) or () if _is_for(o, unit)]
    if any(o.kind == "lead" for o in mine):
        return True
    goals = [goal for o in mine if o.kind == "move" and (goal := _legal_goal(unit, o))]
    ends = [u.place for u in after.units if (u.owner, u.kind) == (unit.owner, unit.kind)]
    if len(mine) == 1 and goals and goals[0] not in ends:
        return True
    if any(len(o.path) == 2 and o.path[1] == unit.place for o in mine):
        return True  # there and back again: from where it ends nobody can tell whether it failed
    sea = any(the_board()[place].kind == "sea" for o in mine for place in o.path)
    return len(mine) > 1 or sea  # contradictory orders and voyages are not what this oracle judges


def _is_needed(world: World, result: Resolution, unit: Unit) -> bool:
    """Whether the public results are different without the unit."""
    if world.game.step == "adjustments":
        return False  # judged by `_shows_in_builds`
    if unit.kind in ("D", "S") and any(
        o.kind == "move" and unit.place in o.path for orders in world.sheets.values() for o in orders or ()
    ):
        return True  # Dragons and Spiders come out whenever they have a part in another's result (ruling 41)
    if unit.kind == "A":
        without = [replace(u, owner=STANDING, secret=False) if u == unit else u for u in world.game.units]
    else:
        without = [u for u in world.game.units if u != unit]
    orders = tuple(o for o in world.sheets.get(unit.owner) or () if not _is_for(o, unit))
    other = World(replace(world.game, units=normalise(without)), {**world.sheets, unit.owner: orders})
    return _public(result, unit) != _public(other.resolve(), unit)


def _public(result: Resolution, unit: Unit) -> object:
    """Results and positions of all units but the one in question."""
    outcomes = [
        (o.power, o.order, o.result, o.steps)
        for o in result.outcomes
        if not _is_for(o.order, unit) and not (o.order.inner and _is_for(o.order.inner, unit))
    ]
    units = [
        (u.owner if not u.secret else STANDING, u.kind, u.place, u.strength, u.fleets, u.engines)
        for u in result.after.units
        if (u.owner, u.kind, u.place) != (unit.owner, unit.kind, unit.place)
        and u.kind not in ("W", "N")
        and not (unit.kind == "A" and u.owner == STANDING and u.place == unit.place)
    ]
    dislodged = [(str(d.unit), d.attacker_from) for d in result.after.dislodged]
    return (outcomes, units, dislodged, result.after.step)


def _shows_in_builds(world: World, result: Resolution) -> bool:
    """An army raised at the Wizard, a build that a hidden unit spoils, or what Sauron builds where he took over."""
    zero = {u.place for u in world.game.units if u.kind in ("W", "N")}
    ordered = {
        o.unit.place for orders in world.sheets.values() for o in orders or () if o.kind == "build" and o.unit
    }
    raised = sum(u.owner == "saruman" for u in result.after.units) > sum(
        u.owner == "saruman" for u in world.game.units
    )
    fresh = {u.place for u in result.after.units if u.secret}
    removed = any(u.secret and u not in result.after.units for u in world.game.units)
    return raised or bool(zero & ordered) or bool(fresh & ordered) or removed


def kept(rng: Random, seeds: Sequence[int], wanted: int) -> Iterator[Pair]:
    """Pairs whose difference the rules keep from their reader, until there are enough of them."""
    count = 0
    for seed in seeds:
        for world in positions(seed):
            for pair in pairs(rng, world):
                if (
                    to_json(pair.left.game) == to_json(pair.right.game)
                    and pair.left.sheets == pair.right.sheets
                ):
                    continue
                if not revealed(pair):
                    yield pair
                    count += 1
                    if count >= wanted:
                        return
