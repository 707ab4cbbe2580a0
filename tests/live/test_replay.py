"""A recorded hand, replayed, leads to the log that was recorded, or the difference is named."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from table_assist.capture.manifest import RecordingError
from table_assist.capture.recorder import load_recording
from table_assist.contract.commands import Undo
from table_assist.game.events import Settled, WallExhausted
from table_assist.live.live_table import LiveTable
from table_assist.live.replay_folder import ComparedReplay, replay_folder
from table_assist.twin.table import TableStep
from table_assist.vision.pictures.picture import jpeg
from tests.stages.recorded_table import (
    no_reader,
    picture_of,
    record_evening,
    steps,
    use_perfect_eyes,
)


@dataclass(frozen=True)
class Hand:
    folder: Path
    evening: list[TableStep]

    def copy(self, path: Path) -> Path:
        return Path(shutil.copytree(self.folder, path))


@pytest.fixture(scope="module")
def hand(tmp_path_factory: pytest.TempPathFactory) -> Hand:
    """A whole hand, then a person takes back its end."""
    folder = tmp_path_factory.mktemp("hand")
    evening = steps()

    def take_back(table: LiveTable) -> None:
        assert table.submit(Undo(table.snapshot.entries[-1].seq)) is None

    with pytest.MonkeyPatch.context() as monkeypatch:
        record_evening(folder, evening, use_perfect_eyes(monkeypatch, evening), then=take_back)
    return Hand(folder / "kept", evening)


@pytest.fixture
def again(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> "Again":
    use_perfect_eyes(monkeypatch, hand.evening)
    return Again()


class Again:
    def __call__(self, folder: Path) -> ComparedReplay:
        return replay_folder(folder, lambda config: no_reader())


def test_a_replayed_hand_gives_the_same_log(hand: Hand, again: Again) -> None:
    compared = again(hand.folder)
    assert list(compared.lines())[:-1] == []
    assert compared.is_same
    assert compared.recording.is_whole
    ends = [e for e in compared.replayed.entries if isinstance(e.event, Settled | WallExhausted)]
    assert ends, "the hand was followed to its end"
    looked, kept = compared.replayed.pictures
    assert len(hand.evening) * 0.5 < kept < looked / 2


def test_a_changed_picture_is_named(hand: Hand, again: Again, tmp_path: Path) -> None:
    folder = hand.copy(tmp_path / "kept")
    names = sorted((folder / "pictures").iterdir())
    changed = names[len(names) // 2]
    changed.write_bytes(jpeg(picture_of(0), 90))
    remarks = again(folder).remarks
    assert remarks == (f"pictures/{changed.name} is not the picture that was recorded.",)


def test_a_line_taken_out_is_a_difference_that_names_the_entry(
    hand: Hand, again: Again, tmp_path: Path
) -> None:
    folder = hand.copy(tmp_path / "kept")
    serial = folder / "serial.txt"
    lines = serial.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if ",WIN*" not in line]
    assert len(kept) < len(lines)
    serial.write_text("".join(kept), encoding="utf-8")
    compared = again(folder)
    assert not compared.is_same
    text = "\n".join(compared.lines())
    assert "WinDeclared" in text
    assert "ANOTHER log" in text
    assert json.loads(compared.to_json())["same"] is False


def test_an_entry_changed_in_the_recorded_log_is_told_with_what_the_replay_has_it_from(
    hand: Hand, again: Again, tmp_path: Path
) -> None:
    folder = hand.copy(tmp_path / "kept")
    log = folder / "log.jsonl"
    rows = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    row = next(row for row in rows if row["event"]["type"] == "Discarded")
    row["event"]["seat"] = (row["event"]["seat"] + 1) % 4
    log.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (difference,) = again(folder).differences
    assert difference.kind == "differs"
    assert difference.recorded is not None
    assert difference.recorded.seq == row["seq"]
    assert difference.cause.startswith("pictures/")


def test_a_recording_that_breaks_off_is_followed_as_far_as_it_goes(
    hand: Hand, again: Again, tmp_path: Path
) -> None:
    folder = hand.copy(tmp_path / "kept")
    for name, share in (("journal.jsonl", 0.6), ("serial.txt", 0.9), ("log.jsonl", 0.4)):
        data = (folder / name).read_bytes()
        (folder / name).write_bytes(data[: int(share * len(data))])
    compared = again(folder)
    assert not compared.recording.is_whole
    assert compared.is_same
    assert compared.beyond > 0
    assert any("breaks off" in remark for remark in compared.remarks)


@pytest.mark.parametrize(
    ("name", "old", "new", "says"),
    [
        ("manifest.json", '"format": 1', '"format": 7', "has format 7; this program knows"),
        ("manifest.json", '"detector": "', '"detector": "0', "made with other eyes: detector 0"),
        ("manifest.json", '"hash": "', '"hash": "0', "made under other rules"),
        ("manifest.json", "{", "", "is damaged"),
        ("journal.jsonl", '"looked"', '"booked"', "line 3 of the recording's"),
        ("log.jsonl", '"seq":1,', '"seq":2,', "lacks entry 1"),
    ],
)
def test_what_cannot_be_replayed_is_refused_in_one_sentence(
    hand: Hand, again: Again, tmp_path: Path, name: str, old: str, new: str, says: str
) -> None:
    folder = hand.copy(tmp_path / "kept")
    text = (folder / name).read_text(encoding="utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(RecordingError) as refused:
        again(folder)
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_picture_cut_short_is_refused_in_one_sentence(
    hand: Hand, again: Again, tmp_path: Path
) -> None:
    folder = hand.copy(tmp_path / "kept")
    path = sorted((folder / "pictures").iterdir())[3]
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(RecordingError, match=r"damaged: .* is cut short"):
        again(folder)


def test_a_folder_that_is_no_recording_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="is no recording"):
        load_recording(tmp_path)
