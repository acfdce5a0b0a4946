"""The commands of absence and of those who stand in, for the table of `gm.desk.commands`."""

from __future__ import annotations

from gm.desk.command import Command
from gm.desk.handlers import absences, deputising, standbycommands, standbylists

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
    Command(name="DEPUTY", words=("DEPUTY", "SET DEPUTY"), who="seat",
            form="DEPUTY address FROM first day TO last day [PRESS]", run=deputising.deputy, help="Asks somebody to "
            "send orders for you in that time, or orders and press. It counts once both of you have confirmed it by "
            "mail, and ends by itself. CANCEL ABSENCE ends it before.",
            example="DEPUTY ben@example.org FROM 20 Dec TO 3 Jan"),
    Command(name="BE DEPUTY", words=("BE DEPUTY",), who="person", form="BE DEPUTY FOR power IN game",
            run=deputising.be_deputy, help="Says yes to a player who asked you to stand in. An answer to his question "
            "does the same.", example="BE DEPUTY FOR Austria IN spring99"),
    Command(name="CONFIRM DEPUTY", words=("CONFIRM DEPUTY",), who="person", form="CONFIRM DEPUTY IN game",
            run=deputising.confirm_deputy, help="Your own yes to a deputy who has agreed. An answer to the question "
            "does the same.", example="CONFIRM DEPUTY IN spring99"),
    Command(name="STANDBY", words=("STANDBY", "STAND BY"), who="person", form="STANDBY game | STANDBY IN campaign",
            run=standbylists.join_list, help="Puts you on the list of players who take over seats: of one game, or of "
            "all games of a campaign.", example="STANDBY spring99"),
    Command(name="NO STANDBY", words=("NO STANDBY", "STOP STANDBY", "LEAVE STANDBY"), who="person",
            form="NO STANDBY game | NO STANDBY IN campaign", run=standbylists.leave_list,
            help="Takes you off that list again.",
            example="NO STANDBY spring99"),
    Command(name="ACCEPT", words=("ACCEPT",), who="person", form="ACCEPT [game]", run=standbycommands.accept,
            help="Takes the seat that you were offered.", example="ACCEPT spring99"),
    Command(name="DECLINE", words=("DECLINE",), who="person", form="DECLINE [game]", run=standbycommands.decline,
            help="Declines the seat that you were offered; you stay on the list.", example="DECLINE spring99"),
    Command(name="RELIABILITY", words=("RELIABILITY",), bare=True, who="person", form="RELIABILITY",
            run=standbycommands.reliability, help="Your record: orders on time, late, missed, seats given up. To a GM "
            "those of the players and standby players of the game.", example="RELIABILITY"),
    Command(name="OFFER", words=("OFFER",), who="gm", form="OFFER power", run=standbycommands.offer, help="Offers a "
            "seat to the game's standby players, in the order of the list, each for the time of the house rules.",
            example="OFFER Austria"),
)  # fmt: skip
