"""Order mails as people write them, to orders in normal form (rule 10.1).

What is uncertain is named, never guessed: a place that is not known, or that fits several provinces, costs the line
its order and gains it a problem with the nearest right form.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from gm.games.api import Parsed, PowerId, Problem, ProblemKind, State
from gm.games.diplomacy.adjustments import build_fault
from gm.games.diplomacy.board import Board, bits, province_of, standard
from gm.games.diplomacy.legal import fault
from gm.games.diplomacy.meta import BY_ID
from gm.games.diplomacy.orders import Order, landing
from gm.games.diplomacy.state import adjustments_due, occupants
from gm.games.diplomacy.words import (
    nearest_place,
    plain,
    power_words,
    read_coast,
    read_place,
    tokens,
    without_bullet,
)

LONGEST_LINE = 400
"""Characters of a line that are looked at; a longer one is no order."""

_VERB = {
    word: verb
    for verb, words in {
        "hold": "h hold holds holding stand stands stay stays",
        "move": "- to m move moves moving go goes attack attacks into advances enters",
        "support": "s support supports supporting sup supp supprts suports",
        "convoy": "c convoy convoys convoying transports transport conv",
        "retreat": "r retreat retreats retreating withdraws withdraw",
        "disband": "d disband disbands disbanded destroy destroyed",
        "remove": "remove removes removed",
        "build": "b build builds raise raises built",
        "waive": "w waive waives waived pass passes",
    }.items()
    for word in words.split()
}
_KIND = {"a": "A", "army": "A", "armies": "A", "f": "F", "fleet": "F", "fleets": "F"}
_FILLERS = frozenset(
    {
        "the",
        "in",
        "at",
        "my",
        "his",
        "our",
        "from",
        "of",
        "please",
        "its",
        "an",
        "on",
        "against",
        "order",
        "orders",
        "unit",
    }
)
_VIA = frozenset({"via", "by", "vc", "convoyed", "through", "using"})
_COMMENT = re.compile(r"\s*(?:#|//)")
_SPLIT = re.compile(r"[;,]|\.\s+|\band\b|&", re.IGNORECASE)


class Unread(Exception):
    """A piece of text that is not an order; becomes a problem."""

    def __init__(
        self, kind: ProblemKind, message: str, suggestion: str = "", rule: str = "diplomacy 10.1"
    ) -> None:
        self.kind: ProblemKind = kind
        self.message, self.suggestion, self.rule = message, suggestion, rule
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Spot:
    """A unit or place as written: ``A``, ``STP``, ``SC``; kind and coast may be left out."""

    kind: str
    province: str
    coast: str

    @property
    def place(self) -> str:
        """``"STP/SC"``."""
        return f"{self.province}/{self.coast}" if self.coast else self.province


def parse(state: State, power: PowerId, text: str) -> Parsed:
    """Orders and problems of a mail's text; see `gm.games.api.Ruleset.parse`."""
    orders: list[str] = []
    problems: list[Problem] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or _COMMENT.match(line):
            continue
        _read_line(state, power, number, line, orders, problems)
    return Parsed(orders=tuple(orders), problems=tuple(problems))


def _read_line(
    state: State, power: PowerId, number: int, line: str, orders: list[str], problems: list[Problem]
) -> None:
    """A line is one order; where that fails, several divided by commas and the like."""
    whole = _read_piece(state, power, number, line, "")
    if whole[0] is not None:
        _take(whole, orders, problems)
        return
    pieces = [piece for piece in _SPLIT.split(line[:LONGEST_LINE]) if tokens(plain(piece))]
    if len(pieces) > 1:
        verb = ""
        read = []
        for piece in pieces:
            one = _read_piece(state, power, number, piece.strip(), "")
            if one[0] is None and verb:
                continued = _read_piece(state, power, number, piece.strip(), verb)
                one = continued if continued[0] is not None else one
            read.append(one)
            verb = _leading_verb(piece) or verb
        if any(one[0] is not None for one in read):
            for one in read:
                _take(one, orders, problems)
            return
    _take(whole, orders, problems)


def _take(read: tuple[str | None, Sequence[Problem]], orders: list[str], problems: list[Problem]) -> None:
    order, found = read
    if order:
        orders.append(order)
    problems.extend(found)


def _leading_verb(piece: str) -> str:
    """``"build "`` where a list of builds or removals began with its verb."""
    words = tokens(plain(without_bullet(piece)))
    verb = _VERB.get(words[0], "") if words else ""
    return f"{verb} " if verb in ("build", "remove", "disband") and len(words[0]) > 1 else ""


