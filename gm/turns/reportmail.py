"""The mails of a turn: one report for each reader, made from his view and his reading only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from gm.clock.words import for_reader
from gm.games import ruleset
from gm.games.api import ORDERS_NEXT, PowerId, Reading, Section, View
from gm.reports.mails import Footer, Masthead, PressItem, ReportMail
from gm.store.clubtables import Absence
from gm.store.tables import Game, PhaseRow, Player, Press, Seat
from gm.turns.changes import what_changed
from gm.turns.deadlines import told_cause
from gm.turns.ics import deadline_files
from gm.turns.links import results_page
from gm.turns.observing import reports_due
from gm.turns.office import Office
from gm.turns.people import current_seats, game_gms, power_name, waiting
from gm.turns.post import Picture, post
from gm.turns.record import seen
from gm.turns.settings import settings_of
from gm.turns.tokens import reply_address


@dataclass(frozen=True, kw_only=True)
class Reader:
    """Somebody who gets a report."""

    player: Player
    power: PowerId | None
    """None: he sees what the public sees."""
    title: str
    """What his mail calls him: ``"Austria"``, ``"GM"``, ``"observer"``."""
    kind: str
    """seat · gm · person: the right that his Reply-To carries."""
    scope: str = ""
    """What a deputy may do, as in `Absence`; empty for everybody who reads for himself."""


@dataclass(frozen=True, kw_only=True)
class Missed:
    """Powers that gave no orders although the turn asked them to."""

    late: tuple[PowerId, ...] = ()
    """They have a player, who sent nothing."""
    gone: tuple[PowerId, ...] = ()
    """Those of `late` whose seats fell vacant because of it."""
    vacant: tuple[PowerId, ...] = ()
    """They had no player."""

    def told(self, game: Game) -> tuple[str, ...]:
        """Sentences for the report."""
        said = (
            ("No moves received from", self.late),
            ("Seats that fall vacant because no moves came again", self.gone),
            ("Without a player, so in civil disorder", self.vacant),
        )
        return tuple(
            f"{words}: {', '.join(power_name(game, power) for power in powers)}."
            for words, powers in said
            if powers
        )


def readers(session: Session, game: Game) -> list[Reader]:
    """Everybody who follows a game: seats in the ruleset's order, those who wait for its start, GMs, observers.

    GMs get the public view. Nobody follows a game twice in the same part, and observers who also play or run it are
    not counted as observers.
    """
    found = [
        Reader(player=player, power=power, title=power_name(game, power), kind="seat")
        for power, player in current_seats(session, game).items()
    ]
    found += deputies(session, game)
    found += [Reader(player=p, power=None, title="GM", kind="gm") for p in game_gms(session, game)]
    there = {reader.player.id for reader in found}
    roles = ("player", "observer") if game.status == "forming" else ("observer",)
    for role in roles:
        for row in waiting(session, game, role):
            if row.player_id not in there:
                player = session.get_one(Player, row.player_id)
                found.append(Reader(player=player, power=None, title=role, kind="person"))
    return found


def deputies(session: Session, game: Game) -> list[Reader]:
    """Those who stand in for players now: they get the mails of the seats too, after the players themselves."""
    rows = session.execute(
        select(Absence, Seat.power)
        .join(Seat, (Seat.game_id == Absence.game_id) & (Seat.player_id == Absence.player_id))
        .where(
            Absence.game_id == game.id,
            Absence.deputy_state == "active",
            Absence.cancelled_at.is_(None),
            Seat.left_at.is_(None),
        )
        .order_by(Absence.id)
    )
    return [
        Reader(
            player=session.get_one(Player, row.deputy_id),
            power=power,
            title=power_name(game, power),
            kind="seat",
            scope=row.scope,
        )
        for row, power in rows
        if row.deputy_id is not None
    ]


def masthead(office: Office, game: Game, phase: str, reader: str) -> Masthead:
    """The head of a mail of a game."""
    return Masthead(
        server=office.server_name,
        game=game.slug,
        title=game.title,
        ruleset=ruleset(game.ruleset).meta.title,
        phase=phase,
        reader=reader,
    )


def deadline_text(game: Game, phase: PhaseRow | None, player: Player) -> str:
    """The deadline of the open phase in the reader's zone; empty if none runs."""
    if phase is None or phase.due_at is None or game.status != "running":
        return ""
    return for_reader(phase.due_at, player.zone, settings_of(game.settings).zone)


