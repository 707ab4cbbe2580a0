"""An order's kind stands beside it."""

import json

import sqlalchemy as sa
from alembic import op

revision = "7"
down_revision = "6"


def upgrade() -> None:
    """Add the column, and fill it from the orders themselves."""
    kind = sa.Column("kind", sa.String(length=16), nullable=False, server_default="")
    op.add_column("orders", kind)
    orders = sa.table("orders", sa.column("id"), sa.column("order"), sa.column("kind"))
    bind = op.get_bind()
    known = bind.execute(sa.select(orders.c.id, orders.c.order)).all()
    rows = [{"b_id": row.id, "b_kind": json.loads(row.order)["kind"]} for row in known]
    if rows:
        own = orders.c.id == sa.bindparam("b_id")
        bind.execute(sa.update(orders).where(own).values(kind=sa.bindparam("b_kind")), rows)
