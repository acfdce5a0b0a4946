"""MENES combat: simulated battles against exact odds, and how long a turn of huge armies takes.

(a) 100,000 battles are fought by the engine with seeded dice. The same battle is worked out exactly, by a Markov chain
    written here from the rulebook alone: binomial hits on both sides at once, armies lost before unique units, then
    each unit of the outnumbered side leaves with the chance of its flight roll. Chi-square compares the two.
(b) Sixty provinces in which two of five powers meet with n armies each: milliseconds for the whole turn, for n from 75
    to 600. The last line is the time per unit at 300 a side over the time per unit at 75 a side: 1.00 is linear growth.
"""

from __future__ import annotations

import math
import time
from collections import Counter, defaultdict
from functools import cache
from itertools import product

from gm.games.api import check_options
from gm.games.dice import SeededDice
from gm.games.menes import RULESET
from gm.games.menes.combat import Stack, Terms, fight

SIDES, FLEE, ROUNDS = 6, 2, 50
FACTORS = {"army": (2, 2), "axemen": (2, 4), "ent": (4, 2), "horsemen": (4, 1)}

Side = tuple[int, int]
"""(armies, unique units) still in the field."""

BATTLES = (
    # name, battles, attackers (power, unit, number), defenders, bonus of the place
    ("5 armies attack 4 armies in the open", 40_000, (("ents", "army", 5),), (("dwarves", "army", 4),), 0),
    (
        "3 armies and 3 ents attack 2 armies and 3 axemen in a free city",
        30_000,
        (("ents", "army", 3), ("ents", "ent", 3)),
        (("dwarves", "army", 2), ("dwarves", "axemen", 3)),
        1,
    ),
    (
        "5 horsemen attack 5 armies in a player city",
        30_000,
        (("men", "horsemen", 5),),
        (("dwarves", "army", 5),),
        2,
    ),
)


@cache
def binomial(number: int, chance: float) -> tuple[float, ...]:
    """Chances of 0 to `number` successes."""
    return tuple(math.comb(number, k) * chance**k * (1 - chance) ** (number - k) for k in range(number + 1))


def hit_chances(side: Side, needs: tuple[int, int]) -> list[float]:
    """Chances of each number of hits by armies and unique units together."""
    first, second = (binomial(n, min(need, SIDES) / SIDES) for n, need in zip(side, needs, strict=True))
    total = [0.0] * (len(first) + len(second) - 1)
    for (i, p), (j, q) in product(enumerate(first), enumerate(second)):
        total[i + j] += p * q
    return total


def after_hits(side: Side, hits: int) -> Side:
    """Armies fall first."""
    armies = min(side[0], hits)
    return side[0] - armies, side[1] - min(side[1], hits - armies)


def exact(attack: Side, defence: Side, attack_needs: tuple[int, int], defence_needs: tuple[int, int]) -> dict:
    """Chance of each (attackers left, defenders left) at the end of a battle."""
    now = {(attack, defence): 1.0}
    ends: dict[tuple[Side, Side], float] = defaultdict(float)
    for _ in range(ROUNDS):
        later: dict[tuple[Side, Side], float] = defaultdict(float)
        for (mine, yours), chance in now.items():
            by_me, by_you = hit_chances(mine, attack_needs), hit_chances(yours, defence_needs)
            for (hits, p), (back, q) in product(enumerate(by_me), enumerate(by_you)):
                left = after_hits(mine, back), after_hits(yours, hits)
                for state, r in flights(*left):
                    over = not sum(state[0]) or not sum(state[1])
                    (ends if over else later)[state] += chance * p * q * r
        now = later
    for state, chance in now.items():
        ends[state] += chance
    return dict(ends)


@cache
def flights(mine: Side, yours: Side) -> tuple[tuple[tuple[Side, Side], float], ...]:
    """What is left once the outnumbered have rolled to flee."""
    if not sum(mine) or not sum(yours) or sum(mine) == sum(yours):
        return (((mine, yours), 1.0),)
    few = mine if sum(mine) < sum(yours) else yours
    found = []
    for (i, p), (j, q) in product(*(enumerate(binomial(n, FLEE / SIDES)) for n in few)):
        rest = (few[0] - i, few[1] - j)
        found.append(((rest, yours) if few is mine else (mine, rest), p * q))
    return tuple(found)