def footer(game: Game, phase: PhaseRow | None, reader: Reader, *, page: str = "") -> Footer:
    """What a mail of a game ends with; `page`: address of the public page on what it tells."""
    how = {
        "seat": "Reply to this mail with your orders, one a line, above everything quoted. "
        "HELP on a line by itself gets you the words I know.",
        "gm": "Reply to this mail with GM commands. HELP GM lists them.",
        "person": "Reply with STATUS, HISTORY or HELP.",
    }[reader.kind]
    return Footer(deadline=deadline_text(game, phase, reader.player), how_to_reply=how, page=page)


def tell_results(
    session: Session,
    office: Office,
    game: Game,
    phase: PhaseRow,
    following: PhaseRow | None,
    missed: Missed,
) -> None:
    """Mail the results of a phase to everybody who follows the game."""
    for reader in readers(session, game):
        due = reports_due(session, game, phase) if reader.title == "observer" else [phase]
        for row in due:
            send_results(
                session, office, game, row, following, reader, missed=missed if row is phase else None
            )


def send_results(
    session: Session,
    office: Office,
    game: Game,
    phase: PhaseRow,
    following: PhaseRow | None,
    reader: Reader,
    *,
    missed: Missed | None = None,
    again: str = "",
) -> None:
    """One reader's report of one phase.

    Args:
        following: the phase that is open now; None if the game is over.
        missed: who gave no orders; left out of a repeat.
        again: names a repeat (``RESULTS``), so that it gets a Message-ID of its own.
    """
    before, after, reading = seen(game, phase, reader.power)
    report = ruleset(game.ruleset).report(before, after, reading)
    # A report that is sent again later tells of orders that are long over.
    fresh = following is not None and following.ordinal == phase.ordinal + 1
    sections = tuple(s for s in report.sections if fresh or s.title != ORDERS_NEXT)
    explained = any(s.title == ORDERS_NEXT and s.lines for s in sections)
    intro = _what_a_rerun_changed(session, game, phase, reader)
    if missed is not None:
        intro = (*intro, *missed.told(game))
    mail = ReportMail(
        masthead=masthead(office, game, phase.title, reader.title),
        headline=report.headline,
        intro=(*intro, *_ending(game, following), *told_cause(session, game, following)),
        sections=sections,
        standings_title="Standings",
        standings=standings(session, game, after),
        press=public_press(session, game, phase),
        notes=gm_notes(session, game, phase),
        due=() if explained else dues_of(game, following, reader),
        map_cid=office.map_cid if office.pictures else "",
        map_alt=f"Map after {phase.title}",
        footer=footer(game, following, reader, page=results_page(office, game, phase)),
    )
    post(
        session,
        office,
        mail,
        to=reader.player,
        kind="report",
        key=f"{phase.ordinal}.{phase.attempt}.{reader.title.lower()}{again}",
        game=game,
        phase=phase,
        power=reader.power,
        reply_to=reply_address(
            session, office, reader.kind, reader.player, game=game, power=reader.power, phase=following
        ),
        picture=picture_of(office, game, after, reading),
        attached=deadline_files(session, office, game, following) if reader.kind != "person" else (),
    )


def picture_of(office: Office, game: Game, view: View, reading: Reading | None) -> Picture | None:
    """The map as a reader may see it; None if the server sends none."""
    if not office.pictures:
        return None
    return Picture(
        svg=ruleset(game.ruleset).draw(view, reading), cid=office.map_cid, name=f"{game.slug}-map.png"
    )


