"""How a GM's games do: by mail once a week, and whenever he asks.

It tells of his own games only. What concerns a person, such as an address that bounces, is told only for the game in
which he plays there.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from gm.clock.calendar import local_to_utc
from gm.clock.words import in_zone
from gm.club.campaigns import campaigns_of, runs
from gm.games import ruleset
from gm.games.api import Section
from gm.log import logger
from gm.mail.addresses import read_recipient
from gm.store.clubtables import CampaignGM
from gm.store.mailtables import Inbound, Outbound
from gm.store.tables import Address, Audit, Game, GameGM, Once, PhaseRow, Player, Press, Sheet
from gm.turns.awaynotes import ACTION
from gm.turns.notices import once, tell_person
from gm.turns.office import Office
from gm.turns.people import current_seats, power_name, seat_of
from gm.turns.publicly import state_text
from gm.turns.settings import settings_of
from gm.turns.sheets import open_phase, owing
from gm.turns.tokens import CHECK_PURPOSE, credential_of

WEEKDAY, HOUR = 0, time(9)
"""When the mail is sent: Monday at nine, where the GM lives."""
LATEST = timedelta(days=2)
"""A server that was down then sends it as much later; after that it waits for the next Monday."""
SILENT = timedelta(days=14)
"""A player who owes orders and sent none for so long is silent."""
UNDER_WAY = ("running", "paused", "parked")
log = logger("health")

DEADLINES = "Next deadlines"
NONE = ("none",)


def look_at_health(office: Office) -> int:
    """Send the weekly mail to every GM for whom it is time. Returns how many were sent."""
    now = office.now()
    with office.store.read() as session:
        due = [gm.id for gm in _all_gms(session) if _slot(session, gm, now) is not None]
    sent = 0
    for number in due:
        try:
            sent += _send(office, number)
        except SQLAlchemyError:
            raise
        except (
            Exception
        ):  # of a ruleset, say: no other GM shall miss his mail for it, and it is not tried for ever
            log.exception("a GM could not be told how his games do", player=number)
            with office.store.write() as session:
                key = _slot(session, session.get_one(Player, number), now)
                if key is not None:
                    once(session, office, key)
    return sent


def _all_gms(session: Session) -> list[Player]:
    games = select(GameGM.player_id).join(Game, Game.id == GameGM.game_id).where(Game.status.in_(UNDER_WAY))
    found = select(Player).where(Player.id.in_(games) | Player.id.in_(select(CampaignGM.player_id)))
    return list(session.scalars(found.order_by(Player.id)))


def _slot(session: Session, gm: Player, now: datetime) -> str | None:
    """The key of the mail that is due to a GM now and was not sent; None if there is none."""
    local = now.astimezone(ZoneInfo(gm.zone)).date()
    monday = local - timedelta(days=(local.weekday() - WEEKDAY) % 7)
    at = local_to_utc(monday, HOUR, gm.zone)
    if not at <= now <= at + LATEST or gm.created_at > at:
        return None
    key = f"health.{gm.id}.{monday.isoformat()}"
    return None if session.get(Once, key) is not None else key


def _send(office: Office, number: int) -> bool:
    with office.store.write() as session:
        gm = session.get_one(Player, number)
        key = _slot(session, gm, office.now())
        if key is None or not once(session, office, key):
            return False
        sections = health_sections(session, office, gm)
        if not sections:
            return False
        troubled = any(s.lines != NONE for s in sections if s.title != DEADLINES)
        tell_person(
            session,
            office,
            gm,
            subject="Your games this week: " + ("all is well" if not troubled else "something needs a look"),
            paragraphs=("This is how your games do. HEALTH brings it whenever you ask.",),
            sections=sections,
            key=f"health.{key.rpartition('.')[2]}",
            gm=True,
        )
        return True


def games_run(session: Session, gm: Player, *, all_of_them: bool = False) -> list[Game]:
    """The games under way that a player runs and does not play in; `all_of_them`: those of the server."""
    found = select(Game).where(Game.status.in_(("forming", *UNDER_WAY))).order_by(Game.id)
    if all_of_them:
        return list(session.scalars(found))
    mine = select(GameGM.game_id).where(GameGM.player_id == gm.id)
    games = session.scalars(found.where(Game.id.in_(mine)))
    return [game for game in games if gm.id not in {p.id for p in current_seats(session, game).values()}]


def health_sections(
    session: Session, office: Office, gm: Player, *, all_of_them: bool = False
) -> tuple[Section, ...]:
    """All that a GM should know of his games; empty if he runs none."""
    games = games_run(session, gm, all_of_them=all_of_them)
    zines = [c for c in campaigns_of(session, gm) if runs(session, c, gm) and c.issue_due_at is not None]
    if not games and not zines:
        return ()
    now = office.now()
    deadlines = [
        f"{game.slug}: {state_text(session, game)}"
        + (f", due {in_zone(phase.due_at, gm.zone)}" if phase and phase.due_at else ", no deadline runs")
        for game in games
        for phase in [open_phase(session, game)]
    ]
    deadlines += [
        f"{c.title}: next issue {in_zone(c.issue_due_at, gm.zone)}" for c in zines if c.issue_due_at
    ]
    parts = (
        ("Stopped", _stopped(games)),
        ("Late", [line for game in games for line in _late(session, game, now)]),
        ("Silent", [line for game in games for line in _silent(session, game, now)]),
        ("Mailboxes that say they are away", [line for game in games for line in _away(session, game, now)]),
        ("Vacant", [line for game in games for line in _vacant(session, game)]),
        ("Addresses that bounce", [line for game in games for line in _bouncing(session, game)]),
        ("Mail that is held or failed", [line for game in games for line in _held(session, game)]),
        ("Press that waits for you", [line for game in games for line in _held_press(session, game)]),
        ("Mail that could not be read", _unread(session, office, games, now)),
        (
            "Mail that waits to go out for an hour or more",
            [line for game in games for line in _queue(session, game, now)],
        ),
        (DEADLINES, deadlines),
    )
    return tuple(Section(title=title, lines=tuple(lines) or NONE) for title, lines in parts)


def _stopped(games: Sequence[Game]) -> list[str]:
    return [f"{g.slug}: stopped by a fault, trace {g.trace}" for g in games if g.status == "parked"]


def _away(session: Session, game: Game, now: datetime) -> list[str]:
    rows = session.scalars(
        select(Audit)
        .where(Audit.game_id == game.id, Audit.action == ACTION, Audit.at >= now - timedelta(days=7))
        .order_by(Audit.id)
    )
    return list(dict.fromkeys(f"{game.slug}: {power_name(game, row.detail['power'])}" for row in rows))


def _late(session: Session, game: Game, now: datetime) -> list[str]:
    phase = open_phase(session, game)
    if phase is None or phase.due_at is None or phase.due_at > now:
        return []
    return [f"{game.slug}: {power_name(game, due.power)}" for due in owing(session, game, phase)]


def _silent(session: Session, game: Game, now: datetime) -> list[str]:
    """Players who owe orders and of whom nothing was heard for long."""
    phase = open_phase(session, game)
    if phase is None:
        return []
    held = current_seats(session, game)
    lines = []
    for due in owing(session, game, phase):
        seat = seat_of(session, game, due.power)
        if seat is None:
            continue
        heard = _last_orders(session, game, due.power, seat.player_id) or seat.joined_at
        if now - heard >= SILENT:
            name = held[due.power].name
            lines.append(f"{game.slug}: {power_name(game, due.power)} ({name}), {(now - heard).days} days")
    return lines


def _last_orders(session: Session, game: Game, power: str, player_id: int) -> datetime | None:
    return session.scalar(
        select(func.max(Sheet.received_at))
        .join(PhaseRow, PhaseRow.id == Sheet.phase_id)
        .where(PhaseRow.game_id == game.id, Sheet.power == power, Sheet.player_id == player_id)
    )


def _vacant(session: Session, game: Game) -> list[str]:
    if game.status not in UNDER_WAY or settings_of(game.settings).vacant == "robot":
        return []
    held = current_seats(session, game)
    vacant = [p.name for p in ruleset(game.ruleset).meta.powers if p.id not in held]
    return [f"{game.slug}: {', '.join(vacant)}"] if vacant else []


def _bouncing(session: Session, game: Game) -> list[str]:
    lines = []
    for power, player in current_seats(session, game).items():
        rows = session.scalars(
            select(Address)
            .where(
                Address.player_id == player.id, (Address.state == "suspended") | (Address.soft_bounces > 0)
            )
            .order_by(Address.rank, Address.id)
        )
        for row in rows:
            what = "suspended" if row.state == "suspended" else f"{row.soft_bounces} soft bounces"
            lines.append(f"{game.slug}: {power_name(game, power)} ({player.name}), {row.email}: {what}")
    return lines


def _held(session: Session, game: Game) -> list[str]:
    rows = session.execute(
        select(Outbound.status, Outbound.held_why, func.count())
        .where(Outbound.game_id == game.id, Outbound.status.in_(("held", "failed", "bounced")))
        .group_by(Outbound.status, Outbound.held_why)
        .order_by(Outbound.status, Outbound.held_why)
    )
    return [f"{game.slug}: {count} {status}" + (f" ({why})" if why else "") for status, why, count in rows]


def _held_press(session: Session, game: Game) -> list[str]:
    count = session.scalar(
        select(func.count()).select_from(Press).where(Press.game_id == game.id, Press.state == "held")
    )
    return [f"{game.slug}: {count}; HELD shows it, RELEASE and REFUSE take its numbers"] if count else []


def _unread(session: Session, office: Office, games: Sequence[Game], now: datetime) -> list[str]:
    """Mail of the last week that was set aside, and that was for one of the games."""
    rows = session.execute(
        select(Inbound.id, Inbound.recipient, Inbound.received_at)
        .where(Inbound.status == "quarantined", Inbound.received_at >= now - timedelta(days=7))
        .order_by(Inbound.id)
    )
    mine = {game.id: game for game in games}
    domains = office.our_domains or frozenset({office.domain})
    lines = []
    for number, address, at in rows:
        recipient = read_recipient(address, domains, office.vault.key(CHECK_PURPOSE))
        game = None
        if recipient is not None and recipient.token:
            credential = credential_of(session, recipient.token)
            game = mine.get(credential.game_id or 0) if credential is not None else None
        elif recipient is not None and recipient.kind == "game":
            game = next((g for g in games if g.slug == recipient.game), None)
        if game is not None:
            lines.append(f"{game.slug}: mail {number} of {in_zone(at, 'UTC')}")
    return lines


def _queue(session: Session, game: Game, now: datetime) -> list[str]:
    count, oldest = session.execute(
        select(func.count(), func.min(Outbound.queued_at)).where(
            Outbound.game_id == game.id,
            Outbound.status.in_(("queued", "sending")),
            Outbound.queued_at <= now - timedelta(hours=1),
        )
    ).one()
    if not count:
        return []
    return [f"{game.slug}: {count}, the oldest for {int((now - oldest).total_seconds()) // 60} minutes"]
