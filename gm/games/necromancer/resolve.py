"""The numeric core: who gets in, given strengths. It knows no unit names, no orders and no rule numbers.

Partial information: every question has a lowest and a highest answer, given what is decided so far; a group of moves
is decided as soon as both agree. Sweeps go on until nothing changes; what is then left are loops. A loop that is true
if all its moves succeed is a rotation and does so; any other fails and is flagged for the game master. `problem`
explains the words.
"""

from __future__ import annotations

from collections.abc import Sequence

from gm.games.necromancer.problem import Problem, Support

OPEN = 2
"""Not decided yet; else 0 or 1."""


class Solver:
    """Decides a `Problem`; afterwards answers what each comparison was.

    All ``*_range`` methods return (lowest, highest); after `solve` both are equal.
    """

    def __init__(self, problem: Problem) -> None:
        self.p = problem
        count = len(problem.parts)
        self.entered = [OPEN] * count
        """Per group: whether it gets in (as far as its borders let it)."""
        self.flagged: list[int] = []
        """Groups that failed in a loop which is no rotation."""
        self._stamp = [0] * count
        self._sweep = 0
        self._asked: set[int] | None = None
        self.opposing = self._opposing()

    def _opposing(self) -> list[list[int]]:
        """Per move: the moves the other way across its border."""
        p = self.p
        found: list[list[int]] = [[] for _ in p.origin]
        for m, (origin, target) in enumerate(zip(p.origin, p.target, strict=True)):
            if not p.leaving[target] or p.open_mask >> target & 1 or p.open_mask >> origin & 1:
                continue
            for n in p.leaving[target]:
                if p.target[n] == origin:
                    own = p.owner[p.group[n]] == p.owner[p.group[m]]
                    if not (own and (p.zero[m] or p.zero[n])):
                        found[m].append(n)
        return found

    def solve(self) -> None:
        """Decide every group."""
        groups = range(len(self.entered))
        while True:
            while True:
                self._sweep += 1
                changed = False
                left = False
                for g in groups:
                    if self.entered[g] == OPEN:
                        changed |= self.judge(g) != OPEN
                        left |= self.entered[g] == OPEN
                if not changed:
                    break
            if not left:
                return
            self._break_loop()

    def judge(self, g: int) -> int:
        """0, 1 or OPEN for a group; looks at most once a sweep."""
        known = self.entered[g]
        if known != OPEN:
            return known
        if self._asked is not None:
            self._asked.add(g)
            return OPEN
        if self._stamp[g] == self._sweep:
            return OPEN
        self._stamp[g] = self._sweep
        known = self._compute(g)
        self.entered[g] = known
        return known

    def moved(self, m: int) -> int:
        """Whether one move succeeds: its group gets in, and it crosses its own border."""
        entered = self.judge(self.p.group[m])
        if entered == 0 or not self.opposing[m]:
            return entered
        crosses = self.border(m)
        if crosses == 0:
            return 0
        return 1 if entered == 1 and crosses == 1 else OPEN

    def border(self, m: int) -> int:
        """Whether a move overcomes those that come the other way (13.9)."""
        p = self.p
        answer = 1
        for n in self.opposing[m]:
            other = p.owner[p.group[n]]
            if other == p.owner[p.group[m]]:
                return 0
            low, high = self.support_range(p.supports[m], other)
            their_low, their_high = self.support_range(p.supports[n], -1)
            if p.strength[m] + high <= p.strength[n] + their_low:
                return 0
            if p.strength[m] + low <= p.strength[n] + their_high:
                answer = OPEN
        return answer

    def support_range(self, supports: Sequence[Support], victim: int) -> tuple[int, int]:
        """Strength of supports, without those of the power that would be driven out by them."""
        low = high = 0
        for value, power, place in supports:
            if power == victim:
                continue
            if place < 0:
                low += value
                high += value
                continue
            lost = self.taken(place, power)
            if lost != 1:
                high += value
                if lost == 0:
                    low += value
        return low, high

    def taken(self, place: int, owner: int) -> int:
        """Whether another power gets into a province."""
        p = self.p
        answer = 0
        for g in p.into[place]:
            if p.owner[g] != owner:
                entered = self.judge(g)
                if entered == 1:
                    return 1
                answer |= entered
        return answer

    def attack_range(self, g: int, victim: int) -> tuple[int, int]:
        """Strength of the parts of a group that cross their borders; -1 if none does."""
        p = self.p
        low = high = -1
        for m in p.parts[g]:
            crosses = self.border(m) if self.opposing[m] else 1
            if crosses == 0:
                continue
            if p.supports[m]:
                s_low, s_high = self.support_range(p.supports[m], victim)
            else:
                s_low = s_high = 0
            high = max(high, 0) + p.strength[m] + s_high
            if crosses == 1:
                low = max(low, 0) + p.strength[m] + s_low
        return low, high

    def prevent_range(self, g: int) -> tuple[int, int]:
        """Strength with which a group keeps others out, without parts beaten across their border."""
        p = self.p
        low = high = -1
        for m in p.parts[g]:
            beaten = 0
            for n in self.opposing[m]:
                moved = self.moved(n)
                beaten = 1 if moved == 1 or beaten == 1 else beaten | moved
            if beaten == 1:
                continue
            s_low, s_high = self.support_range(p.supports[m], -1) if p.supports[m] else (0, 0)
            high = max(high, 0) + p.strength[m] + s_high
            if beaten == 0:
                low = max(low, 0) + p.strength[m] + s_low
        return low, high

    def hold_range(self, t: int, engine: bool = False) -> tuple[int, int]:
        """Strength of those who are in a province: those who stay, those who failed to leave, those who join.

        -1 for nobody.
        """
        p = self.p
        low = high = -1
        if p.stay_owner[t] >= 0:
            low = high = p.stay_strength[t] + (0 if engine else p.fortress[t])
            if p.hold_supports[t]:
                s_low, s_high = self.support_range(p.hold_supports[t], -1)
                low += s_low
                high += s_high
            for g in p.into[t]:
                if p.held[g]:
                    j_low, j_high = self.attack_range(g, -1)
                    low += max(j_low, 0)
                    high += max(j_high, 0)
        for m in p.leaving[t]:
            moved = self.moved(m)
            if moved != 1:
                high = max(high, 0) + p.strength[m]
                if moved == 0:
                    low = max(low, 0) + p.strength[m]
        return low, high

    def occupant(self, t: int) -> int:
        """The power whose units were in a province, or -1."""
        p = self.p
        if p.stay_owner[t] >= 0:
            return p.stay_owner[t]
        return p.owner[p.group[p.leaving[t][0]]] if p.leaving[t] else -1

    def rivals(self, g: int) -> list[int]:
        """The groups that stand a group off if they are as strong."""
        p = self.p
        own, zero = p.owner[g], p.zero[p.parts[g][0]]
        return [
            h
            for h in p.into[p.goal[g]]
            if h != g and not p.held[h] and not (p.owner[h] == own and (zero or p.zero[p.parts[h][0]]))
        ]

    def _compute(self, g: int) -> int:
        p = self.p
        t = p.goal[g]
        if p.open_mask >> t & 1:
            return 1
        own = p.owner[g]
        occupant = self.occupant(t)
        into = p.into[t]
        if occupant < 0 and len(into) == 1 and len(p.parts[g]) == 1 and not p.repels:
            return 1
        zero = p.zero[p.parts[g][0]]
        if p.held[g]:
            return self._unless_taken(g, 1)
        if zero and (occupant == own or any(p.owner[h] == own for h in into if h != g)):
            return self._unless_taken(g, self._company(g))
        if occupant == own:
            if p.stay_army[t]:
                return 0
            low = high = -1
            for m in p.leaving[t]:
                if p.zero[m]:
                    continue
                moved = self.moved(m)
                if moved == 0:
                    return 0
                if moved == OPEN:
                    high = 1 << 30
            att_low, att_high = self.attack_range(g, -1)
        elif occupant < 0:
            low = high = -1
            att_low, att_high = self.attack_range(g, -1)
        else:
            low, high = self.hold_range(t, p.engine[g])
            att_low, att_high = self.attack_range(g, occupant if high >= 0 else -1)
            if low < 0 <= high:
                att_high = self.attack_range(g, -1)[1]
        if p.repels and p.repels.get((t, own)):
            bound_low, bound_high = (
                self._support_only(g, occupant) if p.single_strength_only else (att_low, att_high)
            )
            if bound_high <= 1:
                return 0
            if bound_low <= 1:
                high = 1 << 30
        if att_high <= low:
            return 0
        certain = att_low > high
        for h in self.rivals(g) if len(into) > 1 else ():
            prevent_low, prevent_high = self.prevent_range(h)
            if att_high <= prevent_low:
                return 0
            if att_low <= prevent_high:
                certain = False
        return 1 if certain else OPEN

    def _support_only(self, g: int, victim: int) -> tuple[int, int]:
        """Strength against the land when a stack counts as one unit."""
        p = self.p
        low, high = self.attack_range(g, victim)
        spare = sum(max(p.strength[m] - 1, 0) for m in p.parts[g]) + len(p.parts[g]) - 1
        return low - spare, high - spare

    def _unless_taken(self, g: int, otherwise: int) -> int:
        """For those who join their own: they get in unless another power takes the province (13.10)."""
        p = self.p
        if otherwise == 0 or all(self.border(m) == 0 for m in p.parts[g]):
            return 0
        taken = self.taken(p.goal[g], p.owner[g])
        if taken == 1:
            return 0
        if taken == OPEN or otherwise == OPEN:
            return OPEN
        return 1 if all(self.border(m) != OPEN for m in p.parts[g]) else OPEN

    def _company(self, g: int) -> int:
        """Whether a Wizard or Nazgûl finds armies of its own side in the province, or could enter it alone."""
        p = self.p
        t, own = p.goal[g], p.owner[g]
        answer = 0
        if self.occupant(t) == own:
            if p.stay_owner[t] == own:
                return 1
            for m in p.leaving[t]:
                moved = self.moved(m)
                if moved == 0:
                    return 1
                answer |= moved & OPEN
        mine = [h for h in p.into[t] if h != g and p.owner[h] == own]
        for h in mine:
            entered = self.judge(h)
            if entered == 1:
                return 1
            answer |= entered
        if answer or mine:
            return answer
        if p.repels and p.repels.get((t, own)):
            return 0
        att_low, att_high = self.attack_range(g, -1)
        certain = att_low > -1
        for h in self.rivals(g):
            prevent_low, prevent_high = self.prevent_range(h)
            if att_high <= prevent_low:
                return 0
            certain &= att_low > prevent_high
        return 1 if certain else OPEN

    def _break_loop(self) -> None:
        """Decide one loop of undecided groups that waits for nothing but itself."""
        undecided = [g for g, known in enumerate(self.entered) if known == OPEN]
        waits: dict[int, set[int]] = {}
        for g in undecided:
            self._asked = set()
            self._compute(g)
            waits[g] = self._asked
        self._asked = None
        loop = _closed_loop(undecided, waits)
        for g in loop:
            self.entered[g] = 1
        if all(self._compute(g) == 1 for g in loop):
            return
        for g in loop:
            self.entered[g] = 0
        self.flagged += loop


def _closed_loop(nodes: list[int], waits: dict[int, set[int]]) -> list[int]:
    """The smallest set that is closed under `waits`, among those reachable from one node each (ties: first)."""
    best: list[int] = []
    for node in nodes:
        seen = [node]
        for current in seen:
            seen += sorted(waits[current].difference(seen))
        if not best or len(seen) < len(best):
            best = seen
    return best
