"""Tables of the hall as they were some seconds ago, for streams whose pictures come late.

As at a table itself (`web.api.past`) nothing is kept before somebody asks for it, and what is
younger than a delay is in nothing that it gives.
"""

import threading
import time
from bisect import bisect_right
from collections.abc import Callable
from typing import Any

from web.api.past import LONGEST_S

MOST = 32  # tables of which one process keeps the past

Shown = dict[str, Any]


class FullError(Exception):
    """So many tables are kept already."""


class HallPast:
    """Keeps what tables showed; any thread.

    Args:
        now: a steady clock, seconds.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._kept: dict[int, list[tuple[float, Shown]]] = {}
        self._longest_s: dict[int, int] = {}
        self._lock = threading.Lock()

    def begin(self, table: int, delay_s: int) -> bool:
        """Keep a table from now on; whether that is new.

        Raises:
            FullError: too many are kept.
        """
        with self._lock:
            is_new = table not in self._kept
            if is_new and len(self._kept) >= MOST:
                raise FullError
            self._kept.setdefault(table, [])
            longest = max(self._longest_s.get(table, 0), min(delay_s, LONGEST_S))
            self._longest_s[table] = longest
            return is_new

    def keep(self, shown: Shown) -> None:
        """Keep a table's newest state; nothing where nobody asked for it."""
        with self._lock:
            kept, now_s = self._kept.get(shown["id"]), self._now()
            if kept is None:
                return
            kept.append((now_s, shown))
            # The newest of those that are old enough for every delay is still shown.
            oldest_s = now_s - self._longest_s[shown["id"]]
            first = bisect_right(kept, oldest_s, key=lambda each: each[0]) - 1
            del kept[: max(0, first)]

    def behind(self, table: int, delay_s: int) -> Shown | None:
        """So many seconds ago; None where none is so old."""
        with self._lock:
            kept = self._kept.get(table, [])
            found = bisect_right(kept, self._now() - delay_s, key=lambda each: each[0]) - 1
            return None if found < 0 else kept[found][1]
