"""A turn told to one reader, from his view and the events he may know. Never sees the state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gm.games.api import Event, Reading, Report, Section, View
from gm.games.menes.board import label
from gm.games.menes.model import counts_words, place_key
from gm.games.menes.view import standings

MANY_DICE = 60
"""More dice than this in one volley are told by how often each number fell."""

_HAPPENED = ("battle", "flight", "flyover")
_CHANGED = ("captured", "out", "over")
_OWN = ("bought", "disbanded", "drowned", "natives", "after", "shortfall", "missed")


def report(before: View, after: View, reading: Reading) -> Report:
    """See `gm.games.api.Ruleset.report`."""
    events = reading.events
    sections = [
        Section(title=f"The year {reading.phase.turn} of the Fourth Age", lines=_chronicle(before, events)),
        _lines("Battles", _told(events, *_HAPPENED)),
        _lines("Seen on the march and at sea", _told(events, "move", "takeoff")),
        _lines("Seas held by one power alone", _claims(after)),
        _powers(after),
        _units(after),
    ]
    if after.power is not None and after.data["own"] is not None:
        sections += _private(after, reading)
    return Report(headline=_headline(events), sections=tuple(s for s in sections if s.lines or s.rows))


def _told(events: Sequence[Event], *kinds: str) -> tuple[str, ...]:
    return tuple(e.text for e in events if e.kind in kinds)


def _lines(title: str, lines: tuple[str, ...], *, private: bool = False) -> Section:
    return Section(title=title, lines=lines, private=private)


def _headline(events: Sequence[Event]) -> str:
    ends = [e for e in events if e.kind == "over"]
    if ends:
        return ends[0].text
    fallen = [e for e in events if e.kind == "captured" and e.data["before"]]
    if fallen:
        return fallen[0].text
    battles = [e for e in events if e.kind == "battle"]
    if battles:
        place = label(battles[0].data["place"])
        return f"War at {place}" + (f" and {len(battles) - 1} more" if len(battles) > 1 else "")
    taken = [e for e in events if e.kind == "captured"]
    if taken:
        return f"{len(taken)} {'space' if len(taken) == 1 else 'spaces'} settled, not a blow struck"
    return "A year of peace"


def _chronicle(before: View, events: Sequence[Event]) -> tuple[str, ...]:
    changes = _told(events, *_CHANGED)
    if changes:
        return changes
    return (f"IV{before.data['year']} passes and no space changes hands.",)


def _claims(after: View) -> tuple[str, ...]:
    claims = after.data["claims"]
    return tuple(
        f"{label(sea)[:1].upper()}{label(sea)[1:]}: the {claims[sea].capitalize()}." for sea in claims
    )


def _powers(after: View) -> Section:
    data = after.data
    rows = tuple(
        (
            power.capitalize() + (" (out)" if power in data["out"] else ""),
            str(data["cities"][power]),
            str(data["provinces"][power]),
            str(points),
        )
        for power, points in standings(after)
    )
    return Section(title="The five powers", header=("Power", "Cities", "Provinces", "Points"), rows=rows)


def _units(after: View) -> Section:
    rows = []
    for place in sorted(after.data["units"], key=place_key):
        for power, kinds in after.data["units"][place].items():
            owner = after.data["owners"].get(place)
            rows.append((label(place), (owner or "-").capitalize(), power.capitalize(), ", ".join(kinds)))
    return Section(
        title="Units seen (kinds, not numbers)",
        header=("Place", "Owner", "Units of", "Kinds"),
        rows=tuple(rows),
    )


# --- for the reader alone ----------------------------------------------------------------------------------


def _private(after: View, reading: Reading) -> list[Section]:
    own = after.data["own"]
    return [
        _account(own),
        _forces(own),
        _orders(reading),
        _lines("Your year", _told(reading.events, *_OWN), private=True),
        _lines("Your battles in numbers", _told(reading.events, "numbers"), private=True),
        _lines(
            "Your dice",
            tuple(line for e in reading.events if e.kind == "rolls" for line in dice(e)),
            private=True,
        ),
        _lines("Your standing orders", standing(own), private=True),
    ]


def _account(own: Mapping[str, Any]) -> Section:
    rows = [(str(line), str(gold)) for line, gold in own["ledger"]]
    rows.append(("Treasury", str(own["treasury"])))
    return Section(title="Your treasury", header=("", "Gold"), rows=tuple(rows), private=True)


def _forces(own: Mapping[str, Any]) -> Section:
    rows = []
    for place in sorted({*own["units"], *own["cargo"]}, key=place_key):
        aboard = own["cargo"].get(place, {})
        rows.append(
            (label(place), counts_words(own["units"].get(place, {})), counts_words(aboard) if aboard else "")
        )
    return Section(title="Your forces", header=("Place", "Units", "Aboard"), rows=tuple(rows), private=True)


def _orders(reading: Reading) -> Section:
    lines = []
    for order in reading.orders:
        good = order.result in ("ok", None)
        tail = (
            f" - {order.result}: {order.reason} [{order.rule}]"
            if not good
            else f" ({order.reason})" * bool(order.reason)
        )
        lines.append(f"{'' if good else '! '}{order.order}{tail}")
    return Section(title="Your orders", lines=tuple(lines), private=True)


def dice(event: Event) -> tuple[str, ...]:
    """A battle retold roll by roll to the one who rolled: one line for each kind of unit and round."""
    lines = [f"{label(event.data['place'])[:1].upper()}{label(event.data['place'])[1:]}:"]
    for number, roll, unit, need, values in event.data["volleys"]:
        done = sum(v <= need for v in values)
        word = "flee" if roll == "flight" else "hit" if done == 1 else "hits"
        rolled = _rolled(values)
        lines.append(f"> round {number}, {unit} {roll} on {need} or less: {rolled} ({done} {word})")
    return tuple(lines)


def _rolled(values: Sequence[int]) -> str:
    """Every roll, or for a host of them how often each number fell: a mail must stay readable."""
    if len(values) <= MANY_DICE:
        return " ".join(str(v) for v in values)
    return ", ".join(f"{values.count(v)} times {v}" for v in sorted(set(values)))


def standing(own: Mapping[str, Any]) -> tuple[str, ...]:
    """Standing orders as lines that could be sent again, and what is so without one."""
    orders = own["standing"]
    lines = [
        f"RETREAT {p} TO {', '.join(orders['retreat'][p])}" for p in sorted(orders["retreat"], key=place_key)
    ]
    lines.append(f"AFTER ALL {orders['after'].upper()}")
    lines.append(f"PRIORITY {', '.join(r.upper() for r in orders['priority'])}")
    lines += [f"PEACE {p.upper()}" for p in orders["peace"]]
    lines += [f"FLYOVER {p.upper()} ALLOW" for p in orders["flyover"]]
    if own["vacation"]:
        lines.append(f"VACATION {own['vacation']} TURN{'' if own['vacation'] == 1 else 'S'}")
    return tuple(lines)
