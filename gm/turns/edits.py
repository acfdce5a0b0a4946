"""A position put right by a GM: stated in scenario notation, with a reason on record, told to each reader by his view.

The truth of a game stays replayable: the computed position is kept beside the one that a GM put in its place.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy.orm import Session

from gm.games import ruleset
from gm.games.api import Json, Phase, Reading, Report, Ruleset, ScenarioError, State, View, canonical
from gm.mail.scrub import scrub
from gm.reports.mails import ReportMail
from gm.store.tables import Audit, Game, PhaseRow
from gm.turns import reportmail
from gm.turns.early import hold_for_gm, note_early
from gm.turns.ics import deadline_files
from gm.turns.notices import because
from gm.turns.office import Office
from gm.turns.people import power_name
from gm.turns.post import post
from gm.turns.sheets import all_latest
from gm.turns.starting import GameError
from gm.turns.tokens import reply_address

NOT_STATED = ("game", "phase", "options", "orders", "dice", "id", "title", "expect", "cites", "why")
"""Tables of a scenario that are no part of a position; all others may be edited."""

_QUOTES = str.maketrans("\u201c\u201d\u201e\u2018\u2019", '"""\'\'')
"""Quotation marks that phones put in place of those typed."""


def edited_state(game: Game, state: State, text: str) -> dict[str, Json]:
    """The position after an edit.

    What the text does not name stays: other powers' units and centres, and all that scenario notation has no word
    for or that it leaves out (treasuries, what is secret, what has been).

    Args:
        text: TOML in scenario notation; ``units`` and ``centres`` list all that a power named there has.

    Raises:
        GameError: not TOML, a table that is no position, no legal position, or nothing would change.
    """
    rules = ruleset(game.ruleset)
    try:
        given = tomllib.loads(text.translate(_QUOTES))
    except tomllib.TOMLDecodeError as wrong:
        raise GameError(f"that is not readable as TOML: {wrong}") from None
    for key in given:
        if key in NOT_STATED:
            raise GameError(
                f"an edit can't hold {key!r}; it holds units, centres and what else is of the position"
            )
    head = {"game": game.ruleset, "phase": rules.phase(state).name, "options": dict(game.options)}
    now = {key: value for key, value in rules.position(state).items() if value}
    try:
        base = rules.scenario({**head, **now}).state
        wanted = rules.scenario({**head, **_overlaid(now, given)}).state
    except ScenarioError as wrong:
        raise GameError(str(wrong)) from None
    merged: dict[str, Json] = _merged(dict(state), dict(base), dict(wanted))
    if canonical(merged) == canonical(state):
        raise GameError("nothing would change: the position is so already")
    if canonical(rules.position(merged)) != canonical(rules.position(wanted)):
        raise GameError(
            "that change can't be told apart from what is there; name all units of the powers it touches"
        )
    _try(rules, merged)
    return merged


