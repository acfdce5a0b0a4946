"""The commands of campaigns and their zine, for the table of `gm.desk.commands`."""

from __future__ import annotations

from gm.desk.command import Command
from gm.desk.handlers import clubbing, editing, errata, letters, membership, minding, standbylists

CLUB_COMMANDS: tuple[Command, ...] = (
    Command(name="CAMPAIGNS", words=("CAMPAIGNS", "LIST CAMPAIGNS", "ZINES"), who="anybody", form="CAMPAIGNS",
            run=membership.listing, help="Lists the campaigns of the server.", example="CAMPAIGNS"),
    Command(name="CAMPAIGN", words=("CAMPAIGN", "IN CAMPAIGN"), switches=True, who="person", form="CAMPAIGN campaign",
            run=clubbing.campaign, help="Speaks of a campaign, and of no game, from that line on.",
            example="CAMPAIGN danube"),
    Command(name="SUBSCRIBE", words=("SUBSCRIBE",), who="person", form="SUBSCRIBE campaign", run=membership.subscribe,
            help="Sends you the zine of a campaign, whether you play in it or not.", example="SUBSCRIBE danube"),
    Command(name="UNSUBSCRIBE", words=("UNSUBSCRIBE",), who="person", form="UNSUBSCRIBE campaign",
            run=membership.unsubscribe, help="Sends you the zine of a campaign no more.",
            example="UNSUBSCRIBE danube"),
    Command(name="WAIT FOR", words=("WAIT FOR",), who="person", form="WAIT FOR ruleset [IN campaign]",
            run=membership.wait_for, help="Puts you on a campaign's waiting list for a new game; you are asked by mail "
            "when one is opened. WAIT FOR ANY takes what comes.", example="WAIT FOR diplomacy IN danube"),
    Command(name="STOP WAITING", words=("STOP WAITING", "NO WAIT FOR"), who="person",
            form="STOP WAITING [IN campaign]", run=membership.stop_waiting,
            help="Takes you off a campaign's waiting list.", example="STOP WAITING IN danube"),
    Command(name="STANDINGS", words=("STANDINGS", "STANDING", "LADDER"), who="person", form="STANDINGS [campaign]",
            run=membership.standings, help="The table of a campaign over all its games.",
            example="STANDINGS danube"),
    Command(name="LETTER", words=("LETTER", "LETTER TO THE EDITOR", "LETTER TO EDITOR"), who="person",
            form="LETTER [UNSIGNED] [campaign] ... ENDLETTER", run=editing.letter, help="A letter to the editor, "
            "printed in the next issue of the zine for all to read, signed with your name unless UNSIGNED.",
            example="LETTER danube: The autumn map was splendid."),
    Command(name="WITHDRAW LETTER", words=("WITHDRAW LETTER", "NO LETTER"), who="person",
            form="WITHDRAW LETTER [OF campaign]", run=letters.withdraw,
            help="Takes your letters back that are not printed yet.", example="WITHDRAW LETTER OF danube"),
    Command(name="GET ZINE", words=("GET ZINE", "GET ISSUE", "SEND ZINE", "ZINE"), who="person",
            form="GET ZINE [number] [OF campaign]", run=editing.get_zine, help="Sends you a back issue of the zine, "
            "the last one if you name none.", example="GET ZINE 12 OF danube"),
    Command(name="CREATE CAMPAIGN", words=("CREATE CAMPAIGN",), switches=True, who="person",
            form="CREATE CAMPAIGN campaign [TITLE text]", run=clubbing.create_campaign, help="Founds a campaign; you "
            "are its GM. Games that you create below that line, or below CAMPAIGN, are games of the campaign.",
            example="CREATE CAMPAIGN danube TITLE The Danube Courier"),
    Command(name="ADD GM", words=("ADD GM", "ADD COGM", "ADD CO-GM"), who="editor", form="ADD GM address [AS name]",
            run=clubbing.add_gm, help="Makes somebody a GM of the campaign and all its games, except those he plays "
            "in. In a game without a campaign: of that game.", example="ADD GM ben@example.org AS Ben"),
    Command(name="DROP GM", words=("DROP GM", "REMOVE GM"), who="editor", form="DROP GM address", run=clubbing.drop_gm,
            help="Takes a GM's rights away. The last GM stays.", example="DROP GM ben@example.org"),
    Command(name="ADD STANDBY", words=("ADD STANDBY",), who="editor", form="ADD STANDBY address [AS name]",
            run=standbylists.add_standby, help="Puts somebody on the campaign's list of standby players; he is told, "
            "and how he gets off it.", example="ADD STANDBY cleo@example.org AS Cleo"),
    Command(name="DROP STANDBY", words=("DROP STANDBY", "REMOVE STANDBY"), who="editor", form="DROP STANDBY address",
            run=standbylists.drop_standby, help="Takes somebody off the campaign's list of standby players.",
            example="DROP STANDBY cleo@example.org"),
    Command(name="ADD GAME", words=("ADD GAME",), who="editor", form="ADD GAME game", run=clubbing.add_game,
            help="Makes a game that you run one of the campaign's.", example="ADD GAME spring99"),
    Command(name="ROSTER", words=("ROSTER",), who="editor", form="ROSTER", run=clubbing.roster,
            help="Who belongs to the campaign: GMs, players, lists.", example="ROSTER"),
    Command(name="CALL", words=("CALL",), who="editor", form="CALL ruleset AS game [TITLE text]", run=membership.call,
            help="Opens a game in the campaign and invites by mail those who wait for it, first come first.",
            example="CALL diplomacy AS autumn2"),
    Command(name="EDITORIAL", words=("EDITORIAL",), who="editor", form="EDITORIAL ... ENDEDITORIAL",
            run=editing.editorial, help="What you have to say at the head of the next issue of the zine.",
            example="EDITORIAL: Snow has come to the Danube."),
    Command(name="ERRATUM", words=("ERRATUM", "ERRATA"), who="editor", form="ERRATUM [game] [IN number] ... END",
            run=errata.erratum, help="A correction, printed in the next issue of the zine: beside the report of the "
            "game if you name one, and noted on the page of the issue that was wrong.",
            example="ERRATUM spring99: The fleet stood in Sevastopol."),
    Command(name="ANSWER LETTER", words=("ANSWER LETTER", "REPLY TO LETTER"), who="editor",
            form="ANSWER LETTER number ... ENDANSWER", run=letters.answer, help="Your reply to a letter that waits for "
            "the next issue, printed below it and signed Ed.; LETTERS has the numbers.",
            example="ANSWER LETTER 3: So it was, and the next one will be finer."),
    Command(name="LETTERS", words=("LETTERS", "LIST LETTERS"), bare=True, who="editor", form="LETTERS",
            run=letters.listing, help="All that waits for the next issue of the zine, numbered.", example="LETTERS"),
    Command(name="DROP LETTER", words=("DROP LETTER", "STRIKE LETTER"), who="editor",
            form="DROP LETTER number [BECAUSE reason]", run=letters.drop, help="Strikes a text before it is printed; "
            "its writer is told.", example="DROP LETTER 1 BECAUSE it names a player of an anonymous game"),
    Command(name="PREVIEW ISSUE", words=("PREVIEW ISSUE", "PREVIEW ZINE"), bare=True, who="editor",
            form="PREVIEW ISSUE", run=editing.preview_issue, help="Mails you alone the next issue as it stands.",
            example="PREVIEW ISSUE"),
    Command(name="PUBLISH", words=("PUBLISH", "PUBLISH ISSUE", "PUBLISH ZINE"), bare=True, who="editor",
            form="PUBLISH", run=editing.publish, help="Publishes the next issue of the zine now; the regular one after "
            "it stays when it was due.", example="PUBLISH"),
    Command(name="HEALTH", words=("HEALTH",), bare=True, who="editor", form="HEALTH", run=minding.health,
            help="How all your games do: who is late or silent, which addresses bounce, what is held, the next "
            "deadlines. Comes by itself once a week.", example="HEALTH"),
)  # fmt: skip
