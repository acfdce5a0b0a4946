"""Alembic's entry. The connection comes from `gm.store.migrating`: one transaction round all steps."""

from alembic import context

from gm.store.db import METADATA

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=METADATA,
    render_as_batch=True,
    compare_type=True,
    compare_server_default=True,
)
with context.begin_transaction():
    context.run_migrations()
