"""Tournaments and seasons: several sessions together."""

import sqlalchemy as sa
from alembic import op

revision = "4"
down_revision = "3"


def upgrade() -> None:
    """Make their table."""
    op.create_table(
        "series",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("sessions", sa.Text(), nullable=False),
        sa.Column("since", sa.Float(), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.Column("by", sa.String(length=80), nullable=False),
        sa.Column("undone", sa.String(length=80), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
