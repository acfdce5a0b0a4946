"""Press: PRESS and BROADCAST. The text is relayed from the game; nothing else of the sender's mail goes with it."""

from __future__ import annotations

import hmac
import re
from collections.abc import Sequence

from sqlalchemy import func, select

from gm.desk.desk import Desk, Refusal
from gm.desk.language import MAX_BLOCK_CHARS, Statement
from gm.desk.signup import powers_named
from gm.games import ruleset
from gm.games.api import canonical
from gm.mail.scrub import scrub
from gm.reports.mails import PressMail
from gm.store.tables import Game, Press
from gm.turns import reportmail
from gm.turns.people import current_seats, power_name
from gm.turns.post import post
from gm.turns.settings import settings_of
from gm.turns.sheets import open_phase
from gm.turns.tokens import CHECK_PURPOSE, reply_address

_HEAD = re.compile(
    r"(?P<grey>(?:unsigned|anonymous|grey|gray)\s+)?(?:to\s+)?(?:(?P<all>all|everybody|everyone|public)\b)?"
    r"(?:\s*(?:but|except)\s+(?P<but>.+)|(?P<some>.+))?$",
    re.I,
)
GM_WORDS = frozenset({"gm", "master", "the gm"})


def press(desk: Desk, statement: Statement) -> str:
    """PRESS [UNSIGNED] TO powers | ALL | ALL BUT powers | GM, then the text, then ENDPRESS."""
    game = desk.need_game()
    match = _HEAD.match(statement.argument)
    if match is None or not statement.argument or (match["but"] and not match["all"]):
        raise Refusal("PRESS needs to know for whom.", "PRESS TO France, Germany")
    _check_block(statement, "ENDPRESS")
    grey = bool(match["grey"])
    sender = "gm" if desk.gm else desk.need_power()[1]
    audience = _audience(game, match, sender)
    if not audience or audience == [sender]:
        raise Refusal("That leaves nobody to write to.", "PRESS TO ALL")
    _allowed(desk, game, audience, grey)
    send_press(desk, game, audience, statement.block, grey=grey)
    held = current_seats(desk.session, game)
    vacant = [power_name(game, a) for a in audience if a not in ("all", "gm") and a not in held]
    nobody = f"; nobody plays {' or '.join(vacant)} at present" if vacant else ""
    return f"press sent to {named(game, audience)}" + (", unsigned" if grey else "") + nobody


def broadcast(desk: Desk, statement: Statement) -> str:
    """BROADCAST, text, ENDBROADCAST: the GM to everybody, printed in the next report too."""
    game = desk.need_gm()
    _check_block(statement, "ENDBROADCAST")
    send_press(desk, game, ["all"], statement.block, grey=False)
    return "sent to everybody in the game"


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


def _allowed(desk: Desk, game: Game, audience: Sequence[str], grey: bool) -> None:
    rules = settings_of(game.settings)
    if desk.gm or list(audience) == ["gm"]:
        return
    if rules.press == "none":
        raise Refusal("This game has no press; only PRESS TO GM is carried.")
    if rules.press == "public" and list(audience) != ["all"]:
        raise Refusal("This game has public press only.", "PRESS TO ALL")
    if grey and not rules.grey:
        raise Refusal("This game has no unsigned press.")


def named(game: Game, audience: Sequence[str]) -> str:
    """An audience in words."""
    if list(audience) == ["all"]:
        return "all"
    return ", ".join("the GM" if a == "gm" else power_name(game, a) for a in audience)


def send_press(desk: Desk, game: Game, audience: Sequence[str], body: str, *, grey: bool) -> None:
    """Keep a message with its audience and relay it to each of them; never to its sender."""
    sender = "gm" if desk.gm else desk.power
    phase = open_phase(desk.session, game)
    row = Press(
        game_id=game.id,
        phase_id=phase.id if phase else None,
        sender=sender,
        player_id=desk.need_person().id,
        kind="grey" if grey else "white",
        audience=list(audience),
        body=scrub(body, desk.secrets, token_key=desk.office.vault.key(CHECK_PURPOSE)),
        sent_at=desk.office.now(),
        inbound_id=desk.inbound.id,
    )
    desk.session.add(row)
    desk.session.flush()
    key = _key(desk, game, row)
    everybody = list(audience) == ["all"]
    for reader in reportmail.readers(desk.session, game):
        role = reader.power or ("gm" if reader.kind == "gm" else "")
        if reader.player.id == desk.need_person().id or not (everybody or role in audience):
            continue
        mail = PressMail(
            masthead=reportmail.masthead(desk.office, game, phase.title if phase else "", reader.title),
            sender=reportmail.press_sender(game, row),
            recipients=named(game, audience),
            body=row.body,
            footer=reportmail.footer(game, phase, reader),
        )
        post(
            desk.session,
            desk.office,
            mail,
            to=reader.player,
            kind="press",
            key=f"{key}.{reader.title.lower()}",
            game=game,
            phase=phase,
            power=reader.power,
            reply_to=reply_address(
                desk.session,
                desk.office,
                reader.kind,
                reader.player,
                game=game,
                power=reader.power,
                phase=phase,
            ),
        )


def _key(desk: Desk, game: Game, row: Press) -> str:
    """What tells one message from all others, made from nothing but what its readers are told of it.

    Not from the mail that it came in: two messages of one mail, one of them unsigned, must not look related.
    """
    white = Press.sender == row.sender if row.kind == "white" else Press.kind == row.kind
    alike = desk.session.scalar(
        select(func.count())
        .select_from(Press)
        .where(
            Press.game_id == game.id,
            Press.kind == row.kind,
            Press.body == row.body,
            Press.audience == row.audience,
            Press.id <= row.id,
            white,
        )
    )
    told = [row.kind, row.sender if row.kind == "white" else "", row.audience, row.body, alike]
    secret = desk.office.vault.key("message id")
    return hmac.digest(secret, canonical([game.slug, *told]), "sha256").hex()[:16]
