"""The zine: an erratum may name a game and an issue; an answer names its letter."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("contribution") as batch_op:
        batch_op.add_column(sa.Column("game_id", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("corrects", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("answers_id", sa.Integer(), nullable=True))
        batch_op.create_foreign_key(
            "fk_contribution_game_id_game", "game", ["game_id"], ["id"], ondelete="SET NULL"
        )
        batch_op.create_foreign_key(
            "fk_contribution_answers_id_contribution",
            "contribution",
            ["answers_id"],
            ["id"],
            ondelete="CASCADE",
        )


def downgrade() -> None:
    with op.batch_alter_table("contribution") as batch_op:
        batch_op.drop_constraint("fk_contribution_answers_id_contribution", type_="foreignkey")
        batch_op.drop_constraint("fk_contribution_game_id_game", type_="foreignkey")
        batch_op.drop_column("answers_id")
        batch_op.drop_column("corrects")
        batch_op.drop_column("game_id")
