"""`python -m tests.sim [days] [folder]`: the simulated year, its store left in the folder. A whole year that passes
its checks is written to docs/year.md."""

from __future__ import annotations

import faulthandler
import sys
from pathlib import Path

from gm.log import set_up_logging
from tests.sim.finding import Finding, table
from tests.sim.plan import PLANS
from tests.sim.running import play

YEAR = 364
PAGE = Path(__file__).parents[2] / "docs" / "year.md"
HEAD = """# A year without anybody watching

`python -m tests.sim` plays a campaign of twelve games (Diplomacy, Necromancer, MENES) under four GMs for a year of
simulated time and prints this table. Mails come in by SMTP on a real socket; the desk, the clock, the sender and the
zine are the server's own, on SQLite, under a clock that the script sets: every deadline is met to the instant, the
clock is looked at six hours apart at most, and the heartbeat goes on in between. The relay is one in memory. After the
games are set up, GMs do nothing that a game needs. Of their own will they write editorials, put errata beside reports,
answer letters, let press go in moderated games or refuse it, and now and then roll a phase back, which is run again.

The calendars of the games lie in seven zones and cross both changes of clocks, one of them at the very hour that is
skipped and repeated. Players order by the scripted player of each ruleset, and are late, silent, away with and without
a word, ask others to stand in for them, resign, change their minds, misspell, write nonsense. They write press:
unsigned, for an hour that they name, to be let go by a GM, to be delivered with results. A fifth of them reads German.
Their mail programs quote whole reports, write HTML only, old charsets, and send mails twice; their mailboxes bounce for
weeks or are full for days, their vacation programs answer. Standby players take over seats or decline them. Two weeks
are run with pictures in the mails.

A player acts on nothing but his mails: phase, power and deadline are read from what they say, in English or German, and
he answers the mail that says so. Only his orders come from the scripted player, which sees what the power may see.

What the script sent, and when, stands in a ledger of its own; the checks hold the server's books against that. Every
deadline is worked out again by walking through local days. Every mail that went out is searched for addresses and reply
addresses of others, private press, pages of other powers, and names in anonymous games. That what a player may not know
changes no byte of his mails at all is tested by pairs of worlds (`tests/secrecy`).

"""


def page(found: list[Finding]) -> str:
    """The table with what it means, and whatever is not as it should be."""
    wrong = [f"\n{f.name}:\n" + "\n".join(f"- {why}" for why in f.why[:20]) for f in found if not f.good]
    return HEAD + table(found) + "\n" + "\n".join(wrong)


def main() -> int:
    """Play the year; fails if a check fails."""
    faulthandler.enable()  # a process that dies in foreign code says where
    set_up_logging(level="error")
    days = int(sys.argv[1]) if len(sys.argv) > 1 else YEAR
    keep = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    _, found = play(PLANS, days, keep=keep, told=lambda line: print(line, file=sys.stderr, flush=True))
    print(page(found), flush=True)
    good = all(f.good for f in found)
    if good and days == YEAR:
        PAGE.write_text(page(found))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
