"""Commands of campaigns: create, switch to, rules, games, GMs, roster."""

from __future__ import annotations

import re
import secrets

from sqlalchemy import select

from gm.clock.words import in_zone
from gm.club import campaigns
from gm.club.campaigns import campaign_games, campaign_gms, campaign_settings
from gm.club.issuemaking import next_issue
from gm.desk.desk import Desk, NoRight, Refusal
from gm.desk.language import Statement, nearest
from gm.desk.people import clean_name, new_player
from gm.games import RULESETS, UnknownRuleset, ruleset
from gm.games.api import OptionError, Section
from gm.mail.addresses import canonical_address
from gm.store.clubtables import Roster
from gm.store.tables import Address, Audit, Campaign, Game, GameGM, Player
from gm.turns import starting
from gm.turns.faults import traced
from gm.turns.notices import at_most, once, tell_person
from gm.turns.people import best_address, current_seats, game_gms, player_by_email, power_name, waiting
from gm.turns.reliability import record_of
from gm.turns.settings import GameSettings, SettingError, UnknownRule, settings_for
from gm.turns.starting import GameError

TRIES_A_DAY = 3
"""So many commands without the right in a day, and the GMs are told."""

_CREATE = re.compile(r"(?:as\s+)?(?P<slug>\S+)(?:\s+title\s+(?P<title>.+))?$", re.I)
_GM = re.compile(r"<?(?P<email>\S+?@[^\s>]+)>?(?:\s+as\s+(?P<name>.+))?$", re.I)
_SET = re.compile(r"(?P<name>\w+)\s*(?:=|to|\s)\s*(?P<value>.+)$", re.I)


# --- which campaign, and by what right -------------------------------------------------------------------------


def find_campaign(desk: Desk, name: str) -> Campaign:
    """The campaign of that name. Raises Refusal."""
    slug = name.strip().lower().rstrip(".,")
    campaign = desk.session.scalar(select(Campaign).where(Campaign.slug == slug))
    if campaign is None:
        near = nearest(slug, list(desk.session.scalars(select(Campaign.slug))))
        raise Refusal(f"There is no campaign {name.strip()!r}.", f"CAMPAIGN {near}" if near else "CAMPAIGNS")
    return campaign


def runs(desk: Desk, campaign: Campaign) -> bool:
    """Whether he speaks as a GM of a campaign; a seat's reply address never carries that right."""
    person = desk.need_person()
    return desk.operator or (desk.scope != "seat" and campaigns.runs(desk.session, campaign, person))


def need_campaign(desk: Desk, name: str = "") -> Campaign:
    """The campaign that is spoken of: named, entered, that of the game, or the only one he belongs to.

    Raises Refusal.
    """
    if name:
        return find_campaign(desk, name)
    if desk.campaign is not None:
        return desk.campaign
    mine = campaigns.campaigns_of(desk.session, desk.need_person())
    if len(mine) == 1:
        return mine[0]
    raise Refusal("This needs a campaign.", "CAMPAIGN name-of-the-campaign, on a line before it")


def need_editor(desk: Desk) -> Campaign:
    """The campaign whose GM he is: entered, that of the game, or the only one he runs. Raises Refusal."""
    person = desk.need_person()
    campaign = desk.campaign
    if campaign is None:
        mine = [c for c in campaigns.campaigns_of(desk.session, person) if runs(desk, c)]
        if len(mine) != 1:
            why = (
                "This needs a campaign." if mine or desk.operator else "Only a GM of a campaign can do this."
            )
            raise Refusal(why, "CAMPAIGN name-of-the-campaign, on a line before it")
        campaign = mine[0]
    if not runs(desk, campaign):
        raise NoRight(
            f"Only a GM of the campaign {campaign.slug} can do this, by reply to a mail to its GM.",
        )
    return campaign


def note(desk: Desk, campaign: Campaign, action: str, **detail: object) -> None:
    """Put an act of a campaign's GM on record."""
    desk.session.add(
        Audit(
            game_id=None,
            actor=f"gm {desk.need_person().id}",
            action=action,
            detail={"campaign": campaign.slug, **detail},
            at=desk.office.now(),
        )
    )


