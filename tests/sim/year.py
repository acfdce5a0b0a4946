"""A campaign played by mail for a year of simulated time by scripted people, who do what real ones do.

The script keeps a ledger of its own of what it sent and when; `tests.sim.checks` holds the server's books against it.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.sim.masters import Masters
from tests.sim.plan import Plan
from tests.sim.server import Server


class Year(Masters):
    """The whole script: its parts are `loop`, `mailboxes`, `playing`, `talking`, `fates`, `masters`, each on top of
    the one before."""

    def __init__(
        self, server: Server, plans: Sequence[Plan], *, seed: str, players: int, mischief: float = 1.0
    ) -> None:
        super().__init__(server, plans, seed=seed, players=players, mischief=mischief)
        self.waiting, self.held, self.reading, self.open_phases = {}, {}, {}, {}
        self.host, self.reads_letters, self.unread = {}, set(), set()
