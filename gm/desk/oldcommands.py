"""Commands for the habits of other servers' players, for the table of `gm.desk.commands`."""

from __future__ import annotations

from gm.desk.command import Command
from gm.desk.handlers import signing

OLD_COMMANDS: tuple[Command, ...] = (
    Command(name="SIGNON", words=("SIGNON", "SIGN ON", "ERESSEA", "PARTEI", "FACTION", "#ATLANTIS", "#ORDERS"),
            switches=True, who="person", form="SIGNON power's letter and game, password ... SIGNOFF",
            run=signing.sign_on, help="What follows, up to SIGNOFF, is for that power: as on other servers, proved by "
            "your password. A power's name will do for its letter and game: ERESSEA Austria \"password\". Several "
            "blocks may stand in one mail.", example="SIGNON Aspring99 correct horse"),
    Command(name="SIGNOFF", words=("SIGNOFF", "SIGN OFF", "#END", "NAECHSTER", "NACHSTER"), bare=True, who="person",
            form="SIGNOFF", run=signing.sign_off, help="Ends a block; nothing below it is read, up to the next "
            "SIGNON.", example="SIGNOFF"),
    Command(name="PHASE", words=("PHASE",), who="person", form="PHASE phase", run=signing.phase,
            help="Says for which phase the orders below it are meant. If it is not the open one, none of them is "
            "taken.", example="PHASE S1901M"),
)  # fmt: skip
