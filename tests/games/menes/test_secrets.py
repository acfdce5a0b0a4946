"""What a player may not know changes no byte that he gets (rulebook section 10).

A pair of worlds differs only in what P may not know: numbers, cargo, treasuries, standing orders and order counts of
the others. Both are played one turn with the same dice. Where the public facts of the turn and the battles that P
fights come out alike (told here from the full truth, not from the code under test), everything P reads is compared.
"""

from __future__ import annotations

import copy
import dataclasses
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from gm.games.api import Adjudicated, Event, Ruleset, canonical, check_options, reading
from gm.games.dice import SeededDice
from gm.games.menes import RULESET
from gm.games.menes.board import POWERS, SPACES
from gm.games.menes.model import UNITS
from tests.games.menes.wild import wild_position, wild_sheets

READERS = (*POWERS, None)


def histories(rng: random.Random, turns: int) -> Iterator[dict[str, Any]]:
    """Positions of games that bots play."""
    while True:
        state = RULESET.new_game(check_options(RULESET.meta, {}), None)
        seed = rng.randbytes(8)
        for _ in range(turns):
            if RULESET.over(state) is not None:
                break
            dice = SeededDice(seed, RULESET.phase(state).name)
            state = RULESET.adjudicate(state, bot_sheets(state, dice), dice).state
            yield copy.deepcopy(dict(state))


def wild_histories(rng: random.Random, turns: int) -> Iterator[tuple[dict[str, Any], dict[str, list[str]]]]:
    """Crowded positions with orders that make everything happen: landings, fly-overs, peace, drowning."""
    while True:
        state = wild_position(rng, check_options(RULESET.meta, {"victory_points": 49}))
        for _ in range(turns):
            sheets = wild_sheets(rng, state)
            yield copy.deepcopy(state), sheets
            state = RULESET.adjudicate(
                state, sheets, SeededDice(rng.randbytes(4), RULESET.phase(state).name)
            ).state


def games(rng: random.Random) -> Iterator[tuple[dict[str, Any], dict[str, list[str]]]]:
    """(position, sheets) of played games and of crowded boards, by turns."""
    played, crowded = histories(rng, 16), wild_histories(rng, 3)
    for state in played:
        if RULESET.over(state) is None:
            yield state, bot_sheets(state, SeededDice(rng.randbytes(4), "bots"))
        yield next(crowded)


def bot_sheets(state, dice) -> dict[str, list[str]]:
    return {d.power: list(RULESET.bot(RULESET.view(state, d.power), dice)) for d in RULESET.dues(state)}


def disturb(rng: random.Random, state: dict[str, Any], reader: str | None) -> dict[str, Any]:
    """The same position with other secrets."""
    other = copy.deepcopy(state)
    for power in POWERS:
        if power == reader:
            continue
        other["treasury"][power] += rng.randrange(0, 50)
        other["missed"][power] = rng.randrange(2)
        other["vacation"][power] = rng.randrange(3)
        other["ledger"][power] = [["Saved", rng.randrange(99)]]
        other["standing"][power]["priority"] = rng.sample(["army", "fleet", "unique"], 3)
        home = rng.choice(sorted(SPACES, key=str)[:30])
        if SPACES[home].land and home not in other["units"][power]:
            other["standing"][power]["retreat"][home] = [SPACES[home].land[0]]
    for _ in range(2):
        power = rng.choice([p for p in POWERS if p != reader])
        stacks = [(p, u) for p, units in other["units"][power].items() for u in sorted(units)]
        if rng.random() < 0.8:  # mostly where no battle is likely, so that many pairs come out alike
            stacks = [(p, u) for p, u in stacks if _quiet(other, power, p)]
        if stacks:
            place, kind = rng.choice(stacks)
            other["units"][power][place][kind] += rng.randrange(1, 6)
        for sea in [p for p in other["units"][power] if not p.isdigit() and rng.random() < 0.5]:
            room = sum(UNITS[u].carries * n for u, n in other["units"][power][sea].items())
            room -= sum(other["cargo"][power].get(sea, {}).values())
            if room > 0:
                aboard = other["cargo"][power].setdefault(sea, {})
                aboard["army"] = aboard.get("army", 0) + rng.randrange(1, room + 1)
    return other


def _quiet(state: dict[str, Any], power: str, place: str) -> bool:
    around = (place, *SPACES[place].land, *SPACES[place].seas)
    return not any(p in state["units"][q] for q in POWERS if q != power for p in around)


def disturb_sheets(
    rng: random.Random, sheets: dict[str, list[str]], reader: str | None
) -> dict[str, list[str]]:
    """Other purchases and standing orders of the others."""
    changed = {}
    for power, lines in sheets.items():
        changed[power] = list(lines)
        if power != reader:
            for i, line in enumerate(lines):
                words = line.split()
                if words[0] == "BUY" and rng.random() < 0.1:
                    changed[power][i] = " ".join(
                        [words[0], str(int(words[1]) + rng.randrange(1, 3)), *words[2:]]
                    )
            changed[power].append(f"PRIORITY {rng.choice(['ARMY', 'FLEET', 'UNIQUE'])}")
    return changed


def declassified(result: Adjudicated, reader: str | None) -> bytes:
    """What the turn makes known to everybody, and the battles that the reader himself fought."""
    state = result.state
    kinds = {p: {s: sorted(c) for s, c in state["units"][p].items()} for p in POWERS}
    public = {"move", "takeoff", "battle", "flight", "flyover", "captured", "out", "over"}
    happened = [[e.kind, e.text] for e in result.events if e.kind in public]
    fought = [
        dict(e.data)
        for e in result.events
        if e.kind == "numbers" and reader in [f["power"] for f in e.data["forces"]]
    ]
    return canonical([state["owners"], kinds, state["claims"], state["out"], state["over"], happened, fought])


