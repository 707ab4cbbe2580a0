"""Numbers of players, sessions and acts: never given twice, even where a database was set back.

Signed orders in the tables' logs speak of people by number. Were the numbers counted, a restored
hub would give those of a lost evening to other people, and to them its points.
"""

import secrets
import time
from typing import Any

from sqlalchemy import BigInteger, Column, Integer, Table, func, select

MOST = (1 << 53) - 1  # what every reader of JSON holds exactly
NUMBER = BigInteger().with_variant(Integer(), "sqlite")
_BEGIN_S = 1_735_689_600  # 2025-01-01
_CHANCE_BITS = 22
_STEP = 1 << 12


def drawn(newest: int, now_s: float) -> int:
    """The next number: the second it was given, and chance; always more than the newest one.

    So the database orders them, whatever a clock says.

    >>> drawn(0, 1_800_000_000.0) >> 22
    64310400
    >>> 5 << 40 < drawn(5 << 40, 0.0) <= (5 << 40) + 4096
    True
    """
    at = (int(now_s) - _BEGIN_S << _CHANCE_BITS) + secrets.randbits(_CHANCE_BITS)
    return at if at > newest else newest + 1 + secrets.randbelow(_STEP)


def given_s(number: int) -> float:
    """When a number was given, seconds since the epoch."""
    return float((number >> _CHANCE_BITS) + _BEGIN_S)


def numbered() -> Column[int]:
    """The column of such numbers; whoever adds a row gets the next one."""

    def following(context: Any) -> int:
        table: Table = column.table
        newest = context.connection.execute(select(func.max(table.c.id))).scalar()
        return drawn(newest or 0, time.time())

    column = Column("id", NUMBER, primary_key=True, autoincrement=False, default=following)
    return column
