"""House rules of the server for one game: calendar, press, lateness. Those of the ruleset are in `Game.options`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, replace
from datetime import timedelta
from typing import Any

from rapidfuzz import fuzz, process

from gm.clock.calendar import KINDS, Calendar, CalendarError, parse_calendar, zone_named
from gm.clock.holidays import gives_deadlines, parse_holidays, parse_skip

PRESS_MODES = ("all", "public", "none", "moderated")
PRESS_DELIVERY = ("now", "postal")
AUDIT_READERS = ("gm", "players")
NMR_POLICIES = ("run", "wait")
VACANCY = ("civil_disorder", "robot")
ABSENCE = ("wait", "deputy", "none")
STANDBY = ("gm", "auto", "none")
QUORUM = ("none", "majority", "all")

OF_RULESET: Mapping[str, Mapping[str, int]] = {"menes": {"nmr_out": 3}}
"""House rules that begin otherwise in a game of one ruleset, because its own rules say so."""


class SettingError(ValueError):
    """A house rule that does not exist or a value it cannot take; the message names the valid ones."""


class UnknownRule(SettingError):
    """No rule has this name."""

    def __init__(self, text: str, name: str, known: Collection[str]) -> None:
        super().__init__(text)
        self.near: str = process.extractOne(name, list(known), scorer=fuzz.ratio)[0]
        """The rule whose name is most like it."""


@dataclass(frozen=True, kw_only=True)
class GameSettings:
    """One field a house rule; its docstring is what players are told of it."""

    calendar: str = "every Friday 20:00 UTC"
    """When each phase is due."""
    zone: str = "UTC"
    """The game's own time zone."""
    grace_hours: int = 0
    """Orders are still taken for this long after the deadline, but only while a power that owes orders is late."""
    notice_hours: int = 12
    """No deadline is nearer than this when a phase opens."""
    reminder_hours: int = 24
    """Who owes orders is reminded this long before the deadline; 0: never."""
    early: bool = True
    """A phase runs before its deadline once every power that owes orders has them in and none says WAIT."""
    nmr: str = "run"
    """run: at the deadline the phase runs and late powers stand in civil disorder. wait: it waits for the GM."""
    nmr_out: int = 2
    """After so many phases in a row without orders the seat falls vacant; 0: never."""
    vacant: str = "civil_disorder"
    """civil_disorder: a power without a player gives no orders. robot: a scripted player orders it (practice games)."""
    press: str = "all"
    """all: private and public press. public: only press to all. none: no press. moderated: as all, and the GM
    reads each message and lets it go or refuses it."""
    press_delivery: str = "now"
    """now: press goes out at once. postal: it is delivered with the results of the phase."""
    press_phases: str = "all"
    """Kinds of phases in which players may write: movement, retreats, builds; all: in every phase."""
    press_needs_orders: bool = False
    """Whether players may write only once they have orders on file for the phase, if they owe any."""
    grey: bool = True
    """Whether press may be unsigned."""
    anonymous: bool = False
    """Whether players are not told who holds which power."""
    observer_delay: int = 0
    """Observers and the public pages see results so many phases late, until the game is over."""
    audit: str = "gm"
    """players: players may read the record of what GMs did, without anything secret. gm: only GMs may."""
    start_when_full: bool = True
    """The game starts by itself when every power has a player."""
    extend_hours_max: int = 0
    """How long any player may push back a deadline with EXTEND, once a phase; 0: only the GM may."""
    extend_vote: str = "none"
    """Whether players may push back a deadline by VOTE EXTEND, once a phase. majority: more than half of those still in
    the game. all: every one of them."""
    skip: str = "none"
    """Weekdays on which no deadline falls: Sat, Sun."""
    holidays: str = "none"
    """Days on which no deadline falls: 25 Dec (every year), 2027-01-01 (that day only)."""
    early_delay_minutes: int = 0
    """A phase that runs before its deadline runs so long after the last change, so that orders can still be mended."""
    strict: bool = False
    """A phase runs at its deadline exactly: never early, and without grace."""
    nmr_wait_days: int = 0
    """With nmr = wait: after so many days the phase runs all the same; 0: it waits for the GM."""
    nmr_extend_hours: int = 0
    """If orders are missing at the deadline, it moves by so much, once a phase; 0: never."""
    absence: str = "wait"
    """wait: the deadline of a phase moves to after the return of a player who owes orders and is announced absent.
    deputy: it stays; a deputy may order. none: announcements move nothing and nobody has a deputy."""
    absence_days_max: int = 14
    """No deadline moves further than this for absences."""
    absence_days_year: int = 60
    """Nobody is waited for once he is absent for more days than this within a year; 0: no limit."""
    standby: str = "gm"
    """Who offers a seat to the standby players, at the first phase missed or a resignation. gm: the GM, who is told who
    is on the list. auto: the server, in the order of the list. none: nobody is told; OFFER still works."""
    standby_hours: int = 72
    """How long a standby player may think about an offer before the next one is asked."""
    standby_orders: bool = True
    """Orders of the open phase that a predecessor left on file stay there for his successor to see and change."""
    standby_press: bool = False
    """A successor is sent the private press of his predecessor."""

    def parsed_calendar(self) -> Calendar:
        """The calendar rule. Raises CalendarError (only if the stored text was never checked)."""
        return parse_calendar(
            self.calendar,
            zone=self.zone,
            skip_weekdays=parse_skip(self.skip),
            skip_dates=parse_holidays(self.holidays),
        )

    def notice(self) -> timedelta:
        """Minimum time between the opening of a phase and its deadline."""
        return timedelta(hours=self.notice_hours)

    def as_json(self) -> dict[str, Any]:
        """For `Game.settings`."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def changed(self, name: str, text: str) -> GameSettings:
        """A copy with one house rule set from a GM's words. Raises SettingError."""
        if name not in self.as_json():
            known = self.as_json()
            raise UnknownRule(f"there is no house rule {name!r}; there are: {', '.join(known)}", name, known)
        value: bool | int | str = text.strip()
        old = getattr(self, name)
        if isinstance(old, bool):
            value = _flag(name, text)
        elif isinstance(old, int):
            if not text.strip().isdigit() or int(text) > 1000:
                raise SettingError(f"{name} must be a whole number from 0 to 1000, not {text.strip()!r}")
            value = int(text)
        new = replace(self, **{name: value})  # type: ignore[arg-type]  # the field's own type, by the checks above
        new.check()
        return new

    def check(self) -> None:
        """Raises SettingError if a value is not one that the house rule can take."""
        words = (
            ("press", self.press, PRESS_MODES),
            ("press_delivery", self.press_delivery, PRESS_DELIVERY),
            ("audit", self.audit, AUDIT_READERS),
            ("nmr", self.nmr, NMR_POLICIES),
            ("vacant", self.vacant, VACANCY),
            ("absence", self.absence, ABSENCE),
            ("standby", self.standby, STANDBY),
            ("extend_vote", self.extend_vote, QUORUM),
        )
        for name, value, choices in words:
            if value not in choices:
                raise SettingError(f"{name} must be one of {', '.join(choices)}, not {value!r}")
        kinds_named(self.press_phases)
        try:
            zone_named(self.zone)
            gives_deadlines(self.parsed_calendar())
        except CalendarError as wrong:
            raise SettingError(str(wrong)) from None


