"""The commands of absence and of those who stand in, for the table of `gm.desk.commands`."""

from __future__ import annotations

from gm.desk import absences
from gm.desk.command import Command

AWAY_COMMANDS: tuple[Command, ...] = (
    Command(name="ABSENT", words=("ABSENT", "ABSENCE", "SET ABSENCE", "SET ABSENT"), who="person",
            form="ABSENT first day TO last day [FROM game]", run=absences.absent, help="Announces a time in which you "
            "send no orders, from all your games or from one. What comes of it, the house rules of each game say.",
            example="ABSENT 20 Dec TO 3 Jan"),
    Command(name="ABSENCES", words=("ABSENCES", "LIST ABSENCES"), bare=True, who="person", form="ABSENCES",
            run=absences.absences, help="Your absences and deputies; to a GM those of all players of the game.",
            example="ABSENCES"),
    Command(name="CANCEL ABSENCE", words=("CANCEL ABSENCE", "CANCEL ABSENT", "NO ABSENCE", "SET NOABSENCE"),
            who="person", form="CANCEL ABSENCE [number]", run=absences.cancel, help="Takes back an absence or ends a "
            "deputy, by the number that ABSENCES shows.", example="CANCEL ABSENCE 1"),
)  # fmt: skip
