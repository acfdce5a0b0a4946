"""Statements of every mail, by table and column instead of entity: half the work where nobody needs an object."""

from __future__ import annotations

from typing import cast

from sqlalchemy import Connection, Table
from sqlalchemy.orm import Session

from gm.store.tables import Base


def table(entity: type[Base]) -> Table:
    """The table of an entity. A statement made of its columns gives plain rows."""
    return cast("Table", entity.__table__)


def plainly(session: Session) -> Connection:
    """The connection of a session, for statements made of tables; what the session has pending is written first."""
    session.flush()
    return session.connection()
