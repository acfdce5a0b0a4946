"""The first tables: people, games, phases, orders, mail."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "campaign",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(length=64), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_campaign"),
        sa.UniqueConstraint("slug", name="uq_campaign_slug"),
    )
    op.create_table(
        "inbound",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("identity", sa.String(length=64), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("message_id", sa.String(length=250), nullable=True),
        sa.Column("clash_id", sa.Integer(), nullable=True),
        sa.Column("envelope_from", sa.Text(), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("peer", sa.String(length=64), nullable=False),
        sa.Column("via", sa.String(length=8), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=True),
        # Last, because SQLite reads all of a long value to come to the columns behind it.
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["clash_id"], ["inbound.id"], name="fk_inbound_clash_id_inbound"),
        sa.PrimaryKeyConstraint("id", name="pk_inbound"),
        sa.UniqueConstraint("identity", name="uq_inbound_identity"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_inbound_message_id", "inbound", ["message_id"], unique=False)
    op.create_index("ix_inbound_status", "inbound", ["status", "id"], unique=False)
    op.create_table(
        "once",
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_once"),
    )
    op.create_table(
        "player",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_player"),
    )
    op.create_table(
        "server_fact",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_server_fact"),
    )
    op.create_table(
        "address",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("email", sa.String(length=320), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("soft_bounces", sa.Integer(), nullable=False),
        sa.Column("bounced_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name="fk_address_player_id_player", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_address"),
        sa.UniqueConstraint("email", name="uq_address_email"),
    )
    op.create_index("ix_address_player_id", "address", ["player_id"], unique=False)
    op.create_table(
        "game",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(length=64), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("campaign_id", sa.Integer(), nullable=True),
        sa.Column("ruleset", sa.String(length=64), nullable=False),
        sa.Column("rules_version", sa.String(length=32), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("trace", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["campaign_id"], ["campaign.id"], name="fk_game_campaign_id_campaign"),
        sa.PrimaryKeyConstraint("id", name="pk_game"),
        sa.UniqueConstraint("slug", name="uq_game_slug"),
    )
    op.create_index("ix_game_campaign_id", "game", ["campaign_id"], unique=False)
    op.create_index("ix_game_status", "game", ["status"], unique=False)
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("actor", sa.String(length=64), nullable=False),
        sa.Column("action", sa.String(length=64), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_audit_game_id_game", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_audit"),
    )
    op.create_index("ix_audit_game_id", "audit", ["game_id"], unique=False)
    op.create_table(
        "game_gm",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_game_gm_game_id_game", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_game_gm_player_id_player"),
        sa.PrimaryKeyConstraint("id", name="pk_game_gm"),
        sa.UniqueConstraint("game_id", "player_id", name="uq_game_gm_game_id_player_id"),
    )
    op.create_index("ix_game_gm_player_id", "game_gm", ["player_id"], unique=False)
    op.create_table(
        "phase",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("grace_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("early_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("reminded_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("late_told_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=True),
        # Last, because SQLite reads all of a long value to come to the columns behind it.
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("after", sa.Text(), nullable=True),
        sa.Column("sheets", sa.Text(), nullable=True),
        sa.Column("dice", sa.Text(), nullable=True),
        sa.Column("results", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_phase_game_id_game", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_phase"),
        sa.UniqueConstraint("game_id", "ordinal", "attempt", name="uq_phase_game_id_ordinal_attempt"),
    )
    op.create_index("ix_phase_due", "phase", ["status", "due_at"], unique=False)
    op.create_index("ix_phase_game_id", "phase", ["game_id"], unique=False)
    op.create_index(
        "uq_phase_open",
        "phase",
        ["game_id"],
        unique=True,
        sqlite_where=sa.text("status = 'open'"),
        postgresql_where=sa.text("status = 'open'"),
    )
    op.create_table(
        "credential",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("nonce", sa.LargeBinary(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("power", sa.String(length=64), nullable=True),
        sa.Column("phase_id", sa.Integer(), nullable=True),
        sa.Column("payload", sa.Text(), nullable=True),
        sa.Column("issued_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["game_id"], ["game.id"], name="fk_credential_game_id_game", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["phase_id"], ["phase.id"], name="fk_credential_phase_id_phase", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_credential_player_id_player"),
        sa.PrimaryKeyConstraint("id", name="pk_credential"),
        sa.UniqueConstraint("token_hash", name="uq_credential_token_hash"),
    )
    op.create_index("ix_credential_game_id", "credential", ["game_id"], unique=False)
    op.create_index("ix_credential_player_id", "credential", ["player_id"], unique=False)
    op.create_table(
        "seat",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("power", sa.String(length=64), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("left_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("left_why", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_seat_game_id_game", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_seat_player_id_player"),
        sa.PrimaryKeyConstraint("id", name="pk_seat"),
    )
    op.create_index("ix_seat_game_id", "seat", ["game_id"], unique=False)
    op.create_index("ix_seat_player_id", "seat", ["player_id"], unique=False)
    op.create_index(
        "uq_seat_current",
        "seat",
        ["game_id", "power"],
        unique=True,
        sqlite_where=sa.text("left_at IS NULL"),
        postgresql_where=sa.text("left_at IS NULL"),
    )
    op.create_table(
        "sign_up",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(length=16), nullable=False),
        sa.Column("preferences", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_sign_up_game_id_game", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_sign_up_player_id_player"),
        sa.PrimaryKeyConstraint("id", name="pk_sign_up"),
        sa.UniqueConstraint("game_id", "player_id", name="uq_sign_up_game_id_player_id"),
    )
    op.create_index("ix_sign_up_player_id", "sign_up", ["player_id"], unique=False)
    op.create_table(
        "vote",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("power", sa.String(length=64), nullable=False),
        sa.Column("motion", sa.Text(), nullable=False),
        sa.Column("cast_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_vote_game_id_game", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_vote"),
        sa.UniqueConstraint("game_id", "power", "motion", name="uq_vote_game_id_power_motion"),
    )
    op.create_table(
        "deadline_change",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("phase_id", sa.Integer(), nullable=True),
        sa.Column("old_due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("new_due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("cause", sa.Text(), nullable=False),
        sa.Column("actor", sa.String(length=64), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["game.id"], name="fk_deadline_change_game_id_game", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["phase_id"], ["phase.id"], name="fk_deadline_change_phase_id_phase", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_deadline_change"),
    )
    op.create_index("ix_deadline_change_game_id", "deadline_change", ["game_id"], unique=False)
    op.create_table(
        "flag",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("phase_id", sa.Integer(), nullable=False),
        sa.Column("power", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=16), nullable=False),
        sa.Column("set_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["phase_id"], ["phase.id"], name="fk_flag_phase_id_phase", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_flag"),
        sa.UniqueConstraint("phase_id", "power", "name", name="uq_flag_phase_id_power_name"),
    )
    op.create_table(
        "outbound",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.String(length=250), nullable=False),
        sa.Column("verp", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("phase_id", sa.Integer(), nullable=True),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("power", sa.String(length=64), nullable=True),
        sa.Column("inbound_id", sa.Integer(), nullable=True),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("held_why", sa.String(length=12), nullable=True),
        sa.Column("released_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_try_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("leased_by", sa.String(length=80), nullable=True),
        sa.Column("reply", sa.Text(), nullable=True),
        sa.Column("queued_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        # Last, because SQLite reads all of a long value to come to the columns behind it.
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["game.id"], name="fk_outbound_game_id_game", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["inbound_id"], ["inbound.id"], name="fk_outbound_inbound_id_inbound"),
        sa.ForeignKeyConstraint(
            ["phase_id"], ["phase.id"], name="fk_outbound_phase_id_phase", ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_outbound_player_id_player"),
        sa.PrimaryKeyConstraint("id", name="pk_outbound"),
        sa.UniqueConstraint("message_id", name="uq_outbound_message_id"),
        sa.UniqueConstraint("verp", name="uq_outbound_verp"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_outbound_queued", "outbound", ["queued_at", "game_id", "released_at"], unique=False)
    op.create_index("ix_outbound_player_id", "outbound", ["player_id"], unique=False)
    op.create_index("ix_outbound_recipient", "outbound", ["recipient"], unique=False)
    op.create_index("ix_outbound_status", "outbound", ["status", "next_try_at"], unique=False)
    op.create_table(
        "press",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("phase_id", sa.Integer(), nullable=True),
        sa.Column("sender", sa.String(length=64), nullable=True),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("audience", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("inbound_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_press_game_id_game", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["inbound_id"], ["inbound.id"], name="fk_press_inbound_id_inbound"),
        sa.ForeignKeyConstraint(["phase_id"], ["phase.id"], name="fk_press_phase_id_phase"),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_press_player_id_player"),
        sa.PrimaryKeyConstraint("id", name="pk_press"),
    )
    op.create_index("ix_press_game_id", "press", ["game_id"], unique=False)
    op.create_table(
        "sheet",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("phase_id", sa.Integer(), nullable=False),
        sa.Column("power", sa.String(length=64), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("orders", sa.Text(), nullable=False),
        sa.Column("source", sa.String(length=16), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("inbound_id", sa.Integer(), nullable=True),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["inbound_id"], ["inbound.id"], name="fk_sheet_inbound_id_inbound"),
        sa.ForeignKeyConstraint(
            ["phase_id"], ["phase.id"], name="fk_sheet_phase_id_phase", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_sheet_player_id_player"),
        sa.PrimaryKeyConstraint("id", name="pk_sheet"),
        sa.UniqueConstraint("phase_id", "power", "version", name="uq_sheet_phase_id_power_version"),
    )


def downgrade() -> None:
    op.drop_index("ix_credential_player_id", table_name="credential")
    op.drop_index("ix_credential_game_id", table_name="credential")
    op.drop_table("credential")
    op.drop_table("sheet")
    op.drop_index("ix_press_game_id", table_name="press")
    op.drop_table("press")
    op.drop_index("ix_outbound_status", table_name="outbound")
    op.drop_index("ix_outbound_recipient", table_name="outbound")
    op.drop_index("ix_outbound_player_id", table_name="outbound")
    op.drop_index("ix_outbound_queued", table_name="outbound")
    op.drop_table("outbound")
    op.drop_table("flag")
    op.drop_index("ix_deadline_change_game_id", table_name="deadline_change")
    op.drop_table("deadline_change")
    op.drop_table("vote")
    op.drop_index("ix_sign_up_player_id", table_name="sign_up")
    op.drop_table("sign_up")
    op.drop_index(
        "uq_seat_current",
        table_name="seat",
        sqlite_where=sa.text("left_at IS NULL"),
        postgresql_where=sa.text("left_at IS NULL"),
    )
    op.drop_index("ix_seat_player_id", table_name="seat")
    op.drop_index("ix_seat_game_id", table_name="seat")
    op.drop_table("seat")
    op.drop_index(
        "uq_phase_open",
        table_name="phase",
        sqlite_where=sa.text("status = 'open'"),
        postgresql_where=sa.text("status = 'open'"),
    )
    op.drop_index("ix_phase_game_id", table_name="phase")
    op.drop_index("ix_phase_due", table_name="phase")
    op.drop_table("phase")
    op.drop_index("ix_game_gm_player_id", table_name="game_gm")
    op.drop_table("game_gm")
    op.drop_index("ix_audit_game_id", table_name="audit")
    op.drop_table("audit")
    op.drop_index("ix_game_status", table_name="game")
    op.drop_index("ix_game_campaign_id", table_name="game")
    op.drop_table("game")
    op.drop_index("ix_address_player_id", table_name="address")
    op.drop_table("address")
    op.drop_table("server_fact")
    op.drop_table("player")
    op.drop_table("once")
    op.drop_index("ix_inbound_status", table_name="inbound")
    op.drop_index("ix_inbound_message_id", table_name="inbound")
    op.drop_table("inbound")
    op.drop_table("campaign")
