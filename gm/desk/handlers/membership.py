"""Commands of those who belong to a campaign: waiting lists and calls from them, subscriptions, standings."""

from __future__ import annotations

import re

from sqlalchemy import select

from gm.club import campaigns
from gm.club.campaigns import campaign_games, campaign_gms
from gm.desk.desk import Desk, Refusal
from gm.desk.handlers.clubbing import need_campaign, need_editor, note, open_game
from gm.desk.language import Statement, nearest
from gm.games import RULESETS, ruleset
from gm.games.api import Section
from gm.reports.mails import Footer, Masthead, NoticeMail
from gm.store.tables import Campaign, Game, Player
from gm.turns import starting
from gm.turns.notices import tell_person
from gm.turns.people import best_address
from gm.turns.post import post
from gm.turns.tokens import reply_address

_IN = re.compile(r"(?:(?P<what>.*?)\s+)?(?:in|of)\s+(?P<campaign>\S+)$", re.I)
_CALL = re.compile(r"(?P<ruleset>\S+)\s+(?:as\s+)?(?P<slug>\S+)(?:\s+title\s+(?P<title>.+))?$", re.I)


def listing(desk: Desk, _statement: Statement) -> str:
    """CAMPAIGNS: those of the server."""
    rows = desk.session.scalars(select(Campaign).order_by(Campaign.id)).all()
    desk.answer(
        "Campaigns",
        [
            f"{c.slug}: {c.title}, {len(campaign_games(desk.session, c))} games; SUBSCRIBE {c.slug} gets its zine"
            for c in rows
        ]
        or ["There is no campaign yet."],
    )
    return "the campaigns are below"


def wait_for(desk: Desk, statement: Statement) -> str:
    """WAIT FOR ruleset [IN campaign]: on the waiting list of a campaign."""
    what, name = _split(statement.argument)
    wanted = what.lower().removeprefix("a game of ").strip()
    wish = "" if wanted in ("any", "any game", "") else wanted
    if wish and wish not in RULESETS:
        near = nearest(wish, RULESETS)
        raise Refusal(
            "WAIT stands alone on its line, so I take this for no command. To wait for a new game, name a ruleset: "
            f"{', '.join(RULESETS)}.",
            f"WAIT FOR {near or 'diplomacy'}",
        )
    found, person = need_campaign(desk, name), desk.need_person()
    campaigns.set_role(desk.session, found, person, "waiting", True, now=desk.office.now(), wish=wish)
    for ready in [wish] if wish else RULESETS:
        _tell_enough(desk, found, ready)
    words = ruleset(wish).meta.title if wish else "any game"
    return f"you wait for {words} in {found.slug}; a mail asks you when a game is opened"


def _tell_enough(desk: Desk, found: Campaign, name: str) -> None:
    """Tell the GMs when enough wait for a game, at the one who makes them enough."""
    wanted = len(ruleset(name).meta.powers)
    if len(campaigns.waiting_for(desk.session, found, name)) != wanted:
        return
    for gm in campaign_gms(desk.session, found):
        tell_person(
            desk.session,
            desk.office,
            gm,
            subject=f"{found.title}: {wanted} wait for {ruleset(name).meta.title}",
            paragraphs=(
                f"{wanted} players wait for a game of {ruleset(name).meta.title} in {found.slug}: enough to begin.",
                f"Reply with CAMPAIGN {found.slug} on a line and below it CALL {name} AS and a name for the game: it "
                "is opened, and they are invited by mail.",
            ),
            key=f"enough.{found.slug}.{name}.{desk.inbound.identity[:12]}",
        )


def stop_waiting(desk: Desk, statement: Statement) -> str:
    """STOP WAITING [IN campaign]."""
    found = need_campaign(desk, _campaign_named(statement.argument))
    if not campaigns.set_role(
        desk.session, found, desk.need_person(), "waiting", False, now=desk.office.now()
    ):
        raise Refusal(
            f"You are not on the waiting list of {found.slug}.", f"WAIT FOR diplomacy IN {found.slug}"
        )
    return f"you are off the waiting list of {found.slug}"


