"""Kills in a process of their own: they fork, and a test's process has threads and networks."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from table_assist.evidence.store import EvidenceStore
from table_assist.record.store import Store, StoreError
from table_assist.rules.registry import find_rules
from tests.kills.kill import Killed, kill_often
from tests.kills.world import LostError


def kills_apart(kills: int, *, power: bool = False, unsynced: str = "") -> Killed | str:
    """What `kill_often` counts at Changsha's table, or the words of what was lost.

    Args:
        unsynced: "log" or "pictures": it does not wait for the disk.
    """
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(_kill, kills, power, unsynced).result()


def _kill(kills: int, power: bool, unsynced: str) -> Killed | str:
    if unsynced == "log":
        _hurry_log()
    elif unsynced == "pictures":
        _hurry_pictures()
    try:
        return kill_often([find_rules("changsha")], kills=kills, seed=5, power=power)
    except (LostError, StoreError) as error:
        return f"{type(error).__name__}: {error}"


def _hurry_log() -> None:
    prepare = Store._prepare

    def hurried(self: Store, reads_only: bool) -> None:
        prepare(self, reads_only)
        if not reads_only:
            self._db.execute("PRAGMA synchronous=OFF")

    Store._prepare = hurried  # type: ignore[method-assign]


def _hurry_pictures() -> None:
    prepare = EvidenceStore._prepare

    def hurried(self: EvidenceStore) -> None:
        prepare(self)
        self._db.execute("PRAGMA synchronous=OFF")

    EvidenceStore._prepare = hurried  # type: ignore[method-assign]
