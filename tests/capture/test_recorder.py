"""A recording only grows: it can be read after a kill, and a full disk does not stop the table."""

import itertools
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_assist.game.events import Claimed, Discarded, HandTold, Settled
from table_assist.game.question import QuestionId, QuestionKind
from table_assist.languages.words import Words
from table_assist.live.manifest import (
    Commanded,
    LineLost,
    RecordedHiding,
    RecordedLook,
    RecordedPlace,
    RecordedWord,
    RecordingError,
    make_manifest,
    moment_from_json,
    moment_to_json,
    plain_settings,
)
from table_assist.live.recorder import RESERVE_BYTES, Recorder, load_recording
from table_assist.live.replay_folder import compare
from table_assist.record.commands import Command, TellHand, Undo
from table_assist.record.log import Amended, Entry, Source
from table_assist.rules.play_rules import DeadHand
from table_assist.rules.shown import Antes
from table_assist.settings.config import CameraConfig, Config, RulesConfig, parse_config
from table_assist.settings.edit import profile_of
from table_assist.tiles.melds import Meld, MeldKind
from table_assist.tiles.tile import Tile
from table_assist.trust.installation import Address
from table_assist.vision.pictures.camera import Picture
from table_assist.vision.table.unseen import WhyUnseen
from tests.stages.recorded_table import picture_of, record_evening, steps, use_perfect_eyes


def recorder_in(folder: Path, free: Callable[[Path], int] = lambda folder: 10**12) -> Recorder:
    config = Config()
    manifest = make_manifest(config, profile_of(config), {}, 1000.0)
    return Recorder(folder, manifest, config, free_bytes=free)


def test_a_picture_is_kept_only_where_it_shows_anything_new(tmp_path: Path) -> None:
    recorder = recorder_in(tmp_path / "kept")
    recorder.begin(())
    for seq, index in enumerate((1, 1, 1, 2, 2, 1), start=1):
        recorder.looked(Picture(picture_of(index), 5.0 + seq, seq))
    recorder.close()
    looked = [m for m in load_recording(tmp_path / "kept").moments() if isinstance(m, RecordedLook)]
    assert [m.taken_s for m in looked] == [6.0, 7.0, 8.0, 9.0, 10.0, 11.0]
    assert [bool(m.picture) for m in looked] == [True, False, False, True, False, True]


def test_of_several_cameras_each_has_its_pictures_and_its_corners(tmp_path: Path) -> None:
    """New is what shows anything new before the same camera; corners shown anew are kept anew."""
    corners = tmp_path / "table.ab12.json"
    recorder = recorder_in(tmp_path / "kept")
    recorder.begin(())
    for said in ("first", "second"):
        corners.write_text(said, encoding="utf-8")
        recorder.placed("ab12", corners)
    recorder.placed("cd34", None)
    for seq, camera in enumerate(("ab12", "cd34", "ab12", "cd34"), start=1):
        recorder.looked(Picture(picture_of(1), float(seq), seq), camera, ("ab12", "cd34"))
    recorder.hidden(5.0, WhyUnseen.COVERED, "cd34", ("ab12",))
    recorder.close()
    moments = list(load_recording(tmp_path / "kept").moments())
    placed = [(m.camera, m.calibration) for m in moments if isinstance(m, RecordedPlace)]
    assert placed == [
        ("ab12", "calibration.ab12.json"), ("ab12", "calibration.ab12-2.json"), ("cd34", ""),
    ]  # fmt: skip
    kept = [(tmp_path / "kept" / name).read_text("utf-8") for _, name in placed if name]
    assert kept == ["first", "second"]
    looked = [(m.camera, bool(m.picture)) for m in moments if isinstance(m, RecordedLook)]
    assert looked == [("ab12", True), ("cd34", True), ("ab12", False), ("cd34", False)]
    (hidden,) = [m for m in moments if isinstance(m, RecordedHiding)]
    assert (hidden.taken_s, hidden.why, hidden.camera) == (5.0, WhyUnseen.COVERED, "cd34")
    assert hidden.counting == ("ab12",)