def note_no_right(desk: Desk, campaign: Campaign, command: str) -> None:
    """Count a GM's command by somebody who is none; at the third in a day the campaign's GMs are told, once."""
    person = desk.need_person()
    day = f"noright.campaign.{campaign.id}.{person.id}.{desk.received_at:%Y%m%d}"
    if at_most(desk.session, desk.office, day, TRIES_A_DAY - 1) or not once(
        desk.session, desk.office, f"{day}.told"
    ):
        return
    for gm in campaign_gms(desk.session, campaign):
        tell_person(
            desk.session,
            desk.office,
            gm,
            subject=f"{campaign.title}: a GM's commands by somebody who is none",
            paragraphs=(
                f"{person.name} has sent {TRIES_A_DAY} commands of a GM of {campaign.slug} today, the last one "
                f"{command}. None was carried out, and each was answered so.",
            ),
            key=f"noright.{campaign.slug}.{desk.received_at:%Y%m%d}.{desk.inbound.identity[:12]}",
        )


def record_fault(desk: Desk, campaign: Campaign, fault: Exception) -> str:
    """Put a fault in a command of a campaign on record. Returns what the sender is told."""
    trace, text = traced(f"campaign-{campaign.slug}", fault, desk.office.now())
    note(desk, campaign, "fault", trace=trace, traceback=text)
    return (
        f"Not done, for a fault of mine; nothing of it was changed. Its trace is {trace}: whoever runs the server "
        f"finds the cause under it with `gm trace {trace}`."
    )


def enter_campaign(desk: Desk, campaign: Campaign) -> None:
    """Speak of a campaign, and of no game, from now on."""
    desk.campaign = campaign
    desk.game = desk.power = None
    desk.gm = False


# --- GMs -------------------------------------------------------------------------------------------------------


def create_campaign(desk: Desk, statement: Statement) -> str:
    """CREATE CAMPAIGN name [TITLE text]."""
    person = desk.need_person()
    need_creator(desk)
    match = _CREATE.match(statement.argument)
    if match is None:
        raise Refusal("CREATE CAMPAIGN needs a name.", "CREATE CAMPAIGN danube TITLE The Danube Courier")
    try:
        campaign = campaigns.create_campaign(
            desk.session,
            slug=match["slug"],
            title=" ".join((match["title"] or "").split()),
            gm=None if desk.operator else person,
            now=desk.office.now(),
        )
    except GameError as wrong:
        raise Refusal(str(wrong)) from None
    if desk.scope == "seat":
        desk.scope = "person"
    enter_campaign(desk, campaign)
    note(desk, campaign, "create campaign")
    return f"the campaign {campaign.slug} is there; SET changes its rules, CREATE ruleset AS game opens a game in it"


def need_creator(desk: Desk) -> None:
    """Raises Refusal if he may not create games and campaigns on this server."""
    mine = desk.session.scalars(select(Address.email).where(Address.player_id == desk.need_person().id)).all()
    if not desk.operator and not set(mine) & set(desk.office.creators):
        raise Refusal("Your address is not on this server's list of those who may create games.")


def campaign(desk: Desk, statement: Statement) -> str:
    """CAMPAIGN name: speak of a campaign from here on."""
    desk.need_person()
    found = find_campaign(desk, statement.argument)
    enter_campaign(desk, found)
    rules = campaign_settings(found)
    lines = [f"{found.title} ({found.slug})"]
    lines += [
        f"{g.slug}: {ruleset(g.ruleset).meta.title}, {g.status}" for g in campaign_games(desk.session, found)
    ]
    if runs(desk, found):
        lines += [f"zine = {rules.zine}", f"tagline = {rules.tagline or 'none'}", f"maps = {rules.maps}"]
        lines += [f"{name} = {_word(value)} (for its new games)" for name, value in rules.house.items()]
    desk.answer("Campaign", lines)
    return f"from here on I take this for the campaign {found.slug}"


def sets_campaign_rule(desk: Desk, statement: Statement) -> bool:
    """Whether a line SET is about a campaign: none of its games is spoken of, or the rule is the campaign's own."""
    rule = statement.argument.replace("=", " ").split()[:1]
    own = bool(rule) and rule[0].lower() in campaigns.OWN_RULES
    return desk.campaign is not None and (desk.game is None or own)


