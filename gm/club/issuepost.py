"""An issue of the zine mailed: laid out for one reader, sealed outside the store's lock, then put into the outbox.

Laying out a hundred mails and drawing their maps takes longer than other writers should wait, so it is done between
two transactions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy.orm import Session

from gm.mail import outbox
from gm.mail.compose import File, OutgoingMail, Party, compose
from gm.reports.issuemail import IssueMail
from gm.store.mailtables import Inbound
from gm.turns.links import zine_page
from gm.turns.office import Office
from gm.turns.post import MAP_WIDTH, message_id_of


@dataclass(frozen=True, kw_only=True)
class Addressee:
    """Who a mail goes to, with all that its envelope needs."""

    player_id: int
    name: str
    email: str
    reply_to: str
    language: str
    """In which the mail is written."""


@dataclass(frozen=True, kw_only=True)
class Parcel:
    """A mail ready for the outbox."""

    player_id: int
    message_id: str
    recipient: str
    raw: bytes


@dataclass
class Maps:
    """Pictures of the maps of one issue, each drawn once whoever gets it."""

    _drawn: dict[str, bytes] = field(default_factory=dict)

    def png(self, svg: str) -> bytes:
        """A map as a picture."""
        if svg not in self._drawn:
            from gm.reports.pictures import png  # loads the renderer, which most processes never need

            self._drawn[svg] = png(svg, MAP_WIDTH)
        return self._drawn[svg]


def seal(
    office: Office,
    laid: IssueMail,
    to: Addressee,
    *,
    campaign: str,
    title: str,
    key: str,
    date: datetime,
    maps: Maps,
    files: Sequence[File] = (),
    prefix: str = "",
    answered_id: str = "",
    answers: bool = False,
) -> Parcel:
    """A laid-out issue as the bytes of a mail.

    Args:
        campaign: slug, which names its thread and list.
        key: what makes it this mail and no other in the campaign.
        files: attached beside the maps.
        prefix: put before the subject.
        answered_id: Message-ID of the mail that it answers, if that has one.
        answers: whether it answers a mail at all.

    Raises:
        gm.mail.compose.ComposeError: the mail can't be made.
    """
    slug = f"zine.{campaign}"
    message_id = message_id_of(office, slug, "zine", key, to.email)
    thread = f"<{slug}.thread@{office.domain}>"
    pictures = tuple(
        File(name=p.file, content_type="image/png", data=maps.png(p.svg), cid=p.cid) for p in laid.pictures
    )
    raw = compose(
        OutgoingMail(
            message_id=message_id,
            date=date,
            sender=Party(address=office.desk_address, name=title),
            to=Party(address=to.email, name=to.name),
            subject=f"{prefix}{laid.rendered.subject}",
            text=laid.rendered.text,
            html=laid.rendered.html,
            reply_to=Party(address=to.reply_to),
            in_reply_to=answered_id,
            references=(thread, answered_id) if answered_id else (thread,),
            auto_submitted="auto-replied" if answers else "auto-generated",
            list_id=f"{slug}.{office.domain}",
            list_archive=zine_page(office, campaign),
            files=(*pictures, *files),
            reply_above=True,
        )
    )
    return Parcel(player_id=to.player_id, message_id=message_id, recipient=to.email, raw=raw)


def put_out(session: Session, office: Office, parcel: Parcel, *, answers: Inbound | None = None) -> None:
    """Put a sealed mail into the outbox."""
    outbox.enqueue(
        session,
        message_id=parcel.message_id,
        kind="zine",
        recipient=parcel.recipient,
        raw=parcel.raw,
        now=office.now(),
        key=office.vault.key("bounces"),
        player_id=parcel.player_id,
        inbound_id=answers.id if answers else None,
    )
