"""OFFER, ACCEPT, DECLINE and RELIABILITY: seats that change hands."""

from __future__ import annotations

from gm.clock.words import in_zone
from gm.desk.authority import enter_game
from gm.desk.desk import Desk, Refusal
from gm.desk.handlers.signup import powers_named
from gm.desk.language import Statement
from gm.games import ruleset
from gm.store.clubtables import SeatOffer
from gm.store.tables import Audit, Game, Player
from gm.turns import offers, standby
from gm.turns.people import current_seats, power_name
from gm.turns.reliability import record_of
from gm.turns.settings import settings_of
from gm.turns.starting import GameError


def offer(desk: Desk, statement: Statement) -> str:
    """OFFER power: ask the standby players, one after the other."""
    game = desk.need_gm()
    desk.need_phase()
    powers = powers_named(game, statement.argument) if statement.argument else []
    if len(powers) != 1:
        raise Refusal("OFFER takes one power.", f"OFFER {ruleset(game.ruleset).meta.powers[0].name}")
    name = power_name(game, powers[0])
    running = offers.open_offer(desk.session, game, powers[0])
    if running is not None:
        raise Refusal(f"Nothing new: {offers.offered_text(desk.session, game, running)}")
    made = offers.offer_next(desk.session, desk.office, game, powers[0])
    if made is None:
        raise Refusal(
            f"Nobody is on the standby list of {game.slug} who was not asked for {name} already.",
            f"REPLACE {name} WITH address AS name",
        )
    desk.session.add(
        Audit(
            game_id=game.id,
            actor=f"gm {desk.need_person().id}",
            action="offer",
            detail={"power": powers[0]},
            at=desk.office.now(),
        )
    )
    return offers.offered_text(desk.session, game, made)


def accept(desk: Desk, statement: Statement) -> str:
    """ACCEPT [game] [power]: take the seat that he was offered."""
    game, found = _offered(desk, statement.argument, "ACCEPT")
    if found.expires_at < desk.received_at:
        raise Refusal(f"Too late: that offer ended {in_zone(found.expires_at, desk.need_person().zone)}.")
    if not offers.still_wanted(desk.session, game, found):
        raise Refusal(f"{power_name(game, found.power)} in {game.slug} needs no new player any more.")
    try:
        standby.accept(desk.session, desk.office, game, found)
    except GameError as wrong:
        raise Refusal(str(wrong)) from None
    enter_game(desk, game)
    return f"you play {power_name(game, found.power)} in {game.slug}; a mail of its own brings you up to date"


def decline(desk: Desk, statement: Statement) -> str:
    """DECLINE [game] [power]: the next on the list is asked."""
    game, found = _offered(desk, statement.argument, "DECLINE")
    standby.decline(desk.session, desk.office, game, found)
    return f"you have declined {power_name(game, found.power)} in {game.slug}; you stay on its list"


def _offered(desk: Desk, argument: str, word: str) -> tuple[Game, SeatOffer]:
    """The open offer that a line speaks of. Raises Refusal."""
    person = desk.need_person()
    rows = [
        (desk.session.get_one(Game, row.game_id), row) for row in offers.open_offers(desk.session, person)
    ]
    if not rows:
        raise Refusal("No seat is offered to you at present, or the offer has ended.")
    named = argument.lower().replace(",", " ").split()
    if named:
        rows = [
            (game, row)
            for game, row in rows
            if game.slug in named or power_name(game, row.power).lower() in argument.lower()
        ]
    if len(rows) != 1:
        every = offers.open_offers(desk.session, person)
        slugs = [desk.session.get_one(Game, row.game_id).slug for row in every]
        raise Refusal(f"You are offered seats in {', '.join(slugs)}; name one.", f"{word} {slugs[0]}")
    return rows[0]


def reliability(desk: Desk, _statement: Statement) -> str:
    """RELIABILITY: his own record; for a GM those of the players and standby players of the game."""
    person, game = desk.need_person(), desk.game
    if not desk.gm or game is None:
        desk.answer(
            "Your record",
            [
                record_of(desk.session, person).text,
                "GMs see it when they look for standby players, without what happened in anonymous games that are "
                "not over.",
            ],
        )
        return "your record is below"
    lines = [
        f"{power_name(game, power)}, {_line(desk, player)}"
        for power, player in current_seats(desk.session, game).items()
    ]
    lines += [f"standby, {_line(desk, player)}" for player in offers.standbys(desk.session, game)]
    desk.answer(f"Records of the players of {game.title}", lines or ["nobody"])
    if settings_of(game.settings).anonymous:
        desk.remarks.append("The game is anonymous: keep these names to yourself.")
    return "the records are below"


def _line(desk: Desk, player: Player) -> str:
    return f"{player.name}: {record_of(desk.session, player, viewers=[desk.need_person()]).text}"
