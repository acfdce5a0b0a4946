"""Adjudication of one phase, and what comes after it (rules 1.2, 7.1, 11)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gm.games.api import Adjudicated, Dice, Event, Json, OrderResult, PowerId, Sheets, State
from gm.games.diplomacy.adjustments import adjust
from gm.games.diplomacy.board import Board, province_of, standard
from gm.games.diplomacy.explain import explain
from gm.games.diplomacy.meta import BY_ID, POWERS
from gm.games.diplomacy.orders import read
from gm.games.diplomacy.outcome import Outcome
from gm.games.diplomacy.resolve import resolve
from gm.games.diplomacy.retreats import resolve_retreats
from gm.games.diplomacy.state import dues, make_state, retreating

KIND = {"A": "army", "F": "fleet"}


def merge(_state: State, _power: PowerId, old: Sequence[str], new: Sequence[str]) -> tuple[str, ...]:
    """A later order for the same unit (or build in the same centre) replaces the earlier; new `Waive`s replace old."""
    replaced = {_subject(text) for text in new}
    sheet = [text for text in old if _subject(text) not in replaced]
    for text in new:
        subject = _subject(text)
        if subject != "Waive":
            sheet = [kept for kept in sheet if _subject(kept) != subject]
        sheet.append(text)
    return tuple(sheet)


def _subject(text: str) -> str:
    order = read(text)
    return text if order is None or order.verb == "waive" else province_of(order.place)


def adjudicate(state: State, sheets: Sheets, _dice: Dice) -> Adjudicated:
    """Carry out one phase and pass over those that follow in which nobody has anything to order."""
    if state["over"] is not None:
        return Adjudicated(state=state, orders=(), events=())
    board = standard()
    owing = [due.power for due in dues(state)]
    orders = {power.id: merge(state, power.id, (), sheets.get(power.id) or ()) for power in POWERS}
    events = [_nmr(state, power) for power in owing if sheets.get(power) is None]
    kind = state["phase"][-1]
    if kind == "M":
        results, after = _movement(board, state, orders, events)
    elif kind == "R":
        results, after = _retreat(board, state, orders, events)
    else:
        results, after = _adjustment(board, state, orders, events)
    return Adjudicated(
        state=_advance(board, state, after, events), orders=tuple(results), events=tuple(events)
    )


def _nmr(state: State, power: PowerId) -> Event:
    what = {
        "M": "its units hold",
        "R": "its dislodged units are disbanded",
        "A": "builds are waived, removals made by the rule of civil disorder",
    }[state["phase"][-1]]
    name = BY_ID[power].name
    text = f"No moves received from {name}: {what}."
    return Event(kind="nmr", text=text, rule="diplomacy 9.1", data={"power": power})


# --- movement -------------------------------------------------------------------------------------------


def _movement(
    board: Board, state: State, orders: Mapping[str, Sequence[str]], events: list[Event]
) -> tuple[list[OrderResult], dict[str, Json]]:
    outcome = resolve(board, state["units"], orders)
    strays = set(outcome.strays)
    results = []
    for power, texts in orders.items():
        for text in texts:
            if (power, text) in strays:
                reason = "there is no such unit of yours"
                rule = "diplomacy 10.2"
                results.append(
                    OrderResult(power=power, order=text, result="illegal", reason=reason, rule=rule)
                )
            else:
                at = board.index[text[2:5]]
                reason, rule = explain(outcome, at, text)
                results.append(
                    OrderResult(power=power, order=text, result=outcome.word[at], reason=reason, rule=rule)
                )
    dislodged = []
    for at, origin in outcome.dislodged.items():
        entry = {
            "power": outcome.owner[at],
            "unit": outcome.unit[at],
            "attacker_from": board.ids[origin],
            "retreats": outcome.retreats[at],
        }
        dislodged.append(entry)
        events.append(_dislodged_event(board, outcome, at, origin, entry))
    events.extend(
        Event(
            kind="standoff",
            text=f"Stand-off in {board.spoken[board.ids[to]]}: nobody enters.",
            rule="diplomacy 3.1",
            data={
                "province": board.ids[to],
                "powers": sorted({outcome.owner[at] for at in outcome.into[to] if not outcome.settled[at]}),
            },
        )
        for to in outcome.contested
    )
    contested = [board.ids[to] for to in outcome.contested]
    return results, {"units": outcome.units, "dislodged": dislodged, "contested": contested}


def _dislodged_event(
    board: Board, outcome: Outcome, at: int, origin: int, entry: Mapping[str, Json]
) -> Event:
    victim, attacker = BY_ID[outcome.owner[at]], BY_ID[outcome.owner[origin]]
    kind = KIND[entry["unit"][0]]
    text = (
        f"The {victim.adjective} {kind} in {board.spoken[board.ids[at]]} is dislodged by the {attacker.adjective} "
        f"attack from {board.spoken[board.ids[origin]]}"
    )
    data = {**entry, "by": attacker.id, "province": board.ids[at]}
    if entry["retreats"]:
        return Event(kind="dislodged", text=f"{text}.", rule="diplomacy 3.2", data=data)
    text = f"{text} and disbanded: it has no retreat."
    return Event(kind="destroyed", text=text, rule="diplomacy 6.3", data=data)


# --- retreats -------------------------------------------------------------------------------------------


def _retreat(
    board: Board, state: State, orders: Mapping[str, Sequence[str]], events: list[Event]
) -> tuple[list[OrderResult], dict[str, Json]]:
    units = {power: list(names) for power, names in state["units"].items()}
    results = []
    saved = set()
    for one in resolve_retreats(board, state["dislodged"], orders):
        results.append(
            OrderResult(power=one.power, order=one.text, result=one.word, reason=one.reason, rule=one.rule)
        )
        if one.to:
            saved.add((one.power, one.unit))
            units[one.power].append(f"{one.unit[0]} {one.to}")
            text = (
                f"The {BY_ID[one.power].adjective} {KIND[one.unit[0]]} from {board.spoken[one.unit[2:]]} "
                f"retreats to {board.spoken[one.to]}."
            )
            data = {"power": one.power, "unit": one.unit, "to": one.to}
            events.append(Event(kind="retreated", text=text, rule="diplomacy 6.1", data=data))
    for power in POWERS:
        for entry in retreating(state, power.id):
            if (power.id, entry["unit"]) not in saved:
                where = board.spoken[entry["unit"][2:]]
                text = f"The {power.adjective} {KIND[entry['unit'][0]]} dislodged from {where} is disbanded."
                data = {"power": power.id, "unit": entry["unit"]}
                events.append(Event(kind="disbanded", text=text, rule="diplomacy 6.3", data=data))
    return results, {"units": units}


# --- adjustments ----------------------------------------------------------------------------------------


def _adjustment(
    board: Board, state: State, orders: Mapping[str, Sequence[str]], events: list[Event]
) -> tuple[list[OrderResult], dict[str, Json]]:
    units: dict[str, list[str]] = {}
    results = []
    for power in POWERS:
        before = state["units"][power.id]
        after, judged, disorder = adjust(
            board, power.id, state["units"], state["centres"][power.id], orders.get(power.id, ())
        )
        units[power.id] = after
        results += [
            OrderResult(power=power.id, order=one.text, result=one.word, reason=one.reason, rule=one.rule)
            for one in judged
        ]
        for unit in after:
            if unit not in before:
                events.append(
                    _adjusted("built", power.id, unit, f"{power.name} builds", board, "diplomacy 8.1")
                )
        for one in judged:
            if one.unit in before:
                events.append(
                    _adjusted("removed", power.id, one.unit, f"{power.name} removes", board, "diplomacy 8.2")
                )
        for unit in disorder:
            who = f"{power.name} loses, by the rule of civil disorder,"
            events.append(_adjusted("disorder", power.id, unit, who, board, "datc 4.D.8"))
    return results, {"units": units}


def _adjusted(kind: str, power: PowerId, unit: str, who: str, board: Board, rule: str) -> Event:
    article = "the" if kind != "built" else ("an" if unit[0] == "A" else "a")
    text = f"{who} {article} {KIND[unit[0]]} in {board.spoken[unit[2:]]}."
    return Event(kind=kind, text=text, rule=rule, data={"power": power, "unit": unit})


# --- what comes next --------------------------------------------------------------------------------------


def _advance(board: Board, state: State, after: Mapping[str, Json], events: list[Event]) -> State:
    """The first following phase in which somebody has something to order."""
    name: str = state["phase"]
    year = int(name[1:5])
    units, dislodged = after["units"], after.get("dislodged", ())
    contested = after.get("contested", ())
    if name[-1] == "M":
        following = _state(state, f"{name[0]}{year}R", units, state["centres"], dislodged, contested)
        if dues(following):
            return following
    if name[0] == "S":
        return _state(state, f"F{year}M", units, state["centres"], dislodged)
    if name[0] == "W":
        return _state(state, f"S{year + 1}M", units, state["centres"])
    centres = _count_centres(board, state["centres"], units, events)
    ended = _ending(state, centres, year, events)
    if ended is not None:
        final = _state(state, name, units, centres, dislodged)
        final["over"] = ended
        return final
    winter = _state(state, f"W{year}A", units, centres, dislodged)
    if not dues(winter):
        _, forced = _adjustment(board, winter, {}, events)
        winter = _state(winter, f"S{year + 1}M", forced["units"], centres, dislodged)
    return winter


def _state(
    state: State,
    name: str,
    units: Mapping[str, Iterable[str]],
    centres: Mapping[str, Iterable[str]],
    dislodged: Sequence[Mapping[str, Json]] = (),
    contested: Iterable[str] = (),
) -> dict[str, Json]:
    return make_state(name, state["options"], units, centres, dislodged, contested)


def _count_centres(
    board: Board,
    before: Mapping[str, Sequence[str]],
    units: Mapping[str, Iterable[str]],
    events: list[Event],
) -> dict[str, list[str]]:
    """Centres after a Fall turn: whoever stands in one owns it (rule 7.1)."""
    owner = {centre: power for power, centres in before.items() for centre in centres}
    holder = {province_of(unit[2:]): power for power, names in units.items() for unit in names}
    centres: dict[str, list[str]] = {power.id: [] for power in POWERS}
    for centre in board.centres:
        old = owner.get(centre)
        new = holder.get(centre, old)
        if new is not None:
            centres[new].append(centre)
        if new is not None and new != old:
            name = board.spoken[centre]
            loser = f" from {BY_ID[old].name}" if old else ""
            text = f"{BY_ID[new].name} takes {name}{loser}."
            data = {"power": new, "from": old, "centre": centre}
            events.append(Event(kind="captured", text=text, rule="diplomacy 7.1", data=data))
    for power in POWERS:
        if before[power.id] and not centres[power.id]:
            text = f"{power.name} has no supply centre left and is out of the game."
            events.append(
                Event(kind="eliminated", text=text, rule="diplomacy 11.2", data={"power": power.id})
            )
    return centres


def _ending(
    state: State, centres: Mapping[str, Sequence[str]], year: int, events: list[Event]
) -> dict[str, Json] | None:
    """Victory, or the draw of the last year."""
    ranking = sorted(POWERS, key=lambda power: -len(centres[power.id]))
    first, second = (len(centres[power.id]) for power in ranking[:2])
    end_year = state["options"]["end_year"]
    if first >= state["options"]["win_centres"] and first > second:
        winners = [ranking[0].id]
        text = f"{ranking[0].name} wins with {first} supply centres."
        rule = "diplomacy 11.1"
    elif end_year and year >= end_year:
        winners = [power.id for power in POWERS if centres[power.id]]
        text = f"The game ends with {year}, drawn among {_names(winners)}."
        rule = "diplomacy 11.3"
    else:
        return None
    events.append(Event(kind="over", text=text, rule=rule, data={"winners": winners}))
    return {"winners": winners, "text": text, "rule": rule}


def _names(powers: Sequence[PowerId]) -> str:
    names = [BY_ID[power].name for power in powers]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