def all_bytes(rules: Ruleset, before, result: Adjudicated, reader: str | None, sheet) -> bytes:
    """Everything that a reader gets of a position and the turn that follows."""
    first, last = rules.view(before, reader), rules.view(result.state, reader)
    seen = reading(result, rules.phase(before), reader)
    told = rules.report(first, last, seen)
    parts: list[Any] = [dataclasses.asdict(x) for x in (first, last, seen, told)]
    parts += [
        rules.draw(last, seen),
        rules.standings(last),
        [(d.power, d.required) for d in rules.dues(result.state)],
    ]
    if reader is not None:
        parts.append(dataclasses.asdict(rules.review(before, reader, sheet)))
        parts.append([d.items for d in rules.dues(before) if d.power == reader])
        parts.append(dataclasses.asdict(rules.parse(before, reader, "\n".join(sheet))))
        parts.append(rules.bot(first, SeededDice(b"bot", "x")))
    return canonical(parts)


def pairs(seed: int, wanted: int) -> Iterator[tuple[Any, Any, Any, Any, str | None, list[str]]]:
    """(before, result, other before, other result, reader, his sheet)."""
    rng = random.Random(seed)
    made = 0
    for tried, (state, sheets) in enumerate(games(rng)):
        assert tried < 40 * wanted, "hardly any pair of worlds comes out alike"
        reader = rng.choice(READERS)
        seed_bytes = rng.randbytes(8)
        phase = RULESET.phase(state).name
        other = disturb(rng, state, reader)
        other_sheets = disturb_sheets(rng, sheets, reader)
        one = RULESET.adjudicate(state, sheets, SeededDice(seed_bytes, phase))
        two = RULESET.adjudicate(other, other_sheets, SeededDice(seed_bytes, phase))
        assert canonical(one.state) != canonical(two.state)
        if declassified(one, reader) == declassified(two, reader):
            yield state, one, other, two, reader, sheets.get(reader, []) if reader else []
            made += 1
            if made == wanted:
                return


def leaks(
    rules: Ruleset, seed: int, wanted: int, change: Callable[[Adjudicated], Adjudicated] = lambda r: r
) -> int:
    """In how many of the pairs a reader can tell the two worlds apart."""
    found = 0
    for state, one, other, two, reader, sheet in pairs(seed, wanted):
        mine = all_bytes(rules, state, change(one), reader, sheet)
        found += mine != all_bytes(rules, other, change(two), reader, sheet)
    return found


@pytest.mark.rule("menes", "10.1")
def test_worlds_that_differ_in_secrets_only_read_the_same():
    assert leaks(RULESET, seed=1, wanted=40) == 0


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.rule("menes", "10.1")
def test_worlds_that_differ_in_secrets_only_read_the_same_two_thousand_times():
    assert leaks(RULESET, seed=2, wanted=2000) == 0


def test_a_planted_leak_in_the_view_is_caught():
    def leaky(state, power):
        view = RULESET.view(state, power)
        strength = sum(n for c in state["units"]["men"].values() for n in c.values())
        return dataclasses.replace(view, data={**view.data, "rumour": strength})

    assert leaks(dataclasses.replace(RULESET, view=leaky), seed=3, wanted=8) > 0


def test_a_planted_leak_in_the_audience_of_an_event_is_caught():
    def loud(result: Adjudicated) -> Adjudicated:
        opened = tuple(
            dataclasses.replace(e, seen_by="all") if e.kind in ("bought", "income") else e
            for e in result.events
        )
        return dataclasses.replace(result, events=opened)

    assert leaks(RULESET, seed=4, wanted=8, change=loud) > 0


def test_a_planted_leak_in_the_verdict_of_an_order_is_caught():
    def open_orders(result: Adjudicated) -> Adjudicated:
        return dataclasses.replace(
            result, orders=tuple(dataclasses.replace(o, seen_by="all") for o in result.orders)
        )

    assert leaks(RULESET, seed=5, wanted=8, change=open_orders) > 0


# --- who gets which event --------------------------------------------------------------------------------------

PUBLIC = {"move", "takeoff", "battle", "flight", "flyover", "captured", "out", "over"}
OWNERS_ONLY = {"bought", "disbanded", "drowned", "natives", "after", "shortfall", "missed", "income", "rolls"}


@pytest.mark.rule("menes", "10.1")
def test_numbers_go_to_the_fighters_and_dice_to_their_owner():
    rng = random.Random(6)
    kinds = set()
    for _, state in zip(range(40), histories(rng, 14), strict=False):
        if RULESET.over(state) is not None:
            continue
        dice = SeededDice(b"x", RULESET.phase(state).name)
        result = RULESET.adjudicate(state, bot_sheets(state, dice), dice)
        for event in result.events:
            kinds.add(event.kind)
            assert _right_audience(event), event
        assert all(o.seen_by == o.verdict_to == (o.power,) for o in result.orders)
    assert {"move", "battle", "numbers", "rolls", "captured", "bought", "income"} <= kinds


def _right_audience(event: Event) -> bool:
    if event.kind in PUBLIC:
        return event.seen_by == "all"
    if event.kind == "numbers":
        return list(event.seen_by) == [f["power"] for f in event.data["forces"]]
    return event.kind in OWNERS_ONLY and event.seen_by != "all" and len(event.seen_by) == 1


def test_public_words_hold_no_numbers_of_units():
    rng = random.Random(7)
    for _, state in zip(range(30), histories(rng, 12), strict=False):
        for place, powers in RULESET.view(state, None).data["units"].items():
            for kinds in powers.values():
                assert all(k in UNITS for k in kinds), place
        assert RULESET.view(state, None).data["own"] is None
