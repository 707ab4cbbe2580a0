"""The table as it was some seconds ago, for streams whose pictures come late.

Nothing is kept before somebody asks for it; from then on every published snapshot is, as long as
the longest delay that was asked for. What is younger than a delay is never in what it gives.
"""

import threading
import time
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass

from table_assist.contract.snapshot import Snapshot
from table_assist.live.live_table import LiveTable

LONGEST_S = 300
LOOK_S = 0.5
NOTHING_YET = -1  # the version of a table of which nothing is old enough


@dataclass(frozen=True, slots=True)
class _Kept:
    """A snapshot, and from when on it was the newest."""

    since_s: float
    version: int
    snapshot: Snapshot


class TablePast:
    """Keeps what a table published.

    Args:
        now: a steady clock, seconds.
    """

    def __init__(self, source: "Publisher", now: Callable[[], float] = time.monotonic) -> None:
        self._source = source
        self._now = now
        self._kept: list[_Kept] = []
        self._longest_s = 0
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._is_over = False

    def behind(self, delay_s: int) -> "Delayed":
        """The table ``delay_s`` seconds ago, from now on; at most `LONGEST_S`."""
        with self._changed:
            self._longest_s = max(self._longest_s, min(delay_s, LONGEST_S))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="past", daemon=True)
                self._thread.start()
        return Delayed(self, delay_s)

    def end(self) -> None:
        """Keep nothing any more."""
        self._is_over = True

    def keep(self, version: int, snapshot: Snapshot) -> None:
        """Keep the newest snapshot."""
        now_s = self._now()
        with self._changed:
            self._kept.append(_Kept(now_s, version, snapshot))
            # The newest of those that are old enough for every delay is still shown.
            first = bisect_right(self._kept, now_s - self._longest_s, key=_since) - 1
            del self._kept[: max(0, first)]
            self._changed.notify_all()

    def newest_before(self, delay_s: int) -> tuple[int, Snapshot | None]:
        """Version and snapshot of so many seconds ago; nothing, where none is so old."""
        with self._changed:
            found = bisect_right(self._kept, self._now() - delay_s, key=_since) - 1
            if found < 0:
                return NOTHING_YET, None
            return self._kept[found].version, self._kept[found].snapshot

    def wait_until_due(self, version: int, delay_s: int, timeout_s: float) -> Snapshot | None:
        """Block until something after ``version`` is so old; None on timeout."""
        end_s = self._now() + timeout_s
        while True:
            known, snapshot = self.newest_before(delay_s)
            if known > version:
                return snapshot
            with self._changed:
                now_s = self._now()
                coming = [each.since_s + delay_s for each in self._kept if each.version > version]
                left_s = min([end_s, *coming[:1]]) - now_s
                if now_s >= end_s:
                    return None
                self._changed.wait(max(left_s, 0.001))

    def _run(self) -> None:
        version = NOTHING_YET
        while not self._is_over:
            seen = self._source.version  # read first: its snapshot may be newer, never older
            snapshot = self._source.wait(version, LOOK_S)
            if snapshot is not None:
                version = seen
                self.keep(seen, snapshot)


def _since(kept: _Kept) -> float:
    return kept.since_s


@dataclass(frozen=True, slots=True)
class Delayed:
    """A table's publications, so many seconds late."""

    past: TablePast
    delay_s: int

    @property
    def version(self) -> int:
        """Of what is shown now."""
        return self.past.newest_before(self.delay_s)[0]

    @property
    def snapshot(self) -> Snapshot | None:
        """The snapshot that is shown now; None where nothing is old enough."""
        return self.past.newest_before(self.delay_s)[1]

    def wait(self, after: int, timeout_s: float) -> Snapshot | None:
        """As `LiveTable.wait`, late."""
        return self.past.wait_until_due(after, self.delay_s, timeout_s)


Publisher = LiveTable | Delayed  # what viewers watch
