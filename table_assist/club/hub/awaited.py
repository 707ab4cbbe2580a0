"""Codes that a director has typed before their table asked.

Strangers may fill the places of tables that ask, and must not keep a table out.
"""

import json
import re
import time

from sqlalchemy import Connection, delete, insert, select

from table_assist.club.hub.schema import about

WAITS_S = 300.0
_NAME = "awaited codes"
_CODE = re.compile(r"[A-Z2-7]{5}-[A-Z2-7]{5}")


def await_code(connection: Connection, code: str, name: str) -> bool:
    """Keep a code for five minutes; False where it cannot be one."""
    if not _CODE.fullmatch(code):
        return False
    _write(connection, _awaited(connection) | {code: (name, time.time() + WAITS_S)})
    return True


def taken_name(connection: Connection, code: str) -> str | None:
    """The name that was given to this code, which is used up; None where nobody typed it."""
    known = _awaited(connection)
    found = known.pop(code, None)
    if found is None:
        return None
    _write(connection, known)
    return found[0]


def _awaited(connection: Connection) -> dict[str, tuple[str, float]]:
    said = connection.execute(select(about.c.value).where(about.c.name == _NAME)).scalar()
    kept = json.loads(said) if said else {}
    return {code: (name, until) for code, (name, until) in kept.items() if until > time.time()}


def _write(connection: Connection, codes: dict[str, tuple[str, float]]) -> None:
    connection.execute(delete(about).where(about.c.name == _NAME))
    if codes:
        connection.execute(insert(about).values(name=_NAME, value=json.dumps(codes)))
