"""Every command of the language: its words, who may use it, what it does, how it is written. HELP and the docs are
made from this table."""

from __future__ import annotations

from gm.desk.awaycommands import AWAY_COMMANDS
from gm.desk.clubcommands import CLUB_COMMANDS
from gm.desk.command import Command
from gm.desk.desk import Desk
from gm.desk.gmcommands import GM_COMMANDS
from gm.desk.handlers import acting, asking, auditing, mastering, ordering, personal, pressing, signup, voting
from gm.desk.handlers.helping import help_sections
from gm.desk.language import Statement
from gm.desk.oldcommands import OLD_COMMANDS
from gm.desk.words import more_words


def _help(desk: Desk, statement: Statement) -> str:
    """HELP [topic]."""
    desk.answers.extend(help_sections(desk, statement.argument, COMMANDS, WORDS))
    return "help is below"


COMMANDS: tuple[Command, ...] = (
    Command(name="HELP", words=("HELP", "?", "INFO"), who="anybody", form="HELP [ORDERS | GM | a command]", run=_help,
            help="Explains the commands; HELP ORDERS explains how orders of your game are written.",
            example="HELP PRESS"),
    Command(name="GAMES", words=("GAMES", "LIST", "LIST GAMES"), who="anybody", form="GAMES", run=asking.games,
            help="Lists games that are open or under way.", example="GAMES"),
    Command(name="JOIN", words=("JOIN", "SIGN UP", "SIGNUP"), switches=True, who="person",
            form="JOIN game AS your name [PREFER powers]", run=signup.join,
            help="Signs you up; powers are drawn by lot when the game is full, wishes respected. A game under way "
            "puts you on its list of standby players.", example="JOIN spring99 AS Ann Example PREFER Austria, Italy"),
    Command(name="PREFER", words=("PREFER", "PREFERENCE", "PREFERENCES", "PREFS"), who="person", form="PREFER powers",
            run=signup.prefer, help="Changes your wishes before the start, most wanted first.",
            example="PREFER Italy, Austria"),
    Command(name="OBSERVE", words=("OBSERVE", "WATCH"), who="person", form="OBSERVE game", run=signup.observe,
            help="Sends you the public reports of a game.", example="OBSERVE spring99"),
    Command(name="LEAVE", words=("LEAVE",), who="person", form="LEAVE game", run=signup.leave,
            help="Takes you off a game's lists: sign-up, standby, observers.", example="LEAVE spring99"),
    Command(name="RESIGN", words=("RESIGN",), who="seat", form="RESIGN game", run=signup.resign,
            help="Gives up your seat for good. The game's name guards against slips.", example="RESIGN spring99"),
    Command(name="GAME", words=("GAME", "IN GAME"), switches=True, who="person", form="GAME game", run=personal.game,
            help="Speaks of another game of yours from that line on.", example="GAME spring99"),
    Command(name="SHOW", words=("SHOW", "SHOW ORDERS", "MY ORDERS", "LIST ORDERS"), bare=True, who="seat", form="SHOW",
            run=ordering.show, help="Shows your sheet as it stands.", example="SHOW"),
    Command(name="CLEAR", words=("CLEAR", "CLEAR ORDERS", "CANCEL ORDERS"), bare=True, who="seat", form="CLEAR",
            run=ordering.clear, help="Takes back all your orders of this phase.", example="CLEAR"),
    Command(name="NO ORDERS", words=("NO ORDERS", "NOORDERS", "NMR"), bare=True, who="seat", form="NO ORDERS",
            run=ordering.no_orders, help="Gives an empty sheet on purpose: you are not late.", example="NO ORDERS"),
    Command(name="WAIT", words=("WAIT", "SET WAIT"), bare=True, who="seat", form="WAIT", run=ordering.wait,
            help="Keeps the phase from running before its deadline.", example="WAIT"),
    Command(name="NO WAIT", words=("NO WAIT", "NOWAIT", "SET NOWAIT", "SET NO WAIT"), bare=True, who="seat",
            form="NO WAIT", run=ordering.no_wait, help="Takes WAIT back.", example="NO WAIT"),
    Command(name="READY", words=("READY", "DONE", "SET READY"), bare=True, who="seat", form="READY", run=ordering.ready,
            help="Says that you want to add nothing, even if units are without orders.", example="READY"),
    Command(name="NOT READY", words=("NOT READY", "UNREADY", "NO READY"), bare=True, who="seat", form="NOT READY",
            run=ordering.not_ready, help="Takes READY back.", example="NOT READY"),
    Command(name="PRESS", words=("PRESS", "MESSAGE"), who="seat",
            form="PRESS [UNSIGNED] TO powers | ALL | ALL BUT powers | GM ... ENDPRESS", run=pressing.press,
            help="Relays text to other players. They see who wrote (unless unsigned), nothing else of your mail. "
            "Text on the same line after a colon needs no ENDPRESS.", example="PRESS TO France: Shall we talk?"),
    Command(name="VOTE", words=("VOTE",), who="seat",
            form="VOTE DRAW [powers] | CONCEDE TO power | EXTEND length | NONE", run=voting.vote,
            help="Proposes an end of the game, which ends when all players vote the same; or more time, where the "
            "house rules allow it. Until it passes nobody learns of your vote.", example="VOTE DRAW"),
    Command(name="STATUS", words=("STATUS", "STATE"), who="anybody", form="STATUS [game]", run=asking.status,
            help="Phase, deadline, players, and what you have on file.", example="STATUS"),
    Command(name="HISTORY", words=("HISTORY",), who="person", form="HISTORY", run=asking.history,
            help="All phases so far with their headlines, and the press you could read.", example="HISTORY"),
    Command(name="RESULTS", words=("RESULTS", "RESULT", "RESEND", "REPORT"), who="person",
            form="RESULTS [number or phase]", run=asking.results, help="Sends a report again.", example="RESULTS 3"),
    Command(name="WHY DEADLINE", words=("WHY DEADLINE", "WHY"), who="person", form="WHY DEADLINE",
            run=asking.why_deadline, help="Each change of the deadline and its cause.", example="WHY DEADLINE"),
    Command(name="RULES", words=("RULES", "HOUSE RULES", "HOUSERULES"), who="person", form="RULES", run=mastering.rules,
            help="The house rules of the game.", example="RULES"),
    Command(name="EXTEND", words=("EXTEND",), who="person", form="EXTEND length", run=mastering.extend,
            help="Pushes the deadline back. For the GM; for players as far as the house rules allow, once a phase.",
            example="EXTEND 24h"),
    Command(name="ZONE", words=("ZONE", "TIMEZONE", "TIME ZONE", "SET ZONE", "SET TIMEZONE"), who="person",
            form="ZONE name", run=personal.zone, help="Shows you times in your own zone.",
            example="ZONE Europe/Berlin"),
    Command(name="LANGUAGE", words=("LANGUAGE", "SET LANGUAGE"), who="person", form="LANGUAGE en | de",
            run=personal.language, help="The language of the mails to you: English or German.",
            example="LANGUAGE en"),
    Command(name="NAME", words=("NAME", "SET NAME"), who="person", form="NAME your name", run=personal.name,
            help="How others see you.", example="NAME Ann Example"),
    Command(name="SET PASSWORD", words=("SET PASSWORD",), who="person", form="SET PASSWORD word",
            run=personal.set_password, help="For ordering at the game's own address instead of by reply.",
            example="SET PASSWORD correct horse"),
    Command(name="PASSWORD", words=("PASSWORD", "PASSWORT"), who="anybody", form="PASSWORD word", run=personal.password,
            help="Proves who you are in a mail to the game's own address.", example="PASSWORD correct horse"),
    Command(name="ADDRESS", words=("ADDRESS", "SET ADDRESS"), who="person", form="ADDRESS new@example.org",
            run=personal.add_address, help="Adds a mail address, or makes one of yours the first. A new one counts "
            "once you have answered the mail that goes there.", example="ADDRESS ann@example.org"),
    Command(name="DROP ADDRESS", words=("DROP ADDRESS",), who="person", form="DROP ADDRESS old@example.org",
            run=personal.drop_address, help="Drops one of your addresses.", example="DROP ADDRESS old@example.org"),
    Command(name="NEWADDRESS", words=("NEWADDRESS", "NEW ADDRESS", "NEW TOKEN"), bare=True, who="person",
            form="NEWADDRESS", run=personal.new_address, help="Makes all your reply addresses worthless and issues "
            "new ones, in case somebody else has seen them.", example="NEWADDRESS"),
    Command(name="CREATE", words=("CREATE",), switches=True, who="person", form="CREATE ruleset AS game [TITLE text]",
            run=mastering.create, help="Opens a game for sign-up; you are its GM.",
            example="CREATE diplomacy AS spring99 TITLE Spring of 99"),
    Command(name="START", words=("START", "BEGIN"), bare=True, who="gm", form="START", run=mastering.start,
            help="Begins with the players there are.", example="START"),
    Command(name="PAUSE", words=("PAUSE",), who="gm", form="PAUSE [reason]", run=mastering.pause,
            help="Stops the clock.", example="PAUSE Christmas"),
    Command(name="RESUME", words=("RESUME", "UNPAUSE"), bare=True, who="gm", form="RESUME", run=mastering.resume,
            help="Starts the clock again, with a new deadline by the calendar.", example="RESUME"),
    Command(name="DEADLINE", words=("DEADLINE", "SET DEADLINE"), who="gm", form="DEADLINE date time",
            run=mastering.deadline, help="Sets the deadline of the open phase.", example="DEADLINE 2027-01-08 20:00"),
    Command(name="PROCESS", words=("PROCESS", "PROCESS NOW", "ADJUDICATE"), who="gm", form="PROCESS [phase]",
            run=mastering.process, help="Runs the open phase now, whoever is late. If nobody has ordered yet, "
            "it has to be named.", example="PROCESS"),
    Command(name="PREVIEW", words=("PREVIEW",), bare=True, who="gm", form="PREVIEW", run=mastering.preview,
            help="Shows you alone what PROCESS would give.", example="PREVIEW"),
    Command(name="REPLACE", words=("REPLACE",), who="gm", form="REPLACE power WITH address [AS name]",
            run=mastering.replace, help="Gives a power to another player.",
            example="REPLACE Austria WITH ben@example.org AS Ben"),
    Command(name="BROADCAST", words=("BROADCAST",), who="gm", form="BROADCAST ... ENDBROADCAST",
            run=pressing.broadcast, help="Writes to everybody; printed in the next report too.",
            example="BROADCAST: No turn over Christmas."),
    Command(name="ROLLBACK", words=("ROLLBACK", "ROLL BACK"), who="gm", form="ROLLBACK TO phase [BECAUSE reason]",
            run=mastering.roll_back, help="Undoes every phase from the named one on and opens that one again with the "
            "orders it had. Everybody is told; after the re-run each player learns what changed for him.",
            example="ROLLBACK TO S1901M BECAUSE of a misread order"),
    Command(name="AS", words=("AS",), switches=True, who="gm", form="AS power", run=acting.act_as,
            help="Orders from that line on, and WAIT, READY and the like, are for a power; marked as yours. Its player "
            "is told.", example="AS Austria"),
    Command(name="SET", words=("SET",), who="gm", form="SET house rule = value", run=mastering.set_rule,
            help="Changes a house rule; RULES lists them.", example="SET press = public"),
    Command(name="END", words=("END",), who="gm",
            form="END DRAW powers | END WIN power | END ABANDONED", run=mastering.end,
            help="Ends the game by your word.", example="END DRAW Austria, France"),
    Command(name="AUDIT", words=("AUDIT",), who="person", form="AUDIT", run=auditing.audit,
            help="What GMs and the server did in this game; for players where the house rules let them. "
            "After CAMPAIGN: what its GMs did, for them alone.", example="AUDIT"),
    *CLUB_COMMANDS,
    *GM_COMMANDS,
    *OLD_COMMANDS,
    *AWAY_COMMANDS,
)  # fmt: skip

BY_NAME = {command.name: command for command in COMMANDS}

WORDS = more_words({word: command.name for command in COMMANDS for word in command.words})
"""Every word of the language to its command's name, in English, German and French."""
