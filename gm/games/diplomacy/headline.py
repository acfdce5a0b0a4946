"""The newspaper line over a phase's report, made of its events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gm.games.api import Event, Reading
from gm.games.diplomacy.board import standard
from gm.games.diplomacy.meta import BY_ID, POWERS
from gm.games.diplomacy.orders import read

KIND = {"A": "army", "F": "fleet"}


def headline(reading: Reading) -> str:
    """The most striking thing that the reader may know: the end, a fall, conquests, routs, deadlocks, marches."""
    events: dict[str, list[Event]] = {}
    for event in reading.events:
        events.setdefault(event.kind, []).append(event)
    turn = sum(map(ord, reading.phase.name))
    if "over" in events:
        return _end(events["over"][0])
    if "captured" in events:
        return _conquests(events["captured"], events.get("eliminated", ()), turn)
    if "eliminated" in events:
        return f"Lights out for {_list(_powers(events['eliminated']))}"
    if "dislodged" in events or "destroyed" in events:
        return _routs([*events.get("destroyed", ()), *events.get("dislodged", ())], turn)
    if reading.phase.kind == "retreats":
        return _retreats(events)
    if reading.phase.kind == "adjustments":
        return _winter(events, turn)
    if "standoff" in events:
        names = _list([_name(event.data["province"]) for event in events["standoff"]][:3])
        return _pick(
            turn, f"Deadlock in {names}", f"Nobody gives way in {names}", f"Bayonets crossed in {names}"
        )
    return _marches(reading, turn)


def _end(event: Event) -> str:
    winners = event.data["winners"]
    if len(winners) == 1:
        return f"{BY_ID[winners[0]].name.upper()} RULES EUROPE"
    return f"Peace at last: {_list([BY_ID[power].name for power in winners])} share Europe"


def _conquests(captured: Sequence[Event], out: Sequence[Event], turn: int) -> str:
    taken: dict[str, list[str]] = {}
    for event in captured:
        taken.setdefault(event.data["power"], []).append(_name(event.data["centre"]))
    best = max(len(names) for names in taken.values())
    leaders = [power.id for power in POWERS if len(taken.get(power.id, ())) == best]
    power = leaders[turn % len(leaders)]
    verb = _pick(turn, "takes", "seizes", "plants its flag in", "storms")
    line = f"{BY_ID[power].name} {verb} {_list(taken[power][:3])}"
    if out:
        return f"{line}; the end for {_list(_powers(out))}"
    losers = Counter(event.data["from"] for event in captured if event.data["from"])
    if losers:
        most = max(losers.values())
        victim = next(one.id for one in POWERS if losers.get(one.id) == most)
        if victim != power:
            return f"{line}; {BY_ID[victim].name} reels"
    return line


def _routs(routs: Sequence[Event], turn: int) -> str:
    first = routs[turn % len(routs)]
    victim, attacker = BY_ID[first.data["power"]], BY_ID[first.data["by"]]
    what = f"{victim.adjective} {KIND[first.data['unit'][0]]}"
    where = _name(first.data["province"])
    line = _pick(
        turn,
        f"{attacker.name} drives the {what} out of {where}",
        f"Rout in {where}: {what} flees before {attacker.name}",
        f"{what} thrown out of {where} by {attacker.name}",
    )
    others = len(routs) - 1
    return line + (f", and {others} more give ground" if others > 1 else "")


def _retreats(events: dict[str, list[Event]]) -> str:
    saved, lost = events.get("retreated", []), events.get("disbanded", [])
    if lost and not saved:
        return f"No way out for {_list(_powers(lost))}"
    if saved and lost:
        return f"Escape for {_list(_powers(saved))}, the end of the road for {_list(_powers(lost))}"
    return f"Withdrawal in good order by {_list(_powers(saved))}"


def _winter(events: dict[str, list[Event]], turn: int) -> str:
    built, gone = (
        _powers(events.get("built", [])),
        _powers([*events.get("removed", []), *events.get("disorder", [])]),
    )
    if built and gone:
        count = "counts" if len(gone) == 1 else "count"
        return f"{_list(built)} {_arm(built)} while {_list(gone)} {count} the missing"
    if built:
        return _pick(
            turn, f"Yards and barracks busy: {_list(built)} {_arm(built)}", f"{_list(built)} {_arm(built)}"
        )
    return f"A lean winter for {_list(gone)}" if gone else "A quiet winter"


def _arm(powers: Sequence[str]) -> str:
    return "arms" if len(powers) == 1 else "arm"


def _marches(reading: Reading, turn: int) -> str:
    moved = Counter(
        seen.power
        for seen in reading.orders
        if seen.result == "ok" and (order := read(seen.order)) is not None and order.verb == "move"
    )
    if not moved:
        return "All quiet on every front"
    most = max(moved.values())
    power = next(one for one in POWERS if moved.get(one.id) == most)
    return _pick(
        turn,
        f"{power.name} on the march, no shot fired",
        f"Columns move across Europe, {power.adjective} ones first",
        f"{power.adjective} staff redraws the map in pencil",
    )


def _pick(turn: int, *lines: str) -> str:
    return lines[turn % len(lines)]


def _name(province: str) -> str:
    return standard().spoken[province]


def _powers(events: Sequence[Event]) -> list[str]:
    named = {event.data["power"] for event in events}
    return [power.name for power in POWERS if power.id in named]


def _list(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
