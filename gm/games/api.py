"""The contract that every ruleset meets: values and pure functions, no I/O, no clock, no global random.

A ruleset is a `Ruleset` value named `RULESET` in ``gm/games/<id>/__init__.py``. The other rooms know
nothing of any ruleset but this module.

Rules of the contract
---------------------
* `State` is a JSON object. Functions never change the one they are given; equal inputs give equal bytes
  (`canonical`). All that a later phase needs is inside it.
* Orders are stored as text in normal form: `parse` of a normal form gives back the same normal form.
* Every function is total: any text, any set of orders has a defined result; none raises on what a player wrote.
* Nothing but `view`, `draw` and `report` makes what a reader sees, and `report`/`draw` get only a `View` and a
  `Reading`, never the state.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol

Json = Any
"""A JSON value: None, bool, int, float, str, list or dict of them."""

State = Mapping[str, Json]
"""The whole truth of a game in one phase. A JSON object, never changed in place."""

PowerId = str
"""Lower-case ASCII name of a side, as in scenario files: ``"gondor"``."""

Audience = Literal["all"] | tuple[PowerId, ...]
"""Who may know something: everybody, or just these powers (an empty tuple: nobody but the GM)."""

ResultWord = Literal[
    "ok",
    "bounce",
    "cut",
    "void",
    "illegal",
    "noconvoy",
    "disrupted",
    "paradox",
    "misorder",
    "partial",
    "blocked",
]


def canonical(value: Json) -> bytes:
    """The one byte form of a JSON value: sorted keys, no spaces, UTF-8. Used for hashes and replay."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


# --- what a ruleset is -------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Power:
    """One side of the game."""

    id: PowerId
    name: str
    """As printed: ``"Gondor"``."""
    adjective: str
    """``"Gondorian"``."""
    letter: str
    """One or two capitals that stand for it in tables and addresses."""
    colour: str
    """``#rrggbb``; the palette of one ruleset stays apart for colour-blind readers."""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Option:
    """A house rule that a GM can set when he creates a game."""

    name: str
    """snake_case, as in scenario files and GM mails."""
    default: bool | int | str
    help: str
    """One sentence for players."""
    choices: tuple[str, ...] = ()
    """For a text option: all allowed values."""
    minimum: int | None = None
    maximum: int | None = None
    rule: str = ""
    """The clause or ruling it settles."""


@dataclass(frozen=True, kw_only=True)
class Clause:
    """One numbered clause of the rulebook, for `gm rules`."""

    number: str
    title: str
    flavour: str = ""
    """Why no test is needed, for a clause that changes nothing in play; else empty."""


@dataclass(frozen=True, kw_only=True)
class Meta:
    """What the world outside knows of a ruleset."""

    id: str
    title: str
    version: str
    """Version of the rules code. A running game is pinned to the one it started with."""
    powers: tuple[Power, ...]
    options: tuple[Option, ...]
    credits: str
    """Designers and copyright terms, in our words, for the game's first mail."""
    syntax: str
    """How to write orders: plain text, at most 72 columns, sent by HELP ORDERS and in the first mail."""
    keywords: frozenset[str] = frozenset()
    """Upper-case first words of order lines that the desk must not take as commands of its own."""


# --- phases and dues -----------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Phase:
    """One adjudication step."""

    name: str
    """The ruleset's short name: ``"S1901M"``, ``"2765 movement"``. Unique within a game."""
    title: str
    """For people: ``"Spring 1901, movement"``."""
    kind: str
    """``"setup"``, ``"movement"``, ``"retreats"``, ``"adjustments"``, ...: calendars have a length per kind."""
    turn: str
    """The game turn that it belongs to: ``"S1901"``, ``"2765"``."""


@dataclass(frozen=True, kw_only=True)
class Due:
    """What one power owes in the present phase."""

    power: PowerId
    required: bool
    """True: the turn waits for him and he can be late. False: he may order, nobody waits."""
    items: tuple[str, ...]
    """One line for each thing that wants an order: ``"A Vie"``, ``"1 build"``. Shown to this power only."""


# --- reading orders -------------------------------------------------------------------------------------


ProblemKind = Literal["unreadable", "ambiguous", "refused", "illegal", "misorder", "warning"]
"""unreadable: not understood · ambiguous: several readings, none taken · refused: understood, not his to order ·
illegal: kept, will fail · misorder: kept, contradicts other lines · warning: kept, probably not what he means."""


@dataclass(frozen=True, kw_only=True)
class Problem:
    """Something wrong with one line of an order mail, in words the player can act on."""

    line: int
    """Line in the text given to `parse`, from 1; 0 when it concerns the whole sheet."""
    text: str
    """The offending line, or the part of it."""
    kind: ProblemKind
    message: str
    """What was wrong, where, and what happens if it stays."""
    suggestion: str = ""
    """The nearest right form, ready to send; empty if there is none."""
    rule: str = ""
    """The clause that says so: ``"necromancer 13.2"``."""


