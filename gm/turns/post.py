"""A mail laid out, composed and put into the outbox, inside the transaction of whatever it tells of."""

from __future__ import annotations

import hmac
from dataclasses import dataclass

from sqlalchemy.orm import Session

from gm.mail import outbox
from gm.mail.compose import File, OutgoingMail, Party, compose
from gm.reports.mails import NoticeMail, PressMail, ReceiptMail, ReportMail
from gm.reports.render import render
from gm.store.mailtables import Inbound
from gm.store.tables import Game, PhaseRow, Player
from gm.turns.links import game_page
from gm.turns.office import Office
from gm.turns.people import best_address

MAP_WIDTH = 900
"""Pixels: sharp on a phone, and small enough to mail."""


@dataclass(frozen=True)
class Picture:
    """A map to go with a mail."""

    svg: str
    cid: str
    name: str


def message_id_of(office: Office, slug: str, kind: str, key: str, recipient: str) -> str:
    """The Message-ID of a mail: the same for the same mail, and it tells nothing but what the mail itself tells."""
    # The recipient's part keeps the ids of two GMs' copies apart without naming either.
    whose = hmac.digest(office.vault.key("message id"), recipient.encode(), "sha256").hex()[:10]
    return f"<{slug}.{kind}.{key}.{whose}@{office.domain}>".replace(" ", "-").lower()


def post(
    session: Session,
    office: Office,
    mail: ReceiptMail | ReportMail | NoticeMail | PressMail,
    *,
    to: Player,
    kind: str,
    key: str,
    reply_to: str,
    game: Game | None = None,
    phase: PhaseRow | None = None,
    power: str | None = None,
    answers: Inbound | None = None,
    answered_id: str = "",
    picture: Picture | None = None,
    attached: tuple[File, ...] = (),
    address: str = "",
) -> None:
    """Queue one mail to one player. Nothing is queued while all his addresses are suspended.

    Args:
        kind: of the outbox row, see `Outbound`.
        key: what makes it this mail and no other, within game and kind; the Message-ID is made from it.
        answers, answered_id: the mail it answers, and that mail's Message-ID if it has one.
        attached: files that go with it.
        address: where it goes, if not to the player's own best address (to confirm a new one).

    Raises:
        gm.reports.render.TemplateFault, gm.mail.compose.ComposeError: the mail can't be made.
    """
    recipient = address or best_address(session, to)
    if not recipient:
        return
    rendered = render(mail, templates=office.templates, language=to.language)
    slug = game.slug if game else "desk"
    message_id = message_id_of(office, slug, kind, key, recipient)
    thread = f"<{slug}.thread@{office.domain}>"
    files = attached
    if picture is not None:
        from gm.reports.pictures import (
            png,  # loads the renderer, which a server without pictures does not need
        )

        data = png(picture.svg, MAP_WIDTH)
        files = (
            *attached,
            File(
                name=picture.name,
                content_type="image/png",
                data=data,
                cid=picture.cid,
            ),
        )
    raw = compose(
        OutgoingMail(
            message_id=message_id,
            date=office.now(),
            sender=Party(
                address=office.game_address(game.slug) if game else office.desk_address,
                name=game.title if game else office.server_name,
            ),
            to=Party(address=recipient, name=to.name),
            subject=rendered.subject,
            text=rendered.text,
            html=rendered.html,
            reply_to=Party(address=reply_to),
            in_reply_to=answered_id,
            references=(thread, answered_id) if answered_id else (thread,),
            auto_submitted="auto-replied" if answers is not None else "auto-generated",
            list_id=f"{slug}.{office.domain}",
            list_archive=game_page(office, game.slug) if game else "",
            files=files,
            reply_above=True,
        )
    )
    outbox.enqueue(
        session,
        message_id=message_id,
        kind=kind,
        recipient=recipient,
        raw=raw,
        now=office.now(),
        key=office.vault.key("bounces"),
        game_id=game.id if game else None,
        phase_id=phase.id if phase else None,
        player_id=to.id,
        power=power,
        inbound_id=answers.id if answers else None,
    )
