"""The zine of a campaign: published on its calendar, mailed, kept in print, sent again on request.

An issue is published once: its number is unique in the campaign, and row, contributions, mails and the time of the
next one are written in one transaction. Whatever a killed server had laid out before is made again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from importlib.util import find_spec
from typing import Final

from sqlalchemy import select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from gm.club.campaigns import campaign_gms, campaign_settings
from gm.club.issuemaking import Draft, draft, next_issue, next_number, stored_issue
from gm.club.issuepost import Addressee, Maps, Parcel, put_out, seal
from gm.club.zinereaders import addressee, private_pages, readers_of
from gm.log import logger
from gm.mail.compose import File
from gm.reports.issue import Issue as IssueValues
from gm.reports.issue import PrivatePage
from gm.reports.issuemail import issue_mail
from gm.reports.issuepdf import PdfUnavailable, issue_pdf
from gm.reports.tongue import say
from gm.store.clubtables import Contribution, Issue
from gm.store.crash import crash_point
from gm.store.mailtables import Inbound
from gm.store.tables import Audit, Campaign, Player
from gm.turns.due import unread_before
from gm.turns.faults import traced
from gm.turns.links import game_page, zine_page
from gm.turns.notices import tell_person
from gm.turns.office import Office

log = logger("zine")

POINTS: Final = ("zine.made", "zine.told", "zine.committed", "zine.printed")
"""Crash points of an issue, in order: laid out, nothing stored · all written, not committed · published · in print."""

HOW_TO_REPLY = (
    "Reply with LETTER, your letter and ENDLETTER to have it printed in the next issue; GET ZINE and a number for a "
    "back issue; UNSUBSCRIBE to get no more. Orders go in reply to the mails of their game, or below a line GAME "
    "and its name."
)


def look_at_zines(office: Office) -> int:
    """Publish every issue that is due, and set in print what is not yet. Returns how many were published."""
    now = office.now()
    with office.store.read() as session:
        due = list(
            session.scalars(
                select(Campaign.id).where(Campaign.issue_due_at <= now).order_by(Campaign.issue_due_at)
            )
        )
    published = sum(_publish_or_tell(office, campaign_id) for campaign_id in due)
    print_issues(office)
    return published


def _publish_or_tell(office: Office, campaign_id: int) -> bool:
    """Publish one issue; a fault stops that zine, and nothing else."""
    try:
        return publish(office, campaign_id)
    except SQLAlchemyError:
        raise
    except Exception as fault:
        log.exception("an issue could not be made", campaign=campaign_id)
        with office.store.write() as session:
            _stop(session, office, session.get_one(Campaign, campaign_id), fault)
        return False


def _stop(session: Session, office: Office, campaign: Campaign, fault: Exception) -> None:
    """Publish nothing until a GM says so, and tell the GMs."""
    trace, text = traced(f"zine-{campaign.slug}", fault, office.now())
    campaign.issue_due_at = None
    session.add(
        Audit(
            game_id=None,
            actor="server",
            action="park",
            detail={"trace": trace, "traceback": text, "campaign": campaign.slug},
            at=office.now(),
        )
    )
    for gm in campaign_gms(session, campaign):
        tell_person(
            session,
            office,
            gm,
            subject=f"{campaign.title}: the issue could not be made",
            paragraphs=(
                "A fault kept the next issue of the zine from being made. Nothing was sent, and no game is touched.",
                f"Trace: {trace}. Whoever runs the server finds the cause under it with `gm trace {trace}`.",
                f"Once it is mended, CAMPAIGN {campaign.slug} and PUBLISH, each on a line, try again; SET zine starts "
                "the calendar again.",
            ),
            key=f"zine.{campaign.slug}.{trace}".lower(),
        )


def publish(office: Office, campaign_id: int) -> bool:
    """Publish the issue of a campaign if it is still due. Returns whether it was.

    Waits for mail that was accepted before it was due and is not read yet: a letter sent in time is printed.
    """
    now = office.now()
    with office.store.write() as session:
        campaign = session.get_one(Campaign, campaign_id)
        due = campaign.issue_due_at
        if due is None or due > now or unread_before(session, due):
            return False
        readers = _addressees(session, office, campaign)
    with office.store.read() as session:
        campaign = session.get_one(Campaign, campaign_id)
        made = draft(session, office, campaign, now)
        private = {
            to.player_id: private_pages(session, campaign, session.get_one(Player, to.player_id))
            for to in readers
        }
    parcels = _seal_all(office, campaign, made, readers, private, now)
    crash_point("zine.made")
    with office.store.write() as session:
        campaign = session.get_one(Campaign, campaign_id)
        if campaign.issue_due_at != due or next_number(session, campaign) != made.number:
            return False
        _store(session, office, campaign, made, parcels, now)
        crash_point("zine.told")
    crash_point("zine.committed")
    log.info("issue published", campaign=campaign.slug, number=made.number, mails=len(parcels))
    return True


def _store(
    session: Session,
    office: Office,
    campaign: Campaign,
    made: Draft,
    parcels: Sequence[Parcel],
    now: datetime,
) -> None:
    row = Issue(campaign_id=campaign.id, number=made.number, content=made.content(), published_at=now)
    session.add(row)
    session.flush()
    session.execute(
        update(Contribution).where(Contribution.id.in_(made.contributions)).values(issue_id=row.id)
    )
    for parcel in parcels:
        put_out(session, office, parcel)
    rules = campaign_settings(campaign)
    campaign.issue_due_at = next_issue(rules, campaign.issue_due_at, now)
    if rules.resume:
        campaign.settings = replace(rules, resume="").as_json()
    session.flush()


def publish_now(session: Session, campaign: Campaign, now: datetime) -> None:
    """Have an issue published at the next look at the clock; the regular one after it stays when it was due."""
    if campaign.issue_due_at is not None and campaign.issue_due_at <= now:
        return
    regular = campaign.issue_due_at.isoformat() if campaign.issue_due_at is not None else ""
    campaign.settings = replace(campaign_settings(campaign), resume=regular).as_json()
    campaign.issue_due_at = now
    session.flush()


def _addressees(session: Session, office: Office, campaign: Campaign) -> list[Addressee]:
    return [
        to
        for player in readers_of(session, campaign)
        if (to := addressee(session, office, player)) is not None
    ]


def _linked(office: Office, issue: IssueValues) -> IssueValues:
    """An issue whose games link to their pages, if these have a public address."""
    return replace(issue, games=tuple(replace(g, link=game_page(office, g.slug)) for g in issue.games))


def _seal_all(
    office: Office,
    campaign: Campaign,
    made: Draft,
    readers: Sequence[Addressee],
    private: Mapping[int, tuple[PrivatePage, ...]],
    now: datetime,
) -> list[Parcel]:
    most = campaign_settings(campaign).maps if office.pictures else 0
    maps = Maps()
    return [
        seal(
            office,
            issue_mail(
                _linked(office, made.issue),
                domain=office.domain,
                how_to_reply=HOW_TO_REPLY,
                page=zine_page(office, campaign.slug, made.number),
                private=private[to.player_id],
                most_maps=most,
                templates=office.templates,
                language=to.language,
            ),
            to,
            campaign=campaign.slug,
            title=campaign.title,
            key=str(made.number),
            date=now,
            maps=maps,
        )
        for to in readers
    ]


# --- one copy --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Copy:
    """One issue for one reader, as the answer to his mail."""

    issue: IssueValues
    key: str
    prefix: str = ""
    """Put before the subject: it is no published issue, and has no page."""
    pdf: bytes = b""


def send_copy(
    session: Session, office: Office, campaign: Campaign, player: Player, copy: Copy, answers: Inbound
) -> bool:
    """Mail one reader an issue, without pictures: drawing them takes longer than a mail may hold the store.

    Returns False if no address of his was ever confirmed.
    """
    to = addressee(session, office, player)
    if to is None:
        return False
    number = copy.issue.masthead.number
    laid = issue_mail(
        _linked(office, copy.issue),
        domain=office.domain,
        how_to_reply=HOW_TO_REPLY,
        page="" if copy.prefix else zine_page(office, campaign.slug, number),
        most_maps=0,
        templates=office.templates,
        language=to.language,
    )
    name = f"{campaign.slug}-{number:03}.pdf"
    files = (File(name=name, content_type="application/pdf", data=copy.pdf),) if copy.pdf else ()
    parcel = seal(
        office,
        laid,
        to,
        campaign=campaign.slug,
        title=campaign.title,
        key=copy.key,
        date=office.now(),
        maps=Maps(),
        files=files,
        prefix=say(copy.prefix, to.language),
        answered_id=answers.message_id or "",
        answers=True,
    )
    put_out(session, office, parcel, answers=answers)
    return True


# --- in print --------------------------------------------------------------------------------------------------


def print_issues(office: Office) -> int:
    """Set in print every issue that is not, if the typesetter is installed. Returns how many were set."""
    if find_spec("typst") is None:
        return 0
    with office.store.read() as session:
        todo = list(session.scalars(select(Issue.id).where(Issue.pdf.is_(None)).order_by(Issue.id)))
    for issue_id in todo:
        with office.store.read() as session:
            row = session.get_one(Issue, issue_id)
            campaign = session.get_one(Campaign, row.campaign_id)
            shown = stored_issue(session, campaign, row)
        try:
            data = issue_pdf(shown, timestamp=int(row.published_at.timestamp()), templates=office.templates)
        except PdfUnavailable as why:
            log.error("an issue could not be set in print", issue=issue_id, why=str(why))
            data = b""
        except Exception:  # a template of the GM's own; the mail and the pages are out all the same
            log.exception("an issue could not be set in print", issue=issue_id)
            data = b""
        with office.store.write() as session:
            session.execute(update(Issue).where(Issue.id == issue_id, Issue.pdf.is_(None)).values(pdf=data))
        crash_point("zine.printed")
    return len(todo)