@dataclass(frozen=True, kw_only=True)
class Parsed:
    """Orders found in a text, in normal form and in the order of the text, and all that is wrong with the rest.

    Every line that is not blank and not a comment is either in `orders` or named by a problem.
    """

    orders: tuple[str, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, kw_only=True)
class Review:
    """A whole sheet as the receipt explains it to its owner."""

    missing: tuple[str, ...]
    """Dues without an order, one each."""
    problems: tuple[Problem, ...]
    """Misorders and warnings of the sheet as a whole (line 0)."""
    notes: tuple[str, ...] = ()
    """Forecasts that the ruleset offers: treasury after purchases, what each space will hold."""


# --- results --------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class OrderResult:
    """One order and what became of it."""

    power: PowerId
    order: str
    """In normal form."""
    result: ResultWord
    reason: str = ""
    """One sentence; may be read by everybody in `verdict_to`, so it must tell them nothing else."""
    rule: str = ""
    steps: tuple[ResultWord, ...] = ()
    """One word for each step of an order of several steps."""
    seen_by: Audience = "all"
    """Who learns of the order."""
    verdict_to: Audience = "all"
    """Who learns its result. Others in `seen_by` see the order without a verdict."""


@dataclass(frozen=True, kw_only=True)
class Event:
    """Something the engine decided, with the clause that it follows."""

    kind: str
    """A word of the ruleset's own: ``"dislodged"``, ``"captured"``, ``"battle"``."""
    text: str
    """One sentence for those who may know it."""
    rule: str
    """Clause as players quote it: ``"necromancer 13.9"``, ``"datc 6.F.14"``, ``"menes 8"``."""
    seen_by: Audience = "all"
    data: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Adjudicated:
    """The result of one phase: the whole truth, for the store and the GM."""

    state: State
    orders: tuple[OrderResult, ...]
    events: tuple[Event, ...]


@dataclass(frozen=True, kw_only=True)
class GameOver:
    """How a game ended."""

    winners: tuple[PowerId, ...]
    text: str
    rule: str = ""


# --- what a reader may know -----------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class View:
    """A position as one reader may know it. `power` is None for the public."""

    ruleset: str
    power: PowerId | None
    phase: Phase
    data: Mapping[str, Json]


