"""Decisions of the desk become a list of acts; corrections that stand are on it."""

import json

import sqlalchemy as sa
from alembic import op

revision = "3"
down_revision = "2"


def upgrade() -> None:
    """Make their table."""
    acts = op.create_table(
        "acts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("session_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("by", sa.String(length=80), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("undoes", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["undoes"], ["acts.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("undoes", name="undone_once"),
    )
    given = op.get_bind().execute(
        sa.text(
            'SELECT id, session_id, player_id, points, reason, "by", at FROM corrections '
            "WHERE undone = '' ORDER BY id"
        )
    )
    for row in given.all():
        content = {
            "correction": row.id, "player": row.player_id, "points": row.points,
            "reason": row.reason,
        }  # fmt: skip
        values = {
            "session_id": row.session_id, "kind": "correct", "by": row.by, "at": row.at,
            "content": json.dumps(content, ensure_ascii=False),
        }  # fmt: skip
        op.get_bind().execute(sa.insert(acts).values(**values))
