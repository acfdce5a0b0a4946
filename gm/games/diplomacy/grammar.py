"""What the words of an order may be, in each kind of phase."""

from __future__ import annotations

from dataclasses import replace

from gm.games.diplomacy.adjustments import build_fault
from gm.games.diplomacy.board import bits, province_of
from gm.games.diplomacy.legal import fault
from gm.games.diplomacy.meta import BY_ID
from gm.games.diplomacy.orders import Order, landing
from gm.games.diplomacy.reader import VERBS, VIA, Spot, Unread, WordReader
from gm.games.diplomacy.state import adjustments_due
from gm.games.diplomacy.words import power_words, read_place


class OrderReader(WordReader):
    """Reads one order of the present phase."""

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
        leading = VERBS.get(self.peek(), "") if len(self.peek()) > 1 else ""
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
            if self.peek() in VIA or read_place(self.words, self.at) is None:
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
            if self.peek() in VIA:
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
        while self.peek() == "-" or VERBS.get(self.peek()) == "move":
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
        if there is not None and self.nation not in ("", there.power):
            self.warn(
                "warning",
                f"{there.unit} is not {BY_ID[self.nation].adjective} but {BY_ID[there.power].adjective}",
            )
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
        if self.peek() in VIA:
            self.at += 1
            self.skip(frozenset(("convoy", "sea")))
        if verb == "convoy" and not to:
            raise Unread("unreadable", f"where is {kind} {place} convoyed to?")
        return replace(base, verb="support" if verb == "support" else "convoy", of_kind=kind, of=place, to=to)

    def own_unit(self, spot: Spot) -> str:
        """The player's unit in a province; raises Unread (refused) if it is not his or not there."""
        there = self.units.get(spot.province)
        name = self.board.spoken[spot.province]
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
        leading = VERBS.get(self.peek(), "") if len(self.peek()) > 1 else ""
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
        if spot.kind and spot.kind != unit[0]:
            self.warn("warning", f"your dislodged unit is {unit}; the order was taken for it")
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
        if self.peek().isdigit() and VERBS.get(
            self.words[self.at + 1] if len(self.words) > self.at + 1 else ""
        ):
            self.at += 1
        verb = VERBS.get(self.peek(), "")
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