def set_rule(desk: Desk, statement: Statement) -> str:
    """SET rule = value, of a campaign."""
    found = need_editor(desk)
    match = _SET.match(statement.argument)
    if match is None:
        raise Refusal("SET needs a rule and a value.", "SET zine = every Friday 21:00 Europe/London")
    name, value = match["name"].lower(), match["value"].strip()
    try:
        rules = campaign_settings(found).changed(name, value)
    except UnknownRule as wrong:
        raise Refusal(str(wrong), f"SET {wrong.near} = {value}") from None
    except SettingError as wrong:
        raise Refusal(str(wrong), f"CAMPAIGN {found.slug}") from None
    found.settings = rules.as_json()
    note(desk, found, "set", rule=name, value=value)
    if name in ("zine", "zone"):
        found.issue_due_at = next_issue(rules, None, desk.office.now())
        at = found.issue_due_at
        due = in_zone(at, desk.need_person().zone) if at else "when PUBLISH says so"
        return f"campaign rule {name} is {value}; the next issue goes out {due}"
    if name in GameSettings().as_json():
        return f"campaign rule {name} is {value} for the games that are opened from now on; those there keep theirs"
    return f"campaign rule {name} is {value}"


def open_game(desk: Desk, found: Campaign | None, ruleset_id: str, slug: str, title: str) -> Game:
    """A game that waits for players: in a campaign, with its house rules and GMs, or on its own. Raises Refusal."""
    name = ruleset_id.lower()
    rules = campaign_settings(found).game_settings(name) if found is not None else settings_for(name)
    alone = found is None and not desk.operator
    try:
        game = starting.create_game(
            desk.session,
            slug=slug,
            title=title,
            ruleset_id=name,
            options={},
            settings=rules,
            gm=desk.need_person() if alone else None,
            seed=secrets.token_bytes(32),
            now=desk.office.now(),
        )
        if found is not None:
            campaigns.take_in(desk.session, found, game)
    except UnknownRuleset as wrong:
        raise Refusal(str(wrong), nearest(ruleset_id.lower(), RULESETS)) from None
    except (GameError, OptionError, SettingError) as wrong:
        raise Refusal(str(wrong)) from None
    return game


def add_game(desk: Desk, statement: Statement) -> str:
    """ADD GAME game: one that he runs becomes one of the campaign's."""
    found = need_editor(desk)
    game = desk.session.scalar(select(Game).where(Game.slug == statement.argument.strip().lower()))
    mine = game is not None and (desk.operator or desk.need_person() in game_gms(desk.session, game))
    if game is None or not mine:
        raise Refusal(f"You run no game {statement.argument.strip()!r}.", "GAMES")
    try:
        campaigns.take_in(desk.session, found, game)
    except GameError as wrong:
        raise Refusal(str(wrong)) from None
    note(desk, found, "add game", game=game.slug)
    return f"{game.slug} is a game of {found.slug} from now on; its house rules stay"


def add_gm(desk: Desk, statement: Statement) -> str:
    """ADD GM address [AS name]: of the game that is spoken of if it is in no campaign, else of the campaign."""
    match = _GM.match(statement.argument)
    email = canonical_address(match["email"]) if match else None
    if match is None or email is None:
        raise Refusal("ADD GM needs a mail address.", "ADD GM ben@example.org AS Ben")
    game = desk.need_gm() if desk.game is not None and desk.game.campaign_id is None else None
    found = need_editor(desk) if game is None else None
    gm = player_by_email(desk.session, email)
    if gm is None:
        gm = new_player(desk, email, clean_name(match["name"] or email.partition("@")[0]), active=True)
    address = desk.session.scalars(select(Address).where(Address.email == email)).one()
    if address.state == "unconfirmed":
        address.state = "active"
    if game is not None:
        where, plays = _add_game_gm(desk, game, gm), []
    else:
        assert found is not None
        try:
            plays = campaigns.add_gm(desk.session, found, gm)
        except GameError as wrong:
            raise Refusal(str(wrong)) from None
        note(desk, found, "add gm", player=gm.id)
        where = f"the campaign {found.slug} and its games"
    tell_person(
        desk.session,
        desk.office,
        gm,
        subject="You are a GM now",
        paragraphs=(
            f"{desk.need_person().name} has made you a GM of {where}.",
            "Reply with GAME or CAMPAIGN and its name, and commands on the lines below; HELP GM lists them.",
        ),
        key=f"gm.{desk.inbound.identity[:16]}.{statement.line}",
    )
    but = f"; not of {', '.join(g.slug for g in plays)}, where he plays" if plays else ""
    return f"{gm.name} is a GM of {where}{but}"