def subscribe(desk: Desk, statement: Statement) -> str:
    """SUBSCRIBE campaign: get its zine."""
    found = need_campaign(desk, _campaign_named(statement.argument))
    person, now = desk.need_person(), desk.office.now()
    campaigns.set_role(desk.session, found, person, "off", False, now=now)
    campaigns.set_role(desk.session, found, person, "reader", True, now=now)
    return f"you get the zine of {found.title}; UNSUBSCRIBE {found.slug} ends it"


def unsubscribe(desk: Desk, statement: Statement) -> str:
    """UNSUBSCRIBE campaign: get its zine no more, even as a player."""
    found = need_campaign(desk, _campaign_named(statement.argument))
    person, now = desk.need_person(), desk.office.now()
    campaigns.set_role(desk.session, found, person, "reader", False, now=now)
    campaigns.set_role(desk.session, found, person, "off", True, now=now)
    return f"you get the zine of {found.title} no more; the mails of your games come as before"


def standings(desk: Desk, statement: Statement) -> str:
    """STANDINGS [campaign]."""
    found = need_campaign(desk, _campaign_named(statement.argument))
    rows = campaigns.standings(desk.session, found)
    desk.answers.append(
        Section(
            title=f"Standings of {found.title}",
            header=("Player", "Games", "Points"),
            rows=tuple(row.cells for row in rows),
            lines=(
                f"A game won or drawn gives {campaigns.WIN} points, shared by its winners, and {campaigns.STAYED} to "
                "everybody else who held his power to the end. A game called off gives none.",
            ),
        )
    )
    return "the standings are below" if rows else "no game has begun yet"


def _campaign_named(argument: str) -> str:
    return re.sub(r"^(?:to|from|in|of)\s+", "", argument.strip(), flags=re.I)


def _split(argument: str) -> tuple[str, str]:
    """``"diplomacy in danube"`` to ``("diplomacy", "danube")``."""
    match = _IN.match(argument.strip())
    return ((match["what"] or "").strip(), match["campaign"]) if match else (argument.strip(), "")


def call(desk: Desk, statement: Statement) -> str:
    """CALL ruleset AS game [TITLE text]: open a game and invite those who wait for it, first come first."""
    found = need_editor(desk)
    match = _CALL.match(statement.argument)
    if match is None:
        raise Refusal("CALL needs a ruleset and a name for the game.", "CALL diplomacy AS autumn2")
    game = open_game(desk, found, match["ruleset"], match["slug"], match["title"] or "")
    invited = campaigns.waiting_for(desk.session, found, game.ruleset)[: starting.seats_wanted(game)]
    if not invited:
        raise Refusal(
            f"Nobody waits for {game.ruleset} in {found.slug}.", f"CREATE {game.ruleset} AS {match['slug']}"
        )
    for player in invited:
        campaigns.set_role(desk.session, found, player, "waiting", False, now=desk.office.now())
        _invite(desk, found, game, player)
    note(desk, found, "call", game=game.slug, invited=len(invited))
    return f"{game.slug} is open for sign-up, and {len(invited)} who waited are invited by mail"


def _invite(desk: Desk, found: Campaign, game: Game, player: Player) -> None:
    """Ask one who waits whether he comes; any answer but No signs him up."""
    address = best_address(desk.session, player)
    if not address:
        return
    title = ruleset(game.ruleset).meta.title
    mail = NoticeMail(
        masthead=Masthead(
            server=desk.office.server_name,
            game=game.slug,
            title=game.title,
            ruleset=title,
            phase="",
            reader=player.name,
        ),
        subject=f"{game.title}: your game of {title} is open",
        title="Your game is open",
        paragraphs=(
            f"You wait for a game of {title} in {found.title}. {game.title} ({game.slug}) is open now, and your "
            "place on the waiting list brings you this invitation.",
            f"Answer this mail and you are in; what you write in it does not matter. Answer NO and you are not. Until "
            f"then the place may go to somebody else: JOIN {game.slug} is open to all.",
        ),
        footer=Footer(deadline="", how_to_reply="An answer to this mail says yes, unless it begins with NO."),
    )
    post(
        desk.session,
        desk.office,
        mail,
        to=player,
        kind="notice",
        key=f"invited.{game.slug}",
        reply_to=reply_address(
            desk.session,
            desk.office,
            "confirm",
            player,
            payload={"command": f"JOIN {game.slug}", "email": address, "invited": game.slug},
        ),
    )
