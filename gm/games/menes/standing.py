"""Reading the orders that are not about units on the move: AFTER, RETREAT, PRIORITY, PEACE, FLYOVER, VACATION."""

from __future__ import annotations

from gm.games.api import PowerId
from gm.games.menes import text as form
from gm.games.menes.board import POWERS, SPACES
from gm.games.menes.mistakes import Mistake, unknown
from gm.games.menes.model import is_sea
from gm.games.menes.words import AFTER_WORDS, Token, power_named, rank_word


def _only(words: list[Token], *kinds: str) -> list[Token]:
    """The words but separators; any other kind is named."""
    for token in words:
        if token.kind not in (*kinds, "sep", "from", "to"):
            raise unknown(token)
    return [t for t in words if t.kind in kinds]


def _after(words: list[Token]) -> list[form.Order]:
    action = next((t for t in words if t.raw in AFTER_WORDS), None)
    if action is None:
        raise Mistake(
            "unreadable", "AFTER needs PURSUE, WITHDRAW, ATTACK, STAY or DEFAULT.", "AFTER 20 PURSUE"
        )
    at = words.index(action)
    before = _only(words[:at], "place", "count", "unit")
    behind = [t.value for t in _only(words[at + 1 :], "place")]
    where = [t.value for t in before if t.kind == "place"]
    word = AFTER_WORDS[action.raw]
    if len(where) > 1 or len(behind) > 1 or any(is_sea(p) for p in where + behind):
        raise Mistake(
            "unreadable", "AFTER takes the province of the battle and one to go to.", "AFTER 20 ATTACK 10"
        )
    if (word == "attack") != bool(behind) and word != "withdraw":
        raise Mistake(
            "unreadable", "ATTACK names a province; PURSUE, STAY and DEFAULT do not.", "AFTER 20 ATTACK 10"
        )
    if not where and behind:
        raise Mistake("unreadable", "Say after which battle: AFTER 20 ...", "AFTER 20 ATTACK 10")
    # The words of AFTER_WORDS are those of AfterWord; mypy sees plain text.
    return [form.After(where[0] if where else None, word, behind[0] if behind else None)]  # type: ignore[arg-type]  # the word was matched above


def _retreat(words: list[Token]) -> list[form.Order]:
    places = [t.value for t in _only(words, "place", "word")]
    if places[1:] == ["none"]:
        return [form.Retreat(places[0], ())]
    if len(places) < 2 or any(p not in SPACES or is_sea(p) for p in places):
        raise Mistake(
            "unreadable", "RETREAT takes a province and where to flee from it.", "RETREAT 12 TO 13, 14"
        )
    return [form.Retreat(places[0], tuple(dict.fromkeys(places[1:])))]


def _priority(words: list[Token]) -> list[form.Order]:
    ranks = [rank_word(t.raw) for t in words if t.kind not in ("sep", "to")]
    if not ranks or None in ranks:
        raise Mistake("unreadable", "PRIORITY takes ARMY, FLEET and UNIQUE.", "PRIORITY ARMY, FLEET, UNIQUE")
    named = [r for r in ranks if r is not None]
    return [form.Priority(tuple(dict.fromkeys([*named, "army", "fleet", "unique"])))]


def _powers(words: list[Token], example: str) -> list[PowerId]:
    named = [t for t in words if t.kind not in ("sep", "to", "from")]
    if [t.value for t in named] == ["ALL"]:
        return list(POWERS)
    powers = [power_named(t.raw) for t in named]
    if not powers or None in powers:
        raise Mistake("unreadable", f"Name a power: {', '.join(p.capitalize() for p in POWERS)}.", example)
    return [p for p in powers if p is not None]


def _peace(words: list[Token]) -> list[form.Order]:
    return [form.Peace(p, True) for p in _powers(words, "PEACE ELVES")]


def _war(words: list[Token]) -> list[form.Order]:
    return [form.Peace(p, False) for p in _powers(words, "WAR ELVES")]


def _flyover(words: list[Token]) -> list[form.Order]:
    verdict = [t for t in words if t.value in ("allow", "deny")]
    if len(verdict) != 1:
        raise Mistake("unreadable", "FLYOVER ends with ALLOW or DENY.", "FLYOVER DRAGONS ALLOW")
    others = [t for t in words if t is not verdict[0]]
    powers = _powers(others, "FLYOVER DRAGONS ALLOW") if others else ["dragons"]
    return [form.Flyover(p, verdict[0].value == "allow") for p in powers]


def _vacation(words: list[Token]) -> list[form.Order]:
    numbers = [t.value for t in words if t.kind in ("count", "place", "unknown") and t.value.isdecimal()]
    if len(numbers) != 1 or len(words) != 1 or int(numbers[0]) > 365:
        raise Mistake("ambiguous", "For how many turns? At most 365.", "VACATION 5 TURNS")
    return [form.Vacation(int(numbers[0]))]


READERS = {
    "after": _after,
    "retreat": _retreat,
    "priority": _priority,
    "peace": _peace,
    "war": _war,
    "flyover": _flyover,
    "vacation": _vacation,
}
