"""The engine's happenings as sentences, each with the readers who may know it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gm.games.api import Audience, Event, Json
from gm.games.necromancer.facts import offers
from gm.games.necromancer.ids import SARUMAN, SAURON, ZERO, PowerId
from gm.games.necromancer.model import Dislodged, Game
from gm.games.necromancer.names import KIND_NAMES, full_name
from gm.games.necromancer.orders import UnitRef
from gm.games.necromancer.outcome import Happening, Resolution
from gm.games.necromancer.powers import adjective_of, does, name_of
from gm.games.necromancer.sight import Sight, needed, of_the_fall
from gm.games.necromancer.wording import HIDDEN_RULE, actor_words, listed

Words = Callable[[Happening, Sight, Mapping[str, Json]], str]
"""Made of a happening, what the phase reveals, and the event's data."""


def event_of(h: Happening, sight: Sight, resolution: Resolution) -> Event | None:
    """A happening for its readers; None where nobody but the engine has any use for it."""
    words = _WORDS.get(h.kind)
    if words is None or of_the_fall(h):
        return None
    data = _data(h, resolution)
    return Event(
        kind=h.kind,
        text=words(h, sight, data),
        rule=f"necromancer {h.rule}",
        seen_by=_audience(h, sight),
        data=data,
    )


_WHY: Mapping[str, str] = {
    "failed": "its order failed",
    "explains": "another result can't be explained without it",
    "lead": "a Lead is always made known",
    "retreat": "a retreat is always made known",
    "dislodged": "it was driven out",
    "builds": "an army was raised where it stands",
}


def revelations(sight: Sight) -> tuple[Event, ...]:
    """For each Wizard, Nazgûl, Dragons or Spiders that comes out, that it does, and under which clause."""
    return tuple(
        Event(
            kind="shown",
            text=f"The {KIND_NAMES[kind]} in {_at(place)} is made known: {_WHY[why]}",
            rule=f"necromancer {HIDDEN_RULE[kind]}",
            data={"power": power, "kind": kind, "place": place},
        )
        for (power, kind, place), why in sight.revealed.items()
        if kind in HIDDEN_RULE and why in _WHY
    )


def _audience(h: Happening, sight: Sight) -> Audience:
    owner: Audience = (h.power,)
    if h.kind == "activated" or (h.kind == "raised" and h.power == SAURON):
        return owner
    if h.kind == "nmr" and _owed_in_secret(h.power, sight.before):
        return owner
    if h.kind in ("unordered", "joined", "removed") and h.unit and sight.is_hidden(h.power, h.unit):
        return owner
    if h.kind == "captured" and h.power == SAURON and _in_secret(h, sight):
        return owner
    if h.kind == "homes" and h.power == SAURON:
        return owner
    return "all"


def _owed_in_secret(power: PowerId, game: Game) -> bool:
    """Whether it is a secret of a power's own that it had anything to order."""
    if game.step == "adjustments":
        return power in (SARUMAN, SAURON)
    mine = [u for u in game.units if u.owner == power]
    return game.step == "movement" and bool(mine) and all(u.secret for u in mine)


def _in_secret(h: Happening, sight: Sight) -> bool:
    """Whether a centre falls to Sauron by a unit that the others take for a standing army, or never saw (17.4)."""
    return h.unit is not None and h.unit.kind not in ZERO and sight.is_hidden(SAURON, h.unit)


def _data(h: Happening, resolution: Resolution) -> Mapping[str, Json]:
    data: dict[str, Json] = {"power": h.power}
    if h.unit:
        data["unit"] = str(h.unit)
    if h.place:
        data["place"] = h.place
    dislodged = _dislodged(h, resolution.after)
    if dislodged:
        data["attacker_from"] = list(dislodged.attacker_from)
        data["retreats"] = list(offers(resolution.after, dislodged, None))
    return data


def _dislodged(h: Happening, after: Game) -> Dislodged | None:
    if h.kind not in ("dislodged", "expelled", "broken") or h.unit is None:
        return None
    return next(
        (
            d
            for d in after.dislodged
            if (d.unit.owner, d.unit.kind, d.unit.place) == (h.power, h.unit.kind, h.unit.place)
        ),
        None,
    )


# --- words ---------------------------------------------------------------------------------------------------


def _whose(power: PowerId, unit: UnitRef | None) -> str:
    return f"{adjective_of(power)} {unit}" if unit else name_of(power)


def _the(h: Happening) -> str:
    return f"The {_whose(h.power, h.unit)}"


def _at(place: str) -> str:
    return f"{place} ({full_name(place)})" if place else "the province"


def _by(h: Happening, sight: Sight) -> str:
    seen = [actor_words(a) for a in sight.seen(needed(h.by)) if a.doing != "supported"]
    return f" by {listed(seen)}" if seen else ""


