"""HEALTH: how all games of a GM do."""

from __future__ import annotations

from gm.club.health import health_sections
from gm.desk.desk import Desk, Refusal
from gm.desk.language import Statement


def health(desk: Desk, _statement: Statement) -> str:
    """HEALTH: late, silent, bounced, held, stopped, and the next deadlines of all games that he runs."""
    person = desk.need_person()
    sections = (
        health_sections(desk.session, desk.office, person, all_of_them=desk.operator)
        if desk.scope != "seat"
        else ()
    )
    if not sections:
        raise Refusal("You run no game, or this reply address is that of a player.")
    desk.answers.extend(sections)
    return "how your games do: below"
