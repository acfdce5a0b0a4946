"""AS: a GM gives orders for a power. It is marked on the sheet, told to the power's own player, and put on record."""

from __future__ import annotations

from collections.abc import Sequence

from gm.desk.desk import Desk, Refusal
from gm.desk.handlers.deputising import FOR_DEPUTIES
from gm.desk.handlers.gmpowers import note
from gm.desk.handlers.signup import powers_named
from gm.desk.language import Statement
from gm.games.api import PowerId, Section
from gm.store.tables import Game, PhaseRow, Sheet
from gm.turns import reportmail
from gm.turns.notices import serial, tell_reader
from gm.turns.people import power_name
from gm.turns.sheets import latest, open_phase

LONGEST_POWER = 3
"""Words in the longest name of a power."""
LOOKS = frozenset({"SHOW"})
"""What changes nothing: it is on record, and the player is not told."""
FOR_HIMSELF = frozenset(
    {
        "PRESS", "SEND IT", "DROP IT", "GAME", "CAMPAIGN", "CREATE", "CREATE CAMPAIGN", "SIGNON", "SIGNOFF", "PHASE",
        "HISTORY", "RESULTS", "WHY DEADLINE", "RULES", "EXTEND", "AUDIT", "RELIABILITY", "ABSENCES", "STANDINGS",
        "GET ZINE",
    }
)  # fmt: skip
"""Commands of everybody that a GM gives below AS as below any other line: as a GM."""
_INSTEAD = {"VOTE": "END DRAW Austria, France", "RESIGN": "REPLACE Austria WITH ben@example.org AS Ben"}
"""What a GM may do instead."""


def act_as(desk: Desk, statement: Statement) -> str:
    """AS power: the GM writes orders for a power; marked as his."""
    if not desk.gm and len(statement.argument.split()) > LONGEST_POWER:
        raise Refusal("I don't understand this line.", stops=False)  # "As I wrote to you last week ..."
    game = desk.need_gm()
    powers = powers_named(game, statement.argument)
    if len(powers) != 1:
        raise Refusal("AS takes one power.", "AS Austria")
    desk.power = powers[0]
    return f"orders from here on are for {power_name(game, powers[0])}, marked as the GM's"


def check_acting(desk: Desk, name: str, who: str) -> None:
    """Raises Refusal if a GM, below AS, would say what a player says for himself alone: a vote, an absence, a name.

    Orders and what goes with them he may give for a power; a seat, a vote and a person are the player's own.
    """
    game, power = desk.game, desk.power
    if not desk.gm or game is None or name in FOR_DEPUTIES or name in FOR_HIMSELF:
        return
    if power is None and who == "seat":
        raise Refusal(
            f"You hold no power in {game.slug}, and that is for a player alone.", _INSTEAD.get(name, "")
        )
    if power is None or who not in ("seat", "person"):
        return
    if who == "seat":
        raise Refusal(
            f"That is for the player of {power_name(game, power)} alone: below AS a GM gives orders, and says "
            f"{', '.join(sorted(FOR_DEPUTIES))}.",
            _INSTEAD.get(name, ""),
        )
    raise Refusal(
        f"That would be for yourself, not for {power_name(game, power)}. If you want it so, put it above the line AS.",
        f"GAME {game.slug}, on a line before it",
    )


def tell_owners(desk: Desk) -> None:
    """Put on record what a GM said for powers in this mail, and tell the players of those powers."""
    for (game_id, power), said in desk.acted.items():
        game = desk.session.get_one(Game, game_id)
        did = [what for what in dict.fromkeys(said) if what not in LOOKS]
        if not did:
            note(desk, game, "look as", power=power)
            continue
        note(desk, game, "act as", power=power, did="; ".join(did))
        phase = open_phase(desk.session, game)
        if phase is not None:
            _tell(desk, game, phase, power, [what for what in did if what != "orders"])


def _tell(desk: Desk, game: Game, phase: PhaseRow, power: PowerId, words: Sequence[str]) -> None:
    sheet: Sheet | None = latest(desk.session, phase, power)
    filed = sheet is not None and sheet.source == "gm" and sheet.inbound_id == desk.inbound.id
    if not filed and not words:
        return
    name = power_name(game, power)
    changed = f"Your sheet is now version {sheet.version}. " if filed and sheet is not None else ""
    told = [f"The GM gave orders for {name} in {phase.title}. {changed}{_ANSWER}"] if filed else []
    if words:
        told.append(
            f"The GM said {', '.join(words)} for {name} in {phase.title}. {'' if filed else _ANSWER}".strip()
        )
    lines = tuple(sheet.orders) if sheet is not None else ()
    nth = serial(desk.session, desk.office, game, f"ordered.{power}")  # no more than its player knows anyway
    for owner in reportmail.readers(desk.session, game):
        if owner.power != power:
            continue
        tell_reader(
            desk.session,
            desk.office,
            game,
            owner,
            subject=f"{game.title}: the GM ordered for you",
            paragraphs=told,
            sections=(Section(title="Your sheet", lines=lines or ("No orders.",), private=True),),
            key=f"ordered.{phase.ordinal}.{phase.attempt}.{power}.{nth}",
        )


_ANSWER = "A reply to this mail changes it, as long as orders are taken."