def _driven_out(h: Happening, sight: Sight, data: Mapping[str, Json]) -> str:
    reason = {
        "dislodged": f"is dislodged{_by(h, sight)}",
        "expelled": "is driven out by the land itself",
        "broken": "loses the Nazgûl that held it together and must retreat",
    }[h.kind]
    places = data.get("retreats")
    if places is None:
        return f"{_the(h)} {reason}"
    where = f"it may retreat to {listed(places, 'or')}" if places else "it has no retreat and is disbanded"
    return f"{_the(h)} {reason}; {where}"


def _disbanded(h: Happening, sight: Sight, _: Mapping[str, Json]) -> str:
    why = {
        "closed": "no open province was chosen",
        "clash": "another unit retreated to the same province",
        "no_order": "no retreat was ordered",
        "blocked_by_hidden": f"its retreat was blocked{_by(h, sight)}",
        "dislodged": "it was driven out",
    }.get(str(h.data.get("why", "")), "")
    return f"{_the(h)} is disbanded" + (f": {why}" if why else "")


def _lost(h: Happening, thing: str) -> str:
    number = h.data.get("lost", h.data.get("fleets", 1))
    return f"{_the(h)} loses {f'{number} {thing}s' if number not in (1, None) else f'its {thing}'}"


def _captured(h: Happening, sight: Sight, _: Mapping[str, Json]) -> str:
    before = {**sight.before.centres, **sight.before.public_owners}.get(h.place)
    return f"{does(h.power, 'takes')} {_at(h.place)}" + (f" from {name_of(before)}" if before else "")


def _raised(h: Happening, _: Sight, __: Mapping[str, Json]) -> str:
    what = "a new Nazgûl" if h.power == SAURON else "an army where the Wizard stands,"
    return f"{does(h.power, 'raises')} {what} in {_at(h.place or (h.unit.place if h.unit else ''))}"


def _removed(h: Happening, _: Sight, __: Mapping[str, Json]) -> str:
    chosen = h.data.get("chosen", True)
    return f"{_the(h)} is removed" + ("" if chosen else " by the civil-disorder rule, for want of an order")


def _built(h: Happening, _: Sight, __: Mapping[str, Json]) -> str:
    where = _at(h.place or (h.unit.place if h.unit else ""))
    strength = h.data.get("strength", 1)
    unit = f"{h.unit}" if h.unit else "an army"
    of = f", now of strength {strength}," if isinstance(strength, int) and strength > 1 else ""
    return f"{does(h.power, 'builds')} {unit}{of} in {where}"


def _blocked(h: Happening, sight: Sight, _: Mapping[str, Json]) -> str:
    return f"{name_of(h.power)} can't build in {_at(h.place)}: the build is blocked{_by(h, sight)}, and lost"


def _victory(h: Happening, _: Sight, __: Mapping[str, Json]) -> str:
    scores = h.data.get("scores")
    count = scores.get(h.power) if isinstance(scores, dict) else None
    return does(h.power, "wins") + (f" with a count of {count}" if count else "")


_WORDS: Mapping[str, Words] = {
    "nmr": lambda h, s, _: f"{name_of(h.power)} sent no orders",
    "unordered": lambda h, s, _: f"{_the(h)} has no valid order and holds without the help of any fortress",
    "dislodged": _driven_out,
    "expelled": _driven_out,
    "broken": _driven_out,
    "joined": lambda h, s, _: (
        f"{does(h.power, 'has')} a multiple army of strength {h.data.get('strength', 2)} in {_at(h.place)}"
    ),
    "fleet_built": lambda h, s, _: f"{_the(h)} has built its fleet",
    "engine_built": lambda h, s, _: f"{_the(h)} has built its siege engine",
    "fleet_lost": lambda h, s, _: _lost(h, "fleet"),
    "engine_lost": lambda h, s, _: _lost(h, "siege engine"),
    "standing_disbanded": lambda h, s, _: f"The standing {h.unit} is driven out{_by(h, s)} and disbanded",
    "revealed": lambda h, s, _: f"{_the(h)} shows itself as Sauron's",
    "retreated": lambda h, s, _: f"{_the(h)} retreats to {_at(h.place)}",
    "disbanded": _disbanded,
    "destroyed": lambda h, s, _: f"{_the(h)} is destroyed",
    "captured": _captured,
    "homes": lambda h, s, _: f"{name_of(h.power)} may build in {_at(h.place)} from now on",
    "natural_lost": lambda h, s, _: f"{_at(h.place)} no longer repels anybody",
    "built": _built,
    "build_blocked": _blocked,
    "raised": _raised,
    "removed": _removed,
    "activated": lambda h, s, _: (
        f"{h.unit or h.place} is yours to order from now on; the others do not learn of it until it acts"
    ),
    "placed": lambda h, s, _: f"Saruman's third army starts in {_at(h.place)}",
    "eriador_closed": lambda h, s, _: f"Eriador is no home of the {name_of(h.power)} any more",
    "eliminated": lambda h, s, _: f"{does(h.power, 'is')} out of the game",
    "sauron_fell": lambda h, s, _: (
        "Sauron falls: the Nazgûl is gone, and what is left of his host stands leaderless"
    ),
    "victory": _victory,
}
