"""The one answer to a mail."""

from __future__ import annotations

from gm.clock.words import for_reader
from gm.desk.desk import Desk
from gm.desk.handlers.ordering import sheet_box
from gm.desk.meant import not_taken
from gm.games import ruleset
from gm.reports.mails import Footer, Masthead, ReceiptMail, SheetBox
from gm.store.tables import Game
from gm.turns.people import power_name
from gm.turns.post import post
from gm.turns.settings import settings_of
from gm.turns.sheets import open_phase
from gm.turns.tokens import reply_address


def receipt_of(desk: Desk) -> ReceiptMail:
    """What was made of the mail on the desk, for whoever sent it."""
    person = desk.need_person()
    game = desk.game
    phase = open_phase(desk.session, game) if game else None
    sheets = _sheets(desk)
    reader = "GM" if desk.gm else power_name(game, desk.power) if game and desk.power else person.name
    deadline = ""
    if game and phase and phase.due_at and game.status == "running":
        deadline = for_reader(phase.due_at, person.zone, settings_of(game.settings).zone)
    return ReceiptMail(
        masthead=Masthead(
            server=desk.office.server_name,
            game=game.slug if game else "",
            title=game.title if game else "",
            ruleset=ruleset(game.ruleset).meta.title if game else "",
            phase=phase.title if phase else "",
            reader=reader or person.name,
        ),
        summary=_summary(desk, sheets),
        transcript=tuple(desk.transcript),
        not_taken=not_taken(desk),
        remarks=tuple(dict.fromkeys(desk.remarks)),
        sheets=tuple(sheets),
        answers=tuple(desk.answers),
        footer=Footer(
            deadline=deadline,
            how_to_reply="Reply to this mail to change or add orders; a later order for a unit replaces the earlier."
            if _right(desk) == "seat"
            else "Reply to this mail with further commands. HELP lists them.",
        ),
    )


def _right(desk: Desk) -> str:
    """The right that the answer's reply address carries."""
    if desk.scope == "gm" and desk.game is None and desk.campaign is None:
        return "gm"  # of no game in particular, as the weekly mail that it answers
    return "gm" if desk.gm else "seat" if desk.power else "person"


def send_receipt(desk: Desk, *, address: str = "") -> None:
    """Answer the mail on the desk: to the person's own address, whatever its From said."""
    person = desk.need_person()
    game = desk.game
    phase = open_phase(desk.session, game) if game else None
    kind = _right(desk)
    post(
        desk.session,
        desk.office,
        receipt_of(desk),
        to=person,
        kind="receipt",
        key=desk.inbound.identity[:24],
        game=game,
        phase=phase,
        power=desk.power,
        address=address,
        answers=desk.inbound,
        answered_id=desk.mail.message_id or "",
        reply_to=reply_address(
            desk.session,
            desk.office,
            kind,
            person,
            game=game if kind != "person" else None,
            power=desk.power if kind == "seat" else None,
            phase=phase,
        ),
    )


def _sheets(desk: Desk) -> list[tuple[str, SheetBox]]:
    boxes = []
    for game_id, power in desk.touched:
        game = desk.session.get_one(Game, game_id)
        box = sheet_box(desk, game, power)
        if box is not None:
            boxes.append((power_name(game, power), box))
    return boxes


def _summary(desk: Desk, sheets: list[tuple[str, SheetBox]]) -> str:
    wrong = sum(1 for line in desk.transcript if line.problem)
    parts = []
    for name, box in sheets:
        if box.version:
            missing = f", {len(box.missing)} without" if box.missing else ""
            parts.append(
                f"{name}: version {box.version}, {_count(len(box.orders), 'order')} on file{missing}"
            )
        else:
            parts.append(f"{name}: no orders on file")
    if not sheets:
        parts.append(f"{_count(desk.done, 'line')} carried out" if desk.done else "Nothing was done")
    if wrong:
        parts.append(f"{_count(wrong, 'line')} with a problem")
    return "; ".join(parts)


def _count(number: int, what: str) -> str:
    return f"1 {what}" if number == 1 else f"{number} {what}s"