def kinds_named(text: str) -> frozenset[str]:
    """Kinds of phases that a rule such as ``movement, builds`` names; empty for ``all``. Raises SettingError."""
    words = [word.strip().lower() for word in text.split(",") if word.strip()]
    if words == ["all"]:
        return frozenset()
    unknown = next((word for word in words if word not in KINDS), "")
    if unknown or not words:
        raise SettingError(
            f"press_phases takes kinds of phases ({', '.join(dict.fromkeys(KINDS))}) or all, not {unknown or text!r}"
        )
    return frozenset(KINDS[word] for word in words)


def settings_of(stored: Mapping[str, Any]) -> GameSettings:
    """`Game.settings` as values; a house rule that the store does not know yet takes its default."""
    return GameSettings(**{f.name: stored[f.name] for f in fields(GameSettings) if f.name in stored})


def settings_for(ruleset_id: str) -> GameSettings:
    """What a new game of a ruleset begins with."""
    return replace(GameSettings(), **OF_RULESET.get(ruleset_id, {}))  # type: ignore[arg-type]  # a table of ints


def _flag(name: str, text: str) -> bool:
    word = text.strip().lower()
    if word in ("on", "yes", "true", "1"):
        return True
    if word in ("off", "no", "false", "0"):
        return False
    raise SettingError(f"{name} must be on or off, not {text.strip()!r}")