def _read_piece(
    state: State, power: PowerId, number: int, piece: str, verb: str
) -> tuple[str | None, Sequence[Problem]]:
    """One order (``""`` for a heading that names the reader's own power), or None, with its problems."""
    shown = piece.strip()[:120]
    problems: list[Problem] = []
    try:
        if len(piece) > LONGEST_LINE:
            raise Unread("unreadable", f"this line is too long to be an order ({len(piece)} characters)")
        reader = Reader(state, power, tokens(plain(verb + without_bullet(piece))))
        text = reader.order()
        for kind, message, suggestion, rule in reader.remarks:
            problems.append(
                Problem(line=number, text=shown, kind=kind, message=message, suggestion=suggestion, rule=rule)
            )
        return text, problems
    except Unread as error:
        problem = Problem(
            line=number, text=shown, kind=error.kind, message=error.message,
            suggestion=error.suggestion, rule=error.rule,
        )  # fmt: skip
        return None, [problem]


class Reader:
    """Reads the words of one order. `order` gives its normal form or raises `Unread`; `remarks` are kept problems."""

    def __init__(self, state: State, power: PowerId, words: list[str]) -> None:
        self.state, self.power, self.words = state, power, words
        self.board: Board = standard()
        self.at = 0
        self.remarks: list[tuple[ProblemKind, str, str, str]] = []
        self.units = occupants(state)

    # --- words ------------------------------------------------------------------------------------------

    def peek(self) -> str:
        """The next word, or an empty text."""
        return self.words[self.at] if self.at < len(self.words) else ""

    def skip(self, words: frozenset[str] = _FILLERS) -> None:
        """Step over filler words, unless a name of a place begins with them."""
        while self.peek() in words:
            self.at += 1

    def verb(self) -> str:
        """The verb at this point, stepped over; an empty text if there is none."""
        self.skip()
        found = _VERB.get(self.peek(), "")
        if found:
            self.at += 1
        return found

    def done(self) -> bool:
        """Whether only hyphens and fillers are left."""
        return all(word in _FILLERS or word == "-" for word in self.words[self.at :])

    def warn(
        self, kind: ProblemKind, message: str, suggestion: str = "", rule: str = "diplomacy 10.1"
    ) -> None:
        """Keep a problem beside the order."""
        self.remarks.append((kind, message, suggestion, rule))

    def spot(self, what: str) -> Spot:
        """A unit or place at this point; raises Unread if there is none or it is ambiguous."""
        self.skip()
        kind = self.kind()
        self.skip()
        place = read_place(self.words, self.at)
        if place is None:
            raise self.unknown_place(what)
        if len(place.provinces) > 1:
            said = " ".join(self.words[self.at : self.at + place.length])
            candidates = ", ".join(f"{one} ({self.board.place_names[one]})" for one in place.provinces)
            raise Unread(
                "ambiguous",
                f'"{said}" may be {candidates}; nothing was taken from this line',
                self.with_place(place.provinces, place.length),
            )
        self.at += place.length
        return Spot(kind, place.provinces[0], self.coast(place.provinces[0]))

    def kind(self) -> str:
        """``A`` or ``F`` if it is said here."""
        nation = power_words().get(self.peek())
        if nation and self.at + 1 < len(self.words):
            self.at += 1
        found = _KIND.get(self.peek(), "")
        if found and self.at + 1 < len(self.words):
            self.at += 1
            return found
        return ""

    def coast(self, province: str) -> str:
        """The coast that follows a place, dropped with a remark where the province has none."""
        start = self.at + 1 if self.peek() == "-" else self.at
        found = read_coast(self.words, start)
        if found is None:
            return ""
        self.at = start + found[0]
        if self.board.index[province] in self.board.coasts:
            return found[1]
        self.warn(
            "warning", f"{self.board.place_names[province]} has no separate coasts; the coast is ignored"
        )
        return ""

    def unknown_place(self, what: str) -> Unread:
        """The error for words that name no place, with the order as it may have been meant."""
        run = []
        for word in self.words[self.at : self.at + 4]:
            if word in _VERB or word in _KIND or word in _VIA:
                break
            run.append(word)
        if not run:
            return Unread("unreadable", f"{what} is missing")
        said = " ".join(run)
        if run[0] in power_words():
            return Unread("unreadable", f'"{said}" is a power, not a place ({what})')
        near = nearest_place(run)
        if near is None:
            return Unread("unreadable", f'no place is called "{said}" ({what})')
        province, length = near
        name = self.board.place_names[province]
        suggestion = self.with_place((province,), length)
        return Unread("unreadable", f'no place is called "{said}"; perhaps {province} ({name})?', suggestion)

    def with_place(self, provinces: Sequence[str], length: int) -> str:
        """The order that this one would be with a province in place of the next words, if just one is possible."""
        found = []
        for province in provinces:
            words = [*self.words[: self.at], province.lower(), *self.words[self.at + length :]]
            other = Reader(self.state, self.power, words)
            try:
                text = other.order()
            except Unread:
                continue
            if text and not any(kind == "illegal" for kind, *_ in other.remarks):
                found.append(text)
        return found[0] if len(found) == 1 else ""

    # --- orders -------------------------------------------------------------------------------------------

    def order(self) -> str:
        """The normal form of the order; an empty text for the reader's own name as a heading."""
        nation = power_words().get(self.peek())
        if nation is not None:
            if nation != self.power:
                raise Unread(
                    "refused",
                    f"this line is for {BY_ID[nation].name}; you play {BY_ID[self.power].name}",
                    rule="diplomacy 10.2",
                )
            self.at += 1
            if self.done():
                return ""
        if not any(word != "-" for word in self.words):
            raise Unread("unreadable", "this is not an order")
        kind = self.state["phase"][-1]
        if self.state["over"] is not None:
            raise Unread("refused", "the game is over; no orders are due")
        order = {"M": self.movement, "R": self.retreat, "A": self.adjustment}[kind]()
        if not self.done():
            rest = " ".join(self.words[self.at :])
            raise Unread("unreadable", f'"{rest}" after {order.text()} is not understood', order.text())
        return order.text()

    def movement(self) -> Order:
        """A movement order."""
        self.skip()
        leading = _VERB.get(self.peek(), "") if len(self.peek()) > 1 else ""
        if leading in ("build", "remove", "disband", "waive", "retreat"):
            raise Unread("refused", f"this is a movement phase: nothing to {leading} now")
        if leading:
            self.at += 1
        spot = self.spot("the unit to be ordered")
        unit = self.own_unit(spot)
        base = Order(verb="hold", kind=unit[0], place=unit[2:])
        verb = self.verb()
        if leading and not verb:
            verb = leading
        elif leading and verb != leading:
            # "support A PAR ..." does not say who supports; "move A PAR - BUR" only repeats itself
            raise Unread("unreadable", "name the unit first, then what it does")
        if verb in ("disband", "remove", "build", "waive"):
            raise Unread("refused", f"this is a movement phase: nothing to {verb} now", base.text())
        if not verb:
            if self.done():
                raise Unread("unreadable", f"no order is given for {unit}", base.text())
            if self.peek() in _VIA or read_place(self.words, self.at) is None:
                raise Unread("unreadable", f'"{" ".join(self.words[self.at :])}" is no order', base.text())
            raise Unread(
                "unreadable", "a hyphen or verb is missing between the two places", self.bare_move(base)
            )
        order = self.rest_of(verb, base)
        self.check(order)
        return order

    def bare_move(self, base: Order) -> str:
        """``A PAR - BUR`` for ``A PAR BUR``, as a suggestion."""
        try:
            goal = self.spot("where it goes")
        except Unread:
            return ""
        return replace(base, verb="move", to=goal.place).text()

    def rest_of(self, verb: str, base: Order) -> Order:
        """The part of a movement order after its verb."""
        match verb:
            case "hold":
                return base
            case "move" | "retreat":
                return self.move_to(base)
            case "support":
                other = self.spot("the supported unit")
                return self.joint("support", base, other)
            case _:
                other = self.spot("the convoyed army")
                return self.joint("convoy", base, other)

    def move_to(self, base: Order) -> Order:
        """Where a move goes: directly, by a listed chain of seas, or "via convoy"."""
        stops = [self.goal()]
        via = False
        while not self.done():
            self.skip()
            if self.peek() in _VIA:
                via = True
                self.at += 1
                self.skip(frozenset(("convoy", "sea", "of", "the", "fleet", "fleets")))
                if self.at < len(self.words):
                    self.seas()
                break
            if self.peek() == "convoy":
                via, self.at = True, self.at + 1
                break
            if self.peek() != "-":
                break
            self.at += 1
            stops.append(self.goal())
        for stop in stops[:-1]:
            if not self.board.sea >> self.board.index[stop.province] & 1:
                raise Unread(
                    "unreadable", f"a move has one goal; {stop.province} and {stops[-1].province} are named"
                )
        to = stops[-1]
        piece = self.board.pieces[base.unit]
        goal = to.place
        if piece.army:
            goal = to.province
        else:
            goal = landing(self.board, piece, goal) or goal
        return replace(base, verb="move", to=goal, via=via or len(stops) > 1)

    def goal(self) -> Spot:
        """A place that a unit goes to."""
        while self.peek() == "-" or _VERB.get(self.peek()) == "move":
            self.at += 1
        return self.spot("where it goes")

    def seas(self) -> None:
        """Fleets named after "via": read and dropped, the convoy orders say it all."""
        while not self.done():
            self.skip(frozenset(("-", "and", "fleets", "fleet")))
            where = self.spot("the convoying fleet")
            if not self.board.sea >> self.board.index[where.province] & 1:
                raise Unread("unreadable", f"{where.province} is no sea to be convoyed through")

    def joint(self, verb: str, base: Order, other: Spot) -> Order:
        """A support or convoy of another unit."""
        there = self.units.get(other.province)
        kind = other.kind or (there.unit[0] if there else "A")
        if there is not None and other.kind and other.kind != there.unit[0]:
            self.warn("warning", f"the unit in {other.province} is {there.unit}; taken so")
            kind = there.unit[0]
        if verb == "convoy":
            kind = other.kind or "A" if there is None else kind
        place = there.unit[2:] if there is not None else other.place
        if kind == "A" or f"F {place}" not in self.board.pieces:
            place = other.province
        to = ""
        self.skip()
        following = self.verb()
        if following == "move" or (not following and self.peek() and read_place(self.words, self.at)):
            goal = self.goal()
            to = goal.province if kind == "A" else goal.place
        elif following == "hold" or not following:
            pass
        else:
            raise Unread("unreadable", f"it is not clear what {kind} {place} is helped to do")
        if self.peek() in _VIA:
            self.at += 1
            self.skip(frozenset(("convoy", "sea")))
        if verb == "convoy" and not to:
            raise Unread("unreadable", f"where is {kind} {place} convoyed to?")
        return replace(base, verb="support" if verb == "support" else "convoy", of_kind=kind, of=place, to=to)

    def own_unit(self, spot: Spot) -> str:
        """The player's unit in a province; raises Unread (refused) if it is not his or not there."""
        there = self.units.get(spot.province)
        name = self.board.place_names[spot.province]
        if there is None:
            near = [
                self.units[other].unit
                for other in (
                    self.board.ids[i] for i in bits(self.board.near[self.board.index[spot.province]])
                )
                if other in self.units and self.units[other].power == self.power
            ]
            own = near or self.state["units"][self.power]
            where = "nearby you have" if near else "your units are"
            tail = f"{where} {', '.join(own)}" if own else "you have no units"
            raise Unread("refused", f"you have no unit in {name}; {tail}", rule="diplomacy 10.2")
        if there.power != self.power:
            owner = BY_ID[there.power].name
            raise Unread("refused", f"{there.unit} belongs to {owner}", rule="diplomacy 10.2")
        if spot.kind and spot.kind != there.unit[0]:
            self.warn("warning", f"your unit in {name} is {there.unit}; the order was taken for it")
        elif spot.coast and there.unit[2:] != spot.place:
            self.warn(
                "warning", f"your fleet is in {there.unit[2:]}; the order was taken for it", rule="datc 4.B.5"
            )
        return there.unit

    def check(self, order: Order) -> None:
        """Note why an order cannot succeed; it is kept."""
        found = fault(self.board, {province: there.unit for province, there in self.units.items()}, order)
        if found is not None:
            message = f"{found.message}. The order is kept, but {order.unit} will hold"
            self.warn("illegal", message, found.suggestion, found.rule)

    # --- retreats and adjustments ---------------------------------------------------------------------------

    def retreat(self) -> Order:
        """A retreat or disbandment."""
        self.skip()
        leading = _VERB.get(self.peek(), "") if len(self.peek()) > 1 else ""
        if leading in ("build", "waive"):
            raise Unread("refused", f"this is a retreat phase: nothing to {leading} now")
        if leading:
            self.at += 1
        spot = self.spot("the dislodged unit")
        entries = {
            province_of(one["unit"][2:]): one for one in self.state["dislodged"] if one["power"] == self.power
        }
        entry = entries.get(spot.province)
        waiting = [one["unit"] for one in entries.values() if one["retreats"]]
        if entry is None or not entry["retreats"]:
            tail = f"you may order {', '.join(waiting)}" if waiting else "you have none to order"
            if entry is not None:
                raise Unread("refused", f"{entry['unit']} has no retreat and is disbanded; {tail}")
            raise Unread("refused", f"you have no dislodged unit in {spot.province}; {tail}")
        unit = entry["unit"]
        base = Order(verb="disband", kind=unit[0], place=unit[2:])
        verb = self.verb() or leading
        if verb in ("disband", "remove"):
            return base
        if verb == "hold":
            raise Unread("refused", f"{unit} is dislodged and cannot hold", base.text())
        if verb not in ("move", "retreat"):
            if verb in ("support", "convoy"):
                raise Unread("refused", "there is no support and no convoy in retreats", rule="diplomacy 6.4")
            raise Unread(
                "unreadable", f"say where {unit} retreats to: {', '.join(entry['retreats'])}", base.text()
            )
        goal = self.goal()
        piece = self.board.pieces[unit]
        to = landing(self.board, piece, goal.place) or (goal.province if piece.army else goal.place)
        order = replace(base, verb="move", to=to)
        if to not in entry["retreats"]:
            where = ", ".join(entry["retreats"])
            message = f"{unit} cannot retreat to {to}, only to {where}; kept, it will be disbanded"
            self.warn("illegal", message, f"{unit} - {entry['retreats'][0]}", "diplomacy 6.1")
        return order

    def adjustment(self) -> Order:
        """A build, a removal or a waived build."""
        self.skip()
        if self.peek().isdigit() and _VERB.get(
            self.words[self.at + 1] if len(self.words) > self.at + 1 else ""
        ):
            self.at += 1
        verb = _VERB.get(self.peek(), "")
        if verb in ("build", "remove", "disband", "waive") or (verb == "retreat" and self.peek() == "r"):
            self.at += 1
        else:
            verb = ""
        if verb == "waive":
            self.skip(frozenset(("a", "the", "my", "one", "1", "build", "builds", "-")))
            return self.judge_adjustment(Order(verb="waive"))
        spot = self.spot("the unit to build or remove")
        if not verb:
            verb = self.verb()
        builds, removals, _ = adjustments_due(self.board, self.state, self.power)
        if verb == "build":
            if not spot.kind:
                home = self.board.index[spot.province]
                if self.board.coastal >> home & 1:
                    raise Unread(
                        "ambiguous", f"army or fleet in {spot.province}?",
                        f"Build A {spot.province}",
                    )  # fmt: skip
                self.warn("warning", f"{spot.province} lies inland: taken as an army")
            kind = spot.kind or "A"
            return self.judge_adjustment(
                Order(verb="build", kind=kind, place=spot.province if kind == "A" else spot.place)
            )
        if verb in ("remove", "disband", "retreat"):
            unit = self.own_unit(spot)
            return self.judge_adjustment(Order(verb="remove", kind=unit[0], place=unit[2:]))
        if not verb and self.done():
            meant = "Build" if builds else "Remove" if removals else ""
            shown = f"{meant} {spot.kind or 'A'} {spot.place}" if meant else ""
            raise Unread("unreadable", "say whether to build or to remove it", shown)
        raise Unread("refused", "this is the adjustment phase: units do not move")

    def judge_adjustment(self, order: Order) -> Order:
        """Note why an adjustment cannot be made; it is kept."""
        builds, removals, free = adjustments_due(self.board, self.state, self.power)
        owned = self.state["centres"][self.power]
        if order.verb == "remove":
            if not removals:
                message = (
                    "you have no unit to remove" if owned else "all your units are removed without an order"
                )
                self.warn("illegal", f"{message}. The order is kept without effect", rule="diplomacy 8.2")
        elif order.verb == "waive":
            if not builds:
                self.warn(
                    "illegal",
                    "you have no build to waive. The order is kept without effect",
                    rule="diplomacy 8.3",
                )
        else:
            reason, rule = build_fault(self.board, self.power, order, owned, free)
            if not reason and not builds:
                reason, rule = "you have no build this winter", "diplomacy 8.1"
            if reason:
                some = f"Build A {free[0]}" if builds and free else ""
                if rule == "datc 4.B.7" and order.kind == "F":
                    some = f"Build F {self.board.coasts[self.board.index[province_of(order.place)]][0]}"
                self.warn("illegal", f"{reason}. The order is kept, but it will fail", some, rule)
        return order
