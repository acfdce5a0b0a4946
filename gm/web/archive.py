"""Games of the store as the public may know them, for the zine's pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import select
from sqlalchemy.orm import Session

from gm.clock.words import in_zone
from gm.games import ruleset
from gm.games.dice import commitment
from gm.reports.zine import Zine, ZineGame, ZinePhase
from gm.store.tables import Game, PhaseRow
from gm.turns.publicly import deadline_text, done_phases, public_map, state_text
from gm.turns.record import seen
from gm.turns.reportmail import gm_notes, public_press, standings
from gm.turns.settings import settings_of


def all_games(session: Session) -> list[Game]:
    """Every game: those that wait or run first, newest first."""
    games = session.scalars(select(Game).order_by(Game.id.desc()))
    return sorted(games, key=lambda game: game.status == "finished")


def game_named(session: Session, slug: str) -> Game | None:
    """The game of this name, or None."""
    return session.scalar(select(Game).where(Game.slug == slug))


def issue(session: Session, game: Game, phase: PhaseRow) -> ZinePhase:
    """A phase that was run, as the public may know it. Its map is left to `public_map`."""
    before, after, reading = seen(game, phase, None)
    report = ruleset(game.ruleset).report(before, after, reading)
    return ZinePhase(
        number=phase.ordinal,
        title=phase.title,
        headline=report.headline,
        date=in_zone(phase.done_at, settings_of(game.settings).zone) if phase.done_at else "",
        sections=tuple(section for section in report.sections if not section.private),
        map_elsewhere=True,
        standings=standings(session, game, after),
        press=public_press(session, game, phase),
        notes=gm_notes(session, game, phase),
    )


def public_game(session: Session, game: Game, issues: Sequence[ZinePhase]) -> ZineGame:
    """A game with the issues given."""
    rules = ruleset(game.ruleset)
    return ZineGame(
        slug=game.slug,
        title=game.title,
        ruleset=rules.meta.title,
        phases=tuple(issues),
        colours=tuple((power.name, power.colour) for power in rules.meta.powers),
        state=state_text(session, game),
        deadline=deadline_text(session, game),
        about=_about(game),
    )


def public_zine(session: Session, title: str, games: Sequence[Game], *, tagline: str = "") -> Zine:
    """Whole games with every issue and map, to be written by `gm.reports.zine.write_zine`."""
    return Zine(
        title=title,
        tagline=tagline,
        games=tuple(
            public_game(
                session,
                game,
                [
                    replace(issue(session, game, phase), svg=public_map(game, phase))
                    for phase in done_phases(session, game)
                ],
            )
            for game in games
        ),
    )


def _about(game: Game) -> tuple[str, ...]:
    meta = ruleset(game.ruleset).meta
    house = ", ".join(f"{option.name} {_word(game.options[option.name])}" for option in meta.options)
    dice = f"SHA-256 of the seed of the dice: {commitment(game.seed)}."
    if game.status == "finished":
        dice += f" The seed was {game.seed.hex()}."
    return (*((f"House rules: {house}.",) if house else ()), dice, *meta.credits.splitlines())


def _word(value: bool | int | str) -> str:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)