def simulate(attackers: tuple, defenders: tuple, bonus: int, battles: int) -> Counter[tuple[Side, Side]]:
    """Fight battles with the engine."""
    terms = Terms(name="benchmark", defender=defenders[0][0], bonus=bonus, max_rounds=ROUNDS)
    ends: Counter[tuple[Side, Side]] = Counter()
    for number in range(battles):
        stacks = [Stack(*force, key=i) for i, force in enumerate((*attackers, *defenders))]
        fight(stacks, terms, SeededDice(b"menes benchmark", str(number)), lambda stack, count, turn: "away")
        ends[side(stacks, attackers[0][0]), side(stacks, defenders[0][0])] += 1
    return ends


def side(stacks: list[Stack], power: str) -> Side:
    """What a power has left."""
    own = [s for s in stacks if s.power == power]
    return sum(s.count for s in own if s.unit == "army"), sum(s.count for s in own if s.unit != "army")


def numbers(forces: tuple) -> Side:
    """The forces of one side at the start."""
    return sum(n for _, u, n in forces if u == "army"), sum(n for _, u, n in forces if u != "army")


def needs(forces: tuple, column: int, bonus: int) -> tuple[int, int]:
    """Factors of armies and of the side's unique unit."""
    unique = next((u for _, u, _ in forces if u != "army"), "army")
    return FACTORS["army"][column] + bonus, FACTORS[unique][column] + bonus


def chi_square(seen: Counter, chances: dict, total: int) -> tuple[float, int]:
    """(statistic, degrees of freedom); outcomes expected fewer than 5 times are taken together."""
    assert set(seen) <= set(chances), "the engine reached an end that cannot be"
    rare_seen = rare_expected = statistic = 0.0
    bins = 0
    for outcome, chance in chances.items():
        expected = chance * total
        if expected < 5:
            rare_expected += expected
            rare_seen += seen[outcome]
        else:
            statistic += (seen[outcome] - expected) ** 2 / expected
            bins += 1
    if rare_expected > 0.5:
        statistic += (rare_seen - rare_expected) ** 2 / rare_expected
        bins += 1
    return statistic, bins - 1


def tail(statistic: float, freedom: int) -> float:
    """Chance of a statistic at least as large (Wilson and Hilferty's approximation)."""
    spread = 2 / (9 * freedom)
    z = ((statistic / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    return 0.5 * math.erfc(z / math.sqrt(2))


def compare() -> None:
    """Part (a)."""
    print(f"(a) {sum(b[1] for b in BATTLES):,} battles against exact odds")
    for name, battles, attackers, defenders, bonus in BATTLES:
        chances = exact(
            numbers(attackers), numbers(defenders), needs(attackers, 0, 0), needs(defenders, 1, bonus)
        )
        seen = simulate(attackers, defenders, bonus, battles)
        statistic, freedom = chi_square(seen, chances, battles)
        won = sum(p for (mine, yours), p in chances.items() if sum(mine) and not sum(yours))
        real = sum(n for (mine, yours), n in seen.items() if sum(mine) and not sum(yours)) / battles
        print(f"    {name}: attacker wins {real:.4f}, exact {won:.4f};")
        print(
            f"      chi-square {statistic:.1f} on {freedom} degrees of freedom, p = {tail(statistic, freedom):.3f}"
        )


def huge_turn(each: int) -> float:
    """Milliseconds of a turn in which two powers with `each` armies meet in every province."""
    powers = [p.id for p in RULESET.meta.powers]
    state = dict(RULESET.new_game(check_options(RULESET.meta, {"upkeep": 0}), SeededDice(b"x", "setup")))
    units: dict[str, dict[str, dict[str, int]]] = {p: {} for p in powers}
    for number in range(1, 61):
        for k in (number, number + 1 + number // 5 % 4):
            units[powers[k % 5]][str(number)] = {"army": each}
    state["units"] = units
    sheets = dict.fromkeys(powers, ())
    best = math.inf
    for _ in range(5):
        start = time.process_time()
        result = RULESET.adjudicate(state, sheets, SeededDice(b"menes benchmark", "IV1200 orders"))
        best = min(best, time.process_time() - start)
    battles = sum(e.kind == "battle" for e in result.events)
    assert battles >= 60, battles
    return best * 1000


def grow() -> float:
    """Part (b); time per unit at 300 a side over time per unit at 75 a side."""
    print("(b) one turn, 60 provinces, five powers, a battle in each")
    spent = {}
    for each in (75, 150, 300, 600):
        spent[each] = huge_turn(each)
        print(
            f"    {each:>3} armies a side: {spent[each]:8.1f} ms, {spent[each] * 1000 / (120 * each):6.2f} µs a unit"
        )
    return (spent[300] / 300) / (spent[75] / 75)


if __name__ == "__main__":
    compare()
    growth = grow()
    print("time per unit at 300 a side over time per unit at 75 a side (1.00 is linear):")
    print(f"ratio {growth:.2f}")
