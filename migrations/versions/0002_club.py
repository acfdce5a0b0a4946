"""The club around the games: campaigns and their people, absences, standbys, the zine; press that waits."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "campaign_gm",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name="fk_campaign_gm_campaign_id_campaign", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_campaign_gm_player_id_player"),
        sa.PrimaryKeyConstraint("id", name="pk_campaign_gm"),
        sa.UniqueConstraint("campaign_id", "player_id", name="uq_campaign_gm_campaign_id_player_id"),
    )
    with op.batch_alter_table("campaign_gm") as batch_op:
        batch_op.create_index("ix_campaign_gm_player_id", ["player_id"], unique=False)

    op.create_table(
        "issue",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("pdf", sa.LargeBinary(), nullable=True),
        sa.Column("published_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name="fk_issue_campaign_id_campaign", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_issue"),
        sa.UniqueConstraint("campaign_id", "number", name="uq_issue_campaign_id_number"),
    )
    op.create_table(
        "roster",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("wish", sa.Text(), nullable=False),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name="fk_roster_campaign_id_campaign", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_roster_player_id_player"),
        sa.PrimaryKeyConstraint("id", name="pk_roster"),
        sa.UniqueConstraint("campaign_id", "player_id", "role", name="uq_roster_campaign_id_player_id_role"),
    )
    with op.batch_alter_table("roster") as batch_op:
        batch_op.create_index("ix_roster_player_id", ["player_id"], unique=False)

    op.create_table(
        "absence",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("from_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("to_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("deputy_id", sa.Integer(), nullable=True),
        sa.Column("scope", sa.String(length=16), nullable=False),
        sa.Column("deputy_state", sa.String(length=16), nullable=False),
        sa.Column("cancelled_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["deputy_id"], ["player.id"], name="fk_absence_deputy_id_player"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_absence_game_id_game", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name="fk_absence_player_id_player", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_absence"),
    )
    with op.batch_alter_table("absence") as batch_op:
        batch_op.create_index("ix_absence_player_id", ["player_id"], unique=False)

    op.create_table(
        "contribution",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("byline", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("issue_id", sa.Integer(), nullable=True),
        sa.Column("inbound_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["campaign_id"], ["campaign.id"], name="fk_contribution_campaign_id_campaign", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["inbound_id"], ["inbound.id"], name="fk_contribution_inbound_id_inbound"),
        sa.ForeignKeyConstraint(["issue_id"], ["issue.id"], name="fk_contribution_issue_id_issue"),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_contribution_player_id_player"),
        sa.PrimaryKeyConstraint("id", name="pk_contribution"),
    )
    with op.batch_alter_table("contribution") as batch_op:
        batch_op.create_index("ix_contribution_campaign_id", ["campaign_id"], unique=False)

    op.create_table(
        "seat_offer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("power", sa.String(length=64), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("offered_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["game.id"], name="fk_seat_offer_game_id_game", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_seat_offer_player_id_player"),
        sa.PrimaryKeyConstraint("id", name="pk_seat_offer"),
    )
    with op.batch_alter_table("seat_offer") as batch_op:
        batch_op.create_index("ix_seat_offer_player_id", ["player_id"], unique=False)
        batch_op.create_index(
            "uq_seat_offer_open",
            ["game_id", "power"],
            unique=True,
            sqlite_where=sa.text("state = 'open'"),
            postgresql_where=sa.text("state = 'open'"),
        )

    with op.batch_alter_table("campaign") as batch_op:
        batch_op.add_column(sa.Column("settings", sa.Text(), server_default="{}", nullable=False))
        batch_op.add_column(sa.Column("issue_due_at", sa.DateTime(timezone=True), nullable=True))

    with op.batch_alter_table("phase") as batch_op:
        batch_op.add_column(sa.Column("edit", sa.Text(), nullable=True))

    with op.batch_alter_table("press") as batch_op:
        batch_op.add_column(sa.Column("state", sa.String(length=16), server_default="sent", nullable=False))
        batch_op.add_column(sa.Column("number", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("deliver_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("press") as batch_op:
        batch_op.drop_column("deliver_at")
        batch_op.drop_column("number")
        batch_op.drop_column("state")

    with op.batch_alter_table("phase") as batch_op:
        batch_op.drop_column("edit")

    with op.batch_alter_table("campaign") as batch_op:
        batch_op.drop_column("issue_due_at")
        batch_op.drop_column("settings")

    with op.batch_alter_table("seat_offer") as batch_op:
        batch_op.drop_index(
            "uq_seat_offer_open",
            sqlite_where=sa.text("state = 'open'"),
            postgresql_where=sa.text("state = 'open'"),
        )
        batch_op.drop_index("ix_seat_offer_player_id")

    op.drop_table("seat_offer")
    with op.batch_alter_table("contribution") as batch_op:
        batch_op.drop_index("ix_contribution_campaign_id")

    op.drop_table("contribution")
    with op.batch_alter_table("absence") as batch_op:
        batch_op.drop_index("ix_absence_player_id")

    op.drop_table("absence")
    with op.batch_alter_table("roster") as batch_op:
        batch_op.drop_index("ix_roster_player_id")

    op.drop_table("roster")
    op.drop_table("issue")
    with op.batch_alter_table("campaign_gm") as batch_op:
        batch_op.drop_index("ix_campaign_gm_player_id")

    op.drop_table("campaign_gm")
