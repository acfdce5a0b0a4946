"""A game as one JSON archive: everything for its GM, or what the public may know. Read back, it is a game again.

The form, ``gm-archive/1``, is described in docs/archive.md. An archive with secrets holds the seed, all sheets and all
press; it replays and verifies offline. One without holds public readings, and, once the game is over, all of it but
private press and addresses: the seed is told then anyway.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from gm.games import RULESETS
from gm.games.api import Reading
from gm.games.dice import commitment
from gm.store.tables import Address, Audit, DeadlineChange, Game, PhaseRow, Player, Press, Seat, Sheet
from gm.turns.people import best_address, player_by_email
from gm.turns.record import seen
from gm.turns.settings import settings_of

FORM = "gm-archive/1"


class ArchiveError(ValueError):
    """An archive that can't be read back; the message names the place and what is wrong."""


def export_game(session: Session, game: Game, *, secrets: bool) -> dict[str, Any]:
    """A game as JSON.

    Args:
        secrets: everything, mail addresses and private press too. For the GM's eyes; needed to read it back.
    """
    over = game.status == "finished"
    rows = session.scalars(
        select(PhaseRow).where(PhaseRow.game_id == game.id).order_by(PhaseRow.ordinal, PhaseRow.attempt)
    ).all()
    named = secrets or over or not settings_of(game.settings).anonymous
    return {
        "form": FORM,
        "secrets": secrets,
        "game": {
            "slug": game.slug,
            "title": game.title,
            "ruleset": game.ruleset,
            "rules_version": game.rules_version,
            "options": game.options,
            "settings": game.settings,
            "status": game.status,
            "result": game.result,
            "commitment": commitment(game.seed),
            "seed": game.seed.hex() if secrets or over else None,
            "created_at": _when(game.created_at),
            "started_at": _when(game.started_at),
            "ended_at": _when(game.ended_at),
        },
        "draw": _draw(session, game) if secrets or over else None,
        "seats": [_seat(session, seat, named=named, secrets=secrets) for seat in _seats(session, game)],
        "phases": [
            _phase(session, game, row, whole=secrets or over)
            for row in rows
            if secrets or row.status == "done"
        ],
        "press": [
            _press(row, secrets)
            for row in _all_press(session, game)
            if secrets or (row.audience == ["all"] and row.state == "sent")
        ],
        "deadlines": [_change(row) for row in _changes(session, game)] if secrets else [],
    }


def _when(at: datetime | None) -> str | None:
    return at.isoformat() if at is not None else None


def _seats(session: Session, game: Game) -> list[Seat]:
    return list(session.scalars(select(Seat).where(Seat.game_id == game.id).order_by(Seat.id)))


def _all_press(session: Session, game: Game) -> list[Press]:
    return list(session.scalars(select(Press).where(Press.game_id == game.id).order_by(Press.id)))


def _changes(session: Session, game: Game) -> list[DeadlineChange]:
    return list(
        session.scalars(
            select(DeadlineChange).where(DeadlineChange.game_id == game.id).order_by(DeadlineChange.id)
        )
    )


def _draw(session: Session, game: Game) -> dict[str, Any] | None:
    """How powers were drawn: the record that `gm verify` checks."""
    row = session.scalar(select(Audit).where(Audit.game_id == game.id, Audit.action == "start"))
    return dict(row.detail) if row is not None else None


def _seat(session: Session, seat: Seat, *, named: bool, secrets: bool) -> dict[str, Any]:
    player = session.get_one(Player, seat.player_id)
    address = best_address(session, player) if secrets else ""
    return {
        "power": seat.power,
        "player": player.name if named else "",
        "address": address or None,
        "joined_at": _when(seat.joined_at),
        "left_at": _when(seat.left_at),
        "left_why": seat.left_why,
    }


def _phase(session: Session, game: Game, row: PhaseRow, *, whole: bool) -> dict[str, Any]:
    told: dict[str, Any] = {
        "ordinal": row.ordinal,
        "attempt": row.attempt,
        "name": row.name,
        "title": row.title,
        "kind": row.kind,
        "status": row.status,
        "opened_at": _when(row.opened_at),
        "due_at": _when(row.due_at),
        "done_at": _when(row.done_at),
    }
    if whole:
        sheets = session.scalars(
            select(Sheet).where(Sheet.phase_id == row.id).order_by(Sheet.power, Sheet.version)
        )
        return told | {
            "state": row.state,
            "edit": row.edit,
            "after": row.after,
            "sheets": row.sheets,
            "dice": row.dice,
            "results": row.results,
            "versions": [
                {
                    "power": s.power,
                    "version": s.version,
                    "orders": s.orders,
                    "received_at": _when(s.received_at),
                }
                for s in sheets
            ],
        }
    _before, after, reading = seen(game, row, None)
    return told | {"view": dict(after.data), "results": _public(reading)}


def _public(reading: Reading) -> dict[str, Any]:
    """A reading as JSON: verdicts that the reader may not know are null."""
    return {
        "orders": [
            {"power": o.power, "order": o.order, "result": o.result, "reason": o.reason, "rule": o.rule}
            for o in reading.orders
        ],
        "events": [{"kind": e.kind, "text": e.text, "rule": e.rule} for e in reading.events],
    }


