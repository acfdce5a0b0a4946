"""The campaign of the simulated year: its games with their calendars and house rules."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import time


@dataclass(frozen=True)
class Slot:
    """What the script itself knows of a calendar, to work its deadlines out without the server's code."""

    zone: str
    weekdays: tuple[int, ...]
    at: time
    weeks: int = 1
    days: tuple[tuple[str, int], ...] = ()
    """Phase kind to its days, where a kind has days of its own."""


@dataclass(frozen=True)
class Plan:
    """One game as its GM sets it up."""

    slug: str
    ruleset: str
    calendar: str
    slot: Slot
    rules: tuple[str, ...] = ()

    @property
    def grace_hours(self) -> int:
        return next((int(r.partition("=")[2]) for r in self.rules if r.startswith("grace_hours")), 0)

    @property
    def anonymous(self) -> bool:
        return "anonymous = on" in self.rules

    @property
    def moderated(self) -> bool:
        return "press = moderated" in self.rules

    @property
    def postal(self) -> bool:
        return "press_delivery = postal" in self.rules

    @property
    def press(self) -> bool:
        """Whether private press goes at once."""
        held_up = "press = none" in self.rules or "press = public" in self.rules
        return not (held_up or self.moderated or self.postal)


SHORT_RETREATS = (("retreats", 2), ("adjustments", 2))

PLANS: tuple[Plan, ...] = (
    Plan("london", "diplomacy", "every Friday 20:00 Europe/London",
         Slot("Europe/London", (4,), time(20)), ("zone = Europe/London",)),
    Plan("mirkwood", "necromancer", "every Sunday 02:30 Europe/Berlin",
         Slot("Europe/Berlin", (6,), time(2, 30)), ("zone = Europe/Berlin", "grace_hours = 12")),
    Plan("nile", "menes", "every Tue 21:30 Europe/Berlin",
         Slot("Europe/Berlin", (1,), time(21, 30)),
         ("zone = Europe/Berlin", "nmr_out = 3", "press_delivery = postal")),
    Plan("sydney", "diplomacy", "every Wed 12:00 Australia/Sydney; retreats 2 days; builds 2 days",
         Slot("Australia/Sydney", (2,), time(12), days=SHORT_RETREATS), ("anonymous = on", "press = public")),
    Plan("pacific", "diplomacy", "every Sun 18:00 America/Los_Angeles",
         Slot("America/Los_Angeles", (6,), time(18)),
         ("zone = America/Los_Angeles", "early = off", "press = moderated")),
    Plan("rhovanion", "necromancer", "every Mon 19:00 America/New_York; retreats 2 days; builds 2 days",
         Slot("America/New_York", (0,), time(19), days=SHORT_RETREATS), ("anonymous = on", "absence = deputy")),
    Plan("delta", "menes", "every Thu 22:00 Asia/Kolkata",
         Slot("Asia/Kolkata", (3,), time(22)), ("extend_hours_max = 24", "press = none")),
    Plan("paris", "diplomacy", "every 2 weeks on Sunday 18:00 Europe/Paris",
         Slot("Europe/Paris", (6,), time(18), weeks=2), ("zone = Europe/Paris", "nmr_extend_hours = 24")),
    Plan("daily", "diplomacy", "moves 7 days, retreats 2 days, builds 2 days at 20:00 Europe/London",
         Slot("Europe/London", (), time(20), days=(("movement", 7), *SHORT_RETREATS)),
         ("zone = Europe/London", "grace_hours = 24")),
    Plan("gates", "menes", "every Sat 08:00 UTC",
         Slot("UTC", (5,), time(8)), ("early_delay_minutes = 60",)),
    Plan("dale", "necromancer", "every Thu 17:00 America/Sao_Paulo",
         Slot("America/Sao_Paulo", (3,), time(17)), ("nmr = wait", "nmr_wait_days = 3", "press_delivery = postal")),
    Plan("vienna", "diplomacy", "every Tue, Sat 23:59 America/New_York",
         Slot("America/New_York", (1, 5), time(23, 59)),
         ("strict = on", "nmr_out = 0", "vacant = robot", "press = moderated")),
)  # fmt: skip
SHORT: tuple[str, ...] = ("london", "mirkwood", "nile", "vienna")
"""The games of the short version."""