@settings(max_examples=40)
@given(chunks=st.lists(st.binary(max_size=30), max_size=12))
def test_every_byte_of_the_board_is_kept_in_order(
    tmp_path_factory: pytest.TempPathFactory, chunks: list[bytes]
) -> None:
    folder = tmp_path_factory.mktemp("bytes") / "kept"
    recorder = recorder_in(folder)
    recorder.begin(())
    for chunk in chunks:
        recorder.heard(chunk)
    recorder.line_lost()
    recorder.heard(b"more")
    recorder.close()
    moments = list(load_recording(folder).moments())
    assert (
        b"".join(m.data for m in moments if isinstance(m, RecordedWord))
        == b"".join(chunks) + b"more"
    )
    lost = next(i for i, m in enumerate(moments) if isinstance(m, LineLost))
    heard = [m for m in moments[:lost] if isinstance(m, RecordedWord)]
    assert b"".join(m.data for m in heard) == b"".join(chunks)
    times = [m.t for m in moments]
    assert times == sorted(set(times))


@pytest.mark.parametrize("kind", get_args(Command), ids=lambda kind: kind.__name__)
def test_every_command_comes_back_as_it_was(kind: type) -> None:
    values = {
        "seat": 3,
        "tile": Tile.S5,
        "challenges": (0, 1, 2, 0),
        "came_from": (1, 0, 3, 2),
        "event": Claimed(2, MeldKind.PUNG, (Tile.M1,) * 3, 1),
        "transfers": (3, -1, -1, -1),
        "reason": Words("so", "七"),
        "dead": DeadHand.LONG,
        "question": QuestionId(3, QuestionKind.KONG, seat=2, entry=17),
        "hand": HandTold(1, (Tile.M1,), (Meld(MeldKind.PUNG, (Tile.M2,) * 3),), (None,), Tile.M1)
        if kind is TellHand
        else 3,
        "tiles": (Tile.M1, Tile.S5),
        "photos": ("a1", "b2"),
        "antes": Antes(True, (0, 1, 2, 0)),
        "gone": frozenset({0, 2}),
    }
    plain = {int: 3, str: "七", bool: True}
    hints = get_type_hints(kind)
    names = [each.name for each in fields(kind)]
    command = kind(**{name: values.get(name, plain.get(hints[name])) for name in names})
    moment = Commanded(1.5, command, "Bo (referee)")
    assert moment_from_json(moment_to_json(moment)) == moment


KILLED = """
import sys
from pathlib import Path
from table_assist.record.commands import Undo
from table_assist.vision.pictures.camera import Picture
from tests.stages.recorded_table import picture_of
from tests.capture.test_recorder import recorder_in

recorder = recorder_in(Path(sys.argv[1]))
recorder.begin(())
print("begun", flush=True)
for seq in range(1, 1_000_000):
    recorder.looked(Picture(picture_of(seq % 4096), float(seq), seq))
    recorder.heard(b"$ST,%d\\r\\n" % seq)
    recorder.commanded(Undo(seq))
"""


@pytest.mark.slow
def test_a_recording_can_be_read_after_a_kill_at_any_moment(tmp_path: Path) -> None:
    for run, wait_s in enumerate((0.01, random.Random(3).uniform(0.1, 0.4))):
        folder = tmp_path / f"kept-{run}"
        program = subprocess.Popen(
            [sys.executable, "-c", KILLED, str(folder)],
            stdout=subprocess.PIPE,
            cwd=Path(__file__).parents[2],
        )
        with program:
            assert program.stdout is not None
            assert program.stdout.readline() == b"begun\n"
            try:
                program.wait(timeout=wait_s)
            except subprocess.TimeoutExpired:
                program.kill()
        recording = load_recording(folder)
        assert not recording.is_whole
        moments = list(recording.moments())
        looked = [m for m in moments if isinstance(m, RecordedLook)]
        for moment in looked:
            image, remark = recording.picture(moment)
            assert image.shape == picture_of(0).shape
            assert not remark
        commands = [m.command for m in moments if isinstance(m, Commanded)]
        assert commands == [Undo(seq) for seq in range(1, len(commands) + 1)]
        assert len(looked) - len(commands) in (0, 1)


