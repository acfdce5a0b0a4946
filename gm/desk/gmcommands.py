"""Commands of press that waits and of a GM's powers, for the table of `gm.desk.commands`."""

from __future__ import annotations

from gm.desk.command import Command
from gm.desk.handlers import delivering, gmpowers, presscontrol

GM_COMMANDS: tuple[Command, ...] = (
    Command(name="SEND IT", words=("SEND IT",), who="person", form="SEND IT [number]", run=presscontrol.send_it,
            help="Sends press of yours that was held because it holds orders of your own, a reply address or a "
            "password (the last two are taken out).", example="SEND IT 1"),
    Command(name="DROP IT", words=("DROP IT",), who="person", form="DROP IT [number]", run=presscontrol.drop_it,
            help="Throws such press away; nobody has seen it.", example="DROP IT 1"),
    Command(name="HELD", words=("HELD", "HELD PRESS", "PRESS HELD"), bare=True, who="gm", form="HELD",
            run=presscontrol.held_press, help="Press that waits for you in a moderated game.", example="HELD"),
    Command(name="REFUSE", words=("REFUSE",), who="gm", form="REFUSE number BECAUSE reason", run=presscontrol.refuse,
            help="Does not send press that is held; its writer is told why.",
            example="REFUSE 3 BECAUSE it names a player"),
    Command(name="HOLD", words=("HOLD", "HOLD PHASE"), who="gm", form="HOLD [BECAUSE reason]", run=gmpowers.hold,
            help="Keeps the open phase from running by itself, with its deadline for orders as it is, until RELEASE or "
            "PROCESS.", example="HOLD BECAUSE I want to look at the results first"),
    Command(name="RELEASE", words=("RELEASE",), who="gm", form="RELEASE | RELEASE number | RELEASE MAIL",
            run=gmpowers.release, help="Lets a phase on hold run; with a number, lets held press go; RELEASE MAIL lets "
            "go mail that was held because there was so much of it.", example="RELEASE 3"),
    Command(name="EDIT", words=("EDIT", "EDIT POSITION"), who="gm", form="EDIT BECAUSE reason ... ENDEDIT",
            run=gmpowers.edit, help="Puts another position in place of the one before the open phase. Between the two "
            "lines it is written as in scenario files: units.austria = [\"A Vie\", \"F Tri\"] names all units of a "
            "power; what is not named stays. Everybody is told why, and what changed for him.",
            example='EDIT BECAUSE a fleet was lost by mistake\nunits.austria = ["A Vie", "F Tri"]\nENDEDIT'),
    Command(name="DELIVERY", words=("DELIVERY", "DELIVERIES"), bare=True, who="gm", form="DELIVERY",
            run=delivering.delivery, help="What became of the last mails to each reader of the game: sent, failed, "
            "bounced or held, with the last words of the mail server.", example="DELIVERY"),
    Command(name="RESEND TO", words=("RESEND TO",), who="gm", form="RESEND TO power", run=delivering.resend,
            help="Sends a player his last report once more.", example="RESEND TO Austria"),
)  # fmt: skip
