"""Press: PRESS and BROADCAST. The text is relayed from the game; nothing else of the sender's mail goes with it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from gm.clock.calendar import CalendarError
from gm.clock.words import parse_when
from gm.desk.desk import Desk, Refusal
from gm.desk.handlers.presscontrol import ask_writer, placed
from gm.desk.handlers.signup import powers_named
from gm.desk.language import MAX_BLOCK_CHARS, Statement
from gm.desk.pressguard import leaks, without_secrets
from gm.games import ruleset
from gm.store.tables import Game, Press
from gm.turns.delivery import named, place
from gm.turns.notices import serial
from gm.turns.people import current_seats, power_name
from gm.turns.pressrules import why_not
from gm.turns.settings import settings_of
from gm.turns.sheets import open_phase

_HEAD = re.compile(
    r"(?P<grey>(?:unsigned|anonymous|grey|gray)\s+)?(?:to\s+)?(?:(?P<all>all|everybody|everyone|public)\b)?"
    r"(?:\s*(?:but|except)\s+(?P<but>.+)|(?P<some>.+))?$",
    re.I,
)
_AT = re.compile(r"(?:^|\s)at\s+(?=.*\d)", re.I)
FURTHEST = timedelta(days=366)
"""How far ahead press may be written."""
GM_WORDS = frozenset({"gm", "master", "the gm"})


def press(desk: Desk, statement: Statement) -> str:
    """PRESS [UNSIGNED] TO powers | ALL | ALL BUT powers | GM, then the text, then ENDPRESS."""
    game = desk.need_game()
    words, at = _time(desk, game, statement.argument)
    match = _HEAD.match(words)
    if match is None or not statement.argument or (match["but"] and not match["all"]):
        raise Refusal("PRESS needs to know for whom.", "PRESS TO France, Germany")
    _check_block(statement, "ENDPRESS")
    grey = bool(match["grey"])
    sender = "gm" if desk.gm else desk.need_power()[1]
    audience = _audience(game, match, sender)
    if not audience or audience == [sender]:
        raise Refusal("That leaves nobody to write to.", "PRESS TO ALL")
    if not desk.gm:
        problem, instead = why_not(desk.session, game, sender, audience, grey=grey)
        if problem:
            raise Refusal(problem, instead)
    done = send_press(desk, game, audience, statement.block, grey=grey, deliver_at=at)
    held = current_seats(desk.session, game)
    vacant = [power_name(game, a) for a in audience if a not in ("all", "gm") and a not in held]
    nobody = f"; nobody plays {' or '.join(vacant)} at present" if vacant else ""
    return f"{done} to {named(game, audience)}" + (", unsigned" if grey else "") + nobody


def _time(desk: Desk, game: Game, words: str) -> tuple[str, datetime | None]:
    """The readers named, and the hour for which the message is written, as the writer's own clock shows it."""
    match = _AT.search(words)
    if match is None:
        return words, None
    head, when = words[: match.start()], words[match.end() :]
    if settings_of(game.settings).press_delivery == "postal" and not desk.gm:
        raise Refusal("In this game press goes with the results; it can't be sent at an hour of its own.")
    try:
        at = parse_when(when, zone=desk.need_person().zone, now=desk.office.now())
    except CalendarError as wrong:
        raise Refusal(str(wrong), f"PRESS {head.strip()} AT 4 Dec 20:00") from None
    if at > desk.office.now() + FURTHEST:
        raise Refusal("Press can't be kept for more than a year.")
    return head.strip(), at


def broadcast(desk: Desk, statement: Statement) -> str:
    """BROADCAST, text, ENDBROADCAST: the GM to everybody, printed in the next report too."""
    game = desk.need_gm()
    _check_block(statement, "ENDBROADCAST")
    return f"{send_press(desk, game, ['all'], statement.block, grey=False)} to everybody in the game"


def _check_block(statement: Statement, end: str) -> None:
    if not statement.closed:
        raise Refusal(
            f"There is no line {end} after the text, so I can't tell where it stops. Nothing was sent.",
            end,
            stops=True,
        )
    if not statement.block.strip():
        raise Refusal("There is no text.")
    if len(statement.block) > MAX_BLOCK_CHARS:
        raise Refusal(
            f"The text has {len(statement.block):,} characters; at most {MAX_BLOCK_CHARS:,} are sent."
        )


def _audience(game: Game, match: re.Match[str], sender: str) -> list[str]:
    """Power ids and ``gm``, or ``["all"]``."""
    if match["all"] and match["but"]:
        without = powers_named(game, match["but"])
        everyone = (p.id for p in ruleset(game.ruleset).meta.powers)
        return [p for p in everyone if p not in without and p != sender]
    if match["all"]:
        if match["some"]:
            raise Refusal(
                f"{match['some'].strip()!r} after ALL is not understood.", "PRESS TO ALL BUT Germany"
            )
        return ["all"]
    words = match["some"] or ""
    parts = [p.strip() for p in re.split(r",|;|\band\b", words)]
    to_gm = [p for p in parts if p.lower() in GM_WORDS]
    names = ", ".join(p for p in parts if p and p.lower() not in GM_WORDS)
    return (powers_named(game, names) if names else []) + (["gm"] if to_gm else [])


def send_press(
    desk: Desk,
    game: Game,
    audience: Sequence[str],
    body: str,
    *,
    grey: bool,
    deliver_at: datetime | None = None,
) -> str:
    """Keep a message with its audience, and mail it, hold it or keep it for later. Returns what was done with it.

    What reads like a leak is neither sent nor lost: its writer is asked.
    """
    sender = "gm" if desk.gm else desk.power
    person = desk.need_person()
    phase = open_phase(desk.session, game)
    clean = without_secrets(desk, body)
    found = leaks(desk, game, audience, body, clean)
    row = Press(
        game_id=game.id,
        phase_id=phase.id if phase else None,
        sender=sender,
        player_id=person.id,
        kind="grey" if grey else "white",
        audience=list(audience),
        body=clean,
        state="asked" if found else "new",
        number=serial(desk.session, desk.office, game, f"asked.{person.id}") if found else None,
        deliver_at=deliver_at,
        sent_at=desk.office.now(),
        inbound_id=desk.inbound.id,
    )
    desk.session.add(row)
    desk.session.flush()
    if found:
        ask_writer(desk, game, row, found)
        return "press held, NOT sent"
    place(desk.session, desk.office, game, row)
    return placed(desk, row)
