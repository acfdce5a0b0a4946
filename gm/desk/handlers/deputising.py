"""DEPUTY and the two answers that it needs: somebody orders for a player for a time, once both have confirmed it."""

from __future__ import annotations

import re

from gm.clock.spans import EXAMPLE
from gm.desk.desk import Desk, Refusal
from gm.desk.handlers.absences import read_away
from gm.desk.handlers.signup import find_game
from gm.desk.language import Statement
from gm.desk.people import clean_name, new_player
from gm.games.api import PowerId
from gm.mail.addresses import canonical_address
from gm.reports.mails import Footer, Masthead, NoticeMail
from gm.store.clubtables import Absence
from gm.store.tables import Game, Player
from gm.turns import deputies
from gm.turns.absence import span_text
from gm.turns.notices import at_most, tell_person
from gm.turns.people import best_address, current_seats, game_gms, player_by_email, power_name, power_of
from gm.turns.post import post
from gm.turns.settings import settings_of
from gm.turns.tokens import reply_address

FOR_DEPUTIES = frozenset({"SHOW", "CLEAR", "NO ORDERS", "WAIT", "NO WAIT", "READY", "NOT READY"})
"""What a deputy may say for a seat, besides orders."""
ASKED_PER_DAY = 5
"""Questions a day that one player can have sent to others."""

_FORM = f"DEPUTY ben@example.org FROM {EXAMPLE}"
_DEPUTY = re.compile(r"<?(?P<email>\S+?@[^\s>]+)>?\s+(?:from\s+)?(?P<span>.+?)(?P<press>\s+press)?$", re.I)
_BE = re.compile(r"(?:for\s+)?(?P<power>.+?)\s+in\s+(?P<game>\S+)$", re.I)


def check_scope(desk: Desk, name: str, who: str) -> None:
    """Raises Refusal if a deputy speaks for his seat in a way that he was not asked to."""
    if not desk.deputy or (who != "seat" and name != "EXTEND") or name in FOR_DEPUTIES:
        return
    if name == "PRESS" and desk.deputy == deputies.WITH_PRESS:
        return
    raise Refusal("You stand in for another player; this is for himself alone.")


def deputy(desk: Desk, statement: Statement) -> str:
    """DEPUTY address FROM first day TO last day [PRESS]: ask somebody to stand in."""
    game, power = desk.need_power()
    if settings_of(game.settings).absence == "none":
        raise Refusal(f"By its house rules nobody has a deputy in {game.slug}.")
    match = _DEPUTY.match(statement.argument)
    email = canonical_address(match["email"]) if match else None
    if match is None or email is None:
        raise Refusal("DEPUTY needs an address and a first and last day.", _FORM)
    away = read_away(desk, match["span"], _FORM)
    me = desk.need_person()
    if not at_most(desk.session, desk.office, f"deputy.{me.id}.{desk.received_at:%Y%m%d}", ASKED_PER_DAY):
        raise Refusal(f"No more than {ASKED_PER_DAY} people a day are asked for you.")
    other = player_by_email(desk.session, email)
    if other is None:
        other = new_player(desk, email, clean_name(email.split("@")[0][:40]), active=False)
    taken = {p.id for p in [*current_seats(desk.session, game).values(), *game_gms(desk.session, game)]}
    if other.id in taken and not (settings_of(game.settings).anonymous and other.id != me.id):
        raise Refusal("Whoever plays in the game or runs it can't be a deputy in it.")
    row = Absence(
        player_id=me.id,
        game_id=game.id,
        from_at=away.since,
        to_at=away.until,
        deputy_id=other.id,
        scope=deputies.WITH_PRESS if match["press"] else deputies.ORDERS,
        deputy_state=deputies.ASKED,
        created_at=desk.office.now(),
    )
    desk.session.add(row)
    desk.session.flush()
    if other.id not in taken:
        _ask_deputy(desk, game, power, me, other, email, row)
    what = "orders and press" if match["press"] else "orders"
    return (
        f"asked {email} to stand in for you in {game.slug}, {span_text(row, me.zone)} ({what}); if the answer is yes, "
        "you are asked to confirm it"
    )


def be_deputy(desk: Desk, statement: Statement) -> str:
    """BE DEPUTY FOR power IN game: the answer of who was asked; then the player is asked to confirm."""
    person = desk.need_person()
    match = _BE.match(statement.argument)
    if match is None:
        raise Refusal("BE DEPUTY needs a power and a game.", "BE DEPUTY FOR Austria IN spring99")
    game = find_game(desk, match["game"])
    owner, row = _asked(desk, game, match["power"], person)
    row.deputy_state = deputies.AGREED
    desk.session.flush()
    _ask_player(desk, game, owner, person, row)
    return (
        f"you are ready to stand in for {match['power'].strip()} in {game.slug}, {span_text(row, person.zone)}; the "
        "player is asked to confirm it"
    )


