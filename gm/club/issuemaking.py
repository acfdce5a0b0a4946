"""An issue of a campaign's zine put together from what the public may know, and kept as JSON once published."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import zip_longest
from typing import Any
from zoneinfo import ZoneInfo

from pydantic import TypeAdapter
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from gm.clock.words import in_zone
from gm.club import campaigns
from gm.club.campaigns import CampaignSettings, campaign_games, campaign_gms, campaign_settings
from gm.club.issuetexts import editorial_of, letters_of, noted, put_right
from gm.games import ruleset
from gm.reports.issue import (
    Appointment,
    Call,
    Colophon,
    IssueGame,
    IssueMasthead,
    PhaseStory,
)
from gm.reports.issue import Issue as IssueValues
from gm.store.clubtables import Contribution, Issue
from gm.store.tables import Campaign, Game, PhaseRow
from gm.turns.office import Office
from gm.turns.people import current_seats, power_name, waiting
from gm.turns.publicly import deadline_text, done_phases, public_map, public_state, state_text
from gm.turns.record import seen
from gm.turns.reportmail import gm_notes, public_press, standings
from gm.turns.settings import settings_of
from gm.turns.sheets import open_phase
from gm.turns.starting import seats_wanted

OVER = "over"
"""Stands among the phases told of a game once its end was told."""

_VALUES = TypeAdapter(IssueValues)


@dataclass(frozen=True, kw_only=True)
class Draft:
    """An issue before it is published."""

    number: int
    issue: IssueValues
    """With its maps."""
    told: Mapping[str, list[str]]
    """Game to all its phases that this or an earlier issue tells of, as ``"3.1"``: ordinal and attempt."""
    maps: Mapping[str, str]
    """Game to the phase that its map shows."""
    contributions: tuple[int, ...]
    """Ids of the contributions that it prints."""

    def content(self) -> dict[str, Any]:
        """For `Issue.content`: public values only; maps are drawn anew from the phases named."""
        bare = replace(self.issue, games=tuple(replace(game, svg="") for game in self.issue.games))
        return {
            "issue": _VALUES.dump_python(bare, mode="json"),
            "told": dict(self.told),
            "maps": dict(self.maps),
        }


def next_number(session: Session, campaign: Campaign) -> int:
    """The number of the issue that comes next."""
    last = session.scalar(select(func.max(Issue.number)).where(Issue.campaign_id == campaign.id))
    return (last or 0) + 1


def draft(session: Session, office: Office, campaign: Campaign, now: datetime) -> Draft:
    """The issue as it would be published now."""
    rules = campaign_settings(campaign)
    number = next_number(session, campaign)
    before = session.scalar(select(Issue).where(Issue.campaign_id == campaign.id, Issue.number == number - 1))
    told: dict[str, list[str]] = {k: list(v) for k, v in (before.content["told"] if before else {}).items()}
    printed = session.scalars(
        select(Contribution)
        .where(Contribution.campaign_id == campaign.id, Contribution.issue_id.is_(None))
        .order_by(Contribution.id)
    ).all()
    games, maps = _games(session, campaign, told, draw=office.pictures and rules.maps > 0)
    errata, games = put_right(session, printed, games)
    issue = IssueValues(
        masthead=_masthead(session, campaign, rules, number, now),
        editorial=editorial_of(printed),
        errata=errata,
        games=games,
        letters=letters_of(printed),
        standings=campaigns.standings(session, campaign),
        forming=tuple(_forming(session, campaign)),
        standbys=tuple(_vacant(session, campaign)),
        calendar=_calendar(session, campaign, rules, now),
        zone=rules.zone,
        colophon=_colophon(session, office, campaign),
    )
    return Draft(number=number, issue=issue, told=told, maps=maps, contributions=tuple(c.id for c in printed))


def stored_issue(session: Session, campaign: Campaign, row: Issue, *, maps: bool = True) -> IssueValues:
    """A published issue as it was frozen, with notes of what was put right since; its maps drawn anew unless they
    are not wanted."""
    issue = noted(session, campaign, row, _VALUES.validate_python(row.content["issue"]))
    if not maps:
        return issue
    drawn = {slug: stored_map(session, campaign, row, slug) for slug in row.content["maps"]}
    games = tuple(replace(game, svg=drawn.get(game.slug, "")) for game in issue.games)
    return replace(issue, games=games)


def stored_map(session: Session, campaign: Campaign, row: Issue, slug: str) -> str:
    """The map of one game in a published issue; empty if it has none."""
    ordinal, _, attempt = str(row.content["maps"].get(slug, "")).partition(".")
    game = session.scalar(select(Game).where(Game.slug == slug, Game.campaign_id == campaign.id))
    if not ordinal or game is None:
        return ""
    phase = session.scalar(
        select(PhaseRow).where(
            PhaseRow.game_id == game.id,
            PhaseRow.ordinal == int(ordinal),
            PhaseRow.attempt == int(attempt),
            PhaseRow.results.is_not(None),
        )
    )
    return public_map(game, phase) if phase is not None else ""


def date_in(at: datetime, zone: str) -> str:
    """``"Friday 4 December 2026"``."""
    local = at.astimezone(ZoneInfo(zone))
    return f"{local:%A} {local.day} {local:%B %Y}"


def _masthead(
    session: Session, campaign: Campaign, rules: CampaignSettings, number: int, now: datetime
) -> IssueMasthead:
    regular = rules.calendar().default is not None
    return IssueMasthead(
        title=campaign.title,
        tagline=rules.tagline,
        editors=tuple(gm.name for gm in campaign_gms(session, campaign)),
        number=number,
        date=date_in(now, rules.zone),
        schedule=f"published {rules.zine}" if regular else "",
    )


def _games(
    session: Session, campaign: Campaign, told: dict[str, list[str]], *, draw: bool
) -> tuple[tuple[IssueGame, ...], dict[str, str]]:
    """Games under way, and those of which something is still to be told, which `told` is then made to say.

    Args:
        draw: whether maps are drawn, which takes most of the time of an issue; the pages and the print draw their own.
    """
    games, maps = [], {}
    for game in campaign_games(session, campaign):
        if game.started_at is None:
            continue
        known = told.setdefault(game.slug, [])
        rows = done_phases(session, game)
        fresh = [row for row in rows if _name(row) not in known]
        over = game.status == "finished"
        if over and not fresh and OVER in known:
            continue
        games.append(_game(session, game, rows, fresh, draw=draw))
        if rows:
            maps[game.slug] = _name(rows[-1])
        known += [_name(row) for row in fresh] + ([OVER] if over and OVER not in known else [])
    return tuple(games), maps


def _name(row: PhaseRow) -> str:
    return f"{row.ordinal}.{row.attempt}"


def _game(
    session: Session, game: Game, rows: list[PhaseRow], fresh: list[PhaseRow], *, draw: bool
) -> IssueGame:
    rules = ruleset(game.ruleset)
    last = rows[-1] if rows else None
    state = public_state(session, game)
    return IssueGame(
        slug=game.slug,
        title=game.title,
        ruleset=rules.meta.title,
        stories=_tables_once([_story(game, row) for row in fresh]),
        state=state_text(session, game),
        svg=public_map(game, last) if last is not None and draw else "",
        caption=f"After {last.title}." if last is not None else "",
        standings=standings(session, game, rules.view(state, None)) if state is not None else (),
        colours=tuple((power.name, power.colour) for power in rules.meta.powers),
        deadline=deadline_text(session, game),
        press=tuple(item for row in fresh for item in public_press(session, game, row)),
        notes=tuple(note for row in fresh for note in gm_notes(session, game, row)),
    )


def _story(game: Game, row: PhaseRow) -> PhaseStory:
    before, after, reading = seen(game, row, None)
    report = ruleset(game.ruleset).report(before, after, reading)
    return PhaseStory(
        title=row.title,
        headline=report.headline,
        sections=tuple(section for section in report.sections if not section.private),
    )


def _tables_once(stories: Sequence[PhaseStory]) -> tuple[PhaseStory, ...]:
    """Without the tables that the next phase of the same issue gives anew, such as the position."""
    kept = []
    for story, after in zip_longest(stories, stories[1:]):
        anew = {(s.title, s.header) for s in after.sections if s.header} if after is not None else set()
        sections = tuple(s for s in story.sections if s.lines or (s.title, s.header) not in anew)
        kept.append(replace(story, sections=sections))
    return tuple(kept)


def _forming(session: Session, campaign: Campaign) -> Iterator[Call]:
    for game in campaign_games(session, campaign):
        if game.status == "forming":
            missing = max(seats_wanted(game) - len(waiting(session, game)), 0)
            yield Call(
                game=game.title,
                text=f"{ruleset(game.ruleset).meta.title}, wants {missing} more",
                how=f"JOIN {game.slug} AS your name",
            )
    for name, count, wanted in campaigns.waiting_lists(session, campaign):
        yield Call(
            game=ruleset(name).meta.title,
            text=f"waiting list: {count} of the {wanted} that a new game takes",
            how=f"WAIT FOR {name} IN {campaign.slug}",
        )


def _vacant(session: Session, campaign: Campaign) -> Iterator[Call]:
    for game in campaign_games(session, campaign):
        if game.status not in ("running", "paused") or settings_of(game.settings).vacant == "robot":
            continue
        held = current_seats(session, game)
        vacant = [p.id for p in ruleset(game.ruleset).meta.powers if p.id not in held]
        if vacant:
            yield Call(
                game=game.title,
                text=f"{', '.join(power_name(game, power) for power in vacant)}",
                how=f"JOIN {game.slug} AS your name",
            )


def _calendar(
    session: Session, campaign: Campaign, rules: CampaignSettings, now: datetime
) -> tuple[Appointment, ...]:
    due: list[tuple[datetime, str, str]] = []
    for game in campaign_games(session, campaign):
        phase = open_phase(session, game)
        if phase is not None and phase.due_at is not None and game.status == "running":
            due.append((phase.due_at, game.title, phase.title))
    following = next_issue(rules, campaign.issue_due_at, now)
    if following is not None:
        due.append((following, campaign.title, "the next issue"))
    return tuple(
        Appointment(when=in_zone(at, rules.zone).rpartition(" (")[0], game=title, what=what)
        for at, title, what in sorted(due)
        if at > now
    )


def next_issue(rules: CampaignSettings, last_due: datetime | None, now: datetime) -> datetime | None:
    """When the issue after one that is published now is due; None if a GM says when."""
    if rules.resume and (resumed := datetime.fromisoformat(rules.resume)) > now:
        return resumed
    anchor = datetime.fromisoformat(rules.resume) if rules.resume else last_due
    if anchor is not None and anchor > now:
        return anchor
    return rules.calendar().next_deadline("issue", opened_at=now, last_due=anchor, notice=timedelta(0))


def _colophon(session: Session, office: Office, campaign: Campaign) -> Colophon:
    used = {game.ruleset: None for game in campaign_games(session, campaign)}
    mailto = office.desk_address
    return Colophon(
        about=(
            f"{campaign.title} is the zine of the campaign {campaign.slug}, played by mail at {office.server_name}.",
            f"Standings: a game won or drawn gives {campaigns.WIN} points, shared by its winners, and "
            f"{campaigns.STAYED} to everybody else who held his power to the end.",
        ),
        credits=tuple((ruleset(name).meta.title, ruleset(name).meta.credits) for name in used),
        how=(
            (
                "Subscribe",
                f"Mail SUBSCRIBE {campaign.slug} to {mailto}; UNSUBSCRIBE {campaign.slug} ends it.",
            ),
            ("Letters", "Reply to a mail of the server: LETTER on a line, your letter, ENDLETTER on a line."),
            ("Back issues", f"Reply with GET ZINE and a number, or GET ZINE 12 OF {campaign.slug}."),
            ("New games", f"Reply with WAIT FOR and a ruleset: {', '.join(used) or 'diplomacy'}."),
        ),
    )
