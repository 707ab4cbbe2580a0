"""Numbers that are never given twice need room; a command that comes again is known by its key."""

import sqlalchemy as sa
from alembic import op

revision = "8"
down_revision = "7"

OWN = ("acts", "players", "series", "sessions", "tables")
OTHERS = {
    "acts": ("session_id", "undoes"),
    "corrections": ("session_id", "player_id"),
    "plans": ("session_id",),
    **{name: ("table_id",) for name in ("logs", "alarms", "orders", "calls", "files", "pictures")},
}


def upgrade() -> None:
    """Widen them (SQLite has the room already), and make the table of keys."""
    if op.get_bind().dialect.name == "postgresql":
        for name in OWN:
            op.execute(f"ALTER TABLE {name} ALTER id DROP DEFAULT, ALTER id TYPE BIGINT")
        for name, columns in OTHERS.items():
            wider = ", ".join(f"ALTER {column} TYPE BIGINT" for column in columns)
            op.execute(f"ALTER TABLE {name} {wider}")
    op.create_table(
        "commands",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