def _press(row: Press, secrets: bool) -> dict[str, Any]:
    return {
        "sender": row.sender if secrets or row.kind != "grey" else None,
        "kind": row.kind,
        "audience": row.audience,
        "body": row.body,
        "sent_at": _when(row.sent_at),
        **({"state": row.state} if row.state != "sent" else {}),
    }


def _change(row: DeadlineChange) -> dict[str, Any]:
    return {
        "old": _when(row.old_due_at),
        "new": _when(row.new_due_at),
        "cause": row.cause,
        "actor": row.actor,
        "at": _when(row.changed_at),
    }


# --- back in -------------------------------------------------------------------------------------------------


def import_game(session: Session, archive: Mapping[str, Any], *, slug: str, now: datetime) -> Game:
    """A game from an archive with secrets, under a name that is free. It comes in paused; its GM resumes it.

    Players are found by address, or made anew. Deadlines do not run until the game is resumed.

    Raises:
        ArchiveError: not an archive of this form, without secrets, of an unknown ruleset, or the name is taken.
    """
    game = _new_game(session, archive, slug, now)
    players: dict[str, Player] = {}
    for seat in archive["seats"]:
        player = _player(session, seat, players, now)
        session.add(
            Seat(
                game_id=game.id,
                power=seat["power"],
                player_id=player.id,
                joined_at=_instant(seat["joined_at"]) or now,
                left_at=_instant(seat["left_at"]),
                left_why=seat["left_why"],
            )
        )
        session.flush()
    for stored in archive["phases"]:
        _phase_back(session, game, stored, players, now)
    for row in archive["press"]:
        session.add(
            Press(
                game_id=game.id,
                sender=row["sender"],
                kind=row["kind"],
                audience=row["audience"],
                body=row["body"],
                state=row.get("state", "sent"),
                sent_at=_instant(row["sent_at"]) or now,
            )
        )
    session.add(
        Audit(
            game_id=game.id, actor="server", action="import", detail={"from": archive["game"]["slug"]}, at=now
        )
    )
    if archive.get("draw"):
        session.add(Audit(game_id=game.id, actor="server", action="start", detail=archive["draw"], at=now))
    session.flush()
    return game


def _new_game(session: Session, archive: Mapping[str, Any], slug: str, now: datetime) -> Game:
    if archive.get("form") != FORM:
        raise ArchiveError(f"form is {archive.get('form')!r}; this program reads {FORM!r}")
    if not archive.get("secrets"):
        raise ArchiveError(
            "this archive has no secrets in it, so no game can be made of it; export with --secrets"
        )
    head = archive["game"]
    if head["ruleset"] not in RULESETS:
        raise ArchiveError(
            f"game.ruleset: there is no ruleset {head['ruleset']!r}; there are: {', '.join(RULESETS)}"
        )
    if session.scalar(select(Game.id).where(Game.slug == slug)) is not None:
        raise ArchiveError(f"there is a game {slug!r} already; give another name with --name")
    game = Game(
        slug=slug,
        title=head["title"],
        ruleset=head["ruleset"],
        rules_version=head["rules_version"],
        options=head["options"],
        settings=head["settings"],
        status="finished" if head["status"] == "finished" else "paused",
        seed=bytes.fromhex(head["seed"]),
        result=head["result"],
        created_at=_instant(head["created_at"]) or now,
        started_at=_instant(head["started_at"]),
        ended_at=_instant(head["ended_at"]),
    )
    session.add(game)
    session.flush()
    return game


def _instant(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _player(session: Session, seat: Mapping[str, Any], made: dict[str, Player], now: datetime) -> Player:
    email = seat.get("address")
    key = email or f"{seat['player']}|{seat['power']}"
    if key in made:
        return made[key]
    player = player_by_email(session, email) if email else None
    if player is None:
        player = Player(name=seat["player"] or seat["power"], created_at=now)
        session.add(player)
        session.flush()
        if email:
            session.add(Address(player_id=player.id, email=email, created_at=now))
    made[key] = player
    return player


def _phase_back(
    session: Session, game: Game, stored: Mapping[str, Any], players: Mapping[str, Player], now: datetime
) -> None:
    row = PhaseRow(
        game_id=game.id,
        ordinal=stored["ordinal"],
        attempt=stored["attempt"],
        name=stored["name"],
        title=stored["title"],
        kind=stored["kind"],
        status=stored["status"],
        state=stored["state"],
        edit=stored["edit"],
        after=stored["after"],
        sheets=stored["sheets"],
        dice=stored["dice"],
        results=stored["results"],
        opened_at=_instant(stored["opened_at"]) or now,
        due_at=None if stored["status"] == "open" else _instant(stored["due_at"]),
        done_at=_instant(stored["done_at"]),
    )
    session.add(row)
    session.flush()
    owner = next(iter(players.values()))
    holders = {
        seat.power: seat.player_id
        for seat in session.scalars(select(Seat).where(Seat.game_id == game.id).order_by(Seat.id))
    }
    for sheet in stored["versions"]:
        session.add(
            Sheet(
                phase_id=row.id,
                power=sheet["power"],
                version=sheet["version"],
                orders=sheet["orders"],
                source="player",
                player_id=holders.get(sheet["power"], owner.id),
                received_at=_instant(sheet["received_at"]) or now,
            )
        )
