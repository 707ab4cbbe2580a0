"""Each minute the hub signs how far every log has come: whoever noted it can hold the hub to it."""

import json
import threading
import time
from typing import Any

from sqlalchemy import Engine, select
from sqlalchemy.exc import SQLAlchemyError

from table_assist.club.hub.alarms import new_rows
from table_assist.club.hub.base import reading
from table_assist.club.hub.schema import entries, heads, logs, tables
from table_assist.languages.words import NOTHING, Words
from table_assist.trust.installation import InstallationKey, signer_of

PURPOSE = "club heads"
MINUTE_S = 60


def note_heads(base: Engine, key: InstallationKey, now_s: float) -> None:
    """Keep the heads of this minute, unless another process has."""
    minute = int(now_s // MINUTE_S)
    with base.begin() as connection:
        query = select(tables.c.key, logs.c.epoch, logs.c.have, logs.c.seal).join(
            tables, tables.c.id == logs.c.table_id
        )
        rows = sorted(
            [key, epoch, have, seal] for key, epoch, have, seal in connection.execute(query)
        )
        said = json.dumps(rows)
        signature = key.sign(PURPOSE, f"{minute}\n{said}".encode()).decode()
        given = {"minute": minute, "heads": said, "signature": signature}
        connection.execute(new_rows(connection, heads).values(**given))


def latest_heads(base: Engine) -> dict[str, Any] | None:
    """The newest minute, as anybody may note it; None before the first."""
    with reading(base) as connection:
        row = connection.execute(
            select(heads).order_by(heads.c.minute.desc()).limit(1)
        ).one_or_none()
    if row is None:
        return None
    return {"minute": row.minute, "heads": json.loads(row.heads), "signature": row.signature}


def heads_hold(base: Engine, key: InstallationKey) -> tuple[int, Words]:
    """How many minutes were noted, and the first that the entries do not bear out; else nothing."""
    with reading(base) as connection:
        stored = {
            (row.key, row.epoch, row.seq): row.seal
            for row in connection.execute(
                select(tables.c.key, logs.c.epoch, entries.c.seq, entries.c.seal)
                .join(logs, logs.c.table_id == tables.c.id)
                .join(entries, entries.c.log == logs.c.id)
            )
        }
        count = 0
        for row in connection.execute(select(heads).order_by(heads.c.minute)):
            count += 1
            signed = f"{row.minute}\n{row.heads}".encode()
            if signer_of(row.signature.encode(), PURPOSE, signed) != key.public:
                return count, Words(
                    "the heads of minute {minute} are not signed by this hub",
                    "第 {minute} 分钟的记录没有本中心的签名",
                    minute=row.minute,
                )
            for table, epoch, have, seal in json.loads(row.heads):
                if have and stored.get((table, epoch, have)) != seal:
                    return count, Words(
                        "entry {have} is not the one noted in minute {minute}",
                        "第 {have} 条与第 {minute} 分钟所记不同",
                        have=have,
                        minute=row.minute,
                    )
    return count, NOTHING


class Noting:
    """Notes the heads once a minute in a thread of its own."""

    def __init__(self, base: Engine, key: InstallationKey) -> None:
        self._base, self._key = base, key
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heads", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(MINUTE_S - time.time() % MINUTE_S):
            try:
                note_heads(self._base, self._key, time.time())
            except SQLAlchemyError:
                continue  # the database is away: the next minute is another