@dataclass(frozen=True, kw_only=True)
class SeenOrder:
    """An order as one reader may know it; `result` is None where the verdict is hidden from him."""

    power: PowerId
    order: str
    result: ResultWord | None
    reason: str = ""
    rule: str = ""
    steps: tuple[ResultWord, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Reading:
    """The results of one phase as one reader may know them."""

    power: PowerId | None
    phase: Phase
    """The phase that was adjudicated."""
    orders: tuple[SeenOrder, ...]
    events: tuple[Event, ...]


@dataclass(frozen=True, kw_only=True)
class Section:
    """A titled block of a report. Templates lay it out as text and as HTML."""

    title: str
    lines: tuple[str, ...] = ()
    """Sentences or order lines; ``"! "`` at the head of a line marks a failure, ``"> "`` a sub-line."""
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    """A table, if `header` is set; cells that read as numbers are set flush right."""
    private: bool = False
    """True: on the reader's private page only."""


@dataclass(frozen=True, kw_only=True)
class Report:
    """A phase told to one reader."""

    headline: str
    """A newspaper line made of what this reader may know."""
    sections: tuple[Section, ...]


ORDERS_NEXT: Final = "Your orders next"
"""Title of the private section, if a ruleset has one, that explains what its reader must order next. The server then
leaves its own list of what is due out of that report."""


# --- dice -----------------------------------------------------------------------------------------------


class Dice(Protocol):
    """The only source of chance. `gm.games.dice` has the kinds."""

    def roll(self, purpose: str, sides: int = 6) -> int:
        """A number from 1 to `sides`; `purpose` says in words what it decides, and is kept on record."""
        ...


# --- scenario files -------------------------------------------------------------------------------------


class ScenarioError(ValueError):
    """A scenario that cannot be read: which key, what is wrong, the nearest valid name."""

    def __init__(self, key: str, message: str, nearest: str = "") -> None:
        self.key, self.message, self.nearest = key, message, nearest
        super().__init__(f"{key}: {message}" + (f" (did you mean {nearest!r}?)" if nearest else ""))


Sheets = Mapping[PowerId, Sequence[str] | None]
"""Frozen orders of a phase, in normal form. None or a power left out: no moves received (NMR).
An empty sequence: he ordered nothing on purpose."""


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A single phase read from a scenario file: a position and the orders for it."""

    state: State
    texts: Mapping[PowerId, Sequence[str] | None]
    """Orders as a player would mail them, not yet parsed."""


# --- the contract ---------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Ruleset:
    """All that the server needs of a game. Each field is a pure function."""

    meta: Meta

    clauses: Callable[[], tuple[Clause, ...]]
    """Every numbered clause of the rulebook."""

    new_game: Callable[[Mapping[str, bool | int | str], Dice], State]
    """`(options, dice)`: the first state. Options left out take their defaults; names and values were checked
    by `check_options`. Dice only where the rulebook's set-up asks for chance."""

    phase: Callable[[State], Phase]
    """The phase that waits for orders; after the end of the game, the last one."""

    dues: Callable[[State], tuple[Due, ...]]
    """What each power owes now, in the order of `meta.powers`; powers out of the game are left out.
    `required` must not depend on anything hidden: who is late is told to others."""

    parse: Callable[[State, PowerId, str], Parsed]
    """Plain text of one power to orders."""

    merge: Callable[[State, PowerId, Sequence[str], Sequence[str]], tuple[str, ...]]
    """`(state, power, old, new)`: the sheet when `new` orders arrive upon `old` ones: a later order for the
    same unit replaces the earlier."""

    review: Callable[[State, PowerId, Sequence[str]], Review]
    """A sheet explained to its owner."""

    adjudicate: Callable[[State, Sheets, Dice], Adjudicated]
    """One phase. Phases in which nobody has anything to order are passed over by the engine itself."""

    over: Callable[[State], GameOver | None]
    """How the game ended by its rules, or None while it goes on."""

    view: Callable[[State, PowerId | None], View]
    """The position as a power, or the public (None), may know it."""

    report: Callable[[View, View, Reading], Report]
    """`(before, after, reading)`: the phase told to the reader of the views."""

    draw: Callable[[View, Reading | None], str]
    """`(view, reading)`: an SVG of the position in `view`, with the orders of `reading` drawn on it if given."""

    standings: Callable[[View], tuple[tuple[PowerId, int], ...]]
    """Public score (centres, points) of each power, best first."""

    scenario: Callable[[Mapping[str, Json]], Scenario]
    """A scenario table (see docs/scenarios.md) to a position. Raises ScenarioError."""

    position: Callable[[State], Mapping[str, Json]]
    """``units``, ``dislodged`` and ``centres`` of a state in the notation of scenario files."""

    bot: Callable[[View, Dice], tuple[str, ...]]
    """A scripted player: legal, purposeful orders made from what its power may know."""


def sees(audience: Audience, power: PowerId | None) -> bool:
    """Whether a reader (None: the public) belongs to an audience."""
    return audience == "all" or (power is not None and power in audience)


def reading(result: Adjudicated, phase: Phase, power: PowerId | None) -> Reading:
    """The results of a phase cut down to what one reader may know. The only way from results to a reader."""
    orders = tuple(
        SeenOrder(power=o.power, order=o.order, result=o.result, reason=o.reason, rule=o.rule, steps=o.steps)
        if sees(o.verdict_to, power)
        else SeenOrder(power=o.power, order=o.order, result=None)
        for o in result.orders
        if sees(o.seen_by, power)
    )
    events = tuple(
        Event(kind=e.kind, text=e.text, rule=e.rule, data=e.data)
        for e in result.events
        if sees(e.seen_by, power)
    )
    return Reading(power=power, phase=phase, orders=orders, events=events)


class OptionError(ValueError):
    """A house rule that does not exist, or a value it cannot take; the message names the valid ones."""


def check_options(meta: Meta, given: Mapping[str, bool | int | str]) -> dict[str, bool | int | str]:
    """All options of a ruleset with the given values filled in.

    Raises:
        OptionError: unknown name, wrong type, or value out of range.
    """
    known = {o.name: o for o in meta.options}
    for name in given:
        if name not in known:
            raise OptionError(
                f"{meta.id} has no house rule {name!r}; it has: {', '.join(sorted(known)) or 'none'}"
            )
    return {name: _checked(option, given.get(name, option.default)) for name, option in known.items()}


def _checked(option: Option, value: bool | int | str) -> bool | int | str:
    if type(value) is not type(option.default):
        kind = {bool: "true or false", int: "a whole number", str: "a word"}[type(option.default)]
        raise OptionError(f"{option.name} must be {kind}, not {value!r}")
    if option.choices and value not in option.choices:
        raise OptionError(f"{option.name} must be one of {', '.join(option.choices)}, not {value!r}")
    if isinstance(value, int) and not isinstance(value, bool):
        low, high = option.minimum, option.maximum
        if (low is not None and value < low) or (high is not None and value > high):
            raise OptionError(f"{option.name} must be from {low} to {high}, not {value}")
    return value
