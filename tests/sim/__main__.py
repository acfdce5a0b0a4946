"""`python -m tests.sim [days]`: the simulated year, its table on standard output."""

from __future__ import annotations

import sys

from gm.log import set_up_logging
from tests.sim.checks import table
from tests.sim.plan import PLANS
from tests.sim.running import play


def main() -> int:
    """Play the year; fails if a check fails."""
    set_up_logging(level="error")
    days = int(sys.argv[1]) if len(sys.argv) > 1 else 364
    _, found = play(PLANS, days, told=lambda line: print(line, file=sys.stderr, flush=True))
    print(table(found))
    for finding in found:
        if not finding.good:
            print(f"\n{finding.name}: {finding.value}", *finding.why[:20], sep="\n  ")
    return 0 if all(f.good for f in found) else 1


if __name__ == "__main__":
    sys.exit(main())
