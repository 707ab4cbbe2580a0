"""How long it takes to check a log: every seal of it, as opening, the doctor and backups do."""

import tempfile
import time
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from random import Random

from table_assist.game.state import TableState
from table_assist.record.log import Entry, Source
from table_assist.record.store import Store
from table_assist.rules.registry import find_rules
from table_assist.twin.play.hand import play_hand

HANDS = 20  # that are played; their events come again and again


@dataclass(frozen=True, slots=True)
class LogCheck:
    """The time that checking a log took.

    Attributes:
        seals_s: of processor, for the seals alone; `load_s` with the entries read.
    """

    entries: int
    bytes: int
    seals_s: float
    load_s: float

    @property
    def line(self) -> str:
        """For people."""
        return (
            f"{self.entries} entries, {self.bytes / 1e6:.1f} MB: every seal checked in "
            f"{self.seals_s:.2f} s of processor, all entries read besides in {self.load_s:.2f} s"
        )


def bench_log(entries: int, seed: int) -> LogCheck:
    """Write a log of so many entries, and check it."""
    events, state, random = [], TableState(), Random(seed)
    for _ in range(HANDS):
        played, state = play_hand(find_rules("changsha"), state, random)
        events += played
    with tempfile.TemporaryDirectory(prefix="table-assist-") as folder:
        path = Path(folder) / "log.sqlite"
        with Store(path) as store:
            store.append(
                Entry(seq, 1.7e9 + seq, Source.CAMERA, event)
                for seq, event in enumerate(islice(cycle(events), entries), start=1)
            )
        with Store(path, reads_only=True) as store:
            began = time.process_time()
            store.chain()
            checked = time.process_time()
            store.load()
            read = time.process_time()
        size = path.stat().st_size
    return LogCheck(entries, size, checked - began, read - checked)
