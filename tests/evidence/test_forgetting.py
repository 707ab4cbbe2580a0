"""Pictures of people: for their owner alone, for so many days, and gone when somebody wishes it."""

import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from table_assist.cli.main import main
from table_assist.record.evidence import (
    DAY_S,
    EvidenceError,
    EvidenceMoment,
    EvidenceStore,
    day_of,
    evenings,
)
from table_assist.record.photographer import Photographer
from table_assist.record.private import make_private

NOON = 1_700_000_000.0
FACE = b"a face that somebody wants to be gone " * 40


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.sqlite.evidence.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[EvidenceStore]:
    opened = EvidenceStore(path, 1_000_000, 30)
    yield opened
    opened.close()


def keep(store: EvidenceStore, seq: int, hand: int, t: float, jpeg: bytes = FACE) -> None:
    store.keep([(EvidenceMoment(seq, hand), b"crop")], t=t, jpeg=jpeg, readings="[]")


def files_hold(path: Path, what: bytes) -> bool:
    return any(what in each.read_bytes() for each in path.parent.glob(f"{path.name}*"))


def test_what_is_deleted_is_on_the_disk_no_more(store: EvidenceStore, path: Path) -> None:
    for hand in range(4):
        keep(store, hand + 1, hand, NOON + hand)
    keep(store, 9, 9, NOON + 9, b"another picture")
    assert files_hold(path, FACE)
    assert store.forget(range(4)) == 4 * (len(FACE) + 4)
    assert not files_hold(path, FACE)
    assert store.get("e1") is None
    assert store.get("e9") is not None


def test_pictures_go_after_their_days_and_disputed_ones_stay(store: EvidenceStore) -> None:
    keep(store, 1, 1, NOON)
    keep(store, 2, 2, NOON)
    store.hold(2)
    keep(store, 3, 3, NOON + 29 * DAY_S)
    assert store.get("e1") is not None
    keep(store, 4, 4, NOON + 31 * DAY_S)
    assert store.get("e1") is None
    assert store.get("e2") is not None
    assert [each.hand for each in store.hands()] == [2, 3, 4]


def test_deleting_takes_held_hands_too(store: EvidenceStore) -> None:
    keep(store, 1, 1, NOON)
    store.hold(1)
    assert store.forget([1])
    assert store.hands() == ()


def test_room_that_another_program_has_made_is_used(path: Path) -> None:
    store = EvidenceStore(path, 3_000)
    keep(store, 1, 1, NOON, b"x" * 2_000)
    store.hold(1)
    with pytest.raises(EvidenceError, match="are in use"):
        keep(store, 2, 2, NOON, b"x" * 2_000)
    other = EvidenceStore(path)
    other.forget([1])
    other.close()
    keep(store, 2, 2, NOON, b"x" * 2_000)
    store.close()


def test_held_hands_that_fill_the_room_are_told(path: Path) -> None:
    store = EvidenceStore(path, 4_000)
    keep(store, 1, 1, NOON, b"x" * 3_000)
    store.hold(1)
    assert store.held_share == pytest.approx(0.751)
    photographer = Photographer(store, lambda: None)
    photographer._held_share = store.held_share
    health = photographer.health
    assert "Disputed hands fill 75 %" in health.says.en
    assert "75%" in health.says.zh
    photographer.close()


def test_the_files_are_the_owner_s_alone(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite.evidence.sqlite"
    path.touch(mode=0o644)
    store = EvidenceStore(path)
    keep(store, 1, 1, NOON)
    for each in tmp_path.iterdir():
        assert stat.S_IMODE(each.stat().st_mode) == 0o600, each
    store.close()
    folder = tmp_path / "backups"
    folder.mkdir(mode=0o755)
    make_private(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_hand_after_midnight_belongs_to_the_evening_before(store: EvidenceStore) -> None:
    midnight = time.mktime((2026, 11, 22, 0, 0, 0, 0, 0, -1))
    for seq, hours in enumerate((-3.0, 2.0, 20.0), start=1):
        keep(store, seq, seq, midnight + hours * 3600)
    found = evenings(store.hands())
    assert [(each.day, each.hands) for each in found] == [
        ("2026-11-21", (1, 2)),
        ("2026-11-22", (3,)),
    ]
    assert day_of(midnight) == "2026-11-21"


def test_the_command_tells_and_deletes_an_evening(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = tmp_path / "table.toml"
    settings.write_text('[log]\npath = "log.sqlite"\n', encoding="utf-8")
    pictures = ["pictures", "--config", str(settings)]
    assert main(pictures) == 0
    assert "No pictures are kept" in capsys.readouterr().out
    store = EvidenceStore(tmp_path / "log.sqlite.evidence.sqlite")
    midnight = time.mktime((2026, 11, 22, 12, 0, 0, 0, 0, -1))
    keep(store, 1, 1, midnight)
    keep(store, 2, 2, midnight + DAY_S)
    store.close()
    assert main(pictures) == 0
    assert "2026-11-22: 1 hands, 1 pictures, 0.0 MB\n" in capsys.readouterr().out
    assert main([*pictures, "--forget-day", "2026-11-22"]) == 0
    assert "the log stays whole" in capsys.readouterr().out
    assert main([*pictures, "--forget-day", "2026-11-22"]) == 1
    assert main([*pictures, "--forget-all"]) == 0
    assert not files_hold(tmp_path / "log.sqlite.evidence.sqlite", FACE)
    assert os.path.exists(settings)
