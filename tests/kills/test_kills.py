"""What was acknowledged survives kill -9 and power cuts; a store in a hurry is found out."""

import re
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random

import pytest

from table_assist.record import evidence, store
from table_assist.record.sqlite import DURABLE
from table_assist.record.store import StoreError
from table_assist.rules.registry import find_rules
from tests.kills.kill import Killed, kill_often
from tests.kills.power import FileNames
from tests.kills.world import LostError


def kills_apart(kills: int, *, power: bool = False, unsynced: str = "") -> Killed | str:
    """In a process of its own: what `kill_often` counts at Changsha's table, or what was lost.

    Args:
        unsynced: "log" or "pictures": it does not wait for the disk.
    """
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(_kill, kills, power, unsynced).result()


def _kill(kills: int, power: bool, unsynced: str) -> Killed | str:
    if unsynced:
        vars(store if unsynced == "log" else evidence)["DURABLE"] = DURABLE.replace("FULL", "OFF")
    try:
        return kill_often([find_rules("changsha")], kills=kills, seed=5, power=power)
    except (LostError, StoreError) as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.timeout(300)
def test_what_was_acknowledged_survives_25_kills_at_random_moments() -> None:
    killed = kills_apart(25)
    assert isinstance(killed, Killed), killed
    assert killed.kills == 25
    assert killed.acknowledged > 10
    assert killed.entries > 100
    assert killed.commands > 10
    assert killed.pictures > 0


def test_nothing_acknowledged_is_lost_in_a_power_cut() -> None:
    """What the log has not synced is gone; 500 cuts with --kills 500 --power."""
    killed = kills_apart(20, power=True)
    assert isinstance(killed, Killed), killed
    assert killed.kills == 20
    assert killed.acknowledged > 0
    assert killed.commands > 0


def test_a_log_that_does_not_wait_for_the_disk_is_found_out() -> None:
    """The cuts find what they are to find: without syncs something acknowledged is lost."""
    lost = kills_apart(40, power=True, unsynced="log")
    assert isinstance(lost, str)


def test_pictures_that_do_not_wait_for_the_disk_are_found_out() -> None:
    """A picture for which the log vouches is lost where its file is not synced."""
    lost = kills_apart(60, power=True, unsynced="pictures")
    assert isinstance(lost, str)
    assert re.search(r"LostError.*(picture|evidence)", lost)


def test_a_process_with_threads_does_not_fork() -> None:
    """In the copy the others' locks would stay shut, and a network's threads would be missing."""
    waiting = threading.Event()
    thread = threading.Thread(target=waiting.wait)
    thread.start()
    try:
        with pytest.raises(RuntimeError, match="threads"):
            kill_often([find_rules("changsha")], kills=1, seed=5)
    finally:
        waiting.set()
        thread.join()


def test_a_name_that_was_not_synced_goes_with_the_power(tmp_path: Path) -> None:
    old, new, later = tmp_path / "old", tmp_path / "new", tmp_path / "later"
    for path in (new, later):
        path.write_bytes(b"x")
    names = FileNames()
    assert names.note(f"renamed {old} {new}")
    assert names.note(f"created {later}")
    assert not names.note("stored 4")
    names.cut(_Last(0))
    assert (old.exists(), new.exists(), later.exists(), names.lost) == (True, False, False, 2)
    old.replace(new)
    names.note(f"renamed {old} {new}")
    names.note(f"synced {tmp_path}")
    names.cut(_Last(0))
    assert new.exists()


class _Last(Random):
    """Always the same."""

    def __init__(self, number: int) -> None:
        super().__init__(0)
        self.number = number

    def randint(self, a: int, b: int) -> int:
        return self.number