def confirm_deputy(desk: Desk, statement: Statement) -> str:
    """CONFIRM DEPUTY IN game: the player's own yes."""
    person = desk.need_person()
    name = re.sub(r"^in\s+", "", statement.argument.strip(), flags=re.I)
    game = find_game(desk, name) if name else desk.need_game()
    row = deputies.agreed(desk.session, game, person.id)
    if row is None or row.to_at <= desk.office.now():
        raise Refusal("Nobody has agreed to be your deputy there, or the time is over.", _FORM)
    other = desk.session.get_one(Player, row.deputy_id)
    deputies.confirm(desk.session, desk.office, row, game)
    return f"{other.name} stands in for you in {game.slug}, {span_text(row, person.zone)}; CANCEL ABSENCE ends it"


def declined(desk: Desk, command: str) -> None:
    """A question about a deputy was answered NO: whoever waits for that answer is told."""
    statement_of = re.match(r"(?:(?P<be>BE)|CONFIRM) DEPUTY (?P<rest>.+)$", command)
    if statement_of is None:
        return
    person = desk.need_person()
    if statement_of["be"]:
        match = _BE.match(statement_of["rest"])
        assert match is not None  # it is our own line
        game = find_game(desk, match["game"])
        try:
            owner, row = _asked(desk, game, match["power"], person)
        except Refusal:  # he gave up the seat or took the question back
            return
        told, text = (
            owner,
            f"{person.name} does not stand in for you in {game.title} ({game.slug}): the answer was no.",
        )
        hint = "DEPUTY and another address asks somebody else."
    else:
        game = find_game(desk, statement_of["rest"].removeprefix("IN "))
        found = deputies.agreed(desk.session, game, person.id)
        if found is None or found.deputy_id is None:
            return
        row, told = found, desk.session.get_one(Player, found.deputy_id)
        text = f"{person.name} has not confirmed that you stand in for him in {game.title} ({game.slug})."
        hint = "There is nothing for you to do."
    row.deputy_state = deputies.ENDED
    desk.session.flush()
    tell_person(
        desk.session,
        desk.office,
        told,
        subject=f"{game.title}: no deputy after all",
        paragraphs=(text, f"It was about {span_text(row, told.zone)}.", hint),
        key=f"deputy-no.{game.slug}.{desk.inbound.identity[:12]}",
    )


def _asked(desk: Desk, game: Game, words: str, person: Player) -> tuple[Player, Absence]:
    """The player of a power who has asked a person to stand in. Raises Refusal."""
    for power, owner in current_seats(desk.session, game).items():
        if words.strip().lower() in (power, power_name(game, power).lower()):
            row = deputies.asked(desk.session, game, owner.id, person.id)
            if row is not None and row.to_at > desk.office.now():
                return owner, row
    raise Refusal("Nobody has asked you for that, or the time is over.")


def _ask_deputy(
    desk: Desk, game: Game, power: PowerId, me: Player, other: Player, email: str, row: Absence
) -> None:
    name = power_name(game, power)
    may = "orders and press" if row.scope == deputies.WITH_PRESS else "orders, but no press"
    _question(
        desk,
        game,
        other,
        email,
        subject=f"{game.title}: will you stand in for {me.name}?",
        paragraphs=(
            f"{me.name}, who plays {name} in {game.title} ({game.slug}), asks you to send {may} for him, "
            f"{span_text(row, other.zone)}.",
            "Answer this mail and you agree; he is then asked to confirm it. What you write in it does not matter, "
            "unless it begins with NO. If you do nothing, nothing happens.",
        ),
        command=f"BE DEPUTY FOR {name} IN {game.slug}",
        key=f"deputy.{game.slug}.{desk.inbound.identity[:12]}",
    )


def _ask_player(desk: Desk, game: Game, owner: Player, other: Player, row: Absence) -> None:
    power = power_of(desk.session, game, owner.id)
    _question(
        desk,
        game,
        owner,
        best_address(desk.session, owner),
        subject=f"{game.title}: {other.name} agrees to stand in for you",
        paragraphs=(
            f"{other.name} agrees to stand in for you"
            + (f" as {power_name(game, power)}" if power else "")
            + f", {span_text(row, owner.zone)} ({row.scope}).",
            "Answer this mail to confirm it; what you write in it does not matter, unless it begins with NO. If you do "
            "nothing, nothing happens.",
        ),
        command=f"CONFIRM DEPUTY IN {game.slug}",
        key=f"deputy-yes.{game.slug}.{desk.inbound.identity[:12]}",
    )


def _question(
    desk: Desk,
    game: Game,
    to: Player,
    email: str,
    *,
    subject: str,
    paragraphs: tuple[str, ...],
    command: str,
    key: str,
) -> None:
    """A mail whose answer, any but No, carries out a command."""
    mail = NoticeMail(
        masthead=Masthead(
            server=desk.office.server_name,
            game=game.slug,
            title=game.title,
            ruleset="",
            phase="",
            reader=to.name,
        ),
        subject=subject,
        title=subject,
        paragraphs=paragraphs,
        footer=Footer(deadline="", how_to_reply="An answer to this mail says yes, unless it begins with NO."),
    )
    post(
        desk.session,
        desk.office,
        mail,
        to=to,
        kind="notice",
        key=key,
        address=email,
        reply_to=reply_address(
            desk.session,
            desk.office,
            "confirm",
            to,
            payload={"command": command, "email": email, "mail": desk.inbound.identity},
        ),
    )