def _overlaid(now: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The present position with what an edit names in its place. A centre given to one power is taken from others."""
    table = {**now, **given}
    for key in ("units", "centres"):
        said = given.get(key)
        if not isinstance(said, Mapping):
            continue
        kept = {power: list(things) for power, things in now.get(key, {}).items() if power not in said}
        if key == "centres":
            taken = {str(c).upper() for cs in said.values() if isinstance(cs, list) for c in cs}
            kept = {power: [c for c in cs if c.upper() not in taken] for power, cs in kept.items()}
        table[key] = {**kept, **{str(power).lower(): things for power, things in said.items()}}
    return table


def _merged(real: Json, base: Json, wanted: Json) -> Json:
    """The real value with just those parts changed in which the wanted one differs from the base."""
    if canonical(base) == canonical(wanted):
        return real
    if isinstance(real, dict) and isinstance(base, dict) and isinstance(wanted, dict):
        keys = [*wanted, *(key for key in real if key not in wanted and key not in base)]
        return {
            key: _merged(real[key], base[key], wanted[key])
            if key in real and key in base and key in wanted
            else wanted.get(key, real.get(key))
            for key in dict.fromkeys(keys)
        }
    return wanted


def _try(rules: Ruleset, state: State) -> None:
    """Have the ruleset look at a position from all sides. Raises GameError if it can't."""
    try:
        for power in (None, *(p.id for p in rules.meta.powers)):
            rules.draw(rules.view(state, power), None)
        rules.dues(state)
    except Exception as fault:
        raise GameError(f"the ruleset can't make sense of that position ({type(fault).__name__})") from fault


def edit_position(
    session: Session, office: Office, game: Game, phase: PhaseRow, text: str, *, by: str, why: str
) -> None:
    """Put another position in place of the open phase's, and tell each reader what changed for him.

    Orders on file stay. The phase runs at its deadline or by the GM's word, and not early.

    Raises:
        GameError: see `edited_state`.
    """
    old = dict(phase.state)
    new = edited_state(game, old, text)
    why = scrub(why).strip()
    times = int((phase.edit or {}).get("times", 0)) + 1
    reasons = [*(phase.edit or {}).get("reasons", []), why]
    phase.edit = {
        "why": "; ".join(reasons),
        "reasons": reasons,
        "by": by,
        "times": times,
        "computed": (phase.edit or {}).get("computed", old),
    }
    phase.state = new
    session.add(
        Audit(
            game_id=game.id,
            actor=by,
            action="edit",
            detail={"phase": phase.name, "why": why, "text": scrub(text)},
            at=office.now(),
        )
    )
    hold_for_gm(session, phase, office.now())
    note_early(session, game, phase, office.now())
    session.flush()
    for reader in reportmail.readers(session, game):
        _tell(session, office, game, phase, old, reader, why, times)


def _tell(
    session: Session,
    office: Office,
    game: Game,
    phase: PhaseRow,
    old: State,
    reader: reportmail.Reader,
    why: str,
    times: int,
) -> None:
    rules = ruleset(game.ruleset)
    before, after = rules.view(old, reader.power), rules.view(phase.state, reader.power)
    shown = _shown(rules, after)
    changed = _differences(_lines(game, before), _lines(game, after))
    told = (
        ("This is what changed for you:", *changed)
        if changed
        else ("Nothing that you may know of has changed.",)
    )
    filed = all_latest(session, phase).get(reader.power) if reader.power else None
    stays = ("Your orders for it stay on file; SHOW shows what is wrong with them now.",) if filed else ()
    mail = ReportMail(
        masthead=reportmail.masthead(office, game, phase.title, reader.title),
        headline=f"{phase.title}: the position was edited",
        own_headline=True,
        intro=(f"The GM has edited the position before {phase.title}{because(why)}.", *told, *stays),
        sections=shown.sections,
        standings_title="Standings",
        standings=reportmail.standings(session, game, after),
        press=(),
        notes=(),
        due=reportmail.dues_of(game, phase, reader),
        map_cid=office.map_cid if office.pictures else "",
        map_alt=f"Map at {phase.title}",
        footer=reportmail.footer(game, phase, reader),
    )
    post(
        session,
        office,
        mail,
        to=reader.player,
        kind="report",
        key=f"edit.{phase.ordinal}.{phase.attempt}.{times}.{reader.title.lower()}",
        game=game,
        phase=phase,
        power=reader.power,
        reply_to=reply_address(
            session, office, reader.kind, reader.player, game=game, power=reader.power, phase=phase
        ),
        picture=reportmail.picture_of(office, game, after, None),
        attached=deadline_files(session, office, game, phase) if reader.kind != "person" else (),
    )


def _shown(rules: Ruleset, view: View) -> Report:
    """A position as a report shows it, without anything having happened."""
    phase = view.phase
    quiet = Phase(name=phase.name, title=phase.title, kind="edited", turn=phase.turn)
    return rules.report(view, view, Reading(power=view.power, phase=quiet, orders=(), events=()))


def _lines(game: Game, view: View) -> list[str]:
    """What a reader is shown of a position, line by line."""
    rules = ruleset(game.ruleset)
    lines: list[str] = []
    for section in _shown(rules, view).sections:
        lines += [f"{section.title}: {line}" for line in section.lines]
        for row in section.rows:
            lines.append(f"{section.title}: {', '.join(cell for cell in row if cell)}")
    lines += [f"Score: {power_name(game, power)} {score}" for power, score in rules.standings(view)]
    return lines


def _differences(before: Sequence[str], after: Sequence[str]) -> list[str]:
    gone, come = Counter(before) - Counter(after), Counter(after) - Counter(before)
    return [f"No longer: {line}" for line in before if line in gone] + [
        f"Now: {line}" for line in after if line in come
    ]
