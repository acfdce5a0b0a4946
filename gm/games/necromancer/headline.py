"""The newspaper line over a phase's report, made of what everybody may know."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from gm.games.api import Event, Reading
from gm.games.necromancer.names import full_name
from gm.games.necromancer.powers import adjective_of, does, name_of
from gm.games.necromancer.wording import listed


def headline(reading: Reading, private: Collection[int]) -> str:
    """The most striking public thing: the end, a fall, conquests, routs, what came to light, builds, marches.

    `private` holds the ``id`` of each event that is for the reader alone.
    """
    events: dict[str, list[Event]] = {}
    for event in reading.events:
        if id(event) not in private:
            events.setdefault(event.kind, []).append(event)
    turn = sum(map(ord, reading.phase.name))
    for kinds, tell in (
        (("victory",), lambda found: found[0].text),
        (("sauron_fell",), lambda found: "The Ring is no more, and Sauron falls"),
        (("eliminated",), lambda found: f"The end of {listed(_powers(found))}"),
        (("captured",), lambda found: _conquests(found, turn)),
        (("dislodged", "expelled", "broken"), lambda found: _routs(found, turn)),
        (("standing_disbanded",), lambda found: f"{_names(found)} cleared of its standing army"),
        (("disbanded",), lambda found: f"{listed(_powers(found))} lose units, with no way out"),
        (("retreated",), lambda found: f"{listed(_powers(found))} in retreat"),
        (
            ("revealed", "shown"),
            lambda found: _pick(turn, "A shadow takes shape", "Seen at last", "Unmasked"),
        ),
        (("built", "raised"), lambda found: f"{listed(_powers(found))} mustering new strength"),
        (("joined",), lambda found: f"A great host gathers in {_names(found)}"),
        (("engine_built",), lambda found: "Siege engines are raised"),
        (("fleet_built",), lambda found: "Ships upon the water"),
        (("placed",), lambda found: "The long defeat begins"),
    ):
        found = [event for kind in kinds for event in events.get(kind, ())]
        if found:
            return tell(found)
    if reading.phase.kind == "movement":
        return _pick(turn, "Armies on the march", "Nobody gives way", "The watchful years go on")
    return _pick(turn, "A quiet muster", "The winter passes")


def _conquests(found: Sequence[Event], turn: int) -> str:
    taken: dict[str, list[str]] = {}
    for event in found:
        taken.setdefault(str(event.data["power"]), []).append(full_name(str(event.data["place"])))
    most = max(len(places) for places in taken.values())
    leaders = [power for power, places in taken.items() if len(places) == most]
    power = leaders[turn % len(leaders)]
    verb = _pick(turn, "takes", "seizes", "enters", "claims")
    return f"{does(power, verb)} {listed(taken[power][:3])}"


def _routs(found: Sequence[Event], turn: int) -> str:
    event = found[turn % len(found)]
    place = full_name(str(event.data.get("place") or str(event.data["unit"])[-4:-1]))
    who = adjective_of(str(event.data["power"]))
    line = _pick(
        turn, f"{who} rout in {place}", f"{who} forces flee from {place}", f"{who} defeat at {place}"
    )
    return line if len(found) == 1 else f"{line}, and {len(found) - 1} more"


def _powers(found: Sequence[Event]) -> list[str]:
    return list(dict.fromkeys(name_of(str(event.data["power"])) for event in found))


def _names(found: Sequence[Event]) -> str:
    places = [str(e.data.get("place") or str(e.data.get("unit", ""))[-4:-1]) for e in found]
    return listed([full_name(place) for place in dict.fromkeys(places)][:3])


def _pick(turn: int, *lines: str) -> str:
    return lines[turn % len(lines)]
