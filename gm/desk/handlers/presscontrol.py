"""Press that waits for a word: its writer's (SEND IT, DROP IT) or a GM's (RELEASE, REFUSE, HELD)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlalchemy import select

from gm.clock.words import in_zone
from gm.desk.desk import Desk, Refusal
from gm.desk.language import Statement
from gm.games.api import Section
from gm.mail.scrub import scrub
from gm.store.tables import Audit, Game, Player, Press
from gm.turns import reportmail
from gm.turns.delivery import named, place
from gm.turns.notices import because, tell_reader
from gm.turns.pressrules import why_not

_REFUSE = re.compile(r"(?P<number>\d+)(?:\s+(?:because\s*:?\s*)?(?P<why>.+))?$", re.I)


def ask_writer(desk: Desk, game: Game, row: Press, found: Sequence[str]) -> None:
    """Show a writer what he was about to send, and why he is asked first."""
    desk.answers.append(
        Section(
            title=f"Held: your press to {named(game, row.audience)}, no. {row.number}",
            lines=(
                f"It was not sent: it holds {' and '.join(found)}.",
                f"Reply SEND IT {row.number} to send it as it stands below, or DROP IT {row.number}.",
                *(f"> {line}" for line in row.body.splitlines()),
            ),
        )
    )


def placed(desk: Desk, row: Press) -> str:
    """What became of a message, for its writer."""
    if row.state == "held":
        return "press held until the GM has read it,"
    if row.state == "waiting" and row.deliver_at is not None:
        return f"press kept until {in_zone(row.deliver_at, desk.need_person().zone)}, then sent"
    if row.state == "waiting":
        return "press kept, to go with the results of the phase,"
    return "press sent"


def send_it(desk: Desk, statement: Statement) -> str:
    """SEND IT [number]: a message that was held because it looked like a slip."""
    game, row = _asked(desk, statement, "SEND IT")
    if row.sender != "gm":
        problem, instead = why_not(desk.session, game, str(row.sender), row.audience, grey=row.kind == "grey")
        if problem:
            raise Refusal(problem, instead)
    place(desk.session, desk.office, game, row)
    return f"{placed(desk, row)} to {named(game, row.audience)}"


def drop_it(desk: Desk, statement: Statement) -> str:
    """DROP IT [number]: it is never sent."""
    game, row = _asked(desk, statement, "DROP IT")
    row.state = "dropped"
    return f"your press to {named(game, row.audience)} is dropped; nobody has seen it"


def _asked(desk: Desk, statement: Statement, word: str) -> tuple[Game, Press]:
    """The message of his own that a writer speaks of. Raises Refusal."""
    game = desk.need_game()
    speaks = "gm" if desk.gm else desk.need_power()[1]
    rows = desk.session.scalars(
        select(Press)
        .where(
            Press.game_id == game.id,
            Press.state == "asked",
            Press.player_id == desk.need_person().id,
            Press.sender == speaks,
        )
        .order_by(Press.id)
    ).all()
    said = statement.argument.strip()
    found = [row for row in rows if not said or said == str(row.number)]
    if not rows:
        raise Refusal("No press of yours waits for your word.")
    if len(found) != 1:
        numbers = ", ".join(str(row.number) for row in rows)
        raise Refusal(
            f"Which? Press of yours that waits for your word: {numbers}.", f"{word} {rows[0].number}"
        )
    return game, found[0]


def let_go(desk: Desk, game: Game, numbers: Sequence[int]) -> str:
    """RELEASE number: press held in a moderated game goes to its readers."""
    done = []
    for row in [_held(desk, game, number, "RELEASE") for number in numbers]:
        number = row.number
        place(desk.session, desk.office, game, row, approved=True)
        _record(desk, game, "press released", number=number)
        done.append(f"no. {number}: {placed(desk, row)} to {named(game, row.audience)}")
    return "; ".join(done)


def refuse(desk: Desk, statement: Statement) -> str:
    """REFUSE number BECAUSE reason: it is not sent, and its writer is told why."""
    game = desk.need_gm()
    match = _REFUSE.match(statement.argument.strip())
    if match is None:
        raise Refusal(
            "REFUSE needs the number of a message that is held.", "REFUSE 3 BECAUSE it names a player"
        )
    row = _held(desk, game, int(match["number"]), "REFUSE")
    number, why = row.number, scrub(match["why"] or "")
    row.state, row.number = "refused", None
    _record(desk, game, "press refused", number=number, why=why)
    writer = next(
        (
            reader
            for reader in reportmail.readers(desk.session, game)
            if reader.player.id == row.player_id and reader.power == row.sender
        ),
        None,
    )
    if writer is not None:
        tell_reader(
            desk.session,
            desk.office,
            game,
            writer,
            subject=f"{game.title}: press not sent",
            paragraphs=(
                f"The GM did not let your press to {named(game, row.audience)} pass{because(why)}. "
                "Nobody else has seen it.",
            ),
            sections=(Section(title="Your text", lines=tuple(row.body.splitlines())),),
            key=f"refused.{number}",
        )
    told = "its writer is told" if writer is not None else "its writer no longer plays"
    return f"press no. {number} is not sent; {told}"


def held_press(desk: Desk, _statement: Statement) -> str:
    """HELD: the messages that wait for a GM."""
    game = desk.need_gm()
    rows = desk.session.scalars(
        select(Press).where(Press.game_id == game.id, Press.state == "held").order_by(Press.id)
    ).all()
    for row in rows:
        desk.answer(
            f"No. {row.number}: {reportmail.press_sender(game, row)} to {named(game, row.audience)}",
            row.body.splitlines(),
        )
    return f"{len(rows)} held; RELEASE and REFUSE take their numbers" if rows else "no press is held"


def _held(desk: Desk, game: Game, number: int, word: str) -> Press:
    rows = desk.session.scalars(
        select(Press).where(Press.game_id == game.id, Press.state == "held").order_by(Press.id)
    ).all()
    found = next((row for row in rows if row.number == number), None)
    if found is None:
        numbers = ", ".join(str(row.number) for row in rows)
        raise Refusal(
            f"No press no. {number} is held" + (f"; there are: {numbers}." if rows else "; none is."),
            f"{word} {rows[0].number}" if rows else "",
        )
    return found


def _record(desk: Desk, game: Game, action: str, **detail: object) -> None:
    person: Player = desk.need_person()
    desk.session.add(
        Audit(game_id=game.id, actor=f"gm {person.id}", action=action, detail=detail, at=desk.office.now())
    )