def test_a_full_disk_ends_the_recording_before_the_log_lacks_room(tmp_path: Path) -> None:
    free = itertools.chain([10**12, RESERVE_BYTES + 10], itertools.repeat(0))
    recorder = recorder_in(tmp_path / "kept", lambda folder: next(free))
    recorder.begin(())
    recorder.looked(Picture(picture_of(1), 1.0, 1))
    assert recorder.health.status == "live"
    recorder.looked(Picture(picture_of(2), 2.0, 2))
    assert recorder.health.status == "lost"
    assert recorder.health.says.en == (
        "The recording stopped (less than 200 MB would be left on its disk); the table goes on."
    )
    recorder.looked(Picture(picture_of(3), 3.0, 3))
    recorder.heard(b"$ST\r\n")
    recorder.close()
    recording = load_recording(tmp_path / "kept")
    assert not recording.is_whole
    assert sum(isinstance(m, RecordedLook) for m in recording.moments()) == 1


def test_a_table_whose_recording_fails_goes_on_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = steps()[:12]

    def pull_the_disk(recorder: Recorder, index: int) -> None:
        if index == 4:
            shutil.rmtree(recorder.folder / "pictures")

    table = record_evening(
        tmp_path, evening, use_perfect_eyes(monkeypatch, evening), change=pull_the_disk
    )
    assert table.snapshot.state.hand == 1
    table.check_health()
    table.session.drain()
    health = next(h for h in table.snapshot.health if h.name == "recording")
    assert health.status == "lost"
    assert "the table goes on" in health.says.en


def test_a_folder_with_anything_in_it_is_not_recorded_into(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(RecordingError, match="is not empty: name a new one"):
        recorder_in(tmp_path)


def test_the_settings_come_back_without_the_cameras_password() -> None:
    config = Config(camera=CameraConfig(source=Address("rtsp://me:secret@10.0.0.9/live")))
    plain = plain_settings(config)
    assert "secret" not in str(plain)
    assert parse_config(plain).camera.source == Address("rtsp://…@10.0.0.9/live")


def test_the_houses_profile_and_calibration_lie_in_the_recording(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text('id = "ours"\nname = "Ours"\nrules = "changsha"\n', encoding="utf-8")
    corners = tmp_path / "corners.json"
    corners.write_text("{}", encoding="utf-8")
    config = Config(
        rules=RulesConfig(profile=str(house)),
        camera=CameraConfig(Address("0"), calibration=str(corners)),
    )
    profile = profile_of(config)
    recorder = Recorder(tmp_path / "kept", make_manifest(config, profile, {}, 1.0), config)
    recorder.begin(())
    recorder.close()
    house.unlink()
    kept = load_recording(tmp_path / "kept")
    assert profile_of(kept.config).hash == profile.hash == kept.manifest.profile["hash"]
    assert Path(kept.config.camera.calibration).read_text(encoding="utf-8") == "{}"


WON = Settled((2,), (0, 0, 2, -2), 2, (Words("Small Win.", "小胡。"),))
LOG = [
    Entry(1, 5.0, Source.CAMERA, Discarded(3, Tile.P7), 0.99),
    Entry(2, 9.0, Source.RULES, WON),
    Entry(3, 12.0, Source.PERSON, Amended(2, WON)),
]


def test_times_confidences_and_sentences_are_no_differences() -> None:
    worded = replace(WON, steps=(Words("A small win.", "胡了。"),))
    other = [
        replace(LOG[0], t=5.4, confidence=0.97),
        replace(LOG[1], event=worded),
        replace(LOG[2], event=Amended(2, worded)),
    ]
    assert compare(LOG, other, {}) == ()


def test_points_sources_and_missing_entries_are_differences() -> None:
    dearer = replace(LOG[1], event=replace(WON, transfers=(0, 0, 4, -4)))
    (differs,) = compare(LOG, [LOG[0], dearer, LOG[2]], {2: "a key"})
    assert (differs.kind, differs.recorded, differs.replayed) == ("differs", LOG[1], dearer)
    assert differs.cause == "a key"
    (said,) = compare(LOG, [replace(LOG[0], source=Source.PERSON), *LOG[1:]], {})
    assert said.kind == "differs"
    assert [each.kind for each in compare(LOG, LOG[:2], {})] == ["missing"]
    assert [each.kind for each in compare(LOG[:2], LOG, {})] == ["added"]