def _what_a_rerun_changed(session: Session, game: Game, phase: PhaseRow, reader: Reader) -> tuple[str, ...]:
    old = session.scalar(
        select(PhaseRow)
        .where(
            PhaseRow.game_id == game.id,
            PhaseRow.name == phase.name,
            PhaseRow.status == "undone",
            PhaseRow.id < phase.id,
            PhaseRow.results.is_not(None),
        )
        .order_by(PhaseRow.id.desc())
        .limit(1)
    )
    if old is None:
        return ()
    names = {power.id: power.name for power in ruleset(game.ruleset).meta.powers}
    lines = what_changed(seen(game, old, reader.power)[2], seen(game, phase, reader.power)[2], names)
    if not lines:
        return (f"{phase.title} was run again. Nothing that you were told before has changed.",)
    return (f"{phase.title} was run again. This is what changed for you:", *lines)


def _ending(game: Game, following: PhaseRow | None) -> tuple[str, ...]:
    if following is not None or game.result is None:
        return ()
    return (
        f"The game is over. {game.result['text']}",
        f"The dice of this game came from the seed {game.seed.hex()}; its SHA-256 was published at the start. "
        "Save the game's archive and `gm verify` checks every roll.",
    )


def standings(session: Session, game: Game, view: View) -> tuple[tuple[str, str, int], ...]:
    """Score table with the players' names, unless the game is anonymous and not over."""
    rules = settings_of(game.settings)
    named = not rules.anonymous or game.status == "finished"
    held = current_seats(session, game)
    vacant = "(scripted)" if rules.vacant == "robot" else "(vacant)"
    return tuple(
        (power_name(game, power), (held[power].name if named else "") if power in held else vacant, score)
        for power, score in ruleset(game.ruleset).standings(view)
    )


def dues_of(game: Game, phase: PhaseRow | None, reader: Reader) -> tuple[str, ...]:
    """What a reader owes in the open phase, one line each."""
    if phase is None or reader.power is None:
        return ()
    return next(
        (due.items for due in ruleset(game.ruleset).dues(phase.state) if due.power == reader.power), ()
    )


def public_press(session: Session, game: Game, phase: PhaseRow) -> tuple[PressItem, ...]:
    """Press to all that was sent while a phase was open, without the GM's."""
    rows = session.scalars(
        select(Press)
        .where(
            Press.game_id == game.id,
            Press.phase_id == phase.id,
            Press.sender != "gm",
            Press.state == "sent",
        )
        .order_by(Press.id)
    )
    return tuple(
        PressItem(sender=f"{press_sender(game, row)} to all", body=row.body)
        for row in rows
        if row.audience == ["all"]
    )


def gm_notes(session: Session, game: Game, phase: PhaseRow) -> tuple[str, ...]:
    """What the GM broadcast while a phase was open, and why he edited its position if he did."""
    edited = (f"The position before {phase.title} was edited{_why(phase.edit)}.",) if phase.edit else ()
    rows = session.scalars(
        select(Press)
        .where(
            Press.game_id == game.id,
            Press.phase_id == phase.id,
            Press.sender == "gm",
            Press.state == "sent",
        )
        .order_by(Press.id)
    )
    return edited + tuple(row.body for row in rows if row.audience == ["all"])


def _why(edit: Mapping[str, Any]) -> str:
    why = str(edit["why"]).rstrip(".")
    return f": {why}" if why else ""


def press_sender(game: Game, row: Press) -> str:
    """How readers are told who wrote: a power's name, ``"Unsigned"`` for grey press, ``"GM"``."""
    if row.kind == "grey":
        return "Unsigned"
    if row.sender == "gm":
        return "GM"
    return power_name(game, row.sender) if row.sender else "Server"


def start_sections(game: Game) -> tuple[Section, ...]:
    """House rules and credits for a game's first mail."""
    meta = ruleset(game.ruleset).meta
    house = [f"{o.name} = {_word(game.options[o.name])}: {o.help}" for o in meta.options]
    return (
        Section(title="How to write orders", lines=tuple(meta.syntax.splitlines())),
        *((Section(title="House rules", lines=tuple(house)),) if house else ()),
        Section(title="Credits", lines=tuple(meta.credits.splitlines())),
    )


def _word(value: bool | int | str) -> str:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)
