"""One accepted mail from its raw bytes to its one answer, in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from gm.desk import authority
from gm.desk.authority import Standing
from gm.desk.commands import BY_NAME, PUBLIC, WORDS
from gm.desk.desk import Desk, Refusal
from gm.desk.language import Statement, nearest, statements
from gm.desk.mastering import new_player
from gm.desk.ordering import take_orders
from gm.desk.personal import ask_to_confirm
from gm.desk.receipt import send_receipt
from gm.desk.signup import find_game
from gm.games import ruleset
from gm.mail.addresses import BOUNCE, read_recipient
from gm.mail.automatic import why_not_answer
from gm.mail.bounces import good_mail, read_bounce
from gm.mail.message import InboundMail, read_message
from gm.reports.mails import TranscriptLine
from gm.store.crash import crash_point
from gm.store.mailtables import Inbound, Outbound
from gm.store.tables import Address, Credential, Game
from gm.turns.notices import tell_gms
from gm.turns.office import Office
from gm.turns.people import player_by_email
from gm.turns.tokens import CHECK_PURPOSE

MAX_ATTEMPTS = 3
"""A mail that fails so often is set aside for a person (Mailman's number)."""
MAX_BAD_LINES = 40
"""Lines not understood after which the rest of a mail is not read: it is not an order mail."""
STRANGER_MAILS_PER_DAY = 6
"""Answers that an address which proved nothing gets in a day."""


@dataclass(frozen=True)
class Outcome:
    """What was made of a mail."""

    answered: bool
    why_not: str = ""


def process_mail(office: Office, inbound_id: int) -> Outcome:
    """Work through one mail: effects, receipt and the mark "done" commit together.

    Raises:
        Exception: a fault; nothing has changed. `note_failure` counts it.
    """
    with office.store.read() as session:
        raw = session.scalar(select(Inbound.raw).where(Inbound.id == inbound_id))
    mail = read_message(raw or b"")
    crash_point("desk.read")
    with office.store.write() as session:
        row = session.get_one(Inbound, inbound_id)
        if row.status != "new":
            return Outcome(False, "done before")
        outcome = _work(session, office, row, mail)
        row.status = "done"
        row.done_at = office.now()
        row.outcome = {"answered": outcome.answered, "why_not": outcome.why_not}
        session.flush()
        crash_point("desk.worked")
    crash_point("desk.committed")
    return outcome


def note_failure(office: Office, inbound_id: int, fault: str) -> bool:
    """Count a failed attempt; returns True if the mail was set aside now."""
    with office.store.write() as session:
        row = session.get_one(Inbound, inbound_id)
        row.attempts += 1
        if row.attempts < MAX_ATTEMPTS:
            return False
        row.status = "quarantined"
        row.done_at = office.now()
        row.outcome = {"answered": False, "why_not": "set aside after a fault", "fault": fault}
        return True


def _work(session: Session, office: Office, row: Inbound, mail: InboundMail) -> Outcome:
    domains = office.our_domains or frozenset({office.domain})
    automatic = why_not_answer(mail, row.envelope_from, domains)
    recipient = read_recipient(row.recipient, domains, office.vault.key(CHECK_PURPOSE))
    if automatic is not None or row.recipient.lower().startswith(BOUNCE):
        bounce = read_bounce(session, row, office.vault.key("bounces"), office.now())
        if bounce is not None:
            return Outcome(False, f"a bounce: {bounce.kind}")
    if automatic is not None:
        return Outcome(False, str(automatic))
    if recipient is None or recipient.kind in ("unknown", "postmaster", "bounce"):
        return Outcome(False, f"for {recipient.kind if recipient else 'another domain'}")
    desk = Desk(session=session, office=office, inbound=row, mail=mail)
    lines = statements(mail.text, WORDS)
    standing = authority.establish(desk, recipient, lines)
    if not standing.answered:
        return Outcome(False, standing.why_not)
    if standing.confirms is not None:
        return _confirmed(desk, standing.confirms)
    if desk.person is None:
        return _unproved(desk, lines, standing)
    if mail.sender:
        good_mail(session, mail.sender, office.now())
    desk.remarks += [note.message for note in mail.notes] + [hit.message for hit in mail.hits]
    _carry_out(desk, mail.text)
    send_receipt(desk)
    return Outcome(True)


def _unproved(desk: Desk, lines: Sequence[Statement], standing: Standing) -> Outcome:
    """A sender who proved nothing: he may ask to join or for help; all else changes nothing."""
    real = [s for s in lines if s.command not in ("(greeting)", "(end)", "PASSWORD")]
    sender = desk.mail.sender
    if sender is None:
        return Outcome(False, "From is unreadable")
    known = player_by_email(desk.session, sender)
    if not real or real[0].command not in PUBLIC:
        if known is not None:
            return Outcome(False, authority.unproved(desk, known).why_not)
        return Outcome(False, standing.why_not)
    day = desk.session.scalar(
        select(func.count())
        .select_from(Outbound)
        .where(Outbound.recipient == sender, Outbound.queued_at > desk.office.now() - authority.DAY)
    )
    if (day or 0) >= STRANGER_MAILS_PER_DAY and known is None:
        return Outcome(False, "too many mails to an unproved address")
    changing = next((s for s in real if s.command in ("JOIN", "OBSERVE", "CREATE")), None)
    person = known or new_player(desk, sender, "", active=False)
    if changing is None:
        desk.person = person
        for statement in real:
            if statement.command in ("HELP", "GAMES"):
                desk.did(statement, BY_NAME[statement.command].run(desk, statement))
        send_receipt(desk, address=sender)
        return Outcome(True)
    command = f"{changing.command} {changing.argument}"
    try:
        if changing.command != "CREATE":
            desk.game = find_game(desk, changing.argument.split()[0] if changing.argument else "")
    except Refusal as refusal:
        desk.person = person
        desk.refuse(changing, refusal.problem, refusal.suggestion)
        send_receipt(desk, address=sender)
        return Outcome(True)
    if not person.name:
        person.name = (desk.mail.senders[0].name or sender.split("@")[0])[:40]
    what = {"JOIN": "to join a game", "OBSERVE": "to observe a game", "CREATE": "to create a game"}
    ask_to_confirm(desk, person, sender, command, what[changing.command])
    return Outcome(True)


def _confirmed(desk: Desk, credential: Credential) -> Outcome:
    """Carry out what a reply to a question confirms, once."""
    payload = credential.payload or {}
    person = desk.need_person()
    address = desk.session.scalar(
        select(Address).where(Address.player_id == person.id, Address.email == payload.get("email"))
    )
    if address is not None and address.state == "unconfirmed":
        address.state = "active"
    credential.revoked_at = desk.office.now()
    desk.session.flush()
    _carry_out(desk, str(payload.get("command", "")))
    send_receipt(desk)
    return Outcome(True)


def _carry_out(desk: Desk, text: str) -> None:
    """Do what a text says, line by line. A failed switch of context stops the rest."""
    rows = text.split("\n")
    found = statements(text, WORDS, _reserved(desk))
    bad = 0
    n = 0
    while n < len(found):
        statement = found[n]
        if statement.command == "(end)":
            _note_after_end(desk, rows, statement)
            return
        if statement.command == "(greeting)":
            desk.did(statement, "a greeting; nothing to do")
            desk.done -= 1
            n += 1
            continue
        if statement.command == "":
            run = [statement]
            while n + len(run) < len(found) and found[n + len(run)].command == "":
                run.append(found[n + len(run)])
            n += len(run)
            bad += _orders(desk, rows, run)
            if bad > MAX_BAD_LINES and n < len(found):
                _stop(
                    desk,
                    found[n:],
                    f"More than {MAX_BAD_LINES} lines were not understood; the rest was not read.",
                )
                return
            continue
        n += 1
        if _command(desk, statement):
            _stop(
                desk,
                found[n:],
                "Not done: it stands after a line that failed, and was meant for what that line names.",
            )
            return
        if statement.command in ("GAME", "CREATE", "AS"):
            rest = "\n".join([""] * statement.line + rows[statement.line :])
            found = (*found[:n], *statements(rest, WORDS, _reserved(desk)))


def _reserved(desk: Desk) -> frozenset[str]:
    if desk.game is None or desk.power is None:
        return frozenset()
    return ruleset(desk.game.ruleset).meta.keywords


def _command(desk: Desk, statement: Statement) -> bool:
    """Carry out one command; returns True if the rest of the mail must not be."""
    try:
        desk.did(statement, BY_NAME[statement.command].run(desk, statement))
    except Refusal as refusal:
        desk.refuse(statement, refusal.problem, refusal.suggestion)
        return refusal.stops
    return False


def _orders(desk: Desk, rows: Sequence[str], run: Sequence[Statement]) -> int:
    """Hand a run of order lines to the ruleset. Returns how many were not understood."""
    if desk.game is None or desk.power is None:
        for statement in run:
            _not_understood(desk, statement)
        return len(run)
    wanted = {s.line for s in run}
    text = "\n".join(row if n in wanted else "" for n, row in enumerate(rows, start=1))
    before = len(desk.transcript)
    take_orders(desk, text, run)
    unread = 0
    for index in range(before, len(desk.transcript)):
        line = desk.transcript[index]
        if line.problem and not line.suggestion:
            desk.transcript[index] = _with_command_hint(line)
        unread += bool(line.problem)
    desk.transcript[before:] = sorted(desk.transcript[before:], key=lambda t: t.number)
    return unread


def _not_understood(desk: Desk, statement: Statement) -> None:
    near = _near_command(statement.text)
    where = "Orders need a game and a seat; reply to a mail of your game." if desk.game is None else ""
    desk.refuse(statement, f"I don't understand this line. {where}".strip(), near or "HELP")


def _near_command(text: str) -> str:
    words = text.upper().split()
    for length in (2, 1):
        if len(words) >= length and (near := nearest(" ".join(words[:length]), list(WORDS), cutoff=82)):
            return near
    return ""


def _with_command_hint(line: TranscriptLine) -> TranscriptLine:
    near = _near_command(line.text)
    return replace(line, suggestion=near) if near else line


def _stop(desk: Desk, rest: Sequence[Statement], why: str) -> None:
    for statement in rest:
        desk.refuse(statement, why)


def _note_after_end(desk: Desk, rows: Sequence[str], end: Statement) -> None:
    """Lines below a farewell that read as orders or commands are named, not taken."""
    rest = "\n".join([""] * end.line + list(rows[end.line :]))
    for statement in statements(rest, WORDS, _reserved(desk)):
        if statement.command == "" and not _reads_as_order(desk, statement.text):
            continue
        if statement.command not in ("(end)", "(greeting)"):
            desk.refuse(
                statement,
                f"Not taken: it stands below {end.text!r}, where I stop reading.",
                "Put it above that line.",
            )


def _reads_as_order(desk: Desk, text: str) -> bool:
    if desk.game is None or desk.power is None:
        return False
    phase = desk.need_phase() if desk.game.status in ("running", "paused") else None
    return phase is not None and bool(ruleset(desk.game.ruleset).parse(phase.state, desk.power, text).orders)


def tell_gms_of_quarantine(office: Office, inbound_id: int) -> None:
    """Tell the GMs of the game a set-aside mail was for that it could not be read."""
    with office.store.write() as session:
        row = session.get_one(Inbound, inbound_id)
        credential = authority.credential_in(session, office, row.recipient)
        if credential is None or credential.game_id is None:
            return
        game = session.get_one(Game, credential.game_id)
        tell_gms(
            session,
            office,
            game,
            subject=f"{game.title}: a mail could not be read",
            paragraphs=(
                f"Mail {inbound_id} from a player of this game failed {MAX_ATTEMPTS} times and was set aside. "
                "Its raw bytes are kept. Its sender got no answer.",
            ),
            key=f"quarantine.{row.identity[:16]}",
        )