def _add_game_gm(desk: Desk, game: Game, gm: Player) -> str:
    if gm in game_gms(desk.session, game):
        raise Refusal(f"{gm.name} is a GM of {game.slug} already.")
    if gm in current_seats(desk.session, game).values():
        raise Refusal(f"{gm.name} plays in {game.slug}; he would see what his opponents order.")
    desk.session.add(GameGM(game_id=game.id, player_id=gm.id))
    desk.session.flush()
    desk.session.add(
        Audit(
            game_id=game.id,
            actor=f"gm {desk.need_person().id}",
            action="add gm",
            detail={"player": gm.id},
            at=desk.office.now(),
        )
    )
    return game.slug


def drop_gm(desk: Desk, statement: Statement) -> str:
    """DROP GM address."""
    match = _GM.match(statement.argument)
    email = canonical_address(match["email"]) if match else None
    gm = player_by_email(desk.session, email) if email else None
    game = desk.need_gm() if desk.game is not None and desk.game.campaign_id is None else None
    found = need_editor(desk) if game is None else None
    if gm is None:
        raise Refusal("DROP GM needs the address of one.", "DROP GM ben@example.org")
    if game is not None:
        return _drop_game_gm(desk, game, gm)
    assert found is not None
    try:
        campaigns.drop_gm(desk.session, found, gm)
    except GameError as wrong:
        raise Refusal(str(wrong)) from None
    note(desk, found, "drop gm", player=gm.id)
    return f"{gm.name} is no longer a GM of {found.slug} and its games"


def _drop_game_gm(desk: Desk, game: Game, gm: Player) -> str:
    there = game_gms(desk.session, game)
    if gm not in there:
        raise Refusal(f"{gm.name} is no GM of {game.slug}.")
    if len(there) == 1:
        raise Refusal(f"{gm.name} is the only GM of {game.slug}; add another first.", "ADD GM address")
    row = desk.session.scalars(
        select(GameGM).where(GameGM.game_id == game.id, GameGM.player_id == gm.id)
    ).one()
    desk.session.delete(row)
    desk.session.flush()
    desk.session.add(
        Audit(
            game_id=game.id,
            actor=f"gm {desk.need_person().id}",
            action="drop gm",
            detail={"player": gm.id},
            at=desk.office.now(),
        )
    )
    return f"{gm.name} is no longer a GM of {game.slug}"


def roster(desk: Desk, _statement: Statement) -> str:
    """ROSTER: who belongs to the campaign, for its GMs."""
    found = need_editor(desk)
    session = desk.session
    desk.answer("GMs", [_who(desk, gm) for gm in campaign_gms(session, found)])
    for game in campaign_games(session, found):
        lines = [
            f"{power_name(game, power)}: {_who(desk, player)}"
            for power, player in current_seats(session, game).items()
        ]
        for role in ("player", "standby", "observer"):
            lines += [
                f"{role}: {_who(desk, player)}" + (_record(desk, player) if role == "standby" else "")
                for row in waiting(session, game, role)
                for player in [session.get_one(Player, row.player_id)]
            ]
        desk.answers.append(Section(title=f"{game.title} ({game.slug}), {game.status}", lines=tuple(lines)))
    rows = session.scalars(
        select(Roster).where(Roster.campaign_id == found.id).order_by(Roster.role, Roster.id)
    )
    lists = [_on_list(desk, row, session.get_one(Player, row.player_id)) for row in rows]
    desk.answer("Lists", lists or ["nobody"])
    return f"the roster of {found.slug} is below"


def _on_list(desk: Desk, row: Roster, player: Player) -> str:
    """A line of the campaign's lists."""
    if row.role == "standby":
        return f"standby: {_who(desk, player)}" + _record(desk, player)
    words = {
        "reader": "reads the zine",
        "off": "wants no zine",
        "waiting": f"waits for {row.wish or 'any game'}",
    }
    return f"{_who(desk, player)}: {words[row.role]}"


def _record(desk: Desk, player: Player) -> str:
    return f": {record_of(desk.session, player, viewers=[desk.need_person()]).text}"


def _who(desk: Desk, player: Player) -> str:
    best = best_address(desk.session, player)
    return f"{player.name} <{best}>" if best else player.name


def _word(value: object) -> str:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)
