"""Order mails to orders: lines, headings, sentences, and the problems of each.

Sentences are read by `grammar`; this module splits the mail, keeps headings in mind, checks that a unit is the
writer's own, and says of every line that is not taken why, with the nearest right form.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from gm.games.api import Parsed, Problem, ProblemKind, State
from gm.games.necromancer.grammar import statement
from gm.games.necromancer.ids import SAURON, STANDING, PowerId
from gm.games.necromancer.legality import not_owned, objection
from gm.games.necromancer.model import Game, Unit, is_adjustment_year
from gm.games.necromancer.names import KIND_NAMES, full_name, place_of, power_of
from gm.games.necromancer.normal import default_section, own_units, parse_orders, reader_of
from gm.games.necromancer.orders import Order, UnitRef, order_text
from gm.games.necromancer.powers import name_of
from gm.games.necromancer.reader import JOINS, Reader, Section, Trouble
from gm.games.necromancer.saved import from_json
from gm.games.necromancer.tokens import clean, tokenise

MOVEMENT = ("hold", "move", "support", "build_fleet", "build_engine", "lead")
RETREATS = ("retreat", "disband")
ADJUSTMENTS = ("build", "remove", "waive", "activate", "raise")
SETUP = ("place", "activate")

_SENTENCES_PER_LINE = 200
_LONGEST_LINE = 10_000
"""More than any honest line holds, in sentences and characters: what goes beyond is refused and costs nothing."""

_HEADINGS: dict[str, Section] = {
    "retreat": "retreats",
    "retreats": "retreats",
    "adjustment": "adjustments",
    "adjustments": "adjustments",
    "winter": "adjustments",
    "activation": "adjustments",
    "activations": "adjustments",
    "build": "builds",
    "builds": "builds",
    "removal": "removals",
    "removals": "removals",
    "disbands": "removals",
    "order": "orders",
    "orders": "orders",
    "move": "orders",
    "moves": "orders",
    "movement": "orders",
}
_SMALL_WORDS = frozenset(
    {
        "the",
        "of",
        "and",
        "my",
        "our",
        "in",
        "turn",
        "year",
        "spring",
        "summer",
        "autumn",
        "fall",
        "phase",
        "third",
    }
    | {"age", "ta", "t", "list", "here", "are", "is", "possible", "if", "dislodged", "needed", "necromancer"}
    | {"game", "secret", "setup", "set", "up"}
)
"""Words that a heading may have besides those that make it one."""


def parse(state: State, power: PowerId, text: str) -> Parsed:
    """See `gm.games.api.Ruleset.parse`."""
    return parse_text(from_json(state), power, text)


def parse_text(game: Game, power: PowerId, text: str) -> Parsed:
    """The orders of a mail and what is wrong with the rest. Never raises, whatever the text."""
    mail = _Mail(game, power)
    for number, line in enumerate(text.splitlines(), 1):
        mail.read(number, line)
    return Parsed(orders=tuple(order_text(o, game.step) for o in mail.orders), problems=tuple(mail.problems))


def merge(state: State, power: PowerId, old: Sequence[str], new: Sequence[str]) -> tuple[str, ...]:
    """The sheet when `new` orders arrive upon `old` ones.

    All old orders for a province's units of one kind give way to new ones for them, since the parts of a multiple
    army are ordered together (13.3); a new list of builds, waivers or removals replaces the old list.
    """
    game = from_json(state)
    fresh = parse_orders(game, power, new)
    replaced = {_slot(order) for _, order in fresh if order}
    kept = [
        text
        for text, order in parse_orders(game, power, old)
        if order is None or _slot(order) not in replaced
    ]
    return (*kept, *(text for text, _ in fresh))


def _slot(order: Order) -> tuple[str, str, str]:
    if order.kind in ("build", "waive", "remove"):
        return ("builds", "", "")
    if order.kind in ("activate", "raise", "place") or order.unit is None:
        return (order.kind, "", "")
    family = "retreats" if order.kind in RETREATS else "orders"
    return (family, order.unit.kind, order.unit.place)


class _Mail:
    """What has been read so far of one order mail."""

    def __init__(self, game: Game, power: PowerId) -> None:
        self.game, self.power = game, power
        self.section = default_section(game.step)
        self.orders: list[Order] = []
        self.counts: Counter[Order] = Counter()
        self.problems: list[Problem] = []

    def problem(
        self, line: int, text: str, kind: ProblemKind, message: str, suggestion: str = "", rule: str = ""
    ) -> None:
        rule = f"necromancer {rule}" if rule else ""
        self.problems.append(
            Problem(
                line=line,
                text=text,
                kind=kind,
                message=message[:1].upper() + message[1:] if message[:1].islower() else message,
                suggestion=suggestion,
                rule=rule,
            )
        )

    def read(self, number: int, raw: str) -> None:
        stripped = raw.strip()
        if not any(c.isalnum() for c in stripped) or stripped.startswith(("#", "//")):
            return
        if len(raw) > _LONGEST_LINE:
            self.problem(
                number, f"{raw[:40]}...", "unreadable", "The line is too long: write one order a line"
            )
            return
        line = self._heading(number, clean(raw))
        if not any(c.isalnum() for c in line):
            return
        reader = reader_of(self.game, self.power, line, self.section)
        for _ in range(_SENTENCES_PER_LINE):
            reader.take_all(*JOINS)
            if reader.peek() is None:
                return
            self._sentence(number, reader)
        self.problem(
            number, reader.text(reader.pos, len(reader.tokens)), "unreadable", "the line is too long"
        )

    def _heading(self, number: int, line: str) -> str:
        """The line without a power's name or a heading at its front; remembers what the heading announced."""
        tokens = tokenise(line)
        first = tokens[0] if tokens else None
        owner = power_of(first.text) if first and first.kind == "word" else None
        if first and owner:
            alone = len(tokens) == 1
            follows = tokens[1] if not alone else first
            a_place = place_of(first.text) is not None  # Isengard is a province and a side
            dashed = follows.kind in ("dash", "arrow") and len(tokens) > 2 and not a_place
            if alone or follows.text == ":" or dashed:
                if owner != self.power:
                    self.problem(
                        number,
                        line,
                        "refused",
                        f"this heading names {name_of(owner)}, but these are orders of {name_of(self.power)}",
                    )
                line = "" if alone else line[follows.end :].strip()
                tokens = tokenise(line)
        head, colon, rest = line.partition(":")
        words = re.findall(r"[^\W\d_]+", (head if colon else line).casefold())
        wanted = [w for w in words if w in _HEADINGS]
        if colon or any(c.isdigit() for c in head):  # "For" alone is Forodwaith: "Build For" is no heading
            words = [w for w in words if w != "for"]
        if words and all(w in _HEADINGS or w in _SMALL_WORDS for w in words):
            if wanted:
                section = _HEADINGS[wanted[0]]
                self.section = default_section(self.game.step) if section == "orders" else section
            if wanted or not colon:
                return rest.strip()
        return line

    def _sentence(self, number: int, reader: Reader) -> None:
        start = reader.pos
        reader.warnings.clear()
        try:
            orders = statement(reader)
        except Trouble as trouble:
            reader.resume(start)
            suggestion = trouble.suggestion or self._repaired(reader.line, start, reader.pos, trouble)
            text = reader.text(start).rstrip(" ,;.")
            self.problem(number, text, trouble.kind, trouble.message, suggestion, trouble.rule)
            return
        text = reader.text(start)
        for message, rule in reader.warnings:
            self.problem(number, text, "warning", message, "", rule)
        for order in orders:
            self._take(number, text, order)

    def _repaired(self, line: str, start: int, end: int, trouble: Trouble, depth: int = 3) -> str:
        """The sentence with the trouble's replacement put in, in normal form if it can then be read."""
        if trouble.span is None:
            return ""
        tokens = tokenise(line)
        low, high = tokens[start].start, tokens[end - 1].end if end > start else len(line)
        at, to = trouble.span
        sentence = line[low:at] + trouble.replacement + line[to : max(high, to)]
        reader = reader_of(self.game, self.power, sentence, self.section)
        try:
            orders = statement(reader)
        except Trouble as again:
            if depth and again.span:
                return self._repaired(sentence, 0, len(reader.tokens), again, depth - 1)
            return again.suggestion or sentence
        return "; ".join(order_text(o, self.game.step) for o in orders)

    def _take(self, number: int, text: str, order: Order) -> None:
        refusal = self._out_of_phase(order) or self._not_his(order)
        if refusal:
            message, suggestion, rule = refusal
            self.problem(number, text, "refused", message, suggestion, rule)
            return
        order = self._adapted(number, text, order)
        if self._repeated(order):
            shown = order_text(order, self.game.step)
            self.problem(number, text, "warning", f"{shown} stands here twice; it is taken once")
            return
        self.orders.append(order)
        self.counts[order] += 1
        wrong = objection(self.game, self.power, order)
        if wrong:
            self.problem(number, text, "illegal", wrong.message, wrong.suggestion, wrong.rule)

    def _repeated(self, order: Order) -> bool:
        """Whether the same words came before for a unit that has no further part to obey them."""
        if not self.counts[order] or order.unit is None or order.kind in ("build", "waive"):
            return False
        ref = order.unit
        there = sum(
            u.strength for u in own_units(self.game, self.power) if (u.kind, u.place) == (ref.kind, ref.place)
        )
        return self.counts[order] * ref.strength >= there

    def _out_of_phase(self, order: Order) -> tuple[str, str, str] | None:
        step, kind = self.game.step, order.kind
        early = is_adjustment_year(self.game.year) and step in ("movement", "retreats")
        if step == "over":
            return ("the game is over", "", "")
        if step == "setup":
            if kind not in SETUP:
                return (
                    "before the first turn only Sauron's Activate and Saruman's Place are wanted",
                    "",
                    "16.14",
                )
            if (kind == "activate") != (self.power == SAURON) or (
                kind == "place" and self.power != "saruman"
            ):
                return (f"{name_of(self.power)} has no such choice before the game", "", "16.14")
            return None
        if kind in ("activate", "raise") and self.power != SAURON:
            return (f"only Sauron has an order to {kind}", "", "17.2" if kind == "activate" else "18.13")
        if kind == "place":
            return ("the third army of Saruman is placed before the game starts", "", "16.14")
        if kind in ADJUSTMENTS and step != "adjustments" and not early:
            year = self.game.year + (0 if is_adjustment_year(self.game.year) else 15)
            return (f"builds, removals and activations come with the adjustments of {year} TA", "", "3.3")
        if kind in MOVEMENT and step != "movement":
            return (
                f"a {'retreat' if step == 'retreats' else 'build or a removal'} is wanted in this phase",
                "",
                "2",
            )
        if kind in RETREATS and step == "adjustments":
            return ("there is nothing to retreat now", "", "2")
        return None

    def _not_his(self, order: Order) -> tuple[str, str, str] | None:
        ref = order.unit
        if ref is None or order.kind in ("build", "activate", "raise", "place"):
            return None
        if ref.owner and ref.owner != self.power:
            return (f"{ref} is named as a unit of {name_of(ref.owner)}, not of {name_of(self.power)}", "", "")
        if self.game.step == "movement" and order.kind in (*RETREATS, "remove"):
            return None  # where it will be is not known yet
        there = [u for u in own_units(self.game, self.power) if u.place == ref.place]
        if any(u.kind == ref.kind for u in there) or _read_as(ref, there):
            return None
        where = f"{ref.place} ({full_name(ref.place)})"
        if rule := not_owned(self.power, ref.kind):
            wanted = f"; you have {there[0]} there" if there else ""
            return (f"{name_of(self.power)} can't have a {KIND_NAMES[ref.kind]}{wanted}", "", rule)
        if there:
            right = replace(order, unit=replace(ref, kind=there[0].kind, strength=there[0].strength))
            shown = order_text(right, self.game.step)
            return (f"you have no {ref} but {there[0]} in {where}", shown, "")
        if self.power == SAURON and any(
            u.owner == STANDING and (u.kind, u.place) == (ref.kind, ref.place) for u in self.game.units
        ):
            return (
                f"{ref} is a standing army; you must activate it in an adjustment phase first",
                "",
                "17.2",
            )
        what = "dislodged unit" if self.game.step == "retreats" else "unit"
        return (f"you have no {what} in {where}", "", "")

    def _adapted(self, number: int, text: str, order: Order) -> Order:
        """The order with the type and attachments that the unit has, and a warning where that changes anything."""
        ref = order.unit
        if ref is None or order.kind in ("build", "activate", "raise", "place"):
            return order
        there = [u for u in own_units(self.game, self.power) if u.place == ref.place]
        same = [u for u in there if u.kind == ref.kind]
        if not same and (other := _read_as(ref, there)):
            self.problem(number, text, "warning", f"{ref} is read as {other}, which is what stands there")
            same, ref = [other], replace(ref, kind=other.kind)
        if same and self.game.step == "movement":
            most = max(same, key=lambda u: (u.fleets, u.engines))
            fleets, engines = min(ref.fleets, most.fleets), min(ref.engines, most.engines)
            if (fleets, engines) != (ref.fleets, ref.engines):
                self.problem(
                    number, text, "warning", f"you have no {ref} there; read as {most.kind} of {most}"
                )
                ref = replace(ref, fleets=fleets, engines=engines)
        return replace(order, unit=replace(ref, owner=None))


def _read_as(ref: UnitRef, there: Sequence[Unit]) -> Unit | None:
    """The unit that a wrong type certainly means: the only one there, if neither is of the hidden kinds."""
    plain = [u for u in there if u.kind not in ("W", "N")]
    if len(plain) == 1 and len(there) == 1 and ref.kind not in ("W", "N") and ref.strength == 1:
        return plain[0]
    return None
