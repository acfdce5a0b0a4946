"""A phase told to one reader, as a page of a postal zine: orders by power, failures marked, the GM's notes below.

It is made of two views and a reading, so it can tell nothing that its reader may not know. What only he may know stands
in private sections; the public ones are the same for every reader.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gm.games.api import ORDERS_NEXT, Event, Json, Reading, Report, Section, SeenOrder, View
from gm.games.necromancer.board import the_board
from gm.games.necromancer.centres import DOUBLE
from gm.games.necromancer.headline import headline
from gm.games.necromancer.ids import STANDING, PowerId
from gm.games.necromancer.names import full_name
from gm.games.necromancer.powers import BY_ID, POWERS, name_of
from gm.games.necromancer.wording import KEPT, ONLY_YOU, listed

FAILED = ("bounce", "cut", "void", "illegal", "misorder", "partial", "blocked")
PRIVATE_EVENTS = ("activated",)

_HEAD = re.compile(r"(?:(?P<verb>Build|Remove|Activate|Raise|Place|Waive)\b ?)?(?P<unit>[^ ]*\))?")


def report(before: View, after: View, reading: Reading) -> Report:
    """See `gm.games.api.Ruleset.report`."""
    private = Private(before, reading)
    sections = [
        _told("The game begins", reading, ("placed",), _opening(before)),
        *(_orders(power.id, reading, private) for power in POWERS),
        _retreats_due(reading),
        _told("Retreats", reading, ("retreated", "disbanded"), (), "retreats"),
        _told("Come to light", reading, ("shown", "revealed")),
        _told("Multiple armies, fleets and engines", reading, _ATTACHED),
        _told("Standing armies driven out", reading, ("standing_disbanded",)),
        _told(
            "Builds and removals", reading, ("built", "build_blocked", "raised", "removed"), (), "", private
        ),
        _told("Without orders", reading, ("nmr", "unordered"), (), "", private),
        _told(
            "Centres taken", reading, ("captured", "homes", "natural_lost", "eriador_closed"), (), "", private
        ),
        _told("The end", reading, ("eliminated", "sauron_fell", "victory")),
        _centres(before, after),
        _victory_count(after),
        _standing(after),
        _position(after),
        *_private_sections(before, after, reading, private),
    ]
    return Report(
        headline=headline(reading, private.events),
        sections=tuple(s for s in sections if s.lines or s.rows),
    )


_ATTACHED = ("joined", "fleet_built", "engine_built", "fleet_lost", "engine_lost")


class Private:
    """Which orders and events of a reading are for its reader alone.

    A reading does not say so; but what the rules keep secret is known by its kind, unless a revelation is among the
    events.
    """

    def __init__(self, before: View, reading: Reading) -> None:
        self.power = reading.power
        self.shown = {(e.data["kind"], e.data["place"]) for e in reading.events if e.kind == "shown"}
        self.shown |= {
            (str(e.data["unit"])[0], str(e.data["unit"])[-4:-1])
            for e in reading.events
            if e.kind == "revealed"
        }
        self.hidden = {(u["kind"], u["place"]) for u in before.data["units"] if u["hidden"]}
        self.adjusting = reading.phase.kind in ("adjustments", "setup")
        self.events = tuple(id(e) for e in reading.events if self._secret_event(e))

    def _secret_event(self, event: Event) -> bool:
        power = event.data.get("power")
        if event.kind == "activated":
            return True
        if self.power is None or power != self.power:
            return False
        if event.kind == "raised":
            return bool(power == "sauron")
        if event.kind in ("unordered", "joined", "removed"):
            unit = str(event.data.get("unit", ""))
            return bool(unit) and self._secret_unit(unit)
        if event.kind == "captured":
            unit = str(event.data.get("unit", ""))
            return unit[:1] not in "WN" and self._secret_unit(unit)
        return False

    def _secret_unit(self, unit: str) -> bool:
        key = (unit.lstrip("0123456789")[:1], unit[-4:-1])
        return key not in self.shown and (key[0] in "WN" or key in self.hidden)

    def order(self, seen: SeenOrder) -> bool:
        """Whether nobody else sees this order."""
        if seen.power != self.power:
            return False
        if seen.reason == KEPT:
            return True
        found = _HEAD.match(seen.order)
        verb, unit = (found["verb"], found["unit"]) if found else (None, None)
        if verb in ("Activate", "Raise", "Waive"):
            return True
        if verb == "Place":
            return False
        if verb:
            return self.power in ("saruman", "sauron") and seen.result not in ("ok", "blocked")
        if not unit or not self._is_hidden_kind(unit):
            return False
        return seen.result in ("illegal", "misorder") or self._secret_unit(unit)

    def _is_hidden_kind(self, unit: str) -> bool:
        return unit[0] in "WN" or (unit.lstrip("0123456789")[:1], unit[-4:-1]) in self.hidden


def _opening(before: View) -> tuple[str, ...]:
    if before.phase.kind != "setup":
        return ()
    return tuple(
        f"{name_of(row['power'])}'s {row['unit']} starts in {full_name(row['unit'][2:-1])}; "
        "from now on it moves in secret"
        for row in before.data["announced"]
    )


# --- orders --------------------------------------------------------------------------------------------------


def _orders(power: PowerId, reading: Reading, private: Private) -> Section:
    hit = [e for e in reading.events if e.kind in _DRIVEN and e.data["power"] == power]
    lines: list[str] = []
    for seen in reading.orders:
        if seen.power == power and not private.order(seen):
            lines.append(_public_line(seen))
            own = [e for e in hit if seen.order.startswith(f"{e.data.get('unit')} ")]
            lines += [f"> {_cited(event)}" for event in own]
            hit = [e for e in hit if e not in own]
    lines += [f"> {_cited(event)}" for event in hit]
    return Section(title=BY_ID[power].name, lines=tuple(lines))


_DRIVEN = ("dislodged", "expelled", "broken")


def _public_line(seen: SeenOrder) -> str:
    """An order as everybody sees it: without a verdict that is only for the giver."""
    if seen.result is None or seen.reason.endswith(ONLY_YOU):
        return seen.order
    return _line(seen)


def _line(seen: SeenOrder) -> str:
    failed = seen.result in FAILED
    notes = "; ".join(part for part in (seen.reason, _clause(seen.rule) if failed else "") if part)
    words = "" if seen.result in (None, "ok") or seen.reason else f" {seen.result}"
    return f"{'! ' if failed else ''}{seen.order}{words}{f' ({notes})' if notes else ''}"


def _clause(rule: str) -> str:
    number = rule.removeprefix("necromancer ")
    return "" if number == "2" else number  # section 2 only says that standard Diplomacy applies


def _cited(event: Event) -> str:
    clause = _clause(event.rule)
    return f"{event.text} ({clause})" if clause else event.text


def _told(
    title: str,
    reading: Reading,
    kinds: Sequence[str],
    more: Sequence[str] = (),
    phase: str = "",
    private: Private | None = None,
) -> Section:
    if phase and reading.phase.kind != phase:
        return Section(title=title)
    events = [
        _cited(event)
        for event in reading.events
        if event.kind in kinds and (private is None or id(event) not in private.events)
    ]
    return Section(title=title, lines=(*more, *events))


def _retreats_due(reading: Reading) -> Section:
    lines = []
    for event in reading.events:
        if event.kind in _DRIVEN and "retreats" in event.data:
            where = listed(list(event.data["retreats"]), "or")
            unit = f"{name_of(event.data['power'])}: {event.data['unit']}"
            lines.append(f"{unit} may retreat to {where}, or disband" if where else f"{unit} has no retreat")
    return Section(title="Dislodged", lines=tuple(lines))


# --- position ------------------------------------------------------------------------------------------------


def _centres(before: View, after: View) -> Section:
    """The table of centres, when the adjustments of the year are due or done, or a centre changed hands."""
    old, new = public_centres(before), public_centres(after)
    if old == new and after.phase.kind not in ("adjustments", "over"):
        return Section(title="Supply centres")
    rows = []
    for row in sorted(public_scores(after), key=lambda r: -r["count"]):
        power = row["power"]
        gained = [p for p, owner in new.items() if owner == power and old.get(p) != power]
        lost = [p for p, owner in old.items() if owner == power and new.get(p) != power]
        if row["centres"] or row["armies"] or lost:
            moves = " ".join([*(f"+{p}" for p in gained), *(f"-{p}" for p in lost)])
            rows.append((name_of(power), str(row["centres"]), str(row["count"]), str(row["armies"]), moves))
    return Section(
        title="Supply centres",
        header=("Power", "Centres", "Victory", "Armies", "Gained and lost"),
        rows=tuple(rows),
    )


def public_centres(view: View) -> Mapping[str, PowerId]:
    """The owner of each centre as everybody knows it."""
    known: Mapping[str, PowerId] = view.data["public"]["centres"]
    return known


def public_scores(view: View) -> Sequence[Mapping[str, Json]]:
    """The scores as everybody knows them."""
    known: Sequence[Mapping[str, Json]] = view.data["public"]["scores"]
    return known


def _victory_count(after: View) -> Section:
    """Why some counts are higher than the number of centres (20.2, 20.3)."""
    if after.phase.kind not in ("adjustments", "over"):
        return Section(title="Towards victory")
    centres = public_centres(after)
    lines = [f"{after.data['victory']} are needed, and more than anybody else has (20.1)."]
    for power, worth in DOUBLE.items():
        row = next(r for r in public_scores(after) if r["power"] == power)
        held = [p for p in worth if centres.get(p) == power]
        parts = [f"{p} counts {'double' if worth[p] == 2 else 'triple'}" for p in held]
        extra = row["count"] - row["centres"] - sum(worth[p] - 1 for p in held)
        if extra:
            parts.append("Eriador counts as one more")
        if parts:
            clause = "20.2" if power == "dwarves" else "20.3"
            lines.append(
                f"{name_of(power)}: {row['centres']} on the board, {listed(parts)}: {row['count']} ({clause})"
            )
    return Section(title="Towards victory", lines=tuple(lines))


def _standing(after: View) -> Section:
    armies = [u["unit"] for u in after.data["public"]["units"] if u["power"] == STANDING]
    line = (f"Nobody is known to command {listed(armies)}.",) if armies else ()
    return Section(title="Standing armies", lines=line)


def _position(after: View) -> Section:
    rows = []
    for power in POWERS:
        units = [u["unit"] for u in after.data["public"]["units"] if u["power"] == power.id]
        if units:
            rows.append((power.name, ", ".join(units)))
    return Section(title="Position", header=("Power", "Units"), rows=tuple(rows))


# --- the private page ----------------------------------------------------------------------------------------


def _private_sections(before: View, after: View, reading: Reading, private: Private) -> list[Section]:
    if reading.power is None:
        return []
    secret = [_line(seen) for seen in reading.orders if private.order(seen)]
    secret += [f"> {_cited(e)}" for e in reading.events if id(e) in private.events]
    verdicts = [
        f"{'! ' if seen.result != 'ok' else ''}{seen.order}: {seen.reason} ({_clause(seen.rule)})"
        for seen in reading.orders
        if seen.power == reading.power and seen.reason.endswith(ONLY_YOU)
    ]
    pieces = [
        f"{u['unit']} in {full_name(u['place'])}, {_disguise(u)}" for u in after.data["units"] if u["hidden"]
    ]
    return [
        Section(title="Your secret orders", lines=tuple(secret), private=True),
        Section(title="Supports answered to you alone", lines=tuple(verdicts), private=True),
        Section(title="Your hidden pieces", lines=tuple(pieces), private=True),
        Section(title=ORDERS_NEXT, lines=_next(after), private=True),
    ]


def _disguise(unit: Mapping[str, Json]) -> str:
    if unit["kind"] in ("W", "N"):
        return "known to you alone"
    return "taken by all others for a standing army" if unit["kind"] == "A" else "known to you alone"


def _next(after: View) -> tuple[str, ...]:
    mine = [u for u in after.data["units"] if u["power"] == after.power]
    if after.phase.kind == "movement" and mine:
        return (
            f"{after.phase.title}: orders for {listed([u['unit'] for u in mine])}.",
            *_fortresses(mine),
        )
    if after.phase.kind == "retreats":
        return tuple(
            f"{u['unit']} must retreat: to {listed(u['retreats'], 'or')}, or disband"
            for u in after.data["dislodged"]
            if u["power"] == after.power and u["retreats"]
        )
    if after.phase.kind == "adjustments" and after.data["mine"]:
        return tuple(_adjustments(after.data["mine"]))
    return ()


def _fortresses(mine: Sequence[Mapping[str, Json]]) -> tuple[str, ...]:
    board = the_board()
    held = [u["unit"] for u in mine if board[u["place"]].fortress and u["kind"] not in ("W", "N")]
    if not held:
        return ()
    return (f"> {listed(held)}: in a fortress, whose help needs an order, be it Hold (7.4)",)


def _adjustments(mine: Mapping[str, Json]) -> list[str]:
    owed = mine["owed"]
    lines = []
    if owed > 0 and mine["builds"]:
        lines.append(f"{owed} build{'s' if owed > 1 else ''}: {', '.join(mine['builds'])}")
    if owed > 0 and not mine["builds"]:
        lines.append(f"{owed} build{'s' if owed > 1 else ''}, but no place to build now")
    if owed < 0:
        lines.append(f"{-owed} removal{'s' if owed < -1 else ''}")
    if mine["activate"]:
        lines.append(f"One activation, with alternatives: {', '.join(mine['activate'])} (17.2)")
    if mine["raise"]:
        lines.append(f"A new Nazgûl: {', '.join(mine['raise'])} (18.13)")
    return lines
